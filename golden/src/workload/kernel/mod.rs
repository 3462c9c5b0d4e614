//! Kernels as the memory instructions of their loops.
//!
//! Source: GDC paper, section IV-A names the kernels; their loops are the textbook ones. A kernel
//! is run by warps of 32 threads that take consecutive elements, so that a warp's load of
//! elements of `b` bytes is one coalesced access to `32 b` consecutive bytes. What comes out are
//! the instructions of one warp after the other, in program order, over and over: a kernel that is
//! done starts again.
//!
//! | kernel | loop | element |
//! | --- | --- | --- |
//! | `vma` | `d[i] = a[i] * b[i] + c[i]` | float, 4 bytes |
//! | `ladd` `lmul` `ldiv` | `c[i] = a[i] op b[i]` | long, 8 bytes |
//! | `dadd` `dmul` `ddiv` | `c[i] = a[i] op b[i]` | double, 8 bytes |
//! | `agg1` | `p = *p`, through all sets | a line |
//! | `agg2` | `p = *p`, through a few sets | a line |
//!
//! ASSUMPTION: the paper names operations and footprints only. Arrays follow each other at the
//! 256 bytes that `cudaMalloc` aligns to; each kernel has a range of addresses of its own; a
//! page's frame is its number.
//!
//! ```
//! use cotenant_golden::workload::kernel::{Kernel, Loop, Shape};
//!
//! // 32 elements of three arrays: one warp.
//! let shape = Shape { body: Loop::Dadd, footprint: 3 * 256, base: 0x1000 };
//! let mut kernel = Kernel::new(shape)?;
//! let trip: Vec<_> = (0..4).map(|_| kernel.next()).collect();
//! let lines: Vec<u64> = trip.iter().map(|i| i.address).collect();
//! assert_eq!(lines, [0x1000, 0x1100, 0x1200, 0x1000]);
//! assert_eq!((trip[2].bytes, kernel.laps()), (256, 1));
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

mod chase;
mod elementwise;

use serde::{Deserialize, Serialize};

use super::Op;
use crate::model::ParamError;
use chase::Chase;
use elementwise::Elementwise;

/// Threads of a warp.
pub const WARP: u64 = 32;
/// Bytes that arrays are aligned to.
pub const ALIGNMENT: u64 = 256;

/// The loop of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Loop {
    /// Vector multiply-add of floats.
    Vma,
    /// Sum of vectors of longs.
    Ladd,
    /// Sum of vectors of doubles.
    Dadd,
    /// Product of vectors of longs.
    Lmul,
    /// Product of vectors of doubles.
    Dmul,
    /// Quotient of vectors of longs.
    Ldiv,
    /// Quotient of vectors of doubles.
    Ddiv,
    /// A chain of loads, each to the line after the last.
    Agg1,
    /// A chain of loads in a few of the cache's sets.
    Agg2,
}

impl Loop {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Vma,
        Self::Ladd,
        Self::Dadd,
        Self::Lmul,
        Self::Dmul,
        Self::Ldiv,
        Self::Ddiv,
        Self::Agg1,
        Self::Agg2,
    ];

    /// Its name in scenarios.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vma => "vma",
            Self::Ladd => "ladd",
            Self::Dadd => "dadd",
            Self::Lmul => "lmul",
            Self::Dmul => "dmul",
            Self::Ldiv => "ldiv",
            Self::Ddiv => "ddiv",
            Self::Agg1 => "agg1",
            Self::Agg2 => "agg2",
        }
    }

    /// Arrays read, bytes of an element, cycles of arithmetic a warp; none for a chain.
    ///
    /// ASSUMPTION: a multiply-add or sum takes a few cycles; a product of longs is made of
    /// multiplications of 32 bits, a quotient of a sequence of instructions.
    const fn elementwise(self) -> Option<(usize, u64, u32)> {
        match self {
            Self::Vma => Some((3, 4, 4)),
            Self::Ladd => Some((2, 8, 8)),
            Self::Dadd => Some((2, 8, 8)),
            Self::Lmul => Some((2, 8, 20)),
            Self::Dmul => Some((2, 8, 8)),
            Self::Ldiv => Some((2, 8, 140)),
            Self::Ddiv => Some((2, 8, 100)),
            Self::Agg1 | Self::Agg2 => None,
        }
    }

    /// Each instruction needs what the one before has loaded.
    pub const fn chained(self) -> bool {
        self.elementwise().is_none()
    }
}

/// A kernel's loop and where its data are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The loop.
    pub body: Loop,
    /// Bytes of all arrays, rounded down to whole warps of elements.
    pub footprint: u64,
    /// Address of the first array, a multiple of [`ALIGNMENT`].
    pub base: u64,
}

/// A warp's memory instruction: consecutive bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// The first byte.
    pub address: u64,
    /// How many there are.
    pub bytes: u64,
    /// Load or store.
    pub op: Op,
    /// Cycles of arithmetic since the instruction before.
    pub compute: u32,
}

/// A kernel that runs.
#[derive(Debug, Clone)]
pub struct Kernel {
    shape: Shape,
    body: Body,
}

#[derive(Debug, Clone)]
enum Body {
    Elementwise(Elementwise),
    Chase(Chase),
}

impl Kernel {
    /// A kernel at its start.
    ///
    /// # Errors
    /// [`ParamError`] for a footprint that holds no warp's elements or line, or a base that is
    /// not aligned. `agg2` is made by [`few_sets`](Kernel::few_sets).
    pub fn new(shape: Shape) -> Result<Self, ParamError> {
        Self::check(&shape)?;
        let body = match shape.body.elementwise() {
            Some((inputs, element, compute)) => {
                Body::Elementwise(Elementwise::new(&shape, inputs, element, compute)?)
            }
            None => Body::Chase(Chase::lines(&shape)?),
        };
        Ok(Self { shape, body })
    }

    /// A chain of loads that touches `sets` consecutive sets of a cache only: the first lines of
    /// each `stride` bytes, which is what all sets of the cache span.
    ///
    /// # Errors
    /// [`ParamError`] as [`new`](Kernel::new), and if the sets do not fit the stride.
    pub fn few_sets(shape: Shape, sets: u64, stride: u64) -> Result<Self, ParamError> {
        Self::check(&shape)?;
        let body = Body::Chase(Chase::few_sets(&shape, sets, stride)?);
        Ok(Self { shape, body })
    }

    fn check(shape: &Shape) -> Result<(), ParamError> {
        if shape.base % ALIGNMENT != 0 {
            return Err(ParamError::NotMultiple {
                name: "base",
                value: shape.base,
                of: "the alignment of arrays",
                divisor: ALIGNMENT,
            });
        }
        Ok(())
    }

    /// Loop and place.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Bytes that it touches.
    pub fn touched(&self) -> u64 {
        match &self.body {
            Body::Elementwise(body) => body.touched(),
            Body::Chase(body) => body.touched(),
        }
    }

    /// The next instruction.
    #[allow(clippy::should_implement_trait)] // It never ends.
    #[inline]
    pub fn next(&mut self) -> Instruction {
        match &mut self.body {
            Body::Elementwise(body) => body.next(),
            Body::Chase(body) => body.next(),
        }
    }

    /// How often it has come to its end.
    pub fn laps(&self) -> u64 {
        match &self.body {
            Body::Elementwise(body) => body.laps,
            Body::Chase(body) => body.laps,
        }
    }
}

#[cfg(test)]
mod tests;
