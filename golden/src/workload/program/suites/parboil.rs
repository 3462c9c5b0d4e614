//! Kernels of Parboil (Stratton et al., "Parboil: A Revised Benchmark Suite for Scientific and
//! Commercial Throughput Computing", 2012).

use super::words;
use crate::workload::program::listed::Step::{Barrier, Compute, Load, Shared, Store, Wait};
use crate::workload::program::listed::{Source, Thread};

/// `cuda_cutoff_potential_lattice6overlap`: half a warp copies a bin of 32 words to shared memory,
/// in two loads; 32 bins by 128 threads, then all threads go through their atoms. With a cut-off of
/// 12 and bins of 4 there are 335 neighbours: those of 7 by 7 by 7 but for the corners.
///
/// ASSUMPTION: 26 by 26 regions in a launch, as the larger input is a cube of some 100 and a region
/// one of 4; five atoms in a bin, of which most are too far away to count.
pub(super) fn cutcp() -> Source {
    const REGIONS: i64 = 26;
    /// Bins along an axis, those around the lattice included.
    const BINS: i64 = REGIONS + 6;
    /// A word of a bin that 16 threads load: four bins each, in each of 11 rounds, in two halves.
    fn bin(t: &Thread, half: i64) -> Option<i64> {
        let neighbour = 32 * t.trip + 8 * (half / 2) + t.ty;
        let (i, j, k) = (neighbour % 7, neighbour / 7 % 7, neighbour / 49);
        (neighbour < 335)
            .then_some((((k * BINS + t.by + j) * BINS + t.bx + i) << 5) + t.tx + 16 * (half % 2))
    }
    Source {
        // By 16 threads of 8 by 2.
        block: [16, 8, 1],
        grid: [REGIONS as u64, REGIONS as u64],
        arrays: vec![
            words((BINS * BINS * BINS * 32) as u64),
            words((REGIONS * REGIONS * 512) as u64),
        ],
        head: vec![Compute(60)],
        body: vec![
            Compute(14),
            Load(0, |t| bin(t, 0)),
            Wait,
            Shared(1),
            Load(0, |t| bin(t, 1)),
            Wait,
            Shared(1),
            Compute(14),
            Load(0, |t| bin(t, 2)),
            Wait,
            Shared(1),
            Load(0, |t| bin(t, 3)),
            Wait,
            Shared(1),
            Compute(14),
            Load(0, |t| bin(t, 4)),
            Wait,
            Shared(1),
            Load(0, |t| bin(t, 5)),
            Wait,
            Shared(1),
            Compute(14),
            Load(0, |t| bin(t, 6)),
            Wait,
            Shared(1),
            Load(0, |t| bin(t, 7)),
            Wait,
            Shared(1),
            Barrier,
            // 32 bins of five atoms: four words of shared memory; five operations for dx, dz and
            // dy, four for each of four points, three of the loop.
            Compute(32 * 5 * 24),
            Shared(32 * 5 * 4),
            Barrier,
        ],
        trips: 11,
        tail: vec![
            Compute(12),
            Store(1, |t| Some(result(t))),
            Store(1, |t| Some(result(t) + 16)),
            Store(1, |t| Some(result(t) + 32)),
            Store(1, |t| Some(result(t) + 48)),
        ],
    }
}

/// Where cutcp's first result is.
fn result(t: &Thread) -> i64 {
    512 * (26 * t.by + t.bx) + 64 * t.ty + t.tx
}

/// `naive_kernel` on 512 by 512 by 64: a block is a row without its ends, a thread a point and its
/// six neighbours. The sum is made in the order in which it is written.
pub(super) fn stencil() -> Source {
    const SIDE: i64 = 512;
    const DEPTH: i64 = 64;
    fn point<const X: i64, const Y: i64, const Z: i64>(t: &Thread) -> Option<i64> {
        let (x, y, z) = (t.tx + X, t.bx + 1 + Y, t.by + 1 + Z);
        (t.tx > 0).then_some(x + SIDE * (y + SIDE * z))
    }
    let grid = words((SIDE * SIDE * DEPTH) as u64);
    Source {
        block: [SIDE as u32 - 1, 1, 1],
        grid: [SIDE as u64 - 2, DEPTH as u64 - 2],
        arrays: vec![grid, grid],
        // An address of three dimensions is four operations and two for the array.
        head: vec![
            Compute(7),
            Load(0, point::<0, 0, 1>),
            Compute(4),
            Load(0, point::<0, 0, -1>),
            Wait,
            Compute(4),
            Load(0, point::<0, 1, 0>),
            Wait,
            Compute(4),
            Load(0, point::<0, -1, 0>),
            Wait,
            Compute(4),
            Load(0, point::<1, 0, 0>),
            Wait,
            Compute(3),
            Load(0, point::<-1, 0, 0>),
            Wait,
            Compute(3),
            Load(0, point::<0, 0, 0>),
            Wait,
            Compute(4),
            Store(1, point::<0, 0, 0>),
        ],
        body: vec![],
        trips: 0,
        tail: vec![],
    }
}

