//! `rbmi` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: kernels that are ready, and an LSU that takes an instruction or not.
//!
//! Functional coverage: every winner after every other, and how many kernels are passed over.
//!
//! Example waveform: loose round-robin among three kernels.

use cotenant_golden::sm::rbmi::{In, Params, Rbmi as Model};

use super::shared::ready;
use crate::unit::prelude::*;

/// The unit [`rbmi`](cotenant_golden::sm::rbmi).
#[derive(Debug, Clone, Copy)]
pub struct Rbmi;

impl Interface for Rbmi {
    const NAME: &'static str = "rbmi";
    const SUMMARY: &'static str =
        "selects the kernel that issues a memory instruction, round-robin";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The kernels that are ready; those that are not there are dropped.
    pub ready: u64,
    /// The LSU takes an instruction.
    pub accept: bool,
}

impl Drive for Rbmi {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::InvalidWays,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        *input = In {
            reset: transaction.reset,
            ready: transaction.ready & ones(params.kernels),
            accept: transaction.accept,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            ready: ready(knobs, params.kernels, random),
            accept: random.chance(knobs.access),
        };
    }
}

collector! {
    /// Sorts grants.
    pub struct Collector {
        crosses { grants, candidates }
        kernels: usize,
    }
}

/// How many kernels are ready.
const READY: [&str; 4] = ["none", "one", "several", "all"];

impl Cover for Rbmi {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        Collector {
            kernels,
            grants: Cross::named("grants")
                .numbers("last", kernels)
                .numbers("winner", kernels),
            candidates: Cross::named("candidates")
                .axis("ready", READY)
                .flag("accept")
                .without("there are too few kernels", move |at| {
                    kernels < 3 && at[0] == 2 || kernels < 2 && at[0] == 1
                }),
        }
    }
}

impl Collect<Rbmi> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let count = match input.ready.count_ones() as usize {
            0 => 0,
            all if all == self.kernels => 3,
            1 => 1,
            _ => 2,
        };
        self.candidates.hit((count, input.accept));
        if input.accept && count > 0 {
            let last = usize::from(model.state().last);
            let after = (1..=self.kernels).map(|step| (last + step) % self.kernels);
            let winner = after
                .into_iter()
                .find(|&kernel| input.ready >> kernel & 1 == 1);
            self.grants.hit((last, winner.unwrap_or(last)));
        }
    }
}

impl Teach for Rbmi {
    const SETS: &'static [&'static str] = &["3"];

    fn scene(_: &Params) -> Scene<Self> {
        let offers = |ready, accept| In {
            reset: false,
            ready,
            accept,
        };
        let grants = |caption, ready, kernel: u64| {
            Step::new(caption, offers(ready, true))
                .sees("grant_valid", true)
                .sees("grant_kid", kernel)
                .then("last", kernel)
        };
        let reset = In {
            reset: true,
            ..offers(0, false)
        };
        Scene::new("loose round-robin")
            .rows(
                "memory instructions ready, K0 lowest",
                "ready binary, accept",
            )
            .rows(
                "grant",
                "grant_valid, grant_kid kernel when grant_valid, last kernel",
            )
            .cycle("Reset: as if K2 had issued last.", reset)
            .then("last", 2)
            .step(grants("All are ready: K0 is granted.", 0b111, 0))
            .step(grants("All are ready: K1 is granted.", 0b111, 1))
            .step(grants("K1 is not ready: K2 is granted.", 0b101, 2))
            .step(grants(
                "K0 would be next, but is not ready: K1 is granted.",
                0b110,
                1,
            ))
            .cycle(
                "The LSU accepts none: no grant, and the order does not change.",
                offers(0b111, false),
            )
            .sees("grant_valid", false)
            .then("last", 1)
            .step(grants("All are ready: K2 is granted, after K1.", 0b111, 2))
            .cycle("No kernel is ready: no grant.", offers(0b000, true))
            .sees("grant_valid", false)
    }
}

impl Facts for Rbmi {}
