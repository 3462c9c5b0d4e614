//! `smil`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::smil::{Params, Smil as Model};

use crate::verify::interface::*;

/// The unit [`smil`](cotenant_golden::sm::smil).
#[derive(Debug, Clone, Copy)]
pub struct Smil;

impl Interface for Smil {
    const NAME: &'static str = "smil";
    const SUMMARY: &'static str = "limits a kernel's memory instructions in flight to a set number";
    const PLACE: Place = Place::Kernel;
    type Model = Model;

    fn probe(_: &Params, register: &str, _: &[usize]) -> Probe {
        match register {
            "in_flight" => Probe::Value("counter.value".into()),
            other => Probe::Value(format!("{other}_register")),
        }
    }

    from_golden!();
}
