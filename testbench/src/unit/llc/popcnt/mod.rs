//! `popcnt`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::popcnt::{In, Out, Params, Popcnt as Model, State};
use cotenant_golden::llc::pos_w;
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`popcnt`](cotenant_golden::llc::popcnt).
#[derive(Debug, Clone, Copy)]
pub struct Popcnt;

impl Interface for Popcnt {
    const NAME: &'static str = "popcnt";
    const SUMMARY: &'static str = "counts the set bits of a vector";
    const PLACE: Place = Place::Part;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        let width = parameter::<Self>(set, "WIDTH")?;
        Ok(Params { width })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![Port::value("data", params.width)]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        vec![Port::value("count", pos_w(params.width))]
    }

    fn state(_: &Params) -> Vec<StateField> {
        Vec::new()
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.data);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.count);
    }

    fn pack_state(_: &Params, _: &State, _: &mut Packer<'_>) {}
}
