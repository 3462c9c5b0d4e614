//! `cotenant replay --policy` as a user runs it.
//!
//! Rationale: the policies have tests of their own. Here it is the document that must hold: its parts
//! add up, LRU is what `replay` counts without policies, periods begin where they should in cycles
//! and in accesses, options reach the policies that they are for, `opt` is a bound though it is
//! made from a trace that was read beforehand. And what cannot be run is refused with its reason.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn replay(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command
        .arg("replay")
        .args(args)
        .output()
        .expect("the program starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn document(args: &[&str]) -> Value {
    let output = replay(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder is writable");
    path.to_str().expect("is UTF-8").to_owned()
}

const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/traces/four_kernels.csv"
);

/// All policies; `lru` is there in any case.
const ALL: &str =
    "static,srrip,brrip,drrip,ucp,tap-ucp,tap-rrip,tap-ucp-s,tap-rrip-s,tadip,pipp,tc,costs,opt";

/// The part of a document that is about a policy.
fn of<'a>(report: &'a Value, policy: &str) -> &'a Value {
    let policies = report["policies"].as_array().expect("is a list");
    let found = policies.iter().find(|side| side["policy"] == policy);
    found.unwrap_or_else(|| panic!("{policy} is not in the report"))
}

fn numbers(list: &Value) -> Vec<u64> {
    serde_json::from_value(list.clone()).expect("are numbers")
}

/// A field of each kernel.
fn each(list: &Value, field: &str) -> Vec<u64> {
    let kernels = list.as_array().expect("is a list").iter();
    kernels
        .map(|it| it[field].as_u64().expect("a count"))
        .collect()
}

