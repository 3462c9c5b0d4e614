//! `tap-speedup`, `tap-streams`: how much faster policies of the L3 make CPU and GPU applications than
//! LRU.
//!
//! Source: TAP, sections 4.3, 5.1 to 5.6: 152 workloads of one CPU and one GPU application, 150 of
//! two and one, 75 of four and one; 25 with a CPU application that streams. Their numbers stand beside
//! ours. Platform, applications and how workloads are drawn are in
//! [`hetero`](cotenant_golden::hetero); no number of theirs was chosen by what a policy gains.
//!
//! What decides the outcome was fixed before the first run: all workloads of the default seed, the
//! length of a run ([`CYCLES`]), the geometric mean as in the paper's equation 1, and intervals by
//! resampling the workloads ([`statistics`]).

mod paper;
mod plot;
mod text;

use cotenant_golden::hetero::machine::Stats;
use cotenant_golden::hetero::speedup::{compare, geometric_mean, measure};
use cotenant_golden::hetero::workloads::{Set, Workload};
use cotenant_golden::hetero::{Config, Run};
use cotenant_golden::mgmt::policy::Kind;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Mutex;

use super::statistics::{self, Mean};
use super::{on_all_cores, Attachment, Error, Setting};
use crate::whole::Journal;

/// Cycles of the GPU that are measured, after half as many to warm up: four periods, after two.
pub const CYCLES: u64 = 4 << 21;

/// Periods of which a run has at least so many: shorter runs have shorter ones.
const PERIODS: u64 = 4;

/// The policies that are compared with LRU.
pub const POLICIES: [Kind; 10] = [
    Kind::Static,
    Kind::Ucp,
    Kind::Drrip,
    Kind::Tadip,
    Kind::Pipp,
    Kind::Tc,
    Kind::TapUcp,
    Kind::TapRrip,
    Kind::TapUcpS,
    Kind::TapRripS,
];

/// What each application of a workload did with each policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The workload's name, which says its set and number.
    pub name: String,
    /// With LRU, CPU applications first.
    pub baseline: Vec<Stats>,
    /// With each of [`POLICIES`].
    pub policies: Vec<Vec<Stats>>,
}

/// Speedup of a policy in some workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The policy.
    pub policy: &'static str,
    /// Geometric mean over the workloads less 1, with its interval.
    pub all: Mean,
    /// Of the workloads with a GPU application of each type, A to E; none without any.
    pub by_type: [Option<f64>; 5],
    /// The best and the worst workload's.
    pub range: [f64; 2],
    /// Workloads that are slower than with LRU by more than 1 %.
    pub slower: usize,
    /// The paper's, if it says one.
    pub paper: Option<f64>,
    /// The paper's by type, where it says one.
    pub paper_by_type: [Option<f64>; 5],
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
    /// By set.
    pub sets: Vec<Compared>,
    /// What was counted in each workload.
    pub workloads: Vec<Line>,
}

/// What the lines of a journal are about.
#[derive(Debug, Serialize)]
struct Subject {
    experiment: &'static str,
    version: &'static str,
    seed: u64,
    cycles: u64,
    platform: Config,
}

/// Runs the sets of one to four CPU applications.
///
/// # Errors
/// [`Error`].
pub fn speedup(setting: &Setting<'_>) -> Result<Report, Error> {
    run(
        "tap-speedup",
        &[Set::OneCpu, Set::TwoCpu, Set::FourCpu],
        setting,
    )
}

/// Runs the set of CPU applications that stream.
///
/// # Errors
/// [`Error`].
pub fn streams(setting: &Setting<'_>) -> Result<Report, Error> {
    run("tap-streams", &[Set::Streaming], setting)
}

