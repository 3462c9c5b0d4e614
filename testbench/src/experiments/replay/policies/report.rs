//! The report of a comparison, as one document.

use cotenant_golden::llc::cache::{Geometry, KernelCounts};
use cotenant_golden::mgmt::policy::{Decision, Kind, Period};
use serde::{Deserialize, Serialize};

/// Version of the document's form; a change of a field's meaning changes it.
pub const POLICIES_SCHEMA: u32 = 1;

/// What the length of a period is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Cycles, as the trace has them.
    Cycles,
    /// Accesses of all kernels.
    Accesses,
}

impl Unit {
    /// As text says it.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Cycles => "cycles",
            Unit::Accesses => "accesses",
        }
    }
}

/// How often policies decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Periods {
    /// Length of a period.
    pub length: u64,
    /// What it is counted in.
    pub unit: Unit,
    /// Periods that ended, so that policies decided; those without accesses are not counted.
    pub ended: u64,
}

/// A period under one policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodReport {
    /// Where it begins, in the unit of its length.
    pub from: u64,
    /// What happened in it by kernel, and what had been decided before and held in it.
    #[serde(flatten)]
    pub period: Period,
}

/// A trace under one policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyReport {
    /// The policy.
    pub policy: Kind,
    /// Accesses to lines.
    pub accesses: u64,
    /// Tag hits.
    pub hits: u64,
    /// Tag misses.
    pub misses: u64,
    /// Misses as a part of LRU's; `None` if LRU has none.
    pub misses_of_lru: Option<f64>,
    /// Accesses, hits and misses by kernel.
    pub kernels: Vec<KernelCounts>,
    /// Valid lines that each kernel owns at the end.
    pub occupancy: Vec<u64>,
    /// What was decided last.
    pub decision: Decision,
    /// The periods that have accesses, the last one as far as the trace goes.
    pub periods: Vec<PeriodReport>,
}

/// A trace under several policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`POLICIES_SCHEMA`].
    pub schema: u32,
    /// The policies, LRU first.
    pub policies: Vec<PolicyReport>,
    /// The GPU's kernel.
    pub gpu: usize,
    /// How often policies decided.
    pub period: Periods,
    /// Records that are no accesses and were skipped: cache flushes of din traces.
    pub skipped: u64,
    /// The cache.
    pub geometry: Geometry,
    /// Whether the trace was read to its end.
    pub complete: bool,
}
