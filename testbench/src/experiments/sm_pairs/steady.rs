//! Whether the warm-up is long enough: how much speed differs in time, and what a longer warm-up would change.
//!
//! The warm-up is long enough if one twice as long, which leaves out the window's first tenth, changes the
//! mean weighted speedup of no scheme by [`BOUND`]. Single kernels need not be steady for that: one whose
//! blocks come and go in waves never is.

use cotenant_golden::schemes::run::{Counts, Variant, PERIODS};
use cotenant_golden::schemes::{Issue, Scheme};
use serde::Serialize;

use super::evaluate::{geometric, Evaluation};
use super::plan::Workload;
use super::runs::{Case, What};

/// As a share. ASSUMPTION: less than the smallest gain that the paper reports, 1.5 % (section 4.1.1).
pub const BOUND: f64 = 0.01;

/// The longest warm-up that is looked at, in tenths of the window.
const LONGEST: usize = PERIODS as usize / 2;

/// How far speed in a stretch of time is from that of the window's second half.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Steady {
    /// 0 for the warm-up, then the tenths of the window.
    pub period: usize,
    /// Half of the kernels of all runs deviate by less, as a share.
    pub median: f64,
    /// Nine of ten.
    pub of_ten: f64,
}

/// What a scheme's weighted speedup would be with other warm-ups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WarmUp {
    /// The machine.
    pub machine: Variant,
    /// The scheme.
    pub scheme: String,
    /// Geometric mean over all workloads, counted from the end of a warm-up of so many tenths of the
    /// window on, 0 first; 1 is the warm-up of the runs.
    pub weighted_speedup: Vec<f64>,
}

impl WarmUp {
    /// What a warm-up of two tenths changes, as a share.
    pub fn change(&self) -> f64 {
        (self.weighted_speedup[2] / self.weighted_speedup[1] - 1.0).abs()
    }
}

/// Instructions in a period from the end of a warm-up of so many tenths on.
fn speed(counts: &Counts, warm_up: usize) -> f64 {
    let later = &counts.by_period[warm_up..];
    later.iter().sum::<u64>() as f64 / later.len() as f64
}

impl Evaluation<'_> {
    /// How steady speed is, over all kernels of all runs of workloads.
    pub fn steady(&self) -> Vec<Steady> {
        let lines = self
            .known
            .values()
            .filter(|line| matches!(line.case.what, What::Scheme(_)));
        let counts: Vec<&Counts> = lines.flat_map(|line| &line.counts).collect();
        // The warm-up is as long as a tenth of the window.
        let of = |period: usize| {
            let off = counts.iter().filter_map(|counts| {
                let mean = speed(counts, 1 + LONGEST);
                (mean > 0.0).then(|| (counts.by_period[period] as f64 / mean - 1.0).abs())
            });
            let mut off: Vec<f64> = off.collect();
            off.sort_by(f64::total_cmp);
            let at = |share: f64| off[((off.len() - 1) as f64 * share) as usize];
            (!off.is_empty()).then(|| Steady {
                period,
                median: at(0.5),
                of_ten: at(0.9),
            })
        };
        (0..=PERIODS as usize).filter_map(of).collect()
    }

    /// What other warm-ups would give, by scheme; none of static limits, of which there are hundreds.
    pub fn warm_ups(&self) -> Vec<WarmUp> {
        let all = self.plan.schemes.iter();
        let all = all.flat_map(|(machine, schemes)| schemes.iter().map(|it| (*machine, *it)));
        let all = all.filter(|(_, scheme)| !matches!(scheme.issue, Issue::Smil(_)));
        let of = |(machine, scheme): (Variant, Scheme)| {
            let mean = |warm_up| {
                let each = self.workloads.iter();
                let each: Option<Vec<f64>> = each
                    .map(|workload| self.speedup_after(machine, workload, scheme, warm_up))
                    .collect();
                geometric(each?.into_iter())
            };
            let weighted_speedup: Option<Vec<f64>> = (0..=LONGEST).map(mean).collect();
            Some(WarmUp {
                machine,
                scheme: scheme.to_string(),
                weighted_speedup: weighted_speedup?,
            })
        };
        all.filter_map(of).collect()
    }

    /// Weighted speedup counted from the end of a warm-up on, together and alone.
    fn speedup_after(
        &self,
        machine: Variant,
        workload: &Workload,
        scheme: Scheme,
        warm_up: usize,
    ) -> Option<f64> {
        let shared = self.counts(machine, workload, scheme)?;
        let alone = |kernel: &&str| {
            self.known
                .get(&Case::alone(machine, kernel))?
                .counts
                .first()
        };
        let each = workload.iter().zip(shared);
        let each = each.map(|(kernel, shared)| {
            let alone = speed(alone(kernel)?, warm_up);
            (alone > 0.0).then(|| speed(shared, warm_up) / alone)
        });
        each.sum()
    }
}
