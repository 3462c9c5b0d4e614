//! Facts about the shared-cache side; the same stems as the units.

mod counter_matrix;
mod demotion;
mod gdcu;
mod kid_demux;
pub(super) mod llc_monitor;
mod lru_stack;
mod plob;
mod popcnt;
