//! What the tests of this crate share.
#![allow(dead_code)]

/// The parameter sets that every test uses.
pub const TEST_SETS: [&str; 4] = ["figure-2", "table-1", "small", "large"];

/// Cycles of a random run; enough to close coverage, see `coverage.rs`.
pub const CYCLES: u64 = 500_000;

/// Seed of random runs.
pub const SEED: u64 = 0x9e37;
