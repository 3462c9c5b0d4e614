//! `rbmi`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::rbmi::Rbmi as Model;

use crate::verify::interface::*;

/// The unit [`rbmi`](cotenant_golden::sm::rbmi).
#[derive(Debug, Clone, Copy)]
pub struct Rbmi;

impl Interface for Rbmi {
    const NAME: &'static str = "rbmi";
    const SUMMARY: &'static str = "picks the kernel that issues a memory instruction, round-robin";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    from_golden!();
}
