//! Rationale: people choose parameters by these numbers. The estimate of each unit in each test
//! set is held against Yosys, which shares nothing with it but the Verilog: look-up tables within
//! the bound, flops exactly. On the program: one JSON document, errors that say what to type, the
//! examples in the help, and Yosys missing.

mod common;

use std::collections::VecDeque;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use common::test_sets;
use cotenant::area::compare;
use cotenant::unit::{find, UNITS};
use cotenant_netlist::area::Area;
use cotenant_units::table;
use serde_json::Value;

/// Sets for which Yosys takes minutes; `cotenant area llc_monitor --set large --compare` runs them.
const TOO_LONG: [(&str, &str); 4] = [
    ("llc_monitor", "16x4x64x4"),
    ("llc_monitor", "16x8x64x2"),
    ("qbmi", "8x10"),
    ("mem_issue", "8-milg-qbmi"),
];

/// Runs of Yosys at a time.
const WORKERS: usize = 2;

fn area_of(unit: &str, name: &str) -> Area {
    let set = table::set(unit, name).unwrap();
    Area::of(&find(unit).unwrap().netlist(&set).unwrap()).unwrap()
}

/// What is wrong with an estimate, and a line for each deviation.
fn checked(unit: &str, name: &str, area: &Area) -> (Vec<String>, Vec<String>) {
    let set = table::set(unit, name).unwrap();
    let compared = compare(unit, set.name, area).unwrap_or_else(|e| panic!("{unit} {name}: {e}"));
    let (mut wrong, mut lines) = (vec![], vec![]);
    for c in &compared {
        let family = c.architecture.name();
        let line = format!(
            "{unit:14} {name:8} {family:5} estimate {:5} Yosys {:5} {:+6.1} %; flops {} {}",
            c.estimate,
            c.luts,
            c.deviation.unwrap_or(0.0),
            area.flop_bits,
            c.flops
        );
        if !c.within {
            wrong.push(format!("beyond the bound: {line}"));
        }
        // RAM in look-up tables has its read register in flops.
        if !c.flops_equal && c.lut_rams.is_empty() {
            wrong.push(format!("flops: {line}"));
        }
        lines.push(line);
    }
    (wrong, lines)
}

#[test]
fn the_estimate_is_near_yosys() {
    let mut wanted: VecDeque<(&str, &str)> = VecDeque::new();
    for unit in UNITS {
        for name in test_sets(unit.name()) {
            if !TOO_LONG.contains(&(unit.name(), name)) {
                // The largest first, so that no worker ends alone.
                wanted.push_front((unit.name(), name));
            }
        }
    }
    let queue = Mutex::new(wanted);
    let wrong = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| loop {
                let next = queue.lock().unwrap().pop_front();
                let Some((unit, alias)) = next else { break };
                let (found, lines) = checked(unit, alias, &area_of(unit, alias));
                lines.iter().for_each(|line| println!("{line}"));
                wrong.lock().unwrap().extend(found);
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_estimate_is_seen() {
    let right = area_of("gdcu", "small");
    assert_eq!(checked("gdcu", "small", &right).0, [""; 0]);
    let mut wrong = right.clone();
    wrong.flop_bits += 1;
    for mapping in &mut wrong.mappings {
        mapping.luts = 2 * mapping.luts + 10;
    }
    let (found, _) = checked("gdcu", "small", &wrong);
    let begins = |what: &str| found.iter().filter(|line| line.starts_with(what)).count();
    assert_eq!((begins("beyond the bound"), begins("flops")), (2, 2));
}

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
    let (code, out, err) = run(&["area", "gdcu", "--set", "16x4x16", "--rate", "1/2"], None);
    assert_eq!((code, &err[..]), (0, ""));
    for expected in [
        "gdcu 16x4x16\n",
        "flops     611 bits",
        "ceil(log2(16 x 50000 + 1)) = 20 bits",
        "(GDC, section III)",
        "warning: CNT_W is 16, 20 bits are needed",
        "LUT4",
        "LUT6",
        "% of tags and data: 611 bits x 4 (one a bank)",
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
        "--set",
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
    // Two ways of 36 bits and 2 x (1 + 1 + 1) replacement bits, in 16 words.
    assert_eq!(unit["ram_bits"], 16 * (2 * 36 + 2 * 3));
    assert_eq!(unit["rams"].as_array().unwrap().len(), 3);
    assert_eq!(unit["mappings"][0]["architecture"], "ice40");
    assert_eq!(unit["mappings"][1]["lut_inputs"], 6);
    assert_eq!(unit["counter_width"]["derived"], 18);
    assert_eq!(run(&arguments, None).1, out);
}

#[test]
fn all_sets_of_a_unit_are_a_table() {
    let (code, out, _) = run(&["area", "demotion", "--set", "all"], None);
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
            &["area", "gdcu", "--set", "20x4x21"],
            "the nearest is '16x4x21'",
        ),
        (
            &["area", "gdcu", "--rate", "2"],
            "expected accesses a cycle above 0 and up to 1",
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
            &["area", "gdcu", "--all", "--set", "small"],
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
