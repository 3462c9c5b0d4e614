//! `plob`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::id_w;
use cotenant_golden::llc::plob::{In, Out, Params, Plob as Model, State};
use cotenant_units::table::ParameterSet;

use super::counter_matrix;
use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

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

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
            cnt_w: parameter::<Self>(set, "CNT_W")?,
            stages: parameter::<Self>(set, "STAGES")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let kid_w = id_w(params.kernels);
        vec![
            Port::value("reset", 1),
            Port::value("access_valid", 1),
            Port::value("access_hit", 1),
            Port::value("victim_valid", 1),
            Port::value("victim_owner", kid_w),
            Port::value("access_kid", kid_w),
            Port::value("snapshot", 1),
            Port::value("read_victim", kid_w),
            Port::value("read_aggressor", kid_w),
            Port::value("read_live", 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        counter_matrix::outputs(params.kernels, params.cnt_w)
    }

    fn state(params: &Params) -> Vec<StateField> {
        let Params {
            kernels,
            cnt_w,
            stages,
        } = *params;
        let mut fields = counter_matrix::registers("matrix.", kernels, kernels, cnt_w);
        for stage in 0..stages {
            for (field, width, flop) in [
                ("valid", 1, "valid"),
                ("kid", id_w(kernels), "kid"),
                ("victim", kernels, "lane"),
            ] {
                let name = format!("in_flight[{stage}].{field}");
                fields.push(StateField::value(name, width, format!("{flop}[{stage}]")));
            }
        }
        fields
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.access_valid);
        words.value(input.access_hit);
        words.value(input.victim_valid);
        words.value(input.victim_owner);
        words.value(input.access_kid);
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
        counter_matrix::pack_registers(
            (&state.count, &state.shadow),
            (&state.passed, &state.last_passed),
            state.sequence_number,
            words,
        );
        for eviction in &state.in_flight {
            words.value(eviction.valid);
            words.value(eviction.kid);
            words.value(eviction.victim);
        }
    }
}
