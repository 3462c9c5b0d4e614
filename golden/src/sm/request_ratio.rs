//! `request_ratio`: memory requests per memory instruction of one kernel, in [`qbmi`](super::qbmi).
//!
//! Source: the paper, section 3.2: "Req/Minst of a kernel is updated every 1024 memory requests
//! issued by it"; section 4.4: one 10-bit instruction counter more than a
//! [`milg`](super::milg) has.
//!
//! At the end of every interval of 2^`interval_w` requests of the kernel that came from *n*
//! instructions, the ratio becomes 2^`interval_w` / *n*, rounded to the nearest, at least 1 and at
//! most [`Params::ratio_max`].
//!
//! Timing: the request that ends an interval comes at cycle t; the ratio shows at
//! t + `ratio_max`, and `updated` is high in the cycle before.
//!
//! ASSUMPTION: rounding is to the nearest (there are no ties), and the ratio is at most 32, the
//! threads of a warp. It is 1 until the first interval ends.
//! ASSUMPTION: an instruction is counted with its first request, so that an interval has at most
//! 2^`interval_w` of them, one bit more than the counter has: that is read with its carry.
//! ASSUMPTION: an interval without a first request is all of one instruction: its ratio is the
//! largest. A warp makes at most 32 requests, so that only intervals of fewer are so.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{MAX_REQUESTS, MAX_W};
use crate::llc::clog2;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`RequestRatio`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// An interval has 2^`interval_w` requests; 1 to 32.
    #[range(1..=MAX_W)]
    pub interval_w: usize,
}

impl Params {
    /// The largest ratio: 32, but no more than an interval has requests.
    pub fn ratio_max(&self) -> u64 {
        MAX_REQUESTS.min(1 << self.interval_w)
    }

    /// Width of a ratio.
    pub fn ratio_w(&self) -> usize {
        clog2(self.ratio_max() as usize + 1)
    }
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// Restarts: ratio 1, nothing counted; a request of this cycle is not counted either.
    pub clear: bool,
    /// A request of the kernel is accepted.
    pub request: bool,
    /// The request is the first of its instruction.
    pub first: bool,
}

/// Output ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Requests per instruction, registered; `ratio_w` bits.
    #[port(p.ratio_w())]
    pub ratio: u64,
    /// A new ratio shows in the next cycle.
    pub updated: bool,
}

/// Registers; reset to 0 but where it says otherwise. Those of the division's steps are not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Requests in this interval; `interval_w` bits.
    #[register(p.interval_w)]
    pub requests: u64,
    /// Instructions in this interval, modulo 2^`interval_w`.
    #[register(p.interval_w)]
    pub instructions: u64,
    /// Cycles until the ratio of the interval before is loaded; 0 when none is under way.
    #[register(clog2(p.ratio_max() as usize))]
    pub left: u64,
    /// Requests per instruction in the newest interval that is done. Reset: 1.
    #[register(p.ratio_w())]
    pub ratio: u64,
}

/// The model.
#[derive(Debug, Clone)]
pub struct RequestRatio {
    params: Params,
    state: State,
    // The ratio that shows when `left` has run out.
    next: u64,
    rules: Arc<Rules<In, State>>,
}

impl RequestRatio {
    /// The interval ends, its requests having come from `instructions`.
    fn close(&mut self, instructions: u64) {
        let interval = 1u64 << self.params.interval_w;
        let max = self.params.ratio_max();
        self.next = match instructions {
            0 => max,
            // Exact: both are integers of few bits.
            some => ((interval as f64 / some as f64).round() as u64).clamp(1, max),
        };
        (self.state.requests, self.state.instructions) = (0, 0);
        self.state.left = max - 1;
    }
}

impl Model for RequestRatio {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State::default(),
            next: 1,
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.state = State {
            ratio: 1,
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let fresh = input.reset || input.clear;
        let state = &mut self.state;
        let out = Out {
            ratio: state.ratio,
            updated: state.left == 1 && !fresh,
        };
        if fresh {
            self.reset();
            return out;
        }
        if state.left > 0 {
            state.left -= 1;
            if state.left == 0 {
                state.ratio = self.next;
            }
        }
        if input.request {
            let instructions = state.instructions + u64::from(input.first);
            if state.requests == limit(self.params.interval_w) {
                self.close(instructions);
            } else {
                state.requests += 1;
                state.instructions = instructions;
            }
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(_: &Params) -> Rules<In, State> {
        Rules::new()
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for RequestRatio {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
