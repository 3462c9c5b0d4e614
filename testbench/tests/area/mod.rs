//! Rationale: people choose parameters by these numbers. The estimate of each unit in each test
//! set is held against Yosys ([`estimate`]). On the program: one JSON document, errors that say
//! what to type, the examples in the help, and Yosys missing.

mod attribution;
mod estimate;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Exit code, stdout, stderr.
fn run(arguments: &[&str], path: Option<&Path>) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(arguments);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_unit_for_people() {
    let (code, out, err) = run(
        &["area", "gdcu", "--config", "16x4x16", "--rate", "1/2"],
        None,
    );
    assert_eq!((code, &err[..]), (0, ""));
    for expected in [
        "gdcu 16x4x16\n",
        "flops     689 bits",
        "ceil(log2(16 x 50000 + 1)) = 20 bits",
        "(GDC, section III)",
        "warning: CNT_W is 16, 20 bits are needed",
        "LUT4",
        "LUT6",
        "% of tags and data: 689 bits x 4 (one per bank)",
        "256 sets x 16 ways x 128 B, 4 banks, 49-bit addresses",
    ] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
}

#[test]
fn one_json_document() {
    let arguments = [
        "area",
        "llc_monitor",
        "--config",
        "small",
        "--json",
        "--sets",
        "64",
        "--banks",
        "1",
    ];
    let (code, out, err) = run(&arguments, None);
    assert_eq!((code, &err[..]), (0, ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["cache"]["sets"], 64);
    assert_eq!(document["tag_width"], 49 - 7 - 6);
    let unit = &document["units"][0];
    assert_eq!(
        (&unit["unit"], &unit["yosys"]),
        (&"llc_monitor".into(), &Value::Null)
    );
    // Two tags of 36 bits, which way is older, and owner and valid bit of both, in 16 words.
    assert_eq!(unit["ram_bits"], 16 * (2 * 36 + 1 + 2 * (1 + 1)));
    assert_eq!(unit["rams"].as_array().unwrap().len(), 3);
    assert_eq!(unit["mappings"][0]["architecture"], "ice40");
    assert_eq!(unit["mappings"][1]["lut_inputs"], 6);
    assert_eq!(unit["counter_width"]["derived"], 18);
    assert_eq!(run(&arguments, None).1, out);
}

/// TAP, table 2: 20-bit counters of 6 cores, and two 5-bit registers in each of 4 tiles, are 160 bits.
#[test]
fn table_2_of_tap_comes_out_of_the_report() {
    for (set, counters, ids) in [
        ("table-1", 20 * 6, 2 * 5 * 4),
        ("large", 20 * 32, 2 * 5 * 8),
    ] {
        let (code, out, err) = run(&["area", "core_sampling", "--config", set, "--json"], None);
        assert_eq!((code, &err[..]), (0, ""));
        let document: Value = serde_json::from_str(&out).unwrap();
        let paper = &document["units"][0]["paper"];
        assert_eq!(paper["source"], "TAP, table 2");
        let named = paper["named"].as_array().unwrap();
        let bits = |name: &str| {
            let those = named
                .iter()
                .filter(|r| r["name"].as_str().unwrap().starts_with(name));
            those.map(|r| r["bits"].as_u64().unwrap()).sum::<u64>()
        };
        assert_eq!((bits("count"), bits("pol")), (counters, ids), "{set}");
        assert_eq!(bits(""), counters + ids, "{set}");
        if set == "table-1" {
            assert_eq!(bits(""), 160);
        }
        // The decision, and whether the period is sampled.
        let besides = paper["besides"].as_array().unwrap().iter();
        assert_eq!(besides.map(|r| r["bits"].as_u64().unwrap()).sum::<u64>(), 2);
    }
    let (_, out, _) = run(&["area", "core_sampling", "--config", "table-1"], None);
    assert!(
        out.contains("160 flop bits are named in the paper (TAP, table 2)"),
        "{out}"
    );
}

#[test]
fn all_sets_of_a_unit_are_a_table() {
    let (code, out, _) = run(&["area", "demotion", "--config", "all"], None);
    assert_eq!((code, out.lines().count()), (0, 10), "{out}");
    assert!(out.lines().all(|line| line == line.trim_end()));
    let (code, out, _) = run(&["area", "popcnt", "--all"], None);
    assert_eq!((code, out.lines().count()), (0, 5), "{out}");
}

#[test]
fn what_cannot_run_says_what_would() {
    for (arguments, expected) in [
        (
            &["area", "gdc"][..],
            "the nearest is 'gdcu'; the units are popcnt",
        ),
        (
            &["area", "gdcu", "--config", "16x4"],
            "the nearest is '16x4x21'",
        ),
        (
            &["area", "gdcu", "--rate", "2"],
            "expected accesses per cycle above 0 and up to 1",
        ),
        (
            &["area", "gdcu", "--period", "0"],
            "period is 0, expected at least one cycle",
        ),
        (
            &["area", "gdcu", "--preset", "savier"],
            "expected one of: xavier",
        ),
        (
            &["area", "gdcu", "--sets", "100"],
            "sets is 100, expected a power of two",
        ),
        (
            &["area", "gdcu", "--address-bits", "15"],
            "address-bits is 15, expected 16 to 64",
        ),
        (
            &["area", "gdcu", "--all", "--config", "small"],
            "cannot be used with",
        ),
        (&["area"], "<UNIT>"),
    ] {
        let (code, out, err) = run(arguments, None);
        assert_eq!((code, &out[..]), (2, ""), "{arguments:?}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

#[test]
fn without_yosys_there_is_no_comparison() {
    let empty = tempfile::tempdir().unwrap();
    let (code, out, err) = run(&["area", "popcnt", "--compare"], Some(empty.path()));
    assert_eq!((code, &out[..]), (2, ""));
    assert!(
        err.contains("yosys does not start") && err.contains("scripts/setup"),
        "{err}"
    );
}

#[test]
fn the_examples_in_the_help_work() {
    let (_, help, _) = run(&["area", "--help"], None);
    let examples = help
        .lines()
        .filter_map(|line| line.strip_prefix("  cotenant "));
    let mut tried = 0;
    // All units take long in a test build; the others' tests have them.
    for line in examples.filter(|line| *line != "area --all") {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (code, _, err) = run(&arguments, None);
        assert_eq!(code, 0, "{line}: {err}");
        tried += 1;
    }
    assert_eq!(tried, 3);
}
