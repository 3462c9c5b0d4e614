//! The kernels and the SM of Dai et al. (HPCA 2018), as far as memory issue needs them.

use cotenant_golden::workload::program::table2::{Benchmark, BENCHMARKS};

/// A row of the paper's table 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// Its name there.
    pub name: &'static str,
    /// Compute instructions per memory instruction: `Cinst/Minst`.
    pub compute: u64,
    /// Requests per memory instruction: `Req/Minst`.
    pub requests: u64,
    /// Misses of 100 requests: `l1d_miss_rate`, alone on the GPU.
    pub misses: u64,
    /// Reservation failures of 100 requests: `l1d_rsfail_rate`, alone on the GPU.
    pub failures: u64,
}

/// backprop, compute-intensive.
pub const BP: Kernel = Kernel::of(&BENCHMARKS[4]);

/// spmv, memory-intensive.
pub const SV: Kernel = Kernel::of(&BENCHMARKS[8]);

/// kmeans, memory-intensive.
pub const KS: Kernel = Kernel::of(&BENCHMARKS[11]);

/// ATAX, memory-intensive.
pub const AX: Kernel = Kernel::of(&BENCHMARKS[12]);

/// MSHRs of an SM (table 1).
pub const MSHRS: u64 = 128;

/// Warps of an SM (table 1); all of these kernels fill it alone (table 2, `Thread_oc`).
pub const WARPS: u64 = 96;

impl Kernel {
    const fn of(row: &Benchmark) -> Self {
        Self {
            name: row.name,
            compute: row.compute as u64,
            requests: row.requests as u64,
            misses: row.misses as u64,
            failures: row.failures as u64,
        }
    }

    /// Reservation failures of so many requests, to the nearest.
    pub fn failures_of(&self, requests: u64) -> u64 {
        (requests * self.failures + 50) / 100
    }

    /// Cycles from a miss to its response, to the nearest, that give the table's failures per
    /// request when the kernel keeps all MSHRs busy.
    ///
    /// A request then takes a cycle, and one more a failure; so `misses / (1 + failures)` leave
    /// in a cycle, and by Little's law the MSHRs hold that many times the latency.
    pub fn latency(&self) -> u32 {
        let cycles = MSHRS * (100 + self.failures);
        ((cycles + self.misses / 2) / self.misses) as u32
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: derived numbers, by hand from the paper's.
    use super::*;

    #[test]
    fn rows_are_the_ones_meant() {
        let names = [BP, SV, KS, AX].map(|kernel| kernel.name);
        assert_eq!(names, ["bp", "sv", "ks", "ax"]);
    }

    #[test]
    fn failures_of_an_interval() {
        // 7.96, 5.23 and 79.70 of 1024.
        let failures = [KS, SV, AX].map(|kernel| kernel.failures_of(1024));
        assert_eq!(failures, [8151, 5356, 81_613]);
    }

    #[test]
    fn latencies() {
        // 128 * 8.96 / 1.00, 128 * 6.23 / 0.78, 128 * 80.70 / 0.97, 128 * 1.33 / 0.80
        let latencies = [KS, SV, AX, BP].map(|kernel| kernel.latency());
        assert_eq!(latencies, [1147, 1022, 10_649, 213]);
    }
}
