//! `gdc-4`: the distance of PLOB's breakdown from GDC's in 32 random workloads.
//!
//! Source: GDC paper, section IV-C and figure 4: the workload breakdown deviation (wbd) of one
//! kernel under analysis per workload, from 0.03 to 1.15. How workloads are drawn is in
//! [`random`](cotenant_golden::workload::random). Each runs with the netlist of `llc_monitor` in
//! lockstep with the golden model, its counters read once per period and compared with the golden
//! cache's sums.

mod plot;
mod text;

use cotenant_golden::metrics::Row;
use cotenant_golden::workload::random::{workloads, Workload, ACCESSES};
use cotenant_golden::workload::scenario::Scenario;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use serde::Serialize;

use super::{on_all_cores, Attachment, Error, Setting};
use crate::experiments::replay::{Hardware, LockstepCount, Sets};
use crate::experiments::run::{run_beside, Request};
use crate::unit::llc::LlcMonitor;
use crate::verify::interface::Interface;

/// The smallest and the largest wbd that the paper reports (section IV-C: w1 and w13).
pub const PAPER: [f64; 2] = [0.03, 1.15];

/// What came of a workload.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// As it was drawn.
    #[serde(flatten)]
    pub workload: Workload,
    /// Accesses to the L2, of all kernels.
    pub accesses: u64,
    /// Cycles of the GPU.
    pub cycles: u64,
    /// Misses of the kernel under analysis.
    pub misses: u64,
    /// Shares of the demotions of its lines, by KID, its own included; null without any.
    pub share_gdc: Row,
    /// Shares of the evictions of its lines by others, by KID; null without any.
    pub share_plob: Row,
    /// Their distance; null where one of them has nothing to say.
    pub wbd: Option<f64>,
    /// Hardware beside it; null if there is none of this geometry.
    pub lockstep: Option<LockstepCount>,
    /// The first difference between hardware and golden models; null if there is none.
    pub mismatch: Option<String>,
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that drew the workloads.
    pub seed: u64,
    /// Accesses to the L2 after which a workload ends.
    pub accesses: u64,
    /// Whether all workloads came to their end.
    pub complete: bool,
    /// The paper's smallest and largest wbd.
    pub paper: [f64; 2],
    /// Ours; null without any.
    pub range: Option<[f64; 2]>,
    /// The workloads that came to their end, in their order.
    pub workloads: Vec<Outcome>,
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    run_with(setting, &Ok)
}

/// As [`run`], with the monitor's netlist changed by `change`: for faults.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    setting: &Setting<'_>,
    change: &(dyn Fn(Netlist) -> Result<Netlist, Error> + Sync),
) -> Result<Report, Error> {
    let drawn = workloads(setting.seed);
    let accesses = setting.accesses.unwrap_or(ACCESSES).max(1);
    setting.watch.expect(accesses * drawn.len() as u64);
    let measured = on_all_cores(&drawn, |workload| {
        measure(workload, accesses, change, setting)
    });
    let measured: Vec<Option<Outcome>> = measured.into_iter().collect::<Result<_, _>>()?;
    let complete = measured.iter().all(Option::is_some);
    let workloads: Vec<Outcome> = measured.into_iter().flatten().collect();
    let distances = || workloads.iter().filter_map(|outcome| outcome.wbd);
    let least = distances().reduce(f64::min);
    Ok(Report {
        schema: 1,
        experiment: "gdc-4",
        seed: setting.seed,
        accesses,
        complete,
        paper: PAPER,
        range: least
            .zip(distances().reduce(f64::max))
            .map(<[f64; 2]>::from),
        workloads,
    })
}

/// The monitor for a scenario's cache; none if there is none of its geometry. Netlists are not
/// shared between threads.
fn monitor(
    scenario: &Scenario,
    engine: Engine,
    change: &dyn Fn(Netlist) -> Result<Netlist, Error>,
) -> Result<Option<Hardware>, Error> {
    let Ok(set) = Sets::monitor(&scenario.geometry) else {
        return Ok(None);
    };
    let netlist = LlcMonitor::netlist(&set).map_err(crate::experiments::run::Error::Hardware)?;
    let hardware = Hardware::monitor(&scenario.geometry, &set, &change(netlist)?, engine, true);
    Ok(Some(
        hardware.map_err(crate::experiments::run::Error::Hardware)?,
    ))
}

/// None if it was stopped.
fn measure(
    workload: &Workload,
    accesses: u64,
    change: &dyn Fn(Netlist) -> Result<Netlist, Error>,
    setting: &Setting<'_>,
) -> Result<Option<Outcome>, Error> {
    let mut scenario = workload.scenario()?;
    scenario.accesses = accesses;
    let hardware = monitor(&scenario, setting.engine, change)?;
    let name = workload.name();
    let mut last = 0;
    let finished = run_beside(&Request::new(&name, &scenario), hardware, &mut |done| {
        let more = done - std::mem::replace(&mut last, done);
        setting.watch.advance(more)
    })?;
    setting.watch.advance(accesses.saturating_sub(last));
    let report = finished.report;
    let kua = report.under_test;
    Ok(report.complete.then(|| Outcome {
        workload: workload.clone(),
        accesses: report.accesses,
        cycles: report.cycles,
        misses: report.kernels[kua].misses,
        share_gdc: report.share_gdc[kua].clone(),
        share_plob: report.share_plob[kua].clone(),
        wbd: report.wbd[kua],
        lockstep: report.lockstep,
        mismatch: report.mismatch,
    }))
}

impl Report {
    /// The first difference between hardware and golden models, with its workload.
    pub fn mismatch(&self) -> Option<String> {
        let found = |outcome: &Outcome| {
            let mismatch = outcome.mismatch.as_ref()?;
            Some(format!("{}: {mismatch}", outcome.workload.name()))
        };
        self.workloads.iter().find_map(found)
    }

    /// The workloads by their distance, smallest first; those without one at the end.
    fn sorted(&self) -> Vec<&Outcome> {
        let mut sorted: Vec<&Outcome> = self.workloads.iter().collect();
        let key = |outcome: &Outcome| outcome.wbd.unwrap_or(f64::INFINITY);
        sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
        sorted
    }

    /// The picture, and each workload's scenario for `cotenant run`.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let picture = Attachment {
            name: "gdc-4.svg".into(),
            text: plot::distances(self)?,
        };
        let scenario = |outcome: &Outcome| Attachment {
            name: format!("{}.toml", outcome.workload.name()),
            text: outcome.workload.toml(),
        };
        let scenarios = self.workloads.iter().map(scenario);
        Ok(std::iter::once(picture).chain(scenarios).collect())
    }
}
