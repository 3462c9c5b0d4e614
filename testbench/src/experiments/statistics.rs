//! Means with bootstrap intervals, and sign tests between methods.

use std::fmt;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// Resamples of the bootstrap.
pub const RESAMPLES: usize = 10_000;
/// Level of the intervals, and of the tests.
pub const LEVEL: f64 = 0.95;
/// The bootstrap's own seed, so that intervals depend on the distances alone.
pub const SEED: u64 = 0xb007;

/// A mean, and the interval in which [`LEVEL`] of the means of the resamples lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// Over all workloads.
    pub mean: f64,
    /// Both ends.
    pub interval: [f64; 2],
}

/// As `0.039 (0.031 to 0.049)`.
impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.interval;
        // No minus sign in front of what is rounded to 0.
        let digits = |value: f64| format!("{:.3}", (value * 1e3).round() / 1e3 + 0.0);
        write!(
            f,
            "{} ({} to {})",
            digits(self.mean),
            digits(from),
            digits(to)
        )
    }
}

impl Mean {
    /// Percentiles of the resampled means.
    fn of(mean: f64, mut resampled: Vec<f64>) -> Self {
        resampled.sort_by(f64::total_cmp);
        let outside = ((1.0 - LEVEL) / 2.0 * resampled.len() as f64) as usize;
        let interval = [resampled[outside], resampled[resampled.len() - 1 - outside]];
        Self { mean, interval }
    }

    /// Whether 0 is in the interval.
    pub fn may_be_0(&self) -> bool {
        self.interval[0] <= 0.0 && self.interval[1] >= 0.0
    }
}

/// Two methods, by their number, over the same workloads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pair {
    /// The first and the second.
    pub methods: [usize; 2],
    /// Workloads in which each of them is strictly nearer to the truth.
    pub nearer: [usize; 2],
    /// Sign test of that: the probability that a fair coin divides them at least as unevenly.
    pub p: f64,
    /// The same, corrected for the number of pairs (Holm's method).
    pub p_holm: f64,
    /// The second's distance less the first's: above 0 if the first is nearer.
    pub lead: Mean,
}

impl Pair {
    /// The second before the first.
    pub fn exchanged(&self) -> Self {
        let exchange = |[a, b]: [usize; 2]| [b, a];
        let [from, to] = self.lead.interval;
        Self {
            methods: exchange(self.methods),
            nearer: exchange(self.nearer),
            lead: Mean {
                mean: -self.lead.mean,
                interval: [-to, -from],
            },
            ..*self
        }
    }
}

/// Means of all methods and the pairs that are compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// By method.
    pub means: Vec<Mean>,
    /// The pairs.
    pub pairs: Vec<Pair>,
}

/// Every pair of so many methods, once.
pub fn all_pairs(methods: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..methods).flat_map(move |a| (a + 1..methods).map(move |b| [a, b]))
}

/// Compares methods by their distances in the same workloads: `distances[workload][method]`, and
/// some `pairs` of them. None without workloads.
///
/// Workloads are resampled, all methods of one together, so that differences between methods are
/// those in the same workloads.
pub fn compare(distances: &[Vec<f64>], pairs: &[[usize; 2]]) -> Option<Compared> {
    let methods = distances.first()?.len();
    let column = |method: usize| distances.iter().map(move |row| row[method]);
    let count = distances.len() as f64;
    let mean = |method: usize| column(method).sum::<f64>() / count;
    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let mut resampled = vec![Vec::with_capacity(RESAMPLES); methods];
    for _ in 0..RESAMPLES {
        let mut sums = vec![0.0; methods];
        for _ in distances {
            let drawn = random.next_u64() % distances.len() as u64;
            for (sum, distance) in sums.iter_mut().zip(&distances[drawn as usize]) {
                *sum += distance;
            }
        }
        for (means, sum) in resampled.iter_mut().zip(sums) {
            means.push(sum / count);
        }
    }
    let pair = |a: usize, b: usize| {
        let nearer = |a: usize, b: usize| column(a).zip(column(b)).filter(|(a, b)| a < b).count();
        let nearer = [nearer(a, b), nearer(b, a)];
        let leads = resampled[a].iter().zip(&resampled[b]);
        Pair {
            methods: [a, b],
            nearer,
            p: sign_test(nearer),
            p_holm: 1.0,
            lead: Mean::of(mean(b) - mean(a), leads.map(|(a, b)| b - a).collect()),
        }
    };
    let mut pairs: Vec<Pair> = pairs.iter().map(|&[a, b]| pair(a, b)).collect();
    holm(&mut pairs);
    let means = resampled.into_iter().enumerate();
    Some(Compared {
        means: means
            .map(|(method, means)| Mean::of(mean(method), means))
            .collect(),
        pairs,
    })
}

