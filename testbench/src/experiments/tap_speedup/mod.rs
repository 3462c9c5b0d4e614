//! `tap-speedup`, `tap-streams`, `tap-costs`, `tap-parts`: how much faster policies of the L3 make CPU
//! and GPU applications than LRU.
//!
//! Source: TAP, sections 4.3, 5.1 to 5.6: 152 workloads of one CPU and one GPU application, 150 of
//! two and one, 75 of four and one; 25 with a CPU application that streams. Their numbers stand beside
//! ours. Platform, applications and how workloads are drawn are in
//! [`hetero`](cotenant_golden::hetero); no number of theirs was chosen by what a policy gains.
//!
//! What decides the outcome was fixed before the first run: all workloads of the default seed, the
//! length of a run ([`CYCLES`]), the geometric mean as in the paper's equation 1, and intervals by
//! resampling the workloads ([`statistics`]).
//!
//! What each experiment runs is in [`plans`].

mod order;
mod paper;
pub mod plans;
mod plot;
mod sides;
mod text;

pub use order::Order;
pub use plans::{costs, parts, speedup, streams};
pub use sides::{ByRate, ByType, Sides};

use cotenant_golden::hetero::machine::Stats;
use cotenant_golden::hetero::speedup::{compare, geometric_mean, measure};
use cotenant_golden::hetero::workloads::{Set, Workload};
use cotenant_golden::hetero::{Config, Run};
use cotenant_golden::mgmt::policy::Kind;
use serde::{Deserialize, Serialize};

use self::plans::{Plan, PAIRS};
use super::runs::{Asked, Kept, Runs, Subject};
use super::statistics::{self, Mean, Pair};
use super::{Attachment, Error, Setting};

/// Cycles of the GPU that are measured, after half as many to warm up: four periods, after two.
pub const CYCLES: u64 = 4 << 21;

/// Periods of which a run has at least so many: shorter runs have shorter ones.
const PERIODS: u64 = 4;

/// What each application of a workload did with each policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The workload's name, which says its set and number.
    pub name: String,
    /// With LRU, CPU applications first.
    pub baseline: Vec<Stats>,
    /// With each of the experiment's policies.
    pub policies: Vec<Vec<Stats>>,
}

impl Kept for Line {
    fn run(&self) -> String {
        self.name.clone()
    }
}

/// Speedup of a policy in some workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The policy.
    pub policy: &'static str,
    /// Geometric mean over the workloads less 1, with its interval.
    pub all: Mean,
    /// Of the workloads with a GPU application of each type, A to E; none without any.
    pub by_type: ByType,
    /// The best and the worst workload's.
    pub range: [f64; 2],
    /// Workloads that are slower than with LRU by more than 1 %.
    pub slower: usize,
    /// The paper's, if it says one.
    pub paper: Option<f64>,
    /// The paper's by type, where it says one.
    pub paper_by_type: ByType,
}

/// Policies in a set of workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The set.
    pub set: &'static str,
    /// Workloads that came to their end.
    pub workloads: usize,
    /// By policy.
    pub gains: Vec<Gain>,
    /// In which order they stand, beside the paper's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// CPUs and GPU apart, LRU first.
    pub sides: Vec<Sides>,
    /// TAP's policies by how often the GPU accesses the L3.
    pub by_rate: Vec<ByRate>,
    /// Of the experiment's [`PAIRS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Lead>,
}

/// A policy over another one in the same workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lead {
    /// The one.
    pub policy: &'static str,
    /// The other.
    pub over: &'static str,
    /// Geometric mean of its speedup over the other less 1, with its interval.
    pub all: Mean,
    /// The mean in the workloads with a GPU application of each type.
    pub by_type: ByType,
    /// Workloads in which it is faster, and slower.
    pub faster: [usize; 2],
    /// Sign test: the probability that a fair coin divides them at least as unevenly, corrected for
    /// the number of pairs by Holm's method.
    pub p: f64,
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that drew the workloads and their accesses.
    pub seed: u64,
    /// Cycles of the GPU that were measured.
    pub cycles: u64,
    /// Cycles of the GPU from one decision to the next.
    pub period: u64,
    /// Whether all workloads came to their end.
    pub complete: bool,
    /// The number of all workloads.
    pub of: usize,
    /// By set.
    pub sets: Vec<Compared>,
    /// What was counted in each workload.
    pub workloads: Vec<Line>,
}

/// What decides the results of a plan.
#[derive(Debug, Serialize)]
struct Parameters {
    cycles: u64,
    platform: Config,
}

fn run(plan: &Plan, setting: &Setting<'_>) -> Result<Report, Error> {
    let Plan {
        experiment,
        policies,
        ref workloads,
    } = *plan;
    let cycles = setting.cycles.unwrap_or(CYCLES).max(PERIODS);
    let mut config = Config::tap();
    config.sampling.period = config.sampling.period.min(cycles / PERIODS);
    let parameters = Parameters {
        cycles,
        platform: config.clone(),
    };
    let subject = Subject::new(experiment, setting.seed, parameters);
    let runs = Runs::open(setting, &subject, workloads)?;
    let steps = |_: &(Set, Workload)| 1 + policies.len() as u64;
    let name = |(_, workload): &(Set, Workload)| workload.name.clone();
    let lines = runs.all(Asked::OfThePart, workloads, name, steps, |(_, workload)| {
        count(workload, policies, &config, cycles, setting)
    })?;
    let complete = lines.iter().all(Option::is_some);
    let done: Vec<(Set, &Workload, Line)> = workloads
        .iter()
        .zip(lines)
        .filter_map(|((set, workload), line)| Some((*set, workload, line?)))
        .collect();
    let mut sets: Vec<Set> = workloads.iter().map(|(set, _)| *set).collect();
    sets.sort_by_key(|set| Set::ALL.iter().position(|it| it == set));
    sets.dedup();
    let sets = sets.iter().map(|&set| compared(set, policies, &done));
    let sets = sets.collect();
    Ok(Report {
        schema: 1,
        experiment,
        seed: setting.seed,
        cycles,
        period: config.sampling.period,
        complete,
        of: workloads.len(),
        sets,
        workloads: done.into_iter().map(|(.., line)| line).collect(),
    })
}

