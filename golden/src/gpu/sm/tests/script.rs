//! Small programs and a small GPU, for tests of SMs and machines.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::gpu::config::{self, Config, Index, Policy};
use crate::workload::program::{Addresses, Grid, Instruction, Memory, Place, Program};
use crate::workload::Op;

/// A program given as a function.
pub(in crate::gpu) struct Script<F> {
    grid: Grid,
    instruction: F,
}

impl<F> fmt::Debug for Script<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.grid.fmt(f)
    }
}

impl<F: Fn(&Place) -> Instruction + Send + Sync> Program for Script<F> {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn instruction(&self, place: &Place) -> Instruction {
        (self.instruction)(place)
    }

    fn extent(&self) -> Range<u64> {
        0..u64::MAX
    }
}

/// A grid of so many blocks of so many warps.
pub(in crate::gpu) fn grid(blocks: u64, warps: u32) -> Grid {
    Grid {
        blocks,
        threads: 32 * warps,
        registers: 1,
        shared_memory: 0,
    }
}

/// A program of any instructions.
pub(in crate::gpu) fn script(
    grid: Grid,
    instruction: impl Fn(&Place) -> Instruction + Send + Sync + 'static,
) -> Arc<dyn Program> {
    Arc::new(Script { grid, instruction })
}

/// A program in which each warp does the same, and then exits.
pub(in crate::gpu) fn same(grid: Grid, steps: &[Instruction]) -> Arc<dyn Program> {
    let steps = steps.to_vec();
    script(grid, move |place| at(&steps, place.step))
}

/// The instruction at a step, exit after the last.
pub(in crate::gpu) fn at(steps: &[Instruction], step: u64) -> Instruction {
    let step = steps.get(step as usize).copied();
    step.unwrap_or(Instruction::Exit)
}

pub(in crate::gpu) fn compute(count: u32, latency: u32) -> Instruction {
    Instruction::Compute { count, latency }
}

/// One lane's access of 4 bytes: one sector of one line.
pub(in crate::gpu) fn one(op: Op, base: u64) -> Instruction {
    lanes(op, 1, base, 0)
}

/// An access of 4 bytes by the first `count` lanes.
pub(in crate::gpu) fn lanes(op: Op, count: u32, base: u64, stride: u64) -> Instruction {
    Instruction::Memory(Memory {
        op,
        bytes: 4,
        lanes: u32::MAX >> (32 - count),
        addresses: Addresses::Strided { base, stride },
    })
}

/// An SM with one scheduler, an L1D of 4 sets and 2 ways that answers a hit after 5 cycles, and
/// more of anything else than a test needs; a memory system of two partitions.
pub(in crate::gpu) fn config() -> Config {
    Config {
        clock_mhz: 1000,
        sm: config::Sm {
            count: 1,
            schedulers: 1,
            policy: Policy::Gto,
            order: Default::default(),
            threads: 1024,
            warps: 32,
            blocks: 8,
            registers: 1 << 16,
            shared_memory: 1 << 16,
            lsu_queue: 4,
        },
        l1d: config::L1d {
            sets: 4,
            ways: 2,
            line: None,
            index: Index::Bits,
            fill: Default::default(),
            hit_latency: 5,
            mshrs: 8,
            mshr_merges: 4,
            miss_queue: 8,
        },
        crossbar: config::Crossbar {
            flit: 32,
            header: 8,
            latency: 3,
            queue: 4,
        },
        l2: config::L2 {
            partitions: 2,
            index: Index::Bits,
            write_miss: Default::default(),
            hit_latency: 10,
            mshrs: 4,
            mshr_merges: 2,
            miss_queue: 4,
        },
        dram: config::Dram {
            clock_mhz: 700,
            banks: 4,
            row: 1024,
            bus: 16,
            queue: 8,
            t_rp: 3,
            t_rcd: 3,
            t_ras: 8,
            t_cl: 3,
            latency: 7,
        },
    }
}
