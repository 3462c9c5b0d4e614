//! `lru_stack`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::lru_stack::{In, LruStack as Model, Out, Params, State};
use cotenant_golden::llc::{id_w, pos_w};
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::{parameter, Interface, Packer, Place, Port, StateField};

/// The unit [`lru_stack`](cotenant_golden::llc::lru_stack).
#[derive(Debug, Clone, Copy)]
pub struct LruStack;

impl Interface for LruStack {
    const NAME: &'static str = "lru_stack";
    const SUMMARY: &'static str = "replacement bits of one cache set";
    const PLACE: Place = Place::Set;
    type Model = Model;

    fn params(set: &ParameterSet) -> Result<Params> {
        Ok(Params {
            ways: parameter::<Self>(set, "WAYS")?,
            kernels: parameter::<Self>(set, "KERNELS")?,
        })
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let (way_w, kid_w) = (id_w(params.ways), id_w(params.kernels));
        vec![
            Port::value("reset", 1),
            Port::value("access_valid", 1),
            Port::value("access_hit", 1),
            Port::value("access_way", way_w),
            Port::value("access_kid", kid_w),
            Port::value("invalidate_valid", 1),
            Port::value("invalidate_way", way_w),
            Port::value("flush", 1),
        ]
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let (way_w, kid_w) = (id_w(params.ways), id_w(params.kernels));
        vec![
            Port::value("hit_pos", pos_w(params.ways)),
            Port::packed("stack_way", params.ways, way_w),
            Port::packed("stack_owner", params.ways, kid_w),
            Port::packed("stack_valid", params.ways, 1),
            Port::value("victim_way", way_w),
            Port::value("victim_owner", kid_w),
            Port::value("victim_valid", 1),
        ]
    }

    fn state(params: &Params) -> Vec<StateField> {
        let by_position = |name: &'static str, width: usize| {
            (0..params.ways).map(move |position| {
                let name = format!("{name}[{position}]");
                StateField::value(name.clone(), width, name)
            })
        };
        by_position("way", id_w(params.ways))
            .chain(by_position("owner", id_w(params.kernels)))
            .chain(by_position("valid", 1))
            .collect()
    }

    fn pack_in(_: &Params, input: &In, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.access_valid);
        words.value(input.access_hit);
        words.value(input.access_way);
        words.value(input.access_kid);
        words.value(input.invalidate_valid);
        words.value(input.invalidate_way);
        words.value(input.flush);
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        words.value(out.hit_pos);
        words.elements(id_w(params.ways), out.stack_way.iter().copied());
        words.elements(id_w(params.kernels), out.stack_owner.iter().copied());
        words.value(out.stack_valid);
        words.value(out.victim_way);
        words.value(out.victim_owner);
        words.value(out.victim_valid);
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        state.way.iter().for_each(|&way| words.value(way));
        state.owner.iter().for_each(|&kid| words.value(kid));
        words.bits(params.ways, state.valid);
    }
}
