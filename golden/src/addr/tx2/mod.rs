//! Interference in the last-level cache of NVIDIA's Jetson TX2.
//!
//! Source: Brilli and Burgio, "Interference analysis of shared last-level cache on embedded GP-GPUs
//! with multiple CUDA streams" (TX2), sections II and III, listings 1 and 2, figures 3 to 6.
//!
//! `vadd` or `gemm` runs on one SM of the machine [`tx2`](crate::presets), over and over, beside
//!
//! - the kernel of listing 1 on the other SM, by stride, or
//! - the copy engine, which writes so many lines of the LLC over and over (listing 2).
//!
//! Listing 1 and the text do not agree on how threads go on, so [`Hop`] has both. As listed, a pass of
//! all threads comes to 1024 new bytes of each array whatever the stride, and the rest hits in the
//! LLC; as the text has it, each thread brings a line from a stride of a line on.
//!
//! The slowdown is the time of a run of the kernel as a multiple of its time alone. During the same
//! runs the golden model of the monitor beside the LLC counts who demotes and evicts whose lines,
//! and exact shares of misses are taken from the same accesses.
//!
//! ASSUMPTION: the copy engine is a requester with a port of the crossbar of its own, as a third SM
//! would be. ASSUMPTION: the paper gives no sizes. What `vadd` or `gemm` uses just fits in the LLC
//! (15 of its 16 ways), since the paper explains slowdowns by replacement in the LLC; `r` and `w` of
//! listing 1 have as many bytes as the LLC each. ASSUMPTION: `vadd` and `gemm` have one block of 1024
//! threads at a time, as the interference kernel does: a block is what CUDA keeps on one SM.
//!
//! A warp's access to 128 bytes is one access to the L1D, whose lines are of that length, and four
//! requests to the LLC, which the crossbar's port takes in four cycles.
//!
//! | module | holds |
//! | --- | --- |
//! | `interference` | [`Interference`]: listings 1 and 2 as programs |
//! | `watch` | [`Matrices`]: who pushes out whose lines |
//! | `run` | one run |

mod interference;
mod run;
mod watch;

use rayon::prelude::*;
use serde::Serialize;

use crate::gpu::machine::MachineError;
use crate::model::ParamError;
use crate::presets::{Preset, PresetError};
use crate::workload::Access;
pub use interference::{Hop, Interference, THREADS};
use run::Ran;
pub use watch::Matrices;

/// KID of the kernel that is measured.
pub const KERNEL: usize = 0;
/// KID of the kernel of listing 1.
pub const INTERFERER: usize = 1;
/// KID of the copy engine.
pub const COPY_ENGINE: usize = 2;
/// Runs after which progress is told.
const BATCH: usize = 2;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// Sum of vectors.
    Vadd,
    /// Product of matrices.
    Gemm,
}

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Tx2Config {
    /// The platform: two SMs or more, and an LLC of three kernels or more.
    pub preset: Preset,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// What is beside them.
    pub interference: Vec<Interference>,
    /// Bytes that the kernel uses.
    pub footprint: u64,
    /// Bytes of each array of the interference kernel.
    pub array: u64,
    /// Nanoseconds between two copies: the call, and waiting for its end.
    pub copy_gap_ns: u64,
    /// Runs of the kernel before those that are measured.
    pub warm: u64,
    /// Cycles that are measured, at least; whole runs of the kernel.
    pub cycles: u64,
    /// Cycles after which it is given up.
    pub limit: u64,
}

impl Tx2Config {
    /// Figures 3 to 6: `vadd` and `gemm` beside strides of 1 to 512 elements of one byte, with both
    /// readings of [`Hop`], of 1 to 32 elements of four bytes, and beside copies of 1 to 16384 lines.
    ///
    /// ASSUMPTION: 5 us from a copy to the next, a call of the driver and its end.
    ///
    /// # Errors
    /// [`Tx2Error::Preset`] if the preset `tx2` cannot be read.
    pub fn figures() -> Result<Self, Tx2Error> {
        let preset = Preset::named("tx2")?;
        let lines = preset.llc.capacity() / preset.llc.line;
        let mut interference = vec![];
        for (bytes, hop, most) in [
            (1, Hop::Block, 9),
            (1, Hop::BlockStride, 9),
            (4, Hop::Block, 5),
        ] {
            interference.extend((0..=most).map(|power| Interference::Kernel {
                stride: 1 << power,
                bytes,
                hop,
            }));
        }
        let copies = (0..=lines.ilog2()).step_by(2);
        interference.extend(copies.map(|power| Interference::Copy { lines: 1 << power }));
        Ok(Self {
            kernels: vec![Kernel::Vadd, Kernel::Gemm],
            interference,
            footprint: preset.llc.capacity() / 16 * 15,
            array: preset.llc.capacity(),
            copy_gap_ns: 5000,
            warm: 1,
            cycles: 100_000,
            limit: 50_000_000,
            preset,
        })
    }

