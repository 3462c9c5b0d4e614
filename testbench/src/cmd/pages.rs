//! `cotenant pages`: writes the generated documentation of the units.

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, Result};

use crate::pages::{all, Written};
use crate::registry::UNITS;

/// Generate the units' pages and the tables of the README, or check that they are current
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant pages
  cotenant pages --check

Exit code: 0 written or current, 1 a file is outdated, 2 could not run.")]
pub struct Args {
    /// Root of the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Write nothing; list the files that are outdated
    #[arg(long)]
    check: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    // Hidden where stderr is no terminal.
    let style = ProgressStyle::with_template("{msg} {bar:20} {pos} of {len}").into_diagnostic()?;
    let progress = ProgressBar::new(UNITS.len() as u64).with_style(style);
    let files = all(&args.root, &|unit| {
        progress.set_message(unit.to_string());
        progress.inc(1);
    });
    progress.finish_and_clear();
    let files = files.into_diagnostic()?;
    let mut lines = String::new();
    let mut drifted = false;
    // Nothing is written before all of it is there.
    for file in &files {
        let Some(line) = file.drift(&args.root).into_diagnostic()? else {
            continue;
        };
        drifted = true;
        lines += &said(args, file, line)?;
    }
    if !drifted {
        lines = format!("{} files are up to date\n", files.len());
    }
    super::print(&lines)?;
    Ok(ExitCode::from(u8::from(drifted && args.check)))
}

fn said(args: &Args, file: &Written, line: usize) -> Result<String> {
    let path = file.path.display();
    if args.check {
        return Ok(format!(
            "{path}:{line}: not what the units say; run `cotenant pages`\n"
        ));
    }
    file.write(&args.root).into_diagnostic()?;
    Ok(format!("{path}: written\n"))
}
