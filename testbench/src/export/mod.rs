//! Exports a unit as Verilog with vectors, and runs Icarus, Verilator, Yosys and abc on it.
//!
//! The vectors come from a lockstep run: they are what the golden model answers, and the netlist
//! was seen to answer the same. So a testbench that plays them holds the exported text to the
//! golden model.
//!
//! ```no_run
//! use cotenant::export;
//! use cotenant::export::{Options, Simulator, Vectors, Verdict};
//! use cotenant::unit::llc::Gdcu;
//! use cotenant_units::table;
//!
//! let set = table::set("gdcu", "table-1")?;
//! let options = Options::default().with_testbench(Vectors::default());
//! let exported = export::export::<Gdcu>(&set, "out/export/gdcu".as_ref(), &options)?;
//! let verdict = export::simulate(&exported.folder, Simulator::Icarus, &[])?;
//! // Nothing is compared in the first cycle of reset.
//! assert_eq!(verdict, Verdict::Pass { cycles: 10_000, compared: 9_999 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod area;
pub mod registers;

mod assertions;
mod design;
mod error;
mod ipxact;
mod manifest;
mod packages;
mod text;
mod together;
mod tools;
mod units;
mod vectors;

pub use crate::verify::vectors::{Vectors, MIN_CYCLES};
pub use design::{export, export_watched, without, Exported, Options, PREFIX};
pub use error::{Error, Result};
pub use manifest::{AssumptionEntry, Manifest, PortEntry, VectorEntry, SCHEMA};
pub use together::{export_together, Together};
pub use tools::{
    lint, lint_sources, lint_testbench, prove, simulate, start_up, Simulator, Verdict,
};
pub use units::{export_named, play_named};