/// None if it was stopped.
fn count(
    workload: &Workload,
    policies: &[Kind],
    config: &Config,
    cycles: u64,
    setting: &Setting<'_>,
) -> Result<Option<Line>, Error> {
    let run = Run {
        seed: setting.seed,
        warm_up: cycles / 2,
        measured: cycles,
    };
    let mut stats = vec![];
    for &kind in [Kind::Lru].iter().chain(policies) {
        if !setting.watch.advance(0) {
            return Ok(None);
        }
        stats.push(measure(config, workload, kind, &run)?);
        setting.watch.advance(1);
    }
    Ok(Some(Line {
        name: workload.name.clone(),
        baseline: stats.remove(0),
        policies: stats,
    }))
}

/// A workload that has come to its end.
struct One<'a> {
    /// The GPU application's type, 0 for A.
    kind: usize,
    line: &'a Line,
    /// By policy.
    speedups: Vec<f64>,
}

/// The speedups of a workload, by policy.
fn speedups(workload: &Workload, line: &Line) -> Vec<f64> {
    let of = |stats: &Vec<Stats>| compare(workload, &line.baseline, stats).speedup;
    line.policies.iter().map(of).collect()
}

fn compared(set: Set, policies: &[Kind], done: &[(Set, &Workload, Line)]) -> Compared {
    let of_set = done.iter().filter(|(of, ..)| *of == set);
    let found: Vec<One<'_>> = of_set
        .map(|(_, workload, line)| One {
            kind: kind_of(set, &workload.name),
            line,
            speedups: speedups(workload, line),
        })
        .collect();
    // Equation 1 over workloads, too: resampled are the logarithms.
    let logarithms: Vec<Vec<f64>> = found
        .iter()
        .map(|one| one.speedups.iter().map(|speedup| speedup.ln()).collect())
        .collect();
    let at = |kind: Kind| policies.iter().position(|&it| it == kind);
    let pairs = PAIRS
        .iter()
        .filter_map(|&(one, over)| Some([at(over)?, at(one)?]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let (means, pairs) = statistics::compare(&logarithms, &pairs)
        .map_or((vec![], vec![]), |compared| {
            (compared.means, compared.pairs)
        });
    let by_type = |of: &dyn Fn(&One<'_>) -> f64| {
        sides::by_type(found.iter(), |ones| {
            geometric_mean(ones.iter().map(|one| of(one))) - 1.0
        })
    };
    let gains = means.into_iter().enumerate().map(|(at, mean)| {
        let column = || found.iter().map(|one| one.speedups[at]);
        Gain {
            policy: policies[at].name(),
            all: without_logarithm(&mean),
            by_type: by_type(&|one| one.speedups[at]),
            range: [
                column().fold(f64::INFINITY, f64::min),
                column().fold(0.0, f64::max),
            ],
            slower: column().filter(|speedup| *speedup < 0.99).count(),
            paper: paper::gain(set, policies[at]),
            paper_by_type: paper::by_type(set, policies[at]),
        }
    });
    let gains: Vec<Gain> = gains.collect();
    let lead = |pair: &Pair| {
        let [over, policy] = pair.methods;
        Lead {
            policy: policies[policy].name(),
            over: policies[over].name(),
            all: without_logarithm(&pair.lead),
            by_type: by_type(&|one| one.speedups[policy] / one.speedups[over]),
            // "Nearer" is the smaller one, which is slower here.
            faster: pair.nearer,
            p: pair.p_holm,
        }
    };
    Compared {
        set: set.name(),
        workloads: found.len(),
        order: order::order(&gains),
        gains,
        sides: sides::sides(policies, &found),
        by_rate: sides::by_rate(policies, &found),
        leads: pairs.iter().map(lead).collect(),
    }
}

/// Of speedups, less 1, what is of their logarithms.
fn without_logarithm(of: &Mean) -> Mean {
    Mean {
        mean: of.mean.exp() - 1.0,
        interval: of.interval.map(|end| end.exp() - 1.0),
    }
}

/// The GPU application's type, 0 for A, which comes first in a name behind its set.
fn kind_of(set: Set, name: &str) -> usize {
    let kind = name[set.name().len() + 1..].bytes().next().unwrap_or(b'A');
    usize::from(kind.saturating_sub(b'A'))
}

impl Report {
    /// The picture, and what was counted.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let line = |line: &Line| serde_json::to_string(line).expect("numbers and strings") + "\n";
        Ok(vec![
            Attachment {
                name: format!("{}.svg", self.experiment),
                text: plot::gains(self)?,
            },
            Attachment {
                name: "workloads.jsonl".into(),
                text: self.workloads.iter().map(line).collect(),
            },
        ])
    }
}
