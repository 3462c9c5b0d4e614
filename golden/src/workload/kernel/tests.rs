//! Rationale: a stream that is off by one array or line makes every share wrong and looks right.
//! The first trips of each kind of loop by hand, the bytes touched in a lap, and what is refused.
use std::collections::BTreeSet;

use super::*;

fn shape(body: Loop, footprint: u64) -> Shape {
    Shape {
        body,
        footprint,
        base: 0x10000,
    }
}

#[test]
fn vma_reads_three_arrays_and_writes_one() {
    // 4 arrays of 2 warps: 64 floats, 256 bytes each.
    let mut kernel = Kernel::new(shape(Loop::Vma, 1024)).unwrap();
    let trip: Vec<_> = (0..8).map(|_| kernel.next()).collect();
    let addresses: Vec<u64> = trip.iter().map(|i| i.address - 0x10000).collect();
    assert_eq!(
        addresses,
        [0, 0x100, 0x200, 0x300, 0x80, 0x180, 0x280, 0x380]
    );
    assert!(trip.iter().all(|i| i.bytes == 128));
    let stores: Vec<bool> = trip.iter().map(|i| i.op == Op::Write).collect();
    assert_eq!(stores, [false, false, false, true].repeat(2));
    assert_eq!((kernel.laps(), kernel.touched()), (1, 1024));
    assert_eq!(kernel.next(), trip[0]);
}

#[test]
fn arrays_are_aligned_and_whole_warps() {
    // A quarter more than 3 arrays of 1 warp of doubles.
    let mut kernel = Kernel::new(shape(Loop::Ddiv, 960)).unwrap();
    assert_eq!(kernel.touched(), 768);
    let first: Vec<u64> = (0..3).map(|_| kernel.next().address).collect();
    assert_eq!(first, [0x10000, 0x10100, 0x10200]);
    // 3 warps of floats are 384 bytes; the next array begins at 512.
    let mut kernel = Kernel::new(shape(Loop::Vma, 3 * 4 * 128)).unwrap();
    kernel.next();
    assert_eq!(kernel.next().address, 0x10000 + 512);
}

#[test]
fn chains_touch_what_they_say() {
    let mut all = Kernel::new(shape(Loop::Agg1, 4 * 128)).unwrap();
    let lap: Vec<u64> = (0..5).map(|_| all.next().address - 0x10000).collect();
    assert_eq!(lap, [0, 128, 256, 384, 0]);
    // 2 of 8 sets, 3 lines in each.
    let mut few = Kernel::few_sets(shape(Loop::Agg2, 6 * 128), 2, 8 * 128).unwrap();
    let sets: BTreeSet<u64> = (0..6).map(|_| few.next().address / 128 % 8).collect();
    assert_eq!(sets, BTreeSet::from([0, 1]));
    assert_eq!((few.laps(), few.touched()), (1, 6 * 128));
}

#[test]
fn every_loop_stays_in_its_footprint() {
    for body in Loop::ALL {
        let mut kernel = Kernel::new(shape(body, 96 << 10)).unwrap();
        let mut touched = BTreeSet::new();
        while kernel.laps() == 0 {
            let i = kernel.next();
            touched.extend((i.address..i.address + i.bytes).step_by(32));
        }
        let bytes = touched.len() as u64 * 32;
        // A chain takes a sector of each line.
        let share = if body.chained() { 4 } else { 1 };
        assert_eq!(bytes * share, kernel.touched(), "{body:?}");
        assert!(bytes * share <= 96 << 10, "{body:?}");
    }
}

#[test]
fn what_holds_no_element_is_refused() {
    let refused = |shape| Kernel::new(shape).unwrap_err().to_string();
    assert!(refused(shape(Loop::Dadd, 767)).starts_with("footprint is 767, expected 768"));
    assert!(refused(shape(Loop::Agg1, 127)).starts_with("footprint is 127, expected 128"));
    let odd = Shape {
        base: 100,
        ..shape(Loop::Dadd, 768)
    };
    assert!(refused(odd).starts_with("base is 100, expected a multiple of"));
    let wide = Kernel::few_sets(shape(Loop::Agg2, 1 << 20), 9, 8 * 128).unwrap_err();
    assert!(wide.to_string().starts_with("sets is 9, expected 1 to 8"));
}