#[test]
fn the_document_adds_up_and_opt_is_a_bound() {
    let options = ["--trace", EXAMPLE, "--sets", "16", "--period", "500"];
    let report = document(&[&options[..], &["--policy", ALL]].concat());
    let plain = document(&["--trace", EXAMPLE, "--sets", "16", "--no-lockstep"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["policies"].as_array().map(Vec::len), Some(15));
    assert_eq!(report["policies"][0]["policy"], "lru");
    let lru = of(&report, "lru");
    for field in ["accesses", "hits", "misses", "kernels", "occupancy"] {
        assert_eq!(lru[field], plain[field], "{field}");
    }
    let (accesses, best) = (&plain["accesses"], of(&report, "opt")["misses"].as_u64());
    let accesses = accesses.as_u64().expect("a count");
    assert_eq!(report["period"]["unit"], "accesses");
    assert_eq!(report["period"]["ended"], (accesses - 1) / 500);
    for side in report["policies"].as_array().expect("is a list") {
        let policy = &side["policy"];
        assert!(side["misses"].as_u64() >= best, "{policy} passes the bound");
        for field in ["accesses", "hits", "misses"] {
            let kernels = each(&side["kernels"], field);
            assert_eq!(side[field], kernels.iter().sum::<u64>(), "{policy} {field}");
            let mut sums = vec![0; kernels.len()];
            for period in side["periods"].as_array().expect("is a list") {
                let kernels = each(&period["kernels"], field);
                sums.iter_mut()
                    .zip(kernels)
                    .for_each(|(sum, it)| *sum += it);
            }
            assert_eq!(sums, kernels, "{policy} {field} by period");
        }
        let part = side["misses_of_lru"].as_f64().expect("LRU misses");
        let misses = |side: &Value| side["misses"].as_f64().expect("a count");
        assert_eq!(part, misses(side) / misses(lru));
    }
    for policy in ["ucp", "tap-ucp", "tap-ucp-s", "pipp", "costs"] {
        for period in of(&report, policy)["periods"]
            .as_array()
            .expect("is a list")
        {
            let quotas = numbers(&period["quotas"]);
            assert_eq!(quotas.iter().sum::<u64>(), 16, "{policy}");
            assert!(quotas.iter().all(|&ways| ways > 0), "{policy}: {quotas:?}");
        }
    }
    assert_eq!(lru["periods"][0]["quotas"], Value::Null);
}

// What is decided at a period's end holds in the next one, and the last decision is that of the last
// period that ended.
#[test]
fn a_period_shows_what_held_in_it() {
    let options = ["--sets", "16", "--period", "1000", "--policy", "tap-ucp"];
    let report = document(&[&["--trace", EXAMPLE, "--gpu-friendly", "no"][..], &options].concat());
    let tap = of(&report, "tap-ucp");
    assert_eq!(report["gpu"], 3);
    assert_eq!(tap["periods"][0]["quotas"], serde_json::json!([4, 4, 4, 4]));
    assert_eq!(tap["periods"][0]["caching_helps"], true);
    for period in &tap["periods"].as_array().expect("is a list")[1..] {
        assert_eq!(period["quotas"][3], 1, "the GPU has one way");
        assert_eq!(period["caching_helps"], false);
    }
    let last = tap["periods"].as_array().and_then(|it| it.last());
    assert_eq!(tap["decision"]["quotas"], last.expect("periods")["quotas"]);
}

/// Accesses of kernel 0 in these cycles.
fn timed(cycles: &[u64]) -> String {
    let lines = cycles.iter().map(|cycle| format!("0,R,{cycle},{cycle}\n"));
    lines.collect()
}

#[test]
fn periods_are_counted_in_cycles_or_in_accesses() {
    let folder = tempfile::tempdir().expect("a folder");
    // From 70 on; one access goes back; 400 to 699 has none.
    let cycles = [70, 100, 169, 170, 90, 269, 370, 399, 700];
    let trace = write(folder.path(), "t.csv", &timed(&cycles));
    let run = |more: &[&str]| {
        let options = ["--trace", &trace, "--kernels", "1", "--policy", "lru"];
        let report = document(&[&options[..], more].concat());
        let periods = of(&report, "lru")["periods"].clone();
        let kernels = periods.as_array().expect("is a list").iter();
        let accesses = kernels.map(|it| each(&it["kernels"], "accesses")[0]);
        let accesses: Vec<u64> = accesses.collect();
        let unit = report["period"]["unit"]
            .as_str()
            .expect("a unit")
            .to_owned();
        (unit, each(&periods, "from"), accesses)
    };
    assert_eq!(
        run(&["--period", "100"]),
        ("cycles".into(), vec![70, 170, 370, 670], vec![3, 3, 2, 1])
    );
    assert_eq!(
        run(&["--period", "4", "--period-in", "accesses"]),
        ("accesses".into(), vec![0, 4, 8], vec![4, 4, 1])
    );
    assert_eq!(run(&[]), ("cycles".into(), vec![70], vec![9]));

    let untimed = write(folder.path(), "u.csv", "0,R,0,5\n0,R,128\n");
    let output = replay(&["--trace", &untimed, "--policy", "ucp"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output).replace('\n', " ");
    assert!(
        told.contains("access 1, counted from 0, has no cycle"),
        "{told}"
    );
}

#[test]
fn a_partition_is_as_it_is_given() {
    let options = ["--trace", EXAMPLE, "--sets", "16", "--policy", "static"];
    let halves = document(&[&options[..], &["--gpu", "1"]].concat());
    let quotas = |report: &Value| numbers(&of(report, "static")["decision"]["quotas"]);
    assert_eq!((quotas(&halves), &halves["gpu"]), (vec![8; 4], &1.into()));
    let given = document(&[&options[..], &["--partition", "10,4,1,1"]].concat());
    assert_eq!(quotas(&given), [10, 4, 1, 1]);
    let misses = |report: &Value| each(&of(report, "static")["kernels"], "misses");
    assert_ne!(misses(&given), misses(&halves));
}

#[test]
fn tables_and_notes_for_a_person() {
    let options = ["--trace", EXAMPLE, "--sets", "16", "--kernels", "5"];
    let output = replay(&[&options[..], &["--policy", "tap-ucp,drrip"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = text(&output);
    let rows: Vec<&str> = told.lines().map(str::trim_start).collect();
    for policy in ["lru", "tap-ucp", "drrip"] {
        let row = rows
            .iter()
            .find(|row| row.split(' ').next() == Some(policy));
        assert!(row.is_some_and(|row| row.contains(" %")), "{told}");
    }
    assert!(told.contains("kernel 4 is the GPU's"), "{told}");
    let notes = stderr(&output);
    assert!(
        notes.contains("within the first period, so that tap-ucp never decided"),
        "{notes}"
    );
    assert!(notes.contains("no access is of kernel 4"), "{notes}");
    let output = replay(&[&options[..4], &["--policy", "ucp", "--period", "500"]].concat());
    assert_eq!(stderr(&output), "");
}

#[test]
fn what_cannot_be_run_is_refused_with_its_reason() {
    let cases: [(&[&str], &str); 12] = [
        (
            &["--policy", "belady"],
            "[possible values: lru, static, srrip",
        ),
        (&["--gpu", "1"], "--policy"),
        (
            &["--policy", "ucp", "--gpu", "4"],
            "--gpu is 4, expected 0 to 3",
        ),
        (&["--policy", "ucp", "--period", "0"], "--period is 0"),
        (&["--policy", "ucp", "--period", "x"], "expected a number"),
        (
            &["--policy", "ucp", "--partition", "8,8"],
            "add it to --policy",
        ),
        (
            &["--policy", "static", "--partition", "8,8"],
            "no policy static for this cache: number of parts is 2",
        ),
        (
            &["--policy", "static", "--partition", "8,8,8,8"],
            "sum of all parts is 32, expected one of 16",
        ),
        (
            &["--policy", "drrip", "--sets", "4"],
            "no policy drrip for this cache: applications is 4, expected 1 to 2",
        ),
        (
            &["--policy", "lru", "--kernels", "17"],
            "kernels is 17, expected 1 to 16",
        ),
        (
            &["--policy", "lru", "--vcd", "w.vcd"],
            "cannot be used with",
        ),
        (
            &["--policy", "lru", "--last", "5"],
            "--last selects waves, which --policy does not have",
        ),
    ];
    for (args, message) in cases {
        let output = replay(&[&["--trace", EXAMPLE], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output), "", "{args:?}");
        // Errors are wrapped to the width of a terminal.
        let told = stderr(&output).replace("│", " ");
        let told: Vec<&str> = told.split_whitespace().collect();
        let told = told.join(" ");
        assert!(told.contains(message), "{args:?}: {told}");
    }
}

// A fault in a later record is told with its place, also where the trace is read beforehand.
#[test]
fn faults_of_the_trace_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = write(folder.path(), "bad.csv", "0,R,0\n0,R,zebra\n");
    for policy in ["lru", "opt"] {
        let output = replay(&["--trace", &bad, "--policy", policy]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("bad.csv:2"), "{}", stderr(&output));
    }
}
