//! A resource of the L1D divided among the kernels of an SM: ways, or the registers and queue entries of
//! misses.
//!
//! Source: Dai et al. (HPCA 2018), section 3.1: "L1 D-cache partitioning, for which UCP
//! (Utility-based Cache Partitioning) is adopted"; section 4.5: partitioned "cache-miss-related
//! resources".
//!
//! ASSUMPTION: UCP's monitors see all loads that are accepted and sample all sets. It decides anew each
//! [`PERIOD`] accesses of the SM by the lookahead of [`utility`](crate::mgmt::policy::utility), with at least one
//! way for each kernel; until then all have as many, what is left over going to the lower ids. A kernel
//! with fewer lines in a set than its ways takes one of those that have more; else one of its own.
//! ASSUMPTION: MSHRs and entries of the miss queue are divided evenly, without what is left over.

use super::l1d::L1d;
use crate::llc::cache::Geometry;
use crate::mgmt::policy::monitor::Monitor;
use crate::mgmt::policy::utility::{lookahead, shares};
use crate::model::ParamError;

/// What of an L1D is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Divided {
    /// The ways, by UCP.
    Ways,
    /// MSHRs and entries of the miss queue, evenly.
    MissEntries,
}

/// Accesses of an SM from one decision of UCP to the next.
pub const PERIOD: u64 = 1 << 14;

/// Ways by kernel.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    monitors: Vec<Monitor>,
    quota: Vec<u64>,
    ways: usize,
    accesses: u64,
}

/// Registers and queue entries by kernel.
#[derive(Debug, Clone)]
pub(super) struct Entries {
    mshrs: u16,
    queue: u16,
    mshrs_used: Vec<u16>,
    queued: Vec<u16>,
}

impl Ways {
    pub(super) fn new(l1d: &L1d, kernels: usize) -> Result<Self, ParamError> {
        let (sets, ways) = l1d.dimensions();
        let geometry = Geometry {
            sets,
            ways,
            line: 128,
            kernels,
            banks: 1,
        };
        let monitor = Monitor::new(&geometry, sets)?;
        Ok(Self {
            quota: shares(&geometry)?,
            monitors: vec![monitor; kernels],
            ways,
            accesses: 0,
        })
    }

    /// A load of a line is accepted.
    pub(super) fn access(&mut self, kernel: u8, set: usize, line: u64) {
        self.monitors[usize::from(kernel)].access(set, line);
        self.accesses += 1;
        if self.accesses % PERIOD == 0 {
            let hits: Vec<&[u64]> = self.monitors.iter().map(|it| it.hits()).collect();
            self.quota = lookahead(self.ways, &hits, 0, &vec![1; hits.len()]);
            self.monitors.iter_mut().for_each(Monitor::clear);
        }
    }

    /// The most lines of a set that a kernel may hold.
    pub(super) fn quota(&self, kernel: u8) -> u64 {
        self.quota[usize::from(kernel)]
    }
}

impl Entries {
    pub(super) fn new(mshrs: usize, queue: usize, kernels: usize) -> Result<Self, ParamError> {
        ParamError::range("kernels", kernels as u64, 1, mshrs.min(queue) as u64)?;
        Ok(Self {
            mshrs: (mshrs / kernels) as u16,
            queue: (queue / kernels) as u16,
            mshrs_used: vec![0; kernels],
            queued: vec![0; kernels],
        })
    }

    /// Whether a kernel may take another MSHR.
    pub(super) fn has_mshr(&self, kernel: u8) -> bool {
        self.mshrs_used[usize::from(kernel)] < self.mshrs
    }

    /// Whether so many more of a kernel's requests may enter the miss queue.
    pub(super) fn has_room(&self, kernel: u8, requests: usize) -> bool {
        usize::from(self.queued[usize::from(kernel)]) + requests <= usize::from(self.queue)
    }

    pub(super) fn take_mshr(&mut self, kernel: u8) {
        self.mshrs_used[usize::from(kernel)] += 1;
    }

    pub(super) fn free_mshr(&mut self, kernel: u8) {
        self.mshrs_used[usize::from(kernel)] -= 1;
    }

    pub(super) fn queue(&mut self, kernel: u8, requests: u16) {
        self.queued[usize::from(kernel)] += requests;
    }

    pub(super) fn send(&mut self, kernel: u8) {
        self.queued[usize::from(kernel)] -= 1;
    }
}
