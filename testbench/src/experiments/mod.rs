//! Programs and traces on golden GPUs, with the units beside them, and the experiments built on
//! them.
//!
//! | | |
//! |---|---|
//! | [`issue_control`] | `mem_issue` in a simulated SM, in lockstep |
//! | [`replay`] | traces through the golden cache, with the units beside it |
//! | [`run`] | scenarios on the golden GPU, with the units beside its L2, and the report |
//!
//! An experiment's outcome is a page of numbers and pictures:
//!
//! | experiment | what it measures |
//! |---|---|
//! | [`calibrate`] | the SM paper's machine and kernels, fitted on single kernels alone |
//! | [`fgpu`] | how well kernels are kept apart by memory module and partition (Fractional GPUs) |
//! | [`gdc3`] | miss attribution for VMA by GDC and by PLOB (GDC paper, figure 3) |
//! | [`gdc4`] | the distance of PLOB from GDC in 32 random workloads (GDC paper, figure 4) |
//! | [`milg_width`] | limits of the paper's kernels by the width of the MILG's failure counter |
//! | [`sm_lockstep`] | `mem_issue` in every SM, in lockstep, for pairs and sets of three kernels |
//! | [`sm_loop`] | `mem_issue` in running SMs, in lockstep, and its effect on pairs of kernels |
//! | [`sm_pairs`] | two and three kernels under the schemes of the paper on QBMI and DMIL (sections 3 and 4) |
//! | [`tap_apps`] | misses and cycles of types of applications by the L3's ways (TAP, figures 2 and 3) |
//! | [`tap_lockstep`] | the netlist of `managed_directory` as the L3 of running CPUs and a GPU |
//! | [`tap_speedup`] | how much faster policies of the L3 are than LRU (TAP, sections 5.1 to 5.7) |
//! | [`tx2`] | interference on Jetson TX2, by stride and by copied lines (TX2, figures 3 to 6) |
//! | [`truth`] | the distance of GDC, PLOB and exact attribution from what each co-runner costs |
//!
//! The same seed gives the same bytes on every machine, whatever the number of cores.

mod curves;
mod picture;
mod plot;
mod runs;
pub(crate) mod table;

pub mod calibrate;
pub mod fgpu;
pub mod gdc3;
pub mod gdc4;
#[cfg(test)]
mod impatient;
pub mod issue_control;
pub mod kernel;
pub mod milg_width;
pub mod replay;
pub mod run;
pub mod sm_lockstep;
pub mod sm_loop;
pub mod sm_pairs;
pub mod small_sm;
pub mod statement;
pub mod statistics;
pub mod tap_apps;
pub mod tap_lockstep;
pub mod tap_speedup;
pub mod truth;
pub mod tx2;

use cotenant_golden::gpu::machine::{Imbalance, MachineError};
use cotenant_golden::presets::PresetError;
use cotenant_golden::workload::scenario::{GpuError, ScenarioError};
use cotenant_golden::ParamError;
use cotenant_netlist::sim::Engine;
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;

pub use runs::{Part, Standing};

/// An experiment with a name.
#[derive(Debug, Serialize)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// Whether it is a list of runs that keeps what it has done ([`Setting::journal`]).
    #[serde(skip)]
    pub resumes: bool,
    /// Runs it.
    #[serde(skip)]
    pub run: fn(&Setting<'_>) -> Result<Report, Error>,
}

/// How to run an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The seed of all random draws.
    pub seed: u64,
    /// Accesses to the L2 per workload; the experiment's default if none. Not used by experiments
    /// without workloads.
    pub accesses: Option<u64>,
    /// Cycles per run, for experiments of fixed duration; the experiment's default if none.
    pub cycles: Option<u64>,
    /// Workloads, the first ones, for experiments that say so; all if none.
    pub workloads: Option<u64>,
    /// The simulator of the hardware in lockstep.
    pub engine: Engine,
    /// Receives the progress.
    pub watch: &'a dyn Watch,
    /// Where an experiment that [`resumes`](Experiment::resumes) keeps what it has done, and goes on
    /// from.
    pub journal: Option<&'a Path>,
    /// A record with which it begins: a journal to which nothing is added.
    pub from: Option<&'a Path>,
    /// Which of its runs it does.
    pub part: Part,
}

impl Setting<'_> {
    /// With the experiment's defaults and without progress.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            accesses: None,
            cycles: None,
            workloads: None,
            engine: Engine::default(),
            watch: &Unwatched,
            journal: None,
            from: None,
            part: Part::WHOLE,
        }
    }
}

