//! What CPUs and GPU gain apart, and how often the GPU accesses the L3.
//!
//! Source: TAP, sections 3.2 to 3.4. The mean over a workload does not tell a policy that gives the
//! CPUs nothing from one that takes from the GPU what it gives them. XSRATIO above 1 is one of two
//! reasons for TAP-RRIP to keep the GPU's lines short, whether caching helps it or not.

use cotenant_golden::hetero::machine::Stats;
use cotenant_golden::hetero::speedup::geometric_mean;
use cotenant_golden::mgmt::policy::tap::xsratio;
use cotenant_golden::mgmt::policy::Kind;
use serde::Serialize;

use super::{Line, One};

/// By the type of the GPU's application, A to E; none without a workload of the type.
pub type ByType = [Option<f64>; 5];

/// What a policy does for either side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sides {
    /// The policy.
    pub policy: &'static str,
    /// Speedup over LRU less 1 of the CPUs' applications, geometric mean over all of a type.
    pub cpus: ByType,
    /// The same of the GPU's application.
    pub gpu: ByType,
    /// Misses of the GPU's application per access of the L3, all workloads of a type together.
    pub gpu_misses: ByType,
}

/// A policy in workloads whose GPU accesses the L3 much more often than any CPU, and in the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByRate {
    /// The policy.
    pub policy: &'static str,
    /// Workloads with XSRATIO above 1 with this policy, over all that is measured, and all.
    pub above: [[usize; 2]; 5],
    /// Speedup over LRU less 1 in these, and in the others.
    pub gain: [ByType; 2],
}

/// What was counted with a policy, or with LRU.
fn with(at: Option<usize>, line: &Line) -> &[Stats] {
    match at {
        Some(at) => &line.policies[at],
        None => &line.baseline,
    }
}

/// Of LRU, then of each policy.
pub(super) fn sides(policies: &[Kind], found: &[One<'_>]) -> Vec<Sides> {
    let all = [None].into_iter().chain((0..policies.len()).map(Some));
    all.map(|at| {
        let speedup = |of: &dyn Fn(usize) -> std::ops::Range<usize>| {
            by_type(found.iter(), |ones| {
                let ratios = ones.iter().flat_map(|one| {
                    let (before, after) = (&one.line.baseline, with(at, one.line));
                    of(before.len()).map(|app| after[app].ipc() / before[app].ipc())
                });
                geometric_mean(ratios) - 1.0
            })
        };
        Sides {
            policy: at.map_or(Kind::Lru, |at| policies[at]).name(),
            cpus: speedup(&|apps| 0..apps - 1),
            gpu: speedup(&|apps| apps - 1..apps),
            gpu_misses: by_type(found.iter(), |ones| {
                let gpu = ones.iter().filter_map(|one| with(at, one.line).last());
                let sum = gpu.fold([0, 0], |[misses, accesses], it| {
                    [misses + it.misses, accesses + it.accesses]
                });
                sum[0] as f64 / sum[1].max(1) as f64
            }),
        }
    })
    .collect()
}

/// Of each policy of TAP.
pub(super) fn by_rate(policies: &[Kind], found: &[One<'_>]) -> Vec<ByRate> {
    let taps = [Kind::TapUcp, Kind::TapRrip];
    let at = |kind: &Kind| policies.iter().position(|it| it == kind);
    taps.iter()
        .filter_map(|kind| Some((kind, at(kind)?)))
        .map(|(kind, at)| {
            let above = |one: &One<'_>| often(&one.line.policies[at]);
            let count = |kind: usize| {
                let of_type = found.iter().filter(|one| one.kind == kind);
                [
                    of_type.clone().filter(|one| above(one)).count(),
                    of_type.count(),
                ]
            };
            let gain = |wanted: bool| {
                by_type(found.iter().filter(|one| above(one) == wanted), |ones| {
                    geometric_mean(ones.iter().map(|one| one.speedups[at])) - 1.0
                })
            };
            ByRate {
                policy: kind.name(),
                above: [0, 1, 2, 3, 4].map(count),
                gain: [true, false].map(gain),
            }
        })
        .collect()
}

/// Whether XSRATIO is above 1; the GPU's application is the last.
fn often(stats: &[Stats]) -> bool {
    let Some((gpu, cpus)) = stats.split_last() else {
        return false;
    };
    let most = cpus.iter().map(|it| it.accesses).max().unwrap_or(0);
    xsratio(gpu.accesses, most) > 1
}

pub(super) fn by_type<'a>(
    found: impl Iterator<Item = &'a One<'a>> + Clone,
    of: impl Fn(&[&One<'a>]) -> f64,
) -> ByType {
    [0, 1, 2, 3, 4].map(|kind| {
        let ones: Vec<&One<'_>> = found.clone().filter(|one| one.kind == kind).collect();
        (!ones.is_empty()).then(|| of(&ones))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(instructions: u64, accesses: u64, misses: u64) -> Stats {
        Stats {
            instructions,
            cycles: 1000,
            accesses,
            misses,
        }
    }

    /// One CPU application and a GPU's.
    fn line(lru: [Stats; 2], with: [Stats; 2]) -> Line {
        Line {
            name: String::new(),
            baseline: lru.to_vec(),
            policies: vec![with.to_vec()],
        }
    }

    fn of(kind: usize, line: &Line, speedup: f64) -> One<'_> {
        One {
            kind,
            line,
            speedups: vec![speedup],
        }
    }

    #[test]
    fn each_side_has_its_own_gain_and_types_are_apart() {
        let lru = [stats(100, 10, 5), stats(1000, 100, 10)];
        let one = line(lru, [stats(200, 10, 5), stats(500, 100, 40)]);
        let other = line(lru, [stats(800, 10, 5), stats(500, 300, 60)]);
        let found = [(2, &one), (2, &other), (4, &one)].map(|(kind, line)| of(kind, line, 1.0));
        let [none, tap] = &sides(&[Kind::TapRrip], &found)[..] else {
            panic!("LRU and one policy")
        };
        assert_eq!((none.policy, tap.policy), ("lru", "tap-rrip"));
        assert_eq!(none.cpus, [None, None, Some(0.0), None, Some(0.0)]);
        // The geometric mean of 2 and 8 is 4.
        let close = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-12;
        assert!(close(tap.cpus[2], 3.0) && close(tap.gpu[2], -0.5));
        assert!(close(tap.cpus[4], 1.0) && close(tap.gpu[4], -0.5));
        assert!(close(tap.gpu_misses[2], 0.25) && close(none.gpu_misses[2], 0.1));
    }

    #[test]
    fn workloads_are_divided_by_xsratio_with_the_policy() {
        let lru = [stats(100, 10, 5), stats(1000, 100, 10)];
        // Ten times as often is not above the threshold, eleven times is.
        let ten = line(lru, [stats(100, 10, 5), stats(1000, 100, 10)]);
        let eleven = line(lru, [stats(100, 10, 5), stats(1000, 110, 10)]);
        let found = [of(2, &ten, 1.5), of(2, &eleven, 0.5), of(3, &eleven, 0.5)];
        let [of] = &by_rate(&[Kind::TapRrip], &found)[..] else {
            panic!("one policy of TAP")
        };
        assert!(by_rate(&[Kind::Ucp], &found).is_empty());
        assert_eq!(of.above, [[0, 0], [0, 0], [1, 2], [1, 1], [0, 0]]);
        assert_eq!(of.gain[0], [None, None, Some(-0.5), Some(-0.5), None]);
        assert_eq!(of.gain[1], [None, None, Some(0.5), None, None]);
    }
}
