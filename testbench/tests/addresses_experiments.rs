//! Rationale: docs/experiments.md shows what `fgpu-cases`, `fgpu-variation`, `tx2-stride` and `tx2-copy`
//! give. A page of numbers that nobody repeats goes stale: its sections and pictures must be those of
//! the record, and rows of it are measured again, others with each commit. A row that was edited must be
//! seen. Hardware and golden model must have agreed wherever hardware ran.

use std::path::PathBuf;

use cotenant::experiments::{experiment, Report, Setting};
use cotenant_golden::addr::isolation::share::{sharing, SharingConfig};
use cotenant_golden::addr::tx2::{interference, Tx2Config, UNOBSERVED};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::recorded::seed;

/// Written again with this variable set.
const RECORD: &str = "COTENANT_RECORD";
const SEED: u64 = 0x9e37;
const NAMES: [&str; 4] = ["fgpu-cases", "fgpu-variation", "tx2-copy", "tx2-stride"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn record_of(name: &str) -> PathBuf {
    root().join(format!("testbench/tests/recorded/{name}.json"))
}

fn picture_of(name: &str) -> PathBuf {
    root().join(format!("docs/experiments/{name}.svg"))
}

fn run(name: &str) -> Report {
    (experiment(name).unwrap().run)(&Setting::new(SEED)).unwrap()
}

/// What the record holds: a row per line, and the digests of the section and of the picture.
fn record(rows: &[Value], section: &str, picture: &str) -> String {
    let digest = |text: &str| format!("{:x}", Sha256::digest(text));
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    format!(
        "{{\"section\": \"{}\", \"picture\": \"{}\", \"rows\": [\n{}\n]}}\n",
        digest(section),
        digest(picture),
        rows.join(",\n")
    )
}

fn rows(report: &Report) -> Vec<Value> {
    let document = serde_json::to_value(report).unwrap();
    document["rows"].as_array().unwrap().clone()
}

/// As it comes back from a file: not every reader of JSON gives the last bit of a number.
fn reread(value: &Value) -> Value {
    serde_json::from_str(&value.to_string()).unwrap()
}

fn markers(name: &str) -> [String; 2] {
    let begin = format!(
        "<!-- begin: {name}, written by COTENANT_RECORD=1 cargo test -p cotenant --test all addresses_experiments:: -->\n"
    );
    [begin, format!("<!-- end: {name} -->\n")]
}

/// The page around a section, and the section.
fn split<'a>(page: &'a str, name: &str) -> [&'a str; 3] {
    let [begin, end] = markers(name);
    let (before, rest) = page.split_once(&begin).expect("the page has the markers");
    let (section, after) = rest.split_once(&end).expect("the page has the markers");
    [before, section, after]
}

fn recorded(name: &str) -> Value {
    let text = std::fs::read_to_string(record_of(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// One of so many, another one with each commit.
fn drawn(count: usize) -> usize {
    let digest = Sha256::digest(seed());
    usize::from_be_bytes(digest[..8].try_into().unwrap()) % count
}

#[test]
fn the_page_is_what_was_measured() {
    let path = root().join("docs/experiments.md");
    if std::env::var_os(RECORD).is_some() {
        for name in NAMES {
            let report = run(name);
            assert!(report.complete() && report.mismatch().is_none(), "{name}");
            let picture = report.attachments().unwrap().remove(0).text;
            let section = format!("\n{}\n", report.text());
            std::fs::write(picture_of(name), &picture).unwrap();
            std::fs::write(record_of(name), record(&rows(&report), &section, &picture)).unwrap();
            let page = std::fs::read_to_string(&path).unwrap();
            let ([before, _, after], [begin, end]) = (split(&page, name), markers(name));
            std::fs::write(&path, format!("{before}{begin}{section}{end}{after}")).unwrap();
        }
    }
    let page = std::fs::read_to_string(&path).unwrap();
    for name in NAMES {
        let record = recorded(name);
        let digest = |text: &str| format!("{:x}", Sha256::digest(text));
        let again = format!("{name}: run {RECORD}=1, and read the sentences around the tables");
        assert_eq!(record["section"], digest(split(&page, name)[1]), "{again}");
        let picture = std::fs::read_to_string(picture_of(name)).unwrap();
        assert_eq!(record["picture"], digest(&picture), "{again}");
        // On TX2 hardware ran beside all of it, and agreed.
        let agreed = split(&page, name)[1].contains(" cycles compared, no mismatch");
        assert_eq!(agreed, name.starts_with("tx2"), "{name}");
    }
}

#[test]
fn cases_are_those_of_the_record() {
    let report = run("fgpu-cases");
    let measured: Vec<Value> = rows(&report).iter().map(reread).collect();
    let mut known = recorded("fgpu-cases")["rows"].as_array().unwrap().clone();
    assert_eq!(measured, known);
    // A row that was edited is another one.
    known[7]["cycles"] = 1.0.into();
    assert_ne!(measured, known);
    assert_eq!(
        split(
            &std::fs::read_to_string(root().join("docs/experiments.md")).unwrap(),
            "fgpu-cases"
        )[1],
        format!("\n{}\n", report.text())
    );
}

#[test]
fn a_variation_is_that_of_the_record() {
    let config = SharingConfig::tables().unwrap();
    let (configurations, applications) = (config.configurations.len(), config.applications.len());
    let at = drawn(configurations * applications);
    let one = SharingConfig {
        seed: SEED,
        configurations: vec![config.configurations[at / applications].clone()],
        applications: vec![config.applications[at % applications]],
        ..config
    };
    let measured = sharing(&one, &mut |_, _| true).unwrap();
    let measured = reread(&serde_json::to_value(&measured.rows[0]).unwrap());
    assert_eq!(measured, recorded("fgpu-variation")["rows"][at]);
}

#[test]
fn a_run_on_tx2_is_that_of_the_record() {
    let config = Tx2Config::figures().unwrap();
    let at = drawn(config.interference.len());
    let chosen = config.interference[at];
    let one = Tx2Config {
        kernels: config.kernels[..1].to_vec(),
        interference: vec![chosen],
        ..config
    };
    let measured = interference(&one, UNOBSERVED, &mut |_, _| true).unwrap();
    let measured = reread(&serde_json::to_value(&measured[1]).unwrap());
    let found = ["tx2-copy", "tx2-stride"].map(|name| {
        let rows = recorded(name)["rows"].as_array().unwrap().clone();
        rows.into_iter().find(|row| {
            (&row["kernel"], &row["interference"])
                == (&measured["kernel"], &measured["interference"])
        })
    });
    let found: Vec<Value> = found.into_iter().flatten().collect();
    assert_eq!(found, [measured]);
}
