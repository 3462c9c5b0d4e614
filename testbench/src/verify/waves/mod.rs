//! Waveforms of netlists and golden models: signals, windows of cycles, files.
//!
//! | | |
//! |---|---|
//! | [`Request`], [`Span`] | which cycles and signals, and the file |
//! | `hierarchy` | the scopes: `dut` and `golden` with the same signals in the same order |
//! | `recorder` | the file, or the last cycles; the viewers' files beside it |
//! | `look` | digits and colours |

pub(crate) mod hierarchy;
pub(crate) mod look;
pub(crate) mod recorder;
mod request;
pub(crate) mod tree;

pub use request::{Request, Span, BEFORE};
