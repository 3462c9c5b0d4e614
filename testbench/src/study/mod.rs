//! Experiments with the golden models whose outcome is a page of numbers.
//!
//! | figure | what it measures |
//! |---|---|
//! | [`milg_width`] | limits of the paper's kernels by the width of the MILG's failure counter |
//!
//! The same seed gives the same bytes on every machine.

pub mod kernel;
pub mod milg_width;
pub mod small_sm;

use cotenant_golden::ParamError;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An experiment that can be asked for by name.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// What it measures, in a line.
    pub summary: &'static str,
    /// Runs it with a seed.
    #[serde(skip)]
    pub run: fn(u64) -> Result<Report, ParamError>,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Of [`milg_width`].
    MilgWidth(milg_width::Report),
}

impl Report {
    /// As Markdown.
    pub fn text(&self) -> String {
        match self {
            Self::MilgWidth(report) => report.text(),
        }
    }
}

/// All experiments.
pub const FIGURES: &[Figure] = &[Figure {
    name: "milg-width",
    summary: "limits of ks, sv and ax by the width of the failure counter, and RELEASE and CAP",
    run: |seed| milg_width::run(seed).map(Report::MilgWidth),
}];

/// No experiment has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no figure '{name}', expected one of:\n{}", list())]
pub struct NoSuchFigure {
    /// The name.
    pub name: String,
}

/// Names and summaries, one a line.
pub fn list() -> String {
    let line = |figure: &Figure| format!("  {:12} {}\n", figure.name, figure.summary);
    FIGURES.iter().map(line).collect()
}

/// The experiment of a name.
///
/// # Errors
/// [`NoSuchFigure`] with those that there are.
pub fn figure(name: &str) -> Result<&'static Figure, NoSuchFigure> {
    let found = FIGURES.iter().find(|figure| figure.name == name);
    found.ok_or_else(|| NoSuchFigure { name: name.into() })
}

/// What `run` gives for each of the `runs`, in their order, computed on all cores.
fn on_all_cores<T: Sync, R: Send>(runs: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(of) = runs.get(index) else { break };
            done.push((index, run(of)));
        }
        done
    };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<(usize, R)>>| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
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
        assert_eq!(figure("milg-width").unwrap().name, "milg-width");
        let error = figure("milg").unwrap_err().to_string();
        assert!(error.starts_with("there is no figure 'milg', expected one of:\n  milg-width"));
    }
}
