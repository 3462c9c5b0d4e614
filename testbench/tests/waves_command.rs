//! The options about waves as a user gives them.
//!
//! Rationale: which file has which cycles, what a run that is cut short leaves, and what is refused
//! before anything runs, are promises of the program. Options that need a mismatch are tried in
//! `waves.rs`: the units have none.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{command, gtkw, names};

const TRACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/traces/four_kernels.csv"
);

fn run(arguments: &[&str], folder: &Path) -> Output {
    command(arguments, folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Cycles of a wave whose save file names only what is in it.
fn cycles(path: &Path) -> (u64, u64) {
    let mut wave = wellen::simple::read(path).unwrap();
    let text = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
    let save = gtkw::Save::parse(&text).unwrap();
    assert_eq!(save.missing(&wave), Vec::<String>::new());
    gtkw::cycles(&mut wave, 10)
}

#[test]
fn check_writes_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let check = ["check", "milg", "--config", "small", "--cycles", "2000"];
    let wave = |options: &[&str]| {
        let output = run(&[&check[..], options].concat(), folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = wave(&["--window", "100..150", "--wave", "a.vcd"]);
    assert!(said.ends_with("(seed 0x9e37, wave a.vcd)\n"), "{said}");
    assert_eq!(cycles(&at("a.vcd")), (100, 150));
    wave(&["--last", "70", "--wave", "b.fst", "--signals", "limit"]);
    assert_eq!(cycles(&at("b.fst")), (1930, 2000));
    wave(&["--wave", "whole.vcd"]);
    assert_eq!(cycles(&at("whole.vcd")), (0, 2000));
    for (options, said) in [
        (&["--wave", "deep/b.fst"][..], "there is no folder deep"),
        (
            &["--wave", "b.foo"],
            "expected a name that ends in .vcd or .fst",
        ),
        (
            &["--wave", "all.vcd", "--cycles", "1M"],
            "at most, not 1000000",
        ),
        (&["--cycles", "0"], "expected at least one cycle"),
        (
            &["--window", "5000..6000", "--wave", "late.vcd"],
            "--window 5000..: the run ends before it, in cycle",
        ),
    ] {
        // A later --cycles would be a second one.
        let check: &[&str] = match options.contains(&"--cycles") {
            true => &check[..4],
            false => &check,
        };
        let output = run(&[check, options].concat(), folder.path());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    assert!(!at("deep").exists() && !at("all.vcd").exists());
    wave(&["--on-mismatch", "--last", "70", "--wave", "c.vcd"]);
    assert!(!at("c.vcd").exists(), "there is no mismatch");
    wave(&["--window", "0..10"]);
    let set = names(&at("out/check"));
    assert!(
        set.iter().any(|name| name.ends_with(".window.vcd")),
        "{set:?}"
    );
}

#[test]
fn replay_writes_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let wave = |options: &[&str]| {
        let output = run(
            &[&["replay", "--trace", TRACE][..], options].concat(),
            folder.path(),
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let said = stderr(&output);
        (String::from_utf8(output.stdout).unwrap(), said)
    };
    let (_, said) = wave(&["--vcd", "a.vcd", "--window", "10..20"]);
    assert_eq!(said, "waves: a.vcd\n");
    assert_eq!(cycles(&at("a.vcd")), (10, 20));
    let (report, _) = wave(&["--wave", "b.fst", "--last", "100", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let accesses = report["accesses"].as_u64().unwrap();
    assert_eq!(cycles(&at("b.fst")), (accesses - 100, accesses));
    let (_, said) = wave(&["--vcd", "c.vcd", "--on-mismatch"]);
    assert_eq!(said, "");
    let expected = [
        "Matrix.bin2.txt",
        "Op.bin1.txt",
        "a.gtkw",
        "a.sucl",
        "a.vcd",
        "b.fst",
        "b.gtkw",
        "b.sucl",
    ];
    assert_eq!(names(folder.path()), expected);
}

#[test]
fn run_writes_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let base = ["run", "--accesses", "3000", "--out", "out"];
    let options = [
        "--last",
        "50",
        "--wave-format",
        "fst",
        "--signals",
        "done_*",
    ];
    let output = run(&[&base[..], &options].concat(), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (first, end) = cycles(&folder.path().join("out/waves.fst"));
    assert_eq!(end - first, 50);
    let names = names(&folder.path().join("out"));
    assert!(names.contains(&"waves.gtkw".into()) && !names.contains(&"waves.vcd".into()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (
            &["check", "milg", "--window", "1..2", "--last", "5"][..],
            "cannot be used with",
        ),
        (
            &[
                "check", "milg", "--config", "all", "--wave", "w.vcd", "--last", "5",
            ],
            "--wave and --config all: a file holds one parameter set",
        ),
        (
            &[
                "check", "milg", "--vcd", "w.vcd", "--map", "m.toml", "--seed", "5",
            ],
            "cannot be used with",
        ),
        (
            &[
                "check",
                "milg",
                "--cycles",
                "9",
                "--last",
                "5",
                "--signals",
                "limmit",
            ],
            "no signal or scope matches 'limmit'; the nearest are milg.dut.limit",
        ),
        (
            &["check", "milg", "--last", "900000M"],
            "more than there is room for; expected at most",
        ),
        (
            &[
                "check",
                "milg",
                "--last",
                "9",
                "--wave",
                "w.vcd",
                "--wave-format",
                "fst",
            ],
            "expected a name that ends in .fst",
        ),
        (
            &["replay", "--trace", TRACE, "--last", "5"],
            "--last selects waves, but there is no file to write: add --vcd FILE",
        ),
        (
            &[
                "replay",
                "--trace",
                TRACE,
                "--vcd",
                "w.vcd",
                "--no-lockstep",
            ],
            "cannot be used with",
        ),
        (
            &[
                "replay",
                "--trace",
                TRACE,
                "--vcd",
                "w.vcd",
                "--signals",
                "acces.hit",
            ],
            "no signal or scope matches 'acces.hit'; the nearest are replay.access.hit",
        ),
        (
            &["run", "--no-lockstep", "--last", "5"],
            "--last needs the hardware in lockstep and cannot be combined with --no-lockstep",
        ),
    ] {
        let output = run(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let left = names(folder.path());
    assert!(left.is_empty() || left == ["out"], "{left:?}");
}

// A check of a thousand million cycles is cut short: the last cycles so far are there and can be
// read.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_last_cycles() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "check", "gdcu", "--cycles", "1000M", "--last", "200", "--wave", "w.vcd",
    ];
    let mut child = command(&arguments, folder.path());
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let (first, end) = cycles(&folder.path().join("w.vcd"));
    assert_eq!(end - first, 200);
    let text = std::fs::read_to_string(folder.path().join("w.vcd")).unwrap();
    assert!(text.contains("interrupted"));
    assert_eq!(names(folder.path()), ["w.gtkw", "w.sucl", "w.vcd"]);
}
