//! The units as synthesizable rust-hdl blocks.
//!
//! | unit | what it does |
//! |---|---|
//! | [`popcnt`](llc::Popcnt) | counts the set bits of a vector |
//! | [`kid_demux`](llc::KidDemux) | drives the lane of one kernel |
//! | [`demotion`](llc::Demotion) | which LRU stack positions an access demotes |
//! | [`counter_matrix`](llc::CounterMatrix) | counters a pair of victim and aggressor, with snapshots |
//! | [`gdcu`](llc::Gdcu) | counts the demotions that each kernel causes to each other |
//! | [`lru_stack`](llc::LruStack) | replacement bits of one cache set |
//!
//! A unit is generic in its parameters and in the widths that follow from
//! them; the macro of the same name derives the latter, for example
//! `gdcu!(16, 4, 21, 1)`. [`prim`] holds the flop, the RAM and the adder that
//! they are made of. [`table`] lists the parameter sets that are built, and
//! builds them by name; [`drive`] runs a block on rust-hdl's own `update()`.
//!
//! All sequential units have one `clock` and a synchronous, active-high
//! `reset` that resets every flop. Packed vectors hold element 0 in the low
//! bits.

pub mod drive;
pub mod llc;
pub mod prim;
pub mod sm;
pub mod table;
pub mod unit;
