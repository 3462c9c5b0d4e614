//! The golden models for programs in C, and in whatever calls C.
//!
//! `include/cotenant.h` is made from here, and says the same. [`dpi`] is the side of the
//! SystemVerilog checkers, which [`checker`] writes.
//!
//! What can fail returns a [`CotenantStatus`]; [`cotenant_message`] says what was wrong in the last
//! call of the same thread that failed. No panic leaves a function. A model may be used by any
//! thread: those that change it lock it, and a call waits for another one that uses the same model.

pub mod checker;
pub mod dpi;

mod cycle;
mod describe;
mod guard;
mod model;
mod stimulus;
mod text;

pub use cycle::*;
pub use describe::*;
pub use guard::{cotenant_message, CotenantStatus};
pub use model::*;
pub use stimulus::*;
