//! Vectors for RTL in any language: a run's inputs and the golden model's outputs, as text.
//!
//! The format is [`cotenant_netlist::vectors`]; `docs/vectors.md` shows readers in Verilog and
//! Python. The facts in the header are `unit`, `set`, a `parameter NAME VALUE` each, `profile` and
//! `seed`. The ports stand in the unit's order. An export's testbench plays the same text.
//!
//! ```
//! use cotenant::verify::lockstep::Flow;
//! use cotenant::unit::llc::Popcnt;
//! use cotenant::verify::vectors::{write_file, Recorded, Vectors};
//! use cotenant_units::table;
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("popcnt.vec");
//! let set = table::set("popcnt", "figure-2")?;
//! let vectors = Vectors::default().cycles(1000);
//! let written = write_file::<Popcnt>(&set, &vectors, &file, &mut |_| Flow::Continue)?;
//! assert_eq!(written.trailer.cycles, 1000);
//! let report = Recorded::open(&file)?.verify::<Popcnt>(&mut |_| Flow::Continue)?;
//! assert!(report.passed(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod run;
mod verify;
mod write;

pub use error::{Error, Result};
pub(crate) use run::run;
pub use verify::{Problem, Recorded, Verified};
pub use write::{header, write, write_file, Place, Written};

use crate::verify::interface::RESET_CYCLES;
use crate::verify::stimulus::{Mix, Segment};

/// Fewest cycles of vectors: reset, and one to see what it did.
pub const MIN_CYCLES: u64 = RESET_CYCLES + 1;
/// Cycles between two calls of a watcher.
const WATCH: u64 = 4096;

/// Which vectors to write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vectors {
    /// Cycles, those of the reset in front included.
    pub cycles: u64,
    /// Seed of the stimulus.
    pub seed: u64,
    /// What the stimulus is made of.
    pub mix: Mix,
    /// What comes first behind the reset, for instance the segments of a
    /// [`Plan`](crate::verify::directed::Plan); what there is no time for is left out.
    pub segments: Vec<Segment>,
}

impl Default for Vectors {
    /// 10,000 cycles of all profiles, seed 0x9e37, without a directed part.
    fn default() -> Self {
        Self {
            cycles: 10_000,
            seed: 0x9e37,
            mix: Mix::default(),
            segments: Vec::new(),
        }
    }
}

impl Vectors {
    /// So many cycles, the rest as it is.
    #[must_use]
    pub fn cycles(mut self, cycles: u64) -> Self {
        self.cycles = cycles;
        self
    }

    /// With this seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With this mix of profiles.
    #[must_use]
    pub fn mix(mut self, mix: impl Into<Mix>) -> Self {
        self.mix = mix.into();
        self
    }

    /// With these segments in front.
    #[must_use]
    pub fn segments(mut self, segments: Vec<Segment>) -> Self {
        self.segments = segments;
        self
    }

    /// Cycles of the segments, as far as there is time for them.
    pub fn directed(&self) -> u64 {
        let segments: u64 = self.segments.iter().map(|segment| segment.cycles).sum();
        segments.min(self.cycles.saturating_sub(RESET_CYCLES))
    }

    /// # Errors
    /// [`Error::Cycles`].
    pub(crate) fn check(&self) -> Result<()> {
        match self.cycles {
            MIN_CYCLES.. => Ok(()),
            cycles => Err(Error::Cycles { cycles }),
        }
    }
}
