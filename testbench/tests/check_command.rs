//! Rationale: scripts rely on exit codes, on one JSON document and nothing else on stdout, and on
//! the same bytes for the same seed; people rely on errors that say what to type instead, on the
//! examples in the help, and on Ctrl-C. Each is tried on the program itself.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn cotenant(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cotenant"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Exit code, stdout, stderr.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = cotenant(arguments, folder.path());
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "a run without a mismatch leaves no file");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_unit_that_agrees() {
    let (code, out, err) = run(&["check", "lru_stack", "--cycles", "20k", "--seed", "0x9e37"]);
    assert_eq!(code, 0);
    assert_eq!(
        out,
        "lru_stack 16x4: no mismatch in 20000 cycles (seed 0x9e37)\n"
    );
    assert_eq!(err, "", "no progress where stderr is no terminal");
}

#[test]
fn one_json_document_and_the_same_for_the_same_seed() {
    let arguments = [
        "check",
        "gdcu",
        "--config",
        "figure-2",
        "--cycles",
        "5000",
        "--json",
        "--coverage",
    ];
    let (code, out, err) = run(&arguments);
    assert_eq!((code, &err[..]), (0, ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["passed"], true);
    let report = &document["runs"][0];
    assert_eq!(report["unit"], "gdcu");
    assert_eq!(report["set"], "4x4x21");
    assert_eq!(report["seed"], "0x9e37");
    assert_eq!(report["cycles"], 5000);
    assert_eq!(report["mismatch"], Value::Null);
    let cross = &report["coverage"]["crosses"][0];
    assert!(
        cross["total"].as_u64() > cross["hit"].as_u64(),
        "so few cycles leave holes"
    );
    assert!(!cross["holes"].as_array().unwrap().is_empty());
    assert_eq!(run(&arguments).1, out);
}

#[test]
fn coverage_names_the_holes() {
    let (code, out, _) = run(&[
        "check",
        "demotion",
        "--config",
        "small",
        "--cycles",
        "1000",
        "--profile",
        "hits",
        "--coverage",
    ]);
    assert_eq!(code, 0);
    assert!(out.contains("coverage: "), "{out}");
    assert!(out.contains("hole: position miss"), "{out}");
    assert!(
        out.contains("more excluded: a hit is on a valid line"),
        "{out}"
    );
}

#[test]
fn all_sets() {
    let (code, out, _) = run(&["check", "demotion", "--config", "all", "--cycles", "1000"]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().count(), 9, "{out}");
}

#[test]
fn random_sets_are_those_of_the_seed() {
    let random = |more: &[&str]| {
        let mut arguments = vec!["check", "demotion", "--config", "random", "--cycles", "200"];
        arguments.extend(more);
        let (code, out, err) = run(&arguments);
        assert_eq!(code, 0, "{err}");
        out
    };
    let three = random(&["--sets", "3", "--seed", "5"]);
    let lines: Vec<&str> = three.lines().collect();
    assert_eq!(lines.len(), 4, "{three}");
    assert!(
        lines[0].contains("no mismatch in 200 cycles (seed 0x5)"),
        "{three}"
    );
    assert_eq!(lines[3], "3 parameter sets, 0 differences");
    let last = random(&["--sets", "1", "--seed", "5", "--first", "2"]);
    assert_eq!(last.lines().next(), Some(lines[2]));
    let verilog = random(&["--sets", "1", "--verilog=50"]);
    assert!(verilog.contains(": Icarus: 50 cycles"), "{verilog}");
}

#[test]
fn both_engines() {
    for engine in ["jit", "interpreter"] {
        let (code, out, _) = run(&[
            "check", "popcnt", "--cycles", "1000", "--engine", engine, "--json",
        ]);
        assert_eq!(code, 0);
        let document: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(document["runs"][0]["engine"], engine);
    }
}

#[test]
fn what_cannot_run_says_what_would() {
    for (arguments, expected) in [
        (
            &["check", "gdc"][..],
            "the nearest is 'gdcu'; the units are popcnt, kid_demux",
        ),
        (
            &["check", "gdcu", "--config", "16x4"],
            "the nearest is '16x4x21'; expected all, figure-2",
        ),
        (
            &["check", "gdcu", "--config", "65x4x21"],
            "gdcu: WAYS is 1 to 64, not 65",
        ),
        (
            &["check", "gdcu", "--config", "tabel-1"],
            "the nearest is 'table-1'",
        ),
        (
            &["check", "popcnt", "--profile", "storms"],
            "its profiles are uniform, invalid-ways",
        ),
        (
            &["check", "gdcu", "--cycles", "1.5M"],
            "expected a number of cycles, as 5000",
        ),
        (
            &["check", "gdcu", "--seed", "x"],
            "expected a 64-bit number",
        ),
        (
            &["check", "gdcu", "--engine", "fast"],
            "possible values: jit, interpreter",
        ),
        (
            &["check", "gdcu", "--sets", "3"],
            "--sets is for --config random",
        ),
        (
            &["check", "all", "--config", "random", "--json"],
            "--json is for one parameter set",
        ),
        (&["check"], "<UNIT>"),
        (&["list", "lru"], "the nearest is 'lru_stack'"),
    ] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, &out[..]), (2, ""), "{arguments:?}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

#[test]
fn the_list_shows_units_sets_aliases_and_profiles() {
    let (code, out, _) = run(&["list"]);
    assert_eq!(code, 0);
    for expected in [
        "gdcu: ",
        "16x4x21 (table-1)",
        "lru_stack: ",
        "  ping-pong ",
        "two kernels alternating",
    ] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    let (_, one, _) = run(&["list", "popcnt"]);
    assert!(
        one.contains("16 (table-1)") && !one.contains("gdcu"),
        "{one}"
    );
    let (_, json, _) = run(&["list", "--json"]);
    let document: Value = serde_json::from_str(&json).unwrap();
    let units = document["units"].as_array().unwrap();
    assert_eq!(units.len(), cotenant_units::table::units().len());
    let lru_stack = units
        .iter()
        .find(|unit| unit["name"] == "lru_stack")
        .unwrap();
    assert_eq!(
        lru_stack["parameters"],
        serde_json::json!(["WAYS", "KERNELS"])
    );
    let sets = lru_stack["sets"].as_array().unwrap();
    let table_1 = sets.iter().find(|set| set["name"] == "16x4").unwrap();
    assert_eq!(table_1["aliases"], serde_json::json!(["table-1"]));
    assert_eq!(table_1["values"], serde_json::json!([16, 4]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_was_done() {
    use std::io::Read;
    use std::process::Stdio;

    let mut child = Command::new(env!("CARGO_BIN_EXE_cotenant"))
        .args(["check", "lru_stack", "--cycles", "1000000M", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Until the handler is there, the signal would end the program without a word.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let signal = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signal.success());
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["interrupted"], true);
    assert_eq!(document["passed"], true);
    assert!(document["runs"][0]["cycles"].as_u64() > Some(0), "{out}");
}
