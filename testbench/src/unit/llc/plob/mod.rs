//! `plob`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::plob::{Params, Plob as Model, State};

use super::counter_matrix;
use crate::verify::interface::*;

/// The unit [`plob`](cotenant_golden::llc::plob).
#[derive(Debug, Clone, Copy)]
pub struct Plob;

impl Interface for Plob {
    const NAME: &'static str = "plob";
    const SUMMARY: &'static str = "counts the lines that each kernel evicts of each other";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        flop.strip_prefix("matrix.")
            .is_some_and(counter_matrix::working)
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u64)> {
        counter_matrix::resumed("matrix.", state.read_count)
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        match register.strip_prefix("in_flight[].") {
            Some("victim") => Probe::Value(format!("lane[{}]", at[0])),
            Some(field) => Probe::Value(format!("{field}[{}]", at[0])),
            None => counter_matrix::probe("matrix.", register, at),
        }
    }

    from_golden!();
}
