//! `plob` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: accesses with any victim, snapshots and reads.
//!
//! Functional coverage: accesses by what they evict, back to back, with snapshots as an access is
//! presented and as it reaches the counters; pairs of kernels; the counters' limit.
//!
//! Example waveform: evictions by pair of kernels, section II-A; the misses of `lru_stack`'s scene
//! and one more.
//!
//! Facts: what the pipeline makes of an eviction.

use std::collections::VecDeque;

use cotenant_golden::llc::plob::{In, Params, Plob as Model, State};

use super::shared::{
    self, limit_bin, limits, live_reads, matters_alone, near_limit, reads, Before, DISTANCE, LIVE,
    SNAPSHOT,
};
use crate::unit::prelude::*;

/// The unit [`plob`](cotenant_golden::llc::plob).
#[derive(Debug, Clone, Copy)]
pub struct Plob;

impl Interface for Plob {
    const NAME: &'static str = "plob";
    const SUMMARY: &'static str = "counts evictions per victim and aggressor";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        flop.strip_prefix("matrix.").is_some_and(shared::working)
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u64)> {
        shared::resumed("matrix.", state.read_count)
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        match register.strip_prefix("in_flight[].") {
            Some("victim") => Probe::Value(format!("lane[{}]", at[0])),
            Some(field) => Probe::Value(format!("{field}[{}]", at[0])),
            None => shared::probe("matrix.", register, at),
        }
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The access, if there is one.
    pub access: Access,
    /// The line in the LRU position is valid.
    pub victim_valid: bool,
    /// Its owner, modulo the number of kernels if the access evicts it; else any code that the
    /// port can carry.
    pub victim_owner: u8,
    /// The accessing kernel, modulo the number of kernels; in a bubble any code.
    pub kid: u8,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read; any codes.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

/// An access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// None.
    Bubble {
        /// What `access_hit` carries.
        hit: bool,
    },
    /// A hit, which evicts nothing.
    Hit,
    /// A miss, which evicts the victim if it is valid.
    Miss,
}

impl Access {
    fn new(valid: bool, hit: bool) -> Self {
        match (valid, hit) {
            (false, hit) => Self::Bubble { hit },
            (true, true) => Self::Hit,
            (true, false) => Self::Miss,
        }
    }
}

/// How often the victim is valid.
fn victim(knobs: &Knobs) -> Odds {
    match knobs.fill {
        Fill::Full => Odds::ALWAYS,
        Fill::Sparse => Odds::one_in(8),
        Fill::Mixed => Odds::all_but_one_in(4),
    }
}

impl Drive for Plob {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

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
            access: Access::Bubble { hit: false },
            victim_valid: false,
            victim_owner: 0,
            kid: 0,
            snapshot: false,
            read: (0, 0),
            live: false,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        let any = ones(id_w(params.kernels)) as u8;
        let code = |known: bool, kid: u8| match known {
            true => kid % kernels,
            // Ignored, so it may be a KID without a kernel.
            false => kid & any,
        };
        let (valid, hit) = match transaction.access {
            Access::Bubble { hit } => (false, hit),
            Access::Hit => (true, true),
            Access::Miss => (true, false),
        };
        let evicts = valid && !hit && transaction.victim_valid;
        *input = In {
            reset: transaction.reset,
            access_valid: valid,
            access_hit: hit,
            victim_valid: transaction.victim_valid,
            victim_owner: code(evicts, transaction.victim_owner),
            access_kid: code(valid, transaction.kid),
            snapshot: transaction.snapshot,
            read_victim: transaction.read.0 & any,
            read_aggressor: transaction.read.1 & any,
            read_live: transaction.live,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let access = Access::new(random.chance(knobs.access), random.chance(knobs.hit));
        let noise = random.bits();
        let kid = pace.kid(knobs.kernels, random);
        let owner = match knobs.kernels {
            Kernels::Skewed if noise & 3 != 0 => pace.favourite(),
            // A kernel may be its own victim.
            _ if noise & 7 == 7 => kid,
            _ => (noise >> 8) as u8,
        };
        let code = 1 << id_w(params.kernels);
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            access,
            victim_valid: random.chance(victim(knobs)),
            victim_owner: owner,
            kid: match access {
                Access::Bubble { .. } => (noise >> 16) as u8,
                _ => kid,
            },
            snapshot: random.chance(knobs.snapshot),
            read: (random.below(code) as u8, random.below(code) as u8),
            live: random.chance(LIVE),
        };
    }

    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        near_limit(
            (params.kernels, params.kernels),
            params.cnt_w,
            DISTANCE,
            random,
            |victim, aggressor, count| {
                model.preset(victim, aggressor, count);
            },
        );
        Some(model)
    }
}

