//! CPU cores and a GPU that share a last-level cache: the platform on which the policies of
//! [`mgmt::policy`](crate::mgmt::policy) are compared by the performance of applications.
//!
//! Source: TAP (Lee and Kim, HPCA 2012), sections 2.2 and 4.
//!
//! | module | holds |
//! | --- | --- |
//! | [`config`] | the numbers of a platform |
//! | [`clock`] | time that counts the cycles of all clocks |
//! | [`application`] | what an application does: parallelism and reuse |
//! | [`types`] | the paper's types of applications |
//! | [`machine`] | cores, NoC, L3 and memory, from event to event |
//! | [`observed`] | the same with an L3 whose accesses hardware beside it hears |
//! | [`mix`] | scenarios in TOML |
//! | [`curve`](mod@curve) | MPKI and CPI by the ways of the cache (figures 2 and 3) |
//! | [`workloads`] | which applications run together (table 7) |
//! | [`speedup`](mod@speedup) | how much faster a policy makes them than LRU (section 4.3) |
//!
//! A run depends on its configuration and its seed alone.
//!
//! ```
//! use cotenant_golden::hetero::{speedup, Config, Run, WORKLOADS_SEED, workloads::Set};
//! use cotenant_golden::mgmt::policy::Kind;
//!
//! let drawn = Set::OneCpu.workloads(WORKLOADS_SEED);
//! assert_eq!(drawn.len(), 152);
//! let mut config = Config::tap();
//! config.sampling.period = 2000;
//! let run = Run { seed: 1, warm_up: 4000, measured: 4000 };
//! let result = speedup(&config, &drawn[0], Kind::TapUcp, &run)?;
//! assert_eq!(result.applications.len(), 2);
//! # Ok::<(), cotenant_golden::hetero::Error>(())
//! ```

pub mod application;
pub mod clock;
pub mod config;
pub mod curve;
pub mod machine;
pub mod mix;
pub mod observed;
pub mod speedup;
pub mod types;
pub mod workloads;

mod cpu;
mod dram;
mod event;
mod gpu;
mod private;
mod seen;
mod stream;
mod uncore;

pub use application::{Application, Cpu, Gpu, Part, Pattern};
pub use config::Config;
pub use curve::curve;
pub use machine::{Error, Machine, Run, Stats};
pub use mix::Mix;
pub use observed::Observed;
pub use seen::Seen;
pub use speedup::speedup;
pub use types::Type;
pub use workloads::{Workload, SEED as WORKLOADS_SEED};

#[cfg(test)]
mod tests;
