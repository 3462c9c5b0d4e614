//! What the engine keeps of applications, slots and SMs.

use std::collections::VecDeque;

use super::super::application::Kernel;
use super::super::partition::{Pages, Part};
use super::queue::Queue;
use crate::addr::memory::traffic::MemoryEvent;

/// An application on a part of the GPU.
#[derive(Debug)]
pub(in super::super) struct Tenant {
    pub(super) part: Part,
    pub(super) kernels: Vec<Kernel>,
    /// Whether the gaps between its kernels count as its time.
    pub(super) total_time: bool,
    pub(super) pages: Pages,
    pub(super) seed: u64,
    pub(super) kernel: usize,
    /// Blocks of the kernel that were given out.
    pub(super) given: u64,
    /// Where persistent blocks take their work from.
    pub(super) queue: Queue,
    /// Slots that have not run out of blocks.
    pub(super) running: usize,
    pub(super) launched: u64,
    /// Cycles of its kernels, or of all.
    pub(super) cycles: u64,
}

impl Tenant {
    /// An application of which the time of the kernels counts.
    pub(in super::super) fn new(kernels: Vec<Kernel>, part: Part, pages: Pages, seed: u64) -> Self {
        Self {
            part,
            kernels,
            total_time: false,
            pages,
            seed,
            kernel: 0,
            given: 0,
            queue: Queue::default(),
            running: 0,
            launched: 0,
            cycles: 0,
        }
    }

    /// The same, with the gaps between its kernels.
    pub(in super::super) fn with_total_time(self, total_time: bool) -> Self {
        Self { total_time, ..self }
    }
}

/// A slot for blocks on an SM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) tenant: usize,
    pub(super) sm: usize,
    pub(super) block: u64,
    /// Steps done; stores are the last.
    pub(super) step: u64,
    /// Requests that are not answered, and when the last of them is.
    pub(super) pending: u64,
    pub(super) ready: u64,
}

#[derive(Debug, Default)]
pub(super) struct Sm {
    /// Next free cycle of its port.
    pub(super) port: u64,
    /// Slots that compute, and cycles that they still need.
    pub(super) computing: VecDeque<(usize, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    Memory(MemoryEvent),
    /// A tenant's kernel starts.
    Launch(usize),
    /// A slot takes a block.
    Take(usize),
    /// A slot has all it waited for.
    Ready(usize),
    /// The first of an SM's computing slots has had its turn.
    Turn(usize),
}
