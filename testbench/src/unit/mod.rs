//! The units under test: what only a person can say of each.
//!
//! A unit is in a folder of its own, with its ports and registers, stimulus, coverage, scene and
//! facts for proofs.

pub mod bus;
pub mod llc;
pub mod sm;
