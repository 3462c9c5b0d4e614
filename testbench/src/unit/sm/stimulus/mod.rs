//! Stimulus that several units of an SM have.
//!
//! The profiles are those of the shared cache. What their knobs mean here:
//!
//! | knob | on an SM |
//! |---|---|
//! | `access` | there is a request at the head of the LSU, an instruction is accepted |
//! | `hit` | a request is accepted, not refused; in `mem_issue` it hits; in `qbmi` it is its instruction's first |
//! | `near` | small limits, small ratios |
//! | `kernels` | whose request it is |
//! | `fill` | instructions in flight drain, stay or fill up; few, some or all kernels are ready |
//! | `invalidate` | a kernel exits, a computation is cleared |
//! | `flush` | a kernel is launched |
//! | `snapshot` | a limit is set, quotas are computed |
//! | `reset` | reset |
//!
//! An interval is 1024 requests of a kernel, and reset and launch start it afresh. So these are
//! made [`RARER`] times rarer than the knobs say, and what is to happen just as an interval ends or
//! within a division is drawn as that. What kernels do differs between them and from time to time
//! ([`Pace::character`](crate::verify::stimulus::Pace::character)): how many requests their instructions make, how many of these are refused.
//! Far states are close to the end of an interval, with failures up to the most.

pub(in crate::unit) mod kernels;

pub use kernels::{Exit, Launch};

use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Fill, Knobs, Odds, Random};

/// How much rarer what starts an interval afresh is than the knobs say.
pub const RARER: u32 = 16;

/// [`RARER`] than `odds`.
pub(in crate::unit) fn rarer(odds: Odds, random: &mut Random) -> bool {
    random.chance(odds) && random.chance(Odds::one_in(RARER))
}

/// How instructions come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::unit) struct Traffic {
    pub issue: Odds,
    pub complete: Odds,
}

impl Traffic {
    /// By what lines would be valid; where that is mixed, by a kernel's character.
    pub fn new(knobs: &Knobs, character: u64) -> Self {
        let half = Odds::one_in(2);
        let (issue, complete) = match knobs.fill {
            Fill::Full => (Odds::ALWAYS, Odds::one_in(8)),
            Fill::Sparse => (Odds::one_in(8), Odds::ALWAYS),
            Fill::Mixed => match character & 7 {
                0..=1 => (Odds::NEVER, half),
                2 => (Odds::one_in(4), half),
                3..=4 => (half, half),
                5..=6 => (half, Odds::one_in(4)),
                _ => (Odds::ALWAYS, Odds::one_in(16)),
            },
        };
        Self { issue, complete }
    }
}

/// Whether a request is accepted, by the knob and a kernel's character.
pub(in crate::unit) fn accepted(knobs: &Knobs, character: u64, random: &mut Random) -> bool {
    if knobs.hit == Odds::ALWAYS || knobs.hit == Odds::NEVER {
        return knobs.hit == Odds::ALWAYS;
    }
    random.chance(match character >> 8 & 3 {
        0 => knobs.hit,
        1 => Odds::one_in(3),
        2 => Odds::one_in(5),
        _ => Odds::all_but_one_in(8),
    })
}

/// Which of `kernels` are ready, by what lines would be valid.
pub(in crate::unit) fn ready(knobs: &Knobs, kernels: usize, random: &mut Random) -> u64 {
    knobs.valid(kernels, random)
}

/// Failures to start a far state with: around a multiple of an interval's requests, up to the most.
pub(in crate::unit) fn failures(fail_w: usize, interval_w: usize, random: &mut Random) -> u64 {
    let most = ones(fail_w);
    let around = |failures: u64, random: &mut Random| {
        (failures + random.below(8) as u64)
            .saturating_sub(4)
            .min(most)
    };
    match random.below(8) {
        0 => random.bits() & ones(interval_w),
        1..=2 => random.bits() & most,
        3 => around((random.bits() & most) >> interval_w << interval_w, random),
        4..=5 => around(1 << interval_w, random),
        _ => most - random.below(4) as u64 / 2,
    }
}
