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

use serde::{Deserialize, Serialize};

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

/// `matrixMul`: tiles of 32 x 32, a thread for each element, in units of tiles. MM has the sample's
/// own sizes, 320 x 320 times 320 x 640.
fn multiply(down: u64, inner: u64, across: u64) -> Kernel {
    // A row of a tile is a line. For each of 32 steps of the product two reads of shared memory, a
    // multiply-add and the loop; about ten for a tile.
    let (left, right) = (32 * down * inner, 32 * inner * across);
    let array = |pattern, first, lines| Array {
        pattern,
        first,
        lines,
        count: 32,
    };
    let width = inner;
    Kernel::new(1024, down * across, inner, 32 * 4 + 10)
        .loads([
            array(Pattern::Left { width, across }, 0, left),
            array(Pattern::Right { across }, left, right),
        ])
        .stores([Array::stream(left + right, 32 * down * across, 32)])
}

/// `vectorAdd`: 256 threads (figure 1), of 16 instructions. ASSUMPTION: 2^20 elements; the sample's
/// 50000 take no longer than a launch.
fn add(elements: u64) -> Kernel {
    let lines = elements / WARP;
    let array = |number| Array::stream(number * lines, lines, 8);
    Kernel::new(256, elements / 256, 1, 16)
        .loads([array(0), array(1)])
        .stores([array(2)])
}

/// `scalarProd`: 128 blocks of 256 threads, which go through pairs of vectors; the sample has 256
/// pairs of 4096 elements. Eight instructions for each product, two more for the sums at the end.
fn scalar_product(vectors: u64, elements: u64) -> Kernel {
    let lines = vectors * elements / WARP;
    let steps = vectors / 128 * (elements / 256);
    Kernel::new(256, 128, steps, 10)
        .loads([Array::stream(0, lines, 8), Array::stream(lines, lines, 8)])
        .stores([Array::stream(2 * lines, 128, 1)])
}

/// `sortingNetworks`: bitonic sort of keys with values. Blocks of 512 threads sort 1024 elements
/// in shared memory; of larger distances 256 threads exchange a pair each. ASSUMPTION: 2^15
/// elements; the sample goes from 2^10 to 2^20.
fn sort(elements: u64) -> Vec<Kernel> {
    let lines = elements / WARP;
    let arrays = |count| [0, 1].map(|it| Array::stream(it * lines, lines, count));
    // Ten instructions to compare and exchange, in shared memory two more for its barrier.
    let shared = |rounds: u64| {
        Kernel::new(512, elements / 1024, 1, 12 * rounds)
            .loads(arrays(32))
            .stores(arrays(32))
    };
    let global = Kernel::new(256, elements / 512, 1, 20)
        .loads(arrays(16))
        .stores(arrays(16));
    let mut kernels = vec![shared(55)];
    for size in 11..=elements.ilog2() {
        kernels.extend((10..size).map(|_| global.clone()));
        kernels.push(shared(10));
    }
    kernels
}

/// `fastWalshTransform`: in passes of four elements a thread, which lie a quarter of the array
/// apart in the first, then in shared memory, 2048 elements by 512 threads. ASSUMPTION: the first
/// and the last of the passes, of 2^21 elements; the sample has all seven, of 2^23.
fn walsh(elements: u64) -> Vec<Kernel> {
    let lines = elements / WARP;
    let quarters = [0, 1, 2, 3].map(|it| Array::stream(it * lines / 4, lines / 4, 8));
    let whole = [Array::stream(0, lines, 64)];
    vec![
        Kernel::new(256, elements / 1024, 1, 24)
            .loads(quarters)
            .stores(quarters),
        // Six rounds of 20 instructions.
        Kernel::new(512, elements / 2048, 1, 120)
            .loads(whole)
            .stores(whole),
    ]
}

