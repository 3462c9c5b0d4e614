//! Rationale: a run of `truth` takes minutes, so what it counted is recorded, one line per workload,
//! and docs/experiments.md and its picture must be what follows from the record, byte for byte. The
//! record must be of the workloads of today, and what a sample of them counts, others with each
//! commit. A record of other workloads or with a changed count is seen.
//!
//! `COTENANT_RECORD=1 cargo test -p cotenant --test all truth::` counts what is not recorded and the
//! sample, with `COTENANT_SAMPLE=all` everything, and writes the record, the page and the picture.

#![allow(missing_docs)]

use std::path::Path;

use crate::common::recorded::{sampled, seed, RECORD};
use cotenant::experiments::truth::{drawn, measure, Measured, Outcome, Standing};
use cotenant::experiments::Setting;
use cotenant_golden::workload::random::{Workload, ACCESSES};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The default seed.
const SEED: u64 = 0x9e37;
/// One workload in so many is counted again: about 4 seconds of one core.
const SAMPLE: u8 = 64;
const BEGIN: &str =
    "<!-- begin: written by COTENANT_RECORD=1 cargo test -p cotenant --test all truth:: -->\n\n";
const END: &str = "\n<!-- end -->";

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    /// The seed and the workload.
    name: String,
    /// The beginning of the digest of its scenario.
    scenario: String,
    measured: Measured,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn record() -> std::path::PathBuf {
    root().join("testbench/tests/recorded/truth.jsonl")
}

fn name(drawn_by: u64, workload: &Workload) -> String {
    format!("{drawn_by:#x} {}", workload.name())
}

fn digest(workload: &Workload) -> String {
    let digest = Sha256::digest(workload.toml());
    digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn count(workload: &Workload) -> Measured {
    let measured = measure(workload, ACCESSES, Setting::new(SEED).watch).unwrap();
    measured.expect("nobody stops it").0
}

fn count_again((drawn_by, workload): &(u64, Workload)) -> Line {
    Line {
        name: name(*drawn_by, workload),
        scenario: digest(workload),
        measured: count(workload),
    }
}

fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The first line that is not of the workloads of today.
fn other_workload(lines: &[Line], drawn: &[(u64, Workload)]) -> Option<String> {
    let today = drawn
        .iter()
        .map(|(by, workload)| (name(*by, workload), digest(workload)));
    let recorded = lines
        .iter()
        .map(|line| (line.name.clone(), line.scenario.clone()));
    let mut pairs = today.zip(recorded);
    match lines.len() == drawn.len() {
        true => pairs
            .find(|(today, recorded)| today != recorded)
            .map(|(today, _)| today.0),
        false => Some(format!("{} lines", lines.len())),
    }
}

/// The record as it is written.
fn written(lines: &[Line]) -> String {
    let lines = lines
        .iter()
        .map(|line| serde_json::to_string(line).unwrap() + "\n");
    lines.collect()
}

/// What the page says: no count can change without it.
fn tables(standing: &Standing, record: &str) -> String {
    let digest: String = Sha256::digest(record)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{}\nSHA-256 of the record: `{digest}`.\n", standing.text())
}

fn standing(lines: &[Line], drawn: &[(u64, Workload)]) -> Standing {
    let outcome = |(line, (by, workload)): (&Line, &(u64, Workload))| {
        Outcome::new(*by, workload, line.measured.clone())
    };
    let outcomes: Vec<Outcome> = lines.iter().zip(drawn).map(outcome).collect();
    Standing::of(&outcomes)
}

/// The page with the tables in their place.
fn page(old: &str, tables: &str) -> String {
    let (before, rest) = old.split_once(BEGIN).expect("the page has the markers");
    let (_, after) = rest.split_once(END).expect("the page has the markers");
    format!("{before}{BEGIN}{tables}{END}{after}")
}

#[test]
fn the_page_is_what_was_counted() {
    let drawn = drawn(SEED);
    let files = ["docs/experiments.md", "docs/experiments/truth.svg"].map(|file| root().join(file));
    let seed = seed();
    if std::env::var_os(RECORD).is_some() {
        let text = std::fs::read_to_string(record()).unwrap_or_default();
        let known = lines(&text);
        let line = |drawn: &(u64, Workload)| {
            let (name, scenario) = (name(drawn.0, &drawn.1), digest(&drawn.1));
            let same = |line: &&Line| line.name == name && line.scenario == scenario;
            let known = known.iter().find(same);
            let known = known.filter(|_| !sampled(&seed, &name, SAMPLE));
            known.cloned().unwrap_or_else(|| count_again(drawn))
        };
        let counted: Vec<Line> = drawn.par_iter().map(line).collect();
        let text = written(&counted);
        std::fs::write(record(), &text).unwrap();
        let standing = standing(&counted, &drawn);
        let old = std::fs::read_to_string(&files[0]).unwrap();
        std::fs::write(&files[0], page(&old, &tables(&standing, &text))).unwrap();
        std::fs::write(&files[1], standing.forest().unwrap()).unwrap();
    }
    let record = std::fs::read_to_string(record()).unwrap();
    let recorded = lines(&record);
    let again =
        format!("run {RECORD}=1 cargo test -p cotenant --test all truth::, and read the sentences");
    assert_eq!(other_workload(&recorded, &drawn), None, "{again}");
    let standing = standing(&recorded, &drawn);
    let [text, picture] = files.map(|file| std::fs::read_to_string(file).unwrap());
    assert!(
        page(&text, &tables(&standing, &record)) == text,
        "docs/experiments.md: {again}"
    );
    assert!(standing.forest().unwrap() == picture, "truth.svg: {again}");
    // The theorem holds in all of them.
    assert_eq!(standing.line_level_exact, recorded.len());
    let sample = drawn.par_iter().zip(&recorded);
    let sample = sample.filter(|(_, line)| sampled(&seed, &line.name, SAMPLE));
    sample.for_each(|(drawn, line)| assert!(count_again(drawn) == *line, "{}: {again}", line.name));
}

// Break it: workloads of another seed, a line too few, a miss too many.
#[test]
fn a_wrong_record_is_seen() {
    let drawn_today = drawn(SEED);
    let recorded = lines(&std::fs::read_to_string(record()).unwrap());
    assert!(other_workload(&recorded, &drawn(SEED + 1)).is_some());
    assert!(other_workload(&recorded[1..], &drawn_today).is_some());
    let right = standing(&recorded, &drawn_today);
    let mut wrong = recorded.clone();
    wrong[0].measured.rows.gdc[1] += 1000;
    assert_ne!(standing(&wrong, &drawn_today), right);
    wrong[0].measured.rows.gdc[1] -= 999;
    assert_ne!(
        tables(&right, &written(&wrong)),
        tables(&right, &written(&recorded))
    );
    let old = format!("a\n{BEGIN}b\n{END}\nc\n");
    assert_eq!(page(&old, "d\n"), format!("a\n{BEGIN}d\n{END}\nc\n"));
    // One in as many is in the sample, others with another seed.
    let sample = |seed: &str| -> Vec<bool> {
        recorded
            .iter()
            .map(|line| sampled(seed, &line.name, SAMPLE))
            .collect()
    };
    assert!(sample("a").contains(&true) && sample("a") != sample("b"));
    assert!(!sample("all").contains(&false));
}
