//! The program plays its trace into the verilated design.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::{Access, Op};
use serde_json::Value;
use tempfile::TempDir;

use super::{examples, run, said, SET};
use crate::common::command;

const GEOMETRY: Geometry = Geometry {
    sets: 64,
    ways: 4,
    line: 128,
    kernels: 4,
    banks: 1,
};

pub(crate) fn trace() -> PathBuf {
    examples().join("traces/four_kernels.csv")
}

/// Demotions and evictions after each access of the trace, `[access][victim][aggressor]`.
pub(crate) struct Course {
    pub(crate) demotions: Vec<Vec<Vec<u64>>>,
    pub(crate) evictions: Vec<Vec<Vec<u64>>>,
}

/// What the golden cache counts, access by access.
pub(crate) static COURSE: LazyLock<Course> = LazyLock::new(|| {
    let mut cache = Fast::new(GEOMETRY).unwrap();
    let mut course = Course {
        demotions: vec![],
        evictions: vec![],
    };
    for line in std::fs::read_to_string(trace()).unwrap().lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let Ok(kernel) = fields[0].parse() else {
            continue;
        };
        let address = u64::from_str_radix(fields[2].trim_start_matches("0x"), 16).unwrap();
        cache
            .access(&Access::at(kernel, Op::Read, address, 128))
            .unwrap();
        let counts = cache.counts();
        course.demotions.push(counts.gdc);
        course.evictions.push(counts.ike);
    }
    course
});

/// Runs the example's script; gives the folder of what it made.
pub(crate) fn example(options: &[&str], bus: &str, set: &str, trace: &Path) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let text = run(Command::new(examples().join("driver/run"))
        .args(options)
        .args([bus, set])
        .arg(trace)
        .arg(out.path())
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        // Compiling takes longer than running.
        .env("VERILATOR_FLAGS", "-O1")
        .env("CXX_OPT", "-O0"));
    let verdict = "PASS: the driver read what the golden model counted";
    assert_eq!(text.lines().last(), Some(verdict), "{text}");
    out
}

pub(crate) static APB: LazyLock<TempDir> = LazyLock::new(|| example(&[], "apb", SET, &trace()));
static AXI: LazyLock<TempDir> = LazyLock::new(|| example(&[], "axi", SET, &trace()));

pub(crate) fn budget(program: &Path, arguments: &str, trace: &Path) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(program)
        .args(arguments)
        .arg(trace)
        .output()
        .unwrap()
}

/// What the program prints with `--json`.
fn json(made: &TempDir, arguments: &str) -> Value {
    let output = budget(&made.path().join("budget"), arguments, &trace());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Counts and shares are the golden model's.
fn agrees(read: &Value) {
    let trace = trace();
    let arguments = "replay --json --no-lockstep --sets 64 --ways 4 --line 128 --kernels 4 --trace";
    let mut arguments: Vec<&str> = arguments.split(' ').collect();
    arguments.push(trace.to_str().unwrap());
    let replay: Value =
        serde_json::from_str(&run(&mut command(&arguments, Path::new(".")))).unwrap();
    for name in ["accesses", "kernels", "gdc", "ike"] {
        assert_eq!(read[name], replay[name], "{name}");
    }
    // The driver's shares are whole billionths, rounded to nearest.
    let half = 0.5e-9 + f64::EPSILON;
    for name in ["share_gdc", "share_plob", "share_plob_with_self"] {
        let (rows, expected) = (rows(&read[name]), rows(&replay[name]));
        assert_eq!(rows.len(), 4, "{name}");
        for (one, other) in rows.concat().iter().zip(expected.concat()) {
            assert!((one - other).abs() <= half, "{name}: {one}, replay {other}");
        }
    }
}

fn rows(matrix: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(matrix.clone()).unwrap()
}

/// Accesses from the one that is too much to the interrupt, at most: it is counted 4 + STAGES
/// cycles later, the scanner comes to its pair within a round of both matrices, and four cycles
/// later the line is high.
const LATE: u64 = 5 + 2 * 4 * 4 - 1 + 4;

/// Each budget was reported once, in time, with the count that the golden model has there.
pub(crate) fn in_time(read: &Value, budgets: &[(&str, usize, usize, u64)]) {
    let reports = read["exceeded"].as_array().unwrap();
    assert_eq!(reports.len(), budgets.len(), "{reports:?}");
    for &(events, victim, aggressor, limit) in budgets {
        let of_pair = |report: &&Value| {
            report["events"] == events
                && report["victim"] == victim
                && report["aggressor"] == aggressor
        };
        let report = reports
            .iter()
            .find(of_pair)
            .expect("the budget is reported");
        let course = match events {
            "demotions" => &COURSE.demotions,
            _ => &COURSE.evictions,
        };
        let counted = |access: u64| course[access as usize - 1][victim][aggressor];
        let access = report["access"].as_u64().unwrap();
        assert_eq!(report["limit"], limit);
        assert_eq!(report["count"], counted(access), "{report}");
        assert!(counted(access) > limit, "{report}");
        let first = (1..).find(|access| counted(*access) > limit).unwrap();
        assert!(
            access - first <= LATE,
            "{report}, exceeded by access {first}"
        );
    }
}

pub(crate) const BUDGETS: [(&str, usize, usize, u64); 4] = [
    ("demotions", 0, 1, 1000),
    ("evictions", 0, 3, 40),
    // A pair with itself, and a budget of nothing.
    ("demotions", 1, 1, 2000),
    ("evictions", 3, 2, 0),
];

pub(crate) fn options(budgets: &[(&str, usize, usize, u64)]) -> String {
    let options = budgets.iter().map(|(events, victim, aggressor, limit)| {
        format!("--{events} {victim}:{aggressor}:{limit} ")
    });
    options.collect::<String>() + "--json"
}

#[test]
fn budgets_and_counts_behind_apb() {
    let read = json(&APB, &options(&BUDGETS));
    assert_eq!(read["bus"], "APB4");
    assert_eq!(read["periods"], 1);
    agrees(&read);
    in_time(&read, &BUDGETS);
}

#[test]
fn budgets_and_counts_behind_axi() {
    let read = json(&AXI, &options(&BUDGETS));
    assert_eq!(read["bus"], "AXI4-Lite");
    agrees(&read);
    in_time(&read, &BUDGETS);
}

// Ports wider than a word, and more lines than the cache has, so that there is something to count.
#[test]
fn four_banks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.csv");
    let mut text = String::from("kernel,op,address\n");
    let mut state = 0x9e37_u64;
    for n in 0..20_000_u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let line = ((n % 4) << 36) | ((state >> 40) % 2000);
        writeln!(text, "{},R,{:#x}", n % 4, 128 * line).unwrap();
    }
    std::fs::write(&path, text).unwrap();
    let made = example(&[], "apb", "16x4x64x4", &path);
    let output = budget(
        &made.path().join("budget"),
        "--json --evictions 0:3:0",
        &path,
    );
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["exceeded"][0]["aggressor"], 3, "{read}");
    let evictions: Vec<Vec<u64>> = serde_json::from_value(read["ike"].clone()).unwrap();
    assert!(
        evictions.concat().iter().all(|count| *count > 0),
        "{evictions:?}"
    );
}

