//! Prelude for blocks: everything from rust-hdl that a block needs.

// The derive and attribute macros of rust-hdl expand to these module paths.
pub use rust_hdl::prelude::*;
pub use rust_hdl::{ast, bits, signal};

/// A comment inside an `update()` that reaches the exported Verilog.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
pub use crate::comment;

/// What [`bit_cast_to`] takes.
pub trait AnyBits {
    /// With another width.
    fn resized<const TO: usize>(self) -> Bits<TO>;
}

impl<const FROM: usize> AnyBits for Bits<FROM> {
    fn resized<const TO: usize>(self) -> Bits<TO> {
        bit_cast::<TO, FROM>(self)
    }
}

/// `bit_cast` that is told the new width only.
pub fn bit_cast_to<const TO: usize>(bits: impl AnyBits) -> Bits<TO> {
    bits.resized()
}
