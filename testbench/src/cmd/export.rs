//! `cotenant export`: writes a unit as Verilog, with a testbench on request.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use cotenant_netlist::fault::{at_outputs, sample, Described};
use cotenant_units::table::ParameterSet;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use super::length_args::{reached, Length};
use crate::export::{
    export_named, export_together, without, Error, Exported, Options, Vectors, PREFIX, SCHEMA,
};
use crate::registry::find;
use crate::verify::lockstep::Flow;

/// Export a unit as Verilog, optionally with a testbench for Icarus and Verilator
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant export gdcu
  cotenant export lru_stack --config 16x4 --testbench --cycles 20000
  make -C out/export/lru_stack_16x4
  cotenant export llc_monitor_axi mem_issue_axi --out soc
  cotenant export gdcu plob --config 8x4x21 --config 4x21 --out soc --prefix my_
  cotenant export gdcu --reset async-low
  cotenant export gdcu --unrolled
  cotenant export lru_stack --config 4x4 --list-faults 24
  cotenant export lru_stack --config 4x4 --list-faults outputs
  cotenant export lru_stack --config 4x4 --fault 'lost write: owner[3]' --testbench

Several units go into one folder with one file list, one FuseSoC core and one
Bender manifest; a module that several of them have is there once.

The folder appears once it is complete. An earlier export at the same place is
replaced; a folder with any other content is not touched.

