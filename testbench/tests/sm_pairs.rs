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

/// A record.
#[derive(Clone, Copy)]
struct Record {
    /// Of the experiment, the file, and the section of the page.
    name: &'static str,
    /// Of a run. All that the paper has are 2000000; of `sm-limits` a tenth, of `sm-blocks` half.
    cycles: u64,
    /// The first ones, which it has under all schemes.
    workloads: u64,
}

const fn record_of(name: &'static str, cycles: u64, workloads: u64) -> Record {
    Record {
        name,
        cycles,
        workloads,
    }
}

const RECORDED: [Record; 7] = [
    record_of("sm-blocks", 1_000_000, 6),
    record_of("sm-credits", 250_000, 78),
    record_of("sm-limits", 200_000, 3),
    record_of(LOCKSTEP, 500_000, 16),
    record_of("sm-pairs", 2_000_000, 78),
    record_of("sm-releases", 2_000_000, 2),
    record_of("sm-triples", 2_000_000, 286),
];

/// The only one with hardware.
const LOCKSTEP: &str = "sm-lockstep";

/// Runs of a record that are done again, others with each commit.
const AGAIN: usize = 1;

fn root(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
}

fn record(name: &str) -> PathBuf {
    root(&format!("testbench/tests/recorded/{name}.jsonl"))
}

/// The report of what is on record of so many workloads; measures what is not.
fn report(of: Record, workloads: u64, journal: &std::path::Path) -> Report {
    let setting = Setting {
        cycles: Some(of.cycles),
        workloads: Some(workloads),
        journal: Some(journal),
        ..Setting::new(SEED)
    };
    (experiment(of.name).unwrap().run)(&setting).unwrap()
}

#[test]
fn pages_are_what_the_records_give() {
    let recording = std::env::var_os(RECORD).is_some();
    for of in RECORDED {
        let name = of.name;
        let work = tempfile::tempdir().unwrap();
        let [empty, journal] = ["empty", "measured"].map(|of| work.path().join(of));
        let kept = std::fs::read_to_string(record(name)).unwrap_or_default();
        // The first line says of what it is.
        report(of, 0, &empty);
        let manifest = std::fs::read_to_string(&empty).unwrap();
        let of_today = kept.starts_with(&manifest);
        let again = "of another preset, version or list of runs";
        assert!(of_today || recording, "{name}: {again}: run {RECORD}=1");
        if of_today {
            std::fs::write(&journal, &kept).unwrap();
        }
        let report = report(of, of.workloads, &journal);
        let now = std::fs::read_to_string(&journal).unwrap();
        let pictures = report.attachments().unwrap();
        let drawn = |drawn: &str| root(&format!("docs/experiments/{drawn}"));
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
    let without_hardware = |of: &Record| of.name != LOCKSTEP;
    for Record { name, cycles, .. } in RECORDED.into_iter().filter(without_hardware) {
        let all = lines(name);
        let cases: HashSet<_> = all.iter().map(|line| &line.case).collect();
        assert_eq!(cases.len(), all.len(), "{name}: each once");
        assert_eq!(differing(&all, cycles, AGAIN), [], "{name}");
    }
}

/// A line of the record that is not what its run, done again, gives; of one drawn with each commit. As
/// text: numbers in JSON are read to within their last bit.
fn lockstep_differs(all: &[String]) -> Option<[String; 2]> {
    let cycles = RECORDED.iter().find(|of| of.name == LOCKSTEP)?.cycles;
    let read = |line: &str| serde_json::from_str::<sm_lockstep::Line>(line).unwrap();
    let name = |line: &&String| {
        let line = read(line);
        format!("{:?} {:?}", line.workload, line.issue)
    };
    let drawn = some(&seed(), all.iter().collect(), name, 1);
    let differs = |line: &&String| {
        let case = sm_lockstep::Case::of(&read(line), SEED).unwrap();
        let now = case.run(SEED, cycles, Engine::default(), &Ok, &|_| true);
        let now = serde_json::to_string(&now.unwrap().unwrap()).unwrap();
        (now != **line).then(|| [now, line.to_string()])
    };
    drawn.iter().find_map(differs)
}

fn lockstep_lines() -> Vec<String> {
    let text = std::fs::read_to_string(record(LOCKSTEP)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn hardware_does_what_the_record_says() {
    let all: Vec<sm_lockstep::Line> = kept(LOCKSTEP);
    assert_eq!(all.len(), 16 * sm_lockstep::POLICIES.len());
    assert!(all
        .iter()
        .all(|line| line.mismatch.is_none() && line.sms == 16));
    assert_eq!(lockstep_differs(&lockstep_lines()), None);
}

#[test]
fn hardware_that_does_something_else_is_seen() {
    let line = lockstep_lines().remove(0);
    let other = line.replacen("\"misses\":", "\"misses\":1", 1);
    let differs = lockstep_differs(std::slice::from_ref(&other));
    assert_eq!(differs, Some([line, other]));
}

#[test]
fn another_run_is_seen() {
    let Record { name, cycles, .. } = RECORDED[2];
    let mut all = lines(name);
    all.retain(|line| line.case.what == What::Alone);
    all.iter_mut().for_each(|line| line.counts[0].misses += 1);
    assert_eq!(differing(&all, cycles, 1).len(), 1);
}
