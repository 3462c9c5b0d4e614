//! Errors of comparing a dump.

use std::fmt;
use std::path::PathBuf;

use cotenant_golden::Violation;

/// Result with this module's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// A cycle of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moment {
    /// The dump.
    pub path: PathBuf,
    /// The cycle.
    pub cycle: u64,
    /// When the clock's edge is, with its unit.
    pub time: String,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, cycle, time } = self;
        write!(f, "{}: cycle {cycle} at {time}", path.display())
    }
}

/// What keeps a dump from being compared. A mismatch is a result, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The unit cannot be built or run.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// The map is not as it should be.
    #[error("{}: {place}: {problem}", path.display())]
    Map {
        /// The map.
        path: PathBuf,
        /// Key in the map: `ports.access_way`.
        place: String,
        /// What was expected there.
        problem: String,
    },
    /// The map is no TOML of the form expected.
    #[error("{}: {message}", path.display())]
    Toml {
        /// The map.
        path: PathBuf,
        /// Line, column and what was expected.
        message: String,
    },
    /// The dump is none, or broken.
    #[error("{}: no dump that can be read: {problem}", path.display())]
    Dump {
        /// The dump.
        path: PathBuf,
        /// What the reader says.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// X or Z where a value is needed.
    #[error(
        "{at}: {port} is unknown: {signal} is {value}; expected a value in every cycle after the \
         first reset (leave times out with [time] in the map, or move the sample with [sample])"
    )]
    Unknown {
        /// When.
        at: Box<Moment>,
        /// `clock`, `reset` or an input.
        port: String,
        /// The signal of the dump.
        signal: String,
        /// What it carries.
        value: String,
    },
    /// The inputs are such as the unit may not be given: no fault of the unit's.
    #[error(
        "{at}: the inputs break an assumption of {unit}: {violation} (mapped to {signals}); this \
         is no mismatch"
    )]
    Assumption {
        /// When.
        at: Box<Moment>,
        /// The unit.
        unit: &'static str,
        /// The assumption.
        violation: Violation,
        /// Where the map takes the port from.
        signals: String,
    },
    /// There is no cycle in the dump.
    #[error("{}: nothing compared: {signal} has no {edge} edge{window}", path.display())]
    NoEdge {
        /// The dump.
        path: PathBuf,
        /// The clock.
        signal: String,
        /// `rising` or `falling`.
        edge: &'static str,
        /// The times looked at, if not all.
        window: String,
    },
    /// Comparison never started.
    #[error(
        "{}: nothing compared: {signal} is {active} at none of {cycles} clock edges, or never \
         leaves it{window}; is its polarity right ([reset] active in the map)?",
        path.display()
    )]
    NoReset {
        /// The dump.
        path: PathBuf,
        /// The reset.
        signal: String,
        /// `high` or `low`.
        active: &'static str,
        /// Clock edges seen.
        cycles: u64,
        /// The times looked at, if not all.
        window: String,
    },
    /// The unit was never initialised.
    #[error("{}: nothing compared: the unit is ready in none of {cycles} cycles{window}", path.display())]
    NotReady {
        /// The dump.
        path: PathBuf,
        /// Clock edges seen.
        cycles: u64,
        /// The times looked at, if not all.
        window: String,
    },
    /// It was stopped.
    #[error("interrupted")]
    Interrupted,
}
