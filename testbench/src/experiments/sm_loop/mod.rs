//! `sm-loop`: `mem_issue` in the running SMs of `maxwell`, its limits and priorities throttling
//! them, for the pairs of kernels that Dai et al. (HPCA 2018) look at.
//!
//! Each pair runs twice, its thread blocks partitioned alike: without anything between schedulers
//! and load/store unit (the paper's WS), and with QBMI+DMIL (section 3.4) on all SMs. On the
//! first [`LOCKSTEP`] of them the unit is its netlist and its golden model in lockstep
//! ([`issue_control`](super::issue_control)), on the others the golden model, so that the whole
//! GPU is under one regime. Each kernel runs alone, too, with as many blocks as fit.
//!
//! The kernels are those of table 2 as
//! [`table2`](cotenant_golden::workload::program::table2) makes them. Nothing is fitted to the
//! results of a pair.

mod pair;
mod plot;
mod simulate;
mod text;

pub use pair::{Pair, PAIRS};
pub use simulate::{Activity, KernelCounts, Lockstep, Moment, Run};

use cotenant_golden::metrics::{antt, fairness, weighted_speedup, Ipc};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table;
use serde::Serialize;
use std::sync::Mutex;

use super::{on_all_cores, Attachment, Error, Setting};
use crate::experiments::issue_control::IssueControl;
use crate::unit::sm::MemIssue;
use crate::verify::interface::Interface;
use simulate::{Controlled, Job, PERIODS};

/// The unit's parameter set: QBMI and DMIL for two kernels, with the paper's widths.
pub const SET: &str = "2-milg-qbmi";
/// Cycles of a run, as the paper has it (section 2.3).
pub const CYCLES: u64 = 2_000_000;
/// SMs on which the netlist runs beside the golden model: 4 pairs make 16 million SM cycles.
pub const LOCKSTEP: usize = 2;
/// The platform.
pub const PRESET: &str = "maxwell";

/// Performance of the pairs; null unless all runs that it rests on came to their end.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Together {
    /// Each kernel's IPC over its IPC alone.
    pub normalised: [Option<f64>; 2],
    /// [`weighted_speedup`].
    pub weighted_speedup: Option<f64>,
    /// [`antt`].
    pub antt: Option<f64>,
    /// [`fairness`].
    pub fairness: Option<f64>,
}

/// What came of a pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The kernels and their blocks.
    #[serde(flatten)]
    pub pair: Pair,
    /// Nothing between schedulers and load/store unit.
    pub without: Run,
    /// `mem_issue` there.
    pub with: Run,
    /// How well they do without.
    pub together_without: Together,
    /// How well they do with.
    pub together_with: Together,
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that draws where requests go.
    pub seed: u64,
    /// The platform.
    pub preset: &'static str,
    /// The unit's parameter set.
    pub set: &'static str,
    /// Cycles of a run.
    pub cycles: u64,
    /// Whether all runs came to their end.
    pub complete: bool,
    /// Cycles in which netlist and golden model were compared, over all SMs and pairs.
    pub lockstep_cycles: u64,
    /// Each kernel alone.
    pub alone: Vec<Run>,
    /// The pairs.
    pub pairs: Vec<Outcome>,
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    run_with(setting, &Ok)
}

/// As [`run`], with the unit's netlist changed by `change`: for faults.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    setting: &Setting<'_>,
    change: &dyn Fn(Netlist) -> Result<Netlist, Error>,
) -> Result<Report, Error> {
    let cycles = setting.cycles.unwrap_or(CYCLES).max(PERIODS);
    let jobs = jobs(cycles, setting.engine, change)?;
    setting.watch.expect(cycles * jobs.len() as u64);
    let runs = on_all_cores(&jobs, |job| simulate::simulate(job, cycles, setting));
    let mut runs = runs
        .into_iter()
        .collect::<Result<Vec<Run>, Error>>()?
        .into_iter();
    let with: Vec<Run> = runs.by_ref().take(PAIRS.len()).collect();
    let without: Vec<Run> = runs.by_ref().take(PAIRS.len()).collect();
    let alone: Vec<Run> = runs.collect();
    let pairs = PAIRS.into_iter().zip(without).zip(with);
    let pairs: Vec<Outcome> = pairs
        .map(|((pair, without), with)| Outcome {
            together_without: together(&without, &alone),
            together_with: together(&with, &alone),
            pair,
            without,
            with,
        })
        .collect();
    let ran = |outcome: &Outcome| [&outcome.without, &outcome.with].map(|run| run.complete);
    let lockstep = pairs.iter().flat_map(|outcome| &outcome.with.lockstep);
    Ok(Report {
        schema: 1,
        experiment: "sm-loop",
        seed: setting.seed,
        preset: PRESET,
        set: SET,
        cycles,
        complete: alone.iter().all(|run| run.complete)
            && pairs.iter().flat_map(ran).all(|complete| complete),
        lockstep_cycles: lockstep.map(|lockstep| lockstep.cycles).sum(),
        alone,
        pairs,
    })
}

