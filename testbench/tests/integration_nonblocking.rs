//! Rationale: what `examples/integration/nonblocking` promises to who puts a monitor beside a cache
//! with MSHRs: each request is heard once, in the cycle in which it hits, and then the monitor's
//! misses are the cache's own fills. Ways to break this rule, and the cache itself, must be seen by
//! the example's own checks, which a reader will trust with a cache of their own.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/integration/nonblocking")
}

fn script(folder: &Path, name: &str, arguments: &[&str]) -> Output {
    Command::new(folder.join(name))
        .args(arguments)
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        // Compiling takes longer than running.
        .env("VERILATOR_FLAGS", "-O1")
        .env("CXX_OPT", "-O0")
        .output()
        .expect("the script starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn run(folder: &Path, out: &Path, options: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    script(folder, "run", &[&["--out", out], options].concat())
}

fn passes(out: &Path, options: &[&str]) {
    let output = run(&example(), out, options);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let verdict = "PASS: each request is counted once, as the golden model counts them";
    assert!(text.lines().any(|line| line == verdict), "{text}");
}

const SHORT: [&str; 4] = ["--stress", "1000", "--requests", "1000"];

#[test]
fn lru_in_icarus() {
    let out = tempfile::tempdir().unwrap();
    let options = [&["--simulator", "icarus"][..], &SHORT].concat();
    passes(out.path(), &options);
    let log = std::fs::read_to_string(out.path().join("footprint50-seed1.log")).unwrap();
    assert!(log.contains(": 0 cycles differ"), "{log}");
}

// Small structures are full more often, and a trace has no random part.
#[test]
fn a_trace_with_small_structures_in_icarus() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.csv");
    let mut text = String::from("kernel,op,address\n# one line by all, then a set too full\n");
    for n in 0..120 {
        let (kernel, op) = (n % 4, if n % 5 == 0 { "W" } else { "R" });
        text += &format!("{kernel},{op},{:#x}\n", n / 12 * 64 * 32 + n % 8 * 4);
    }
    std::fs::write(&trace, text).unwrap();
    let small = [
        "--mshrs",
        "2",
        "--targets",
        "2",
        "--queue",
        "4",
        "--inorder",
    ];
    let trace = [
        "--simulator",
        "icarus",
        "--stress",
        "0",
        "--trace",
        trace.to_str().unwrap(),
    ];
    let out = folder.path().join("out");
    passes(&out, &[&small[..], &trace].concat());
    let recorded = std::fs::read_to_string(out.join("footprint50-seed1.csv")).unwrap();
    assert_eq!(recorded.lines().count(), 121, "{recorded}");
}

