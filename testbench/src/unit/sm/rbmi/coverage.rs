//! `rbmi`: every winner after every other, and how many kernels are passed over.

use cotenant_golden::sm::rbmi::{In, Params, Rbmi as Model};
use cotenant_golden::Model as _;

use crate::unit::sm::coverage::FLAG;
use crate::unit::sm::Rbmi;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts grants.
#[derive(Debug, Clone)]
pub struct Collector {
    kernels: usize,
    grants: Cross,
    candidates: Cross,
}

/// How many kernels are ready.
const READY: [&str; 4] = ["none", "one", "several", "all"];

impl Cover for Rbmi {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        Collector {
            kernels,
            grants: Cross::new(
                "grants",
                [
                    Axis::numbers("last", kernels),
                    Axis::numbers("winner", kernels),
                ],
            ),
            candidates: Cross::new(
                "candidates",
                [Axis::new("ready", READY), Axis::new("accept", FLAG)],
            )
            .without("there are so few kernels", move |at| {
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
        self.candidates.hit(&[count, usize::from(input.accept)]);
        if input.accept && count > 0 {
            let last = usize::from(model.state().last);
            let after = (1..=self.kernels).map(|step| (last + step) % self.kernels);
            let winner = after
                .into_iter()
                .find(|&kernel| input.ready >> kernel & 1 == 1);
            self.grants.hit(&[last, winner.unwrap_or(last)]);
        }
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.grants, &self.candidates]
    }
}
