//! The report of a replay, as one document.

use super::attribution::{Attribution, Pass};
use cotenant_golden::llc::cache::{Counts, Geometry, KernelCounts};
use cotenant_golden::metrics::Contention;
use serde::{Deserialize, Serialize};

/// Version of the document's form; a change of a field's meaning changes it.
pub const SCHEMA: u32 = 1;

/// A row of shares, fractions of one; `None` without events.
pub type Row = Option<Vec<f64>>;

/// What ran beside the golden cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beside {
    /// An `llc_monitor`.
    #[serde(rename = "llc_monitor")]
    LlcMonitor,
    /// One `lru_stack` per set and one `gdcu` per bank.
    #[serde(rename = "lru_stack, gdcu")]
    Units,
}

impl std::fmt::Display for Beside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Beside::LlcMonitor => "llc_monitor",
            Beside::Units => "lru_stack and gdcu",
        })
    }
}

/// Cycles that netlists and golden models ran side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockstepCount {
    /// The hardware.
    pub hardware: Beside,
    /// Cycles compared, of all units together.
    pub cycles: u64,
    /// Cycles that differed.
    pub mismatches: u64,
}

/// The result of a replay. Matrices are `[victim][aggressor]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Accesses to lines.
    pub accesses: u64,
    /// Records that are no accesses and were skipped: cache flushes of din traces.
    pub skipped: u64,
    /// Tag hits.
    pub hits: u64,
    /// Tag misses.
    pub misses: u64,
    /// Misses that replaced a valid line.
    pub evictions: u64,
    /// Tag hits that lacked a sector.
    pub sector_misses: u64,
    /// The same by kernel.
    pub kernels: Vec<KernelCounts>,
    /// Who costs each kernel its misses, exactly; null for more than
    /// [`MAX_KERNELS`](cotenant_golden::llc::exact::MAX_KERNELS) kernels.
    pub attribution: Option<Attribution>,
    /// Demotions.
    pub gdc: Vec<Vec<u64>>,
    /// Evictions, a kernel's own on the diagonal.
    pub ike: Vec<Vec<u64>>,
    /// Shares of the demotions that a kernel suffered, itself included.
    pub share_gdc: Vec<Row>,
    /// Shares of the evictions that a kernel suffered from the others.
    pub share_plob: Vec<Row>,
    /// Shares of all evictions that a kernel suffered.
    pub share_plob_with_self: Vec<Row>,
    /// Distance of PLOB's shares from GDC's, by victim (GDC, section IV-C).
    pub wbd: Vec<Option<f64>>,
    /// Valid lines that each kernel owns at the end.
    pub occupancy: Vec<u64>,
    /// The cache.
    pub geometry: Geometry,
    /// Hardware beside it; `None` if there is none of this geometry, or none
    /// was wanted.
    pub lockstep: Option<LockstepCount>,
    /// Whether the trace was read to its end.
    pub complete: bool,
}

impl Report {
    /// From the counters of the golden cache, the exact shares and the number of records that were
    /// skipped.
    pub(super) fn new(
        geometry: &Geometry,
        counts: Counts,
        exact: &Pass,
        skipped: u64,
        lockstep: Option<LockstepCount>,
        complete: bool,
    ) -> Report {
        let contention = Contention::of(&counts);
        Report {
            schema: SCHEMA,
            accesses: counts.accesses,
            skipped,
            hits: counts.hits,
            misses: counts.misses,
            evictions: counts.evictions,
            sector_misses: counts.sector_misses,
            kernels: counts.kernels,
            attribution: exact.attribution(&contention),
            gdc: counts.gdc,
            ike: counts.ike,
            share_gdc: contention.share_gdc,
            share_plob: contention.share_plob,
            share_plob_with_self: contention.share_plob_with_self,
            wbd: contention.wbd,
            occupancy: counts.occupancy,
            geometry: *geometry,
            lockstep,
            complete,
        }
    }
}
