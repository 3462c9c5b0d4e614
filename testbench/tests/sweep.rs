//! Rationale: a sweep takes hours, on machines that are somebody else's. Nothing that was measured may
//! be lost or measured twice; the results must be the same bytes however the runs were divided, stopped
//! or killed; and those of other settings must not be mixed with them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::command;

/// Of 25 runs. What is compared are bytes; the numbers mean nothing here.
pub(crate) const NAME: &str = "tap-streams";
const RUNS: usize = 25;
/// Long enough to be killed within it.
pub(crate) const CYCLES: [&str; 2] = ["--cycles", "40000"];

pub(crate) fn sweep(more: &[&str], folder: &Path) -> Command {
    command(
        &[&["sweep", NAME, "--out", "out"], &CYCLES[..], more].concat(),
        folder,
    )
}

/// How many runs it did, after it ended as expected.
fn done(output: &Output, codes: &[i32]) -> usize {
    let said = String::from_utf8_lossy(&output.stdout);
    let code = output.status.code().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(codes.contains(&code), "{code}: {said}{errors}");
    said.split(' ').next().unwrap().parse().unwrap()
}

pub(crate) fn journal(folder: &Path) -> PathBuf {
    folder.join("out/measured.jsonl")
}

pub(crate) fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// All of it, by one thread of one process.
pub(crate) fn whole() -> String {
    let work = tempfile::tempdir().unwrap();
    let output = sweep(&[], work.path())
        .env("RAYON_NUM_THREADS", "1")
        .output();
    assert_eq!(done(&output.unwrap(), &[0]), RUNS);
    text(&journal(work.path()))
}

