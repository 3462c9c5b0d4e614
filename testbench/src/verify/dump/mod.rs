//! Compares a value change dump with a golden model, for RTL from any simulator.
//!
//! A [`Map`] says where a unit's clock, reset and ports are in the dump. At each edge of the clock
//! the inputs are sampled and given to the golden model, and its outputs are compared with those
//! sampled. The dump is read as a stream (`wellen`; VCD or FST): what is held does not grow with
//! it.
//!
//! What the flops held before the first reset is unknown, so comparison starts with it. In the
//! cycles of this first reset, inputs that are still unknown or illegal are not looked at, and a
//! cycle with such inputs is not compared. From then on an X or Z on an input is an error, since
//! the expected behaviour is undefined, unless the unit ignores the input in that cycle: then the
//! golden model does the same whatever the bits are. On an output it is a mismatch.

mod bits;
mod covered;
mod error;
mod held;
mod map;
mod open;
mod report;
mod sample;
mod signals;
mod wave;

pub use error::{Error, Moment, Result};
pub use held::{check, Options};
pub use map::{template, Map, TOP};
pub use report::{Given, Mismatch, Report};
