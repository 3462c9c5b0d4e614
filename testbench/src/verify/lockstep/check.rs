//! A complete check of a unit, as `cotenant check` does it.

use std::path::PathBuf;

use cotenant_netlist::sim::Engine;
use cotenant_units::table::ParameterSet;

use super::{Flow, Lockstep, Report};
use crate::error::{Error, Result};
use crate::verify::coverage::{Collect, Cover, CoverageReport, Measured};
use crate::verify::stimulus::{episodes, stream, Mix, Profile};
use crate::verify::waves;

/// What to check a unit with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// Cycles in all.
    pub cycles: u64,
    /// Seed of the stimulus.
    pub seed: u64,
    /// Profiles of the stimulus.
    pub mix: Mix,
    /// What runs the netlist; the default engine of this machine if not said.
    pub engine: Option<Engine>,
    /// Waveforms: of a mismatch, of a window, of the last cycles.
    pub waves: Vec<waves::Request>,
    /// Measure the stimulus's coverage.
    pub coverage: bool,
}

impl Check {
    /// So many cycles of a seeded mix of all profiles.
    pub fn new(cycles: u64, seed: u64) -> Self {
        Self {
            cycles,
            seed,
            mix: Mix::default(),
            engine: None,
            waves: Vec::new(),
            coverage: false,
        }
    }

    /// With these profiles instead.
    #[must_use]
    pub fn mix(mut self, mix: impl Into<Mix>) -> Self {
        self.mix = mix.into();
        self
    }

    /// On this engine.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// With a waveform of a mismatch in this file.
    #[must_use]
    pub fn wave(self, path: impl Into<PathBuf>) -> Self {
        self.waves(waves::Request::on_mismatch(path))
    }

    /// With this waveform, too.
    #[must_use]
    pub fn waves(mut self, request: waves::Request) -> Self {
        self.waves.push(request);
        self
    }

    /// With the stimulus's coverage in the report.
    #[must_use]
    pub fn coverage(mut self, measure: bool) -> Self {
        self.coverage = measure;
        self
    }
}

/// Runs netlist and golden model in lockstep through [`episodes`] of seeded stimulus; `watch` is
/// told the cycles done from time to time.
///
/// ```
/// use cotenant::verify::lockstep::{Check, Flow, check};
/// use cotenant::unit::llc::Gdcu;
/// use cotenant_units::table;
///
/// let set = table::set("gdcu", "table-1")?;
/// let report = check::<Gdcu>(&set, &Check::new(10_000, 1), &mut |_| Flow::Continue)?;
/// assert_eq!(report.to_string(), "gdcu 16x4x21: no mismatch in 10000 cycles (seed 0x1)");
/// # Ok::<(), cotenant::Error>(())
/// ```
///
/// # Errors
/// [`Error::Profile`] if a single profile is asked for that the unit does not have; whatever keeps
/// the unit from being built and run.
pub fn check<U: Cover>(
    set: &ParameterSet,
    options: &Check,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Report> {
    known_profiles(U::NAME, U::PROFILES, &options.mix)?;
    let mut lockstep = match options.engine {
        Some(engine) => Lockstep::<U>::with_engine(set, engine)?,
        None => Lockstep::<U>::new(set)?,
    };
    for request in &options.waves {
        lockstep.bench.add_waves(request.clone())?;
    }
    check_in(&mut lockstep, options, watch)
}

/// [`check`] of a lockstep that is there already, for instance of a netlist with a fault.
///
/// # Errors
/// As [`check`].
pub fn check_in<U: Cover>(
    lockstep: &mut Lockstep<U>,
    options: &Check,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Report> {
    let params = lockstep.params().clone();
    let mut stimulus = stream::<U>(&params, options.mix.clone(), options.seed);
    let mut collector = options.coverage.then(|| U::collector(&params));
    let mut whole = lockstep.bench.report();
    let parts = episodes::<U>(&params, options.seed, options.cycles)?;
    for (part, episode) in parts.into_iter().enumerate() {
        let done = whole.cycles;
        let mut watch = |cycles| watch(done + cycles);
        // The first starts from reset, where both sides are.
        if part > 0 {
            lockstep.load(episode.model);
        }
        let report = match &mut collector {
            Some(collector) => {
                collector.restart(&params);
                let measured = Measured::new(&mut stimulus, collector);
                lockstep.run_watched(measured, episode.cycles, &mut watch)?
            }
            None => lockstep.run_watched(&mut stimulus, episode.cycles, &mut watch)?,
        };
        whole = Report {
            cycles: done + report.cycles,
            ..report
        };
        if whole.interrupted || !whole.passed() {
            break;
        }
    }
    let reason = whole.interrupted.then_some("interrupted");
    whole.wave = lockstep.finish_waves(reason)?;
    whole.coverage = collector.map(|collector| CoverageReport::of(&collector));
    Ok(whole)
}

/// A mix may hold profiles of other units, a single profile or a list may not.
fn known_profiles(unit: &'static str, known: &[Profile], mix: &Mix) -> Result<()> {
    let unknown = |profile: &&Profile| !known.contains(profile);
    match mix.profiles().iter().find(unknown) {
        Some(profile) if *mix != Mix::default() => Err(Error::Profile {
            unit,
            profile: profile.name().into(),
            known: known.iter().map(|profile| profile.name()).collect(),
        }),
        _ => Ok(()),
    }
}
