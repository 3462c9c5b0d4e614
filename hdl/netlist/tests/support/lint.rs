//! Exported Verilog through the linters.

use super::agree::Run;
use super::exported::{design, text};
use std::process::Command;

/// Panics if `verilator --lint-only -Wall` or `iverilog -Wall` says a word.
///
/// What nobody reads is a warning of the elaborator's, and of Verilator's then.
#[track_caller]
pub fn clean(runs: &[Run]) {
    clean_but_for(runs, &[]);
}

/// The same without these warnings of Verilator's.
#[track_caller]
pub fn clean_but_for(runs: &[Run], waived: &[&str]) {
    let said: Vec<String> = runs
        .iter()
        .filter_map(|run| complaint(run, waived))
        .collect();
    assert!(
        said.is_empty(),
        "{} of {}:\n{}",
        said.len(),
        runs.len(),
        said.join("\n")
    );
}

/// What the linters say of a block, with its text.
fn complaint(run: &Run, waived: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let design = design(run);
    let mut files = vec![];
    for module in &design.modules {
        std::fs::write(folder.path().join(&module.file_name), &module.text).expect("written");
        files.push(module.file_name.clone());
    }
    let mut verilator = vec!["--lint-only", "-Wall", "--top-module", &design.top];
    if !run.netlist.warnings.is_empty() {
        verilator.push("-Wno-UNUSEDSIGNAL");
    }
    let waived: Vec<String> = waived.iter().map(|w| format!("-Wno-{w}")).collect();
    verilator.extend(waived.iter().map(String::as_str));
    let icarus = vec!["-g2005", "-Wall", "-t", "null", "-s", &design.top];
    for (name, options) in [("iverilog", icarus), ("verilator", verilator)] {
        let mut command = Command::new(name);
        command
            .current_dir(folder.path())
            .args(options)
            .args(&files);
        let out = command.output().unwrap_or_else(|e| panic!("{name}: {e}"));
        let said = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        if !out.status.success() || !said.is_empty() {
            return Some(format!("{}: {name}: {said}\n{}", run.name, text(&design)));
        }
    }
    None
}
