//! The report of a run, as one document.

use cotenant_golden::gpu::config::Config;
use cotenant_golden::gpu::machine::KernelStats;
use cotenant_golden::hetero;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::metrics::Contention;
use cotenant_golden::workload::scenario::Paper;
use serde::{Deserialize, Serialize};

use super::samples::{Period, Samples};
use super::subject::Running;
use super::Request;
use crate::experiments::replay::{Attribution, LockstepCount, Mismatch, Row};

/// Version of the document's form; a change of a field's meaning changes it.
pub const SCHEMA: u32 = 1;

/// A kernel of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelReport {
    /// Its id.
    pub kid: usize,
    /// Its name in the scenario.
    pub name: String,
    /// Its loop, or application.
    #[serde(rename = "loop")]
    pub body: String,
    /// What the scenario says of it that is not so by itself.
    pub parameters: String,
    /// Warp instructions in a cycle, on all its SMs; beside CPUs, instructions in a cycle of a core.
    pub ipc: f64,
    /// Accesses to the L2.
    pub accesses: u64,
    /// Tag hits, those merged included.
    pub hits: u64,
    /// Tag hits on a line that was on its way.
    pub merged: u64,
    /// Tag misses.
    pub misses: u64,
    /// Mean cycles from an SM's request to its reply; null if nothing was answered, and beside CPUs.
    pub latency: Option<f64>,
    /// What it did in the SMs and behind them; null of applications beside CPUs.
    pub stats: Option<KernelStats>,
    /// Times that it came to its end and started again.
    pub laps: u64,
    /// Valid lines that it owns at the end.
    pub occupancy: u64,
}

/// The result of a run. Matrices are `[victim][aggressor]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What the run is called.
    pub name: String,
    /// The scenario's title.
    pub title: String,
    /// The platform.
    pub platform: String,
    /// The seed.
    pub seed: u64,
    /// The KID of the kernel under test.
    pub under_test: usize,
    /// Whether it came to its end.
    pub complete: bool,
    /// Accesses to the L2 after which it ends.
    pub accesses_wanted: u64,
    /// Cycles of the GPU.
    pub cycles: u64,
    /// Accesses to the L2.
    pub accesses: u64,
    /// Tag hits.
    pub hits: u64,
    /// Tag misses.
    pub misses: u64,
    /// Misses that replaced a valid line.
    pub evictions: u64,
    /// The kernels.
    pub kernels: Vec<KernelReport>,
    /// Who costs each kernel its misses, exactly; null for more than
    /// [`MAX_KERNELS`](cotenant_golden::llc::exact::MAX_KERNELS) kernels.
    pub attribution: Option<Attribution>,
    /// Demotions.
    pub gdc: Vec<Vec<u64>>,
    /// Evictions, a kernel's own on the diagonal.
    pub ike: Vec<Vec<u64>>,
    /// Shares of the demotions that a kernel suffered, itself included; null without any.
    pub share_gdc: Vec<Row>,
    /// Shares of the evictions that a kernel suffered from the others; null without any.
    pub share_plob: Vec<Row>,
    /// Shares of all evictions that a kernel suffered; null without any.
    pub share_plob_with_self: Vec<Row>,
    /// Distance of PLOB's shares from GDC's, by victim (GDC, section IV-C).
    pub wbd: Vec<Option<f64>>,
    /// What the paper reports, in percent.
    pub paper: Option<Paper>,
    /// Hardware beside it; null if there is none of this geometry, or none was wanted.
    pub lockstep: Option<LockstepCount>,
    /// The first difference between hardware and golden models; null if there is none.
    pub mismatch: Option<String>,
    /// The cycle in which they differed, if it was in one: sums are compared at the end.
    pub mismatch_cycle: Option<u64>,
    /// Cycles between two snapshots.
    pub period: u64,
    /// What happened in each; of more than [`MAX_PERIODS`](super::MAX_PERIODS), in several
    /// together.
    pub periods: Vec<Period>,
    /// Accesses, `[kernel][set]`.
    pub set_accesses: Vec<Vec<u64>>,
    /// Misses, `[kernel][set]`.
    pub set_misses: Vec<Vec<u64>>,
    /// The cache.
    pub geometry: Geometry,
    /// The GPU, or CPUs and GPU.
    pub machine: Platform,
}

