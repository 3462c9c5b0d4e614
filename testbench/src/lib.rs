//! Lockstep of netlists and golden models, trace replay and the cotenant command.
//!
//! | | |
//! |---|---|
//! | [`unit`](mod@unit) | the units: ports and registers of netlist and golden model |
//! | [`stimulus`] | transactions, profiles, seeded streams and strategies |
//! | [`lockstep`] | both sides in step, every output and register compared |
//! | [`coverage`] | which situations the stimulus has brought about |
//! | [`cosim`] | units as Verilog with testbenches; Icarus, Verilator, Yosys and abc on them |
//! | [`area`] | flops, look-up tables, counter widths, beside Yosys if wanted |
//! | [`gate`] | `mem_issue` in a simulated SM, both sides in step |
//! | [`fault`] | seeded faults that the lockstep must catch |
//! | [`vectors`] | inputs and expected outputs as text, for RTL in any language |
//! | [`dump`] | somebody's value change dump held to a golden model |
//! | [`pages`] | pages and tables about the units, generated |
//! | [`registers`] | registers of units behind a bus: SystemRDL, C header, tables |
//! | [`waves`] | waves of both sides, and layouts for viewers |
//! | [`teach`] | a short scene of each unit, as waves, pictures and words |
//! | [`replay`] | traces through the golden cache, with the units beside it |
//! | [`study`] | experiments with the golden models |
//! | [`run`] | scenarios on the golden GPU, with the units beside its L2, and the report |
//! | [`whole`] | files and folders that appear whole or not at all |

pub mod area;
pub mod cmd;
pub mod cosim;
pub mod coverage;
pub mod dump;
pub mod fault;
pub mod gate;
pub mod lockstep;
pub mod pages;
pub mod registers;
pub mod replay;
pub mod run;
pub mod stimulus;
pub mod study;
pub mod teach;
pub mod unit;
pub mod vectors;
pub mod waves;
pub mod whole;

mod error;
mod picture;

pub use error::{Error, Result};
