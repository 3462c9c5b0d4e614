//! Rationale: a checker that never complains is worth nothing. A right design and six with the
//! mistakes that are made with counters run beside the golden model in Verilator: all of the wrong
//! ones are caught, the right one is not. Illegal inputs and wrong parameters are told. The
//! generator's widths are compared with the golden model's for every unit, by a linter that takes a
//! port of another width for an error.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cotenant_capi::checker::{checker, PACKAGE};
use cotenant_golden::dynamic;

use crate::common::{done, library, own, run, said};

/// Verilates a design with the checkers of some units in a folder; the program.
fn simulator(folder: &Path, units: &[&str], design: &Path) -> PathBuf {
    let package = folder.join("cotenant_pkg.sv");
    fs::write(&package, PACKAGE).unwrap();
    let modules = units.iter().map(|unit| {
        let unit = dynamic::unit(unit).unwrap();
        let path = folder.join(format!("cotenant_check_{}.sv", unit.name()));
        fs::write(&path, checker(unit, unit.platform()).unwrap()).unwrap();
        path
    });
    let modules: Vec<PathBuf> = modules.collect();
    let objects = folder.join("obj");
    done(
        Command::new("verilator")
            .args([
                "--binary",
                "--timing",
                "-Wall",
                "-Wno-fatal",
                "-O1",
                "-CFLAGS",
                "-O0",
            ])
            // Headers take longest: all in one.
            .args(["-MAKEFLAGS", "VM_PARALLEL_BUILDS=0"])
            .args(["--build-jobs", "2", "--top-module", "top", "--Mdir"])
            .arg(&objects)
            .arg(&package)
            .args(modules)
            .arg(design)
            .arg(library()),
    );
    objects.join("Vtop")
}

/// What the checker of the design with this fault has said.
fn told(text: &str, fault: usize) -> Vec<&str> {
    let instance = format!("with_fault[{fault}]");
    let lines = text.lines().filter(|line| line.contains(&instance));
    lines.collect()
}

#[test]
fn wrong_designs_are_caught_and_the_right_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let source = own("tests/sv/my_counters.sv");
    let program = simulator(folder.path(), &["counter_matrix"], &source);

    let text = done(Command::new(&program).arg("+cotenant_fatal=0"));
    let right = told(&text, 0);
    assert_eq!(right.len(), 1, "{text}");
    let end = "counter_matrix KERNELS=3,INC_W=2,CNT_W=4: 3000 cycles, no mismatch";
    assert!(right[0].ends_with(end), "{text}");
    for (fault, port) in [
        (1, "read_count"),
        (2, "read_count"),
        (3, "overflow"),
        (4, "overflow"),
        (5, "read_count"),
        (6, "read_count"),
    ] {
        let lines = told(&text, fault);
        assert_eq!(lines.len(), 2, "{fault}: {text}");
        assert!(lines[0].contains(port), "{fault}: {}", lines[0]);
        assert!(lines[0].contains(", expected "), "{fault}: {}", lines[0]);
        assert!(lines[1].ends_with(" errors"), "{fault}: {}", lines[1]);
    }

    // The first error ends the run, unless said.
    let output = run(&mut Command::new(&program));
    assert!(!output.status.success());
    let text = said(&output);
    assert!(text.contains("stopped at the first error"), "{text}");

    // What the unit may not be driven with is told, and nothing is compared until the next reset.
    let text = done(Command::new(&program).args(["+cotenant_fatal=0", "+illegal=40"]));
    let lines = told(&text, 0);
    let illegal = "cycle 40: illegal input: inc_kid is 3, expected at most 2";
    assert!(lines[0].ends_with(illegal), "{text}");
    assert!(lines[1].ends_with("3000 cycles, 1 errors"), "{text}");
}

#[test]
fn ports_wider_than_words_and_units_without_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let source = own("tests/sv/my_lru_stack.sv");
    let program = simulator(folder.path(), &["lru_stack", "popcnt"], &source);
    let text = done(Command::new(&program).arg("+cotenant_fatal=0"));
    for (fault, port) in [
        (0, None),
        (1, Some("stack_owner[0] is ")),
        (2, Some("hit_pos is 6, expected 7")),
        (3, Some("stack_")),
        (4, Some("stack_way[0] is ")),
        (5, Some("count is ")),
    ] {
        let lines = told(&text, fault);
        let mismatches = lines.iter().filter(|line| line.contains(" cycle "));
        let mismatches: Vec<_> = mismatches.collect();
        assert_eq!(
            lines.len(),
            2 + usize::from(port.is_some()),
            "{fault}: {text}"
        );
        match port {
            None => assert!(mismatches.is_empty(), "{text}"),
            Some(port) => assert!(mismatches[0].contains(port), "{fault}: {text}"),
        }
    }
}

#[test]
fn wrong_parameters_are_told_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("top.sv");
    let text = "module top;
  logic clock = 0;
  cotenant_check_popcnt #(.WIDTH(65)) check (.clock(clock), .data('0), .count('0));
endmodule\n";
    fs::write(&source, text).unwrap();
    let program = simulator(folder.path(), &["popcnt"], &source);
    let output = run(&mut Command::new(program));
    assert!(!output.status.success());
    let text = said(&output);
    assert!(
        text.contains("popcnt: width is 65, expected 1 to 64"),
        "{text}"
    );
}

