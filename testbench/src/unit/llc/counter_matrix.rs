//! `counter_matrix` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: increments, snapshots and reads.
//!
//! Functional coverage: every pair of kernels, increments at the counters' limit, snapshots with
//! and without an increment, reads beside them.
//!
//! Example waveform: counting, the limit, and a snapshot; figure 2's counters for two kernels.
//!
//! Facts: when the registers of the read port matter.

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, In, Params, State};

use super::shared::{far_counters, matters_alone, probe, resumed, working, Counting, Read, LIVE};
use crate::unit::prelude::*;

/// The unit [`counter_matrix`](cotenant_golden::llc::counter_matrix).
#[derive(Debug, Clone, Copy)]
pub struct CounterMatrix;

impl Interface for CounterMatrix {
    const NAME: &'static str = "counter_matrix";
    const SUMMARY: &'static str = "event counters per pair of victim and aggressor, with snapshots";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        working(flop)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let answer = state.answers.due_or_default();
        resumed("", params.cnt_w, answer)
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        probe("", register, at)
    }

    from_golden!();
}

/// What happens to the counters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There are increments.
    pub valid: bool,
    /// The aggressor, modulo the number of kernels; also on the port when there are none.
    pub kid: u8,
    /// Events of each victim, cut to the width of an increment; missing ones are 0.
    pub inc: Vec<u32>,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read, modulo the number of kernels.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

impl Drive for CounterMatrix {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Hits,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            inc: vec![0; params.kernels],
            ..In::default()
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        input.reset = transaction.reset;
        input.inc_valid = transaction.valid;
        input.inc_kid = match transaction.valid {
            true => transaction.kid % kernels,
            // Ignored, so it may be a KID without a kernel.
            false => transaction.kid & ones(id_w(params.kernels)) as u8,
        };
        let most = ones(params.inc_w) as u32;
        for (victim, events) in input.inc.iter_mut().enumerate() {
            *events = transaction
                .inc
                .get(victim)
                .map_or(0, |events| events & most);
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
        let most = ones(params.inc_w);
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
        if !transaction.valid {
            transaction.kid = random.bits() as u8;
        }
        let small = random.chance(knobs.hit);
        transaction.inc.resize(params.kernels, 0);
        for events in &mut transaction.inc {
            let bits = random.bits();
            *events = match (knobs.fill, bits >> 61) {
                (Fill::Full, 1..) | (_, 7) => most,
                (_, 6) => 0,
                _ if small => bits & 3 & most,
                _ => bits & most,
            } as u32;
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

collector! {
    /// Sorts increments, periods and reads.
    pub struct Collector {
        crosses { increments, periods; counting: Counting }
    }
}

impl Cover for CounterMatrix {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        let increments = Cross::named("increments")
            .numbers("victim", kernels)
            .numbers("aggressor", kernels)
            .axis("events", ["none", "some", "most"]);
        let narrow = params.inc_w == 1;
        let increments = increments.without("a one-bit increment is 0 or the maximum", |at| {
            narrow && at[2] == 1
        });
        let one_kernel = kernels == 1;
        let periods = Cross::named("periods")
            .flag("snapshot")
            .flag("increment")
            .flag("snapshot before")
            .axis("increment before by", Counting::BEFORE);
        let periods = periods.without("there is only one kernel", |at| one_kernel && at[3] == 2);
        Collector {
            increments,
            periods,
            counting: Counting::new(kernels, params.cnt_w),
        }
    }
}

impl Collect<CounterMatrix> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            self.counting.restart();
            return;
        }
        let (state, snapshot, aggressor) = (model.state(), input.snapshot, input.inc_kid);
        let most = ones(model.params().inc_w);
        let increments = input.inc.iter().map(|&events| u64::from(events));
        for (victim, events) in increments.enumerate().filter(|_| input.inc_valid) {
            let class = match events {
                0 => 0,
                _ if events == most => 2,
                _ => 1,
            };
            self.increments.hit((victim, aggressor, class));
            if !snapshot {
                let count = state.count[victim][usize::from(aggressor)];
                let overflowed = state.live_overflow();
                self.counting.increment(victim, count, events, overflowed);
            }
        }
        let (after, before) = (
            self.counting.after_snapshot(),
            self.counting.before(aggressor),
        );
        self.periods.hit((snapshot, input.inc_valid, after, before));
        let read = Read {
            victim: input.read_victim,
            aggressor: input.read_aggressor,
            live: input.read_live,
        };
        let events = input.inc.get(usize::from(read.victim));
        let counts = events.is_some_and(|&events| events > 0) && aggressor == read.aggressor;
        self.counting
            .read(read, input.inc_valid && counts, snapshot);
        self.counting
            .pass(snapshot, input.inc_valid.then_some(aggressor));
    }

    fn restart(&mut self, _: &Params) {
        self.counting.restart();
    }
}

