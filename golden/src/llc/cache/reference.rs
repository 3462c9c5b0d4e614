//! The cache model written from the paper, with which the others are compared.

use bitvec::prelude::*;

use super::{AccessError, Cache, Counts, Geometry, KernelCounts, Outcome, Stack};
use crate::llc::ByPosition;
use crate::model::ParamError;
use crate::workload::Access;

/// One line and its replacement bits.
#[derive(Debug, Clone)]
struct Line {
    way: u8,
    valid: bool,
    tag: u64,
    owner: u8,
    /// The sectors that are present.
    sectors: BitVec<u32, Lsb0>,
}

/// The cache as the paper tells it: each set a list of lines, most recently used first.
#[derive(Debug, Clone)]
pub struct Reference {
    geometry: Geometry,
    sets: Vec<Vec<Line>>,
    counts: Counts,
}

impl Reference {
    /// An empty cache.
    ///
    /// # Errors
    /// [`ParamError`] when the geometry is illegal.
    pub fn new(geometry: Geometry) -> Result<Self, ParamError> {
        geometry.check()?;
        let line = |way| Line {
            way: way as u8,
            valid: false,
            tag: 0,
            owner: 0,
            sectors: bitvec![u32, Lsb0; 0; geometry.sectors() as usize],
        };
        let set: Vec<_> = (0..geometry.ways).map(line).collect();
        let matrix = vec![vec![0; geometry.kernels]; geometry.kernels];
        let kernel = |kid| KernelCounts {
            kid: kid as u8,
            ..KernelCounts::default()
        };
        let counts = Counts {
            kernels: (0..geometry.kernels).map(kernel).collect(),
            gdc: matrix.clone(),
            ike: matrix,
            occupancy: vec![0; geometry.kernels],
            ..Counts::default()
        };
        Ok(Self {
            geometry,
            sets: vec![set; geometry.sets],
            counts,
        })
    }
}

impl Cache for Reference {
    fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    fn access(&mut self, access: &Access) -> Result<Outcome, AccessError> {
        let Geometry { ways, kernels, .. } = self.geometry;
        let aggressor = usize::from(access.kernel);
        if aggressor >= kernels {
            return Err(AccessError::UnknownKernel {
                kernel: access.kernel,
                kernels,
            });
        }
        let set = self.geometry.set_of(access.address);
        let tag = self.geometry.tag_of(access.address);
        let mut asked = bitvec![u32, Lsb0; 0; self.geometry.sectors() as usize];
        asked.store_le(access.sectors & self.geometry.sector_mask());

        let stack = &mut self.sets[set];
        let found = stack.iter().position(|line| line.valid && line.tag == tag);
        let victim = &stack[ways - 1];
        let (victim_owner, victim_valid) = (victim.owner, victim.valid);

        // GDC: a hit in position k pushes the lines above it down by one, a miss pushes all.
        let pushed = found.unwrap_or(ways);
        for line in stack[..pushed].iter().filter(|line| line.valid) {
            self.counts.gdc[usize::from(line.owner)][aggressor] += 1;
        }

        // PLOB: the accessor evicts the LRU line from its owner.
        if found.is_none() && victim_valid {
            self.counts.ike[usize::from(victim_owner)][aggressor] += 1;
            self.counts.evictions += 1;
            self.counts.occupancy[usize::from(victim_owner)] -= 1;
        }

        // LRU: the line hit, or else the one replaced, becomes the MRU line of the accessor.
        let promoted = found.unwrap_or(ways - 1);
        stack[..=promoted].rotate_right(1);
        let line = &mut stack[0];
        let mut sector_miss = false;
        if found.is_some() {
            sector_miss = (asked.clone() & !line.sectors.clone()).any();
            line.sectors |= &asked;
            self.counts.occupancy[usize::from(line.owner)] -= 1;
        } else {
            line.valid = true;
            line.tag = tag;
            line.sectors = asked;
        }
        line.owner = access.kernel;
        self.counts.occupancy[aggressor] += 1;

        self.counts.accesses += 1;
        self.counts.sector_misses += u64::from(sector_miss);
        let kernel = &mut self.counts.kernels[aggressor];
        kernel.accesses += 1;
        if found.is_some() {
            self.counts.hits += 1;
            kernel.hits += 1;
        } else {
            self.counts.misses += 1;
            kernel.misses += 1;
        }
        Ok(Outcome {
            set: set as u32,
            way: line.way,
            hit: found.is_some(),
            hit_pos: pushed as u8,
            victim_owner,
            victim_valid,
            sector_miss,
        })
    }

    fn stack(&self, set: usize) -> Stack {
        let lines = self.sets.get(set).map_or(&[][..], |lines| lines);
        let ways: Vec<_> = lines.iter().map(|line| line.way).collect();
        let owners: Vec<_> = lines.iter().map(|line| line.owner).collect();
        let mut valid = 0u64;
        for (position, line) in lines.iter().enumerate() {
            valid.view_bits_mut::<Lsb0>().set(position, line.valid);
        }
        Stack {
            way: ByPosition::copied(&ways),
            owner: ByPosition::copied(&owners),
            valid,
        }
    }

    fn counts(&self) -> Counts {
        self.counts.clone()
    }

