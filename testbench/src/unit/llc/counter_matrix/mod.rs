//! `counter_matrix`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, Params, State};

use crate::verify::interface::*;

/// The unit [`counter_matrix`](cotenant_golden::llc::counter_matrix).
#[derive(Debug, Clone, Copy)]
pub struct CounterMatrix;

/// Where a matrix whose flops are below `path` (empty, or with a dot at its end) keeps a register.
/// Those of the read port hold half-way what the golden model has: [`working`].
pub(in crate::unit) fn probe(path: &str, register: &str, at: &[usize]) -> Probe {
    let passed = match register {
        "count[][]" => "passed",
        "shadow[][]" => "last_passed",
        "sequence_number" => return Probe::Value(format!("{path}sequence_register")),
        other => return Probe::Value(format!("{path}{}", subscripted(other, at))),
    };
    Probe::Limited {
        flop: format!("{path}{}", subscripted(register, at)),
        passed: format!("{path}{passed}[{}]", at[0]),
        bit: at[1],
    }
}

/// Registers of the read port, of which only what comes out is compared.
pub(in crate::unit) fn working(flop: &str) -> bool {
    flop == "read_from" || flop.starts_with("read_row[")
}

/// The read port of a matrix below `path` that is to show `read_count`: after power-on it looks at
/// row 0, and all ones are the limit with or without the mark of it.
pub(in crate::unit) fn resumed(path: &str, read_count: u64) -> Vec<(String, u64)> {
    vec![(format!("{path}read_row[0]"), read_count)]
}

impl Interface for CounterMatrix {
    const NAME: &'static str = "counter_matrix";
    const SUMMARY: &'static str = "counters a pair of victim and aggressor, with snapshots";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        working(flop)
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u64)> {
        resumed("", state.read_count)
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        probe("", register, at)
    }

    from_golden!();
}
