//! `tap`: what TAP does with what it has found out: the masks and the ratio that UCP and RRIP follow.
//!
//! Source: TAP, section 3.3: "The CSC of core sampling sets the UCP-Mask register when caching is not
//! effective", "we first divide the value of the GPGPU application's hit counters by the value of the
//! XSRATIO register". Section 3.4: "The value of the RRIP-Mask register is set to 1 when 1) core
//! sampling decides caching is not beneficial for the GPGPU application or 2) the value of the XSRATIO
//! register is greater than 1." Section 5.3, TAP-S: "we add a streaming behavior detection mechanism",
//! "the enhanced TAP-UCP will allocate only one way to a streaming CPU application and the enhanced
//! TAP-RRIP will reset the value of the RRIP-Mask register".
//!
//! Timing: a miss at cycle t is counted at t + 1; one in the cycle of `period` belongs to the period
//! that begins. Which applications stream in a period that ends at t is in `streaming` at t + 1. All
//! masks change together, one cycle after `xsratio_done`, and `start` says so.
//!
//! ASSUMPTION: an application streams if it made at least `stream_accesses` accesses in the period, of
//! which at least `stream_rate` of 256 missed. What an application of the GPU does is not asked.
//! ASSUMPTION: all CPU applications stream if there is one that does, and each other one made no access
//! in the period. Then RRIP-Masks are reset, and so are UCP-Masks of the GPU: there is nobody to leave
//! the ways to.
//! ASSUMPTION: where each application would get one way only, none does, since all ways are given out.
//! ASSUMPTION: XSRATIO is that of all applications of the GPU; those of CPUs have 1.
//! ASSUMPTION: masks stay until the next ratio; after a reset there are none, and the ratio is 1.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ByApplication, MAX_APPLICATIONS};
use crate::llc::id_w;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Bits of a miss rate, which is in 256th.
pub const RATE_W: usize = 8;

/// Parameters of [`Tap`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Applications, 2 to [`MAX_APPLICATIONS`].
    #[range(2..=MAX_APPLICATIONS)]
    pub applications: usize,
    /// Bits of the ratio, 2 to 16.
    #[range(2..=16)]
    pub xs_w: usize,
    /// Bits of a counter, 1 to 32.
    #[range(1..=32)]
    pub cnt_w: usize,
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It hits.
    pub access_hit: bool,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// A period ends.
    pub period: bool,
    /// Accesses of each application in the period so far.
    #[port([p.cnt_w; p.applications])]
    pub accesses: ByApplication,
    /// TAP-S: streaming applications are looked for; looked at with `period`, as the next two.
    pub detect: bool,
    /// The fewest accesses of a streaming application in a period.
    #[port(p.cnt_w)]
    pub stream_accesses: u64,
    /// The fewest misses in 256 accesses of a streaming application.
    #[port(RATE_W)]
    pub stream_rate: u64,
    /// The applications that are of the GPU; looked at with `xsratio_done`, as the next two.
    #[port([1; p.applications])]
    pub gpu: u64,
    /// The applications that caching does not help; of those of CPUs it is not looked at.
    #[port([1; p.applications])]
    pub insensitive: u64,
    /// The ratio of the period.
    #[port(p.xs_w)]
    pub xsratio: u64,
    /// It is new in this cycle.
    pub xsratio_done: bool,
}

/// Output ports, all registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The masks and the ratio are new in this cycle.
    pub start: bool,
    /// The applications that get one way only.
    #[port([1; p.applications])]
    pub ucp_mask: u64,
    /// By what the hits of each are divided.
    #[port([p.xs_w; p.applications])]
    pub ratio: ByApplication,
    /// The RRIP-Mask of each application.
    #[port([1; p.applications])]
    pub rrip_mask: u64,
    /// The applications that streamed in the last period.
    #[port([1; p.applications])]
    pub streaming: u64,
}

/// Registers, which reset to 0 but where it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Misses of each application in the period.
    #[register([p.cnt_w; p.applications])]
    pub misses: Vec<u64>,
    /// The applications that streamed in the last period.
    #[register([1; p.applications])]
    pub streaming: u64,
    /// Those that made an access in it.
    #[register([1; p.applications])]
    pub active: u64,
    /// The applications that get one way only.
    #[register([1; p.applications])]
    pub ucp_mask: u64,
    /// The RRIP-Mask of each application.
    #[register([1; p.applications])]
    pub rrip_mask: u64,
    /// The applications whose hits are divided by the ratio.
    #[register([1; p.applications])]
    pub divided: u64,
    /// The ratio. Reset: 1.
    #[register(p.xs_w)]
    pub xsratio: u64,
    /// All these are new.
    pub start: bool,
}

