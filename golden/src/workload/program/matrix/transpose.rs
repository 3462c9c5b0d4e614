//! `out[j][i] = in[i][j]`: a block moves one square tile, eight rows of threads at a time.
//!
//! As in NVIDIA's sample, a block of `side * side / 4` threads moves a square of `side` rows and
//! columns, four elements per thread. In tiles, they go through shared memory, so that loads and
//! stores are both along rows; without (`tile = 1`; the square has 32 rows) a warp's store goes
//! down a column.
//!
//! ASSUMPTION: shared memory is padded, as in the sample: no access to it is split.

use std::ops::Range;

use super::{thread, Params, PROLOGUE};
use crate::model::ParamError;
use crate::workload::program::arithmetic::INTEGER;
use crate::workload::program::{Grid, Instruction, Place, Program};
use crate::workload::Op;

/// Rows and columns of a square without tiles.
const SIDE: u32 = 32;
/// Elements that a thread moves.
const MOVES: u32 = 4;
/// Tiles that fill warps and fit a block.
const TILES: [u32; 3] = [1, 16, 32];

/// MT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transpose {
    params: Params,
}

impl Transpose {
    /// The kernel.
    ///
    /// # Errors
    /// [`ParamError`] for a tile other than 1, 16 or 32, a size that is no multiple of it (of 32
    /// without tiles) or too large, a base that is not aligned.
    pub fn new(params: Params) -> Result<Self, ParamError> {
        super::check_tile(params.tile, &TILES)?;
        params.check(Self::side(params.tile))?;
        Ok(Self { params })
    }

    /// What it was made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Rows and columns that a block moves.
    pub fn side(tile: u32) -> u32 {
        if tile == 1 {
            SIDE
        } else {
            tile
        }
    }

    /// A warp's n-th load or store. `turned`: along rows of the square across the diagonal.
    fn square(&self, place: &Place, op: Op, turned: bool, n: u64) -> Instruction {
        let side = Self::side(self.params.tile);
        let squares = self.params.rows / u64::from(side);
        let (down, right) = (place.block / squares, place.block % squares);
        let (down, right) = if turned { (right, down) } else { (down, right) };
        let rows = u64::from(side / MOVES);
        let matrix = u64::from(op == Op::Write);
        self.params.access(op, matrix, |lane| {
            let (row, column) = thread(place.warp, lane, side);
            let side = u64::from(side);
            let (row, column) = (down * side + row + n * rows, right * side + column);
            // Without shared memory a thread stores what it has loaded.
            if op == Op::Write && !turned {
                (column, row)
            } else {
                (row, column)
            }
        })
    }
}

impl Program for Transpose {
    fn grid(&self) -> Grid {
        let tile = self.params.tile;
        let side = Self::side(tile);
        // ASSUMPTION: a few registers more than vectorAdd's, for four elements on their way.
        let held = tile * (tile + 1);
        self.params.grid(side, side * side / MOVES, 16, held)
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let tiled = self.params.tile > 1;
        let moves = u64::from(MOVES);
        let shared = Instruction::Compute {
            count: MOVES,
            latency: INTEGER,
        };
        let first_store = if tiled { moves + 5 } else { moves + 2 };
        match place.step {
            0 => Instruction::Compute {
                count: PROLOGUE,
                latency: INTEGER,
            },
            step if step <= moves => self.square(place, Op::Read, false, step - 1),
            step if step == moves + 1 => Instruction::Wait,
            // Into shared memory, all together, out of it.
            step if step < first_store && step == moves + 3 => Instruction::Barrier,
            step if step < first_store => shared,
            step if step < first_store + moves => {
                self.square(place, Op::Write, tiled, step - first_store)
            }
            _ => Instruction::Exit,
        }
    }

    fn extent(&self) -> Range<u64> {
        let base = self.params.base;
        base..base + self.params.pitch() + self.params.bytes()
    }
}
