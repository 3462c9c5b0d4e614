//! `qbmi`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::{clog2, id_w};
use cotenant_golden::sm::qbmi::{In, Out, Params, Qbmi as Model, State};
use cotenant_golden::sm::quota_unit;
use cotenant_units::table::ParameterSet;

use super::rbmi::grants;
use super::{flag, QuotaUnit};
use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`qbmi`](cotenant_golden::sm::qbmi).
#[derive(Debug, Clone, Copy)]
pub struct Qbmi;

fn unit_params(params: &Params) -> quota_unit::Params {
    quota_unit::Params {
        kernels: params.kernels,
        ratio_max: params.ratio_max(),
    }
}

impl Interface for Qbmi {
    const NAME: &'static str = "qbmi";
    const SUMMARY: &'static str =
        "picks the kernel that issues a memory instruction, the highest quota first";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// Section 4.4: "one more 10-bit memory instruction counter"; the request counter is MILG's,
    /// which `qbmi` has once more.
    fn named_in_paper(flop: &str) -> bool {
        flop.starts_with("meter[") && flop.ends_with("].instructions")
    }

    fn working(flop: &str) -> bool {
        match flop.strip_prefix("unit.") {
            Some(flop) => QuotaUnit::working(flop),
            None => [".total", ".sum", ".candidate"]
                .iter()
                .any(|work| flop.starts_with("meter[") && flop.ends_with(work)),
        }
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
            interval_w: parameter::<Self>(set, "INTERVAL_W")?,
            cap: flag::<Self>(set, "CAP")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let kernels = params.kernels;
        vec![
            Port::value("reset", 1),
            Port::packed("launch", kernels, 1),
            Port::packed("exit", kernels, 1),
            Port::packed("ready", kernels, 1),
            Port::value("accept", 1),
            Port::value("request_valid", 1),
            Port::value("request_first", 1),
            Port::value("request_kid", id_w(kernels)),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let kernels = params.kernels;
        let mut ports = grants(kernels).to_vec();
        ports.extend([
            Port::packed("active", kernels, 1),
            Port::packed("quota", kernels, params.quota_w()),
            Port::packed("ratio", kernels, params.ratio_w()),
        ]);
        ports
    }

    fn state(params: &Params) -> Vec<StateField> {
        let (kernels, interval_w) = (params.kernels, params.interval_w);
        let mut fields = vec![StateField::value("active", kernels, "active_register")];
        for kernel in 0..kernels {
            let name = format!("current[{kernel}]");
            fields.push(StateField::value(&name, params.quota_w(), &name));
        }
        for kernel in 0..kernels {
            let name = format!("newest[{kernel}]");
            fields.push(StateField::value(&name, params.set_w(), &name));
        }
        fields.push(StateField::value("pending", kernels, "pending"));
        fields.push(StateField::value("single", kernels, "single"));
        fields.push(StateField::value("refill", kernels, "refill"));
        fields.push(StateField::value("last", id_w(kernels), "last"));
        fields.push(StateField::value("dirty", 1, "dirty"));
        let left = clog2(params.ratio_max() as usize);
        for kernel in 0..kernels {
            let meter = [
                StateField::value("requests", interval_w, "requests"),
                StateField::value("instructions", interval_w, "instructions"),
                StateField::value("left", left, "left"),
                StateField::value("ratio", params.ratio_w(), "ratio_register"),
            ];
            let path = format!("meter[{kernel}]");
            fields.extend(meter.map(|field| field.below(&path)));
        }
        let unit = QuotaUnit::state(&unit_params(params));
        fields.extend(unit.into_iter().map(|field| field.below("unit")));
        fields
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.launch);
        words.value(input.exit);
        words.value(input.ready);
        words.value(input.accept);
        words.value(input.request_valid);
        words.value(input.request_first);
        words.value(input.request_kid);
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.grant);
        words.value(out.grant_valid);
        words.value(out.grant_kid);
        words.value(out.active);
        words.elements(params.quota_w(), out.quota.iter().copied());
        words.elements(params.ratio_w(), out.ratio.iter().copied());
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.active);
        state.current.iter().for_each(|&quota| words.value(quota));
        state.set.iter().for_each(|&set| words.value(set - 1));
        words.value(state.pending);
        let single = state.set.iter().enumerate().filter(|(_, &set)| set == 1);
        words.value(single.fold(0u64, |mask, (kernel, _)| mask | 1 << kernel));
        words.value(match state.used_up() {
            true => state.active,
            false => 0,
        });
        words.value(state.last);
        words.value(state.dirty);
        for meter in &state.meter {
            words.value(meter.requests);
            words.value(meter.instructions);
            words.value(meter.left);
            words.value(meter.ratio);
        }
        QuotaUnit::pack_state(&unit_params(params), &state.unit, words);
    }
}
