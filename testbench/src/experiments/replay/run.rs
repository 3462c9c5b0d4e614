//! Runs a replay.

use super::attribution::Pass;
use super::hardware::{Hardware, Mismatch, Sets};
use super::report::Report;
use super::wave::Wave;
use cotenant_golden::addr::mapping::Mapping;
use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::trace::{Options, Source, Trace};
use cotenant_golden::workload::Access;
use cotenant_netlist::sim::Engine;
use std::path::PathBuf;

use super::error::Error;
use crate::verify::waves::Request as WaveRequest;

/// Accesses between two looks at the watcher.
const CHUNK: usize = 1 << 16;

/// What to replay.
#[derive(Debug, Clone)]
pub struct Request {
    /// The traces, interleaved access by access.
    pub sources: Vec<Source>,
    /// The cache.
    pub geometry: Geometry,
    /// Which set an address is in, if not by its bits.
    pub mapping: Option<Mapping>,
    /// The engine of the hardware in lockstep; `None` for the golden model
    /// alone.
    pub hardware: Option<Engine>,
    /// Waves to write; their cycles are accesses, counted from 0.
    pub wave: Option<WaveRequest>,
}

/// A replay that came to an end, or was asked to stop.
#[derive(Debug)]
pub struct Finished {
    /// Counts, matrices and shares.
    pub report: Report,
    /// The first difference between hardware and golden model.
    pub mismatch: Option<Mismatch>,
    /// The waves written.
    pub wave: Option<PathBuf>,
}

/// Replays. `watch` is told the accesses done from time to time and returns
/// whether to go on; stopping is no error, the report says `complete: false`.
///
/// # Errors
/// [`Error`]; no wave file is left behind then.
pub fn replay(request: &Request, watch: &mut dyn FnMut(u64) -> bool) -> Result<Finished, Error> {
    let Request {
        sources, geometry, ..
    } = request;
    let mut cache = Fast::new(*geometry)?;
    let mut exact = Pass::new(geometry)?;
    let options = Options {
        line: geometry.line,
        kernels: geometry.kernels,
    };
    let mut trace = Trace::open(sources, options)?.mapped(request.mapping.clone());
    let mut hardware = match request.hardware {
        // A cycle of the wave is an access.
        Some(engine) => Hardware::new(geometry, engine, request.wave.is_none())?,
        None => None,
    };
    let mut wave = match (&request.wave, &hardware) {
        (None, _) => None,
        (Some(request), Some(hardware)) => Some(Wave::create(request, hardware)?),
        (Some(_), None) => {
            let reason = match Sets::of(geometry) {
                Err(refused) => refused.to_string(),
                Ok(_) => "lockstep is off".into(),
            };
            return Err(Error::NoWave { reason });
        }
    };
    let mut done = 0u64;
    let mut complete = true;
    loop {
        if !watch(done) {
            complete = false;
            break;
        }
        let before = done;
        for access in trace.by_ref().take(CHUNK) {
            let access = access?;
            match &mut hardware {
                None => cache.access(&access).map(|_| ())?,
                Some(hardware) => observed(&access, done, &mut cache, hardware, wave.as_mut())?,
            }
            exact.access(&access);
            done += 1;
        }
        if done == before {
            break;
        }
    }
    if complete && done == 0 {
        return Err(Error::no_access(sources, trace.skipped()));
    }
    let counts = cache.counts();
    if let Some(hardware) = &mut hardware {
        hardware.finish(done, &counts);
    }
    let wave = match (wave, &hardware) {
        (Some(wave), Some(hardware)) => wave.finish(complete, hardware)?,
        _ => None,
    };
    Ok(Finished {
        mismatch: hardware.as_ref().and_then(|h| h.mismatch().cloned()),
        report: Report::new(
            geometry,
            counts,
            &exact,
            trace.skipped(),
            hardware.map(|h| h.count()),
            complete,
        ),
        wave,
    })
}

/// One access through the cache and the hardware beside it.
fn observed(
    access: &Access,
    number: u64,
    cache: &mut Fast,
    hardware: &mut Hardware,
    wave: Option<&mut Wave>,
) -> Result<(), Error> {
    let (stack, outcome) = cache.observe(access)?;
    hardware.access(number, access, &stack, &outcome)?;
    if let Some(wave) = wave {
        wave.sample(number, access, &outcome, hardware)?;
    }
    Ok(())
}
