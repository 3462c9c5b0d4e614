//! Stimulus of `ucp`: decisions, and counters of several shapes that each application keeps for a while.

use cotenant_golden::mgmt::ucp::{max_mu, winner, In, Params, Ucp as Model};
use cotenant_golden::mgmt::ByApplication;

use super::Ucp;
use crate::unit::prelude::*;

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: When,
    /// A decision is started.
    pub start: When,
    /// The applications that get one way only; at a start not all.
    pub mask: u64,
    /// By what the counters of each are divided, cut to its width; at a start at least 1, missing
    /// ones are 1.
    pub ratio: Vec<u16>,
    /// The counters of each application, where they are asked for.
    pub curves: Vec<Curve>,
    /// What they are else.
    pub noise: u64,
}

/// When a decision is started, or dropped by a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// If none is under way.
    Idle,
    /// As the last counters of a round are on their way.
    Ending,
    /// In the last cycle of a decision, which it drops.
    Last,
    /// In this cycle.
    Now,
}

/// The counters of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Curve {
    /// How they go with the position.
    pub shape: Shape,
    /// The most, cut to the counters' width.
    pub height: u64,
    /// The position at which something changes.
    pub knee: u8,
}

/// How counters go with the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Shape {
    /// All alike.
    #[default]
    Flat,
    /// Hits at one position alone.
    Peak,
    /// Hits up to one position.
    Step,
    /// Hits beyond one position: the more ways the better.
    Rising,
    /// Half of those at the position before.
    Falling,
    /// Nearly the same number per way and XSRATIO, so that products differ by little.
    Even,
    /// What gives as many hits per way and XSRATIO as the best so far has, or one more or less; of the
    /// first the most.
    Rival,
    /// Anything up to the most.
    Noise,
}

impl Curve {
    fn at(self, model: &Model, (application, position): (usize, u64), noise: u64) -> u64 {
        let (limit, ratio) = (ones(model.params().cnt_w), model.state().ratio[application]);
        let height = self.height & limit;
        let knee = u64::from(self.knee);
        match self.shape {
            Shape::Flat => height,
            Shape::Peak if position == knee => height,
            Shape::Step if position <= knee => height,
            Shape::Rising if position > knee => height,
            Shape::Peak | Shape::Step | Shape::Rising => 0,
            Shape::Falling => height >> position.min(63),
            Shape::Even => ((height & 0xff) * ratio + (noise & 3)).min(limit),
            Shape::Rival => match rival(model, application) {
                Some(equal) => {
                    let off = (noise % 3) as i8 - 1;
                    equal.saturating_add_signed(off.into()).min(limit)
                }
                None => height,
            },
            Shape::Noise => {
                noise
                    & self
                        .height
                        .checked_next_power_of_two()
                        .map_or(u64::MAX, |end| end - 1)
            }
        }
    }

    /// From an application's character.
    fn of(ways: usize, character: u64) -> Self {
        let shape = match character & 7 {
            0 => Shape::Flat,
            1 => Shape::Rival,
            2 => Shape::Peak,
            3 => Shape::Rising,
            4 => Shape::Step,
            5 => Shape::Falling,
            6 => Shape::Even,
            _ => Shape::Noise,
        };
        let height = match character >> 3 & 7 {
            0 => 0,
            1..=3 => character >> 8 & 3,
            4 => u64::MAX,
            5 => character >> 8,
            // Of all magnitudes.
            _ => character >> 8 & ones((character >> 56 & 15) as usize + 1),
        };
        Self {
            shape,
            height,
            knee: ((character >> 40) % ways as u64) as u8,
        }
    }
}

/// Counters with which the products that are compared are as large as they can be, and nearly equal.
fn extreme(rises: bool, character: u64) -> Curve {
    Curve {
        shape: match rises {
            true => Shape::Rising,
            false => Shape::Rival,
        },
        // Full, or some less.
        height: u64::MAX ^ (character >> 16 & 0xffff) >> (character >> 32 & 15),
        knee: (character >> 8 & 3) as u8,
    }
}

