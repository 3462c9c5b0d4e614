//! What transactions are made of.

use proptest::bool::weighted;

use super::Odds;

/// Happens with these odds; shrinks to not happening.
pub(crate) fn chance(odds: Odds) -> proptest::bool::Weighted {
    weighted(odds.probability())
}

/// A number below `bound`, which is at least 1.
pub(crate) fn below(bound: usize) -> std::ops::RangeInclusive<u8> {
    0..=(bound.clamp(1, 256) - 1) as u8
}

/// All ones in `width` bits, 1 to 64.
pub(crate) fn ones(width: usize) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}
