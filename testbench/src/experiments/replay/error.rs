//! Errors of a replay.

use cotenant_golden::llc::cache::{AccessError, ReplayError};
use cotenant_golden::workload::trace::TraceError;
use cotenant_golden::ParamError;

/// Why a replay ends early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// No such cache.
    #[error("no such cache: {0}")]
    Geometry(#[from] ParamError),
    /// The cache cannot take an access.
    #[error("{0}: raise the number of kernels")]
    Access(#[from] AccessError),
    /// The hardware cannot be built.
    #[error(transparent)]
    Hardware(#[from] crate::error::Error),
    /// A wave cannot be written.
    #[error("no waveform: {0}")]
    Wave(#[from] cotenant_waveforms::Error),
    /// Waves of what is not there.
    #[error("no waveform: {reason}")]
    NoWave {
        /// Why there is none.
        reason: String,
    },
}

impl From<ReplayError<TraceError>> for Error {
    fn from(error: ReplayError<TraceError>) -> Error {
        match error {
            ReplayError::Source(error) => Error::Trace(error),
            ReplayError::Access(error) => Error::Access(error),
            other => Error::NoWave {
                reason: other.to_string(),
            },
        }
    }
}
