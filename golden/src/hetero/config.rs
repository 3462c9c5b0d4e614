//! Configuration of CPU cores and a GPU that share a cache: the numbers of a platform.
//!
//! Source: TAP, table 4. The GPU's [`Config`](crate::gpu::config::Config) has no CPU cores, and one
//! clock for all but memory; here latencies are in cycles of the part that they are of.
//!
//! ```
//! use cotenant_golden::hetero::Config;
//!
//! let tap = Config::tap();
//! assert_eq!((tap.l3.sets, tap.l3.ways, tap.gpu.cores), (4096, 32, 6));
//! let broken = Config::TAP.replace("ways = 32", "ways = 65");
//! let error = Config::from_toml(&broken).unwrap_err().to_string();
//! assert_eq!(error, "platform \"tap\": l3.ways is 65, expected 1 to 64");
//! ```

mod check;

use serde::{Deserialize, Serialize};

use crate::llc::cache::Geometry;
use crate::model::ParamError;

/// A platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The name by which it is asked for.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// The CPU cores.
    pub cpu: Cpu,
    /// The GPU.
    pub gpu: Gpu,
    /// Between cores and L3.
    pub noc: Noc,
    /// The shared cache.
    pub l3: L3,
    /// Main memory.
    pub dram: Dram,
    /// Core sampling, and the period of all decisions.
    pub sampling: Sampling,
}

/// Out-of-order cores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cpu {
    /// How many there are; each runs an application, and those without one are idle.
    pub cores: usize,
    /// Clock in MHz.
    pub clock_mhz: u64,
    /// Instructions dispatched and retired per cycle, at most.
    pub width: u64,
    /// Instructions between dispatch and retirement, at most.
    pub reorder: u64,
    /// Lines on their way to a core.
    pub mshrs: usize,
    /// Each core's data cache.
    pub l1d: Private,
    /// Each core's second-level cache.
    pub l2: Private,
}

/// In-order cores with many warps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gpu {
    /// How many there are, 2 to 32; all run the same application.
    pub cores: usize,
    /// Clock in MHz.
    pub clock_mhz: u64,
    /// Cycles from one instruction of a core to the next, the ideal CPI.
    pub issue_cycles: u64,
    /// Warps of a core, at most.
    pub warps: usize,
    /// Lines on their way to a core.
    pub mshrs: usize,
    /// Each core's data cache.
    pub l1d: Private,
}

/// A core's own cache, LRU. Lines are those of the L3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Private {
    /// Bytes.
    pub size: u64,
    /// Ways of a set.
    pub ways: usize,
    /// From an access to a hit's data, in cycles of the core.
    pub latency: u64,
}

/// The network on the chip: a fixed latency, and requests one at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Noc {
    /// Clock of NoC and L3 in MHz.
    pub clock_mhz: u64,
    /// Cycles to the L3, and as many back.
    pub latency: u64,
    /// Cycles from one request to the next.
    pub interval: u64,
}

/// The shared cache. Its applications are those of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct L3 {
    /// Sets in all.
    pub sets: usize,
    /// Ways of a set.
    pub ways: usize,
    /// Bytes of a line.
    pub line: u64,
    /// Tiles; each takes one access per cycle.
    pub tiles: usize,
    /// From an access to a hit's data, or to the request for memory, in cycles of the NoC.
    pub latency: u64,
}

/// Main memory: channels with first-ready, first-come-first-served scheduling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dram {
    /// Clock of commands in MHz; all times count its cycles.
    pub clock_mhz: u64,
    /// Channels, a power of two.
    pub channels: usize,
    /// Banks of a channel, a power of two.
    pub banks: usize,
    /// Bytes of a row of a bank, a power of two.
    pub row: u64,
    /// Bytes that a channel's data bus moves in a cycle.
    pub bus: u64,
    /// Row precharge time.
    pub t_rp: u64,
    /// Row to column delay.
    pub t_rcd: u64,
    /// A row's activation to its precharge, at least.
    pub t_ras: u64,
    /// Column access to data.
    pub t_cl: u64,
    /// What else is between the L3 and the pins, there and back.
    pub latency: u64,
}

/// Core sampling (TAP, section 3.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sampling {
    /// Cycles of the GPU from one decision to the next.
    pub period: u64,
    /// Core-POL1 of the GPU.
    pub pol1: usize,
    /// Core-POL2 of the GPU, another one.
    pub pol2: usize,
    /// After each period both ids move on by one.
    pub rotate: bool,
}

/// Why there is no such platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The text is not that of a platform.
    #[error("not a platform: {0}")]
    Toml(#[from] toml::de::Error),
    /// A number is illegal.
    #[error("platform \"{name}\": {source}")]
    Param {
        /// The platform's name.
        name: String,
        /// What is wrong.
        source: ParamError,
    },
}

impl Config {
    /// The TOML text of the paper's platform, with the source of each number.
    pub const TAP: &'static str = include_str!("../../presets/tap.toml");

    /// The paper's platform.
    ///
    /// # Panics
    /// Never: a test reads the text.
    pub fn tap() -> Self {
        Self::from_toml(Self::TAP).expect("the text in this crate is legal")
    }

    /// The platform in a TOML text.
    ///
    /// # Errors
    /// [`ConfigError`] with the line and field at fault.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)?;
        config.check().map_err(|source| ConfigError::Param {
            name: config.name.clone(),
            source,
        })?;
        Ok(config)
    }

    /// The shared cache of so many applications.
    pub fn geometry(&self, applications: usize) -> Geometry {
        Geometry {
            sets: self.l3.sets,
            ways: self.l3.ways,
            line: self.l3.line,
            kernels: applications,
            banks: self.l3.tiles,
        }
    }
}

impl Private {
    /// Sets of a cache with lines of so many bytes.
    pub fn sets(&self, line: u64) -> u64 {
        self.size / line / self.ways as u64
    }
}

#[cfg(test)]
mod tests;
