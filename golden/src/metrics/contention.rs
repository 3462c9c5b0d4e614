//! Contention between kernels by victim and aggressor, and the distance `wbd` between two monitors.

use serde::{Deserialize, Serialize};

use crate::llc::cache::Counts;

/// A victim's breakdown by aggressor; `None` when there was nothing to break down.
pub type Row = Option<Vec<f64>>;

/// Contention between kernels, broken down by victim (row) and aggressor (column).
///
/// Source: GDC paper, section II-A for PLOB: of the misses `M_i` of kernel i,
/// `M_i * ike[i][j] / sum of ike[i]` are ascribed to j.
///
/// ASSUMPTION: the same formula with demotions for GDC, the kernel itself included, which the
/// paper does not print. PLOB's shares are over the other kernels ("inter-kernel"); with the
/// kernel's own evictions they are in the fields that say so.
///
/// ```
/// use cotenant_golden::llc::cache::Counts;
/// use cotenant_golden::metrics::Contention;
///
/// let counts = Counts {
///     gdc: vec![vec![1, 3], vec![0, 0]],
///     ike: vec![vec![5, 5], vec![0, 0]],
///     ..Counts::default()
/// };
/// let contention = Contention::of(&counts);
/// assert_eq!(contention.share_gdc, [Some(vec![0.25, 0.75]), None]);
/// assert_eq!(contention.share_plob, [Some(vec![0.0, 1.0]), None]);
/// assert_eq!(contention.share_plob_with_self, [Some(vec![0.5, 0.5]), None]);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Contention {
    /// Shares of the demotions that a kernel's lines suffered, its own included.
    pub share_gdc: Vec<Row>,
    /// Shares of the evictions that a kernel's lines suffered from others; its own is 0.
    pub share_plob: Vec<Row>,
    /// Shares of all evictions that a kernel's lines suffered.
    pub share_plob_with_self: Vec<Row>,
    /// A kernel's misses times its row of `share_gdc`.
    pub misses_gdc: Vec<Row>,
    /// A kernel's misses times its row of `share_plob`.
    pub misses_plob: Vec<Row>,
    /// A kernel's misses times its row of `share_plob_with_self`.
    pub misses_plob_with_self: Vec<Row>,
    /// Each kernel's [`wbd`] of PLOB from GDC; `None` where one of them has no shares.
    pub wbd: Vec<Option<f64>>,
}

impl Contention {
    /// The breakdown of what a cache has counted.
    pub fn of(counts: &Counts) -> Self {
        let share_gdc: Vec<_> = counts.gdc.iter().map(|events| shares(events)).collect();
        let share_plob_with_self: Vec<_> = counts.ike.iter().map(|events| shares(events)).collect();
        let share_plob: Vec<_> = counts.ike.iter().enumerate().map(inter_kernel).collect();
        let attributed = |rows: &[Row]| -> Vec<Row> {
            let misses = counts.kernels.iter().map(|kernel| kernel.misses as f64);
            let scaled = |(row, misses): (&Row, f64)| {
                row.as_ref()
                    .map(|shares| shares.iter().map(|share| misses * share).collect())
            };
            rows.iter().zip(misses).map(scaled).collect()
        };
        let wbd = share_gdc.iter().zip(&share_plob);
        Self {
            misses_gdc: attributed(&share_gdc),
            misses_plob: attributed(&share_plob),
            misses_plob_with_self: attributed(&share_plob_with_self),
            wbd: wbd
                .map(|(a, b)| Some(wbd_of(a.as_deref()?, b.as_deref()?)))
                .collect(),
            share_gdc,
            share_plob,
            share_plob_with_self,
        }
    }
}

/// The row of the other kernels' evictions.
fn inter_kernel((victim, events): (usize, &Vec<u64>)) -> Row {
    let mut others = events.clone();
    if let Some(own) = others.get_mut(victim) {
        *own = 0;
    }
    shares(&others)
}

/// Each event count as a fraction of their sum.
fn shares(events: &[u64]) -> Row {
    // A sum of counters may pass 64 bits.
    let sum: u128 = events.iter().map(|&events| u128::from(events)).sum();
    (sum > 0).then(|| {
        events
            .iter()
            .map(|&events| events as f64 / sum as f64)
            .collect()
    })
}

