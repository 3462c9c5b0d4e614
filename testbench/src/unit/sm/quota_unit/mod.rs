//! `quota_unit`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::clog2;
use cotenant_golden::sm::quota_unit::{In, Out, Params, QuotaUnit as Model, State};
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`quota_unit`](cotenant_golden::sm::quota_unit).
#[derive(Debug, Clone, Copy)]
pub struct QuotaUnit;

impl Interface for QuotaUnit {
    const NAME: &'static str = "quota_unit";
    const SUMMARY: &'static str =
        "computes how many memory instructions give kernels the same number of requests";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// The model knows how long a computation takes, not its steps.
    fn working(flop: &str) -> bool {
        let compared = flop == "left" || flop == "done_register";
        !compared && !flop.starts_with("quota_register[")
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
            ratio_max: parameter::<Self>(set, "RATIO_MAX")? as u64,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("reset", 1),
            Port::value("clear", 1),
            Port::value("start", 1),
            Port::packed("active", params.kernels, 1),
            Port::packed("ratio", params.kernels, params.ratio_w()),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("busy", 1),
            Port::value("done", 1),
            Port::packed("quota", params.kernels, params.set_w()),
        ]
    }

    fn state(params: &Params) -> Vec<StateField> {
        let set_w = params.set_w();
        let quota = |kernel| format!("quota[{kernel}]");
        let quotas = (0..params.kernels).map(|kernel| {
            StateField::value(quota(kernel), set_w, format!("quota_register[{kernel}]"))
        });
        // Busy in all cycles of the latency but the last.
        let left = clog2(params.latency() as usize);
        quotas
            .chain([
                StateField::value("left", left, "left"),
                StateField::value("done", 1, "done_register"),
            ])
            .collect()
    }

    fn pack_in(params: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.clear);
        words.value(input.start);
        words.value(input.active);
        words.elements(params.ratio_w(), input.ratio.iter().copied());
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.busy);
        words.value(out.done);
        words.elements(params.set_w(), out.quota.iter().copied());
    }

    fn pack_state(_: &Params, state: &State, words: &mut Packer<'_>) {
        state.quota.iter().for_each(|&quota| words.value(quota));
        words.value(state.left);
        words.value(state.done);
    }
}
