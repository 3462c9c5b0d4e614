//! Rationale: an export is made in a script and looked at weeks later. So the folder must be whole
//! or not there, hold what `export.json` says and nothing else, be the same for the same command,
//! never take the place of somebody's files, and never be written from a netlist that differs from
//! the golden model. The command answers each wrong argument with what is right, with exit code 2
//! and with nothing on stdout. What the files do in simulators is tested elsewhere (cosim,
//! verilog_units).
#![allow(missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cotenant::export;
use cotenant::export::{Error, Manifest, Options, Vectors};
use cotenant::unit::llc::Popcnt;
use cotenant::verify::interface::{
    InOf, Interface, OutOf, Packer, ParamsOf, Place, Port, StateField, StateOf,
};
use cotenant::verify::stimulus::{Drive, Knobs, Pace, Profile, Random};
use cotenant_units::table::{self, ParameterSet};
use serde_json::Value;

fn cotenant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command
        .current_dir(folder)
        .arg("export")
        .args(arguments)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn written(folder: &Path, arguments: &[&str]) -> String {
    let output = cotenant(folder, arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output)
}

/// Says why not, and does nothing.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], why: &str) {
    let before = names(folder);
    let output = cotenant(folder, arguments);
    assert_eq!(
        output.status.code(),
        Some(2),
        "{arguments:?}: {}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains(why),
        "{arguments:?}: {}",
        stderr(&output)
    );
    assert_eq!(stdout(&output), "", "{arguments:?}");
    assert_eq!(names(folder), before, "{arguments:?}");
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn manifest(folder: &Path) -> Manifest {
    serde_json::from_str(&text(folder, "export.json")).unwrap()
}

#[test]
fn the_folder_holds_what_the_manifest_says() {
    let work = tempfile::tempdir().unwrap();
    let said = written(work.path(), &["gdcu"]);
    let folder = work.path().join("out/export/gdcu_16x4x21");
    assert!(said.contains("out/export/gdcu_16x4x21"), "{said}");
    let plain = manifest(&folder);
    assert_eq!(names(&folder), plain.files.iter().cloned().collect());
    assert_eq!(plain.vectors, None);
    assert_eq!(plain.parameters["WAYS"], 16);
    assert_eq!(plain.aliases, ["table-1"]);
    assert_eq!(plain.sources.last(), Some(&format!("{}.v", plain.top)));
    let list = text(&folder, "files.f");
    let listed: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with("//"))
        .collect();
    assert_eq!(listed, plain.sources);

    written(
        work.path(),
        &["gdcu", "--testbench", "--cycles", "2k", "--seed", "0x7"],
    );
    let bench = manifest(&folder);
    assert_eq!(names(&folder), bench.files.iter().cloned().collect());
    assert_eq!(
        (&bench.netlist, &bench.sources),
        (&plain.netlist, &plain.sources)
    );
    let vectors = bench.vectors.unwrap();
    assert_eq!(
        (vectors.cycles, vectors.reset_cycles, vectors.seed.as_str()),
        (2000, 2, "0x7")
    );
    let lines = text(&folder, &format!("{}.vec", bench.top));
    let cycles = lines.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(cycles.count(), 2000);
    let beside = names(&work.path().join("out/export"));
    assert_eq!(beside.len(), 1, "{beside:?}");
}

