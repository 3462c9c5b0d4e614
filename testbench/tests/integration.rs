//! Rationale: what `examples/integration` promises to who puts a monitor beside a cache. The
//! example runs as its README says, with one bank and with four, and counts what the golden model
//! does. It is also the check that a reader will trust with connections of their own, so each
//! wrong connection that is easily made must be seen: by the comparison of answers where the cache
//! could tell, by the counters where it cannot (it knows no kernels).
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

const SET: &str = "4x4x64x1";
/// A trace that is replayed in place of the example's where it is beside the script.
const SHARED: &str = "shared.csv";
/// The example with `llc_counters`.
const COUNTERS: &[&str] = &["--counters"];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Runs the example's script in `folder` with these arguments in front; `verilator` are its flags.
fn run_with(folder: &Path, options: &[&str], set: &str, out: &Path, verilator: &str) -> Output {
    let trace = folder.join(SHARED);
    let trace = match trace.exists() {
        true => trace,
        false => examples().join("traces/four_kernels.csv"),
    };
    Command::new(folder.join("run"))
        .args(options)
        .arg(set)
        .arg(trace)
        .arg(out)
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        .env("VERILATOR_FLAGS", verilator)
        // Compiling takes longer than running.
        .env("CXX_OPT", "-O0")
        .output()
        .expect("the script starts")
}

fn run(folder: &Path, options: &[&str], set: &str, out: &Path) -> Output {
    run_with(folder, options, set, out, "-O1")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs the example; gives the folder of what it made.
fn passes(options: &[&str], set: &str) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let output = run(&examples().join("integration"), options, set, out.path());
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let verdict = "PASS: the monitor counted what the golden model did";
    assert!(text.lines().any(|line| line == verdict), "{text}");
    assert!(text.contains(": 0 cycles differ"), "{text}");
    // Equal tables of nothing would be no proof.
    let evictions = text
        .lines()
        .find_map(|line| line.split_once(" evictions, ")?.0.parse::<u64>().ok());
    assert!(evictions > Some(0), "{text}");
    out
}

/// Verilator's own library, compiled by the run of the example as it is.
static LIBRARY: LazyLock<[(&str, Vec<u8>); 2]> = LazyLock::new(|| {
    let made = passes(&[], SET);
    let verilated = made.path().join("verilator");
    refuses_bad_traces(&verilated.join("Vmonitored_cache"));
    ["verilated.o", "verilated_threads.o"]
        .map(|name| (name, std::fs::read(verilated.join(name)).unwrap()))
});

#[test]
fn one_bank() {
    LazyLock::force(&LIBRARY);
}

fn refuses_bad_traces(program: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("bad.csv");
    let cases = [
        ("9,R,0x80", "bad.csv:2: kernel 9, but the monitor has 4"),
        ("0,R,zebra", "bad.csv:2: expected an address"),
        ("0;R;0x80", "bad.csv:2: expected kernel,op,address"),
        ("0,R,0x2000000000000", "bad.csv:2: the address has more"),
    ];
    for (line, words) in cases {
        std::fs::write(&trace, format!("kernel,op,address\n{line}\n")).unwrap();
        let output = Command::new(program).arg(&trace).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(said(&output).contains(words), "{line}: {}", said(&output));
    }
    let output = Command::new(program).arg("/no/trace").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("/no/trace: cannot be opened"));
}

#[test]
fn four_banks() {
    passes(&[], "16x4x64x4");
}

/// The counters of a cache that keeps its own LRU state count what the monitor counts.
#[test]
fn counters_of_a_cache_with_its_own_lru_state() {
    passes(COUNTERS, SET);
}

#[test]
fn the_same_in_four_banks() {
    passes(COUNTERS, "16x4x64x4");
}

