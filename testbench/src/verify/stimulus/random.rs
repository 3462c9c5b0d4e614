//! Random numbers, reproducible from the seed on every machine.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::profile::Odds;

/// A seeded generator; PCG XSL 128/64 (MCG), O'Neill 2014.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// From a seed; different seeds give unrelated numbers.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; 0 if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        // No `usize` arithmetic of the host and no rejection: the bias is below 2^-32.
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// Whether something of these odds happens.
    #[inline]
    pub fn chance(&mut self, odds: Odds) -> bool {
        odds.taken((self.bits() >> 48) as u16)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a seed in a report must mean the same stream for ever, so the first numbers are
    //! fixed here; and bounds and odds have ends that must hold exactly.
    use super::*;

    #[test]
    fn a_seed_means_these_numbers() {
        let mut random = Random::new(0x9e37);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(first, FIRST);
    }

    const FIRST: [u64; 3] = [
        0x36d2_ec9b_fadc_4045,
        0x8da7_6862_4c23_9fcd,
        0x30a9_af9e_11de_8b86,
    ];

    #[test]
    fn bounds_and_odds_at_their_ends() {
        let mut random = Random::new(1);
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7)] = true;
            assert!(random.chance(Odds::ALWAYS));
            assert!(!random.chance(Odds::NEVER));
        }
        assert_eq!(seen, [true; 7]);
        let taken = (0..65536)
            .filter(|_| random.chance(Odds::one_in(8)))
            .count();
        assert!((7700..8700).contains(&taken), "{taken}");
    }
}
