//! Rationale: what docs/experiments.md shows of `sm-pairs`, `sm-triples` and their like must be what their
//! records give, however few of the workloads they have, and the records what the machine does now: some
//! runs are done again, others with each commit. COTENANT_RECORD=1 measures what a record lacks of the
//! workloads that it is of, which is all of it if preset or version have changed, and writes the pages.

use std::collections::HashSet;
use std::path::PathBuf;

use cotenant::experiments::sm_pairs::runs::{Known, Line, Short, What};
use cotenant::experiments::{experiment, Report, Setting};

use crate::common::recorded::{seed, some, RECORD};

/// The command's seed unless said.
const SEED: u64 = 0x9e37;

/// Records: the experiment, cycles of a run and workloads. All that the paper has are 2000000 of each; of
/// `sm-limits` a tenth.
const RECORDED: [(&str, u64, u64); 4] = [
    ("sm-limits", 100_000, 3),
    ("sm-pairs", 250_000, 78),
    ("sm-releases", 250_000, 2),
    ("sm-triples", 100_000, 286),
];

/// Runs that are done again.
const AGAIN: usize = 2;

fn root(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
}

fn record(name: &str) -> PathBuf {
    root(&format!("testbench/tests/recorded/{name}.jsonl"))
}

/// The report of what is on record; measures what is not.
fn report(name: &str, cycles: u64, workloads: u64, journal: &std::path::Path) -> Report {
    let setting = Setting {
        cycles: Some(cycles),
        workloads: Some(workloads),
        journal: Some(journal),
        ..Setting::new(SEED)
    };
    (experiment(name).unwrap().run)(&setting).unwrap()
}

#[test]
fn pages_are_what_the_records_give() {
    let recording = std::env::var_os(RECORD).is_some();
    for (name, cycles, workloads) in RECORDED {
        let work = tempfile::tempdir().unwrap();
        let [empty, journal] = ["empty", "measured"].map(|of| work.path().join(of));
        let kept = std::fs::read_to_string(record(name)).unwrap_or_default();
        // The first line says of what it is.
        report(name, cycles, 0, &empty);
        let manifest = std::fs::read_to_string(&empty).unwrap();
        let of_today = kept.starts_with(&manifest);
        let again = "of another preset, version or list of runs";
        assert!(of_today || recording, "{name}: {again}: run {RECORD}=1");
        if of_today {
            std::fs::write(&journal, &kept).unwrap();
        }
        let report = report(name, cycles, workloads, &journal);
        let now = std::fs::read_to_string(&journal).unwrap();
        let drawn = root(&format!("docs/experiments/{name}.svg"));
        let picture = report.attachments().unwrap().remove(0).text;
        let page = root("docs/experiments.md");
        let text = std::fs::read_to_string(&page).unwrap();
        let begin = format!("<!-- begin: {name}, written by {RECORD}=1 cargo test -p cotenant --test all sm_pairs:: -->\n");
        let end = format!("<!-- end: {name} -->\n");
        let (before, rest) = text.split_once(&begin).expect("the page has the marker");
        let (section, after) = rest.split_once(&end).expect("the page has the marker");
        let written = format!("\n{}\n", report.text());
        if recording {
            std::fs::write(record(name), now).unwrap();
            std::fs::write(drawn, picture).unwrap();
            std::fs::write(page, format!("{before}{begin}{written}{end}{after}")).unwrap();
            continue;
        }
        assert_eq!(now, kept, "{name}: nothing was measured");
        let again = format!("run {RECORD}=1, and read the sentences around the tables");
        assert_eq!(section, written, "{again}");
        assert_eq!(std::fs::read_to_string(drawn).unwrap(), picture, "{again}");
    }
}

fn lines(name: &str) -> Vec<Line> {
    let text = std::fs::read_to_string(record(name)).unwrap();
    text.lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Short>(line).unwrap().0)
        .collect()
}

/// Those of the record that a run done again differs from.
fn differing(all: &[Line], cycles: u64, count: usize) -> Vec<Line> {
    let known: Known = all
        .iter()
        .map(|line| (line.case.clone(), line.clone()))
        .collect();
    let name = |line: &&Line| serde_json::to_string(&line.case).unwrap();
    let drawn = some(&seed(), all.iter().collect(), name, count);
    let differs = |line: &&&Line| {
        let now = line.case.run(&known, SEED, cycles, &|_| true).unwrap();
        now.as_ref() != Some(**line)
    };
    drawn
        .iter()
        .filter(differs)
        .map(|line| (*line).clone())
        .collect()
}

#[test]
fn runs_are_those_of_the_record() {
    for (name, cycles, _) in RECORDED {
        let all = lines(name);
        let cases: HashSet<_> = all.iter().map(|line| &line.case).collect();
        assert_eq!(cases.len(), all.len(), "{name}: each once");
        assert_eq!(differing(&all, cycles, AGAIN), [], "{name}");
    }
}

#[test]
fn another_run_is_seen() {
    let (name, cycles, _) = RECORDED[0];
    let mut all = lines(name);
    all.retain(|line| line.case.what == What::Alone);
    all.iter_mut().for_each(|line| line.counts[0].misses += 1);
    assert_eq!(differing(&all, cycles, 1).len(), 1);
}
