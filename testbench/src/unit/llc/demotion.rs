//! `demotion` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: accesses to sets in any state.
//!
//! Functional coverage: every position and the miss, in sets of every kind.
//!
//! Example waveform: which positions an access demotes, in a set of four ways as in figure 2.

use cotenant_golden::llc::demotion::{Demotion as Model, In, Params};

use super::shared::nth_set;
use crate::unit::prelude::*;

/// The unit [`demotion`](cotenant_golden::llc::demotion).
#[derive(Debug, Clone, Copy)]
pub struct Demotion;

impl Interface for Demotion {
    const NAME: &'static str = "demotion";
    const SUMMARY: &'static str = "computes the LRU stack positions that an access demotes";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

/// What happens to a set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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

impl Default for Access {
    fn default() -> Self {
        Self::Bubble { position: 0 }
    }
}

impl Access {
    /// What the position port carries.
    pub(crate) fn position(self, ways: usize, valid: u64) -> u8 {
        match self {
            Self::Bubble { position } => position,
            Self::Hit { nth } => nth_set(valid & ones(ways), nth).unwrap_or(ways as u8),
            Self::Miss => ways as u8,
        }
    }

    /// There is one.
    pub(crate) fn valid(self) -> bool {
        !matches!(self, Self::Bubble { .. })
    }

    pub(crate) fn draw(knobs: &Knobs, ways: usize, valid: u64, random: &mut Random) -> Self {
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

    fn world(_: &Params) {}

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

collector! {
    /// Sorts accesses.
    pub struct Collector {
        crosses { accesses }
        ways: usize,
        positions: Positions,
    }
}

impl Cover for Demotion {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let ways = params.ways;
        let positions = Positions::new(ways);
        let accesses = Cross::named("accesses")
            .by(positions.axis("position"))
            .axis("valid", Valid::NAMES)
            .flag("access")
            .without("a hit is on a valid line", |at| {
                at[2] == 1 && !possible(positions, at[0], at[1], ways)
            })
            .without("one way has no such pattern", |at| {
                ways == 1 && (at[1] == Valid::Upper as usize || at[1] == Valid::Holes as usize)
            });
        Collector {
            ways,
            positions,
            accesses,
        }
    }
}

/// Whether any position of a class can be accessed in a set of this kind.
pub(crate) fn possible(positions: Positions, class: usize, valid: usize, ways: usize) -> bool {
    let (first, last) = positions.range(class);
    (first..=last).any(|position| Valid::EACH[valid].demoted(position, ways).is_some())
}

impl Collect<Demotion> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let position = self.positions.class(input.access_pos.into());
        let valid = Valid::of(input.stack_valid, self.ways) as usize;
        self.accesses.hit((position, valid, input.access_valid));
    }
}

/// The code of a miss.
const MISS: u8 = 4;

impl Teach for Demotion {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let access = |caption, access_pos, stack_valid, demoted: u64| {
            let input = In {
                access_valid: true,
                access_pos,
                stack_valid,
            };
            Step::new(caption, input).sees("demoted", demoted)
        };
        let bubble = In {
            access_valid: false,
            access_pos: MISS,
            stack_valid: 0b1111,
        };
        Scene::new("a hit demotes the lines above it, a miss all lines")
            .group(
                "access",
                [
                    row("access_valid"),
                    row("access_pos").named(&[(4, "miss")]).when("access_valid"),
                    row("stack_valid"),
                ],
            )
            .rows("one bit per position, MRU lowest", "demoted")
            .step(access(
                "A hit on the MRU line: no line moves.",
                0,
                0b1111,
                0b0000,
            ))
            .step(access(
                "A hit in position 2 moves that line to the top: those in positions 0 and 1 move down by one.",
                2,
                0b1111,
                0b0011,
            ))
            .step(access(
                "A hit on the LRU line, position 3: all others move down.",
                3,
                0b1111,
                0b0111,
            ))
            .step(access(
                "A miss has a code of its own, 4: all four move down, the LRU line out of the cache.",
                MISS,
                0b1111,
                0b1111,
            ))
            .step(access(
                "A miss while the way in the LRU position is invalid: only the three valid lines count.",
                MISS,
                0b0111,
                0b0111,
            ))
            .cycle("No access: nothing is demoted, independent of the other inputs.", bubble)
            .sees("demoted", 0)
    }
}

impl Facts for Demotion {}
