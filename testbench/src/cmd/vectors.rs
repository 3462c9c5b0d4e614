//! `cotenant vectors`: writes and verifies text vectors for RTL in any language.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};

use super::length_args::{reached, Length};
use crate::registry::find;
use crate::verify::lockstep::Flow;
use crate::verify::vectors::{Error, Place, Recorded, Vectors, Written};
use crate::whole;

/// Write inputs and expected outputs of a unit as text, for a testbench in any language
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant vectors lru_stack --config 16x4 --cycles 20k
  cotenant vectors gdcu --profile saturation --seed 7 -o gdcu.vec
  cotenant vectors --verify out/vectors/lru_stack_16x4.vec
  cotenant vectors popcnt --config small --cycles 5 -o -

Vectors begin with two cycles of reset and a directed part, which is the shortest
way found from reset to each bin of the unit's functional coverage: counters at
their limit, snapshots of them, and what comes behind. What was not reached in
--directed cycles is named.

A file has a header, one line per cycle and a trailer; docs/vectors.md describes
the format and has readers in Verilog and Python. --verify reads a file and
runs the golden model on its inputs.

Exit code: 0 written, or verified; 1 hashes or golden model disagree with the
file, 2 could not run (no vectors, illegal inputs), 130 interrupted.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`
    #[arg(value_name = "UNIT", required_unless_present = "verify")]
    unit: Option<String>,
    /// Parameter set: name, alias, numbers (12x5x24), KEY=VALUE[,KEY=VALUE], or `all`
    #[arg(
        long = "config",
        alias = "set",
        value_name = "CONFIG",
        default_value = "table-1"
    )]
    set: String,
    #[command(flatten)]
    length: Length,
    /// Seed of the stimulus, decimal or hexadecimal with 0x
    #[arg(long, value_name = "SEED", value_parser = super::args::seed, default_value = "0x9e37")]
    seed: u64,
    /// Stimulus profile; may be repeated, profiles then alternate [default: all]
    #[arg(long = "profile", value_name = "PROFILE")]
    profiles: Vec<String>,
    /// Output folder; the file is named UNIT_SET.vec
    #[arg(long, value_name = "DIR", default_value = "out/vectors")]
    out: PathBuf,
    /// Output file instead of --out; - is stdout
    #[arg(short = 'o', value_name = "FILE", value_parser = super::args::new_file, conflicts_with = "out")]
    file: Option<PathBuf>,
    /// Verify a file of vectors instead of writing one
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["unit", "set", "Length", "seed", "profiles", "out", "file"]
    )]
    verify: Option<PathBuf>,
    /// Print the result of --verify as a JSON document
    #[arg(long, requires = "verify")]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let progress = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} {human_pos} cycles").into_diagnostic()?,
    );
    let mut watch = |cycle| {
        progress.set_position(cycle);
        match stop.load(Ordering::Relaxed) {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    };
    let done = match &args.verify {
        Some(path) => check(args, path, &mut watch),
        None => write(args, &mut watch),
    };
    progress.finish_and_clear();
    match done? {
        Ok(code) => Ok(code),
        Err(Error::Interrupted) => {
            eprintln!("interrupted");
            Ok(ExitCode::from(super::INTERRUPTED))
        }
        Err(error) => Err(miette!("{error}")),
    }
}

type Done = std::result::Result<ExitCode, Error>;

fn check(args: &Args, path: &Path, watch: &mut dyn FnMut(u64) -> Flow) -> Result<Done> {
    let verified = Recorded::open(path).and_then(|recorded| {
        let unit = find(recorded.unit())?;
        unit.verify_vectors(recorded, watch)
    });
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => return Ok(Err(error)),
    };
    super::print(&match args.json {
        true => serde_json::to_string_pretty(&verified).into_diagnostic()? + "\n",
        false => format!("{verified}\n"),
    })?;
    Ok(Ok(match verified.passed() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }))
}

fn write(args: &Args, watch: &mut dyn FnMut(u64) -> Flow) -> Result<Done> {
    let unit = super::args::unit(args.unit.as_deref().unwrap_or_default())?;
    let sets = super::args::sets(unit, &args.set)?;
    let mix = super::args::mix(unit, &args.profiles)?.unwrap_or_default();
    let vectors = Vectors::default().seed(args.seed).mix(mix);
    if args.file.is_some() && sets.len() > 1 {
        return Err(miette!(
            "-o names one file, but --config all writes many: use --out DIR"
        ));
    }
    for set in sets {
        let path = match &args.file {
            Some(file) => file.clone(),
            None => args.out.join(format!("{}_{}.vec", unit.name(), set.name)),
        };
        let Some((vectors, _)) = args.length.of(unit, &set, &vectors, watch)? else {
            return Ok(Err(Error::Interrupted));
        };
        let to_stdout = path == Path::new("-");
        let mut stdout = BufWriter::new(std::io::stdout().lock());
        let place = match to_stdout {
            true => Place::Stream(&mut stdout),
            false => Place::File(&path),
        };
        match unit.write_vectors(&set, &vectors, place, watch) {
            Ok(Written {
                trailer, coverage, ..
            }) if !to_stdout => {
                super::print(&format!(
                    "{} {}: {}: {} cycles (seed {:#x})\n{}",
                    unit.name(),
                    set.name,
                    path.display(),
                    trailer.cycles,
                    args.seed,
                    reached(vectors.directed(), &coverage)
                ))?;
            }
            Ok(_) => {}
            // A reader that has seen enough, as `head` has, is no failure.
            Err(Error::Place(whole::Error::Io { source, .. }))
                if to_stdout && source.kind() == std::io::ErrorKind::BrokenPipe => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(ExitCode::SUCCESS))
}
