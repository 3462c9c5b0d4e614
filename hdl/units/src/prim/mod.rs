//! Bricks: storage primitives and the saturating adder.

mod ram;
mod reg;
mod saturating_adder;

pub use ram::Ram;
pub use reg::Reg;
pub use saturating_adder::SaturatingAdder;
