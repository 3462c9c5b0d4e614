//! The transactions of `llc_monitor`: its inputs of one cycle.

use crate::unit::llc::shadow_stack::Line;
use crate::unit::prelude::*;

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: When,
    /// All lines are invalidated.
    pub flush: When,
    /// The period ends.
    pub snapshot: bool,
    /// The kernel that accesses most, modulo the number of kernels.
    pub kid: u8,
    /// By bank; missing ones are bubbles.
    pub requests: Vec<Request>,
    /// What the write port of the requester table carries.
    pub map: Map,
    /// What the read port carries: matrix, victim and aggressor, cut to the ports' widths.
    pub read: (u8, u8, u8),
    /// The running counters are read, not the last period's.
    pub live: bool,
}

/// When something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// In this cycle.
    Now,
    /// In this cycle if it is one of the first two of a sweep.
    StartOfSweep,
    /// In this cycle if it is the second one of a sweep.
    SecondOfSweep,
    /// In this cycle if it is the last one of a sweep.
    LastOfSweep,
    /// In this cycle if a sweep is over, but not all it clears is cleared.
    AfterSweep,
    /// In this cycle if a counter has overflowed in this period or the last one.
    Overflowed,
}

/// What the ports of a bank carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The set.
    pub set: Place,
    /// The access, if there is one.
    pub access: Access,
    /// Who makes it.
    pub requester: Requester,
    /// A way is invalidated; an access in the same cycle is dropped.
    pub invalidate: bool,
    /// Which one; also on the port when none is.
    pub target: Target,
}

/// A set of a bank. It is modulo the number of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// By its number.
    Set(u32),
    /// That of the cycle before.
    Again,
    /// That of two cycles before.
    Back,
    /// So many sets from that of the cycle before.
    Away(i8),
    /// The n-th sampled one; by its number if there is none.
    Sampled(u32),
}

/// An access to a set. Lines are those that the set has before the requests of the last three
/// cycles are done, so a line that they evict or invalidate is missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// None; the tag port carries this.
    Bubble {
        /// Cut to the width of a tag.
        tag: u64,
    },
    /// A hit on the n-th valid line from the MRU position, counted around; a new line if there is
    /// none.
    Line {
        /// Which valid line.
        nth: u8,
    },
    /// To the tag of the request of one of the three cycles before.
    Recent {
        /// 0 the cycle before; modulo 3.
        ago: u8,
    },
    /// A miss, to a tag that the n-th invalid way still holds; to a new line if there is none.
    Stale {
        /// Which invalid way.
        nth: u8,
    },
    /// To a tag that differs in one bit from the n-th valid line's.
    Near {
        /// Which valid line.
        nth: u8,
        /// Which bit, modulo the width of a tag.
        bit: u8,
    },
    /// A miss: to the first tag from this one on that no valid line has.
    New {
        /// Cut to the width of a tag.
        tag: u64,
    },
    /// To a line that the stack of the set holds; to a new line if the set is not sampled.
    Held {
        /// Which line.
        line: Line,
    },
    /// To this tag.
    Tag {
        /// Cut to the width of a tag.
        tag: u64,
    },
}

/// Who makes an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Requester {
    /// One that runs the transaction's kernel; requester 0 if there is none.
    OfKernel,
    /// The one with this code, cut to the port's width.
    Code(u16),
}

/// A way to invalidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// By its number, modulo the number of ways.
    Way(u8),
    /// The way in a position of the stack, modulo the number of ways.
    Position(u8),
}

/// What the write port of the requester table carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Map {
    /// It is written.
    pub valid: bool,
    /// Whose entry.
    pub entry: Entry,
    /// The kernel, modulo the number of kernels if it is written.
    pub kid: u8,
}

/// An entry of the requester table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// That of the requester with this code, cut to the port's width.
    Code(u16),
    /// That of the requester on a bank's port, modulo the number of banks.
    OfBank(u8),
}

impl Default for Entry {
    fn default() -> Self {
        Self::Code(0)
    }
}

impl Request {
    /// No request; all ports 0.
    pub const NOTHING: Self = Self {
        set: Place::Set(0),
        access: Access::Bubble { tag: 0 },
        requester: Requester::Code(0),
        invalidate: false,
        target: Target::Way(0),
    };
}
