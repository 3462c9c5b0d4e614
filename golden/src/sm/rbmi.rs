//! `rbmi`: picks the kernel that issues the next memory instruction, round-robin.
//!
//! Source: the paper, section 3.2: "One way to implement BMI is to issue memory instructions from
//! concurrent kernels in a loose round-robin manner".
//!
//! Loose: a kernel without a ready instruction is passed over. The first ready kernel after the
//! one that was last granted issues.
//!
//! Timing: the grant is combinational.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{cyclically_after, has, MAX_KERNELS};
use crate::llc::id_w;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Rbmi`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernels with a memory instruction that may issue.
    #[port([1; p.kernels])]
    pub ready: u64,
    /// The LSU accepts an instruction in this cycle.
    pub accept: bool,
}

/// Output ports; all 0 in a cycle without a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The kernel that issues, as a mask of at most one bit.
    #[port([1; p.kernels])]
    pub grant: u64,
    /// A kernel is granted.
    pub grant_valid: bool,
    /// KID of the kernel granted.
    #[port(id_w(p.kernels))]
    pub grant_kid: u8,
}

impl Out {
    /// The ports for a grant to `kernel`, if any.
    pub(super) fn to(kernel: Option<usize>) -> Self {
        kernel.map_or_else(Self::default, |kernel| Self {
            grant: 1 << kernel,
            grant_valid: true,
            grant_kid: kernel as u8,
        })
    }
}

/// Registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The kernel last granted. Reset: the last one.
    #[register(id_w(p.kernels))]
    pub last: u8,
}

impl State {
    /// Which of the `ready` kernels issues when the LSU accepts.
    pub(super) fn pick(&self, ready: u64, kernels: usize) -> Option<usize> {
        cyclically_after(self.last, kernels).find(|&kernel| has(ready, kernel))
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Rbmi {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Rbmi {
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
        self.state.last = self.params.kernels as u8 - 1;
    }

    fn step(&mut self, input: &In) -> Out {
        let kernel = self.state.pick(input.ready, self.params.kernels);
        let granted = kernel.filter(|_| input.accept);
        if input.reset {
            self.reset();
        } else if let Some(kernel) = granted {
            self.state.last = kernel as u8;
        }
        Out::to(granted)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new().invariant(
            "known_last",
            "The kernel last granted is one that there is.",
            register!(last).below(p.kernels),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Rbmi {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
