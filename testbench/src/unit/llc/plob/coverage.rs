//! `plob`: accesses by what they evict, back to back, with snapshots as an access is presented and
//! as it reaches the counters; pairs of kernels; the counters' limit.

use std::collections::VecDeque;

use cotenant_golden::llc::plob::{In, Params, Plob as Model, State};
use cotenant_golden::Model as _;

use crate::unit::llc::counter_matrix::coverage::{limit_bin, limits, live_reads, reads, Before};
use crate::unit::llc::gdcu::coverage::SNAPSHOT;
use crate::unit::llc::Plob;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

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
    /// Accesses that have not reached the counters, the youngest first; one entry a stage.
    in_flight: VecDeque<Option<Access>>,
}

/// An access as far as it is sorted when it is presented.
#[derive(Debug, Clone, Copy)]
struct Access {
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
        .without("there is one kernel", move |at| {
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
    fn access(&mut self, input: &In) -> Access {
        let (victim, accessor) = (input.victim_owner, input.access_kid);
        if !input.access_hit && input.victim_valid {
            self.pairs.hit(&[victim.into(), accessor.into()]);
        }
        Access {
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
