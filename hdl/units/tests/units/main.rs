//! Every unit on rust-hdl's own `update()`, against values worked out from
//! the specification by hand.

mod agree;
mod bench;
mod combinational;
mod counter_matrix;
mod gdcu;
mod lru_stack;
mod prim;
mod table;
