//! Rationale: the exported Verilog does what the golden model does, as two simulators see it that
//! share nothing with this code: Icarus, which knows X, and Verilator, which compiles. Each unit
//! in each test set (behind a bus in the smaller ones) plays the vectors that a user would export,
//! by the Makefile that a user would run. Saturation takes more than a default run can count, so it
//! has vectors of its own, with the narrowest counters and the widest increments. A check that
//! cannot fail is none: a fault of each unit, one bit flipped in the vectors, lines lost, and a flop
//! without reset must each be seen.
#![allow(missing_docs)]

mod unknowns;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::common::faults::{faulty_units, Faulty};
use crate::common::recorded::{self, Recorded};
use crate::common::{distinct_test_sets, fewest_cycles};
use cotenant::export::{
    export_named, simulate, Error, Exported, Options, Simulator, Vectors, Verdict,
};
use cotenant::registry::UNITS;
use cotenant::verify::lockstep::Flow;
use cotenant::verify::stimulus::{Mix, Profile};
use cotenant::verify::vectors::Place;
use cotenant_netlist::vectors::{Column, Reader};
use cotenant_units::table;
use tempfile::TempDir;
use unknowns::unknowns;

const SIMULATORS: [Simulator; 2] = [Simulator::Icarus, Simulator::Verilator];
/// Compiling takes longer than running.
const QUICK: [&str; 2] = ["CXX_OPT=-O0", "VERILATOR_FLAGS=-O1"];
/// The same where Verilator's library is compiled already.
const QUICKER: [&str; 2] = [
    "CXX_OPT=-O0",
    "VERILATOR_FLAGS=-O1 -MAKEFLAGS '-o verilated.o -o verilated_threads.o'",
];
/// Time of the first rising edge in a testbench's wave.
const FIRST_EDGE: u64 = 10;

fn exported(unit: &str, set: &str, vectors: Vectors) -> (TempDir, Exported) {
    with_options(unit, set, &Options::default().with_testbench(vectors))
}

fn with_fault(unit: &str, set: &str, vectors: Vectors, fault: &str) -> (TempDir, Exported) {
    let options = Options::default().with_testbench(vectors);
    with_options(unit, set, &options.with_fault(fault))
}

fn with_options(unit: &str, set: &str, options: &Options) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("export");
    let exported = export_named(unit, set, &folder, options, &mut |_| Flow::Continue);
    (
        parent,
        exported.unwrap_or_else(|e| panic!("{unit} {set}: {e}")),
    )
}

/// Verilator's own library, compiled by the first run for all the others.
static LIBRARY: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();

fn try_play(folder: &Path, simulator: Simulator) -> Result<Verdict, Error> {
    if simulator != Simulator::Verilator {
        return simulate(folder, simulator, &[]);
    }
    let objects = folder.join("build/verilator");
    let known = LIBRARY.get();
    if let Some(library) = known {
        std::fs::create_dir_all(&objects).unwrap();
        library
            .iter()
            .for_each(|(name, object)| std::fs::write(objects.join(name), object).unwrap());
    }
    let verdict = simulate(
        folder,
        simulator,
        if known.is_some() { &QUICKER } else { &QUICK },
    );
    if verdict.is_ok() {
        let read = |name| (name, std::fs::read(objects.join(name)).unwrap());
        LIBRARY.get_or_init(|| ["verilated.o", "verilated_threads.o"].map(read).into());
    }
    verdict
}

fn play(folder: &Path, simulator: Simulator) -> Verdict {
    try_play(folder, simulator).unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
}

#[track_caller]
fn passes(exported: &Exported, cycles: u64) {
    for simulator in SIMULATORS {
        passes_in(simulator, exported, cycles);
    }
}

#[track_caller]
fn passes_in(simulator: Simulator, exported: &Exported, cycles: u64) {
    let verdict = play(&exported.folder, simulator);
    let manifest = &exported.manifest;
    let compared = defined(exported);
    assert_eq!(
        verdict,
        Verdict::Pass { cycles, compared },
        "{} {} in {simulator:?}",
        manifest.unit,
        manifest.set
    );
}

/// Cycles whose outputs are all defined: not the first of reset, nor those before a RAM is ready.
fn defined(exported: &Exported) -> u64 {
    let file = File::open(vectors_of(exported)).unwrap();
    let mut vectors = Reader::new(BufReader::new(file)).unwrap();
    let header = vectors.header().clone();
    // The words before its own.
    let ready = header.outputs.iter().position(|port| port.name == "ready");
    let ready = ready.map(|port| {
        header.outputs[..port]
            .iter()
            .map(Column::words)
            .sum::<usize>()
    });
    let (mut cycle, mut defined) = (0, 0);
    while vectors.advance().unwrap() {
        let is_ready = ready.is_none_or(|word| vectors.outputs()[word] == 1);
        defined += u64::from(cycle >= header.compare_from && is_ready);
        cycle += 1;
    }
    defined
}

#[track_caller]
fn fails(folder: &Path, why: &str) {
    for simulator in SIMULATORS {
        match play(folder, simulator) {
            Verdict::Fail { report } => assert!(report.contains("FAIL "), "{why}: {report}"),
            pass => panic!("{why} in {simulator:?}: {pass:?}"),
        }
    }
}

