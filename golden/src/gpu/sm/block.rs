//! Thread blocks on an SM: the resources that they occupy, and how many fit.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::gpu::config;
use crate::workload::program::{Grid, WARP};

/// What of an SM a thread block takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// Threads.
    Threads,
    /// Warps.
    Warps,
    /// 32-bit registers.
    Registers,
    /// Bytes of shared memory.
    SharedMemory,
    /// Block slots.
    Blocks,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Threads => "threads",
            Self::Warps => "warps",
            Self::Registers => "registers",
            Self::SharedMemory => "bytes of shared memory",
            Self::Blocks => "block slots",
        })
    }
}

/// Amounts of all [`Resource`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources([u64; 5]);

impl Resources {
    const KINDS: [Resource; 5] = [
        Resource::Threads,
        Resource::Warps,
        Resource::Registers,
        Resource::SharedMemory,
        Resource::Blocks,
    ];

    /// What an SM has.
    pub fn of(sm: &config::Sm) -> Self {
        Self(
            [
                sm.threads,
                sm.warps,
                sm.registers,
                sm.shared_memory,
                sm.blocks,
            ]
            .map(u64::from),
        )
    }

    /// What a block takes.
    ///
    /// ASSUMPTION: registers are given by the thread, without rounding up to an allocation unit.
    pub fn for_block(grid: &Grid) -> Self {
        let registers = u64::from(grid.threads) * u64::from(grid.registers);
        let [threads, warps, shared_memory] = [
            grid.threads,
            grid.threads.div_ceil(WARP),
            grid.shared_memory,
        ]
        .map(u64::from);
        Self([threads, warps, registers, shared_memory, 1])
    }

    /// Whether there is as much as that of each.
    pub fn covers(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(has, takes)| takes <= *has)
    }

    /// Less what is taken, which is there.
    pub fn take(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(has, n)| *has -= n);
    }

    /// The largest share of one of them that `other` is.
    pub fn dominant_share(&self, other: &Self) -> f64 {
        let shares = self.0.iter().zip(other.0).filter(|(_, takes)| *takes > 0);
        let shares = shares.map(|(has, takes)| takes as f64 / *has as f64);
        shares.fold(0.0, f64::max)
    }

    fn give(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(has, n)| *has += n);
    }
}

/// How many blocks of a kernel an SM holds at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks.
    pub blocks: u32,
    /// What another block would lack first, in the order of [`Resource`].
    pub limit: Resource,
    /// How much of `limit` a block takes.
    pub takes: u64,
    /// How much of `limit` the SM has.
    pub has: u64,
}

impl Occupancy {
    /// The occupancy of an SM by a kernel alone.
    ///
    /// ```
    /// use cotenant_golden::gpu::config::{Order, Policy, Sm};
    /// use cotenant_golden::gpu::sm::{Occupancy, Resource};
    /// use cotenant_golden::workload::program::Grid;
    ///
    /// let sm = Sm {
    ///     count: 16, schedulers: 4, policy: Policy::Gto, order: Order::Rotating, threads: 3072,
    ///     warps: 96, blocks: 16, registers: 96 << 10, shared_memory: 96 << 10, lsu_queue: 2,
    /// };
    /// let grid = Grid { blocks: 100, threads: 256, registers: 48, shared_memory: 0 };
    /// let occupancy = Occupancy::of(&sm, &grid);
    /// // 98304 registers for 256 * 48 per block.
    /// assert_eq!((occupancy.blocks, occupancy.limit), (8, Resource::Registers));
    /// ```
    pub fn of(sm: &config::Sm, grid: &Grid) -> Self {
        let (has, takes) = (Resources::of(sm).0, Resources::for_block(grid).0);
        let blocks = |kind: usize| has[kind].checked_div(takes[kind]);
        let fits = |kind: usize| blocks(kind).unwrap_or(u64::MAX);
        // There is always one: a block takes a block slot.
        let kind = (0..has.len()).min_by_key(|&kind| fits(kind)).unwrap_or(0);
        Self {
            blocks: fits(kind).min(u32::MAX.into()) as u32,
            limit: Resources::KINDS[kind],
            takes: takes[kind],
            has: has[kind],
        }
    }
}

/// A thread block on an SM.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub kernel: u8,
    /// Its number in the grid.
    pub number: u64,
    /// How often the grid was run before.
    pub lap: u64,
    /// Warps that have not ended.
    pub alive: u32,
    /// Warps at a barrier.
    pub at_barrier: u32,
    /// Memory instructions in flight.
    pub in_flight: u32,
    /// Its warps, in their order.
    pub warps: Vec<u16>,
    takes: Resources,
}

/// The thread blocks on an SM.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    free: Resources,
    slots: Vec<Block>,
    vacant: Vec<u16>,
    /// By kernel, its blocks.
    resident: Box<[u32]>,
}

impl Blocks {
    pub(super) fn new(sm: &config::Sm, kernels: usize) -> Self {
        let free = Resources::of(sm);
        let vacant = Block {
            kernel: 0,
            number: 0,
            lap: 0,
            alive: 0,
            at_barrier: 0,
            in_flight: 0,
            warps: vec![],
            takes: Resources([0; 5]),
        };
        Self {
            free,
            slots: vec![vacant; sm.blocks as usize],
            vacant: (0..sm.blocks as u16).rev().collect(),
            resident: vec![0; kernels].into(),
        }
    }

    pub(super) fn fits(&self, grid: &Grid) -> bool {
        self.free.covers(&Resources::for_block(grid))
    }

    pub(super) fn resident(&self, kernel: usize) -> u32 {
        self.resident[kernel]
    }

    /// Memory instructions in flight of all blocks.
    pub(super) fn in_flight(&self) -> u64 {
        // That of a vacant slot is 0, or its block would not have gone.
        self.slots.iter().map(|b| u64::from(b.in_flight)).sum()
    }

    /// A block comes, without warps yet; its slot. Only if it [`fits`](Self::fits).
    pub(super) fn add(&mut self, kernel: u8, grid: &Grid, number: u64, lap: u64) -> Option<u16> {
        let slot = self.vacant.pop()?;
        let block = &mut self.slots[usize::from(slot)];
        block.kernel = kernel;
        block.number = number;
        block.lap = lap;
        block.alive = grid.warps();
        block.at_barrier = 0;
        block.in_flight = 0;
        block.warps.clear();
        block.takes = Resources::for_block(grid);
        self.free.take(&block.takes);
        self.resident[usize::from(kernel)] += 1;
        Some(slot)
    }

    /// A block goes.
    pub(super) fn remove(&mut self, slot: u16) {
        let block = &self.slots[usize::from(slot)];
        self.free.give(&block.takes);
        self.resident[usize::from(block.kernel)] -= 1;
        self.vacant.push(slot);
    }

    pub(super) fn get(&self, slot: u16) -> &Block {
        &self.slots[usize::from(slot)]
    }

    pub(super) fn get_mut(&mut self, slot: u16) -> &mut Block {
        &mut self.slots[usize::from(slot)]
    }
}
