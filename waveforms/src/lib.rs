//! Value change dumps (VCD, IEEE 1364-2005, section 18; or FST) from any hierarchy of signals, and
//! layouts for viewers.
//!
//! | | |
//! |---|---|
//! | [`Scope`], [`Signal`] | describe a hierarchy |
//! | [`Layout`] | the hierarchy checked, every signal with an identifier |
//! | [`Sample`], [`Fill`], [`Source`] | values of one cycle, and who gives them |
//! | [`WaveFile`], [`Dump`] | write as the run goes, to a file or any stream |
//! | [`Ring`] | keep the last cycles, write them when something goes wrong |
//! | [`Options`], [`Window`], [`Gap`], [`Format`] | header, time, cycles to write, file format |
//! | [`Pattern`], [`Layout::select`] | choose the signals to write |
//! | [`viewer`] | layouts for GTKWave and Surfer |
//!
//! Anything that can describe itself as a [`Scope`] and give one number per signal can be shown;
//! two such things beside each other are two child scopes of one:
//!
//! ```
//! use cotenant_waveforms::{Fill, Layout, Options, Sample, Scope, Signal, Source, WaveFile};
//!
//! struct Counter { step: u64, count: u64 }
//!
//! impl Source for Counter {
//!     fn scope(&self) -> Scope {
//!         Scope::module(format!("step_{}", self.step))
//!             .signal(Signal::clock("clock"))
//!             .signal(Signal::reg("count", 8))
//!     }
//!     fn sample(&self, out: &mut Fill<'_>) {
//!         out.put(self.count);
//!     }
//! }
//!
//! let (mut dut, mut golden) = (Counter { step: 2, count: 0 }, Counter { step: 1, count: 0 });
//! let top = Scope::module("compare")
//!     .scope(dut.scope())
//!     .scope(golden.scope())
//!     .signal(Signal::wire("mismatch", 1));
//! let layout = Layout::new(top)?;
//!
//! let folder = tempfile::tempdir()?;
//! let options = Options::new().version("counter example").comment("seed 0x9e37");
//! let mut file = WaveFile::create(folder.path().join("counter.vcd"), &layout, &options)?;
//! let mut sample = Sample::new(&layout);
//! for cycle in 0..10 {
//!     sample.fill(|out| {
//!         dut.sample(out);
//!         golden.sample(out);
//!         out.put_bool(dut.count != golden.count);
//!     })?;
//!     file.sample(cycle, &sample)?;
//!     dut.count += dut.step;
//!     golden.count += golden.step;
//! }
//! let path = file.finish()?;
//! let text = std::fs::read_to_string(path)?;
//! assert!(text.contains("$var reg 8 \" count $end"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Keeping the last 1000 cycles, and writing them only on a mismatch:
//!
//! ```
//! use cotenant_waveforms::{Layout, Options, Ring, Scope, Signal};
//!
//! let layout = Layout::new(Scope::module("top").signal(Signal::reg("state", 4)))?;
//! let mut ring = Ring::new(&layout, 1000)?;
//! let folder = tempfile::tempdir()?;
//! for cycle in 0..1_000_000 {
//!     let state = cycle % 16;
//!     ring.push_with(cycle, |out| out.put(state))?;
//!     if cycle == 123_456 {
//!         ring.write(folder.path().join("mismatch.vcd"), &Options::new())?;
//!         break;
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod digits;
mod dump;
mod error;
mod file;
mod fst;
mod layout;
mod look;
mod name;
mod options;
mod ring;
mod sample;
mod scope;
mod select;
mod timeline;
mod translation;
pub mod viewer;

pub use dump::Dump;
pub use error::{Error, Result};
pub use file::WaveFile;
pub use layout::{Layout, SignalId};
pub use look::{Colour, Radix};
pub use options::{Format, Gap, Options, TimescaleUnit, Window};
pub use ring::Ring;
pub use sample::{Fill, Sample, Source};
pub use scope::{Item, Kind, Look, Scope, ScopeKind, Signal, ValueNames};
pub use select::Pattern;
