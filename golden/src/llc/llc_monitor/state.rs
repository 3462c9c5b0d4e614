//! Registers and memories of `llc_monitor`.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::delay::Delayed;
use crate::llc::counter_matrix::{self, Answer};
use crate::llc::{attribution, gdcu, plob, sce};
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
    /// What was asked for in the cycles before, as sums over the banks;
    /// [`READ_LATENCY`](super::READ_LATENCY).
    pub answers: Delayed<Answer>,
}

/// Registers and memories of a bank.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bank {
    /// The requests of the last cycles, one per cycle of
    /// [`Params::request_latency`](super::Params::request_latency), the youngest first.
    pub in_flight: Delayed<Request>,
    /// What the access did that was done in the cycle before.
    pub done: Done,
    /// The demotion counters.
    pub gdcu: gdcu::State,
    /// The eviction counters.
    pub plob: plob::State,
    /// The counters of hits and misses.
    pub accesses: Accesses,
    /// The shares at eviction, if they are counted.
    pub sce: Option<sce::State>,
    /// The sampled sets, if there are any.
    pub sampler: Option<attribution::State>,
    /// The memories, by set. Zeros at power-up.
    pub sets: Vec<Set>,
}

impl Bank {
    /// The kinds of counters that saturated in the last period, beside demotions and evictions.
    pub(super) fn overflow_access(&self) -> u64 {
        let sce = self.sce.as_ref();
        let sampler = self.sampler.as_ref();
        let kinds = [
            sce.map_or(0, |sce| sce.matrix.overflow()),
            sampler.map_or(0, |sampler| sampler.shares.overflow()),
            sampler.map_or(0, |sampler| sampler.events.overflow()),
        ];
        let kinds = kinds.into_iter().zip(2..);
        kinds.fold(self.accesses.matrix.overflow(), |flags, (rows, flag)| {
            flags | u64::from(rows > 0) << flag
        })
    }
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
    #[register(skip)]
    pub in_flight: Delayed<InFlight>,
}

/// An access on its way to the counters of hits and misses, or the bubble of a cycle without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InFlight {
    /// It is an access.
    pub valid: bool,
    /// The accessing kernel; 0 in a bubble.
    pub kid: u8,
    /// The access hits; 0 in a bubble.
    pub hit: bool,
}
