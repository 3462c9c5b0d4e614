//! What the tests of this crate share.

pub mod faults;
#[path = "../../../waveforms/tests/common/gtkw.rs"]
pub mod gtkw;
pub mod recorded;

use std::path::{Path, PathBuf};
use std::process::Command;

use cotenant::registry::find;
use cotenant::verify::fault::mutation::FOLDER;
use cotenant_units::table::{self, ParameterSet};

/// The program, as a user calls it in a folder.
pub fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(arguments).current_dir(folder);
    command
}

/// A tool of the tests: that of the repository's virtual environment, else the one on PATH.
pub fn tool(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = root.join("target/venv/bin").join(name);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join(name));
    std::iter::once(own)
        .chain(places)
        .find(|place| place.is_file())
        .unwrap_or_else(|| panic!("{name} is not there: run scripts/setup"))
}

/// The folder of the mutation table's records.
pub fn mutation_records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(FOLDER)
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Names of the parameter sets of a unit that every test uses: those with an alias.
pub fn test_sets(unit: &str) -> Vec<&'static str> {
    let sets = table::test_sets(unit).unwrap();
    sets.iter().map(|set| set.name).collect()
}

/// Of a unit behind a bus the smaller half of these: what is behind the bus has all of them as a
/// unit of its own, and takes tools most of their time.
pub fn distinct_test_sets(unit: &str) -> Vec<&'static str> {
    let mut sets = test_sets(unit);
    if unit.ends_with("_apb") || unit.ends_with("_axi") {
        sets.truncate(sets.len().div_ceil(2));
    }
    sets
}

/// The fewest cycles that a tool plays of a unit: 2000, or some behind the clearing of its sets.
pub fn fewest_cycles(unit: &str, set: &ParameterSet) -> u64 {
    let behind = set.value("SETS").unwrap_or(0) as u64 + 500;
    let clears = || {
        let netlist = find(unit).unwrap().netlist(set).unwrap();
        netlist.outputs.iter().any(|output| output.name == "ready")
    };
    if behind > 2000 && clears() {
        behind
    } else {
        2000
    }
}

/// Cycles of a random run; enough to close coverage, see `lockstep.rs`.
pub const CYCLES: u64 = 500_000;

/// Seed of random runs.
pub const SEED: u64 = 0x9e37;
