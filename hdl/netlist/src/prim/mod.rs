//! Storage primitives: a flop and a RAM.

mod ram;
mod reg;

pub use ram::Ram;
pub use reg::Reg;
