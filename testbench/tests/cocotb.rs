//! Rationale: `examples/cocotb` reads and writes the registers with bus models that are not ours,
//! from the generated description, in a simulator that knows nothing of our netlist. Both units
//! pass on both buses, with another set than the RTL's other tests use most. A test of registers is
//! worth what it finds: faults in the exported Verilog, each of another kind, must be told by the
//! test that is for it.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/cocotb/run")
}

/// Runs the example's script; `more` are variables of the environment.
fn run(unit: &str, set: &str, out: &Path, more: &[(&str, &str)]) -> Output {
    Command::new(example())
        .args([unit, set])
        .arg(out)
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        .env("STEPS", "100")
        .envs(more.iter().copied())
        .output()
        .expect("the script starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs all tests; none fails.
fn passes(unit: &str, set: &str, tests: usize) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let output = run(unit, set, out.path(), &[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{unit} {set}: {text}");
    let verdict = format!("{unit} {set}, seed 1: {tests} of {tests} tests pass");
    assert!(text.lines().any(|line| line == verdict), "{text}");
    out
}

/// A fault in an exported design, and what tells it.
struct Fault {
    /// The module's file begins with it.
    module: &'static str,
    from: &'static str,
    to: &'static str,
    test: &'static str,
    words: &'static str,
}

/// Runs the test that is for the fault on what `passes` exported, with the fault in it.
fn finds(out: &TempDir, unit: &str, set: &str, fault: &Fault) {
    let bad = tempfile::tempdir().unwrap();
    let mut found = 0;
    for entry in std::fs::read_dir(out.path().join("design")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut text = std::fs::read_to_string(&path).unwrap();
        if name.starts_with(fault.module) {
            found += text.matches(fault.from).count();
            text = text.replace(fault.from, fault.to);
        }
        std::fs::write(bad.path().join(name), text).unwrap();
    }
    assert_eq!(found, 1, "{}: {}", fault.module, fault.from);
    let made = tempfile::tempdir().unwrap();
    let design = bad.path().to_str().unwrap();
    let chosen = [("DESIGN", design), ("TESTCASE", fault.test)];
    let output = run(unit, set, made.path(), &chosen);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{}: {text}", fault.to);
    let verdict = format!("FAIL {}", fault.test);
    assert!(text.contains(&verdict), "{}: {text}", fault.to);
    assert!(text.contains(fault.words), "{}: {text}", fault.to);
}

#[test]
fn mem_issue() {
    passes("mem_issue_apb", "2-smil-rbmi", 5);
    let (unit, set) = ("mem_issue_axi", "2-milg-qbmi-small");
    let out = passes(unit, set, 5);
    let faults = [
        Fault {
            module: "axi4_lite",
            from: "b_error <= error;",
            to: "b_error <= 1'b0;",
            test: "errors_change_nothing",
            words: "error False; expected True",
        },
        Fault {
            module: "axi4_lite",
            from: "r_valid <= r_valid & ~rready;",
            to: "r_valid <= 1'b0;",
            test: "random_transfers",
            words: "no answer to the read of",
        },
        Fault {
            module: "issue_registers",
            from: "active_then <= active;",
            to: "active_then <= allow;",
            test: "shows_what_goes_on",
            words: "read of ACTIVE[0][0] at 0x20",
        },
    ];
    for fault in &faults {
        finds(&out, unit, set, fault);
    }
}

#[test]
fn llc_monitor() {
    passes("llc_monitor_axi", "2x2x16x1", 7);
    let (unit, set) = ("llc_monitor_apb", "4x4x64x1");
    let out = passes(unit, set, 7);
    let faults = [
        Fault {
            module: "llc_registers",
            from: "demotions_exceeded = scan_exceeded & ~scan_exceeded_matrix;",
            to: "demotions_exceeded = scan_exceeded & scan_exceeded_matrix;",
            test: "budget_is_kept_or_told",
            words: "irq is 0, expected 1",
        },
        Fault {
            module: "period_timer",
            from: "expiring <= left == 32'd2;",
            to: "expiring <= left == 32'd32;",
            test: "period_is_kept",
            words: "snapshots in three periods",
        },
    ];
    for fault in &faults {
        finds(&out, unit, set, fault);
    }
}

#[test]
fn what_is_not_there_is_told() {
    let out = tempfile::tempdir().unwrap();
    for (unit, set, words) in [
        ("gdcu", "small", "no description of the registers"),
        ("mem_issue_apb", "5x5", "the export failed"),
    ] {
        let output = run(unit, set, out.path(), &[]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{unit} {set}: {text}");
        assert!(text.contains(words), "{unit} {set}: {text}");
    }
}
