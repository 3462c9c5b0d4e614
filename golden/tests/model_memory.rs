//! A step of the `llc_monitor` and `mem_issue` models, which contain all others, allocates nothing,
//! nor does an access to a cache of any policy but `opt`.
//!
//! Rationale: the models run beside the netlist for tens of millions of cycles. A counting
//! allocator sees whether any cycle allocates, with every kind of request and snapshots, or new
//! limits and quotas, among them. It counts by thread: the harness has one of its own, which
//! allocates when it likes. Caches of policies take traces of any length; their monitors' stacks
//! grow until they are full.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use cotenant_golden::llc::attribution::Mode;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::llc::llc_monitor::{In, LlcMonitor, Params};
use cotenant_golden::mgmt::policy::{Config, Kind, SharedCache};
use cotenant_golden::sm::mem_issue::{self, Limiter, MemIssue, Priority};
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
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
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

#[test]
fn a_step_of_memory_issue_allocates_nothing() {
    for limiter in [Limiter::Smil, Limiter::Milg] {
        for priority in [Priority::Rbmi, Priority::Qbmi] {
            let mut unit = MemIssue::new(mem_issue::Params {
                limiter,
                priority,
                ..mem_issue::Params::paper(8)
            })
            .unwrap();
            let mut grants = 0u64;
            let before = allocations();
            for cycle in 0..40_000u64 {
                let due = |kernel: &u64| cycle > 0 && cycle % (9 + kernel) == 0;
                let wanted = (0..8)
                    .filter(due)
                    .fold(0, |mask, kernel| mask | 1 << kernel);
                let input = mem_issue::In {
                    launch: match cycle {
                        0 => 0xff,
                        15_000 | 30_000 => 0x80,
                        _ => 0,
                    },
                    exit: u64::from(cycle == 10_000),
                    want: wanted,
                    lsu_ready: true,
                    request_valid: cycle % 3 == 0,
                    request_first: cycle % (1 + cycle % 7) == 0,
                    fail_valid: cycle % 3 > 0,
                    lsu_kid: (cycle % 7) as u8,
                    set_valid: cycle % 100 == 0,
                    set_limit: 31,
                    ..mem_issue::In::default()
                };
                let out = black_box(unit.step(&input));
                grants += u64::from(out.grant_valid);
            }
            assert_eq!(allocations() - before, 0, "{limiter:?} {priority:?}");
            assert!(grants > 100, "it did something");
            if let Some(qbmi) = &unit.state().qbmi {
                assert!(
                    qbmi.unit.quota.iter().any(|quota| *quota > 1),
                    "a set was made"
                );
            }
            let limited = |milg: &cotenant_golden::sm::milg::State| !milg.unlimited;
            assert!(limiter == Limiter::Smil || unit.state().milg.iter().any(limited));
        }
    }
}

#[test]
fn an_access_under_a_policy_allocates_nothing() {
    let geometry = Geometry {
        sets: 64,
        ways: 8,
        line: 64,
        kernels: 4,
        banks: 1,
    };
    let run = |cache: &mut SharedCache, numbers: std::ops::Range<u64>| {
        for n in numbers {
            // Application 0 draws, the others stream; all come to all sets.
            let app = n % 4;
            let line = if app == 0 { n * 11 % 700 } else { n };
            cache.access(app as u8, line << 6 | app << 32).unwrap();
        }
    };
    let allocated = |kind: Kind| {
        let policy = kind.policy(&geometry, &Config::new(3), &[]).unwrap();
        let mut cache = SharedCache::new(geometry, policy).unwrap();
        run(&mut cache, 0..20_000);
        cache.end_period(None);
        let before = allocations();
        run(&mut cache, 20_000..40_000);
        allocations() - before
    };
    for kind in Kind::ALL.into_iter().filter(|kind| !kind.needs_future()) {
        assert_eq!(allocated(kind), 0, "{kind}");
    }
}
