//! What runs: a GPU's scenario, or one of CPUs and a GPU.

use cotenant_golden::gpu::{Gpu, Machine, Reached};
use cotenant_golden::hetero::{Mix, Observed};
use cotenant_golden::llc::cache::{Counts, Geometry};
use cotenant_golden::workload::scenario::{Paper, Scenario};

use super::report::{KernelReport, Platform};
use super::Error;

/// A scenario.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// Kernels on a GPU.
    Gpu(&'a Scenario),
    /// Applications of CPUs and of a GPU.
    Mix(&'a Mix),
}

impl<'a> From<&'a Scenario> for Subject<'a> {
    fn from(scenario: &'a Scenario) -> Self {
        Self::Gpu(scenario)
    }
}

impl<'a> From<&'a Mix> for Subject<'a> {
    fn from(mix: &'a Mix) -> Self {
        Self::Mix(mix)
    }
}

impl<'a> Subject<'a> {
    /// What it is, in a line.
    pub fn title(self) -> &'a str {
        match self {
            Self::Gpu(scenario) => &scenario.title,
            Self::Mix(mix) => &mix.title,
        }
    }

    /// The platform's name.
    pub fn platform(self) -> &'a str {
        match self {
            Self::Gpu(scenario) => &scenario.platform,
            Self::Mix(mix) => &mix.config.name,
        }
    }

    /// The shared cache.
    pub fn geometry(self) -> Geometry {
        match self {
            Self::Gpu(scenario) => scenario.geometry,
            Self::Mix(mix) => mix.geometry(),
        }
    }

    /// Accesses to the shared cache after which it ends.
    pub fn accesses(self) -> u64 {
        match self {
            Self::Gpu(scenario) => scenario.accesses,
            Self::Mix(mix) => mix.accesses,
        }
    }

    /// Cycles of the shared cache between two snapshots.
    pub fn period(self) -> u64 {
        match self {
            Self::Gpu(scenario) => scenario.period,
            Self::Mix(mix) => mix.period,
        }
    }

    /// The seed.
    pub fn seed(self) -> u64 {
        match self {
            Self::Gpu(scenario) => scenario.seed,
            Self::Mix(mix) => mix.seed,
        }
    }

    /// The KID under test.
    pub fn under_test(self) -> usize {
        match self {
            Self::Gpu(scenario) => scenario.under_test,
            Self::Mix(mix) => mix.under_test,
        }
    }

    /// What a paper reports of it.
    pub fn paper(self) -> Option<&'a Paper> {
        match self {
            Self::Gpu(scenario) => scenario.paper.as_ref(),
            Self::Mix(_) => None,
        }
    }

    /// The numbers of its platform.
    pub(super) fn numbers(self) -> Platform {
        match self {
            Self::Gpu(scenario) => Platform::Gpu(scenario.machine.clone()),
            Self::Mix(mix) => Platform::Mix(mix.config.clone()),
        }
    }

    pub(super) fn start(self) -> Result<Running, Error> {
        Ok(match self {
            Self::Gpu(scenario) => Running::Gpu(Box::new(scenario.gpu()?)),
            Self::Mix(mix) => Running::Mix(Box::new(mix.platform()?)),
        })
    }

    /// What each kernel has done.
    pub(super) fn kernels(self, running: &Running, counts: &Counts) -> Vec<KernelReport> {
        match (self, running) {
            (Self::Gpu(scenario), Running::Gpu(gpu)) => of_gpu(scenario, gpu, counts),
            (Self::Mix(mix), Running::Mix(platform)) => of_mix(mix, platform, counts),
            _ => vec![],
        }
    }
}

fn of_gpu(scenario: &Scenario, gpu: &Machine, counts: &Counts) -> Vec<KernelReport> {
    let kernels = scenario.kernels.iter().enumerate();
    let kernel = |(kid, tenant): (usize, &cotenant_golden::workload::scenario::Tenant)| {
        let (counted, stats) = (&counts.kernels[kid], gpu.stats(kid));
        let replies = stats.memory.replies;
        KernelReport {
            kid,
            name: tenant.name.clone(),
            body: tenant.spec.name().into(),
            parameters: tenant.parameters(),
            ipc: stats.sm.instructions() as f64 / gpu.cycle().max(1) as f64,
            accesses: counted.accesses,
            hits: counted.hits,
            merged: stats.memory.merged,
            misses: counted.misses,
            latency: (replies > 0).then(|| stats.memory.latency as f64 / replies as f64),
            laps: stats.laps,
            stats: Some(stats),
            occupancy: counts.occupancy[kid],
        }
    };
    kernels.map(kernel).collect()
}

fn of_mix(mix: &Mix, platform: &Observed, counts: &Counts) -> Vec<KernelReport> {
    let stats = platform.stats();
    let applications = mix.workload.names().zip(&stats).enumerate();
    let application = |(kid, (name, stats)): (usize, (&str, &cotenant_golden::hetero::Stats))| {
        let counted = &counts.kernels[kid];
        KernelReport {
            kid,
            name: name.into(),
            body: mix.runs[kid].clone(),
            parameters: mix.describe(kid),
            ipc: stats.ipc(),
            accesses: counted.accesses,
            hits: counted.hits,
            merged: 0,
            misses: counted.misses,
            latency: None,
            laps: 0,
            stats: None,
            occupancy: counts.occupancy[kid],
        }
    };
    applications.map(application).collect()
}

/// A platform that runs.
pub(super) enum Running {
    Gpu(Box<Machine>),
    Mix(Box<Observed>),
}

impl Running {
    pub(super) fn watched(&self) -> &dyn Gpu {
        match self {
            Self::Gpu(gpu) => &**gpu,
            Self::Mix(platform) => &**platform,
        }
    }

    pub(super) fn run_to(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        match self {
            Self::Gpu(gpu) => gpu.run_to(cycle, reached),
            Self::Mix(platform) => platform.run_to(cycle, reached),
        }
    }

    /// Nothing begins any more, and what is on its way comes.
    pub(super) fn drain(&mut self, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        match self {
            Self::Gpu(gpu) => {
                gpu.stop_launching();
                gpu.drain(reached);
            }
            Self::Mix(platform) => platform.drain(reached),
        }
    }

    /// All counts add up.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Gpu(gpu) => gpu.check()?,
            Self::Mix(platform) => platform
                .check()
                .map_err(cotenant_golden::hetero::Error::from)?,
        }
        Ok(())
    }
}
