//! Rationale: the preset that is shipped and the tables on the page must be what `cotenant calibrate` gives.
//! What it has chosen and what the chosen kernels did is kept; rows and sentences are made from that, and
//! some of the runs are done again with each commit. That the choice is the best one is shown of three
//! kernels by the tests of `cotenant-golden`; COTENANT_RECORD=1 does all of it again, for minutes.

use std::path::PathBuf;

use cotenant::experiments::calibrate::{run, Measured, Report};
use cotenant::experiments::Setting;
use cotenant_golden::calibration::free::Trial;
use cotenant_golden::calibration::solo::Solo;

use crate::common::recorded::{seed, some};

/// Does all runs again and writes record, page and preset.
const RECORD: &str = "COTENANT_RECORD";
const BEGIN: &str =
    "<!-- begin: calibrate, written by COTENANT_RECORD=1 cargo test -p cotenant --test all calibrate:: -->\n";
const END: &str = "<!-- end: calibrate -->\n";

/// The command's seed unless said.
const SEED: u64 = 0x9e37;

/// Runs that are done again. cp's take ten times as long as others.
const AGAIN: usize = 4;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const KEPT: &str = "testbench/tests/recorded/calibrate.json";
const PRESET: &str = "golden/presets/maxwell-fit.toml";
const PAGE: &str = "docs/experiments.md";

fn kept() -> Measured {
    serde_json::from_str(&text(KEPT)).unwrap()
}

fn preset(report: &Report) -> String {
    report.attachments().unwrap().remove(0).text
}

#[test]
fn preset_and_page_are_what_the_record_gives() {
    let page = text(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("the page has the marker");
    let (section, after) = rest.split_once(END).expect("the page has the marker");
    if std::env::var_os(RECORD).is_some() {
        let report = run(&Setting::new(SEED)).unwrap();
        let section = report.text();
        std::fs::write(file(PRESET), preset(&report)).unwrap();
        std::fs::write(
            file(PAGE),
            format!("{before}{BEGIN}\n{section}\n{END}{after}"),
        )
        .unwrap();
        let measured = serde_json::to_string_pretty(&report.from).unwrap() + "\n";
        std::fs::write(file(KEPT), measured).unwrap();
        return;
    }
    let report = Report::of(kept()).unwrap();
    assert!(report.from.complete && report.from.seed == SEED);
    assert_eq!(preset(&report), text(PRESET));
    let again = format!("run {RECORD}=1, and read the sentences around the tables");
    assert_eq!(section, format!("\n{}\n", report.text()), "{again}");
}

/// Those of the record that a run done again differs from.
fn differing(measured: &Measured, count: usize) -> Vec<&Trial> {
    let short = measured
        .measured
        .iter()
        .filter(|(trial, _)| trial.kernel != "cp");
    let name = |(trial, _): &&(Trial, Solo)| serde_json::to_string(trial).unwrap();
    let drawn = some(&seed(), short.collect(), name, count);
    assert!(drawn.len() >= count, "{}", drawn.len());
    // Numbers in JSON are read to within their last bit.
    let read = |solo: &Solo| -> Solo {
        serde_json::from_str(&serde_json::to_string(solo).unwrap()).unwrap()
    };
    let differs = |(trial, solo): &&(Trial, Solo)| {
        read(&trial.run(measured.seed, measured.compared).unwrap()) != *solo
    };
    let differ = drawn.into_iter().filter(differs);
    differ.map(|(trial, _)| trial).collect()
}

#[test]
fn runs_are_those_of_the_record() {
    assert_eq!(differing(&kept(), AGAIN), Vec::<&Trial>::new());
}

#[test]
fn another_run_is_seen_and_gives_another_page() {
    let mut measured = kept();
    measured.measured.retain(|(trial, _)| trial.kernel != "cp");
    for (_, solo) in &mut measured.measured {
        solo.miss_rate += 0.01;
    }
    assert_eq!(differing(&measured, 1).len(), 1);
    let report = Report::of(measured).unwrap();
    assert!(!text(PAGE).contains(&report.text()));
    // Another choice is another preset.
    let mut measured = kept();
    let fitted = &mut measured.fit.as_mut().unwrap().fitted;
    fitted.kernels.get_mut("dc").unwrap().latency += 1;
    let report = Report::of(measured).unwrap();
    assert_ne!(preset(&report), text(PRESET));
}
