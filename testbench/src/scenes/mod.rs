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

#[cfg(feature = "lockstep")]
mod played;
mod scene;

use crate::verify::interface::ParamsOf;
use crate::verify::stimulus::Drive;

#[cfg(feature = "lockstep")]
pub use played::{play, play_scene, set, Played, Seen, Told};
pub use scene::{row, Row, Scene, Step, Value};

/// A unit that has a scene.
pub trait Teach: Drive {
    /// The parameter sets in which the scene is told, by name, the usual one first.
    const SETS: &'static [&'static str];

    /// The scene in one of these sets.
    fn scene(params: &ParamsOf<Self>) -> Scene<Self>;
}