Exit code: 0 written, 1 netlist and golden model differ, 2 could not run,
130 interrupted.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`; several are exported into one folder
    #[arg(value_name = "UNIT", required = true)]
    units: Vec<String>,
    /// Parameter set: name, alias, numbers (12x5x24), KEY=VALUE[,KEY=VALUE], or `all`; of several
    /// units, one for all or, given several times, one for each
    #[arg(
        long = "config",
        alias = "set",
        value_name = "CONFIG",
        default_value = "table-1"
    )]
    configs: Vec<String>,
    /// Output folder; with --config all, the parent of one folder per parameter set
    /// [default: out/export/UNIT_SET, for several units out/export/UNIT_UNIT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Put PREFIX before the names of all modules and their files; may be empty [default: cotenant_,
    /// of one unit with --unrolled none]
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<String>,
    /// Give each register of an array a name of its own, for programs that look for registers by
    /// name; otherwise loops and arrays are kept, RAMs are instances of one module
    /// (cotenant_ram_1r1w), and assertions of legal inputs stand beside
    #[arg(long)]
    unrolled: bool,
    /// How flops are reset: at the clock's edge or at once, by `reset` high or `reset_n` low
    #[arg(long, value_name = "KIND", value_enum, default_value_t = ResetKind::SyncHigh,
        conflicts_with_all = ["fault", "list_faults"])]
    reset: ResetKind,
    /// Also write self-checking testbenches for Icarus and Verilator, vectors and a Makefile
    #[arg(long)]
    testbench: bool,
    #[command(flatten)]
    length: Length,
    /// Seed of the vectors, decimal or hexadecimal with 0x [default: 0x9e37]
    #[arg(long, value_name = "SEED", value_parser = super::args::seed, requires = "testbench")]
    seed: Option<u64>,
    /// Inject a fault, named as --list-faults prints it; the Verilog is flat, the vectors are those
    /// of the unit without the fault
    #[arg(long, value_name = "FAULT", conflicts_with = "list_faults")]
    fault: Option<String>,
    /// Leave out instances of the top block; their outputs become inputs of the module
    #[arg(long, value_name = "INSTANCE,..", conflicts_with = "testbench")]
    without: Option<String>,
    /// Print N faults of the unit, of all kinds, or with `outputs` each bit of each output stuck at
    /// each value; write nothing
    #[arg(long, value_name = "N|outputs", value_parser = which_faults, conflicts_with_all = ["testbench", "json"])]
    list_faults: Option<Which>,
    /// Print a JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Kinds of reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ResetKind {
    SyncHigh,
    SyncLow,
    AsyncHigh,
    AsyncLow,
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
        vectors.seed = self.seed.unwrap_or(vectors.seed);
        let asynchronous = matches!(self.reset, ResetKind::AsyncHigh | ResetKind::AsyncLow);
        let active_low = matches!(self.reset, ResetKind::SyncLow | ResetKind::AsyncLow);
        let mut options = Options::default().with_reset(asynchronous, active_low);
        options.testbench = self.testbench.then_some(vectors);
        options.fault.clone_from(&self.fault);
        options.without.clone_from(&self.without);
        let usual = match self.unrolled && self.units.len() == 1 {
            true => "",
            false => PREFIX,
        };
        options.prefix = self.prefix.clone().unwrap_or_else(|| usual.into());
        options.unrolled = self.unrolled;
        options
    }

    /// The only unit.
    fn unit(&self) -> &str {
        &self.units[0]
    }

    /// The parameter set of a unit, by its place.
    fn config(&self, at: usize) -> Result<&str> {
        let given = self.configs.len();
        if given > 1 && given != self.units.len() {
            return Err(miette!(
                "{given} times --config for {} units: give one for all, or one for each in their order",
                self.units.len()
            ));
        }
        Ok(self.configs.get(at).unwrap_or(&self.configs[0]))
    }

    /// The sets, and the folder of each.
    fn places(&self) -> Result<Vec<(ParameterSet, PathBuf)>> {
        let config = self.config(0)?;
        let sets = super::args::sets(find(self.unit()).into_diagnostic()?, config)?;
        let place = |set: &ParameterSet| {
            let folder = format!("{}_{}", self.unit(), set.name);
            match &self.out {
                Some(out) if config == "all" => out.join(folder),
                Some(out) => out.clone(),
                None => Path::new("out/export").join(folder),
            }
        };
        let places = sets.into_iter().map(|set| {
            let folder = place(&set);
            (set, folder)
        });
        Ok(places.collect())
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.length.is_given() && !args.testbench {
        return Err(miette!(
            "--cycles and --directed are of vectors, which are written with --testbench only"
        ));
    }
    let options = args.options();
    if args.units.len() > 1 {
        return together(args, &options);
    }
    let places = args.places()?;
    if let Some(which) = args.list_faults {
        return list_faults(args, &places, which);
    }
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let progress = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{msg} {bar:30} {human_pos} cycles").into_diagnostic()?,
    );
    let unit = find(args.unit()).into_diagnostic()?;
    let (mut exports, mut lines) = (vec![], vec![]);
    for (set, folder) in places {
        let mut options = options.clone();
        progress.set_message(format!("{} {}", args.unit(), set.name));
        let mut watch = |cycle| {
            progress.set_position(cycle);
            match stop.load(Ordering::Relaxed) {
                true => Flow::Stop,
                false => Flow::Continue,
            }
        };
        let mut covered = None;
        if let Some(vectors) = &mut options.testbench {
            let Some((longer, coverage)) = args.length.of(unit, &set, vectors, &mut watch)? else {
                progress.finish_and_clear();
                return failed(Error::Interrupted);
            };
            *vectors = longer;
            progress.set_length(vectors.cycles);
            covered = Some((vectors.directed(), coverage)).filter(|(cycles, _)| *cycles > 0);
        }
        let exported = match watch(0) {
            Flow::Continue => export_named(args.unit(), set.name, &folder, &options, &mut watch),
            Flow::Stop => Err(Error::Interrupted),
        };
        match exported {
            Ok(exported) => {
                let directed = covered.map(|(cycles, coverage)| reached(cycles, &coverage));
                lines.push(line(&exported) + "\n" + &directed.unwrap_or_default());
                exports.push(exported);
            }
            Err(error) => {
                progress.finish_and_clear();
                return failed(error);
            }
        }
    }
    progress.finish_and_clear();
    let text = match args.json {
        true => {
            serde_json::to_string(&Document {
                schema: SCHEMA,
                exports,
            })
            .into_diagnostic()?
                + "\n"
        }
        false => lines.concat(),
    };
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Several units in one folder.
fn together(args: &Args, options: &Options) -> Result<ExitCode> {
    let alone = [
        (args.testbench, "--testbench"),
        (args.fault.is_some(), "--fault"),
        (args.without.is_some(), "--without"),
        (args.list_faults.is_some(), "--list-faults"),
    ];
    if let Some((_, option)) = alone.iter().find(|(given, _)| *given) {
        return Err(miette!("{option} is for one unit: export each on its own"));
    }
    let mut units = vec![];
    for (at, unit) in args.units.iter().enumerate() {
        let config = args.config(at)?;
        let sets = super::args::sets(find(unit).into_diagnostic()?, config)?;
        let [set] = &sets[..] else {
            return Err(miette!(
                "--config {config} of {unit} means {} parameter sets, of which one folder takes one: name it",
                sets.len()
            ));
        };
        units.push((unit.as_str(), set.name));
    }
    let default = || Path::new("out/export").join(args.units.join("_"));
    let folder = args.out.clone().unwrap_or_else(default);
    let together = match export_together(&units, &folder, options) {
        Ok(together) => together,
        Err(error) => return failed(error),
    };
    let text = match args.json {
        true => serde_json::to_string(&together).into_diagnostic()?,
        false => {
            let tops = together.units.iter();
            let tops: Vec<&str> = tops.map(|manifest| manifest.top.as_str()).collect();
            format!(
                "{}: top modules {}, {} modules",
                folder.display(),
                tops.join(", "),
                together.sources.len()
            )
        }
    };
    super::print(&(text + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Faults as `--fault` takes them, a line each, of the sets one after the other.
fn list_faults(args: &Args, places: &[(ParameterSet, PathBuf)], which: Which) -> Result<ExitCode> {
    let unit = find(args.unit()).into_diagnostic()?;
    let mut text = String::new();
    for (set, _) in places {
        let whole = unit.netlist(set).into_diagnostic()?;
        let netlist = match &args.without {
            Some(instances) => without(&whole, instances).into_diagnostic()?,
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
