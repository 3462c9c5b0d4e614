//! Errors of writing and verifying vectors.

use std::path::PathBuf;

use cotenant_golden::Violation;
use cotenant_netlist::vectors::VectorsError;

/// Result with this module's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What keeps vectors from being written or verified. That they are wrong is a result, not an
/// error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The unit cannot be built or run.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// Too few cycles of vectors.
    #[error("{cycles} cycles of vectors: expected at least {}", super::MIN_CYCLES)]
    Cycles {
        /// The number asked for.
        cycles: u64,
    },
    /// It was stopped.
    #[error("interrupted")]
    Interrupted,
    /// The text is not in the format.
    #[error("{}:{source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Place, and what was expected there.
        source: VectorsError,
    },
    /// The header is not that of a unit.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Byte in the line, from 1.
        column: usize,
        /// What was expected there.
        problem: String,
    },
    /// The unit may not be driven like this.
    #[error("{}:{line}:1: cycle {cycle}: the inputs break an assumption of {unit}: {violation}", path.display())]
    Assumption {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// The cycle.
        cycle: u64,
        /// The unit.
        unit: &'static str,
        /// The assumption.
        violation: Box<Violation>,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Place(#[from] crate::whole::Error),
}
