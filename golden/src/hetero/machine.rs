//! Cores, NoC, L3 and memory, from event to event.
//!
//! Source: TAP, figure 1 and section 4.1.
//!
//! At the end of each period of the GPU's cycles the retired instructions of Core-POL1 and Core-POL2
//! are compared, and the policy decides ([`SharedCache::end_period`]).
//!
//! ASSUMPTION: applications have no end. So what the paper calls repeating those that end early
//! needs nothing; performance is that of a stretch of time, after one that is not measured.
//! ASSUMPTION: the counters of retired instructions have 20 bits (table 2) and saturate.

mod check;

pub use check::Imbalance;

use serde::{Deserialize, Serialize};

use super::clock::{Clocks, Time};
use super::config::Config;
use super::cpu::CpuCore;
use super::event::{Event, Events};
use super::gpu::GpuCore;
use super::seen::Seen;
use super::uncore::Uncore;
use super::workloads::Workload;
use crate::mgmt::core_sampling::caching_helps;
use crate::mgmt::policy::{self, Core, Decision, Kind, Period, SharedCache};
use crate::model::ParamError;

/// What a counter of retired instructions holds at most.
const MOST_RETIRED: u64 = (1 << 20) - 1;

/// How long to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    /// Draws all accesses.
    pub seed: u64,
    /// Cycles of the GPU before the measurement.
    pub warm_up: u64,
    /// Cycles of the GPU that are measured, at least 1.
    pub measured: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Platform, application or policy do not exist.
    #[error("{0}")]
    Param(#[from] ParamError),
    /// An application does not exist.
    #[error("application \"{name}\": {source}")]
    Application {
        /// Its name.
        name: String,
        /// What is wrong.
        source: ParamError,
    },
    /// The policy has to know all accesses beforehand, and those depend on the policy.
    #[error("policy {0} needs the accesses to come, which are not known: choose another one")]
    Future(Kind),
    /// Nothing was measured.
    #[error("application \"{0}\" has retired nothing: measure a longer time")]
    Idle(String),
    /// The model has an error.
    #[error("requests are lost: {0}")]
    Imbalance(#[from] Imbalance),
}

/// What an application has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Instructions, of a GPU those of warps on all cores.
    pub instructions: u64,
    /// Cycles of its cores' clock, times cores.
    pub cycles: u64,
    /// Accesses of the L3.
    pub accesses: u64,
    /// Of those, misses.
    pub misses: u64,
}

impl Stats {
    /// Instructions per cycle of a core.
    pub fn ipc(&self) -> f64 {
        self.instructions as f64 / self.cycles as f64
    }

    /// Cycles of a core per instruction.
    pub fn cpi(&self) -> f64 {
        self.cycles as f64 / self.instructions as f64
    }

    /// Misses of the L3 per thousand instructions.
    pub fn mpki(&self) -> f64 {
        1000.0 * self.misses as f64 / self.instructions as f64
    }

    /// Accesses of the L3 per thousand cycles, of all cores together (figure 5).
    pub fn rpkc(&self, cores: usize) -> f64 {
        1000.0 * self.accesses as f64 * cores as f64 / self.cycles as f64
    }

    fn since(&self, before: &Self) -> Self {
        Self {
            instructions: self.instructions - before.instructions,
            cycles: self.cycles - before.cycles,
            accesses: self.accesses - before.accesses,
            misses: self.misses - before.misses,
        }
    }
}

/// A platform that runs a workload.
#[derive(Debug)]
pub struct Machine {
    clocks: Clocks,
    cpus: Vec<CpuCore>,
    gpus: Vec<GpuCore>,
    first_gpu: u16,
    has_gpu: bool,
    shared: Uncore,
    pub(super) events: Events,
    now: Time,
    period: Time,
    sampled: [usize; 2],
    rotate: bool,
    /// Retired instructions of each GPU core at the last period's end.
    before: Vec<u64>,
    periods: Vec<Period>,
}

impl Machine {
    /// A platform at its start, its caches empty.
    ///
    /// # Errors
    /// [`Error`] when it does not exist.
    pub fn new(config: &Config, workload: &Workload, kind: Kind, seed: u64) -> Result<Self, Error> {
        config.check()?;
        workload.check(config)?;
        if kind.needs_future() {
            return Err(Error::Future(kind));
        }
        let cpus = workload.cpus.len();
        let apps = cpus + usize::from(workload.gpu.is_some());
        let geometry = config.geometry(apps);
        let settings = policy::Config::new(cpus.min(apps - 1));
        let cache = SharedCache::new(geometry, kind.policy(&geometry, &settings, &[])?)?;
        let clocks = Clocks::new(config);
        let cpu_cores = workload.cpus.iter().enumerate();
        let gpu_cores = |application| {
            let core = move |index| GpuCore::new(config, &clocks, index, cpus, application, seed);
            (0..config.gpu.cores).map(core)
        };
        let mut machine = Self {
            clocks,
            cpus: cpu_cores
                .map(|(number, it)| CpuCore::new(config, clocks, number, it, seed))
                .collect(),
            gpus: workload.gpu.iter().flat_map(gpu_cores).collect(),
            first_gpu: config.cpu.cores as u16,
            has_gpu: workload.gpu.is_some(),
            shared: Uncore::new(config, &clocks, cache),
            events: Events::default(),
            now: 0,
            period: config.sampling.period * clocks.gpu,
            sampled: [config.sampling.pol1, config.sampling.pol2],
            rotate: config.sampling.rotate,
            before: vec![0; config.gpu.cores],
            periods: Vec::new(),
        };
        machine.events.add(machine.period, Event::Period);
        for cpu in &mut machine.cpus {
            cpu.advance(0, &mut machine.events);
        }
        for gpu in &mut machine.gpus {
            gpu.start(0, &mut machine.events);
        }
        Ok(machine)
    }

