//! Exported Verilog through the linters.

use super::agree::Run;
use super::exported::design;
use std::process::Command;

/// Panics if `verilator --lint-only -Wall` or `iverilog -Wall` says a word.
///
/// What nobody reads is a warning of the elaborator's, and of Verilator's then.
#[track_caller]
pub fn clean(runs: &[Run]) {
    for run in runs {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let design = design(run);
        let mut files = vec![];
        for module in &design.modules {
            std::fs::write(folder.path().join(&module.file_name), &module.text).expect("written");
            files.push(module.file_name.clone());
        }
        let tool = |name: &str, options: &[&str]| {
            let mut command = Command::new(name);
            command.current_dir(folder.path()).args(options).args(&files);
            let out = command.output().unwrap_or_else(|e| panic!("{name}: {e}"));
            let said = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
            let texts: String = design.modules.iter().map(|m| m.text.as_str()).collect();
            assert!(out.status.success() && said.is_empty(), "{}: {name}: {said}\n{texts}", run.name);
        };
        tool("iverilog", &["-g2005", "-Wall", "-t", "null", "-s", &design.top]);
        let mut verilator = vec!["--lint-only", "-Wall", "--top-module", &design.top];
        if !run.netlist.warnings.is_empty() {
            verilator.push("-Wno-UNUSEDSIGNAL");
        }
        tool("verilator", &verilator);
    }
}
