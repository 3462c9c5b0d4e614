//! Storage primitives.

mod ram;
mod reg;

pub use ram::Ram;
pub use reg::Reg;
