//! Rationale: access frequency decides GDC's shares, so timing is checked by hand where one can:
//! a chain takes a latency a load, hits are limited by what is in flight, memory by its bandwidth.
//! Then accounts that must close, and that skipping idle cycles changes nothing.
use super::*;
use crate::workload::kernel::{Loop, Shape};

const TIMING: Timing = Timing {
    crossbar: 10,
    hit: 20,
    memory: 100,
    bandwidth: 32,
};

fn geometry(kernels: usize) -> Geometry {
    Geometry {
        sets: 64,
        ways: 4,
        line: 128,
        kernels,
        banks: 4,
    }
}

fn running(body: Loop, footprint: u64, in_flight: u32, kernel: u64) -> Running {
    let shape = Shape {
        body,
        footprint,
        base: (kernel + 1) << 32,
    };
    Running {
        kernel: Kernel::new(shape).unwrap(),
        in_flight,
        start: 0,
    }
}

/// Cycles, kernels and hits of the accesses in the first `cycles` cycles.
fn log(gpu: &mut Bounded, cycles: u64) -> Vec<(u64, u8, bool)> {
    let mut log = vec![];
    gpu.run_to(cycles - 1, &mut |r| {
        log.push((r.cycle, r.access.kernel, r.outcome.hit));
        true
    });
    log
}

#[test]
fn a_chain_waits_for_each_load() {
    // 8 KB in a cache of 32 KB: a lap of misses, then hits only.
    let kernels = vec![running(Loop::Agg1, 8 << 10, 1, 0)];
    let mut gpu = Bounded::new(geometry(1), TIMING, kernels).unwrap();
    let log = log(&mut gpu, 64 * 200);
    // Issued at 0, at the bank at 10, filled 1 + 100 cycles later; the next is issued at once.
    let misses: Vec<_> = (0..64).map(|n| (10 + n * 111, 0, false)).collect();
    assert_eq!(log[..64], misses);
    // A hit takes 10 + 20 cycles.
    let first = log[64].0;
    for (n, access) in log[64..].iter().enumerate() {
        assert_eq!(*access, (first + 30 * n as u64, 0, true));
    }
    assert!(log.len() > 150);
}

#[test]
fn a_kernel_starts_when_it_is_told_to() {
    let mut late = running(Loop::Agg1, 8 << 10, 1, 0);
    late.start = 77;
    let mut gpu = Bounded::new(geometry(1), TIMING, vec![late]).unwrap();
    assert_eq!(log(&mut gpu, 100), [(87, 0, false)]);
}

#[test]
fn hits_are_limited_by_what_is_in_flight_and_by_issue() {
    for (in_flight, every) in [(3, 10), (30, 1), (100, 1)] {
        // A vector of 4 KB: hits after a lap.
        let kernels = vec![running(Loop::Dadd, 4 << 10, in_flight, 0)];
        let mut gpu = Bounded::new(geometry(1), TIMING, kernels).unwrap();
        gpu.run_to(9_999, &mut |_| true);
        let before = gpu.activity()[0].requests;
        gpu.run_to(19_999, &mut |r| r.outcome.hit);
        let requests = gpu.activity()[0].requests - before;
        // Arithmetic pauses a warp of 6 requests for 8 cycles, unless the latency hides them.
        let most = match every {
            1 => 10_000 * 6 / 14,
            _ => 10_000 / every,
        };
        assert!(requests <= most + 1, "{in_flight}: {requests}");
        assert!(requests * 10 >= most * 6, "{in_flight}: {requests}");
    }
}

#[test]
fn memory_moves_its_bandwidth_and_no_more() {
    // 64 KB through a cache of 32 KB: all misses, a line of 128 bytes in 4 cycles.
    let kernels = vec![running(Loop::Ladd, 64 << 10, 1000, 0)];
    let mut gpu = Bounded::new(geometry(1), TIMING, kernels).unwrap();
    gpu.run_to(40_000, &mut |_| true);
    let answered = gpu.activity()[0].answered;
    assert!((9_800..=10_000).contains(&answered), "{answered}");
}

