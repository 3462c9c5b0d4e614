//! Independent runs, each a line of the journal.

use cotenant_golden::schemes::partition::Curve;
use cotenant_golden::schemes::run::{Counts, Given, Group, Variant, Window};
use cotenant_golden::schemes::{online, Issue, Partition, Scheme};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::plan::Plan;
use crate::experiments::runs::{self, Asked, Kept, Subject};
use crate::experiments::{Error, Setting};

/// The window of a run by its cycles: after a tenth more.
pub fn window(cycles: u64) -> Window {
    Window {
        warm_up: cycles / 10,
        measured: cycles,
    }
}

/// The window of a kernel alone with fewer blocks: a point of a curve.
///
/// ASSUMPTION: a tenth as long as other runs.
pub fn curve_window(cycles: u64) -> Window {
    window((cycles / 10).max(1))
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A kernel alone, with as many blocks as fit.
    Alone,
    /// A kernel alone, with so many blocks on an SM.
    Blocks(u32),
    /// Warped-Slicer's curves while they run.
    Profile,
    /// Kernels together.
    Scheme(Scheme),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Case {
    /// The machine.
    pub machine: Variant,
    /// The kernels.
    pub kernels: Vec<String>,
    /// What is measured.
    pub what: What,
}

/// A run that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What was run.
    #[serde(flatten)]
    pub case: Case,
    /// Of each kernel; none of a profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Counts>,
    /// Of each kernel; of a profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
}

/// A run as it stands in a journal or record, of which there are thousands: without names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Fields", into = "Fields")]
pub struct Short(pub Line);

/// Machine, kernels, what is measured; of each kernel [`Counts`] in their order, and its curve.
type Fields = (
    Variant,
    Vec<String>,
    What,
    Vec<(u64, u64, u64, u64, Vec<u64>)>,
    Vec<Curve>,
);

impl From<Fields> for Short {
    fn from((machine, kernels, what, counts, curves): Fields) -> Self {
        let counts =
            counts
                .into_iter()
                .map(
                    |(instructions, accesses, misses, failures, by_period)| Counts {
                        instructions,
                        accesses,
                        misses,
                        failures,
                        by_period,
                    },
                );
        Self(Line {
            case: Case {
                machine,
                kernels,
                what,
            },
            counts: counts.collect(),
            curves,
        })
    }
}

impl From<Short> for Fields {
    fn from(Short(line): Short) -> Self {
        let counts = line.counts.into_iter().map(|it| {
            (
                it.instructions,
                it.accesses,
                it.misses,
                it.failures,
                it.by_period,
            )
        });
        let Case {
            machine,
            kernels,
            what,
        } = line.case;
        (machine, kernels, what, counts.collect(), line.curves)
    }
}

/// What has been measured, by run.
pub type Known = HashMap<Case, Line>;

impl Kept for Short {
    fn run(&self) -> String {
        self.0.case.to_string()
    }
}

/// Measures, and remembers.
pub(super) struct Runs<'a> {
    runs: runs::Runs<'a, Short>,
    setting: &'a Setting<'a>,
    cycles: u64,
}

impl fmt::Display for Case {
    /// In one line, as no other run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Case {
    fn new(machine: Variant, kernels: &[&str], what: What) -> Self {
        let kernels = kernels.iter().map(|&name| name.to_owned()).collect();
        Self {
            machine,
            kernels,
            what,
        }
    }

    /// Of one kernel.
    pub fn alone(machine: Variant, kernel: &str) -> Self {
        Self::new(machine, &[kernel], What::Alone)
    }

    /// A point of a curve.
    fn blocks(machine: Variant, kernel: &str, blocks: u32) -> Self {
        Self::new(machine, &[kernel], What::Blocks(blocks))
    }

    /// Of a workload.
    pub fn profile(machine: Variant, kernels: &[&str]) -> Self {
        Self::new(machine, kernels, What::Profile)
    }

    /// Of a workload.
    pub fn scheme(machine: Variant, kernels: &[&str], scheme: Scheme) -> Self {
        Self::new(machine, kernels, What::Scheme(scheme))
    }

    fn names(&self) -> Vec<&str> {
        self.kernels.iter().map(String::as_str).collect()
    }

    /// Cycles of the run, for the progress.
    fn cycles(&self, cycles: u64) -> u64 {
        let of = |window: Window| window.warm_up + window.measured;
        match self.what {
            What::Alone | What::Scheme(_) => of(window(cycles)),
            What::Blocks(_) => of(curve_window(cycles)),
            What::Profile => online::WARM_UP + online::SAMPLE,
        }
    }

