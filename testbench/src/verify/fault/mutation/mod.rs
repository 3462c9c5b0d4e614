//! The mutation table: every fault place of a unit, not a sample, and what became of each.
//!
//! A run ([`run`]) decides all places of a parameter set on all cores. Verdicts are kept in a
//! [`Journal`] as they come, so that a run that was interrupted goes on where it was. What comes
//! out is a [`Measured`] set in the unit's [`Record`], which is committed; a test holds it to
//! today's netlist and repeats some of its verdicts.

mod journal;
mod record;
mod run;
mod stage;

pub use journal::{Decided, Journal};
pub use record::{Measured, NotMeasured, Open, Record, FOLDER};
pub use run::{order, repeat, run, stimulus, Settings};

use super::{Outcome, Proof};

/// What became of a fault place, as a table counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Caught in lockstep.
    Caught,
    /// Proven to change nothing, from each state on.
    Equivalent,
    /// Proven to change no output from reset on, which takes longest.
    FromReset,
    /// Not caught, while inputs are known that show it: a hole of the stimulus.
    Missed,
    /// Neither caught nor proven.
    Undecided,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Caught,
        Self::Equivalent,
        Self::FromReset,
        Self::Missed,
        Self::Undecided,
    ];

    /// The letter that stands for it in a [`Record`].
    pub fn letter(self) -> char {
        match self {
            Self::Caught => 'c',
            Self::Equivalent => 'e',
            Self::FromReset => 'r',
            Self::Missed => 'm',
            Self::Undecided => 'u',
        }
    }
}

impl From<&Outcome> for Class {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Caught { .. } => Self::Caught,
            Outcome::Equivalent {
                proof: Proof::FromReset,
            } => Self::FromReset,
            Outcome::Equivalent { .. } => Self::Equivalent,
            Outcome::Missed { .. } => Self::Missed,
            Outcome::Survived { .. } => Self::Undecided,
        }
    }
}
