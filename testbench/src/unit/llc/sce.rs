//! `sce` under test.
//!
//! Stimulus: accesses to sets in any state, snapshots and reads. Functional coverage: evictions by
//! whose line goes and whose lines are above it, invalid lines, hits; periods; the counters' limit.
//! Example waveform: the misses of `lru_stack`'s scene, with the lines above each evicted one.
//! Facts: what the pipeline makes of an eviction.

use cotenant_golden::llc::sce::{In, Params, Sce as Model, State};

use super::shared::{self, far_counters, matters_alone, Counting, InFlight, Read, LIVE};
use crate::unit::prelude::*;

/// The unit [`sce`](cotenant_golden::llc::sce).
#[derive(Debug, Clone, Copy)]
pub struct Sce;

/// Where the counters are.
const MATRIX: &str = "lines.matrix.";

impl Interface for Sce {
    const NAME: &'static str = "sce";
    const SUMMARY: &'static str = "counts the lines above evicted ones, per victim and aggressor";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        // What is in front of the counters is a pipeline, of which the golden model has the latency.
        flop.strip_prefix(MATRIX).is_none_or(shared::working)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        shared::resumed(MATRIX, params.cnt_w, state.matrix.answers.due_or_default())
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        let counter = register.strip_prefix("matrix.").unwrap_or(register);
        shared::probe(MATRIX, counter, at)
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There is an access.
    pub valid: bool,
    /// It hits.
    pub hit: bool,
    /// The accessing kernel, modulo the number of kernels; in a bubble any code.
    pub kid: u8,
    /// Owner of the line in each position, modulo the number of kernels; missing ones are 0. At
    /// invalid positions any code that the port can carry.
    pub owner: Vec<u8>,
    /// Positions that hold a valid line; those beyond the ways are dropped.
    pub lines: u64,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read, modulo the number of kernels.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

impl Drive for Sce {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            stack_owner: vec![0; params.ways],
            ..In::default()
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        let any = ones(id_w(params.kernels)) as u8;
        // What is ignored may be a KID without a kernel.
        let kid = |known: bool, code: u8| match known {
            true => code % kernels,
            false => code & any,
        };
        input.reset = transaction.reset;
        input.access_valid = transaction.valid;
        input.access_hit = transaction.hit;
        input.access_kid = kid(transaction.valid, transaction.kid);
        input.stack_valid = transaction.lines & ones(params.ways);
        for (position, owner) in input.stack_owner.iter_mut().enumerate() {
            let code = transaction.owner.get(position).map_or(0, |&code| code);
            *owner = kid(input.stack_valid >> position & 1 == 1, code);
        }
        input.snapshot = transaction.snapshot;
        input.read_victim = transaction.read.0 % kernels;
        input.read_aggressor = transaction.read.1 % kernels;
        input.read_live = transaction.live;
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let kernel = |random: &mut Random| random.below(params.kernels) as u8;
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = random.chance(knobs.access);
        transaction.hit = random.chance(knobs.hit);
        transaction.kid = match transaction.valid {
            true => pace.kid(knobs.kernels, random),
            false => random.bits() as u8,
        };
        transaction.lines = match random.below(4) {
            // Nothing is evicted of a set that is not full.
            0 => knobs.valid(params.ways, random),
            _ => u64::MAX,
        };
        transaction.owner.resize(params.ways, 0);
        // Now and then all lines are one kernel's, the accessor's or another's.
        let only = match random.below(8) {
            0 => Some(transaction.kid),
            1 => Some(kernel(random)),
            _ => None,
        };
        for owner in &mut transaction.owner {
            *owner = only.unwrap_or_else(|| match knobs.kernels {
                Kernels::Skewed if random.below(4) > 0 => pace.favourite(),
                _ => random.bits() as u8,
            });
        }
        // The only one above a line of another kernel.
        if random.below(16) == 0 {
            transaction.owner.fill(transaction.kid);
            if let Some(last) = transaction.owner.last_mut() {
                *last = kernel(random);
            }
        }
        transaction.snapshot = random.chance(knobs.snapshot);
        transaction.read = (kernel(random), kernel(random));
        transaction.live = random.chance(LIVE);
    }

    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        far_counters(
            params.kernels,
            params.cnt_w,
            Model::new(params.clone()),
            Model::preset,
            random,
        )
    }
}

