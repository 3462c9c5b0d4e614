//! `gdcu` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: accesses to sets in any state, snapshots and reads.
//!
//! Example waveform: the accesses of `lru_stack`'s scene, counted: section III-A and figure 2.
//!
//! Facts: what the pipeline makes of accesses.

use cotenant_golden::llc::pos_w;
mod coverage;

use cotenant_golden::llc::gdcu::{Gdcu as Model, In, Params, State};

use super::demotion::Access;
use super::shared::{
    self, far_counters, known_kernels, matters_alone, stage_matters, subscript, LIVE,
};
use crate::unit::prelude::*;

/// The unit [`gdcu`](cotenant_golden::llc::gdcu).
#[derive(Debug, Clone, Copy)]
pub struct Gdcu;

/// The stage whose latch is inside the popcnts, if there is one.
pub(crate) fn inside_popcnt(params: &Params) -> Option<usize> {
    (params.stages == 3).then_some(1)
}

impl Interface for Gdcu {
    const NAME: &'static str = "gdcu";
    const SUMMARY: &'static str = "counts demotions per victim and aggressor";
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
        for (stage, access) in state.in_flight.iter().enumerate() {
            flops.push((format!("valid[{stage}]"), access.valid.into()));
            flops.push((format!("kid[{stage}]"), access.kid.into()));
            // In lanes each line is one bit, of one owner.
            let mut below = 0;
            for (victim, &lines) in access.demotions.iter().enumerate() {
                let (latch, value) = match stage {
                    0 => ("lane", ((1u128 << lines) - 1) << below),
                    // As one of the two numbers, the other is 0.
                    _ if Some(stage) == inside_popcnt(params) => ("sums", lines.into()),
                    _ => ("demotions", lines.into()),
                };
                below += lines;
                flops.push((format!("{latch}[0][{victim}]"), value));
            }
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
    /// The accessing kernel, modulo the number of kernels; also on the port of a bubble.
    pub kid: u8,
    /// Owner of the line in each position, modulo the number of kernels; missing ones are 0. At
    /// invalid positions any code that the port can carry.
    pub owner: Vec<u8>,
    /// Positions that hold a valid line; those beyond the ways are dropped.
    pub valid: u64,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read, modulo the number of kernels.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

impl Drive for Gdcu {
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
        let (ways, kernels) = (params.ways, params.kernels as u8);
        let any_kid = ones(id_w(params.kernels)) as u8;
        input.reset = transaction.reset;
        input.stack_valid = transaction.valid & ones(ways);
        input.access_valid = transaction.access.valid();
        let position = transaction.access.position(ways, input.stack_valid);
        // A bubble is ignored, so its codes may be invalid.
        input.access_pos = position & ones(pos_w(ways)) as u8;
        input.access_kid = match input.access_valid {
            true => transaction.kid % kernels,
            false => transaction.kid & any_kid,
        };
        for (position, owner) in input.stack_owner.iter_mut().enumerate() {
            let code = transaction.owner.get(position).map_or(0, |&code| code);
            *owner = code & any_kid;
            if *owner >= kernels && input.stack_valid >> position & 1 == 1 {
                *owner = code % kernels;
            }
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
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = knobs.valid(params.ways, random);
        transaction.access = Access::draw(knobs, params.ways, transaction.valid, random);
        transaction.kid = pace.kid(knobs.kernels, random);
        if let Access::Bubble { position } = &mut transaction.access {
            let noise = random.bits();
            *position = noise as u8;
            transaction.kid = (noise >> 8) as u8;
        }
        transaction.owner.resize(params.ways, 0);
        let favourite = pace.favourite();
        let skewed = knobs.kernels == Kernels::Skewed;
        // Now and then all lines are one kernel's, the accessor's or another's.
        let only = match random.below(8) {
            0 => Some(transaction.kid),
            1 => Some(random.below(params.kernels) as u8),
            _ => None,
        };
        for owners in transaction.owner.chunks_mut(8) {
            let mut bits = random.bits();
            for owner in owners {
                // The high bits choose a favourite, which leaves all codes to the others.
                *owner = match only {
                    Some(only) => only,
                    None if skewed && bits & 0xc0 != 0 => favourite,
                    None => bits as u8,
                };
                bits >>= 8;
            }
        }
        transaction.snapshot = random.chance(knobs.snapshot);
        transaction.read = (
            random.below(params.kernels) as u8,
            random.below(params.kernels) as u8,
        );
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

/// The code of a miss.
const MISS: u8 = 4;

impl Teach for Gdcu {
    const SETS: &'static [&'static str] = &["4x4x21", "4x4x21s0", "4x4x21s2"];

    fn scene(params: &Params) -> Scene<Self> {
        // A counter has changed so many cycles after the access.
        let counted = params.stages as u64 + 1;
        let idle = || Self::idle(params);
        let access = |access_kid, access_pos, owners: [u8; 4], stack_valid| In {
            access_valid: true,
            access_kid,
            access_pos,
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
        let mut scene = Scene::new("demotions counted per victim and aggressor")
            .group(
                "access, and the owners before it, MRU first",
                [
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_pos").named(&[(4, "miss")]).when("access_valid"),
                    row("stack_owner").when("access_valid"),
                    row("stack_valid").when("access_valid"),
                ],
            )
            .rows(
                "demotion logic: positions, MRU lowest",
                "demotion.demoted binary",
            );
        if params.stages > 0 {
            let latched = row("lane[0][*]").binary().when("valid[0]");
            scene = scene.group("latched: lines of K0 K1 K2 K3, by position", [latched]);
        }
        scene = scene
            .rows(
                "demotions of K0 K1 K2 K3, one column per aggressor",
                "count[*][0], count[*][2], count[*][3]",
            )
            .rows(
                "read port",
                "snapshot, sequence_number, read_victim kernel, read_aggressor kernel, \
                 read_count",
            )
            .cycle("Reset: all counters are 0.", reset)
            .then("count[*][0]", [0, 0, 0, 0])
            .cycle(
                "K0 hits in position 2 of the paper's stack (way 2, 0, 3, 1): the lines in positions 0 and 1, \
                     of K1 and K2, are demoted.",
                access(0, 2, [1, 2, 3, 0], 0b1111),
            )
            .sees("demotion.demoted", 0b0011)
            .after(counted, "count[*][0]", [0, 1, 1, 0])
            .cycle(
                "K2 misses: all four lines are demoted, two of K0, one of K1 and one of its own.",
                access(2, MISS, [0, 1, 2, 0], 0b1111),
            )
            .sees("demotion.demoted", 0b1111)
            .after(counted, "count[*][2]", [2, 1, 1, 0])
            .after(counted, "count[*][0]", [0, 1, 1, 0])
            .cycle("No access: nothing is demoted.", idle())
            .sees("demotion.demoted", 0b0000)
            .cycle(
                "K3 misses while the LRU way is invalid: three valid lines are demoted, two of K2 and one of K0.",
                access(3, MISS, [2, 0, 2, 1], 0b0111),
            )
            .sees("demotion.demoted", 0b0111)
            .after(counted, "count[*][3]", [1, 0, 2, 0]);
        if params.stages > 0 {
            scene = scene.cycles(
                "The last access is in the pipeline to the counters.",
                (0..params.stages).map(|_| idle()),
            );
        }
        scene
            .cycle(
                "A snapshot ends the period: counters are copied to the shadow registers and restart at 0.",
                snapshot,
            )
            .sees("count[*][2]", [2, 1, 1, 0])
            .then("count[*][2]", [0, 0, 0, 0])
            .then("shadow[*][2]", [2, 1, 1, 0])
            .then("sequence_number", 1)
            .cycle(
                "Read, answered one cycle later: K0 has demoted K1's lines once.",
                read(1, 0),
            )
            .then("read_count", 1)
            .cycle("K2 has demoted lines of K0 twice.", read(0, 2))
            .then("read_count", 2)
            .cycle("K3 has demoted lines of K2 twice.", read(2, 3))
            .then("read_count", 2)
            .cycle("No further read.", idle())
            .sees("overflow", 0)
    }
}

impl Facts for Gdcu {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        all.extend(known_kernels(params.stages, params.kernels, terms));
        for stage in 0..params.stages {
            let valid = terms.flop(&format!("valid[{stage}]"));
            let lanes = lanes(params, stage, terms);
            // Nothing is demoted in a bubble.
            for &lane in &lanes {
                let none = terms.is(lane, 0);
                all.push(terms.any([valid, none]));
            }
            // A line has one owner.
            if stage == 0 {
                all.extend(terms.all_disjoint(&lanes));
            }
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let stage = match flop.split('[').next()? {
            "kid" => subscript(flop)?,
            "lane" => 0,
            "sums" | "carries" => inside_popcnt(params)?,
            "demotions" => params.stages - 1,
            _ => return None,
        };
        Some(stage_matters(stage, terms))
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if let Some(stage) = subscript(flop).filter(|_| flop.starts_with("valid[")) {
            // Where no line is demoted nothing is counted, valid or not.
            let lanes = lanes(params, stage, terms).into_iter();
            let some: Vec<Term> = lanes.map(|lane| terms.some(lane)).collect();
            return Some(terms.any(some));
        }
        let matrix = |flop: &str, terms: &mut _| matters_alone(params.kernels, flop, terms);
        terms.flop_within("matrix.", flop, matrix)
    }
}

/// What a stage holds of each victim's demotions.
fn lanes(params: &Params, stage: usize, terms: &mut Terms<'_>) -> Vec<Term> {
    let latches: &[&str] = match stage {
        0 => &["lane"],
        _ if Some(stage) == inside_popcnt(params) => &["sums", "carries"],
        _ => &["demotions"],
    };
    let of = |latch| (0..params.kernels).map(move |v| format!("{latch}[0][{v}]"));
    let latches = latches.iter().flat_map(of);
    latches.map(|latch| terms.flop(&latch)).collect()
}
