//! `milg`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::milg::{Milg as Model, Params, Release, State};
use cotenant_waveforms::ValueNames;

use crate::verify::interface::*;

/// The unit [`milg`](cotenant_golden::sm::milg).
#[derive(Debug, Clone, Copy)]
pub struct Milg;

impl Interface for Milg {
    const NAME: &'static str = "milg";
    const SUMMARY: &'static str =
        "limits a kernel's memory instructions in flight by its reservation failures";
    const PLACE: Place = Place::Kernel;
    type Model = Model;

    /// Section 4.4: in-flight instructions, reservation failures, memory requests.
    fn named_in_paper(flop: &str) -> bool {
        ["counter.value", "failures", "requests"].contains(&flop)
    }

    fn codes(name: &str) -> Option<ValueNames> {
        (name == "RELEASE").then(|| names_of_codes::<Release>("Release"))
    }

    fn probe(_: &Params, register: &str, _: &[usize]) -> Probe {
        Probe::Value(match register {
            "in_flight" => "counter.value".into(),
            "limit" | "unlimited" => format!("{register}_register"),
            other => other.into(),
        })
    }

    fn computed(_: &Params) -> Vec<StateField> {
        vec![StateField::value("last", 1, "last")]
    }

    fn pack_computed(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.requests == (1 << params.interval_w) - 1);
    }

    from_golden!();
}
