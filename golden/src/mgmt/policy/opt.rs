//! `opt`: Belady's optimal replacement, a bound that no policy passes.
//!
//! A miss replaces the line whose next use is furthest in the future (Belady, 1966). It needs the
//! whole stream beforehand: memory grows with it, by eight bytes per access.
//!
//! ASSUMPTION: a miss whose own next use is further than those of all lines of the set bypasses
//! the cache, since other policies may bypass as well; so no policy has fewer misses in all. A
//! single application may have fewer.

use std::collections::HashMap;

use super::{Lines, Policy, Request};
use crate::llc::cache::Geometry;

/// Never again.
const NEVER: u64 = u64::MAX;

/// Optimal replacement for one stream.
#[derive(Debug, Clone)]
pub struct Opt {
    /// When the line of each access is accessed next.
    next: Vec<u64>,
    /// The accesses that there were.
    seen: usize,
    /// When the line in each set and way is accessed next.
    line: Vec<u64>,
}

impl Opt {
    /// For accesses to these byte addresses, in their order.
    pub fn new(geometry: &Geometry, addresses: &[u64]) -> Self {
        let line = |address: u64| address >> geometry.line.trailing_zeros();
        let mut later = HashMap::new();
        let mut next = vec![NEVER; addresses.len()];
        for (number, &address) in addresses.iter().enumerate().rev() {
            if let Some(again) = later.insert(line(address), number as u64) {
                next[number] = again;
            }
        }
        Self {
            next,
            seen: 0,
            line: vec![NEVER; geometry.sets * geometry.ways],
        }
    }

    /// When the line of the present access is accessed next.
    fn again(&self) -> u64 {
        let present = self.seen.checked_sub(1);
        let next = present.and_then(|present| self.next.get(present));
        next.copied().unwrap_or(NEVER)
    }
}

impl Policy for Opt {
    fn observe(&mut self, _: &Request) {
        self.seen += 1;
    }

    fn hit(&mut self, request: &Request, lines: &Lines<'_>, way: usize) {
        self.line[request.set * lines.ways() + way] = self.again();
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        let ways = lines.ways();
        let again = self.again();
        let uses = &mut self.line[request.set * ways..][..ways];
        let invalid = (0..ways).find(|&way| !lines.is_valid(way));
        let way = match invalid {
            Some(way) => way,
            None => (0..ways).max_by_key(|&way| uses[way])?,
        };
        if invalid.is_none() && uses[way] <= again {
            return None;
        }
        uses[way] = again;
        Some(way)
    }
}
