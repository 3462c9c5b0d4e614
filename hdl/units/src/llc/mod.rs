//! Shared-cache side: who demotes whose lines.
//!
//! A unit with parameters out of range, or with derived widths that do not
//! follow from them, does not compile:
//!
//! ```compile_fail
//! use cotenant_units::llc::Demotion;
//! let demotion = Demotion::<16, 4>::default(); // POS_W is clog2(WAYS + 1)
//! ```

mod access_counter;
mod counter_matrix;
mod demotion;
mod gdcu;
mod kid_demux;
mod lru_stack;
mod lru_update;
mod plob;
mod popcnt;

pub use access_counter::AccessCounter;
pub use counter_matrix::CounterMatrix;
pub use demotion::Demotion;
pub use gdcu::Gdcu;
pub use kid_demux::KidDemux;
pub use lru_stack::LruStack;
pub use lru_update::LruUpdate;
pub use plob::Plob;
pub use popcnt::Popcnt;

use cotenant_netlist::hdl::clog2;

/// Most ways a unit is made for.
pub const MAX_WAYS: usize = 64;

/// Most kernels a unit is made for.
pub const MAX_KERNELS: usize = 64;

/// KID_W: bits of a kernel's id, at least 1.
pub const fn kid_width(kernels: usize) -> usize {
    if kernels > 2 {
        clog2(kernels)
    } else {
        1
    }
}

/// WAY_W: bits of a way's id, at least 1.
pub const fn way_width(ways: usize) -> usize {
    if ways > 2 {
        clog2(ways)
    } else {
        1
    }
}

/// POS_W: bits of an LRU stack position, or of a number of demoted lines.
///
/// Position 0 is MRU, `ways` - 1 is LRU, and `ways` is the code for a miss.
pub const fn position_width(ways: usize) -> usize {
    clog2(ways + 1)
}
