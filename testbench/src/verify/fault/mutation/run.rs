//! A run over all fault places of a parameter set, on several cores.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use cotenant_netlist::fault::{candidates, Described, Fault};
use cotenant_units::table::ParameterSet;

use super::journal::{Decided, Journal, Subject};
use super::record::Measured;
use super::Class;
use crate::error::Result;
use crate::verify::fault::proof::Prover;
use crate::verify::fault::{Campaign, Facts};
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::{Drive, Random};

/// How a run is made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Of the stimulus.
    pub seed: u64,
    /// That each fault is run for, at most.
    pub cycles: u64,
    /// Faults at a time.
    pub jobs: usize,
    /// Places to decide, for an estimate of the time; all if none is given.
    pub limit: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0x9e37,
            cycles: 400_000,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            limit: None,
        }
    }
}

/// The order in which places are decided: spread over the netlist, so that what is done tells how
/// long the rest takes.
pub fn order(places: usize) -> impl Iterator<Item = usize> {
    // The golden section is far from all fractions, and so leaves no part out for long.
    let wanted = (places as f64 * 0.618).ceil() as usize;
    let apart = |step: &usize| (1..=*step).rev().find(|d| step % d == 0 && places % d == 0);
    let step = (wanted.max(1)..).find(|step| apart(step) == Some(1));
    let step = step.unwrap_or(1);
    (0..places).map(move |number| number * step % places)
}

/// Decides all places that the journal in `folder` lacks; `watch` is told how many of how many are
/// decided, and may stop the run. The result is there once all are.
///
/// # Errors
/// What keeps the unit from being built or run, and what [`Journal`] cannot write.
pub fn run<U: Drive + Facts>(
    set: &ParameterSet,
    settings: &Settings,
    folder: &Path,
    watch: &mut dyn FnMut(usize, usize) -> Flow,
) -> Result<(Journal, Option<Measured>)> {
    let netlist = U::netlist(set)?;
    let faults = candidates(&netlist);
    let subject = Subject {
        unit: U::NAME.into(),
        set: set.name.into(),
        netlist: netlist.digest(),
        places: faults.len(),
        seed: settings.seed,
        cycles: settings.cycles,
    };
    let mut journal = Journal::open(folder, &subject)?;
    let known = |place: &usize| journal.decided.contains_key(place);
    let mut open: Vec<usize> = order(faults.len()).filter(|place| !known(place)).collect();
    open.truncate(settings.limit.unwrap_or(usize::MAX));
    let wanted = journal.decided.len() + open.len();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (to, from) = mpsc::channel();
    let mut failed = None;
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.clamp(1, open.len().max(1)) {
            let to = to.clone();
            let (faults, open, next, stop) = (&faults, &open, &next, &stop);
            scope.spawn(move || worker::<U>(set, settings, faults, open, next, stop, &to));
        }
        drop(to);
        let mut look = |done: usize| {
            if watch(done, wanted) == Flow::Stop {
                stop.store(true, Ordering::Relaxed);
            }
        };
        look(journal.decided.len());
        for decided in from {
            let added = decided.and_then(|decided| journal.add(decided));
            if let Err(error) = added {
                stop.store(true, Ordering::Relaxed);
                failed.get_or_insert(error);
            }
            look(journal.decided.len());
        }
    });
    match failed {
        Some(error) => Err(error),
        None => {
            let whole = journal.decided.len() == faults.len();
            let measured = whole.then(|| Measured::of(&subject, &netlist, &faults, &journal));
            Ok((journal, measured))
        }
    }
}

/// Decides one place after the other until none is left.
fn worker<U: Drive + Facts>(
    set: &ParameterSet,
    settings: &Settings,
    faults: &[Fault],
    open: &[usize],
    next: &AtomicUsize,
    stop: &AtomicBool,
    to: &mpsc::Sender<Result<Decided>>,
) {
    let decide = || -> Result<()> {
        let params = U::params(set)?;
        let mut campaign = Campaign::<U>::new(set, settings.seed, settings.cycles)?;
        let netlist = campaign.netlist().clone();
        let mut prover = Prover::<U>::new(&params, &netlist);
        while !stop.load(Ordering::Relaxed) {
            let Some(&place) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let start = Instant::now();
            let outcome = campaign.outcome(&faults[place], &mut prover)?;
            let milliseconds = start.elapsed().as_millis() as u64;
            // Nobody listens any more once the run has failed.
            let _ = to.send(Ok(Decided {
                place,
                milliseconds,
                outcome,
            }));
        }
        Ok(())
    };
    if let Err(error) = decide() {
        let _ = to.send(Err(error));
    }
}

/// Decides `count` places once more, chosen by `seed`, as many of each recorded class as there are;
/// those whose class is not the recorded one.
///
/// # Errors
/// As [`run`].
pub fn repeat<U: Drive + Facts>(
    set: &ParameterSet,
    measured: &Measured,
    count: usize,
    seed: u64,
) -> Result<Vec<String>> {
    let params = U::params(set)?;
    let mut campaign = Campaign::<U>::new(set, measured.seed, measured.cycles)?;
    let netlist = campaign.netlist().clone();
    let faults = candidates(&netlist);
    let mut prover = Prover::<U>::new(&params, &netlist);
    let recorded = measured.classes();
    let mut random = Random::new(seed);
    let mut wrong = Vec::new();
    // The others take minutes each.
    for class in [Class::Caught, Class::Equivalent] {
        let mut places: Vec<usize> = (0..recorded.len().min(faults.len()))
            .filter(|&place| recorded[place] == class)
            .collect();
        for _ in 0..count.div_ceil(2).min(places.len()) {
            let place = places.swap_remove(random.below(places.len()));
            let outcome = campaign.outcome(&faults[place], &mut prover)?;
            let now = Class::from(&outcome);
            if now != class {
                let fault = Described(&netlist, &faults[place]);
                wrong.push(format!("{fault}: recorded as {class:?}, now {now:?}"));
            }
        }
    }
    Ok(wrong)
}
