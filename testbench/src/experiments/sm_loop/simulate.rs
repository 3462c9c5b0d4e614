//! Simulates one or two kernels on the GPU, with or without the unit in its SMs.

use std::sync::{Arc, Mutex, PoisonError};

use cotenant_golden::gpu::machine::{Launch, Machine};
use cotenant_golden::gpu::sm::{Failures, Stats};
use cotenant_golden::gpu::Gpu;
use cotenant_golden::presets::Preset;
use cotenant_golden::sm::mem_issue::{MemIssue as Golden, Params};
use cotenant_golden::workload::program::synthetic::Synthetic;
use cotenant_golden::workload::program::table2::{Benchmark, BENCHMARKS};
use cotenant_golden::workload::program::Program;
use cotenant_golden::Model;
use serde::Serialize;

use super::PRESET;
use crate::experiments::issue_control::{Ended, IssueControl, Log, Seen};
use crate::experiments::{Error, Setting};

/// Cycles of a stretch of time of a run's picture.
pub(super) fn period(cycles: u64) -> u64 {
    cycles.div_ceil(PERIODS)
}

/// Stretches of time into which a run is divided for its picture.
pub(super) const PERIODS: u64 = 250;
/// The SM that the picture shows.
pub(super) const SHOWN: usize = 0;
/// ASSUMPTION: thread blocks of a grid, more than a run gets through.
const BLOCKS: u64 = 1 << 15;
/// ASSUMPTION: memory instructions of a warp.
const LENGTH: u64 = 256;
/// Addresses of a kernel, a multiple of which is its first.
const RANGE: u64 = 1 << 40;

/// What to run.
#[derive(Debug)]
pub(super) struct Job {
    /// The kernels, and blocks of each that an SM may hold.
    pub kernels: Vec<(&'static str, Option<u32>)>,
    /// The unit in the SMs; none without one.
    pub controlled: Option<Controlled>,
}

/// The unit in the SMs.
#[derive(Debug)]
pub(super) struct Controlled {
    /// Netlist and golden model, from the first SM on. They are made beforehand, as threads
    /// cannot share a netlist, and taken by the one that runs the job.
    pub lockstep: Mutex<Vec<(IssueControl, Log)>>,
    /// The golden model's, on the others.
    pub params: Params,
}

/// What a kernel has done on the whole GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KernelCounts {
    /// Its name in table 2.
    pub name: &'static str,
    /// Warp instructions in a cycle.
    pub ipc: f64,
    /// Warp instructions.
    pub instructions: u64,
    /// Memory instructions among them.
    pub memory: u64,
    /// Requests to the L1D that it took, loads and stores.
    pub accesses: u64,
    /// The same in 1000 cycles of an SM; null without a cycle.
    pub accesses_per_kilocycle: Option<f64>,
    /// Of the loads, those that fetched something: neither hit nor merged; null without any.
    pub miss_rate: Option<f64>,
    /// Reservation failures by reason.
    pub failures: Failures,
    /// All of them by access; null without any.
    pub failures_per_access: Option<f64>,
    /// How often its grid ended and started again.
    pub laps: u64,
}

/// What a kernel did on the SM shown, in a period.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Activity {
    /// Warp instructions issued.
    pub issued: u64,
    /// Reservation failures.
    pub failures: u64,
    /// What its unit saw; null without one.
    pub seen: Option<Seen>,
}

/// A period on the SM shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// Cycles of the run up to its end.
    pub end: u64,
    /// Its own cycles.
    pub cycles: u64,
    /// By kernel.
    pub kernels: Vec<Activity>,
}

/// Netlist and golden model on an SM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lockstep {
    /// The SM.
    pub sm: usize,
    /// What ran the netlist.
    pub engine: &'static str,
    /// Cycles compared.
    pub cycles: u64,
    /// What was wrong first; null if nothing was.
    pub mismatch: Option<String>,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Cycles.
    pub cycles: u64,
    /// Whether it was as long as asked.
    pub complete: bool,
    /// The kernels.
    pub kernels: Vec<KernelCounts>,
    /// Over time, on the SM shown.
    pub moments: Vec<Moment>,
    /// Hardware in lockstep.
    pub lockstep: Vec<Lockstep>,
}

/// The kernel of a name. It has the same addresses in all runs.
fn program(name: &str, seed: u64) -> Result<Arc<dyn Program>, Error> {
    let place = BENCHMARKS
        .iter()
        .position(|benchmark| benchmark.name == name);
    let place = place.unwrap_or_default();
    let benchmark: &Benchmark = &BENCHMARKS[place];
    let params = benchmark.params(BLOCKS, LENGTH, seed, place as u64 * RANGE);
    Ok(Arc::new(Synthetic::new(params)?))
}

