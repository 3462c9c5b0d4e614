//! `smil`: limits a kernel's memory instructions in flight to a number in a register.
//!
//! Source: the paper, section 3.3.1 (SMIL), which tries 1 to 24 and no limit: 5 bits.
//!
//! Timing: a limit written at cycle t is in force from t + 1. A limit below the count in flight
//! lets nothing issue until enough instructions have completed.
//!
//! ASSUMPTION: counting, enforcement and "no limit" are as in [`milg`](super::milg). There is no
//! limit after reset.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MAX_W;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

pub use super::milg::Out;

/// Parameters of [`Smil`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Width of the count in flight in bits, 1 to 32.
    #[range(1..=MAX_W)]
    pub count_w: usize,
    /// Width of a limit that can be set, in bits; 1 to `count_w`.
    #[range(1..=p.count_w)]
    pub limit_w: usize,
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// Write the limit.
    pub set_valid: bool,
    /// The limit, at least 1.
    #[port(p.limit_w)]
    pub set_limit: u64,
    /// Lift the limit; `set_limit` is ignored.
    pub set_unlimited: bool,
    /// A memory instruction of the kernel goes to the LSU; only while `allow`.
    pub issue: bool,
    /// An instruction's last response is back; only while one is in flight.
    pub complete: bool,
}

/// Registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Instructions in flight. Reset: 0.
    #[register(p.count_w)]
    pub in_flight: u64,
    /// How many may be in flight. Reset: all ones.
    #[register(p.count_w)]
    pub limit: u64,
    /// There is no limit. Reset: 1.
    pub unlimited: bool,
}

impl State {
    /// The outputs, as the registers have them.
    pub(super) fn outputs(&self) -> Out {
        let State {
            in_flight,
            limit,
            unlimited,
        } = *self;
        Out {
            allow: in_flight < limit,
            in_flight,
            limit,
            unlimited,
        }
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Smil {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Smil {
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
            in_flight: 0,
            limit: limit(self.params.count_w),
            unlimited: true,
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let out = self.state.outputs();
        if input.reset {
            self.reset();
            return out;
        }
        let full = limit(self.params.count_w);
        let in_flight = self.state.in_flight + u64::from(input.issue);
        let completed = u64::from(input.complete);
        self.state.in_flight = in_flight.saturating_sub(completed).min(full);
        if input.set_valid {
            self.state.unlimited = input.set_unlimited;
            self.state.limit = match input.set_unlimited {
                true => full,
                false => input.set_limit,
            };
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let below_limit = register!(in_flight as in_flight).below(register!(limit as limit));
        let sets = input!(set_valid).and(input!(set_unlimited).not());
        let settable = register!(limit as limit).at_most(limit(p.limit_w));
        Rules::new()
            .legal(
                "settable_limit",
                "A limit that is set lets something pass.",
                sets.implies(input!(set_limit).at_least(1usize)),
            )
            .legal(
                "issue_allowed",
                "An instruction is issued only below the limit.",
                input!(issue).only_while(below_limit.shown("allow"), "`allow` is low"),
            )
            .legal(
                "complete_in_flight",
                "An instruction completes only if one is in flight.",
                input!(complete).only_while(
                    register!(in_flight as in_flight).at_least(1usize),
                    "nothing is in flight",
                ),
            )
            .invariant(
                "some_limit",
                "A limit lets something pass.",
                register!(limit as limit).at_least(1usize),
            )
            .invariant(
                "highest_limit",
                "The limit is as high as can be while there is none.",
                register!(unlimited as unlimited)
                    .implies(register!(limit as limit).is(limit(p.count_w))),
            )
            .invariant(
                "was_settable",
                "A limit is one that can be set.",
                register!(unlimited as unlimited).or(settable),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Smil {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
