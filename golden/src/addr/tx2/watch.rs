//! Who pushes out whose lines during a run: the monitor's counters, and exact shares beside them.

use serde::Serialize;

use crate::gpu::Reached;
use crate::llc::attribution::Mode;
use crate::llc::cache::Geometry;
use crate::llc::exact::{Attribution, Exact};
use crate::llc::llc_monitor::{In, LlcMonitor, Params};
use crate::{Model, ParamError};

/// Matrices `[victim][aggressor]` of the accesses of a period.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Matrices {
    /// Demotions, as the monitor counts them (GDC).
    pub gdc: Vec<Vec<u64>>,
    /// Evictions, as the monitor counts them (PLOB).
    pub ike: Vec<Vec<u64>>,
    /// Each kernel's misses by who is to blame, in misses: their Shapley value, exact; its own on
    /// the diagonal.
    pub exact: Vec<Vec<f64>>,
    /// Hits of each kernel.
    pub hits: Vec<u64>,
    /// Misses of each kernel.
    pub misses: Vec<u64>,
}

/// Totals since the beginning.
#[derive(Debug, Clone)]
pub(super) struct Totals {
    gdc: Vec<Vec<u64>>,
    ike: Vec<Vec<u64>>,
    accesses: Vec<Vec<u64>>,
    exact: Attribution,
}

/// What watches the LLC.
pub(super) struct Watch {
    geometry: Geometry,
    monitor: LlcMonitor,
    exact: Exact,
    /// The accesses of `cycle`.
    input: In,
    idle: In,
    cycle: u64,
}

impl Watch {
    pub(super) fn new(geometry: &Geometry) -> Result<Self, ParamError> {
        let params = Params {
            ways: geometry.ways,
            kernels: geometry.kernels,
            sets: geometry.sets / geometry.banks,
            banks: geometry.banks,
            tag_w: 40,
            cnt_w: 40,
            stages: 1,
            requesters: geometry.kernels,
            sce: 0,
            sampled: 0,
            mode: Mode::Sixths,
            ram_stages: 0,
        };
        let mut monitor = LlcMonitor::new(params.clone())?;
        let idle = In::idle(&params);
        // Each kernel is a requester of its own, while the sets are swept.
        for kernel in 0..geometry.kernels {
            monitor.step(&In {
                map_valid: true,
                map_requester: kernel as u16,
                map_kid: kernel as u8,
                ..idle.clone()
            });
        }
        while !monitor.step(&idle).ready {}
        Ok(Self {
            geometry: *geometry,
            monitor,
            exact: Exact::new(geometry.kernels, geometry.sets, geometry.ways)?,
            input: idle.clone(),
            idle,
            cycle: 0,
        })
    }

    /// An access that reaches the LLC; cycles without any are left out.
    pub(super) fn see(&mut self, reached: &Reached<'_>) {
        let taken = self.input.access_valid >> reached.bank & 1 == 1;
        if reached.cycle != self.cycle || taken {
            self.step();
            self.cycle = reached.cycle;
        }
        let (access, geometry) = (reached.access, &self.geometry);
        let set = geometry.set_of(access.address);
        let tag = geometry.tag_of(access.address);
        self.input.access_valid |= 1 << reached.bank;
        self.input.request_set[reached.bank] = geometry.set_in_bank(set) as u32;
        self.input.access_tag[reached.bank] = tag;
        self.input.access_requester[reached.bank] = access.kernel.into();
        self.exact.access(access.kernel.into(), set, tag);
    }

    fn step(&mut self) {
        self.monitor.step(&self.input);
        self.input.access_valid = 0;
    }

    /// What it has come to, when all that is on its way in the monitor is counted.
    pub(super) fn totals(&mut self) -> Totals {
        self.step();
        for _ in 0..8 {
            self.monitor.step(&self.idle);
        }
        let banks = &self.monitor.state().banks;
        Totals {
            gdc: sum(banks.iter().map(|bank| &bank.gdcu.count)),
            ike: sum(banks.iter().map(|bank| &bank.plob.count)),
            accesses: sum(banks.iter().map(|bank| &bank.accesses.matrix.count)),
            exact: self.exact.attribution(),
        }
    }
}

fn sum<'a>(matrices: impl Iterator<Item = &'a Vec<Vec<u64>>>) -> Vec<Vec<u64>> {
    let mut sum: Vec<Vec<u64>> = vec![];
    for matrix in matrices {
        if sum.is_empty() {
            sum = matrix.iter().map(|row| vec![0; row.len()]).collect();
        }
        let pairs = sum.iter_mut().flatten().zip(matrix.iter().flatten());
        pairs.for_each(|(sum, count)| *sum += count);
    }
    sum
}

impl Totals {
    /// What has come since.
    pub(super) fn since(&self, before: &Self) -> Matrices {
        let less = |now: &[Vec<u64>], then: &[Vec<u64>]| -> Vec<Vec<u64>> {
            let rows = now.iter().zip(then);
            let row = |(now, then): (&Vec<u64>, &Vec<u64>)| {
                now.iter().zip(then).map(|(now, then)| now - then).collect()
            };
            rows.map(row).collect()
        };
        let unit = self.exact.unit as f64;
        let rows = self.exact.exact.iter().zip(&before.exact.exact);
        let share = |(now, then): (&u128, &u128)| (now - then) as f64 / unit;
        let row = |(now, then): (&Vec<u128>, &Vec<u128>)| now.iter().zip(then).map(share).collect();
        let mut accesses = less(&self.accesses, &before.accesses).into_iter();
        Matrices {
            gdc: less(&self.gdc, &before.gdc),
            ike: less(&self.ike, &before.ike),
            exact: rows.map(row).collect(),
            hits: accesses.next().unwrap_or_default(),
            misses: accesses.next().unwrap_or_default(),
        }
    }
}
