//! Kernels of PolyBench/GPU (Grauer-Gray et al., "Auto-tuning a High-Level Language Targeted to GPU
//! Codes", 2012).

use super::words;
use crate::workload::program::listed::Source;
use crate::workload::program::listed::Step::{Compute, Load, Store, Wait};

/// `mm3_kernel1`, a product of matrices of 512 by 512: a thread is an element, and its sum is
/// stored in each iteration, as the arrays may overlap.
pub(super) fn mm3() -> Source {
    const SIDE: i64 = 512;
    let matrix = words((SIDE * SIDE) as u64);
    Source {
        block: [32, 8, 1],
        grid: [SIDE as u64 / 32, SIDE as u64 / 8],
        arrays: vec![matrix, matrix, matrix],
        head: vec![
            Compute(14),
            Store(2, |t| Some(SIDE * (8 * t.by + t.ty) + 32 * t.bx + t.tx)),
        ],
        body: vec![
            Load(0, |t| Some(SIDE * (8 * t.by + t.ty) + t.trip)),
            Load(1, |t| Some(SIDE * t.trip + 32 * t.bx + t.tx)),
            Wait,
            Compute(1),
            Store(2, |t| Some(SIDE * (8 * t.by + t.ty) + 32 * t.bx + t.tx)),
            // Two addresses and the loop.
            Compute(5),
        ],
        trips: SIDE as u64,
        tail: vec![],
    }
}

/// `atax_kernel1` with a matrix of 4096 by 4096: a thread has a row, and stores its sum in each
/// iteration. There are 16 blocks, one for each SM.
pub(super) fn atax() -> Source {
    const SIDE: i64 = 4096;
    Source {
        block: [256, 1, 1],
        grid: [SIDE as u64 / 256, 1],
        arrays: vec![
            words((SIDE * SIDE) as u64),
            words(SIDE as u64),
            words(SIDE as u64),
        ],
        head: vec![Compute(10), Store(2, |t| Some(t.id))],
        body: vec![
            Load(0, |t| Some(SIDE * t.id + t.trip)),
            Load(1, |t| Some(t.trip)),
            Wait,
            Compute(1),
            Store(2, |t| Some(t.id)),
            // Two addresses and the loop.
            Compute(5),
        ],
        trips: SIDE as u64,
        tail: vec![],
    }
}
