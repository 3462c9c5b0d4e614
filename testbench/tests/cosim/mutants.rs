//! Faults in the exported text, one per unit: an operator flipped.

use std::path::Path;

use cotenant_units::table;

/// A fault in a file of an exported unit.
#[derive(Debug)]
pub struct Mutant {
    /// The unit.
    pub unit: &'static str,
    /// The module that it is in, without its parameters.
    pub module: &'static str,
    /// Text that occurs there.
    pub from: &'static str,
    /// Text in its place.
    pub to: &'static str,
}

const fn mutant(
    unit: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant {
        unit,
        module,
        from,
        to,
    }
}

/// Each is seen by every tool that compares.
pub const MUTANTS: [Mutant; 19] = [
    mutant("popcnt", "count6", "sum_0 ^ sum_1", "sum_0 | sum_1"),
    mutant("kid_demux", "kid_demux", "enable & (", "enable | ("),
    mutant(
        "demotion",
        "demotion",
        " | access_pos[0];",
        " & access_pos[0];",
    ),
    mutant(
        "counter_matrix",
        "counter_matrix",
        "count_0_0} + {",
        "count_0_0} - {",
    ),
    mutant("gdcu", "demotion", "access_valid & ", "access_valid | "),
    mutant(
        "lru_stack",
        "lru_update",
        "passed | access_at",
        "passed & access_at",
    ),
    mutant(
        "plob",
        "plob",
        "access_valid & ~access_hit",
        "access_valid | ~access_hit",
    ),
    mutant(
        "llc_monitor",
        "llc_directory",
        "update_access & ~missed",
        "update_access | ~missed",
    ),
    mutant(
        "umon",
        "umon",
        "access_valid & sampled",
        "access_valid | sampled",
    ),
    mutant("milg", "in_flight", " + ", " - "),
    mutant(
        "smil",
        "smil",
        "counter_count < limit_register",
        "counter_count <= limit_register",
    ),
    mutant("quota_unit", "quota_unit", "multiple & ~", "multiple | ~"),
    mutant("rbmi", "rbmi", "(|later) ? later", "(&later) ? later"),
    mutant(
        "qbmi",
        "qbmi",
        "ready & active_register",
        "ready | active_register",
    ),
    mutant(
        "mem_issue",
        "mem_issue",
        "want & active_register",
        "want | active_register",
    ),
    mutant("llc_monitor_apb", "register_port", "(&strobe)", "(|strobe)"),
    mutant(
        "llc_monitor_axi",
        "axi4_lite",
        "~writing | ~read_waits",
        "writing | ~read_waits",
    ),
    mutant(
        "mem_issue_apb",
        "issue_registers",
        "port_hit[7] & port_data[0]",
        "port_hit[7] | port_data[0]",
    ),
    mutant(
        "mem_issue_axi",
        "axi4_lite",
        "aw_taken & w_taken & ~b_valid",
        "(aw_taken | w_taken) & ~b_valid",
    ),
];

impl Mutant {
    /// The parameter set that it is tried in: the first of the test sets.
    pub fn set(&self) -> &'static str {
        table::test_sets(self.unit).unwrap()[0].name
    }

    /// Changes the first occurrence in an exported folder.
    pub fn apply(&self, folder: &Path) {
        replace(folder, self.module, self.from, self.to);
    }
}

/// Changes the first occurrence of a text in a module of an exported folder.
pub fn replace(folder: &Path, module: &str, from: &str, to: &str) {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mine = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let parameters = name.strip_prefix(module);
        let bench = |rest: &str| rest.ends_with("_tb.v") || rest.ends_with("_waves.v");
        parameters.is_some_and(|rest| rest.ends_with(".v") && !bench(rest))
    };
    let found: Vec<_> = files.filter(mine).collect();
    let [path] = &found[..] else {
        panic!("{module}: {found:?}")
    };
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} in {module}:\n{text}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}
