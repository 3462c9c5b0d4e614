//! Our own Verilog, and faults in it.

use std::path::Path;

use cotenant::unit::UNITS;
use tempfile::TempDir;

use super::mutants::MUTANTS;
use super::{blocks, shell};

/// An export of a unit, a map for its dump, and what its self-checking testbench prints.
fn exported(unit: &str, set: &str, change: impl FnOnce(&Path)) -> (TempDir, String, String) {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    let run = |command: &str| {
        let (code, out, err) = shell(folder, command);
        assert_eq!(code, 0, "{command}: {err}");
        out
    };
    let export = "export --testbench --cycles 2000 --out rtl";
    run(&format!("cotenant {export} {unit} --set {set}"));
    let manifest = std::fs::read_to_string(folder.join("rtl/export.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let top = manifest["top"].as_str().unwrap();
    change(&folder.join("rtl"));
    shell(folder, "make -C rtl waves");
    let log = std::fs::read_to_string(folder.join("rtl/build/waves.log")).unwrap();
    let template = format!("cotenant check {unit} --set {set} --map-template");
    let map = run(&template).replace("\"tb.", &format!("\"{top}_tb."));
    std::fs::write(folder.join("map.toml"), map).unwrap();
    let check = format!("check {unit} --set {set} --vcd rtl/build/{top}.vcd --map map.toml");
    (work, format!("cotenant {check}"), log)
}

#[test]
fn our_own_verilog_passes_in_every_unit() {
    for unit in UNITS.iter().map(|unit| unit.name()) {
        for set in ["small", "figure-2"] {
            let (work, check, log) = exported(unit, set, |_| {});
            let (code, out, err) = shell(work.path(), &check);
            assert_eq!(code, 0, "{unit} {set}: {out}{err}");
            // As many as the testbench compared.
            let compared = log.split("PASS 2000 cycles, ").nth(1).expect(&log);
            let compared = compared.split(' ').next().unwrap();
            assert!(
                out.contains(&format!("\n  {compared} cycles compared")),
                "{unit} {set}: {log} but {out}"
            );
        }
    }
}

#[test]
fn a_mutant_fails_at_the_cycle_that_the_testbench_names() {
    for mutant in &MUTANTS {
        let unit = mutant.unit;
        let (work, check, log) = exported(unit, "figure-2", |folder| mutant.apply(folder));
        // cycle 12: stack_way: got 1, expected 0
        let first = log.lines().find(|line| line.starts_with("cycle ")).unwrap();
        let (cycle, rest) = first.split_once(": ").unwrap();
        let port = rest.split(':').next().unwrap();
        let (code, out, err) = shell(work.path(), &check);
        assert_eq!(code, 1, "{unit}: {out}{err}");
        assert!(
            out.contains(&format!(": {cycle} at #")),
            "{unit}: {first} but {out}"
        );
        assert!(
            out.contains(&format!("): {port}")),
            "{unit}: {first} but {out}"
        );
    }
}

#[test]
fn the_pages_commands_for_our_own_verilog_work() {
    let work = tempfile::tempdir().unwrap();
    let commands = blocks("sh").into_iter().last().unwrap();
    let (code, out, err) = shell(work.path(), &format!("set -e\n{commands}"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("1999 cycles compared"), "{out}");
}
