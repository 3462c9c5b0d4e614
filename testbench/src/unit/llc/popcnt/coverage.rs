//! `popcnt`: every count, of bits in one run from the lowest and of others.

use cotenant_golden::llc::popcnt::{In, Params, Popcnt as Model};

use crate::unit::llc::Popcnt;
use crate::verify::coverage::classes::Valid;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts vectors by count and pattern.
#[derive(Debug, Clone)]
pub struct Collector {
    width: usize,
    vectors: Cross,
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
        self.vectors.hit(&[count, usize::from(gaps)]);
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.vectors]
    }
}
