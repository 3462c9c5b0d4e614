//! Kernels that start and end.

use serde::{Deserialize, Serialize};

use super::rarer;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Knobs, Odds, Pace, Random};

/// Kernels that start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Launch {
    /// None.
    None,
    /// One, counted around, if it is not active and fewer are than so many.
    IfFewer(u8, u8),
    /// These; those that are not there are dropped.
    Now(u64),
}

/// Kernels that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// None.
    None,
    /// This one, counted around.
    One(u8),
    /// These; those that are not there are dropped.
    Now(u64),
}

/// Kernels that start and that end in a cycle, now and then the same ones. For some time one alone
/// is kept, then two at least.
pub(in crate::unit) fn draw(
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
    pub(in crate::unit) fn mask(self, kernels: usize, active: u64) -> u64 {
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
    pub(in crate::unit) fn mask(self, kernels: usize) -> u64 {
        match self {
            Self::None => 0,
            Self::One(kid) => 1 << (usize::from(kid) % kernels),
            Self::Now(mask) => mask & ones(kernels),
        }
    }
}
