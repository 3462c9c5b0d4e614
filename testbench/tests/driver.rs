//! Rationale: what `examples/driver` promises to who drives the units from software. The C program
//! plays a trace into the verilated design, on both buses, and must read what the golden model
//! counts, be called for each exceeded budget, and neither too early nor too late. The driver's own
//! tests see every error against a fake bus; both they and the comparison with the golden model
//! must fail when header or driver are broken. What a port would have to supply, the driver must
//! not ask for: no C library.
#![allow(missing_docs)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::{Access, Op};
use serde_json::Value;
use tempfile::TempDir;

use common::command;

const SET: &str = "4x4x64x1";
const GEOMETRY: Geometry = Geometry {
    sets: 64,
    ways: 4,
    line: 128,
    kernels: 4,
    banks: 1,
};
const STRICT: &str = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn trace() -> PathBuf {
    examples().join("traces/four_kernels.csv")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs a command that must succeed; what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn cc(flags: &str, folder: &Path) -> Command {
    let mut cc = Command::new("cc");
    cc.args(flags.split_whitespace()).current_dir(folder);
    cc.arg(format!("-I{}", folder.display()));
    cc
}

/// The C header of a unit's registers.
fn header(unit: &str, set: &str) -> String {
    let arguments = ["registers", unit, "--set", set, "--format", "c"];
    run(&mut command(&arguments, Path::new(".")))
}

static LLC_HEADER: LazyLock<String> = LazyLock::new(|| header("llc_monitor_apb", SET));
static ISSUE_HEADER: LazyLock<String> = LazyLock::new(|| header("mem_issue_apb", "2-milg-qbmi"));

// The driver is compiled once for all.
#[test]
fn one_header_for_all_sets_and_buses() {
    for (unit, set) in [("llc_monitor_apb", "2x2x16x1"), ("llc_monitor_axi", SET)] {
        assert_eq!(header(unit, set), *LLC_HEADER, "{unit} {set}");
    }
    for (unit, set) in [
        ("mem_issue_apb", "2-smil-rbmi"),
        ("mem_issue_axi", "8-milg-qbmi"),
    ] {
        assert_eq!(header(unit, set), *ISSUE_HEADER, "{unit} {set}");
    }
}

/// The driver's sources and the two headers, in a folder of their own.
fn sources() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for from in ["driver", "driver/tests"] {
        for entry in std::fs::read_dir(examples().join(from)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    for (name, header) in [("llc", &LLC_HEADER), ("issue", &ISSUE_HEADER)] {
        let path = folder.path().join(format!("cotenant_{name}_registers.h"));
        std::fs::write(path, &**header).unwrap();
    }
    folder
}

/// Replaces the one place where `from` stands.
fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        text.matches(from).count(),
        1,
        "{from} in {}",
        file.display()
    );
    std::fs::write(file, text.replace(from, to)).unwrap();
}

/// Compiles and runs one of the driver's own tests.
fn unit_test(folder: &Path, unit: &str) -> Output {
    let program = folder.join(unit);
    let sources = [
        format!("{unit}_test.c"),
        format!("cotenant_{unit}.c"),
        "cotenant.c".into(),
    ];
    run(cc(STRICT, folder).args(&sources).arg("-o").arg(&program));
    Command::new(program).output().unwrap()
}

#[test]
fn the_driver_sees_every_error() {
    let folder = sources();
    for unit in ["llc", "issue"] {
        let output = unit_test(folder.path(), unit);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let text = said(&output);
        let checks = text.strip_prefix(&format!("{unit}_test: ")).unwrap();
        let (checks, rest) = checks.split_once(" checks, ").unwrap();
        assert!(checks.parse::<u32>().unwrap() > 100, "{text}");
        assert_eq!(rest, "0 failed\n");
    }
}

