//! Chains of loads: each load's address comes from the load before.
//!
//! Source: GDC paper, section IV-B. AGG1 "performs sustained misses across all cache sets" and
//! accesses the cache "seldom", since it "experiences long memory latencies"; AGG2 "performs
//! sustained misses across a reduced number of sets". Both come from loads that depend on each
//! other over more lines than the cache holds, in an order that is the same each lap: by LRU a line
//! is pushed out before its turn comes again.
//!
//! A warp is a chain. It goes through a part of the lines of its own, each line once per lap.
//!
//! ASSUMPTION: footprints, orders, numbers of chains and of sets; the paper gives none. A load
//! takes 4 bytes per lane, the index of the next line, in one lane unless `lanes` says more.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::arithmetic::INTEGER;
use super::permutation::Permutation;
use super::{Addresses, Grid, Instruction, Memory, Place, Program, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// Bytes that a lane loads.
const INDEX: u32 = 4;
/// Most chains.
const MAX_CHAINS: u64 = 1 << 16;
/// Most lines: of the shortest lines they stay within a kernel's addresses.
const MAX_LINES: u64 = 1 << 32;
/// Bytes between a kernel's first and last line, at most.
const MAX_SPAN: u64 = 1 << 40;

/// In which order a chain goes through its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// By address.
    Sequential,
    /// As a seed draws.
    #[default]
    Random,
}

/// The lines of a chase: groups of neighbouring lines, a fixed distance apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Groups, at least 1.
    pub groups: u64,
    /// Lines of a group, at least 1.
    pub group: u64,
    /// Bytes from one group to the next, at least those of a group.
    pub stride: u64,
    /// Bytes of a line: 32 or more.
    pub line: u64,
}

impl Lines {
    /// All lines of `footprint` bytes.
    pub fn all(footprint: u64, line: u64) -> Self {
        Self {
            groups: 1,
            group: footprint / line.max(1),
            stride: footprint,
            line,
        }
    }

    /// `footprint` bytes in the first `sets` sets of a cache of `all` sets.
    ///
    /// Where a cache's index is the lowest bits of a line's number xored with those above, the
    /// bits above must not change either: the groups are then `all` times as far apart, which in a
    /// cache without xor keeps to the same sets as well.
    pub fn few_sets(footprint: u64, line: u64, sets: u64, all: u64, xor: bool) -> Self {
        Self {
            groups: footprint / (sets * line).max(1),
            group: sets,
            stride: all * line * if xor { all } else { 1 },
            line,
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.groups.saturating_mul(self.group)
    }

    /// The first byte of a line, from the first line's.
    fn offset(&self, index: u64) -> u64 {
        index / self.group * self.stride + index % self.group * self.line
    }
}

/// A chase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Where it goes.
    pub lines: Lines,
    /// In which order.
    pub order: Order,
    /// Draws the order.
    pub seed: u64,
    /// Chains, a warp each; at least 1, at most as many as lines.
    pub chains: u64,
    /// Lanes of a load, 1 to 32, side by side in a line.
    pub lanes: u32,
    /// Instructions from a load to the next.
    pub compute: u32,
    /// The first line, a multiple of [`ALIGNMENT`](super::arithmetic::ALIGNMENT).
    pub base: u64,
}

/// Chains of loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chase {
    params: Params,
    permutation: Permutation,
}

impl Chase {
    /// The kernel.
    ///
    /// # Errors
    /// [`ParamError`] for no lines or too many, more chains than lines, groups that overlap, more
    /// lanes than a warp or a line has, a base that is not aligned.
    pub fn new(params: Params) -> Result<Self, ParamError> {
        let Params { lines, .. } = params;
        ParamError::range("line", lines.line, 32, 1024)?;
        ParamError::range("lines of a group", lines.group, 1, MAX_LINES)?;
        ParamError::range("groups of lines", lines.groups, 1, MAX_LINES)?;
        ParamError::range("lines", lines.count(), 1, MAX_LINES)?;
        let most = MAX_SPAN / lines.groups;
        ParamError::range("stride", lines.stride, lines.group * lines.line, most)?;
        ParamError::range("chains", params.chains, 1, lines.count().min(MAX_CHAINS))?;
        let lanes = (lines.line / u64::from(INDEX)).min(WARP.into());
        ParamError::range("lanes", params.lanes.into(), 1, lanes)?;
        ParamError::range("compute", params.compute.into(), 0, 1 << 20)?;
        super::check_base(params.base)?;
        Ok(Self {
            params,
            permutation: Permutation::new(lines.count(), params.seed),
        })
    }

    /// What it was made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Chains of a thread block.
    fn warps(&self) -> u64 {
        self.params.chains.min(u64::from(WARP))
    }

    /// How many lines come before those of a chain.
    fn before(&self, chain: u64) -> u64 {
        // Chains and lines have less than 64 bits together.
        chain * self.params.lines.count() / self.params.chains
    }

    /// The address of a chain's n-th line.
    fn address(&self, index: u64) -> u64 {
        let index = match self.params.order {
            Order::Sequential => index,
            Order::Random => self.permutation.at(index),
        };
        self.params.base + self.params.lines.offset(index)
    }
}

impl Program for Chase {
    /// Blocks of up to 32 chains; warps of the last that have no chain end at once.
    fn grid(&self) -> Grid {
        Grid {
            blocks: self.params.chains.div_ceil(self.warps()),
            threads: WARP * self.warps() as u32,
            registers: 10,
            shared_memory: 0,
        }
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let Params {
            chains,
            lanes,
            compute,
            ..
        } = self.params;
        let chain = place.block * self.warps() + u64::from(place.warp);
        // Load, wait, arithmetic.
        let length = 2 + u64::from(compute > 0);
        let (iteration, phase) = (place.step / length, place.step % length);
        if chain >= chains || self.before(chain) + iteration >= self.before(chain + 1) {
            return Instruction::Exit;
        }
        match phase {
            0 => Instruction::Memory(Memory {
                op: Op::Read,
                bytes: INDEX,
                lanes: u32::MAX >> (WARP - lanes),
                addresses: Addresses::Strided {
                    base: self.address(self.before(chain) + iteration),
                    stride: INDEX.into(),
                },
            }),
            1 => Instruction::Wait,
            _ => Instruction::Compute {
                count: compute,
                latency: INTEGER,
            },
        }
    }

    fn extent(&self) -> Range<u64> {
        let Params { lines, base, .. } = self.params;
        base..base + lines.offset(lines.count() - 1) + lines.line
    }
}

#[cfg(test)]
mod tests;