/// Sorts accesses, pairs of kernels, increments and reads.
#[derive(Debug, Clone)]
pub struct Collector {
    params: Params,
    accesses: Cross,
    pairs: Cross,
    limits: Cross,
    reads: Cross,
    live_reads: Cross,
    before: Before,
    /// Accesses that have not reached the counters, the youngest first; one entry per stage.
    in_flight: VecDeque<Option<Counted>>,
}

/// An access as far as it is sorted when it is presented.
#[derive(Debug, Clone, Copy)]
struct Counted {
    hit: usize,
    victim: usize,
    before: usize,
    snapshot: bool,
}

/// The line in the LRU position.
const VICTIM: [&str; 3] = ["invalid", "the accessor's", "another kernel's"];

impl Cover for Plob {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            kernels, stages, ..
        } = *params;
        let one_kernel = kernels == 1;
        let accesses = Cross::new(
            "accesses",
            [
                Axis::new("access", ["miss", "hit"]),
                Axis::new("victim", VICTIM),
                Axis::new("access before by", Before::NAMES),
                Axis::new("snapshot", SNAPSHOT),
            ],
        )
        .without("there is only one kernel", move |at| {
            one_kernel && (at[1] == 2 || at[2] == 2)
        })
        .without(
            "without stages an access is counted as it is presented",
            move |at| stages == 0 && (at[3] == 1 || at[3] == 2),
        );
        let pairs = Cross::new(
            "pairs",
            [
                Axis::numbers("victim", kernels),
                Axis::numbers("aggressor", kernels),
            ],
        );
        Collector {
            params: params.clone(),
            accesses,
            pairs,
            limits: limits("limits"),
            reads: reads(kernels),
            live_reads: live_reads(kernels),
            before: Before::default(),
            in_flight: vec![None; stages].into(),
        }
    }
}

impl Collector {
    fn access(&mut self, input: &In) -> Counted {
        let (victim, accessor) = (input.victim_owner, input.access_kid);
        if !input.access_hit && input.victim_valid {
            self.pairs.hit(&[victim.into(), accessor.into()]);
        }
        Counted {
            hit: usize::from(input.access_hit),
            victim: match input.victim_valid {
                false => 0,
                true if victim == accessor => 1,
                true => 2,
            },
            before: self.before.who(accessor),
            snapshot: input.snapshot,
        }
    }

    /// An eviction that reaches the counters in this cycle.
    fn increment(&mut self, state: &State, aggressor: usize, victim: usize) {
        let most = u64::MAX >> (64 - self.params.cnt_w);
        let count = state.count[victim][aggressor];
        let overflowed = state.live_overflow() >> victim & 1 == 1;
        self.limits.hit(&limit_bin(count, 1, most, overflowed));
    }
}

impl Collect<Plob> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            self.restart(&self.params.clone());
            return;
        }
        let kernels = self.params.kernels;
        let (victim, aggressor) = (
            usize::from(input.read_victim),
            usize::from(input.read_aggressor),
        );
        let state = model.state();
        if victim < kernels && aggressor < kernels {
            if input.read_live {
                let counts = match state.in_flight.last() {
                    Some(due) => due.kid == input.read_aggressor && due.victim >> victim & 1 == 1,
                    None => {
                        let evicts = input.access_valid && !input.access_hit && input.victim_valid;
                        let by = input.access_kid == input.read_aggressor;
                        evicts && by && input.victim_owner == input.read_victim
                    }
                };
                self.live_reads.hit(&[victim, aggressor, counts.into()]);
            } else {
                let snapshots = usize::from(self.before.snapshot) + 2 * usize::from(input.snapshot);
                self.reads.hit(&[victim, aggressor, snapshots]);
            }
        }
        let access = input.access_valid.then(|| self.access(input));
        if !input.snapshot {
            match state.in_flight.last() {
                Some(due) if due.valid => {
                    self.increment(state, due.kid.into(), due.victim.trailing_zeros() as usize);
                }
                None if input.access_valid && !input.access_hit && input.victim_valid => {
                    self.increment(state, input.access_kid.into(), input.victim_owner.into());
                }
                _ => {}
            }
        }
        self.in_flight.push_front(access);
        if let Some(access) = self.in_flight.pop_back().flatten() {
            let snapshots = usize::from(access.snapshot) + 2 * usize::from(input.snapshot);
            self.accesses
                .hit(&[access.hit, access.victim, access.before, snapshots]);
        }
        self.before = Before {
            snapshot: input.snapshot,
            kid: input.access_valid.then_some(input.access_kid),
        };
    }

    fn restart(&mut self, _: &Params) {
        self.before = Before::default();
        self.in_flight.iter_mut().for_each(|access| *access = None);
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![
            &self.accesses,
            &self.pairs,
            &self.reads,
            &self.live_reads,
            &self.limits,
        ]
    }
}

