//! What the tests of this crate share.
#![allow(dead_code)]

use cotenant_units::table;

/// Names of the parameter sets of a unit that every test uses: those with an alias.
pub fn test_sets(unit: &str) -> Vec<&'static str> {
    let sets = table::test_sets(unit).unwrap();
    sets.iter().map(|set| set.name).collect()
}

/// Cycles of a random run; enough to close coverage, see `coverage.rs`.
pub const CYCLES: u64 = 500_000;

/// Seed of random runs.
pub const SEED: u64 = 0x9e37;
