//! `cotenant figure`: an experiment with the golden models, as tables.

use std::process::ExitCode;

use clap::builder::NonEmptyStringValueParser;
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use super::check::seed;
use crate::study;

/// Measure with the golden models, and show the numbers as tables
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant figure
  cotenant figure milg-width
  cotenant figure milg-width --json

Without NAME, the figures that there are. The same seed gives the same numbers.

Exit code: 0 shown, 2 could not run.")]
pub struct Args {
    /// What to measure
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// Seed of all random draws
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct List {
    schema: u32,
    figures: &'static [study::Figure],
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let text = match &args.name {
        None if args.json => document(&List {
            schema: 1,
            figures: study::FIGURES,
        })?,
        None => study::list(),
        Some(name) => {
            let figure = study::figure(name).map_err(|error| miette!("{error}"))?;
            let report = (figure.run)(args.seed).into_diagnostic()?;
            match args.json {
                true => document(&report)?,
                false => report.text(),
            }
        }
    };
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn document(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value).into_diagnostic()? + "\n")
}
