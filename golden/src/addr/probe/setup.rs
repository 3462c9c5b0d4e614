//! What both algorithms share: settings, errors, progress, cost, random addresses.

use std::ops::Range;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::{gf2, AccessTimes};

/// How to probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Draws addresses.
    pub seed: u64,
    /// Addresses are multiples of this many bytes, a power of two. Bits below are not observed.
    pub step: u64,
    /// The highest rate of readings on the wrong side of the threshold, below 0.4.
    pub flips: f64,
    /// How probable a wrong answer may be, above 0.
    pub error: f64,
    /// How many places pairs are measured from in algorithm 1. Algorithm 2 needs lines that evict
    /// each other for each place, and has one; both check what they found at others.
    pub primaries: usize,
    /// Tests of random addresses after which the search is given up.
    pub tests: u64,
    /// Addresses of a chase up to which an eviction is looked for.
    pub lines: usize,
}

impl Default for Settings {
    /// For noise of a few wrong readings in a hundred.
    fn default() -> Self {
        Self {
            seed: 1,
            step: 32,
            flips: 0.03,
            error: 1e-6,
            primaries: 8,
            tests: 1 << 20,
            lines: 1 << 18,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), ProbeError> {
        let wrong = |name, value: String, expected| ProbeError::Setting {
            name,
            value,
            expected,
        };
        if !self.step.is_power_of_two() {
            return Err(wrong("step", self.step.to_string(), "a power of two"));
        }
        if !(0.0..0.4).contains(&self.flips) {
            return Err(wrong("flips", self.flips.to_string(), "0 to less than 0.4"));
        }
        if !(self.error > 0.0 && self.error < 1.0) {
            let expected = "more than 0 and less than 1";
            return Err(wrong("error", self.error.to_string(), expected));
        }
        if self.primaries == 0 {
            return Err(wrong("primaries", "0".into(), "1 or more"));
        }
        Ok(())
    }

    /// Pairs in a row that add no dimension, before it is believed that none will.
    pub(super) fn stable(&self) -> u32 {
        (4.0 / self.error).log2().ceil() as u32
    }
}

/// What a probe is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Looking for the times' modes.
    Threshold,
    /// Looking for lines that evict one.
    EvictionSet,
    /// Collecting pairs.
    Pairs,
    /// Checking that what was found holds elsewhere.
    Check,
}

/// How far a probe is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// What it is doing.
    pub step: Step,
    /// How many results of the step there are.
    pub found: u64,
    /// Dimensions of the space of differences.
    pub rank: usize,
    /// Cost up to now.
    pub cost: Cost,
}

/// What was asked of a memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Addresses read, without what emptying the cache reads.
    pub accesses: u64,
    /// Times the cache was emptied.
    pub clearings: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A setting cannot be.
    #[error("{name} is {value}, expected {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// There is too little memory to look at.
    #[error("an allocation of {bytes} bytes, expected {expected}")]
    Allocation {
        /// Its size.
        bytes: u64,
        /// What is needed.
        expected: String,
    },
    /// Times have no two modes.
    #[error("{slow} of {readings} readings are slow ({what}), expected {expected}")]
    Modes {
        /// What was read.
        what: &'static str,
        /// Slow readings.
        slow: u64,
        /// All readings.
        readings: u64,
        /// What two modes would show.
        expected: &'static str,
    },
    /// Readings contradict each other more often than stated.
    #[error("repeated readings disagree in {measured:.3} of all cases, expected {assumed} at most (flips)")]
    TooNoisy {
        /// The rate found.
        measured: f64,
        /// [`Settings::flips`].
        assumed: f64,
    },
    /// Too few pairs.
    #[error(
        "{pairs} pairs in {tests} tests, rank {rank}, expected a rank that does not grow any more"
    )]
    NoPairs {
        /// Pairs found.
        pairs: u64,
        /// Addresses tested.
        tests: u64,
        /// Dimensions of their differences.
        rank: usize,
    },
    /// No line was evicted.
    #[error("a line is not evicted by {lines} others in a way that can be repeated, expected an LRU cache that they do not fit into")]
    NoEviction {
        /// Lines read after it.
        lines: usize,
    },
    /// What was measured is not a XOR of address bits.
    #[error("{what}: no XOR of address bits does that")]
    NotLinear {
        /// What was seen.
        what: String,
    },
}

