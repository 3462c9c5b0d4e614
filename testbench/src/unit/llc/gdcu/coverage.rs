//! Functional coverage of `gdcu`: hit positions, owners, valid patterns, accesses back to back,
//! snapshots as an access is presented and as it reaches the counters; pairs of kernels; the
//! counters' limit.

use std::collections::VecDeque;

use cotenant_golden::llc::gdcu::{Gdcu as Model, In, Params, State};
use cotenant_golden::llc::MAX_KERNELS;

use super::Gdcu;
use crate::unit::llc::shared::{limit_bin, limits, live_reads, reads, Before, SNAPSHOT};
use crate::unit::prelude::*;

/// Sorts accesses, pairs of kernels, increments and reads.
#[derive(Debug, Clone)]
pub struct Collector {
    params: Params,
    positions: Positions,
    accesses: Cross,
    pairs: Cross,
    limits: Cross,
    reads: Cross,
    live_reads: Cross,
    before: Before,
    /// Accesses that have not reached the counters, the youngest first; one entry per stage.
    in_flight: VecDeque<Option<Access>>,
}

/// An access as far as it is sorted when it is presented.
#[derive(Debug, Clone, Copy)]
struct Access {
    position: usize,
    owners: usize,
    valid: usize,
    before: usize,
    snapshot: bool,
}

/// Whose lines are demoted.
const OWNERS: [&str; 4] = [
    "no kernel's",
    "the accessor's",
    "others'",
    "the accessor's and others'",
];
/// How many lines of one victim are demoted.
const LINES: [&str; 3] = ["none", "some", "all ways"];

impl Cover for Gdcu {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            ways,
            kernels,
            stages,
            ..
        } = *params;
        let positions = Positions::new(ways);
        let one_kernel = kernels == 1;
        // Fewest and most demoted lines over the positions of a class.
        let demoted = move |class: usize, valid: usize| {
            let (first, last) = positions.range(class);
            let each = (first..=last).filter_map(|at| Valid::EACH[valid].demoted(at, ways));
            each.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        };
        let accesses = Cross::new(
            "accesses",
            [
                positions.axis("position"),
                Axis::new("demotes", OWNERS),
                Axis::new("valid", Valid::NAMES),
                Axis::new("access before by", Before::NAMES),
                Axis::new("snapshot", SNAPSHOT),
            ],
        )
        .without("a hit is on a valid line", move |at| {
            demoted(at[0], at[2]).is_none()
        })
        .without("the numbers of demoted lines do not fit", move |at| {
            let fewest = [0, 1, 1, 2][at[1]];
            let most = if at[1] == 0 { 0 } else { ways };
            demoted(at[0], at[2]).is_some_and(|(few, many)| many < fewest || few > most)
        })
        .without("there is only one kernel", move |at| {
            one_kernel && (at[1] > 1 || at[3] == 2)
        })
        .without(
            "without stages an access is counted as it is presented",
            move |at| stages == 0 && (at[4] == 1 || at[4] == 2),
        );
        let pairs = Cross::new(
            "pairs",
            [
                Axis::numbers("victim", kernels),
                Axis::numbers("aggressor", kernels),
                Axis::new("lines", LINES),
            ],
        )
        .without("with one way, some is all", move |at| {
            ways == 1 && at[2] == 1
        });
        Collector {
            params: params.clone(),
            positions,
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
    /// How many lines of each victim the access demotes.
    fn lines(&self, input: &In) -> [usize; MAX_KERNELS] {
        let mut lines = [0; MAX_KERNELS];
        let demoted = 0..usize::from(input.access_pos);
        for position in demoted.filter(|position| input.stack_valid >> position & 1 == 1) {
            lines[usize::from(input.stack_owner[position])] += 1;
        }
        lines
    }

    fn access(&mut self, input: &In, lines: &[usize]) -> Access {
        let ways = self.params.ways;
        let accessor = usize::from(input.access_kid);
        for (victim, &lines) in lines.iter().enumerate() {
            let class = match lines {
                0 => 0,
                _ if lines == ways => 2,
                _ => 1,
            };
            self.pairs.hit(&[victim, accessor, class]);
        }
        let (own, all) = (lines[accessor], lines.iter().sum::<usize>());
        Access {
            position: self.positions.class(input.access_pos.into()),
            owners: usize::from(own > 0) + 2 * usize::from(all > own),
            valid: Valid::of(input.stack_valid, ways) as usize,
            before: self.before.who(input.access_kid),
            snapshot: input.snapshot,
        }
    }

    /// Increments that reach the counters in this cycle.
    fn increments(&mut self, state: &State, aggressor: usize, lines: impl Iterator<Item = u64>) {
        let most = u64::MAX >> (64 - self.params.cnt_w);
        for (victim, lines) in lines.enumerate() {
            let count = state.count[victim][aggressor];
            let overflowed = state.live_overflow() >> victim & 1 == 1;
            self.limits.hit(&limit_bin(count, lines, most, overflowed));
        }
    }
}

impl Collect<Gdcu> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            self.restart(&self.params.clone());
            return;
        }
        let snapshots = usize::from(self.before.snapshot) + 2 * usize::from(input.snapshot);
        let state = model.state();
        let lines = self.lines(input);
        let lines = &lines[..self.params.kernels];
        let (victim, aggressor) = (input.read_victim.into(), input.read_aggressor.into());
        if input.read_live {
            let counts = match state.in_flight.last() {
                Some(due) => due.kid == input.read_aggressor && due.demotions[victim] > 0,
                None => {
                    let by = input.access_valid && input.access_kid == input.read_aggressor;
                    by && lines[victim] > 0
                }
            };
            self.live_reads.hit(&[victim, aggressor, counts.into()]);
        } else {
            self.reads.hit(&[victim, aggressor, snapshots]);
        }
        let access = input.access_valid.then(|| self.access(input, lines));
        if !input.snapshot {
            match state.in_flight.last() {
                Some(due) if due.valid => {
                    let lines = due.demotions.iter().map(|&lines| lines.into());
                    self.increments(state, due.kid.into(), lines);
                }
                None if input.access_valid => {
                    let lines = lines.iter().map(|&lines| lines as u64);
                    self.increments(state, input.access_kid.into(), lines);
                }
                _ => {}
            }
        }
        self.in_flight.push_front(access);
        if let Some(access) = self.in_flight.pop_back().flatten() {
            let snapshots = usize::from(access.snapshot) + 2 * usize::from(input.snapshot);
            self.accesses.hit(&[
                access.position,
                access.owners,
                access.valid,
                access.before,
                snapshots,
            ]);
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
