//! The example waveform of each unit: a short directed test, netlist and golden model in lockstep,
//! with captions that are checked against the netlist.
//!
//! A scene stands in its unit's file, and names the parameter sets in which it is told. What it
//! expects is worked out by hand from the paper, never taken from a run.
//!
//! ```
//! use cotenant::scenes::{Teach, play};
//! use cotenant::unit::llc::Demotion;
//! use cotenant_units::table;
//!
//! let set = table::set("demotion", Demotion::SETS[0])?;
//! let played = play::<Demotion>(&set, None)?;
//! assert!(played.passed());
//! println!("{}", played.text());
//! # Ok::<(), cotenant::Error>(())
//! ```

mod diagram;
mod play;
mod scene;
mod svg;
mod text;
mod trace;
mod wavejson;

use cotenant_units::table::{self, ParameterSet};

use crate::error::{Error, Result};
use crate::verify::interface::ParamsOf;
use crate::verify::stimulus::Drive;

pub use play::{play, play_scene, Played, Seen, Told};
pub use scene::{row, Row, Scene, Step, Value};

/// A unit that has a scene.
pub trait Teach: Drive {
    /// The parameter sets in which the scene is told, by name, the usual one first.
    const SETS: &'static [&'static str];

    /// The scene in one of these sets.
    fn scene(params: &ParamsOf<Self>) -> Scene<Self>;
}

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
