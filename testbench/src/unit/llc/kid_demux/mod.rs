//! `kid_demux`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::kid_demux::KidDemux as Model;

use crate::verify::interface::*;

/// The unit [`kid_demux`](cotenant_golden::llc::kid_demux).
#[derive(Debug, Clone, Copy)]
pub struct KidDemux;

impl Interface for KidDemux {
    const NAME: &'static str = "kid_demux";
    const SUMMARY: &'static str = "drives the lane of one kernel";
    const PLACE: Place = Place::Part;
    type Model = Model;

    from_golden!();
}
