//! `truth`: the distance of GDC's and PLOB's breakdowns from the misses that each co-runner causes.
//!
//! Of each of the workloads of [`gdc4`](super::gdc4), the misses of the kernel under analysis (KUA)
//! are measured beside every coalition of its co-runners, in two ways:
//!
//! - *streams*: the accesses of the run of all kernels, in their order, with those of some kernels
//!   left out. It is what the monitors could know at best: they see one run.
//! - *timed*: the kernels simulated again, without the others; then no kernel waits for them, and all
//!   accesses move. It is what a user asks about. ASSUMPTION: until the KUA has made as many
//!   accesses as in the run of all, so that it does the same work.
//!
//! A co-runner's part of the extra misses is its Shapley value
//! ([`Shapley`](cotenant_golden::metrics::Shapley)). ASSUMPTION: compared are shares over the
//! co-runners. GDC ascribes some misses to the KUA itself; those it has without company too, they
//! are in the misses alone, so its own share is taken out of GDC's and the others come to 1 again.
//! The distance is that of the GDC paper's figure 4 ([`wbd`]).

mod plot;
pub mod reading;
pub mod smallest;
mod text;

use std::sync::atomic::{AtomicBool, Ordering};

use cotenant_golden::gpu::{Gpu, Machine};
use cotenant_golden::metrics::{others, wbd, Coalitions, Contention, Row};
use cotenant_golden::workload::random::{workloads, Workload, ACCESSES};
use cotenant_golden::workload::scenario::Scenario;
use cotenant_golden::workload::stream::Stream;
use serde::Serialize;

use super::{on_all_cores, Attachment, Error, Setting};
use reading::Recorder;

/// A run alone may take so many times the cycles of the run of all for the same accesses; one that
/// takes longer no longer accesses the L2 at all.
const PATIENCE: u64 = 4;
/// Accesses between two looks at the watcher.
const CHUNK: u64 = 1 << 12;

/// The truth, and how far the monitors are from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Truth {
    /// The misses of the KUA by coalition.
    pub coalitions: Coalitions,
    /// Extra misses that each co-runner costs; negative if it saves some.
    pub values: Vec<f64>,
    /// The same as shares; null if no co-runner causes any.
    pub shares: Row,
    /// Distance of GDC's shares; null without shares.
    pub gdc: Option<f64>,
    /// Distance of PLOB's shares; null without shares.
    pub plob: Option<f64>,
}

impl Truth {
    fn new(coalitions: Coalitions, share_gdc: &Row, share_plob: &Row) -> Self {
        let shapley = coalitions.shapley();
        let shares = shapley.shares();
        let distance = |row: &Row| wbd(row.as_deref()?, shares.as_deref()?);
        Self {
            coalitions,
            values: shapley.values,
            gdc: distance(share_gdc),
            plob: distance(share_plob),
            shares,
        }
    }
}

/// What came of a workload. Shares are over the co-runners.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// As it was drawn.
    #[serde(flatten)]
    pub workload: Workload,
    /// Accesses of the KUA in the run of all kernels.
    pub accesses: u64,
    /// By GDC; null if no co-runner demoted a line of the KUA.
    pub share_gdc: Row,
    /// By PLOB; null if no co-runner evicted a line of the KUA.
    pub share_plob: Row,
    /// With the same streams.
    pub streams: Truth,
    /// With the kernels simulated again; null if the KUA does not come to as many accesses without
    /// company.
    pub timed: Option<Truth>,
}

/// Which monitor is nearer to the truth, over all workloads in which both have a distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Nearer {
    /// Workloads compared.
    pub workloads: usize,
    /// In which GDC is nearer.
    pub gdc: usize,
    /// In which PLOB is nearer.
    pub plob: usize,
    /// Mean distance of GDC.
    pub mean_gdc: Option<f64>,
    /// Mean distance of PLOB.
    pub mean_plob: Option<f64>,
    /// Mean of PLOB's distance less GDC's: above 0 if GDC is nearer.
    pub lead: Option<f64>,
    /// In which GDC's largest share is that of a co-runner who costs most.
    pub culprit_gdc: usize,
    /// In which PLOB's is.
    pub culprit_plob: usize,
}

/// Whether the largest of a monitor's shares is that of a co-runner with the largest true one.
fn culprit(shares: &Row, truth: &Row) -> Option<bool> {
    /// Shares are quotients of whole numbers far below 2^50, and rounded.
    const ROUNDED: f64 = 1e-12;
    let (shares, truth) = (shares.as_deref()?, truth.as_deref()?);
    let most = |row: &[f64]| row.iter().copied().reduce(f64::max);
    let (named, worst) = (most(shares)?, most(truth)?);
    let mut pairs = shares.iter().zip(truth);
    Some(pairs.any(|(share, truth)| *share == named && *truth >= worst - ROUNDED))
}

