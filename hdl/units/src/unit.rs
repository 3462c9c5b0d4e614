//! One interface to any unit, with ports by name.

pub use cotenant_netlist::unit::{InputPort, OutputPort, Unit};
