//! Area of units: storage, look-up tables, widths of counters, share of the cache they serve.
//!
//! The estimate itself is [`cotenant_netlist::area`]; here it meets the units' parameters, the
//! cache's geometry and, if wanted, Yosys.

mod bound;
mod compare;
mod named;
mod share;
mod text;
mod width;

pub use bound::within;
pub use compare::{compare, Comparison};
pub use named::{Named, Register};
pub use share::{share, Cache, Share, ADDRESS_BITS};
pub use text::{table, text};
pub use width::{counter_width, CounterWidth, Period, Rate};

use cotenant_golden::ParamError;
use cotenant_netlist::area::{Area, AreaError};
use cotenant_units::table::ParameterSet;
use serde::Serialize;

use crate::registry::AnyUnit;

/// Why there are no numbers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The unit cannot be built.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// The netlist cannot be mapped.
    #[error(transparent)]
    Area(#[from] AreaError),
    /// The cache's dimensions do not make one.
    #[error(transparent)]
    Cache(#[from] ParamError),
    /// The unit cannot be exported, or Yosys does not start or fails.
    #[error(transparent)]
    Yosys(#[from] crate::export::Error),
    /// Yosys printed no statistics.
    #[error("yosys printed no statistics that can be read: {0}; expected those of version 0.23 or newer")]
    Statistics(String),
}

/// What is to be known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// How often counters are read.
    pub period: Period,
    /// The cache beside which the unit stands.
    pub cache: Cache,
    /// Ask Yosys, too.
    pub compare: bool,
}

/// A unit's numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The unit.
    pub unit: &'static str,
    /// The parameter set.
    pub set: &'static str,
    /// Its other names.
    pub aliases: Vec<&'static str>,
    /// Digest of the netlist that was measured.
    pub netlist: String,
    /// Storage and logic.
    #[serde(flatten)]
    pub area: Area,
    /// Width that its counters need; null if it has none.
    pub counter_width: Option<CounterWidth>,
    /// Flops that the paper names as the cost and those that are needed besides; null if it names
    /// none.
    pub paper: Option<Named>,
    /// Share of the cache's arrays; null if it does not stand beside the cache.
    pub share: Option<Share>,
    /// Estimate beside Yosys, by family; null if not asked for.
    pub yosys: Option<Vec<Comparison>>,
}

/// The numbers of a unit with a parameter set.
///
/// # Errors
/// [`Error`].
pub fn report(unit: &dyn AnyUnit, set: &ParameterSet, request: &Request) -> Result<Report, Error> {
    let netlist = unit.netlist(set)?;
    let area = Area::of(&netlist)?;
    let yosys = match request.compare {
        true => Some(compare(unit.name(), set.name, &area)?),
        false => None,
    };
    Ok(Report {
        unit: unit.name(),
        set: set.name,
        aliases: set.aliases.clone(),
        netlist: netlist.digest(),
        counter_width: counter_width(unit.name(), set, &request.period),
        paper: Named::of(unit, width::parameter(set, "KERNELS"), &netlist),
        share: share(unit.place(), set, area.storage(), &request.cache)?,
        area,
        yosys,
    })
}
