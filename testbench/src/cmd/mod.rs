//! The command line: one file per subcommand.

mod area;
mod args;
mod calibrate;
mod check;
mod check_dump;
mod check_random;
mod completions;
mod experiment;
mod export;
mod length_args;
mod list;
mod man;
mod mapped;
mod mutate;
mod pages;
mod policy_args;
mod probe;
mod registers;
mod replay;
mod run;
mod sweep;
mod vectors;
mod wave_args;
mod waves;

use crate::verify::lockstep::Flow;
use clap::{Parser, Subcommand};
use miette::{miette, IntoDiagnostic, Result};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Exit code of a run that could not be done, as ripgrep has it.
pub const COULD_NOT_RUN: u8 = 2;

/// Exit code of a run that was stopped by Ctrl-C before it found anything.
pub const INTERRUPTED: u8 = 130;

/// Hardware units that attribute cache contention to GPU kernels, and their verification
#[derive(Debug, Parser)]
#[command(name = "cotenant", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Area(area::Args),
    Calibrate(calibrate::Args),
    Check(check::Args),
    Completions(completions::Args),
    Export(export::Args),
    #[command(alias = "figure")]
    Experiment(experiment::Args),
    List(list::Args),
    Man(man::Args),
    Mutate(mutate::Args),
    Pages(pages::Args),
    Probe(probe::Args),
    Registers(registers::Args),
    Replay(replay::Args),
    Run(run::Args),
    Sweep(sweep::Args),
    Vectors(vectors::Args),
    Waves(waves::Args),
}

impl Cli {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// What kept it from running.
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Area(args) => area::run(args),
            Command::Calibrate(args) => calibrate::run(args),
            Command::Check(args) => check::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Export(args) => export::run(args),
            Command::Experiment(args) => experiment::run(args),
            Command::List(args) => list::run(args),
            Command::Man(args) => man::run(args),
            Command::Mutate(args) => mutate::run(args),
            Command::Pages(args) => pages::run(args),
            Command::Probe(args) => probe::run(args),
            Command::Registers(args) => registers::run(args),
            Command::Replay(args) => replay::run(args),
            Command::Run(args) => run::run(args),
            Command::Sweep(args) => sweep::run(args),
            Command::Vectors(args) => vectors::run(args),
            Command::Waves(args) => waves::run(args),
        }
    }
}

/// Prints to stdout. Not println!, which panics where the reader has gone: one that has seen
/// enough, as `head` has, is no failure.
fn print(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    let printed = stdout.write_all(text.as_bytes());
    match printed.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(miette!("stdout: {error}")),
        _ => Ok(()),
    }
}

/// Set by Ctrl-C; a second one ends the program at once.
fn interrupted() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .into_diagnostic()?;
    Ok(stop)
}

/// What a watched run does once Ctrl-C was pressed.
fn flow(stop: &AtomicBool) -> Flow {
    match stop.load(Ordering::Relaxed) {
        true => Flow::Stop,
        false => Flow::Continue,
    }
}