/// A memory whose accesses are counted, and a source of its addresses.
pub(super) struct Subject<'a> {
    memory: &'a mut dyn AccessTimes,
    pub(super) cost: Cost,
    range: Range<u64>,
    step: u64,
    /// Address bits in which addresses of the allocation can differ one by one.
    pub(super) observable: u64,
    random: Pcg64Mcg,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        memory: &'a mut dyn AccessTimes,
        settings: &Settings,
    ) -> Result<Self, ProbeError> {
        settings.check()?;
        let (all, step) = (memory.allocation(), settings.step);
        let bytes = all.end.saturating_sub(all.start);
        let range = all.start.div_ceil(step)..all.end / step;
        if range.end <= range.start + 1 {
            let expected = format!("two steps of {step} bytes or more");
            return Err(ProbeError::Allocation { bytes, expected });
        }
        Ok(Self {
            memory,
            cost: Cost::default(),
            observable: observable(&range) << step.ilog2(),
            range,
            step,
            random: Pcg64Mcg::seed_from_u64(settings.seed),
        })
    }

    /// Tells how far it is.
    pub(super) fn tell(
        &self,
        progress: &mut dyn FnMut(&Progress),
        step: Step,
        found: u64,
        rank: usize,
    ) {
        progress(&Progress {
            step,
            found,
            rank,
            cost: self.cost,
        });
    }

    /// Any address.
    pub(super) fn draw(&mut self) -> u64 {
        let steps = self.range.end - self.range.start;
        (self.range.start + self.random.next_u64() % steps) * self.step
    }

    /// Any vector of a space.
    pub(super) fn sum(&mut self, rows: &[u64]) -> u64 {
        rows.iter().fold(0, |sum, row| {
            sum ^ if self.random.next_u64() & 1 == 1 {
                *row
            } else {
                0
            }
        })
    }

    /// Whether an address is in the allocation.
    pub(super) fn has(&self, address: u64) -> bool {
        self.range.contains(&(address / self.step))
    }

    /// An error of an allocation that is too small.
    pub(super) fn too_small(&self, expected: String) -> ProbeError {
        let bytes = (self.range.end - self.range.start) * self.step;
        ProbeError::Allocation { bytes, expected }
    }

    pub(super) fn clear(&mut self) {
        self.cost.clearings += 1;
        self.memory.clear();
    }

    pub(super) fn read(&mut self, address: u64) -> u64 {
        self.cost.accesses += 1;
        self.memory.read(address)
    }

    pub(super) fn pair(&mut self, primary: u64, secondary: u64) -> u64 {
        self.cost.accesses += 2;
        self.cost.clearings += 1;
        self.memory.read_pair(primary, secondary)
    }

    pub(super) fn chase(&mut self, addresses: &[u64]) {
        self.cost.accesses += addresses.len() as u64;
        self.memory.chase(addresses);
    }
}

/// The bits in which numbers of a range differ, other bits being equal or observable, too.
fn observable(range: &Range<u64>) -> u64 {
    // Neighbours differ in all bits up to the lowest that is one in the upper of them.
    let mut bits = 0;
    let patterns = (0..64).filter_map(|bit| {
        // The first number above the range's first with this as its lowest bit that is one.
        let (unit, above) = (1u64 << bit, range.start + 1);
        let first = above.checked_next_multiple_of(unit)?;
        let first = first.checked_add(if first & unit == 0 { unit } else { 0 })?;
        (first < range.end).then_some(unit | (unit - 1))
    });
    let span: gf2::Span = patterns.collect();
    for bit in 0..64 {
        bits |= if span.contains(1 << bit) { 1 << bit } else { 0 };
    }
    bits
}

#[cfg(test)]
mod tests {
    //! Rationale: small ranges are enumerated.
    use super::*;

    #[test]
    fn observable_bits_are_those_of_all_differences() {
        for start in 0..40u64 {
            for end in start + 2..80 {
                let all = (start..end).flat_map(|a| (start..end).map(move |b| a ^ b));
                let span: gf2::Span = all.collect();
                let bits = (0..8).filter(|bit| span.contains(1 << bit));
                let expected = bits.fold(0, |mask, bit| mask | 1 << bit);
                assert_eq!(observable(&(start..end)), expected, "{start}..{end}");
            }
        }
        assert_eq!(observable(&(0..u64::MAX)), u64::MAX);
    }
}
