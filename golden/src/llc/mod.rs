//! The shared last-level cache: one behavioural model per hardware unit.
//!
//! Source: GDC paper, sections II-A (PLOB) and III (GDC), figures 1 and 2.
//!
//! Position 0 of a stack is the MRU line and position `ways - 1` the LRU line. A kernel is
//! known by its KID, 0 to `kernels - 1`.

pub mod attribution;
pub mod blame;
pub mod cache;
pub mod counter_matrix;
pub mod demotion;
pub mod exact;
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

/// The most ways a set may have: masks over ways are `u64`.
pub const MAX_WAYS: usize = 64;

/// One small value per stack position, or per bank.
pub type ByPosition = crate::Inline<u8, MAX_WAYS>;

/// The largest number of kernels of a unit: masks over kernels are `u64`.
pub const MAX_KERNELS: usize = 64;

/// Bits that tell `n` values apart: the ceiling of log2, 0 for `n <= 1`.
pub const fn clog2(n: usize) -> usize {
    if n <= 1 {
        0
    } else {
        (usize::BITS - (n - 1).leading_zeros()) as usize
    }
}

/// Width of a port that carries one of `n` ids: as [`clog2`], but a port has at least one bit.
pub const fn id_w(n: usize) -> usize {
    match clog2(n) {
        0 => 1,
        width => width,
    }
}

/// Width of a position code, 0 to `ways`, where `ways` itself codes a miss.
pub const fn pos_w(ways: usize) -> usize {
    clog2(ways + 1)
}

#[cfg(test)]
mod tests {
    //! Widths branch at powers of two and at 1.
    use super::*;

    #[test]
    fn widths() {
        assert_eq!([1, 2, 3, 4, 5, 16, 17].map(clog2), [0, 1, 2, 2, 3, 4, 5]);
        assert_eq!([1, 2, 3].map(id_w), [1, 1, 2]);
        assert_eq!([1, 2, 3, 4, 15, 16].map(pos_w), [1, 2, 2, 3, 4, 5]);
    }
}
