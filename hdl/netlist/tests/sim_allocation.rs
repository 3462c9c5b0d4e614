//! A cycle allocates nothing, in either engine; neither does observing, nor
//! saving and restoring into what is there.
//!
//! The allocator of this binary counts. The check itself is checked: a
//! `save`, which returns a new vector, must be counted.

use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_units::llc::{Gdcu, LruStack};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(f: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    f();
    COUNT.with(Cell::get) - before
}

fn check<B: Block>(mut block: B, engine: Engine) {
    block.connect_all();
    let netlist = elaborate(&block, "dut").unwrap();
    let mut sim = Sim::with_engine(&netlist, engine).unwrap();
    let mut observer = sim.observer();
    let valid = sim.layout().input("access_valid").unwrap();
    let mut state = sim.save();
    let count = allocations(|| {
        for _ in 0..100 {
            sim.set(valid, 1);
            sim.eval();
            sim.step();
            observer.observe(&sim);
            sim.save_into(&mut state).unwrap();
            sim.restore(&state).unwrap();
        }
    });
    assert_eq!(count, 0);
    assert_ne!(allocations(|| drop(sim.save())), 0);
}

#[test]
fn nothing_is_allocated_in_a_cycle() {
    for engine in [Engine::Interpreter, Engine::default()] {
        check(<Gdcu!(16, 4, 21, 1)>::default(), engine);
        check(<LruStack!(16, 4)>::default(), engine);
    }
}
