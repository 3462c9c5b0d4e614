//! What changes over time, and over the sets.

use cotenant_golden::gpu::Reached;
use cotenant_golden::llc::cache::{Counts, Geometry};
use serde::{Deserialize, Serialize};

/// What happened in a period; by kernel where it is a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// The first cycle after it.
    pub end: u64,
    /// Cycles that it took.
    pub cycles: u64,
    /// Accesses.
    pub accesses: Vec<u64>,
    /// Of them, hits.
    pub hits: Vec<u64>,
    /// Demotions, `[victim][aggressor]`.
    pub gdc: Vec<Vec<u64>>,
    /// Evictions, `[victim][aggressor]`.
    pub ike: Vec<Vec<u64>>,
    /// Valid lines owned at its end.
    pub occupancy: Vec<u64>,
}

/// Periods, and accesses by set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Samples {
    /// One after the other.
    pub periods: Vec<Period>,
    /// Accesses, `[kernel][set]`.
    pub accesses: Vec<Vec<u64>>,
    /// Misses, `[kernel][set]`.
    pub misses: Vec<Vec<u64>>,
    last: Counts,
    since: u64,
}

impl Samples {
    /// None yet.
    pub fn new(geometry: &Geometry) -> Self {
        let zeros = vec![vec![0; geometry.sets]; geometry.kernels];
        Self {
            periods: vec![],
            accesses: zeros.clone(),
            misses: zeros,
            last: Counts::default(),
            since: 0,
        }
    }

    /// An access.
    #[inline]
    pub fn access(&mut self, reached: &Reached<'_>) {
        let (kernel, set) = (
            usize::from(reached.access.kernel),
            reached.outcome.set as usize,
        );
        self.accesses[kernel][set] += 1;
        self.misses[kernel][set] += u64::from(!reached.outcome.hit);
    }

    /// The period ends before `cycle`, with these counts since the start; nothing if no cycle has
    /// passed.
    pub fn end(&mut self, cycle: u64, counts: &Counts) {
        if cycle == self.since {
            return;
        }
        let kernel = |counts: &Counts, kid: usize, of: fn(u64, u64) -> u64| {
            let found = counts.kernels.get(kid);
            found.map_or(0, |kernel| of(kernel.accesses, kernel.hits))
        };
        let kernels = 0..counts.kernels.len();
        let grown = |of: fn(u64, u64) -> u64| -> Vec<u64> {
            let kids = kernels.clone();
            kids.map(|kid| kernel(counts, kid, of) - kernel(&self.last, kid, of))
                .collect()
        };
        self.periods.push(Period {
            end: cycle,
            cycles: cycle - self.since,
            accesses: grown(|accesses, _| accesses),
            hits: grown(|_, hits| hits),
            gdc: difference(&counts.gdc, &self.last.gdc),
            ike: difference(&counts.ike, &self.last.ike),
            occupancy: counts.occupancy.clone(),
        });
        self.last = counts.clone();
        self.since = cycle;
    }
}

fn difference(now: &[Vec<u64>], before: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let old = |v: usize, a: usize| before.get(v).and_then(|row| row.get(a)).copied();
    let row = |(v, row): (usize, &Vec<u64>)| -> Vec<u64> {
        let cells = row.iter().enumerate();
        cells
            .map(|(a, count)| count - old(v, a).unwrap_or(0))
            .collect()
    };
    now.iter().enumerate().map(row).collect()
}
