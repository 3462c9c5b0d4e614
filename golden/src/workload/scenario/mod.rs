//! Scenarios in TOML: the kernels that run together, and their platform.
//!
//! | name | scenario |
//! | --- | --- |
//! | `gdc-figure-3` | VMA under test beside DADD, AGG1 and AGG2 (GDC paper, figure 3) |
//! | `vma-alone` | the baseline: the same VMA with the cache to itself |
//! | `both-fit` | VMA and DADD fit together: demotions, hardly an eviction |
//! | `stream-beside-reuse` | a kernel that never reuses a line beside one that always does |
//! | `small-cache` | a cache of 32 KiB, as on an FPGA, and a kernel in a few of its sets |
//! | `six-kernels` | a number of kernels that is no power of two |
//!
//! Scenarios of CPUs and a GPU are those of [`hetero::mix`](crate::hetero::mix).
//!
//! ```toml
//! title = "VMA beside a streaming kernel"
//! platform = "xavier"
//! accesses = 1_000_000    # of the L2, in all
//! period = 100_000        # cycles between two snapshots of the counters
//! seed = 1                # draws when kernels start and where their data are
//! under-test = "vma"
//!
//! [[kernel]]
//! name = "vma"
//! loop = "vma"            # what it does: workload::program::Spec has all loops and their keys
//! footprint = "25 %"      # of the last-level cache, or bytes: "128 KiB"
//!
//! [[kernel]]
//! name = "stream"
//! loop = "agg2"
//! footprint = "1 MiB"
//! sets = 16               # agg2 only: sets that it touches
//! sms = [1, 2]            # where it runs; without, one kernel per SM
//! blocks-per-sm = 2       # beside what fits
//!
//! [machine.l2]            # numbers of the platform to be changed, as in its file
//! mshrs = 16
//! ```
//!
//! Kernels have KIDs in the order of their tables. One that is done starts again. What a file
//! leaves out or has too much is named with its line:
//!
//! ```
//! use cotenant_golden::workload::scenario::Scenario;
//!
//! let scenario = Scenario::named("gdc-figure-3")?;
//! assert_eq!(scenario.kernels.len(), 4);
//! let broken = Scenario::text("gdc-figure-3").unwrap().replace("25 %", "25");
//! let error = Scenario::from_toml(&broken).unwrap_err();
//! assert!(error.to_string().contains("kernel.footprint: \"25\" is no size, expected"), "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod read;
mod size;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::gpu::config::Config;
use crate::gpu::machine::{Launch, Machine, MachineError};
use crate::hetero::mix;
use crate::llc::cache::Geometry;
use crate::presets::PresetError;
use crate::workload::program::{Spec, SpecError};

pub use size::Size;

/// Name and text of a scenario, which is in the file of that name.
macro_rules! scenario {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../scenarios/", $name, ".toml")),
        )
    };
}

/// Name and text of each scenario.
const TEXTS: [(&str, &str); 6] = [
    scenario!("gdc-figure-3"),
    scenario!("vma-alone"),
    scenario!("both-fit"),
    scenario!("stream-beside-reuse"),
    scenario!("small-cache"),
    scenario!("six-kernels"),
];

/// Most kernels at a time: as many as there are ranges of addresses.
pub const MAX_KERNELS: usize = 64;
/// Cycles within which kernels start.
const START: u64 = 1 << 12;
/// Bytes of a page; data begin at any.
const PAGE: u64 = 4 << 10;
/// Pages among which the first is drawn.
const PAGES: u64 = 1 << 12;
/// Characters of a kernel's name, at most; it heads columns.
pub(crate) const MAX_NAME: usize = 24;

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What it is, in a line.
    pub title: String,
    /// The platform's name.
    pub platform: String,
    /// The shared cache, with as many kernels as there are here.
    pub geometry: Geometry,
    /// The GPU.
    pub machine: Config,
    /// Accesses to the L2 after which it ends.
    pub accesses: u64,
    /// Cycles between two snapshots.
    pub period: u64,
    /// Draws starts and places.
    pub seed: u64,
    /// The KID of the kernel under test.
    pub under_test: usize,
    /// The kernels, by KID.
    pub kernels: Vec<Tenant>,
    /// What the paper reports.
    pub paper: Option<Paper>,
}

/// A kernel of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Tenant {
    /// What it is called.
    pub name: String,
    /// What it does.
    pub spec: Spec,
    /// The SMs that it may use, as a mask.
    pub sms: u64,
    /// Blocks that an SM may hold of it, beside what fits.
    pub blocks_per_sm: Option<u32>,
}

