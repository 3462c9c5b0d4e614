//! Errors of export and co-simulation.

use std::path::PathBuf;

use cotenant_netlist::fault::{NoSuchPlace, UnknownFault};
use cotenant_netlist::{equivalence, verilog, WithoutError};

use crate::verify::lockstep::Report;
use crate::whole;

/// Result with this module's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What keeps a unit from being exported, simulated or proven.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The unit cannot be built or run.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// Netlist and golden model differ: there is nothing right to export.
    #[error("not exported: netlist and golden model differ: {0}")]
    Mismatch(Box<Report>),
    /// The run for the vectors was stopped.
    #[error("interrupted")]
    Interrupted,
    /// The vectors cannot be made.
    #[error(transparent)]
    Vectors(#[from] crate::verify::vectors::Error),
    /// The Verilog cannot be made or written.
    #[error(transparent)]
    Verilog(#[from] verilog::Error),
    /// The unit has no such fault.
    #[error(transparent)]
    Fault(#[from] UnknownFault),
    /// It was found in another netlist.
    #[error(transparent)]
    FaultPlace(#[from] NoSuchPlace),
    /// The unit cannot do without that part.
    #[error(transparent)]
    Without(#[from] WithoutError),
    /// Designs that cannot be compiled together.
    #[error(
        "{first} and {second} both have a file '{file}', with different contents: export them into \
         folders of their own, each with a --prefix of its own"
    )]
    Clash {
        /// The file.
        file: String,
        /// The unit whose file came first.
        first: String,
        /// The other one.
        second: String,
    },
    /// The same export asked for twice.
    #[error("{unit} {set} is named twice: name each unit and parameter set once")]
    Twice {
        /// The unit.
        unit: String,
        /// Its parameter set.
        set: String,
    },
    /// No testbench can be made for the design.
    #[error("no testbench: {0}")]
    Bench(#[from] verilog::BenchError),
    /// A port of the design that the unit does not know.
    #[error("{unit}: port '{port}' of the netlist is not a port of the unit")]
    Port {
        /// The unit.
        unit: &'static str,
        /// The port.
        port: String,
    },
    /// The place for the export is taken by something else, or cannot be written.
    #[error(transparent)]
    Place(#[from] whole::Error),
    /// An operation on a file or folder failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A tool that is not there.
    #[error("{tool} does not start ({source}): install it, or run scripts/setup")]
    Tool {
        /// The program.
        tool: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A tool that gave up before there was a verdict.
    #[error("{tool} failed:\n{message}")]
    Failed {
        /// The program.
        tool: &'static str,
        /// The end of what it printed.
        message: String,
    },
    /// The text and the netlist could not be compared.
    #[error("no proof (scripts/setup installs Yosys and abc): {0}")]
    Equivalence(#[from] equivalence::Error),
}

impl Error {
    /// For `map_err` after an operation on a file or folder.
    pub(super) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
