//! Any unit behind one interface, its ports by name.

pub use cotenant_netlist::unit::{InputPort, OutputPort, Unit};
