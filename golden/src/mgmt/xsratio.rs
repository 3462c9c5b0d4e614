//! `xsratio`: how much more often a GPGPU application accesses the last-level cache than CPU
//! applications do.
//!
//! Source: TAP, section 3.2: "we detect access rate differences by collecting the number of cache
//! accesses from each application. Periodically, we calculate the access ratio between applications.
//! If the ratio exceeds the threshold, T_xs, this ratio value is stored in a 10-bit register, called
//! XSRATIO. When the ratio is lower than T_xs, the value of XSRATIO will be set to 1." T_xs is 10,
//! "which means a GPGPU application has 10 times more accesses than the CPU application that has the
//! highest cache access rate".
//!
//! Timing: an access at cycle t is counted at t + 1; one in the cycle of `period` belongs to the
//! period that begins. The ratio of a period that ends at t is there at t + [`Params::latency`],
//! shown by `done`; `busy` until then.
//!
//! ASSUMPTION: the ratio is compared with the threshold, and then truncated: of 10.5 times as many
//! accesses it is 10.
//! ASSUMPTION: it stops at the largest number that the register holds. Without an access of a CPU
//! application it is that, without any access at all 1.
//! ASSUMPTION: which applications are of the GPU is an input, taken over as a period ends, since
//! software gives numbers to applications, and there may be several of the GPU (section 3.1.4). Of
//! several that with most accesses counts, as of those of CPUs. After a reset none is of the GPU.
//! ASSUMPTION: counters stop at their limit.
//! ASSUMPTION: a period that ends before the ratio of the last one is there drops that ratio.
//! ASSUMPTION: there is one access per cycle at most (table 4: "NoC: at most 1 req/cycle").

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ByApplication, MAX_APPLICATIONS};
use crate::llc::{id_w, pos_w};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Xsratio`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Applications, 2 to [`MAX_APPLICATIONS`].
    #[range(2..=MAX_APPLICATIONS)]
    pub applications: usize,
    /// Bits of the ratio, 2 to 16.
    #[range(2..=16)]
    pub xs_w: usize,
    /// Bits of a counter, from `xs_w` to 32.
    #[range(p.xs_w..=32)]
    pub cnt_w: usize,
    /// T_xs, the largest ratio that is none; below the largest one.
    #[range(1..=limit(p.xs_w) as usize - 1)]
    pub t_xs: usize,
}

impl Params {
    /// Cycles from the end of a period to its ratio: one for each bit of a counter, and one.
    pub fn latency(&self) -> usize {
        self.cnt_w + 1
    }

    /// What the register holds of so many accesses of the GPU and of a CPU.
    pub fn ratio(&self, gpu: u64, cpu: u64) -> u64 {
        let largest = limit(self.xs_w);
        match (gpu, cpu) {
            (0, 0) => 1,
            (_, 0) => largest,
            _ if gpu > self.t_xs as u64 * cpu => largest.min(gpu / cpu),
            _ => 1,
        }
    }
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// A period ends.
    pub period: bool,
    /// The applications that are of the GPU from now on; looked at with `period`.
    #[port([1; p.applications])]
    pub gpu: u64,
}

/// Output ports, all registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// A ratio is being computed.
    pub busy: bool,
    /// It is new in this cycle.
    pub done: bool,
    /// The newest ratio.
    #[port(p.xs_w)]
    pub xsratio: u64,
    /// Accesses of each application in the period so far.
    #[port([p.cnt_w; p.applications])]
    pub accesses: ByApplication,
}

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Accesses of each application in the period. Reset: 0.
    #[register([p.cnt_w; p.applications])]
    pub accesses: Vec<u64>,
    /// The applications that are of the GPU in this period. Reset: none.
    #[register([1; p.applications])]
    pub gpu: u64,
    /// Cycles in which the ratio is still being computed; 0 if none is. Reset: 0.
    #[register(pos_w(p.cnt_w))]
    pub left: u64,
    /// The newest ratio. Reset: 1.
    #[register(p.xs_w)]
    pub xsratio: u64,
    /// It is new. Reset: 0.
    pub done: bool,
    /// The accesses whose ratio is being computed: of the GPU and of a CPU.
    #[register(skip)]
    pub dividing: [u64; 2],
}

impl State {
    /// The most accesses of an application of the GPU in the period, and of one of a CPU.
    pub fn most(&self) -> [u64; 2] {
        [1, 0].map(|of_gpu| {
            let Self { accesses, gpu, .. } = self;
            let all = accesses.iter().enumerate();
            let those = all.filter(|(application, _)| gpu >> application & 1 == of_gpu);
            those.map(|(_, &accesses)| accesses).max().unwrap_or(0)
        })
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Xsratio {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Xsratio {
    /// An application has made so many accesses in the period, at most as many as can be counted, and
    /// is of the GPU or not.
    ///
    /// For runs that start close to the limit, which takes a million cycles to reach.
    pub fn preset(&mut self, application: usize, accesses: u64, gpu: bool) {
        if let Some(counter) = self.state.accesses.get_mut(application) {
            *counter = accesses.min(limit(self.params.cnt_w));
            self.state.gpu &= !(1 << application);
            self.state.gpu |= u64::from(gpu) << application;
        }
    }

    /// The newest ratio is this, or 1 if that is below the threshold.
    pub fn preset_ratio(&mut self, ratio: u64) {
        // With one access more of many it is above the threshold.
        self.state.xsratio = self.params.ratio((ratio << 16) + 1, 1 << 16);
    }
}

impl Model for Xsratio {
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
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.state = State {
            accesses: vec![0; self.params.applications],
            xsratio: 1,
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let out = Out {
            busy: self.state.left > 0,
            done: self.state.done,
            xsratio: self.state.xsratio,
            accesses: ByApplication::copied(&self.state.accesses),
        };
        if input.reset {
            self.reset();
            return out;
        }
        let most = self.state.most();
        let state = &mut self.state;
        state.done = false;
        if input.period {
            state.dividing = most;
            state.left = self.params.latency() as u64 - 1;
            state.accesses.fill(0);
            state.gpu = input.gpu;
        } else if state.left > 0 {
            state.left -= 1;
            if state.left == 0 {
                let [gpu, cpu] = state.dividing;
                state.xsratio = self.params.ratio(gpu, cpu);
                state.done = true;
            }
        }
        let counter = state.accesses.get_mut(usize::from(input.access_app));
        if let (Some(counter), true) = (counter, input.access_valid) {
            *counter = limit(self.params.cnt_w).min(*counter + 1);
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_application",
                "An access is by an application that there is.",
                input!(access_valid).implies(input!(access_app).below(p.applications)),
            )
            .invariant(
                "known_ratio",
                "The ratio is 1, or not below the threshold: above it, and truncated.",
                any([
                    register!(xsratio as xsratio).is(1usize),
                    register!(xsratio as xsratio).at_least(p.t_xs),
                ]),
            )
            .invariant(
                "steps_left",
                "There are no more cycles left than a division takes.",
                register!(left).at_most(p.cnt_w),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Xsratio {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
