//! The five cases of figure 8: how long a word takes one thread beside others.
//!
//! Source: Fractional GPUs, section IV-E and figure 8. "We launch n CUDA blocks on GTX 1080, each
//! containing one thread, where n varies from 1 to 50." Each thread reads a list of addresses of
//! its own in a loop, one at a time, all in one set and one bank and more lines than the set's
//! associativity, so that all of them come from DRAM. The thread of the first block is the primary
//! one; the others are on other SMs, so that they meet it in the memory only.
//!
//! Addresses come from the inverse of the mapping: the lines of a set by their tags
//! ([`Mapping::line_address`]), of which those in the bank are taken.
//!
//! ASSUMPTION: all secondary threads are in one set and one bank; the paper says where they are
//! beside the primary thread, not beside each other.
//!
//! ```no_run
//! use cotenant_golden::addr::isolation::cases::{cases, CasesConfig};
//!
//! let rows = cases(&CasesConfig::named("gtx1080")?, &mut |_, _| true)?;
//! let worst = rows.iter().map(|row| row.normalised).fold(0.0, f64::max);
//! assert!(worst > 10.0);
//! # Ok::<(), cotenant_golden::addr::isolation::IsolationError>(())
//! ```

use serde::Serialize;

use super::IsolationError;
use crate::addr::mapping::{Location, Mapping};
use crate::addr::memory::{Config, Memory};

/// Where the secondary threads read, beside the primary one (section IV-E).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Case {
    /// Same cache set, same bank.
    #[serde(rename = "SCSB")]
    Scsb,
    /// Different cache set, same bank.
    #[serde(rename = "DCSB")]
    Dcsb,
    /// Same cache set, different bank.
    #[serde(rename = "SCDB")]
    Scdb,
    /// Different cache set and bank, same module.
    #[serde(rename = "DCDB")]
    Dcdb,
    /// Different module.
    #[serde(rename = "DM")]
    Dm,
}

impl Case {
    /// All cases, in the paper's order.
    pub const ALL: [Self; 5] = [Self::Scsb, Self::Dcsb, Self::Scdb, Self::Dcdb, Self::Dm];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scsb => "SCSB",
            Self::Dcsb => "DCSB",
            Self::Scdb => "SCDB",
            Self::Dcdb => "DCDB",
            Self::Dm => "DM",
        }
    }

    /// Whether a place is as the case says beside the primary thread's.
    pub fn holds(self, primary: &Location, other: &Location) -> bool {
        let set = primary.set == other.set;
        let bank = primary.bank == other.bank;
        let module = primary.module == other.module;
        match self {
            Self::Scsb => set && bank,
            Self::Dcsb => !set && bank,
            Self::Scdb => set && !bank,
            Self::Dcdb => !set && !bank && module,
            Self::Dm => !module,
        }
    }
}

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct CasesConfig {
    /// The memory.
    pub memory: Config,
    /// The mapping of its addresses.
    pub mapping: Mapping,
    /// Blocks of one thread each, the primary thread's included; 1 to 1024 each.
    pub blocks: Vec<u64>,
    /// Lines of a thread, more than the ways of a set.
    pub lines: u64,
    /// Reads of the primary thread of which the time is the average.
    pub reads: u64,
    /// The cases.
    pub cases: Vec<Case>,
}

impl CasesConfig {
    /// Figure 8 on a memory that comes with the crate: all cases, 1 to 50 blocks.
    ///
    /// # Errors
    /// [`IsolationError::Memory`] if there is no such memory.
    pub fn named(memory: &str) -> Result<Self, IsolationError> {
        let memory = Config::named(memory)?;
        Ok(Self {
            mapping: memory.named_mapping()?,
            blocks: (1..=50).collect(),
            lines: memory.ways as u64 + 4,
            reads: 200,
            cases: Case::ALL.to_vec(),
            memory,
        })
    }

    fn check(&self) -> Result<(), IsolationError> {
        let wrong = IsolationError::setting;
        if self.lines <= self.memory.ways as u64 || self.lines > 1 << 12 {
            let expected = format!("more than the {} ways of a set, to 4096", self.memory.ways);
            return Err(wrong("lines", self.lines, &expected));
        }
        if !(1..=1 << 20).contains(&self.reads) {
            return Err(wrong("reads", self.reads, "1 to 1048576"));
        }
        let bad = self.blocks.iter().find(|it| !(1..=1024).contains(*it));
        match bad {
            Some(blocks) => Err(wrong("blocks", *blocks, "1 to 1024")),
            None => Ok(()),
        }
    }
}

