//! `kid_demux` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: any kernel, passed on or not.
//!
//! Functional coverage: every kernel, passed on and not.
//!
//! Example waveform: the demultiplexer of one position, for figure 2's four kernels.

use cotenant_golden::llc::kid_demux::{In, KidDemux as Model, Params};

use crate::unit::prelude::*;

/// The unit [`kid_demux`](cotenant_golden::llc::kid_demux).
#[derive(Debug, Clone, Copy)]
pub struct KidDemux;

impl Interface for KidDemux {
    const NAME: &'static str = "kid_demux";
    const SUMMARY: &'static str = "demultiplexes a bit to the output of one kernel";
    const PLACE: Place = Place::Part;
    type Model = Model;

    from_golden!();
}

/// A bit to pass on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// It is set.
    pub enable: bool,
    /// Whose lane it goes to, modulo the number of kernels.
    pub kid: u8,
}

impl Drive for KidDemux {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Idle,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        input.enable = transaction.enable;
        input.select = transaction.kid % params.kernels as u8;
    }

    fn draw(
        _: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.enable = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
    }
}

collector! {
    /// Sorts inputs, all of them.
    pub struct Collector {
        crosses { inputs }
    }
}

impl Cover for KidDemux {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        Collector {
            inputs: Cross::named("inputs")
                .axis("enable", ["0", "1"])
                .numbers("select", params.kernels),
        }
    }
}

impl Collect<KidDemux> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let select = usize::from(input.select);
        self.inputs.hit((input.enable, select));
    }
}

impl Teach for KidDemux {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let steers = |caption, enable, select, lane: u64| {
            Step::new(caption, In { enable, select }).sees("lane", lane)
        };
        Scene::new("a demotion is routed to the owner of the line")
            .rows("the line in this position", "enable, select kernel")
            .rows("one bit per kernel, K0 lowest", "lane")
            .step(steers(
                "K2 owns the line, but it is not demoted: no output is driven.",
                false,
                2,
                0,
            ))
            .step(steers(
                "It is demoted: the output of K2 is driven.",
                true,
                2,
                0b0100,
            ))
            .step(steers("K0's line is demoted.", true, 0, 0b0001))
            .step(steers("K3's line is demoted.", true, 3, 0b1000))
    }
}

impl Facts for KidDemux {}
