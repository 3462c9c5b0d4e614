//! `pivot` under test.
//!
//! Stimulus: lines above the one accessed that come near the ways, of few kernels or of many, that
//! nearly fill the ways of most kernels, or anything. Functional coverage: who is charged beside
//! which victim, and after how many others it joins; equal keys; own misses, hits and first uses.
//! Example waveform: one game again and again, in which now the one and now the other completes the
//! ways.

use cotenant_golden::llc::pivot::{
    keys, kind, order, pivot, In, Kind, Params, Pivot as Model, SEED,
};

use crate::unit::prelude::*;

/// The unit [`pivot`](cotenant_golden::llc::pivot).
#[derive(Debug, Clone, Copy)]
pub struct Pivot;

impl Interface for Pivot {
    const NAME: &'static str = "pivot";
    const SUMMARY: &'static str = "charges a whole miss to one of the kernels that have caused it";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There is an access.
    pub valid: bool,
    /// The accessing kernel, modulo the number of kernels; in a bubble any code.
    pub kid: u8,
    /// It uses the line again.
    pub again: bool,
    /// Lines of each kernel, modulo the ways and one more; missing ones are 0.
    pub above: Vec<u8>,
}

/// Lines of some kernels that come to about the ways, all together.
fn near(ways: usize, above: &mut [u8], random: &mut Random) {
    let kernels = above.len();
    let players = 1 + random.below(kernels);
    for lines in above.iter_mut() {
        *lines = match random.below(kernels) < players {
            true => (ways / players + random.below(3))
                .saturating_sub(1)
                .min(ways) as u8,
            false => 0,
        };
    }
}

/// Many lines of most kernels, for sums that need all their bits.
fn full(ways: usize, above: &mut [u8], random: &mut Random) {
    for lines in above.iter_mut() {
        *lines = match random.below(4) {
            0 => random.below(ways + 1),
            _ => ways - random.below(2),
        } as u8;
    }
}

impl Drive for Pivot {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Hits,
        Profile::Misses,
        Profile::Idle,
        Profile::Storms,
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
        input.reset = transaction.reset;
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
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
        transaction.again = random.below(8) > 0;
        transaction.above.resize(kernels, 0);
        match random.below(4) {
            0 => {
                let any = |lines: &mut u8| *lines = random.below(ways + 1) as u8;
                transaction.above.iter_mut().for_each(any);
            }
            1 => full(ways, &mut transaction.above, random),
            _ => near(ways, &mut transaction.above, random),
        }
        // A victim that has used nothing since leaves the ways to its co-runners; one that has
        // used as many lines as there are ways misses whatever they did.
        let victim = &mut transaction.above[usize::from(transaction.kid) % kernels];
        match random.below(8) {
            0..=3 => *victim = random.below(2) as u8,
            4 => *victim = (ways - random.below(2)) as u8,
            _ => {}
        }
    }
}

collector! {
    /// Sorts accesses.
    pub struct Collector {
        crosses { accesses, charges, places, equals }
        kernels: usize,
        ways: u8,
    }
}

/// What an access is.
const KINDS: [&str; 4] = ["first use", "own miss", "contention miss", "hit"];

impl Cover for Pivot {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { ways, kernels } = *params;
        Collector {
            kernels,
            ways: ways as u8,
            accesses: Cross::named("accesses")
                .axis("access", KINDS)
                .numbers("victim", kernels),
            charges: Cross::named("charges")
                .numbers("victim", kernels)
                .numbers("charged", kernels)
                .without("it is a contention miss", |at| at[0] == at[1]),
            places: Cross::named("places").numbers("co-runners before", kernels - 1),
            equals: Cross::named("equal keys of co-runners")
                .axis("joins first", ["the lower KID", "the higher KID"])
                .without("there is one co-runner", move |_| kernels == 2),
        }
    }
}

impl Collect<Pivot> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if !input.access_valid {
            return;
        }
        let victim = usize::from(input.access_kid);
        let is = match kind(self.ways.into(), victim, input.access_again, &input.above) {
            Kind::Own => usize::from(input.access_again),
            Kind::Contention => 2,
            Kind::Hit => 3,
        };
        self.accesses.hit((is, victim));
        if is != 2 {
            return;
        }
        let lfsr = model.state().lfsr;
        let order = order(&mut lfsr.clone(), self.kernels);
        if let Some((charged, place)) = pivot(self.ways.into(), victim, &input.above, &order) {
            self.charges.hit((victim, charged));
            self.places.hit(place);
        }
        let keys = keys(&mut lfsr.clone(), self.kernels);
        let co_runners: Vec<usize> = order.into_iter().filter(|&k| k != victim).collect();
        for pair in co_runners.windows(2) {
            if keys[pair[0]].0 == keys[pair[1]].0 {
                self.equals.hit(usize::from(pair[0] > pair[1]));
            }
        }
    }
}

impl Teach for Pivot {
    const SETS: &'static [&'static str] = &["4x4"];

    fn scene(params: &Params) -> Scene<Self> {
        let access = |caption, access_again, above: [u8; 4], charged: u64| {
            let input = In {
                access_valid: true,
                access_again,
                above: above.into(),
                ..Self::idle(params)
            };
            Step::new(caption, input).sees("charged", charged)
        };
        let reset = In {
            reset: true,
            ..Self::idle(params)
        };
        Scene::new("one miss after the other, and who is charged")
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
                "kind of access, and who is charged, K0 lowest",
                "miss, contention, charged binary, charged_kid kernel when miss, lfsr hex",
            )
            .cycle("Reset: the shift register holds its first value.", reset)
            .then("lfsr", u64::from(SEED))
            .step(access(
                "K0 uses a line for the first time: its own miss. No order is drawn.",
                false,
                [0, 0, 0, 0],
                0b0001,
            ))
            .step(access(
                "It has used one line since, K1 two: three of four ways, a hit.",
                true,
                [1, 2, 0, 0],
                0,
            ))
            .step(access(
                "K1 and K2 complete the ways together. The order is K1 K3 K2: K2 does.",
                true,
                [1, 2, 1, 0],
                0b0100,
            ))
            .step(access(
                "The same once more. The order is K2 K1 K3: K1 does.",
                true,
                [1, 2, 1, 0],
                0b0010,
            ))
            .step(access(
                "Each of three is enough. The order is K3 K2 K1: K3 is the first.",
                true,
                [3, 1, 1, 1],
                0b1000,
            ))
            .step(access(
                "All are needed. The order is K2 K3 K1: K1 is the last.",
                true,
                [1, 1, 1, 1],
                0b0010,
            ))
            .step(access(
                "K0 has used four others itself: its own miss, whatever the others did.",
                true,
                [4, 4, 4, 4],
                0b0001,
            ))
            .cycle("No access.", Self::idle(params))
            .sees("charged", 0)
    }
}

impl Facts for Pivot {}
