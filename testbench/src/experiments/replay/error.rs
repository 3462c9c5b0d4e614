//! Errors of a replay.

use cotenant_golden::llc::cache::{AccessError, ReplayError};
use cotenant_golden::mgmt::policy::Kind;
use cotenant_golden::workload::trace::{Source, TraceError};
use cotenant_golden::ParamError;

/// Why a replay ends early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The traces came to an end, and no access was among what they hold.
    #[error(
        "{files}: no access was found, and {skipped} records were skipped; expected at least one, \
         in CSV a line such as \"0,R,0x1000\" (kernel, operation, address): a first line of words \
         is taken for the names of the columns"
    )]
    NoAccess {
        /// The files, with commas between.
        files: String,
        /// Records that are no accesses.
        skipped: u64,
    },
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
    /// There is no such policy for the cache.
    #[error("no policy {policy} for this cache: {reason}")]
    Policy {
        /// The policy.
        policy: Kind,
        /// What it does not take.
        reason: ParamError,
    },
    /// Periods are counted in cycles and an access has none.
    #[error(
        "access {access}, counted from 0, has no cycle, but periods are counted in cycles: count \
         them in accesses, or give each access a cycle"
    )]
    NoCycle {
        /// Its number.
        access: u64,
    },
    /// Waves of what is not there.
    #[error("no waveform: {reason}")]
    NoWave {
        /// Why there is none.
        reason: String,
    },
}

impl Error {
    /// For traces that have come to an end without an access.
    pub(super) fn no_access(sources: &[Source], skipped: u64) -> Error {
        let files: Vec<_> = sources
            .iter()
            .map(|source| source.path.display().to_string())
            .collect();
        Error::NoAccess {
            files: files.join(", "),
            skipped,
        }
    }
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
