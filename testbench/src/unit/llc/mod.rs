//! The shared-cache side; the same stems as in `cotenant_golden::llc` and `cotenant_units::llc`.

pub mod attribution;
pub mod blame;
pub mod counter_matrix;
pub mod demotion;
pub mod gdcu;
pub mod kid_demux;
pub mod llc_counters;
pub mod llc_monitor;
pub mod lru_stack;
pub mod pivot;
pub mod plob;
pub mod popcnt;
pub mod sce;
pub mod shadow_stack;

pub(crate) mod shared;

pub use attribution::Attribution;
pub use blame::Blame;
pub use counter_matrix::CounterMatrix;
pub use demotion::Demotion;
pub use gdcu::Gdcu;
pub use kid_demux::KidDemux;
pub use llc_counters::LlcCounters;
pub use llc_monitor::LlcMonitor;
pub use lru_stack::LruStack;
pub use pivot::Pivot;
pub use plob::Plob;
pub use popcnt::Popcnt;
pub use sce::Sce;
pub use shadow_stack::ShadowStack;
