//! Elaborates rust-hdl blocks into one typed netlist, and simulates and exports it.
