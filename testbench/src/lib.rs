//! Lockstep of netlists and golden models, trace replay and the cotenant command.
//!
//! Each module uses only modules above it in this table:
//!
//! | | |
//! |---|---|
//! | [`whole`] | files and folders that appear whole or not at all |
//! | [`verify`] | what is common to all units: stimulus, lockstep, coverage, faults, vectors, dumps, waves |
//! | [`scenes`] | the framework of the units' example waves, as waves, pictures and words |
//! | [`unit`](mod@unit) | the units: ports and registers, stimulus, coverage, scene and facts of each |
//! | [`registry`] | all units, by name |
//! | [`export`] | units as Verilog with testbenches; Icarus, Verilator, Yosys and abc on them; area; register maps |
//! | [`experiments`] | traces and scenarios on golden GPUs, with the units beside them |
//! | [`pages`] | pages and tables about the units, generated |
//! | [`cmd`] | the command line |
//!
//! # Features
//!
//! Whoever tests a design of their own needs neither netlists nor the command. Without default features
//! there are [`verify`] as far as interfaces, stimulus, coverage, directed plans and facts go, the
//! scenes, [`unit`](mod@unit) and [`registry`] without what is done to netlists.
//!
//! | feature, all of them defaults | what it adds |
//! |---|---|
//! | `proptest` | strategies that shrink ([`verify::stimulus::strategy()`]) |
//! | `lockstep` | netlists, and what is done with them; turns on `proptest` |
//! | `jit` | simulation of netlists by native code; turns on `lockstep` |
//! | `cli` | the command, experiments and pages; turns on `jit` |

#[cfg(feature = "cli")]
pub mod cmd;
#[cfg(feature = "cli")]
pub mod experiments;
#[cfg(feature = "lockstep")]
pub mod export;
#[cfg(feature = "cli")]
pub mod pages;
pub mod registry;
pub mod scenes;
pub mod unit;
pub mod verify;
#[cfg(feature = "lockstep")]
pub mod whole;

mod error;

pub use error::{Error, Result};
