//! Rationale: what a single core can do at best is known from the configuration: the ideal CPI, the
//! latency of a lone chain of misses, the bandwidth of memory, the lines that fit the MSHRs. Each
//! mechanism is driven alone to its limit.
use super::*;
use crate::hetero::machine::Stats;

const CYCLES: u64 = 100_000;

fn run(workload: &Workload) -> (Stats, Config) {
    let config = Config::tap();
    let run = Run {
        seed: 5,
        warm_up: CYCLES,
        measured: CYCLES,
    };
    let mut machine = Machine::new(&config, workload, Kind::Lru, run.seed).unwrap();
    (machine.measure(&run).unwrap()[0], config)
}

fn on_cpu(memory: u64, part: Part, slots: u64) -> Stats {
    let application = Application {
        name: "test".into(),
        memory,
        parts: vec![part],
        on: Cpu { slots },
    };
    run(&Workload::of_cpu(application)).0
}

fn on_gpu(memory: u64, part: Part, on: Gpu) -> Stats {
    let application = Application {
        name: "test".into(),
        memory,
        parts: vec![part],
        on,
    };
    run(&Workload::of_gpu(application)).0
}

fn close(value: f64, expected: f64, percent: f64) {
    let off = 100.0 * (value / expected - 1.0).abs();
    assert!(off < percent, "{value}, expected {expected}");
}

#[test]
fn without_misses_a_cpu_core_has_the_ipc_of_its_slots() {
    for (slots, ipc) in [(1, 4.0), (2, 2.0), (4, 1.0)] {
        close(on_cpu(10, Part::looped(1, 4096), slots).ipc(), ipc, 1.0);
    }
}

/// A chain of misses: one at a time, each in a new row of an idle bank or in the open one.
#[test]
fn chained_misses_do_not_overlap_and_others_do() {
    let stats = on_cpu(500, Part::stream(1).chained(), 1);
    // NoC there and back, L3, caches of the core: 70 CPU cycles; memory: t-cl, 4 of the burst and
    // 10 more, 23 of its cycles, since a stream's row is open.
    let latency = 70.0 + 23.0 * 3500.0 / 650.0;
    let misses = stats.misses as f64;
    close(stats.cycles as f64 / misses, latency, 3.0);
    // The window of 168 holds 84 loads, more than there are MSHRs: ten at a time, by which the
    // four channels are not busy.
    let overlapped = on_cpu(500, Part::stream(1), 1);
    let faster = overlapped.ipc() / stats.ipc();
    assert!((8.0..=10.5).contains(&faster), "{faster}");
}

/// One load in 300 instructions: the window never holds two.
#[test]
fn the_window_limits_what_overlaps() {
    let far = on_cpu(2, Part::drawn(1, 1 << 30, 1), 1);
    let chained = on_cpu(2, Part::drawn(1, 1 << 30, 1).chained(), 1);
    // Gaps are drawn: some loads are close enough to overlap.
    let faster = far.ipc() / chained.ipc();
    assert!((1.0..1.3).contains(&faster), "{faster}");
}

#[test]
fn a_gpu_core_has_its_ideal_cpi_with_warps_enough() {
    let on = |warps| Gpu {
        warps,
        loads: 1,
        lines: 1,
    };
    close(on_gpu(50, Part::stream(1), on(48)).cpi(), 2.0, 1.0);
    // One warp waits for each: 20 instructions, then NoC and L3 and memory.
    let alone = on_gpu(50, Part::stream(1), on(1));
    let most = 40.0 + 2.0 + (60.0 / 3500.0 + 50.0 / 650.0) * 1500.0;
    let least = 40.0 + 2.0 + (60.0 / 3500.0 + 23.0 / 650.0) * 1500.0;
    let between = alone.cpi() * 20.0;
    assert!((least..most).contains(&between), "{between}");
    // Two warps overlap, but where both have instructions.
    let faster = on_gpu(50, Part::stream(1), on(2)).ipc() / alone.ipc();
    assert!((1.5..2.0).contains(&faster), "{faster}");
}

#[test]
fn streams_reach_the_bandwidth_and_not_more() {
    let on = Gpu {
        warps: 48,
        loads: 4,
        lines: 4,
    };
    let stats = on_gpu(400, Part::stream(1), on);
    let cycles = stats.cycles as f64 / 6.0;
    let gigabytes = stats.misses as f64 * 64.0 / cycles * 1.5;
    assert!((35.0..=41.7).contains(&gigabytes), "{gigabytes}");
}

/// Hits of the L3 only: one request per cycle of the NoC, as many from each tile.
#[test]
fn the_noc_takes_a_request_per_cycle() {
    let on = Gpu {
        warps: 48,
        loads: 8,
        lines: 8,
    };
    let stats = on_gpu(500, Part::drawn(1, 1 << 20, 1), on);
    let per_cycle = stats.rpkc(6) / 1000.0 * 1500.0 / 3500.0;
    // 64 MSHRs of 6 cores, a latency of 60 cycles and 5 of the L1D: more than enough.
    assert!((0.9..=1.001).contains(&per_cycle), "{per_cycle}");
}