/// A module that connects the checker of a unit to wires that are as wide as the golden model's
/// ports; and whose checkers ask the model for them.
fn connected(text: &mut String, unit: &str, parameters: &str, wider: Option<&str>) {
    let model = dynamic::unit(unit).unwrap().model(parameters).unwrap();
    let mut given = String::new();
    for (name, value) in model.settings().values() {
        // Numbers without a width have 32 bits.
        let size = if *value > i32::MAX as usize {
            "64'd"
        } else {
            ""
        };
        let _ = write!(given, ".{name}({size}{value}), ");
    }
    // Those that are no formulas: they are right for the module's own parameters.
    let module = checker(dynamic::unit(unit).unwrap(), parameters).unwrap();
    for line in module
        .lines()
        .skip_while(|line| !line.contains("Follows from"))
    {
        if let Some(declared) = line.trim().strip_prefix("parameter int unsigned ") {
            let (name, value) = declared.trim_end_matches(',').split_once(" = ").unwrap();
            let _ = write!(given, ".{name}({value}), ");
        }
    }
    let instance = format!("u{}", text.len());
    let (mut wires, mut ports) = (String::new(), String::new());
    for port in model.inputs().iter().chain(model.outputs()) {
        let width = port.width() + usize::from(wider == Some(port.name));
        let _ = writeln!(
            wires,
            "  wire [{}:0] {instance}_{} = '0;",
            width - 1,
            port.name
        );
        let _ = write!(ports, ", .{0}({instance}_{0})", port.name);
    }
    let _ = writeln!(
        text,
        "{wires}  cotenant_check_{unit} #({given}.FATAL(1)) {instance} (.clock(clock){ports});"
    );
}

/// What a linter says of the checkers of all units, connected like this.
fn linted(sets: &[(&str, &str)], wider: Option<&str>) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    let mut top = "module top (input clock);\n".to_string();
    for (unit, parameters) in sets {
        connected(&mut top, unit, parameters, wider);
    }
    top += "endmodule\n";
    let mut files = vec![("cotenant_pkg.sv".to_string(), PACKAGE.to_string())];
    for unit in dynamic::units() {
        if sets.iter().any(|(used, _)| *used == unit.name()) {
            let text = checker(unit, unit.platform()).unwrap();
            files.push((format!("{}.sv", unit.name()), text));
        }
    }
    files.push(("top.sv".into(), top));
    let mut verilator = Command::new("verilator");
    verilator
        .args(["--lint-only", "--timing", "-Wall", "--top-module", "top"])
        .current_dir(folder.path());
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).unwrap();
        verilator.arg(name);
    }
    run(&mut verilator)
}

/// Sets in which each formula comes to something else than for the platform.
const OTHERS: &[(&str, &str)] = &[
    ("popcnt", "3"),
    ("kid_demux", "1"),
    ("demotion", "63"),
    ("counter_matrix", "KERNELS=5,INC_W=3,CNT_W=9"),
    ("gdcu", "12x5x24s3"),
    ("lru_stack", "3x3"),
    ("plob", "5x64s2"),
    ("sce", "33x3x7s0"),
    ("blame", "3x2"),
    ("pivot", "8x5"),
    ("shadow_stack", "3x3x4l2,TAG_W=5"),
    ("attribution", "3x3x16x4l2q3,CNT_W=5"),
    ("llc_monitor", "3x3x2x4,CNT_W=8,TAG_W=33,REQUESTERS=6,SCE=1"),
    ("llc_monitor", "3x3x16x2,CNT_W=8,SAMPLED=4"),
    ("llc_counters", "6x3x2s0,CNT_W=8,REQUESTERS=5"),
    ("umon", "4x16x4,TAG_W=3,CNT_W=2"),
    ("ucp", "5x3,CNT_W=4,XS_W=3"),
    ("managed_directory", "4x16x3x2r3p4,TAG_W=5,SEED=7"),
    ("managed_llc", "4x8x2x1x4x2b1w3c4t2"),
    ("quota_victim", "33x3"),
    ("rrip", "64r3"),
    ("drrip", "64x3x8p4"),
    ("core_sampling", "5x3i3n1c7r"),
    ("xsratio", "3w4c6t2"),
    ("tap", "3w4c6"),
    (
        "xor_hash",
        "ADDRESS_W=64,INDEX_W=3,MASK_0=0x8000000000000001",
    ),
    (
        "address_map",
        "ADDRESS_W=64,OFFSET_W=7,SECTOR_W=5,SET_W=16,BANK_W=1,MODULE_W=3,COLOUR_W=2,\
         TAG=0xf000000000000000",
    ),
    ("milg", "2x4x2d"),
    ("smil", "3x2"),
    ("quota_unit", "3x8"),
    ("rbmi", "5"),
    ("qbmi", "3x3cl2"),
    (
        "mem_issue",
        "KERNELS=3,COUNT_W=2,FAIL_W=4,INTERVAL_W=2,LIMIT_W=2",
    ),
    ("llc_monitor_apb", "3x3x2x4,CNT_W=8"),
    ("llc_monitor_axi", "3x3x16x2,SAMPLED=4"),
    ("llc_counters_apb", "3x3x2,CNT_W=7"),
    ("llc_counters_axi", "5x3x1,CNT_W=9"),
    ("mem_issue_apb", "KERNELS=3"),
    ("mem_issue_axi", "KERNELS=5"),
    ("managed_llc_apb", "4x8x2x1x4x2b1w3c4t2"),
    ("managed_llc_axi", "4x16x3x2x4x3b2w4c6t2"),
];

#[test]
fn every_checker_has_the_ports_of_its_unit() {
    let platforms = dynamic::units().iter();
    let mut sets: Vec<_> = platforms
        .map(|unit| (unit.name(), unit.platform()))
        .collect();
    sets.extend(OTHERS);
    let output = linted(&sets, None);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_port_of_another_width_is_seen() {
    let output = linted(&[("lru_stack", "3x3")], Some("stack_owner"));
    assert!(!output.status.success());
    assert!(said(&output).contains("stack_owner"), "{}", said(&output));
}
