//! Applications on parts of a GPU: how much the others change an application's time.
//!
//! Source: Fractional GPUs, sections III-B, V-A and V-B, tables I to IV, figures 9 to 11.
//!
//! | module | holds |
//! | --- | --- |
//! | [`application`] | MM, SN, VA, SP, FWT, CFD and image classification as accesses and compute |
//! | [`partition`] | the GPUs of table II, what a part has of one, pages by colour |
//! | `engine` | blocks, SMs and memory, event by event |
//! | [`launch`] | what persistent blocks cost each launch of a kernel |
//! | `rows` | [`Sharing`]: rows and lines of the tables |
//! | [`paper`] | what the paper reports |
//!
//! Of each application A the time beside idle parts and beside MM, FWT and VA is taken, each on all
//! other parts, and
//!
//! ```text
//! Variation_A = (max(T with MM, T with FWT, T with VA) / T beside idle parts - 1) x 100 %
//! ```
//!
//! T is the time of A's kernels; of image classification the time of all. Normalised times are
//! divided by parts x T on the whole GPU.
//!
//! ASSUMPTION: caches are cold at the beginning, all applications start together, and those on the
//! other parts start again when they end. One run takes the place of the paper's 1000.

pub mod application;
mod engine;
pub mod launch;
pub mod paper;
pub mod partition;
mod rows;

use rayon::prelude::*;

use super::IsolationError;
use crate::addr::mapping::Mapping;
use crate::addr::memory::Config;
use application::App;
use engine::{Engine, Ran, Tenant};
use partition::{Gpu, Part, Technique};
pub use rows::{Sharing, SharingRow, SharingSummary};

/// Runs after which progress is told.
const BATCH: usize = 4;

/// What to run: a table's line.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// The GPU.
    pub gpu: Gpu,
    /// Its memory.
    pub memory: Config,
    /// The mapping of its addresses.
    pub mapping: Mapping,
    /// How it is divided.
    pub technique: Technique,
    /// Into how many parts, 2 to its SMs.
    pub parts: u64,
}

impl Configuration {
    /// A GPU of table II, by the name of its memory, divided.
    ///
    /// # Errors
    /// [`IsolationError::Memory`] if there is no such memory.
    pub fn named(memory: &str, technique: Technique, parts: u64) -> Result<Self, IsolationError> {
        let (gpu, memory) = (Gpu::named(memory), Config::named(memory)?);
        let mapping = memory.named_mapping()?;
        Ok(Self {
            gpu,
            memory,
            mapping,
            technique,
            parts,
        })
    }

    fn check(&self) -> Result<(), IsolationError> {
        let wrong = IsolationError::setting;
        let Gpu {
            sms,
            threads,
            launch_ns,
            ..
        } = self.gpu;
        if !(2..=1024).contains(&sms) {
            return Err(wrong("sms", sms, "2 to 1024"));
        }
        if !(1024..=1 << 16).contains(&threads) {
            return Err(wrong("threads", threads, "1024 to 65536"));
        }
        if launch_ns > 1_000_000 {
            return Err(wrong("launch-ns", launch_ns, "0 to 1000000"));
        }
        if !(2..=sms).contains(&self.parts) {
            let expected = format!("2 to {sms}, the SMs");
            return Err(wrong("parts", self.parts, &expected));
        }
        Ok(())
    }

