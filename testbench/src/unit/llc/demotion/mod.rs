//! `demotion`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::demotion::{Demotion as Model, In, Out, Params, State};
use cotenant_golden::llc::pos_w;
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`demotion`](cotenant_golden::llc::demotion).
#[derive(Debug, Clone, Copy)]
pub struct Demotion;

impl Interface for Demotion {
    const NAME: &'static str = "demotion";
    const SUMMARY: &'static str = "which LRU stack positions an access demotes";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        let ways = parameter::<Self>(set, "WAYS")?;
        Ok(Params { ways })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("access_valid", 1),
            Port::value("access_pos", pos_w(params.ways)),
            Port::packed("stack_valid", params.ways, 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        vec![Port::packed("demoted", params.ways, 1)]
    }

    fn state(_: &Params) -> Vec<StateField> {
        Vec::new()
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.access_valid);
        words.value(input.access_pos);
        words.value(input.stack_valid);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.demoted);
    }

    fn pack_state(_: &Params, _: &State, _: &mut Packer<'_>) {}
}
