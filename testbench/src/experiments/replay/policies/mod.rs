//! Replays traces through caches of several management policies, side by side.

mod report;
mod run;
mod text;

pub use report::{Comparison, PeriodReport, Periods, PolicyReport, Unit, POLICIES_SCHEMA};
pub use run::{compare, CompareRequest, PERIOD_ACCESSES, PERIOD_CYCLES};
pub use text::comparison;
