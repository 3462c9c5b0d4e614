//! Functional coverage of limiters, which several units have.

use crate::verify::coverage::{Axis, Cross};

/// Yes or no.
pub(in crate::unit) const FLAG: [&str; 2] = ["no", "yes"];

/// All ones in `width` bits, 1 to 64.
pub(in crate::unit) fn ones(width: usize) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// Where a number of instructions in flight is against a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::unit) enum Gate {
    Room,
    LastPlace,
    AtLimit,
    AboveLimit,
}

impl Gate {
    pub const NAMES: [&'static str; 4] =
        ["room", "room for one", "at the limit", "above the limit"];

    pub fn of(in_flight: u64, limit: u64) -> Self {
        match limit.checked_sub(in_flight) {
            None => Self::AboveLimit,
            Some(0) => Self::AtLimit,
            Some(1) => Self::LastPlace,
            Some(_) => Self::Room,
        }
    }
}

/// A limiter's gate by what is in flight, whether there is a limit, and whether an instruction is
/// issued and one completes.
pub(in crate::unit) fn gates(name: &'static str) -> Cross {
    Cross::new(
        name,
        [
            Axis::new("in flight", Gate::NAMES),
            Axis::new("limited", FLAG),
            Axis::new("issue", FLAG),
            Axis::new("complete", FLAG),
        ],
    )
    .without("without a limit there are as many as can be", |at| {
        at[0] == Gate::AboveLimit as usize && at[1] == 0
    })
    .without("at the limit nothing is issued", |at| {
        at[0] >= Gate::AtLimit as usize && at[2] == 1
    })
}

/// What a limiter's registers and its inputs are in [`gates`].
pub(in crate::unit) fn gate(
    in_flight: u64,
    limit: u64,
    unlimited: bool,
    issue: bool,
    complete: bool,
) -> [usize; 4] {
    [
        Gate::of(in_flight, limit) as usize,
        usize::from(!unlimited),
        usize::from(issue),
        usize::from(complete),
    ]
}
