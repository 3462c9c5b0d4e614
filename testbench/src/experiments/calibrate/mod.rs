//! `calibrate`: what the paper on QBMI and DMIL (Dai et al., HPCA 2018) leaves open of its machine
//! and kernels, fitted on single kernels alone.
//!
//! All runs of [`free`] decide; then each kernel runs again in a longer window, and bp and sv with fewer
//! thread blocks, and stand beside the paper's numbers. The result is a preset, `maxwell-fit.toml`. No
//! pair of kernels is run.

mod text;

use cotenant_golden::calibration::compare::{self, Row, Sentence};
use cotenant_golden::calibration::fit::{self, Fit, Line};
use cotenant_golden::calibration::free::{self, Trial};
use cotenant_golden::calibration::solo::{Solo, Window};
use cotenant_golden::gpu::config::Config;
use cotenant_golden::presets::Preset;
use cotenant_golden::workload::program::table2::Benchmark;
use serde::{Deserialize, Serialize};

use super::runs::{Asked, Kept, Runs, Subject};
use super::{Attachment, Error, Setting};

/// A run that was done, as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// How long it was.
    pub window: Window,
    /// What was run.
    pub trial: Trial,
    /// What came of it.
    pub solo: Solo,
}

/// What was measured, and the paper beside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// What was measured.
    #[serde(flatten)]
    pub from: Measured,
    /// The paper's numbers and ours.
    pub rows: Vec<Row>,
    /// The paper's sentences and ours.
    pub sentences: Vec<Sentence>,
}

/// What decides the results.
#[derive(Debug, Serialize)]
struct Parameters {
    windows: [Window; 2],
    /// What the open numbers are put into.
    machine: Config,
}

/// What a run of the experiment has measured, from which its report follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The seed that draws indices that are data.
    pub seed: u64,
    /// Window of the runs that decide.
    pub window: Window,
    /// Window of the runs that are compared.
    pub compared: Window,
    /// Whether all runs came to their end.
    pub complete: bool,
    /// Runs that decide and that were done.
    pub runs: usize,
    /// The choice; none unless all runs that it rests on were done.
    pub fit: Option<Fit>,
    /// The runs that are compared, and what came of them.
    pub measured: Vec<(Trial, Solo)>,
}

impl Kept for Record {
    fn run(&self) -> String {
        name(&self.trial, self.window)
    }
}

fn name(trial: &Trial, window: Window) -> String {
    serde_json::to_string(&(trial, window)).expect("numbers and strings")
}

/// Fits, then compares.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let window = match setting.cycles {
        None => fit::WINDOW,
        Some(cycles) => Window {
            warm_up: cycles,
            measured: cycles.max(1),
        },
    };
    let compared = match setting.cycles {
        None => compare::WINDOW,
        Some(_) => window,
    };
    let parameters = Parameters {
        windows: [window, compared],
        machine: Preset::named("maxwell")?.machine,
    };
    let subject = Subject::new("calibrate", setting.seed, parameters);
    let trials = free::trials(&free::all());
    let runs = Runs::open(setting, &subject, &trials)?;
    let run = |trials: &[Trial], window: Window| -> Result<Vec<Option<Solo>>, Error> {
        let records = runs.all(
            Asked::OfThePart,
            trials,
            |trial| name(trial, window),
            |_| 1,
            |trial| {
                let solo = trial.run(setting.seed, window)?;
                setting.watch.advance(1);
                Ok(Some(Record {
                    window,
                    trial: trial.clone(),
                    solo,
                }))
            },
        )?;
        let solos = records.into_iter().map(|record| Some(record?.solo));
        Ok(solos.collect())
    };
    let solos = run(&trials, window)?;
    let lines: Vec<Line> = trials
        .into_iter()
        .zip(solos)
        .filter_map(|(trial, solo)| Some(Line { trial, solo: solo? }))
        .collect();
    let fit = Fit::choose(&lines, setting.seed, window);
    let mut measured = vec![];
    let mut complete = fit.is_some();
    if let Some(fit) = &fit {
        let trials = compare::trials(fit.open, &fit.fitted);
        let solos = run(&trials, compared)?;
        complete = solos.iter().all(Option::is_some);
        let done = trials.into_iter().zip(solos);
        measured = done
            .filter_map(|(trial, solo)| Some((trial, solo?)))
            .collect();
    }
    Report::of(Measured {
        seed: setting.seed,
        window,
        compared,
        complete,
        runs: lines.len(),
        fit,
        measured,
    })
}

impl Report {
    /// What was measured, beside the paper.
    ///
    /// # Errors
    /// [`Error::Machine`] for runs on a machine that cannot be.
    pub fn of(from: Measured) -> Result<Self, Error> {
        let mut rows = vec![];
        let compared = from.measured.iter();
        for (trial, solo) in compared.filter(|(trial, _)| trial.blocks.is_none()) {
            if let Some(benchmark) = Benchmark::named(&trial.kernel) {
                rows.extend(compare::rows(benchmark, trial, solo)?);
            }
        }
        let sentences = match from.complete {
            true => compare::sentences(&from.measured),
            false => vec![],
        };
        Ok(Self {
            schema: 1,
            experiment: "calibrate",
            from,
            rows,
            sentences,
        })
    }
}

impl Report {
    /// The preset.
    ///
    /// # Errors
    /// None; as those of other experiments.
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let preset = self.from.fit.iter().map(|fit| Attachment {
            name: format!("{}.toml", fit::NAME),
            text: fit.text(),
        });
        Ok(preset.collect())
    }
}

#[cfg(test)]
mod tests;
