//! `rbmi`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::id_w;
use cotenant_golden::sm::rbmi::{In, Out, Params, Rbmi as Model, State};
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`rbmi`](cotenant_golden::sm::rbmi).
#[derive(Debug, Clone, Copy)]
pub struct Rbmi;

/// The ports that name the winner.
pub(in crate::unit) fn grants(kernels: usize) -> [Port; 3] {
    [
        Port::packed("grant", kernels, 1),
        Port::value("grant_valid", 1),
        Port::value("grant_kid", id_w(kernels)),
    ]
}

impl Interface for Rbmi {
    const NAME: &'static str = "rbmi";
    const SUMMARY: &'static str = "picks the kernel that issues a memory instruction, round-robin";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            kernels: parameter::<Self>(set, "KERNELS")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        vec![
            Port::value("reset", 1),
            Port::packed("ready", params.kernels, 1),
            Port::value("accept", 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        grants(params.kernels).into()
    }

    fn state(params: &Params) -> Vec<StateField> {
        vec![StateField::value("last", id_w(params.kernels), "last")]
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.ready);
        words.value(input.accept);
    }

    fn pack_out(_: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.grant);
        words.value(out.grant_valid);
        words.value(out.grant_kid);
    }

    fn pack_state(_: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.last);
    }
}
