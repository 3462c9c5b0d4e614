//! Functional coverage of `milg`: permission to issue; intervals by failures per request and peak,
//! and the events at their end; events during a division; releases; saturated failure counters.

use cotenant_golden::sm::milg::{In, Milg as Model, Params, Release, State};

use super::{bits_left, Milg};
use crate::unit::prelude::*;
use crate::unit::sm::shared::{gate, gates};

collector! {
    /// Sorts issues, intervals, divisions and failures.
    pub struct Collector {
        crosses { gates, intervals, ends, divisions, releases, failures }
        params: Params,
    }
}

/// Failures per request.
const RATIO: [&str; 4] = ["0", "1", "more", "saturated"];
/// A peak, or what it is divided by.
const PEAK: [&str; 4] = ["0", "1", "more", "the maximum"];
/// What happens in a division.
const EVENT: [&str; 4] = ["nothing", "a request", "a failure", "a launch"];
/// Where a division is.
const STEP: [&str; 4] = ["may begin", "first", "in the middle", "last"];
/// A limit as it is released.
const LIMIT: [&str; 4] = ["below half", "half or more", "the highest", "none"];
/// How many failures are counted.
const COUNTED: [&str; 3] = ["some", "one below the maximum", "the maximum"];

impl Cover for Milg {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            count_w,
            fail_w,
            interval_w,
            ..
        } = *params;
        let one_bit = fail_w - interval_w == 1;
        let by_one = by_one(params);
        Collector {
            params: params.clone(),
            gates: gates("issue"),
            intervals: Cross::named("intervals")
                .axis("failures per request", RATIO)
                .axis("peak", PEAK)
                .without("the divisor is one bit", move |at| one_bit && at[0] == 2)
                .without("the count is one bit", move |at| {
                    count_w == 1 && (at[1] == 1 || at[1] == 2)
                }),
            ends: Cross::new("ends", ["launch", "issue", "complete"].map(Axis::flag)),
            divisions: Cross::named("divisions")
                .axis("step", STEP)
                .axis("beside", EVENT)
                .without("there are too few steps", move |at| {
                    count_w < 3 && at[0] == 2 || count_w < 2 && at[0] == 1
                }),
            releases: Cross::new("releases", [Axis::new("limit", LIMIT)])
                .without("half of a one-bit range is no limit", move |at| {
                    count_w == 1 && (at[0] == 0 || by_one && at[0] == 1)
                })
                .without(
                    "doubled or not, the highest is one of the upper half",
                    move |at| !by_one && at[0] == 2,
                ),
            failures: Cross::named("failures")
                .axis("counted", COUNTED)
                .flag("another"),
        }
    }
}

/// Whether the highest limit is released as no other one is.
fn by_one(params: &Params) -> bool {
    params.release == Release::PlusOne
}

/// The class of a number up to `most`.
fn class(number: u64, most: u64) -> usize {
    match number {
        0 => 0,
        _ if number == most => 3,
        1 => 1,
        _ => 2,
    }
}

impl Collector {
    fn end(&mut self, state: &State, input: &In, high: u64) {
        let Params {
            count_w,
            fail_w,
            interval_w,
            ..
        } = self.params;
        let flags = [input.launch, input.issue, input.complete];
        self.ends.hit(flags.map(usize::from));
        if input.launch {
            return;
        }
        let peak = class(high, ones(count_w));
        let ratio = match state.failures >> interval_w {
            _ if state.failures == ones(fail_w) => 3,
            0 => 0,
            1 => 1,
            _ => 2,
        };
        self.intervals.hit((ratio, peak));
        if ratio == 0 {
            let limit = match state.limit {
                _ if state.unlimited => 3,
                limit if by_one(&self.params) && limit == ones(count_w) => 2,
                limit => usize::from(2 * limit > ones(count_w)),
            };
            self.releases.hit(limit);
        }
    }
}

impl Collect<Milg> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let State {
            in_flight, limit, ..
        } = *state;
        let at = gate(
            in_flight,
            limit,
            state.unlimited,
            input.issue,
            input.complete,
        );
        self.gates.hit(at);
        let next = in_flight + u64::from(input.issue) - u64::from(input.complete);
        if input.request && state.requests == ones(self.params.interval_w) {
            self.end(state, input, state.peak.max(next));
        }
        if let Some(ended) = state.ended {
            let step = match bits_left(&self.params, ended) {
                0 => 0,
                1 => 3,
                left if left == self.params.count_w as u64 => 1,
                _ => 2,
            };
            let event = match input {
                In { launch: true, .. } => 3,
                In { fail: true, .. } => 2,
                In { request: true, .. } => 1,
                _ => 0,
            };
            self.divisions.hit((step, event));
        }
        if !input.launch && !input.request {
            let most = ones(self.params.fail_w);
            let counted = match most - state.failures {
                0 => 2,
                1 => 1,
                _ => 0,
            };
            self.failures.hit((counted, input.fail));
        }
    }
}
