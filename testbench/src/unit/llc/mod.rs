//! The shared-cache side; the same stems as in `cotenant_golden::llc` and `cotenant_units::llc`.

mod counter_matrix;
mod demotion;
mod gdcu;
mod kid_demux;
mod llc_monitor;
mod lru_stack;
mod plob;
mod popcnt;

pub use counter_matrix::CounterMatrix;
pub use demotion::Demotion;
pub(crate) use gdcu::inside_popcnt;
pub use gdcu::Gdcu;
pub use kid_demux::KidDemux;
pub use llc_monitor::LlcMonitor;
pub(crate) use llc_monitor::OUTCOMES;
pub use lru_stack::LruStack;
pub use plob::Plob;
pub use popcnt::Popcnt;
