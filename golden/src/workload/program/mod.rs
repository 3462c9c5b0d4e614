//! Kernels as grids of thread blocks whose warps run instructions.
//!
//! A [`Program`] is a function: which instruction is the n-th of a warp of a block. It has no
//! state, so that any number of SMs can run it in any order, and the same kernel is the same
//! addresses in each run.

use std::fmt;
use std::ops::Range;

use crate::workload::Op;

/// Threads of a warp.
pub const WARP: u32 = 32;

/// The grid of a kernel and what a thread block takes of an SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Thread blocks.
    pub blocks: u64,
    /// Threads of a block, a multiple of [`WARP`].
    pub threads: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
}

impl Grid {
    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.threads / WARP
    }
}

/// A warp's place in its kernel and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The block, below [`Grid::blocks`].
    pub block: u64,
    /// The warp in the block, below [`Grid::warps`].
    pub warp: u32,
    /// Instructions done before.
    pub step: u64,
    /// How often the whole grid was run before.
    pub lap: u64,
}

/// An instruction of a warp. Instructions issue in order; loads are waited for only at
/// [`Wait`](Self::Wait).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instruction {
    /// Arithmetic: so many instructions issued one after the other, each `latency` cycles (at
    /// least 1) after the one before; the next instruction follows after the same time.
    Compute {
        /// How many there are, at least 1.
        count: u32,
        /// Cycles from one to the next.
        latency: u32,
    },
    /// Global memory.
    Memory(Memory),
    /// Goes on when all loads of the warp have returned.
    Wait,
    /// Goes on when all warps of the block that have not ended are at a barrier.
    Barrier,
    /// The warp ends. Its loads and stores may still be on their way.
    Exit,
}

/// A load or store of global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Load or store.
    pub op: Op,
    /// Bytes that each lane touches: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// The lanes that take part, bit 0 being the first thread; at least one.
    pub lanes: u32,
    /// Where.
    pub addresses: Addresses,
}

/// The addresses of a warp's lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// Lane i is at `base + i * stride`.
    Strided {
        /// Lane 0's.
        base: u64,
        /// From lane to lane; 0 for one address.
        stride: u64,
    },
    /// Each lane's own.
    Each([u64; WARP as usize]),
}

/// A kernel.
pub trait Program: fmt::Debug + Send + Sync {
    /// Its grid.
    fn grid(&self) -> Grid;

    /// The instruction at a place. After [`Instruction::Exit`] none is asked for.
    fn instruction(&self, place: &Place) -> Instruction;

    /// The bytes that it may touch, without those between its arrays counted twice; for reports.
    fn extent(&self) -> Range<u64>;
}
