//! Elaborates rust-hdl blocks into one typed netlist, and simulates and exports it.
#![doc = ""]
#![doc = include_str!("../README.md")]

pub mod area;
pub mod blast;
pub mod blif;
pub mod describe;
pub mod equivalence;
pub mod fault;
pub mod graph;
pub mod hdl;
pub mod ir;
pub mod prim;
pub mod primitive;
pub mod sim;
pub mod source;
pub mod unit;
pub mod vectors;
pub mod verilog;

extern crate self as cotenant_netlist;

mod about;
mod digest;
mod elaborate;
mod error;
mod netlist;
mod rewrite;
mod without;

pub use about::About;
pub use cotenant_unit::{__unit, unit};
pub use elaborate::{elaborate, elaborate_description, same_description};
pub use error::{Error, Warning};
pub use netlist::{Input, Netlist, Output, Ram, Reg, Signal};
pub use without::WithoutError;
