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
use cotenant::experiments::truth::record::{self, Line};
use cotenant::experiments::truth::{drawn, hardware, measure, Outcome, Standing};
use cotenant::experiments::Setting;
use cotenant_golden::workload::random::{Workload, ACCESSES};
use rayon::prelude::*;

/// The default seed.
pub(crate) const SEED: u64 = 0x9e37;
/// One workload in so many is counted again: about 4 seconds of one core.
const SAMPLE: u32 = 64;
const BEGIN: &str =
    "<!-- begin: written by COTENANT_RECORD=1 cargo test -p cotenant --test all truth:: -->\n\n";
const END: &str = "\n<!-- end -->";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

pub(crate) fn place() -> std::path::PathBuf {
    root().join("testbench/tests/recorded/truth.jsonl")
}

fn count_again((drawn_by, workload): &(u64, Workload), netlists: &str) -> Line {
    let setting = Setting::new(SEED);
    let measured = measure(workload, ACCESSES, setting.engine, setting.watch).unwrap();
    let measured = measured.expect("nobody stops it").0;
    Line::new(*drawn_by, workload, netlists, measured)
}

/// Of the netlists of today.
fn netlists() -> String {
    let (_, workload) = &drawn(SEED)[0];
    hardware::digest(&workload.scenario().unwrap().geometry).unwrap()
}

pub(crate) fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The first line that is not of the workloads of today, with the netlists of today.
fn other_workload(lines: &[Line], drawn: &[(u64, Workload)], netlists: &str) -> Option<String> {
    if lines.len() != drawn.len() {
        return Some(format!("{} lines", lines.len()));
    }
    let mut pairs = lines.iter().zip(drawn);
    let other = pairs.find(|(line, (by, workload))| !line.is_of(*by, workload, netlists));
    other.map(|(line, _)| line.name.clone())
}

/// The record as it is written.
fn written(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect()
}

/// What the page says: no count can change without it.
fn tables(standing: &Standing, record: &str) -> String {
    let digest = record::digest(record);
    format!("{}\nSHA-256 of the record: `{digest}`.\n", standing.text())
}

pub(crate) fn standing(lines: &[Line], drawn: &[(u64, Workload)]) -> Standing {
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
    let (seed, netlists) = (seed(), netlists());
    if std::env::var_os(RECORD).is_some() {
        let text = std::fs::read_to_string(place()).unwrap_or_default();
        // Lines of an older form are counted again, like those of other workloads.
        let known: Vec<Line> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let line = |drawn: &(u64, Workload)| {
            let known = known
                .iter()
                .find(|line| line.is_of(drawn.0, &drawn.1, &netlists));
            let known = known.filter(|line| !sampled(&seed, &line.name, SAMPLE));
            known
                .cloned()
                .unwrap_or_else(|| count_again(drawn, &netlists))
        };
        let counted: Vec<Line> = drawn.par_iter().map(line).collect();
        let text = written(&counted);
        std::fs::write(place(), &text).unwrap();
        let standing = standing(&counted, &drawn);
        let old = std::fs::read_to_string(&files[0]).unwrap();
        std::fs::write(&files[0], page(&old, &tables(&standing, &text))).unwrap();
        std::fs::write(&files[1], standing.forest().unwrap()).unwrap();
    }
    let record = std::fs::read_to_string(place()).unwrap();
    let recorded = lines(&record);
    let again =
        format!("run {RECORD}=1 cargo test -p cotenant --test all truth::, and read the sentences");
    assert_eq!(
        other_workload(&recorded, &drawn, &netlists),
        None,
        "{again}"
    );
    let standing = standing(&recorded, &drawn);
    let [text, picture] = files.map(|file| std::fs::read_to_string(file).unwrap());
    assert!(
        page(&text, &tables(&standing, &record)) == text,
        "docs/experiments.md: {again}"
    );
    assert!(standing.forest().unwrap() == picture, "truth.svg: {again}");
    // The theorem holds in all of them, of each single miss; netlist and golden model are one.
    assert_eq!(standing.line_level_exact, recorded.len());
    assert_eq!(standing.hardware.len(), 5);
    for (sampling, found) in &standing.hardware {
        assert_eq!(found.mismatches, 0, "{sampling}");
        // A lookup takes two cycles at least.
        assert!(found.taken > 0 && found.cycles > 2 * found.taken);
    }
    let sample = drawn.par_iter().zip(&recorded);
    let sample = sample.filter(|(_, line)| sampled(&seed, &line.name, SAMPLE));
    sample.for_each(|(drawn, line)| {
        assert!(
            count_again(drawn, &netlists) == *line,
            "{}: {again}",
            line.name
        )
    });
}

// Break it: workloads of another seed, a line too few, a miss too many.
#[test]
fn a_wrong_record_is_seen() {
    let drawn_today = drawn(SEED);
    let recorded = lines(&std::fs::read_to_string(place()).unwrap());
    let netlists = recorded[0].netlists.clone();
    let other = |lines: &[Line], drawn: &[_], netlists| other_workload(lines, drawn, netlists);
    assert!(other(&recorded, &drawn(SEED + 1), &netlists).is_some());
    assert!(other(&recorded[1..], &drawn_today, &netlists).is_some());
    assert!(other(&recorded, &drawn_today, "other").is_some());
    assert_eq!(other(&recorded, &drawn_today, &netlists), None);
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
