//! Replays traces through the golden last-level cache, with the hardware
//! units in lockstep where the geometry is in their table.

mod hardware;
mod pair;
mod report;
mod run;
mod text;
pub(crate) mod wave;

pub use hardware::{Hardware, Mismatch, Sets};
pub use report::{Beside, LockstepCount, Report, Row, SCHEMA};
pub use run::{replay, Error, Finished, Request, WaveRequest};
pub use text::text;
