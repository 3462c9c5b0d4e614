//! Metrics of contention and of performance.
//!
//! | item | is |
//! | --- | --- |
//! | [`Contention`] | shares of GDC and PLOB, and the misses attributed by them |
//! | [`wbd`] | how far two breakdowns of one kernel's misses lie apart |
//! | [`others`] | a breakdown without the kernel itself |
//! | [`Coalitions`] | the misses of a kernel beside every coalition of its co-runners |
//! | [`Shapley`] | what each co-runner adds to the misses, averaged over all coalitions |
//! | [`weighted_speedup`] [`antt`] [`fairness`] | throughput, turnaround and fairness of co-runners |

#[cfg(feature = "machines")]
mod coalitions;
mod contention;
mod performance;
mod shapley;

#[cfg(feature = "machines")]
pub use coalitions::Coalitions;
pub use contention::{others, wbd, Contention, Row};
pub use performance::{antt, fairness, weighted_speedup, Ipc, MetricError};
pub use shapley::{Shapley, MAX_PLAYERS};
