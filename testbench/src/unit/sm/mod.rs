//! The SM side; the same stems as in `cotenant_golden::sm` and `cotenant_units::sm`.

pub mod mem_issue;
pub mod milg;
pub mod qbmi;
pub mod quota_unit;
pub mod rbmi;
pub mod smil;

mod coverage;
mod facts;
pub mod stimulus;

pub use mem_issue::MemIssue;
pub use milg::Milg;
pub use qbmi::Qbmi;
pub use quota_unit::QuotaUnit;
pub use rbmi::Rbmi;
pub use smil::Smil;

use cotenant_golden::ParamError;
use cotenant_units::table::ParameterSet;

use crate::error::{Error, Result};
use crate::verify::interface::{parameter, Interface};

/// A parameter that is a code.
fn code<U: Interface, T>(set: &ParameterSet, name: &'static str) -> Result<T>
where
    T: TryFrom<usize, Error = ParamError>,
{
    let refused = |source| Error::Golden {
        unit: U::NAME,
        source,
    };
    T::try_from(parameter::<U>(set, name)?).map_err(refused)
}

/// A parameter that is 0 or another number for a flag.
fn flag<U: Interface>(set: &ParameterSet, name: &'static str) -> Result<bool> {
    Ok(parameter::<U>(set, name)? != 0)
}
