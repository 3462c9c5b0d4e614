//! The one door to rust-hdl: everything that a block needs to be written.

// The derive and attribute macros of rust-hdl expand to these module paths.
pub use rust_hdl::prelude::*;
pub use rust_hdl::{ast, bits, signal};

/// A comment inside an `update()` that reaches the exported Verilog.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
pub use crate::comment;
