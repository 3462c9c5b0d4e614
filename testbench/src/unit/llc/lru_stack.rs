//! `lru_stack` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: accesses, invalidations and flushes, alone and together.
//!
//! Example waveform: the replacement bits of section III-A, built up and then used.
//!
//! Source: GDC, section III-A: "for a 4-way LLC where the MRU for a given set is way 2, followed
//! by way 0, way 3 and way 1 (so way 1 is the LRU), the replacement bits would be the
//! concatenation of 10, 00, 11, and 01". Whose lines they are is chosen here.

use cotenant_golden::llc::lru_stack::{In, LruStack as Model, Params};

mod coverage;

use super::shared::nth_set;
use crate::unit::prelude::*;

/// The unit [`lru_stack`](cotenant_golden::llc::lru_stack).
#[derive(Debug, Clone, Copy)]
pub struct LruStack;

impl Interface for LruStack {
    const NAME: &'static str = "lru_stack";
    const SUMMARY: &'static str = "replacement bits of one cache set, in LRU order";
    const PLACE: Place = Place::Set;
    type Model = Model;

    from_golden!();
}

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

impl Default for Transaction {
    fn default() -> Self {
        Self {
            reset: false,
            flush: false,
            invalidate: false,
            target: Target::Way(0),
            access: Access::Bubble { hit: false, way: 0 },
            kid: 0,
        }
    }
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

impl Teach for LruStack {
    const SETS: &'static [&'static str] = &["4x4"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let hit = |access_way, access_kid| In {
            access_valid: true,
            access_hit: true,
            access_way,
            access_kid,
            ..idle()
        };
        let miss = |access_kid| In {
            access_valid: true,
            access_kid,
            ..idle()
        };
        // What is hit where, and the stack that it leads to.
        let moves = |caption, way, kid, position: u64, ways: [u64; 4], owners: [u64; 4]| {
            Step::new(caption, hit(way, kid))
                .sees("hit_pos", position)
                .then("stack_way", ways)
                .then("stack_owner", owners)
        };
        let reset = Self::cycle(params, |i| i.reset = true);
        let invalidate = In {
            invalidate_valid: true,
            invalidate_way: 2,
            ..idle()
        };
        Scene::new("the stack of section III-A: way 2, 0, 3, 1")
            .rows(
                "request",
                "access_valid, access_hit when access_valid, access_way when access_hit, \
                 access_kid kernel when access_valid, hit_pos when access_hit, invalidate_valid",
            )
            .rows(
                "replacement bits: ways and owners, MRU first",
                "stack_way, stack_owner, stack_valid",
            )
            .rows(
                "victim of a miss",
                "victim_way, victim_owner kernel when victim_valid, victim_valid",
            )
            .cycle("Reset: the ways in order, all invalid.", reset)
            .then("stack_way", [0, 1, 2, 3])
            .then("stack_valid", 0b0000)
            .cycles(
                "Four misses of K0 fill the ways from the LRU position: 3, 2, 1, 0.",
                [miss(0), miss(0), miss(0), miss(0)],
            )
            .then("stack_way", [0, 1, 2, 3])
            .then("stack_owner", [0, 0, 0, 0])
            .then("stack_valid", 0b1111)
            .step(moves(
                "K0 hits way 1 in position 1: way 1 moves to the top, way 0 moves down.",
                1,
                0,
                1,
                [1, 0, 2, 3],
                [0, 0, 0, 0],
            ))
            .step(moves(
                "K3 hits way 3 in the LRU position and owns its line from now on.",
                3,
                3,
                3,
                [3, 1, 0, 2],
                [3, 0, 0, 0],
            ))
            .step(moves(
                "K2 hits way 0 in position 2.",
                0,
                2,
                2,
                [0, 3, 1, 2],
                [2, 3, 0, 0],
            ))
            .step(
                moves(
                    "K1 hits way 2. This is the paper's example: the MRU is way 2, followed by 0, 3 and 1.",
                    2,
                    1,
                    3,
                    [2, 0, 3, 1],
                    [1, 2, 3, 0],
                )
                .then("victim_way", 1),
            )
            .step(moves(
                "K0 hits way 3 in position 2: the lines above it, of K1 and K2, are demoted by one.",
                3,
                0,
                2,
                [3, 2, 0, 1],
                [0, 1, 2, 0],
            ))
            .cycle(
                "K2 misses: all lines are demoted, that of K0 in way 1 is evicted, and K2's line fills its way.",
                miss(2),
            )
            .sees("victim_way", 1)
            .sees("victim_owner", 0)
            .sees("victim_valid", true)
            .then("stack_way", [1, 3, 2, 0])
            .then("stack_owner", [2, 0, 1, 2])
            .cycle("Way 2 is invalidated and goes to the bottom; its owner bits stay.", invalidate)
            .then("stack_way", [1, 3, 0, 2])
            .then("stack_owner", [2, 0, 2, 1])
            .then("stack_valid", 0b0111)
            .cycle(
                "K3 misses: the way in the LRU position is invalid, so nothing is evicted.",
                miss(3),
            )
            .sees("victim_way", 2)
            .sees("victim_valid", false)
            .then("stack_way", [2, 1, 3, 0])
            .then("stack_owner", [3, 2, 0, 2])
            .then("stack_valid", 0b1111)
            .cycle("No request: the stack does not change.", idle())
            .sees("stack_way", [2, 1, 3, 0])
            .sees("victim_way", 0)
    }
}

impl Facts for LruStack {}
