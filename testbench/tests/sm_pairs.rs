//! Rationale: what docs/experiments.md shows of `sm-pairs`, `sm-lockstep` and their like must be what their
//! records give, however few of the workloads they have, and the records what the machine does now: some
//! runs are done again, others with each commit. COTENANT_RECORD=1 measures what a record lacks of the
//! workloads that it is of, which is all of it if preset or version have changed, and writes the pages.

use std::collections::HashSet;
use std::path::PathBuf;

use cotenant::experiments::sm_lockstep;
use cotenant::experiments::sm_pairs::runs::{Known, Line, Short, What};
use cotenant::experiments::{experiment, Report, Setting};
use cotenant_netlist::sim::Engine;
use serde::de::DeserializeOwned;

use crate::common::recorded::{seed, some, RECORD};

/// The command's seed unless said.
const SEED: u64 = 0x9e37;

/// Records: the experiment, cycles of a run and workloads. All that the paper has are 2000000 of each; of
/// `sm-limits` a tenth, of `sm-blocks` half.
const RECORDED: [(&str, u64, u64); 6] = [
    ("sm-blocks", 1_000_000, 6),
    ("sm-limits", 200_000, 3),
    ("sm-lockstep", 500_000, 16),
    ("sm-pairs", 250_000, 78),
    ("sm-releases", 2_000_000, 2),
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
        let pictures = report.attachments().unwrap();
        let drawn = |name: &str| root(&format!("docs/experiments/{name}"));
        let page = root("docs/experiments.md");
        let text = std::fs::read_to_string(&page).unwrap();
        let begin = format!("<!-- begin: {name}, written by {RECORD}=1 cargo test -p cotenant --test all sm_pairs:: -->\n");
        let end = format!("<!-- end: {name} -->\n");
        let (before, rest) = text.split_once(&begin).expect("the page has the marker");
        let (section, after) = rest.split_once(&end).expect("the page has the marker");
        let written = format!("\n{}\n", report.text());
        if recording {
            std::fs::write(record(name), now).unwrap();
            for picture in pictures {
                std::fs::write(drawn(&picture.name), picture.text).unwrap();
            }
            std::fs::write(page, format!("{before}{begin}{written}{end}{after}")).unwrap();
            continue;
        }
        assert_eq!(now, kept, "{name}: nothing was measured");
        let again = format!("run {RECORD}=1, and read the sentences around the tables");
        assert_eq!(section, written, "{again}");
        for picture in pictures {
            let there = std::fs::read_to_string(drawn(&picture.name)).unwrap();
            assert_eq!(there, picture.text, "{}: {again}", picture.name);
        }
    }
}

fn kept<L: DeserializeOwned>(name: &str) -> Vec<L> {
    let text = std::fs::read_to_string(record(name)).unwrap();
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn lines(name: &str) -> Vec<Line> {
    kept(name).into_iter().map(|Short(line)| line).collect()
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
    for (name, cycles, _) in RECORDED.into_iter().filter(|it| it.0 != LOCKSTEP) {
        let all = lines(name);
        let cases: HashSet<_> = all.iter().map(|line| &line.case).collect();
        assert_eq!(cases.len(), all.len(), "{name}: each once");
        assert_eq!(differing(&all, cycles, AGAIN), [], "{name}");
    }
}

/// The only one with hardware.
const LOCKSTEP: &str = "sm-lockstep";

/// A run of the record whose like, done again, is not it: of one drawn with each commit.
fn lockstep_differs(all: &[sm_lockstep::Line]) -> Option<sm_lockstep::Line> {
    let (_, cycles, _) = RECORDED.into_iter().find(|it| it.0 == LOCKSTEP)?;
    let name = |line: &&sm_lockstep::Line| format!("{:?} {:?}", line.workload, line.issue);
    let drawn = some(&seed(), all.iter().collect(), name, 1);
    let differs = |line: &&&sm_lockstep::Line| {
        let case = sm_lockstep::Case::of(line, SEED).unwrap();
        let now = case.run(SEED, cycles, Engine::default(), &Ok, &|_| true);
        now.unwrap().as_ref() != Some(**line)
    };
    drawn.iter().find(differs).map(|line| (*line).clone())
}

#[test]
fn hardware_does_what_the_record_says() {
    let all: Vec<sm_lockstep::Line> = kept(LOCKSTEP);
    assert_eq!(all.len(), 16 * sm_lockstep::POLICIES.len());
    assert!(all
        .iter()
        .all(|line| line.mismatch.is_none() && line.sms == 16));
    assert_eq!(lockstep_differs(&all), None);
}

#[test]
fn hardware_that_does_something_else_is_seen() {
    let mut one = kept::<sm_lockstep::Line>(LOCKSTEP).remove(0);
    one.counts[0].misses += 1;
    assert_eq!(lockstep_differs(&[one.clone()]), Some(one));
}

#[test]
fn another_run_is_seen() {
    let (name, cycles, _) = RECORDED[1];
    let mut all = lines(name);
    all.retain(|line| line.case.what == What::Alone);
    all.iter_mut().for_each(|line| line.counts[0].misses += 1);
    assert_eq!(differing(&all, cycles, 1).len(), 1);
}
