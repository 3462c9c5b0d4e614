//! Exact shares as the report has them, and how far each monitor is from them.

use super::report::Row;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::llc::exact::{self, Exact};
use cotenant_golden::metrics::{others, wbd, Contention};
use cotenant_golden::workload::Access;
use cotenant_golden::ParamError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most kernels whose counts are whole numbers: `7!` parts of a miss leave room for `2^40` misses
/// in the 53 bits that every reader of JSON keeps.
const WHOLE: usize = 8;
/// Digits after the point of a decimal.
const DIGITS: usize = 9;

/// Shares of misses, `[victim][aggressor]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Shares {
    /// In whole parts of a miss.
    Parts(Vec<Vec<u64>>),
    /// In misses, as decimals with nine digits after the point, rounded down.
    Decimals(Vec<Vec<String>>),
}

impl Shares {
    fn new(parts: &[Vec<u128>], unit: u64) -> Self {
        fn each<T>(parts: &[Vec<u128>], cell: impl Fn(u128) -> T) -> Vec<Vec<T>> {
            let row = |row: &Vec<u128>| row.iter().map(|&parts| cell(parts)).collect();
            parts.iter().map(row).collect()
        }
        if parts.len() <= WHOLE {
            // Beyond only with more than 2^51 misses.
            return Shares::Parts(each(parts, |parts| parts.try_into().unwrap_or(u64::MAX)));
        }
        let unit = u128::from(unit);
        Shares::Decimals(each(parts, |parts| {
            let fraction = (parts % unit) * 10u128.pow(DIGITS as u32) / unit;
            format!("{}.{fraction:0DIGITS$}", parts / unit)
        }))
    }
}

/// How far a monitor's shares over the co-runners are from the exact ones
/// ([`wbd`](cotenant_golden::metrics::wbd)), by victim; null where one of them has no shares.
pub type Distances = Vec<Option<f64>>;

/// Who costs each kernel its misses. Matrices are `[victim][aggressor]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// Parts of a miss in which `exact` and `sampled` count: `(kernels - 1)!`, or 1 for more than
    /// eight kernels, whose counts are decimals.
    pub unit: u64,
    /// Each co-runner's Shapley share of the kernel's misses; its own misses on the diagonal.
    pub exact: Shares,
    /// The same of 8, 16, 32 or 64 sets only, as far as there are more.
    pub sampled: BTreeMap<usize, Shares>,
    /// Share at eviction: lines of each kernel above the victim's lines when they were evicted.
    pub sce: Vec<Vec<u64>>,
    /// Accesses to lines that another kernel used last, which charge nobody.
    pub shared_lines: u64,
    /// By kernel, those of them that missed.
    pub shared_misses: Vec<u64>,
    /// Misses that leaving out a kernel would save, `[victim][left out]`; on the diagonal all
    /// misses of the kernel.
    pub saved: Vec<Vec<u64>>,
    /// `exact` as fractions of a row; null without misses.
    pub shares: Vec<Row>,
    /// Distance from `shares` of each monitor: `gdc`, `plob`, `sce` and the samples' numbers of
    /// sets.
    pub distance: BTreeMap<String, Distances>,
}

impl Attribution {
    /// Of a pass, beside what GDC and PLOB say.
    pub fn new(found: exact::Attribution, contention: &Contention) -> Self {
        let exact::Attribution { unit, .. } = found;
        let whole = |parts: &[Vec<u128>]| -> Vec<Row> {
            parts
                .iter()
                .map(|row| fractions(row.iter().copied()))
                .collect()
        };
        let shares = whole(&found.exact);
        let evicted = |row: &Vec<u64>| fractions(row.iter().map(|&lines| lines.into()));
        let mut monitors = BTreeMap::from([
            ("gdc".to_string(), contention.share_gdc.clone()),
            ("plob".to_string(), contention.share_plob.clone()),
            ("sce".to_string(), found.sce.iter().map(evicted).collect()),
        ]);
        for (samples, parts) in &found.sampled {
            monitors.insert(samples.to_string(), whole(parts));
        }
        let far = |monitor: Vec<Row>| distances(&monitor, &shares);
        let distance = monitors
            .into_iter()
            .map(|(name, monitor)| (name, far(monitor)));
        let sampled = found.sampled.iter();
        Self {
            unit: if found.exact.len() <= WHOLE { unit } else { 1 },
            exact: Shares::new(&found.exact, unit),
            sampled: sampled
                .map(|(&samples, parts)| (samples, Shares::new(parts, unit)))
                .collect(),
            distance: distance.collect(),
            sce: found.sce,
            shared_lines: found.shared_lines,
            shared_misses: found.shared_misses,
            saved: found.saved,
            shares,
        }
    }
}

