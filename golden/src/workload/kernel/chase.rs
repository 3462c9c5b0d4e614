//! Chains of loads.

use super::{Instruction, Shape};
use crate::model::ParamError;
use crate::workload::{Op, SECTOR};

/// Bytes of a line, of which each load of a chain takes a sector.
const LINE: u64 = 128;

/// Loads from line to line: groups of lines, a fixed distance apart.
#[derive(Debug, Clone)]
pub(super) struct Chase {
    base: u64,
    /// Lines of a group.
    group: u64,
    /// Bytes from group to group.
    stride: u64,
    groups: u64,
    at: u64,
    pub(super) laps: u64,
}

impl Chase {
    /// Every line of the footprint.
    pub(super) fn lines(shape: &Shape) -> Result<Self, ParamError> {
        ParamError::range("footprint", shape.footprint, LINE, u64::MAX)?;
        Ok(Self {
            base: shape.base,
            group: shape.footprint / LINE,
            stride: 0,
            groups: 1,
            at: 0,
            laps: 0,
        })
    }

    /// The first `sets` lines of each `stride` bytes.
    pub(super) fn few_sets(shape: &Shape, sets: u64, stride: u64) -> Result<Self, ParamError> {
        ParamError::range("sets", sets, 1, stride / LINE)?;
        ParamError::range("footprint", shape.footprint, sets * LINE, u64::MAX)?;
        Ok(Self {
            base: shape.base,
            group: sets,
            stride,
            groups: shape.footprint / (sets * LINE),
            at: 0,
            laps: 0,
        })
    }

    pub(super) fn touched(&self) -> u64 {
        self.groups * self.group * LINE
    }

    pub(super) fn next(&mut self) -> Instruction {
        let (group, line) = (self.at / self.group, self.at % self.group);
        self.at += 1;
        if self.at == self.groups * self.group {
            self.at = 0;
            self.laps += 1;
        }
        Instruction {
            address: self.base + group * self.stride + line * LINE,
            bytes: SECTOR,
            op: Op::Read,
            compute: 0,
        }
    }
}
