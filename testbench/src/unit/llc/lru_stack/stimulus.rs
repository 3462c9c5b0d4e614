//! `lru_stack`: accesses, invalidations and flushes, alone and together.

use cotenant_golden::llc::lru_stack::{In, LruStack as Model, Params};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::llc::stimulus::nth_set;
use crate::unit::llc::LruStack;
use crate::verify::stimulus::{Drive, Knobs, Odds, Pace, Profile, Random};

/// What happens to the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// All ways are invalidated.
    pub flush: bool,
    /// A way is invalidated.
    pub invalidate: bool,
    /// Which one; also on the port when none is.
    pub target: Target,
    /// The access, if there is one.
    pub access: Access,
    /// The accessing kernel, modulo the number of kernels; also on the port of a bubble.
    pub kid: u8,
}

/// A way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// By its number, modulo the number of ways.
    Way(u8),
    /// The way in a position of the stack, modulo the number of ways.
    Position(u8),
    /// The way on `access_way`.
    Accessed,
}

/// An access to the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// None; but `hit_pos` answers to the other ports all the same.
    Bubble {
        /// What `access_hit` carries.
        hit: bool,
        /// What `access_way` carries, modulo the number of ways.
        way: u8,
    },
    /// A hit on the n-th valid line from the MRU position, counted around; a miss if there is
    /// none.
    Hit {
        /// Which valid line.
        nth: u8,
    },
    /// A miss.
    Miss {
        /// What `access_way` carries, modulo the number of ways; not looked at.
        way: u8,
    },
}

impl Drive for LruStack {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::InvalidWays,
        Profile::Hits,
        Profile::Misses,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn nothing(_: &Params) -> Transaction {
        Transaction {
            reset: false,
            flush: false,
            invalidate: false,
            target: Target::Way(0),
            access: Access::Bubble { hit: false, way: 0 },
            kid: 0,
        }
    }

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        let (ways, kernels) = (params.ways as u8, params.kernels as u8);
        let state = model.state();
        let (valid, hit, way) = match transaction.access {
            Access::Bubble { hit, way } => (false, hit, way % ways),
            Access::Hit { nth } => match nth_set(state.valid, nth) {
                Some(position) => (true, true, state.way[usize::from(position)]),
                None => (true, false, nth % ways),
            },
            Access::Miss { way } => (true, false, way % ways),
        };
        *input = In {
            reset: transaction.reset,
            access_valid: valid,
            access_hit: hit,
            access_way: way,
            access_kid: transaction.kid % kernels,
            invalidate_valid: transaction.invalidate,
            invalidate_way: match transaction.target {
                Target::Way(number) => number % ways,
                Target::Position(position) => state.way[usize::from(position % ways)],
                Target::Accessed => way,
            },
            flush: transaction.flush,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let way = random.below(params.ways) as u8;
        let flush = random.chance(knobs.flush);
        let access = if flush && random.chance(Odds::one_in(2)) {
            // The request that would change most, had the flush not come first.
            Access::Hit {
                nth: random.below(params.ways) as u8,
            }
        } else if !random.chance(knobs.access) {
            Access::Bubble {
                hit: random.chance(Odds::one_in(2)),
                way,
            }
        } else if random.chance(knobs.hit) {
            Access::Hit {
                nth: knobs.nth(params.ways, random),
            }
        } else {
            Access::Miss { way }
        };
        let target = random.below(params.ways) as u8;
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            flush,
            // Which of two requests goes first shows only if there are two.
            invalidate: random.chance(knobs.invalidate) || flush && random.chance(Odds::one_in(2)),
            target: match random.below(5) {
                0 => Target::Accessed,
                1 => Target::Position(0),
                2 => Target::Position(params.ways as u8 - 1),
                3 => Target::Position(target),
                _ => Target::Way(target),
            },
            access,
            kid: pace.kid(knobs.kernels, random),
        };
    }
}
