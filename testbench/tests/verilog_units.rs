//! Rationale: users compile the exported text with tools that warn, and reason about it with tools
//! that prove. Each unit in each test set is read by Verilator, Icarus and Yosys without a warning,
//! and Yosys and abc prove it equal to the netlist for all inputs and states; so are sets that
//! take other branches in widths and codes (no powers of two) and other pipeline depths. Both
//! checks are seen to find something: a warning of each tool, and each unit's mutant refuted.
#![allow(missing_docs)]

mod common;
// Each test of this file uses a part of it.
#[allow(dead_code)]
#[path = "cosim/mutants.rs"]
mod mutants;

use std::process::Command;

use common::TEST_SETS;
use cotenant::cosim::{export_named, lint, lint_testbench, prove, Exported, Options, Vectors};
use cotenant::lockstep::Flow;
use cotenant_netlist::equivalence::Verdict;
use cotenant_units::table;
use mutants::MUTANTS;
use tempfile::TempDir;

fn exported(unit: &str, set: &str, options: &Options) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("export");
    let exported = export_named(unit, set, &folder, options, &mut |_| Flow::Continue);
    (
        parent,
        exported.unwrap_or_else(|e| panic!("{unit} {set}: {e}")),
    )
}

/// Sets whose ways or kernels are no powers of two, or whose pipeline is not the default's; of
/// those that differ in the counter's width only, the narrowest.
fn others(unit: &str) -> Vec<&'static str> {
    let sets = table::sets(unit).unwrap();
    let value = |set: &table::ParameterSet, name: &str| {
        set.params
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| *value)
    };
    let odd = sets.iter().filter(|set| {
        let sizes = ["WAYS", "KERNELS", "WIDTH"]
            .into_iter()
            .filter_map(|name| value(set, name));
        let odd = sizes.into_iter().any(|size| !size.is_power_of_two());
        let narrow = value(set, "CNT_W").is_none_or(|width| width == 16);
        odd && narrow || value(set, "STAGES").is_some_and(|stages| stages != 1)
    });
    odd.map(|set| set.name).collect()
}

#[test]
fn lint_is_clean() {
    for unit in table::units() {
        let others = others(unit);
        let few = if unit == "llc_monitor" { 0 } else { 3 };
        assert!(others.len() >= few, "{unit}: {others:?}");
        for set in TEST_SETS.into_iter().chain(others) {
            let (_parent, exported) = exported(unit, set, &Options::default());
            let warnings = lint(&exported).unwrap();
            assert!(warnings.is_empty(), "{unit} {set}: {}", warnings.join("\n"));
        }
    }
}

#[test]
fn testbenches_are_clean_in_icarus() {
    let options = Options::default().with_testbench(Vectors::default().cycles(10));
    for unit in table::units() {
        for set in TEST_SETS {
            let (_parent, exported) = exported(unit, set, &options);
            let warnings = lint_testbench(&exported).unwrap();
            assert!(warnings.is_empty(), "{unit} {set}: {}", warnings.join("\n"));
        }
    }
}

/// `make lint`, as a user runs it.
fn make_lint(exported: &Exported) -> bool {
    let make = Command::new("make")
        .arg("-C")
        .arg(&exported.folder)
        .arg("lint")
        .output();
    make.expect("make does not start: run scripts/setup")
        .status
        .success()
}

#[test]
fn each_linter_finds_what_is_wrong() {
    let options = Options::default().with_testbench(Vectors::default().cycles(10));
    let (_parent, exported) = exported("gdcu", "small", &options);
    assert!(make_lint(&exported));
    let path = exported.folder.join(format!("{}.v", exported.design.top));
    let good = std::fs::read_to_string(&path).unwrap();
    let broken = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        assert!(!make_lint(&exported), "{from}");
        lint(&exported).unwrap().join("\n")
    };
    // A wire that nobody reads; a port that gets too few bits; a wire that nobody drives.
    let unread = broken(
        "  wire [3:0] incs;\n",
        "  wire [3:0] incs;\n  wire extra = reset;\n",
    );
    assert!(
        unread.contains("verilator: ") && unread.contains("UNUSED"),
        "{unread}"
    );
    let narrow = broken(".inc(incs)", ".inc(incs[2:0])");
    assert!(
        narrow.contains("iverilog: ") && narrow.contains("expects 4 bits"),
        "{narrow}"
    );
    let undriven = broken("  assign read_count = matrix_read_count;\n", "");
    assert!(undriven.contains("yosys: "), "{undriven}");
}

/// Units that are proven. Of `llc_monitor` Yosys makes write ports with an enable of their own for
/// each bit, which the proof does not take: it is played in `cosim` alone, and of its parts `gdcu`
/// and `plob` are proven here.
fn provable() -> Vec<&'static str> {
    let mut units = table::units();
    units.retain(|unit| *unit != "llc_monitor");
    units
}

fn proven(unit: &str, set: &str) {
    let (_parent, exported) = exported(unit, set, &Options::default());
    let work = tempfile::tempdir().unwrap();
    let verdict = prove(&exported, work.path()).unwrap_or_else(|e| panic!("{unit} {set}: {e}"));
    assert!(
        matches!(verdict, Verdict::Equal { bits } if bits > 0),
        "{unit} {set}: {verdict:?}"
    );
}

#[test]
fn each_test_set_is_proven_equal_to_its_netlist() {
    for unit in provable() {
        TEST_SETS.into_iter().for_each(|set| proven(unit, set));
    }
}

#[test]
fn sets_that_are_no_powers_of_two_are_proven_equal() {
    for unit in provable() {
        // The largest of them teach nothing that those do not, and take long.
        others(unit)
            .into_iter()
            .take(3)
            .for_each(|set| proven(unit, set));
    }
}

#[test]
fn each_mutant_is_refuted() {
    let provable = provable();
    for mutant in MUTANTS.iter().filter(|m| provable.contains(&m.unit)) {
        let (_parent, exported) = exported(mutant.unit, "figure-2", &Options::default());
        mutant.apply(&exported.folder);
        let work = tempfile::tempdir().unwrap();
        let verdict = prove(&exported, work.path()).unwrap_or_else(|e| panic!("{mutant:?}: {e}"));
        assert!(
            matches!(verdict, Verdict::Different { .. }),
            "{mutant:?}: {verdict:?}"
        );
    }
}
