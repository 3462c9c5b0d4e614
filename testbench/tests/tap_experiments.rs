//! Rationale: the figures of the TAP paper are read off these reports. Speedups must be the paper's
//! equations 1 and 2 of what was counted, over all workloads that table 7 names; a run that was
//! stopped must go on and come to the same, and must take what it has kept as it is, which shows in a
//! line that is changed.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

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
    let (other, _) = run(&["tap-streams", "--cycles", "20001"], work.path());
    assert_eq!(other["cycles"], 20001);
    let pairs = workloads.iter().zip(list(&other, "workloads"));
    assert_eq!(pairs.filter(|(a, b)| a == b).count(), 0);
}
