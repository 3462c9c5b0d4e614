//! `gdcu`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::gdcu::{Gdcu as Model, Params, State};

use super::counter_matrix;
use crate::verify::interface::*;

/// The unit [`gdcu`](cotenant_golden::llc::gdcu).
#[derive(Debug, Clone, Copy)]
pub struct Gdcu;

/// The stage whose latch is inside the popcnts, if there is one.
pub(crate) fn inside_popcnt(params: &Params) -> Option<usize> {
    (params.stages == 3).then_some(1)
}

impl Interface for Gdcu {
    const NAME: &'static str = "gdcu";
    const SUMMARY: &'static str = "counts the demotions that each kernel causes to each other";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        // Inside popcnt are two numbers, of which only the sum is told, a latch later.
        let inside_popcnt = flop.starts_with("sums[") || flop.starts_with("carries[");
        let matrix = flop.strip_prefix("matrix.");
        inside_popcnt || matrix.is_some_and(counter_matrix::working)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u64)> {
        let mut flops = counter_matrix::resumed("matrix.", state.read_count);
        if let Some(stage) = inside_popcnt(params) {
            // As one of the two numbers, the other is 0.
            for (victim, &lines) in state.in_flight[stage].demotions.iter().enumerate() {
                flops.push((format!("sums[0][{victim}]"), lines.into()));
            }
        }
        flops
    }

    fn compared(params: &Params, register: &str, at: &[usize]) -> bool {
        register != "demotions[]" || Some(at[0]) != inside_popcnt(params)
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        match (register, at) {
            // The first latch is in front of the popcnts, the last of several behind them.
            ("in_flight[].demotions[]", [0, victim]) => {
                Probe::CountOnes(format!("lane[0][{victim}]"))
            }
            ("in_flight[].demotions[]", [_, victim]) => {
                Probe::Value(format!("demotions[0][{victim}]"))
            }
            (in_flight, at) => match in_flight.strip_prefix("in_flight[].") {
                Some(field) => Probe::Value(format!("{field}[{}]", at[0])),
                None => counter_matrix::probe("matrix.", register, at),
            },
        }
    }

    from_golden!();
}
