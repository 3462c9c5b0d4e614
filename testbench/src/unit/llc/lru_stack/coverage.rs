//! Functional coverage of `lru_stack`: hit positions and owners, with and without an invalidation
//! and a flush in the same cycle, after each kind of request; invalidations by position.

use cotenant_golden::llc::lru_stack::{In, LruStack as Model, Params};

use super::LruStack;
use crate::unit::prelude::*;

collector! {
    /// Sorts requests.
    pub struct Collector {
        crosses { requests, successions, invalidations, lookups }
        params: Params,
        positions: Positions,
        before: usize,
    }
}

/// Which way is invalidated in an access's cycle.
const INVALIDATE: [&str; 5] = [
    "no",
    "the MRU way",
    "the way hit",
    "another way",
    "an invalid way",
];
/// What was served in the cycle before.
const SERVED: [&str; 5] = ["nothing", "a hit", "a miss", "an invalidation", "a flush"];
/// Who owned the line that is hit or replaced.
const OWNER: [&str; 3] = ["no kernel", "the accessor", "another kernel"];

impl Cover for LruStack {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { ways, kernels } = *params;
        let positions = Positions::new(ways);
        let (mru, miss) = (positions.class(0), positions.class(ways));
        let one_kernel = kernels == 1;
        // Whether the set can be like that, given how many ways may be valid.
        let possible = move |at: [usize; 3], valid: std::ops::RangeInclusive<usize>| {
            let (first, last) = positions.range(at[0]);
            (first..=last).any(|position| {
                valid.clone().any(|valid| {
                    let touched = match position == ways {
                        true => (valid == ways) == (at[1] > 0),
                        false => position < valid,
                    };
                    let invalidated = match at[2] {
                        0 => true,
                        1 => valid > 0,
                        2 => position > 0,
                        3 => valid > 1 + usize::from(position > 0 && position < ways),
                        _ => valid < ways,
                    };
                    touched && invalidated
                })
            })
        };
        let requests = Cross::named("requests")
            .by(positions.axis("position"))
            .axis("line of", OWNER)
            .axis("invalidate", INVALIDATE)
            .flag("flush")
            .without("a hit is on a valid line", move |at| {
                at[0] != miss && at[1] == 0
            })
            .without("a miss hits no way", move |at| at[0] == miss && at[2] == 2)
            .without("the way hit is the MRU way", move |at| {
                at[0] == mru && at[2] == 2
            })
            .without("there is only one kernel", move |at| {
                one_kernel && at[1] == 2
            })
            .without("no number of valid ways allows it", move |at| {
                !possible([at[0], at[1], at[2]], 0..=ways)
            });
        let successions = Cross::named("successions")
            .by(positions.axis("position"))
            .axis("line of", OWNER)
            .axis("served", ["the access", "an invalidation", "a flush"])
            .axis("served before", SERVED)
            .without("a hit is on a valid line", move |at| {
                at[0] != miss && at[1] == 0
            })
            .without("there is only one kernel", move |at| {
                one_kernel && at[1] == 2
            })
            .without("no number of valid ways allows it", move |at| {
                let valid = match at[3] {
                    0 => 0..=ways,
                    1 | 2 => 1..=ways,
                    3 => 0..=ways - 1,
                    _ => 0..=0,
                };
                !possible([at[0], at[1], 0], valid)
            });
        let invalidations = Cross::named("invalidations")
            .by(positions.axis("position"))
            .axis("line", ["invalid", "valid"])
            .flag("access")
            .without("a way has a position", move |at| at[0] == miss);
        let lookups = Cross::named("lookups")
            .by(positions.axis("hit_pos"))
            .flag("access")
            .axis("valid", [Valid::NAMES[0], "some", Valid::NAMES[3]])
            .without("a hit is on a valid line", move |at| {
                let lowest = positions.range(at[0]).0;
                at[1] == 1 && at[0] != miss && (at[2] == 0 || at[2] == 1 && lowest == ways - 1)
            })
            .without("one way is valid or not", move |at| ways == 1 && at[2] == 1);
        Collector {
            params: params.clone(),
            positions,
            requests,
            successions,
            invalidations,
            lookups,
            before: 0,
        }
    }
}

impl Collect<LruStack> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        let ways = self.params.ways;
        let state = model.state();
        let position_of = |way: u8| state.way.iter().position(|&w| w == way).unwrap_or(ways);
        let hit = input.access_valid && input.access_hit;
        let looked_up = match input.access_hit {
            true => position_of(input.access_way),
            false => ways,
        };
        let filled = match state.valid.count_ones() as usize {
            0 => 0,
            count if count == ways => 2,
            _ => 1,
        };
        let access = usize::from(input.access_valid);
        self.lookups
            .hit((self.positions.class(looked_up), access, filled));
        if input.reset {
            self.before = 4;
            return;
        }
        let gone = position_of(input.invalidate_way);
        let gone_valid = state.valid >> gone.min(63) & 1 == 1;
        if input.invalidate_valid && !input.flush {
            let class = self.positions.class(gone);
            self.invalidations.hit((class, gone_valid, access));
        }
        if input.access_valid {
            let touched = looked_up.min(ways - 1);
            let owner = match state.valid >> touched & 1 == 1 {
                false => 0,
                true if state.owner[touched] == input.access_kid => 1,
                true => 2,
            };
            let invalidate = match input.invalidate_valid {
                false => 0,
                true if !gone_valid => 4,
                true if gone == 0 => 1,
                true if hit && gone == looked_up => 2,
                true => 3,
            };
            self.requests.hit((
                self.positions.class(looked_up),
                owner,
                invalidate,
                input.flush,
            ));
            let served = match () {
                () if input.flush => 2,
                () if input.invalidate_valid => 1,
                () => 0,
            };
            let class = self.positions.class(looked_up);
            self.successions.hit((class, owner, served, self.before));
        }
        self.before = match () {
            () if input.flush => 4,
            () if input.invalidate_valid => 3,
            () if hit => 1,
            () if input.access_valid => 2,
            () => 0,
        };
    }

    fn restart(&mut self, _: &Params) {
        self.before = 4;
    }
}
