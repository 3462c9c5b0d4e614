//! Rationale: the tables on the page must be what `cotenant experiment milg-release` gives. Its runs are
//! kept; the tables are made from them, and some are done again with each commit.

use std::path::PathBuf;

use cotenant::experiments::milg_release::{run, simulate, Measured, Report, Run};
use cotenant::experiments::Setting;

use crate::common::recorded::{seed, some, RECORD};

const BEGIN: &str =
    "<!-- begin: milg-release, written by COTENANT_RECORD=1 cargo test -p cotenant --test all milg_release:: -->\n";
const END: &str = "<!-- end: milg-release -->\n";

/// The command's seed unless said.
const SEED: u64 = 0x9e37;

/// Runs that are done again.
const AGAIN: usize = 1;

fn file(name: &str) -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join("..").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const KEPT: &str = "testbench/tests/recorded/milg-release.json";
const PAGE: &str = "docs/experiments.md";

fn kept() -> Measured {
    serde_json::from_str(&text(KEPT)).unwrap()
}

#[test]
fn the_page_is_what_the_record_gives() {
    let page = text(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("the page has the marker");
    let (section, after) = rest.split_once(END).expect("the page has the marker");
    if std::env::var_os(RECORD).is_some() {
        // One that was interrupted goes on.
        let report = run(&Setting {
            journal: Some(&file("target/milg-release.jsonl")),
            ..Setting::new(SEED)
        })
        .unwrap();
        let measured = serde_json::to_string_pretty(&report.from).unwrap() + "\n";
        std::fs::write(file(KEPT), measured).unwrap();
        let section = Report::of(kept()).text();
        let page = format!("{before}{BEGIN}\n{section}\n{END}{after}");
        std::fs::write(file(PAGE), page).unwrap();
        return;
    }
    let report = Report::of(kept());
    assert!(report.from.complete && report.from.seed == SEED);
    let again = format!("run {RECORD}=1, and read the sentences around the tables");
    assert_eq!(section, format!("\n{}\n", report.text()), "{again}");
}

/// Those of the record that a run done again differs from.
fn differing(measured: &Measured, count: usize) -> Vec<&Run> {
    let name = |run: &&Run| format!("{} {:?} {}", run.pair, run.release, run.seed);
    let drawn = some(&seed(), measured.runs.iter().collect(), name, count);
    assert!(drawn.len() >= count, "{}", drawn.len());
    let differs = |run: &&Run| {
        let seeds = (measured.seed, run.seed);
        let again = simulate(&run.pair, run.release, seeds, measured.window).unwrap();
        // Numbers in JSON are read to within their last bit.
        let read: Run = serde_json::from_str(&serde_json::to_string(&again).unwrap()).unwrap();
        read != **run
    };
    drawn.into_iter().filter(differs).collect()
}

#[test]
fn runs_are_those_of_the_record() {
    assert_eq!(differing(&kept(), AGAIN), Vec::<&Run>::new());
}

#[test]
fn another_run_is_seen_and_gives_another_page() {
    let mut measured = kept();
    for run in &mut measured.runs {
        run.kernels[1].miss_rate += 0.01;
    }
    assert_eq!(differing(&measured, 1).len(), 1);
    assert!(!text(PAGE).contains(&Report::of(measured).text()));
}
