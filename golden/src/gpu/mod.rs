//! A GPU model, which gives the shared cache its accesses with their timing.
//!
//! | module | holds |
//! | --- | --- |
//! | [`machine`] | kernels on SMs, and all that is behind them, cycle by cycle |
//! | [`sm`] | a streaming multiprocessor: schedulers, load/store unit, L1D |
//! | [`memory`] | crossbar, L2, DRAM |
//! | [`config`] | what a GPU is made of |
//!
//! A GPU is anything that hands its L2's accesses out in order, each with its cycle ([`Gpu`]): the
//! units beside the L2 see nothing else of it.

pub mod config;
pub mod machine;
pub mod memory;
pub mod sm;

use crate::llc::cache::{Counts, Geometry, Outcome, Stack};
use crate::workload::Access;

pub use machine::Machine;

/// An access that reaches a bank of the L2.
#[derive(Debug, Clone, Copy)]
pub struct Reached<'a> {
    /// The cycle.
    pub cycle: u64,
    /// The bank, which takes one access per cycle.
    pub bank: usize,
    /// The access.
    pub access: &'a Access,
    /// The set's replacement bits before it.
    pub before: &'a Stack,
    /// What became of it.
    pub outcome: &'a Outcome,
}

/// What a kernel has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KernelActivity {
    /// Memory instructions that its SM has issued.
    pub instructions: u64,
    /// Requests that reached the L2, one per line.
    pub requests: u64,
    /// Of them, those that had to wait for a line that was on its way already; tag hits.
    pub merged: u64,
    /// Cycles that its requests took, from issue to answer, summed.
    pub latency: u64,
    /// Requests that were answered.
    pub answered: u64,
    /// Times that it came to its end and started again.
    pub laps: u64,
}

/// A GPU that accesses a shared cache.
pub trait Gpu {
    /// The shared cache's dimensions.
    fn geometry(&self) -> &Geometry;

    /// The present cycle.
    fn cycle(&self) -> u64;

    /// Goes on to the end of `cycle`, with a call of `reached` for each access to the L2, in
    /// order. `reached` returns whether to go on; if not, it stops after that access's cycle.
    fn run_to(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool);

    /// What the cache has counted.
    fn counts(&self) -> Counts;

    /// What each kernel has done.
    fn activity(&self) -> &[KernelActivity];
}

/// The positions of the ones of a mask, lowest first.
#[derive(Debug, Clone)]
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros())?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
