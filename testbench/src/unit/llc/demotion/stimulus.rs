//! `demotion`: accesses to sets in any state.

use cotenant_golden::llc::demotion::{Demotion as Model, In, Params};
use serde::{Deserialize, Serialize};

use crate::unit::llc::stimulus::nth_set;
use crate::unit::llc::Demotion;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Knobs, Pace, Profile, Random};

/// What happens to a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// The access, if there is one.
    pub access: Access,
    /// Positions that hold a valid line; those beyond the ways are dropped.
    pub valid: u64,
}

/// An access to a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// None; the position port carries this, up to the code for a miss.
    Bubble {
        /// Not looked at.
        position: u8,
    },
    /// A hit on the n-th valid line from the MRU position, counted around; a miss if there is
    /// none.
    Hit {
        /// Which valid line.
        nth: u8,
    },
    /// A miss.
    Miss,
}

impl Access {
    /// What the position port carries.
    pub(in crate::unit) fn position(self, ways: usize, valid: u64) -> u8 {
        match self {
            Self::Bubble { position } => position,
            Self::Hit { nth } => nth_set(valid & ones(ways), nth).unwrap_or(ways as u8),
            Self::Miss => ways as u8,
        }
    }

    /// There is one.
    pub(in crate::unit) fn valid(self) -> bool {
        !matches!(self, Self::Bubble { .. })
    }

    pub(in crate::unit) fn draw(
        knobs: &Knobs,
        ways: usize,
        valid: u64,
        random: &mut Random,
    ) -> Self {
        if !random.chance(knobs.access) {
            Self::Bubble {
                position: random.below(ways + 1) as u8,
            }
        } else if random.chance(knobs.hit) {
            Self::Hit {
                nth: knobs.nth(valid.count_ones() as usize, random),
            }
        } else {
            Self::Miss
        }
    }
}

impl Drive for Demotion {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::InvalidWays,
        Profile::Hits,
        Profile::Misses,
        Profile::Idle,
    ];

    fn kernels(_: &Params) -> usize {
        1
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn nothing(_: &Params) -> Transaction {
        Transaction {
            access: Access::Bubble { position: 0 },
            valid: 0,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let ways = params.ways;
        input.access_valid = transaction.access.valid();
        input.stack_valid = transaction.valid & ones(ways);
        let position = transaction.access.position(ways, input.stack_valid);
        input.access_pos = position.min(ways as u8);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.valid = knobs.valid(params.ways, random);
        transaction.access = Access::draw(knobs, params.ways, transaction.valid, random);
    }
}