/// What a run of `make waves` printed, and signals that are X after the first edge of reset; in a
/// design with RAM, which starts unknown, while it is ready.
fn waves_of(exported: &Exported) -> (String, Vec<String>) {
    let output = Command::new("make")
        .arg("-C")
        .arg(&exported.folder)
        .arg("waves")
        .output();
    let output = output.expect("make does not start: run scripts/setup");
    let wave = exported
        .folder
        .join("build")
        .join(format!("{}.vcd", exported.design.top));
    assert!(wave.exists(), "{}", String::from_utf8_lossy(&output.stderr));
    let unknown = unknowns(&wave, FIRST_EDGE).into_iter().collect();
    (String::from_utf8(output.stdout).unwrap(), unknown)
}

/// Verilator plays more cycles than Icarus, which is slow, but knows X.
fn same_in_both_simulators(unit: &str) {
    for set in distinct_test_sets(unit) {
        let (_parent, longer) = exported(unit, set, Vectors::default());
        let played = || passes_in(Simulator::Verilator, &longer, 10_000);
        let digest = recorded::digest(&longer.folder);
        recorded().check(&format!("{unit} {set} in Verilator"), &digest, played);
        let cycles = fewest_cycles(unit, &table::set(unit, set).unwrap());
        let (_parent, shorter) = exported(unit, set, Vectors::default().cycles(cycles));
        let played = || plays_without_unknowns(&shorter, cycles);
        let digest = recorded::digest(&shorter.folder);
        recorded().check(&format!("{unit} {set} in Icarus"), &digest, played);
    }
}

fn plays_without_unknowns(exported: &Exported, cycles: u64) {
    let (unit, set) = (&exported.manifest.unit, &exported.manifest.set);
    let (said, unknown) = waves_of(exported);
    let pass = format!("PASS {cycles} cycles, {} compared", defined(exported));
    assert!(
        said.lines().any(|line| line == pass),
        "{unit} {set}: {said}"
    );
    assert!(
        unknown.is_empty(),
        "{unit} {set}: X after reset: {unknown:?}"
    );
}

fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| Recorded::of("cosim"))
}

#[test]
fn what_is_recorded_is_there() {
    recorded::names_sets("cosim");
}

/// A test per unit.
macro_rules! units_play {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            same_in_both_simulators(stringify!($name));
        }
    )*};
}
cotenant_units::units!(units_play);

#[test]
fn the_units_faults_are_of_several_kinds() {
    let units: Vec<&str> = faulty_units().iter().map(|faulty| faulty.unit).collect();
    assert_eq!(units, table::units());
    let kinds: BTreeSet<&str> = faulty_units().iter().map(|faulty| faulty.kind).collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
}

#[test]
fn other_pipelines_and_no_powers_of_two() {
    for (unit, set) in [
        ("gdcu", "4x4x21s0"),
        ("gdcu", "4x4x21s2"),
        ("gdcu", "4x4x21s3"),
        ("gdcu", "3x3x16"),
        ("lru_stack", "6x3"),
    ] {
        let (_parent, exported) = exported(unit, set, Vectors::default().cycles(3000));
        passes(&exported, 3000);
    }
}

#[test]
fn saturation_is_played_and_a_lost_overflow_is_seen() {
    for unit in ["counter_matrix", "gdcu"] {
        // Long stretches without a snapshot, so that counters fill, and then some.
        let mut stretches = vec![Profile::Saturation; 14];
        stretches.push(Profile::Bursts);
        let played = Vectors::default().cycles(30_000).mix(Mix::new(stretches));
        let (_parent, exported) = exported(unit, "32x2x16", played.clone());
        let file = File::open(vectors_of(&exported)).unwrap();
        let mut vectors = Reader::new(BufReader::new(file)).unwrap();
        let ports = &vectors.header().outputs;
        let overflow = ports.iter().position(|port| port.name == "overflow");
        let overflow = overflow.unwrap();
        let mut overflowed = 0;
        // No output is wider than a word.
        while vectors.advance().unwrap() {
            overflowed |= vectors.outputs()[overflow];
        }
        assert!(overflowed != 0, "{unit}: nothing overflows");
        passes(&exported, 30_000);
        // Of a victim that does, the marks are lost.
        let victim = overflowed.trailing_zeros();
        let matrix = if unit == "gdcu" { "matrix." } else { "" };
        let lost = format!("lost write: {matrix}passed[{victim}]");
        let (_parent, faulty) = with_fault(unit, "32x2x16", played, &lost);
        fails(&faulty.folder, &lost);
    }
}

#[test]
fn a_flop_without_reset_is_seen_in_icarus() {
    let vectors = Vectors::default().cycles(2000);
    let unreset = "missing reset: owner[3]";
    let (_parent, exported) = with_fault("lru_stack", "figure-2", vectors, unreset);
    let (_, unknown) = waves_of(&exported);
    assert!(unknown.contains(&"dut.owner_3".into()), "{unknown:?}");
    let verdict = play(&exported.folder, Simulator::Icarus);
    assert!(matches!(verdict, Verdict::Fail { .. }), "{verdict:?}");
}

