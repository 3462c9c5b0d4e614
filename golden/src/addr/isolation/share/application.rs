//! Applications as streams of memory accesses with compute between them.
//!
//! Source: Fractional GPUs, table I (MM, SN, VA, SP, FWT from NVIDIA's CUDA samples, CFD from
//! Rodinia) and section V-B (IC: AlexNet in Caffe). The paper gives no sizes.
//!
//! A kernel is a grid of blocks; a block does steps, each of which issues its loads (whole lines),
//! waits for all of them and then computes; at its end it issues its stores and waits for them.
//! What computes takes issue slots of its SM.
//!
//! ASSUMPTION: grids and footprints are those of the samples' sources, made smaller where said so,
//! so that a run is short. ASSUMPTION: instructions of a thread are counted by hand from the
//! sources, with address arithmetic and loop; an SM issues 4 instructions of warps per cycle, as its
//! four schedulers do. ASSUMPTION: nothing hits in the L1: CUDA's loads are not cached there on
//! GTX 1080 by default, and the samples use shared memory where they use data again.

mod samples;

use serde::{Deserialize, Serialize};

use samples::{add, classify, fluid, multiply, scalar_product, sort, walsh};

/// Bytes of a line.
const LINE: u64 = 128;
/// Threads of a warp; of 4 bytes each they read a line.
const WARP: u64 = 32;
/// Instructions of warps that an SM issues per cycle.
const ISSUE: u64 = 4;

/// An application of table I, or image classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum App {
    /// Matrix multiplication: compute-intensive.
    Mm,
    /// Sorting networks: many small kernels.
    Sn,
    /// Vector addition: memory-intensive.
    Va,
    /// Scalar product.
    Sp,
    /// Fast Walsh transform: memory-intensive.
    Fwt,
    /// Computational fluid dynamics: irregular loads, small kernels.
    Cfd,
    /// Image classification: a stand-in of layers.
    Ic,
}

impl App {
    /// Those of table I, in its order.
    pub const TABLE_1: [Self; 6] = [Self::Mm, Self::Sn, Self::Va, Self::Sp, Self::Fwt, Self::Cfd];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mm => "MM",
            Self::Sn => "SN",
            Self::Va => "VA",
            Self::Sp => "SP",
            Self::Fwt => "FWT",
            Self::Cfd => "CFD",
            Self::Ic => "IC",
        }
    }

    /// Its kernels, one after the other.
    pub fn kernels(self) -> Vec<Kernel> {
        match self {
            Self::Mm => vec![multiply(10, 10, 20)],
            Self::Sn => sort(1 << 15),
            Self::Va => vec![add(1 << 20)],
            Self::Sp => vec![scalar_product(256, 4096)],
            Self::Fwt => walsh(1 << 21),
            Self::Cfd => fluid(97_046 / 2),
            Self::Ic => classify(),
        }
    }

    /// Whether its time is that of all, not of its kernels alone (section V-B: "Instead of just
    /// measuring kernel execution time, we measure the total time taken by IC").
    pub fn total_time(self) -> bool {
        self == Self::Ic
    }
}

/// Which lines of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Block after block, step after step.
    Stream,
    /// The tile of the left operand of a product: `width` lines a row, `across` blocks a row.
    Left {
        /// Lines of a row.
        width: u64,
        /// Blocks that share a row of tiles.
        across: u64,
    },
    /// The tile of the right operand: `across` lines a row, one for each column of blocks.
    Right {
        /// Lines of a row, and blocks that share a row of tiles.
        across: u64,
    },
    /// Anywhere in the array, drawn from place and seed.
    Random,
}

/// Accesses to an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array {
    /// Which lines.
    pub pattern: Pattern,
    /// First line of the array in the application's memory.
    pub first: u64,
    /// Lines of the array.
    pub lines: u64,
    /// Lines that a block accesses in a step.
    pub count: u64,
}

impl Array {
    fn stream(first: u64, lines: u64, count: u64) -> Self {
        Self {
            pattern: Pattern::Stream,
            first,
            lines,
            count,
        }
    }

    /// The byte, in the application's memory, of an access: number `index` of a step of a block.
    pub fn offset(&self, block: u64, step: u64, steps: u64, index: u64, seed: u64) -> u64 {
        let line = match self.pattern {
            Pattern::Stream => (block * steps + step) * self.count + index,
            Pattern::Left { width, across } => (block / across * self.count + index) * width + step,
            Pattern::Right { across } => (step * self.count + index) * across + block % across,
            Pattern::Random => mixed(block << 40 ^ step << 20 ^ index ^ seed << 52 ^ self.first),
        };
        (self.first + line % self.lines.max(1)) * LINE
    }
}

/// A number that looks drawn (the finalizer of MurmurHash3).
fn mixed(value: u64) -> u64 {
    let value = (value ^ value >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let value = (value ^ value >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Threads of a block.
    pub threads: u64,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Steps of a block.
    pub steps: u64,
    /// Cycles of an SM's issue that a step takes.
    pub compute: u64,
    /// What a step loads.
    pub loads: Vec<Array>,
    /// What a block stores at its end, as one step.
    pub stores: Vec<Array>,
}

impl Kernel {
    /// A kernel of blocks of so many threads, each with so many instructions a step.
    fn new(threads: u64, blocks: u64, steps: u64, instructions: u64) -> Self {
        Self {
            threads,
            blocks,
            steps,
            compute: (instructions * threads).div_ceil(WARP * ISSUE),
            loads: vec![],
            stores: vec![],
        }
    }

    /// A kernel of blocks that do nothing.
    pub(super) fn empty(threads: u64, blocks: u64) -> Self {
        Self::new(threads, blocks, 0, 0)
    }

    fn loads(mut self, arrays: impl IntoIterator<Item = Array>) -> Self {
        self.loads.extend(arrays);
        self
    }

    fn stores(mut self, arrays: impl IntoIterator<Item = Array>) -> Self {
        self.stores.extend(arrays);
        self
    }

    /// Lines that it accesses in all.
    pub fn accesses(&self) -> u64 {
        let sum = |arrays: &[Array]| arrays.iter().map(|it| it.count).sum::<u64>();
        self.blocks * (self.steps * sum(&self.loads) + sum(&self.stores))
    }
}

/// Bytes of memory that kernels use.
pub fn footprint(kernels: &[Kernel]) -> u64 {
    let arrays = kernels
        .iter()
        .flat_map(|it| it.loads.iter().chain(&it.stores));
    arrays.map(|it| it.first + it.lines).max().unwrap_or(0) * LINE
}

#[cfg(test)]
mod tests;
