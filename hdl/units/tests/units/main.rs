//! What the golden models' tests and the lockstep with them do not show: that rust-hdl's own
//! `update()` and the netlist are the same, flops and RAMs, blocks without a model of their own;
//! and `update()` of the cache's units by hand.

mod agree;
mod bench;
mod blocks;
mod bus;
mod combinational;
mod compiled;
mod counter_matrix;
mod gdcu;
mod llc_tags;
mod lru_stack;
mod nearest;
mod prim;
mod quota;
mod table;