    /// Cycles of an application on the first part beside another one, if any, on all others.
    fn time(
        &self,
        app: App,
        beside: Option<App>,
        technique: Technique,
        seed: u64,
    ) -> Result<Ran, IsolationError> {
        let parts = match technique {
            Technique::Whole => 1,
            _ => self.parts,
        };
        let apps: Vec<(App, Part)> = (0..parts)
            .filter_map(|number| {
                let part = Part {
                    technique,
                    parts,
                    number,
                };
                let app = if number == 0 { Some(app) } else { beside };
                Some((app?, part))
            })
            .collect();
        let kernels: Vec<_> = apps.iter().map(|(app, _)| app.kernels()).collect();
        let claims: Vec<_> = apps
            .iter()
            .zip(&kernels)
            .map(|(it, kernels)| (it.1, &kernels[..]))
            .collect();
        let pages = partition::pages(&self.mapping, &claims)?;
        let tenant = |((number, (app, part)), pages): ((usize, &(App, Part)), _)| {
            Tenant::new(
                app.kernels(),
                *part,
                pages,
                seed.wrapping_add(number as u64),
            )
            .with_total_time(app.total_time())
        };
        let tenants = apps.iter().enumerate().zip(pages).map(tenant).collect();
        Ok(Engine::new(&self.gpu, &self.memory, &self.mapping, tenants)?.run())
    }
}

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct SharingConfig {
    /// Draws irregular addresses.
    pub seed: u64,
    /// The lines of the tables.
    pub configurations: Vec<Configuration>,
    /// The applications of which the time is taken.
    pub applications: Vec<App>,
    /// Those on the other parts.
    pub interferers: Vec<App>,
}

impl SharingConfig {
    /// Tables III and IV: `gtx1080` in two parts, `v100` in two and four.
    ///
    /// # Errors
    /// [`IsolationError::Memory`] if one of them cannot be read.
    pub fn tables() -> Result<Self, IsolationError> {
        use Technique::{Cmp, Cp, Mps};
        let mut configurations = vec![];
        for technique in [Cp, Cmp] {
            configurations.push(Configuration::named("gtx1080", technique, 2)?);
        }
        for parts in [2, 4] {
            for technique in [Mps, Cp, Cmp] {
                configurations.push(Configuration::named("v100", technique, parts)?);
            }
        }
        Ok(Self {
            seed: 1,
            configurations,
            applications: App::TABLE_1.to_vec(),
            interferers: vec![App::Mm, App::Fwt, App::Va],
        })
    }

    /// Figure 10: image classification on `gtx1080`, also beside itself.
    ///
    /// # Errors
    /// As [`tables`](Self::tables).
    pub fn image_classification() -> Result<Self, IsolationError> {
        let mut config = Self::tables()?;
        config.configurations.truncate(2);
        config.applications = vec![App::Ic];
        config.interferers.push(App::Ic);
        Ok(config)
    }
}

impl SharingConfig {
    /// How many runs that takes: each application on the whole GPU, beside idle parts, and beside each
    /// interferer.
    pub fn runs(&self) -> usize {
        self.configurations.len() * self.applications.len() * (self.interferers.len() + 2)
    }
}

/// A run: configuration, application, what is beside it.
type Job = (usize, App, Option<App>, Technique);

/// Measures each application in each configuration. `progress` is told how many runs of how many
/// are done, and returns whether to go on; if not, there are the rows and summaries that are complete.
/// Runs are divided among the threads of rayon's pool; the result does not depend on it.
///
/// # Errors
/// [`IsolationError`] for numbers out of range, or a mapping with too few colours.
pub fn sharing(
    config: &SharingConfig,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Sharing, IsolationError> {
    if config.interferers.is_empty() {
        return Err(IsolationError::setting("interferers", 0, "one or more"));
    }
    let mut jobs: Vec<Job> = vec![];
    for (number, configuration) in config.configurations.iter().enumerate() {
        configuration.check()?;
        for app in &config.applications {
            jobs.push((number, *app, None, Technique::Whole));
            let others = config.interferers.iter().map(|it| Some(*it));
            for beside in [None].into_iter().chain(others) {
                jobs.push((number, *app, beside, configuration.technique));
            }
        }
    }
    let mut cycles = vec![];
    let mut goes_on = progress(0, jobs.len() as u64);
    for batch in jobs.chunks(BATCH) {
        if !goes_on {
            break;
        }
        let run = |(number, app, beside, technique): &Job| {
            let configuration = &config.configurations[*number];
            configuration.time(*app, *beside, *technique, config.seed)
        };
        let ran: Result<Vec<Ran>, _> = batch.par_iter().map(run).collect();
        cycles.extend(ran?.into_iter().map(|it| it.cycles));
        goes_on = progress(cycles.len() as u64, jobs.len() as u64);
    }
    Ok(rows::table(config, &cycles))
}

#[cfg(test)]
mod tests;
