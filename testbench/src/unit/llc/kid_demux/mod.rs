//! `kid_demux`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::id_w;
use cotenant_golden::llc::kid_demux::{In, KidDemux as Model, Out, Params, State};
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`kid_demux`](cotenant_golden::llc::kid_demux).
#[derive(Debug, Clone, Copy)]
pub struct KidDemux;

impl Interface for KidDemux {
    const NAME: &'static str = "kid_demux";
    const SUMMARY: &'static str = "drives the lane of one kernel";
    const PLACE: Place = Place::Part;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        let kernels = parameter::<Self>(set, "KERNELS")?;
        Ok(Params { kernels })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("enable", 1),
            Port::value("select", id_w(params.kernels)),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        vec![Port::packed("lane", params.kernels, 1)]
    }

    fn state(_: &Params) -> Vec<StateField> {
        Vec::new()
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.enable);
        words.value(input.select);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.lane);
    }

    fn pack_state(_: &Params, _: &State, _: &mut Packer<'_>) {}
}
