//! Rows and lines of the tables.

use serde::Serialize;

use super::application::App;
use super::paper::{self, Reported};
use super::partition::Technique;
use super::SharingConfig;

/// An application in a configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharingRow {
    /// The GPU, by its memory.
    pub gpu: String,
    /// Its parts.
    pub parts: u64,
    /// How it is divided.
    pub technique: Technique,
    /// The application.
    pub application: App,
    /// Cycles on the whole GPU.
    pub whole: u64,
    /// Cycles on its part beside idle ones.
    pub idle: u64,
    /// The same as a multiple of parts x `whole`.
    pub normalised: f64,
    /// Beside each interferer: cycles, and the same as a multiple of parts x `whole`.
    pub beside: Vec<(App, u64, f64)>,
    /// The variation in per cent.
    pub variation: f64,
}

/// A configuration: a line of table III or IV.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharingSummary {
    /// The GPU, by its memory.
    pub gpu: String,
    /// Its parts.
    pub parts: u64,
    /// How it is divided.
    pub technique: Technique,
    /// The applications.
    pub applications: Vec<App>,
    /// Average of the applications' variations in per cent.
    pub average: f64,
    /// The highest of them.
    pub max: f64,
    /// What the paper reports.
    pub paper: Option<Reported>,
}

/// The results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sharing {
    /// By configuration and application.
    pub rows: Vec<SharingRow>,
    /// By configuration.
    pub summaries: Vec<SharingSummary>,
}

/// Rows and summaries from the cycles of all runs, in the order of the jobs.
pub(super) fn table(config: &SharingConfig, cycles: &[u64]) -> Sharing {
    let per_app = config.interferers.len() + 2;
    // Without applications that were interrupted.
    let mut runs = cycles.chunks_exact(per_app);
    let mut all = Sharing {
        rows: vec![],
        summaries: vec![],
    };
    for configuration in &config.configurations {
        let (parts, technique) = (configuration.parts, configuration.technique);
        let gpu = &configuration.gpu.memory;
        let first = all.rows.len();
        for (app, runs) in config.applications.iter().zip(runs.by_ref()) {
            let (whole, idle) = (runs[0], runs[1]);
            let normalised = |cycles: u64| cycles as f64 / (parts * whole).max(1) as f64;
            let beside = config.interferers.iter().zip(&runs[2..]);
            let beside = beside.map(|(app, cycles)| (*app, *cycles, normalised(*cycles)));
            let worst = runs[2..].iter().max().copied().unwrap_or(idle);
            all.rows.push(SharingRow {
                gpu: gpu.clone(),
                parts,
                technique,
                application: *app,
                whole,
                idle,
                normalised: normalised(idle),
                beside: beside.collect(),
                variation: (worst as f64 / idle.max(1) as f64 - 1.0) * 100.0,
            });
        }
        let variations = all.rows[first..].iter().map(|row| row.variation);
        let count = all.rows.len() - first;
        if count < config.applications.len() || count == 0 {
            break;
        }
        all.summaries.push(SharingSummary {
            gpu: gpu.clone(),
            parts,
            technique,
            applications: config.applications.clone(),
            average: variations.clone().sum::<f64>() / count as f64,
            max: variations.fold(f64::NEG_INFINITY, f64::max),
            paper: paper::reported(gpu, parts, technique, &config.applications),
        });
    }
    all
}