/// A point of a curve of figure 8.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CaseRow {
    /// The case.
    pub case: Case,
    /// Blocks of one thread each, the primary thread's included.
    pub blocks: u64,
    /// Cycles of the GPU that a read takes the primary thread on average.
    pub cycles: f64,
    /// The same as a multiple of what it takes without other threads.
    pub normalised: f64,
}

/// Measures each case with each number of blocks. `progress` is told how many points of how many
/// are done, and returns whether to go on; if not, there are the rows so far.
///
/// # Errors
/// [`IsolationError`] for numbers out of range, or a mapping that has no such addresses.
pub fn cases(
    config: &CasesConfig,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Vec<CaseRow>, IsolationError> {
    config.check()?;
    let most = config.blocks.iter().copied().max().unwrap_or(1);
    let home = config.mapping.map(0);
    let lines = Lines { config };
    let primary = lines.of(Case::Scsb, &home, config.lines)?;
    let alone = measure(config, std::slice::from_ref(&primary))?;
    let total = (config.cases.len() * config.blocks.len()) as u64;
    let mut rows = vec![];
    if !progress(0, total) {
        return Ok(rows);
    }
    for case in &config.cases {
        // The primary thread's own lines come first where they are in the same place.
        let own = if *case == Case::Scsb { config.lines } else { 0 };
        let place = lines.place(*case, &home)?;
        let others = lines.of(*case, &place, own + (most - 1) * config.lines)?;
        let others: Vec<_> = others[own as usize..]
            .chunks(config.lines as usize)
            .collect();
        for blocks in &config.blocks {
            let threads = others.iter().take(*blocks as usize - 1);
            let mut threads: Vec<Vec<u64>> = threads.map(|it| it.to_vec()).collect();
            threads.insert(0, primary.clone());
            let cycles = measure(config, &threads)?;
            rows.push(CaseRow {
                case: *case,
                blocks: *blocks,
                cycles,
                normalised: cycles / alone,
            });
            if !progress(rows.len() as u64, total) {
                return Ok(rows);
            }
        }
    }
    Ok(rows)
}

/// Cycles of a read of the first thread.
fn measure(config: &CasesConfig, threads: &[Vec<u64>]) -> Result<f64, IsolationError> {
    let end = 1u64.checked_shl(config.mapping.table().width);
    let range = 0..end.unwrap_or(u64::MAX);
    let mut memory = Memory::new(&config.memory, &config.mapping, range)?;
    Ok(memory.contend(threads, config.reads))
}

/// Finds addresses.
struct Lines<'a> {
    config: &'a CasesConfig,
}

impl Lines<'_> {
    fn name(&self) -> String {
        self.config.mapping.table().name.clone()
    }

    /// The first place, by tag and set, that is as the case says.
    fn place(&self, case: Case, home: &Location) -> Result<Location, IsolationError> {
        let mapping = &self.config.mapping;
        let sets = match case {
            Case::Scsb | Case::Scdb => home.set..home.set + 1,
            _ => 0..mapping.table().sets,
        };
        // A set is in one module, so that one of its lines tells.
        let tags = if case == Case::Dm { 1 } else { usize::MAX };
        let places = sets.flat_map(|set| {
            let addresses = self.set(set).take(tags);
            addresses.map(|address| mapping.map(address))
        });
        let mut fitting = places.filter(|place| case.holds(home, place));
        let (mapping, case) = (self.name(), case.name());
        fitting
            .next()
            .ok_or(IsolationError::NoPlace { mapping, case })
    }

    /// The lines of a set, by tag.
    fn set(&self, set: u64) -> impl Iterator<Item = u64> + '_ {
        let mapping = &self.config.mapping;
        let tags = 0..1u64 << 32;
        tags.map_while(move |tag| mapping.line_address(set, tag, 0))
    }

    /// So many lines in the set and bank of a place, by tag.
    fn of(&self, case: Case, place: &Location, asked: u64) -> Result<Vec<u64>, IsolationError> {
        let mapping = &self.config.mapping;
        if mapping.line_address(place.set, 0, 0).is_none() {
            let mapping = self.name();
            return Err(IsolationError::NoInverse { mapping });
        }
        let same = |address: &u64| mapping.map(*address).bank == place.bank;
        let lines: Vec<u64> = self
            .set(place.set)
            .filter(same)
            .take(asked as usize)
            .collect();
        if (lines.len() as u64) < asked {
            return Err(IsolationError::TooFewLines {
                mapping: self.name(),
                case: case.name(),
                set: place.set,
                bank: place.bank,
                found: lines.len() as u64,
                asked,
            });
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests;
