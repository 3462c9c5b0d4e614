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

use cotenant_golden::llc::plob::{In, Params, Plob as Model, State};

use super::shared::{
    self, far_counters, known_kernels, matters_alone, stage_matters, subscript, Counting, InFlight,
    Read, LIVE,
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

    /// In front of the counters there is a pipeline alone.
    fn working(flop: &str) -> bool {
        let matrix = flop.strip_prefix("matrix.");
        matrix.is_none_or(shared::working)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let answer = state.answers.due_or_default();
        let mut flops = shared::resumed("matrix.", params.cnt_w, answer);
        for (stage, eviction) in state.in_flight.iter().enumerate() {
            flops.extend([
                (format!("valid[{stage}]"), eviction.valid.into()),
                (format!("kid[{stage}]"), eviction.kid.into()),
                (format!("lane[{stage}]"), eviction.victim.into()),
            ]);
        }
        flops
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        shared::probe("matrix.", register, at)
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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

impl Default for Access {
    fn default() -> Self {
        Self::Bubble { hit: false }
    }
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
        in_flight: InFlight<[usize; 3]>,
    }
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
        let accesses = Cross::named("accesses")
            .axis("access", ["miss", "hit"])
            .axis("victim", VICTIM)
            .axis("access before by", Counting::BEFORE)
            .axis("snapshot", Counting::SNAPSHOT)
            .without("there is only one kernel", move |at| {
                one_kernel && (at[1] == 2 || at[2] == 2)
            })
            .without(
                "without stages an access is counted as it is presented",
                move |at| stages == 0 && (at[3] == 1 || at[3] == 2),
            );
        let pairs = Cross::named("pairs")
            .numbers("victim", kernels)
            .numbers("aggressor", kernels);
        Collector {
            accesses,
            pairs,
            counting: Counting::new(kernels, params.cnt_w),
            in_flight: InFlight::new(stages),
        }
    }
}

