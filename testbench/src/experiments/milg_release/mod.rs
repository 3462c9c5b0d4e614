//! `milg-release`: which rule for an interval with less than one failure per request brings the miss
//! rate of ks nearest to the paper's under DMIL (Dai et al., HPCA 2018, section 3.4, figure 11(b)).
//!
//! The pairs of [`PAIRS`](super::sm_loop::PAIRS) with ks run on the machine and with the kernels
//! that were fitted on single kernels ([`calibrate`](super::calibrate)), with the golden `mem_issue`
//! in all SMs: QBMI without limits, then DMIL by each [`Release`]. All is counted as in the fit.
//!
//! Fixed before the first run: [`SEEDS`], [`WINDOW`], [`PAPER`], and that the nearest rule is the one
//! with the least mean distance from the paper's miss rate over pairs and seeds, nearer than another
//! one only where interval and corrected sign test of [`statistics`](super::statistics) both say so.

mod text;

use std::sync::{Arc, Mutex};

use cotenant_golden::calibration::fit::NAME;
use cotenant_golden::calibration::free;
use cotenant_golden::calibration::solo::{measure, Solo, Window};
use cotenant_golden::gpu::machine::{Launch, Machine, MachineError};
use cotenant_golden::presets::Preset;
use cotenant_golden::sm::mem_issue::{Limiter, MemIssue, Params, Priority};
use cotenant_golden::sm::milg::Release;
use cotenant_golden::workload::program::suites::kernel;
use cotenant_golden::workload::program::table2::Benchmark;
use cotenant_golden::Model;
use serde::{Deserialize, Serialize};

use super::sm_loop::{Pair, PAIRS};
use super::statistics::{all_pairs, compare, Compared};
use super::{on_all_cores, Error, Setting};
use crate::whole::Journal;

/// How many seeds. A seed draws indices that are data; with the n-th the second kernel starts
/// [`LATER`] * n cycles after the first one.
pub const SEEDS: u64 = 5;

/// Cycles between the starts of the second kernel.
pub const LATER: u64 = 2000;

/// What is counted of a run.
pub const WINDOW: Window = Window {
    warm_up: 100_000,
    measured: 200_000,
};

/// The miss rate of ks under WS-DMIL, in both pairs.
pub const PAPER: f64 = 0.52;

/// The same under WS-QBMI, by pair.
const PAPER_QBMI: [(&str, f64); 2] = [("bp+ks", 0.88), ("sv+ks", 0.98)];

/// Addresses of a kernel, a multiple of which is its first.
const RANGE: u64 = 1 << 40;

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The pair: `bp+ks`.
    pub pair: String,
    /// How limits are released under DMIL; null: QBMI without limits.
    pub release: Option<Release>,
    /// The number of its seed.
    pub seed: u64,
    /// What the kernels did; ks is the second.
    pub kernels: [Solo; 2],
    /// How much the window's halves differ, of the kernel of which they do more.
    pub drift: f64,
}

/// What the lines of a journal are about.
#[derive(Debug, Serialize)]
struct Subject {
    experiment: &'static str,
    version: &'static str,
    seed: u64,
    window: Window,
    preset: Preset,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The first seed.
    pub seed: u64,
    /// Of each run.
    pub window: Window,
    /// Whether all runs were done.
    pub complete: bool,
    /// Those that were.
    pub runs: Vec<Run>,
}

/// The results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// What was measured.
    #[serde(flatten)]
    pub from: Measured,
    /// Distances of ks's miss rate from the paper's, by [`Release`] in the order of their codes;
    /// null unless all runs were done.
    pub compared: Option<Compared>,
}

/// The pairs with ks.
fn pairs() -> impl Iterator<Item = Pair> {
    PAIRS.into_iter().filter(|pair| pair.kernels[1] == "ks")
}

/// QBMI, then DMIL by each release.
fn schemes() -> impl Iterator<Item = Option<Release>> {
    std::iter::once(None).chain(Release::ALL.map(Some))
}

