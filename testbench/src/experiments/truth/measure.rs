//! One workload: what is counted beside all kernels, and the misses beside every coalition.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use cotenant_golden::gpu::{Gpu, Machine};
use cotenant_golden::llc::cache::Counts;
use cotenant_golden::llc::exact::{Attribution, Exact};
use cotenant_golden::metrics::Coalitions;
use cotenant_golden::workload::random::Workload;
use cotenant_golden::workload::scenario::Scenario;
use cotenant_golden::workload::stream::Stream;
use cotenant_netlist::sim::Engine;
use serde::{Deserialize, Serialize};

use super::hardware::{beside, Beside};
use super::lines::Lines;
use super::method::Rows;
use super::reading::Recorder;
use super::sampling::Sampling;
use crate::experiments::{Error, Watch};

/// A run alone may take so many times the cycles of the run of all for the same accesses; one that
/// takes longer no longer accesses the L2 at all.
const PATIENCE: u64 = 4;
/// Accesses between two looks at the watcher.
const CHUNK: u64 = 1 << 12;

/// What is counted, in whole numbers; everything else is computed from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Accesses of the kernel under analysis (KUA) in the run of all kernels.
    pub accesses: u64,
    /// What the monitors count in that run.
    pub rows: Rows,
    /// Misses of the KUA by coalition, with the same streams.
    pub streams: Coalitions,
    /// With the kernels run again; null if the KUA does not come to as many accesses without
    /// company.
    pub timed: Option<Coalitions>,
    /// The KUA's accesses one by one, with the same streams.
    pub lines: Lines,
    /// The hardware beside; what it counts is in `rows`.
    pub hardware: BTreeMap<Sampling, Beside>,
}

/// Steps of progress that a workload is, in its accesses: the run of all kernels, its coalitions,
/// and the hardware in lockstep, by the time that each takes.
pub(super) const STEPS: u64 = 1 + COALITIONS + HARDWARE;
const COALITIONS: u64 = 3;
const HARDWARE: u64 = 7;

/// Measures a workload over so many accesses to the L2. None if it was stopped.
///
/// # Errors
/// [`Error`].
pub fn measure(
    workload: &Workload,
    accesses: u64,
    engine: Engine,
    watch: &dyn Watch,
) -> Result<Option<(Measured, Recorder)>, Error> {
    let scenario = workload.scenario()?;
    let kua = scenario.under_test;
    let mut gpu = scenario.gpu()?;
    let mut recorder = Recorder::new(&scenario.geometry, kua);
    let (mut done, mut go_on) = (0, true);
    let mut came = vec![];
    let stream = Stream::record(&mut gpu, accesses, &mut |reached| {
        recorder.access(reached);
        came.push(reached.cycle);
        done += 1;
        if done % CHUNK == 0 {
            go_on = watch.advance(CHUNK);
        }
        go_on
    })?;
    if !go_on || !watch.advance(done % CHUNK) {
        return Ok(None);
    }
    let counts = gpu.counts();
    let cycles = gpu.cycle();
    settle(&mut gpu)?;
    let own = &counts.kernels[kua];
    let streams = stream.coalitions(kua)?;
    let timed = timed(&scenario, cycles, (own.accesses, own.misses))?;
    let lines = Lines::of(&stream, kua)?;
    let mut rows = rows(kua, &counts, attribution(&stream)?);
    if !watch.advance(COALITIONS * accesses) {
        return Ok(None);
    }
    let mut hardware = BTreeMap::new();
    for sampling in Sampling::beside(stream.geometry()) {
        let (row, found) = beside(&stream, &came, kua, sampling, engine)?;
        rows.netlist.insert(sampling, row);
        hardware.insert(sampling, found);
    }
    let measured = Measured {
        accesses: own.accesses,
        rows,
        streams,
        timed,
        lines,
        hardware,
    };
    watch.advance(HARDWARE * accesses);
    Ok(Some((measured, recorder)))
}

/// Exact and sampled shares of the whole stream, by the golden model.
fn attribution(stream: &Stream) -> Result<Attribution, Error> {
    let geometry = stream.geometry();
    let mut exact = Exact::new(geometry.kernels, geometry.sets, geometry.ways)?;
    for access in stream.iter() {
        let (set, tag) = (
            geometry.set_of(access.address),
            geometry.tag_of(access.address),
        );
        exact.access(access.kernel.into(), set, tag);
    }
    Ok(exact.attribution())
}

/// The KUA's row of each monitor.
fn rows(kua: usize, counts: &Counts, found: Attribution) -> Rows {
    // A run has far fewer than 2^60 misses.
    let parts = |matrix: &[Vec<u128>]| matrix[kua].iter().map(|&parts| parts as u64).collect();
    let sampled = found.sampled.iter();
    Rows {
        gdc: counts.gdc[kua].clone(),
        plob: counts.ike[kua].clone(),
        sce: found.sce[kua].clone(),
        unit: found.unit,
        sampled: sampled
            .map(|(&sets, matrix)| (sets, parts(matrix)))
            .collect(),
        exact: parts(&found.exact),
        netlist: BTreeMap::new(),
    }
}

/// The misses of the kernel under test in runs beside every coalition, each until it has made as
/// many `accesses` as it has in `cycles` beside all, where it has `misses`. None if it does not
/// come to that.
fn timed(
    scenario: &Scenario,
    cycles: u64,
    (accesses, misses): (u64, u64),
) -> Result<Option<Coalitions>, Error> {
    let kua = scenario.under_test;
    let kernels = scenario.kernels.len();
    let all = u64::MAX >> (64 - kernels);
    let never = AtomicBool::new(false);
    let coalitions = Coalitions::of(kernels, kua, |present| -> Result<u64, Error> {
        if present == all {
            return Ok(misses);
        }
        let mut gpu = scenario.gpu_of(present)?;
        let (mut made, mut missed) = (0, 0);
        gpu.run_to(cycles.saturating_mul(PATIENCE), &mut |reached| {
            // What follows in the cycle of the last one is not of the same work.
            if usize::from(reached.access.kernel) == kua && made < accesses {
                made += 1;
                missed += u64::from(!reached.outcome.hit);
            }
            made < accesses
        });
        if made < accesses {
            never.store(true, Ordering::Relaxed);
        }
        settle(&mut gpu)?;
        Ok(missed)
    })?;
    Ok((!never.into_inner()).then_some(coalitions))
}

/// Completes what is in flight; all counts must be consistent then.
fn settle(gpu: &mut Machine) -> Result<(), Error> {
    gpu.stop_launching();
    gpu.drain(&mut |_| true);
    Ok(gpu.check()?)
}
