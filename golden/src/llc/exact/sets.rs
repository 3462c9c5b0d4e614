//! Which sets are sampled.

/// How many sets may be sampled; any cache may have all of them sampled.
pub const SAMPLES: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// A bijection of 64 bits that leaves no order between neighbours (splitmix64's finaliser).
const fn scrambled(set: u64) -> u64 {
    let mut x = set.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The `samples` sampled sets of `sets`, in ascending order; all of them if there are no more.
///
/// ASSUMPTION: those whose number comes first when all are ordered by a hash of it. They are in no
/// regular distance: a kernel that touches every eighth set only would lie in all sets of a stride,
/// or in none. A larger sample has all sets of a smaller one.
///
/// ```
/// use cotenant_golden::llc::exact::sampled_sets;
/// assert_eq!(sampled_sets(256, 8).len(), 8);
/// assert_eq!(sampled_sets(4, 8), [0, 1, 2, 3]);
/// ```
pub fn sampled_sets(sets: usize, samples: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..sets).collect();
    if samples < sets {
        chosen.select_nth_unstable_by_key(samples, |&set| scrambled(set as u64));
        chosen.truncate(samples);
        chosen.sort_unstable();
    }
    chosen
}

/// For each set the smallest of [`SAMPLES`] that has it, by its place there; their number for a set
/// in none.
pub(super) fn classes(sets: usize) -> Vec<u8> {
    let mut classes = vec![SAMPLES.len() as u8; sets];
    for (class, &samples) in SAMPLES.iter().enumerate().rev() {
        for set in sampled_sets(sets, samples) {
            classes[set] = class as u8;
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    //! Rationale: a sample must have its size, hold the smaller ones, and have no stride; the same
    //! check refutes a stride.
    use super::*;

    /// The most sampled sets that share a residue of a power of two up to 16, less those that
    /// would if they were spread evenly; 0 to 1, as a part of the sample.
    fn regular(sample: &[usize]) -> f64 {
        let uneven = |stride: usize| {
            let most =
                (0..stride).map(|rest| sample.iter().filter(move |&set| set % stride == rest));
            let most = most.map(Iterator::count).max().unwrap_or(0);
            most as f64 / sample.len() as f64 - 1.0 / stride as f64
        };
        [2, 4, 8, 16].map(uneven).into_iter().fold(0.0, f64::max)
    }

    #[test]
    fn samples_hold_the_smaller_ones() {
        for sets in [1, 2, 8, 16, 64, 256, 1024, 4096] {
            let classes = classes(sets);
            for (class, &samples) in SAMPLES.iter().enumerate() {
                let sampled = sampled_sets(sets, samples);
                assert_eq!(sampled.len(), samples.min(sets));
                assert!(sampled.windows(2).all(|pair| pair[0] < pair[1]));
                for (set, &its) in classes.iter().enumerate() {
                    assert_eq!(usize::from(its) <= class, sampled.contains(&set), "{set}");
                }
            }
        }
    }

    #[test]
    fn no_stride() {
        for sets in [128, 256, 1024, 4096] {
            for samples in [16, 32, 64] {
                let sample = sampled_sets(sets, samples);
                assert!(regular(&sample) < 0.25, "{sets} {sample:?}");
                let stride: Vec<usize> = (0..samples).map(|n| n * (sets / samples)).collect();
                assert!(
                    regular(&stride) >= 0.25 || sets / samples == 2,
                    "{stride:?}"
                );
            }
        }
    }
}