/// The count with which the application whose counter is taken would have as many hits per way and
/// XSRATIO as the best of the round so far, rounded down; none as long as there is no best one.
fn rival(model: &Model, application: usize) -> Option<u64> {
    let state = model.state();
    let hits = &state.round.as_ref()?.hits;
    let best = winner(hits.iter().enumerate().map(|(i, hits)| {
        let free = state.mask >> i & 1 == 0;
        free.then(|| max_mu(hits, state.ratio[i])).flatten()
    }));
    let (_, best) = best?;
    let ways = 1 + hits[application].len() as u128;
    let ours = ways * u128::from(state.ratio[application]);
    let equal = best.hits * ours / (u128::from(best.ways) * u128::from(best.ratio));
    let before: u128 = hits[application].iter().copied().map(u128::from).sum();
    u64::try_from(equal.saturating_sub(before)).ok()
}

impl Drive for Ucp {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Bursts,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            xsratio: ByApplication::from_fn(params.applications, |_| 1),
            read_count: ByApplication::from_fn(params.applications, |_| 0),
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let state = model.state();
        let under_way = state.round.is_some();
        let asked = params.applications as u64 * state.balance;
        let happens = |when: When| match when {
            When::Never => false,
            When::Idle => !under_way,
            When::Ending => {
                let mut round = state.round.iter();
                round.any(|round| round.cycle as u64 + 1 >= asked)
            }
            When::Last => under_way && state.balance == 0,
            When::Now => true,
        };
        let start = happens(what.start);
        let all = ones(params.applications);
        let answered = model.answered();
        *input = In {
            reset: happens(what.reset),
            start,
            ucp_mask: match what.mask & all {
                mask if start && mask == all => {
                    all & !(1 << (what.noise % params.applications as u64))
                }
                mask => mask,
            },
            xsratio: ByApplication::from_fn(params.applications, |i| {
                let ratio =
                    what.ratio.get(i).map_or(1, |&ratio| u64::from(ratio)) & ones(params.xs_w);
                match start {
                    true => ratio.max(1),
                    false => ratio,
                }
            }),
            read_count: ByApplication::from_fn(params.applications, |i| {
                let noise = what.noise.rotate_left(7 * i as u32);
                let count = match (answered, what.curves.get(i)) {
                    (Some(at), Some(curve)) if at.0 == i => curve.at(model, at, noise),
                    _ => noise,
                };
                count & ones(params.cnt_w)
            }),
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let applications = params.applications;
        // A decision takes up to a thousand cycles.
        let rarer = |odds, random: &mut Random| random.chance(odds) && random.below(64) == 0;
        transaction.reset = match random.chance(knobs.reset) {
            true if random.below(64) == 0 => When::Now,
            true => When::Ending,
            false => When::Never,
        };
        transaction.start = match random.below(8) {
            0 if rarer(knobs.snapshot, random) => When::Now,
            1 if random.chance(Odds::one_in(2)) => When::Last,
            2..=4 if random.chance(knobs.access) => When::Idle,
            _ => When::Never,
        };
        let bits = random.bits();
        transaction.mask = match bits & 7 {
            0 => bits >> 32,
            // All but one of them, whichever that is.
            1 => u64::MAX,
            2 | 3 => 1 << ((bits >> 32) % applications as u64),
            _ => 0,
        };
        // Now and then all applications have the same ones, or others in each cycle, or such that
        // products are large.
        let habits = pace.character(u8::MAX);
        let (alike, fickle) = (habits & 3 == 0, habits >> 2 & 1 == 1);
        let large = habits >> 3 & 7 == 0;
        transaction.ratio.resize(applications, 1);
        for ratio in &mut transaction.ratio {
            *ratio = match random.below(8) {
                few if large => u16::MAX - few as u16,
                0 => u16::MAX,
                1 => random.bits() as u16 >> random.below(16),
                2 | 3 => random.below(4) as u16,
                _ => 1,
            };
        }
        let characters: Vec<u64> = (0..applications as u8)
            .map(|i| match fickle {
                true => random.bits(),
                false => pace.character(if alike { 0 } else { i }),
            })
            .collect();
        let rising = (habits >> 6) as usize % applications;
        let curves = characters
            .into_iter()
            .enumerate()
            .map(|(i, character)| match large {
                true => extreme(i == rising, character),
                false => Curve::of(params.ways, character),
            });
        transaction.curves.clear();
        transaction.curves.extend(curves);
        transaction.noise = random.bits();
    }
}