#[test]
fn the_readme_tells_ports_names_and_use() {
    let work = tempfile::tempdir().unwrap();
    written(
        work.path(),
        &[
            "lru_stack",
            "--config",
            "12x5",
            "--testbench",
            "--cycles",
            "10",
        ],
    );
    let folder = work.path().join("out/export/lru_stack_12x5");
    let readme = text(&folder, "README.md");
    let manifest = manifest(&folder);
    for port in &manifest.ports {
        let row = format!(
            "| `{}` | {} | {} |",
            port.verilog, port.direction, port.width
        );
        assert!(readme.contains(&row), "{row}\n{readme}");
    }
    for file in manifest
        .files
        .iter()
        .filter(|file| file.starts_with(&manifest.top))
    {
        assert!(readme.contains(file), "{file}\n{readme}");
    }
    for said in [
        "12 values of 3 bits",
        "A word that is reserved gets a `_`",
        "No port of this unit",
        "make icarus",
        "make verilator",
    ] {
        assert!(readme.contains(said), "{said}\n{readme}");
    }
    let without = written(work.path(), &["kid_demux", "--config", "small"]);
    let readme = text(&work.path().join("out/export/kid_demux_2"), "README.md");
    assert!(
        !readme.contains("make icarus") && readme.contains("Combinational"),
        "{without}"
    );
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let work = tempfile::tempdir().unwrap();
    let make = |out: &str, seed: &str| {
        let arguments = [
            "lru_stack",
            "--config",
            "figure-2",
            "--testbench",
            "--cycles",
            "500",
            "--seed",
            seed,
            "--out",
            out,
        ];
        written(work.path(), &arguments);
        let folder = work.path().join(out);
        let files = names(&folder).into_iter();
        files
            .map(|name| (text(&folder, &name), name))
            .collect::<Vec<_>>()
    };
    let first = make("a", "1");
    assert!(first == make("b", "1"), "the same seed gives other files");
    let other = make("c", "2");
    let differing = first
        .iter()
        .zip(&other)
        .filter(|(a, b)| a != b)
        .map(|(a, _)| a.1.as_str());
    let differing: Vec<&str> = differing.collect();
    assert!(
        differing.iter().any(|name| name.ends_with(".vec")),
        "{differing:?}"
    );
    // The seed is told in README and manifest; the Verilog does not depend on it.
    assert!(
        differing.iter().all(|name| !name.ends_with(".v")),
        "{differing:?}"
    );
}

#[test]
fn all_sets_and_json() {
    let work = tempfile::tempdir().unwrap();
    let said = written(
        work.path(),
        &["popcnt", "--config", "all", "--out", "rtl", "--json"],
    );
    let document: Value = serde_json::from_str(&said).unwrap();
    let exports = document["exports"].as_array().unwrap();
    let sets = table::sets("popcnt").unwrap();
    assert_eq!(
        (document["schema"].as_u64(), exports.len()),
        (Some(1), sets.len())
    );
    for (export, set) in exports.iter().zip(&sets) {
        let folder = format!("rtl/popcnt_{}", set.name);
        assert_eq!(export["folder"], *folder);
        assert_eq!(export["set"], set.name);
        let manifest = manifest(&work.path().join(&folder));
        assert_eq!(
            export["files"],
            serde_json::to_value(&manifest.files).unwrap()
        );
    }
}

#[test]
fn wrong_arguments_are_answered() {
    let work = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], why: &str| refused(work.path(), arguments, why);
    refused(&["gdc"], "the nearest is 'gdcu'");
    refused(&["gdcu", "--config", "16x4"], "the nearest is '16x4x21'");
    refused(
        &["gdcu", "--config", "16x4", "--json"],
        "the nearest is '16x4x21'",
    );
    refused(
        &["gdcu", "--testbench", "--cycles", "2"],
        "2 cycles of vectors: expected at least 3",
    );
    refused(
        &["gdcu", "--testbench", "--cycles", "many"],
        "expected a number of cycles",
    );
    refused(
        &["gdcu", "--testbench", "--seed", "x"],
        "expected a 64-bit number",
    );
    refused(&["gdcu", "--cycles", "10"], "--testbench");
    refused(&[], "<UNIT>");
}

