//! MILGs in a closed loop with the small SM, which their limits throttle.

use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};
use cotenant_golden::sm::milg::{self, Release};
use cotenant_golden::ParamError;
use serde::Serialize;

use super::WIDTHS;
use crate::experiments::kernel::{Kernel, AX, KS, SV, WARPS};
use crate::experiments::on_all_cores;
use crate::experiments::small_sm::{Resident, SmallSm};

/// Intervals of a kernel that are looked at, behind the first one, which has no limit.
const INTERVALS: usize = 32;

/// Cycles at most: as many as the paper runs a workload (section 2.3).
const CYCLES: u64 = 2_000_000;

/// What shares the SM. Alone a kernel runs until it has enough intervals.
const WORKLOADS: [&[Kernel]; 5] = [&[SV], &[KS], &[AX], &[SV, KS], &[SV, AX]];

/// A kernel of a workload under one MILG.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loop {
    /// The workload.
    pub workload: String,
    /// The kernel.
    pub kernel: &'static str,
    /// The MILG; null: nothing limits.
    pub milg: Option<Variant>,
    /// Intervals looked at; all below is about them.
    pub intervals: usize,
    /// Limits in force at the end of an interval; null if there never was one.
    pub limit: Option<Spread>,
    /// Share of the intervals at whose end there was no limit.
    pub unlimited_share: f64,
    /// Reservation failures per request.
    pub failures_per_request: f64,
    /// Requests accepted in 1000 cycles.
    pub requests_per_kilocycle: f64,
    /// Memory instructions granted in 1000 cycles.
    pub grants_per_kilocycle: f64,
}

impl Loop {
    /// As if at another width.
    pub(super) fn at_width(&self, fail_w: usize) -> Self {
        let milg = self.milg.map(|milg| Variant { fail_w, ..milg });
        Self {
            milg,
            ..self.clone()
        }
    }

    /// Whether both are kernels of one run.
    pub(super) fn same_run(&self, other: &Self) -> bool {
        (&self.workload, self.milg) == (&other.workload, other.milg)
    }
}

/// Which MILG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// Width of its failure counter.
    pub fail_w: usize,
    /// How it releases a limit.
    pub release: Release,
}

/// Of the intervals with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean limit.
    pub mean: f64,
    /// The lowest.
    pub min: u64,
    /// The highest.
    pub max: u64,
}

/// What is counted of a kernel.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    requests: u64,
    failures: u64,
    grants: u64,
    cycle: u64,
}

/// A kernel's intervals.
#[derive(Debug, Clone, Default)]
struct Watched {
    now: Counts,
    /// At the end of the first interval and of the last one.
    ends: Option<(Counts, Counts)>,
    /// The limits in force at the end of each but the first.
    limits: Vec<Option<u64>>,
}

fn params(variant: Option<Variant>) -> Params {
    let paper = Params {
        priority: Priority::Rbmi,
        ..Params::paper(1)
    };
    match variant {
        Some(Variant { fail_w, release }) => Params {
            fail_w,
            release,
            ..paper
        },
        None => Params {
            limiter: Limiter::Smil,
            ..paper
        },
    }
}

fn simulate(
    workload: &[Kernel],
    variant: Option<Variant>,
    seed: u64,
) -> Result<Vec<Loop>, ParamError> {
    let resident = |kernel: &Kernel| Resident {
        kernel: *kernel,
        warps: WARPS / workload.len() as u64,
        pause: 0,
    };
    let residents: Vec<_> = workload.iter().map(resident).collect();
    let mut sm = SmallSm::new(params(variant), &residents, seed)?;
    let mut watched = vec![Watched::default(); workload.len()];
    let alone = workload.len() == 1;
    while match alone {
        true => watched[0].limits.len() < INTERVALS,
        false => sm.cycle() < CYCLES,
    } {
        let cycle = sm.step();
        if let Some(kernel) = cycle.granted {
            watched[kernel].now.grants += 1;
        }
        if let Some(kernel) = cycle.failed {
            watched[kernel].now.failures += 1;
        }
        if let Some(kernel) = cycle.accepted {
            watched[kernel].accept(sm.cycle(), cycle.limit);
        }
    }
    let names: Vec<_> = workload.iter().map(|kernel| kernel.name).collect();
    let rows = workload.iter().zip(&watched).map(|(kernel, watched)| {
        let (first, last) = watched.ends.unwrap_or_default();
        let share = |some: u64, of: u64| some as f64 / of.max(1) as f64;
        let cycles = last.cycle - first.cycle;
        let limited: Vec<u64> = watched.limits.iter().flatten().copied().collect();
        let unlimited = watched.limits.len() - limited.len();
        Loop {
            workload: names.join("+"),
            kernel: kernel.name,
            milg: variant,
            intervals: watched.limits.len(),
            limit: spread(&limited),
            unlimited_share: share(unlimited as u64, watched.limits.len() as u64),
            failures_per_request: share(
                last.failures - first.failures,
                last.requests - first.requests,
            ),
            requests_per_kilocycle: share(1000 * (last.requests - first.requests), cycles),
            grants_per_kilocycle: share(1000 * (last.grants - first.grants), cycles),
        }
    });
    Ok(rows.collect())
}

impl Watched {
    /// A request is accepted; the limit is that in force.
    fn accept(&mut self, cycle: u64, limit: Option<u64>) {
        self.now.requests += 1;
        self.now.cycle = cycle;
        if self.now.requests % (1 << milg::Params::PAPER.interval_w) == 0 {
            match &mut self.ends {
                None => self.ends = Some((self.now, self.now)),
                Some((_, last)) => {
                    *last = self.now;
                    self.limits.push(limit);
                }
            }
        }
    }
}

fn spread(limits: &[u64]) -> Option<Spread> {
    Some(Spread {
        mean: limits.iter().sum::<u64>() as f64 / limits.len() as f64,
        min: *limits.iter().min()?,
        max: *limits.iter().max()?,
    })
}

/// Every workload without a limiter and under every MILG.
pub fn run(seed: u64) -> Result<Vec<Loop>, ParamError> {
    let releases = [Release::Unlimited, Release::Double];
    let milgs = releases
        .into_iter()
        .flat_map(|release| WIDTHS.map(|fail_w| Some(Variant { fail_w, release })));
    let variants: Vec<_> = std::iter::once(None).chain(milgs).collect();
    let runs: Vec<_> = WORKLOADS
        .into_iter()
        .flat_map(|workload| variants.iter().map(move |variant| (workload, *variant)))
        .collect();
    let rows = on_all_cores(&runs, |(workload, variant)| {
        simulate(workload, *variant, seed)
    });
    Ok(rows.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}
