//! `gdc-3`: miss attribution for VMA by GDC and by PLOB, with co-runners DADD, AGG1 and AGG2.
//!
//! Source: GDC paper, section IV-B and figure 3. It gives the footprints of VMA and DADD, and says
//! of the other two in words what they do; the scenario `gdc-figure-3` follows the words. What it
//! had to assume is then changed, one thing at a time, to see how far the shares move with it: the
//! golden models alone, with the same seed.

mod plot;
mod text;
mod variations;

use cotenant_golden::metrics::{wbd, Row};
use cotenant_golden::workload::scenario::Scenario;
use serde::Serialize;

use super::{on_all_cores, Attachment, Error, Setting};
use crate::experiments::replay::LockstepCount;
use crate::experiments::run;
use crate::experiments::run::Request;
use variations::VARIATIONS;

/// The scenario.
const SCENARIO: &str = "gdc-figure-3";

/// Shares of the misses of the kernel under test, by KID; null without any.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shares {
    /// By GDC.
    pub gdc: Row,
    /// By PLOB.
    pub plob: Row,
    /// Their distance; null where one of them has nothing to say.
    pub wbd: Option<f64>,
    /// How far a share is from the paper's, at most, by GDC and by PLOB; null without shares.
    pub furthest: [Option<f64>; 2],
}

/// The same scenario with one thing changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variation {
    /// What was changed: `AGG1 chains`.
    pub what: &'static str,
    /// From what.
    pub from: String,
    /// To what.
    pub to: String,
    /// What came out.
    #[serde(flatten)]
    pub shares: Shares,
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that drew starts and places.
    pub seed: u64,
    /// Accesses to the L2 after which a run ends.
    pub accesses: u64,
    /// Whether all runs came to their end.
    pub complete: bool,
    /// The kernels, by KID; the first is under test.
    pub kernels: Vec<String>,
    /// The paper's.
    pub paper: Shares,
    /// Ours.
    pub ours: Shares,
    /// Hardware beside it; null if there is none of this geometry.
    pub lockstep: Option<LockstepCount>,
    /// The first difference between hardware and golden models; null if there is none.
    pub mismatch: Option<String>,
    /// What came of the changes that were run to their end.
    pub variations: Vec<Variation>,
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let mut scenario = Scenario::named(SCENARIO)?;
    scenario.seed = setting.seed;
    scenario.accesses = setting.accesses.unwrap_or(scenario.accesses).max(1);
    let runs = 1 + VARIATIONS.len() as u64;
    setting.watch.expect(scenario.accesses * runs);
    let finished = watched(&scenario, true, setting)?;
    let (mut complete, base) = (finished.report.complete, finished.report);
    let paper = scenario.paper.as_ref().map(|paper| {
        let row = |percent: &[f64]| Some(percent.iter().map(|p| p / 100.0).collect::<Vec<f64>>());
        [row(&paper.gdc), row(&paper.plob)]
    });
    let [gdc, plob] = paper.unwrap_or_default();
    let paper = Shares::new(gdc, plob, [&None, &None]);
    let ours = |report: &run::Report| {
        let row = |rows: &[Row]| rows.get(report.under_test).cloned().flatten();
        let rows = [&paper.gdc, &paper.plob];
        Shares::new(row(&report.share_gdc), row(&report.share_plob), rows)
    };
    let varied = on_all_cores(VARIATIONS, |variation| {
        let mut changed = scenario.clone();
        let (from, to) = (variation.change)(&mut changed);
        let report = watched(&changed, false, setting)?.report;
        Ok(report.complete.then(|| Variation {
            what: variation.what,
            from,
            to,
            shares: ours(&report),
        }))
    });
    let varied: Result<Vec<Option<Variation>>, Error> = varied.into_iter().collect();
    let varied = varied?;
    complete &= varied.iter().all(Option::is_some);
    Ok(Report {
        schema: 1,
        experiment: "gdc-3",
        seed: setting.seed,
        accesses: scenario.accesses,
        complete,
        kernels: scenario.kernels.iter().map(|k| k.name.clone()).collect(),
        ours: ours(&base),
        paper,
        lockstep: base.lockstep,
        mismatch: base.mismatch,
        variations: varied.into_iter().flatten().collect(),
    })
}

fn watched(
    scenario: &Scenario,
    hardware: bool,
    setting: &Setting<'_>,
) -> Result<run::Finished, Error> {
    let request = Request {
        hardware: hardware.then_some(setting.engine),
        ..Request::new(SCENARIO, scenario)
    };
    let mut last = 0;
    let finished = run::run(&request, &mut |done| {
        let more = done - std::mem::replace(&mut last, done);
        setting.watch.advance(more)
    })?;
    let left = scenario.accesses.saturating_sub(last);
    setting.watch.advance(left);
    Ok(finished)
}

impl Shares {
    fn new(gdc: Row, plob: Row, paper: [&Row; 2]) -> Self {
        let distance = |ours: &Row, paper: &Row| {
            let pairs = ours.as_ref()?.iter().zip(paper.as_ref()?);
            pairs.map(|(a, b)| (a - b).abs()).reduce(f64::max)
        };
        Self {
            wbd: gdc.as_ref().zip(plob.as_ref()).and_then(|(a, b)| wbd(a, b)),
            furthest: [distance(&gdc, paper[0]), distance(&plob, paper[1])],
            gdc,
            plob,
        }
    }
}

impl Report {
    /// The picture.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        Ok(vec![Attachment {
            name: "gdc-3.svg".into(),
            text: plot::shares(self)?,
        }])
    }
}
