//! `mem_issue`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::id_w;
use cotenant_golden::sm::mem_issue::{
    In, Limiter, MemIssue as Model, Out, Params, Priority, State,
};
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::ValueNames;

use super::rbmi::grants;
use super::{code, flag, Milg, Qbmi, Rbmi, Smil};
use crate::error::Result;
use crate::verify::interface::{
    names_of_codes, parameter, Interface, Packer, Place, Port, StateField,
};

/// The unit [`mem_issue`](cotenant_golden::sm::mem_issue).
#[derive(Debug, Clone, Copy)]
pub struct MemIssue;

/// A flop's name below an instance of `array`: `peak` of `milg[1].peak`.
fn below<'a>(flop: &'a str, array: &str) -> Option<&'a str> {
    let rest = flop.strip_prefix(array)?.strip_prefix('[')?;
    rest.split_once("].").map(|(_, flop)| flop)
}

/// Width of a current quota; that of QBMI with RBMI, too.
fn quota_w(params: &Params) -> usize {
    params.qbmi().quota_w()
}

impl Interface for MemIssue {
    const NAME: &'static str = "mem_issue";
    const SUMMARY: &'static str =
        "decides which kernel's memory instruction goes to the LSU: a limiter each, a priority";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    fn named_in_paper(flop: &str) -> bool {
        below(flop, "milg").is_some_and(Milg::named_in_paper)
            || below(flop, "qbmi").is_some_and(Qbmi::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        below(flop, "qbmi").is_some_and(Qbmi::working)
    }

    fn codes(name: &str) -> Option<ValueNames> {
        match name {
            "LIMITER" => Some(names_of_codes::<Limiter>("Limiter")),
            "PRIORITY" => Some(names_of_codes::<Priority>("Priority")),
            _ => Milg::codes(name),
        }
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
            limiter: code::<Self, _>(set, "LIMITER")?,
            priority: code::<Self, _>(set, "PRIORITY")?,
            count_w: parameter::<Self>(set, "COUNT_W")?,
            fail_w: parameter::<Self>(set, "FAIL_W")?,
            interval_w: parameter::<Self>(set, "INTERVAL_W")?,
            limit_w: parameter::<Self>(set, "LIMIT_W")?,
            release: code::<Self, _>(set, "RELEASE")?,
            cap: flag::<Self>(set, "CAP")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let kernels = params.kernels;
        let kid_w = id_w(kernels);
        vec![
            Port::value("reset", 1),
            Port::packed("launch", kernels, 1),
            Port::packed("exit", kernels, 1),
            Port::packed("want", kernels, 1),
            Port::value("lsu_ready", 1),
            Port::packed("complete", kernels, 1),
            Port::value("request_valid", 1),
            Port::value("request_first", 1),
            Port::value("fail_valid", 1),
            Port::value("lsu_kid", kid_w),
            Port::value("set_valid", 1),
            Port::value("set_kid", kid_w),
            Port::value("set_limit", params.limit_w),
            Port::value("set_unlimited", 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let kernels = params.kernels;
        let mut ports = grants(kernels).to_vec();
        ports.extend([
            Port::packed("active", kernels, 1),
            Port::packed("allow", kernels, 1),
            Port::packed("in_flight", kernels, params.count_w),
            Port::packed("limit", kernels, params.count_w),
            Port::packed("unlimited", kernels, 1),
            Port::packed("quota", kernels, quota_w(params)),
        ]);
        ports
    }

    fn state(params: &Params) -> Vec<StateField> {
        let mut fields = vec![StateField::value(
            "active",
            params.kernels,
            "active_register",
        )];
        let mut part = |path: &str, registers: Vec<StateField>| {
            fields.extend(registers.into_iter().map(|field| field.below(path)));
        };
        for kernel in 0..params.kernels {
            match params.limiter {
                Limiter::Milg => part(&format!("milg[{kernel}]"), Milg::state(&params.milg())),
                Limiter::Smil => part(&format!("smil[{kernel}]"), Smil::state(&params.smil())),
            }
        }
        match params.priority {
            Priority::Rbmi => part("rbmi[0]", Rbmi::state(&params.rbmi())),
            Priority::Qbmi => part("qbmi[0]", Qbmi::state(&params.qbmi())),
        }
        fields
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.launch);
        words.value(input.exit);
        words.value(input.want);
        words.value(input.lsu_ready);
        words.value(input.complete);
        words.value(input.request_valid);
        words.value(input.request_first);
        words.value(input.fail_valid);
        words.value(input.lsu_kid);
        words.value(input.set_valid);
        words.value(input.set_kid);
        words.value(input.set_limit);
        words.value(input.set_unlimited);
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.grant);
        words.value(out.grant_valid);
        words.value(out.grant_kid);
        words.value(out.active);
        words.value(out.allow);
        words.elements(params.count_w, out.in_flight.iter().copied());
        words.elements(params.count_w, out.limit.iter().copied());
        words.value(out.unlimited);
        words.elements(quota_w(params), out.quota.iter().copied());
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.active);
        for milg in &state.milg {
            Milg::pack_state(&params.milg(), milg, words);
        }
        for smil in &state.smil {
            Smil::pack_state(&params.smil(), smil, words);
        }
        if let Some(rbmi) = &state.rbmi {
            Rbmi::pack_state(&params.rbmi(), rbmi, words);
        }
        if let Some(qbmi) = &state.qbmi {
            Qbmi::pack_state(&params.qbmi(), qbmi, words);
        }
    }
}
