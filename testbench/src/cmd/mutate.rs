//! `cotenant mutate`: every fault place of a unit in lockstep, then proofs of what survives.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cotenant_netlist::fault::candidates;
use cotenant_units::table::{self, ParameterSet};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, Result};

use crate::registry::AnyUnit;
use crate::verify::fault::mutation::{Class, Journal, Measured, Record, Settings};

/// Put a fault into every place of a unit, and see each caught or proven to change nothing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant mutate popcnt
  cotenant mutate gdcu --config small --limit 200
  cotenant mutate all --record testbench/tests/recorded/mutation
  cotenant mutate sce --config all --undecided --record testbench/tests/recorded/mutation
  cotenant mutate all --record testbench/tests/recorded/mutation --check

Verdicts are kept in --out as they come: after Ctrl-C the same command goes on.
A fault runs in lockstep with the golden model; what is not caught soon goes to
a prover (abc), then runs on, and at last is compared from reset on.

Exit code: 0 all places are caught or proven equivalent, 1 some are not, or a
record is old; 2 could not run, 130 interrupted.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`; or `all`
    #[arg(value_name = "UNIT")]
    unit: String,
    /// Parameter set: name, alias, numbers, KEY=VALUE[,KEY=VALUE] or `all` [default: the sets that
    /// every test takes]
    #[arg(long = "config", alias = "set", value_name = "CONFIG")]
    set: Option<String>,
    /// Cycles that a fault runs for at most, as 5000 or 20k [default: 400k]
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    cycles: Option<u64>,
    /// Cycles that a fault runs for before the prover is asked about it; raise it where proofs take
    /// long, as those of multipliers do [default: 8192]
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    first: Option<u64>,
    /// Seed of the stimulus, decimal or hexadecimal with 0x [default: 0x9e37]
    #[arg(long, value_name = "SEED", value_parser = super::args::seed)]
    seed: Option<u64>,
    /// Faults at a time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Stop after N places that are spread over the unit, and estimate the time of all
    #[arg(long, value_name = "N", conflicts_with = "check")]
    limit: Option<usize>,
    /// Skip parameter sets with more fault places
    #[arg(long, value_name = "N")]
    at_most: Option<usize>,
    /// Seconds that the prover may think about one question [default: 120]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<u64>,
    /// Go on with places that are undecided or missed in --out, or in the record of this netlist and
    /// stimulus, whose other verdicts are kept: for what new facts, more patience or more cycles can
    /// decide
    #[arg(long)]
    undecided: bool,
    /// Folder of the verdicts so far
    #[arg(long, value_name = "DIR", default_value = "out/mutate")]
    out: PathBuf,
    /// Write what was found to UNIT.json in this folder; a set that it has is not measured again
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Run nothing: say which sets the record lacks or has of another netlist, stimulus or model
    #[arg(long, requires = "record")]
    check: bool,
}

/// A parameter set to be measured.
struct Job {
    unit: &'static dyn AnyUnit,
    set: ParameterSet,
    netlist: String,
    places: usize,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = super::interrupted()?;
    let mut jobs = jobs(args)?;
    // What is small is there soon.
    jobs.sort_by_key(|job| job.places);
    let mut failed = false;
    for job in &jobs {
        if args.at_most.is_some_and(|most| job.places > most) {
            continue;
        }
        match one(args, job, &stop)? {
            _ if stop.load(Ordering::Relaxed) => {
                eprintln!("interrupted: the same command goes on");
                return Ok(ExitCode::from(super::INTERRUPTED));
            }
            decided => failed |= !decided,
        }
    }
    Ok(ExitCode::from(u8::from(failed)))
}

fn jobs(args: &Args) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for unit in super::args::units(&args.unit)? {
        let sets = match &args.set {
            Some(set) => super::args::sets(unit, set)?,
            None => table::test_sets(unit.name()).into_diagnostic()?,
        };
        for set in sets {
            let netlist = unit.netlist(&set).into_diagnostic()?;
            let (netlist, places) = (netlist.digest(), candidates(&netlist).len());
            jobs.push(Job {
                unit,
                set,
                netlist,
                places,
            });
        }
    }
    Ok(jobs)
}

/// Whether all places of a set are decided.
fn one(args: &Args, job: &Job, stop: &Arc<AtomicBool>) -> Result<bool> {
    let (unit, set) = (job.unit.name(), &job.set);
    let record = args.record.as_ref();
    let record = record.map(|folder| Record::read(folder, unit));
    let record = record.transpose().into_diagnostic()?;
    let known = record.as_ref().and_then(|record| record.set(set.name));
    let stimulus = known.map(|known| job.unit.stimulus_digest(set, known.seed));
    let stimulus = stimulus.transpose().into_diagnostic()?.unwrap_or_default();
    let mut problems = match known {
        Some(known) => known.problems(&job.netlist, job.places, &stimulus),
        None => vec![format!("no record, {} places", job.places)],
    };
    let edited = |it: &&Record| !it.sets.is_empty() && it.hash != it.content_hash();
    if record.as_ref().filter(edited).is_some() {
        let words = "the record was edited, its hash is another one";
        // A new hash over it would hide that.
        miette::ensure!(args.check, "{unit}.json: {words}: restore it, or remove it");
        problems.push(words.into());
    }
    let known = known.filter(|_| problems.is_empty());
    let wanted = |known: &&Measured| {
        let whole = args.limit.is_none() && (!args.undecided || is_decided(known));
        args.check || whole
    };
    if let Some(known) = known.filter(wanted) {
        super::print(&line(unit, known))?;
        return Ok(is_decided(known));
    }
    if args.check {
        super::print(&format!("{unit} {}: {}\n", set.name, problems.join("; ")))?;
        return Ok(false);
    }
    let start = Instant::now();
    let known = known.filter(|_| args.undecided).cloned();
    let (journal, measured) = decide(args, job.unit, set, known, stop)?;
    let Some(measured) = measured else {
        super::print(&estimate(job, &journal, start.elapsed().as_secs_f64()))?;
        return Ok(true);
    };
    super::print(&line(unit, &measured))?;
    let decided = is_decided(&measured);
    if let (Some(folder), Some(mut record)) = (&args.record, record) {
        record.put(measured);
        record.write(folder).into_diagnostic()?;
    }
    Ok(decided)
}

/// Decides the places of a set.
fn decide(
    args: &Args,
    unit: &dyn AnyUnit,
    set: &ParameterSet,
    known: Option<Measured>,
    stop: &AtomicBool,
) -> Result<(Journal, Option<Measured>)> {
    let usual = Settings::default();
    let settings = Settings {
        seed: args.seed.unwrap_or(usual.seed),
        cycles: args.cycles.unwrap_or(usual.cycles),
        first: args.first.unwrap_or(usual.first),
        jobs: args.jobs.unwrap_or(usual.jobs),
        limit: args.limit,
        patience: args.patience.map_or(usual.patience, Duration::from_secs),
        again: args.undecided,
        known,
    };
    // Hidden where stderr is no terminal.
    let style = "{msg} {bar:30} {human_pos} of {human_len} places, {eta} left";
    let style = ProgressStyle::with_template(style).into_diagnostic()?;
    let progress = ProgressBar::new(0).with_style(style);
    progress.set_message(format!("{} {}", unit.name(), set.name));
    let mut watch = |done: usize, of: usize| {
        progress.set_length(of as u64);
        progress.set_position(done as u64);
        super::flow(stop)
    };
    let found = unit.mutate(set, &settings, &args.out, &mut watch);
    progress.finish_and_clear();
    found.into_diagnostic()
}

/// Whether no place is missed or undecided.
fn is_decided(measured: &Measured) -> bool {
    measured.missed.is_empty() && measured.undecided.is_empty()
}

/// What was found, and those that are open, a line each.
fn line(unit: &str, measured: &Measured) -> String {
    let mut text = format!(
        "{unit} {}: {} of {} places caught, {} proven equivalent, {} missed, {} undecided ({} core seconds)\n",
        measured.set,
        measured.caught,
        measured.places,
        measured.equivalent,
        measured.missed.len(),
        measured.undecided.len(),
        measured.core_seconds
    );
    for (kind, open) in [
        ("missed", &measured.missed),
        ("undecided", &measured.undecided),
    ] {
        for open in open {
            text += &format!("  {kind}: {}: {}\n", open.fault, open.why);
        }
    }
    text
}

/// What is known while some places are open.
fn estimate(job: &Job, journal: &Journal, seconds: f64) -> String {
    let done = journal.decided().len();
    let microseconds: u64 = journal.decided().map(|one| one.microseconds).sum();
    let core = microseconds as f64 / 1e6;
    let classes = journal.decided().map(|one| Class::from(&one.outcome));
    let open = classes.filter(|class| matches!(class, Class::Missed | Class::Undecided));
    format!(
        "{} {}: {done} of {} places in {core:.0} core seconds ({seconds:.0} s now), {} of them missed or \
         undecided; all take about {:.0} core seconds\n",
        job.unit.name(),
        job.set.name,
        job.places,
        open.count(),
        core * job.places as f64 / done.max(1) as f64,
    )
}
