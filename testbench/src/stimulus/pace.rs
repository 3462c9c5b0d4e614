//! What a stream remembers from one cycle to the next.

use super::profile::{Fill, Kernels, Knobs, Odds};
use super::random::Random;

/// Kernels by turns, and the kernel of the day.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pace {
    kernels: usize,
    pair: (u8, u8),
    left: u32,
    turn: bool,
}

impl Pace {
    /// For a unit that tells this many kernels apart.
    pub(crate) fn new(kernels: usize, random: &mut Random) -> Self {
        let mut pace = Self {
            kernels,
            ..Self::default()
        };
        pace.another(random);
        pace
    }

    /// Two other kernels than before, mostly.
    pub(super) fn another(&mut self, random: &mut Random) {
        let first = random.below(self.kernels);
        let second = first + 1 + random.below(self.kernels.saturating_sub(1));
        self.pair = (first as u8, (second % self.kernels.max(1)) as u8);
        self.left = 4 + random.below(60) as u32;
    }

    /// The kernel that acts in this cycle.
    #[inline]
    pub fn kid(&mut self, kernels: Kernels, random: &mut Random) -> u8 {
        match kernels {
            Kernels::Uniform => random.below(self.kernels) as u8,
            Kernels::Skewed => match random.chance(Odds::one_in(8)) {
                true => random.below(self.kernels) as u8,
                false => self.pair.0,
            },
            Kernels::PingPong => {
                self.turn = !self.turn;
                if self.turn {
                    self.pair.0
                } else {
                    self.pair.1
                }
            }
            Kernels::Bursts => {
                if self.left == 0 {
                    self.another(random);
                }
                self.left -= 1;
                self.pair.0
            }
        }
    }

    /// The kernel that owns most lines while one does most.
    pub fn favourite(&self) -> u8 {
        self.pair.1
    }
}

impl Knobs {
    /// Which of a hit's `candidates` is hit: any, one near the first, or the last.
    #[inline]
    pub(super) fn nth(&self, candidates: usize, random: &mut Random) -> u8 {
        let nth = random.below(candidates);
        if random.chance(self.near) {
            return nth.min(random.below(3)) as u8;
        }
        match random.below(8) {
            0 => candidates.saturating_sub(1) as u8,
            _ => nth as u8,
        }
    }

    /// Which positions of `ways` hold a valid line.
    #[inline]
    pub(super) fn valid(&self, ways: usize, random: &mut Random) -> u64 {
        let all = u64::MAX >> (64 - ways.clamp(1, 64));
        let bits = random.bits();
        match self.fill {
            Fill::Full => all,
            Fill::Sparse => match bits >> 63 {
                // One or two, however many ways there are.
                0 => (1 << random.below(ways)) | (bits & 1) << random.below(ways),
                _ => bits & random.bits() & random.bits() & all,
            },
            Fill::Mixed => match bits >> 61 {
                0..=2 => random.bits() & all,
                3 => all,
                4 => 1 << random.below(ways),
                _ => match random.below(ways + 1) {
                    0 => 0,
                    count => u64::MAX >> (64 - count),
                },
            },
        }
    }
}