// Each is a check or an order of accesses that a careless port might drop.
#[test]
fn a_broken_driver_fails_its_tests() {
    let cases = [
        ("llc", "cotenant.c", "if (id != expected->id)", "if (0)"),
        (
            "llc",
            "cotenant.c",
            "!= expected->major)",
            "< expected->major)",
        ),
        ("issue", "cotenant.c", "unit == expected->unit ?", "unit ?"),
        ("llc", "cotenant.c", "2 * rest == whole &&", "0 &&"),
        (
            "llc",
            "cotenant_llc.c",
            "if (after != counts->sequence) continue;",
            "(void)after;",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "status &= enable;",
            "(void)enable;",
        ),
        ("llc", "cotenant_llc.c", "over &= mask;", ""),
        (
            "llc",
            "cotenant_llc.c",
            "counts->overflow_hits || counts->overflow_misses",
            "counts->overflow_hits",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "mask_at(matrix, victim), mask & ~over",
            "mask_at(matrix, victim), mask",
        ),
        (
            "issue",
            "cotenant_issue.c",
            "if (after == state->sequence) return",
            "if (after) return",
        ),
        (
            "issue",
            "cotenant_issue.c",
            "quota_width > 32)",
            "quota_width > 0)",
        ),
    ];
    for (unit, file, from, to) in cases {
        let folder = sources();
        edit(&folder.path().join(file), from, to);
        let output = unit_test(folder.path(), unit);
        assert_eq!(output.status.code(), Some(1), "{to}: {}", said(&output));
        assert!(said(&output).contains(": not so: "), "{to}");
    }
}

// Memory is copied and cleared by the compiler's own calls; nothing else may be missing.
#[test]
fn the_driver_asks_for_no_library() {
    let folder = sources();
    let objects = ["cotenant", "cotenant_llc", "cotenant_issue"].map(|stem| {
        let flags = format!("{STRICT} -ffreestanding -Os -c {stem}.c");
        run(&mut cc(&flags, folder.path()));
        format!("{stem}.o")
    });
    let linked = cc("-r -nostdlib -o driver.o", folder.path())
        .args(objects)
        .output();
    assert!(linked.unwrap().status.success());
    let missing = run(Command::new("nm")
        .args(["-u", "driver.o"])
        .current_dir(folder.path()));
    let missing = missing.split_whitespace().filter(|word| *word != "U");
    let unexpected: Vec<&str> = missing
        .filter(|name| !["memcpy", "memset"].contains(name))
        .collect();
    assert_eq!(unexpected, [""; 0]);
}

/// Demotions and evictions after each access of the trace, `[access][victim][aggressor]`.
struct Course {
    demotions: Vec<Vec<Vec<u64>>>,
    evictions: Vec<Vec<Vec<u64>>>,
}

