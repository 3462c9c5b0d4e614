//! Rationale: numbers are counted by hand from what the samples do; all accesses are within
//! the footprint, and an array that is streamed is accessed once.
use std::collections::BTreeSet;

use super::samples::{add, multiply};
use super::*;

const ALL: [App; 7] = [
    App::Mm,
    App::Sn,
    App::Va,
    App::Sp,
    App::Fwt,
    App::Cfd,
    App::Ic,
];

#[test]
fn kernels_are_those_of_the_samples() {
    let [mm] = &App::Mm.kernels()[..] else {
        panic!()
    };
    assert_eq!(
        (mm.blocks, mm.steps, mm.accesses()),
        (200, 10, 200 * (10 * 64 + 32))
    );
    // A of 320 x 320, B of 320 x 640, C of 320 x 640 elements of 4 bytes.
    assert_eq!(
        footprint(std::slice::from_ref(mm)),
        320 * (320 + 640 + 640) * 4
    );
    assert_eq!(footprint(&App::Va.kernels()), 3 << 22);
    // 1 + 2 + .. + 5 exchanges between blocks, one in shared memory after each size, one before.
    assert_eq!(App::Sn.kernels().len(), 15 + 5 + 1);
    assert_eq!(footprint(&App::Sn.kernels()), 2 << 17);
    let [sp] = &App::Sp.kernels()[..] else {
        panic!()
    };
    assert_eq!((sp.blocks, sp.steps * 256), (128, 2 * 4096));
    assert_eq!(footprint(&App::Fwt.kernels()), 8 << 20);
    assert!(App::Ic.total_time() && !App::Mm.total_time());
}

#[test]
fn accesses_stay_within_the_footprint() {
    for app in ALL {
        let kernels = app.kernels();
        let end = footprint(&kernels);
        for kernel in &kernels {
            for array in kernel.loads.iter().chain(&kernel.stores) {
                for block in [0, kernel.blocks / 2, kernel.blocks - 1] {
                    let last = kernel.steps - 1;
                    for step in [0, last] {
                        let at = array.offset(block, step, kernel.steps, array.count - 1, 1);
                        assert!(at < end && at % LINE == 0, "{app:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_product_reads_each_tile_of_its_row_and_column() {
    let mm = multiply(2, 3, 4);
    let [left, right] = &mm.loads[..] else {
        panic!()
    };
    let lines = |array: &Array, block| -> BTreeSet<u64> {
        let steps = (0..3).flat_map(|step| (0..32).map(move |index| (step, index)));
        let at = steps.map(|(step, index)| array.offset(block, step, 3, index, 1) / LINE);
        at.collect()
    };
    // Block 5 is in row 1 and column 1 of blocks.
    assert_eq!(lines(left, 5), (32 * 3..64 * 3).collect());
    let column: BTreeSet<u64> = (0..96).map(|row| 64 * 3 + row * 4 + 1).collect();
    assert_eq!(lines(right, 5), column);
    let stream = add(1 << 10).loads[0];
    let all: BTreeSet<u64> = (0..4)
        .flat_map(|block| (0..8).map(move |index| stream.offset(block, 0, 1, index, 1)))
        .collect();
    assert_eq!(all, (0..32).map(|line| line * LINE).collect());
}
