//! A kernel alone on the GPU, and what table 2 and figures 3 and 6 say of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::gpu::config::Config;
use crate::gpu::machine::{Launch, Machine, MachineError};
use crate::gpu::sm::{Failures, Stats};
use crate::llc::cache::Geometry;
use crate::workload::program::listed::Numbers;
use crate::workload::program::suites;
use crate::workload::program::table2::Benchmark;

/// How long a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Cycles before what is counted.
    pub warm_up: u64,
    /// Cycles that are counted, at least 1.
    pub measured: u64,
}

/// What a kernel does alone, in the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Solo {
    /// Warp instructions per cycle, on all SMs.
    pub ipc: f64,
    /// Accesses of the L1D by 1000 cycles of an SM, loads and stores.
    pub accesses: f64,
    /// Accesses that do not hit: misses, loads that wait for a line on its way, and stores but for
    /// those that put a line out.
    ///
    /// Source: GPGPU-Sim, `gpu-cache.cc` counts stores as accesses and those without a line as
    /// misses. ASSUMPTION: a hit on a line on its way is a miss, as its cores have it and its caches
    /// do not: only so have pf, bs and bp (0.99, 1.00, 0.80) their rates, whose warps share lines.
    pub miss_rate: f64,
    /// Reservation failures by access.
    pub failure_rate: f64,
    /// Requests by memory instruction.
    pub requests: f64,
    /// Cycles of an SM in which the load/store unit is stalled, as a share.
    pub stall: f64,
    /// Reservation failures by reason.
    pub failures: Failures,
}

impl Window {
    /// The window of a kernel: ten times as long for cp, whose warps load only once in tens of
    /// thousands of cycles.
    pub fn of(self, benchmark: &Benchmark) -> Self {
        let times = if benchmark.name == "cp" { 10 } else { 1 };
        Self {
            warm_up: times * self.warm_up,
            measured: times * self.measured,
        }
    }
}

impl Solo {
    fn of(before: &Stats, after: &Stats, cycles: u64, sms: usize) -> Self {
        let grown = |count: fn(&Stats) -> u64| (count(after) - count(before)) as f64;
        let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
        let sm_cycles = cycles as f64 * sms as f64;
        let accesses = grown(Stats::requests);
        let hits = grown(|s| s.hits) + grown(|s| s.write_evictions);
        let failed = grown(|s| s.failures.total());
        Self {
            ipc: share(grown(Stats::instructions), cycles as f64),
            accesses: share(1000.0 * accesses, sm_cycles),
            miss_rate: share(accesses - hits, accesses),
            failure_rate: share(failed, accesses),
            requests: share(accesses, grown(|s| s.memory)),
            stall: share(failed, sm_cycles),
            failures: Failures {
                line_alloc: after.failures.line_alloc - before.failures.line_alloc,
                miss_queue: after.failures.miss_queue - before.failures.miss_queue,
                mshr_entry: after.failures.mshr_entry - before.failures.mshr_entry,
                mshr_merge: after.failures.mshr_merge - before.failures.mshr_merge,
                rw_pending: after.failures.rw_pending - before.failures.rw_pending,
            },
        }
    }
}

/// Runs a kernel alone on all SMs, over and over, with `blocks` on an SM at most.
///
/// # Errors
/// [`MachineError`] for numbers or a machine that cannot be.
pub fn solo(
    (config, llc): (&Config, Geometry),
    benchmark: &Benchmark,
    numbers: Numbers,
    seed: u64,
    blocks: Option<u32>,
    window: Window,
) -> Result<Solo, MachineError> {
    let launch = Launch {
        program: Arc::new(suites::kernel(benchmark, numbers, seed, 0)?),
        kernel: 0,
        sms: u64::MAX,
        blocks_per_sm: blocks,
        start: 0,
        restart: true,
    };
    let mut machine = Machine::new(config, llc, vec![launch])?;
    let Window { warm_up, measured } = window;
    if warm_up > 0 {
        machine.run_unwatched(warm_up - 1);
    }
    let before = machine.stats(0).sm;
    machine.run_unwatched(warm_up + measured.max(1) - 1);
    let after = machine.stats(0).sm;
    Ok(Solo::of(&before, &after, measured.max(1), config.sm.count))
}
