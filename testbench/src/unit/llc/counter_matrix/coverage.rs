//! `counter_matrix`: every pair of kernels, increments at the counters' limit, snapshots with and
//! without an increment, reads beside them.

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, In, Params};
use cotenant_golden::Model as _;

use crate::unit::llc::CounterMatrix;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts increments, periods and reads.
#[derive(Debug, Clone)]
pub struct Collector {
    params: Params,
    increments: Cross,
    limits: Cross,
    periods: Cross,
    reads: Cross,
    live_reads: Cross,
    before: Before,
}

/// What happened in the cycle before.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::unit) struct Before {
    pub snapshot: bool,
    /// The kernel that acted.
    pub kid: Option<u8>,
}

impl Before {
    pub const NAMES: [&'static str; 3] = ["nobody", "the same kernel", "another kernel"];

    /// Who acted before `kid` does.
    pub fn who(self, kid: u8) -> usize {
        match self.kid {
            None => 0,
            Some(before) if before == kid => 1,
            Some(_) => 2,
        }
    }
}

/// Where an increment takes a counter.
pub(in crate::unit) fn limits(name: &'static str) -> Cross {
    let axes = [
        Axis::new(
            "counter",
            ["stays below its limit", "reaches it", "passes it"],
        ),
        Axis::new("victim", ["has not overflowed", "has overflowed"]),
    ];
    Cross::new(name, axes)
}

/// The bin of an increment of one counter; the new period's if there is a snapshot.
pub(in crate::unit) fn limit_bin(
    count: u64,
    events: u64,
    most: u64,
    overflowed: bool,
) -> [usize; 2] {
    let class = match most - count {
        left if events < left => 0,
        left if events == left => 1,
        _ => 2,
    };
    [class, usize::from(overflowed)]
}

/// Who reads what, and when.
pub(in crate::unit) fn reads(kernels: usize) -> Cross {
    let axes = [
        Axis::numbers("victim", kernels),
        Axis::numbers("aggressor", kernels),
        Axis::new(
            "snapshot",
            ["neither", "in the cycle before", "in this cycle", "in both"],
        ),
    ];
    Cross::new("reads", axes)
}

/// Who reads what of the running period.
pub(in crate::unit) fn live_reads(kernels: usize) -> Cross {
    let axes = [
        Axis::numbers("victim", kernels),
        Axis::numbers("aggressor", kernels),
        Axis::new("counter", ["stays", "goes up in this cycle"]),
    ];
    Cross::new("live reads", axes)
}

impl Cover for CounterMatrix {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        let increments = Cross::new(
            "increments",
            [
                Axis::numbers("victim", kernels),
                Axis::numbers("aggressor", kernels),
                Axis::new("events", ["none", "some", "most"]),
            ],
        );
        let narrow = params.inc_w == 1;
        let increments = increments.without("one bit is none or most", |at| narrow && at[2] == 1);
        let one_kernel = kernels == 1;
        let periods = Cross::new(
            "periods",
            [
                Axis::new("snapshot", ["no", "yes"]),
                Axis::new("increment", ["no", "yes"]),
                Axis::new("snapshot before", ["no", "yes"]),
                Axis::new("increment before by", Before::NAMES),
            ],
        );
        let periods = periods.without("there is one kernel", |at| one_kernel && at[3] == 2);
        Collector {
            params: params.clone(),
            increments,
            limits: limits("limits"),
            periods,
            reads: reads(kernels),
            live_reads: live_reads(kernels),
            before: Before::default(),
        }
    }
}

impl Collect<CounterMatrix> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            self.before = Before::default();
            return;
        }
        let state = model.state();
        let aggressor = usize::from(input.inc_kid);
        if input.inc_valid {
            let most_events = u64::MAX >> (64 - self.params.inc_w);
            let most = u64::MAX >> (64 - self.params.cnt_w);
            for (victim, &events) in input.inc.iter().enumerate() {
                let events = u64::from(events);
                let class = match events {
                    0 => 0,
                    _ if events == most_events => 2,
                    _ => 1,
                };
                self.increments.hit(&[victim, aggressor, class]);
                if !input.snapshot {
                    let overflowed = state.live_overflow() >> victim & 1 == 1;
                    let count = state.count[victim][aggressor];
                    self.limits.hit(&limit_bin(count, events, most, overflowed));
                }
            }
        }
        let before = self.before;
        self.periods.hit(&[
            usize::from(input.snapshot),
            usize::from(input.inc_valid),
            usize::from(before.snapshot),
            before.who(input.inc_kid),
        ]);
        let snapshots = usize::from(before.snapshot) + 2 * usize::from(input.snapshot);
        let (victim, aggressor) = (input.read_victim.into(), input.read_aggressor.into());
        if input.read_live {
            let events = input.inc.get(victim).is_some_and(|&events| events > 0);
            let counts = input.inc_valid && input.inc_kid == input.read_aggressor && events;
            self.live_reads.hit(&[victim, aggressor, counts.into()]);
        } else {
            self.reads.hit(&[victim, aggressor, snapshots]);
        }
        self.before = Before {
            snapshot: input.snapshot,
            kid: input.inc_valid.then_some(input.inc_kid),
        };
    }

    fn restart(&mut self, _: &Params) {
        self.before = Before::default();
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![
            &self.increments,
            &self.limits,
            &self.periods,
            &self.reads,
            &self.live_reads,
        ]
    }
}