impl Teach for Plob {
    const SETS: &'static [&'static str] = &["4x21", "4x21s0", "4x21s2"];

    fn scene(params: &Params) -> Scene<Self> {
        // A counter has changed so many cycles after the access.
        let counted = params.stages as u64 + 1;
        let idle = || Self::idle(params);
        let access = |access_kid, access_hit, victim_valid, victim_owner| In {
            access_valid: true,
            access_kid,
            access_hit,
            victim_valid,
            victim_owner,
            ..idle()
        };
        let read = |read_victim, read_aggressor| In {
            read_victim,
            read_aggressor,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let snapshot = In {
            snapshot: true,
            ..idle()
        };
        let mut scene = Scene::new("evictions counted per victim and aggressor")
            .group(
                "access, and the line in the LRU position",
                [
                    row("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("victim_valid").when("access_valid"),
                    row("victim_owner").kernel().when("victim_valid"),
                ],
            )
            .group(
                "evictions of K0 K1 K2 K3, one column per aggressor",
                [row("count[*][0]"), row("count[*][2]"), row("count[*][3]")],
            )
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("sequence_number"),
                    row("read_victim").kernel(),
                    row("read_aggressor").kernel(),
                    row("read_count"),
                ],
            )
            .step(Step::new("Reset: all counters are 0.", reset).then("count[*][2]", [0, 0, 0, 0]))
            .step(
                Step::new(
                    "K0 hits: nothing is evicted. PLOB does not see the demotions.",
                    access(0, true, true, 0),
                )
                .after(counted, "count[*][0]", [0, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K2 misses, and the line in the LRU position is K0's: K2 has evicted K0.",
                    access(2, false, true, 0),
                )
                .after(counted, "count[*][2]", [1, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K3 misses, but the way in the LRU position is invalid: no eviction.",
                    access(3, false, false, 1),
                )
                .after(counted, "count[*][3]", [0, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K2 misses and evicts a line of its own: counted, too, on the diagonal.",
                    access(2, false, true, 2),
                )
                .after(counted, "count[*][2]", [1, 0, 1, 0]),
            );
        if params.stages > 0 {
            scene = scene.step(Step::over(
                "The last eviction is in the pipeline to the counters.",
                (0..params.stages).map(|_| idle()),
            ));
        }
        scene
            .step(
                Step::new(
                    "A snapshot ends the period: counters are copied to the shadow registers and restart at 0.",
                    snapshot,
                )
                .sees("count[*][2]", [1, 0, 1, 0])
                .then("count[*][2]", [0, 0, 0, 0])
                .then("sequence_number", 1),
            )
            .step(
                Step::new("Read, answered one cycle later: K2 has evicted one line of K0.", read(0, 2))
                    .then("read_count", 1),
            )
            .step(Step::new("K3 has evicted none of K0's.", read(0, 3)).then("read_count", 0))
            .step(Step::new("No further read.", idle()).sees("overflow", 0))
    }
}

impl Facts for Plob {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        latches("", params, terms)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("matrix.", params.kernels, flop, terms)
    }
}

/// What the latches of a `plob` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(crate) fn latches(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let mut all = rules::invariants::<Plob>(path, params, terms);
    for stage in 0..params.stages {
        let [valid, lane] =
            ["valid", "lane"].map(|flop| terms.flop(&format!("{path}{flop}[{stage}]")));
        // In a bubble no kernel loses a line, else exactly one does.
        let none = terms.is(lane, 0);
        all.push(terms.any([valid, none]));
        let some = terms.not(none);
        all.push(terms.implies(valid, some));
        let bits: Vec<NodeId> = (0..params.kernels).map(|v| terms.bit(lane, v)).collect();
        for (victim, &bit) in bits.iter().enumerate() {
            for &other in &bits[..victim] {
                all.push(terms.disjoint(bit, other));
            }
        }
    }
    all
}
