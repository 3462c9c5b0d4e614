//! The thirteen benchmarks of Dai et al., table 2, as [`Synthetic`](super::synthetic::Synthetic)
//! kernels.
//!
//! What a block takes follows from the table's occupancies and the SM of table 1: with so many
//! blocks resident (`TB_occup` of 16), registers, shared memory and threads are shared among them.
//! ASSUMPTION: an SM has 65,536 registers, as preset `maxwell` says, which table 1 leaves out: with
//! them every entry of `RF_oc` is a whole number of registers per thread.
//!
//! ASSUMPTION: reuse patterns and latencies; the paper gives rates only. They are first guesses:
//! - The share of requests to a block's common lines is such that a plain L1D (table 1's, LRU, warps
//!   in turn) misses as often as the table says.
//! - Compute-intensive kernels store an eighth of the time, and compute for as long as it takes to
//!   have about the table's reservation failures on preset `maxwell`. Memory-intensive ones compute
//!   as fast as they can.
//! - Lanes of `ks` and `ax` walk along rows, so lines come up again: they miss nearly always while
//!   all warps run, and hit when few are let through. Those of `ax` walk along rows of one matrix,
//!   whose lines meet in the same sets.

use super::synthetic::{Params, Reuse, Set};
use super::Grid;

/// A benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Benchmark {
    /// Its name in the table.
    pub name: &'static str,
    /// Its name in full, and its suite.
    pub title: &'static str,
    /// What of an SM it fills alone.
    pub occupancy: Occupancy,
    /// Compute instructions per memory instruction: `Cinst/Minst`.
    pub compute: u32,
    /// Requests per memory instruction: `Req/Minst`.
    pub requests: u32,
    /// Misses of 100 requests: `l1d_miss_rate`, alone on the GPU.
    pub misses: u32,
    /// Reservation failures of 100 requests: `l1d_rsfail_rate`, alone on the GPU.
    pub failures: u32,
    /// `M` of `Type`: more than 20 % of cycles are stalls of the load/store unit (section 2.4).
    pub memory_intensive: bool,
    /// Threads of a block; derived.
    pub threads: u32,
    /// Registers of a thread; derived.
    pub registers: u32,
    /// Bytes of shared memory of a block; derived.
    pub shared_memory: u32,
    /// Cycles from a compute instruction to the next; assumed.
    pub latency: u32,
    /// What it uses again; assumed.
    pub reuse: Reuse,
}

/// What a benchmark fills of an SM, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occupancy {
    /// `RF_oc`.
    pub registers: f64,
    /// `SMEM_oc`.
    pub shared_memory: f64,
    /// `Thread_oc`.
    pub threads: f64,
    /// `TB_occup`.
    pub blocks: f64,
}

/// A row: names; the table's four occupancies, two ratios, misses, failures and type; threads of a
/// block, registers of a thread, shared memory of a block; reuse.
macro_rules! row {
    ($name:literal, $title:literal: $rf:literal $smem:literal $thread:literal $tb:literal,
     $compute:literal $requests:literal $misses:literal $failures:literal $type:ident;
     $threads:literal $registers:literal $shared:literal; $latency:literal $reuse:expr) => {
        Benchmark {
            name: $name,
            title: $title,
            occupancy: Occupancy {
                registers: $rf,
                shared_memory: $smem,
                threads: $thread,
                blocks: $tb,
            },
            compute: $compute,
            requests: $requests,
            misses: $misses,
            failures: $failures,
            memory_intensive: row!(@ $type),
            threads: $threads,
            registers: $registers,
            shared_memory: $shared,
            latency: $latency,
            reuse: $reuse,
        }
    };
    (@ C) => { false };
    (@ M) => { true };
}

/// A stream beside lines that a block shares.
const fn reuse(share: u32, lines: u32, touches: u32, stores: u32) -> Reuse {
    Reuse {
        warp: Set { share: 0, lines: 0 },
        block: Set { share, lines },
        touches,
        window: 1,
        rows: false,
        stores,
        in_flight: 1,
    }
}

impl Reuse {
    /// The stream's lines come up after so many instructions; in rows or not.
    const fn again(self, window: u32, rows: bool) -> Self {
        Self {
            window,
            rows,
            ..self
        }
    }
}

/// All of them, in the table's order.
#[rustfmt::skip]
pub const BENCHMARKS: [Benchmark; 13] = [
    row!("cp", "cutcp, Parboil":       87.5 67.0  66.7 100.0, 4  2  45    4 C; 128 28 4116; 128 reuse(659,  2, 1, 125)),
    row!("hs", "hotspot, Rodinia":     98.4 21.9  58.3  43.8, 7  3  97  153 C; 256 36 3072; 134 reuse( 49,  3, 1, 125)),
    row!("dc", "dxtc, CUDA SDK":       56.2 33.3  33.3 100.0, 5  1   9   17 C;  64 36 2048;   4 reuse(930,  1, 1,  10)),
    row!("pf", "pathfinder, Rodinia":  75.0 25.0 100.0  75.0, 6  2  99    0 C; 256 16 2048; 256 reuse( 22,  2, 1, 125)),
    row!("bp", "backprop, Rodinia":    56.2 13.3 100.0  75.0, 6  2  80   33 C; 256 12 1088; 170 reuse(248,  2, 1, 125)),
    row!("bs", "bfs, Rodinia":         75.0  0.0 100.0  37.5, 4  1 100    0 C; 512 16    0; 300 reuse(  0,  0, 1, 125)),
    row!("st", "stencil, Parboil":     75.0  0.0 100.0  37.5, 4  1  67  115 C; 512 16    0; 186 reuse(389,  2, 1, 125)),
    row!("3m", "3mm, Polybench":       56.2  0.0 100.0  75.0, 2  1  63  545 M; 256 12    0;   4 reuse(385,  2, 1,   0)),
    row!("sv", "spmv, Parboil":        75.0  0.0 100.0 100.0, 3  3  78  523 M; 192 16    0;   4 reuse(248,  3, 1,   0)),
    row!("cd", "cfd, Rodinia":        100.0  0.0  33.3 100.0, 9  6  96  723 M;  64 64    0;   4 reuse(115,  6, 1,   0)),
    row!("s2", "sad2, Parboil":        50.0  0.0  66.7 100.0, 2  2  92  680 M; 128 16    0;   4 reuse(100,  2, 1,   0)),
    row!("ks", "kmeans, Rodinia":      56.2  0.0 100.0  75.0, 3 17 100  796 M; 256 12    0;   4 reuse(  0,  0, 2,   0).again(3, false)),
    row!("ax", "ATAX, Polybench":      56.2  0.0 100.0  75.0, 2 11  97 7970 M; 256 12    0;   4 reuse( 37, 11, 4,   0).again(2, true)),
];

impl Benchmark {
    /// The benchmark of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BENCHMARKS.iter().find(|benchmark| benchmark.name == name)
    }

    /// The kernel, of so many blocks whose warps have `length` memory instructions each.
    pub fn params(&self, blocks: u64, length: u64, seed: u64, base: u64) -> Params {
        Params {
            grid: Grid {
                blocks,
                threads: self.threads,
                registers: self.registers,
                shared_memory: self.shared_memory,
            },
            compute: self.compute,
            latency: self.latency,
            requests: self.requests,
            length,
            reuse: self.reuse,
            line: 128,
            seed,
            base,
        }
    }
}

#[cfg(test)]
mod tests;
