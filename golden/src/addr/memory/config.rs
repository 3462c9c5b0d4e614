//! The numbers of a memory, as TOML.

use serde::{Deserialize, Serialize};

use super::dram::Timing;
use super::noise::Noise;
use crate::addr::mapping::{Fault, Field, Mapping, MappingError};
use crate::model::ParamError;

/// Name and text of each memory.
const TEXTS: [(&str, &str); 2] = [
    ("gtx1080", include_str!("../../../memories/gtx1080.toml")),
    ("v100", include_str!("../../../memories/v100.toml")),
];

/// The most ways of a set.
const MAX_WAYS: u64 = 64;
/// The most MSHRs of a module.
const MAX_MSHRS: u64 = 1024;
/// The longest latency in cycles.
const MAX_LATENCY: u64 = 1 << 20;

/// A memory, without the table that maps addresses to it. Cycles are the GPU's unless said
/// otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The name by which it is asked for.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// The name of the mapping of its addresses.
    pub mapping: String,
    /// Lowest and highest address bit of the row, for a mapping that has no rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<[u32; 2]>,
    /// Clock of SMs and L2 in MHz.
    pub clock_mhz: u64,
    /// Ways of a set, 1 to 64.
    pub ways: usize,
    /// Sectors of a module on their way from memory.
    pub mshrs: usize,
    /// From a read's issue to the data of a hit.
    pub hit_latency: u64,
    /// What a miss takes beyond that, without its bank's commands and its time on the bus.
    pub latency: u64,
    /// The banks and the bus of a module.
    pub dram: Dram,
    /// What disturbs the times.
    #[serde(default)]
    pub noise: Noise,
}

/// Banks and bus of a module. Times are in cycles of the memory's own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dram {
    /// Clock of commands in MHz.
    pub clock_mhz: u64,
    /// Bytes that the bus of a module moves in a cycle of this clock.
    pub bus: u64,
    /// Row precharge time.
    pub t_rp: u64,
    /// Row to column delay.
    pub t_rcd: u64,
    /// A row's activation to its precharge, at least.
    pub t_ras: u64,
    /// Column access to data.
    pub t_cl: u64,
}

/// Why there is no such memory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// No memory has this name.
    #[error("no memory \"{name}\", expected one of: {}", names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The text is not that of a memory.
    #[error("not a memory: {0}")]
    Toml(#[from] toml::de::Error),
    /// A number is out of range.
    #[error("memory \"{name}\": {source}")]
    Param {
        /// The memory's name.
        name: String,
        /// What is wrong with it.
        source: ParamError,
    },
    /// Its mapping does not exist.
    #[error("memory \"{name}\": {source}")]
    Mapping {
        /// The memory's name.
        name: String,
        /// What is wrong with it.
        source: MappingError,
    },
    /// Its mapping cannot have its rows.
    #[error("memory \"{name}\": rows: {fault}")]
    Rows {
        /// The memory's name.
        name: String,
        /// What is wrong with them.
        fault: Fault,
    },
    /// The mapping has no rows.
    #[error("mapping \"{mapping}\" has no functions.row, expected one list or more: banks have a row buffer")]
    NoRows {
        /// The mapping's name.
        mapping: String,
    },
    /// There is no such memory to allocate.
    #[error("an allocation of {start:#x} to {end:#x}, expected a range within 0x0 to {limit:#x} that is not empty")]
    Allocation {
        /// First byte.
        start: u64,
        /// Behind the last byte.
        end: u64,
        /// Behind the last byte of the mapping.
        limit: u128,
    },
}

/// The names of all memories.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

impl Config {
    /// The memory of a name.
    ///
    /// # Errors
    /// [`MemoryError::Unknown`] with the names that there are.
    pub fn named(name: &str) -> Result<Self, MemoryError> {
        let found = TEXTS.iter().find(|(known, _)| *known == name);
        let unknown = || MemoryError::Unknown { name: name.into() };
        Self::from_toml(found.ok_or_else(unknown)?.1)
    }

