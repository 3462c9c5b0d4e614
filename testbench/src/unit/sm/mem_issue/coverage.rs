//! `mem_issue`: what becomes of each kernel's wish to issue; its limit; its requests; ends of its
//! intervals; what is in flight as it starts and ends; instructions that complete together.

use cotenant_golden::sm::mem_issue::{In, Limiter, MemIssue as Model, Params, State};
use cotenant_golden::Model as _;

use crate::unit::sm::coverage::{ones, Gate, FLAG};
use crate::unit::sm::MemIssue;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts grants, limits, requests, intervals and kernels.
#[derive(Debug, Clone)]
pub struct Collector {
    params: Params,
    wishes: Cross,
    gates: Cross,
    requests: Cross,
    intervals: Cross,
    lives: Cross,
    completions: Cross,
}

/// What becomes of a wish to issue.
const WISH: [&str; 6] = [
    "none",
    "not active",
    "at its limit",
    "the LSU is full",
    "another's turn",
    "granted",
];
/// What a request is.
const REQUEST: [&str; 3] = ["refused", "first", "another"];
/// Failures a request.
const RATIO: [&str; 3] = ["0", "1", "more"];
/// What happens to a kernel.
const LIFE: [&str; 2] = ["starts", "ends"];
/// Kernels of which an instruction completes.
const COMPLETE: [&str; 3] = ["no kernel", "one kernel", "several kernels"];

/// A limiter's registers: in flight, limit, and whether there is one.
fn limiter(state: &State, kernel: usize) -> (u64, u64, bool) {
    match (state.milg.get(kernel), state.smil.get(kernel)) {
        (Some(milg), _) => (milg.in_flight, milg.limit, !milg.unlimited),
        (_, Some(smil)) => (smil.in_flight, smil.limit, !smil.unlimited),
        _ => (0, 0, false),
    }
}

impl Cover for MemIssue {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        let (one, smil) = (kernels == 1, params.limiter == Limiter::Smil);
        let one_bit = params.fail_w == params.interval_w + 1;
        let each = || Axis::numbers("kernel", kernels);
        Collector {
            params: params.clone(),
            wishes: Cross::new("wishes", [each(), Axis::new("wish", WISH)])
                .without("there is one kernel", move |at| one && at[1] == 4),
            gates: Cross::new(
                "gates",
                [
                    each(),
                    Axis::new("in flight", Gate::NAMES),
                    Axis::new("limited", FLAG),
                ],
            )
            .without("without a limit there are as many as can be", |at| {
                at[1] == Gate::AboveLimit as usize && at[2] == 0
            }),
            requests: Cross::new("requests", [each(), Axis::new("request", REQUEST)]),
            intervals: Cross::new(
                "intervals",
                [each(), Axis::new("failures a request", RATIO)],
            )
            .without("the limit is set", move |_| smil)
            .without("the divisor is one bit", move |at| one_bit && at[1] == 2),
            lives: Cross::new(
                "lives",
                [
                    each(),
                    Axis::new("kernel", LIFE),
                    Axis::new("in flight", FLAG),
                ],
            ),
            completions: Cross::new("completions", [Axis::new("of", COMPLETE)])
                .without("there is one kernel", move |at| one && at[0] == 2),
        }
    }
}

impl Collector {
    fn wish(&mut self, state: &State, input: &In, granted: Option<u8>) {
        for kernel in 0..self.params.kernels {
            let bit = |mask: u64| mask >> kernel & 1 == 1;
            let (in_flight, limit, limited) = limiter(state, kernel);
            let wish = match input.lsu_ready {
                _ if !bit(input.want) => 0,
                _ if !bit(state.active) => 1,
                _ if in_flight >= limit => 2,
                false => 3,
                true if granted == Some(kernel as u8) => 5,
                true => 4,
            };
            self.wishes.hit(&[kernel, wish]);
            let gate = Gate::of(in_flight, limit) as usize;
            self.gates.hit(&[kernel, gate, usize::from(limited)]);
            for (kind, mask) in [input.launch, input.exit].into_iter().enumerate() {
                if bit(mask) {
                    self.lives.hit(&[kernel, kind, usize::from(in_flight > 0)]);
                }
            }
        }
    }

    fn request(&mut self, state: &State, input: &In) {
        let kernel = usize::from(input.lsu_kid);
        let class = match (input.fail_valid, input.request_first) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        self.requests.hit(&[kernel, class]);
        let Some(milg) = state.milg.get(kernel) else {
            return;
        };
        let ends = input.request_valid && milg.requests == ones(self.params.interval_w);
        if ends && input.launch >> kernel & 1 == 0 {
            let ratio = milg.failures >> self.params.interval_w;
            self.intervals.hit(&[kernel, ratio.min(2) as usize]);
        }
    }
}

impl Collect<MemIssue> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        self.wish(state, input, model.grant(input));
        if input.request_valid || input.fail_valid {
            self.request(state, input);
        }
        let complete = input.complete.count_ones() as usize;
        self.completions.hit(&[complete.min(2)]);
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![
            &self.wishes,
            &self.gates,
            &self.requests,
            &self.intervals,
            &self.lives,
            &self.completions,
        ]
    }
}