/// Receives an experiment's progress, from several threads.
pub trait Watch: Sync + std::fmt::Debug {
    /// The total number of steps.
    fn expect(&self, steps: u64);
    /// This many more steps are done. Returns whether to continue; if not, the finished part is
    /// reported.
    fn advance(&self, steps: u64) -> bool;
    /// So far some of its runs are, when this process has no more to do of them.
    fn stands(&self, _: Standing) {}
}

/// Ignores the progress.
#[derive(Debug)]
struct Unwatched;

impl Watch for Unwatched {
    fn expect(&self, _: u64) {}

    fn advance(&self, _: u64) -> bool {
        true
    }
}

/// Why an experiment cannot be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model refuses its parameters.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A workload is not a valid scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A workload's GPU cannot be built.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The GPU's counts do not add up: an error of the model.
    #[error("the GPU's counts do not add up: {0}")]
    Imbalance(#[from] Imbalance),
    /// A workload cannot be run.
    #[error(transparent)]
    Run(#[from] run::Error),
    /// There is no such GPU, or a kernel does not fit it.
    #[error("no such GPU: {0}")]
    Machine(#[from] MachineError),
    /// A kernel of a fit does not run.
    #[error(transparent)]
    Fit(#[from] cotenant_golden::calibration::free::Error),
    /// Kernels cannot be run under a scheme.
    #[error(transparent)]
    Scheme(#[from] cotenant_golden::schemes::run::Error),
    /// A platform is unknown.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A unit cannot be built, or its inputs break an assumption.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// The SM's statistics differ from what it told its unit: an error of the SM's model.
    #[error("SM {sm}, kernel {kernel}: {counted} {what}, but mem_issue was told {told}")]
    IssueControl {
        /// The SM.
        sm: usize,
        /// The kernel.
        kernel: usize,
        /// What is counted.
        what: &'static str,
        /// The SM's count.
        counted: u64,
        /// What its unit was told.
        told: u64,
    },
    /// Applications do not run on their platform.
    #[error(transparent)]
    Hetero(#[from] cotenant_golden::hetero::Error),
    /// There is no such memory, mapping or partition.
    #[error(transparent)]
    Isolation(#[from] cotenant_golden::addr::isolation::IsolationError),
    /// Kernels do not run on the platform.
    #[error(transparent)]
    Tx2(#[from] cotenant_golden::addr::tx2::Tx2Error),
    /// Hardware beside a cache cannot be run.
    #[error(transparent)]
    Replay(#[from] replay::Error),
    /// What has been done cannot be kept.
    #[error(transparent)]
    Journal(#[from] crate::whole::Error),
    /// A plot cannot be drawn.
    #[error("no plot: {0}")]
    Picture(String),
}

/// A file written with a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// The results of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Report {
    /// The results of [`calibrate`].
    Calibrate(Box<calibrate::Report>),
    /// The results of [`fgpu`]: cases.
    FgpuCases(fgpu::Cases),
    /// The results of [`fgpu`]: variation.
    FgpuVariation(fgpu::Variation),
    /// The results of [`gdc3`].
    Gdc3(Box<gdc3::Report>),
    /// The results of [`gdc4`].
    Gdc4(gdc4::Report),
    /// The results of [`milg_width`].
    MilgWidth(milg_width::Report),
    /// The results of [`sm_lockstep`].
    SmLockstep(sm_lockstep::Report),
    /// The results of [`sm_loop`].
    SmLoop(Box<sm_loop::Report>),
    /// The results of [`sm_pairs`].
    SmPairs(Box<sm_pairs::Report>),
    /// The results of [`tap_apps`].
    TapApps(tap_apps::Report),
    /// The results of [`tap_lockstep`].
    TapLockstep(tap_lockstep::Report),
    /// The results of [`tap_speedup`].
    TapSpeedup(tap_speedup::Report),
    /// The results of [`tx2`].
    Tx2(tx2::Report),
    /// The results of [`truth`].
    Truth(Box<truth::Report>),
}

impl Report {
    /// As Markdown.
    pub fn text(&self) -> String {
        match self {
            Self::Calibrate(report) => report.text(),
            Self::FgpuCases(report) => report.text(),
            Self::FgpuVariation(report) => report.text(),
            Self::Tx2(report) => report.text(),
            Self::Gdc3(report) => report.text(),
            Self::Gdc4(report) => report.text(),
            Self::MilgWidth(report) => report.text(),
            Self::SmLockstep(report) => report.text(),
            Self::SmLoop(report) => report.text(),
            Self::SmPairs(report) => report.text(),
            Self::TapApps(report) => report.text(),
            Self::TapLockstep(report) => report.text(),
            Self::TapSpeedup(report) => report.text(),
            Self::Truth(report) => report.text(),
        }
    }

    /// Plots as SVG and the other files of the report.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        match self {
            Self::Calibrate(report) => report.attachments(),
            Self::FgpuCases(report) => report.attachments(),
            Self::FgpuVariation(report) => report.attachments(),
            Self::Tx2(report) => report.attachments(),
            Self::Gdc3(report) => report.attachments(),
            Self::Gdc4(report) => report.attachments(),
            Self::MilgWidth(_) => Ok(vec![]),
            Self::SmLockstep(report) => report.attachments(),
            Self::SmLoop(report) => report.attachments(),
            Self::SmPairs(report) => report.attachments(),
            Self::TapApps(report) => report.attachments(),
            Self::TapLockstep(report) => report.attachments(),
            Self::TapSpeedup(report) => report.attachments(),
            Self::Truth(report) => report.attachments(),
        }
    }

    /// Where hardware and golden models differ first; none if they agree, or no hardware ran.
    pub fn mismatch(&self) -> Option<String> {
        match self {
            Self::Gdc3(report) => report.mismatch.clone(),
            Self::Gdc4(report) => report.mismatch(),
            Self::SmLockstep(report) => report.mismatch(),
            Self::SmLoop(report) => report.mismatch(),
            Self::Truth(report) => report.mismatch(),
            Self::TapLockstep(report) => report.mismatch.clone(),
            Self::Tx2(report) => report.mismatch.clone(),
            Self::SmPairs(_) => None,
            Self::MilgWidth(_) | Self::TapApps(_) | Self::TapSpeedup(_) => None,
            Self::Calibrate(_) | Self::FgpuCases(_) | Self::FgpuVariation(_) => None,
        }
    }

    /// Whether it was finished, not interrupted.
    pub fn complete(&self) -> bool {
        match self {
            Self::Calibrate(report) => report.from.complete,
            Self::FgpuCases(report) => report.complete,
            Self::FgpuVariation(report) => report.complete,
            Self::Tx2(report) => report.complete,
            Self::Gdc3(report) => report.complete,
            Self::Gdc4(report) => report.complete,
            Self::MilgWidth(_) => true,
            Self::SmLockstep(report) => report.complete,
            Self::SmLoop(report) => report.complete,
            Self::SmPairs(report) => report.complete,
            Self::TapApps(report) => report.complete,
            Self::TapLockstep(report) => report.complete,
            Self::TapSpeedup(report) => report.complete,
            Self::Truth(report) => report.complete,
        }
    }
}

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "calibrate",
        summary: "what the paper on QBMI and DMIL leaves open, fitted on its single kernels alone",
        resumes: true,
        run: |setting| Ok(Report::Calibrate(Box::new(calibrate::run(setting)?))),
    },
    Experiment {
        name: "fgpu-cases",
        summary: "one thread beside others in the same or another set, bank and module",
        resumes: false,
        run: |setting| fgpu::cases(setting).map(Report::FgpuCases),
    },
    Experiment {
        name: "fgpu-variation",
        summary: "how much others change an application's time, by how the GPU is divided",
        resumes: false,
        run: |setting| fgpu::variation(setting).map(Report::FgpuVariation),
    },
    Experiment {
        name: "gdc-3",
        summary: "miss attribution for VMA by GDC and by PLOB, and what it depends on",
        resumes: false,
        run: |setting| Ok(Report::Gdc3(Box::new(gdc3::run(setting)?))),
    },
    Experiment {
        name: "gdc-4",
        summary: "PLOB's distance from GDC in 32 random workloads, llc_monitor in lockstep",
        resumes: false,
        run: |setting| gdc4::run(setting).map(Report::Gdc4),
    },
    Experiment {
        name: "milg-width",
        summary: "limits of ks, sv and ax by the width of the failure counter, and RELEASE and CAP",
        resumes: false,
        run: |setting| Ok(Report::MilgWidth(milg_width::run(setting.seed)?)),
    },
    Experiment {
        name: "sm-blocks",
        summary:
            "six pairs of kernels with every number of thread blocks, and where the curves say best",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::blocks(setting)?))),
    },
    Experiment {
        name: "sm-credits",
        summary: "QBMI with credit that is capped and that is not, for all pairs of kernels",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::credits(setting)?))),
    },
    Experiment {
        name: "sm-limits",
        summary: "static limits of memory instructions of three pairs of kernels, all combinations",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::limits(setting)?))),
    },
    Experiment {
        name: "sm-lockstep",
        summary: "mem_issue in lockstep in every SM, for 12 pairs and 4 sets of three kernels",
        resumes: true,
        run: |setting| sm_lockstep::run(setting).map(Report::SmLockstep),
    },
    Experiment {
        name: "sm-loop",
        summary: "mem_issue in lockstep in running SMs: limits, quotas, failures, with and without",
        resumes: false,
        run: |setting| Ok(Report::SmLoop(Box::new(sm_loop::run(setting)?))),
    },
    Experiment {
        name: "sm-pairs",
        summary:
            "78 pairs of kernels under the SM paper's schemes, its numbers beside; takes hours",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::pairs(setting)?))),
    },
    Experiment {
        name: "sm-releases",
        summary:
            "DMIL by what an interval with less than one failure per request does, for two pairs",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::releases(setting)?))),
    },
    Experiment {
        name: "sm-triples",
        summary: "the same with 286 sets of three kernels",
        resumes: true,
        run: |setting| Ok(Report::SmPairs(Box::new(sm_pairs::triples(setting)?))),
    },
    Experiment {
        name: "tap-apps",
        summary: "MPKI and CPI of types of CPU and GPU applications, by the ways of the L3",
        resumes: false,
        run: |setting| tap_apps::run(setting).map(Report::TapApps),
    },
    Experiment {
        name: "tap-costs",
        summary: "partition of the L3 by exact attribution beside UCP's, in 75 workloads",
        resumes: true,
        run: |setting| tap_speedup::costs(setting).map(Report::TapSpeedup),
    },
    Experiment {
        name: "tap-lockstep",
        summary: "managed_directory in lockstep as the L3 of 16 workloads, under five policies",
        resumes: false,
        run: |setting| tap_lockstep::run(setting).map(Report::TapLockstep),
    },
    Experiment {
        name: "tap-parts",
        summary:
            "TAP's policies, DRRIP and TC with a part changed, in 152 workloads: what each is worth",
        resumes: true,
        run: |setting| tap_speedup::parts(setting).map(Report::TapSpeedup),
    },
    Experiment {
        name: "tap-speedup",
        summary:
            "speedup of ten policies over LRU in 377 workloads of CPUs and a GPU; takes an hour",
        resumes: true,
        run: |setting| tap_speedup::speedup(setting).map(Report::TapSpeedup),
    },
    Experiment {
        name: "tap-streams",
        summary: "the same in 25 workloads with a CPU application that streams",
        resumes: true,
        run: |setting| tap_speedup::streams(setting).map(Report::TapSpeedup),
    },
    Experiment {
        name: "truth",
        summary: "how far GDC, PLOB and exact attribution are from what each co-runner costs",
        resumes: true,
        run: |setting| Ok(Report::Truth(Box::new(truth::run(setting)?))),
    },
    Experiment {
        name: "tx2-copy",
        summary: "kernels on TX2 beside the copy engine, llc_monitor in lockstep",
        resumes: false,
        run: |setting| tx2::copy(setting).map(Report::Tx2),
    },
    Experiment {
        name: "tx2-stride",
        summary: "kernels on TX2 beside a kernel of any stride, llc_monitor in lockstep",
        resumes: false,
        run: |setting| tx2::stride(setting).map(Report::Tx2),
    },
];