/// Does a run.
///
/// # Errors
/// [`Error`] for a pair that there is not or a machine that cannot be.
pub fn simulate(
    name: &str,
    release: Option<Release>,
    (first, number): (u64, u64),
    window: Window,
) -> Result<Run, Error> {
    let unknown = || free::Error::Kernel(name.into());
    let pair = pairs()
        .find(|pair| pair.name() == name)
        .ok_or_else(unknown)?;
    let preset = Preset::named(NAME)?;
    let fitted = preset.fitted.as_ref().ok_or_else(unknown)?;
    let launch = |at: usize| {
        let benchmark = Benchmark::named(pair.kernels[at]).ok_or_else(unknown)?;
        let numbers = fitted.numbers(benchmark).ok_or_else(unknown)?;
        let seed = first.wrapping_add(number);
        let program = kernel(benchmark, numbers, seed, at as u64 * RANGE);
        Ok::<_, Error>(Launch {
            program: Arc::new(program.map_err(MachineError::from)?),
            kernel: at as u8,
            sms: u64::MAX,
            blocks_per_sm: Some(pair.blocks[at]),
            start: at as u64 * LATER * number,
            restart: true,
        })
    };
    let launches = vec![launch(0)?, launch(1)?];
    let mut machine = Machine::new(&preset.machine, preset.llc, launches)?;
    let paper = Params::paper(2);
    let params = match release {
        None => Params {
            limiter: Limiter::Smil,
            ..paper
        },
        Some(release) => Params {
            priority: Priority::Rbmi,
            release,
            ..paper
        },
    };
    let sms = preset.machine.sm.count;
    for sm in 0..sms {
        machine.with_issue_control(sm, Box::new(MemIssue::new(params.clone())?))?;
    }
    let [(first, one), (second, other)] = measure(&mut machine, [0, 1], sms, window);
    machine.check()?;
    Ok(Run {
        pair: name.into(),
        release,
        seed: number,
        kernels: [first, second],
        drift: one.max(other),
    })
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let window = setting.cycles.map_or(WINDOW, |cycles| Window {
        warm_up: cycles,
        measured: cycles.max(1),
    });
    let seeds = || (0..SEEDS).flat_map(|seed| schemes().map(move |scheme| (scheme, seed)));
    let runs = pairs().flat_map(|pair| seeds().map(move |(scheme, seed)| (pair, scheme, seed)));
    let runs: Vec<_> = runs.collect();
    let subject = Subject {
        experiment: "milg-release",
        version: env!("CARGO_PKG_VERSION"),
        seed: setting.seed,
        window,
        preset: Preset::named(NAME)?,
    };
    let opened = setting.journal.map(|path| Journal::open(path, &subject));
    let (journal, known): (Option<Journal>, Vec<Run>) = match opened.transpose()? {
        Some((journal, known)) => (Some(journal), known),
        None => (None, vec![]),
    };
    let journal = journal.map(Mutex::new);
    setting.watch.expect((runs.len() - known.len()) as u64);
    let done = on_all_cores(&runs, |&(pair, release, seed)| {
        let name = pair.name();
        let same = |run: &&Run| (&run.pair, run.release, run.seed) == (&name, release, seed);
        if let Some(run) = known.iter().find(same) {
            return Ok(Some(run.clone()));
        }
        if !setting.watch.advance(0) {
            return Ok(None);
        }
        let run = simulate(&name, release, (setting.seed, seed), window)?;
        if let Some(journal) = &journal {
            let mut journal = journal.lock().expect("nobody fails while adding");
            journal.add(&run)?;
        }
        setting.watch.advance(1);
        Ok(Some(run))
    });
    let done = done.into_iter().collect::<Result<Vec<_>, Error>>()?;
    Ok(Report::of(Measured {
        seed: setting.seed,
        window,
        complete: done.iter().all(Option::is_some),
        runs: done.into_iter().flatten().collect(),
    }))
}

impl Measured {
    /// The runs of a pair under a scheme.
    fn runs<'a>(
        &'a self,
        pair: &'a str,
        release: Option<Release>,
    ) -> impl Iterator<Item = &'a Run> + Clone {
        let is = move |run: &&Run| run.pair == pair && run.release == release;
        self.runs.iter().filter(is)
    }

    /// By pair and seed, the distance of each release.
    fn distances(&self) -> Vec<Vec<f64>> {
        let rows = pairs().flat_map(|pair| {
            let name = pair.name();
            let of = |release| self.runs(&name, Some(release)).map(distance).collect();
            let columns: [Vec<f64>; 4] = Release::ALL.map(of);
            let row = move |seed| columns.iter().map(|column| column[seed]).collect();
            (0..SEEDS as usize).map(row).collect::<Vec<Vec<f64>>>()
        });
        rows.collect()
    }
}

/// From the paper's miss rate.
fn distance(run: &Run) -> f64 {
    (run.kernels[1].miss_rate - PAPER).abs()
}

impl Report {
    /// What was measured, and what follows.
    pub fn of(from: Measured) -> Self {
        let compared = from.complete.then(|| {
            let methods: Vec<[usize; 2]> = all_pairs(Release::ALL.len()).collect();
            compare(&from.distances(), &methods)
        });
        Self {
            schema: 1,
            experiment: "milg-release",
            compared: compared.flatten(),
            from,
        }
    }
}

#[cfg(test)]
mod tests;
