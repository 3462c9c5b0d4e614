//! Replays traces through the golden last-level cache, with the hardware
//! units in lockstep where the geometry is legal for them; or through caches
//! of several management policies.

mod attribution;
mod error;
mod hardware;
pub(crate) mod live;
mod pair;
mod policies;
mod report;
mod run;
mod text;
pub(crate) mod wave;

pub use crate::verify::waves::Request as WaveRequest;
pub(crate) use attribution::Pass;
pub use attribution::{Attribution, Distances, Shares};
pub use error::Error;
pub use hardware::{Hardware, Mismatch, Sets};
pub use policies::{
    compare, comparison, CompareRequest, Comparison, PeriodReport, Periods, PolicyReport, Unit,
    PERIOD_ACCESSES, PERIOD_CYCLES, POLICIES_SCHEMA,
};
pub use report::{Beside, LockstepCount, Report, Row, SCHEMA};
pub use run::{replay, Finished, Request};
pub use text::text;
