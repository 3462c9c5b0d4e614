//! `cotenant check --config random`: random legal parameter sets, one after the other.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use cotenant_units::table::ParameterSet;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};

use super::args::cycles;
use crate::export::{play_named, start_up, Options, Simulator, Vectors, Verdict};
use crate::registry::AnyUnit;
use crate::verify::lockstep::Check;
use crate::verify::stimulus::random_set;

/// Random parameter sets
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Random parameter sets (--config random)")]
pub struct RandomArgs {
    /// Parameter sets of each unit [default: 100]
    #[arg(long, value_name = "N")]
    sets: Option<u64>,
    /// Number of the first one, to go on with a run that was interrupted [default: 0]
    #[arg(long, value_name = "N")]
    first: Option<u64>,
    /// Also play so many cycles of vectors on the exported Verilog in Icarus [default: 1k]
    #[arg(
        long,
        value_name = "CYCLES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1k",
        value_parser = cycles
    )]
    verilog: Option<u64>,
}

impl RandomArgs {
    /// The first of these options that was given, for an error.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--sets", self.sets.is_some()),
            ("--first", self.first.is_some()),
            ("--verilog", self.verilog.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

/// How much longer Icarus plays if nothing could be compared.
const LONGER: u64 = 32;

/// Sets of each unit unless said.
const SETS: u64 = 100;

/// A unit with a set, and what it is run with.
struct Trial<'a> {
    unit: &'static dyn AnyUnit,
    set: ParameterSet,
    check: Check,
    stop: &'a AtomicBool,
}

/// What came of it.
enum Outcome {
    Agrees(String),
    /// What differs, and the command that shows it again.
    Differs(String, String),
    Interrupted,
}

impl Trial<'_> {
    /// The set as anybody can give it.
    fn config(&self) -> String {
        let pairs = self.set.params.iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        pairs.join(",")
    }

    /// Netlist and golden model in lockstep. A set is drawn because it is legal, so whatever keeps
    /// it from running is a finding, too.
    fn lockstep(&self) -> Outcome {
        let Self {
            unit,
            set,
            check,
            stop,
        } = self;
        let run = || unit.check(set, check, &mut |_| super::flow(stop));
        let differs = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(report)) if report.interrupted => return Outcome::Interrupted,
            Ok(Ok(report)) if report.passed() => return Outcome::Agrees(report.to_string()),
            Ok(Ok(report)) => report.to_string(),
            Ok(Err(error)) => format!("{} {}: {error}", unit.name(), set.name),
            Err(_) => format!("{} {}: panicked", unit.name(), set.name),
        };
        let again = format!(
            "cotenant check {} --config {} --cycles {} --seed {:#x}",
            unit.name(),
            self.config(),
            check.cycles,
            check.seed
        );
        Outcome::Differs(differs, again)
    }

    /// The exported Verilog in Icarus, for longer where a sweep over many sets takes all cycles.
    fn verilog(&self, cycles: u64) -> Outcome {
        let (unit, set) = (self.unit.name(), self.set.name);
        let play = |cycles| {
            let vectors = Vectors::default().cycles(cycles).seed(self.check.seed);
            let vectors = vectors.mix(self.check.mix.clone());
            let options = Options::default().with_testbench(vectors);
            play_named(unit, set, &options, Simulator::Icarus)
        };
        let (mut played, mut verdict) = (cycles, play(cycles));
        if matches!(&verdict, Ok(Verdict::Fail { report }) if report.contains("nothing compared")) {
            played = cycles.saturating_mul(LONGER);
            verdict = play(played);
        }
        let differs = match verdict {
            Ok(Verdict::Pass { cycles, .. }) => {
                return Outcome::Agrees(format!("{unit} {set}: Icarus: {cycles} cycles"))
            }
            Ok(Verdict::Fail { report }) => format!("{unit} {set}: Icarus: {report}"),
            Err(error) => format!("{unit} {set}: Icarus: {error}"),
        };
        let again = format!(
            "cotenant export {unit} --config {} --testbench --cycles {played} --seed {:#x} --out {unit} && make -C {unit} icarus",
            self.config(),
            self.check.seed
        );
        Outcome::Differs(differs, again)
    }
}

/// Runs so many sets of each unit. What differs does not end the run.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(units: &[&'static dyn AnyUnit], check: &Check, args: &RandomArgs) -> Result<ExitCode> {
    if args.verilog.is_some() {
        start_up(Simulator::Icarus).into_diagnostic()?;
    }
    let stop = super::interrupted()?;
    let (first, sets) = (args.first.unwrap_or(0), args.sets.unwrap_or(SETS));
    // Hidden where stderr is no terminal.
    let style = "{bar:20} {pos} of {len} parameter sets, {elapsed}, {eta} left: {msg}";
    let style = ProgressStyle::with_template(style).into_diagnostic()?;
    let progress = ProgressBar::new(sets.saturating_mul(units.len() as u64)).with_style(style);
    let mut differences = 0;
    for number in first..first.saturating_add(sets) {
        for &unit in units {
            let seed = check.seed.wrapping_add(number);
            let trial = Trial {
                unit,
                set: random_set(unit.name(), seed).map_err(|error| miette!("{error}"))?,
                check: Check {
                    seed,
                    ..check.clone()
                },
                stop: &stop,
            };
            progress.set_message(format!("{} {}", unit.name(), trial.set.name));
            let mut outcomes = vec![trial.lockstep()];
            outcomes.extend(args.verilog.map(|cycles| trial.verilog(cycles)));
            for outcome in outcomes {
                let text = match outcome {
                    Outcome::Agrees(text) => text,
                    Outcome::Differs(text, again) => {
                        differences += 1;
                        format!("{text}\n  {again}")
                    }
                    Outcome::Interrupted => continue,
                };
                progress.suspend(|| super::print(&(text + "\n")))?;
            }
            if stop.load(Ordering::Relaxed) {
                progress.finish_and_clear();
                eprintln!("interrupted; --first {number} goes on from here");
                return Ok(ExitCode::from(match differences {
                    0 => super::INTERRUPTED,
                    _ => 1,
                }));
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    super::print(&format!(
        "{} parameter sets, {differences} differences\n",
        progress.position()
    ))?;
    Ok(ExitCode::from(u8::from(differences > 0)))
}

#[cfg(test)]
mod tests {
    //! Rationale: units agree with their models, so that the program itself cannot show what it
    //! prints of one that does not.
    use super::*;
    use crate::registry::find;
    use crate::verify::stimulus::Profile;
    use cotenant_units::table;

    #[test]
    fn what_fails_is_printed_with_the_command_that_shows_it_again() {
        let trial = Trial {
            unit: find("popcnt").unwrap(),
            set: random_set("popcnt", 1).unwrap(),
            // Which it does not have.
            check: Check::new(10, 7).mix(Profile::Storms),
            stop: &AtomicBool::new(false),
        };
        let Outcome::Differs(text, again) = trial.lockstep() else {
            panic!("it runs");
        };
        assert!(text.contains("popcnt has no profile"), "{text}");
        let config = trial.config();
        assert_eq!(
            again,
            format!("cotenant check popcnt --config {config} --cycles 10 --seed 0x7")
        );
        assert_eq!(table::set("popcnt", &config).unwrap(), trial.set);
    }
}
