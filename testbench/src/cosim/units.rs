//! Units by name.

use std::path::Path;

use cotenant_units::table::{self, TableError};

use super::design::{export_watched, Exported, Options};
use super::error::Result;
use crate::lockstep::Flow;
use crate::unit::{llc, Interface};

/// [`export_watched`] of the unit and the parameter set of these names.
///
/// # Errors
/// [`crate::Error::Table`] if there are none, with the nearest; else as [`export`](super::export).
pub fn export_named(
    unit: &str,
    set: &str,
    folder: &Path,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Exported> {
    let set = &table::set(unit, set).map_err(crate::Error::from)?;
    macro_rules! by_name {
        ($($unit:ty),*) => {
            match unit {
                $(<$unit as Interface>::NAME => {
                    export_watched::<$unit>(set, folder, options, watch)
                })*
                _ => Err(crate::Error::from(unknown(unit)).into()),
            }
        };
    }
    by_name!(
        llc::Popcnt,
        llc::KidDemux,
        llc::Demotion,
        llc::CounterMatrix,
        llc::Gdcu,
        llc::LruStack
    )
}

/// The table has a unit that is not exported from here.
fn unknown(unit: &str) -> TableError {
    TableError::UnknownUnit {
        unit: unit.into(),
        nearest: llc::Gdcu::NAME.into(),
    }
}
