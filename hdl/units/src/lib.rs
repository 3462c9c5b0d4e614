//! The units as synthesizable rust-hdl blocks.
//!
//! Each area of the hardware is a module. `registry.rs` lists the units, and `docs/units` has a page
//! for each.
//!
//! A unit is generic in its parameters and in the widths that follow from
//! them; the macro of the same name derives the latter, for example
//! `gdcu!(16, 4, 21, 1)`. [`prim`] holds the flop and the RAM that
//! they are made of. [`table`] lists the parameter sets that are built, and
//! builds them by name; [`drive`] runs a block on rust-hdl's own `update()`.
//!
//! All sequential units have one `clock` and a synchronous, active-high
//! `reset` that resets every flop. Packed vectors hold element 0 in the low
//! bits.

pub use cotenant_netlist::prim;
pub use cotenant_unit::unit;

#[macro_use]
mod registry;

pub mod addr;
pub mod bus;
pub mod drive;
pub mod llc;
pub mod mgmt;
pub mod sm;
pub mod table;
pub mod unit;
