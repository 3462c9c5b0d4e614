//! Accesses to the L3, as somebody who watches sees them.

use std::cmp::Ordering;

use crate::mgmt::policy::{Core, Outcome};

/// An access to the L3. They are ordered by their cycles and, within a cycle, by their requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The L3's cycle in which its tile begins it.
    pub cycle: u64,
    /// Requests before it. The L3 looks them up in this order.
    pub number: u64,
    /// The application.
    pub app: u8,
    /// The byte address.
    pub address: u64,
    /// What its core is to core sampling.
    pub sampled: Core,
    /// What became of it.
    pub outcome: Outcome,
    /// Periods that have ended before it was looked up: what the last of them decided holds.
    pub period: usize,
}

impl Ord for Seen {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.cycle, self.number).cmp(&(other.cycle, other.number))
    }
}

impl PartialOrd for Seen {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
