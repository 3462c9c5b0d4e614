//! Platforms by name, as TOML texts that give the source of each number.
//!
//! | name | platform |
//! | --- | --- |
//! | `xavier` | NVIDIA AGX Xavier, as simulated in the GDC paper (table I) |
//! | `maxwell` | the Maxwell-like GPU of the QBMI and DMIL paper (table 1) |
//! | `maxwell-fit` | the same with what its tables leave open fitted on single kernels ([`calibration`](crate::calibration)) |
//! | `tx2` | NVIDIA Jetson TX2, as in the paper on interference in its LLC |
//! | `fpga-small` | no product: a cache of 32 KiB and 4 ways (GDC paper, figure 2), as an FPGA holds it |
//!
//! ```
//! use cotenant_golden::presets::Preset;
//!
//! let xavier = Preset::named("xavier").unwrap();
//! assert_eq!((xavier.llc.sets, xavier.llc.ways, xavier.llc.capacity()), (256, 16, 512 << 10));
//! assert!(Preset::text("xavier").unwrap().contains("table I"));
//! ```

use serde::{Deserialize, Serialize};

use crate::calibration::fit::Fitted;
use crate::gpu::config::Config;
use crate::llc::cache::Geometry;
use crate::model::ParamError;

/// Name and text of each preset.
const TEXTS: [(&str, &str); 5] = [
    ("xavier", include_str!("../presets/xavier.toml")),
    ("maxwell", include_str!("../presets/maxwell.toml")),
    ("maxwell-fit", include_str!("../presets/maxwell-fit.toml")),
    ("tx2", include_str!("../presets/tx2.toml")),
    ("fpga-small", include_str!("../presets/fpga-small.toml")),
];

/// A platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name by which it is asked for.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// The shared last-level cache.
    pub llc: Geometry,
    /// The GPU as a machine: SMs, crossbar, L2, memory.
    pub machine: Config,
    /// The CPU beside it, where it matters.
    pub cpu: Option<Cpu>,
    /// What of it, and of kernels, was fitted, if it was.
    pub fitted: Option<Fitted>,
}

/// The CPU that shares memory with the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cpu {
    /// How many cores there are.
    pub cores: usize,
    /// Bytes of main memory.
    pub memory: u64,
    /// Each core's instruction cache.
    pub l1i: Known,
    /// Each core's data cache.
    pub l1d: Known,
    /// The cache that the cores share.
    pub l2: Known,
}

/// A cache of which no more is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Bytes.
    pub size: u64,
    /// Ways of a set.
    pub ways: usize,
}

/// Why there is no such platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PresetError {
    /// No preset has this name.
    #[error("no preset \"{name}\", expected one of: {}", names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The text is not that of a preset.
    #[error("not a preset: {0}")]
    Toml(#[from] toml::de::Error),
    /// The last-level cache does not exist.
    #[error("preset \"{name}\": llc.{source}")]
    Llc {
        /// The preset's name.
        name: String,
        /// What is wrong with it.
        source: ParamError,
    },
    /// The machine does not exist.
    #[error("preset \"{name}\": machine.{source}")]
    Machine {
        /// The preset's name.
        name: String,
        /// What is wrong with it.
        source: ParamError,
    },
}

/// The names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

impl Preset {
    /// The preset of a name.
    ///
    /// # Errors
    /// [`PresetError::Unknown`] with the names that there are.
    pub fn named(name: &str) -> Result<Self, PresetError> {
        let unknown = || PresetError::Unknown {
            name: name.to_owned(),
        };
        Self::from_toml(Self::text(name).ok_or_else(unknown)?)
    }

