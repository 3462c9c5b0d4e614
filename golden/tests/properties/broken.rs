//! A cache like the golden ones, written once more, that can break a rule.

use cotenant_golden::llc::cache::{
    AccessError, Cache, Counts, Geometry, KernelCounts, Outcome, Stack,
};
use cotenant_golden::llc::ByPosition;
use cotenant_golden::workload::Access;

/// Which rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// None of them.
    None,
    /// A hit leaves the line where it is, as in a first-in, first-out cache.
    Fifo,
    /// Kernel 1's demotions and evictions are kernel 0's.
    KernelOneIsZero,
    /// The demotion from LRU to "LRU+1" is not counted.
    EvictionIsNoDemotion,
    /// Who evicts a line of their own is not counted.
    OwnEvictionsForgotten,
}

/// A line: its number and its owner.
type Line = (u64, u8);

/// The cache: by set the valid lines, newest first; ways are not told apart.
pub struct Broken {
    geometry: Geometry,
    rule: Rule,
    sets: Vec<Vec<Line>>,
    counts: Counts,
}

impl Broken {
    pub fn new(geometry: Geometry, rule: Rule) -> Self {
        let zeros = vec![vec![0; geometry.kernels]; geometry.kernels];
        let kernel = |kid| KernelCounts {
            kid: kid as u8,
            ..KernelCounts::default()
        };
        Self {
            sets: vec![vec![]; geometry.sets],
            counts: Counts {
                kernels: (0..geometry.kernels).map(kernel).collect(),
                gdc: zeros.clone(),
                ike: zeros,
                ..Counts::default()
            },
            geometry,
            rule,
        }
    }
}

impl Cache for Broken {
    fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    fn access(&mut self, access: &Access) -> Result<Outcome, AccessError> {
        let Geometry { ways, line, .. } = self.geometry;
        let set = self.geometry.set_of(access.address);
        let (number, kid) = (access.address / line, usize::from(access.kernel));
        let aggressor = match (self.rule, kid) {
            (Rule::KernelOneIsZero, 1) => 0,
            _ => kid,
        };
        let lines = &mut self.sets[set];
        let full = lines.len() == ways;
        let victim = lines.last().filter(|_| full).copied();
        let found = lines.iter().position(|(held, _)| *held == number);
        let pushed = found.unwrap_or(match self.rule {
            Rule::EvictionIsNoDemotion => ways - 1,
            _ => ways,
        });
        for (_, owner) in lines.iter().take(pushed) {
            self.counts.gdc[usize::from(*owner)][aggressor] += 1;
        }
        self.counts.accesses += 1;
        let kernel = &mut self.counts.kernels[kid];
        kernel.accesses += 1;
        if let Some(position) = found {
            self.counts.hits += 1;
            kernel.hits += 1;
            if self.rule == Rule::Fifo {
                lines[position].1 = access.kernel;
            } else {
                lines.remove(position);
                lines.insert(0, (number, access.kernel));
            }
        } else {
            self.counts.misses += 1;
            kernel.misses += 1;
            if let Some((_, owner)) = victim {
                lines.pop();
                self.counts.evictions += 1;
                let own = owner == access.kernel;
                if !(own && self.rule == Rule::OwnEvictionsForgotten) {
                    self.counts.ike[usize::from(owner)][aggressor] += 1;
                }
            }
            lines.insert(0, (number, access.kernel));
        }
        Ok(Outcome {
            set: set as u32,
            way: 0,
            hit: found.is_some(),
            hit_pos: found.unwrap_or(ways) as u8,
            victim_owner: victim.map_or(0, |(_, owner)| owner),
            victim_valid: full,
            sector_miss: false,
        })
    }

    fn stack(&self, set: usize) -> Stack {
        let owners: Vec<u8> = self.sets[set].iter().map(|(_, owner)| *owner).collect();
        let valid = owners.iter().fold(0, |mask: u64, _| mask << 1 | 1);
        Stack {
            way: ByPosition::default(),
            owner: ByPosition::try_from(&owners[..]).unwrap(),
            valid,
        }
    }

    fn counts(&self) -> Counts {
        self.counts.clone()
    }

    fn reset(&mut self) {
        *self = Self::new(self.geometry, self.rule);
    }
}