    fn check(&self) -> Result<(), Tx2Error> {
        let (llc, machine) = (&self.preset.llc, &self.preset.machine);
        machine.check(llc)?;
        ParamError::range("llc.kernels", llc.kernels as u64, 3, 15)?;
        ParamError::range("machine.sm.count", machine.sm.count as u64, 2, 63)?;
        ParamError::range("footprint", self.footprint, 4 << 10, 1 << 28)?;
        ParamError::range("array", self.array, THREADS * 16, 1 << 28)?;
        ParamError::range("copy-gap-ns", self.copy_gap_ns, 0, 1 << 30)?;
        ParamError::range("warm", self.warm, 0, 1 << 20)?;
        ParamError::range("cycles", self.cycles, 1, 1 << 40)?;
        for interference in &self.interference {
            match *interference {
                Interference::Kernel { stride, bytes, .. } => {
                    ParamError::range("stride", stride, 1, 1 << 20)?;
                    ParamError::range("bytes", bytes.into(), 1, 16)?;
                    let why = "element of the interference kernel is what a lane loads";
                    ParamError::power_of_two("bytes", bytes.into(), why)?;
                }
                Interference::Copy { lines } => ParamError::range("lines", lines, 1, 1 << 20)?,
            }
        }
        Ok(())
    }
}

/// A kernel beside an interferer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tx2Row {
    /// The kernel.
    pub kernel: Kernel,
    /// What is beside it; nothing in the first row of each kernel.
    pub interference: Option<Interference>,
    /// Cycles of the GPU of a run of the kernel, on average.
    pub cycles: f64,
    /// The same as a multiple of what it is alone.
    pub slowdown: f64,
    /// By KID, during the runs that are measured: [`KERNEL`], [`INTERFERER`], [`COPY_ENGINE`].
    pub matrices: Matrices,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Tx2Error {
    /// No such platform.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A number is out of range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The machine cannot run it.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A run takes too long.
    #[error("{kernel:?} beside {interference:?}: {laps} runs in {limit} cycles, expected {asked} or a higher limit")]
    Limit {
        /// The kernel.
        kernel: Kernel,
        /// What is beside it.
        interference: Option<Interference>,
        /// Runs that have ended.
        laps: u64,
        /// Runs that were to end.
        asked: u64,
        /// Cycles.
        limit: u64,
    },
}

/// Makes what sees the accesses to the LLC of one run.
pub type Observers<'a> = &'a (dyn Fn() -> Box<dyn FnMut(&Access) + 'a> + Sync);

/// Nobody.
pub const UNOBSERVED: Observers<'static> = &|| Box::new(|_| {});

/// Measures each kernel alone and beside each interferer. `progress` is told how many runs of how
/// many are done, and returns whether to go on; if not, there are the rows so far. What `observe` makes
/// sees the accesses of a run. Runs are divided among the threads of rayon's pool; the result does not
/// depend on it.
///
/// # Errors
/// [`Tx2Error`] for numbers out of range, or a run that takes longer than the limit.
pub fn interference(
    config: &Tx2Config,
    observe: Observers<'_>,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Vec<Tx2Row>, Tx2Error> {
    config.check()?;
    let mut jobs = vec![];
    for kernel in &config.kernels {
        let others = config.interference.iter().map(|it| Some(*it));
        jobs.extend([None].into_iter().chain(others).map(|it| (*kernel, it)));
    }
    let mut rows: Vec<Tx2Row> = vec![];
    let mut alone = 1.0;
    let mut goes_on = progress(0, jobs.len() as u64);
    for batch in jobs.chunks(BATCH) {
        if !goes_on {
            break;
        }
        let run =
            |(kernel, beside): &(Kernel, _)| run::run(config, *kernel, *beside, &mut *observe());
        let ran: Result<Vec<Ran>, _> = batch.par_iter().map(run).collect();
        for ((kernel, interference), ran) in batch.iter().zip(ran?) {
            if interference.is_none() {
                alone = ran.cycles;
            }
            rows.push(Tx2Row {
                kernel: *kernel,
                interference: *interference,
                cycles: ran.cycles,
                slowdown: ran.cycles / alone,
                matrices: ran.matrices,
            });
        }
        goes_on = progress(rows.len() as u64, jobs.len() as u64);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
