//! Functional coverage of `ucp`: when decisions start; who wins a round with how many ways; ties;
//! masks, ratios and counters; quotas that are done.

use cotenant_golden::mgmt::ucp::{winner, In, Params, Ucp as Model, Utility};

use super::Ucp;
use crate::unit::prelude::*;

collector! {
    /// Sorts starts, rounds and quotas.
    pub struct Collector {
        crosses { starts, rounds, ties, inputs, counters, quotas }
        params: Params,
    }
}

/// Where a decision is.
const PROGRESS: [&str; 4] = ["none", "asks", "waits for the last", "complete"];
/// Ways of the winner.
const WAYS: [&str; 3] = ["one of several", "some", "all that are left"];
/// Who else has as much utility as the winner.
const TIES: [&str; 4] = [
    "no one",
    "all, which is none",
    "another application",
    "itself, with more ways",
];
/// What is given of an application at a start.
const INPUTS: [&str; 4] = ["masked", "ratio 1", "ratio above 1", "the highest ratio"];
/// A counter.
const COUNTERS: [&str; 3] = ["0", "more", "the limit"];
/// A quota.
const QUOTAS: [&str; 3] = ["one way", "some", "as many as can be"];

impl Cover for Ucp {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let applications = params.applications;
        let given_out = params.given_out();
        let (cnt_w, xs_w) = (params.cnt_w, params.xs_w);
        Collector {
            params: params.clone(),
            starts: Cross::named("starts")
                .axis("in progress", PROGRESS)
                .flag("start")
                .without("there is no way to give", move |at| {
                    given_out == 0 && (at[0] == 1 || at[0] == 2)
                }),
            rounds: Cross::named("rounds")
                .numbers("winner", applications)
                .axis("ways", WAYS)
                .without("there are too few ways to give", move |at| {
                    given_out < 3 && at[1] == 1 || given_out < 2 && at[1] == 0 || given_out < 1
                }),
            ties: Cross::named("ties")
                .numbers("winner", applications)
                .axis("as much utility as", TIES)
                .without("the lower id wins", move |at| {
                    at[0] + 1 == applications && at[1] == 2
                })
                .without("there are too few ways to give", move |at| {
                    given_out < 2 && at[1] == 3 || given_out < 1
                }),
            inputs: Cross::named("starts with")
                .numbers("application", applications)
                .axis("it is", INPUTS)
                .without("the ratio has one bit", move |at| xs_w == 1 && at[1] > 1),
            counters: Cross::named("counters")
                .numbers("application", applications)
                .axis("hits", COUNTERS)
                .without("a counter has one bit", move |at| cnt_w == 1 && at[1] == 1)
                .without("there is no way to give", move |_| given_out == 0),
            quotas: Cross::named("quotas")
                .numbers("application", applications)
                .axis("quota", QUOTAS)
                .without("there are too few ways to give", move |at| {
                    given_out < 2 && at[1] == 1 || given_out < 1 && at[1] == 2
                }),
        }
    }
}

impl Collector {
    /// The last cycle of a round.
    fn decision(&mut self, model: &Model) {
        let state = model.state();
        let utilities = model.utilities();
        let Some((winner, won)) = winner(utilities.iter().copied()) else {
            return;
        };
        let ways = match won.ways {
            all if all == state.balance => 2,
            1 => 0,
            _ => 1,
        };
        self.rounds.hit((winner, ways));
        let equal = |other: &Utility| !won.exceeds(other);
        let mut others = utilities.iter().skip(winner + 1).flatten();
        // So many ways more of the winner, as it has counted them.
        let hits = state.round.iter().flat_map(|round| &round.hits[winner]);
        let mut sum = 0;
        let mut more = (1..).zip(hits).filter_map(|(ways, &hits)| {
            sum += u128::from(hits);
            let utility = Utility {
                hits: sum,
                ways,
                ..won
            };
            (ways > won.ways).then_some(utility)
        });
        let tie = match () {
            () if won.hits == 0 => 1,
            () if others.any(equal) => 2,
            () if more.any(|utility| equal(&utility)) => 3,
            () => 0,
        };
        self.ties.hit((winner, tie));
    }

    fn start(&mut self, input: &In) {
        for (application, &ratio) in input.xsratio.iter().enumerate() {
            let is = match ratio {
                _ if input.ucp_mask >> application & 1 == 1 => 0,
                1 => 1,
                limit if limit == ones(self.params.xs_w) => 3,
                _ => 2,
            };
            self.inputs.hit((application, is));
        }
    }

    fn complete(&mut self, allocation: &[u64]) {
        let most = self.params.given_out() as u64 + 1;
        for (application, &ways) in allocation.iter().enumerate() {
            let class = match ways {
                1 => 0,
                ways if ways == most => 2,
                _ => 1,
            };
            self.quotas.hit((application, class));
        }
    }
}

impl Collect<Ucp> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let asked = self.params.applications * state.balance as usize;
        let progress = match &state.round {
            None => 0,
            Some(_) if state.balance == 0 => 3,
            Some(round) if round.cycle < asked => 1,
            Some(_) => 2,
        };
        self.starts.hit((progress, input.start));
        if input.start {
            self.start(input);
            return;
        }
        if let Some((application, _)) = model.answered() {
            let count = match input.read_count[application] {
                0 => 0,
                limit if limit == ones(self.params.cnt_w) => 2,
                _ => 1,
            };
            self.counters.hit((application, count));
        }
        if model.decides() {
            self.decision(model);
        }
        if progress == 3 {
            self.complete(&state.allocation);
        }
    }
}
