//! The result of comparing a dump.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use crate::verify::coverage::CoverageReport;

/// The first output in which the dump differs from the golden model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mismatch {
    /// The cycle, counted in edges of the clock from 0.
    pub cycle: u64,
    /// When the edge is that ends it, in time units of the dump.
    pub time: u64,
    /// The same with its unit.
    pub when: String,
    /// The port, or an element of it.
    pub port: String,
    /// Where the map takes the port from.
    pub signal: String,
    /// Its value in the dump: hexadecimal, or binary where a bit is unknown.
    pub dut: String,
    /// Its value in the golden model.
    pub golden: String,
}

/// The inputs of a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Given {
    /// The cycle, counted in edges of the clock from 0.
    pub cycle: u64,
    /// Each port with its value, element 0 in the low bits, in hexadecimal.
    pub inputs: Vec<(&'static str, String)>,
}

/// A dump held to a golden model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The unit.
    pub unit: &'static str,
    /// Its parameter set.
    pub set: String,
    /// The dump.
    pub path: PathBuf,
    /// Edges of the clock seen.
    pub cycles: u64,
    /// Cycles in which all outputs were compared: of a unit with RAM those in which it is ready.
    pub compared: u64,
    /// Cycles before the first reset and in its first cycle, and those of this reset whose inputs
    /// were unknown or illegal: nothing was compared in them.
    pub skipped: u64,
    /// Cycles with unknown bits on inputs that the unit ignores in them: whatever they are, it does the
    /// same.
    pub unknown: u64,
    /// When the first reset was seen, with its unit; nothing for a unit without one.
    pub first_reset: Option<String>,
    /// Outputs that were not compared, because the map says so.
    pub ignored: Vec<&'static str>,
    /// The first difference, if there was one.
    pub mismatch: Option<Mismatch>,
    /// The inputs of the cycles that lead to the first difference, its own last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Given>,
    /// Further cycles that differ, the first output of each, if they were asked for. The golden model
    /// goes on as if nothing had happened, so that they may follow from the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Mismatch>,
    /// What the dump's inputs hit of the functional coverage, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageReport>,
    /// The waves, if some were asked for and there was something to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave: Option<PathBuf>,
}

impl Report {
    /// No difference.
    pub fn passed(&self) -> bool {
        self.mismatch.is_none()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cycle,
            when,
            port,
            signal,
            dut,
            golden,
            ..
        } = self;
        write!(
            f,
            "cycle {cycle} at {when}: {port} ({signal}): dut {dut}, golden {golden}"
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}: ", self.unit, self.set, self.path.display())?;
        match &self.mismatch {
            Some(mismatch) => write!(f, "{mismatch}")?,
            None => write!(f, "no mismatch")?,
        }
        for mismatch in &self.more {
            write!(f, "\n  {mismatch}")?;
        }
        if !self.before.is_empty() {
            write!(f, "\n  inputs up to the first mismatch:")?;
        }
        for Given { cycle, inputs } in &self.before {
            let inputs: Vec<String> = inputs
                .iter()
                .map(|(port, value)| format!("{port} {value}"))
                .collect();
            write!(f, "\n    cycle {cycle}: {}", inputs.join(", "))?;
        }
        let cycles = |n: u64| format!("{n} cycle{}", if n == 1 { "" } else { "s" });
        write!(f, "\n  {} compared", cycles(self.compared))?;
        if let Some(first) = &self.first_reset {
            write!(
                f,
                "; comparison starts with the first reset, seen at {first}: {} skipped",
                cycles(self.skipped)
            )?;
        }
        if self.unknown > 0 {
            let cycles = cycles(self.unknown);
            write!(
                f,
                "\n  {cycles} with X or Z on inputs that are ignored in them"
            )?;
        }
        if !self.ignored.is_empty() {
            write!(f, "\n  not compared: {}", self.ignored.join(", "))?;
        }
        if let Some(wave) = &self.wave {
            write!(f, "\n  wave {}", wave.display())?;
        }
        match &self.coverage {
            Some(coverage) => write!(f, "\n{coverage}"),
            None => Ok(()),
        }
    }
}
