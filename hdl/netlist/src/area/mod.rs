//! Area of a netlist, estimated without other tools.
pub(crate) mod architecture;
pub(crate) mod balance;
pub(crate) mod control;
pub(crate) mod mapping;
pub(crate) mod network;
pub(crate) mod sums;
mod verify;
pub use architecture::Architecture;
pub(crate) use mapping::Mapped;
pub(crate) use network::Network;
pub(crate) use verify::verify;
