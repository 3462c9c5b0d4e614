//! What an application does: where its accesses go, and how many it makes before it waits.
//!
//! Source: TAP, section 2.2: what tells the types of applications apart is how often they access
//! memory, how far away reuse is, and whether multi-threading hides the latency.
//!
//! ASSUMPTION: an application does the same all the time, though not with the same data
//! ([`Part::moves`]). Its accesses are drawn: each belongs to
//! one of its [`Part`]s. Those that any first-level cache holds are left out, as are instructions'
//! fetches and stores: they are part of the time between two accesses.
//! ASSUMPTION: cores share no data. A GPU's application divides each part's footprint among the
//! cores, as thread blocks work on different elements.

use serde::{Deserialize, Serialize};

use super::config::Config;
use crate::model::ParamError;

/// The longest pause between two accesses in instructions: one access in so many.
pub const THOUSAND: u64 = 1000;

/// The most bytes of a part.
pub const MAX_BYTES: u64 = 1 << 32;

/// In which order a part's lines are accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Drawn: line number `lines * u^power` with `u` uniform from 0 to 1. All lines are as likely
    /// with power 1; the larger it is, the shorter are most reuse distances.
    Drawn {
        /// 1 to 8.
        power: u32,
    },
    /// One after another, over and over: with LRU all hit or all miss.
    Loop,
}

/// Data that are accessed in the same manner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Accesses of this part in so many as all weights add up to.
    pub weight: u32,
    /// Footprint in bytes; far beyond any cache for a stream.
    pub bytes: u64,
    /// The order.
    pub pattern: Pattern,
    /// Each access needs the data of the part's last one, as in a list. Not looked at for a GPU.
    pub chained: bool,
    /// Accesses in a thousand after which the footprint moves on by one line: a line is given up
    /// and a new one begun. A loop's does not move. Without it a line that was kept once is kept
    /// for ever, however new ones are inserted, and core sampling does not see a difference.
    pub moves: u32,
}

impl Part {
    /// Lines that are accessed once.
    pub const fn stream(weight: u32) -> Self {
        Self {
            weight,
            bytes: MAX_BYTES,
            pattern: Pattern::Loop,
            chained: false,
            moves: 0,
        }
    }

    /// Lines that are drawn.
    pub const fn drawn(weight: u32, bytes: u64, power: u32) -> Self {
        Self {
            weight,
            bytes,
            pattern: Pattern::Drawn { power },
            chained: false,
            moves: 0,
        }
    }

    /// Lines in a loop.
    pub const fn looped(weight: u32, bytes: u64) -> Self {
        Self {
            weight,
            bytes,
            pattern: Pattern::Loop,
            chained: false,
            moves: 0,
        }
    }

    /// The same with a footprint that moves.
    pub const fn moving(self, moves: u32) -> Self {
        Self { moves, ..self }
    }

    /// The same as a list.
    pub const fn chained(self) -> Self {
        Self {
            chained: true,
            ..self
        }
    }
}

/// How an application runs on a CPU core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cpu {
    /// Time of an instruction, if no access misses the core's own caches, in parts of a cycle as
    /// many as the core is wide: 4 is an IPC of 1. ASSUMPTION: mispredicted branches are in it.
    pub slots: u64,
}

/// How an application runs on the GPU's cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Warps of a core.
    pub warps: usize,
    /// Memory instructions that a warp issues before it waits for one of them.
    pub loads: u32,
    /// Lines that a memory instruction accesses: 1 if the warp's accesses coalesce.
    pub lines: u32,
}

/// An application; `P` is [`Cpu`] or [`Gpu`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application<P> {
    /// What it is called.
    pub name: String,
    /// Memory instructions in a thousand.
    pub memory: u64,
    /// Where they go.
    pub parts: Vec<Part>,
    /// How it runs.
    pub on: P,
}

impl<P> Application<P> {
    fn check_parts(&self, line: u64, cores: u64) -> Result<(), ParamError> {
        ParamError::range("memory", self.memory, 1, THOUSAND / 2)?;
        ParamError::range("number of parts", self.parts.len() as u64, 1, 8)?;
        for part in &self.parts {
            ParamError::range("moves", part.moves.into(), 0, THOUSAND)?;
            ParamError::range("weight", part.weight.into(), 1, 1 << 16)?;
            ParamError::range("bytes", part.bytes, line * cores, MAX_BYTES)?;
            if let Pattern::Drawn { power } = part.pattern {
                ParamError::range("power", power.into(), 1, 8)?;
            }
        }
        Ok(())
    }
}

impl Application<Cpu> {
    /// Whether it runs on a platform.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault.
    pub fn check(&self, config: &Config) -> Result<(), ParamError> {
        self.check_parts(config.l3.line, 1)?;
        ParamError::range("slots", self.on.slots, 1, 1 << 10)
    }
}

impl Application<Gpu> {
    /// Whether it runs on a platform.
    ///
    /// # Errors
    /// [`ParamError`] with the first number at fault.
    pub fn check(&self, config: &Config) -> Result<(), ParamError> {
        let gpu = &config.gpu;
        self.check_parts(config.l3.line, gpu.cores as u64)?;
        ParamError::range("warps", self.on.warps as u64, 1, gpu.warps as u64)?;
        ParamError::range("loads", self.on.loads.into(), 1, 64)?;
        ParamError::range("lines", self.on.lines.into(), 1, 32)
    }
}
