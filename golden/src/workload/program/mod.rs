//! Kernels as grids of thread blocks whose warps run instructions.
//!
//! A [`Program`] is a function: which instruction is the n-th of a warp of a block. It has no
//! state, so that any number of SMs can run it in any order, and the same kernel is the same
//! addresses in each run.
//!
//! | module | kernels |
//! | --- | --- |
//! | [`elementwise`] | VMA and sums, products, quotients of vectors: LADD, DADD, LMUL, DMUL, LDIV, DDIV |
//! | [`chase`] | AGG1 and AGG2: each load's address comes from the load before |
//! | [`matrix`] | MM, MT, MMT |
//! | [`synthetic`] | made from numbers: compute and requests per memory instruction, reuse |
//! | [`table2`] | the benchmarks of Dai et al., made so |
//! | [`listed`] | lists of steps with an index expression for each memory instruction |
//! | [`suites`] | the same benchmarks as their sources have them |
//! | [`recorded`] | read from a trace of Accel-Sim |
//! | [`spec`] | any of them as a `[[kernel]]` table of a scenario describes it |
//! | [`arithmetic`] | element types and what their arithmetic costs |
//! | [`permutation`] | orders drawn from a seed, in closed form |

pub mod arithmetic;
pub mod chase;
pub mod elementwise;
pub mod listed;
pub mod matrix;
pub mod permutation;
pub mod recorded;
pub mod spec;
pub mod suites;
pub mod synthetic;
pub mod table2;

#[cfg(test)]
mod enumerate;

pub use spec::{Spec, SpecError};

use std::fmt;
use std::ops::Range;

use crate::model::ParamError;
use crate::workload::Op;

/// Threads of a warp.
pub const WARP: u32 = 32;
/// Threads of a block, at most (CUDA programming guide, compute capabilities).
pub const MAX_THREADS: u32 = 1024;
/// Blocks of a kernel, at most (CUDA programming guide: the grid's x dimension).
pub const MAX_BLOCKS: u64 = (1 << 31) - 1;

/// Checks the threads of a block.
fn check_threads(threads: u32) -> Result<(), ParamError> {
    ParamError::range("threads", threads.into(), WARP.into(), MAX_THREADS.into())?;
    ParamError::multiple("threads", threads.into(), "a warp", WARP.into())
}

/// Checks the address of a kernel's first array.
fn check_base(base: u64) -> Result<(), ParamError> {
    let of = "the alignment of arrays";
    ParamError::multiple("base", base, of, arithmetic::ALIGNMENT)?;
    // What kernels touch spans less than 2^41 bytes.
    ParamError::range("base", base, 0, 1 << 62)
}

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
// One at a time, on the stack: a box for each memory instruction would cost more.
#[allow(clippy::large_enum_variant)]
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
#[allow(clippy::large_enum_variant)] // As above.
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

impl Addresses {
    /// The address of a lane, below [`WARP`].
    pub fn lane(&self, lane: u32) -> u64 {
        match self {
            Self::Strided { base, stride } => base + u64::from(lane) * stride,
            Self::Each(addresses) => addresses[lane as usize],
        }
    }
}

impl Memory {
    /// The addresses of the lanes that take part, in their order.
    pub fn touched(&self) -> impl Iterator<Item = u64> + '_ {
        let active = (0..WARP).filter(|lane| self.lanes >> lane & 1 == 1);
        active.map(|lane| self.addresses.lane(lane))
    }
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
