//! `sm-pairs`, `sm-triples`, `sm-blocks`, `sm-credits`, `sm-limits`, `sm-releases`: two and three kernels of table
//! 2 on the GPU of Dai et al. (HPCA 2018) under the schemes that the paper compares, its numbers beside ours.
//!
//! Machine and kernels are those of preset `maxwell-fit`, which is fitted on single kernels alone; nothing
//! is fitted on kernels that run together. IPC alone is measured on the same machine, in a window of the
//! same length. A kernel that ends starts again.
//!
//! Fixed before the first run: the window ([`CYCLES`], after a tenth more), geometric means of weighted
//! speedup and ANTT, intervals by resampling the workloads ([`statistics`]), and that a scheme is compared
//! with another one in the same workloads. Whether that warm-up is long enough is printed.
//!
//! [`statistics`]: super::statistics

mod evaluate;
mod paper;
mod plot;
mod squares;
mod steady;
mod text;

pub mod plan;
pub mod runs;

use cotenant_golden::presets::Preset;
use cotenant_golden::schemes::run::Window;
use serde::Serialize;

use super::runs::Subject;
use super::statement::Statement;
use super::{Attachment, Error, Setting};
use plan::Plan;
use runs::{Line, Runs};

pub use evaluate::{Gain, Group, Promised, Spot};
pub use paper::Number;
pub use steady::{Steady, WarmUp};

/// Cycles that are measured (section 2.3).
pub const CYCLES: u64 = 2_000_000;

/// The same of `sm-limits`. ASSUMPTION: a tenth, as there are 1875 runs.
pub const LIMIT_CYCLES: u64 = CYCLES / 10;

/// The same of `sm-blocks`. ASSUMPTION: half, as there are hundreds of runs; in windows of a tenth of
/// [`LIMIT_CYCLES`], sv's curve has its peak at another number of blocks.
pub const BLOCK_CYCLES: u64 = CYCLES / 2;

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that drew the order of the workloads, and indices that are data.
    pub seed: u64,
    /// The window of a run.
    pub window: Window,
    /// Hash of the preset's fitted numbers.
    pub preset: String,
    /// Whether all workloads that were asked for came to their end.
    pub complete: bool,
    /// Workloads that came to their end under all schemes, of how many there are.
    pub workloads: [usize; 2],
    /// How much speed differs in time.
    pub steady: Vec<Steady>,
    /// What a longer warm-up would change.
    pub warm_ups: Vec<WarmUp>,
    /// By machine, type of workload and scheme.
    pub groups: Vec<Group>,
    /// A scheme over another one.
    pub gains: Vec<Gain>,
    /// Pairs by their thread blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spots: Vec<Spot>,
    /// The paper's numbers and ours.
    pub numbers: Vec<Number>,
    /// The paper's sentences and ours.
    pub statements: Vec<Statement>,
    /// What was counted.
    pub runs: Vec<Line>,
}

/// What decides the results of a plan.
#[derive(Debug, Serialize)]
struct Parameters {
    cycles: u64,
    preset: Preset,
}

/// All pairs under all schemes.
///
/// # Errors
/// [`Error`].
pub fn pairs(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::pairs(setting.seed), CYCLES, setting)
}

/// All sets of three kernels.
///
/// # Errors
/// [`Error`].
pub fn triples(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::triples(setting.seed), CYCLES, setting)
}

/// All static limits of three pairs.
///
/// # Errors
/// [`Error`].
pub fn limits(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::limits(), LIMIT_CYCLES, setting)
}

/// All thread blocks of the pairs that the paper looks at one by one.
///
/// # Errors
/// [`Error`].
pub fn blocks(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::blocks()?, BLOCK_CYCLES, setting)
}

/// DMIL by what an interval with less than one failure per request does.
///
/// # Errors
/// [`Error`].
pub fn releases(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::releases(), CYCLES, setting)
}

/// QBMI by whether credit is capped.
///
/// # Errors
/// [`Error`].
pub fn credits(setting: &Setting<'_>) -> Result<Report, Error> {
    run(&plan::credits(setting.seed), CYCLES, setting)
}

/// Runs the first [`Setting::workloads`] of a plan, and reports on all that are known.
///
/// # Errors
/// [`Error`].
pub fn run(plan: &Plan, cycles: u64, setting: &Setting<'_>) -> Result<Report, Error> {
    let cycles = setting.cycles.unwrap_or(cycles).max(100);
    let preset = Preset::named(cotenant_golden::calibration::fit::NAME)?;
    let parameters = Parameters {
        cycles,
        preset: preset.clone(),
    };
    let subject = Subject::new(plan.experiment, setting.seed, parameters);
    let runs = Runs::open(plan, setting, cycles, &subject)?;
    let all = plan.workloads.len();
    let count = setting
        .workloads
        .map_or(all, |count| all.min(count as usize));
    let asked = &plan.workloads[..count];
    let known = runs.run(plan, asked)?;
    let evaluation = evaluate::Evaluation::of(plan, &known, cycles);
    let complete = asked.iter().all(|asked| evaluation.complete(asked));
    Ok(Report {
        schema: 1,
        experiment: plan.experiment,
        seed: setting.seed,
        window: runs::window(cycles),
        preset: preset.fitted.map(|fitted| fitted.hash).unwrap_or_default(),
        complete,
        workloads: [evaluation.workloads.len(), all],
        steady: evaluation.steady(),
        warm_ups: evaluation.warm_ups(),
        groups: evaluation.groups(),
        gains: evaluation.gains(),
        spots: evaluation.spots(),
        numbers: paper::numbers(&evaluation),
        statements: paper::statements(&evaluation),
        runs: evaluation.lines(),
    })
}

impl Report {
    /// The pictures.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let picture = match self.experiment {
            "sm-blocks" => squares::blocks(self)?,
            "sm-limits" => squares::limits(self)?,
            _ => plot::groups(self)?,
        };
        Ok(vec![Attachment {
            name: format!("{}.svg", self.experiment),
            text: picture,
        }])
    }
}

#[cfg(test)]
mod tests;
