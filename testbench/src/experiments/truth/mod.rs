//! `truth`: how far each way of attributing misses is from what each co-runner really costs.
//!
//! Of random workloads as in [`gdc4`](super::gdc4), [`SEEDS`] times 32 of them, the misses of the
//! kernel under analysis (KUA) are measured beside every coalition of its co-runners:
//!
//! - *streams*: the accesses of the run of all kernels, in their order, with those of some kernels
//!   left out. It is what the monitors could know at best: they see one run. Exact attribution of
//!   all sets must come to the same, access by access.
//! - *timed*: the kernels run again, without the others; then no kernel waits for them, and all
//!   accesses move. It is what a user asks about. ASSUMPTION: until the KUA has made as many
//!   accesses as in the run of all, so that it does the same work.
//!
//! A co-runner's part of the extra misses is its Shapley value
//! ([`Shapley`](cotenant_golden::metrics::Shapley)). Each [`Method`] gives shares, and its distance
//! from the truth is that of the GDC paper's figure 4 ([`wbd`](cotenant_golden::metrics::wbd)).
//!
//! What decides the outcome was fixed before the first run over several seeds:
//!
//! - The [`FLOOR`] of extra misses below which a workload is not judged.
//! - A method that has counted nothing says nothing about the co-runners, and is judged as equal
//!   shares; so all methods are compared in the same workloads.
//! - The seeds ([`seeds`]), the resamples and the level
//!   ([`statistics`](crate::experiments::statistics)), and the rule of the hybrid
//!   ([`hybrid`](cotenant_golden::llc::exact::hybrid)), whose period is the whole run.
//!
//! The sampled shares are those of the golden model, which has no period and loses no access;
//! beside them stand those that the netlist of `attribution` counts, in lockstep with its golden
//! model ([`hardware`]). Of each single access of the KUA is checked that exact attribution
//! divides it as the coalitions say ([`Lines`]).

pub mod hardware;
mod judge;
mod lines;
mod measure;
mod method;
mod plot;
pub mod reading;
pub mod record;
pub mod sampling;
pub mod smallest;

mod text;

use cotenant_golden::workload::random::{workloads, Workload, ACCESSES};
use serde::Serialize;

use super::runs::{Asked, Runs, Subject};
use super::{Attachment, Error, Setting};
pub use hardware::Beside;
pub use judge::{By, Contention, Distances, Hardware, Judgement, Outcome, Rank, Standing, Truth};
pub use lines::{Game, Lines};
use measure::STEPS;
pub use measure::{measure, Measured};
pub use method::{Method, Over, Rows, HARDWARE, METHODS};
use record::{name, Kept, Line, Parameters};
pub use sampling::Sampling;

/// Seeds, of 32 workloads each.
pub const SEEDS: u64 = 8;
/// Extra misses of the KUA below which a workload is not judged. Shares estimated from `n` misses
/// drawn at random are off by a distance whose square is `(1 - sum of squared shares) / n` on the
/// mean, at most `2 / 3 / n` for three co-runners: with 741 misses below 0.03, the smallest
/// distance in the paper's figure 4.
pub const FLOOR: i64 = 741;
/// Mean distance that the hybrid of 16 sets is to have at most, with the kernels run again.
pub const AIM: f64 = 0.05;

/// The seeds of a run, which begin with the one that is given. Workloads take the numbers that
/// follow a seed for their own draws.
pub fn seeds(seed: u64) -> impl Iterator<Item = u64> {
    (0..SEEDS).map(move |number| seed.wrapping_add(0x100 * number))
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seeds that drew the workloads.
    pub seeds: Vec<u64>,
    /// Accesses to the L2 after which a workload ends.
    pub accesses: u64,
    /// Whether all workloads came to their end.
    pub complete: bool,
    /// Of the netlists that ran beside.
    pub netlists: String,
    /// SHA-256 of `truth.jsonl`, what was counted in each workload.
    pub record: String,
    /// That file.
    #[serde(skip)]
    lines: String,
    /// What came of all workloads.
    #[serde(flatten)]
    pub standing: Standing,
    /// The workloads that came to their end, in their order.
    pub workloads: Vec<Outcome>,
    /// What software learns by read period and counter width.
    pub periods: Vec<reading::Period>,
    /// The shortest streams that show a monitor wrong.
    pub smallest: Vec<smallest::Smallest>,
}

/// Runs all of it; with a [journal](Setting::journal) what is not in it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let drawn = drawn(setting.seed);
    let accesses = setting.accesses.unwrap_or(ACCESSES).max(1);
    let netlists = match drawn.first() {
        Some((_, workload)) => hardware::digest(&workload.scenario()?.geometry)?,
        None => String::new(),
    };
    let parameters = Parameters {
        accesses,
        netlists: &netlists,
    };
    let subject = Subject::new("truth", setting.seed, parameters);
    let list: Vec<(String, String)> = drawn
        .iter()
        .map(|(by, workload)| (name(*by, workload), workload.toml()))
        .collect();
    let runs = Runs::open(setting, &subject, &list)?;
    let named = |(by, workload): &(u64, Workload)| name(*by, workload);
    let steps = |_: &(u64, Workload)| STEPS * accesses;
    let measured = runs.all(Asked::OfThePart, &drawn, named, steps, |(by, workload)| {
        let measured = measure(workload, accesses, setting.engine, setting.watch)?;
        Ok(measured.map(|(measured, recorder)| Kept {
            line: Line::new(*by, workload, &netlists, measured),
            readings: recorder.readings(),
        }))
    })?;
    let complete = measured.iter().all(Option::is_some);
    let done = drawn.iter().zip(measured);
    let done = done.filter_map(|((by, workload), kept)| Some((*by, workload, kept?)));
    let (mut workloads, mut readings, mut record) = (vec![], vec![], String::new());
    for (by, workload, kept) in done {
        record += &kept.line.text();
        readings.push(kept.readings);
        workloads.push(Outcome::new(by, workload, kept.line.measured));
    }
    Ok(Report {
        schema: 3,
        experiment: "truth",
        seeds: seeds(setting.seed).collect(),
        accesses,
        complete,
        netlists,
        record: record::digest(&record),
        lines: record,
        standing: Standing::of(&workloads),
        periods: reading::periods(&readings),
        smallest: smallest::smallest(smallest::LONGEST)?,
        workloads,
    })
}

/// The workloads of all seeds that follow from one, each with the seed that drew it.
pub fn drawn(seed: u64) -> Vec<(u64, Workload)> {
    let of = |seed: u64| workloads(seed).into_iter().map(move |drawn| (seed, drawn));
    seeds(seed).flat_map(of).collect()
}

impl Report {
    /// The first difference between netlist and golden model, with its workload.
    pub fn mismatch(&self) -> Option<String> {
        self.workloads.iter().find_map(|outcome| {
            let mut beside = outcome.measured.hardware.iter();
            beside.find_map(|(sampling, beside)| {
                let mismatch = beside.mismatch.as_ref()?;
                let name = name(outcome.drawn_by, &outcome.workload);
                Some(format!("{name}: attribution of {sampling}: {mismatch}"))
            })
        })
    }

    /// The pictures, all workloads, and the shortest streams as traces for `cotenant replay`.
    ///
    /// # Errors
    /// [`Error`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let file = |name: &str, text| Attachment {
            name: name.into(),
            text,
        };
        let mut files = vec![
            file("truth.svg", self.standing.forest()?),
            file("reading.svg", plot::readings(self)?),
            file("workloads.md", self.workloads_text()),
            file("truth.jsonl", self.lines.clone()),
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
