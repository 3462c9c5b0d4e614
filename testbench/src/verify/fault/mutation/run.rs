//! A run over all fault places of a parameter set, on several cores.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use cotenant_golden::Model;
use cotenant_netlist::fault::{candidates, Described};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use sha2::{Digest, Sha256};

use super::journal::{Journal, Left, Subject};
use super::record::Measured;
use super::stage::{Found, Stage, Work};
use super::Class;
use crate::error::Result;
use crate::verify::fault::any::{any, AnyFaulty};
use crate::verify::fault::campaign::ROUND;
use crate::verify::fault::proof::{Cones, PATIENCE};
use crate::verify::fault::{Facts, Outcome};
use crate::verify::interface::{Packer, ParamsOf};
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::{stream, Drive, Mix, Random, Run, Source};

/// Cycles from reset that [`stimulus`] is a digest of.
const DIGESTED: usize = 16_384;
/// Distant states that it is a digest of.
const DIGESTED_STATES: usize = 4;

/// How a run is made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Of the stimulus.
    pub seed: u64,
    /// That each fault is run for, at most.
    pub cycles: u64,
    /// That it is run for before the prover is asked; where proofs take long, as of products, more of
    /// them save time.
    pub first: u64,
    /// Faults at a time.
    pub jobs: usize,
    /// Places to decide, for an estimate of the time; all if none is given.
    pub limit: Option<usize>,
    /// How long the prover may think about one question.
    pub patience: Duration,
    /// Undecided places are open again.
    pub again: bool,
    /// What is known of the same netlist, stimulus and seed: only the places that it leaves open are
    /// decided.
    pub known: Option<Measured>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0x9e37,
            cycles: 400_000,
            first: ROUND,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            limit: None,
            patience: PATIENCE,
            again: false,
            known: None,
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

/// Decides all places that the journal in `folder` lacks and [`Settings::known`] leaves open; `watch`
/// is told how many of how many are decided, and may stop the run. The result is there once all are.
///
/// # Errors
/// What keeps the unit from being built or run, and what [`Journal`] cannot write.
pub fn run<U: Drive + Facts>(
    set: &ParameterSet,
    settings: &Settings,
    folder: &Path,
    watch: &mut dyn FnMut(usize, usize) -> Flow,
) -> Result<(Journal, Option<Measured>)> {
    run_any(any::<U>(), set, settings, folder, watch)
}

