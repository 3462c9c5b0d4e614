//! Rationale: what `examples/driver` promises to who drives the units from software. The C program
//! plays a trace into the verilated design, on both buses, and must read what the golden model
//! counts, be called for each exceeded budget, and neither too early nor too late. The driver's own
//! tests see every error against a fake bus; both they and the comparison with the golden model
//! must fail when header or driver are broken. What a port would have to supply, the driver must
//! not ask for: no C library.
#![allow(missing_docs)]

mod own_tests;
mod played;
mod sampled;
mod verilated;
mod wrong_header;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

use crate::common::command;

const SET: &str = "4x4x64x1";
const STRICT: &str = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs a command that must succeed; what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn cc(flags: &str, folder: &Path) -> Command {
    let mut cc = Command::new("cc");
    cc.args(flags.split_whitespace()).current_dir(folder);
    cc.arg(format!("-I{}", folder.display()));
    cc
}

/// The C header of a unit's registers.
fn header(unit: &str, set: &str) -> String {
    let arguments = ["registers", unit, "--config", set, "--format", "c"];
    run(&mut command(&arguments, Path::new(".")))
}

static LLC_HEADER: LazyLock<String> = LazyLock::new(|| header("llc_monitor_apb", SET));
static MANAGED_HEADER: LazyLock<String> = LazyLock::new(|| header("managed_llc_apb", "small"));
static ISSUE_HEADER: LazyLock<String> = LazyLock::new(|| header("mem_issue_apb", "2-milg-qbmi"));

// The driver is compiled once for all.
#[test]
fn one_header_for_all_sets_and_buses() {
    for (unit, set) in [
        ("llc_monitor_apb", "2x2x16x1"),
        ("llc_monitor_apb", "sampled"),
        ("llc_monitor_axi", SET),
    ] {
        assert_eq!(header(unit, set), *LLC_HEADER, "{unit} {set}");
    }
    for (unit, set) in [
        ("mem_issue_apb", "2-smil-rbmi"),
        ("mem_issue_axi", "8-milg-qbmi"),
    ] {
        assert_eq!(header(unit, set), *ISSUE_HEADER, "{unit} {set}");
    }
    for (unit, set) in [("managed_llc_apb", "table-1"), ("managed_llc_axi", "three")] {
        assert_eq!(header(unit, set), *MANAGED_HEADER, "{unit} {set}");
    }
}

/// The driver's sources and the three headers, in a folder of their own.
fn sources() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for from in ["driver", "driver/tests"] {
        for entry in std::fs::read_dir(examples().join(from)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    for (name, header) in [
        ("llc_monitor.h", &LLC_HEADER),
        ("mem_issue.h", &ISSUE_HEADER),
        ("managed_llc.h", &MANAGED_HEADER),
    ] {
        std::fs::write(folder.path().join(name), &**header).unwrap();
    }
    folder
}

/// Replaces the one place where `from` stands.
fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        text.matches(from).count(),
        1,
        "{from} in {}",
        file.display()
    );
    std::fs::write(file, text.replace(from, to)).unwrap();
}
