//! The result of comparing a dump.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

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
    /// When the first reset was seen, with its unit; nothing for a unit without one.
    pub first_reset: Option<String>,
    /// Outputs that were not compared, because the map says so.
    pub ignored: Vec<&'static str>,
    /// The first difference, if there was one.
    pub mismatch: Option<Mismatch>,
}

impl Report {
    /// No difference.
    pub fn passed(&self) -> bool {
        self.mismatch.is_none()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}: ", self.unit, self.set, self.path.display())?;
        match &self.mismatch {
            Some(Mismatch {
                cycle,
                when,
                port,
                signal,
                dut,
                golden,
                ..
            }) => write!(
                f,
                "cycle {cycle} at {when}: {port} ({signal}): dut {dut}, golden {golden}"
            )?,
            None => write!(f, "no mismatch")?,
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
        if !self.ignored.is_empty() {
            write!(f, "\n  not compared: {}", self.ignored.join(", "))?;
        }
        Ok(())
    }
}
