//! Behavioural models, GPU model, trace readers and metrics; independent of the hardware
//! description.
//!
//! | module | holds |
//! | --- | --- |
//! | [`model`] | the [`Model`] trait, illegal parameters, violated input assumptions |
//! | [`delay`] | latency, as a number of cycles |
//! | [`ports`] | ports, registers and parameters, taken from the models' structs |
//! | [`rules`] | what inputs are legal and what registers hold, as formulas |
//! | [`dynamic`] | models by name, driven with words |
//! | [`calibration`] | the SM paper's machine and kernels, fitted on single kernels |
//! | [`gpu`] | who accesses the shared cache when |
//! | [`hetero`] | CPU cores and a GPU that share a cache, and how fast policies make them |
//! | [`workload`] | where accesses come from: trace readers |
//! | [`presets`] | platforms by name |
//! | [`addr`] | where an address is in a memory that hashes it, and how to find out |
//! | [`metrics`] | who is to blame for whose misses, and how well kernels do together |
//! | [`schemes`] | how kernels share a GPU, in the SM paper |
//!
//! Each other module is an area of the hardware, with one behavioural model per unit.
//!
//! The units' models need few packages: without the default feature `machines` there are these, and
//! neither machines, traces nor scenarios around them.
//!
//! The models say what a unit does in the words of the paper it comes from. They are what the
//! hardware is compared with, cycle by cycle, so they share no code and no structure with it.
#![forbid(unsafe_code)]

// The derives name this crate as their other users know it.
extern crate self as cotenant_golden;

pub mod addr;
pub mod bus;
#[cfg(feature = "machines")]
pub mod calibration;
pub mod delay;
pub mod dynamic;
#[cfg(feature = "machines")]
pub mod gpu;
#[cfg(feature = "machines")]
pub mod hetero;
pub mod llc;
pub mod metrics;
pub mod mgmt;
pub mod model;
pub mod ports;
#[cfg(feature = "machines")]
pub mod presets;
pub mod rules;
#[cfg(feature = "machines")]
pub mod schemes;
pub mod sm;
pub mod workload;

mod inline;

pub use inline::{Inline, TooLong};
pub use model::{Model, ParamError, Violation};
