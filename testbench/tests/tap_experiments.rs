//! Rationale: the figures of the TAP paper are read off these reports. Speedups must be the paper's
//! equations 1 and 2 of what was counted, over all workloads that table 7 names; a run that was
//! stopped must go on and come to the same, and must take what it has kept as it is, which shows in a
//! line that is changed. What docs/experiments.md shows of `tap-streams`, `tap-costs`, `tap-parts` and
//! `tap-speedup`, which take up to an hour, must be what their records give, and a workload of one is
//! measured again, another one with each commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::command;
use crate::common::recorded::{seed, some};

/// The report of an experiment in `out`, and its text.
fn run(arguments: &[&str], folder: &Path) -> (Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(["experiment"]).args(arguments);
    command.args(["--json", "--out", "out"]).current_dir(folder);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let page = std::fs::read_to_string(folder.join("out/experiment.md")).unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), page)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

#[test]
fn every_application_has_a_curve() {
    let work = tempfile::tempdir().unwrap();
    let (report, page) = run(&["tap-apps", "--cycles", "2000"], work.path());
    let applications = list(&report, "applications");
    // Table 6, and table 5 with five streams of another suite.
    for (kind, count) in [
        ("A", 4),
        ("B", 12),
        ("C", 3),
        ("D", 4),
        ("E", 9),
        ("friendly", 10),
        ("streaming", 11),
        ("compute", 13),
    ] {
        let of = applications.iter().filter(|it| it["kind"] == kind);
        assert_eq!(of.count(), count, "{kind}");
        assert!(page.contains(&format!("\n| {kind} ")), "{page}");
    }
    for application in applications {
        let points = list(application, "points");
        let ways: Vec<u64> = points
            .iter()
            .map(|it| it["ways"].as_u64().unwrap())
            .collect();
        assert_eq!(ways, [1, 2, 4, 8, 16, 24, 32]);
        // At best a CPU core retires four instructions per cycle.
        assert!(points.iter().all(|it| number(it, "cpi") >= 0.25));
    }
    let svg = std::fs::read_to_string(work.path().join("out/tap-apps.svg")).unwrap();
    assert!(svg.contains("GPU: cycles per instruction") && !svg.contains("NaN"));
}

/// Equations 1 and 2 of a workload.
fn speedup(baseline: &[Value], with: &[Value]) -> f64 {
    assert_eq!(baseline.len(), with.len());
    let ipc = |stats: &Value| number(stats, "instructions") / number(stats, "cycles");
    let ratios = baseline.iter().zip(with).map(|(a, b)| ipc(b) / ipc(a));
    ratios.product::<f64>().powf(1.0 / baseline.len() as f64)
}

#[test]
fn speedups_are_those_of_what_was_counted_and_a_run_goes_on() {
    let work = tempfile::tempdir().unwrap();
    let arguments = ["tap-streams", "--cycles", "20000"];
    let (whole, page) = run(&arguments, work.path());
    let (set, workloads) = (&whole["sets"][0], list(&whole, "workloads"));
    assert_eq!((workloads.len(), &set["workloads"]), (25, &25.into()));
    assert_eq!(whole["period"], 5000);
    let gains = list(set, "gains");
    assert_eq!(gains.len(), 10);
    for (at, gain) in gains.iter().enumerate() {
        let speedups = workloads.iter().map(|workload| {
            let policies = list(workload, "policies");
            speedup(list(workload, "baseline"), policies[at].as_array().unwrap())
        });
        let speedups: Vec<f64> = speedups.collect();
        let mean = speedups.iter().product::<f64>().powf(1.0 / 25.0) - 1.0;
        assert!((mean - number(&gain["all"], "mean")).abs() < 1e-9, "{gain}");
        let [from, to] = [0, 1].map(|end| gain["all"]["interval"][end].as_f64().unwrap());
        assert!(from <= mean && mean <= to, "{gain}");
        assert!(page.contains(&format!("\n| {} ", gain["policy"].as_str().unwrap())));
    }
    // What is not LRU does something else, if little in so short a run.
    let mut others = workloads.iter().flat_map(|it| {
        let with = list(it, "policies").iter();
        with.map(|with| with != &it["baseline"])
    });
    assert!(others.any(|other| other));

    // As if it had been killed, with one line changed.
    let out = work.path().join("out");
    let written = std::fs::read_to_string(out.join("measured.jsonl")).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), 26);
    let mut changed: Value = serde_json::from_str(lines[1]).unwrap();
    changed["policies"][0][0]["instructions"] = 1.into();
    let kept = [lines[0], &changed.to_string()];
    let kept = [&kept, &lines[2..12], &[&lines[12][..50]]]
        .concat()
        .join("\n");
    std::fs::remove_dir_all(&out).unwrap();
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("measured.jsonl"), kept).unwrap();
    let (after, _) = run(&arguments, work.path());
    let pairs = workloads.iter().zip(list(&after, "workloads"));
    let differ: Vec<&Value> = pairs
        .filter(|(a, b)| a != b)
        .map(|(a, _)| &a["name"])
        .collect();
    assert_eq!(differ, [&changed["name"]]);
    // Other cycles are other work.
    let elsewhere = tempfile::tempdir().unwrap();
    let (other, _) = run(&["tap-streams", "--cycles", "20001"], elsewhere.path());
    assert_eq!(other["cycles"], 20001);
    let pairs = workloads.iter().zip(list(&other, "workloads"));
    assert_eq!(pairs.filter(|(a, b)| a == b).count(), 0);
}