/// `spmv_jds` on `Dubcova3`: 146,689 rows, about 25 of whose elements are not zero. Elements are by
/// diagonal, then by row, so that a warp's are neighbours, and each diagonal is aligned; what they
/// are multiplied by is not.
///
/// ASSUMPTION: rows come sorted by length, so that five in a row were neighbours before: then a warp
/// reads from about seven lines of the vector, which is what table 2's three requests an
/// instruction are.
pub(super) fn spmv() -> Source {
    const ROWS: i64 = 146_689;
    const DIAGONALS: i64 = 25;
    const PADDED: i64 = (ROWS + 31) / 32 * 32;
    const GROUP: i64 = 5;
    fn element(t: &Thread) -> Option<i64> {
        (t.id < ROWS).then_some(PADDED * t.trip + t.id)
    }
    fn row(t: &Thread) -> Option<i64> {
        (t.id < ROWS).then_some(t.id)
    }
    fn spread(t: &Thread) -> Option<i64> {
        (t.id < ROWS).then_some(t.near(0, t.id, GROUP))
    }
    Source {
        block: [192, 1, 1],
        grid: [ROWS as u64 / 192 + 1, 1],
        // Indices, elements, the permutation, the vector and the product.
        arrays: vec![
            words((PADDED * DIAGONALS) as u64),
            words((PADDED * DIAGONALS) as u64),
            words(ROWS as u64),
            words(ROWS as u64),
            words(ROWS as u64),
        ],
        head: vec![Compute(12)],
        body: vec![
            Compute(3),
            Load(0, element),
            Load(1, element),
            Wait,
            Compute(2),
            Load(3, spread),
            Wait,
            Compute(4),
        ],
        trips: DIAGONALS as u64,
        tail: vec![Compute(3), Load(2, row), Wait, Compute(3), Store(4, spread)],
    }
}

/// `larger_sad_calc_8` on frames of 1920 by 1072: sums of four kinds of blocks for 1089 places,
/// two of 16 bits a word, in arrays that are padded to 1096. A warp has one of four quarters of a
/// macroblock.
pub(super) fn sad() -> Source {
    const WIDTH: i64 = 120;
    const HEIGHT: i64 = 67;
    const BLOCKS: i64 = WIDTH * HEIGHT;
    const PLACES: i64 = 1096 / 2;
    const LAST: i64 = 545;
    fn input<const BLOCK: i64>(t: &Thread) -> Option<i64> {
        let place = 32 * t.trip + t.tx;
        let first = 25 * BLOCKS + 16 * (WIDTH * t.by + t.bx);
        let block = first + 8 * t.tz + 2 * t.ty + BLOCK;
        (place < LAST).then_some(PLACES * block + place)
    }
    /// `KIND` arrays come before, `OF` blocks are of a macroblock; quarters are `DOWN` and `ACROSS`
    /// apart.
    fn output<
        const KIND: i64,
        const OF: i64,
        const DOWN: i64,
        const ACROSS: i64,
        const PLUS: i64,
    >(
        t: &Thread,
    ) -> Option<i64> {
        let place = 32 * t.trip + t.tx;
        let first = KIND * BLOCKS + OF * (WIDTH * t.by + t.bx);
        let block = first + DOWN * t.tz + ACROSS * t.ty + PLUS;
        (place < LAST).then_some(PLACES * block + place)
    }
    Source {
        block: [32, 2, 2],
        grid: [WIDTH as u64, HEIGHT as u64],
        arrays: vec![words((41 * BLOCKS * PLACES) as u64)],
        head: vec![Compute(40)],
        body: vec![
            Load(0, input::<0>),
            Load(0, input::<1>),
            Load(0, input::<4>),
            Load(0, input::<5>),
            Wait,
            Compute(1),
            Store(0, output::<17, 8, 4, 2, 0>),
            Compute(1),
            Store(0, output::<17, 8, 4, 2, 1>),
            Compute(1),
            Store(0, output::<9, 8, 4, 1, 0>),
            Compute(1),
            Store(0, output::<9, 8, 4, 1, 2>),
            Compute(1),
            Store(0, output::<5, 4, 2, 1, 0>),
            // Nine addresses and the loop.
            Compute(12),
        ],
        trips: 18,
        tail: vec![],
    }
}