#[test]
fn somebodys_files_stay() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    std::fs::write(folder.join("notes"), "mine").unwrap();
    refused(folder, &["gdcu", "--out", "notes"], "notes is in the way");
    refused(folder, &["gdcu", "--out", "."], "--out");
    refused(folder, &["gdcu", "--out", "notes/rtl"], "notes");
    std::fs::create_dir(folder.join("mine")).unwrap();
    std::fs::write(folder.join("mine/a.v"), "module a; endmodule").unwrap();
    refused(folder, &["gdcu", "--out", "mine"], "mine is in the way");
    // An export with a file of somebody's in it.
    written(folder, &["gdcu", "--out", "rtl"]);
    std::fs::write(folder.join("rtl/patch.v"), "mine").unwrap();
    refused(folder, &["gdcu", "--out", "rtl"], "patch.v is in the way");
    assert_eq!(text(folder, "rtl/patch.v"), "mine");
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let work = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.current_dir(work.path()).args(["export", "popcnt"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

/// `popcnt` with a golden model that counts one too many of all ones.
#[derive(Debug, Clone, Copy)]
struct Miscounting;

impl Interface for Miscounting {
    const NAME: &'static str = Popcnt::NAME;
    const SUMMARY: &'static str = Popcnt::SUMMARY;
    const PLACE: Place = Popcnt::PLACE;
    type Model = <Popcnt as Interface>::Model;

    fn params(set: &ParameterSet) -> cotenant::Result<ParamsOf<Self>> {
        Popcnt::params(set)
    }

    fn inputs(params: &ParamsOf<Self>) -> Vec<Port> {
        Popcnt::inputs(params)
    }

    fn outputs(params: &ParamsOf<Self>) -> Vec<Port> {
        Popcnt::outputs(params)
    }

    fn state(params: &ParamsOf<Self>) -> Vec<StateField> {
        Popcnt::state(params)
    }

    fn pack_in(params: &ParamsOf<Self>, input: &InOf<Self>, words: &mut Packer<'_>) {
        Popcnt::pack_in(params, input, words);
    }

    fn pack_out(params: &ParamsOf<Self>, out: &OutOf<Self>, words: &mut Packer<'_>) {
        let wrong = out.count as usize == params.width;
        words.value(out.count + u32::from(wrong));
    }

    fn pack_state(params: &ParamsOf<Self>, state: &StateOf<Self>, words: &mut Packer<'_>) {
        Popcnt::pack_state(params, state, words);
    }
}

impl Drive for Miscounting {
    type Transaction = <Popcnt as Drive>::Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = Popcnt::PROFILES;

    fn kernels(params: &ParamsOf<Self>) -> usize {
        Popcnt::kernels(params)
    }

    fn world(_: &ParamsOf<Self>) {}

    fn idle(params: &ParamsOf<Self>) -> InOf<Self> {
        Popcnt::idle(params)
    }

    fn nothing(params: &ParamsOf<Self>) -> Self::Transaction {
        Popcnt::nothing(params)
    }

    fn resolve(
        params: &ParamsOf<Self>,
        model: &Self::Model,
        world: &mut (),
        transaction: &Self::Transaction,
        input: &mut InOf<Self>,
    ) {
        Popcnt::resolve(params, model, world, transaction, input);
    }

    fn draw(
        params: &ParamsOf<Self>,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Self::Transaction,
    ) {
        Popcnt::draw(params, knobs, pace, random, transaction);
    }
}

#[test]
fn nothing_is_written_where_netlist_and_golden_model_differ() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("rtl");
    let set = table::set("popcnt", "figure-2").unwrap();
    let options = Options::default().with_testbench(Vectors::default());
    let error = export::export::<Miscounting>(&set, &folder, &options).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::Mismatch(_)), "{message}");
    assert!(
        message.contains("popcnt 4: cycle ") && message.contains("count: dut 4, golden 5"),
        "{message}"
    );
    assert_eq!(names(work.path()), BTreeSet::new());
    // The true one is written, and then stays.
    export::export::<Popcnt>(&set, &folder, &options).unwrap();
    export::export::<Miscounting>(&set, &folder, &options).unwrap_err();
    assert!(folder.join("cotenant_popcnt_width4.v").exists());
    assert_eq!(names(work.path()), BTreeSet::from(["rtl".to_string()]));
}

#[test]
fn an_interrupted_export_leaves_nothing() {
    let work = tempfile::tempdir().unwrap();
    let options = Options::default().with_testbench(Vectors::default());
    let mut calls = 0;
    let error = export::export_named(
        "gdcu",
        "small",
        &work.path().join("rtl"),
        &options,
        &mut |_| {
            calls += 1;
            if calls == 2 {
                cotenant::verify::lockstep::Flow::Stop
            } else {
                cotenant::verify::lockstep::Flow::Continue
            }
        },
    );
    assert!(matches!(error, Err(Error::Interrupted)));
    assert_eq!(names(work.path()), BTreeSet::new());
}