collector! {
    /// Sorts accesses, pairs of kernels, increments and reads.
    pub struct Collector {
        crosses { accesses, pairs; counting: Counting }
        /// What the access is, whose line goes, and who accessed before.
        in_flight: InFlight<[usize; 3]>,
    }
}

/// What an access does.
const ACCESS: [&str; 4] = [
    "hits",
    "misses in a set that is not full",
    "evicts a line of its own",
    "evicts another kernel's",
];
/// How many of an aggressor's lines are above that which goes, with the new one.
const LINES: [&str; 3] = ["none", "some", "all ways"];

impl Cover for Sce {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            ways,
            kernels,
            stages,
            ..
        } = *params;
        let one_kernel = kernels == 1;
        let accesses = Cross::named("accesses")
            .axis("access", ACCESS)
            .axis("stack at LRU", ["invalid", "valid"])
            .axis("access before by", Counting::BEFORE)
            .axis("snapshot", Counting::SNAPSHOT)
            .without("a line that goes is valid", |at| {
                (at[0] == 1 && at[1] == 1) || (at[0] >= 2 && at[1] == 0)
            })
            .without("there is only one kernel", move |at| {
                one_kernel && (at[0] == 3 || at[2] == 2)
            })
            .without(
                "without stages an access is counted as it is presented",
                move |at| stages == 0 && (at[3] == 1 || at[3] == 2),
            );
        let pairs = Cross::named("pairs")
            .numbers("victim", kernels)
            .numbers("aggressor", kernels)
            .axis("lines", LINES)
            .without("the new line is the only kernel's", move |at| {
                one_kernel && at[2] == 0
            })
            .without("with one way, some is all", move |at| {
                ways == 1 && at[2] == 1
            });
        Collector {
            accesses,
            pairs,
            counting: Counting::new(kernels, params.cnt_w),
            in_flight: InFlight::new(stages),
        }
    }
}

impl Collect<Sce> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            Collect::<Sce>::restart(self, model.params());
            return;
        }
        let (params, state, snapshot) = (model.params(), model.state(), input.snapshot);
        let eviction = Model::eviction(params, input);
        if let Some(eviction) = &eviction {
            for (aggressor, &lines) in eviction.lines.iter().enumerate() {
                let class = match lines as usize {
                    0 => 0,
                    all if all == params.ways => 2,
                    _ => 1,
                };
                self.pairs.hit((eviction.victim, aggressor, class));
            }
        }
        let lru_valid = input.stack_valid >> (params.ways - 1) & 1 == 1;
        let access = input.access_valid.then(|| {
            let kind = match &eviction {
                None => usize::from(!input.access_hit),
                Some(eviction) => 2 + usize::from(eviction.victim != input.access_kid),
            };
            [
                kind,
                lru_valid.into(),
                self.counting.before(input.access_kid),
            ]
        });
        // The eviction that reaches the counters.
        let due = match params.stages {
            0 => eviction.as_ref(),
            _ => state.in_flight.due().and_then(Option::as_ref),
        };
        let read = Read {
            victim: input.read_victim,
            aggressor: input.read_aggressor,
            live: input.read_live,
        };
        let counts = due.is_some_and(|due| {
            due.victim == read.victim && due.lines[usize::from(read.aggressor)] > 0
        });
        self.counting.read(read, counts, snapshot);
        if let (Some(due), false) = (due, snapshot) {
            for (aggressor, &lines) in due.lines.iter().enumerate() {
                let count = state.matrix.count[aggressor][usize::from(due.victim)];
                let overflowed = state.matrix.live_overflow();
                self.counting
                    .increment(aggressor, count, lines.into(), overflowed);
            }
        }
        if let Some(([kind, lru, before], snapshots)) = self.in_flight.pass(access, snapshot) {
            self.accesses.hit((kind, lru, before, snapshots));
        }
        self.counting
            .pass(snapshot, input.access_valid.then_some(input.access_kid));
    }

    fn restart(&mut self, _: &Params) {
        self.counting.restart();
        self.in_flight.restart();
    }
}

