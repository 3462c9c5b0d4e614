//! The cache model for up to 16 ways and 16 kernels, in packed words.

use super::{Counts, Geometry, KernelCounts, Outcome, Probe, Stack};
use crate::llc::ByPosition;
use crate::workload::Access;

/// Ways that fit the packed words: an order of nibbles, ownership in lanes of 16 bits.
pub(super) const WAYS: usize = 16;

/// Kernels that a word of ownership lanes holds.
pub(super) const LANES: usize = 4;

/// Lowest bit of each byte, each nibble, each lane.
const BYTES: u64 = 0x0101_0101_0101_0101;
const NIBBLES: u64 = 0x1111_1111_1111_1111;
const LANE: u64 = 0x0001_0001_0001_0001;

/// Accesses after which a 16-bit lane of demotions, 16 at most per access, may be full.
const SPILL: u32 = u16::MAX as u32 / WAYS as u32;

/// A set in packed words, `G` words of ownership for `4 * G` kernels.
#[derive(Debug, Clone)]
struct Set<const G: usize> {
    /// Nibble p is the way in position p.
    order: u64,
    /// A hash of each way's tag, one byte per way, to find the way without touching all tags.
    prints: [u64; 2],
    /// Bit p of kernel v's lane: the line in position p is valid and owned by v.
    owners: [u64; G],
    /// By way.
    tags: [u64; WAYS],
    /// By way, the sectors present.
    sectors: [u32; WAYS],
}

impl<const G: usize> Set<G> {
    const EMPTY: Self = Self {
        order: 0xfedc_ba98_7654_3210,
        prints: [0; 2],
        owners: [0; G],
        tags: [0; WAYS],
        sectors: [0; WAYS],
    };

    /// The positions that hold a valid line.
    #[inline(always)]
    fn valid(&self) -> u64 {
        let any = self.owners.iter().fold(0, |any, word| any | word);
        let any = any | any >> 32;
        (any | any >> 16) & 0xffff
    }

    /// The way that holds `tag`, and its position.
    #[inline(always)]
    fn find(&self, tag: u64, print: u64) -> Option<(usize, u32)> {
        for half in 0..2 {
            let differs = self.prints[half] ^ (print * BYTES);
            // The lowest marked byte is zero; higher ones may be marked by its borrow.
            let mut marked = differs.wrapping_sub(BYTES) & !differs & (BYTES << 7);
            while marked != 0 {
                let way = half * 8 + marked.trailing_zeros() as usize / 8;
                if self.tags[way] == tag {
                    let position = self.position(way);
                    // A way never filled carries tag 0.
                    if self.valid() >> position & 1 == 1 {
                        return Some((way, position));
                    }
                }
                marked &= marked - 1;
            }
        }
        None
    }

    #[inline(always)]
    fn position(&self, way: usize) -> u32 {
        let differs = self.order ^ (way as u64 * NIBBLES);
        let marked = differs.wrapping_sub(NIBBLES) & !differs & (NIBBLES << 3);
        marked.trailing_zeros() / 4
    }

    #[inline(always)]
    fn way_at(&self, position: u32) -> usize {
        (self.order >> (4 * position) & 15) as usize
    }

    #[inline(always)]
    fn set_print(&mut self, way: usize, print: u64) {
        let shift = 8 * (way % 8);
        let word = &mut self.prints[way / 8];
        *word = *word & !(0xff << shift) | print << shift;
    }
}

