//! `counter_matrix`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, In, Out, Params, State};
use cotenant_golden::llc::id_w;
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{
    parameter, subscripted, Interface, Packer, Place, Port, Probe, StateField,
};

/// The unit [`counter_matrix`](cotenant_golden::llc::counter_matrix).
#[derive(Debug, Clone, Copy)]
pub struct CounterMatrix;

/// Registers of a matrix whose flops are below `path` (empty, or with a dot at its end); a row a
/// victim. Those of the read port hold half-way what the golden model has: [`working`].
pub(in crate::unit) fn registers(
    path: &str,
    rows: usize,
    kernels: usize,
    cnt_w: usize,
) -> Vec<StateField> {
    let mut fields = Vec::new();
    for (counters, passed) in [("count", "passed"), ("shadow", "last_passed")] {
        for victim in 0..rows {
            for aggressor in 0..kernels {
                let name = format!("{counters}[{victim}][{aggressor}]");
                let flop = format!("{path}{name}");
                let beyond = format!("{path}{passed}[{victim}]");
                fields.push(StateField::limited(name, cnt_w, flop, (beyond, aggressor)));
            }
        }
    }
    for passed in ["passed", "last_passed"] {
        for victim in 0..rows {
            let name = format!("{passed}[{victim}]");
            let flop = format!("{path}{name}");
            fields.push(StateField::value(name, kernels, flop));
        }
    }
    let sequence = format!("{path}sequence_register");
    fields.push(StateField::value("sequence_number", 8, sequence));
    fields
}

/// The same by name.
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

/// Their values.
pub(in crate::unit) fn pack_registers(
    (count, shadow): (&[Vec<u64>], &[Vec<u64>]),
    (passed, last_passed): (&[u64], &[u64]),
    sequence_number: u8,
    words: &mut Packer<'_>,
) {
    for row in count.iter().chain(shadow) {
        row.iter().for_each(|&count| words.value(count));
    }
    for &row in passed.iter().chain(last_passed) {
        words.value(row);
    }
    words.value(sequence_number);
}

/// The output ports, which a `gdcu` and a `plob` pass on.
pub(in crate::unit) fn outputs(kernels: usize, cnt_w: usize) -> Vec<Port> {
    vec![
        Port::value("read_count", cnt_w),
        Port::packed("overflow", kernels, 1),
        Port::value("sequence_number", 8),
    ]
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

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
            inc_w: parameter::<Self>(set, "INC_W")?,
            cnt_w: parameter::<Self>(set, "CNT_W")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let kid_w = id_w(params.kernels);
        vec![
            Port::value("reset", 1),
            Port::value("inc_valid", 1),
            Port::value("inc_kid", kid_w),
            Port::packed("inc", params.kernels, params.inc_w),
            Port::value("snapshot", 1),
            Port::value("read_victim", kid_w),
            Port::value("read_aggressor", kid_w),
            Port::value("read_live", 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        outputs(params.kernels, params.cnt_w)
    }

    fn state(params: &Params) -> Vec<StateField> {
        registers("", params.kernels, params.kernels, params.cnt_w)
    }

    fn pack_in(params: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.inc_valid);
        words.value(input.inc_kid);
        words.elements(params.inc_w, input.inc.iter().copied());
        words.value(input.snapshot);
        words.value(input.read_victim);
        words.value(input.read_aggressor);
        words.value(input.read_live);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.read_count);
        words.value(out.overflow);
        words.value(out.sequence_number);
    }

    fn pack_state(_: &Params, state: &State, words: &mut Packer<'_>) {
        pack_registers(
            (&state.count, &state.shadow),
            (&state.passed, &state.last_passed),
            state.sequence_number,
            words,
        );
    }
}