fn run(experiment: &'static str, sets: &[Set], setting: &Setting<'_>) -> Result<Report, Error> {
    let cycles = setting.cycles.unwrap_or(CYCLES).max(PERIODS);
    let mut config = Config::tap();
    config.sampling.period = config.sampling.period.min(cycles / PERIODS);
    let subject = Subject {
        experiment,
        version: env!("CARGO_PKG_VERSION"),
        seed: setting.seed,
        cycles,
        platform: config.clone(),
    };
    let opened = setting.journal.map(|path| Journal::open(path, &subject));
    let (journal, known): (Option<Journal>, Vec<Line>) = match opened.transpose()? {
        Some((journal, known)) => (Some(journal), known),
        None => (None, vec![]),
    };
    let journal = journal.map(Mutex::new);
    let known: HashMap<String, Line> = known
        .into_iter()
        .map(|line| (line.name.clone(), line))
        .collect();
    let drawn: Vec<Workload> = sets
        .iter()
        .flat_map(|set| set.workloads(setting.seed))
        .collect();
    let open = drawn.iter().filter(|it| !known.contains_key(&it.name));
    let steps = 1 + POLICIES.len() as u64;
    setting.watch.expect(open.count() as u64 * steps);
    let lines = on_all_cores(&drawn, |workload| {
        if let Some(line) = known.get(&workload.name) {
            return Ok(Some(line.clone()));
        }
        let Some(line) = count(workload, &config, cycles, setting)? else {
            return Ok(None);
        };
        if let Some(journal) = &journal {
            let mut journal = journal.lock().expect("nobody fails while adding");
            journal.add(&line)?;
        }
        Ok(Some(line))
    });
    let lines: Vec<Option<Line>> = lines.into_iter().collect::<Result<_, Error>>()?;
    let complete = lines.iter().all(Option::is_some);
    let done: Vec<(&Workload, Line)> = drawn
        .iter()
        .zip(lines)
        .filter_map(|(workload, line)| Some((workload, line?)))
        .collect();
    let sets = sets.iter().map(|&set| compared(set, &done)).collect();
    Ok(Report {
        schema: 1,
        experiment,
        seed: setting.seed,
        cycles,
        period: config.sampling.period,
        complete,
        sets,
        workloads: done.into_iter().map(|(_, line)| line).collect(),
    })
}

/// None if it was stopped.
fn count(
    workload: &Workload,
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
    for kind in std::iter::once(Kind::Lru).chain(POLICIES) {
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

/// The speedups of a workload, by policy.
fn speedups(workload: &Workload, line: &Line) -> Vec<f64> {
    let of = |stats: &Vec<Stats>| compare(workload, &line.baseline, stats).speedup;
    line.policies.iter().map(of).collect()
}

fn compared(set: Set, done: &[(&Workload, Line)]) -> Compared {
    let prefix = format!("{}-", set.name());
    let of_set = done.iter().filter(|(it, _)| it.name.starts_with(&prefix));
    let found: Vec<(usize, Vec<f64>)> = of_set
        .map(|(workload, line)| (kind_of(&workload.name, &prefix), speedups(workload, line)))
        .collect();
    // Equation 1 over workloads, too: resampled are the logarithms.
    let logarithms: Vec<Vec<f64>> = found
        .iter()
        .map(|(_, of)| of.iter().map(|speedup| speedup.ln()).collect())
        .collect();
    let means = statistics::compare(&logarithms, &[]).map_or(vec![], |compared| compared.means);
    let gains = means.into_iter().enumerate().map(|(at, mean)| {
        let column = || found.iter().map(|(_, of)| of[at]);
        let of_type = |kind: usize| {
            let those = found.iter().filter(|(of, _)| *of == kind);
            let those: Vec<f64> = those.map(|(_, of)| of[at]).collect();
            (!those.is_empty()).then(|| geometric_mean(those.into_iter()) - 1.0)
        };
        Gain {
            policy: POLICIES[at].name(),
            all: Mean {
                mean: mean.mean.exp() - 1.0,
                interval: mean.interval.map(|end| end.exp() - 1.0),
            },
            by_type: [0, 1, 2, 3, 4].map(of_type),
            range: [
                column().fold(f64::INFINITY, f64::min),
                column().fold(0.0, f64::max),
            ],
            slower: column().filter(|speedup| *speedup < 0.99).count(),
            paper: paper::gain(set, POLICIES[at]),
            paper_by_type: paper::by_type(set, POLICIES[at]),
        }
    });
    Compared {
        set: set.name(),
        workloads: found.len(),
        gains: gains.collect(),
    }
}

/// The GPU application's type, 0 for A, which comes first in a name behind its set.
fn kind_of(name: &str, prefix: &str) -> usize {
    let kind = name[prefix.len()..].bytes().next().unwrap_or(b'A');
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