impl Tenant {
    /// What its table says that is not so by itself: `footprint = "25 %", blocks-per-sm = 1`.
    pub fn parameters(&self) -> String {
        let table = |spec: &Spec| toml::Table::try_from(spec).unwrap_or_default();
        let mut alone = toml::Table::new();
        alone.insert("loop".into(), self.spec.name().into());
        let usual = toml::Value::Table(alone).try_into().ok();
        let usual = usual.map_or_else(toml::Table::new, |spec: Spec| table(&spec));
        let mut said = table(&self.spec);
        said.retain(|key, value| key != "loop" && usual.get(key) != Some(value));
        if let Some(most) = self.blocks_per_sm {
            said.insert("blocks-per-sm".into(), i64::from(most).into());
        }
        let said: Vec<String> = said
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        said.join(", ")
    }
}

/// What a paper reports of the scenario: shares of the misses of the kernel under test in percent,
/// by KID.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Paper {
    /// Where.
    pub source: String,
    /// Shares by GDC.
    pub gdc: Vec<f64>,
    /// Shares by PLOB.
    pub plob: Vec<f64>,
}

/// Why there is no such scenario.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// No scenario has this name.
    #[error("no scenario \"{name}\"{}, expected one of: {}", meant(name, all_names()), all_names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// A value cannot be.
    #[error("line {line}: {key} is {value}, expected {expected}")]
    Value {
        /// Line in the file, from 1.
        line: usize,
        /// The key: `kernel.footprint`.
        key: String,
        /// What was found.
        value: String,
        /// What may stand there.
        expected: String,
    },
    /// The text is no TOML, or has keys or types that a scenario has not.
    #[error("line {line}: {key}{message}")]
    Toml {
        /// Line in the file, from 1.
        line: usize,
        /// The key with a colon, if there is one.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// The platform's text is wrong.
    #[error(transparent)]
    Platform(#[from] PresetError),
}

/// ` (did you mean "x"?)` if one of the names is near to a mistaken one.
pub(crate) fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance =
        |known: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    let scored = known.into_iter().map(|known| (distance(known), known));
    match scored.min_by_key(|(distance, _)| *distance) {
        // Further away it is no slip.
        Some((distance, near)) if distance <= 1.max(near.chars().count() / 3) => {
            format!(" (did you mean \"{near}\"?)")
        }
        _ => String::new(),
    }
}

/// The names of all scenarios, those with CPUs included.
fn all_names() -> impl Iterator<Item = &'static str> {
    names().chain(mix::names())
}

/// The names of all scenarios of a GPU alone.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

impl Scenario {
    /// The scenario of a name.
    ///
    /// # Errors
    /// [`ScenarioError::Unknown`] with the names that there are.
    pub fn named(name: &str) -> Result<Self, ScenarioError> {
        let unknown = || ScenarioError::Unknown { name: name.into() };
        Self::from_toml(Self::text(name).ok_or_else(unknown)?)
    }

    /// The TOML text of a scenario, to start one of one's own.
    pub fn text(name: &str) -> Option<&'static str> {
        let found = TEXTS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text)
    }

    /// The scenario in a TOML text.
    ///
    /// # Errors
    /// [`ScenarioError`] with line and key.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        read::read(text)
    }

    /// The GPU with its kernels, at cycle 0.
    ///
    /// The seed draws the cycle in which a kernel starts and the page where its data begin, so
    /// that two of them meet in other sets.
    ///
    /// # Errors
    /// [`GpuError`], which [`from_toml`](Scenario::from_toml) has checked, but for a file that is
    /// gone.
    pub fn gpu(&self) -> Result<Machine, GpuError> {
        self.gpu_of(u64::MAX)
    }

    /// The GPU with the kernels of a mask by KID only. They have their KIDs, starts and places as
    /// if the others were there.
    ///
    /// # Errors
    /// As [`gpu`](Scenario::gpu).
    pub fn gpu_of(&self, present: u64) -> Result<Machine, GpuError> {
        let mut launches = vec![];
        // The same numbers on every machine.
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        for (kid, tenant) in self.kernels.iter().enumerate() {
            let page = random.next_u64() % PAGES;
            let start = random.next_u64() % START;
            if present >> kid & 1 == 0 {
                continue;
            }
            let base = ((kid as u64 + 1) << 40) + page * PAGE;
            let program = tenant.spec.build(base, &self.geometry);
            launches.push(Launch {
                program: program.map_err(|source| GpuError::Kernel {
                    name: tenant.name.clone(),
                    source,
                })?,
                kernel: kid as u8,
                sms: tenant.sms,
                blocks_per_sm: tenant.blocks_per_sm,
                start,
                restart: true,
            });
        }
        Ok(Machine::new(&self.machine, self.geometry, launches)?)
    }
}

/// Why a scenario's GPU cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// A kernel cannot.
    #[error("kernel \"{name}\": {source}")]
    Kernel {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: SpecError,
    },
    /// The kernels do not run on the platform.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

#[cfg(test)]
mod tests;
