//! What the tests of this crate share.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

use cotenant_units::table;

/// The program, as a user calls it in a folder.
pub fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(arguments).current_dir(folder);
    command
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

/// Cycles of a random run; enough to close coverage, see `coverage.rs`.
pub const CYCLES: u64 = 500_000;

/// Seed of random runs.
pub const SEED: u64 = 0x9e37;
