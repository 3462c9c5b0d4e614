//! The driver of `mem_issue` and the verilated unit.

use std::process::Command;

use super::{cc, examples, run, sources, STRICT};
use crate::common::command;

// The fake bus has the header's offsets; the unit has its own.
#[test]
fn limits_and_counts_of_mem_issue() {
    let folder = sources();
    let export = "export mem_issue_apb --config 2-smil-rbmi --out unit";
    let arguments: Vec<&str> = export.split(' ').collect();
    run(&mut command(&arguments, folder.path()));
    for stem in ["cotenant", "cotenant_issue"] {
        run(&mut cc(&format!("{STRICT} -c {stem}.c"), folder.path()));
    }
    let files = std::fs::read_to_string(folder.path().join("unit/files.f")).unwrap();
    let modules: Vec<&str> = files.lines().filter(|line| line.ends_with(".v")).collect();
    let top = modules.last().unwrap().trim_end_matches(".v");
    let driver = examples().join("driver");
    let include = format!(
        "-std=c++17 -I{} -I{}",
        folder.path().display(),
        driver.display()
    );
    run(Command::new("verilator")
        .args("--cc --exe --build -Wall -O1 --prefix Vdesign --top-module".split(' '))
        .args([
            top,
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_GLOBAL=-O0",
            "-CFLAGS",
            &include,
        ])
        .args(modules.iter().map(|file| format!("unit/{file}")))
        .args([
            driver.join("tests/issue_design.cpp"),
            driver.join("bus_apb.cpp"),
        ])
        .args(["../cotenant.o", "../cotenant_issue.o"])
        .current_dir(folder.path()));
    let said = run(&mut Command::new(folder.path().join("obj_dir/Vdesign")));
    assert_eq!(said, "issue_design: as expected behind APB4\n");
}
