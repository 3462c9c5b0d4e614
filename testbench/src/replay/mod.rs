//! Replays traces through the golden last-level cache, with the hardware
//! units in lockstep where the geometry is in their table.

mod hardware;
mod pair;
mod report;
mod run;
mod text;
mod wave;

pub use hardware::{sets_for, Hardware, Mismatch};
pub use report::{LockstepCount, Report, Row, SCHEMA};
pub use run::{replay, Error, Finished, Request, WaveRequest};
pub use text::text;
