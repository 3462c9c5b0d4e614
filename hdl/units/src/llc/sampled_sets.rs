//! Which sets are sampled: those that come first when all are ordered by a hash of their number, so
//! that they lie in no regular distance. A kernel that uses every eighth set only would be in all
//! sets of a stride, or in none.

/// The hash: the finaliser of SplitMix64, a bijection (Steele, Lea and Flood, 2014).
fn hash(set: u64) -> u64 {
    let steps = [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)];
    let start = set.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = steps
        .iter()
        .fold(start, |x, &(shift, factor): &(u32, u64)| {
            (x ^ (x >> shift)).wrapping_mul(factor)
        });
    mixed ^ (mixed >> 31)
}

/// The `sampled` sets of `sets`, in ascending order.
pub(super) fn sampled_sets(sets: usize, sampled: usize) -> Vec<usize> {
    let mut by_hash: Vec<usize> = (0..sets).collect();
    by_hash.sort_by_key(|&set| hash(set as u64));
    by_hash.truncate(sampled);
    by_hash.sort_unstable();
    by_hash
}
