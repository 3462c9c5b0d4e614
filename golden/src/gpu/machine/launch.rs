//! Kernel launches and the progress of each.

use std::sync::Arc;

use crate::gpu::config::Config;
use crate::gpu::sm::{Occupancy, Resource};
use crate::llc::cache::Geometry;
use crate::model::ParamError;
use crate::workload::program::{Program, WARP};

/// A kernel to run.
#[derive(Debug, Clone)]
pub struct Launch {
    /// What it does.
    pub program: Arc<dyn Program>,
    /// Its KID, its own among the launches.
    pub kernel: u8,
    /// The SMs that it may use, as a mask; those that do not exist are ignored.
    pub sms: u64,
    /// Blocks that an SM may hold of it, beside what fits.
    pub blocks_per_sm: Option<u32>,
    /// The cycle in which its first blocks may come to an SM.
    pub start: u64,
    /// When its grid has ended, it starts again, with [`lap`](crate::workload::program::Place)
    /// one higher.
    pub restart: bool,
}

/// Why there is no such machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A number of the configuration is impossible.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A kernel's KID is none of the L2's.
    #[error("kernel {kernel}: expected a KID below {kernels}, the number of kernels of the L2")]
    UnknownKernel {
        /// The KID.
        kernel: u8,
        /// Number of kernels of the L2.
        kernels: usize,
    },
    /// Two kernels have the same KID.
    #[error("kernel {kernel}: launched twice, expected a KID of its own for each launch")]
    Twice {
        /// The KID.
        kernel: u8,
    },
    /// A kernel may use none of the SMs.
    #[error("kernel {kernel}: none of its SMs exists (mask {mask:#x}), expected one of the {sms}")]
    NoSm {
        /// The KID.
        kernel: u8,
        /// Those it may use.
        mask: u64,
        /// How many there are.
        sms: usize,
    },
    /// A kernel's grid has no blocks, or its blocks no whole warps.
    #[error(
        "kernel {kernel}: a grid of {blocks} blocks of {threads} threads, expected at least one \
         block, and a multiple of {WARP} threads"
    )]
    Grid {
        /// The KID.
        kernel: u8,
        /// Blocks of the grid.
        blocks: u64,
        /// Threads of a block.
        threads: u32,
    },
    /// An SM is too small for a block of a kernel.
    #[error("kernel {kernel}: a block takes {takes} {resource}, expected at most the SM's {has}")]
    DoesNotFit {
        /// The KID.
        kernel: u8,
        /// What is short.
        resource: Resource,
        /// What a block takes.
        takes: u64,
        /// What the SM has.
        has: u64,
    },
    /// A unit for an SM that does not exist.
    #[error("SM {sm} for mem_issue: expected a number below {sms}")]
    UnknownSm {
        /// The SM.
        sm: usize,
        /// How many there are.
        sms: usize,
    },
    /// Something is put into an SM that would miss what has happened.
    #[error("{what} at cycle {cycle}: expected before the first cycle")]
    Started {
        /// What is put there.
        what: &'static str,
        /// The present cycle.
        cycle: u64,
    },
}

impl MachineError {
    /// The KID of the kernel at fault, if one is.
    pub fn kernel(&self) -> Option<u8> {
        match self {
            Self::UnknownKernel { kernel, .. }
            | Self::Twice { kernel }
            | Self::NoSm { kernel, .. }
            | Self::Grid { kernel, .. }
            | Self::DoesNotFit { kernel, .. } => Some(*kernel),
            Self::Param(_) | Self::UnknownSm { .. } | Self::Started { .. } => None,
        }
    }
}

/// A kernel and how far it is.
#[derive(Debug)]
pub(super) struct Kernel {
    pub launch: Launch,
    /// By SM, how many of its blocks that may hold.
    pub most: Vec<u32>,
    pub blocks: u64,
    /// Blocks of this lap that have come to an SM.
    pub given: u64,
    /// Blocks of this lap that have ended.
    pub ended: u64,
    pub lap: u64,
}

impl Kernel {
    /// A kernel that has not begun, if it can run.
    pub(super) fn new(
        config: &Config,
        geometry: &Geometry,
        launch: Launch,
    ) -> Result<Self, MachineError> {
        let kernel = launch.kernel;
        let kernels = geometry.kernels;
        if usize::from(kernel) >= kernels {
            return Err(MachineError::UnknownKernel { kernel, kernels });
        }
        let sms = config.sm.count;
        if launch.sms & (u64::MAX >> (64 - sms)) == 0 {
            let mask = launch.sms;
            return Err(MachineError::NoSm { kernel, mask, sms });
        }
        let grid = launch.program.grid();
        let (blocks, threads) = (grid.blocks, grid.threads);
        if blocks == 0 || threads == 0 || threads % WARP != 0 {
            return Err(MachineError::Grid {
                kernel,
                blocks,
                threads,
            });
        }
        let occupancy = Occupancy::of(&config.sm, &grid);
        if occupancy.blocks == 0 {
            return Err(MachineError::DoesNotFit {
                kernel,
                resource: occupancy.limit,
                takes: occupancy.takes,
                has: occupancy.has,
            });
        }
        if let Some(most) = launch.blocks_per_sm {
            ParamError::range("blocks-per-sm", most.into(), 1, u32::MAX.into())?;
        }
        let most = launch.blocks_per_sm.unwrap_or(u32::MAX);
        let usable = |sm| launch.sms >> sm & 1 == 1;
        Ok(Self {
            most: (0..sms)
                .map(|sm| if usable(sm) { most } else { 0 })
                .collect(),
            launch,
            blocks,
            given: 0,
            ended: 0,
            lap: 0,
        })
    }

    /// One of its blocks has ended; the last of a lap begins the next, if there is one.
    pub(super) fn block_ended(&mut self) {
        self.ended += 1;
        if self.ended == self.blocks && self.launch.restart {
            (self.given, self.ended) = (0, 0);
            self.lap += 1;
        }
    }

    /// A block has come to an SM. Whether it is the last ever.
    pub(super) fn block_given(&mut self) -> bool {
        self.given += 1;
        self.given == self.blocks && !self.launch.restart
    }

    /// Whether a block may come in this cycle to an SM that holds so many.
    pub(super) fn wants(&self, sm: usize, resident: u32, cycle: u64) -> bool {
        self.given < self.blocks && self.launch.start <= cycle && resident < self.most[sm]
    }
}