/// Writes the page again from the record.
const RECORD: &str = "COTENANT_RECORD";

/// What is on record.
const RECORDED: [&str; 4] = ["tap-costs", "tap-parts", "tap-speedup", "tap-streams"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn place(name: &str) -> PathBuf {
    root().join(format!("testbench/tests/recorded/{name}.jsonl"))
}

/// The record: the manifest, then a line per workload.
fn record(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(place(name)).unwrap();
    text.lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect()
}

/// The report of what is on record.
fn recorded(name: &str, work: &Path) -> (Value, String, String) {
    let place = place(name);
    let (report, page) = run(&[name, "--record", place.to_str().unwrap()], work);
    let picture = std::fs::read_to_string(work.join(format!("out/{name}.svg"))).unwrap();
    (report, page, picture)
}

/// What a sweep that begins with a record has in the end, of the runs of a part.
fn swept(name: &str, record: &Path, part: &str, work: &Path) -> String {
    let from = record.to_str().unwrap();
    let mut command = command(&["sweep", name, "--from", from, "--part", part], work);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    std::fs::read_to_string(work.join(format!("out/{name}/measured.jsonl"))).unwrap()
}

#[test]
fn the_page_is_what_the_record_gives() {
    for name in RECORDED {
        let work = tempfile::tempdir().unwrap();
        let lines = record(name);
        let (_, report, picture) = recorded(name, work.path());
        assert_eq!(lines.len() - 1, lines[0]["runs"], "all workloads of {name}");
        assert!(!report.contains(" workloads are in.\n"), "{name}");
        // The first run alone, which is in.
        let text = std::fs::read_to_string(place(name)).unwrap();
        let kept = swept(name, &place(name), "1/100000", work.path());
        assert_eq!(kept, text, "it is in order, and nothing was measured");
        let page = root().join("docs/experiments.md");
        let text = std::fs::read_to_string(&page).unwrap();
        let begin = format!(
            "<!-- begin: {name}, written by {RECORD}=1 cargo test -p cotenant --test all tap_experiments:: -->\n"
        );
        let end = format!("<!-- end: {name} -->\n");
        let (before, rest) = text.split_once(&begin).expect("the page has the marker");
        let (section, after) = rest.split_once(&end).expect("the page has the marker");
        let drawn = root().join(format!("docs/experiments/{name}.svg"));
        if std::env::var_os(RECORD).is_some() {
            std::fs::write(&drawn, &picture).unwrap();
            std::fs::write(&page, format!("{before}{begin}\n{report}\n{end}{after}")).unwrap();
            continue;
        }
        let again = format!("run {RECORD}=1, and read the sentences around the table");
        assert_eq!(section, format!("\n{report}\n"), "{again}");
        assert_eq!(std::fs::read_to_string(drawn).unwrap(), picture, "{again}");
    }
}

#[test]
fn a_workload_is_that_of_the_record() {
    // One takes up to a minute.
    for name in some(&seed(), RECORDED.to_vec(), |name| (*name).into(), 1) {
        let work = tempfile::tempdir().unwrap();
        let known = record(name);
        let workload = |at: &usize| known[*at]["name"].as_str().unwrap().to_owned();
        let drawn = some(&seed(), (1..known.len()).collect(), workload, 1)[0];
        let text = std::fs::read_to_string(place(name)).unwrap();
        let lines = text.split_inclusive('\n').enumerate();
        let others: String = lines
            .filter(|(at, _)| *at != drawn)
            .map(|(_, it)| it)
            .collect();
        let begin = work.path().join("others.jsonl");
        std::fs::write(&begin, others).unwrap();
        let part = format!("{drawn}/{}", known[0]["runs"]);
        assert_eq!(swept(name, &begin, &part, work.path()), text, "{name}");
    }
}

/// What says that one policy is better in the same workloads is recomputed.
#[test]
fn leads_are_those_of_what_was_counted() {
    for (name, pairs) in [("tap-costs", 1), ("tap-parts", 8)] {
        let work = tempfile::tempdir().unwrap();
        let (report, page, _) = recorded(name, work.path());
        for set in list(&report, "sets") {
            assert_eq!(list(set, "leads").len(), pairs);
            let place = |policy: &Value| {
                let mut gains = list(set, "gains").iter();
                gains.position(|it| it["policy"] == *policy).unwrap()
            };
            for lead in list(set, "leads") {
                let [over, policy] = ["over", "policy"].map(|key| place(&lead[key]));
                let name = set["set"].as_str().unwrap();
                let of_set = list(&report, "workloads").iter();
                let of_set = of_set.filter(|it| it["name"].as_str().unwrap().starts_with(name));
                let ratios: Vec<f64> = of_set
                    .map(|workload| {
                        let policies = list(workload, "policies");
                        let [over, policy] =
                            [over, policy].map(|at| policies[at].as_array().unwrap());
                        speedup(over, policy)
                    })
                    .collect();
                let count = ratios.len();
                assert_eq!(set["workloads"], count);
                let mean = ratios.iter().product::<f64>().powf(1.0 / count as f64) - 1.0;
                assert!((number(&lead["all"], "mean") - mean).abs() < 1e-9, "{lead}");
                let faster = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
                let slower = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
                assert_eq!(lead["faster"], serde_json::json!([faster, slower]));
                let names = ["policy", "over"].map(|key| lead[key].as_str().unwrap());
                let rows = page.lines().map(|line| line.split('|').map(str::trim));
                let mut rows = rows.map(Iterator::collect::<Vec<_>>);
                let counts = [faster, slower].map(|count| count.to_string());
                let is_it = |cells: Vec<&str>| {
                    cells.len() == 14 && cells[1..3] == names && cells[10..12] == counts
                };
                assert!(rows.any(is_it), "{lead}");
            }
        }
    }
}

/// A policy that two experiments run in the same workload does the same in both, to the last count.
#[test]
fn two_experiments_count_alike() {
    let of = |name: &str| {
        let work = tempfile::tempdir().unwrap();
        let (report, ..) = recorded(name, work.path());
        let gains = list(&report["sets"][0], "gains").iter();
        let policies: Vec<String> = gains
            .map(|it| it["policy"].as_str().unwrap().to_owned())
            .collect();
        let mut counted = std::collections::BTreeMap::new();
        for workload in list(&report, "workloads") {
            let name = workload["name"].as_str().unwrap();
            for (policy, stats) in policies.iter().zip(list(workload, "policies")) {
                counted.insert((name.to_owned(), policy.clone()), stats.clone());
            }
        }
        counted
    };
    let (parts, speedups) = (of("tap-parts"), of("tap-speedup"));
    let both = parts.iter().filter(|(key, _)| speedups.contains_key(key));
    let both: Vec<_> = both.collect();
    // UCP, TAP-UCP, DRRIP, TAP-RRIP and TC.
    assert_eq!(both.len(), 5 * 152);
    for (key, stats) in both {
        assert_eq!(speedups[key], *stats, "{key:?}");
    }
}