#[test]
fn a_line_on_its_way_is_waited_for() {
    let kernels = (0..2).map(|_| {
        let mut kernel = running(Loop::Agg1, 1 << 10, 1, 0);
        kernel.in_flight = 1;
        kernel
    });
    // Both load the same lines at the same time.
    let mut gpu = Bounded::new(geometry(2), TIMING, kernels.collect()).unwrap();
    let log = log(&mut gpu, 120);
    assert_eq!(log[..2], [(10, 0, false), (11, 1, true)]);
    assert_eq!(gpu.activity()[1].merged, 1);
    // Both are answered when the line comes, not the second after a hit's latency.
    gpu.run_to(140, &mut |_| true);
    assert_eq!(gpu.activity()[0].latency, 111);
    assert_eq!(gpu.activity()[1].latency, 111);
}

fn four() -> Vec<Running> {
    vec![
        running(Loop::Vma, 8 << 10, 16, 0),
        running(Loop::Dadd, 16 << 10, 16, 1),
        running(Loop::Agg1, 64 << 10, 1, 2),
        running(Loop::Lmul, 24 << 10, 4, 3),
    ]
}

#[test]
fn skipping_idle_cycles_changes_nothing() {
    let mut skips = Bounded::new(geometry(4), TIMING, four()).unwrap();
    let mut steps = Bounded::new(geometry(4), TIMING, four())
        .unwrap()
        .every_cycle();
    // In pieces on one side: where a run is cut does not matter either.
    for end in [1_000, 1_001, 20_000] {
        skips.run_to(end, &mut |_| true);
    }
    let mut again = Bounded::new(geometry(4), TIMING, four()).unwrap();
    assert_eq!(log(&mut again, 20_001), log(&mut steps, 20_001));
    assert_eq!(skips.activity(), steps.activity());
    assert_eq!(again.activity(), steps.activity());
    assert_eq!(skips.counts(), steps.counts());
}

#[test]
fn accounts_close() {
    let mut gpu = Bounded::new(geometry(4), TIMING, four()).unwrap();
    let mut last = [None; 4];
    let mut seen = 0;
    gpu.run_to(100_000, &mut |r| {
        seen += 1;
        // A bank takes one access a cycle.
        assert!(last[r.bank] < Some(r.cycle));
        last[r.bank] = Some(r.cycle);
        true
    });
    let counts = gpu.counts();
    assert_eq!(counts.accesses, seen);
    for (kernel, activity) in counts.kernels.iter().zip(gpu.activity()) {
        assert_eq!(kernel.accesses, activity.requests);
        assert_eq!(kernel.hits + kernel.misses, kernel.accesses);
        assert!(activity.merged <= kernel.hits);
        assert!(activity.answered <= activity.requests);
        assert!(activity.laps > 0, "{activity:?}");
    }
    // What was issued is answered, on the way back, or still queued.
    let answered: u64 = gpu.activity().iter().map(|a| a.answered).sum();
    let queued: usize = gpu.queues.iter().map(|queue| queue.len()).sum();
    assert_eq!(answered + gpu.in_flight(), seen + queued as u64);
}

#[test]
fn it_stops_when_it_is_told_to() {
    let mut gpu = Bounded::new(geometry(4), TIMING, four()).unwrap();
    let mut seen = 0;
    gpu.run_to(u64::MAX - 1, &mut |_| {
        seen += 1;
        seen < 100
    });
    // The cycle is finished: at most one more access a bank.
    assert!((100..104).contains(&seen));
    assert_eq!(gpu.counts().accesses, seen);
}

#[test]
fn impossible_gpus_are_refused() {
    let refused = |kernels, timing, running| {
        let gpu = Bounded::new(geometry(kernels), timing, running);
        gpu.unwrap_err().to_string()
    };
    assert!(refused(3, TIMING, four()).starts_with("kernels is 4, expected 3"));
    let none = Timing {
        bandwidth: 0,
        ..TIMING
    };
    assert!(refused(4, none, four()).starts_with("bandwidth is 0"));
    let mut idle = four();
    idle[2].in_flight = 0;
    assert!(refused(4, TIMING, idle).starts_with("in_flight is 0, expected 1"));
}