    /// Does it, with what others have measured; `cycles` are those of a whole run. None if it was
    /// stopped, or if what it needs is not there.
    ///
    /// # Errors
    /// [`Error::Scheme`].
    pub fn run(
        &self,
        known: &Known,
        seed: u64,
        cycles: u64,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Line>, Error> {
        let group = Group::new(self.machine, &self.kernels, seed)?;
        let line = |counts, curves| Line {
            case: self.clone(),
            counts,
            curves,
        };
        let counts = match self.what {
            What::Alone => group.alone(None, window(cycles), watch)?,
            What::Blocks(blocks) => group.alone(Some(blocks), curve_window(cycles), watch)?,
            What::Profile => {
                let curves = group.profile()?;
                watch(self.cycles(cycles));
                return Ok(Some(line(vec![], curves)));
            }
            What::Scheme(scheme) => {
                let names = self.names();
                let curves = curves(known, self.machine, &names, scheme.partition, &group.most());
                let alone = names
                    .iter()
                    .map(|name| alone(known, self.machine, name, cycles));
                let alone: Option<Vec<f64>> = match scheme.issue {
                    Issue::Quotas => alone.collect(),
                    _ => Some(vec![]),
                };
                let (Some(curves), Some(alone)) = (curves, alone) else {
                    return Ok(None);
                };
                let given = Given {
                    curves: &curves,
                    alone: &alone,
                };
                group.together(scheme, given, window(cycles), watch)?
            }
        };
        Ok(counts.map(|counts| line(counts, vec![])))
    }
}

/// Warp instructions per cycle of a kernel alone, if it was measured.
pub fn alone(known: &Known, machine: Variant, kernel: &str, cycles: u64) -> Option<f64> {
    let line = known.get(&Case::alone(machine, kernel))?;
    Some(line.counts.first()?.instructions as f64 / cycles as f64)
}

/// The curves that a partition needs, none of which may be missing; empty if it needs none.
pub fn curves(
    known: &Known,
    machine: Variant,
    kernels: &[&str],
    partition: Partition,
    most: &[u32],
) -> Option<Vec<Curve>> {
    let point = |kernel: &str, blocks| {
        let line = known.get(&Case::blocks(machine, kernel, blocks))?;
        Some(line.counts.first()?.instructions)
    };
    match partition {
        Partition::Online => {
            let line = known.get(&Case::profile(machine, kernels))?;
            Some(line.curves.clone())
        }
        Partition::Offline => {
            let curve =
                |(kernel, most): (&&str, &u32)| (1..=*most).map(|n| point(kernel, n)).collect();
            kernels.iter().zip(most).map(curve).collect()
        }
        Partition::Spatial | Partition::LeftOver | Partition::Drf | Partition::Fixed(_) => {
            Some(vec![])
        }
    }
}

/// What must be measured before schemes: each kernel alone, curves.
fn before(plan: &Plan, workloads: &[Vec<&str>], seed: u64) -> Result<Vec<Case>, Error> {
    let kernels: BTreeSet<&str> = workloads.iter().flatten().copied().collect();
    let mut cases = vec![];
    for (machine, schemes) in &plan.schemes {
        cases.extend(kernels.iter().map(|kernel| Case::alone(*machine, kernel)));
        let uses = |partition| schemes.iter().any(|scheme| scheme.partition == partition);
        if uses(Partition::Offline) {
            for kernel in &kernels {
                let most = Group::new(*machine, &[kernel], seed)?.most()[0];
                cases.extend((1..=most).map(|blocks| Case::blocks(*machine, kernel, blocks)));
            }
        }
        if uses(Partition::Online) {
            cases.extend(workloads.iter().map(|names| Case::profile(*machine, names)));
        }
    }
    Ok(cases)
}

/// All runs of a workload together.
pub fn together(plan: &Plan, workload: &[&str]) -> Vec<Case> {
    let of = |(machine, schemes): (Variant, Vec<Scheme>)| {
        let case = |scheme| Case::scheme(machine, workload, scheme);
        schemes.into_iter().map(case).collect::<Vec<_>>()
    };
    plan.of(workload).into_iter().flat_map(of).collect()
}

impl<'a> Runs<'a> {
    /// Goes on from the setting's journal, which is about `subject`.
    ///
    /// # Errors
    /// [`Error`].
    pub fn open(
        plan: &Plan,
        setting: &'a Setting<'a>,
        cycles: u64,
        subject: &Subject<impl Serialize>,
    ) -> Result<Self, Error> {
        let mut list = before(plan, &plan.workloads, setting.seed)?;
        list.extend(
            plan.workloads
                .iter()
                .flat_map(|names| together(plan, names)),
        );
        Ok(Self {
            runs: runs::Runs::open(setting, subject, &list)?,
            setting,
            cycles,
        })
    }

    /// Measures what is missing of these workloads; all that is known then, of others, too.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(&self, plan: &Plan, workloads: &[Vec<&str>]) -> Result<Known, Error> {
        let first = before(plan, workloads, self.setting.seed)?;
        let nothing = Known::new();
        let steps = |case: &Case| case.cycles(self.cycles);
        let measure = |known, case: &Case| {
            let watch = |cycles| self.setting.watch.advance(cycles);
            let line = case.run(known, self.setting.seed, self.cycles, &watch)?;
            Ok(line.map(Short))
        };
        let alone = |case: &Case| measure(&nothing, case);
        self.runs
            .all(Asked::Needed, &first, Case::to_string, steps, alone)?;
        let known = self.known();
        let cases = workloads.iter().flat_map(|names| together(plan, names));
        let cases: Vec<Case> = cases.collect();
        let scheme = |case: &Case| measure(&known, case);
        self.runs
            .all(Asked::OfThePart, &cases, Case::to_string, steps, scheme)?;
        Ok(self.known())
    }

    fn known(&self) -> Known {
        let lines = self.runs.known().into_iter();
        lines.map(|Short(line)| (line.case.clone(), line)).collect()
    }
}
