//! How well programs that share a GPU are kept apart: by memory module, and by partition.
//!
//! Source: Fractional GPUs, sections III-B, IV-E, V-A and V-B, appendix C.
//!
//! | module | holds |
//! | --- | --- |
//! | [`cases`] | the five cases of figure 8: one thread beside others in the same set, bank, module |
//! | [`share`] | applications on parts of a GPU, and how much the others change their times |

pub mod cases;
pub mod share;

use super::colour::ColourError;
use super::memory::MemoryError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IsolationError {
    /// No such memory.
    #[error(transparent)]
    Memory(Box<MemoryError>),
    /// No page of a colour.
    #[error(transparent)]
    Colour(#[from] ColourError),
    /// A number is out of range.
    #[error("{key} is {value}, expected {expected}")]
    Setting {
        /// The key.
        key: &'static str,
        /// What was found.
        value: String,
        /// What may stand there.
        expected: String,
    },
    /// The mapping does not give the address of a line.
    #[error("mapping \"{mapping}\": functions.set and functions.tag do not determine a line, expected the claim bijective = [\"set\"]")]
    NoInverse {
        /// The mapping's name.
        mapping: String,
    },
    /// There are too few lines to choose from.
    #[error("mapping \"{mapping}\" has {found} lines in set {set} and bank {bank}, expected {asked} or more for {case}")]
    TooFewLines {
        /// The mapping's name.
        mapping: String,
        /// The case.
        case: &'static str,
        /// The set.
        set: u64,
        /// The bank.
        bank: u64,
        /// Lines there.
        found: u64,
        /// Lines needed.
        asked: u64,
    },
    /// There is no other set, bank or module.
    #[error("mapping \"{mapping}\" has no place for {case}, expected sets and banks to differ")]
    NoPlace {
        /// The mapping's name.
        mapping: String,
        /// The case.
        case: &'static str,
    },
}

impl From<MemoryError> for IsolationError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(Box::new(error))
    }
}

impl IsolationError {
    fn setting(key: &'static str, value: u64, expected: &str) -> Self {
        Self::Setting {
            key,
            value: value.to_string(),
            expected: expected.into(),
        }
    }
}
