//! `smil`.

use cotenant_golden::sm::smil::{In, Out, Params, Smil as Model, State};
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::unit::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`smil`](cotenant_golden::sm::smil).
#[derive(Debug, Clone, Copy)]
pub struct Smil;

impl Interface for Smil {
    const NAME: &'static str = "smil";
    const SUMMARY: &'static str = "limits a kernel's memory instructions in flight to a set number";
    const PLACE: Place = Place::Kernel;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            count_w: parameter::<Self>(set, "COUNT_W")?,
            limit_w: parameter::<Self>(set, "LIMIT_W")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("reset", 1),
            Port::value("set_valid", 1),
            Port::value("set_limit", params.limit_w),
            Port::value("set_unlimited", 1),
            Port::value("issue", 1),
            Port::value("complete", 1),
        ]
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
        vec![
            StateField::value("in_flight", params.count_w, "counter.value"),
            StateField::value("limit", params.count_w, "limit_register"),
            StateField::value("unlimited", 1, "unlimited_register"),
        ]
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.set_valid);
        words.value(input.set_limit);
        words.value(input.set_unlimited);
        words.value(input.issue);
        words.value(input.complete);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.allow);
        words.value(out.in_flight);
        words.value(out.limit);
        words.value(out.unlimited);
    }

    fn pack_state(_: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.in_flight);
        words.value(state.limit);
        words.value(state.unlimited);
    }
}
