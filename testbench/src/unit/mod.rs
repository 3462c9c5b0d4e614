//! The units under test: netlist, golden model and what connects them.
//!
//! A unit is registered once, in [`UNITS`]; one that lacks its golden model, stimulus, coverage or
//! scene does not compile.

pub mod bus;
pub mod llc;
pub mod sm;

mod interface;
mod memory;
mod registry;
mod unpack;

pub use interface::{
    parameter, InOf, Interface, OutOf, Packer, ParamsOf, Place, Port, Probe, StateField, StateOf,
};
pub use memory::{Memory, WordPacker};
pub use registry::{find, visit, AnyUnit, Unit, Visitor, UNITS};
pub use unpack::unpack_in;
