//! Metrics of what was counted, by scheme and type of workload.
//!
//! ASSUMPTION: averages are geometric means, as figure 4 says of its own; fairness, which may be 0, is an
//! arithmetic mean. A kernel that has issued nothing adds nothing to the weighted speedup; its workload
//! has no ANTT, and such are counted.

use cotenant_golden::metrics::{antt, fairness, Ipc};
use cotenant_golden::schemes::partition::{shares, Curve};
use cotenant_golden::schemes::run::{Counts, Group as Kernels, Variant};
use cotenant_golden::schemes::{Issue, Partition, Scheme};
use serde::Serialize;

use super::plan::{self, class, Plan, Workload};
use super::runs::{self, Case, Known, Line};
use crate::experiments::statistics::{compare, Mean};

/// How a workload does under a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// Each kernel's IPC over its IPC alone.
    pub normalised: Vec<f64>,
    /// Their sum.
    pub weighted_speedup: f64,
    /// None if a kernel has issued nothing.
    pub antt: Option<f64>,
    /// The lowest normalised IPC over the highest.
    pub fairness: f64,
}

/// Means over the workloads of a type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The machine.
    pub machine: Variant,
    /// The type, as `C+M`; `all`.
    pub class: String,
    /// The scheme.
    pub scheme: String,
    /// Workloads.
    pub workloads: usize,
    /// With its interval; none without workloads.
    pub weighted_speedup: Option<Mean>,
    /// Over workloads in which each kernel has issued something.
    pub antt: Option<f64>,
    /// Workloads in which some kernel has issued nothing.
    pub starved: usize,
    /// Arithmetic mean.
    pub fairness: Option<f64>,
    /// Misses per access of all kernels.
    pub miss_rate: Option<f64>,
}

/// A scheme over another one, in all workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The machine.
    pub machine: Variant,
    /// The one.
    pub scheme: String,
    /// The other.
    pub over: String,
    /// Weighted speedup, geometric mean of the ratios less 1.
    pub weighted_speedup: Mean,
    /// Workloads in which it is better, and worse.
    pub better: [usize; 2],
    /// Sign test.
    pub p: f64,
    /// How much lower ANTT is, as a share of the other's.
    pub antt: Option<f64>,
    /// How much higher fairness is, as a share of the other's.
    pub fairness: Option<f64>,
}

/// Thread blocks that Warped-Slicer's curves say are best.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Promised {
    /// Of each kernel, on an SM.
    pub blocks: [u8; 2],
    /// The weighted speedup that the curves promise there.
    pub promised: f64,
    /// The one that was measured.
    pub measured: f64,
}

/// Weighted speedup of a pair by its thread blocks on an SM.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spot {
    /// The kernels.
    pub pair: Vec<String>,
    /// By curves of each kernel alone.
    pub alone: Promised,
    /// By curves profiled while they run.
    pub online: Promised,
    /// The blocks with which it is highest.
    pub best: [u8; 2],
    /// The highest.
    pub most: f64,
    /// The lowest.
    pub least: f64,
    /// All that fit, with the weighted speedup of each.
    pub divisions: Vec<([u8; 2], f64)>,
}

/// All that is known, for reading.
pub struct Evaluation<'a> {
    pub(super) plan: &'a Plan,
    pub(super) known: &'a Known,
    cycles: u64,
    /// Those that came to their end under all schemes.
    pub workloads: Vec<&'a Workload>,
}

/// A geometric mean; none of nothing.
pub(super) fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    let count = logarithms.len() as f64;
    (count > 0.0).then(|| (logarithms.iter().sum::<f64>() / count).exp())
}

fn exponential(of: &Mean, less: f64) -> Mean {
    Mean {
        mean: of.mean.exp() - less,
        interval: of.interval.map(|end| end.exp() - less),
    }
}

