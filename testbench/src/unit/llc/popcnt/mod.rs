//! `popcnt`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::popcnt::Popcnt as Model;

use crate::verify::interface::*;

/// The unit [`popcnt`](cotenant_golden::llc::popcnt).
#[derive(Debug, Clone, Copy)]
pub struct Popcnt;

impl Interface for Popcnt {
    const NAME: &'static str = "popcnt";
    const SUMMARY: &'static str = "counts the set bits of a vector";
    const PLACE: Place = Place::Part;
    type Model = Model;

    from_golden!();
}
