//! A step of the `llc_monitor` model allocates nothing.
//!
//! Rationale: the model runs beside the netlist for tens of millions of cycles. A counting
//! allocator sees whether any cycle allocates, with every kind of request and snapshots among
//! them. It counts by thread: the harness has one of its own, which allocates when it likes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use cotenant_golden::llc::llc_monitor::{In, LlcMonitor, Params};
use cotenant_golden::Model;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn allocations() -> usize {
    ALLOCATIONS.get()
}

// SAFETY: all is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_step_allocates_nothing() {
    let params = Params {
        ways: 16,
        kernels: 4,
        sets: 64,
        banks: 4,
        tag_w: 36,
        cnt_w: 21,
        stages: 1,
        requesters: 4,
    };
    let mut monitor = LlcMonitor::new(params.clone()).unwrap();
    let mut input = In::idle(&params);
    let before = allocations();
    let mut hits = 0;
    for cycle in 0..5000u32 {
        input.access_valid = 0b1111;
        input.invalidate_valid = u64::from(cycle % 7 == 0);
        input.snapshot = cycle % 100 == 0;
        input.map_valid = cycle % 50 == 0;
        input.map_kid = (cycle / 50 % 4) as u8;
        input.flush = cycle == 2500;
        input.reset = cycle == 4000;
        for bank in 0..4 {
            input.request_set[bank] = cycle * 5 % 64;
            input.access_tag[bank] = u64::from(cycle * 11 % 20);
            input.access_requester[bank] = ((cycle as usize + bank) % 5) as u16;
            input.invalidate_way[bank] = (cycle % 16) as u8;
        }
        hits += black_box(monitor.step(&input)).done_hit.count_ones();
    }
    assert_eq!(allocations() - before, 0);
    assert!(hits > 0, "the run does something");
    drop(black_box(vec![0u8]));
    assert!(allocations() > before, "allocations are seen");
}