/// The model.
#[derive(Debug, Clone)]
pub struct Tap {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

/// Whether an application streams that has missed so often.
pub fn streams(input: &In, accesses: u64, misses: u64) -> bool {
    let in_256 = (misses << RATE_W).checked_div(accesses);
    accesses >= input.stream_accesses && in_256.is_none_or(|missed| missed >= input.stream_rate)
}

impl Tap {
    /// An application has missed so often in the period, at most as often as can be counted.
    ///
    /// For runs that start close to the limit, which takes a million cycles to reach.
    pub fn preset(&mut self, application: usize, misses: u64) {
        if let Some(counter) = self.state.misses.get_mut(application) {
            *counter = misses.min(limit(self.params.cnt_w));
        }
    }

    /// The applications for which something holds.
    fn those(&self, holds: impl Fn(usize) -> bool) -> u64 {
        let those = (0..self.params.applications).filter(|&application| holds(application));
        those.fold(0, |all, application| all | 1 << application)
    }

    /// Whether all CPU applications stream that did anything in the last period, and at least one.
    pub fn all_stream(&self, gpu: u64) -> bool {
        let cpu = self.those(|application| gpu >> application & 1 == 0);
        let streaming = self.state.streaming & cpu;
        streaming != 0 && self.state.active & cpu & !streaming == 0
    }

    fn decide(&mut self, input: &In) {
        let gpu = input.gpu;
        let useless = if self.all_stream(gpu) {
            0
        } else {
            input.insensitive & gpu
        };
        let exceeds = input.xsratio > 1 && !self.all_stream(gpu);
        let masked = useless | self.state.streaming & !gpu;
        let all = masked == limit(self.params.applications);
        self.state.ucp_mask = if all { 0 } else { masked };
        self.state.rrip_mask = if exceeds { gpu } else { useless };
        self.state.divided = gpu;
        self.state.xsratio = input.xsratio;
    }
}

impl Model for Tap {
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
            misses: vec![0; self.params.applications],
            xsratio: 1,
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let Params { applications, .. } = self.params;
        let state = &self.state;
        let out = Out {
            start: state.start,
            ucp_mask: state.ucp_mask,
            ratio: ByApplication::from_fn(applications, |application| {
                match state.divided >> application & 1 {
                    1 => state.xsratio,
                    _ => 1,
                }
            }),
            rrip_mask: state.rrip_mask,
            streaming: state.streaming,
        };
        if input.reset {
            self.reset();
            return out;
        }
        if input.xsratio_done {
            self.decide(input);
        }
        self.state.start = input.xsratio_done;
        if input.period {
            let accesses = |application: usize| input.accesses[application];
            let misses = |application: usize| self.state.misses[application];
            let streaming = self.those(|i| input.detect && streams(input, accesses(i), misses(i)));
            self.state.active = self.those(|i| accesses(i) > 0);
            self.state.streaming = streaming;
            self.state.misses.fill(0);
        }
        let counter = self.state.misses.get_mut(usize::from(input.access_app));
        if let (Some(counter), true, false) = (counter, input.access_valid, input.access_hit) {
            *counter = limit(self.params.cnt_w).min(*counter + 1);
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let applications = 0..p.applications;
        Rules::new()
            .legal(
                "known_application",
                "An access is by an application that there is.",
                input!(access_valid).implies(input!(access_app).below(p.applications)),
            )
            .legal(
                "some_accesses",
                "Without an access nothing streams.",
                input!(period).implies(input!(stream_accesses).at_least(1usize)),
            )
            .legal(
                "known_ratio",
                "A ratio is at least 1.",
                input!(xsratio_done).implies(input!(xsratio).at_least(1usize)),
            )
            .invariant(
                "known_ratio",
                "A ratio is at least 1.",
                register!(xsratio).at_least(1usize),
            )
            .invariant(
                "some_application",
                "There is an application that may get more than one way.",
                any(applications
                    .clone()
                    .map(|i| register!(ucp_mask[i] as ucp_mask).not())),
            )
            .invariant(
                "streaming_ones_are_active",
                "An application that streams made accesses.",
                each(applications.clone(), |i| {
                    register!(streaming[i] as streaming).implies(register!(active[i]))
                }),
            )
            .invariant(
                "masks_of_the_gpu",
                "Hits of applications with an RRIP-Mask are divided.",
                each(applications, |i| {
                    register!(rrip_mask[i] as rrip_mask).implies(register!(divided[i]))
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Tap {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
