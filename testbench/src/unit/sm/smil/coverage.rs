//! `smil`: the gate; limits that are set, against what is in flight.

use cotenant_golden::sm::smil::{In, Params, Smil as Model};
use cotenant_golden::Model as _;

use crate::unit::sm::coverage::{gate, gates, ones};
use crate::unit::sm::Smil;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts issues and new limits.
#[derive(Debug, Clone)]
pub struct Collector {
    params: Params,
    gates: Cross,
    sets: Cross,
}

/// A new limit.
const LIMIT: [&str; 4] = ["1", "more", "the highest", "none"];
/// A new limit against the instructions in flight.
const AGAINST: [&str; 3] = ["below", "equal", "above"];

impl Cover for Smil {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { count_w, limit_w } = *params;
        Collector {
            params: params.clone(),
            gates: gates("gates"),
            sets: Cross::new(
                "sets",
                [Axis::new("limit", LIMIT), Axis::new("in flight", AGAINST)],
            )
            .without("no more can be in flight", move |at| {
                at[1] == 2 && (at[0] == 3 || at[0] == 2 && limit_w == count_w)
            })
            .without("the limit is one bit", move |at| limit_w == 1 && at[0] < 2),
        }
    }
}

impl Collect<Smil> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let at = gate(
            state.in_flight,
            state.limit,
            state.unlimited,
            input.issue,
            input.complete,
        );
        self.gates.hit(&at);
        if input.set_valid {
            let (class, limit) = match (input.set_unlimited, input.set_limit) {
                (true, _) => (3, ones(self.params.count_w)),
                (false, limit) if limit == ones(self.params.limit_w) => (2, limit),
                (false, 1) => (0, 1),
                (false, limit) => (1, limit),
            };
            let against = match state.in_flight.cmp(&limit) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            self.sets.hit(&[class, against]);
        }
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.gates, &self.sets]
    }
}
