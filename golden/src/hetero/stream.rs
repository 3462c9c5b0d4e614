//! The accesses of an application on one core.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::application::{Part, Pattern, THOUSAND};

/// A part's lines on this core.
#[derive(Debug, Clone)]
struct Region {
    /// Weights up to and with this part's.
    until: u64,
    base: u64,
    lines: u64,
    pattern: Pattern,
    /// A loop's next line, or the first one of a footprint that moves.
    next: u64,
    moves: u64,
}

/// Draws accesses, and the instructions between them.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    random: Pcg64Mcg,
    regions: Vec<Region>,
    weights: u64,
    memory: u64,
    /// Thousandths of an instruction that are left, times `memory`.
    rest: u64,
}

/// Lines of one part of one application on one core at most, which keeps all apart; of them a
/// region begins anywhere in the first half.
const APART: u64 = 1 << 28;

impl Stream {
    /// Of an application on core number `core` of the platform; `share` cores have its data.
    pub(super) fn new(
        seed: u64,
        core: usize,
        share: u64,
        line: u64,
        memory: u64,
        parts: &[Part],
    ) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed ^ (core as u64) << 48);
        let mut weights = 0;
        let regions = parts.iter().enumerate().map(|(number, part)| {
            weights += u64::from(part.weight);
            let start = random.next_u64() % (APART / 2);
            let lines = part.bytes / line / share;
            // Cores are at different places of their loops.
            let next = random.next_u64() % lines;
            Region {
                until: weights,
                base: (core as u64 * 8 + number as u64) * APART + start,
                lines,
                pattern: part.pattern,
                next,
                moves: part.moves.into(),
            }
        });
        Self {
            regions: regions.collect(),
            weights,
            random,
            memory,
            rest: 0,
        }
    }

    /// Instructions up to and with the next memory instruction, at least one; on average as many
    /// as the application has for each of them.
    pub(super) fn gap(&mut self) -> u64 {
        self.rest += self.random.next_u64() % (2 * THOUSAND + 1);
        let gap = (self.rest / self.memory).max(1);
        self.rest = self.rest.saturating_sub(gap * self.memory);
        gap
    }

    /// The next access: its part, and its line's number.
    pub(super) fn access(&mut self) -> (usize, u64) {
        let drawn = self.random.next_u64() % self.weights;
        let number = self.regions.partition_point(|region| region.until <= drawn);
        let region = &mut self.regions[number];
        let line = match region.pattern {
            Pattern::Drawn { power } => {
                let one = self.random.next_u64() >> 32;
                let skewed = (1..power).fold(one, |skewed, _| (skewed * one) >> 32);
                if region.moves > 0 && self.random.next_u64() % THOUSAND < region.moves {
                    region.next += 1;
                }
                (region.next + ((skewed * region.lines) >> 32)) % (APART / 2)
            }
            Pattern::Loop => {
                region.next += 1;
                if region.next >= region.lines {
                    region.next = 0;
                }
                region.next
            }
        };
        (number, region.base + line)
    }
}
