//! Dense matrices: product (MM), transpose (MT), product with the transpose (MMT).
//!
//! Source: GDC paper, section IV-A names them: "Matrix Multiplication (MM), Matrix Transpose (MT),
//! Matrix Transpose Multiply (MMT)". Loops are those of NVIDIA's samples: `matrixMul` for MM, and
//! `transpose` (Harris, "An Efficient Matrix Transpose in CUDA C/C++", 2013) for MT, each in tiles
//! through shared memory or, with a tile of 1, straight from global memory.
//!
//! ASSUMPTION: matrices are square and row-major and follow each other, aligned as `cudaMalloc`
//! does. MMT is `C = A * Aᵀ`. Sizes, tiles and types are parameters; the paper gives none.
//!
//! | module | holds |
//! | --- | --- |
//! | [`multiply`] | MM and MMT |
//! | [`transpose`] | MT |

pub mod multiply;
pub mod transpose;

pub use multiply::Multiply;
pub use transpose::Transpose;

use super::arithmetic::{Element, ALIGNMENT};
use super::Grid;
use super::{Addresses, Instruction, Memory, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// Most rows: matrices of doubles then stay within a kernel's 2^40 addresses.
const MAX_ROWS: u64 = 1 << 17;

/// Instructions before the first load: the block's and the thread's row and column, and addresses.
/// ASSUMPTION: as many as in CUDA's compiled vectorAdd.
const PROLOGUE: u32 = 10;

/// What a kernel does with matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Of the matrices.
    pub element: Element,
    /// Rows and columns, a multiple of the tile.
    pub rows: u64,
    /// Rows and columns of a tile; 1 for none.
    pub tile: u32,
    /// Address of the first matrix, a multiple of [`ALIGNMENT`].
    pub base: u64,
}

impl Params {
    /// Checks all but the tile, of which a block takes `side` rows and columns.
    fn check(&self, side: u32) -> Result<(), ParamError> {
        ParamError::range("size", self.rows, side.into(), MAX_ROWS)?;
        ParamError::multiple("size", self.rows, "the tile of a thread block", side.into())?;
        super::check_base(self.base)
    }

    /// The grid when a block of so many threads takes `side` rows and columns and, with a tile,
    /// holds so many elements in shared memory.
    fn grid(&self, side: u32, threads: u32, registers: u32, held: u32) -> Grid {
        Grid {
            blocks: (self.rows / u64::from(side)).pow(2),
            threads,
            registers,
            shared_memory: if self.tile == 1 {
                0
            } else {
                held * self.element.bytes()
            },
        }
    }

    /// Bytes from a matrix to the next.
    fn pitch(&self) -> u64 {
        self.bytes().next_multiple_of(ALIGNMENT)
    }

    /// Bytes of a matrix.
    fn bytes(&self) -> u64 {
        self.rows * self.rows * u64::from(self.element.bytes())
    }

    /// Of `matrix`, the access of a warp whose lanes are each at a row and column.
    fn access(&self, op: Op, matrix: u64, at: impl Fn(u64) -> (u64, u64)) -> Instruction {
        let bytes = self.element.bytes();
        let base = self.base + matrix * self.pitch();
        Instruction::Memory(Memory {
            op,
            bytes,
            lanes: u32::MAX,
            addresses: Addresses::Each(std::array::from_fn(|lane| {
                let (row, column) = at(lane as u64);
                base + (row * self.rows + column) * u64::from(bytes)
            })),
        })
    }
}

/// Checks a tile. Squares of other sides leave warps with idle lanes or do not fit a block.
fn check_tile(tile: u32, known: &[u32]) -> Result<(), ParamError> {
    if known.contains(&tile) {
        return Ok(());
    }
    Err(ParamError::NotOneOf {
        name: "tile",
        value: tile.into(),
        known: known.iter().map(|known| u64::from(*known)).collect(),
    })
}

/// The largest matrices that fit: rows, a multiple of `side`, of so many matrices in `footprint`
/// bytes; 0 if none fits.
pub fn rows_of(matrices: u64, element: Element, side: u32, footprint: u64) -> u64 {
    let elements = footprint / (matrices * u64::from(element.bytes()));
    elements.isqrt() / u64::from(side) * u64::from(side)
}

/// Where a thread is in a block of `width` columns, a power of two.
fn thread(warp: u32, lane: u64, width: u32) -> (u64, u64) {
    let number = u64::from(warp * WARP) + lane;
    let shift = width.trailing_zeros();
    (number >> shift, number & (u64::from(width) - 1))
}

#[cfg(test)]
mod tests;