    /// The memory in a TOML text.
    ///
    /// # Errors
    /// [`MemoryError`] with the line or field at fault.
    pub fn from_toml(text: &str) -> Result<Self, MemoryError> {
        let config: Self = toml::from_str(text)?;
        config.check().map_err(|source| MemoryError::Param {
            name: config.name.clone(),
            source,
        })?;
        Ok(config)
    }

    /// The mapping that it names, with the memory's rows if it has none of its own.
    ///
    /// # Errors
    /// [`MemoryError::Mapping`] if it is none of those that come with the crate, or cannot have
    /// these rows.
    pub fn named_mapping(&self) -> Result<Mapping, MemoryError> {
        let wrong = |source| MemoryError::Mapping {
            name: self.name.clone(),
            source,
        };
        let mapping = Mapping::named(&self.mapping).map_err(wrong)?;
        match self.rows {
            Some([low, high]) if mapping.functions(Field::Row).is_empty() => {
                let mut table = mapping.table().clone();
                table.row = Some((low..=high).map(|bit| vec![bit]).collect());
                let name = self.name.clone();
                Mapping::new(table).map_err(|fault| MemoryError::Rows { name, fault })
            }
            _ => Ok(mapping),
        }
    }

    /// Whether there is such a memory.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault.
    pub fn check(&self) -> Result<(), ParamError> {
        let dram = &self.dram;
        for (name, value, least, most) in [
            ("clock-mhz", self.clock_mhz, 1, 1 << 20),
            ("ways", self.ways as u64, 1, MAX_WAYS),
            ("mshrs", self.mshrs as u64, 1, MAX_MSHRS),
            ("hit-latency", self.hit_latency, 2, MAX_LATENCY),
            ("latency", self.latency, 0, MAX_LATENCY),
            ("dram.clock-mhz", dram.clock_mhz, 1, 1 << 20),
            ("dram.bus", dram.bus, 1, 1 << 12),
            ("dram.t-rp", dram.t_rp, 0, MAX_LATENCY),
            ("dram.t-rcd", dram.t_rcd, 0, MAX_LATENCY),
            ("dram.t-ras", dram.t_ras, 0, MAX_LATENCY),
            ("dram.t-cl", dram.t_cl, 0, MAX_LATENCY),
        ] {
            ParamError::range(name, value, least, most)?;
        }
        if let Some([low, high]) = self.rows {
            ParamError::range("rows[1]", high.into(), low.into(), 63)?;
        }
        self.noise.check()
    }

    /// Times in cycles of the GPU, with a burst of so many bytes.
    pub(super) fn timing(&self, bytes: u64) -> Timing {
        let dram = &self.dram;
        Timing {
            rp: self.gpu_cycles(dram.t_rp),
            rcd: self.gpu_cycles(dram.t_rcd),
            ras: self.gpu_cycles(dram.t_ras),
            cl: self.gpu_cycles(dram.t_cl),
            burst: self.gpu_cycles(bytes.div_ceil(dram.bus)),
        }
    }

    /// Cycles of the GPU for cycles of the memory, begun ones included.
    pub(super) fn gpu_cycles(&self, cycles: u64) -> u64 {
        (cycles * self.clock_mhz).div_ceil(self.dram.clock_mhz)
    }
}

/// Whether a memory can have a mapping and an allocation.
pub(super) fn fits(mapping: &Mapping, range: &std::ops::Range<u64>) -> Result<(), MemoryError> {
    if mapping.functions(Field::Row).is_empty() {
        let mapping = mapping.table().name.clone();
        return Err(MemoryError::NoRows { mapping });
    }
    let limit = 1u128 << mapping.table().width;
    if range.is_empty() || u128::from(range.end) > limit {
        let (start, end) = (range.start, range.end);
        return Err(MemoryError::Allocation { start, end, limit });
    }
    Ok(())
}