impl Nearer {
    fn of<'a>(workloads: &'a [Outcome], truth: impl Fn(&'a Outcome) -> Option<&'a Truth>) -> Self {
        let compared = |outcome: &'a Outcome| {
            let truth = truth(outcome)?;
            Some((outcome, truth, (truth.gdc?, truth.plob?)))
        };
        let compared: Vec<_> = workloads.iter().filter_map(compared).collect();
        let both: Vec<(f64, f64)> = compared.iter().map(|(.., both)| *both).collect();
        let named = |of: fn(&Outcome) -> &Row| {
            let named = |(outcome, truth, _): &&(&'a Outcome, &Truth, _)| {
                culprit(of(outcome), &truth.shares) == Some(true)
            };
            compared.iter().filter(named).count()
        };
        let mean = |of: fn(&(f64, f64)) -> f64| {
            let sum: f64 = both.iter().map(of).sum();
            (!both.is_empty()).then(|| sum / both.len() as f64)
        };
        Self {
            workloads: both.len(),
            gdc: both.iter().filter(|(gdc, plob)| gdc < plob).count(),
            plob: both.iter().filter(|(gdc, plob)| plob < gdc).count(),
            mean_gdc: mean(|(gdc, _)| *gdc),
            mean_plob: mean(|(_, plob)| *plob),
            lead: mean(|(gdc, plob)| plob - gdc),
            culprit_gdc: named(|outcome| &outcome.share_gdc),
            culprit_plob: named(|outcome| &outcome.share_plob),
        }
    }
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
    /// Who is nearer, with the same streams.
    pub nearer_streams: Nearer,
    /// Who is nearer, with the kernels simulated again.
    pub nearer_timed: Nearer,
    /// The workloads that came to their end, in their order.
    pub workloads: Vec<Outcome>,
    /// What software learns by read period and counter width.
    pub periods: Vec<reading::Period>,
    /// The shortest streams that show a monitor wrong.
    pub smallest: Vec<smallest::Smallest>,
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let drawn = workloads(setting.seed);
    let accesses = setting.accesses.unwrap_or(ACCESSES).max(1);
    // Of each the run of all kernels, and about as much again for its coalitions.
    setting.watch.expect(2 * accesses * drawn.len() as u64);
    let measured = on_all_cores(&drawn, |workload| measure(workload, accesses, setting));
    let measured: Vec<Option<(Outcome, Recorder)>> =
        measured.into_iter().collect::<Result<_, _>>()?;
    let complete = measured.iter().all(Option::is_some);
    let (workloads, recorders): (Vec<Outcome>, Vec<Recorder>) =
        measured.into_iter().flatten().unzip();
    Ok(Report {
        schema: 1,
        experiment: "truth",
        seed: setting.seed,
        accesses,
        complete,
        nearer_streams: Nearer::of(&workloads, |outcome| Some(&outcome.streams)),
        nearer_timed: Nearer::of(&workloads, |outcome| outcome.timed.as_ref()),
        periods: reading::periods(&recorders.iter().collect::<Vec<_>>()),
        smallest: smallest::smallest(smallest::LONGEST)?,
        workloads,
    })
}

/// None if it was stopped.
fn measure(
    workload: &Workload,
    accesses: u64,
    setting: &Setting<'_>,
) -> Result<Option<(Outcome, Recorder)>, Error> {
    let scenario = workload.scenario()?;
    let kua = scenario.under_test;
    let mut gpu = scenario.gpu()?;
    let mut recorder = Recorder::new(&scenario.geometry, kua);
    let (mut done, mut go_on) = (0, true);
    let stream = Stream::record(&mut gpu, accesses, &mut |reached| {
        recorder.access(reached);
        done += 1;
        if done % CHUNK == 0 {
            go_on = setting.watch.advance(CHUNK);
        }
        go_on
    })?;
    if !go_on || !setting.watch.advance(done % CHUNK) {
        return Ok(None);
    }
    let counts = gpu.counts();
    let cycles = gpu.cycle();
    settle(&mut gpu)?;
    let contention = Contention::of(&counts);
    let over_others = |rows: &[Row]| others(rows.get(kua)?.as_deref()?, kua);
    let share_gdc = over_others(&contention.share_gdc);
    let share_plob = over_others(&contention.share_plob);
    let streams = Truth::new(stream.coalitions(kua)?, &share_gdc, &share_plob);
    let own = &counts.kernels[kua];
    let timed = timed(&scenario, cycles, (own.accesses, own.misses))?;
    let timed = timed.map(|coalitions| Truth::new(coalitions, &share_gdc, &share_plob));
    if !setting.watch.advance(accesses) {
        return Ok(None);
    }
    let outcome = Outcome {
        workload: workload.clone(),
        accesses: own.accesses,
        share_gdc,
        share_plob,
        streams,
        timed,
    };
    Ok(Some((outcome, recorder)))
}

