//! `cotenant export`: writes a unit as Verilog, with a testbench on request.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use cotenant_netlist::fault::{at_outputs, sample, Described};
use cotenant_units::table::{self, ParameterSet};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::export::{export_named, Error, Exported, Options, Vectors, SCHEMA};
use crate::registry::find;
use crate::verify::lockstep::Flow;

/// Export a unit as Verilog, optionally with a testbench for Icarus and Verilator
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant export gdcu
  cotenant export lru_stack --config 16x4 --testbench --cycles 20000
  make -C out/export/lru_stack_16x4
  cotenant export lru_stack --config 4x4 --list-faults 24
  cotenant export lru_stack --config 4x4 --list-faults outputs
  cotenant export lru_stack --config 4x4 --fault 'lost write: owner[3]' --testbench

The folder appears once it is complete. An earlier export at the same place is
replaced; a folder with any other content is not touched.

Exit code: 0 written, 1 netlist and golden model differ, 2 could not run,
130 interrupted.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`
    #[arg(value_name = "UNIT")]
    unit: String,
    /// Parameter set: name, alias, numbers (12x5x24), KEY=VALUE[,KEY=VALUE], or `all`
    #[arg(
        long = "config",
        alias = "set",
        value_name = "CONFIG",
        default_value = "table-1"
    )]
    set: String,
    /// Output folder; with --config all, the parent of one folder per parameter set
    /// [default: out/export/UNIT_SET]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write self-checking testbenches for Icarus and Verilator, vectors and a Makefile
    #[arg(long)]
    testbench: bool,
    /// Cycles of vectors, including reset, as 5000 or 20k [default: 10k]
    #[arg(long, value_name = "N", value_parser = super::args::cycles, requires = "testbench")]
    cycles: Option<u64>,
    /// Seed of the vectors, decimal or hexadecimal with 0x [default: 0x9e37]
    #[arg(long, value_name = "SEED", value_parser = super::args::seed, requires = "testbench")]
    seed: Option<u64>,
    /// Inject a fault, named as --list-faults prints it; the Verilog is flat, the vectors are those
    /// of the unit without the fault
    #[arg(long, value_name = "FAULT", conflicts_with = "list_faults")]
    fault: Option<String>,
    /// Leave out an instance of the top block; its outputs become inputs of the module
    #[arg(long, value_name = "INSTANCE", conflicts_with = "testbench")]
    without: Option<String>,
    /// Print N faults of the unit, of all kinds, or with `outputs` each bit of each output stuck at
    /// each value; write nothing
    #[arg(long, value_name = "N|outputs", value_parser = which_faults, conflicts_with_all = ["testbench", "json"])]
    list_faults: Option<Which>,
    /// Print a JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Which faults `--list-faults` prints.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// As many, of all kinds.
    Sample(usize),
    /// Those that show at one port.
    Outputs,
}

fn which_faults(text: &str) -> Result<Which, String> {
    match text {
        "outputs" => Ok(Which::Outputs),
        number => number
            .parse()
            .map(Which::Sample)
            .map_err(|_| "expected a number or 'outputs'".into()),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    schema: u32,
    exports: Vec<Exported>,
}

impl Args {
    fn options(&self) -> Options {
        let mut vectors = Vectors::default();
        vectors.cycles = self.cycles.unwrap_or(vectors.cycles);
        vectors.seed = self.seed.unwrap_or(vectors.seed);
        Options {
            testbench: self.testbench.then_some(vectors),
            fault: self.fault.clone(),
            without: self.without.clone(),
        }
    }

    /// Names of the sets, and the folder of each.
    fn places(&self) -> Result<Vec<(&'static str, PathBuf)>> {
        let sets = super::args::sets(find(&self.unit).into_diagnostic()?, &self.set)?;
        let place = |set: &ParameterSet| {
            let folder = format!("{}_{}", self.unit, set.name);
            match &self.out {
                Some(out) if self.set == "all" => out.join(folder),
                Some(out) => out.clone(),
                None => Path::new("out/export").join(folder),
            }
        };
        Ok(sets.iter().map(|set| (set.name, place(set))).collect())
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let options = args.options();
    let places = args.places()?;
    if let Some(which) = args.list_faults {
        return list_faults(args, &places, which);
    }
    let stop = super::interrupted()?;
    let cycles = options
        .testbench
        .as_ref()
        .map_or(0, |vectors| vectors.cycles);
    // Hidden where stderr is no terminal.
    let progress = ProgressBar::new(cycles * places.len() as u64).with_style(
        ProgressStyle::with_template("{msg} {bar:30} {human_pos} cycles").into_diagnostic()?,
    );
    let mut exports = vec![];
    for (number, (set, folder)) in (0..).zip(places) {
        progress.set_message(format!("{} {set}", args.unit));
        let mut watch = |cycle| {
            progress.set_position(number * cycles + cycle);
            match stop.load(Ordering::Relaxed) {
                true => Flow::Stop,
                false => Flow::Continue,
            }
        };
        let exported = match watch(0) {
            Flow::Continue => export_named(&args.unit, set, &folder, &options, &mut watch),
            Flow::Stop => Err(Error::Interrupted),
        };
        match exported {
            Ok(exported) => exports.push(exported),
            Err(error) => {
                progress.finish_and_clear();
                return failed(error);
            }
        }
    }
    progress.finish_and_clear();
    let text = match args.json {
        true => serde_json::to_string(&Document {
            schema: SCHEMA,
            exports,
        })
        .into_diagnostic()?,
        false => exports.iter().map(line).collect::<Vec<_>>().join("\n"),
    };
    super::print(&(text + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Faults as `--fault` takes them, a line each, of the sets one after the other.
fn list_faults(args: &Args, places: &[(&str, PathBuf)], which: Which) -> Result<ExitCode> {
    let unit = find(&args.unit).into_diagnostic()?;
    let mut text = String::new();
    for (set, _) in places {
        let set = table::set(&args.unit, set).into_diagnostic()?;
        let whole = unit.netlist(&set).into_diagnostic()?;
        let netlist = match &args.without {
            Some(instance) => whole.without(instance).into_diagnostic()?,
            None => whole,
        };
        let faults = match which {
            Which::Sample(count) => sample(&netlist, count, Vectors::default().seed),
            Which::Outputs => at_outputs(&netlist),
        };
        for fault in faults {
            text += &format!("{}\n", Described(&netlist, &fault));
        }
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn failed(error: Error) -> Result<ExitCode> {
    match error {
        Error::Mismatch(_) => {
            eprintln!("mismatch: {error}");
            Ok(ExitCode::FAILURE)
        }
        Error::Interrupted => {
            eprintln!("{error}");
            Ok(ExitCode::from(super::INTERRUPTED))
        }
        error => Err(miette!("{error}")),
    }
}

/// What was written, on one line.
fn line(exported: &Exported) -> String {
    let manifest = &exported.manifest;
    let vectors = manifest.vectors.as_ref().map_or(String::new(), |vectors| {
        format!(
            ", testbench of {} cycles (seed {}): make -C {}",
            vectors.cycles,
            vectors.seed,
            exported.folder.display()
        )
    });
    format!(
        "{} {}: {}: top module {}, {} files{vectors}",
        manifest.unit,
        manifest.set,
        exported.folder.display(),
        manifest.top,
        manifest.files.len()
    )
}
