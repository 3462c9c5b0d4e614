//! Rationale: `scripts/asic` says that gate-level netlists do what the golden model does, and how
//! large, slow and hungry they are. Small units go the whole way here, one without state, and one
//! whose outputs are bits of others: the gates play the vectors, and hold the netlist's flops
//! (synthesis finds constant and equal ones, but not all that the netlist knows of). Vectors must
//! see a wrong gate and a missing one. The table in `docs` is of today's Verilog and says what its
//! records say, and each of the three is seen to differ.
#![allow(missing_docs)]

use std::path::Path;
use std::process::{Command, Output};

use cotenant::registry;
use cotenant_netlist::area::Area;
use cotenant_units::table;
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn asic(arguments: &[&str], folder: &Path) -> Output {
    Command::new(root().join("scripts/asic"))
        .args(arguments)
        .current_dir(folder)
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        .output()
        .expect("scripts/asic starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Makes gates in `gates` below a folder; the record.
fn run(folder: &Path, unit: &str, set: &str, more: &[&str]) -> Value {
    let arguments = [
        "run", unit, "--config", set, "--cycles", "500", "--out", "gates", "--json",
    ];
    let output = asic(&[&arguments[..], more].concat(), folder);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{unit} {set}: {}",
        said(&output)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn small_units_go_the_whole_way() {
    for (unit, set) in [
        ("popcnt", "table-1"),
        ("milg", "small"),
        ("gdcu", "small"),
        ("mem_issue_axi", "small"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let record = run(folder.path(), unit, set, &[]);
        let set = table::set(unit, set).unwrap();
        let netlist = registry::find(unit).unwrap().netlist(&set).unwrap();
        let area = Area::of(&netlist).unwrap();
        let kept = area.flop_bits as u64;
        let all = kept + area.removed_flop_bits as u64;
        let flops = record["flops"].as_u64().unwrap();
        assert!((kept..=all).contains(&flops), "{kept} to {all}: {record}");
        assert_eq!(record["passes"], true, "{record}");
        // All but the first cycle of reset; without state there is none.
        let compared = if flops > 0 { 499 } else { 500 };
        assert_eq!(record["compared"], compared, "{record}");
        let number = |name: &str| record[name].as_f64().unwrap();
        assert!(
            number("nand2") > flops as f64 && number("slack_ns") < 5.0,
            "{record}"
        );
        assert!(record["power_mw"]["total"].as_f64() > Some(0.0), "{record}");
        assert!(folder.path().join("gates/gates.v").exists());
    }
}

#[test]
fn a_wrong_gate_and_a_missing_one_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let slack = run(folder, "popcnt", "16", &[])["slack_ns"].as_f64();
    let faster = run(folder, "popcnt", "16", &["--period", "0.5"]);
    assert!(
        slack > Some(0.0) && faster["slack_ns"].as_f64() < Some(0.0),
        "{faster}"
    );
    let file = folder.join("gates/gates.v");
    let good = std::fs::read_to_string(&file).unwrap();
    let verdict = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = asic(&["play", "gates"], folder);
        (output.status.code(), said(&output))
    };
    let (code, text) = verdict(&good);
    assert!(
        code == Some(0) && text.contains("PASS 500 cycles"),
        "{text}"
    );
    // A parity: every bit of it counts.
    let (code, text) = verdict(&good.replacen("XNOR2X1", "XOR2X1", 1));
    assert!(code == Some(1) && text.contains("FAIL"), "{text}");
    let cell = good.find("  XNOR2X1").unwrap();
    let end = cell + good[cell..].find(");\n").unwrap() + 3;
    let (code, text) = verdict(&(good[..cell].to_owned() + &good[end..]));
    assert!(code == Some(1) && text.contains("FAIL"), "{text}");
    let (code, text) = verdict("module other; endmodule");
    assert!(code == Some(2) && text.contains("iverilog fails"), "{text}");
}

#[test]
fn wrong_arguments_are_answered_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("mine")).unwrap();
    for (arguments, why) in [
        (&["run", "gdc"][..], "the nearest is 'gdcu'"),
        (&["run", "gdcu", "--config", "1x1"], "the nearest is"),
        (&["run", "gdcu", "--period", "0"], "expected a number"),
        (&["run", "gdcu", "--out", "mine"], "mine is in the way"),
        (&["play", "mine"], "expected a folder of scripts/asic run"),
        (&["check", "gdc"], "no unit 'gdc'"),
    ] {
        let output = asic(arguments, folder);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(why), "{arguments:?}: {text}");
    }
    let left = std::fs::read_dir(folder.join("mine")).unwrap().count();
    assert_eq!(left, 0);
    if let Ok(mut parts) = std::fs::read_dir(folder.join("out/asic")) {
        assert!(parts.next().is_none());
    }
}

#[test]
fn the_table_is_of_todays_netlists() {
    let output = asic(&["check"], root());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn a_table_that_differs_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let to = folder.path().join(name.rsplit('/').next().unwrap());
        std::fs::copy(root().join("docs").join(name), &to).unwrap();
        to
    };
    let (page, records) = (copy("asic.md"), copy("asic/records.json"));
    let (good_page, good_records) = (
        std::fs::read_to_string(&page).unwrap(),
        std::fs::read_to_string(&records).unwrap(),
    );
    let check = || {
        let arguments = [
            "check",
            "popcnt",
            "--page",
            "asic.md",
            "--records",
            "records.json",
        ];
        let output = asic(&arguments, folder.path());
        (output.status.code(), said(&output))
    };
    assert_eq!(check().0, Some(0), "{}", check().1);
    let data: Value = serde_json::from_str(&good_records).unwrap();
    let record = data["records"].as_array().unwrap();
    let popcnt = record.iter().find(|one| one["unit"] == "popcnt").unwrap();
    let digest = popcnt["netlist"].as_str().unwrap();
    for (page_is, records_are, why) in [
        // A number of the page.
        (
            good_page.replacen("| 24 |", "| 25 |", 1) + " ",
            good_records.clone(),
            "is not what its records say",
        ),
        // A netlist of another day; the page says so, too.
        (
            good_page.replace(&digest[..8], "01234567"),
            good_records.replace(digest, "0123456789abcdef"),
            "the netlist is",
        ),
        // Other scripts than today's.
        (
            good_page.clone(),
            good_records.replacen("\"flow\": \"", "\"flow\": \"0", 1),
            "another flow",
        ),
        // A set that has none.
        (
            good_page.clone(),
            good_records.replace("\"unit\": \"popcnt\"", "\"unit\": \"popcount\""),
            "has no record",
        ),
    ] {
        std::fs::write(&page, page_is).unwrap();
        std::fs::write(&records, records_are).unwrap();
        let (code, text) = check();
        assert!(code == Some(1) && text.contains(why), "{why}: {text}");
    }
}