/// The limit of a counter of 16 bits.
const LIMIT: u64 = 65_535;

impl Teach for CounterMatrix {
    const SETS: &'static [&'static str] = &["2x2x16"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let inc = |inc_kid, inc: [u32; 2]| In {
            inc_valid: true,
            inc_kid,
            inc: inc.into(),
            ..idle()
        };
        let read = |read_victim, read_aggressor| In {
            read_victim,
            read_aggressor,
            ..idle()
        };
        let scene = Scene::new("counting, saturation, and a snapshot")
            .rows(
                "increments, of K0 and K1",
                "inc_valid, inc_kid kernel when inc_valid, inc when inc_valid",
            )
            .rows(
                "counters of K0 and K1, one column per aggressor",
                "count[*][0], count[*][1], passed[*]",
            )
            .rows(
                "read port",
                "snapshot, sequence_number, overflow, read_victim kernel, read_aggressor kernel, \
                 read_live, read_count",
            );
        let scene = match two_below(params) {
            Some(model) => scene.from(model),
            None => scene,
        };
        scene
            .cycle(
                "K1 has demoted K0's lines 65533 times, two below the maximum of 16 bits. Idle.",
                idle(),
            )
            .sees("count[*][1]", [LIMIT - 2, 0])
            .cycle("K1 demotes one line of K0 and two of its own.", inc(1, [1, 2]))
            .then("count[*][1]", [LIMIT - 1, 2])
            .then("count[*][0]", [0, 0])
            .cycle("One more: the counter is at its maximum, which is no overflow.", inc(1, [1, 0]))
            .then("count[*][1]", [LIMIT, 2])
            .then("passed[*]", [0b00, 0b00])
            .cycle(
                "Two more of K0: the counter stays at its maximum, and K0's overflow flag is set.",
                inc(1, [2, 1]),
            )
            .then("count[*][1]", [LIMIT, 3])
            .then("passed[*]", [0b10, 0b00])
            .cycle(
                "A snapshot beside an increment by K0: what was counted goes to the reader with its mark, \
                     and the increment opens the new period.",
                In {
                        snapshot: true,
                        ..inc(0, [0, 3])
                    },
            )
            .then("count[*][0]", [0, 3])
            .then("count[*][1]", [0, 0])
            .then("shadow[*][1]", [LIMIT, 3])
            .then("overflow", 0b01)
            .then("passed[*]", [0b00, 0b00])
            .then("sequence_number", 1)
            .cycle(
                "Read, answered one cycle later: K0's lines by K1, at least 65535 because of the overflow flag.",
                read(0, 1),
            )
            .then("read_count", LIMIT)
            .cycle("K1's own lines by K1: 3.", read(1, 1))
            .then("read_count", 3)
            .cycle(
                "The new period counts on: a live read shows the running count of K0.",
                In {
                        read_live: true,
                        ..read(1, 0)
                    },
            )
            .sees("count[*][0]", [0, 3])
            .then("read_count", 3)
            .cycle(
                "A live read does not include an increment of the same cycle.",
                In {
                    read_live: true,
                    read_victim: 1,
                    ..inc(0, [0, 2])
                },
            )
            .then("read_count", 3)
            .then("count[*][0]", [0, 5])
            .cycle("No further read.", idle())
            .sees("read_count", 3)
    }
}

/// Two events below the limit, which takes too long to come to.
fn two_below(params: &Params) -> Option<Model> {
    // A set of the table always has a model.
    let mut model = CounterMatrix::model(params).ok()?;
    model.preset(0, 1, LIMIT - 2);
    Some(model)
}

impl Facts for CounterMatrix {
    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        matters_alone(params.kernels, flop, terms)
    }
}
