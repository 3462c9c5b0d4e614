//! A memory as a black box: it returns access times, and what they tell is all that is known.
//!
//! Source: Fractional GPUs, sections IV-B to IV-E and appendix B.
//!
//! | module | holds |
//! | --- | --- |
//! | `config` | [`Config`], the numbers of a memory: `gtx1080` and `v100` |
//! | `noise` | [`Noise`], what disturbs the times |
//! | `cache` | the sets of the L2, LRU |
//! | `dram` | banks with row buffers, FR-FCFS, the bus of a module |
//! | `run` | accesses that compete, cycle by cycle |
//! | `traffic` | the same under the traffic of a whole GPU |
//!
//! A module has sets, banks, MSHRs and a bus of its own (figure 6 (e)). A read goes to the set of
//! its address; a sector that is there comes back after the hit latency. One that is not takes an
//! MSHR, or waits for one in order, its row is opened if another one is open, its data goes over
//! the module's bus and into the set, in place of the least recently used line. All times are in
//! cycles of the GPU's clock.
//!
//! ASSUMPTION: hits pass misses that wait for an MSHR; a set takes any number of lookups in a
//! cycle. ASSUMPTION: what the paper reads to empty the cache leaves other rows open in all banks.
//!
//! ```
//! use cotenant_golden::addr::memory::{AccessTimes, Config, Memory, Noise};
//!
//! let gtx = Config { noise: Noise::default(), ..Config::named("gtx1080")? };
//! let mut memory = Memory::of(&gtx)?;
//! let typical = memory.read_pair(0, 128);
//! // Bit 18 and the bits that make up for it: the same bank, another row.
//! let conflict = (1..1 << 15).map(|row| row << 18).find(|other| memory.read_pair(0, *other) > 552);
//! assert!((495..=520).contains(&typical) && conflict.is_some());
//! # Ok::<(), cotenant_golden::addr::memory::MemoryError>(())
//! ```

mod cache;
mod config;
mod dram;
mod noise;
mod run;
pub(in crate::addr) mod traffic;

use std::ops::Range;

use super::gf2::Tables;
use super::mapping::{Field, Mapping};
use cache::Cache;
pub use config::{names, Config, Dram, MemoryError};
use dram::{Bank, Next, Timing};
pub use noise::Noise;
use run::{Module, Thread};

/// A memory of which access times are all that can be seen. Addresses are physical ones, as
/// algorithm 1 has them from a driver that allocates a contiguous range (`AllocGpuPhyMem`).
pub trait AccessTimes {
    /// The addresses that may be read.
    fn allocation(&self) -> Range<u64>;

    /// Empties the cache by reading enough other data (`ClearGpuCache`).
    fn clear(&mut self);

    /// Reads one address when nothing else is under way: cycles until its data is there.
    fn read(&mut self, address: u64) -> u64;

    /// Empties the cache, then reads two addresses back to back: cycles until the data of both is
    /// there (`IsGpuRowEvicted`).
    fn read_pair(&mut self, primary: u64, secondary: u64) -> u64;

    /// Reads addresses, each when the one before is there (`TraversePchase`).
    fn chase(&mut self, addresses: &[u64]) {
        for address in addresses {
            self.read(*address);
        }
    }
}

/// Where a sector is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    module: usize,
    bank: usize,
    set: usize,
    row: u64,
    /// The line's number tells lines of a set apart as a tag does.
    line: u64,
    sector: u32,
}

/// From addresses to places.
#[derive(Debug)]
struct Map {
    /// Set, bank and module, from the lowest bit.
    indices: Tables,
    row: Tables,
    set_bits: u32,
    bank_bits: u32,
    line: u64,
    sector: u64,
}

impl Map {
    fn new(mapping: &Mapping) -> Self {
        let of = |field| mapping.functions(field);
        let indices = [of(Field::Set), of(Field::Bank), of(Field::Module)].concat();
        let table = mapping.table();
        Self {
            indices: Tables::new(&indices),
            row: Tables::new(of(Field::Row)),
            set_bits: table.sets.ilog2(),
            bank_bits: table.banks.ilog2(),
            line: table.line,
            sector: table.sector,
        }
    }

    #[inline]
    fn place(&self, address: u64) -> Place {
        let indices = self.indices.apply(address);
        let bank = indices >> self.set_bits;
        Place {
            set: (indices & ((1 << self.set_bits) - 1)) as usize,
            bank: (bank & ((1 << self.bank_bits) - 1)) as usize,
            module: (bank >> self.bank_bits) as usize,
            row: self.row.apply(address),
            line: address / self.line,
            sector: (address % self.line / self.sector) as u32,
        }
    }
}

