//! Coalescing: the requests of a warp instruction, one per line of the L1D.

use crate::workload::coalesce::parts;
use crate::workload::program::{Addresses, Memory, WARP};
use crate::workload::SECTOR;

/// The most requests of an instruction.
///
/// An aligned access of up to 16 bytes lies in one line, which makes one per lane; only misaligned
/// ones touch two.
pub(super) const MOST: usize = 2 * WARP as usize;

/// A request: sectors of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Part {
    /// The line's first byte.
    pub line: u64,
    /// Its sectors.
    pub sectors: u32,
}

/// The requests of an instruction, in the order in which the lanes first touch their lines.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    len: usize,
    parts: [Part; MOST],
}

impl Parts {
    pub(super) const NONE: Self = Self {
        len: 0,
        parts: [Part {
            line: 0,
            sectors: 0,
        }; MOST],
    };

    pub(super) fn as_slice(&self) -> &[Part] {
        &self.parts[..self.len]
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.len = other.len;
        self.parts[..self.len].copy_from_slice(other.as_slice());
    }

    /// The requests of `memory` in lines of `line` bytes.
    pub(super) fn coalesce(&mut self, memory: &Memory, line: u64) {
        self.len = 0;
        let width = u64::from(memory.bytes.clamp(1, 16));
        match &memory.addresses {
            &Addresses::Strided { base, stride } if stride <= width && memory.lanes == u32::MAX => {
                // The lanes overlap or touch: one run of bytes.
                let run = stride * u64::from(WARP - 1) + width;
                parts(base, run, line, |first, sectors| {
                    self.add(first & !(line - 1), sectors)
                });
            }
            &Addresses::Strided { base, stride } => {
                // Addresses rise, and a lane touches two lines at most: one before them does
                // not come back.
                self.lanes(memory.lanes, width, line, Self::add, |lane| {
                    base.wrapping_add(u64::from(lane).wrapping_mul(stride))
                });
            }
            Addresses::Each(addresses) => {
                self.lanes(memory.lanes, width, line, Self::merge, |lane| {
                    addresses[lane as usize]
                });
            }
        }
    }

    #[inline]
    fn lanes(
        &mut self,
        mut lanes: u32,
        width: u64,
        line: u64,
        add: impl Fn(&mut Self, u64, u32),
        address: impl Fn(u32) -> u64,
    ) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            let address = address(lane);
            // Most lanes touch a sector of the line that the lane before has touched.
            let (offset, end) = (address & (line - 1), address % SECTOR + width);
            if let Some(last) = self.parts[..self.len].last_mut() {
                if last.line == address - offset && end <= SECTOR {
                    last.sectors |= 1 << (offset / SECTOR);
                    continue;
                }
            }
            parts(address, width, line, |first, sectors| {
                add(self, first & !(line - 1), sectors);
            });
        }
    }

    /// Adds a touch of one of the last two lines or of a new one.
    #[inline]
    fn add(&mut self, line: u64, sectors: u32) {
        self.merge_since(self.len.saturating_sub(2), line, sectors);
    }

    /// Adds a touch of any line.
    #[inline]
    fn merge(&mut self, line: u64, sectors: u32) {
        self.merge_since(0, line, sectors);
    }

    #[inline]
    fn merge_since(&mut self, first: usize, line: u64, sectors: u32) {
        let known = self.parts[first..self.len].iter_mut().rev();
        match known.into_iter().find(|part| part.line == line) {
            Some(part) => part.sectors |= sectors,
            None => self.push(line, sectors),
        }
    }

    #[inline]
    fn push(&mut self, line: u64, sectors: u32) {
        self.parts[self.len] = Part { line, sectors };
        self.len += 1;
    }
}