/// No experiment has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment '{name}', expected one of:\n{}", list())]
pub struct NoSuchExperiment {
    /// The name.
    pub name: String,
}

/// Names and summaries, one per line.
pub fn list() -> String {
    let line =
        |experiment: &Experiment| format!("  {:14} {}\n", experiment.name, experiment.summary);
    EXPERIMENTS.iter().map(line).collect()
}

/// The experiment of a name.
///
/// # Errors
/// [`NoSuchExperiment`] with those that there are.
pub fn experiment(name: &str) -> Result<&'static Experiment, NoSuchExperiment> {
    let found = EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name);
    found.ok_or_else(|| NoSuchExperiment { name: name.into() })
}

/// What `run` gives for each of the `runs`, in their order, computed on all cores.
fn on_all_cores<T: Sync, R: Send>(runs: &[T], run: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    runs.par_iter().map(run).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: a name that is not there is a user's most likely mistake.
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_runs() {
        let runs: Vec<u64> = (0..100).collect();
        assert_eq!(on_all_cores(&runs, |run| *run), runs);
        assert!(on_all_cores(&[], |run: &u64| *run).is_empty());
    }

    #[test]
    fn a_wrong_name_lists_what_there_is() {
        assert_eq!(experiment("milg-width").unwrap().name, "milg-width");
        let error = experiment("milg").unwrap_err().to_string();
        assert!(error.starts_with("there is no experiment 'milg', expected one of:\n  calibrate "));
    }
}
