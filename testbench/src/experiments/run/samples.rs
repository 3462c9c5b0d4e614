//! Values sampled over time and per cache set.

use cotenant_golden::gpu::Reached;
use cotenant_golden::llc::cache::{Counts, Geometry};
use cotenant_golden::ParamError;
use serde::{Deserialize, Serialize};

use crate::experiments::replay::Pass;

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

/// Periods that are kept; of a run of more, neighbours are taken together.
pub const MAX_PERIODS: usize = 1 << 10;

/// Periods, accesses by set, and exact shares.
#[derive(Debug, Clone)]
pub struct Samples {
    /// One after the other.
    pub periods: Vec<Period>,
    /// Accesses, `[kernel][set]`.
    pub accesses: Vec<Vec<u64>>,
    /// Misses, `[kernel][set]`.
    pub misses: Vec<Vec<u64>>,
    /// Who costs each kernel its misses.
    pub(super) exact: Pass,
    last: Counts,
    since: u64,
    /// Periods that are taken together, and how many of them have ended.
    together: u64,
    ended: u64,
}

impl Samples {
    /// None yet.
    ///
    /// # Errors
    /// For a geometry that no cache has.
    pub fn new(geometry: &Geometry) -> Result<Self, ParamError> {
        let zeros = vec![vec![0; geometry.sets]; geometry.kernels];
        Ok(Self {
            periods: vec![],
            accesses: zeros.clone(),
            misses: zeros,
            exact: Pass::new(geometry)?,
            last: Counts::default(),
            since: 0,
            together: 1,
            ended: 0,
        })
    }

    /// An access.
    #[inline]
    pub fn access(&mut self, reached: &Reached<'_>) {
        let (kernel, set) = (
            usize::from(reached.access.kernel),
            reached.outcome.set as usize,
        );
        self.exact.access(reached.access);
        self.accesses[kernel][set] += 1;
        self.misses[kernel][set] += u64::from(!reached.outcome.hit);
    }

    /// A period ends before `cycle`, with these counts since the start.
    pub fn end(&mut self, cycle: u64, counts: &Counts) {
        self.ended += 1;
        if self.ended % self.together == 0 {
            self.finish(cycle, counts);
        }
        if self.periods.len() == MAX_PERIODS {
            let mut periods = std::mem::take(&mut self.periods).into_iter();
            while let Some(first) = periods.next() {
                self.periods.push(match periods.next() {
                    Some(second) => joined(first, second),
                    None => first,
                });
            }
            self.together *= 2;
        }
    }

    /// The last one ends, before it would have; nothing if no cycle has passed.
    pub fn finish(&mut self, cycle: u64, counts: &Counts) {
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

/// A period and the one after it, as one.
fn joined(first: Period, second: Period) -> Period {
    let sum = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    let sums =
        |a: Vec<Vec<u64>>, b: Vec<Vec<u64>>| a.into_iter().zip(b).map(|(a, b)| sum(a, b)).collect();
    Period {
        end: second.end,
        cycles: first.cycles + second.cycles,
        accesses: sum(first.accesses, second.accesses),
        hits: sum(first.hits, second.hits),
        gdc: sums(first.gdc, second.gdc),
        ike: sums(first.ike, second.ike),
        occupancy: second.occupancy,
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

#[cfg(test)]
mod tests {
    //! Rationale: a run of any length fits into memory and onto a page, and its periods still
    //! come to the same sums, in order and without a gap.
    use super::*;
    use cotenant_golden::llc::cache::KernelCounts;

    fn counts(accesses: u64) -> Counts {
        Counts {
            kernels: vec![KernelCounts {
                accesses,
                ..KernelCounts::default()
            }],
            gdc: vec![vec![3 * accesses]],
            ike: vec![vec![accesses / 2]],
            occupancy: vec![accesses % 7],
            ..Counts::default()
        }
    }

    #[test]
    fn many_periods_become_fewer_and_keep_their_sums() {
        let geometry = Geometry {
            sets: 1,
            ways: 1,
            line: 128,
            kernels: 1,
            banks: 1,
        };
        for all in [1, 5, 1023, 1024, 1025, 5000, 70_001] {
            let mut samples = Samples::new(&geometry).unwrap();
            for period in 1..=all {
                samples.end(10 * period, &counts(period * period));
            }
            // An interrupted one.
            let last = all * all + 1;
            samples.finish(10 * all + 3, &counts(last));
            let periods = &samples.periods;
            assert!(periods.len() <= MAX_PERIODS, "{all}: {}", periods.len());
            assert!(
                periods.len() as u64 > all.min(500),
                "{all}: {}",
                periods.len()
            );
            let mut before = 0;
            for period in periods {
                assert_eq!(period.end - before, period.cycles);
                before = period.end;
            }
            assert_eq!(before, 10 * all + 3);
            let sum = |of: fn(&Period) -> u64| periods.iter().map(of).sum::<u64>();
            assert_eq!(sum(|p| p.accesses[0]), last);
            assert_eq!(sum(|p| p.gdc[0][0]), 3 * last);
            assert_eq!(sum(|p| p.ike[0][0]), last / 2);
            assert_eq!(periods[periods.len() - 1].occupancy, [last % 7]);
        }
    }
}
