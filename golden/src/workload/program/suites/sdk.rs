//! Kernels of NVIDIA's CUDA samples.

use super::words;
use crate::workload::program::listed::Source;
use crate::workload::program::listed::Step::{Barrier, Compute, Load, Shared, Store, Wait};

/// `compress` of a picture of 512 by 512: 16 pixels a block of 64 threads, then each thread tries
/// 16 of 992 permutations, the same of each block.
pub(super) fn dxtc() -> Source {
    const BLOCKS: u64 = 512 * 512 / 16;
    Source {
        block: [64, 1, 1],
        grid: [BLOCKS, 1],
        // The picture, permutations, the result: two words.
        arrays: vec![words(16 * BLOCKS), words(992), words(2 * BLOCKS)],
        head: vec![
            Compute(10),
            Load(0, |t| (t.tx < 16).then_some(16 * t.bx + t.tx)),
            Wait,
            // Sums, the line of best fit, ranks.
            Compute(260),
            Shared(90),
            Barrier,
        ],
        body: vec![
            Compute(4),
            Load(1, |t| {
                let at = t.tx + 64 * t.trip;
                (at < 992).then_some(at)
            }),
            Wait,
            // 16 colours: two bits, two addresses, three sums and one; then both ends and the error.
            Compute(16 * 10 + 60),
            Shared(48),
        ],
        trips: 16,
        tail: vec![
            // Three of 160 permutations in shared memory, then the least error.
            Barrier,
            Compute(3 * (16 * 10 + 50)),
            Shared(3 * 49),
            Barrier,
            Compute(40),
            Shared(30),
            Barrier,
            Compute(60),
            Shared(16),
            Store(2, |t| (t.tx == 0).then_some(2 * t.bx)),
            Store(2, |t| (t.tx == 0).then_some(2 * t.bx + 1)),
        ],
    }
}