/// The pass beside a cache; without effect for more than [`exact::MAX_KERNELS`] kernels.
#[derive(Debug, Clone)]
pub(crate) struct Pass {
    geometry: Geometry,
    exact: Option<Exact>,
}

impl Pass {
    /// Beside an empty cache.
    pub fn new(geometry: &Geometry) -> Result<Self, ParamError> {
        let Geometry {
            kernels,
            sets,
            ways,
            ..
        } = *geometry;
        let told = kernels <= exact::MAX_KERNELS;
        Ok(Self {
            geometry: *geometry,
            exact: told.then(|| Exact::new(kernels, sets, ways)).transpose()?,
        })
    }

    /// An access that the cache has taken.
    pub fn access(&mut self, access: &Access) {
        if let Some(exact) = &mut self.exact {
            let (set, tag) = (
                self.geometry.set_of(access.address),
                self.geometry.tag_of(access.address),
            );
            exact.access(access.kernel.into(), set, tag);
        }
    }

    /// What it has found, beside what GDC and PLOB say.
    pub fn attribution(&self, contention: &Contention) -> Option<Attribution> {
        let exact = self.exact.as_ref()?;
        Some(Attribution::new(exact.attribution(), contention))
    }
}

/// Parts of their sum.
fn fractions(parts: impl Iterator<Item = u128> + Clone) -> Row {
    let sum: u128 = parts.clone().sum();
    (sum > 0).then(|| parts.map(|part| part as f64 / sum as f64).collect())
}

/// ASSUMPTION: compared are shares over the co-runners, which extra misses have; what a kernel does
/// to itself is left out of both sides.
fn distances(monitor: &[Row], exact: &[Row]) -> Distances {
    let rows = monitor.iter().zip(exact).enumerate();
    rows.map(|(kernel, (monitor, exact))| {
        let over = |row: &Row| others(row.as_deref()?, kernel);
        wbd(&over(monitor)?, &over(exact)?)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: decimals are cut, not rounded up to a whole; a monitor that agrees over the
    //! co-runners has no distance, whatever it says of the kernel itself.
    use super::*;

    #[test]
    fn more_than_eight_kernels_have_decimals() {
        let unit = 3_628_800u64 * 11 * 12 * 13 * 14 * 15;
        let row = [u128::from(unit) * 7 / 3, 0, u128::from(unit) - 1];
        let parts = vec![row.to_vec(); 9];
        let Shares::Decimals(decimals) = Shares::new(&parts, unit) else {
            panic!("nine kernels have decimals")
        };
        assert_eq!(decimals[0], ["2.333333333", "0.000000000", "0.999999999"]);
        let parts = Shares::new(&parts[..8], unit);
        assert!(matches!(parts, Shares::Parts(_)));
    }

    #[test]
    fn distances_are_over_the_co_runners() {
        let exact = vec![Some(vec![0.5, 0.25, 0.25]), None, Some(vec![0.0, 0.0, 1.0])];
        let monitor = vec![Some(vec![0.0, 0.5, 0.5]); 3];
        assert_eq!(distances(&monitor, &exact), [Some(0.0), None, None]);
        let wrong = vec![Some(vec![0.5, 0.5, 0.0]); 3];
        let far = 0.5f64.hypot(0.5);
        assert_eq!(distances(&wrong, &exact), [Some(far), None, None]);
    }
}