impl<'a> Evaluation<'a> {
    /// Of what is known.
    pub fn of(plan: &'a Plan, known: &'a Known, cycles: u64) -> Self {
        let mut evaluation = Self {
            plan,
            known,
            cycles,
            workloads: vec![],
        };
        let done = plan.workloads.iter().filter(|it| evaluation.complete(it));
        evaluation.workloads = done.collect();
        evaluation
    }

    /// The experiment.
    pub fn experiment(&self) -> &'static str {
        self.plan.experiment
    }

    /// Whether a workload came to its end under all schemes.
    pub fn complete(&self, workload: &[&str]) -> bool {
        self.plan.of(workload).iter().all(|(machine, schemes)| {
            schemes
                .iter()
                .all(|scheme| self.together(*machine, workload, *scheme).is_some())
        })
    }

    /// All lines, in the order of the plan.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = self.known.values().cloned().collect();
        lines.sort_by_cached_key(|line| {
            serde_json::to_string(&line.case).expect("numbers and strings")
        });
        lines
    }

    /// Of each kernel of a workload, if it was run.
    pub(super) fn counts(
        &self,
        machine: Variant,
        workload: &[&str],
        scheme: Scheme,
    ) -> Option<&[Counts]> {
        let line = self.known.get(&Case::scheme(machine, workload, scheme))?;
        Some(&line.counts)
    }

    /// IPC of a kernel alone.
    fn alone(&self, machine: Variant, kernel: &str) -> Option<f64> {
        runs::alone(self.known, machine, kernel, self.cycles)
    }

    /// How a workload does, if it was run.
    pub fn together(
        &self,
        machine: Variant,
        workload: &[&str],
        scheme: Scheme,
    ) -> Option<Together> {
        let counts = self.counts(machine, workload, scheme)?;
        let ipc = |(kernel, counts): (&&str, &Counts)| {
            Some(Ipc {
                shared: counts.instructions as f64 / self.cycles as f64,
                alone: self.alone(machine, kernel)?,
            })
        };
        let each: Option<Vec<Ipc>> = workload.iter().zip(counts).map(ipc).collect();
        let each = each?;
        let normalised: Vec<f64> = each.iter().map(|ipc| ipc.shared / ipc.alone).collect();
        Some(Together {
            weighted_speedup: normalised.iter().sum(),
            antt: antt(&each).ok(),
            fairness: fairness(&each).unwrap_or(0.0),
            normalised,
        })
    }

    /// A kernel's misses per access.
    pub fn miss_rate(&self, workload: &[&str], scheme: Scheme, kernel: &str) -> Option<f64> {
        let counts = self.counts(Variant::PAPER, workload, scheme)?;
        let place = workload.iter().position(|name| *name == kernel)?;
        share(counts[place].misses, counts[place].accesses)
    }

    /// A kernel's accesses in 1000 cycles of an SM; alone without a workload.
    pub fn accesses(&self, workload: Option<(&[&str], Scheme)>, kernel: &str) -> Option<f64> {
        let counts = match workload {
            Some((workload, scheme)) => {
                let place = workload.iter().position(|name| *name == kernel)?;
                self.counts(Variant::PAPER, workload, scheme)?.get(place)?
            }
            None => self
                .known
                .get(&Case::alone(Variant::PAPER, kernel))?
                .counts
                .first()?,
        };
        let sms = Kernels::new(Variant::PAPER, &[kernel], 0).ok()?.sms();
        Some(1000.0 * counts.accesses as f64 / (self.cycles * sms as u64) as f64)
    }

    /// Warped-Slicer's sweet spot, and the sum of normalised performance that its curves promise.
    pub fn sweet_spot(&self, workload: &[&str], partition: Partition) -> Option<(Vec<u32>, f64)> {
        let kernels = Kernels::new(Variant::PAPER, workload, 0).ok()?;
        let most = kernels.most();
        let curves: Vec<Curve> =
            runs::curves(self.known, Variant::PAPER, workload, partition, &most)?;
        let blocks = kernels.blocks(partition, &curves)?;
        let theory = shares(&curves, &blocks).iter().sum();
        Some((blocks, theory))
    }

    /// All workloads that are complete, of a type or of all.
    fn of_class<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'a Workload> + 'b {
        let all = self.workloads.iter().copied();
        all.filter(move |workload| kind == "all" || class(workload) == kind)
    }

    /// A type's mean under a scheme: weighted speedup, ANTT, fairness.
    pub fn mean(&self, machine: Variant, kind: &str, scheme: Scheme) -> Option<Together> {
        let each = self.of_class(kind);
        let each: Option<Vec<Together>> =
            each.map(|it| self.together(machine, it, scheme)).collect();
        let each = each.filter(|each| !each.is_empty())?;
        Some(Together {
            normalised: vec![],
            weighted_speedup: geometric(each.iter().map(|it| it.weighted_speedup))?,
            antt: geometric(each.iter().filter_map(|it| it.antt)),
            fairness: each.iter().map(|it| it.fairness).sum::<f64>() / each.len() as f64,
        })
    }

    fn classes(&self) -> Vec<String> {
        let mut all: Vec<String> = self.workloads.iter().map(|it| class(it)).collect();
        all.sort();
        all.dedup();
        if !all.is_empty() {
            all.push("all".into());
        }
        all
    }

    /// Means by machine, type and scheme.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups = vec![];
        for (machine, schemes) in &self.plan.schemes {
            for kind in self.classes() {
                let workloads: Vec<&Workload> = self.of_class(&kind).collect();
                let of = |scheme: Scheme| -> Vec<Together> {
                    let all = workloads.iter();
                    all.filter_map(|it| self.together(*machine, it, scheme))
                        .collect()
                };
                let each: Vec<Vec<Together>> = schemes.iter().map(|scheme| of(*scheme)).collect();
                let logarithms: Vec<Vec<f64>> = (0..workloads.len())
                    .map(|at| each.iter().map(|of| of[at].weighted_speedup.ln()).collect())
                    .collect();
                let means = compare(&logarithms, &[]).map_or(vec![], |compared| compared.means);
                for (at, scheme) in schemes.iter().enumerate() {
                    let mean = self.mean(*machine, &kind, *scheme);
                    let counts = workloads.iter();
                    let counts = counts
                        .filter_map(|it| self.counts(*machine, it, *scheme))
                        .flatten();
                    let sum = |of: fn(&Counts) -> u64| counts.clone().map(of).sum();
                    groups.push(Group {
                        machine: *machine,
                        class: kind.clone(),
                        scheme: scheme.to_string(),
                        workloads: workloads.len(),
                        weighted_speedup: means.get(at).map(|mean| exponential(mean, 0.0)),
                        antt: mean.as_ref().and_then(|mean| mean.antt),
                        starved: each[at].iter().filter(|it| it.antt.is_none()).count(),
                        fairness: mean.map(|mean| mean.fairness),
                        miss_rate: share(sum(|it| it.misses), sum(|it| it.accesses)),
                    });
                }
            }
        }
        groups
    }

    /// ANTT's decrease and fairness's increase over all workloads, as shares.
    pub fn better(&self, machine: Variant, scheme: Scheme, over: Scheme) -> [Option<f64>; 2] {
        let [one, other] = [scheme, over].map(|scheme| self.mean(machine, "all", scheme));
        let both = one.zip(other);
        let antt = both
            .as_ref()
            .and_then(|(one, other)| Some(1.0 - one.antt? / other.antt?));
        let fairness = both.filter(|(_, other)| other.fairness > 0.0);
        [
            antt,
            fairness.map(|(one, other)| one.fairness / other.fairness - 1.0),
        ]
    }

    /// Each machine's schemes over that without an issue policy on the same partition.
    pub fn gains(&self) -> Vec<Gain> {
        let mut gains = vec![];
        for (machine, schemes) in &self.plan.schemes {
            let all = schemes.iter().map(|&scheme| (scheme, base(scheme)));
            let pairs = all.filter(|(scheme, over)| scheme != over && schemes.contains(over));
            for (scheme, over) in
                pairs.filter(|(scheme, _)| !matches!(scheme.issue, Issue::Smil(_)))
            {
                gains.extend(self.gain(*machine, scheme, over));
            }
        }
        gains
    }

    /// One of them.
    pub fn gain(&self, machine: Variant, scheme: Scheme, over: Scheme) -> Option<Gain> {
        let both = |workload: &&Workload| {
            let of = |scheme| {
                Some(
                    self.together(machine, workload, scheme)?
                        .weighted_speedup
                        .ln(),
                )
            };
            // The smaller one is "nearer".
            Some(vec![-of(scheme)?, -of(over)?])
        };
        let rows: Option<Vec<Vec<f64>>> = self.workloads.iter().map(both).collect();
        let compared = compare(&rows?, &[[0, 1]])?;
        let pair = compared.pairs[0];
        let [antt, fairness] = self.better(machine, scheme, over);
        Some(Gain {
            machine,
            scheme: scheme.to_string(),
            over: over.to_string(),
            weighted_speedup: exponential(&pair.lead, 1.0),
            better: pair.nearer,
            p: pair.p,
            antt,
            fairness,
        })
    }

    /// Thread blocks of the pairs that are complete, of an experiment that has all [`plan::divisions`].
    pub fn spots(&self) -> Vec<Spot> {
        let of = |workload: &&Workload| self.spot(workload);
        let all = self.workloads.iter().filter(|_| !self.plan.more.is_empty());
        all.filter_map(of).collect()
    }

    fn spot(&self, pair: &[&str]) -> Option<Spot> {
        let divisions = plan::divisions(pair).ok()?.into_iter();
        let measured = divisions.filter_map(|blocks| {
            let together = self.together(Variant::PAPER, pair, plan::fixed(blocks))?;
            Some((blocks, together.weighted_speedup))
        });
        let divisions: Vec<([u8; 2], f64)> = measured.collect();
        let best = divisions.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let by = |partition| {
            let (blocks, promised) = self.sweet_spot(pair, partition)?;
            let blocks = [blocks[0] as u8, blocks[1] as u8];
            let found = divisions.iter().find(|it| it.0 == blocks)?;
            Some(Promised {
                blocks,
                promised,
                measured: found.1,
            })
        };
        Some(Spot {
            pair: pair.iter().map(|&name| name.to_owned()).collect(),
            alone: by(Partition::Offline)?,
            online: by(Partition::Online)?,
            best: best.0,
            most: best.1,
            least: divisions.iter().map(|it| it.1).fold(best.1, f64::min),
            divisions,
        })
    }

    /// The best static limits of a pair, and their weighted speedup.
    pub fn best_limits(&self, workload: &[&str]) -> Option<([u8; 2], f64)> {
        let limits = 0..=plan::MOST;
        let all = limits
            .clone()
            .flat_map(|a| limits.clone().map(move |b| [a, b]));
        let of = |limits: [u8; 2]| Some((limits, self.limited(workload, limits)?));
        let all: Vec<([u8; 2], f64)> = all.filter_map(of).collect();
        all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Weighted speedup of a pair with static limits, 0 for none.
    pub fn limited(&self, workload: &[&str], [a, b]: [u8; 2]) -> Option<f64> {
        let scheme = plan::ws(Issue::Smil([a, b, 0]));
        Some(
            self.together(Variant::PAPER, workload, scheme)?
                .weighted_speedup,
        )
    }
}

/// What a scheme is compared with: SMK's policies with its quotas, others with their partition alone.
fn base(scheme: Scheme) -> Scheme {
    let issue = match scheme {
        Scheme {
            partition: Partition::Drf,
            issue: Issue::Qbmi | Issue::Dmil,
        } => Issue::Quotas,
        _ => Issue::Free,
    };
    Scheme { issue, ..scheme }
}

fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}