/// Waits until so many lines are there, the manifest among them.
pub(crate) fn wait_for_lines(count: usize, folder: &Path) {
    let start = Instant::now();
    while text(&journal(folder)).lines().count() < count {
        assert!(start.elapsed() < Duration::from_secs(120), "no results");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn parts_and_processes_do_each_run_once_and_give_the_same_bytes() {
    let work = tempfile::tempdir().unwrap();
    // Two have parts, two all.
    let processes = ["--part=1/3", "--part=3/3", "--part=1/1", "--part=1/1"].map(|part| {
        sweep(&[part], work.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
    });
    let counts = processes.map(|it| done(&it.unwrap().wait_with_output().unwrap(), &[0, 3]));
    assert_eq!(counts.iter().sum::<usize>(), RUNS, "{counts:?}");
    let output = sweep(&[], work.path()).output().unwrap();
    assert_eq!(done(&output, &[0]), 0);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("25 of 25 are in out/measured.jsonl"),
        "{said}"
    );
    let whole = whole();
    assert!(text(&journal(work.path())) == whole, "other bytes");
    // A part by itself has every third run, in order.
    let work = tempfile::tempdir().unwrap();
    let output = sweep(&["--part", "2/3"], work.path()).output().unwrap();
    assert_eq!(done(&output, &[0]), 8);
    let mut lines = whole.lines();
    let manifest = lines.next();
    let expected: Vec<&str> = manifest
        .into_iter()
        .chain(lines.skip(1).step_by(3))
        .collect();
    assert_eq!(
        text(&journal(work.path())).lines().collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_killed_one_loses_what_it_was_at_and_nothing_else() {
    let work = tempfile::tempdir().unwrap();
    let mut process = sweep(&[], work.path()).spawn().unwrap();
    wait_for_lines(3, work.path());
    process.kill().unwrap();
    process.wait().unwrap();
    let claims = std::fs::read_dir(work.path().join("out/claims"))
        .unwrap()
        .count();
    assert!(claims > 0, "it was at none");
    // As if it had been killed while writing.
    let path = journal(work.path());
    let left = text(&path);
    let kept = left.lines().count() - 2;
    assert!(kept < RUNS - 1);
    std::fs::write(&path, &left[..left.len() - 9]).unwrap();
    let output = sweep(&[], work.path()).output().unwrap();
    assert_eq!(done(&output, &[0]), RUNS - kept);
    assert!(text(&path) == whole(), "other bytes");
}

#[test]
fn a_record_of_some_runs_is_begun_with_and_reported_on() {
    let work = tempfile::tempdir().unwrap();
    let whole = whole();
    // In another order, and with a line that is broken.
    let mut lines: Vec<&str> = whole.lines().take(11).collect();
    lines[1..].reverse();
    lines.push("{\"name\":");
    let record = work.path().join("some.jsonl");
    std::fs::write(&record, lines.join("\n") + "\n").unwrap();
    let arguments = [&["experiment", NAME, "--record", "some.jsonl"], &CYCLES[..]].concat();
    let output = command(&arguments, work.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("10 of 25 workloads are in."), "{said}");
    let output = sweep(&["--from", "some.jsonl"], work.path())
        .output()
        .unwrap();
    assert_eq!(done(&output, &[0]), RUNS - 10);
    assert!(text(&journal(work.path())) == whole, "other bytes");
    assert_eq!(text(&record), lines.join("\n") + "\n");
}

#[test]
fn results_of_another_manifest_are_refused_and_stay() {
    let work = tempfile::tempdir().unwrap();
    let part = ["--part", "1/25"];
    done(&sweep(&part, work.path()).output().unwrap(), &[0]);
    let path = journal(work.path());
    let kept = text(&path);
    let refused = |more: &[&str], what: &str| {
        let before = text(&path);
        let output = sweep(&[&part, more].concat(), work.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("other work") && said.contains(what), "{said}");
        assert_eq!(text(&path), before);
    };
    refused(
        &["--seed", "7"],
        "decides differs; seed: 40503 there, 7 here",
    );
    // What the settings do not say: another program in a workload, or another platform.
    let decides = kept.find("\"decides\":\"").unwrap() + 11;
    let mut other = kept.clone();
    let digit = if &other[decides..=decides] == "0" {
        "1"
    } else {
        "0"
    };
    other.replace_range(decides..=decides, digit);
    std::fs::write(&path, &other).unwrap();
    refused(&[], "(decides differs)");
    std::fs::write(&path, kept.replace("\"sets\":4096", "\"sets\":2048")).unwrap();
    refused(&[], "(platform differs)");
    // A record, too; then nothing is written.
    std::fs::write(work.path().join("other.jsonl"), other).unwrap();
    std::fs::write(&path, &kept).unwrap();
    refused(&["--from", "other.jsonl"], "other.jsonl");
}

#[test]
fn what_cannot_be_divided_so_is_said() {
    let work = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (
            &["sweep", "gdc-4"][..],
            "expected one of: calibrate, sm-blocks",
        ),
        (&["sweep", "gdc-5"], "there is no experiment 'gdc-5'"),
        (&["sweep", NAME, "--part", "0/3"], "expected K/N"),
        (&["sweep", NAME, "--part", "4/3"], "expected K/N"),
        (&["sweep", NAME, "--slurm", "0"], "0 is not in"),
        (&["experiment", "gdc-4", "--record", "x"], "no list of runs"),
        (&["sweep", NAME, "--from", "x"], "cannot read x"),
    ] {
        let output = command(arguments, work.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(said), "{errors}");
    }
    assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 0);
}

/// Runs of schemes need those of each kernel alone, of whatever part.
#[test]
fn runs_that_others_need_are_waited_for() {
    let pairs = |part: &str, folder: &Path| {
        command(
            &[
                "sweep",
                "sm-pairs",
                "--out=out",
                "--cycles=3000",
                "--workloads=3",
                part,
            ],
            folder,
        )
    };
    let work = tempfile::tempdir().unwrap();
    let processes = ["--part=1/2", "--part=2/2"].map(|part| {
        pairs(part, work.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
    });
    let counts = processes.map(|it| done(&it.unwrap().wait_with_output().unwrap(), &[0]));
    let alone = tempfile::tempdir().unwrap();
    let all = done(&pairs("--part=1/1", alone.path()).output().unwrap(), &[0]);
    assert_eq!(counts.iter().sum::<usize>(), all, "{counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    let [both, one] = [work, alone].map(|work| text(&journal(work.path())));
    assert!(both == one, "other bytes");
}
