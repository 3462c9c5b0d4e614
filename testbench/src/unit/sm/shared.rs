//! Shared by several units of an SM: kernels that start and end, and limiters.
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
//! An interval is 1024 requests of a kernel, and reset and launch restart it. So these are made
//! [`RARER`] times rarer than the knobs say, and what is to happen just as an interval ends or within
//! a division is drawn as that. What kernels do differs between them and from time to time
//! ([`Pace::character`](crate::verify::stimulus::Pace::character)): how many requests their
//! instructions make, how many of these are refused. Far states are close to the end of an interval,
//! with failures up to the most.

use crate::unit::prelude::*;

/// The most instructions in flight in a far state, one cycle of the model for each.
pub(crate) const MOST_IN_FLIGHT: u64 = 1 << 12;

/// The most requests of an interval, in all kernels, for which there are far states.
pub(crate) const MOST_REQUESTS: u64 = 1 << 14;

/// How much rarer the inputs that restart an interval are than the knobs say.
pub const RARER: u32 = 16;

/// [`RARER`] than `odds`.
pub(crate) fn rarer(odds: Odds, random: &mut Random) -> bool {
    random.chance(odds) && random.chance(Odds::one_in(RARER))
}

/// How instructions come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traffic {
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
pub(crate) fn accepted(knobs: &Knobs, character: u64, random: &mut Random) -> bool {
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
pub(crate) fn ready(knobs: &Knobs, kernels: usize, random: &mut Random) -> u64 {
    knobs.valid(kernels, random)
}

/// Requests per instruction that make for the highest quotas: from `most` down, no two with a common
/// divisor, a few left out, and one that is 1.
pub(crate) fn coprime(kernels: usize, most: u64, random: &mut Random) -> Vec<u64> {
    let apart = |a: u64, b: u64| (2..=a.min(b)).all(|n| a % n != 0 || b % n != 0);
    let mut ratios = vec![1];
    for ratio in (2..=most).rev() {
        if ratios.iter().all(|&other| apart(ratio, other)) && random.below(8) > 0 {
            ratios.push(ratio);
        }
    }
    ratios.resize(kernels, 1);
    ratios.rotate_left(random.below(kernels));
    ratios
}

/// Failures to start a far state with: around a multiple of an interval's requests, up to the most.
pub(crate) fn failures(fail_w: usize, interval_w: usize, random: &mut Random) -> u64 {
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

/// Kernels that start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Launch {
    /// None.
    #[default]
    None,
    /// One, counted around, if it is not active and fewer are than so many.
    IfFewer(u8, u8),
    /// These; those that are not there are dropped.
    Now(u64),
}

/// Kernels that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Exit {
    /// None.
    #[default]
    None,
    /// This one, counted around.
    One(u8),
    /// These; those that are not there are dropped.
    Now(u64),
}

/// Kernels that start and that end in a cycle, now and then the same ones. For some time one alone
/// is kept, then two at least.
pub(crate) fn draw_kernels(
    knobs: &Knobs,
    kernels: usize,
    pace: &Pace,
    random: &mut Random,
) -> (Launch, Exit) {
    let one = |random: &mut Random| 1 << random.below(kernels);
    if rarer(knobs.flush, random) {
        let launch = match random.below(4) {
            0 => random.bits(),
            _ => one(random),
        };
        let exit = match random.below(8) {
            0..=1 => Exit::Now(launch),
            2..=3 => Exit::Now(one(random)),
            _ => Exit::None,
        };
        return (Launch::Now(launch), exit);
    }
    let launch = match random.chance(Odds::one_in(8)) {
        true => {
            let than = 1 + (pace.character(0) >> 40 & 1) as u8;
            Launch::IfFewer(random.below(kernels) as u8, than)
        }
        false => Launch::None,
    };
    // A launch brings few kernels back, so fewer end.
    let ends = rarer(knobs.invalidate, random) && random.chance(Odds::one_in(4));
    let exit = match ends {
        true if random.below(16) == 0 => Exit::Now(random.bits()),
        true => Exit::One(random.below(kernels) as u8),
        false => Exit::None,
    };
    (launch, exit)
}

impl Launch {
    /// The mask on the port, with those that are `active` now.
    pub(crate) fn mask(self, kernels: usize, active: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::IfFewer(kid, than) => {
                let one = 1 << (usize::from(kid) % kernels);
                let few = active.count_ones() < than.into();
                if few && active & one == 0 {
                    one
                } else {
                    0
                }
            }
            Self::Now(mask) => mask & ones(kernels),
        }
    }
}

impl Exit {
    /// The mask on the port.
    pub(crate) fn mask(self, kernels: usize) -> u64 {
        match self {
            Self::None => 0,
            Self::One(kid) => 1 << (usize::from(kid) % kernels),
            Self::Now(mask) => mask & ones(kernels),
        }
    }
}

/// Where a number of instructions in flight is against a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    Room,
    LastPlace,
    AtLimit,
    AboveLimit,
}

impl Gate {
    pub const NAMES: [&'static str; 4] = [
        "below the limit",
        "one below",
        "at the limit",
        "above the limit",
    ];

    pub fn of(in_flight: u64, limit: u64) -> Self {
        match limit.checked_sub(in_flight) {
            None => Self::AboveLimit,
            Some(0) => Self::AtLimit,
            Some(1) => Self::LastPlace,
            Some(_) => Self::Room,
        }
    }
}

/// A limiter by instructions in flight, whether there is a limit, and whether an instruction is
/// issued and one completes.
pub(crate) fn gates(name: &'static str) -> Cross {
    Cross::named(name)
        .axis("in flight", Gate::NAMES)
        .flag("limited")
        .flag("issue")
        .flag("complete")
        .without("without a limit the count cannot exceed it", |at| {
            at[0] == Gate::AboveLimit as usize && at[1] == 0
        })
        .without("at the limit no instruction is issued", |at| {
            at[0] >= Gate::AtLimit as usize && at[2] == 1
        })
}

/// The bin of [`issue_cross`] of a limiter's registers and inputs.
pub(crate) fn gate(
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

/// Where the paper says what the hardware of QBMI and DMIL costs.
pub(super) const COST: &str = "QBMI/DMIL, section 4.4";
