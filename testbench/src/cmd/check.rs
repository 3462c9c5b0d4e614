//! `cotenant check`: runs netlist and golden model in lockstep.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use cotenant_netlist::sim::Engine;
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::Window;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::registry::AnyUnit;
use crate::verify::dump;
use crate::verify::lockstep::{Check, Report};
use crate::verify::waves::{Request, Span, BEFORE};

use super::args::{engine, mix, seed, sets, some_cycles, unit, units};
use super::check_random::RandomArgs;
use super::wave_args::{say_if_late, WaveArgs, WHOLE_RUN};

/// Run a unit's netlist and its golden model in lockstep and compare every cycle
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant check lru_stack --config 16x4 --cycles 100k
  cotenant check gdcu --config all --profile saturation --profile storms --seed 7
  cotenant check gdcu --config figure-2 --coverage --json
  cotenant check lru_stack --config 16x4 --map-template --top tb.dut
  cotenant check gdcu --on-mismatch --last 1000 --signals matrix.count

With --vcd, a dump (VCD or FST) of a simulation of your own RTL, in any
language, is compared instead. MAP.toml assigns signals of the dump to ports;
--map-template prints a map to be filled in (docs/check-vcd.md). Comparison
starts with the first reset.
  cotenant check lru_stack --config small --vcd my_stack.vcd --map map.toml
--wave, --window, --last and --on-mismatch write its ports beside the golden
model's; --wave alone the first 100,000 cycles.

With --config random, legal parameter sets are drawn, also such as no list has:
--sets of each unit, one after the other, the number of each added to the seed.
Whatever differs is printed with the command that shows it again.
  cotenant check all --config random --sets 20 --cycles 10k --verilog
  cotenant check gdcu --config random --sets 1000 --cycles 2k --seed 7

The same unit, config, seed, profiles and number of cycles give the same run.
`cotenant list` shows the units, their parameter sets and profiles.

