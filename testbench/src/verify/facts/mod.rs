//! What is always true of a unit's inputs and registers, as logic: what proofs take for granted.
//!
//! Facts stand in the unit's file. They are written over a [`Logic`], so that they need no prover; the
//! one that there is proves faults of the netlist to change nothing
//! (`cotenant::verify::fault`).

mod logic;
pub mod rules;
mod terms;

use super::interface::{Interface, ParamsOf};

pub use logic::{Logic, Term};
pub use terms::Terms;

/// A question about the words of a RAM.
#[derive(Debug, Clone, Copy)]
pub enum Words {
    /// Whether the RAM has last read a word that has been written since reset.
    Read,
    /// Whether the word at this address has been written since reset.
    Written(Term),
    /// What a word that has been written holds.
    Hold(Term),
    /// What such a word and those of RAMs beside it hold together, that are read at the same address
    /// in the same cycle; [`Terms::ram`] are the words.
    Row,
    /// The address that all of them have read last, if it has been written.
    Address,
    /// Of one of them, the word that is there now, if this is what it has read.
    Held(Term),
}

/// What a proof may take for granted about a unit, as logic over its ports and flops.
pub trait Facts: Interface {
    /// What the golden model's `assume` demands of the inputs of a cycle: its rules.
    fn assumptions(params: &ParamsOf<Self>, terms: &mut Terms<'_>) -> Vec<Term> {
        rules::assumptions::<Self>(params, terms)
    }

    /// What the protocol of the ports demands of the inputs of a cycle after those of the cycle before
    /// ([`Terms::before`]), if there is one: nothing unless said. The golden model does not look at it,
    /// and stimulus keeps to it.
    fn protocol(_params: &ParamsOf<Self>, _terms: &mut Terms<'_>) -> Vec<Term> {
        Vec::new()
    }

    /// What holds in every state that legal inputs lead to: the golden model's rules, and more
    /// where the netlist has more than the golden model. A wrong or useless invariant makes proofs
    /// fail, it cannot make one succeed.
    fn invariants(params: &ParamsOf<Self>, terms: &mut Terms<'_>) -> Vec<Term> {
        rules::invariants::<Self>(params, terms)
    }

    /// What is true of the words of a RAM that have been written since reset: all of them must be.
    /// As invariants are, this is proven before it is used: every word that is written holds it, no
    /// other word becomes one that has been written, and none is read as one that has not.
    fn words(
        _params: &ParamsOf<Self>,
        _ram: &str,
        _question: Words,
        _terms: &mut Terms<'_>,
    ) -> Option<Vec<Term>> {
        None
    }

    /// When the value of a flop that is not compared ([`working`](Interface::working)) matters;
    /// always unless said. At all other times two designs may hold different values there. One bit
    /// for the flop, or one for each of its bits.
    fn matters(_params: &ParamsOf<Self>, _flop: &str, _terms: &mut Terms<'_>) -> Option<Term> {
        None
    }

    /// The same of a flop while all others are equal: flops of which one or another does not
    /// matter, but not both.
    fn matters_alone(
        _params: &ParamsOf<Self>,
        _flop: &str,
        _terms: &mut Terms<'_>,
    ) -> Option<Term> {
        None
    }
}
