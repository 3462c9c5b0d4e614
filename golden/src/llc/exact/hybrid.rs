//! Which of two rows is read: exact shares of sampled sets, or shares at eviction.

/// Charges from which on the shares of sampled sets are read.
pub const CHARGES: u64 = 64;

/// The row to read of a kernel: `sampled`, its exact shares in sampled sets in `1 / unit` misses, if
/// they have at least [`CHARGES`] charges, else `sce`, its shares at eviction. Sampled sets are
/// exact but may have seen next to nothing; shares at eviction are of all sets, and not exact.
///
/// Each row is what will be divided: for the shares of the co-runners, without the kernel's own
/// part.
///
/// ```
/// use cotenant_golden::llc::exact::hybrid;
/// assert_eq!(hybrid(&[0, 300, 84], 6, &[0, 9, 1]), [0, 300, 84]); // 64 misses
/// assert_eq!(hybrid(&[0, 300, 78], 6, &[0, 9, 1]), [0, 9, 1]);
/// ```
pub fn hybrid<'a>(sampled: &'a [u64], unit: u64, sce: &'a [u64]) -> &'a [u64] {
    let parts: u128 = sampled.iter().copied().map(u128::from).sum();
    if parts >= u128::from(CHARGES) * u128::from(unit) {
        sampled
    } else {
        sce
    }
}
