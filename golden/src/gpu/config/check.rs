//! Checks the configuration of a GPU; errors name the key of its TOML table.

use super::{Config, Crossbar, Dram, Index, L1d, Sm, L2, MAX_LATENCY};
use crate::llc::cache::{Geometry, MAX_LINE};
use crate::model::ParamError;
use crate::workload::SECTOR;

/// The most entries of a queue or table.
const MAX_ENTRIES: u64 = 1 << 12;

impl Config {
    /// Whether such a GPU exists, with an L2 of these dimensions.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault, by its key.
    pub fn check(&self, geometry: &Geometry) -> Result<(), ParamError> {
        geometry.check()?;
        range("clock-mhz", self.clock_mhz, 1, 1 << 16)?;
        self.sm.check()?;
        self.l1d.check(geometry)?;
        self.crossbar.check()?;
        self.l2.check(geometry)?;
        self.dram.check(geometry)
    }
}

impl Sm {
    fn check(&self) -> Result<(), ParamError> {
        range("sm.count", self.count as u64, 1, 64)?;
        range("sm.schedulers", self.schedulers as u64, 1, 32)?;
        range("sm.threads", self.threads.into(), 32, 1 << 16)?;
        let most = 32 * self.schedulers as u64;
        range("sm.warps", self.warps.into(), self.schedulers as u64, most)?;
        let schedulers = self.schedulers as u64;
        ParamError::multiple("sm.warps", self.warps.into(), "sm.schedulers", schedulers)?;
        range("sm.blocks", self.blocks.into(), 1, 1 << 10)?;
        range("sm.registers", self.registers.into(), 1, 1 << 24)?;
        range("sm.shared-memory", self.shared_memory.into(), 0, 1 << 24)?;
        range("sm.lsu-queue", self.lsu_queue as u64, 1, 1 << 10)
    }
}

impl L1d {
    fn check(&self, geometry: &Geometry) -> Result<(), ParamError> {
        range("l1d.sets", self.sets as u64, 1, 1 << 16)?;
        let why = "set is a field of address bits";
        ParamError::power_of_two("l1d.sets", self.sets as u64, why)?;
        range("l1d.ways", self.ways as u64, 1, 64)?;
        if let Some(line) = self.line {
            range("l1d.line", line, SECTOR, MAX_LINE)?;
            let why = "byte in a line is a field of address bits";
            ParamError::power_of_two("l1d.line", line, why)?;
            // A reply of the L2 fills one line at most.
            ParamError::multiple("l1d.line", line, "llc.line", geometry.line)?;
        }
        match self.index {
            Index::Bits | Index::Xor => {}
            // What it is made of are these address bits.
            Index::Fermi => {
                range("l1d.sets", self.sets as u64, 32, 64)?;
                range("l1d.line", self.line_bytes(geometry.line), 128, 128)?;
            }
            Index::Slices => {
                return Err(ParamError::Unfit {
                    name: "l1d.index",
                    value: "slices",
                    expected: "bits, xor or fermi: an L1D has no partitions",
                })
            }
        }
        latency("l1d.hit-latency", self.hit_latency, 1)?;
        range("l1d.mshrs", self.mshrs as u64, 1, MAX_ENTRIES)?;
        range("l1d.mshr-merges", self.mshr_merges as u64, 1, MAX_ENTRIES)?;
        // All requests of a miss enter at once.
        let requests = self.line_bytes(geometry.line) / geometry.line;
        range(
            "l1d.miss-queue",
            self.miss_queue as u64,
            requests,
            MAX_ENTRIES,
        )
    }
}

impl Crossbar {
    fn check(&self) -> Result<(), ParamError> {
        range("crossbar.flit", self.flit, 1, 1 << 12)?;
        range("crossbar.header", self.header, 1, 1 << 12)?;
        latency("crossbar.latency", self.latency, 1)?;
        range("crossbar.queue", self.queue as u64, 1, MAX_ENTRIES)
    }
}

impl L2 {
    fn check(&self, geometry: &Geometry) -> Result<(), ParamError> {
        range("llc.banks", geometry.banks as u64, 1, MAX_ENTRIES)?;
        range("l2.partitions", self.partitions as u64, 1, 64)?;
        let (banks, partitions) = (geometry.banks as u64, self.partitions as u64);
        ParamError::multiple("llc.banks", banks, "l2.partitions", partitions)?;
        if self.index == Index::Fermi {
            return Err(ParamError::Unfit {
                name: "l2.index",
                value: "fermi",
                expected: "bits, xor or slices: fermi is a hash of an L1D",
            });
        }
        latency("l2.hit-latency", self.hit_latency, 1)?;
        range("l2.mshrs", self.mshrs as u64, 1, MAX_ENTRIES)?;
        range("l2.mshr-merges", self.mshr_merges as u64, 1, MAX_ENTRIES)?;
        // A miss may need two at once: its fetch and a write-back.
        range("l2.miss-queue", self.miss_queue as u64, 2, MAX_ENTRIES)
    }
}

impl Dram {
    fn check(&self, geometry: &Geometry) -> Result<(), ParamError> {
        range("dram.clock-mhz", self.clock_mhz, 1, 1 << 16)?;
        range("dram.banks", self.banks as u64, 1, 64)?;
        let why = "bank is a field of address bits";
        ParamError::power_of_two("dram.banks", self.banks as u64, why)?;
        range("dram.row", self.row, geometry.line, 1 << 20)?;
        ParamError::power_of_two("dram.row", self.row, "row is a field of address bits")?;
        range("dram.bus", self.bus, 1, 1 << 12)?;
        range("dram.queue", self.queue as u64, 1, MAX_ENTRIES)?;
        latency("dram.t-rp", self.t_rp, 1)?;
        latency("dram.t-rcd", self.t_rcd, 1)?;
        latency("dram.t-ras", self.t_ras, 1)?;
        latency("dram.t-cl", self.t_cl, 1)?;
        latency("dram.latency", self.latency, 0)
    }
}

fn range(name: &'static str, value: u64, min: u64, max: u64) -> Result<(), ParamError> {
    ParamError::range(name, value, min, max)
}

fn latency(name: &'static str, value: u32, min: u32) -> Result<(), ParamError> {
    range(name, value.into(), min.into(), MAX_LATENCY.into())
}