/// A memory.
#[derive(Debug)]
pub struct Memory {
    map: Map,
    range: Range<u64>,
    /// From issue to the set, and from there back.
    there: u64,
    back: u64,
    latency: u64,
    mshrs: usize,
    timing: Timing,
    cache: Cache,
    banks: Vec<Bank>,
    modules: Vec<Module>,
    noise: noise::Source,
    clearings: u64,
    now: u64,
}

impl Memory {
    /// The memory of a configuration, all of it allocated.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if there is no mapping of the name.
    pub fn of(config: &Config) -> Result<Self, MemoryError> {
        let mapping = config.named_mapping()?;
        let end = 1u64.checked_shl(mapping.table().width);
        Self::new(config, &mapping, 0..end.unwrap_or(u64::MAX))
    }

    /// A memory with any mapping, of which a range is allocated.
    ///
    /// # Errors
    /// [`MemoryError`] for numbers out of range, a mapping without rows, or a range that is empty
    /// or beyond the mapping's addresses.
    pub fn new(config: &Config, mapping: &Mapping, range: Range<u64>) -> Result<Self, MemoryError> {
        config.check().map_err(|source| MemoryError::Param {
            name: config.name.clone(),
            source,
        })?;
        config::fits(mapping, &range)?;
        let table = mapping.table();
        let there = config.hit_latency / 2;
        Ok(Self {
            map: Map::new(mapping),
            range,
            there,
            back: config.hit_latency - there,
            latency: config.latency,
            mshrs: config.mshrs,
            timing: config.timing(table.sector),
            cache: Cache::new(table.sets as usize, config.ways),
            banks: (0..table.banks).map(|_| Bank::new()).collect(),
            modules: (0..table.modules).map(|_| Module::default()).collect(),
            noise: noise::Source::new(config.noise),
            clearings: 0,
            now: 0,
        })
    }

    /// Cycles since the beginning.
    pub fn cycles(&self) -> u64 {
        self.now
    }

    /// One read with nothing beside it, without noise.
    fn alone(&mut self, address: u64) -> u64 {
        let place = self.map.place(address);
        if self.cache.read(place.set, place.line, place.sector) {
            self.now += self.there + self.back;
            return self.there + self.back;
        }
        let bank = &mut self.banks[place.bank];
        bank.push(0, place.row, self.clearings);
        let mut at = self.now + self.there;
        while let Some(next) = bank.next(at, &self.timing) {
            match next {
                Next::Ask(free) => at = free,
                Next::Column(column) => at = column,
            }
        }
        let bus = &mut self.modules[place.module].bus;
        if let Some((_, data)) = bank.column(at, bus, &self.timing) {
            at = data;
        }
        self.cache.fill(place.set, place.line, place.sector);
        let time = at + self.latency + self.back - self.now;
        self.now += time;
        time
    }

    /// Threads that read their addresses in turn, over and over, each waiting for its data before
    /// it reads the next one: cycles that a read of the first thread takes on average, over as
    /// many of its reads (section IV-E, figure 8). Thread n begins in cycle n.
    ///
    /// # Panics
    /// If there is no thread, or one without addresses.
    pub fn contend(&mut self, threads: &[Vec<u64>], reads: u64) -> f64 {
        let threads = threads.iter().zip(0..).map(|(addresses, start)| Thread {
            addresses: addresses.clone(),
            start,
            reads: u64::MAX,
        });
        let mut threads: Vec<Thread> = threads.collect();
        assert!(threads.iter().all(|thread| !thread.addresses.is_empty()));
        threads[0].reads = reads.max(1);
        let start = self.now;
        (self.run(&threads, Some(0)) - start) as f64 / threads[0].reads as f64
    }
}

impl AccessTimes for Memory {
    fn allocation(&self) -> Range<u64> {
        self.range.clone()
    }

    fn clear(&mut self) {
        self.cache.clear();
        self.clearings += 1;
    }

    fn read(&mut self, address: u64) -> u64 {
        self.alone(address) + self.noise.delay()
    }

    fn read_pair(&mut self, primary: u64, secondary: u64) -> u64 {
        self.clear();
        let time = match self.noise.apart() {
            true => self.alone(primary).max(self.alone(secondary)),
            false => {
                let thread = |(address, start)| Thread {
                    addresses: vec![address],
                    start,
                    reads: 1,
                };
                let start = self.now;
                self.run(&[(primary, 0), (secondary, 1)].map(thread), None) - start
            }
        };
        time + self.noise.delay()
    }

    fn chase(&mut self, addresses: &[u64]) {
        for address in addresses {
            self.alone(*address);
        }
    }
}

#[cfg(test)]
mod tests;