fn run_any(
    unit: &'static dyn AnyFaulty,
    set: &ParameterSet,
    settings: &Settings,
    folder: &Path,
    watch: &mut dyn FnMut(usize, usize) -> Flow,
) -> Result<(Journal, Option<Measured>)> {
    let netlist = unit.netlist(set)?;
    let faults = candidates(&netlist);
    let subject = Subject {
        unit: unit.name().into(),
        set: set.name.into(),
        netlist: netlist.digest(),
        stimulus: unit.stimulus(set, settings.seed)?,
        places: faults.len(),
        seed: settings.seed,
        cycles: settings.cycles,
    };
    let mut journal = Journal::open(folder, &subject, settings)?;
    let before = settings.known.as_ref();
    let before = before.filter(|known| {
        known.seed == settings.seed
            && known
                .problems(&subject.netlist, faults.len(), &subject.stimulus)
                .is_empty()
    });
    let classes = before.map(Measured::classes);
    let decided = |place: &usize| {
        let class = classes.as_ref().map(|classes| classes[*place]);
        journal.decided.contains_key(place)
            || class.is_some_and(|class| !matches!(class, Class::Missed | Class::Undecided))
    };
    let mut open: Vec<usize> = order(faults.len())
        .filter(|place| !decided(place))
        .collect();
    let all = journal.decided.len() + open.len();
    open.truncate(settings.limit.unwrap_or(usize::MAX));
    let wanted = journal.decided.len() + open.len();
    let stop = AtomicBool::new(false);
    let mut failed = None;
    watch_stop(watch(journal.decided.len(), wanted), &stop);
    // Each stage leaves fewer places to the next, which takes longer for each of them.
    let mut reasons = BTreeMap::new();
    for stage in Stage::ALL {
        let (to, from) = mpsc::channel();
        let next = AtomicUsize::new(0);
        let jobs = settings.jobs.max(1).min(open.len());
        let mut left = Vec::new();
        // What this stage has left open before.
        open.retain(|place| match journal.left.get(place) {
            Some(before) if before.after >= stage => {
                left.push((*place, before.reason.clone()));
                false
            }
            _ => true,
        });
        std::thread::scope(|scope| {
            for job in 0..jobs {
                let work = Work {
                    unit,
                    set,
                    settings,
                    faults: &faults,
                    open: &open,
                    reasons: &reasons,
                    share: (job, jobs),
                    next: &next,
                    stop: &stop,
                    to: to.clone(),
                };
                scope.spawn(move || work.run(stage));
            }
            drop(to);
            for result in from {
                match result {
                    Ok(Found::Decided(decided)) => {
                        if let Err(error) = journal.add(decided) {
                            stop.store(true, Ordering::Relaxed);
                            failed.get_or_insert(error);
                        }
                    }
                    Ok(Found::Open(place, reason)) => {
                        // A stage that was stopped has not looked at all that it leaves.
                        let whole = !stop.load(Ordering::Relaxed);
                        let one = Left::new(place, stage, reason.clone(), settings);
                        left.push((place, reason));
                        if let Some(Err(error)) = whole.then(|| journal.leave(one)) {
                            stop.store(true, Ordering::Relaxed);
                            failed.get_or_insert(error);
                        }
                    }
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        failed.get_or_insert(error);
                    }
                }
                watch_stop(watch(journal.decided.len(), wanted), &stop);
            }
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
        left.sort_unstable();
        open = left.iter().map(|(place, _)| *place).collect();
        reasons = left.into_iter().collect();
        if open.is_empty() {
            break;
        }
    }
    match failed {
        Some(error) => Err(error),
        None => {
            let whole = journal.decided.len() == all;
            let measured =
                whole.then(|| Measured::of(&subject, &netlist, &faults, &journal, before));
            Ok((journal, measured))
        }
    }
}

/// A digest of the stimulus of a seed and of the golden model: inputs and outputs of the first cycles
/// from reset, and of those from the first distant states. A verdict is of the netlist, of what is
/// played and of what is expected; when one of them is changed, all places are to be decided again.
///
/// # Errors
/// [`Error::Golden`](crate::Error::Golden).
pub fn stimulus<U: Drive>(set: &ParameterSet, seed: u64) -> Result<String> {
    let params = U::params(set)?;
    let mut random = Random::new(seed);
    let states = (0..DIGESTED_STATES).filter_map(|_| U::far(&params, &mut random));
    played::<U>(&params, seed, states.collect())
}

/// A digest of the cycles from reset and from these states.
fn played<U: Drive>(params: &ParamsOf<U>, seed: u64, states: Vec<U::Model>) -> Result<String> {
    let mut digest = Sha256::new();
    let mut add = |inputs: &[u64], outputs: &[u64]| {
        for word in inputs.iter().chain(outputs) {
            digest.update(word.to_le_bytes());
        }
    };
    let mut run = Run::<U>::new(params, &[], Mix::default(), seed)?;
    for _ in 0..DIGESTED {
        run.input()?;
        let (inputs, outputs) = run.answer();
        add(inputs, outputs);
    }
    let form = U::form(params);
    let (mut inputs, mut outputs) = (form.input_row(), form.output_row());
    let mut stream = stream::<U>(params, Mix::default(), seed);
    let mut input = U::idle(params);
    for mut model in states {
        for _ in 0..U::far_cycles(params).1 {
            stream.input(params, &model, &mut input);
            U::pack_in(params, &input, &mut Packer::new(&mut inputs));
            let out = model.step(&input);
            U::pack_out(params, &out, &mut Packer::new(&mut outputs));
            add(&inputs, &outputs);
        }
    }
    let digest = digest.finalize();
    Ok(digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn watch_stop(flow: Flow, stop: &AtomicBool) {
    if flow == Flow::Stop {
        stop.store(true, Ordering::Relaxed);
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
    repeat_any(any::<U>(), set, measured, count, seed)
}

fn repeat_any(
    unit: &'static dyn AnyFaulty,
    set: &ParameterSet,
    measured: &Measured,
    count: usize,
    seed: u64,
) -> Result<Vec<String>> {
    let mut campaign = unit.campaign(set, measured.seed, measured.cycles)?;
    let netlist = campaign.netlist().clone();
    let faults = candidates(&netlist);
    let mut prover = unit.prover(set, &netlist)?;
    let formulas = prover.formulas().ok();
    let mut cones = formulas.as_ref().map(Cones::new);
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
            let outcome = campaign.outcome(&faults[place], cones.as_mut(), &mut prover)?;
            let now = Class::from(&outcome);
            if now != class && !unread(&netlist, &outcome, || prover.prove(&faults[place]).is_ok())
            {
                let fault = Described(&netlist, &faults[place]);
                wrong.push(format!(
                    "{fault}: recorded as {class:?}, now {now:?}: {outcome:?}"
                ));
            }
        }
    }
    Ok(wrong)
}

/// Whether a fault was seen in a register that no output is ever read of, and is proven to change
/// nothing that shows: the lockstep sees more than a user of the unit does, if it runs for long enough.
fn unread(netlist: &Netlist, outcome: &Outcome, proven: impl FnOnce() -> bool) -> bool {
    let Outcome::Caught { field, .. } = outcome else {
        return false;
    };
    let port = field.split('[').next().unwrap_or(field);
    !netlist.outputs.iter().any(|output| output.name == port) && proven()
}

#[cfg(test)]
mod tests {
    //! Rationale: how long a fault runs before the prover is asked about it is a matter of time alone; a
    //! place that no stage looks at, or two do, would show here. What a record knows is not measured again,
    //! and what it leaves open is.
    use cotenant_units::table;

    use super::*;
    use crate::unit::sm::{Rbmi, Smil};
    use crate::verify::interface::Interface;

    #[test]
    fn what_comes_first_changes_no_verdict() {
        let set = table::set("rbmi", "small").unwrap();
        let folder = std::env::temp_dir().join(format!("cotenant-first-{}", std::process::id()));
        // In the only round all faults are seen, so that none can be skipped.
        let verdicts = [0, ROUND, 400_000].map(|first| {
            let settings = Settings {
                cycles: ROUND,
                first,
                ..Settings::default()
            };
            let folder = folder.join(first.to_string());
            let (_, measured) =
                run::<Rbmi>(&set, &settings, &folder, &mut |_, _| Flow::Continue).unwrap();
            let measured = measured.unwrap();
            assert_eq!(
                measured.caught + measured.equivalent,
                measured.places,
                "{measured:?}"
            );
            measured.verdicts
        });
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(verdicts.iter().all(|other| *other == verdicts[0]));
    }

    #[test]
    fn a_stage_is_not_done_again_for_what_it_has_left_open() {
        let set = table::set("rbmi", "small").unwrap();
        let folder = tempfile::tempdir().unwrap();
        // A glance at nothing leaves all places to the proofs.
        let settings = Settings {
            cycles: ROUND,
            first: 0,
            jobs: 1,
            ..Settings::default()
        };
        let go = || {
            let mut all = |_: usize, _: usize| Flow::Continue;
            let (journal, measured) =
                run::<Rbmi>(&set, &settings, folder.path(), &mut all).unwrap();
            let text = std::fs::read_to_string(journal.path()).unwrap();
            (journal.path().to_owned(), text, measured.unwrap())
        };
        let (path, text, whole) = go();
        let glances = |text: &str| text.matches("\"after\":\"glance\"").count();
        assert_eq!(glances(&text), whole.places);
        // As if it had been killed after the first proof that failed.
        let asked = text
            .find("\"after\":\"cones\"")
            .expect("one was not proven");
        let end = asked + text[asked..].find('\n').unwrap() + 1;
        std::fs::write(&path, &text[..end]).unwrap();
        let (_, after, again) = go();
        let added = after.strip_prefix(&text[..end]).expect("nothing is lost");
        assert_eq!(glances(added), 0);
        assert!(added.contains("\"outcome\""), "{added}");
        assert_eq!(again.verdicts, whole.verdicts);
    }

    #[test]
    fn the_digest_of_what_is_played_is_one_of_distant_states_too() {
        let set = table::set("smil", "table-1").unwrap();
        let params = Smil::params(&set).unwrap();
        let digest = |states| played::<Smil>(&params, 1, states).unwrap();
        let state = |seed| Smil::far(&params, &mut Random::new(seed)).unwrap();
        let digests = [
            digest(vec![]),
            digest(vec![state(1)]),
            digest(vec![state(2)]),
        ];
        assert!(
            digests[0] != digests[1] && digests[1] != digests[2],
            "{digests:?}"
        );
        assert_eq!(digests[1], digest(vec![state(1)]));
    }

    #[test]
    fn only_what_a_record_leaves_open_is_decided() {
        let set = table::set("rbmi", "small").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings {
            cycles: ROUND,
            ..Settings::default()
        };
        let go = |settings: &Settings, name: &str| {
            let folder = folder.path().join(name);
            let (journal, measured) =
                run::<Rbmi>(&set, settings, &folder, &mut |_, _| Flow::Continue).unwrap();
            let decided = journal.decided().len();
            (decided, measured.unwrap())
        };
        let (places, whole) = go(&settings, "whole");
        assert_eq!(places, whole.places);
        let mut known = whole.clone();
        let mut classes = known.classes();
        classes[3] = Class::Undecided;
        classes[5] = Class::Undecided;
        known.set_classes(&classes);
        settings.known = Some(known.clone());
        let (decided, again) = go(&settings, "open");
        assert_eq!(decided, 2);
        assert_eq!(again.verdicts, whole.verdicts);
        assert_eq!(
            (again.caught, again.equivalent),
            (whole.caught, whole.equivalent)
        );
        // What is known of another netlist is no help.
        known.netlist = "another".into();
        settings.known = Some(known);
        assert_eq!(go(&settings, "another").0, whole.places);
    }
}
