//! Exact attribution: what each co-runner really costs, in one pass over a stream of accesses.
//!
//! The truth about a kernel's extra misses is their Shapley value over all coalitions of its
//! co-runners ([`Coalitions`](crate::metrics::Coalitions)): `2^n` replays. For LRU one pass gives
//! the same. Kernel `v` uses a line again; `d_j` is how many different lines of kernel `j` the set
//! has seen since `v`'s last use of it (`d_v`: `v`'s own others). With `W` ways, the order of
//! accesses kept and no line used by two kernels, the access misses beside a coalition `S` if and
//! only if `d_v + sum of d_j over S >= W`. So
//!
//! - it is the kernel's *own* miss if `d_v >= W`, or if it is the first use of the line;
//! - else, if `d_v` and all `d_j` come to `W`, it is a *contention* miss, whose blame is the
//!   [Shapley-Shubik index](shapley_shubik) of the game with weights `d_j` and quota `W - d_v`.
//!
//! Shapley's value is additive, so the sum of these indices over all accesses is the Shapley value
//! of the kernel's misses. It is counted in whole numbers of `1 / (kernels - 1)!` misses, without
//! rounding.
//!
//! The `d_j` come from a *shadow stack* per set: at most `W` lines of each kernel in LRU order; a
//! kernel's line above `W` of its own can only be missed on its own account. So memory is constant.
//!
//! ASSUMPTION: an access to a line that another kernel used last charges nobody, and is counted
//! apart ([`Attribution::shared_lines`]): what it would be without that kernel depends on more than
//! the order of lines. The line is its last user's.
//!
//! ```
//! use cotenant_golden::llc::exact::Exact;
//!
//! // One set of two ways. Kernels 1 and 2 bring a line each between two uses of kernel 0's line:
//! // one of them alone would not have pushed it out, so each is to blame for half of the miss.
//! let mut exact = Exact::new(3, 1, 2)?;
//! for (kernel, tag) in [(0, 10), (1, 11), (2, 12), (0, 10)] {
//!     exact.access(kernel, 0, tag);
//! }
//! let attribution = exact.attribution();
//! assert_eq!(attribution.unit, 2);
//! assert_eq!(attribution.exact[0], [2, 1, 1]); // its first use, and two halves
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

mod hybrid;
mod index;
mod sets;
mod shadow;

pub use hybrid::{hybrid, CHARGES};
pub use index::shapley_shubik;
pub use sets::{sampled_sets, SAMPLES};

use std::collections::BTreeMap;

use super::cache::{MAX_LINES, MAX_SETS};
use super::MAX_WAYS;
use crate::metrics::MAX_PLAYERS;
use crate::model::ParamError;
use index::FACTORIAL;
use shadow::{Found, Shadow};

/// The most kernels whose shares can be told: each may have [`MAX_PLAYERS`] co-runners at most, and
/// sums in units of `1 / 15!` misses cannot overflow.
pub const MAX_KERNELS: usize = MAX_PLAYERS;

/// What an access was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A hit.
    Hit,
    /// A miss that the kernel has alone too.
    Own,
    /// A miss that the co-runners cause.
    Contention,
    /// An access to a line that another kernel used last.
    Shared {
        /// Whether it is a hit.
        hit: bool,
    },
}

/// What a pass has found. Matrices are `[victim][aggressor]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// Parts of a miss in which `exact` and `sampled` count: `(kernels - 1)!`.
    pub unit: u64,
    /// Shapley shares of each kernel's misses, its own misses on the diagonal, in `1 / unit`
    /// misses. A row comes to the kernel's misses less its [`shared_misses`](Self::shared_misses).
    pub exact: Vec<Vec<u128>>,
    /// The same of the accesses to some sets only, by their number: those of [`SAMPLES`] that are
    /// below the number of sets.
    pub sampled: BTreeMap<usize, Vec<Vec<u128>>>,
    /// Share at eviction: when a line of the victim is evicted, the lines of each kernel above it,
    /// the new line included. No share of misses, but of the same kind.
    pub sce: Vec<Vec<u64>>,
    /// What leaving out a kernel would save, `[victim][left out]`: the victim's misses that would
    /// be hits; on the diagonal all of its misses.
    pub saved: Vec<Vec<u64>>,
    /// Accesses to lines that another kernel used last.
    pub shared_lines: u64,
    /// By kernel, those of them that missed.
    pub shared_misses: Vec<u64>,
}

/// The pass.
#[derive(Debug, Clone)]
pub struct Exact {
    kernels: usize,
    ways: usize,
    shadow: Shadow,
    /// The owner of each line of the cache, by set and position, and how many there are.
    owners: Vec<u8>,
    filled: Vec<u8>,
    /// By set, the smallest sample that has it.
    classes: Vec<u8>,
    /// By class, victim and aggressor.
    exact: Vec<u128>,
    sce: Vec<u64>,
    saved: Vec<u64>,
    misses: Vec<u64>,
    shared_misses: Vec<u64>,
    shared_lines: u64,
    /// Each kernel's lines above the one that is accessed; the victim's among the others is 0.
    above: [u8; MAX_KERNELS],
    blame: [u64; MAX_KERNELS],
}

