//! A bank of the L2: its request queue, its miss queue and its lines.

use std::collections::VecDeque;

use super::mshr::{Mshrs, NO_MSHR};
use super::{Routed, Transfer, Waits};
use crate::gpu::config::Config;

/// A bank that waits for something to change, if only for a request to come.
pub(super) const ASLEEP: u64 = u64::MAX;

/// What a request lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Mshr,
    Merge,
    MissQueue,
    Reply,
}

impl Wait {
    /// Where it is counted.
    pub(super) fn of(self, waits: &mut Waits) -> &mut u64 {
        match self {
            Self::Mshr => &mut waits.mshr,
            Self::Merge => &mut waits.merge,
            Self::MissQueue => &mut waits.miss_queue,
            Self::Reply => &mut waits.reply,
        }
    }
}

/// A way of a set, beyond what the golden cache knows. A sector is absent, pending or present;
/// a dirty one is present.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The line's number in memory.
    pub(super) number: u64,
    pub(super) present: u32,
    pub(super) pending: u32,
    pub(super) dirty: u32,
    /// Its MSHR, if a fetch is on its way.
    pub(super) mshr: u16,
    /// Who stored to it last.
    pub(super) writer: u8,
}

/// A bank.
#[derive(Debug)]
pub(super) struct Bank {
    /// With the cycle of arrival, in order.
    pub(super) queue: VecDeque<(u64, Routed)>,
    /// Since when the first request waits, and for what.
    pub(super) blocked: Option<(Wait, u64)>,
    pub(super) mshrs: Mshrs,
    pub(super) misses: VecDeque<Transfer>,
}

impl Bank {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            queue: VecDeque::new(),
            blocked: None,
            mshrs: Mshrs::new(config.l2.mshrs, config.l2.mshr_merges),
            misses: VecDeque::with_capacity(config.l2.miss_queue),
        }
    }
}

impl Line {
    /// A line of which nothing is there yet.
    pub(super) fn absent(number: u64) -> Self {
        Self {
            number,
            present: 0,
            pending: 0,
            dirty: 0,
            mshr: NO_MSHR,
            writer: 0,
        }
    }
}