/// The example with one text of the cache that tells the counters replaced must fail: nothing but the
/// counters can tell.
#[test]
fn a_cache_that_tells_something_else() {
    let top = "counted_cache.v";
    for (file, from, to) in [
        // A hit would move the line hit, too.
        (
            "cache_bank.v",
            "WAY_W] < age[decide_way",
            "WAY_W] <= age[decide_way",
        ),
        (
            top,
            ".victim_valid(decide_evicts)",
            ".victim_valid(decide_access | decide_evicts)",
        ),
        (top, ".victim_owner(owner_there)", ".victim_owner(kid)"),
        (top, ".access_hit(decide_hit)", ".access_hit(~decide_hit)"),
    ] {
        let output = changed(COUNTERS, &[(file, from, to)]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{to}: {text}");
        let seen = "FAIL: the monitor counted something else";
        assert!(text.contains(seen), "{to}: {text}");
    }
}

/// The owner of a line is the kernel of the last access to it, not that of the fill. Only kernels that
/// share lines can tell: here each line is used by one after the other.
#[test]
fn owners_are_those_of_the_last_access() {
    let mut trace = String::from("kernel,op,address\n");
    // 24 lines of four sets of four ways, each used two times in a row by different kernels.
    for access in 0..6000_u32 {
        let (line, kernel) = (access / 2 * 7 % 24, (access + access / 48) % 4);
        let address = (line / 4 * 64 + line % 4) * 128;
        trace += &format!("{kernel},R,{address:#x}\n");
    }
    let sound = changed_with(COUNTERS, &[], Some(&trace));
    assert_eq!(sound.status.code(), Some(0), "{}", said(&sound));
    let edit = (
        "counted_cache.v",
        "if (decide_access[b]) owners",
        "if (decide_access[b] & !decide_hit[b]) owners",
    );
    let broken = changed_with(COUNTERS, &[edit], Some(&trace));
    let text = said(&broken);
    assert_eq!(broken.status.code(), Some(1), "{text}");
    let seen = "FAIL: the monitor counted something else";
    assert!(text.contains(seen), "{text}");
}

#[test]
fn a_set_that_is_none_is_refused() {
    let out = tempfile::tempdir().unwrap();
    for (set, words) in [
        ("16x4", "WAYSxKERNELSxSETSxBANKS"),
        ("4x4x63x1", "SETS is a power of two"),
    ] {
        let output = run(&examples().join("integration"), &[], set, out.path());
        assert_eq!(output.status.code(), Some(2), "{set}: {}", said(&output));
        assert!(said(&output).contains(words), "{set}: {}", said(&output));
    }
}

/// What sees a wrong connection.
#[derive(PartialEq)]
enum Seen {
    /// The comparison of the cache's answers with the monitor's.
    Answers,
    /// The counters alone.
    Counters,
    /// The running period, which is to be empty after the last one was read.
    Period,
}

/// Runs a copy of the example with some texts of its files replaced: file, from, to.
fn changed(options: &[&str], edits: &[(&str, &str, &str)]) -> Output {
    changed_with(options, edits, None)
}

/// The same with a trace.
fn changed_with(options: &[&str], edits: &[(&str, &str, &str)], trace: Option<&str>) -> Output {
    let copy = tempfile::tempdir().unwrap();
    if let Some(trace) = trace {
        std::fs::write(copy.path().join(SHARED), trace).unwrap();
    }
    for entry in std::fs::read_dir(examples().join("integration")).unwrap() {
        let path = entry.unwrap().path();
        // In a folder there is an example of its own.
        if path.is_file() {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    for (file, from, to) in edits {
        let path = copy.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
    }
    let out = copy.path().join("out");
    std::fs::create_dir_all(out.join("verilator")).unwrap();
    let mut flags = String::from("-O1");
    for (name, object) in LIBRARY.iter() {
        std::fs::write(out.join("verilator").join(name), object).unwrap();
        flags += &format!(" -MAKEFLAGS --old-file={name}");
    }
    run_with(copy.path(), options, SET, &out, &flags)
}

/// The example with one text replaced must fail.
fn broken(file: &str, from: &str, to: &str, seen: Seen) {
    let output = changed(&[], &[(file, from, to)]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{to}: {text}");
    let answers = text.contains("cache and monitor differ");
    assert_eq!(answers, seen == Seen::Answers, "{to}: {text}");
    let said = match seen {
        Seen::Answers => "cache and monitor differ",
        Seen::Counters => "FAIL: the monitor counted something else",
        Seen::Period => "in the new period, expected none",
    };
    assert!(text.contains(said), "{to}: {text}");
}

const TOP: &str = "monitored_cache.v";

#[test]
fn kernel_ids_swapped() {
    broken(
        TOP,
        ".access_requester(decide_requester)",
        ".access_requester(decide_requester ^ 1)",
        Seen::Counters,
    );
}

#[test]
fn set_bits_shifted() {
    broken(
        TOP,
        ".request_set(decide_set)",
        ".request_set(decide_set >> 1)",
        Seen::Answers,
    );
}

#[test]
fn tag_bit_lost() {
    broken(
        TOP,
        ".access_tag(decide_tag)",
        ".access_tag(decide_tag | 1)",
        Seen::Answers,
    );
}

#[test]
fn invalidation_not_heard() {
    broken(
        TOP,
        ".invalidate_valid(decide_invalidate)",
        ".invalidate_valid(decide_invalidate & {BANKS{1'b0}})",
        Seen::Answers,
    );
}

#[test]
fn another_way_invalidated() {
    broken(
        TOP,
        ".invalidate_way(decide_way)",
        ".invalidate_way(~decide_way)",
        Seen::Answers,
    );
}

// Then the request before the flush is lost to the monitor.
#[test]
fn flush_a_cycle_early() {
    broken(
        TOP,
        "always @(posedge clock) flush_decided <=",
        "always @* flush_decided =",
        Seen::Answers,
    );
}

#[test]
fn flush_not_heard() {
    broken(
        TOP,
        ".flush(flush_decided)",
        ".flush(flush_decided & 1'b0)",
        Seen::Answers,
    );
}

// Then the last access belongs to the next period: the cycle in the README is
// the first that will do.
#[test]
fn snapshot_a_cycle_early() {
    broken(
        "main.cpp",
        "n < DECIDES + 4 + STAGES",
        "n < DECIDES + 3 + STAGES",
        Seen::Counters,
    );
}

#[test]
fn victim_and_aggressor_exchanged() {
    broken(
        TOP,
        ".read_victim(read_victim),\n      .read_aggressor(read_aggressor)",
        ".read_victim(read_aggressor),\n      .read_aggressor(read_victim)",
        Seen::Counters,
    );
}

// Then the last period is read twice.
#[test]
fn live_reads_not_connected() {
    broken(
        TOP,
        ".read_live(read_live)",
        ".read_live(read_live & 1'b0)",
        Seen::Period,
    );
}

// The README says how: a cache that fills way 0 first numbers its ways the other way round.
#[test]
fn a_cache_that_fills_way_0_first() {
    let output = changed(
        &[],
        &[
            (
                "cache_bank.v",
                "age_next[v*WAY_W +: WAY_W] = v[WAY_W-1:0]",
                "age_next[v*WAY_W +: WAY_W] = ~v[WAY_W-1:0]",
            ),
            (
                TOP,
                ".invalidate_way(decide_way)",
                ".invalidate_way(~decide_way)",
            ),
            (TOP, "early_way}", "early_way ^ {WAY_W{early_valid}}}"),
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
