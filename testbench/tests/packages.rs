//! Rationale: an export is taken into somebody's project by the tool that they have: a list of
//! files, FuseSoC or Bender. Each must find all that the design needs and nothing else, so each
//! tool itself reads what is exported here, and simulates or lists it, without a warning. A core
//! whose simulation cannot fail would be worse than none: a faulty design, a missing file and an
//! unknown field must be seen. What a tool leaves in the folder must not keep the next export out.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::tool;
use cotenant::export::{export_named, lint, Exported, Options, Vectors};
use cotenant::verify::lockstep::Flow;
use tempfile::TempDir;

const CYCLES: u64 = 500;

fn export_into(folder: &Path, unit: &str, vectors: Option<Vectors>) -> Exported {
    let mut options = Options::default();
    options.testbench = vectors;
    export_named(unit, "small", folder, &options, &mut |_| Flow::Continue).unwrap()
}

/// An export in `rtl`, and room for what tools write.
fn exported(unit: &str) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let vectors = Vectors::default().cycles(CYCLES);
    let exported = export_into(&parent.path().join("rtl"), unit, Some(vectors));
    (parent, exported)
}

/// Puts something else into a file, once.
fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(
        text.contains(from),
        "{}: no {from}:\n{text}",
        file.display()
    );
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// FuseSoC as its user would call it, with no library but the export and no settings of theirs.
fn fusesoc(parent: &Path, top: &str, target: &str) -> Output {
    let venv = tool("fusesoc");
    let work = parent.join("work");
    std::fs::create_dir_all(&work).unwrap();
    Command::new(venv)
        .current_dir(&work)
        .env("HOME", parent)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CACHE_HOME")
        .args([
            "--cores-root",
            "../rtl",
            "run",
            "--clean",
            "--target",
            target,
        ])
        .arg(format!("cotenant:rtl:{top}"))
        .output()
        .unwrap()
}

fn bender(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(tool("bender"))
        .args(["--local", "--dir"])
        .arg(folder)
        .arg("script")
        .args(arguments)
        .output()
        .unwrap()
}

/// The files that Bender lists, without their folder; nothing but files is said.
fn listed(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = bender(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && error.trim().is_empty(),
        "{error}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty());
    let folder = folder.canonicalize().unwrap();
    lines
        .map(|line| {
            let file = PathBuf::from(line).canonicalize().unwrap();
            file.strip_prefix(&folder).unwrap().display().to_string()
        })
        .collect()
}

#[test]
fn fusesoc_lints_and_simulates() {
    for unit in ["popcnt", "gdcu"] {
        let (parent, exported) = exported(unit);
        let top = &exported.manifest.top;
        for target in ["lint", "sim"] {
            let output = fusesoc(parent.path(), top, target);
            let text = said(&output);
            assert!(output.status.success(), "{unit} {target}: {text}");
            assert!(!text.contains("Invalid syntax"), "{unit} {target}: {text}");
            let played = text.contains(&format!("PASS {CYCLES} cycles, "));
            assert_eq!(played, target == "sim", "{unit} {target}: {text}");
        }
    }
}

#[test]
fn fusesoc_sees_a_faulty_design() {
    let (parent, exported) = exported("popcnt");
    let top = &exported.manifest.top;
    let file = exported.folder.join(format!("{top}.v"));
    // The bits that are 0 are counted.
    edit(&file, ".data(data)", ".data(~data)");
    let output = fusesoc(parent.path(), top, "sim");
    let text = said(&output);
    assert!(text.contains("FAIL") && !output.status.success(), "{text}");
    edit(&file, "endmodule", "wire left_over = 1'b0;\nendmodule");
    let output = fusesoc(parent.path(), top, "lint");
    let text = said(&output);
    assert!(
        text.contains("UNUSED") && !output.status.success(),
        "{text}"
    );
    edit(
        &exported.folder.join(format!("{top}.core")),
        &format!("      - {top}.v\n"),
        "",
    );
    let output = fusesoc(parent.path(), top, "sim");
    assert!(!output.status.success(), "{}", said(&output));
}

#[test]
fn bender_lists_the_design_and_its_testbench() {
    let (_parent, exported) = exported("gdcu");
    let (folder, manifest) = (&exported.folder, &exported.manifest);
    assert_eq!(listed(folder, &["flist"]), manifest.sources);
    let mut with_bench = manifest.sources.clone();
    with_bench.push(format!("{}_tb.v", manifest.top));
    assert_eq!(listed(folder, &["flist", "-t", "simulation"]), with_bench);
    // What it leaves is no file of a user's.
    assert!(folder.join("Bender.lock").exists());
    let plain = export_into(folder, "gdcu", None);
    assert!(!folder.join("Bender.lock").exists());
    assert_eq!(
        listed(folder, &["flist", "-t", "simulation"]),
        plain.manifest.sources
    );
}

#[test]
fn bender_sees_a_missing_file_and_an_unknown_field() {
    let (_parent, exported) = exported("popcnt");
    let (folder, top) = (&exported.folder, &exported.manifest.top);
    let list = folder.join("Bender.yml");
    edit(&list, "target:", "tarGet:");
    let text = said(&bender(folder, &["flist"]));
    assert!(text.contains("unknown field"), "{text}");
    edit(&list, &format!("- {top}.v"), "- nowhere.v");
    let output = bender(folder, &["flist"]);
    assert!(!output.status.success(), "{}", said(&output));
}

#[test]
fn the_list_of_files_is_complete() {
    let (_parent, exported) = exported("popcnt");
    assert_eq!(lint(&exported).unwrap(), [""; 0]);
    // Verilator would find a module that is not listed by its name; Yosys reads the manifest.
    let list = exported.folder.join("files.f");
    let first = &exported.manifest.sources[0];
    for (to, tools) in [
        ("", &["iverilog"][..]),
        ("nowhere.v", &["verilator", "iverilog"]),
    ] {
        let good = std::fs::read_to_string(&list).unwrap();
        edit(&list, first, to);
        let complaints = lint(&exported).unwrap();
        let complaints = complaints.iter().filter_map(|line| line.split(':').next());
        assert_eq!(complaints.collect::<Vec<_>>(), tools);
        std::fs::write(&list, good).unwrap();
    }
}
