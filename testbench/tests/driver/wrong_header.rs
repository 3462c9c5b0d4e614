//! The program with a header that is not the design's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::played::{budget, in_time, options, trace, APB, BUDGETS, COURSE};
use super::{cc, edit, examples, run, said, LLC_HEADER, STRICT};

/// Runs the program of the APB example with another header under the driver.
fn with_header(edits: &[(&str, &str)]) -> Output {
    let folder = made_with(APB.path(), "apb", edits);
    let program = folder.path().join("budget");
    budget(&program, &options(&BUDGETS[..1]), &trace())
}

/// The program `budget` of an example on a bus, with another header under the driver.
pub(crate) fn made_with(example: &Path, bus: &str, edits: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("llc_monitor.h");
    std::fs::write(&header, &*LLC_HEADER).unwrap();
    for (from, to) in edits {
        edit(&header, &format!("{from}\n"), &format!("{to}\n"));
    }
    let object = folder.path().join("cotenant_llc.o");
    let driver = examples().join("driver");
    run(cc(STRICT, folder.path())
        .arg(format!("-I{}", driver.display()))
        .arg("-c")
        .arg(driver.join("cotenant_llc.c"))
        .arg("-o")
        .arg(&object));
    let program = folder.path().join("budget");
    let bus = format!("bus_{bus}.o");
    let made = |folder: &str, names: &[&str]| -> Vec<PathBuf> {
        names
            .iter()
            .map(|name| example.join(folder).join(name))
            .collect()
    };
    run(Command::new("g++")
        .arg(object)
        .args(made(
            "objects",
            &["cotenant.o", "budget.o", "trace.o", "report.o"],
        ))
        .args(made("verilator", &["design.o", &bus, "verilated.o"]))
        .args(made(
            "verilator",
            &["verilated_threads.o", "Vdesign__ALL.a"],
        ))
        .args(["-pthread", "-o"])
        .arg(&program));
    folder
}

#[test]
fn a_wrong_header_is_seen() {
    let define = |name: &str, value: &str| format!("#define COTENANT_LLC_{name} {value}");
    // As it is, all is well.
    let output = with_header(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    in_time(
        &serde_json::from_slice(&output.stdout).unwrap(),
        &BUDGETS[..1],
    );

    let refused = [
        (
            "ID_VALUE_EXPECTED",
            "0x434f544eu",
            "0x4e544f43u",
            "no unit of Cotenant here",
        ),
        (
            "UNIT_VALUE_EXPECTED",
            "0x1u",
            "0x2u",
            "another unit of Cotenant",
        ),
        (
            "VERSION_MAJOR_EXPECTED",
            "0x1u",
            "0x2u",
            "another major version",
        ),
        ("HITS_OFFSET", "0x1000u", "0x1100u", "(offset 0x1100)"),
        ("STATUS_READY_MASK", "0x1u", "0x2u", "the unit still sweeps"),
    ];
    for (name, from, to, words) in refused {
        let output = with_header(&[(&define(name, from), &define(name, to))]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", said(&output));
        assert!(said(&output).contains(words), "{name}: {}", said(&output));
    }

    let exchanged = [
        (
            define("GDC_OFFSET", "0x800u"),
            define("GDC_OFFSET", "0xc00u"),
        ),
        (
            define("GDC_ROW_STRIDE", "0x40u"),
            define("GDC_ROW_STRIDE", "0x4u"),
        ),
        (
            define("GDC_COLUMN_STRIDE", "0x4u"),
            define("GDC_COLUMN_STRIDE", "0x40u"),
        ),
    ];
    let exchanged = exchanged.each_ref().map(|(from, to)| (&**from, &**to));
    for edits in [&exchanged[..1], &exchanged[1..]] {
        let output = with_header(edits);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{edits:?}: {}",
            said(&output)
        );
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        let counted = serde_json::to_value(COURSE.demotions.last().unwrap()).unwrap();
        assert_ne!(read["gdc"], counted, "{edits:?}");
    }

    let (name, from, to) = ("DEMOTION_MASK_OFFSET", "0x100u", "0x140u");
    let output = with_header(&[(&define(name, from), &define(name, to))]);
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["exceeded"], Value::Array(vec![]), "{name}");
}
