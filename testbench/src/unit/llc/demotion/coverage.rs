//! `demotion`: every position and the miss, in sets of every kind.

use cotenant_golden::llc::demotion::{Demotion as Model, In, Params};

use crate::unit::llc::Demotion;
use crate::verify::coverage::classes::{Positions, Valid};
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts accesses.
#[derive(Debug, Clone)]
pub struct Collector {
    ways: usize,
    positions: Positions,
    accesses: Cross,
}

impl Cover for Demotion {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let ways = params.ways;
        let positions = Positions::new(ways);
        let axes = [
            positions.axis("position"),
            Axis::new("valid", Valid::NAMES),
            Axis::new("access", ["no", "yes"]),
        ];
        let accesses = Cross::new("accesses", axes)
            .without("a hit is on a valid line", |at| {
                at[2] == 1 && !possible(positions, at[0], at[1], ways)
            })
            .without("a set of one way has no such pattern", |at| {
                ways == 1 && (at[1] == Valid::Upper as usize || at[1] == Valid::Holes as usize)
            });
        Collector {
            ways,
            positions,
            accesses,
        }
    }
}

/// Whether any position of a class can be accessed in a set of this kind.
pub(in crate::unit) fn possible(
    positions: Positions,
    class: usize,
    valid: usize,
    ways: usize,
) -> bool {
    let (first, last) = positions.range(class);
    (first..=last).any(|position| Valid::EACH[valid].demoted(position, ways).is_some())
}

impl Collect<Demotion> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let position = self.positions.class(input.access_pos.into());
        let valid = Valid::of(input.stack_valid, self.ways) as usize;
        self.accesses
            .hit(&[position, valid, usize::from(input.access_valid)]);
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.accesses]
    }
}
