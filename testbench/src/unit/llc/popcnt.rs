//! `popcnt` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: vectors as a `gdcu` sees them, and others.
//!
//! Functional coverage: every count, of bits in one run from the lowest and of others.
//!
//! Example waveform: the lines of one kernel that an access demotes, at figure 2's size.

use cotenant_golden::llc::popcnt::{In, Params, Popcnt as Model};

use crate::unit::prelude::*;

/// The unit [`popcnt`](cotenant_golden::llc::popcnt).
#[derive(Debug, Clone, Copy)]
pub struct Popcnt;

impl Interface for Popcnt {
    const NAME: &'static str = "popcnt";
    const SUMMARY: &'static str = "counts the set bits of a vector";
    const PLACE: Place = Place::Part;
    type Model = Model;

    from_golden!();
}

/// A vector.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// The bits to count; those beyond the width are dropped.
    pub data: u64,
}

impl Drive for Popcnt {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] =
        &[Profile::Uniform, Profile::InvalidWays, Profile::Saturation];

    fn world(_: &Params) {}

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        input.data = transaction.data & ones(params.width);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.data = knobs.valid(params.width, random);
        if knobs.fill == Fill::Full {
            // All bits set is one vector; all but a few are many.
            transaction.data &= random.bits() | random.bits() | random.bits();
        }
    }
}

collector! {
    /// Sorts vectors by count and pattern.
    pub struct Collector {
        crosses { vectors }
        width: usize,
    }
}

impl Cover for Popcnt {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let width = params.width;
        let axes = [
            Axis::numbers("count", width + 1),
            Axis::new("pattern", ["from the lowest bit", "with gaps"]),
        ];
        Collector {
            width,
            vectors: Cross::new("vectors", axes)
                .without("no bit and all bits leave no gap", |at| {
                    at[1] == 1 && (at[0] == 0 || at[0] == width)
                }),
        }
    }
}

impl Collect<Popcnt> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let gaps = Valid::of(input.data, self.width) == Valid::Holes;
        let count = input.data.count_ones() as usize;
        self.vectors.hit((count, gaps));
    }
}

impl Teach for Popcnt {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let counts =
            |caption, data, count: u64| Step::new(caption, In { data }).sees("count", count);
        Scene::new("number of one kernel's lines that an access demotes")
            .rows("one bit per position, MRU lowest", "data binary")
            .rows("number of set bits", "count")
            .step(counts("None of the kernel's lines is demoted.", 0b0000, 0))
            .step(counts(
                "The lines in positions 0 and 2 are the kernel's and demoted: two demotions.",
                0b0101,
                2,
            ))
            .step(counts("Three lines, two of them adjacent.", 0b1011, 3))
            .step(counts(
                "A miss in a set that the kernel owns completely: as many demotions as ways.",
                0b1111,
                4,
            ))
    }
}

impl Facts for Popcnt {}