impl Teach for Sce {
    const SETS: &'static [&'static str] = &["4x4x21", "4x4x21s2"];

    fn scene(params: &Params) -> Scene<Self> {
        // A counter has changed so many cycles after the access.
        let counted = params.stages as u64 + 1;
        let idle = || Self::idle(params);
        let access = |access_kid, access_hit, owners: [u8; 4], stack_valid| In {
            access_valid: true,
            access_kid,
            access_hit,
            stack_owner: owners.into(),
            stack_valid,
            ..idle()
        };
        let read = |read_victim, read_aggressor| In {
            read_victim,
            read_aggressor,
            ..idle()
        };
        let reset = Self::cycle(params, |i| i.reset = true);
        let snapshot = Self::cycle(params, |i| i.snapshot = true);
        Scene::new("lines above evicted ones, counted per victim and aggressor")
            .group(
                "access, and the owners before it, MRU first",
                [
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("stack_owner").when("access_valid"),
                    row("stack_valid").when("access_valid"),
                ],
            )
            .rows(
                "lines of K0 K1 K2 K3, one column per victim",
                "matrix.count[*][0], matrix.count[*][1]",
            )
            .rows(
                "read port",
                "snapshot, sequence_number, read_victim kernel, read_aggressor kernel, \
                 read_count",
            )
            .cycle("Reset: all counters are 0.", reset)
            .then("matrix.count[*][0]", [0, 0, 0, 0])
            .cycle(
                "K0 hits: nothing is evicted.",
                access(0, true, [1, 2, 3, 0], 0b1111),
            )
            .after(counted, "matrix.count[*][0]", [0, 0, 0, 0])
            .cycle(
                "K2 misses and evicts a line of K0. Above it are a line of K0, one of K1 and one of \
                 K2; the new one is K2's, too.",
                access(2, false, [0, 1, 2, 0], 0b1111),
            )
            .after(counted, "matrix.count[*][0]", [1, 1, 2, 0])
            .cycle(
                "K3 misses while the LRU way is invalid: nothing is evicted.",
                access(3, false, [2, 0, 2, 1], 0b0111),
            )
            .after(counted, "matrix.count[*][1]", [0, 0, 0, 0])
            .cycle(
                "K1 evicts a line of its own: two lines of K2 and one of K0 were above it.",
                access(1, false, [2, 0, 2, 1], 0b1111),
            )
            .after(counted, "matrix.count[*][1]", [1, 1, 2, 0])
            .cycles(
                "The last eviction is in the pipeline to the counters.",
                (0..params.stages).map(|_| idle()),
            )
            .cycle(
                "A snapshot ends the period: counters are copied to the shadow registers and restart at 0.",
                snapshot,
            )
            .sees("matrix.count[*][0]", [1, 1, 2, 0])
            .then("matrix.count[*][0]", [0, 0, 0, 0])
            .then("sequence_number", 1)
            .cycle(
                "Read, answered one cycle later: two lines of K2 were above evicted ones of K0.",
                read(0, 2),
            )
            .then("read_count", 2)
            .cycle("None of K3's was.", read(0, 3))
            .then("read_count", 0)
            .cycle("No further read.", idle())
            .sees("overflow", 0)
    }
}

impl Facts for Sce {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        let lane_stages = usize::from(params.stages > 0);
        for stage in 0..lane_stages {
            let valid = terms.flop(&format!("lines.valid[{stage}]"));
            let of = |victim| format!("lines.lane[{stage}][{victim}]");
            let lanes: Vec<Term> = (0..params.kernels).map(|v| terms.flop(&of(v))).collect();
            // In a bubble nothing is counted, and a line has one owner.
            for &lane in &lanes {
                let none = terms.is(lane, 0);
                all.push(terms.any([valid, none]));
            }
            all.extend(terms.all_disjoint(&lanes));
        }
        all
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let matrix = |flop: &str, terms: &mut _| matters_alone(params.kernels, flop, terms);
        terms.flop_within(MATRIX, flop, matrix)
    }
}
