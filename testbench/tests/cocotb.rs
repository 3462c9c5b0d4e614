//! Rationale: `examples/cocotb` reads and writes the registers with bus models that are not ours,
//! from the generated description, in a simulator that knows nothing of our netlist. Both units
//! pass on both buses, with another set than the RTL's other tests use most. A test of registers is
//! worth what it finds: faults of the netlist, each of another kind, must be told by the
//! test that is for it.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::command;

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
fn passes(unit: &str, set: &str, tests: usize) {
    let out = tempfile::tempdir().unwrap();
    let output = run(unit, set, out.path(), &[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{unit} {set}: {text}");
    let verdict = format!("{unit} {set}, seed 1: {tests} of {tests} tests pass");
    assert!(text.lines().any(|line| line == verdict), "{text}");
}

/// The test that is for a fault finds it, and says so in these words.
fn finds(unit: &str, set: &str, fault: &str, test: &str, words: &str) {
    let out = tempfile::tempdir().unwrap();
    let export = [
        "export", unit, "--config", set, "--fault", fault, "--out", "faulty",
    ];
    let exported = command(&export, out.path()).output().unwrap();
    assert!(exported.status.success(), "{fault}: {}", said(&exported));
    let design = out.path().join("faulty");
    let chosen = [("DESIGN", design.to_str().unwrap()), ("TESTCASE", test)];
    let output = run(unit, set, out.path(), &chosen);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{fault}: {text}");
    assert!(text.contains(&format!("FAIL {test}")), "{fault}: {text}");
    assert!(text.contains(words), "{fault}: {text}");
}

#[test]
fn mem_issue() {
    passes("mem_issue_apb", "2-smil-rbmi", 5);
    let (unit, set) = ("mem_issue_axi", "2-milg-qbmi-small");
    passes(unit, set, 5);
    for (fault, test, words) in [
        (
            "lost write: bus.b_error",
            "errors_change_nothing",
            "error False; expected True",
        ),
        (
            "lost write: bus.r_valid",
            "random_transfers",
            "no answer to the read of",
        ),
        (
            "lost write: registers.active_then",
            "shows_what_goes_on",
            "read of ACTIVE[0][0] at 0x20",
        ),
    ] {
        finds(unit, set, fault, test, words);
    }
}

#[test]
fn llc_monitor() {
    passes("llc_monitor_axi", "2x2x16x1", 7);
    let (unit, set) = ("llc_monitor_apb", "4x4x64x1");
    passes(unit, set, 7);
    for (fault, test, words) in [
        (
            "stuck net: bit 0 of And of registers.demotions.exceeded at 0",
            "budget_is_kept_or_told",
            "irq is 0, expected 1",
        ),
        (
            "stuck bit: bit 4 of registers.timer.left at 0",
            "period_is_kept",
            "snapshots in three periods",
        ),
    ] {
        finds(unit, set, fault, test, words);
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