/// The kernels on all SMs, by KID, over and over.
pub(super) fn launches(
    kernels: &[(&'static str, Option<u32>)],
    seed: u64,
) -> Result<Vec<Launch>, Error> {
    let launch = |(kernel, &(name, blocks)): (u8, &(&str, Option<u32>))| {
        Ok(Launch {
            program: program(name, seed)?,
            kernel,
            sms: u64::MAX,
            blocks_per_sm: blocks,
            start: 0,
            restart: true,
        })
    };
    (0..).zip(kernels).map(launch).collect()
}

/// A lockstep on an SM.
struct Watched {
    sm: usize,
    engine: &'static str,
    log: Log,
}

/// Runs it.
///
/// # Errors
/// [`Error`].
pub(super) fn simulate(
    Job {
        kernels,
        controlled,
    }: &Job,
    cycles: u64,
    setting: &Setting<'_>,
) -> Result<Run, Error> {
    let preset = Preset::named(PRESET)?;
    let launches = launches(kernels, setting.seed)?;
    let mut machine = Machine::new(&preset.machine, preset.llc, launches)?;
    let every = period(cycles);
    let mut watched = vec![];
    if let Some(Controlled { lockstep, params }) = controlled {
        let lock = lockstep.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pairs = { lock }.drain(..).collect::<Vec<_>>().into_iter();
        for sm in 0..preset.machine.sm.count {
            let Some((control, log)) = pairs.next() else {
                machine.with_issue_control(sm, Box::new(Golden::new(params.clone())?))?;
                continue;
            };
            let engine = control.engine();
            machine.with_issue_control(sm, Box::new(control))?;
            watched.push(Watched { sm, engine, log });
        }
    }

    let ended = || watched.iter().any(|watched| watched.log.ended());
    let mut moments: Vec<Moment> = vec![];
    let mut before = vec![Stats::default(); kernels.len()];
    let mut done = 0;
    let mut interrupted = false;
    while done < cycles && !ended() && !interrupted {
        let end = cycles.min(done + every);
        machine.run_to(end - 1, &mut |_| !ended());
        let reached = machine.cycle().clamp(done, end);
        let activity = |(kernel, before): (usize, &mut Stats)| {
            let now = machine.sm_stats(SHOWN, kernel);
            let then = std::mem::replace(before, now);
            Activity {
                issued: now.instructions() - then.instructions(),
                failures: now.failures.total() - then.failures.total(),
                seen: None,
            }
        };
        moments.push(Moment {
            end: reached,
            cycles: reached - done,
            kernels: before.iter_mut().enumerate().map(activity).collect(),
        });
        interrupted = !setting.watch.advance(end - done);
        done = reached;
    }

    machine.check()?;
    let counts = kernels.iter().enumerate().map(|(kernel, (name, _))| {
        let stats = machine.stats(kernel);
        counts(name, &stats.sm, stats.laps, done, preset.machine.sm.count)
    });
    let kernels: Vec<KernelCounts> = counts.collect();
    let at_work: Vec<Vec<Stats>> = (0..preset.machine.sm.count)
        .map(|sm| {
            (0..kernels.len())
                .map(|k| machine.sm_stats(sm, k))
                .collect()
        })
        .collect();
    // Dropping the machine drops the issue controls, which log their last period.
    drop(machine);
    let mut lockstep = vec![];
    for Watched { sm, engine, log } in &watched {
        let mismatch = match log.take_end() {
            Some(Ended::Error(error)) => return Err(error.into()),
            Some(wrong) => Some(wrong.to_string()),
            None => None,
        };
        if !ended() {
            agree(*sm, &at_work[*sm], log)?;
        }
        if *sm == SHOWN {
            for (moment, period) in moments.iter_mut().zip(log.periods()) {
                for (kernel, seen) in moment.kernels.iter_mut().zip(period.kernels) {
                    kernel.seen = Some(seen);
                }
            }
        }
        lockstep.push(Lockstep {
            sm: *sm,
            engine,
            cycles: log.cycles(),
            mismatch,
        });
    }
    Ok(Run {
        cycles: done,
        complete: done == cycles,
        kernels,
        moments,
        lockstep,
    })
}

fn counts(name: &'static str, stats: &Stats, laps: u64, cycles: u64, sms: usize) -> KernelCounts {
    let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
    KernelCounts {
        name,
        ipc: share(stats.instructions(), cycles).unwrap_or(0.0),
        instructions: stats.instructions(),
        memory: stats.memory,
        accesses: stats.requests(),
        accesses_per_kilocycle: share(1000 * stats.requests(), cycles * sms as u64),
        miss_rate: share(stats.misses, stats.loads),
        failures: stats.failures,
        failures_per_access: share(stats.failures.total(), stats.requests()),
        laps,
    }
}

/// What an SM has counted itself is what its unit was told.
///
/// # Errors
/// [`Error::IssueControl`] if it is not.
pub(super) fn agree(sm: usize, stats: &[Stats], log: &Log) -> Result<(), Error> {
    let periods = log.periods();
    for (kernel, stats) in stats.iter().enumerate() {
        let sum = |of: fn(&Seen) -> u64| -> u64 {
            periods
                .iter()
                .map(|period| of(&period.kernels[kernel]))
                .sum()
        };
        let pairs = [
            (
                "memory instructions issued",
                stats.memory,
                sum(|seen| seen.grants),
            ),
            (
                "requests accepted",
                stats.requests(),
                sum(|seen| seen.requests),
            ),
            (
                "requests refused",
                stats.failures.total(),
                sum(|seen| seen.failures),
            ),
        ];
        for (what, counted, told) in pairs {
            if counted != told {
                return Err(Error::IssueControl {
                    sm,
                    kernel,
                    what,
                    counted,
                    told,
                });
            }
        }
    }
    Ok(())
}
