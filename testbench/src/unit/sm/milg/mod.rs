//! `milg`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::clog2;
use cotenant_golden::sm::milg::{In, Milg as Model, Out, Params, Release, State};
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::ValueNames;

use super::code;
use crate::error::Result;
use crate::verify::interface::{
    names_of_codes, parameter, Interface, Packer, Place, Port, StateField,
};

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

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            count_w: parameter::<Self>(set, "COUNT_W")?,
            fail_w: parameter::<Self>(set, "FAIL_W")?,
            interval_w: parameter::<Self>(set, "INTERVAL_W")?,
            release: code::<Self, _>(set, "RELEASE")?,
        })
    }

    fn inputs(_: &Params) -> Vec<Port> {
        ["reset", "launch", "issue", "complete", "request", "fail"]
            .map(|name| Port::value(name, 1))
            .into()
    }

    fn outputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("allow", 1),
            Port::value("in_flight", params.count_w),
            Port::value("limit", params.count_w),
            Port::value("unlimited", 1),
        ]
    }

    fn state(params: &Params) -> Vec<StateField> {
        let Params {
            count_w,
            fail_w,
            interval_w,
            ..
        } = *params;
        let divisor_w = fail_w - interval_w;
        vec![
            StateField::value("in_flight", count_w, "counter.value"),
            StateField::value("peak", count_w, "peak"),
            StateField::value("grew", 1, "grew"),
            StateField::value("began", 1, "began"),
            StateField::value("closed", 1, "closed"),
            StateField::value("failures", fail_w, "failures"),
            StateField::value("requests", interval_w, "requests"),
            StateField::value("last", 1, "last"),
            StateField::value("limit", count_w, "limit_register"),
            StateField::value("unlimited", 1, "unlimited_register"),
            StateField::value("left", clog2(count_w + 1), "left"),
            StateField::value("divisor", divisor_w, "divisor"),
            StateField::value("remainder", divisor_w, "remainder"),
            StateField::value("shift", count_w, "shift"),
        ]
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.launch);
        words.value(input.issue);
        words.value(input.complete);
        words.value(input.request);
        words.value(input.fail);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.allow);
        words.value(out.in_flight);
        words.value(out.limit);
        words.value(out.unlimited);
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.in_flight);
        words.value(state.peak);
        words.value(state.grew);
        words.value(state.began);
        words.value(state.closed);
        words.value(state.failures);
        words.value(state.requests);
        words.value(state.requests == (1 << params.interval_w) - 1);
        words.value(state.limit);
        words.value(state.unlimited);
        words.value(state.left);
        words.value(state.divisor);
        words.value(state.remainder);
        words.value(state.shift);
    }
}