// With Verilator, which is asked for a single build: this commit's row of the table of drift.
#[test]
fn drift_of_pseudo_lru_is_what_the_readme_says() {
    let output = script(&example(), "drift", &["--check"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn what_cannot_be_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("bad.csv");
    std::fs::write(&trace, "kernel,op,address\n0,R,0x80\n4,R,0x80\n").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--set", "4x2x64x1"], "expected WAYSx4xSETSx1"),
        (&["--set", "3x4x64x1"], "ways are a power of two"),
        (&["--policy", "fifo"], "expected lru or plru"),
        (&["--targets", "1"], "expected 2 to 16"),
        (&["--ways"], "\"--ways\" is unknown"),
        (
            &["--trace", trace.to_str().unwrap()],
            "bad.csv:3: kernel 4, but the example has 0 to 3",
        ),
    ];
    for (options, words) in cases {
        let output = run(&example(), folder.path(), options);
        let text = said(&output);
        assert!(
            matches!(output.status.code(), Some(2)),
            "{options:?}: {text}"
        );
        assert!(text.contains(words), "{options:?}: {text}");
    }
}

/// The example with texts of its files replaced must fail, with these words.
fn broken(edits: &[(&str, &str, &str)], stress: &str, words: &str) {
    let copy = tempfile::tempdir().unwrap();
    let ram = example().join("../cache_ram.v");
    let files = std::fs::read_dir(example()).unwrap();
    for path in files.map(|entry| entry.unwrap().path()).chain([ram]) {
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    for (file, from, to) in edits {
        let path = copy.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
    }
    // Where the first part shows it, the second is short.
    let requests = if stress == "0" { "600" } else { "100" };
    let options = [
        "--simulator",
        "icarus",
        "--requests",
        requests,
        "--stress",
        stress,
    ];
    let output = run(copy.path(), &copy.path().join("out"), &options);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{edits:?}: {text}");
    assert!(text.contains(words), "{edits:?}: {text}");
}

const TOP: &str = "monitored_nonblocking_cache.v";
const CACHE: &str = "nonblocking_cache.v";
const HEARD: &str = ".access_valid(decide_access)";

#[test]
fn counted_at_the_miss_and_again_at_replay() {
    let twice = ".access_valid(decide_access | accept_miss)";
    broken(&[(TOP, HEARD, twice)], "0", "accesses counted, of a kernel");
}

#[test]
fn merged_miss_not_presented() {
    let first = ".access_valid(decide_access & !(cache.is_replay & !cache.is_first))";
    broken(&[(TOP, HEARD, first)], "0", "accesses counted, of a kernel");
}

// Each request once, but in the order in which they were accepted, in which sets do not change.
#[test]
fn presented_when_accepted() {
    let accepted = ".access_valid(accept)";
    broken(&[(TOP, HEARD, accepted)], "0", "cache and monitor differ");
}

#[test]
fn presented_while_refused() {
    let tried = ".access_valid(decide_access | cache.tried & cache.hit)";
    broken(
        &[(TOP, HEARD, tried)],
        "1000",
        "accesses that the monitor heard",
    );
}

/// Registers some of what the monitor hears.
const LATE: (&str, &str, &str) = (
    TOP,
    "  wire hears_invalidate =",
    "  reg late;\n  reg [SET_W-1:0] late_set;\n  reg [TAG_W-1:0] late_tag;\n  reg [REQ_W-1:0] late_source;\n  \
     always @(posedge clock)\n    {late, late_set, late_tag, late_source} <=\n        \
     {decide_access & !reset, decide_set, decide_tag, decide_source};\n  wire hears_invalidate =",
);

// Then the signals beside it are the next request's.
#[test]
fn valid_a_cycle_late() {
    let late = (TOP, HEARD, ".access_valid(late)");
    broken(&[LATE, late], "0", "cache and monitor differ");
}

// Then invalidations overtake requests, and answers come late.
#[test]
fn requests_a_cycle_late() {
    let edits = [
        LATE,
        (TOP, HEARD, ".access_valid(late)"),
        (TOP, ".request_set(decide_set)", ".request_set(late_set)"),
        (TOP, ".access_tag(decide_tag)", ".access_tag(late_tag)"),
        (
            TOP,
            ".access_requester(decide_source)",
            ".access_requester(late_source)",
        ),
    ];
    broken(&edits, "0", "cache and monitor differ");
}

#[test]
fn invalidation_not_heard() {
    let deaf = (
        TOP,
        ".invalidate_valid(hears_invalidate)",
        ".invalidate_valid(1'b0)",
    );
    broken(&[deaf], "1000", "cache and monitor differ");
}

#[test]
fn kernels_swapped() {
    let swapped = ".access_requester(decide_source ^ 1)";
    let edit = (TOP, ".access_requester(decide_source)", swapped);
    broken(&[edit], "0", "accesses counted, of a kernel");
}

// Then one way of each set is used: the cache fetches more than the monitor misses.
#[test]
fn a_cache_that_replaces_the_wrong_way() {
    let newest = "state[w*WAY_W +: WAY_W] == 0)";
    let edit = (
        "replacement.v",
        "state[w*WAY_W +: WAY_W] == OLDEST)",
        newest,
    );
    broken(&[edit], "0", "misses counted, fills of the cache");
}

#[test]
fn data_lost_between_requests() {
    let edit = (
        CACHE,
        "way_bypass <= way_write &",
        "way_bypass <= 0 & way_write &",
    );
    broken(&[edit], "1000", "data read");
}

#[test]
fn replayed_writes_not_written_through() {
    let edit = (
        CACHE,
        "through = decide_access & writes",
        "through = decide_access & writes & !is_replay",
    );
    broken(&[edit], "1000", "data read");
}
