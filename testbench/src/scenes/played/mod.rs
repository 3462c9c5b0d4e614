//! Scenes played on netlist and golden model, and how they are shown.

mod diagram;
mod play;
mod svg;
mod text;
mod trace;
mod wavejson;

use cotenant_units::table::{self, ParameterSet};

use super::{scene, Teach};
use crate::error::{Error, Result};

pub use play::{play, play_scene, Played, Seen, Told};

/// The parameter set of this name or alias in which a unit's scene is told; the usual one without
/// a name.
///
/// # Errors
/// [`Error::Table`] if there is no such set, [`Error::NoScene`] if the scene is told in others.
pub fn set<U: Teach>(name: Option<&str>) -> Result<ParameterSet> {
    let set = table::set(U::NAME, name.unwrap_or(U::SETS[0]))?;
    match U::SETS.contains(&set.name) {
        true => Ok(set),
        false => Err(Error::NoScene {
            unit: U::NAME,
            set: set.name.into(),
            told: U::SETS,
        }),
    }
}