impl Collect<Plob> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            Collect::<Plob>::restart(self, model.params());
            return;
        }
        let (state, snapshot, accessor) = (model.state(), input.snapshot, input.access_kid);
        let evicts = input.access_valid && !input.access_hit && input.victim_valid;
        // Aggressor and victim of the eviction that reaches the counters.
        let due = match state.in_flight.due() {
            Some(due) => due
                .valid
                .then_some((due.kid, due.victim.trailing_zeros() as usize)),
            None => evicts.then_some((accessor, input.victim_owner.into())),
        };
        let read = Read {
            victim: input.read_victim,
            aggressor: input.read_aggressor,
            live: input.read_live,
        };
        let kernels = model.params().kernels;
        if usize::from(read.victim.max(read.aggressor)) < kernels {
            let counts = due == Some((read.aggressor, read.victim.into()));
            self.counting.read(read, counts, snapshot);
        }
        if evicts {
            self.pairs.hit((input.victim_owner, accessor));
        }
        let access = input.access_valid.then(|| {
            let victim = match input.victim_valid {
                false => 0,
                true if input.victim_owner == accessor => 1,
                true => 2,
            };
            [
                input.access_hit.into(),
                victim,
                self.counting.before(accessor),
            ]
        });
        if let Some((aggressor, victim)) = due.filter(|_| !snapshot) {
            let count = state.count[victim][usize::from(aggressor)];
            let overflowed = state.live_overflow();
            self.counting.increment(victim, count, 1, overflowed);
        }
        if let Some(([hit, victim, before], snapshots)) = self.in_flight.pass(access, snapshot) {
            self.accesses.hit((hit, victim, before, snapshots));
        }
        self.counting
            .pass(snapshot, input.access_valid.then_some(accessor));
    }

    fn restart(&mut self, _: &Params) {
        self.counting.restart();
        self.in_flight.restart();
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
        let reset = Self::cycle(params, |i| i.reset = true);
        let snapshot = Self::cycle(params, |i| i.snapshot = true);
        let mut scene = Scene::new("evictions counted per victim and aggressor")
            .rows(
                "access, and the line in the LRU position",
                "access_valid, access_hit when access_valid, access_kid kernel when \
                 access_valid, victim_valid when access_valid, victim_owner kernel when \
                 victim_valid",
            )
            .rows(
                "evictions of K0 K1 K2 K3, one column per aggressor",
                "count[*][0], count[*][2], count[*][3]",
            )
            .rows(
                "read port",
                "snapshot, sequence_number, read_victim kernel, read_aggressor kernel, \
                 read_count",
            )
            .cycle("Reset: all counters are 0.", reset)
            .then("count[*][2]", [0, 0, 0, 0])
            .cycle(
                "K0 hits: nothing is evicted. PLOB does not see the demotions.",
                access(0, true, true, 0),
            )
            .after(counted, "count[*][0]", [0, 0, 0, 0])
            .cycle(
                "K2 misses, and the line in the LRU position is K0's: K2 has evicted K0.",
                access(2, false, true, 0),
            )
            .after(counted, "count[*][2]", [1, 0, 0, 0])
            .cycle(
                "K3 misses, but the way in the LRU position is invalid: no eviction.",
                access(3, false, false, 1),
            )
            .after(counted, "count[*][3]", [0, 0, 0, 0])
            .cycle(
                "K2 misses and evicts a line of its own: counted, too, on the diagonal.",
                access(2, false, true, 2),
            )
            .after(counted, "count[*][2]", [1, 0, 1, 0]);
        if params.stages > 0 {
            scene = scene.cycles(
                "The last eviction is in the pipeline to the counters.",
                (0..params.stages).map(|_| idle()),
            );
        }
        scene
            .cycle(
                "A snapshot ends the period: counters are copied to the shadow registers and restart at 0.",
                snapshot,
            )
            .sees("count[*][2]", [1, 0, 1, 0])
            .then("count[*][2]", [0, 0, 0, 0])
            .then("sequence_number", 1)
            .cycle(
                "Read, answered one cycle later: K2 has evicted one line of K0.",
                read(0, 2),
            )
            .then("read_count", 1)
            .cycle("K3 has evicted none of K0's.", read(0, 3))
            .then("read_count", 0)
            .cycle("No further read.", idle())
            .sees("overflow", 0)
    }
}

/// When a flop of the unit matters to what counts with it, which never says that a line is lost and
/// not whose: then a stage is valid for nothing.
pub(crate) fn evictions_matter(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    match flop.starts_with("valid[") {
        true => Plob::matters_alone(params, flop, terms),
        false => Plob::matters(params, flop, terms),
    }
}

impl Facts for Plob {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        all.extend(known_kernels(params.stages, params.kernels, terms));
        for stage in 0..params.stages {
            let [valid, lane] =
                ["valid", "lane"].map(|flop| terms.flop(&format!("{flop}[{stage}]")));
            // In a bubble no kernel loses a line, else exactly one does.
            let none = terms.is(lane, 0);
            all.push(terms.any([valid, none]));
            let some = terms.not(none);
            all.push(terms.implies(valid, some));
            let victims = terms.bits(lane, params.kernels);
            all.extend(terms.all_disjoint(&victims));
        }
        all
    }

    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let latch = flop.starts_with("kid[") || flop.starts_with("lane[");
        let stage = subscript(flop).filter(|_| latch)?;
        Some(stage_matters(stage, terms))
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if let Some(stage) = subscript(flop).filter(|_| flop.starts_with("valid[")) {
            // Where no kernel loses a line nothing is counted, valid or not.
            let lane = terms.flop(&format!("lane[{stage}]"));
            return Some(terms.some(lane));
        }
        let matrix = |flop: &str, terms: &mut _| matters_alone(params.kernels, flop, terms);
        terms.flop_within("matrix.", flop, matrix)
    }
}
