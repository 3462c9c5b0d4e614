//! Why something could not be run. A mismatch is a result, not an error.

use std::path::PathBuf;

use cotenant_golden::dynamic;
use cotenant_golden::{ParamError, Violation};
#[cfg(feature = "lockstep")]
use cotenant_netlist::sim::SimError;
#[cfg(feature = "lockstep")]
use cotenant_units::table::TableError;

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What keeps a unit from being built, run or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No such unit, or parameters that are none of it.
    #[error(transparent)]
    Unit(#[from] dynamic::Error),
    /// No such unit or parameter set.
    #[cfg(feature = "lockstep")]
    #[error(transparent)]
    Table(#[from] TableError),
    /// The unit has no profile of this name.
    #[error("{unit} has no profile '{profile}'; its profiles are {}", known.join(", "))]
    Profile {
        /// The unit.
        unit: &'static str,
        /// The name asked for.
        profile: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// Stimulus is asked for in the state of a model of another unit, or with other parameters.
    #[error("the model is one of {given}, the stimulus is for {expected}")]
    OtherModel {
        /// What the model is of.
        given: String,
        /// What it must be of.
        expected: String,
    },
    /// A parameter set lacks a parameter that the golden model needs.
    #[error("{unit} {set}: the parameter set has no {parameter}")]
    Parameter {
        /// The unit.
        unit: &'static str,
        /// The parameter set.
        set: String,
        /// The parameter.
        parameter: &'static str,
    },
    /// A trace whose addresses spread further than the hardware's tags can tell apart.
    #[error(
        "the addresses lie in more than {regions} regions, too many for tags of {width} bits: \
         leave out the hardware (--no-lockstep)"
    )]
    Tags {
        /// Width of a tag.
        width: usize,
        /// Regions that it has room for.
        regions: u64,
    },
    /// A unit that is behind no bus.
    #[error("{unit} has no registers, expected a unit behind a bus: {}", units.join(", "))]
    NoRegisters {
        /// The unit.
        unit: String,
        /// Those that have some.
        units: Vec<&'static str>,
    },
    /// Parameters that the register space has no room for.
    #[error(transparent)]
    Registers(#[from] cotenant_registers::ParameterError),
    /// The golden model refuses the parameters.
    #[error("{unit}: the golden model refuses the parameters: {source}")]
    Golden {
        /// The unit.
        unit: &'static str,
        /// What it objects to.
        source: ParamError,
    },
    /// The block cannot be elaborated.
    #[cfg(feature = "lockstep")]
    #[error("{unit} {set}: {source}")]
    Elaborate {
        /// The unit.
        unit: &'static str,
        /// The parameter set.
        set: String,
        /// The elaborator's words.
        source: Box<cotenant_netlist::Error>,
    },
    /// The netlist cannot be simulated.
    #[cfg(feature = "lockstep")]
    #[error("{unit}: {source}")]
    Simulate {
        /// The unit.
        unit: &'static str,
        /// The simulator's words.
        source: SimError,
    },
    /// Netlist and golden model do not have the same ports and registers.
    #[error("{unit}: {kind} '{name}': {problem}")]
    Interface {
        /// The unit.
        unit: &'static str,
        /// `input`, `output`, `register` or `RAM`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What differs.
        problem: String,
    },
    /// The stimulus breaks an assumption of the unit: its fault, not the unit's.
    #[error("{unit}: cycle {cycle}: the stimulus is illegal: {violation}")]
    Assumption {
        /// The unit.
        unit: &'static str,
        /// The cycle.
        cycle: u64,
        /// The assumption.
        violation: Box<Violation>,
    },
    /// The unit's scene is told in other parameter sets.
    #[error(
        "{unit} has no example waveform in '{set}', expected one of: {}",
        told.join(", ")
    )]
    NoScene {
        /// The unit.
        unit: &'static str,
        /// The parameter set asked for.
        set: String,
        /// Those that there are.
        told: &'static [&'static str],
    },
    /// A scene names what is not there.
    #[error("{unit} {set}: the scene is wrong: {problem}")]
    Scene {
        /// The unit.
        unit: &'static str,
        /// The parameter set.
        set: String,
        /// What is wrong.
        problem: String,
    },
    /// The netlist has no place for a fault.
    #[cfg(feature = "lockstep")]
    #[error("{unit}: {source}")]
    Fault {
        /// The unit.
        unit: &'static str,
        /// The fault.
        source: cotenant_netlist::fault::NoSuchPlace,
    },
    /// Cycles that do not fit the memory until it is known whether they are to be shown.
    #[error(
        "waves of the last {cycles} cycles take {bytes} bytes per cycle, more than there is room for; \
         expected at most {most}"
    )]
    Reach {
        /// Cycles asked for.
        cycles: u64,
        /// Most cycles.
        most: u64,
        /// Bytes per cycle.
        bytes: u64,
    },
    /// A waveform cannot be written.
    #[cfg(feature = "lockstep")]
    #[error("no waveform: {0}")]
    Wave(#[from] cotenant_waveforms::Error),
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
}

#[cfg(feature = "lockstep")]
impl Error {
    /// Why something could not be done to a file or folder.
    pub(crate) fn io(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl Fn(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path: path.clone(),
            source,
        }
    }
}