#[test]
fn a_faulty_unit_fails() {
    for Faulty {
        unit, set, fault, ..
    } in faulty_units()
    {
        let (_parent, exported) = with_fault(unit, set, Vectors::default(), fault);
        let digest = recorded::digest(&exported.folder);
        recorded().check(&format!("{unit} {set} with a fault fails"), &digest, || {
            fails(&exported.folder, &format!("{unit}: {fault}"));
        });
    }
}

fn vectors_of(exported: &Exported) -> PathBuf {
    exported.folder.join(format!("{}.vec", exported.design.top))
}

/// Changes the vectors; lines of cycles are in front, from the first on.
fn edit(exported: &Exported, change: impl FnOnce(&mut Vec<String>)) {
    let path = vectors_of(exported);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(String::from);
    let (head, mut lines): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with('#'));
    let (head, tail) = head.split_at(head.len() - 3);
    change(&mut lines);
    let text = [head, &lines, tail].concat().join("\n") + "\n";
    std::fs::write(&path, text).unwrap();
}

/// The lowest bit of the last digit of a line.
fn flip(line: &mut String) {
    let digit = line.pop().unwrap().to_digit(16).unwrap();
    line.push(char::from_digit(digit ^ 1, 16).unwrap());
}

#[test]
fn a_corrupted_vector_fails() {
    let cycles = 1000;
    let (_parent, exported) = exported("lru_stack", "figure-2", Vectors::default().cycles(cycles));
    passes(&exported, cycles);
    let path = vectors_of(&exported);
    let good = std::fs::read_to_string(&path).unwrap();
    let refused = |why: &str| {
        for simulator in SIMULATORS {
            // What cannot be read at all is an error of the run, and no pass either.
            let result = try_play(&exported.folder, simulator);
            let refused = matches!(result, Ok(Verdict::Fail { .. }) | Err(Error::Failed { .. }));
            assert!(refused, "{why} in {simulator:?}: {result:?}");
        }
        std::fs::write(&path, &good).unwrap();
    };
    let broken = |why: &str, change: &dyn Fn(&mut Vec<String>)| {
        edit(&exported, change);
        refused(why);
    };
    broken("an expected bit", &|lines| flip(&mut lines[500]));
    broken("the last bit", &|lines| flip(lines.last_mut().unwrap()));
    broken("lines lost at the end", &|lines| lines.truncate(900));
    broken("a line lost", &|lines| drop(lines.remove(500)));
    broken("no digits", &|lines| {
        lines[500] = lines[500].replace("0 ", "z ")
    });
    broken("a value lost", &|lines| {
        lines[500] = lines[500].split_off(2)
    });
    broken("a bar lost", &|lines| {
        lines[500] = lines[500].replace("| ", "")
    });
    broken("nothing on it", &|lines| lines[500] = String::new());
    // Reset is the first column.
    broken("resets", &|lines| {
        let reset = |line: &mut String| line.replace_range(..1, "1");
        lines[500..600].iter_mut().for_each(reset);
    });
    // Shorter, and it says so: all that is played is right, but not all is played.
    edit(&exported, |lines| lines.truncate(900));
    let short = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, short.replace("# cycles 1000", "# cycles 900")).unwrap();
    refused("fewer cycles");
    for (why, from, to) in [
        (
            "another version",
            "# cotenant-vectors 1",
            "# cotenant-vectors 2",
        ),
        ("no vectors", "# cotenant-vectors 1", "hello"),
        ("no end", "# cycles 1000", "# circles 1000"),
    ] {
        std::fs::write(&path, good.replace(from, to)).unwrap();
        refused(why);
    }
    std::fs::remove_file(&path).unwrap();
    refused("no file");
    passes(&exported, cycles);
}

#[test]
fn a_run_that_compares_nothing_fails() {
    let (_parent, exported) = exported("lru_stack", "figure-2", Vectors::default().cycles(100));
    // Never a reset.
    edit(&exported, |lines| {
        let lower = |line: &mut String| line.replace_range(..1, "0");
        lines.iter_mut().for_each(lower);
    });
    for simulator in SIMULATORS {
        let verdict = play(&exported.folder, simulator);
        let Verdict::Fail { report } = verdict else {
            panic!("{simulator:?}: {verdict:?}")
        };
        let said = "FAIL nothing compared: the vectors never reset";
        assert!(report.contains(said), "{simulator:?}: {report}");
    }
}

#[test]
fn an_export_plays_what_the_vectors_command_writes() {
    for unit in UNITS {
        let vectors = Vectors::default().cycles(300).seed(3);
        let (_parent, exported) = exported(unit.name(), "small", vectors.clone());
        let set = table::set(unit.name(), "small").unwrap();
        let mut text = vec![];
        let place = Place::Stream(&mut text);
        unit.write_vectors(&set, &vectors, place, &mut |_| Flow::Continue)
            .unwrap();
        assert!(
            std::fs::read(vectors_of(&exported)).unwrap() == text,
            "{}",
            unit.name()
        );
    }
}
