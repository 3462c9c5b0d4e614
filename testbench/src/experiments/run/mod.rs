//! Scenarios on the golden platforms, with the units beside the shared cache in lockstep.
//!
//! The GPU hands out its L2's accesses, each with its cycle, as CPUs and a GPU those of their L3. The golden cache has them already;
//! the hardware sees the same accesses in the same cycles, its counters are read once per period as
//! software would, and must come to the golden cache's sums. What comes out is a [`Report`], and
//! from it a page ([`html`]).
//!
//! ```
//! use cotenant::experiments::run::{Request, run};
//! use cotenant_golden::workload::scenario::Scenario;
//!
//! let mut scenario = Scenario::named("gdc-figure-3")?;
//! scenario.accesses = 2_000;
//! let finished = run(&Request::new("gdc-figure-3", &scenario), &mut |_| true)?;
//! assert_eq!(finished.report.lockstep.map(|l| l.mismatches), Some(0));
//! let row = &finished.report.share_gdc[finished.report.under_test];
//! let sum: f64 = row.iter().flatten().sum();
//! assert!((sum - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod html;
mod plot;
mod record;
mod report;
mod samples;
mod subject;
mod text;

use std::path::PathBuf;

use cotenant_golden::gpu::machine::Imbalance;
use cotenant_golden::gpu::Reached;
use cotenant_golden::workload::scenario::GpuError;
use cotenant_netlist::sim::Engine;

use crate::experiments::replay::wave::Wave;
use crate::experiments::replay::{Hardware, Mismatch, Sets, WaveRequest};

pub use html::html;
use record::Record;
pub use report::{KernelReport, Platform, Report, SCHEMA};
pub use samples::{Period, Samples, MAX_PERIODS};
pub use subject::Subject;
pub use text::text;

/// Accesses between two looks at the watcher.
const CHUNK: u64 = 1 << 12;

/// What to run.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The scenario.
    pub subject: Subject<'a>,
    /// The engine of the hardware in lockstep; `None` for the golden models alone.
    pub hardware: Option<Engine>,
    /// Waves to write.
    pub wave: Option<WaveRequest>,
    /// A trace to write of all accesses to the L2, which `cotenant replay` reads.
    pub record: Option<PathBuf>,
}

impl<'a> Request<'a> {
    /// With hardware, without waves and trace.
    pub fn new(name: &'a str, scenario: impl Into<Subject<'a>>) -> Self {
        Self {
            name,
            subject: scenario.into(),
            hardware: Some(Engine::default()),
            wave: None,
            record: None,
        }
    }
}

