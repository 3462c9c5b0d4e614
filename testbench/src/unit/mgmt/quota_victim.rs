//! `quota_victim`.
//!
//! Stimulus: sets in which most applications have about as many lines as their quotas, or anything;
//! quotas that add up to the ways, and some that do not; invalid ways by the knob.
//!
//! Functional coverage: why a line is the victim, whose it is and who asks; where it is in the stack.
//!
//! Example waveform: one set, and what each of two applications may take of it under several quotas.

use cotenant_golden::llc::{pos_w, ByPosition};
use cotenant_golden::mgmt::quota_victim::{victim, In, Params, QuotaVictim as Model, Reason};
use cotenant_golden::mgmt::ByApplication;

use crate::unit::prelude::*;

/// The unit [`quota_victim`](cotenant_golden::mgmt::quota_victim).
#[derive(Debug, Clone, Copy)]
pub struct QuotaVictim;

impl Interface for QuotaVictim {
    const NAME: &'static str = "quota_victim";
    const SUMMARY: &'static str = "chooses the line to replace so that applications keep to quotas";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

/// A miss in a set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// The application that misses, modulo their number.
    pub requester: u8,
    /// The way in the MRU position, and the step to the next one's, which goes through all.
    pub way: (u8, u8),
    /// Whose line is in each position, modulo the number of applications; missing ones are 0.
    pub owners: Vec<u8>,
    /// The valid positions.
    pub valid: u64,
    /// Quotas, cut to their width; missing ones are 0.
    pub quotas: Vec<u8>,
}

impl Drive for QuotaVictim {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Bursts,
        Profile::InvalidWays,
        Profile::Saturation,
        Profile::Idle,
    ];

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        set(params, |i| i as u8, |_| 0, |_| 0)
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let Params { ways, applications } = *params;
        // A step that shares no divisor with the ways goes through all of them.
        let coprime = |step: &usize| (2..=ways).all(|n| ways % n != 0 || step % n != 0);
        let step = (usize::from(what.way.1)..).find(coprime).unwrap_or(1);
        let way = |i: usize| ((usize::from(what.way.0) + i * step) % ways) as u8;
        let owner = |i: usize| {
            what.owners
                .get(i)
                .map_or(0, |owner| owner % applications as u8)
        };
        let quota = |i: usize| {
            let quota = what.quotas.get(i).map_or(0, |&quota| u64::from(quota));
            quota & ones(pos_w(ways))
        };
        *input = In {
            requester: what.requester % applications as u8,
            stack_valid: what.valid & ones(ways),
            ..set(params, way, owner, quota)
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let Params { ways, applications } = *params;
        transaction.requester = pace.kid(knobs.kernels, random);
        transaction.way = (random.below(ways) as u8, random.below(ways) as u8);
        // Only a full set shows who may lose a line.
        transaction.valid = match random.below(8) {
            0 => knobs.valid(ways, random),
            1 => !(1 << random.below(ways)),
            _ => u64::MAX,
        };
        transaction.owners.clear();
        let few = 1 + random.below(applications);
        let first = random.below(applications);
        let owners = (0..ways).map(|_| ((first + random.below(few)) % applications) as u8);
        transaction.owners.extend(owners);
        if random.below(4) == 0 {
            // A few lines among those of one application.
            transaction.owners.fill(first as u8);
            for _ in 0..1 + random.below(3) {
                let position = random.below(3) * (ways - 1) / 2;
                let position = [position, random.below(ways)][random.below(2)];
                transaction.owners[position] = random.below(applications) as u8;
            }
        }
        let held = |application: usize| {
            let its = transaction
                .owners
                .iter()
                .filter(|&&owner| usize::from(owner) == application);
            its.count()
        };
        let mut quotas: Vec<usize> = (0..applications).map(held).collect();
        match random.below(8) {
            // Any codes.
            0 => quotas.fill_with(|| random.bits() as u8 as usize),
            // None is above its quota.
            1 => quotas
                .iter_mut()
                .for_each(|quota| *quota += random.below(2)),
            // Little for each.
            2 => quotas.fill_with(|| random.below(2)),
            // Some ways from one to another.
            _ => {
                for _ in 0..random.below(4) {
                    let (from, to) = (random.below(applications), random.below(applications));
                    if quotas[from] > 0 {
                        quotas[from] -= 1;
                        quotas[to] += 1;
                    }
                }
            }
        }
        transaction.quotas.clear();
        let quotas = quotas.iter().map(|&quota| quota.min(255) as u8);
        transaction.quotas.extend(quotas);
    }
}

