//! Rationale: docs/milg.md says what was measured, so its tables must be what the experiment gives
//! now, byte for byte, on every machine. The command must list what there is when it is not told
//! what to do, and name it when it is told wrong.
#![allow(missing_docs)]

use std::path::Path;
use std::process::{Command, Output};

use cotenant::experiments::experiment;
use cotenant::experiments::Setting;
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/milg.md");

const AGAIN: &str = "take them from `cotenant experiment milg-width`, and read the sentences again";

fn cotenant(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.arg("experiment").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What stands between the markers of a page.
fn generated<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("<!-- begin: written by cotenant experiment {name} -->\n\n");
    let (_, rest) = page.split_once(&begin)?;
    Some(rest.split_once("\n<!-- end -->")?.0)
}

#[test]
fn the_page_has_the_numbers_of_today() {
    let measured = experiment("milg-width").unwrap();
    let report = (measured.run)(&Setting::new(0x9e37)).unwrap();
    let page = generated(PAGE, measured.name).expect("the page has the markers");
    for (line, (page, now)) in page.lines().zip(report.text().lines()).enumerate() {
        assert_eq!(
            page, now,
            "line {line} of the tables in docs/milg.md; {AGAIN}"
        );
    }
    assert_eq!(page, report.text());
}

#[test]
fn without_a_name_it_lists_what_there_is() {
    let output = cotenant(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\n  milg-width     limits of"));
    let output = cotenant(&["--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list["experiments"][0]["name"], "calibrate");
    assert_eq!(list["schema"], 1);
    let mut old_name = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let old_name = old_name.args(["figure", "--json"]).output().unwrap();
    assert_eq!(old_name.stdout, output.stdout);
}

#[test]
fn a_wrong_name_or_seed_is_answered_with_what_is_right() {
    let cases: [(&[&str], &str); 3] = [
        (
            &["milg"],
            "there is no experiment 'milg', expected one of:\n  calibrate ",
        ),
        (&[""], "NAME"),
        (&["milg-width", "--seed", "x"], "expected a 64-bit number"),
    ];
    for (arguments, why) in cases {
        let output = cotenant(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stdout).is_empty());
        assert!(
            text(&output.stderr).contains(why),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn markers_are_found() {
    let page = "a\n<!-- begin: written by cotenant experiment x -->\n\nb\nc\n\n<!-- end -->\n";
    assert_eq!(generated(page, "x"), Some("b\nc\n"));
    assert_eq!(generated(page, "y"), None);
}

/// An experiment with short workloads, in a folder; its JSON, its text.
fn folder(name: &str) -> (tempfile::TempDir, Value, String) {
    let work = tempfile::tempdir().unwrap();
    let out = work.path().join("out");
    let place = out.to_str().unwrap();
    let output = cotenant(&[name, "--accesses", "1k", "--json", "--out", place]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let json = std::fs::read_to_string(out.join("experiment.json")).unwrap();
    let mut written: Value = serde_json::from_str(&json).unwrap();
    let files = written["files"].take();
    let mut there: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(serde_json::to_value(there).unwrap(), files);
    written.as_object_mut().unwrap().remove("files");
    assert_eq!(printed, written);
    for picture in files.as_array().unwrap() {
        let name = picture.as_str().unwrap();
        if name.ends_with(".svg") {
            let svg = std::fs::read_to_string(out.join(name)).unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(!svg.contains("NaN"), "{name}");
        }
    }
    let page = std::fs::read_to_string(out.join("experiment.md")).unwrap();
    (work, printed, page)
}

/// The matrices of a run or replay of a file from the folder.
fn again(work: &tempfile::TempDir, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_cotenant"))
        .args(arguments)
        .args(["--json"])
        .current_dir(work.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Rationale: 32 workloads, each in lockstep from the first to the last cycle, and each to be
/// repeated by hand with the same result.
#[test]
fn gdc_4_is_32_workloads_in_lockstep_that_can_be_repeated() {
    let (work, report, page) = folder("gdc-4");
    let workloads = report["workloads"].as_array().unwrap();
    assert_eq!(workloads.len(), 32);
    for workload in workloads {
        assert_eq!(workload["lockstep"]["mismatches"], 0);
        assert!(workload["lockstep"]["cycles"].as_u64() >= workload["cycles"].as_u64());
        assert!(page.contains(&format!("| w{} ", workload["number"])));
    }
    assert!(
        page.contains("llc_monitor in lockstep in 32 of 32 workloads"),
        "{page}"
    );
    let with = |key: &str| workloads.iter().position(|w| !w[key].is_null());
    let repeated = with("share_gdc").unwrap();
    let file = format!("out/w{}.toml", repeated + 1);
    let arguments = ["run", &file, "--accesses", "1k", "--out", "again"];
    let run = again(&work, &arguments);
    assert_eq!(run["share_gdc"][0], workloads[repeated]["share_gdc"]);
    assert_eq!(run["cycles"], workloads[repeated]["cycles"]);
}

/// Rationale: the first row is the scenario as it is, in lockstep; each other row must be
/// the same with one thing changed, and most of them must show.
#[test]
fn gdc_3_is_the_scenario_and_what_it_depends_on() {
    let (work, report, page) = folder("gdc-3");
    assert_eq!(report["lockstep"]["mismatches"], 0);
    let seed = report["seed"].as_u64().unwrap().to_string();
    let accesses = report["accesses"].as_u64().unwrap().to_string();
    let arguments = [
        "run",
        "--accesses",
        &accesses,
        "--seed",
        &seed,
        "--out",
        "again",
    ];
    let run = again(&work, &arguments);
    assert_eq!(run["share_gdc"][0], report["ours"]["gdc"]);
    assert_eq!(run["share_plob"][0], report["ours"]["plob"]);
    let variations = report["variations"].as_array().unwrap();
    let moved = variations
        .iter()
        .filter(|v| v["gdc"] != report["ours"]["gdc"]);
    assert!(2 * moved.count() > variations.len(), "{page}");
    for variation in variations {
        assert_ne!(variation["from"], variation["to"]);
        let what = variation["what"].as_str().unwrap();
        assert!(page.contains(&format!("| {what} ")), "{page}");
    }
}

/// Rationale: shares that are compared must each come to 1 over the same kernels, and distances
/// must be theirs; what the shortest streams show must be shown by anyone's replay.
#[test]
fn truth_adds_up_and_its_streams_replay() {
    let (work, report, page) = folder("truth");
    let numbers = |value: &Value| -> Option<Vec<f64>> {
        let list = value.as_array()?;
        Some(list.iter().map(|number| number.as_f64().unwrap()).collect())
    };
    let workloads = report["workloads"].as_array().unwrap();
    assert_eq!(
        (workloads.len(), &report["line_level_exact"]),
        (256, &256.into())
    );
    for workload in workloads {
        let measured = &workload["measured"];
        for (kind, exact) in [("streams", true), ("timed", false)] {
            let truth = &workload[kind];
            if truth.is_null() {
                continue;
            }
            let misses = numbers(&measured[kind]["misses"]).unwrap();
            assert_eq!(misses.len(), 8);
            let values = numbers(&truth["values"]).unwrap();
            let extra = misses[7] - misses[0];
            assert_eq!(truth["extra"], extra as i64);
            assert!((values.iter().sum::<f64>() - extra).abs() < 1e-6);
            // The same accesses miss no less in company; a run of its own may.
            assert!(!exact || values.iter().all(|value| *value >= 0.0));
            let judged = &truth["co_runners"];
            assert_eq!(judged.is_null(), values.iter().all(|value| *value <= 0.0));
            let Some(truth) = numbers(&judged["shares"]) else {
                continue;
            };
            assert!((truth.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (method, row) in [
                ("GDC", "gdc"),
                ("PLOB", "plob"),
                ("sce", "sce"),
                ("all sets", "exact"),
            ] {
                // The kernel under analysis is the first.
                let others = numbers(&measured["rows"][row]).unwrap().split_off(1);
                let sum: f64 = others.iter().sum();
                let share = |events: &f64| if sum > 0.0 { events / sum } else { 1.0 / 3.0 };
                let squares = truth.iter().zip(&others);
                let squares = squares.map(|(truth, events)| (truth - share(events)).powi(2));
                let theirs = judged["distance"][method].as_f64().unwrap();
                assert!((squares.sum::<f64>().sqrt() - theirs).abs() < 1e-9);
                assert!(!exact || method != "all sets" || theirs < 1e-9);
            }
        }
        // Both variants end in the run of all kernels.
        let timed = &measured["timed"]["misses"];
        assert!(timed.is_null() || timed[7] == measured["streams"]["misses"][7]);
    }
    let found: Vec<&Value> = report["smallest"].as_array().unwrap().iter().collect();
    assert!(found
        .iter()
        .any(|case| case["wrong"] == "gdc" && !case["accesses"].is_null()));
    for case in found.iter().filter(|case| !case["accesses"].is_null()) {
        let (wrong, ways) = (case["wrong"].as_str().unwrap(), case["ways"].to_string());
        let file = format!("out/{wrong}-wrong-{ways}-ways.csv");
        let replayed = again(
            &work,
            &[
                "replay",
                "--trace",
                &file,
                "--sets",
                "1",
                "--ways",
                &ways,
                "--kernels",
                "3",
            ],
        );
        for (matrix, row) in [("gdc", &case["gdc"]), ("ike", &case["plob"])] {
            for kernel in [1, 2] {
                assert_eq!(replayed[matrix][0][kernel], row[kernel - 1], "{file}");
            }
        }
    }
    assert!(page.contains("Mean distance from the truth"));
}

/// Rationale: what a run has measured when it is stopped must not be lost, nor measured twice, and
/// the run that goes on must come to the same; a line that was torn, or is of another run, is none.
/// That lines are taken as they are shows in one that is changed.
#[test]
fn truth_goes_on_where_it_was() {
    let work = tempfile::tempdir().unwrap();
    let out = work.path().join("out");
    let run_in = |out: &Path, accesses: &str| -> Value {
        let place = out.to_str().unwrap();
        let output = cotenant(&["truth", "--accesses", accesses, "--json", "--out", place]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let run = |accesses: &str| run_in(&out, accesses);
    let whole = run("200");
    let journal = out.join("measured.jsonl");
    let written = std::fs::read_to_string(&journal).unwrap();
    // As if it had been killed: nothing else is there.
    std::fs::remove_dir_all(&out).unwrap();
    std::fs::create_dir(&out).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), 257);
    let mut changed: Value = serde_json::from_str(lines[1]).unwrap();
    let name = changed["line"]["name"].as_str().unwrap().to_owned();
    let demotions = &mut changed["line"]["measured"]["rows"]["gdc"][1];
    *demotions = (demotions.as_u64().unwrap() + 1000).into();
    let kept = format!(
        "{}\n{changed}\n{}\n{}",
        lines[0],
        lines[2..200].join("\n"),
        &lines[200][..50]
    );
    std::fs::write(&journal, kept).unwrap();
    let after = run("200");
    let differ = |a: &Value, b: &Value| -> Vec<String> {
        let [a, b] = [a, b].map(|report| report["workloads"].as_array().unwrap().clone());
        assert_eq!(a.len(), b.len());
        let other = a.iter().zip(&b).filter(|(a, b)| a != b);
        other
            .map(|(a, _)| {
                let seed = a["drawn_by"].as_u64().unwrap();
                format!("{seed:#x} w{}", a["number"])
            })
            .collect()
    };
    assert_eq!(differ(&whole, &after), [name]);
    assert_ne!(whole["record"], after["record"]);
    let lines = std::fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines, 257, "all are kept");
    // Other accesses are other work.
    let other = run_in(&work.path().join("other"), "201");
    assert_eq!(other["accesses"], 201);
    assert!(differ(&whole, &other).len() > 100);
}

/// Rationale: the numbers must not depend on how many cores there are, nor on when threads run.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
        command.args(["experiment", "truth", "--accesses", "300", "--json"]);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output.stdout
    };
    assert_eq!(run("1"), run("3"));
}