/// What the golden cache counts, access by access.
static COURSE: LazyLock<Course> = LazyLock::new(|| {
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
fn example(bus: &str, set: &str) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let text = run(Command::new(examples().join("driver/run"))
        .args([bus, set])
        .arg(trace())
        .arg(out.path())
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        // Compiling takes longer than running.
        .env("VERILATOR_FLAGS", "-O1")
        .env("CXX_OPT", "-O0"));
    let verdict = "PASS: the driver read what the golden model counted";
    assert_eq!(text.lines().last(), Some(verdict), "{text}");
    out
}

static APB: LazyLock<TempDir> = LazyLock::new(|| example("apb", SET));
static AXI: LazyLock<TempDir> = LazyLock::new(|| example("axi", SET));

fn budget(program: &Path, arguments: &str, trace: &Path) -> Output {
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

/// Accesses from the one that is too much to the interrupt, at most: it is counted 3 + STAGES
/// cycles later, the scanner comes to its pair within a round of both matrices, and four cycles
/// later the line is high.
const LATE: u64 = 4 + 2 * 4 * 4 - 1 + 4;

/// Each budget was reported once, in time, with the count that the golden model has there.
fn in_time(read: &Value, budgets: &[(&str, usize, usize, u64)]) {
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

const BUDGETS: [(&str, usize, usize, u64); 4] = [
    ("demotions", 0, 1, 1000),
    ("evictions", 0, 3, 40),
    // A pair with itself, and a budget of nothing.
    ("demotions", 1, 1, 2000),
    ("evictions", 3, 2, 0),
];

fn options(budgets: &[(&str, usize, usize, u64)]) -> String {
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

/// Runs the program of the APB example with another header under the driver.
fn with_header(edits: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("cotenant_llc_registers.h");
    std::fs::write(&header, &*LLC_HEADER).unwrap();
    for (from, to) in edits {
        edit(&header, &format!("{from}\n"), &format!("{to}\n"));
    }
    let object = folder.path().join("cotenant_llc.o");
    let driver = examples().join("driver");
    run(cc(STRICT, folder.path())
        .arg(format!("-I{}", driver.display()))
        .arg("-c")
        .arg(driver.join("cotenant_llc.c"))
        .arg("-o")
        .arg(&object));
    let program = folder.path().join("budget");
    let made = |folder: &str, names: &[&str]| -> Vec<PathBuf> {
        names
            .iter()
            .map(|name| APB.path().join(folder).join(name))
            .collect()
    };
    run(Command::new("g++")
        .arg(object)
        .args(made(
            "objects",
            &["cotenant.o", "budget.o", "trace.o", "report.o"],
        ))
        .args(made("verilator", &["design.o", "bus_apb.o", "verilated.o"]))
        .args(made(
            "verilator",
            &["verilated_threads.o", "Vdesign__ALL.a"],
        ))
        .args(["-pthread", "-o"])
        .arg(&program));
    budget(&program, &options(&BUDGETS[..1]), &trace())
}

#[test]
fn a_wrong_header_is_seen() {
    let define = |name: &str, value: &str| format!("#define COTENANT_LLC_{name} {value}");
    // As it is, all is well.
    let output = with_header(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    in_time(
        &serde_json::from_slice(&output.stdout).unwrap(),
        &BUDGETS[..1],
    );

    let refused = [
        (
            "ID_VALUE_EXPECTED",
            "0x434f544eu",
            "0x4e544f43u",
            "no unit of Cotenant here",
        ),
        (
            "UNIT_VALUE_EXPECTED",
            "0x1u",
            "0x2u",
            "another unit of Cotenant",
        ),
        (
            "VERSION_MAJOR_EXPECTED",
            "0x1u",
            "0x2u",
            "another major version",
        ),
        ("HITS_OFFSET", "0x1000u", "0x1100u", "(offset 0x1100)"),
        ("STATUS_READY_MASK", "0x1u", "0x2u", "the unit still sweeps"),
    ];
    for (name, from, to, words) in refused {
        let output = with_header(&[(&define(name, from), &define(name, to))]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", said(&output));
        assert!(said(&output).contains(words), "{name}: {}", said(&output));
    }

    let exchanged = [
        (
            define("GDC_OFFSET", "0x800u"),
            define("GDC_OFFSET", "0xc00u"),
        ),
        (
            define("GDC_ROW_STRIDE", "0x40u"),
            define("GDC_ROW_STRIDE", "0x4u"),
        ),
        (
            define("GDC_COLUMN_STRIDE", "0x4u"),
            define("GDC_COLUMN_STRIDE", "0x40u"),
        ),
    ];
    let exchanged = exchanged.each_ref().map(|(from, to)| (&**from, &**to));
    for edits in [&exchanged[..1], &exchanged[1..]] {
        let output = with_header(edits);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{edits:?}: {}",
            said(&output)
        );
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        let counted = serde_json::to_value(COURSE.demotions.last().unwrap()).unwrap();
        assert_ne!(read["gdc"], counted, "{edits:?}");
    }

    let (name, from, to) = ("DEMOTION_MASK_OFFSET", "0x100u", "0x140u");
    let output = with_header(&[(&define(name, from), &define(name, to))]);
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["exceeded"], Value::Array(vec![]), "{name}");
}

// The fake bus has the header's offsets; the unit has its own.
#[test]
fn limits_and_counts_of_mem_issue() {
    let folder = sources();
    let export = "export mem_issue_apb --set 2-smil-rbmi --out unit";
    let arguments: Vec<&str> = export.split(' ').collect();
    run(&mut command(&arguments, folder.path()));
    for stem in ["cotenant", "cotenant_issue"] {
        run(&mut cc(&format!("{STRICT} -c {stem}.c"), folder.path()));
    }
    let files = std::fs::read_to_string(folder.path().join("unit/files.f")).unwrap();
    let modules: Vec<&str> = files.lines().filter(|line| line.ends_with(".v")).collect();
    let top = modules.last().unwrap().trim_end_matches(".v");
    let driver = examples().join("driver");
    let include = format!(
        "-std=c++17 -I{} -I{}",
        folder.path().display(),
        driver.display()
    );
    run(Command::new("verilator")
        .args("--cc --exe --build -Wall -O1 --prefix Vdesign --top-module".split(' '))
        .args([
            top,
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_GLOBAL=-O0",
            "-CFLAGS",
            &include,
        ])
        .args(modules.iter().map(|file| format!("unit/{file}")))
        .args([
            driver.join("tests/issue_design.cpp"),
            driver.join("bus_apb.cpp"),
        ])
        .args(["../cotenant.o", "../cotenant_issue.o"])
        .current_dir(folder.path()));
    let said = run(&mut Command::new(folder.path().join("obj_dir/Vdesign")));
    assert_eq!(said, "issue_design: as expected behind APB4\n");
}
