//! Loops over the elements of arrays.

use super::{Instruction, Shape, ALIGNMENT, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// Reads some arrays and writes one, 32 elements at a time.
#[derive(Debug, Clone)]
pub(super) struct Elementwise {
    base: u64,
    /// Bytes from one array to the next.
    pitch: u64,
    inputs: usize,
    /// Bytes of a warp's elements.
    chunk: u64,
    /// Warps in an array.
    warps: u64,
    compute: u32,
    warp: u64,
    array: usize,
    pub(super) laps: u64,
}

impl Elementwise {
    pub(super) fn new(
        shape: &Shape,
        inputs: usize,
        element: u64,
        compute: u32,
    ) -> Result<Self, ParamError> {
        let arrays = inputs as u64 + 1;
        let chunk = WARP * element;
        let warps = shape.footprint / (arrays * chunk);
        if warps == 0 {
            return Err(ParamError::OutOfRange {
                name: "footprint",
                value: shape.footprint,
                min: arrays * chunk,
                max: u64::MAX,
            });
        }
        Ok(Self {
            base: shape.base,
            pitch: (warps * chunk).next_multiple_of(ALIGNMENT),
            inputs,
            chunk,
            warps,
            compute,
            warp: 0,
            array: 0,
            laps: 0,
        })
    }

    pub(super) fn touched(&self) -> u64 {
        (self.inputs as u64 + 1) * self.warps * self.chunk
    }

    pub(super) fn next(&mut self) -> Instruction {
        let address = self.base + self.array as u64 * self.pitch + self.warp * self.chunk;
        let store = self.array == self.inputs;
        let instruction = Instruction {
            address,
            bytes: self.chunk,
            op: if store { Op::Write } else { Op::Read },
            compute: if store { self.compute } else { 0 },
        };
        self.array += 1;
        if store {
            self.array = 0;
            self.warp += 1;
            if self.warp == self.warps {
                self.warp = 0;
                self.laps += 1;
            }
        }
        instruction
    }
}