Exit code: 0 no mismatch, 1 a mismatch, 2 could not run, 130 interrupted.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`; with --config random also `all`
    #[arg(value_name = "UNIT")]
    unit: String,
    /// Parameter set: name, alias, numbers (12x5x24), KEY=VALUE[,KEY=VALUE], `all`, or `random`
    /// [default: that of the map, else table-1]
    #[arg(long = "config", alias = "set", value_name = "CONFIG")]
    set: Option<String>,
    /// Cycles per parameter set; suffixes k and M are thousands and millions
    #[arg(long, value_name = "N", value_parser = some_cycles, default_value = "1M")]
    cycles: u64,
    /// Seed of the stimulus, decimal or hexadecimal with 0x
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    seed: u64,
    /// Stimulus profile; may be repeated, profiles then alternate [default: all]
    #[arg(long = "profile", value_name = "PROFILE")]
    profiles: Vec<String>,
    /// Simulator of the netlist [default: jit where available]
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    engine: Option<Engine>,
    /// Report functional coverage of the stimulus
    #[arg(long)]
    coverage: bool,
    /// Folder for waves, named UNIT_SET.vcd
    #[arg(long, value_name = "DIR", default_value = "out/check")]
    out: PathBuf,
    /// Compare this dump with the golden model, instead of the netlist
    #[arg(
        long,
        value_name = "FILE",
        requires = "map",
        conflicts_with_all = ["cycles", "seed", "profiles", "engine"]
    )]
    vcd: Option<PathBuf>,
    /// Assignment of signals of the dump to ports
    #[arg(long, value_name = "MAP.toml", requires = "vcd")]
    map: Option<PathBuf>,
    /// Print a MAP.toml to be filled in, and exit
    #[arg(long, conflicts_with_all = ["vcd", "map", "json"])]
    map_template: bool,
    /// Where your design is in the dump, for --map-template [default: tb.dut]
    #[arg(long, value_name = "INSTANCE", requires = "map_template")]
    top: Option<String>,
    /// Go on up to so many cycles that differ from the golden model
    #[arg(long, value_name = "N", requires = "vcd", value_parser = clap::value_parser!(u32).range(1..), default_value = "1")]
    mismatches: u32,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
    /// Write waves to this file instead; without an option that says which, of the whole run
    #[arg(
        long,
        value_name = "FILE",
        value_parser = super::args::new_file,
        conflicts_with = "out",
        help_heading = "Waves"
    )]
    wave: Option<PathBuf>,
    #[command(flatten)]
    waves: WaveArgs,
    #[command(flatten)]
    random: RandomArgs,
}

/// All runs of a command.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    passed: bool,
    interrupted: bool,
    runs: &'a [Report],
}

impl<'a> Document<'a> {
    fn of(runs: &'a [Report]) -> Self {
        Self {
            schema: 1,
            passed: runs.iter().all(Report::passed),
            interrupted: runs.iter().any(|report| report.interrupted),
            runs,
        }
    }

    /// A mismatch counts, however the run ended.
    fn exit_code(&self) -> u8 {
        match (self.passed, self.interrupted) {
            (false, _) => 1,
            (true, true) => super::INTERRUPTED,
            (true, false) => 0,
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let map = match &args.map {
        Some(path) => Some(dump::Map::read(path).map_err(|error| miette!("{error}"))?),
        None => None,
    };
    let of_map = map.as_ref().and_then(dump::Map::set);
    let set = args.set.as_deref().or(of_map).unwrap_or("table-1");
    if set == "random" {
        return random(args);
    }
    if let Some(option) = args.random.given() {
        return Err(miette!("{option} is for --config random"));
    }
    let unit = unit(&args.unit)?;
    let sets = sets(unit, set)?;
    if args.map_template || args.vcd.is_some() {
        let [set] = &sets[..] else {
            return Err(miette!(
                "--config all: a dump belongs to one parameter set, expected its name"
            ));
        };
        return match (&args.vcd, &map) {
            (Some(vcd), Some(map)) => {
                let options = dump::Options {
                    mismatches: args.mismatches as usize,
                    coverage: args.coverage,
                    wave: wave_of_dump(args, unit, set)?,
                };
                super::check_dump::run(unit, set, vcd, map, &options, args.json)
            }
            _ => {
                let top = args.top.as_deref().unwrap_or(dump::TOP);
                super::check_dump::print_template(unit, set, top)
            }
        };
    }
    if args.wave.is_some() && sets.len() > 1 {
        return Err(miette!(
            "--wave and --config all: a file holds one parameter set, expected its name"
        ));
    }
    if let Some(window) = args.waves.window.filter(|it| it.from >= args.cycles) {
        return Err(miette!(
            "--window {}..: the run ends before it, in cycle {}: expected an earlier window, or more --cycles",
            window.from,
            args.cycles
        ));
    }
    let options = options(args, unit)?;
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let style = "{msg} {bar:20} {human_pos} of {human_len} cycles, {rate}, {eta} left";
    let style = ProgressStyle::with_template(style).into_diagnostic()?;
    let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        // A rate that cannot be shown is no reason to stop.
        let _ = write!(out, "{:.1} M/s", state.per_sec() / 1e6);
    });
    let progress =
        ProgressBar::new(args.cycles.saturating_mul(sets.len() as u64)).with_style(style);
    let mut runs = Vec::new();
    for (number, set) in (0..).zip(&sets) {
        progress.set_message(format!("{} {}", unit.name(), set.name));
        let before = args.cycles.saturating_mul(number);
        let options = with_waves(&options, args, unit, set)?;
        let report = unit.check(set, &options, &mut |done| {
            progress.set_position(before + done);
            super::flow(&stop)
        });
        let report = report.map_err(|error| miette!("{error}"))?;
        if !args.json {
            progress.suspend(|| super::print(&text(&report)))?;
        }
        if let (Some(window), None) = (args.waves.window, &report.mismatch) {
            say_if_late(window.from, report.cycles);
        }
        let interrupted = report.interrupted;
        runs.push(report);
        if interrupted {
            break;
        }
    }
    progress.finish_and_clear();
    let document = Document::of(&runs);
    if args.json {
        super::print(&(serde_json::to_string_pretty(&document).into_diagnostic()? + "\n"))?;
    }
    Ok(ExitCode::from(document.exit_code()))
}

fn random(args: &Args) -> Result<ExitCode> {
    let given = [
        ("--coverage", args.coverage),
        ("--json", args.json),
        ("--map-template", args.map_template),
        ("--vcd", args.vcd.is_some()),
        ("--wave", args.wave.is_some()),
    ];
    let given = given
        .into_iter()
        .find_map(|(name, given)| given.then_some(name));
    if let Some(option) = given.or(args.waves.given()) {
        return Err(miette!(
            "{option} is for one parameter set, not for --config random"
        ));
    }
    let units = units(&args.unit)?;
    let mut check = Check::new(args.cycles, args.seed);
    for unit in &units {
        check = options(args, *unit)?;
    }
    super::check_random::run(&units, &check, &args.random)
}

fn text(report: &Report) -> String {
    match &report.coverage {
        Some(coverage) => format!("{report}\n{coverage}\n"),
        None => format!("{report}\n"),
    }
}

fn options(args: &Args, unit: &dyn AnyUnit) -> Result<Check> {
    let mut check = Check::new(args.cycles, args.seed).coverage(args.coverage);
    check.engine = args.engine;
    Ok(match mix(unit, &args.profiles)? {
        None => check,
        Some(mix) => check.mix(mix),
    })
}

/// The name of a file in the folder, with `part` before its ending.
fn in_folder(args: &Args, unit: &dyn AnyUnit, set: &ParameterSet, part: &str) -> PathBuf {
    let name = format!(
        "{}_{}{part}.{}",
        unit.name(),
        set.name,
        args.waves.extension()
    );
    args.out.join(name)
}

/// Waves beside a dump, if an option asks for some.
fn wave_of_dump(args: &Args, unit: &dyn AnyUnit, set: &ParameterSet) -> Result<Option<Request>> {
    let span = match (args.waves.span(), &args.wave, args.waves.given()) {
        (Some(span), ..) => span,
        (None, None, None) => return Ok(None),
        // How long the dump is, is not known yet.
        (None, ..) => Span::Window(WHOLE_RUN),
    };
    let path = args.wave.clone();
    let path = path.unwrap_or_else(|| in_folder(args, unit, set, ".dump"));
    Ok(Some(args.waves.request(&path, span)?))
}

/// Waves of a mismatch, unless those of the last cycles hold it, and of what is asked for.
fn with_waves(
    options: &Check,
    args: &Args,
    unit: &dyn AnyUnit,
    set: &ParameterSet,
) -> Result<Check> {
    let file = |part| in_folder(args, unit, set, part);
    let asked = args.wave.clone();
    let mut check = options.clone();
    let span = match args.waves.span() {
        Some(Span::Window(window)) => {
            let path = asked.unwrap_or_else(|| file(".window"));
            check = check.waves(args.waves.request(&path, Span::Window(window))?);
            let path = file("");
            let mismatch = Span::Mismatch { before: BEFORE };
            return Ok(check.waves(args.waves.request(&path, mismatch)?));
        }
        Some(span) => span,
        None if asked.is_none() => Span::Mismatch { before: BEFORE },
        // Who names a file wants to see something.
        None if args.cycles <= WHOLE_RUN.to => Span::Window(Window {
            from: 0,
            to: u64::MAX,
        }),
        None => {
            return Err(miette!(
                "--wave alone writes the whole run, which may have {} cycles at most, not {}: \
                 expected fewer --cycles, or --window A..B, --last N or --on-mismatch",
                WHOLE_RUN.to,
                args.cycles
            ))
        }
    };
    let path = asked.unwrap_or_else(|| file(""));
    Ok(check.waves(args.waves.request(&path, span)?))
}

#[cfg(test)]
mod tests {
    //! Rationale: units agree with their models, so that the program itself cannot show what a
    //! mismatch does to the exit code.
    use super::*;
    use crate::unit::llc;
    use crate::verify::interface::Interface;
    use crate::verify::lockstep::{Flow, Lockstep};
    use crate::verify::stimulus::{stream, Mix};
    use cotenant_units::table;

    /// A run of a stack with or without a fault.
    fn report(faulty: bool, interrupted: bool) -> Report {
        let set = table::set("lru_stack", "small").unwrap();
        let mut netlist = llc::LruStack::netlist(&set).unwrap();
        if faulty {
            netlist.outputs[0].node = netlist.graph.constant(0u8, 2);
        }
        let lockstep = Lockstep::<llc::LruStack>::with_netlist(&set, &netlist, Engine::Interpreter);
        let mut lockstep = lockstep.unwrap();
        let stimulus = stream(lockstep.params(), Mix::default(), 1);
        let mut watch = |_| {
            if interrupted {
                Flow::Stop
            } else {
                Flow::Continue
            }
        };
        lockstep.run_watched(stimulus, 10, &mut watch).unwrap()
    }

    #[test]
    fn exit_codes() {
        let code = |reports: &[Report]| Document::of(reports).exit_code();
        let (good, bad, cut) = (
            report(false, false),
            report(true, false),
            report(false, true),
        );
        assert_eq!(code(std::slice::from_ref(&good)), 0);
        assert_eq!(code(&[good.clone(), bad.clone()]), 1);
        assert_eq!(code(&[good, cut.clone()]), 130);
        assert_eq!(code(&[bad, cut]), 1);
    }
}
