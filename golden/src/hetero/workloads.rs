//! Which applications run together.
//!
//! Source: TAP, section 4.2 and table 7: "pseudo-randomly selecting one, two, or four CPU benchmarks
//! from cache-friendly and compute-intensive group in Table 5 and one GPGPU benchmark from each type
//! in Table 6"; streaming ones from their own group.
//!
//! ASSUMPTION: how they are drawn. The applications are drawn first, as many of each kind as the
//! tables have benchmarks. Then the types of the GPU's applications take turns through a set, so
//! that all have as many workloads or one more; which of that type, and which of the CPUs', is
//! drawn with equal chances. All draws are made beforehand, from the seed, and none is made again
//! for what came out.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use super::application::{Application, Cpu, Gpu};
use super::config::Config;
use super::machine::Error;
use super::types::{Group, Type};
use crate::model::ParamError;

/// The seed of the workloads with which policies are compared.
pub const SEED: u64 = 0x7a9;

/// Applications that run together, each on its cores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// What it is called.
    pub name: String,
    /// One of each CPU core; their KIDs are from 0 on.
    pub cpus: Vec<Application<Cpu>>,
    /// That of all GPU cores; its KID comes after those.
    pub gpu: Option<Application<Gpu>>,
}

impl Workload {
    /// An application alone on a CPU core.
    pub fn of_cpu(application: Application<Cpu>) -> Self {
        Self {
            name: application.name.clone(),
            cpus: vec![application],
            gpu: None,
        }
    }

    /// An application alone on the GPU.
    pub fn of_gpu(application: Application<Gpu>) -> Self {
        Self {
            name: application.name.clone(),
            cpus: Vec::new(),
            gpu: Some(application),
        }
    }

    /// The applications' names, CPUs first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let cpus = self.cpus.iter().map(|it| &it.name);
        let gpu = self.gpu.iter().map(|it| &it.name);
        cpus.chain(gpu).map(String::as_str)
    }

    /// Whether it runs on a platform.
    ///
    /// # Errors
    /// [`Error`] with the first application that does not.
    pub fn check(&self, config: &Config) -> Result<(), Error> {
        let cpus = self.cpus.len() as u64;
        let least = u64::from(self.gpu.is_none());
        ParamError::range("applications of CPUs", cpus, least, config.cpu.cores as u64)?;
        let cpus = self.cpus.iter().map(|it| (&it.name, it.check(config)));
        let gpu = self.gpu.iter().map(|it| (&it.name, it.check(config)));
        for (name, checked) in cpus.chain(gpu) {
            checked.map_err(|source| Error::Application {
                name: name.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

/// A set of workloads (table 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// One application of a CPU.
    OneCpu,
    /// Two.
    TwoCpu,
    /// Four.
    FourCpu,
    /// One that streams.
    Streaming,
}

impl Set {
    /// All sets.
    pub const ALL: [Self; 4] = [Self::OneCpu, Self::TwoCpu, Self::FourCpu, Self::Streaming];

    /// How many workloads there are.
    pub const fn count(self) -> usize {
        match self {
            Self::OneCpu => 152,
            Self::TwoCpu => 150,
            Self::FourCpu => 75,
            Self::Streaming => 25,
        }
    }

    /// Applications of CPUs in each.
    pub const fn cpus(self) -> usize {
        match self {
            Self::OneCpu | Self::Streaming => 1,
            Self::TwoCpu => 2,
            Self::FourCpu => 4,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneCpu => "1-cpu",
            Self::TwoCpu => "2-cpu",
            Self::FourCpu => "4-cpu",
            Self::Streaming => "stream-cpu",
        }
    }

    /// The set of a seed; the applications are the same in all sets of it.
    pub fn workloads(self, seed: u64) -> Vec<Workload> {
        let Applications { gpu, cpu } = Applications::drawn(seed);
        let [friendly, streaming, compute] = &cpu;
        let cpu: Vec<_> = match self {
            Self::Streaming => streaming.iter().collect(),
            _ => friendly.iter().chain(compute).collect(),
        };
        let mut random = Pcg64Mcg::seed_from_u64(seed.wrapping_add(1 + self as u64));
        (0..self.count())
            .map(|number| {
                let kind = number % Type::ALL.len();
                let cpus = (0..self.cpus()).map(|_| (*one_of(&cpu, &mut random)).clone());
                let cpus: Vec<_> = cpus.collect();
                let gpu = one_of(&gpu[kind], &mut random).clone();
                Workload {
                    name: format!("{}-{}/{}", self.name(), Type::ALL[kind], number + 1),
                    cpus,
                    gpu: Some(gpu),
                }
            })
            .collect()
    }
}

/// The applications of which workloads are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applications {
    /// The GPU's, by type, in the order of [`Type::ALL`].
    pub gpu: [Vec<Application<Gpu>>; 5],
    /// The CPUs', by group, in the order of [`Group::ALL`].
    pub cpu: [Vec<Application<Cpu>>; 3],
}

impl Applications {
    /// Those of a seed.
    pub fn drawn(seed: u64) -> Self {
        // The same numbers on every machine.
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let gpu = gpu_applications(&mut random);
        let cpu = cpu_applications(&mut random);
        Self { gpu, cpu }
    }
}

/// The GPU's applications, by type.
fn gpu_applications(random: &mut impl RngCore) -> [Vec<Application<Gpu>>; 5] {
    Type::ALL.map(|kind| {
        let numbers = 1..=kind.benchmarks();
        numbers
            .map(|number| kind.drawn(format!("{kind}{number}"), random))
            .collect()
    })
}

/// The CPUs' applications, by group.
fn cpu_applications(random: &mut impl RngCore) -> [Vec<Application<Cpu>>; 3] {
    Group::ALL.map(|group| {
        let numbers = 1..=group.benchmarks();
        let name = |number| format!("{}{number}", group.name());
        numbers
            .map(|number| group.drawn(name(number), random))
            .collect()
    })
}

fn one_of<'a, T>(choices: &'a [T], random: &mut impl RngCore) -> &'a T {
    &choices[(random.next_u64() % choices.len() as u64) as usize]
}
