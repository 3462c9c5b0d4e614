//! Functional coverage of `gdcu`: hit positions, owners, valid patterns, accesses back to back,
//! snapshots as an access is presented and as it reaches the counters; pairs of kernels; the
//! counters' limit.

use cotenant_golden::llc::gdcu::{Gdcu as Model, In, Params};
use cotenant_golden::llc::MAX_KERNELS;

use super::Gdcu;
use crate::unit::llc::shared::{Counting, InFlight, Read};
use crate::unit::prelude::*;

collector! {
    /// Sorts accesses, pairs of kernels, increments and reads.
    pub struct Collector {
        crosses { accesses, pairs; counting: Counting }
        positions: Positions,
        /// Position, owners, valid lines, and who accessed before.
        in_flight: InFlight<[usize; 4]>,
    }
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
        let accesses = Cross::named("accesses")
            .by(positions.axis("position"))
            .axis("demotes", OWNERS)
            .axis("valid", Valid::NAMES)
            .axis("access before by", Counting::BEFORE)
            .axis("snapshot", Counting::SNAPSHOT)
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
        let pairs = Cross::named("pairs")
            .numbers("victim", kernels)
            .numbers("aggressor", kernels)
            .axis("lines", LINES)
            .without("with one way, some is all", move |at| {
                ways == 1 && at[2] == 1
            });
        Collector {
            positions,
            accesses,
            pairs,
            counting: Counting::new(kernels, params.cnt_w),
            in_flight: InFlight::new(stages),
        }
    }
}

impl Collector {
    /// Sorts an access that demotes so many lines of each victim.
    fn access(&mut self, input: &In, ways: usize, lines: &[u64]) -> [usize; 4] {
        let accessor = usize::from(input.access_kid);
        for (victim, &lines) in lines.iter().enumerate() {
            let class = match lines {
                0 => 0,
                _ if lines == ways as u64 => 2,
                _ => 1,
            };
            self.pairs.hit((victim, accessor, class));
        }
        let (own, all) = (lines[accessor], lines.iter().sum::<u64>());
        [
            self.positions.class(input.access_pos.into()),
            usize::from(own > 0) + 2 * usize::from(all > own),
            Valid::of(input.stack_valid, ways) as usize,
            self.counting.before(input.access_kid),
        ]
    }
}

impl Collect<Gdcu> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            Collect::<Gdcu>::restart(self, model.params());
            return;
        }
        let (state, snapshot) = (model.state(), input.snapshot);
        // How many lines of each victim the access demotes.
        let mut lines = [0; MAX_KERNELS];
        let demoted = 0..usize::from(input.access_pos);
        for position in demoted.filter(|position| input.stack_valid >> position & 1 == 1) {
            lines[usize::from(input.stack_owner[position])] += 1;
        }
        let lines = &lines[..model.params().kernels];
        // What reaches the counters, and whether it is an access.
        let mut counted = [0; MAX_KERNELS];
        let (due, aggressor) = match state.in_flight.due() {
            Some(due) => {
                let lines = due.demotions.iter().zip(&mut counted);
                lines.for_each(|(&lines, counted)| *counted = lines.into());
                (due.valid, due.kid)
            }
            None => {
                counted[..lines.len()].copy_from_slice(lines);
                (input.access_valid, input.access_kid)
            }
        };
        let read = Read {
            victim: input.read_victim,
            aggressor: input.read_aggressor,
            live: input.read_live,
        };
        let counts = due && aggressor == read.aggressor && counted[usize::from(read.victim)] > 0;
        self.counting.read(read, counts, snapshot);
        let access = input.access_valid;
        let access = access.then(|| self.access(input, model.params().ways, lines));
        if due && !snapshot {
            for (victim, &lines) in counted[..lines.len()].iter().enumerate() {
                let count = state.count[victim][usize::from(aggressor)];
                let overflowed = state.live_overflow();
                self.counting.increment(victim, count, lines, overflowed);
            }
        }
        if let Some((access, snapshots)) = self.in_flight.pass(access, snapshot) {
            let [position, owners, valid, before] = access;
            self.accesses
                .hit((position, owners, valid, before, snapshots));
        }
        self.counting
            .pass(snapshot, input.access_valid.then_some(input.access_kid));
    }

    fn restart(&mut self, _: &Params) {
        self.counting.restart();
        self.in_flight.restart();
    }
}
