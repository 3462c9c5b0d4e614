//! Units of the shared cache: demotions and evictions per victim and aggressor.
//!
//! A unit with parameters out of range, or with derived widths that do not
//! follow from them, does not compile:
//!
//! ```compile_fail
//! use cotenant_units::llc::Demotion;
//! let demotion = Demotion::<16, 4>::default(); // POS_W is clog2(WAYS + 1)
//! ```

mod access_counter;
mod access_queue;
pub(crate) mod attribution;
mod bank_counters;
pub(crate) mod blame;
mod carry_add;
mod count6;
pub(crate) mod counter_matrix;
pub(crate) mod demotion;
pub(crate) mod gdcu;
pub(crate) mod kid_demux;
mod llc_bank;
pub(crate) mod llc_counters;
mod llc_directory;
mod llc_evictions;
pub(crate) mod llc_monitor;
mod llc_report;
mod llc_request;
mod llc_tags;
mod lru_matrix;
pub(crate) mod lru_stack;
mod lru_update;
pub(crate) mod pivot;
pub(crate) mod plob;
pub(crate) mod popcnt;
mod popcnt_sums;
mod sampled_sets;
pub(crate) mod sce;
pub(crate) mod shadow_stack;

pub use access_counter::AccessCounter;
pub use access_queue::AccessQueue;
pub use attribution::Attribution;
pub use bank_counters::BankCounters;
pub use blame::Blame;
pub use carry_add::CarryAdd;
pub use count6::Count6;
pub use counter_matrix::CounterMatrix;
pub use demotion::Demotion;
pub use gdcu::Gdcu;
pub use kid_demux::KidDemux;
pub use llc_bank::LlcBank;
pub use llc_counters::LlcCounters;
pub use llc_directory::LlcDirectory;
pub use llc_evictions::LlcEvictions;
pub use llc_monitor::LlcMonitor;
pub use llc_report::LlcReport;
pub use llc_request::LlcRequest;
pub use llc_tags::LlcTags;
pub use lru_matrix::LruMatrix;
pub use lru_stack::LruStack;
pub use lru_update::LruUpdate;
pub use pivot::Pivot;
pub use plob::Plob;
pub use popcnt::Popcnt;
pub use popcnt_sums::PopcntSums;
pub use sce::Sce;
pub use shadow_stack::ShadowStack;

use cotenant_netlist::hdl::clog2;

/// Maximum number of ways.
pub const MAX_WAYS: usize = 64;

/// Maximum number of kernels.
pub const MAX_KERNELS: usize = 64;

/// Maximum number of sets of a bank.
pub const MAX_SETS: usize = 1 << 20;

/// Maximum number of banks.
pub const MAX_BANKS: usize = 64;

/// Maximum number of lines of a cache, in all banks.
pub const MAX_LINES: usize = 1 << 24;

/// Maximum number of requesters with an entry of their own.
pub const MAX_REQUESTERS: usize = 1024;

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

/// GROUPS: groups of six bits that [`Popcnt`] counts first.
pub const fn count_groups(width: usize) -> usize {
    width.div_ceil(6)
}

/// SET_W: bits of a set's index; the number of sets is a power of two.
pub const fn set_width(sets: usize) -> usize {
    clog2(sets)
}

/// ORDER_W: bits of the order of a set's ways, one for each two of them.
pub const fn order_width(ways: usize) -> usize {
    ways * ways.saturating_sub(1) / 2
}

/// WORD_W: replacement bits of a set: the order of its ways, owner and valid bit of each.
pub const fn replacement_width(ways: usize, kernels: usize) -> usize {
    order_width(ways) + ways * (kid_width(kernels) + 1)
}

/// REQ_W: bits of a requester's id; the code after the last requester is `other`.
pub const fn requester_width(requesters: usize) -> usize {
    clog2(requesters + 1)
}

/// TOTAL_W: bits of the sum of a counter over all banks.
pub const fn total_width(cnt_w: usize, banks: usize) -> usize {
    cnt_w + clog2(banks)
}

/// MATRIX_W: bits that say which counters of a monitor to read, more with sampled sets.
pub const fn matrix_width(sampled: usize) -> usize {
    if sampled > 0 {
        3
    } else {
        2
    }
}

/// FLAGS_W: kinds of counters of a monitor that may saturate, beside demotions and evictions.
pub const fn flags_width(sce: usize, sampled: usize) -> usize {
    if sampled > 0 {
        5
    } else {
        2 + sce
    }
}

/// STACKS, SHARERS, SHARE_W: parameters of a monitor's [`Attribution`], legal ones also where it has
/// none.
pub const fn stacks(sampled: usize) -> usize {
    if sampled < 2 {
        2
    } else {
        sampled
    }
}

/// See [`stacks`].
pub const fn sharers(kernels: usize, mode: usize) -> usize {
    let most = most_sharers(mode);
    if kernels < 2 {
        2
    } else if kernels > most {
        most
    } else {
        kernels
    }
}

/// Kernels among whom an [`Attribution`] divides misses at most.
pub const fn most_sharers(mode: usize) -> usize {
    match mode {
        0 => 4,
        _ => 16,
    }
}

/// See [`stacks`].
pub const fn share_width(cnt_w: usize) -> usize {
    if cnt_w < 3 {
        3
    } else {
        cnt_w
    }
}

/// PARTIAL_W: bits of a tag that a monitor's [`Attribution`] keeps: with 12 shares do not differ
/// measurably from those of whole tags.
pub const fn partial_width(tag_w: usize) -> usize {
    if tag_w < 12 {
        tag_w
    } else {
        12
    }
}

/// A mask of the lowest bits.
fn mask(bits: usize) -> u64 {
    match bits {
        0 => 0,
        bits => u64::MAX >> (64 - bits),
    }
}
