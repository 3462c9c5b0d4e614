//! Values drawn by the stimulus.

/// All ones in `width` bits, 1 to 64.
pub(crate) fn ones(width: usize) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}
