//! Which numbers make a GPU. Names are keys of its TOML table.

use super::{Config, Crossbar, Dram, L1d, Sm, L2, MAX_LATENCY};
use crate::llc::cache::Geometry;
use crate::model::ParamError;

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
        self.l1d.check()?;
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
        let schedulers = ("sm.schedulers", self.schedulers as u64);
        multiple(("sm.warps", self.warps.into()), schedulers)?;
        range("sm.blocks", self.blocks.into(), 1, 1 << 10)?;
        range("sm.registers", self.registers.into(), 1, 1 << 24)?;
        range("sm.shared-memory", self.shared_memory.into(), 0, 1 << 24)?;
        range("sm.lsu-queue", self.lsu_queue as u64, 1, 1 << 10)
    }
}

impl L1d {
    fn check(&self) -> Result<(), ParamError> {
        range("l1d.sets", self.sets as u64, 1, 1 << 16)?;
        let why = "set is a field of address bits";
        power_of_two("l1d.sets", self.sets as u64, why)?;
        range("l1d.ways", self.ways as u64, 1, 64)?;
        latency("l1d.hit-latency", self.hit_latency, 1)?;
        range("l1d.mshrs", self.mshrs as u64, 1, MAX_ENTRIES)?;
        range("l1d.mshr-merges", self.mshr_merges as u64, 1, MAX_ENTRIES)?;
        range("l1d.miss-queue", self.miss_queue as u64, 1, MAX_ENTRIES)
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
        let partitions = ("l2.partitions", self.partitions as u64);
        multiple(("llc.banks", geometry.banks as u64), partitions)?;
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
        power_of_two("dram.banks", self.banks as u64, why)?;
        range("dram.row", self.row, geometry.line, 1 << 20)?;
        power_of_two("dram.row", self.row, "row is a field of address bits")?;
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

fn power_of_two(name: &'static str, value: u64, why: &'static str) -> Result<(), ParamError> {
    if value.is_power_of_two() {
        return Ok(());
    }
    Err(ParamError::NotPowerOfTwo { name, value, why })
}

fn multiple(
    (name, value): (&'static str, u64),
    (of, divisor): (&'static str, u64),
) -> Result<(), ParamError> {
    if value % divisor == 0 {
        return Ok(());
    }
    Err(ParamError::NotMultiple {
        name,
        value,
        of,
        divisor,
    })
}

#[cfg(test)]
mod tests {
    //! Rationale: each number has a least legal value that works and one below it that must be
    //! named by its key in the TOML text; three have a form, two are tied to another one.
    use super::*;
    use crate::presets::Preset;

    /// What is said of the `maxwell` preset with one number replaced.
    fn replaced(key: &str, value: u32) -> Result<(), String> {
        let preset = Preset::named("maxwell").unwrap();
        let mut whole = toml::Table::try_from(&preset.machine).unwrap();
        let (table, last) = match key.split_once('.') {
            Some((sub, last)) => (whole[sub].as_table_mut().unwrap(), last),
            None => (&mut whole, key),
        };
        let old = table.insert(last.to_owned(), value.into());
        assert!(old.is_some_and(|old| old.is_integer()), "{key}");
        let config: Config = whole.try_into().unwrap();
        config.check(&preset.llc).map_err(|error| error.to_string())
    }

    #[test]
    fn every_number_has_a_least_value_and_is_named() {
        let least = [
            ("clock-mhz", 1),
            ("sm.count", 1),
            ("sm.schedulers", 3),
            ("sm.threads", 32),
            ("sm.warps", 4),
            ("sm.blocks", 1),
            ("sm.registers", 1),
            ("sm.lsu-queue", 1),
            ("l1d.sets", 1),
            ("l1d.ways", 1),
            ("l1d.hit-latency", 1),
            ("l1d.mshrs", 1),
            ("l1d.mshr-merges", 1),
            ("l1d.miss-queue", 1),
            ("crossbar.flit", 1),
            ("crossbar.header", 1),
            ("crossbar.latency", 1),
            ("crossbar.queue", 1),
            ("l2.partitions", 1),
            ("l2.hit-latency", 1),
            ("l2.mshrs", 1),
            ("l2.mshr-merges", 1),
            ("l2.miss-queue", 2),
            ("dram.clock-mhz", 1),
            ("dram.banks", 1),
            ("dram.row", 128),
            ("dram.bus", 1),
            ("dram.queue", 1),
            ("dram.t-rp", 1),
            ("dram.t-rcd", 1),
            ("dram.t-ras", 1),
            ("dram.t-cl", 1),
        ];
        for (key, value) in least {
            replaced(key, value).unwrap();
            // Three schedulers have 96 warps at most, which the preset has; two have fewer.
            let named = if key == "sm.schedulers" {
                "sm.warps"
            } else {
                key
            };
            let message = replaced(key, value - 1).unwrap_err();
            assert!(message.starts_with(&format!("{named} is ")), "{message}");
            if key != "sm.schedulers" {
                assert!(replaced(key, u32::MAX).unwrap_err().starts_with(key));
            }
        }
        for none in ["sm.shared-memory", "dram.latency"] {
            replaced(none, 0).unwrap();
            assert!(replaced(none, u32::MAX).unwrap_err().starts_with(none));
        }
    }

    #[test]
    fn forms_and_ties_are_named() {
        for (key, value, message) in [
            (
                "l1d.sets",
                24,
                "l1d.sets is 24, expected a power of two: the set is",
            ),
            (
                "dram.banks",
                12,
                "dram.banks is 12, expected a power of two",
            ),
            (
                "dram.row",
                3000,
                "dram.row is 3000, expected a power of two",
            ),
            (
                "l2.partitions",
                5,
                "llc.banks is 16, expected a multiple of l2.partitions",
            ),
            (
                "sm.warps",
                95,
                "sm.warps is 95, expected a multiple of sm.schedulers, which is 4",
            ),
        ] {
            let found = replaced(key, value).unwrap_err();
            assert!(found.starts_with(message), "{found}");
        }
    }
}
