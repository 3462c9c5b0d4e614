//! What disturbs measured times.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::model::ParamError;

/// A million, of which rates are parts.
const MILLION: u64 = 1_000_000;

/// Noise, drawn anew for each measurement from a seed.
///
/// ASSUMPTION: the paper shows that times spread, not by what law; these are three kinds that mean
/// different things to a probe: one that stays within a mode, one that makes a fast access slow,
/// and one that makes a slow access fast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Noise {
    /// Draws it.
    pub seed: u64,
    /// 0 to as many cycles are added: the lower of two draws, so that low numbers are likelier.
    pub jitter: u64,
    /// Measurements in a million in which something else was in the way.
    pub slow_ppm: u64,
    /// 1 to as many cycles are added to those.
    pub slow_cycles: u64,
    /// Pairs in a million whose accesses did not meet, so that there is no conflict.
    pub fast_ppm: u64,
}

impl Noise {
    /// Whether there is such noise.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, value, most) in [
            ("noise.jitter", self.jitter, 1 << 20),
            ("noise.slow-ppm", self.slow_ppm, MILLION),
            ("noise.slow-cycles", self.slow_cycles, 1 << 20),
            ("noise.fast-ppm", self.fast_ppm, MILLION),
        ] {
            ParamError::range(name, value, 0, most)?;
        }
        Ok(())
    }
}

/// Where noise comes from.
#[derive(Debug, Clone)]
pub(super) struct Source {
    noise: Noise,
    random: Pcg64Mcg,
}

impl Source {
    pub(super) fn new(noise: Noise) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(noise.seed),
            noise,
        }
    }

    /// A number from 0 to `most`.
    fn up_to(&mut self, most: u64) -> u64 {
        self.random.next_u64() % (most + 1)
    }

    fn chance(&mut self, ppm: u64) -> bool {
        ppm > 0 && self.up_to(MILLION - 1) < ppm
    }

    /// Cycles that a measurement takes longer.
    pub(super) fn delay(&mut self) -> u64 {
        let jitter = match self.noise.jitter {
            0 => 0,
            most => self.up_to(most).min(self.up_to(most)),
        };
        match self.chance(self.noise.slow_ppm) {
            true => jitter + 1 + self.up_to(self.noise.slow_cycles.max(1) - 1),
            false => jitter,
        }
    }

    /// Whether the accesses of a pair do not meet.
    pub(super) fn apart(&mut self) -> bool {
        self.chance(self.noise.fast_ppm)
    }
}