/// Exact two-sided sign test: the probability that a fair coin, thrown as often as there are
/// workloads with a nearer method, falls at least as unevenly.
fn sign_test(nearer: [usize; 2]) -> f64 {
    let [fewer, throws] = [nearer[0].min(nearer[1]), nearer[0] + nearer[1]];
    assert!(throws <= 1000, "binomials of more throws are no numbers");
    let (mut tail, mut falls) = (0.0, 1.0);
    for heads in 0..=fewer {
        tail += falls;
        falls = falls * (throws - heads) as f64 / (heads + 1) as f64;
    }
    // Without functions whose last digit depends on the machine.
    let p = (0..throws).fold(2.0 * tail, |p, _| p / 2.0);
    p.min(1.0)
}

/// Holm's method: the k-th smallest of n probabilities times n - k + 1, and no less than the one
/// before it.
fn holm(pairs: &mut [Pair]) {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by(|&a, &b| pairs[a].p.total_cmp(&pairs[b].p));
    let mut least = 0.0f64;
    for (before, &pair) in order.iter().enumerate() {
        let left = (order.len() - before) as f64;
        least = least.max((pairs[pair].p * left).min(1.0));
        pairs[pair].p_holm = least;
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the test's probabilities by hand; an interval must hold the mean it was drawn
    //! around about as often as its level says, and must not if it is moved; a difference that is
    //! there is found although each method varies more than it.
    use super::*;

    #[test]
    fn sign_tests_by_hand() {
        let close = |nearer, p: f64| assert!((sign_test(nearer) - p).abs() < 1e-12, "{nearer:?}");
        close([0, 0], 1.0);
        close([5, 5], 1.0);
        close([0, 5], 2.0 / 32.0);
        close([9, 1], 2.0 * 11.0 / 1024.0);
        close([10, 14], 0.541_256_189_346_313_5);
        assert!(sign_test([0, 1000]) < 1e-300 && sign_test([500, 500]) == 1.0);
    }

    #[test]
    fn holm_by_hand() {
        let pair = |p| Pair {
            methods: [0, 1],
            nearer: [0, 0],
            p,
            p_holm: 1.0,
            lead: Mean::of(0.0, vec![0.0]),
        };
        let mut pairs = [0.04, 0.01, 0.03, 0.9].map(pair);
        holm(&mut pairs);
        assert_eq!(pairs.map(|pair| pair.p_holm), [0.09, 0.04, 0.09, 0.9]);
    }

    /// Distances of two methods, the second's larger by `more`, both with a large common part.
    fn drawn(seed: u64, count: usize, more: f64) -> Vec<Vec<f64>> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        let row = |_| {
            let common = uniform();
            vec![common, common + more + 0.1 * (uniform() - 0.5)]
        };
        (0..count).map(row).collect()
    }

    #[test]
    fn intervals_hold_the_true_mean_as_often_as_they_say() {
        let held = |truth: f64| {
            let holds = |seed: &u64| {
                let [from, to] = compare(&drawn(*seed, 40, 0.0), &[]).unwrap().means[0].interval;
                (from..=to).contains(&truth)
            };
            (0..60).filter(holds).count()
        };
        assert!((48..=60).contains(&held(0.5)), "{}", held(0.5));
        assert!(held(0.65) < 30);
    }

    #[test]
    fn differences_are_those_within_workloads() {
        let Compared { means, pairs } = compare(&drawn(1, 100, 0.02), &[[0, 1]]).unwrap();
        // Apart the methods could not be told apart, together they can.
        assert!(means[0].interval[1] > means[1].interval[0]);
        assert!(pairs.len() == 1 && !pairs[0].lead.may_be_0());
        assert!((pairs[0].lead.mean - 0.02).abs() < 0.01);
        assert!(pairs[0].nearer[0] > pairs[0].nearer[1]);
        let alike = |n: u64| vec![0.5, if n % 2 == 0 { 0.4 } else { 0.6 }];
        let none = compare(&(0..100).map(alike).collect::<Vec<_>>(), &[[0, 1]]).unwrap();
        assert!(none.pairs[0].lead.may_be_0());
        assert_eq!(compare(&[], &[]), None);
        assert!(all_pairs(3).eq([[0, 1], [0, 2], [1, 2]]));
    }
}
