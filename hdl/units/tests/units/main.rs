//! Every unit on rust-hdl's own `update()`, against values worked out from
//! the specification by hand.

mod agree;
mod bench;
mod bus;
mod combinational;
mod counter_matrix;
mod gdcu;
mod issue;
mod llc_tags;
mod lru_stack;
mod milg;
mod prim;
mod quota;
mod table;
