//! `lru_stack`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::lru_stack::LruStack as Model;

use crate::verify::interface::*;

/// The unit [`lru_stack`](cotenant_golden::llc::lru_stack).
#[derive(Debug, Clone, Copy)]
pub struct LruStack;

impl Interface for LruStack {
    const NAME: &'static str = "lru_stack";
    const SUMMARY: &'static str = "replacement bits of one cache set";
    const PLACE: Place = Place::Set;
    type Model = Model;

    from_golden!();
}