/// The misses of the kernel under test in runs beside every coalition, each until it has made as
/// many `accesses` as it has in `cycles` beside all, where it has `misses`. None if it does not
/// come to that.
fn timed(
    scenario: &Scenario,
    cycles: u64,
    (accesses, misses): (u64, u64),
) -> Result<Option<Coalitions>, Error> {
    let kua = scenario.under_test;
    let kernels = scenario.kernels.len();
    let all = u64::MAX >> (64 - kernels);
    let never = AtomicBool::new(false);
    let coalitions = Coalitions::of(kernels, kua, |present| -> Result<u64, Error> {
        if present == all {
            return Ok(misses);
        }
        let mut gpu = scenario.gpu_of(present)?;
        let (mut made, mut missed) = (0, 0);
        gpu.run_to(cycles.saturating_mul(PATIENCE), &mut |reached| {
            // What follows in the cycle of the last one is not of the same work.
            if usize::from(reached.access.kernel) == kua && made < accesses {
                made += 1;
                missed += u64::from(!reached.outcome.hit);
            }
            made < accesses
        });
        if made < accesses {
            never.store(true, Ordering::Relaxed);
        }
        settle(&mut gpu)?;
        Ok(missed)
    })?;
    Ok((!never.into_inner()).then_some(coalitions))
}

/// Completes what is in flight; all counts must be consistent then.
fn settle(gpu: &mut Machine) -> Result<(), Error> {
    gpu.stop_launching();
    gpu.drain(&mut |_| true);
    Ok(gpu.check()?)
}

impl Report {
    /// The pictures, and the shortest streams as traces for `cotenant replay`.
    ///
    /// # Errors
    /// [`Error`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let mut files = vec![
            Attachment {
                name: "truth.svg".into(),
                text: plot::distances(self)?,
            },
            Attachment {
                name: "reading.svg".into(),
                text: plot::readings(self)?,
            },
        ];
        for case in &self.smallest {
            if let Some(accesses) = &case.accesses {
                files.push(Attachment {
                    name: case.file(),
                    text: smallest::stream(accesses, case.ways)?.csv(),
                });
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a culprit may be one of several who cost the same; a share that is changed must
    //! change who is nearer, or the comparison compares nothing.
    use super::*;
    use cotenant_golden::ParamError;

    fn row(shares: &[f64]) -> Row {
        Some(shares.to_vec())
    }

    #[test]
    fn culprits() {
        let truth = row(&[0.5, 0.5, 0.0]);
        assert_eq!(culprit(&row(&[0.2, 0.7, 0.1]), &truth), Some(true));
        assert_eq!(culprit(&row(&[0.2, 0.3, 0.5]), &truth), Some(false));
        assert_eq!(culprit(&row(&[0.4, 0.2, 0.4]), &truth), Some(true));
        assert_eq!(culprit(&None, &truth), None);
        assert_eq!(culprit(&truth, &None), None);
    }

    /// One co-runner costs three of four extra misses.
    fn outcome(share_gdc: Row, share_plob: Row) -> Outcome {
        let misses = |present: u64| Ok::<_, ParamError>((present >> 1 & 1) * 3 + (present >> 2));
        let coalitions = Coalitions::of(3, 0, misses).unwrap();
        Outcome {
            workload: workloads(0).remove(0),
            accesses: 10,
            streams: Truth::new(coalitions, &share_gdc, &share_plob),
            timed: None,
            share_gdc,
            share_plob,
        }
    }

    #[test]
    fn who_is_nearer_follows_the_shares() {
        let exact = row(&[0.75, 0.25]);
        let wrong = row(&[0.0, 1.0]);
        let nearer = |outcomes: &[Outcome]| Nearer::of(outcomes, |outcome| Some(&outcome.streams));
        let gdc = nearer(&[outcome(exact.clone(), wrong.clone())]);
        assert_eq!(
            (gdc.gdc, gdc.plob, gdc.culprit_gdc, gdc.culprit_plob),
            (1, 0, 1, 0)
        );
        assert_eq!(
            (gdc.mean_gdc, gdc.mean_plob),
            (Some(0.0), Some(1.125f64.sqrt()))
        );
        let plob = nearer(&[outcome(wrong.clone(), exact.clone()), outcome(exact, None)]);
        assert_eq!((plob.gdc, plob.plob, plob.workloads), (0, 1, 1));
        assert_eq!(plob.lead, gdc.lead.map(|lead| -lead));
        assert_eq!(nearer(&[]).lead, None);
    }
}
