//! The shared-cache side; the same stems as the units.

pub mod counter_matrix;
pub mod demotion;
pub mod gdcu;
pub mod kid_demux;
pub mod llc_monitor;
pub mod lru_stack;
pub mod plob;
pub mod popcnt;
