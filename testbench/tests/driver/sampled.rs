//! A unit that attributes misses: what the program reads is what replay attributes, and the
//! comparison fails where it is not.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use super::played::{budget, example, trace};
use super::wrong_header::made_with;
use super::{examples, said};

const SAMPLED: &str = "4x4x64x1,SCE=1,SAMPLED=8";
/// A look-up takes as many cycles as there are lines in a stack, and two.
const SLOWLY: &str = "--json --gap 20";

// It ends with PASS only if the shares of sampled sets were compared.
static AXI: LazyLock<TempDir> =
    LazyLock::new(|| example(&["--gap", "20"], "axi", SAMPLED, &trace()));

/// What a program of the example prints as JSON.
fn played(program: &Path, arguments: &str) -> Value {
    let output = budget(program, arguments, &trace());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Compares a document of the program with what replay told `run`.
fn compared(read: &Value) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("read.json");
    std::fs::write(&path, read.to_string()).unwrap();
    let made = AXI.path();
    Command::new(examples().join("driver/compare.py"))
        .arg("attribution")
        .args([path, made.join("replay.json")])
        .arg("64")
        .arg(made.join("bank-0.json"))
        .output()
        .unwrap()
}

#[test]
fn misses_are_attributed_in_any_number_of_periods() {
    let program = AXI.path().join("budget");
    for arguments in [SLOWLY, "--json --gap 20 --period 1000"] {
        let read = played(&program, arguments);
        let output = compared(&read);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let same = "share at eviction: the same\nshares of 8 sampled sets per bank: the same\n";
        assert_eq!(said(&output), same);
        let attribution = &read["attribution"];
        assert_eq!(attribution["dropped"], 0, "{attribution}");
        let methods = attribution["method"].as_array().unwrap();
        for method in ["sampled", "sce"] {
            assert!(methods.contains(&Value::from(method)), "{attribution}");
        }
    }
}

// What was dropped is in no share, so there is nothing to compare them with.
#[test]
fn shares_are_not_compared_where_accesses_were_dropped() {
    let read = played(&AXI.path().join("budget"), "--json");
    let output = compared(&read);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("accesses were dropped"));
    assert!(said(&output).starts_with("share at eviction: the same\n"));
}

#[test]
fn what_differs_is_seen() {
    let read = played(&AXI.path().join("budget"), SLOWLY);
    let pointers = [
        ("/attribution/sce/2/1", Value::from(1)),
        ("/attribution/sampled/8/1/3", Value::from(1)),
        ("/attribution/blame/0/1", Value::from(0.5)),
        ("/attribution/blame/1", Value::Null),
        ("/attribution/method/1", Value::from("sce")),
    ];
    for (pointer, value) in pointers {
        let mut wrong = read.clone();
        *wrong.pointer_mut(pointer).unwrap() = value;
        let output = compared(&wrong);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{pointer}: {}",
            said(&output)
        );
        assert!(said(&output).contains("not the same"), "{pointer}");
    }
}

// Of more kernels than misses can be divided among each miss is charged to one.
#[test]
fn misses_are_charged_as_a_whole() {
    let made = example(
        &["--gap", "30"],
        "apb",
        "4x6x64x1,SAMPLED=64,MODE=1",
        &trace(),
    );
    let program = made.path().join("budget");
    let output = budget(&program, "--json --gap 30", &trace());
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["attribution"]["unit"], 1);
    let compared = |read: &Value| {
        let path = made.path().join("read.json");
        std::fs::write(&path, read.to_string()).unwrap();
        Command::new(examples().join("driver/compare.py"))
            .arg("attribution")
            .args([path, made.path().join("replay.json")])
            .arg("64")
            .arg(made.path().join("bank-0.json"))
            .output()
            .unwrap()
    };
    let output = compared(&read);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("about the exact shares: the same"));
    // All charged to one of those who have a share, and an own miss too many.
    let row = read["attribution"]["sampled"]["64"][0].as_array().unwrap();
    let contention: u64 = row[1..].iter().map(|share| share.as_u64().unwrap()).sum();
    let one = [
        row[0].clone(),
        0.into(),
        0.into(),
        contention.into(),
        0.into(),
        0.into(),
    ];
    let own = row[0].as_u64().unwrap() + 1;
    for (pointer, value) in [("0", Value::from(one.to_vec())), ("0/0", own.into())] {
        let mut wrong = read.clone();
        let pointer = format!("/attribution/sampled/64/{pointer}");
        *wrong.pointer_mut(&pointer).unwrap() = value;
        let output = compared(&wrong);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{pointer}: {}",
            said(&output)
        );
    }
}

#[test]
fn a_wrong_header_is_seen_by_the_comparison() {
    let stride = |name: &str, columns: &str, row: &str| {
        format!("#define COTENANT_LLC_{name}_{columns}_STRIDE {row}")
    };
    for name in ["SCE", "SHARES"] {
        // Victim and aggressor are exchanged.
        let edits = [
            (stride(name, "ROW", "0x40u"), stride(name, "ROW", "0x4u")),
            (
                stride(name, "COLUMN", "0x4u"),
                stride(name, "COLUMN", "0x40u"),
            ),
        ];
        let edits = edits.each_ref().map(|(from, to)| (&**from, &**to));
        let folder = made_with(AXI.path(), "axi", &edits);
        let output = compared(&played(&folder.path().join("budget"), SLOWLY));
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
    }
    let folder = made_with(AXI.path(), "axi", &[]);
    let output = compared(&played(&folder.path().join("budget"), SLOWLY));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