/// The numbers of a platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Platform {
    /// A GPU.
    Gpu(Config),
    /// CPUs and a GPU.
    Mix(hetero::Config),
}

impl Report {
    pub(super) fn new(
        request: &Request<'_>,
        running: &Running,
        period: u64,
        samples: Samples,
        lockstep: Option<LockstepCount>,
        mismatch: Option<(&Mismatch, Option<u64>)>,
        complete: bool,
    ) -> Self {
        let subject = request.subject;
        let counts = running.watched().counts();
        let contention = Contention::of(&counts);
        let kernels = subject.kernels(running, &counts);
        let gpu = running.watched();
        Report {
            schema: SCHEMA,
            name: request.name.into(),
            title: subject.title().into(),
            platform: subject.platform().into(),
            seed: subject.seed(),
            under_test: subject.under_test(),
            complete,
            accesses_wanted: subject.accesses(),
            cycles: gpu.cycle(),
            accesses: counts.accesses,
            hits: counts.hits,
            misses: counts.misses,
            evictions: counts.evictions,
            kernels,
            attribution: samples.exact.attribution(&contention),
            share_gdc: contention.share_gdc,
            share_plob: contention.share_plob,
            share_plob_with_self: contention.share_plob_with_self,
            wbd: contention.wbd,
            gdc: counts.gdc,
            ike: counts.ike,
            paper: subject.paper().cloned(),
            lockstep,
            mismatch: mismatch.map(|(mismatch, _)| mismatch.to_string()),
            mismatch_cycle: mismatch.and_then(|(_, cycle)| cycle),
            period,
            periods: samples.periods,
            set_accesses: samples.accesses,
            set_misses: samples.misses,
            geometry: subject.geometry(),
            machine: subject.numbers(),
        }
    }

    /// Shares of the misses of the kernel under test, by GDC and by PLOB.
    pub fn shares(&self) -> (Option<&[f64]>, Option<&[f64]>) {
        let gdc = self.share_gdc.get(self.under_test);
        let plob = self.share_plob.get(self.under_test);
        (
            gdc.and_then(|row| row.as_deref()),
            plob.and_then(|row| row.as_deref()),
        )
    }

    /// How far GDC's and PLOB's shares over the co-runners are from the exact ones.
    pub(super) fn distances(&self) -> [Option<f64>; 2] {
        ["gdc", "plob"].map(|monitor| {
            let distance = &self.attribution.as_ref()?.distance;
            *distance.get(monitor)?.get(self.under_test)?
        })
    }

    /// Shares of the misses of the kernel under test in percent, as a table with one row per kernel:
    /// GDC's and PLOB's behind the exact ones and beside what a paper reports of them; the first
    /// column is for the kernels' names.
    pub(super) fn table_of_shares(
        &self,
        percent: impl Fn(Option<f64>) -> String,
        kernel: impl Fn(usize) -> String,
    ) -> Vec<Vec<String>> {
        let (gdc, plob) = self.shares();
        let exact = self.attribution.as_ref();
        let exact = exact.and_then(|a| a.shares.get(self.under_test)?.as_deref());
        let paper = self.paper.as_ref();
        let heads: &[&str] = match paper {
            Some(_) => &["", "exact", "GDC", "paper", "PLOB", "paper"],
            None => &["", "exact", "GDC", "PLOB"],
        };
        let mut rows = vec![heads.iter().map(ToString::to_string).collect()];
        for kid in 0..self.kernels.len() {
            let share = exact.and_then(|row| row.get(kid));
            let mut row = vec![kernel(kid), percent(share.map(|share| 100.0 * share))];
            let reported = paper.map(|paper| [&paper.gdc, &paper.plob]);
            for (column, ours) in [gdc, plob].into_iter().enumerate() {
                let ours = ours.and_then(|row| row.get(kid));
                row.push(percent(ours.map(|share| 100.0 * share)));
                if let Some(reported) = reported {
                    row.push(percent(reported[column].get(kid).copied()));
                }
            }
            rows.push(row);
        }
        rows
    }
}