    /// From now on accesses to the L3 are kept for [`seen`](Self::seen).
    pub fn watch(&mut self) {
        self.shared.seen = Some(Vec::new());
    }

    /// The accesses since the last call, in the order of their requests.
    pub fn seen(&mut self) -> impl Iterator<Item = Seen> + '_ {
        self.shared.seen.iter_mut().flat_map(|seen| seen.drain(..))
    }

    /// Ticks of a cycle of the L3.
    pub(super) fn l3_cycle(&self) -> Time {
        self.clocks.noc
    }

    /// Runs so many cycles of the GPU.
    pub fn run(&mut self, cycles: u64) {
        self.run_until(self.now + cycles * self.clocks.gpu);
    }

    /// Runs until a point in time; not at all if that has been.
    pub(super) fn run_until(&mut self, end: Time) {
        let end = self.now.max(end);
        while let Some((now, event)) = self.events.next(end) {
            self.handle(now, event);
        }
        self.now = end;
    }

    fn handle(&mut self, now: Time, event: Event) {
        let (shared, events) = (&mut self.shared, &mut self.events);
        match event {
            Event::Cpu { core } => self.cpus[usize::from(core)].advance(now, events),
            Event::Missed { core, line } => {
                self.cpus[usize::from(core)].missed(now, line, shared, events);
            }
            Event::Fetch { core, line } => shared.dram.fetch(now, core, line, events),
            Event::Column { channel, bank } => shared.dram.column(now, channel, bank, events),
            Event::Reply { core, line } if core < self.first_gpu => {
                self.cpus[usize::from(core)].reply(now, line, shared, events);
            }
            Event::Reply { core, line } => {
                let index = usize::from(core - self.first_gpu);
                let sampled = role(self.sampled, index);
                self.gpus[index].reply(now, line, sampled, shared, events);
            }
            Event::Gpu { core } => {
                let index = usize::from(core - self.first_gpu);
                let sampled = role(self.sampled, index);
                self.gpus[index].memory(now, sampled, shared, events);
            }
            Event::Period => {
                self.end_period();
                self.events.add(now + self.period, Event::Period);
            }
        }
    }

    fn end_period(&mut self) {
        let retired = |core: usize| {
            let now = self.gpus.get(core).map_or(0, GpuCore::instructions);
            (now - self.before[core]).min(MOST_RETIRED)
        };
        let [pol1, pol2] = self.sampled.map(retired);
        self.periods
            .push(self.shared.cache.end_period(caching_helps(pol1, pol2)));
        self.shared.periods += 1;
        for (before, gpu) in self.before.iter_mut().zip(&self.gpus) {
            *before = gpu.instructions();
        }
        if self.rotate {
            let cores = self.before.len();
            self.sampled = self.sampled.map(|core| (core + 1) % cores);
        }
    }

    /// Periods that have ended.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// What held while so many periods had ended.
    pub fn decision_in(&self, period: usize) -> Decision {
        match self.periods.get(period) {
            Some(ended) => ended.decision.clone(),
            None => self.shared.cache.decision(),
        }
    }

    /// The shared cache.
    pub fn cache(&self) -> &SharedCache {
        &self.shared.cache
    }

    /// What each application has done, CPUs first.
    pub fn stats(&self) -> Vec<Stats> {
        let cpus = self.cpus.iter().map(CpuCore::instructions);
        let cpus = cpus.map(|instructions| (instructions, self.now / self.clocks.cpu));
        let gpu = self.has_gpu.then(|| {
            let instructions = self.gpus.iter().map(GpuCore::instructions).sum();
            let cycles = self.now / self.clocks.gpu * self.gpus.len() as u64;
            (instructions, cycles)
        });
        let counts = self.shared.cache.counts();
        cpus.chain(gpu)
            .zip(counts)
            .map(|((instructions, cycles), counts)| Stats {
                instructions,
                cycles,
                accesses: counts.accesses,
                misses: counts.misses,
            })
            .collect()
    }

    /// Runs, measures what each application does after the warm-up, and checks that nothing was
    /// lost.
    ///
    /// # Errors
    /// [`Error::Imbalance`] when something was.
    pub fn measure(&mut self, run: &Run) -> Result<Vec<Stats>, Error> {
        ParamError::range("measured", run.measured, 1, 1 << 40)?;
        ParamError::range("warm-up", run.warm_up, 0, 1 << 40)?;
        self.run(run.warm_up);
        let before = self.stats();
        self.run(run.measured);
        self.check()?;
        let after = self.stats();
        Ok(after
            .iter()
            .zip(&before)
            .map(|(after, before)| after.since(before))
            .collect())
    }
}

/// What a core of the GPU is to core sampling.
fn role([pol1, pol2]: [usize; 2], core: usize) -> Core {
    match core {
        _ if core == pol1 => Core::Pol1,
        _ if core == pol2 => Core::Pol2,
        _ => Core::Follower,
    }
}
