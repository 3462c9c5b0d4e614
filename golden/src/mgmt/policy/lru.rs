//! `lru`: the least recently used line of the set is replaced, whoever owns it.

use super::order::Order;
use super::{Lines, Policy, Request};
use crate::llc::cache::Geometry;

/// LRU replacement, TAP's baseline.
#[derive(Debug, Clone)]
pub struct Lru {
    order: Order,
}

impl Lru {
    /// Of an empty cache.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            order: Order::new(geometry.sets, geometry.ways),
        }
    }
}

impl Policy for Lru {
    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.order.touch(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        let position = self.order.lowest(request.set, lines);
        self.order.shift(request.set, position, 0);
        Some(self.order.of(request.set)[0].into())
    }
}