/// `euler3d`: a step of its integration, blocks of 192 threads, an element each: its time step, its
/// fluxes over four faces, its new values. ASSUMPTION: half the elements of Rodinia's
/// `fvcorr.domn.097K`; a warp finds what it needs of its neighbours in two lines for each of four
/// neighbours and five variables, anywhere in the array.
fn fluid(elements: u64) -> Vec<Kernel> {
    let lines = elements.div_ceil(WARP);
    let blocks = elements.div_ceil(192);
    let array = |first: u64, width: u64| Array::stream(first * lines, width * lines, width * 6);
    let (variables, old, fluxes, normals, neighbours, steps) = (0, 5, 10, 15, 27, 31);
    let around = Array {
        pattern: Pattern::Random,
        count: 6 * 4 * 5 * 2,
        ..array(variables, 5)
    };
    vec![
        Kernel::new(192, blocks, 1, 60)
            .loads([array(variables, 5), array(steps, 1)])
            .stores([array(steps + 1, 1)]),
        Kernel::new(192, blocks, 1, 400)
            .loads([
                array(neighbours, 4),
                array(normals, 12),
                array(variables, 5),
                around,
            ])
            .stores([array(fluxes, 5)]),
        Kernel::new(192, blocks, 1, 40)
            .loads([array(old, 5), array(fluxes, 5), array(steps + 1, 1)])
            .stores([array(variables, 5)]),
    ]
}

/// ASSUMPTION: image classification is convolutions as matrix products, each after its image was
/// unfolded, and fully connected layers, which read their weights once; two of each, smaller than
/// those of AlexNet.
fn classify() -> Vec<Kernel> {
    let unfold = add(1 << 17);
    let weights = scalar_product(256, 2048);
    vec![
        unfold.clone(),
        multiply(8, 20, 12),
        unfold,
        multiply(12, 16, 6),
        weights.clone(),
        weights,
    ]
}

#[cfg(test)]
mod tests {
    //! Rationale: numbers are counted by hand from what the samples do; all accesses are within
    //! the footprint, and an array that is streamed is accessed once.
    use std::collections::BTreeSet;

    use super::*;

    const ALL: [App; 7] = [
        App::Mm,
        App::Sn,
        App::Va,
        App::Sp,
        App::Fwt,
        App::Cfd,
        App::Ic,
    ];

    #[test]
    fn kernels_are_those_of_the_samples() {
        let [mm] = &App::Mm.kernels()[..] else {
            panic!()
        };
        assert_eq!(
            (mm.blocks, mm.steps, mm.accesses()),
            (200, 10, 200 * (10 * 64 + 32))
        );
        // A of 320 x 320, B of 320 x 640, C of 320 x 640 elements of 4 bytes.
        assert_eq!(
            footprint(std::slice::from_ref(mm)),
            320 * (320 + 640 + 640) * 4
        );
        assert_eq!(footprint(&App::Va.kernels()), 3 << 22);
        // 1 + 2 + .. + 5 exchanges between blocks, one in shared memory after each size, one before.
        assert_eq!(App::Sn.kernels().len(), 15 + 5 + 1);
        assert_eq!(footprint(&App::Sn.kernels()), 2 << 17);
        let [sp] = &App::Sp.kernels()[..] else {
            panic!()
        };
        assert_eq!((sp.blocks, sp.steps * 256), (128, 2 * 4096));
        assert_eq!(footprint(&App::Fwt.kernels()), 8 << 20);
        assert!(App::Ic.total_time() && !App::Mm.total_time());
    }

    #[test]
    fn accesses_stay_within_the_footprint() {
        for app in ALL {
            let kernels = app.kernels();
            let end = footprint(&kernels);
            for kernel in &kernels {
                for array in kernel.loads.iter().chain(&kernel.stores) {
                    for block in [0, kernel.blocks / 2, kernel.blocks - 1] {
                        let last = kernel.steps - 1;
                        for step in [0, last] {
                            let at = array.offset(block, step, kernel.steps, array.count - 1, 1);
                            assert!(at < end && at % LINE == 0, "{app:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_product_reads_each_tile_of_its_row_and_column() {
        let mm = multiply(2, 3, 4);
        let [left, right] = &mm.loads[..] else {
            panic!()
        };
        let lines = |array: &Array, block| -> BTreeSet<u64> {
            let steps = (0..3).flat_map(|step| (0..32).map(move |index| (step, index)));
            let at = steps.map(|(step, index)| array.offset(block, step, 3, index, 1) / LINE);
            at.collect()
        };
        // Block 5 is in row 1 and column 1 of blocks.
        assert_eq!(lines(left, 5), (32 * 3..64 * 3).collect());
        let column: BTreeSet<u64> = (0..96).map(|row| 64 * 3 + row * 4 + 1).collect();
        assert_eq!(lines(right, 5), column);
        let stream = add(1 << 10).loads[0];
        let all: BTreeSet<u64> = (0..4)
            .flat_map(|block| (0..8).map(move |index| stream.offset(block, 0, 1, index, 1)))
            .collect();
        assert_eq!(all, (0..32).map(|line| line * LINE).collect());
    }
}
