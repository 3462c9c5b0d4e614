//! `gdcu`.

use cotenant_golden::llc::gdcu::{Gdcu as Model, In, Out, Params, State};
use cotenant_golden::llc::{id_w, pos_w};
use cotenant_units::table::ParameterSet;

use super::counter_matrix;
use crate::error::Result;
use crate::unit::interface::{parameter, Interface, Packer, Place, Port, StateField};

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

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            ways: parameter::<Self>(set, "WAYS")?,
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
            Port::value("access_pos", pos_w(params.ways)),
            Port::value("access_kid", kid_w),
            Port::packed("stack_owner", params.ways, kid_w),
            Port::packed("stack_valid", params.ways, 1),
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
            ways,
            kernels,
            cnt_w,
            stages,
        } = *params;
        let mut fields = counter_matrix::registers("matrix.", kernels, kernels, cnt_w);
        for stage in 0..stages {
            let mut field = |field: &str, width: usize| {
                let name = format!("in_flight[{stage}].{field}");
                fields.push(StateField::value(name, width, format!("{field}[{stage}]")));
            };
            field("valid", 1);
            field("kid", id_w(kernels));
            for victim in 0..kernels {
                let name = format!("in_flight[{stage}].demotions[{victim}]");
                // The first latch is in front of the popcnts, the last of several behind them.
                fields.push(match stage {
                    _ if Some(stage) == inside_popcnt(params) => continue,
                    0 => StateField::ones(name, pos_w(ways), format!("lane[0][{victim}]")),
                    _ => StateField::value(name, pos_w(ways), format!("demotions[0][{victim}]")),
                });
            }
        }
        fields
    }

    fn pack_in(params: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.access_valid);
        words.value(input.access_pos);
        words.value(input.access_kid);
        words.elements(id_w(params.kernels), input.stack_owner.iter().copied());
        words.value(input.stack_valid);
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

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        counter_matrix::pack_registers(
            (&state.count, &state.shadow),
            (&state.passed, &state.last_passed),
            state.sequence_number,
            words,
        );
        for (stage, access) in state.in_flight.iter().enumerate() {
            words.value(access.valid);
            words.value(access.kid);
            if Some(stage) == inside_popcnt(params) {
                continue;
            }
            access
                .demotions
                .iter()
                .for_each(|&lines| words.value(lines));
        }
    }
}
