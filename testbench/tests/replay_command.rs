//! `cotenant replay` as a user runs it.
//!
//! Rationale: exit codes, the document on stdout and nothing else there, the
//! words of errors, what is left on disk, and an interruption are promises of
//! the program, not of the library.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn cotenant(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(args).output().expect("the program starts")
}

fn replay(args: &[&str]) -> Output {
    cotenant(&[&["replay"], args].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
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

#[test]
fn json_has_the_promised_fields() {
    let output = replay(&[
        "--trace",
        EXAMPLE,
        "--sets",
        "16",
        "--kernels",
        "4",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(report["schema"], 1);
    for field in [
        "accesses",
        "hits",
        "misses",
        "evictions",
        "sector_misses",
        "kernels",
        "attribution",
        "gdc",
        "ike",
        "share_gdc",
        "share_plob",
        "share_plob_with_self",
        "lockstep",
    ] {
        assert!(report.get(field).is_some(), "{field}");
    }
    assert_eq!(report["lockstep"]["mismatches"], 0);
    assert_eq!(report["lockstep"]["hardware"], "llc_monitor");
    // The whole is the sum of its parts.
    let sum = |field: &str| -> u64 {
        report["kernels"]
            .as_array()
            .expect("is a list")
            .iter()
            .filter_map(|k| k[field].as_u64())
            .sum()
    };
    for field in ["accesses", "hits", "misses"] {
        assert_eq!(report[field], sum(field), "{field}");
    }
    let evictions: u64 = report["ike"]
        .as_array()
        .expect("is a matrix")
        .iter()
        .flat_map(|row| row.as_array().expect("is a row"))
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(report["evictions"], evictions);
    let shares: f64 = report["share_gdc"][0]
        .as_array()
        .expect("has shares")
        .iter()
        .filter_map(Value::as_f64)
        .sum();
    // Fractions add up to one but for their rounding.
    assert!((shares - 1.0).abs() < 1e-12, "{shares}");
}

/// The document of a replay that succeeds.
fn document(args: &[&str]) -> Value {
    let output = replay(&[args, &["--no-lockstep", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn matrix(cells: &Value) -> Vec<Vec<u64>> {
    serde_json::from_value(cells.clone()).expect("is a matrix of counts")
}

/// Kernels with loops that fit into the cache alone, and one that streams; no line is shared.
fn loops(kernels: u64, accesses: u64) -> Vec<(u64, String)> {
    let access = |n: u64| {
        let kernel = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % kernels;
        let line = if kernel == 0 {
            n
        } else {
            n % (20 + 7 * kernel)
        };
        let address = (kernel << 24) + 128 * line;
        (kernel, format!("{kernel},R,{address:#x}\n"))
    };
    (0..accesses).map(access).collect()
}

fn csv(folder: &Path, lines: &[(u64, String)], left_out: Option<u64>) -> String {
    let kept = lines.iter().filter(|(kernel, _)| Some(*kernel) != left_out);
    let text: String = kept.map(|(_, line)| line.as_str()).collect();
    write(folder, "t.csv", &format!("kernel,op,address\n{text}"))
}

// The table of what leaving out a kernel would save, against really leaving it out.
#[test]
fn what_leaving_out_a_kernel_saves() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = loops(4, 20_000);
    let options = ["--sets", "16", "--ways", "4", "--kernels", "4", "--trace"];
    let run = |left_out| {
        let trace = csv(folder.path(), &lines, left_out);
        document(&[&options[..], &[&trace]].concat())
    };
    let all = run(None);
    let misses = |report: &Value, kernel: usize| {
        let misses = report["kernels"][kernel]["misses"].as_u64();
        misses.expect("is a count")
    };
    let attribution = &all["attribution"];
    let saved = matrix(&attribution["saved"]);
    let wrong = |saved: &[Vec<u64>]| {
        let mut pairs = (0..16).map(|pair| (pair / 4, pair % 4));
        pairs.find(|&(left_out, victim): &(usize, usize)| {
            let without = run(Some(left_out as u64));
            saved[victim][left_out] != misses(&all, victim) - misses(&without, victim)
        })
    };
    assert_eq!(wrong(&saved), None);
    assert!(saved[1][0] > 0, "the stream costs the loops: {saved:?}");
    let mut moved = saved.clone();
    moved[1].swap(0, 2);
    assert!(wrong(&moved).is_some());

    assert_eq!(attribution["unit"], 6);
    assert_eq!(attribution["shared_lines"], 0);
    for (kernel, row) in matrix(&attribution["exact"]).iter().enumerate() {
        assert_eq!(row.iter().sum::<u64>(), 6 * misses(&all, kernel));
    }
    // One of the sizes of samples is below the number of sets.
    let sampled = attribution["sampled"].as_object().expect("by size");
    assert!(sampled.keys().eq(["4", "8"]), "{sampled:?}");
    for monitor in ["gdc", "plob", "sce", "8"] {
        let far = attribution["distance"][monitor][1].as_f64();
        assert!(far.is_some_and(|far| far < 2f64.sqrt()), "{monitor}");
    }
}

#[test]
fn many_kernels_have_decimals_and_more_have_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = loops(9, 3000);
    let trace = csv(folder.path(), &lines, None);
    let run = |kernels: &str| {
        let options = ["--sets", "4", "--trace", &trace, "--kernels", kernels];
        document(&options)
    };
    let nine = run("9");
    assert_eq!(nine["attribution"]["unit"], 1);
    let exact = &nine["attribution"]["exact"];
    let exact: Vec<Vec<String>> = serde_json::from_value(exact.clone()).expect("are decimals");
    for (kernel, row) in exact.iter().enumerate() {
        let sum: f64 = row
            .iter()
            .map(|share| share.parse::<f64>().expect("a number"))
            .sum();
        let misses = nine["kernels"][kernel]["misses"].as_f64().expect("a count");
        assert!(
            (sum - misses).abs() < 1e-6,
            "{kernel}: {sum}, {misses} misses"
        );
    }
    assert_eq!(run("17")["attribution"], Value::Null);
    let output = replay(&["--trace", &trace, "--kernels", "17", "--no-lockstep"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("Exact shares: none, of more than 16 kernels"),
        "{text}"
    );
}

// One set of two ways. Kernel 1's first miss demotes kernel 0's line; kernel 0
// then hits kernel 1's line in the MRU position, which demotes none but makes
// it the owner; kernel 1's second miss demotes both. The formats agree.
#[test]
fn formats_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = write(
        folder.path(),
        "t.csv",
        "kernel,op,address\n0,R,0\n1,R,0x80\n0,W,128\n1,R,4096\n",
    );
    let zero = write(folder.path(), "a.din", "0 0\n1 80\n");
    let one = write(folder.path(), "b.din", "0 80 extra words\n2 1000\n");
    let options = ["--sets", "1", "--ways", "2", "--kernels", "2", "--json"];
    let csv = replay(&[&["--trace", &csv][..], &options].concat());
    let (zero, one) = (format!("0={zero}"), format!("1={one}"));
    let din = replay(&[&["--trace", &zero, "--trace", &one][..], &options].concat());
    assert_eq!(din.status.code(), Some(0), "{}", stderr(&din));
    assert_eq!(
        String::from_utf8_lossy(&csv.stdout),
        String::from_utf8_lossy(&din.stdout)
    );
    let report: Value = serde_json::from_slice(&csv.stdout).expect("one JSON document");
    assert_eq!(report["gdc"], serde_json::json!([[0, 3], [0, 0]]));
    assert_eq!(report["skipped"], 0);
}

// An access of unknown type is one; a flush is not, and who reads the tables is told.
#[test]
fn flushes_are_skipped_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = write(folder.path(), "a.din", "4 0\n0 0\n3 80\n4 0\n");
    let json = replay(&["--trace", &trace, "--json"]);
    assert_eq!(json.status.code(), Some(0), "{}", stderr(&json));
    let report: Value = serde_json::from_slice(&json.stdout).expect("one JSON document");
    assert_eq!(
        (&report["accesses"], &report["skipped"]),
        (&2.into(), &2.into())
    );
    let text = String::from_utf8(replay(&["--trace", &trace]).stdout).expect("text");
    assert!(
        text.contains("\n2 cache flushes of the trace were skipped\n"),
        "{text}"
    );
}

#[test]
fn errors_name_place_and_expectation_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = write(
        folder.path(),
        "bad.csv",
        "kernel,op,address\n0,R,0x10\n0,R,zebra\n",
    );
    let wave = folder.path().join("w.vcd");
    let wave = wave.to_str().expect("is UTF-8");
    // Taken for the names of the columns, with nothing below them.
    let words = write(folder.path(), "words.csv", "garbage,1 2\n");
    let cases: [(&[&str], &[&str]); 10] = [
        (
            &["--trace", &words, "--vcd", wave],
            &["words.csv: no access was found", "0,R,0x1000"],
        ),
        (
            &["--trace", &words, "--policy", "ucp"],
            &["words.csv: no access was found", "names of the columns"],
        ),
        (
            &["--trace", &bad, "--vcd", wave],
            &["bad.csv:3", "zebra", "address"],
        ),
        (
            &["--trace", "/does/not/exist.csv"],
            &["/does/not/exist.csv", "cannot be opened"],
        ),
        (
            &["--trace", EXAMPLE, "--preset", "xaver"],
            &["xaver", "xavier"],
        ),
        (
            &["--trace", EXAMPLE, "--sets", "100"],
            &["sets", "100", "power of two"],
        ),
        (
            &["--trace", EXAMPLE, "--kernels", "2"],
            &["four_kernels.csv:", "kernel"],
        ),
        (
            &["--trace", EXAMPLE, "--vcd", wave, "--window", "9..3"],
            &["9..3", "A..B"],
        ),
        (
            &["--trace", EXAMPLE, "--ways", "65", "--vcd", wave],
            &["ways is 65", "64"],
        ),
        (
            &["--trace", EXAMPLE, "--engine", "verilator"],
            &["possible values: jit, interpreter"],
        ),
    ];
    for (args, words) in cases {
        let output = replay(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        for word in words {
            assert!(
                stderr(&output).contains(word),
                "{args:?}: {}",
                stderr(&output)
            );
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("readable")
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

// A trace without end, and Ctrl-C in the middle: what was done is printed,
// the wave is finished, and the exit code says what happened.
#[test]
fn ctrl_c_prints_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("endless.csv");
    let wave = folder.path().join("w.vcd");
    let made = Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .expect("mkfifo is there");
    assert!(made.success());
    let child = Command::new(env!("CARGO_BIN_EXE_cotenant"))
        .args([
            "replay",
            "--sets",
            "16",
            "--kernels",
            "2",
            "--json",
            "--window",
            "0..50",
            "--trace",
        ])
        .arg(&pipe)
        .arg("--vcd")
        .arg(&wave)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut trace = std::fs::File::create(&pipe).expect("the pipe opens");
    let mut chunk = String::new();
    for n in 0..70_000 {
        chunk.push_str(&format!("{},R,{}\n", n % 2, n % 999 * 128));
    }
    trace.write_all(chunk.as_bytes()).expect("is read");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill is there").success());
    // Goes on until the reader has had enough and closes its end.
    while trace.write_all(chunk.as_bytes()).is_ok() {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(report["complete"], false);
    assert!(report["accesses"].as_u64().expect("is a number") >= 65_536);
    assert!(wellen::simple::read(&wave).is_ok());
}

/// Most memory that a process has had so far, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("is running");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let words = line.and_then(|line| line.split_whitespace().nth(1));
    let kib: u64 = words
        .and_then(|word| word.parse().ok())
        .expect("Linux says so");
    kib << 10
}

// Five times the accesses, all to lines that were never seen before, take no more memory: one
// byte per access would be seen.
#[test]
fn memory_does_not_grow_with_the_trace() {
    const FIRST: u64 = 200_000;
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("long.csv");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let child = Command::new(env!("CARGO_BIN_EXE_cotenant"))
        .args(["replay", "--sets", "16", "--kernels", "4", "--json"])
        .arg("--trace")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut trace = std::fs::File::create(&pipe).expect("the pipe opens");
    let mut feed = |accesses: std::ops::Range<u64>| {
        for n in accesses {
            let line = format!("{},R,{:#x}\n", n % 4, n << 7 | (n % 5) << 50);
            trace.write_all(line.as_bytes()).expect("is read");
        }
    };
    feed(0..FIRST);
    let before = peak(child.id());
    feed(FIRST..5 * FIRST);
    let after = peak(child.id());
    drop(trace);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(report["accesses"], 5 * FIRST);
    assert_eq!(report["lockstep"]["hardware"], "llc_monitor");
    assert!(after - before < 4 * FIRST, "{before} bytes, then {after}");
}
