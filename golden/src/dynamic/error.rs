//! What can be wrong with names, texts and words.

use crate::model::{ParamError, Violation};

/// Why a dynamic model does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no unit of this name.
    #[error("there is no unit '{unit}'; the nearest is '{nearest}'")]
    UnknownUnit {
        /// The name asked for.
        unit: String,
        /// The most similar one.
        nearest: &'static str,
    },
    /// A text does not say which parameters are meant.
    #[error("{unit}: {what}")]
    Text {
        /// The unit.
        unit: &'static str,
        /// What is wrong, and what is expected.
        what: String,
    },
    /// There is no such unit with these parameters.
    #[error("{unit}: {problem}")]
    Parameter {
        /// The unit.
        unit: &'static str,
        /// The parameter, and what is expected.
        problem: ParamError,
    },
    /// A row has too many or too few words.
    #[error("{what} are {given} words, expected {expected}")]
    Words {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A value does not fit its port, or the unit may not be driven with it.
    #[error(transparent)]
    Input(#[from] Violation),
    /// A state of another unit, or of the same with other parameters.
    #[error("the state is one of {given}, expected one of {expected}")]
    OtherState {
        /// The unit that it was taken from, and its parameters.
        given: String,
        /// That of the model.
        expected: String,
    },
}
