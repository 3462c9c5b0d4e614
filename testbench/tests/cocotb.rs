//! Rationale: `examples/cocotb` reads and writes the registers with bus models that are not ours, from
//! the generated description, in a simulator that knows nothing of our netlist. Both units pass on
//! both buses, with another set than the RTL's other tests use most. A test of registers is worth what
//! it finds: faults in the exported Verilog, each of another kind, must be told by the test that is
//! for it.
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
        .env("STEPS", "150")
        .envs(more.iter().copied())
        .output()
        .expect("the script starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs all tests; none fails.
fn passes(unit: &str, set: &str) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let output = run(unit, set, out.path(), &[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{unit} {set}: {text}");
    let verdict = format!("{unit} {set}, seed 1: 7 of 7 tests pass");
    assert!(text.lines().any(|line| line == verdict), "{text}");
    out
}

/// Runs one test against what `passes` exported, with one text of one of its files replaced.
fn finds(out: &TempDir, unit: &str, set: &str, fault: (&str, &str, &str), test: &str, words: &str) {
    let (module, from, to) = fault;
    let (good, bad) = (out.path().join("design"), tempfile::tempdir().unwrap());
    let mut found = 0;
    for entry in std::fs::read_dir(&good).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !path.is_file() {
            continue;
        }
        let mut text = std::fs::read_to_string(&path).unwrap();
        if name.starts_with(module) {
            found += text.matches(from).count();
            text = text.replacen(from, to, 1);
        }
        std::fs::write(bad.path().join(name), text).unwrap();
    }
    assert_eq!(found, 1, "{module}: {from}");
    let made = tempfile::tempdir().unwrap();
    let design = bad.path().to_str().unwrap();
    let output = run(unit, set, made.path(), &[("DESIGN", design), ("TESTCASE", test)]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{from}: {text}");
    assert!(text.contains(&format!("FAIL {test}")), "{from}: {text}");
    assert!(text.contains(words), "{from}: {text}");
}

#[test]
fn mem_issue_on_both_buses() {
    passes("mem_issue_apb", "2-smil-rbmi");
    passes("mem_issue_axi", "2-milg-qbmi-small");
}