/// A run that came to an end, or was asked to stop.
#[derive(Debug)]
pub struct Finished {
    /// Counts, matrices, shares, periods.
    pub report: Report,
    /// The first difference between hardware and golden models.
    pub mismatch: Option<Mismatch>,
    /// The waves written.
    pub wave: Option<PathBuf>,
}

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scenario's parts do not fit together.
    #[error("no such GPU: {0}")]
    Gpu(#[from] GpuError),
    /// The platform with CPUs does not exist, or its counts do not add up.
    #[error("no such platform: {0}")]
    Mix(#[from] cotenant_golden::hetero::Error),
    /// The GPU's counts do not add up: an error of the model.
    #[error("the GPU's counts do not add up: {0}")]
    Imbalance(#[from] Imbalance),
    /// The hardware cannot be built or driven.
    #[error(transparent)]
    Hardware(#[from] crate::Error),
    /// Waves cannot be written.
    #[error(transparent)]
    Wave(#[from] crate::experiments::replay::Error),
    /// The trace cannot be written.
    #[error(transparent)]
    Record(#[from] crate::whole::Error),
}

/// The run so far.
struct Beside {
    hardware: Option<Hardware>,
    wave: Option<Wave>,
    record: Option<Record>,
    /// The first cycle that the hardware has not been through.
    next: u64,
    /// Accesses so far.
    done: u64,
    /// The cycle in which hardware and golden models differed first.
    differed: Option<u64>,
}

impl Beside {
    /// Lets the hardware catch up, to the start of `cycle`.
    fn catch_up(&mut self, cycle: u64) -> Result<(), Error> {
        let Some(hardware) = &mut self.hardware else {
            return Ok(());
        };
        while self.next < cycle {
            hardware.advance(self.done);
            if self.differed.is_none() && hardware.mismatch().is_some() {
                self.differed = Some(self.next);
            }
            if let Some(wave) = &mut self.wave {
                wave.cycle(self.next, hardware)?;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn access(&mut self, reached: &Reached<'_>) -> Result<(), Error> {
        self.catch_up(reached.cycle)?;
        if let Some(record) = &mut self.record {
            record.access(reached)?;
        }
        if let Some(hardware) = &mut self.hardware {
            hardware.access(self.done, reached.access, reached.before, reached.outcome)?;
        }
        self.done += 1;
        Ok(())
    }
}

/// Runs a scenario. `watch` is told the accesses done from time to time and returns whether to go
/// on; stopping is no error, the report says `complete: false`, and the trace is as long as the run.
///
/// # Errors
/// [`Error`]; no wave file or trace is left behind then.
pub fn run(request: &Request<'_>, watch: &mut dyn FnMut(u64) -> bool) -> Result<Finished, Error> {
    let hardware = match request.hardware {
        Some(engine) => Hardware::new(&request.subject.geometry(), engine, true)?,
        None => None,
    };
    run_beside(request, hardware, watch)
}

/// As [`run`], with hardware of one's own.
///
/// # Errors
/// As [`run`].
pub fn run_beside(
    request: &Request<'_>,
    mut hardware: Option<Hardware>,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<Finished, Error> {
    let subject = request.subject;
    let (geometry, accesses) = (subject.geometry(), subject.accesses());
    let mut running = subject.start()?;
    let taken = hardware.as_mut().and_then(|h| h.timed(subject.period()));
    let period = taken.unwrap_or(subject.period());
    let wave = match (&request.wave, &hardware) {
        (Some(wave), Some(hardware)) => Some(Wave::timed(wave, hardware)?),
        (Some(_), None) => return Err(no_wave(request).into()),
        (None, _) => None,
    };
    let record = request.record.as_deref();
    let record = record.map(|place| Record::new(place, &geometry));
    let mut beside = Beside {
        hardware,
        wave,
        record: record.transpose()?,
        next: 0,
        done: 0,
        differed: None,
    };
    let samples = Samples::new(&geometry);
    let mut samples = samples.map_err(crate::experiments::replay::Error::from)?;
    let mut failed = None;
    let mut stopped = !watch(0);
    let mut end = period;
    let mut last = stopped;
    let mut take = |reached: &Reached<'_>, samples: &mut Samples, beside: &mut Beside| {
        samples.access(reached);
        if let Err(error) = beside.access(reached) {
            failed.get_or_insert(error);
        }
        failed.is_none()
    };
    while !last {
        let mut more = true;
        running.run_to(end - 1, &mut |reached| {
            more = take(&reached, &mut samples, &mut beside);
            stopped |= beside.done % CHUNK == 0 && !watch(beside.done);
            more && !stopped && beside.done < accesses
        });
        let watched = running.watched();
        if watched.cycle() >= end {
            samples.end(watched.cycle(), &watched.counts());
            end += period;
            // Kernels need not access the L2 at all.
            stopped |= !watch(beside.done);
        }
        last = !more || stopped || beside.done >= accesses;
    }
    // Those that are on their way still come: all counts must add up then.
    running.drain(&mut |reached| take(&reached, &mut samples, &mut beside));
    if let Some(error) = failed {
        return Err(error);
    }
    running.check()?;
    let cycle = running.watched().cycle();
    beside.catch_up(cycle)?;
    let counts = running.watched().counts();
    samples.finish(cycle, &counts);
    let Beside {
        mut hardware,
        wave,
        record,
        done,
        differed,
        ..
    } = beside;
    if let Some(record) = record {
        record.finish()?;
    }
    if let Some(hardware) = &mut hardware {
        hardware.finish(done, &counts);
    }
    let complete = done >= accesses;
    let wave = match (wave, &hardware) {
        (Some(wave), Some(hardware)) => wave.finish(complete, hardware)?,
        _ => None,
    };
    let mismatch = hardware.as_ref().and_then(|h| h.mismatch().cloned());
    let lockstep = hardware.map(|hardware| hardware.count());
    let report = Report::new(
        request,
        &running,
        period,
        samples,
        lockstep,
        mismatch.as_ref().map(|mismatch| (mismatch, differed)),
        complete,
    );
    Ok(Finished {
        report,
        mismatch,
        wave,
    })
}

fn no_wave(request: &Request<'_>) -> crate::experiments::replay::Error {
    let reason = match Sets::of(&request.subject.geometry()) {
        Err(refused) => refused.to_string(),
        Ok(_) => "lockstep is off".into(),
    };
    crate::experiments::replay::Error::NoWave { reason }
}
