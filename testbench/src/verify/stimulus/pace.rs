//! State of a stimulus stream from one cycle to the next.

use super::profile::{Fill, Kernels, Knobs, Odds};
use super::random::Random;

/// Kernels by turns, and the kernel of the day.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pace {
    kernels: usize,
    pair: (u8, u8),
    left: u32,
    turn: bool,
    /// Stretches of cycles before this one.
    stretch: u64,
}

/// Stretches for which a kernel keeps its character.
const KEPT: u64 = 4;

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
    pub(crate) fn another(&mut self, random: &mut Random) {
        let first = random.below(self.kernels);
        let second = first + 1 + random.below(self.kernels.saturating_sub(1));
        self.pair = (first as u8, (second % self.kernels.max(1)) as u8);
        self.left = 4 + random.below(60) as u32;
    }

    /// Another profile is followed from here on.
    pub(crate) fn turn_over(&mut self, random: &mut Random) {
        self.stretch += 1;
        self.another(random);
    }

    /// Kernels are as they are in a stretch that this number chooses.
    pub(crate) fn at_stretch_of(&mut self, seed: u64) {
        // Neighbouring seeds are many stretches apart.
        self.stretch = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    }

    /// 64 bits that are a kernel's own and last for some stretches of cycles, other ones for each
    /// kernel, which do not all change at once: what makes its instructions differ from others'.
    pub fn character(&self, kid: u8) -> u64 {
        let era = (self.stretch + u64::from(kid)) / KEPT;
        // SplitMix64's output function (Steele et al. 2014).
        let mut bits = (era << 8 | u64::from(kid)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
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
    pub(crate) fn nth(&self, candidates: usize, random: &mut Random) -> u8 {
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
    pub(crate) fn valid(&self, ways: usize, random: &mut Random) -> u64 {
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

#[cfg(test)]
mod tests {
    //! Rationale: what tells kernels apart must differ, last, and change.
    use super::*;

    #[test]
    fn characters_differ_last_and_change_by_turns() {
        let mut random = Random::new(1);
        let mut pace = Pace::new(4, &mut random);
        let all = |pace: &Pace| [0, 1, 2, 3].map(|kid| pace.character(kid));
        let mut changes = [0; 4];
        for _ in 0..4 * KEPT {
            let before = all(&pace);
            let unique: std::collections::BTreeSet<u64> = before.into_iter().collect();
            assert_eq!(unique.len(), 4);
            pace.another(&mut random);
            assert_eq!(all(&pace), before);
            pace.turn_over(&mut random);
            let after = all(&pace);
            let changed = |kid: &usize| before[*kid] != after[*kid];
            let changed: Vec<usize> = (0..4).filter(changed).collect();
            assert_eq!(changed.len(), 1, "one per stretch");
            changes[changed[0]] += 1;
        }
        assert_eq!(changes, [4; 4]);
    }
}
