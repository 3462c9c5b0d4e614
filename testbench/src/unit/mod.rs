//! The units under test: netlist, golden model and what connects them.

pub mod llc;

mod interface;

pub use interface::{
    parameter, InOf, Interface, OutOf, Packer, ParamsOf, Port, Probe, StateField, StateOf,
};
