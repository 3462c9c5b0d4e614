//! Rationale: drivers are built from what an export holds, often from another one than the
//! bitstream came from. So header, SystemRDL and table must be what the command shows, the header
//! the same for both buses and all sets, and a unit without registers must be answered with those
//! that have some.

use std::path::Path;
use std::process::{Command, Output};

use cotenant_units::table;
use serde_json::Value;

fn cotenant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command.args(arguments).current_dir(folder).output();
    output.expect("the program starts")
}

fn shown(arguments: &[&str]) -> String {
    let output = cotenant(Path::new("."), &[&["registers"], arguments].concat());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_export_holds_what_the_command_shows() {
    for (unit, set, stem) in [
        ("llc_monitor_apb", "2x2x16x1", "llc_monitor"),
        ("mem_issue_axi", "2-milg-qbmi-small", "mem_issue"),
    ] {
        let work = tempfile::tempdir().unwrap();
        let output = cotenant(
            work.path(),
            &["export", unit, "--config", set, "--out", "it"],
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let folder = work.path().join("it");
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let manifest: Value = serde_json::from_str(&text("export.json")).unwrap();
        let mut listed = vec![];
        for (extension, format) in [("rdl", "rdl"), ("h", "c"), ("md", "md")] {
            let name = format!("registers/{stem}.{extension}");
            assert_eq!(
                text(&name),
                shown(&[unit, "--config", set, "--format", format]),
                "{name}"
            );
            assert!(text("README.md").contains(&name), "{name}");
            listed.push(Value::from(name));
        }
        assert_eq!(manifest["registers"], Value::Array(listed));
        assert_eq!(
            std::fs::read_dir(folder.join("registers")).unwrap().count(),
            3
        );
        // An earlier export is replaced with all that is in it.
        let output = cotenant(
            work.path(),
            &["export", unit, "--config", set, "--out", "it"],
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_unit_behind_no_bus_is_exported_without_any() {
    let work = tempfile::tempdir().unwrap();
    let output = cotenant(work.path(), &["export", "popcnt", "--out", "it"]);
    assert!(output.status.success());
    let manifest = std::fs::read_to_string(work.path().join("it/export.json")).unwrap();
    assert!(!manifest.contains("registers"), "{manifest}");
    assert!(!work.path().join("it/registers").exists());
}

#[test]
fn the_header_depends_on_neither_bus_nor_set() {
    for (unit, other) in [
        ("llc_monitor_apb", "llc_monitor_axi"),
        ("mem_issue_apb", "mem_issue_axi"),
    ] {
        let header = shown(&[unit, "--format", "c"]);
        for set in table::sets(other).unwrap() {
            assert_eq!(
                shown(&[other, "--config", set.name, "--format", "c"]),
                header,
                "{}",
                set.name
            );
        }
    }
}

#[test]
fn json_says_all_there_is_to_know() {
    let map: Value = serde_json::from_str(&shown(&[
        "llc_monitor_axi",
        "--config",
        "small",
        "--format",
        "json",
    ]))
    .unwrap();
    assert_eq!(map["unit"], "llc_monitor");
    let registers = map["registers"].as_array().unwrap();
    let limit = registers
        .iter()
        .find(|r| r["name"] == "DEMOTION_LIMIT")
        .unwrap();
    assert_eq!(
        (&limit["offset"], &limit["rows"]),
        (&0x2800.into(), &2.into())
    );
    assert_eq!(limit["fields"][0]["access"], "ReadWrite");
}

#[test]
fn what_has_no_registers_is_answered_with_what_has() {
    for (arguments, why) in [
        (&["gdcu"][..], "gdcu has no registers, expected a unit behind a bus: llc_monitor_apb, llc_monitor_axi, mem_issue_apb, mem_issue_axi"),
        (&["llc_monitor_ahb"], "llc_monitor_a"),
        (&["llc_monitor_apb", "--config", "16x4x64"], "16x4x64x4"),
        (&["llc_monitor_apb", "--format", "xml"], "xml"),
    ] {
        let output = cotenant(Path::new("."), &[&["registers"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        // Long lines are wrapped.
        let said = String::from_utf8(output.stderr).unwrap();
        let said = said.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
}
