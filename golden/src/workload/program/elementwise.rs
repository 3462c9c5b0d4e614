//! Loops over the elements of vectors: `out[i] = a[i] op b[i]`.
//!
//! Source: GDC paper, section IV-A names the kernels (VMA, LADD, DADD, LMUL, DMUL, LDIV, DDIV);
//! the loop is that of CUDA's samples. A thread takes one element, or, with fewer threads than
//! elements, every so manieth one (grid-stride loop). Neighbouring lanes take neighbouring
//! elements, so a warp's load of elements of `b` bytes is one access to `32 b` consecutive bytes.
//!
//! ASSUMPTION: the paper names operations and footprints only. Arrays follow each other, aligned
//! as `cudaMalloc` does; VMA is `d = a * b + c`. Ten instructions come before the first load, as
//! in CUDA's compiled vectorAdd; an iteration of the grid-stride loop ends with an address
//! computation an array, an addition, a comparison and a branch.

use std::ops::Range;

use super::arithmetic::{Element, Operation, ALIGNMENT, INTEGER};
use super::{Addresses, Grid, Instruction, Memory, Place, Program, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// Instructions before the first load.
const PROLOGUE: u32 = 10;
/// Instructions at the end of an iteration beside those of each array.
const EPILOGUE: u32 = 3;
/// Most elements: 2^36 of 8 bytes in 4 arrays stay within a kernel's 2^40 addresses.
const MAX_ELEMENTS: u64 = 1 << 35;

/// What a kernel does with vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// On each element.
    pub operation: Operation,
    /// Of the vectors.
    pub element: Element,
    /// In a vector, at least 1.
    pub elements: u64,
    /// Threads of a block, a multiple of [`WARP`] up to 1024.
    pub threads: u32,
    /// Thread blocks; `None` for one element per thread.
    pub blocks: Option<u64>,
    /// How often the operation is done on an element, at least 1.
    pub times: u32,
    /// Address of the first array, a multiple of [`ALIGNMENT`].
    pub base: u64,
}

impl Params {
    /// The elements of a vector when all arrays together have `footprint` bytes, rounded down to
    /// whole warps.
    pub fn elements_of(operation: Operation, element: Element, footprint: u64) -> u64 {
        let arrays = u64::from(operation.inputs() + 1);
        footprint / (arrays * u64::from(element.bytes() * WARP)) * u64::from(WARP)
    }
}

/// A loop over the elements of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elementwise {
    params: Params,
    grid: Grid,
    /// Bytes from one array to the next.
    pitch: u64,
}

impl Elementwise {
    /// The kernel.
    ///
    /// # Errors
    /// [`ParamError`] for vectors without elements or too many of them, blocks that no SM takes, a
    /// base that is not aligned.
    pub fn new(params: Params) -> Result<Self, ParamError> {
        ParamError::range("elements", params.elements, 1, MAX_ELEMENTS)?;
        ParamError::range("compute", params.times.into(), 1, 1 << 20)?;
        super::check_threads(params.threads)?;
        super::check_base(params.base)?;
        let needed = params.elements.div_ceil(params.threads.into());
        let blocks = params.blocks.unwrap_or(needed);
        ParamError::range("blocks", blocks, 1, super::MAX_BLOCKS)?;
        let bytes = params.elements * u64::from(params.element.bytes());
        // CUDA's vectorAdd of floats takes 12. ASSUMPTION: those of 8 bytes and quotients more.
        let registers = match (params.operation, params.element) {
            (Operation::Divide, _) => 32,
            (_, Element::Float) => 12,
            (_, Element::Double | Element::Long) => 16,
        };
        Ok(Self {
            params,
            grid: Grid {
                blocks,
                threads: params.threads,
                registers,
                shared_memory: 0,
            },
            pitch: bytes.next_multiple_of(ALIGNMENT),
        })
    }

    /// What it was made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// A warp's access to an array: the elements of a chunk.
    fn access(&self, op: Op, array: u32, chunk: u64) -> Instruction {
        let (warp, bytes) = (u64::from(WARP), self.params.element.bytes());
        let first = chunk * warp;
        let active = (self.params.elements - first).min(warp) as u32;
        Instruction::Memory(Memory {
            op,
            bytes,
            lanes: u32::MAX >> (WARP - active),
            addresses: Addresses::Strided {
                base: self.params.base + u64::from(array) * self.pitch + first * u64::from(bytes),
                stride: bytes.into(),
            },
        })
    }
}

impl Program for Elementwise {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let Params {
            operation, element, ..
        } = self.params;
        let inputs = operation.inputs();
        if place.step == 0 {
            return Instruction::Compute {
                count: PROLOGUE,
                latency: INTEGER,
            };
        }
        // Loads, wait, arithmetic, store, end of the iteration.
        let length = u64::from(inputs) + 4;
        let (iteration, phase) = ((place.step - 1) / length, (place.step - 1) % length);
        let warps = u64::from(self.grid.warps());
        let chunks = self.params.elements.div_ceil(WARP.into());
        let stride = self.grid.blocks * warps;
        let chunk = place.block * warps + u64::from(place.warp) + iteration * stride;
        if chunk >= chunks {
            return Instruction::Exit;
        }
        match phase as u32 {
            array if array < inputs => self.access(Op::Read, array, chunk),
            phase if phase == inputs => Instruction::Wait,
            phase if phase == inputs + 1 => operation.compute(element, self.params.times),
            phase if phase == inputs + 2 => self.access(Op::Write, inputs, chunk),
            _ if chunk + stride >= chunks => Instruction::Exit,
            _ => Instruction::Compute {
                count: inputs + 1 + EPILOGUE,
                latency: INTEGER,
            },
        }
    }

    fn extent(&self) -> Range<u64> {
        let Params {
            operation,
            element,
            elements,
            base,
            ..
        } = self.params;
        let last = base + u64::from(operation.inputs()) * self.pitch;
        base..last + elements * u64::from(element.bytes())
    }
}

#[cfg(test)]
mod tests;
