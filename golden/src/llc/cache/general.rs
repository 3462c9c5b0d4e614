//! The cache model for any geometry, in one flat array.

use super::{Counts, Geometry, KernelCounts, Outcome, Probe, Stack};
use crate::llc::ByPosition;
use crate::workload::Access;

/// One position of a set.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    tag: u64,
    sectors: u32,
    way: u8,
    owner: u8,
}

/// A cache of any geometry, in one flat array ordered by recency in each set.
#[derive(Debug, Clone)]
pub(super) struct General {
    geometry: Geometry,
    line_shift: u32,
    tag_shift: u32,
    sector_mask: u32,
    /// `ways` lines per set, from MRU to LRU.
    lines: Vec<Line>,
    /// How many lines of each set are valid; they are at its front.
    filled: Vec<u8>,
    kernels: Vec<KernelCounts>,
    sector_misses: u64,
    /// `gdc[aggressor * kernels + victim]`.
    gdc: Vec<u64>,
    /// `ike[aggressor * kernels + victim]`.
    ike: Vec<u64>,
}

impl General {
    /// For a checked geometry.
    pub(super) fn new(geometry: Geometry) -> Self {
        let set = (0..geometry.ways).map(|way| Line {
            way: way as u8,
            ..Line::default()
        });
        let lines = set.cycle().take(geometry.sets * geometry.ways).collect();
        let kernel = |kid| KernelCounts {
            kid: kid as u8,
            ..KernelCounts::default()
        };
        let matrix = vec![0; geometry.kernels * geometry.kernels];
        Self {
            geometry,
            line_shift: geometry.line.trailing_zeros(),
            tag_shift: geometry.line.trailing_zeros() + geometry.sets.trailing_zeros(),
            sector_mask: geometry.sector_mask(),
            lines,
            filled: vec![0; geometry.sets],
            kernels: (0..geometry.kernels).map(kernel).collect(),
            sector_misses: 0,
            gdc: matrix.clone(),
            ike: matrix,
        }
    }

    pub(super) fn probe(&self, address: u64) -> Probe {
        let ways = self.geometry.ways;
        let index = (address >> self.line_shift) as usize & (self.geometry.sets - 1);
        let tag = address >> self.tag_shift;
        let set = &self.lines[index * ways..][..ways];
        let filled = &set[..usize::from(self.filled[index])];
        let found = filled.iter().find(|line| line.tag == tag);
        Probe {
            set: index,
            way: found.unwrap_or(&set[ways - 1]).way.into(),
            hit: found.is_some(),
        }
    }

    /// One access of a kernel that exists.
    #[inline]
    pub(super) fn access(&mut self, access: &Access) -> Outcome {
        let Geometry {
            sets,
            ways,
            kernels,
            ..
        } = self.geometry;
        let aggressor = usize::from(access.kernel);
        let set_index = (access.address >> self.line_shift) as usize & (sets - 1);
        let tag = access.address >> self.tag_shift;
        let asked = access.sectors & self.sector_mask;
        let set = &mut self.lines[set_index * ways..][..ways];
        let filled = usize::from(self.filled[set_index]);
        let victim = set[ways - 1];
        let victim_valid = filled == ways;

        let found = set[..filled].iter().position(|line| line.tag == tag);
        let column = &mut self.gdc[aggressor * kernels..][..kernels];
        for line in &set[..found.unwrap_or(filled)] {
            column[usize::from(line.owner)] += 1;
        }
        let position = found.unwrap_or(ways - 1);
        let mut line = set[position];
        let mut sector_miss = false;
        let counts = &mut self.kernels[aggressor];
        counts.accesses += 1;
        if found.is_some() {
            counts.hits += 1;
            sector_miss = asked & !line.sectors != 0;
            self.sector_misses += u64::from(sector_miss);
            line.sectors |= asked;
        } else {
            counts.misses += 1;
            (line.tag, line.sectors) = (tag, asked);
            if victim_valid {
                self.ike[aggressor * kernels + usize::from(victim.owner)] += 1;
            } else {
                self.filled[set_index] += 1;
            }
        }
        line.owner = access.kernel;
        set.copy_within(..position, 1);
        set[0] = line;
        Outcome {
            set: set_index as u32,
            way: line.way,
            hit: found.is_some(),
            hit_pos: found.unwrap_or(ways) as u8,
            victim_owner: victim.owner,
            victim_valid,
            sector_miss,
        }
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(super) fn stack(&self, set: usize) -> Stack {
        let ways = self.geometry.ways;
        let lines = self.lines.chunks(ways).nth(set).unwrap_or_default();
        let by_position = |field: fn(&Line) -> u8| {
            let values: Vec<_> = lines.iter().map(field).collect();
            ByPosition::copied(&values)
        };
        let filled = self.filled.get(set).copied().unwrap_or(0);
        Stack {
            way: by_position(|line| line.way),
            owner: by_position(|line| line.owner),
            valid: u64::MAX.checked_shr(64 - u32::from(filled)).unwrap_or(0),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let kernels = self.geometry.kernels;
        let transposed = |flat: &[u64]| -> Vec<Vec<u64>> {
            (0..kernels)
                .map(|v| (0..kernels).map(|a| flat[a * kernels + v]).collect())
                .collect()
        };
        let mut occupancy = vec![0; kernels];
        for (set, &filled) in self.lines.chunks(self.geometry.ways).zip(&self.filled) {
            for line in &set[..usize::from(filled)] {
                occupancy[usize::from(line.owner)] += 1;
            }
        }
        Counts {
            accesses: self.kernels.iter().map(|kernel| kernel.accesses).sum(),
            hits: self.kernels.iter().map(|kernel| kernel.hits).sum(),
            misses: self.kernels.iter().map(|kernel| kernel.misses).sum(),
            evictions: self.ike.iter().sum(),
            sector_misses: self.sector_misses,
            kernels: self.kernels.clone(),
            gdc: transposed(&self.gdc),
            ike: transposed(&self.ike),
            occupancy,
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Self::new(self.geometry);
    }
}