/// Workload breakdown deviation: the distance of two breakdowns of one kernel's misses, as
/// fractions, 0 to the square root of 2. `None` when they are not over the same kernels.
///
/// Source: GDC paper, section IV-C: `sqrt(sum over j of (p_j of A - p_j of B)^2)`.
///
/// ```
/// use cotenant_golden::metrics::wbd;
/// // Figure 3: DADD, itself, AGG1, AGG2.
/// let deviation = wbd(&[0.576, 0.223, 0.183, 0.017], &[0.0, 0.0, 0.727, 0.267]).unwrap();
/// assert!((deviation - 0.86).abs() < 0.005);
/// ```
pub fn wbd(a: &[f64], b: &[f64]) -> Option<f64> {
    (a.len() == b.len()).then(|| wbd_of(a, b))
}

/// The breakdown of a kernel's misses over the other kernels: the shares without its own, which
/// come to 1 again. `None` when it did all of it itself, or there is no such kernel.
///
/// The extra misses that company costs a kernel are its co-runners' alone (what it does to itself
/// it does without them too), so a breakdown of those is compared with this.
///
/// ```
/// use cotenant_golden::metrics::others;
/// assert_eq!(others(&[0.5, 0.375, 0.125], 0), Some(vec![0.75, 0.25]));
/// assert_eq!(others(&[1.0, 0.0], 0), None);
/// ```
pub fn others(shares: &[f64], kernel: usize) -> Row {
    let (before, rest) = shares.split_at_checked(kernel)?;
    let (_, after) = rest.split_first()?;
    let others = || before.iter().chain(after);
    let sum: f64 = others().sum();
    (sum > 0.0).then(|| others().map(|share| share / sum).collect())
}

fn wbd_of(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[cfg(test)]
mod tests {
    //! Rationale: a row with events of all kinds, one with a kernel's own evictions only (no
    //! inter-kernel share) and one without any; sums beyond 64 bits.
    use super::*;
    use crate::llc::cache::KernelCounts;

    #[test]
    fn rows_by_hand() {
        let kernel = |kid, misses| KernelCounts {
            kid,
            misses,
            ..KernelCounts::default()
        };
        let contention = Contention::of(&Counts {
            kernels: vec![kernel(0, 100), kernel(1, 8), kernel(2, 7)],
            gdc: vec![vec![2, 1, 1], vec![0, 4, 0], vec![0, 0, 0]],
            ike: vec![vec![6, 1, 3], vec![0, 9, 0], vec![0, 0, 0]],
            ..Counts::default()
        });
        assert_eq!(contention.share_gdc[0], Some(vec![0.5, 0.25, 0.25]));
        assert_eq!(contention.share_plob[0], Some(vec![0.0, 0.25, 0.75]));
        assert_eq!(
            contention.share_plob_with_self[0],
            Some(vec![0.6, 0.1, 0.3])
        );
        assert_eq!(contention.misses_gdc[0], Some(vec![50.0, 25.0, 25.0]));
        assert_eq!(contention.misses_plob[0], Some(vec![0.0, 25.0, 75.0]));
        let expected = (0.5f64 * 0.5 + 0.5 * 0.5).sqrt();
        assert_eq!(contention.wbd, [Some(expected), None, None]);
        assert_eq!(contention.share_gdc[1], Some(vec![0.0, 1.0, 0.0]));
        assert_eq!(contention.share_plob[1], None, "no other kernel evicted it");
        assert_eq!(
            contention.share_plob_with_self[1],
            Some(vec![0.0, 1.0, 0.0])
        );
        assert_eq!(contention.share_gdc[2], None);
        assert_eq!(contention.misses_gdc[2], None);
    }

    #[test]
    fn sums_beyond_64_bits() {
        assert_eq!(shares(&[u64::MAX, u64::MAX]), Some(vec![0.5, 0.5]));
    }

    #[test]
    fn json_says_null_for_a_row_without_events() {
        let none: Vec<Row> = vec![None, Some(vec![1.0])];
        assert_eq!(serde_json::to_string(&none).unwrap(), "[null,[1.0]]");
    }

    #[test]
    fn without_the_kernel_itself() {
        let shares = [0.25, 0.5, 0.25, 0.0];
        assert_eq!(others(&shares, 1), Some(vec![0.5, 0.5, 0.0]));
        assert_eq!(others(&shares, 3), Some(vec![0.25, 0.5, 0.25]));
        assert_eq!(others(&shares, 4), None);
        assert_eq!(others(&[], 0), None);
    }

    #[test]
    fn breakdowns_over_other_kernels_have_no_distance() {
        assert_eq!(wbd(&[1.0], &[0.5, 0.5]), None);
        assert_eq!(wbd(&[1.0, 0.0], &[0.0, 1.0]), Some(2f64.sqrt()));
    }
}