// A budget of as many events as there are is none that is exceeded.
#[test]
fn within_budget_there_is_no_interrupt() {
    let all = COURSE.demotions.last().unwrap()[0][1];
    let read = json(&APB, &options(&[("demotions", 0, 1, all)]));
    assert_eq!(read["exceeded"], Value::Array(vec![]));
    in_time(
        &json(&APB, &options(&[("demotions", 0, 1, all - 1)])),
        &[("demotions", 0, 1, all - 1)],
    );
}

// The timer ends periods between any two accesses, and during readings; no event may be lost or
// counted twice, and a budget holds anew in each. In the shorter periods many an interrupt is
// answered when its period is over.
#[test]
fn periods_add_up() {
    for (made, period, limit) in [(&APB, 1000, 100), (&APB, 400, 30), (&AXI, 1000, 100)] {
        let options = format!("--json --period {period} --demotions 0:1:{limit}");
        let read = json(made, &options);
        agrees(&read);
        let periods = read["periods"].as_u64().unwrap();
        assert!(periods > 5, "{read}");
        let reports = read["exceeded"].as_array().unwrap();
        assert!(
            reports.len() > 5 && reports.len() as u64 <= periods,
            "{read}"
        );
        for report in reports {
            assert!(report["count"].as_u64() > Some(limit), "{report}");
        }
    }
}

#[test]
fn a_period_shorter_than_a_reading_is_refused() {
    let output = budget(&APB.path().join("budget"), "--period 100", &trace());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let words = "counts of the period: snapshots overtook every reading";
    assert!(said(&output).contains(words), "{}", said(&output));
}

#[test]
fn what_the_program_cannot_use_is_refused() {
    let program = APB.path().join("budget");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.csv");
    let lines = [
        (
            "9,R,0x80",
            "bad.csv:2: a kernel that the monitor does not have",
        ),
        ("0,R,zebra", "bad.csv:2: expected an address"),
        ("0,X,0x80", "bad.csv:2: expected kernel,op,address"),
        ("0,R,0x8000000000000", "bad.csv:2: an address wider than"),
    ];
    for (line, words) in lines {
        std::fs::write(&path, format!("kernel,op,address\n{line}\n")).unwrap();
        let output = budget(&program, "--json", &path);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(said(&output).contains(words), "{line}: {}", said(&output));
    }
    let options = [
        ("--demotions 0:4:1", "arm: an argument is beyond"),
        ("--demotions 0:1", "expected a number, or V:A:LIMIT"),
        ("--unknown", "usage: budget"),
    ];
    for (option, words) in options {
        let output = budget(&program, option, &trace());
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(said(&output).contains(words), "{option}: {}", said(&output));
    }
    let output = budget(&program, "", Path::new("/no/trace"));
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("/no/trace: cannot be opened"));
}

// The README shows what the program prints.
#[test]
fn the_readme_is_up_to_date() {
    let readme = std::fs::read_to_string(examples().join("driver/README.md")).unwrap();
    let printed = std::fs::read_to_string(APB.path().join("budget.txt")).unwrap();
    assert!(
        readme.contains(printed.trim_end()),
        "expected in the README:\n{printed}"
    );
}
