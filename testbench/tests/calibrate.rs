//! Rationale: the preset that is shipped and the tables on the page must be what `cotenant calibrate` gives.
//! The record of its runs, which take minutes, is kept; a sample of runs is repeated with each commit in
//! `cotenant-golden`. A run of the record that was another one would give another preset.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the page again from the record.
const RECORD: &str = "COTENANT_RECORD";
const BEGIN: &str =
    "<!-- begin: calibrate, written by COTENANT_RECORD=1 cargo test -p cotenant --test all calibrate:: -->\n";
const END: &str = "<!-- end: calibrate -->\n";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn record() -> String {
    std::fs::read_to_string(root().join("testbench/tests/recorded/calibrate.jsonl")).unwrap()
}

/// Report and preset of a run that goes on from a record, and what it then has kept.
fn going_on_from(record: &str, work: &Path) -> [String; 3] {
    std::fs::create_dir(work.join("out")).unwrap();
    std::fs::write(work.join("out/measured.jsonl"), record).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command
        .args(["calibrate", "--out", "out"])
        .current_dir(work)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    ["experiment.md", "maxwell-fit.toml", "measured.jsonl"]
        .map(|name| std::fs::read_to_string(work.join("out").join(name)).unwrap())
}

#[test]
fn preset_and_page_are_what_the_record_gives() {
    let work = tempfile::tempdir().unwrap();
    let record = record();
    let [report, preset, kept] = going_on_from(&record, work.path());
    assert_eq!(kept, record, "nothing was run again");
    let shipped = std::fs::read_to_string(root().join("golden/presets/maxwell-fit.toml")).unwrap();
    assert_eq!(preset, shipped);
    let page = root().join("docs/experiments.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the page has the marker");
    let (section, after) = rest.split_once(END).expect("the page has the marker");
    if std::env::var_os(RECORD).is_some() {
        std::fs::write(&page, format!("{before}{BEGIN}\n{report}\n{END}{after}")).unwrap();
        return;
    }
    let again = format!("run {RECORD}=1, and read the sentences around the tables");
    assert_eq!(section, format!("\n{report}\n"), "{again}");
}

#[test]
fn another_run_gives_another_preset() {
    let work = tempfile::tempdir().unwrap();
    // Runs of dc miss much more.
    let changed: Vec<String> = record()
        .lines()
        .map(|line| match line.contains("\"kernel\":\"dc\"") {
            true => line.replace("\"miss_rate\":0.0", "\"miss_rate\":0.9"),
            false => line.into(),
        })
        .collect();
    let changed = changed.join("\n") + "\n";
    assert_ne!(changed, record());
    let [_, preset, _] = going_on_from(&changed, work.path());
    let shipped = std::fs::read_to_string(root().join("golden/presets/maxwell-fit.toml")).unwrap();
    assert_ne!(preset, shipped);
}
