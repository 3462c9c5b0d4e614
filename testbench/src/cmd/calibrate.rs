//! `cotenant calibrate`: fits the SM paper's machine and kernels on single kernels.

use std::path::PathBuf;
use std::process::ExitCode;

use miette::Result;

use super::args::seed;
use super::experiment;

/// Fit what the paper on QBMI and DMIL leaves open, on single kernels alone
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant calibrate
  cotenant calibrate --out out/calibrate

Runs each kernel of the paper's table 2 alone, with all numbers that are open, and
prints those that come nearest to the paper, and all its numbers beside ours. With
--out, writes them, the preset maxwell-fit.toml, and measured.jsonl with all runs:
after Ctrl-C the same command goes on.

Exit code: 0 fitted, 2 could not run, 130 interrupted.")]
pub struct Args {
    /// Seed of all random draws
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    seed: u64,
    /// Cycles per run, and as many before, instead of the default
    #[arg(long, value_name = "N", value_parser = super::args::some_cycles)]
    cycles: Option<u64>,
    /// Output folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand: the experiment of that name.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    experiment::run(&experiment::Args::calibrate(
        args.seed,
        args.cycles,
        args.out.clone(),
        args.json,
    ))
}