/// The pairs with the unit, those without, and each kernel alone; the longest first.
fn jobs(
    cycles: u64,
    engine: Engine,
    change: &dyn Fn(Netlist) -> Result<Netlist, Error>,
) -> Result<Vec<Job>, Error> {
    let set = table::set(MemIssue::NAME, SET).map_err(crate::Error::from)?;
    let netlist = change(MemIssue::netlist(&set)?)?;
    let of = |pair: Pair| {
        let blocks = pair.blocks.into_iter().map(Some);
        pair.kernels.into_iter().zip(blocks).collect()
    };
    let with = |pair| {
        let every = simulate::period(cycles);
        let controls =
            (0..LOCKSTEP).map(|_| IssueControl::with_netlist(&set, &netlist, engine, every));
        let controlled = Controlled {
            lockstep: Mutex::new(controls.collect::<crate::Result<_>>()?),
            params: MemIssue::params(&set)?,
        };
        Ok(Job {
            kernels: of(pair),
            controlled: Some(controlled),
        })
    };
    let without = |kernels| Job {
        kernels,
        controlled: None,
    };
    let alone = pair::kernels().into_iter().map(|name| vec![(name, None)]);
    let mut jobs = PAIRS
        .into_iter()
        .map(with)
        .collect::<Result<Vec<Job>, Error>>()?;
    jobs.extend(PAIRS.into_iter().map(of).chain(alone).map(without));
    Ok(jobs)
}

fn together(run: &Run, alone: &[Run]) -> Together {
    let alone = |name: &str| {
        let runs = alone.iter().filter(|run| run.complete);
        let mut kernels = runs.flat_map(|run| &run.kernels);
        let found = kernels.find(|kernel| kernel.name == name);
        found.map_or(0.0, |kernel| kernel.ipc)
    };
    if !run.complete {
        return Together::default();
    }
    // One that has not run has an IPC of 0, to which there is no metric.
    let ipc = |kernel: &KernelCounts| Ipc {
        shared: kernel.ipc,
        alone: alone(kernel.name),
    };
    let kernels: Vec<Ipc> = run.kernels.iter().map(ipc).collect();
    let normalised = |kernel: usize| weighted_speedup(&kernels[kernel..=kernel]).ok();
    Together {
        normalised: [normalised(0), normalised(1)],
        weighted_speedup: weighted_speedup(&kernels).ok(),
        antt: antt(&kernels).ok(),
        fairness: fairness(&kernels).ok(),
    }
}

impl Report {
    /// What was wrong first, with its pair and SM: netlist and golden model differ, or a limit does
    /// not hold.
    pub fn mismatch(&self) -> Option<String> {
        let found = |outcome: &Outcome| {
            let found = |lockstep: &Lockstep| {
                let wrong = lockstep.mismatch.as_ref()?;
                let name = outcome.pair.name();
                let unit = MemIssue::NAME;
                Some(format!("{name}: SM {}: {unit} {SET}: {wrong}", lockstep.sm))
            };
            outcome.with.lockstep.iter().find_map(found)
        };
        self.pairs.iter().find_map(found)
    }

    /// A picture of each pair.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let picture = |outcome: &Outcome| {
            Ok(Attachment {
                name: format!("{}.svg", outcome.pair.name()),
                text: plot::pair(self, outcome)?,
            })
        };
        self.pairs.iter().map(picture).collect()
    }
}

#[cfg(test)]
mod tests;
