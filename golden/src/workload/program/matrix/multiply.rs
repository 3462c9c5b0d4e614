//! `C = A * B` and `C = A * Aᵀ`: one thread computes one element of C.
//!
//! In tiles, a block of `tile * tile` threads loads a tile of each operand into shared memory,
//! meets at a barrier, multiplies the tiles, meets again, and goes on to the next. A thread loads
//! an element of each, in rows, also of Aᵀ, whose tile is turned round in shared memory.
//!
//! Without tiles (`tile = 1`), blocks of 16 x 16 threads load row and column from global memory.
//! ASSUMPTION: the loop is unrolled four times, as `nvcc` does: eight loads, then arithmetic.
//!
//! ASSUMPTION: for each step of the product a thread reads two elements from shared memory and
//! does one multiply-add; reads follow each other every 4 cycles, as four schedulers share a
//! shared memory that serves one warp per cycle; the sums depend on each other.

use std::ops::Range;

use super::{thread, Params, PROLOGUE};
use crate::model::ParamError;
use crate::workload::program::arithmetic::{Operation, INTEGER};
use crate::workload::program::{Grid, Instruction, Place, Program};
use crate::workload::Op;

/// Rows and columns of a block without tiles.
const SIDE: u32 = 16;
/// Iterations of the loop without tiles that are done at once; a divisor of [`SIDE`].
const UNROLL: u32 = 4;
/// Cycles from a read of shared memory to the next.
const SHARED: u32 = 4;
/// Tiles that fill warps and fit a block.
const TILES: [u32; 4] = [1, 8, 16, 32];

/// MM or MMT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiply {
    params: Params,
    /// The second operand is the first, transposed.
    transposed: bool,
}

impl Multiply {
    /// `C = A * B`.
    ///
    /// # Errors
    /// [`ParamError`] for a tile other than 1, 8, 16 or 32, a size that is no multiple of it (of
    /// 16 without tiles) or too large, a base that is not aligned.
    pub fn mm(params: Params) -> Result<Self, ParamError> {
        Self::new(params, false)
    }

    /// `C = A * Aᵀ`.
    ///
    /// # Errors
    /// As [`mm`](Self::mm).
    pub fn mmt(params: Params) -> Result<Self, ParamError> {
        Self::new(params, true)
    }

    pub(super) fn new(params: Params, transposed: bool) -> Result<Self, ParamError> {
        super::check_tile(params.tile, &TILES)?;
        params.check(Self::side(params.tile))?;
        Ok(Self { params, transposed })
    }

    /// What it was made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Rows and columns of C that a block makes.
    pub fn side(tile: u32) -> u32 {
        if tile == 1 {
            SIDE
        } else {
            tile
        }
    }

    /// Matrices, C included.
    pub fn matrices(transposed: bool) -> u64 {
        if transposed {
            2
        } else {
            3
        }
    }

    /// The row and column of C that a block begins with.
    fn corner(&self, block: u64) -> (u64, u64) {
        let side = u64::from(Self::side(self.params.tile));
        let blocks = self.params.rows / side;
        (block / blocks * side, block % blocks * side)
    }

    /// Element `k` of the row of A, or of the column of B, for each lane.
    fn operand(&self, place: &Place, second: bool, k: u64) -> Instruction {
        let matrix = u64::from(second && !self.transposed);
        let (down, right) = self.corner(place.block);
        self.params.access(Op::Read, matrix, |lane| {
            let (y, x) = thread(place.warp, lane, SIDE);
            match (second, self.transposed) {
                (false, _) => (down + y, k),
                (true, false) => (k, right + x),
                (true, true) => (right + x, k),
            }
        })
    }

    /// A lane's element of the tile of A, or of B, that begins at `k`.
    fn tile(&self, place: &Place, second: bool, k: u64) -> Instruction {
        let matrix = u64::from(second && !self.transposed);
        let (down, right) = self.corner(place.block);
        self.params.access(Op::Read, matrix, |lane| {
            let (y, x) = thread(place.warp, lane, self.params.tile);
            match (second, self.transposed) {
                (false, _) => (down + y, k + x),
                (true, false) => (k + y, right + x),
                // The block's columns are rows of A.
                (true, true) => (right + y, k + x),
            }
        })
    }

    fn store(&self, place: &Place) -> Instruction {
        let result = Self::matrices(self.transposed) - 1;
        let side = Self::side(self.params.tile);
        let (down, right) = self.corner(place.block);
        self.params.access(Op::Write, result, |lane| {
            let (y, x) = thread(place.warp, lane, side);
            (down + y, right + x)
        })
    }

    /// Two loads, wait, into shared memory, barrier, out of shared memory, arithmetic, barrier.
    fn tiled(&self, place: &Place, step: u64) -> Instruction {
        let tile = self.params.tile;
        let (iteration, phase) = (step / 8, step % 8);
        let k = iteration * u64::from(tile);
        if k == self.params.rows {
            return if phase == 0 {
                self.store(place)
            } else {
                Instruction::Exit
            };
        }
        let shared = |count| Instruction::Compute {
            count,
            latency: SHARED,
        };
        match phase {
            0 => self.tile(place, false, k),
            1 => self.tile(place, true, k),
            2 => Instruction::Wait,
            3 => shared(2),
            5 => shared(2 * tile),
            6 => Operation::MultiplyAdd.compute(self.params.element, tile),
            _ => Instruction::Barrier,
        }
    }

    /// Pairs of loads, wait, arithmetic, addresses.
    fn untiled(&self, place: &Place, step: u64) -> Instruction {
        let pairs = u64::from(2 * UNROLL);
        let (iteration, phase) = (step / (pairs + 3), step % (pairs + 3));
        let k = iteration * u64::from(UNROLL);
        if k == self.params.rows {
            return if phase == 0 {
                self.store(place)
            } else {
                Instruction::Exit
            };
        }
        match phase {
            phase if phase < pairs => self.operand(place, phase % 2 == 1, k + phase / 2),
            phase if phase == pairs => Instruction::Wait,
            phase if phase == pairs + 1 => {
                Operation::MultiplyAdd.compute(self.params.element, UNROLL)
            }
            // Two addresses, sum, comparison, branch.
            _ => Instruction::Compute {
                count: 5,
                latency: INTEGER,
            },
        }
    }
}

impl Program for Multiply {
    fn grid(&self) -> Grid {
        let tile = self.params.tile;
        let side = Self::side(tile);
        // ASSUMPTION: registers as `matrixMul` is compiled, which fills an SM with 2048 threads.
        self.params.grid(side, side * side, 32, 2 * tile * tile)
    }

    fn instruction(&self, place: &Place) -> Instruction {
        match place.step.checked_sub(1) {
            None => Instruction::Compute {
                count: PROLOGUE,
                latency: INTEGER,
            },
            Some(step) if self.params.tile == 1 => self.untiled(place, step),
            Some(step) => self.tiled(place, step),
        }
    }

    fn extent(&self) -> Range<u64> {
        let last = Self::matrices(self.transposed) - 1;
        let base = self.params.base;
        base..base + last * self.params.pitch() + self.params.bytes()
    }
}
