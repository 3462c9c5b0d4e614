//! `blame` under test.
//!
//! Stimulus: lines above the one accessed that come near the ways, alone, in pairs and together, or
//! anything. Functional coverage: who completes the ways, by what share, beside which victim; own
//! misses, hits and first uses. Example waveform: a miss of which one, two and three co-runners are
//! to blame.

use cotenant_golden::llc::blame::{Blame as Model, In, Params, SIXTHS};

use crate::unit::prelude::*;

/// The unit [`blame`](cotenant_golden::llc::blame).
#[derive(Debug, Clone, Copy)]
pub struct Blame;

impl Interface for Blame {
    const NAME: &'static str = "blame";
    const SUMMARY: &'static str = "divides a miss among the kernels that have caused it";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// There is an access.
    pub valid: bool,
    /// The accessing kernel, modulo the number of kernels; in a bubble any code.
    pub kid: u8,
    /// It uses the line again.
    pub again: bool,
    /// Lines of each kernel, modulo the ways and one more; missing ones are 0.
    pub above: Vec<u8>,
}

/// Lines of each kernel that come to about the ways, all together or each with the first.
fn near(ways: usize, above: &mut [u8], random: &mut Random) {
    let kernels = above.len();
    let players = 1 + random.below(kernels);
    for lines in above.iter_mut() {
        *lines = match random.below(kernels) < players {
            true => (ways / players + random.below(3)).saturating_sub(1) as u8,
            false => 0,
        };
    }
}

impl Drive for Blame {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Hits,
        Profile::Misses,
        Profile::Idle,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            above: vec![0; params.kernels],
            ..In::default()
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let Params { ways, kernels } = *params;
        input.access_valid = transaction.valid;
        input.access_kid = match transaction.valid {
            true => transaction.kid % kernels as u8,
            false => transaction.kid & ones(id_w(kernels)) as u8,
        };
        input.access_again = transaction.again;
        for (kernel, lines) in input.above.iter_mut().enumerate() {
            let code = transaction.above.get(kernel).map_or(0, |&lines| lines);
            *lines = (usize::from(code) % (ways + 1)) as u8;
        }
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let Params { ways, kernels } = *params;
        transaction.valid = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
        transaction.again = random.below(8) > 0;
        transaction.above.resize(kernels, 0);
        match random.below(4) {
            0 => {
                let any = |lines: &mut u8| *lines = random.below(ways + 1) as u8;
                transaction.above.iter_mut().for_each(any);
            }
            _ => near(ways, &mut transaction.above, random),
        }
        // A victim that has used nothing since leaves the ways to its co-runners.
        if random.below(2) == 0 {
            let victim = usize::from(transaction.kid) % kernels;
            transaction.above[victim] = random.below(2) as u8;
        }
    }
}

collector! {
    /// Sorts accesses.
    pub struct Collector {
        crosses { accesses, parts }
        ways: u8,
    }
}

/// What an access is.
const KINDS: [&str; 4] = ["first use", "own miss", "contention miss", "hit"];

impl Cover for Blame {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { ways, kernels } = *params;
        let accesses = Cross::named("accesses")
            .axis("access", KINDS)
            .numbers("victim", kernels);
        let shares = (0..=SIXTHS).map(|part| format!("{part}/6"));
        let few = move |lines: usize| ways < lines;
        Collector {
            ways: ways as u8,
            accesses,
            parts: Cross::new(
                "parts",
                [
                    Axis::numbers("victim", kernels),
                    Axis::numbers("aggressor", kernels),
                    Axis::new("part", shares),
                ],
            )
            .without("it is a contention miss", |at| at[0] == at[1])
            .without(
                "a kernel cannot complete the ways in five orders of six",
                |at| at[2] == 5,
            )
            .without(
                "with two co-runners a part is a whole number of halves",
                move |at| kernels < 4 && at[2] % 3 > 0,
            )
            .without("the only co-runner is to blame for all", move |at| {
                kernels == 2 && at[2] < 6
            })
            .without("so few lines are one kernel's or all kernels'", move |at| {
                few(2) && at[2] % 2 == 1 && kernels == 4 || few(3) && at[2] == 4 && kernels == 4
            }),
        }
    }
}

impl Collect<Blame> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if !input.access_valid {
            return;
        }
        let out = model.clone().step(input);
        let victim = usize::from(input.access_kid);
        let kind = match (out.miss, out.contention) {
            (false, _) => 3,
            (true, true) => 2,
            (true, false) => usize::from(input.access_again && input.above[victim] >= self.ways),
        };
        self.accesses.hit((kind, victim));
        if out.contention {
            for (aggressor, &part) in out.sixths.iter().enumerate() {
                if aggressor != victim {
                    self.parts.hit((victim, aggressor, part));
                }
            }
        }
    }
}

impl Teach for Blame {
    const SETS: &'static [&'static str] = &["4x4"];

    fn scene(params: &Params) -> Scene<Self> {
        let access = |caption, access_again, above: [u8; 4], sixths: [u64; 4]| {
            let input = In {
                access_valid: true,
                access_kid: 0,
                access_again,
                above: above.into(),
            };
            Step::new(caption, input).sees("sixths", sixths)
        };
        Scene::new("one miss, and who is to blame")
            .group(
                "access, and the lines of K0 K1 K2 K3 used since",
                [
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_again").when("access_valid"),
                    row("above").when("access_valid"),
                ],
            )
            .rows(
                "kind of access, and parts of K0 K1 K2 K3 in sixths",
                "miss, contention, sixths",
            )
            .step(access(
                "K0 uses a line for the first time: its own miss.",
                false,
                [0, 0, 0, 0],
                [6, 0, 0, 0],
            ))
            .step(access(
                "It has used one line since, K1 two: three of four ways, a hit.",
                true,
                [1, 2, 0, 0],
                [0, 0, 0, 0],
            ))
            .step(access(
                "K1 has used three: all of it is K1's.",
                true,
                [1, 3, 0, 0],
                [0, 6, 0, 0],
            ))
            .step(access(
                "K1 and K2 complete the ways together: half each.",
                true,
                [1, 2, 1, 0],
                [0, 3, 3, 0],
            ))
            .step(access(
                "K1 needs another one, K2 and K3 need K1: four of the six orders end with K1.",
                true,
                [0, 3, 1, 1],
                [0, 4, 1, 1],
            ))
            .step(access(
                "Each of three is enough: a third each.",
                true,
                [3, 1, 1, 1],
                [0, 2, 2, 2],
            ))
            .step(access(
                "K0 has used four others itself: its own miss, whatever the others did.",
                true,
                [4, 4, 4, 4],
                [6, 0, 0, 0],
            ))
            .cycle("No access.", Self::idle(params))
            .sees("sixths", [0, 0, 0, 0])
    }
}

impl Facts for Blame {}