/// A set in which all is valid, and application 0 misses.
fn set(
    params: &Params,
    way: impl Fn(usize) -> u8,
    owner: impl Fn(usize) -> u8,
    quota: impl Fn(usize) -> u64,
) -> In {
    In {
        requester: 0,
        stack_way: ByPosition::from_fn(params.ways, way),
        stack_owner: ByPosition::from_fn(params.ways, owner),
        stack_valid: ones(params.ways),
        quota: ByApplication::from_fn(params.applications, quota),
    }
}

collector! {
    /// Sorts victims.
    pub struct Collector {
        crosses { victims, places }
        params: Params,
        positions: Positions,
    }
}

/// Why a line is the victim.
const REASONS: [&str; 5] = [
    "invalid",
    "above its quota",
    "the requester's, at its quota",
    "the requester's, none above",
    "any, none above",
];

impl Cover for QuotaVictim {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { ways, applications } = *params;
        let positions = Positions::new(ways);
        let miss = positions.class(ways);
        let lru = positions.class(ways - 1);
        let mru = positions.class(0);
        Collector {
            params: params.clone(),
            positions,
            victims: Cross::named("victims")
                .numbers("requester", applications)
                .numbers("owner", applications)
                .axis("it is", REASONS)
                .without("it is the requester's", |at| {
                    at[0] != at[1] && (at[2] == 2 || at[2] == 3)
                })
                .without("the requester has no line, or is below its quota", |at| {
                    at[0] == at[1] && (at[2] == 1 || at[2] == 4)
                }),
            places: Cross::named("places")
                .by(positions.axis("position"))
                .axis("it is", REASONS)
                .without("a victim has a position", move |at| at[0] == miss)
                .without("it is that of the set", move |at| {
                    at[1] == 4 && at[0] != lru
                })
                .without("of one line none is another's", move |at| {
                    ways == 1 && at[0] == mru && at[1] == 1
                }),
        }
    }
}

impl Collect<QuotaVictim> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let (position, reason) = victim(&self.params, input);
        let why = match reason {
            Reason::Invalid => 0,
            Reason::Above => 1,
            Reason::Own => 2,
            Reason::OwnBelow => 3,
            Reason::Any => 4,
        };
        self.places.hit((self.positions.class(position), why));
        let owner = usize::from(input.stack_owner[position]);
        self.victims.hit((usize::from(input.requester), owner, why));
    }
}

impl Teach for QuotaVictim {
    const SETS: &'static [&'static str] = &["4x3"];

    fn scene(params: &Params) -> Scene<Self> {
        // The set of the example of `lru_stack`.
        const WAYS: [u8; 4] = [2, 0, 3, 1];
        let miss = |caption, requester, owners: [u8; 4], quotas: [u64; 3], position: usize| {
            let input = In {
                requester,
                ..set(params, |i| WAYS[i], |i| owners[i], |i| quotas[i])
            };
            Step::new(caption, input)
                .sees("victim_position", position as u64)
                .sees("victim_way", u64::from(WAYS[position]))
                .sees("victim_owner", u64::from(owners[position]))
        };
        let invalid = In {
            requester: 1,
            stack_valid: 0b0111,
            ..set(params, |i| WAYS[i], |i| [0, 1, 1, 2][i], |i| [2, 1, 1][i])
        };
        Scene::new("who makes room for whom")
            .group(
                "a miss, and the ways of each application",
                [row("requester"), row("quota")],
            )
            .group(
                "the set, from MRU to LRU",
                [
                    row("stack_way"),
                    row("stack_owner"),
                    row("stack_valid").binary(),
                ],
            )
            .group(
                "by position: own lines, lines of those above their quotas",
                [row("own").binary(), row("above").binary(), row("below")],
            )
            .rows(
                "victim",
                "victim_position, victim_way, victim_owner, victim_valid",
            )
            .step(
                Step::new("An invalid way is filled, whoever misses.", invalid)
                    .sees("victim_way", 1)
                    .sees("victim_valid", 0),
            )
            .step(miss(
                "Application 0 has one line and a quota of two; 1 has two and a quota of one. It \
                 loses the one used least recently.",
                0,
                [0, 1, 1, 2],
                [2, 1, 1],
                2,
            ))
            .step(miss(
                "Application 2 has its one line: it replaces that, though others are above.",
                2,
                [0, 1, 1, 2],
                [2, 1, 1],
                3,
            ))
            .step(miss(
                "So does application 1, which is above its quota itself.",
                1,
                [0, 1, 1, 2],
                [2, 1, 1],
                2,
            ))
            .step(miss(
                "New quotas: 2 may have two. Nothing is flushed; it takes the next line from 1.",
                2,
                [0, 1, 1, 2],
                [1, 1, 2],
                2,
            ))
            .step(miss(
                "Then all have what they may: each replaces its own.",
                2,
                [2, 0, 1, 2],
                [1, 1, 2],
                3,
            ))
    }
}

impl Facts for QuotaVictim {}
