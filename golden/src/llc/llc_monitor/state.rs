//! Registers and memories of `llc_monitor`.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::llc::{counter_matrix, gdcu, id_w, plob};
use crate::ports::Registers;

/// Registers and memories. All registers reset to 0 but where it says otherwise; the memories,
/// [`Bank::sets`], are not reset.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// By bank.
    pub banks: Vec<Bank>,
    /// The sets are being cleared, one per cycle. Reset: 1.
    pub sweeping: bool,
    /// The set whose clearing starts next; 0 outside a sweep.
    pub sweep_set: u32,
    /// The requester table, and the entry of all other requesters behind it. Reset: requester r
    /// runs kernel r, but none above the last kernel; the others run the last one.
    pub kid_of: Vec<u8>,
    /// What `read_matrix` carried in the cycle before.
    pub read_matrix: u8,
    /// The read port's register behind the sum over the banks.
    pub read_count: u64,
    /// The same of the banks' marks.
    pub read_overflow: bool,
}

/// Registers and memories of a bank.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bank {
    /// The request of the cycle before.
    pub compare: Request,
    /// The request of two cycles before.
    pub lookup: Request,
    /// The request of three cycles before, which is done in this one.
    pub update: Request,
    /// The replacement bits of the set of `update`, before it is done; zeros if it is no request.
    pub found: Stack,
    /// The way in the LRU position of `found`, one bit per way; 0 if `update` is no request.
    pub victim: u64,
    /// The way that `update` hits, one bit per way; 0 if it is no access or misses.
    pub hits: u64,
    /// `update` changes the set that `lookup` names.
    pub again: bool,
    /// `lookup` is an access, and its tag is that of `update`.
    pub same_tag: bool,
    /// In the cycle before, the request then in COMPARE named the set that was written.
    pub forward: bool,
    /// The ways whose tag was written in the cycle before, if the request that came in named their
    /// set; else 0.
    pub stale: u64,
    /// The tag of the request that was in UPDATE in the cycle before.
    pub written_tag: u64,
    /// The ways that have the tag of `lookup`, an access, valid or not, without those of `early`
    /// and `late`.
    pub unwritten: u64,
    /// The ways of the set of `lookup` whose tag was written in the cycle in which it came in, and
    /// not in the one after.
    pub early: u64,
    /// `lookup` is an access, and its tag is that of the request that was in UPDATE as it came in.
    pub early_tag: bool,
    /// The ways of the set of `lookup` whose tag was written in the cycle before.
    pub late: u64,
    /// `lookup` is an access, and its tag is that of the request in UPDATE in the cycle before.
    pub late_tag: bool,
    /// The replacement bits that were written last. Reset: zeros.
    pub written: Stack,
    /// The way in its LRU position, one bit per way. Reset: 0.
    pub written_victim: u64,
    /// What the access did that was done in the cycle before.
    pub done: Done,
    /// The demotion counters.
    pub gdcu: gdcu::State,
    /// The eviction counters.
    pub plob: plob::State,
    /// The counters of hits and misses.
    pub accesses: Accesses,
    /// The memories, by set. Zeros at power-up.
    pub sets: Vec<Set>,
}

/// A request on its way. Without any of the three flags it is none: the other fields are then
/// what the ports carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Request {
    /// Access a line.
    pub access: bool,
    /// Invalidate a way.
    pub invalidate: bool,
    /// Clear the set: a step of a sweep.
    pub clear: bool,
    /// The set.
    pub set: u32,
    /// The tag of the line accessed.
    pub tag: u64,
    /// The kernel that the requester ran when it asked.
    pub kid: u8,
    /// The way to invalidate.
    pub way: u8,
}

impl Request {
    /// Whether there is a request at all: each kind changes its set.
    pub fn is_any(&self) -> bool {
        self.access || self.invalidate || self.clear
    }
}

/// What an access did; all zero if there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Done {
    /// There was one.
    pub valid: bool,
    /// The access hit.
    pub hit: bool,
    /// The way hit or filled.
    pub way: u8,
    /// The access replaced a valid line.
    pub evict: bool,
    /// Owner, before the access, of the line hit or replaced; 0 if neither.
    pub owner: u8,
}

/// The replacement bits of a set, by position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stack {
    /// The way in each position.
    pub way: Vec<u8>,
    /// The owner of the line in each position.
    pub owner: Vec<u8>,
    /// The positions that hold a valid line.
    pub valid: u64,
}

impl Stack {
    /// All zeros.
    pub(super) fn clear(&mut self) {
        self.way.fill(0);
        self.owner.fill(0);
        self.valid = 0;
    }

    /// What another one of as many positions holds, without allocating.
    pub(super) fn copy(&mut self, other: &Self) {
        self.way.copy_from_slice(&other.way);
        self.owner.copy_from_slice(&other.owner);
        self.valid = other.valid;
    }
}

/// What the memories hold for a set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Set {
    /// The replacement bits.
    pub stack: Stack,
    /// The tag of the line in each way, by way.
    pub tag: Vec<u64>,
}

/// Counters of hits and misses, by kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct Accesses {
    /// Row 0 counts hits, row 1 misses; the column is the kernel that made the access.
    #[register(nested(p.accesses()))]
    pub matrix: counter_matrix::State,
    /// What was presented in the last `stages` cycles, the youngest first.
    #[register([nested; p.stages])]
    pub in_flight: Vec<InFlight>,
}

/// An access on its way to the counters of hits and misses, or the bubble of a cycle without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct InFlight {
    /// It is an access.
    pub valid: bool,
    /// The accessing kernel; in a bubble that of the request, if any, or of the ports.
    #[register(id_w(p.kernels))]
    pub kid: u8,
    /// The access hits; 0 in a bubble.
    pub hit: bool,
}