    /// The TOML text of a preset, to read its sources or to start a platform of one's own.
    pub fn text(name: &str) -> Option<&'static str> {
        TEXTS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, text)| *text)
    }

    /// The preset in a TOML text.
    ///
    /// # Errors
    /// [`PresetError`] with the line and field at fault.
    pub fn from_toml(text: &str) -> Result<Self, PresetError> {
        let preset: Self = toml::from_str(text)?;
        let name = || preset.name.clone();
        preset.llc.check().map_err(|source| PresetError::Llc {
            name: name(),
            source,
        })?;
        let machine = preset.machine.check(&preset.llc);
        machine.map_err(|source| PresetError::Machine {
            name: name(),
            source,
        })?;
        Ok(preset)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the texts are data, so all are read; then one number at a time is broken.
    use super::*;
    use crate::gpu::config::Index;
    use crate::gpu::memory::{MemorySystem, Request};
    use crate::workload::Op;

    #[test]
    fn every_preset_is_read_and_has_its_own_name() {
        for name in names() {
            let preset = Preset::named(name).unwrap();
            assert_eq!(preset.name, name);
            let again = toml::to_string(&preset).unwrap();
            assert_eq!(Preset::from_toml(&again).unwrap(), preset);
        }
    }

    #[test]
    fn xavier_is_table_1() {
        let xavier = Preset::named("xavier").unwrap();
        let llc = Geometry {
            sets: 256,
            ways: 16,
            line: 128,
            kernels: 4,
            banks: 4,
        };
        assert_eq!(xavier.llc, llc);
        assert_eq!((xavier.llc.sectors(), xavier.machine.sm.count), (4, 4));
        let l1d = &xavier.machine.l1d;
        assert_eq!((l1d.sets, l1d.ways), (4, 48));
        let bytes = l1d.sets as u64 * l1d.ways as u64 * xavier.llc.line;
        assert_eq!(bytes, 24 << 10);
        assert_eq!(xavier.cpu.unwrap().memory, 8 << 30);
    }

    /// Bytes per second that all channels of memory move.
    fn bandwidth(preset: &Preset) -> u64 {
        let machine = &preset.machine;
        let channels = machine.l2.partitions as u64;
        channels * machine.dram.bus * machine.dram.clock_mhz * 1_000_000
    }

    #[test]
    fn machines_are_those_of_the_texts() {
        let maxwell = Preset::named("maxwell").unwrap();
        let Preset { llc, machine, .. } = &maxwell;
        assert_eq!((llc.capacity(), llc.banks), (2048 << 10, 16));
        assert_eq!(llc.capacity() / machine.l2.partitions as u64, 128 << 10);
        let sm = &machine.sm;
        assert_eq!(
            (sm.count, sm.threads, sm.warps, sm.blocks),
            (16, 3072, 96, 16)
        );
        assert_eq!((machine.l1d.mshrs, machine.l2.mshrs), (128, 128));
        assert_eq!(
            (machine.l1d.index, machine.l2.index),
            (Index::Xor, Index::Xor)
        );
        // 384 bits at 924 MHz, four times per cycle.
        assert_eq!(bandwidth(&maxwell), 48 * 4 * 924_000_000);

        let tx2 = Preset::named("tx2").unwrap();
        assert_eq!(tx2.llc.sets * tx2.llc.ways, 16384);
        assert_eq!((tx2.llc.capacity(), tx2.llc.sectors()), (512 << 10, 1));
        assert_eq!(bandwidth(&tx2), 58_400_000_000);
        // Four lines of the LLC; those of the others are as long as the LLC's.
        let l1d = &tx2.machine.l1d;
        assert_eq!(l1d.line_bytes(tx2.llc.line), 4 * tx2.llc.line);
        let lines = l1d.sets as u64 * l1d.ways as u64;
        assert_eq!(lines * l1d.line_bytes(tx2.llc.line), 24 << 10);
        for name in names().filter(|name| *name != "tx2") {
            let Preset { llc, machine, .. } = Preset::named(name).unwrap();
            assert_eq!(
                (machine.l1d.line, machine.l1d.line_bytes(llc.line)),
                (None, llc.line)
            );
        }

        let xavier = Preset::named("xavier").unwrap();
        assert_eq!(bandwidth(&xavier), 136_512_000_000);

        for name in names() {
            let preset = Preset::named(name).unwrap();
            MemorySystem::new(&preset.machine, preset.llc).unwrap();
        }
    }

    /// What the texts say of an L2 hit on an idle GPU, without the SM's part.
    #[test]
    fn hits_take_as_long_as_measured() {
        for (name, measured) in [("xavier", 193), ("tx2", 216)] {
            let Preset { llc, machine, .. } = Preset::named(name).unwrap();
            let mut memory = MemorySystem::new(&machine, llc).unwrap();
            let mut latency = 0;
            for (start, cycle) in [(0, 0..10_000), (10_000, 10_000..20_000)] {
                for cycle in cycle {
                    memory.tick(cycle, &mut |_| true);
                    if memory.reply(0, cycle).is_some() {
                        latency = cycle - start;
                    }
                    if cycle == start {
                        memory.push(Request {
                            sm: 0,
                            kernel: 0,
                            op: Op::Read,
                            line: 0,
                            sectors: 1,
                            mark: 0,
                            issued: cycle,
                        });
                    }
                }
            }
            // The L1D's miss queue takes a cycle more; one sector is one flit.
            assert_eq!(latency + 1, measured, "{name}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let text = Preset::text("xavier").unwrap();
        let broken = |from, to| {
            assert!(text.contains(from));
            Preset::from_toml(&text.replacen(from, to, 1))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            Preset::named("savier").unwrap_err().to_string(),
            "no preset \"savier\", expected one of: xavier, maxwell, maxwell-fit, tx2, fpga-small"
        );
        assert!(broken("sets = 256", "sets = 250").contains("llc.sets is 250"));
        assert!(broken("ways = 48", "ways = 65").contains("l1d.ways is 65"));
        assert!(broken("banks = 4", "bank = 4").contains("bank"));
        assert!(broken("count = 4", "count = true").contains("line"));
        assert_eq!(
            broken("ways = 48", "ways = 48\nline = 64"),
            "preset \"xavier\": machine.l1d.line is 64, expected a multiple of llc.line, which is 128"
        );
        assert_eq!(
            broken("flit = 40", "flit = 0"),
            "preset \"xavier\": machine.crossbar.flit is 0, expected 1 to 4096"
        );
    }
}
