//! Elaborates rust-hdl blocks into one typed netlist, and simulates and exports it.

pub mod hdl;

mod about;
pub mod primitive;

pub use about::About;
