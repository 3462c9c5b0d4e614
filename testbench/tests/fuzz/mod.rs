//! Arbitrary bytes for every parser, and arbitrary signals for the register ports.
//!
//! Rationale: files come from other people's tools, cut off, edited by hand, of the wrong kind, and
//! a bus is driven by other people's masters. A parser may refuse, with a message that says where
//! and why; it may not panic, nor take long. A register file may answer nonsense with nonsense, but
//! once its manager keeps to the protocol again it answers.
//!
//! `COTENANT_FUZZ=N` makes N runs of each instead of a few. What was found once is in `corpus`, by
//! parser, and is tried each time.
#![allow(missing_docs)]

mod damage;
mod parsers;
mod ports;

use proptest::test_runner::Config;

/// Runs of a test: few, or as many as the environment says.
fn runs(few: u32) -> Config {
    let many = std::env::var("COTENANT_FUZZ").ok();
    let many = many.map(|text| text.parse().expect("COTENANT_FUZZ is a number of runs"));
    Config {
        // What was found goes to the corpus, where a reader sees it.
        failure_persistence: None,
        ..Config::with_cases(many.unwrap_or(few))
    }
}