    fn reset(&mut self) {
        if let Ok(empty) = Self::new(self.geometry) {
            *self = empty;
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a two-way set is small enough to follow by hand through every kind of access:
    //! fill, hit at MRU and LRU, change of owner, eviction of another's and of one's own line,
    //! missing sector, other set.
    use super::*;
    use crate::workload::Op;

    fn cache() -> Reference {
        Reference::new(Geometry {
            sets: 2,
            ways: 2,
            line: 128,
            kernels: 2,
            banks: 2,
        })
        .unwrap()
    }

    fn touch(cache: &mut Reference, kernel: u8, address: u64) -> Outcome {
        cache
            .access(&Access::at(kernel, Op::Read, address, 128))
            .unwrap()
    }

    #[test]
    fn a_run_by_hand() {
        let mut c = cache();
        // Set 0 holds the lines 0x000, 0x100, 0x200, ...
        let out = touch(&mut c, 0, 0x000);
        assert_eq!((out.set, out.way, out.hit, out.hit_pos), (0, 1, false, 2));
        assert!(!out.victim_valid);
        assert_eq!(
            c.counts.gdc,
            [[0, 0], [0, 0]],
            "an empty set has nothing to demote"
        );
        touch(&mut c, 1, 0x100);
        assert_eq!(c.counts.gdc, [[0, 1], [0, 0]]);
        assert_eq!(c.counts.occupancy, [1, 1]);

        // MRU hit by the other kernel: no demotion, a new owner.
        let out = touch(&mut c, 0, 0x100);
        assert_eq!((out.hit, out.hit_pos, out.way), (true, 0, 0));
        assert_eq!(c.counts.gdc, [[0, 1], [0, 0]]);
        assert_eq!(c.counts.occupancy, [2, 0]);

        // LRU hit demotes the MRU line, now kernel 0's.
        let out = touch(&mut c, 1, 0x000);
        assert_eq!((out.hit, out.hit_pos), (true, 1));
        assert_eq!(c.counts.gdc, [[0, 2], [0, 0]]);

        // Eviction of 0x100 (kernel 0's) by kernel 1; both lines are demoted.
        let out = touch(&mut c, 1, 0x200);
        assert_eq!(
            (out.hit, out.victim_owner, out.victim_valid),
            (false, 0, true)
        );
        assert_eq!(c.counts.gdc, [[0, 3], [0, 1]]);
        assert_eq!(c.counts.ike, [[0, 1], [0, 0]]);

        // Kernel 1 evicts its own 0x000: the diagonal.
        touch(&mut c, 1, 0x400);
        assert_eq!(c.counts.ike, [[0, 1], [0, 1]]);
        assert_eq!(c.counts.gdc, [[0, 3], [0, 3]]);

        // Set 1 is another stack.
        assert_eq!(touch(&mut c, 0, 0x080).set, 1);
        assert_eq!(c.counts.gdc, [[0, 3], [0, 3]]);

        let Counts {
            accesses,
            hits,
            misses,
            evictions,
            sector_misses,
            ..
        } = c.counts();
        assert_eq!(
            (accesses, hits, misses, evictions, sector_misses),
            (7, 2, 5, 2, 0)
        );
        assert_eq!(c.counts.occupancy, [1, 2]);
        let kernel_1 = KernelCounts {
            kid: 1,
            accesses: 4,
            hits: 1,
            misses: 3,
        };
        assert_eq!(c.counts.kernels[1], kernel_1);
    }

    #[test]
    fn a_missing_sector_is_a_hit_and_a_sector_miss() {
        let mut c = cache();
        touch(&mut c, 0, 0x000);
        assert!(!touch(&mut c, 0, 0x010).sector_miss, "same sector");
        let out = touch(&mut c, 0, 0x020);
        assert!(out.hit && out.sector_miss);
        assert!(!touch(&mut c, 0, 0x020).sector_miss, "fetched by now");
        assert_eq!((c.counts.hits, c.counts.sector_misses), (3, 1));
        // A refill starts with the sectors asked for and no others.
        touch(&mut c, 0, 0x100);
        touch(&mut c, 0, 0x200);
        touch(&mut c, 0, 0x000);
        assert!(touch(&mut c, 0, 0x020).sector_miss);
    }

    #[test]
    fn the_stack_is_that_before_the_access() {
        let mut c = cache();
        touch(&mut c, 1, 0x000);
        let (before, out) = c.observe(&Access::at(0, Op::Write, 0x100, 128)).unwrap();
        assert_eq!(before.way, [1, 0]);
        assert_eq!(before.owner, [1, 0]);
        assert_eq!((before.valid, out.way), (0b01, 0));
        assert_eq!(c.stack(0).way, [0, 1]);
        assert_eq!(c.stack(7).way, [], "no such set");
    }

    #[test]
    fn an_unknown_kernel_changes_nothing() {
        let mut c = cache();
        let error = c.access(&Access::at(2, Op::Read, 0, 128)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "kernel is 2, expected 0 to 1 (the cache has 2 kernels)"
        );
        assert_eq!(c.counts(), cache().counts());
    }

    #[test]
    fn reset_empties() {
        let mut c = cache();
        touch(&mut c, 0, 0);
        c.reset();
        assert_eq!(c.counts(), cache().counts());
        assert!(!touch(&mut c, 0, 0).hit);
    }
}
