//! Rationale: a matrix read along the wrong dimension has other reuse and other coalescing, and
//! looks right. Accesses of the first steps by hand, with and without tiles; for small sizes how
//! often each element is read and that each result is written once; what is refused.
use proptest::prelude::*;

use super::super::{enumerate, Place, Program};
use super::*;

const BASE: u64 = 0x10000;

fn params(element: Element, rows: u64, tile: u32) -> Params {
    Params {
        element,
        rows,
        tile,
        base: BASE,
    }
}

/// Matrix, row and column of each lane of the n-th memory instruction of a warp.
fn lanes(program: &dyn Program, params: &Params, block: u64, warp: u32, n: usize) -> Vec<[u64; 3]> {
    let instructions = enumerate::warp(program, block, warp);
    let mut memory = instructions.iter().filter_map(|i| match i {
        Instruction::Memory(memory) => Some(memory),
        _ => None,
    });
    let place = |address: u64| {
        let matrix = (address - BASE) / params.pitch();
        let element = (address - BASE) % params.pitch() / u64::from(params.element.bytes());
        [matrix, element / params.rows, element % params.rows]
    };
    memory.nth(n).unwrap().touched().map(place).collect()
}

/// How often each element of a matrix is accessed so.
fn times(program: &dyn Program, params: &Params, op: Op, matrix: u64) -> Vec<u64> {
    let touched = enumerate::memory(program);
    let base = BASE + matrix * params.pitch();
    let bytes = params.element.bytes().into();
    enumerate::times(&touched, op, base, bytes, params.rows * params.rows)
}

#[test]
fn mm_in_tiles_by_hand() {
    // 32 x 32 in tiles of 8: the block in row 1, column 2 has two warps of 4 rows.
    let params = params(Element::Float, 32, 8);
    let mm = Multiply::mm(params).unwrap();
    assert_eq!((mm.grid().blocks, mm.grid().threads), (16, 64));
    assert_eq!(mm.grid().shared_memory, 2 * 64 * 4);
    let block = 4 + 2;
    // Second iteration: A at columns 8.., B at rows 8..; the second warp has rows 4..8 of a tile.
    let a = lanes(&mm, &params, block, 1, 2);
    assert_eq!((a[0], a[7], a[8]), ([0, 12, 8], [0, 12, 15], [0, 13, 8]));
    let b = lanes(&mm, &params, block, 1, 3);
    assert_eq!((b[0], b[7], b[8]), ([1, 12, 16], [1, 12, 23], [1, 13, 16]));
    let c = lanes(&mm, &params, block, 1, 8);
    assert_eq!((c[0], c[31]), ([2, 12, 16], [2, 15, 23]));
    let steps = enumerate::warp(&mm, block, 1);
    // Prologue; four iterations of eight; store.
    assert_eq!(steps.len(), 1 + 4 * 8 + 1);
    let compute = |count, latency| Instruction::Compute { count, latency };
    let rest = [
        Instruction::Wait,
        compute(2, 4),
        Instruction::Barrier,
        compute(16, 4),
        compute(8, 5),
        Instruction::Barrier,
    ];
    assert_eq!(steps[3..9], rest);
}

#[test]
fn mmt_loads_rows_of_the_same_matrix() {
    let params = params(Element::Double, 32, 8);
    let mmt = Multiply::mmt(params).unwrap();
    let block = 4 + 2;
    let second = lanes(&mmt, &params, block, 1, 3);
    // Columns 16.. of C are rows 16.. of A; second warp: rows 4..8 of the tile.
    let expected = ([0, 20, 8], [0, 20, 15], [0, 21, 8]);
    assert_eq!((second[0], second[7], second[8]), expected);
    let untiled = Params { tile: 1, ..params };
    let mmt = Multiply::mmt(untiled).unwrap();
    // Blocks of 16 x 16: block 1 has columns 16..; a warp has two rows. Loads: pairs of k.
    let first = lanes(&mmt, &untiled, 1, 1, 2);
    assert_eq!(
        (first[0], first[15], first[16]),
        ([0, 2, 1], [0, 2, 1], [0, 3, 1])
    );
    let second = lanes(&mmt, &untiled, 1, 1, 3);
    let expected = ([0, 16, 1], [0, 31, 1], [0, 16, 1]);
    assert_eq!((second[0], second[15], second[16]), expected);
}

#[test]
fn mm_without_tiles_by_hand() {
    let params = params(Element::Float, 16, 1);
    let mm = Multiply::mm(params).unwrap();
    assert_eq!((mm.grid().blocks, mm.grid().shared_memory), (1, 0));
    let b = lanes(&mm, &params, 0, 7, 1);
    assert_eq!((b[0], b[15], b[16]), ([1, 0, 0], [1, 0, 15], [1, 0, 0]));
    let steps = enumerate::warp(&mm, 0, 7);
    assert_eq!(steps.len(), 1 + 4 * 11 + 1);
    assert_eq!(steps[9], Instruction::Wait);
}

