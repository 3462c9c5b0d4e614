//! `costs`: a partition by what the co-runners really cost each application.
//!
//! Source: none; it puts the exact attribution ([`exact`](crate::llc::exact)) in the place of UCP's
//! utility. UCP asks what an application would gain with more ways, and does not ask who has them; this
//! asks how many misses the others cause it where all share the cache under LRU, in sampled sets, and
//! gives it ways in that proportion. An application that streams suffers nothing, and so keeps one way.
//!
//! ASSUMPTION: each application has one way, and the others are given in proportion to the misses of the
//! period that its co-runners caused it, as Shapley's value divides them; what is left by rounding down
//! goes to the largest remainders, of equal ones to the lower id. Without any such miss in the period
//! the partition stays. Before the first decision all have as many ways, as in
//! [`utility`](super::utility).
//! ASSUMPTION: the partition is kept as by [`utility`](super::utility), by owner counts.

use super::partition::Parts;
use super::utility::shares;
use super::{Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::llc::exact::{sampled_sets, Exact};
use crate::model::ParamError;

/// Ways of each application, by the misses that its co-runners cause it; none if there are none.
///
/// ```
/// use cotenant_golden::mgmt::policy::costs::proportional;
///
/// // A way for each, and the other five by 0 : 100 : 60.
/// assert_eq!(proportional(8, &[0, 100, 60]), Some(vec![1, 4, 3]));
/// assert_eq!(proportional(8, &[0, 0, 0]), None);
/// ```
pub fn proportional(ways: usize, suffered: &[u128]) -> Option<Vec<u64>> {
    let balance = ways.saturating_sub(suffered.len()) as u128;
    let all: u128 = suffered.iter().sum();
    if all == 0 {
        return None;
    }
    let mut quota: Vec<u64> = suffered
        .iter()
        .map(|misses| 1 + (balance * misses / all) as u64)
        .collect();
    let given: u64 = quota.iter().map(|ways| ways - 1).sum();
    let mut order: Vec<usize> = (0..suffered.len()).collect();
    order.sort_by_key(|&app| std::cmp::Reverse(balance * suffered[app] % all));
    for &app in order.iter().take((balance as u64 - given) as usize) {
        quota[app] += 1;
    }
    Some(quota)
}

/// The policy.
#[derive(Debug, Clone)]
pub struct Costs {
    ways: usize,
    parts: Parts,
    /// By set, its number among the sampled ones.
    samples: Vec<Option<u32>>,
    exact: Exact,
    /// What was suffered until the period began, in parts of a miss.
    before: Vec<u128>,
}

impl Costs {
    /// Of an empty cache; `sampled` sets are looked at, all if there are fewer.
    ///
    /// # Errors
    /// [`ParamError`] when there are fewer ways than applications.
    pub fn new(geometry: &Geometry, sampled: usize) -> Result<Self, ParamError> {
        let Geometry {
            sets,
            ways,
            kernels,
            ..
        } = *geometry;
        let quota = shares(geometry)?;
        let chosen = sampled_sets(sets, sampled);
        let mut samples = vec![None; sets];
        for (number, &set) in (0..).zip(&chosen) {
            samples[set] = Some(number);
        }
        Ok(Self {
            ways,
            parts: Parts::new(geometry, (0..kernels as u8).collect(), quota),
            samples,
            exact: Exact::new(kernels, chosen.len(), ways)?,
            before: vec![0; kernels],
        })
    }

    /// What its co-runners have cost each application so far, in parts of a miss.
    fn suffered(&self) -> Vec<u128> {
        let rows = self.exact.attribution().exact;
        let others = |(victim, row): (usize, &Vec<u128>)| row.iter().sum::<u128>() - row[victim];
        rows.iter().enumerate().map(others).collect()
    }
}

impl Policy for Costs {
    fn observe(&mut self, request: &Request) {
        if let Some(sample) = self.samples[request.set] {
            self.exact.access(request.app, sample as usize, request.tag);
        }
    }

    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.parts.hit(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        self.parts.miss(request, lines)
    }

    fn end_period(&mut self, _: &Ended<'_>) {
        let now = self.suffered();
        let of_period = now
            .iter()
            .zip(&self.before)
            .map(|(now, before)| now - before);
        if let Some(quota) = proportional(self.ways, &of_period.collect::<Vec<u128>>()) {
            self.parts.quota = quota;
        }
        self.before = now;
    }

    fn decision(&self) -> Decision {
        Decision {
            quotas: Some(self.parts.quotas()),
            ..Decision::default()
        }
    }
}