impl Exact {
    /// Of `kernels` kernels that share a cache of these dimensions, which is empty.
    ///
    /// # Errors
    /// [`ParamError`] for kernels beyond 1 to [`MAX_KERNELS`], or dimensions that no
    /// [`Geometry`](super::cache::Geometry) has.
    pub fn new(kernels: usize, sets: usize, ways: usize) -> Result<Self, ParamError> {
        ParamError::range("kernels", kernels as u64, 1, MAX_KERNELS as u64)?;
        ParamError::range("sets", sets as u64, 1, MAX_SETS as u64)?;
        ParamError::range("ways", ways as u64, 1, MAX_WAYS as u64)?;
        ParamError::range("sets * ways", (sets * ways) as u64, 1, MAX_LINES as u64)?;
        let pairs = kernels * kernels;
        Ok(Self {
            kernels,
            ways,
            shadow: Shadow::new(kernels, sets, ways),
            owners: vec![0; sets * ways],
            filled: vec![0; sets],
            classes: sets::classes(sets),
            exact: vec![0; (SAMPLES.len() + 1) * pairs],
            sce: vec![0; pairs],
            saved: vec![0; pairs],
            misses: vec![0; kernels],
            shared_misses: vec![0; kernels],
            shared_lines: 0,
            above: [0; MAX_KERNELS],
            blame: [0; MAX_KERNELS],
        })
    }

    /// One access of a kernel to the line with this tag in a set.
    ///
    /// # Panics
    /// If there is no such kernel or set.
    #[inline]
    pub fn access(&mut self, kernel: usize, set: usize, tag: u64) -> Use {
        assert!(kernel < self.kernels, "kernel {kernel} of {}", self.kernels);
        let above = &mut self.above[..self.kernels];
        let found = self.shadow.access(kernel, set, tag, above);
        // Lines above it in all; at most as many of each kernel as there are ways.
        let position = match found {
            Found::Nowhere => self.ways,
            _ => above.iter().map(|&lines| usize::from(lines)).sum(),
        };
        let hit = position < self.ways;
        self.fill(kernel, set, position);
        if !hit {
            self.misses[kernel] += 1;
        }
        match found {
            Found::OfAnother => {
                self.shared_lines += 1;
                self.shared_misses[kernel] += u64::from(!hit);
                Use::Shared { hit }
            }
            _ if hit => Use::Hit,
            Found::Nowhere => {
                let row = self.row(kernel, set);
                self.exact[row + kernel] += u128::from(FACTORIAL[self.kernels - 1]);
                Use::Own
            }
            Found::Own => {
                self.contention(kernel, set, position);
                Use::Contention
            }
        }
    }

    /// How the last [`Use::Contention`] was divided: the part of each other kernel, in the order of
    /// their KIDs, in `1 / (kernels - 1)!` misses.
    pub fn blamed(&self) -> &[u64] {
        &self.blame[..self.kernels - 1]
    }

    /// Where in `exact` a victim's row is.
    fn row(&self, victim: usize, set: usize) -> usize {
        (usize::from(self.classes[set]) * self.kernels + victim) * self.kernels
    }

    /// Blames a contention miss.
    fn contention(&mut self, victim: usize, set: usize, position: usize) {
        let (kernels, ways) = (self.kernels, self.ways);
        let row = self.row(victim, set);
        let quota = ways as u8 - self.above[victim];
        // The co-runners come first and the victim last, where it is left out.
        let others = kernels - 1;
        self.above[victim..kernels].rotate_left(1);
        let blame = &mut self.blame[..others];
        shapley_shubik(&self.above[..others], quota, blame);
        let aggressors = (0..kernels).filter(|&kernel| kernel != victim);
        for (other, aggressor) in aggressors.enumerate() {
            self.exact[row + aggressor] += u128::from(self.blame[other]);
            let without = position - usize::from(self.above[other]);
            self.saved[victim * kernels + aggressor] += u64::from(without < ways);
        }
    }

    /// The cache itself: the line is the kernel's and comes first; who is evicted counts those
    /// above it.
    fn fill(&mut self, kernel: usize, set: usize, position: usize) {
        let owners = &mut self.owners[set * self.ways..][..self.ways];
        let filled = usize::from(self.filled[set]);
        let from = if position < self.ways {
            position
        } else if filled < self.ways {
            self.filled[set] += 1;
            filled
        } else {
            let (&victim, above) = owners.split_last().expect("there is a way");
            let row = &mut self.sce[usize::from(victim) * self.kernels..][..self.kernels];
            for &owner in above {
                row[usize::from(owner)] += 1;
            }
            row[kernel] += 1;
            self.ways - 1
        };
        owners.copy_within(..from, 1);
        owners[0] = kernel as u8;
    }

    /// What has been found so far.
    pub fn attribution(&self) -> Attribution {
        let kernels = self.kernels;
        let pairs = kernels * kernels;
        // Of the sets in a class and those below it.
        let up_to = |class: usize| -> Vec<Vec<u128>> {
            let share = |pair: usize| -> u128 {
                let classes = self.exact.chunks(pairs).take(class + 1);
                classes.map(|matrix| matrix[pair]).sum()
            };
            let row = |v: usize| (0..kernels).map(|a| share(v * kernels + a)).collect();
            (0..kernels).map(row).collect()
        };
        let sets = self.classes.len();
        let samples = SAMPLES.iter().enumerate();
        let sampled = samples.filter(|(_, &samples)| samples < sets);
        let mut saved = rows(&self.saved, kernels);
        for (kernel, row) in saved.iter_mut().enumerate() {
            row[kernel] = self.misses[kernel];
        }
        Attribution {
            unit: FACTORIAL[kernels - 1],
            exact: up_to(SAMPLES.len()),
            sampled: sampled
                .map(|(class, &samples)| (samples, up_to(class)))
                .collect(),
            sce: rows(&self.sce, kernels),
            saved,
            shared_lines: self.shared_lines,
            shared_misses: self.shared_misses.clone(),
        }
    }
}

fn rows(flat: &[u64], kernels: usize) -> Vec<Vec<u64>> {
    flat.chunks(kernels).map(<[u64]>::to_vec).collect()
}
