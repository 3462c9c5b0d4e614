//! `tadip`: thread-aware dynamic insertion.
//!
//! Source: TAP, section 5.7: "TADIP is a dynamic insertion policy (DIP) that dynamically identifies
//! the application characteristic and inserts single-use blocks (dead on fill) in the LRU position
//! to evict as early as possible."
//!
//! ASSUMPTION: the two policies that duel are LRU and one that inserts in the LRU position, but with
//! 13 of 256 draws in the MRU position; leader sets, selectors and draws are those of
//! [`drrip`](crate::mgmt::drrip). A hit moves a line to MRU.

use super::interval::Duel;
use super::order::Order;
use super::{Lines, Policy, Request};
use crate::llc::cache::Geometry;

/// Thread-aware dynamic insertion.
#[derive(Debug, Clone)]
pub struct Tadip {
    order: Order,
    duel: Duel,
}

impl Tadip {
    /// Of an empty cache.
    pub fn new(geometry: &Geometry, duel: Duel) -> Self {
        Self {
            order: Order::new(geometry.sets, geometry.ways),
            duel,
        }
    }
}

impl Policy for Tadip {
    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.duel.access(request, true);
        self.order.touch(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        let at_lru = self.duel.access(request, false).insert_distant;
        let from = self.order.lowest(request.set, lines);
        let to = if at_lru { lines.ways() - 1 } else { 0 };
        self.order.shift(request.set, from, to);
        Some(self.order.of(request.set)[to].into())
    }
}
