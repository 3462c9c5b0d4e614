//! Functional coverage of `llc_counters`: what accesses do to whose lines; pairs of kernels; banks
//! that access at once; the requester table; reads beside snapshots; the counters' limit.

use cotenant_golden::llc::counter_matrix::State as Counters;
use cotenant_golden::llc::llc_counters::{Access, In, LlcCounters as Model, Params};

use super::LlcCounters;
use crate::unit::llc::shared::limit_bin;
use crate::unit::prelude::*;

collector! {
    /// Sorts accesses, pairs of kernels, increments, reads and writes of the table.
    pub struct Collector {
        crosses { accesses, demotions, evictions, banks, table, reads, limits }
        /// The most that a counter holds.
        most: u64,
        /// There was a snapshot in the cycle before.
        snapshot: bool,
    }
}

/// Whose lines an access moves, or replaces.
const OWNERS: [&str; 4] = [
    "none",
    "the accessor's",
    "others'",
    "the accessor's and others'",
];
/// How many lines of one victim move.
const LINES: [&str; 3] = ["none", "some", "all ways"];
/// What happens to the entry of the table that is written.
const TABLE: [&str; 4] = [
    "a requester's",
    "a requester's, which accesses",
    "the others'",
    "the others', one of which accesses",
];
const MATRICES: [&str; 3] = ["demotions", "evictions", "hits and misses"];

impl Cover for LlcCounters {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let (kernels, banks) = (params.kernels, params.banks);
        let alone = kernels == 1;
        let pair = || {
            [
                Axis::numbers("victim", kernels),
                Axis::numbers("aggressor", kernels),
            ]
        };
        Collector {
            accesses: Cross::named("accesses")
                .axis("access", ["miss", "hit"])
                .axis("lines that move", OWNERS)
                .axis("line replaced", OWNERS)
                .axis("by", ["a requester of the table", "another one"])
                .without("one line has one owner", |at| at[2] == 3)
                .without("there is only one kernel", move |at| {
                    alone && (at[1] > 1 || at[2] > 1)
                }),
            demotions: Cross::new(
                "demotions",
                pair().into_iter().chain([Axis::new("lines", LINES)]),
            ),
            evictions: Cross::new("evictions", pair()),
            banks: Cross::named("banks")
                .axis("access at once", ["one", "some", "all"])
                .without("so many banks there are not", move |at| match at[0] {
                    0 => banks == 1,
                    1 => banks < 4,
                    _ => false,
                }),
            table: Cross::named("table").axis("entry written", TABLE),
            reads: Cross::named("reads")
                .axis(
                    "of",
                    ["demotions", "evictions", "hits and misses", "nothing"],
                )
                .flag("running")
                .axis(
                    "snapshot",
                    ["neither", "in the cycle before", "in this cycle", "in both"],
                ),
            limits: Cross::named("limits")
                .axis("of", MATRICES)
                .axis(
                    "counter",
                    ["stays below its maximum", "reaches it", "exceeds it"],
                )
                .axis("of the row", ["none has overflowed", "one has overflowed"])
                .without("there is only one kernel", move |at| {
                    alone && at[1] < 2 && at[2] == 1
                }),
            most: ones(params.cnt_w),
            snapshot: false,
        }
    }
}

impl Collector {
    /// An access of a bank as it is presented.
    fn presented(&mut self, params: &Params, model: &Model, bank: usize, input: &In) {
        let bit = |mask: u64| mask >> bank & 1 == 1;
        let requester = usize::from(input.access_requester[bank]).min(params.requesters);
        let kid = model.state().kid_of[requester];
        let at = bank * params.ways;
        let mut lines = vec![0; params.kernels];
        for line in (at..at + params.ways).filter(|&line| input.demoted[line] == 1) {
            lines[usize::from(input.line_owner[line])] += 1;
        }
        let own = lines[usize::from(kid)] > 0;
        let others = lines.iter().sum::<usize>() > lines[usize::from(kid)];
        let hit = bit(input.access_hit);
        let victim = (!hit && bit(input.victim_valid)).then(|| input.victim_owner[bank]);
        let replaced = match victim {
            None if !hit || !bit(input.victim_valid) => 0,
            // Ignored, with any owner.
            None if input.victim_owner[bank] == kid => 1,
            Some(victim) if victim == kid => 1,
            _ => 2,
        };
        let moved = usize::from(own) + 2 * usize::from(others);
        let other = requester == params.requesters;
        self.accesses
            .hit((usize::from(hit), moved, replaced, usize::from(other)));
        for (victim, &lines) in lines.iter().enumerate() {
            let class = match lines {
                0 => 0,
                _ if lines == params.ways => 2,
                _ => 1,
            };
            self.demotions.hit((victim, kid, class));
        }
        if let Some(victim) = victim {
            self.evictions.hit((victim, kid));
        }
    }

    /// An increment of a counter.
    fn increment(&mut self, matrix: usize, counters: &Counters, row: usize, kid: u8, events: u64) {
        let count = counters.count[row][usize::from(kid)];
        let passed = counters.passed[row] != 0;
        let bin = limit_bin(count, events, self.most);
        self.limits.hit((matrix, bin, usize::from(passed)));
    }

    /// An access that reaches the counters.
    fn counted(&mut self, bank: &[&Counters; 3], access: &Access) {
        for (victim, &lines) in access
            .demoted
            .iter()
            .enumerate()
            .filter(|(_, lines)| **lines > 0)
        {
            self.increment(0, bank[0], victim, access.kid, lines.into());
        }
        if let Some(victim) = access.evicted {
            self.increment(1, bank[1], victim.into(), access.kid, 1);
        }
        self.increment(2, bank[2], usize::from(!access.hit), access.kid, 1);
    }
}

impl Collect<LlcCounters> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            self.snapshot = false;
            return;
        }
        let params = model.params();
        let mut at_once = 0;
        for (number, bank) in model.state().bank.iter().enumerate() {
            if input.access_valid >> number & 1 == 1 {
                at_once += 1;
                self.presented(params, model, number, input);
            }
            // Without stages an access is counted as it is presented.
            let due = match bank.in_flight.due() {
                Some(due) => due.clone(),
                None => model.access(number, input),
            };
            if let Some(due) = due.filter(|_| !input.snapshot) {
                self.counted(&[&bank.gdcu, &bank.plob, &bank.accesses], &due);
            }
        }
        match at_once {
            0 => {}
            all if all == params.banks => self.banks.hit(2),
            1 => self.banks.hit(0),
            _ => self.banks.hit(1),
        }
        if input.map_valid {
            let entry = |code: u16| usize::from(code).min(params.requesters);
            let written = entry(input.map_requester);
            let accesses = input
                .access_requester
                .iter()
                .enumerate()
                .any(|(bank, &code)| input.access_valid >> bank & 1 == 1 && entry(code) == written);
            let others = written == params.requesters;
            self.table
                .hit(usize::from(accesses) + 2 * usize::from(others));
        }
        let snapshots = usize::from(self.snapshot) + 2 * usize::from(input.snapshot);
        self.reads
            .hit((input.read_matrix, input.read_live, snapshots));
        self.snapshot = input.snapshot;
    }

    fn restart(&mut self, _: &Params) {
        self.snapshot = false;
    }
}