#[test]
fn mt_by_hand() {
    // 64 x 64 in tiles of 32; block 1 moves rows 0.., columns 32..
    let params = params(Element::Float, 64, 32);
    let mt = Transpose::new(params).unwrap();
    assert_eq!((mt.grid().blocks, mt.grid().threads), (4, 256));
    assert_eq!(mt.grid().shared_memory, 32 * 33 * 4);
    // Warp 3 has rows 3, 11, 19, 27.
    let load = lanes(&mt, &params, 1, 3, 1);
    assert_eq!((load[0], load[31]), ([0, 11, 32], [0, 11, 63]));
    let store = lanes(&mt, &params, 1, 3, 5);
    assert_eq!((store[0], store[31]), ([1, 43, 0], [1, 43, 31]));
    let barriers = enumerate::warp(&mt, 1, 3);
    assert_eq!(barriers[7], Instruction::Barrier);
    assert_eq!(barriers.len(), 1 + 4 + 4 + 4);
    // Without tiles a store goes down a column.
    let params = Params { tile: 1, ..params };
    let mt = Transpose::new(params).unwrap();
    let load = lanes(&mt, &params, 1, 3, 1);
    assert_eq!((load[0], load[31]), ([0, 11, 32], [0, 11, 63]));
    let store = lanes(&mt, &params, 1, 3, 5);
    assert_eq!((store[0], store[31]), ([1, 32, 11], [1, 63, 11]));
    assert_eq!(enumerate::warp(&mt, 1, 3).len(), 1 + 4 + 1 + 4);
}

#[test]
fn the_largest_that_fit() {
    // 3 matrices of floats in 256 KiB: 147.8 rows.
    assert_eq!(rows_of(3, Element::Float, 16, 256 << 10), 144);
    assert_eq!(rows_of(2, Element::Double, 32, 2 * 8 * 32 * 32), 32);
    assert_eq!(rows_of(2, Element::Double, 32, 2 * 8 * 32 * 32 - 1), 0);
}

#[test]
fn what_is_refused() {
    let refused = |params| Multiply::mm(params).unwrap_err().to_string();
    let float = Element::Float;
    assert_eq!(
        refused(params(float, 64, 4)),
        "tile is 4, expected one of 1, 8, 16, 32"
    );
    assert_eq!(
        refused(params(float, 40, 16)),
        "size is 40, expected a multiple of the tile of a thread block, which is 16"
    );
    assert_eq!(
        refused(params(float, 8, 1)),
        "size is 8, expected 16 to 131072"
    );
    let eight = Transpose::new(params(float, 64, 8)).unwrap_err();
    assert_eq!(eight.to_string(), "tile is 8, expected one of 1, 16, 32");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn elements_are_touched_as_often_as_the_loop_says(
        (tile, rows) in prop::sample::select(vec![(1, 16), (1, 32), (8, 8), (8, 24), (16, 32), (32, 32)]),
        element in prop::sample::select(Element::ALL.to_vec()),
        transposed: bool,
    ) {
        let params = params(element, rows, tile);
        let kernel = Multiply::new(params, transposed).unwrap();
        // An element is read once by each block that has its row or column, or by each thread.
        let reads = rows / u64::from(tile);
        let operands = if transposed { vec![2 * reads] } else { vec![reads; 2] };
        for (matrix, reads) in operands.iter().enumerate() {
            let times = times(&kernel, &params, Op::Read, matrix as u64);
            prop_assert!(times.iter().all(|times| times == reads), "{:?}", times);
        }
        let result = operands.len() as u64;
        let times = times(&kernel, &params, Op::Write, result);
        prop_assert!(times.iter().all(|times| *times == 1));
    }

    #[test]
    fn what_is_loaded_is_stored_across_the_diagonal(
        (tile, rows) in prop::sample::select(vec![(1, 32), (1, 64), (16, 16), (16, 48), (32, 64)]),
        element in prop::sample::select(Element::ALL.to_vec()),
    ) {
        let params = params(element, rows, tile);
        let kernel = Transpose::new(params).unwrap();
        for (op, matrix) in [(Op::Read, 0), (Op::Write, 1)] {
            let times = times(&kernel, &params, op, matrix);
            prop_assert!(times.iter().all(|times| *times == 1));
        }
        // A block stores where the transpose of what it has loaded goes.
        for block in 0..kernel.grid().blocks {
            let (mut loaded, mut stored) = (vec![], vec![]);
            for warp in 0..kernel.grid().warps() {
                for n in 0..8 {
                    for [_, row, column] in lanes(&kernel, &params, block, warp, n) {
                        if n < 4 { loaded.push((column, row)) } else { stored.push((row, column)) }
                    }
                }
            }
            loaded.sort_unstable();
            stored.sort_unstable();
            prop_assert_eq!(loaded, stored);
        }
    }
}

#[test]
fn every_place_has_its_block() {
    // The last block's last warp, far from the first: no two blocks share results.
    let params = params(Element::Float, 64, 16);
    let mm = Multiply::mm(params).unwrap();
    let last = Place {
        block: mm.grid().blocks - 1,
        warp: mm.grid().warps() - 1,
        step: 1 + 4 * 8,
        lap: 3,
    };
    let Instruction::Memory(store) = mm.instruction(&last) else {
        panic!("no store");
    };
    let end = store.addresses.lane(31) + 4;
    assert_eq!((store.op, end), (Op::Write, mm.extent().end));
}
