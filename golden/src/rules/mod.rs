//! Legal inputs and register invariants of a unit, described once.
//!
//! A [`Rule`] is a sentence and the same as a formula over input ports, elements of packed ports
//! and registers. Everything that has to know what is legal takes the formula: [`Model::assume`]
//! and with it every test, the assumptions of formal proofs ([`verilog`]), and what proofs about
//! faults of the netlist may take for granted.
//!
//! ```
//! use cotenant_golden::rules::*;
//!
//! struct In { access_valid: bool, access_kid: u8, stack_valid: u64 }
//! struct State { last: u8 }
//!
//! let kernels = 3_usize;
//! let rules: Rules<In, State> = Rules::new()
//!     .legal(
//!         "known_kernel",
//!         "An access is by a kernel that there is.",
//!         input!(access_valid).implies(input!(access_kid).below(kernels)),
//!     )
//!     .legal(
//!         "on_top",
//!         "The valid lines are on top.",
//!         each(1..4, |i| input!(stack_valid[i]).implies(input!(stack_valid[i - 1]))),
//!     )
//!     .invariant("known_last", "The last kernel is one that there is.",
//!         register!(last).below(kernels));
//! let input = In { access_valid: true, access_kid: 3, stack_valid: 0b0111 };
//! let violation = rules.violation(&input, &State { last: 0 }).unwrap();
//! assert_eq!(violation.to_string(), "access_kid is 3, expected at most 2");
//! ```
//!
//! [`Model::assume`]: crate::Model::assume

mod blame;
mod formula;
mod signal;
pub mod verilog;

pub use formula::{all, any, each, ones, valid_line, Fact, Logic, Relation, Told, Value};
pub use signal::{Input, Register, Word};

pub use crate::{input, register};

use crate::model::Violation;
use crate::ports::Ports;

/// A sentence about ports and registers, and the same as a formula.
#[derive(Debug)]
pub struct Rule<I, S> {
    /// Its name, an identifier.
    pub name: &'static str,
    /// The sentence.
    pub text: &'static str,
    /// The formula.
    pub fact: Fact<I, S>,
}

/// The rules of a unit with certain parameters, whose inputs are `I` and whose registers are `S`.
#[derive(Debug)]
pub struct Rules<I, S> {
    /// What inputs are legal in a state.
    pub legal: Vec<Rule<I, S>>,
    /// What holds in each state that legal inputs lead to; these speak of no input.
    pub invariants: Vec<Rule<I, S>>,
}

impl<I, S> Rules<I, S> {
    /// None: all inputs are legal that fit the ports.
    #[must_use]
    pub fn new() -> Self {
        Self {
            legal: Vec::new(),
            invariants: Vec::new(),
        }
    }

    /// One more rule about inputs.
    #[must_use]
    pub fn legal(
        mut self,
        name: &'static str,
        text: &'static str,
        fact: impl Into<Fact<I, S>>,
    ) -> Self {
        let fact = fact.into();
        self.legal.push(Rule { name, text, fact });
        self
    }

    /// One more rule about states.
    #[must_use]
    pub fn invariant(
        mut self,
        name: &'static str,
        text: &'static str,
        fact: impl Into<Fact<I, S>>,
    ) -> Self {
        let fact = fact.into();
        self.invariants.push(Rule { name, text, fact });
        self
    }

    /// The first violation of a rule about inputs that fit their ports.
    pub fn violation(&self, input: &I, state: &S) -> Option<Violation> {
        let broken = |rule: &&Rule<I, S>| !rule.fact.holds(input, state);
        let rule = self.legal.iter().find(broken)?;
        Some(blame::violation(rule, input, state))
    }

    /// Whether inputs fit their ports and are legal in this state.
    ///
    /// # Errors
    /// The first [`Violation`] found.
    pub fn check<P>(&self, params: &P, input: &I, state: &S) -> Result<(), Violation>
    where
        I: Ports<P>,
    {
        input.fits(params)?;
        self.violation(input, state).map_or(Ok(()), Err)
    }

    /// The first rule about states that this one breaks. It must not be one that legal inputs lead
    /// to.
    pub fn broken_invariant(&self, input: &I, state: &S) -> Option<&Rule<I, S>> {
        let broken = |rule: &&Rule<I, S>| !rule.fact.holds(input, state);
        self.invariants.iter().find(broken)
    }
}

impl<I, S> Default for Rules<I, S> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
