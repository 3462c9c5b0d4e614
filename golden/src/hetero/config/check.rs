//! Checks the configuration of a platform; errors name the key of its TOML table.

use super::{Config, Dram, Private};
use crate::hetero::clock::Clocks;
use crate::llc::MAX_WAYS;
use crate::mgmt::core_sampling::MAX_CORES;
use crate::mgmt::MAX_APPLICATIONS;
use crate::model::ParamError;

/// The longest latency of a part in cycles, far beyond any that there is.
const MAX_LATENCY: u64 = 1 << 20;

/// The most entries of a table.
const MAX_ENTRIES: u64 = 1 << 12;

/// The fastest clock in MHz.
const MAX_MHZ: u64 = 1 << 14;

impl Config {
    /// Whether there is such a platform.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault, by its key.
    pub fn check(&self) -> Result<(), ParamError> {
        self.check_l3()?;
        self.check_cpu()?;
        self.check_gpu()?;
        let noc = &self.noc;
        range("noc.clock-mhz", noc.clock_mhz, 1, MAX_MHZ)?;
        latency("noc.latency", noc.latency, 0)?;
        latency("noc.interval", noc.interval, 1)?;
        self.dram.check(self.l3.line)?;
        let sampling = &self.sampling;
        range("sampling.period", sampling.period, 1, 1 << 40)?;
        let last = self.gpu.cores as u64 - 1;
        range("sampling.pol1", sampling.pol1 as u64, 0, last)?;
        range("sampling.pol2", sampling.pol2 as u64, 0, last)?;
        if sampling.pol1 == sampling.pol2 {
            let others = (0..=last).filter(|&core| core != sampling.pol1 as u64);
            return Err(ParamError::NotOneOf {
                name: "sampling.pol2",
                value: sampling.pol2 as u64,
                known: others.collect(),
            });
        }
        Clocks::check(self)
    }

    fn check_l3(&self) -> Result<(), ParamError> {
        let l3 = &self.l3;
        range("l3.ways", l3.ways as u64, 1, MAX_WAYS as u64)?;
        range("l3.line", l3.line, 32, 1024)?;
        range("l3.tiles", l3.tiles as u64, 1, 64)?;
        let why = "tile is a field of address bits";
        ParamError::power_of_two("l3.tiles", l3.tiles as u64, why)?;
        latency("l3.latency", l3.latency, 1)?;
        self.geometry(1).check()
    }

    fn check_cpu(&self) -> Result<(), ParamError> {
        let cpu = &self.cpu;
        // One application is the GPU's.
        range(
            "cpu.cores",
            cpu.cores as u64,
            1,
            MAX_APPLICATIONS as u64 - 1,
        )?;
        range("cpu.clock-mhz", cpu.clock_mhz, 1, MAX_MHZ)?;
        range("cpu.width", cpu.width, 1, 16)?;
        range("cpu.reorder", cpu.reorder, cpu.width, MAX_ENTRIES)?;
        range("cpu.mshrs", cpu.mshrs as u64, 1, MAX_ENTRIES)?;
        let keys = [
            "cpu.l1d.size",
            "cpu.l1d.ways",
            "cpu.l1d.latency",
            "sets of cpu.l1d",
        ];
        cpu.l1d.check(self.l3.line, keys)?;
        let keys = [
            "cpu.l2.size",
            "cpu.l2.ways",
            "cpu.l2.latency",
            "sets of cpu.l2",
        ];
        cpu.l2.check(self.l3.line, keys)
    }

    fn check_gpu(&self) -> Result<(), ParamError> {
        let gpu = &self.gpu;
        range("gpu.cores", gpu.cores as u64, 2, MAX_CORES as u64)?;
        range("gpu.clock-mhz", gpu.clock_mhz, 1, MAX_MHZ)?;
        range("gpu.issue-cycles", gpu.issue_cycles, 1, 64)?;
        range("gpu.warps", gpu.warps as u64, 1, 256)?;
        range("gpu.mshrs", gpu.mshrs as u64, 1, MAX_ENTRIES)?;
        let keys = [
            "gpu.l1d.size",
            "gpu.l1d.ways",
            "gpu.l1d.latency",
            "sets of gpu.l1d",
        ];
        gpu.l1d.check(self.l3.line, keys)
    }
}

impl Private {
    fn check(&self, line: u64, keys: [&'static str; 4]) -> Result<(), ParamError> {
        let [size, ways, cycles, sets] = keys;
        range(ways, self.ways as u64, 1, MAX_WAYS as u64)?;
        range(size, self.size, line * self.ways as u64, 1 << 30)?;
        ParamError::multiple(size, self.size, "a way of one set", line * self.ways as u64)?;
        let why = "set is a field of address bits";
        ParamError::power_of_two(sets, self.sets(line), why)?;
        latency(cycles, self.latency, 1)
    }
}

impl Dram {
    fn check(&self, line: u64) -> Result<(), ParamError> {
        range("dram.clock-mhz", self.clock_mhz, 1, MAX_MHZ)?;
        range("dram.channels", self.channels as u64, 1, 64)?;
        let why = "channel is a field of address bits";
        ParamError::power_of_two("dram.channels", self.channels as u64, why)?;
        range("dram.banks", self.banks as u64, 1, 64)?;
        let why = "bank is a field of address bits";
        ParamError::power_of_two("dram.banks", self.banks as u64, why)?;
        range("dram.row", self.row, line, 1 << 20)?;
        ParamError::power_of_two("dram.row", self.row, "row is a field of address bits")?;
        range("dram.bus", self.bus, 1, 1 << 12)?;
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

fn latency(name: &'static str, value: u64, min: u64) -> Result<(), ParamError> {
    range(name, value, min, MAX_LATENCY)
}
