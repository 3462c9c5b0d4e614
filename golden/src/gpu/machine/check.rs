//! Consistency checks of the GPU's counts.

use super::{Kernel, Machine};
use crate::gpu::memory;
use crate::gpu::sm::Sum;

/// Counts that do not add up, which is an error of the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Imbalance {
    /// On an SM.
    #[error("SM {sm}, {}: {sum}", .kernel.map_or("all kernels".into(), |k| format!("kernel {k}")))]
    Sm {
        /// The SM.
        sm: usize,
        /// The kernel whose counts they are; all if none.
        kernel: Option<usize>,
        /// The counts.
        sum: Sum,
    },
    /// Between the SMs and what they share.
    #[error("kernel {kernel}: {sum}")]
    Kernel {
        /// The kernel.
        kernel: usize,
        /// The counts.
        sum: Sum,
    },
    /// Behind the SMs.
    #[error("memory: {0}")]
    Memory(#[from] memory::Imbalance),
}

impl Machine {
    /// Whether all counts add up now, at every level; with nothing in flight, also that nothing is
    /// left anywhere.
    ///
    /// # Errors
    /// The first [`Imbalance`].
    pub fn check(&self) -> Result<(), Imbalance> {
        for (number, sm) in self.sms.iter().enumerate() {
            sm.check().map_err(|(kernel, sum)| Imbalance::Sm {
                sm: number,
                kernel,
                sum,
            })?;
        }
        for kernel in &self.kernels {
            let kid = usize::from(kernel.launch.kernel);
            let wrong = |sum| Imbalance::Kernel { kernel: kid, sum };
            self.check_kernel(kernel, kid).map_err(wrong)?;
        }
        Ok(self.memory.check()?)
    }

    fn check_kernel(&self, kernel: &Kernel, kid: usize) -> Result<(), Sum> {
        let stats = self.stats(kid);
        let (sm, memory) = (&stats.sm, &stats.memory);
        let before = kernel.lap * kernel.blocks;
        Sum::equal(
            "blocks started",
            sm.blocks_started,
            "given out",
            before + kernel.given,
        )?;
        Sum::equal(
            "blocks ended",
            sm.blocks_ended,
            "taken back",
            before + kernel.ended,
        )?;
        let taken = memory.reads + memory.writes;
        Sum::equal("requests sent by SMs", sm.sent, "taken by memory", taken)?;
        Sum::equal(
            "replies to SMs",
            sm.replies,
            "given by memory",
            memory.replies,
        )
    }
}
