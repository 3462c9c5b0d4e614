//! Statistics of an SM.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Why a request of the load/store unit is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// A load misses and all lines of its set are reserved.
    LineAlloc,
    /// What must go to the L2 finds too few entries in the miss queue.
    MissQueue,
    /// A load misses and all MSHRs are taken.
    MshrEntry,
    /// A load's sectors are on their way and their MSHR takes no further request.
    MshrMerge,
    /// A store finds its line reserved by a load.
    RwPending,
}

/// Sums field by field; one that is forgotten does not compile.
macro_rules! add_assign {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl AddAssign<&$name> for $name {
            fn add_assign(&mut self, other: &Self) {
                let $name { $($field),* } = other;
                $(self.$field += $field;)*
            }
        }
    };
}

/// Reservation failures: cycles in which the request at the head is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Failures {
    /// [`Failure::LineAlloc`].
    pub line_alloc: u64,
    /// [`Failure::MissQueue`].
    pub miss_queue: u64,
    /// [`Failure::MshrEntry`].
    pub mshr_entry: u64,
    /// [`Failure::MshrMerge`].
    pub mshr_merge: u64,
    /// [`Failure::RwPending`].
    pub rw_pending: u64,
}

add_assign!(Failures {
    line_alloc,
    miss_queue,
    mshr_entry,
    mshr_merge,
    rw_pending
});

impl Failures {
    /// All of them: the cycles in which the kernel stalls the unit.
    pub fn total(&self) -> u64 {
        self.line_alloc + self.miss_queue + self.mshr_entry + self.mshr_merge + self.rw_pending
    }

    pub(super) fn add(&mut self, failure: Failure, cycles: u64) {
        *match failure {
            Failure::LineAlloc => &mut self.line_alloc,
            Failure::MissQueue => &mut self.miss_queue,
            Failure::MshrEntry => &mut self.mshr_entry,
            Failure::MshrMerge => &mut self.mshr_merge,
            Failure::RwPending => &mut self.rw_pending,
        } += cycles;
    }
}

/// What a kernel has done on an SM, or on several.
///
/// Wait, barrier and exit are no instructions here. `loads`, `hits`, `merged`, `misses` and so on
/// count requests that were accepted, each once: one per instruction and line of the L1D. `sent`
/// and `replies` count requests to the L2, of which one of those makes several if the L2's lines
/// are shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Warp instructions that compute.
    pub compute: u64,
    /// Warp instructions that load or store, issued to the load/store unit.
    pub memory: u64,
    /// Of them, those that have their last response.
    pub completed: u64,
    /// Cycles of the completed ones from issue to last response, summed.
    pub latency: u64,
    /// Requests of loads: L1D accesses.
    pub loads: u64,
    /// Loads with all sectors in the L1D.
    pub hits: u64,
    /// Loads with all other sectors on their way: they wait in an MSHR, "hit reserved".
    pub merged: u64,
    /// Loads that fetch sectors.
    pub misses: u64,
    /// Of the misses, those whose line was in the L1D.
    pub sector_misses: u64,
    /// Requests of stores.
    pub stores: u64,
    /// Lines that stores have put out of the L1D.
    pub write_evictions: u64,
    /// Reservation failures.
    pub failures: Failures,
    /// Requests to the L2, handed to the crossbar.
    pub sent: u64,
    /// Replies to them.
    pub replies: u64,
    /// Cycles from handing over to reply, summed over the replies.
    pub reply_latency: u64,
    /// Thread blocks that came.
    pub blocks_started: u64,
    /// Thread blocks that ended.
    pub blocks_ended: u64,
}

add_assign!(Stats {
    compute,
    memory,
    completed,
    latency,
    loads,
    hits,
    merged,
    misses,
    sector_misses,
    stores,
    write_evictions,
    failures,
    sent,
    replies,
    reply_latency,
    blocks_started,
    blocks_ended,
});

impl Stats {
    /// Warp instructions issued.
    pub fn instructions(&self) -> u64 {
        self.compute + self.memory
    }

    /// Requests accepted by the load/store unit.
    pub fn requests(&self) -> u64 {
        self.loads + self.stores
    }
}

/// What became of an SM's issue slots, one per scheduler and cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Slots {
    /// An instruction issued.
    pub issued: u64,
    /// Only loads or stores were ready, and the load/store unit took none.
    pub refused: u64,
    /// No warp was ready.
    pub idle: u64,
}

add_assign!(Slots {
    issued,
    refused,
    idle
});