/// Bits set in each lane.
#[inline(always)]
fn lane_popcnt(x: u64) -> u64 {
    let x = x - (x >> 1 & 0x5555_5555_5555_5555);
    let x = (x & 0x3333_3333_3333_3333) + (x >> 2 & 0x3333_3333_3333_3333);
    let x = (x + (x >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (x + (x >> 8)) & (0xff * LANE)
}

/// A cache of up to 16 ways and `4 * G` kernels.
#[derive(Debug, Clone)]
pub(super) struct Packed<const G: usize> {
    geometry: Geometry,
    line_shift: u32,
    tag_shift: u32,
    set_mask: usize,
    sector_mask: u32,
    sets: Vec<Set<G>>,
    accesses: [u64; WAYS],
    hits: [u64; WAYS],
    sector_misses: u64,
    /// By aggressor, demotions in lanes per victim; spilled before a lane overflows.
    demotions: [[u64; G]; WAYS],
    until_spill: u32,
    /// `gdc[aggressor][victim]`, without what `demotions` holds.
    gdc: [[u64; WAYS]; WAYS],
    /// `ike[aggressor][victim]`.
    ike: [[u64; WAYS]; WAYS],
}

impl<const G: usize> Packed<G> {
    /// For a checked geometry of at most [`WAYS`] ways and `G * LANES` kernels, `G` up to 4.
    pub(super) fn new(geometry: Geometry) -> Self {
        Self {
            geometry,
            line_shift: geometry.line.trailing_zeros(),
            tag_shift: geometry.line.trailing_zeros() + geometry.sets.trailing_zeros(),
            set_mask: geometry.sets - 1,
            sector_mask: geometry.sector_mask(),
            sets: vec![Set::EMPTY; geometry.sets],
            accesses: [0; WAYS],
            hits: [0; WAYS],
            sector_misses: 0,
            demotions: [[0; G]; WAYS],
            until_spill: SPILL,
            gdc: [[0; WAYS]; WAYS],
            ike: [[0; WAYS]; WAYS],
        }
    }

    /// Fibonacci hashing: tags that differ in few bits differ in the print.
    #[inline(always)]
    fn print(tag: u64) -> u64 {
        tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56
    }

    #[inline(always)]
    pub(super) fn probe(&self, address: u64) -> Probe {
        let index = (address >> self.line_shift) as usize & self.set_mask;
        let tag = address >> self.tag_shift;
        let set = &self.sets[index];
        let found = set.find(tag, Self::print(tag));
        Probe {
            set: index,
            way: found.map_or_else(|| set.way_at(self.geometry.ways as u32 - 1), |(way, _)| way),
            hit: found.is_some(),
        }
    }

    /// One access of a kernel that exists.
    #[inline(always)]
    pub(super) fn access(&mut self, access: &Access) -> Outcome {
        let ways = self.geometry.ways as u32;
        let aggressor = usize::from(access.kernel) % WAYS;
        let set_index = (access.address >> self.line_shift) as usize & self.set_mask;
        let tag = access.address >> self.tag_shift;
        let print = Self::print(tag);
        let asked = access.sectors & self.sector_mask;
        let set = &mut self.sets[set_index];

        let lru = LANE << (ways - 1);
        let mut victim = None;
        for (group, owners) in set.owners.iter().enumerate() {
            let owned = owners & lru;
            if owned != 0 {
                victim = Some(group * LANES + owned.trailing_zeros() as usize / WAYS);
            }
        }

        let found = set.find(tag, print);
        let (way, position, pushed, sector_miss);
        match found {
            Some((hit_way, hit_position)) => {
                way = hit_way;
                (position, pushed) = (hit_position, hit_position);
                let present = &mut set.sectors[way];
                sector_miss = asked & !*present != 0;
                *present |= asked;
                self.hits[aggressor] += 1;
                self.sector_misses += u64::from(sector_miss);
            }
            None => {
                way = set.way_at(ways - 1);
                (position, pushed) = (ways - 1, ways);
                sector_miss = false;
                set.sectors[way] = asked;
                set.tags[way] = tag;
                set.set_print(way, print);
                if let Some(victim) = victim {
                    self.ike[aggressor][victim % WAYS] += 1;
                }
            }
        }
        self.accesses[aggressor] += 1;

        let above = (1u64 << position) - 1;
        let below = !(above << 1 | 1) & 0xffff;
        let demoted = ((1u64 << pushed) - 1) * LANE;
        for (demotions, owners) in self.demotions[aggressor].iter_mut().zip(&mut set.owners) {
            *demotions += lane_popcnt(*owners & demoted);
            *owners = (*owners & (below * LANE)) | (*owners & (above * LANE)) << 1;
        }
        set.owners[aggressor / LANES % G] |= 1 << (aggressor % LANES * WAYS);
        let kept = (u64::MAX << (4 * position)) << 4;
        let moved = set.order & !(u64::MAX << (4 * position));
        set.order = set.order & kept | moved << 4 | way as u64;

        self.until_spill -= 1;
        if self.until_spill == 0 {
            self.spill();
        }
        Outcome {
            set: set_index as u32,
            way: way as u8,
            hit: found.is_some(),
            hit_pos: pushed as u8,
            victim_owner: victim.unwrap_or(0) as u8,
            victim_valid: victim.is_some(),
            sector_miss,
        }
    }

    /// Moves the demotions out of their narrow lanes.
    #[cold]
    fn spill(&mut self) {
        self.until_spill = SPILL;
        for (row, words) in self.gdc.iter_mut().zip(&mut self.demotions) {
            for (group, word) in words.iter_mut().enumerate() {
                for lane in 0..LANES {
                    row[group * LANES + lane] += *word >> (lane * WAYS) & 0xffff;
                }
                *word = 0;
            }
        }
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(super) fn stack(&self, set: usize) -> Stack {
        let ways = self.geometry.ways;
        let Some(set) = self.sets.get(set) else {
            return Stack {
                way: ByPosition::copied(&[]),
                owner: ByPosition::copied(&[]),
                valid: 0,
            };
        };
        let (mut way, mut owner) = ([0; WAYS], [0; WAYS]);
        for (position, way) in way.iter_mut().enumerate() {
            *way = set.way_at(position as u32) as u8;
        }
        for kernel in 0..self.geometry.kernels {
            let mut owned = set.owners[kernel / LANES] >> (kernel % LANES * WAYS) & 0xffff;
            while owned != 0 {
                owner[owned.trailing_zeros() as usize % WAYS] = kernel as u8;
                owned &= owned - 1;
            }
        }
        Stack {
            way: ByPosition::copied(&way[..ways]),
            owner: ByPosition::copied(&owner[..ways]),
            valid: set.valid(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let mut spilled = self.clone_counters();
        spilled.spill();
        let kernels = self.geometry.kernels;
        let transposed = |rows: &[[u64; WAYS]; WAYS]| -> Vec<Vec<u64>> {
            (0..kernels)
                .map(|v| (0..kernels).map(|a| rows[a][v]).collect())
                .collect()
        };
        let lines_of = |kernel: usize| {
            let shift = kernel % LANES * WAYS;
            let lines = |set: &Set<G>| (set.owners[kernel / LANES] >> shift & 0xffff).count_ones();
            self.sets.iter().map(|set| u64::from(lines(set))).sum()
        };
        let (accesses, hits) = (
            self.accesses.iter().sum::<u64>(),
            self.hits.iter().sum::<u64>(),
        );
        Counts {
            accesses,
            hits,
            misses: accesses - hits,
            evictions: self.ike.iter().flatten().sum(),
            sector_misses: self.sector_misses,
            kernels: (0..kernels)
                .map(|kernel| KernelCounts {
                    kid: kernel as u8,
                    accesses: self.accesses[kernel],
                    hits: self.hits[kernel],
                    misses: self.accesses[kernel] - self.hits[kernel],
                })
                .collect(),
            gdc: transposed(&spilled.gdc),
            ike: transposed(&self.ike),
            occupancy: (0..kernels).map(lines_of).collect(),
        }
    }

    /// This cache without its sets.
    fn clone_counters(&self) -> Self {
        Self {
            sets: Vec::new(),
            ..*self
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Self::new(self.geometry);
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the word tricks have their own edges, below any that a cache run hits often:
    //! first and last way, both halves of the prints, borrows between marked bytes.
    use super::*;

    #[test]
    fn lanes_count_apart() {
        assert_eq!(lane_popcnt(0xffff_0000_8001_0001), 0x0010_0000_0002_0001);
        assert_eq!(lane_popcnt(u64::MAX), 0x0010_0010_0010_0010);
    }

    #[test]
    fn every_way_is_found_in_every_position() {
        let mut set = Set::<1>::EMPTY;
        set.owners[0] = 0xffff;
        for way in 0..WAYS {
            set.tags[way] = 1000 + way as u64;
            // All prints but one alike: nothing but tags tells the ways apart.
            set.set_print(way, 7);
        }
        for rotation in 0..WAYS as u32 {
            set.order = set.order.rotate_left(4 * rotation);
            for position in 0..WAYS as u32 {
                let way = set.way_at(position);
                assert_eq!(set.find(1000 + way as u64, 7), Some((way, position)));
                assert_eq!(set.find(2000, 7), None);
                assert_eq!(set.find(1000 + way as u64, 8), None);
            }
        }
    }

    #[test]
    fn a_way_never_filled_is_not_found_by_its_zeros() {
        assert_eq!(Set::<1>::EMPTY.find(0, 0), None);
    }
}
