//! `demotion`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::demotion::Demotion as Model;

use crate::verify::interface::*;

/// The unit [`demotion`](cotenant_golden::llc::demotion).
#[derive(Debug, Clone, Copy)]
pub struct Demotion;

impl Interface for Demotion {
    const NAME: &'static str = "demotion";
    const SUMMARY: &'static str = "which LRU stack positions an access demotes";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}
