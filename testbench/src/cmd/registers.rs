//! `cotenant registers`: prints the registers of a unit behind a bus.

use std::process::ExitCode;

use clap::ValueEnum;
use cotenant_units::table;
use miette::{IntoDiagnostic, Result};

use crate::export::registers;
use crate::export::registers::Format;

/// Show the registers of a unit behind a bus, or write them as SystemRDL, C header or JSON
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant registers llc_monitor_apb
  cotenant registers llc_monitor_apb --format c > llc_monitor.h
  cotenant registers mem_issue_axi --config 2-smil-rbmi --format rdl > mem_issue.rdl

The C header is the same for all parameter sets of a unit and for both buses.
`cotenant export` writes all forms beside the Verilog.

Exit code: 0 shown, 2 could not run.")]
pub struct Args {
    /// The unit: llc_monitor_apb, llc_monitor_axi, llc_counters_apb, llc_counters_axi, mem_issue_apb,
    /// mem_issue_axi, managed_llc_apb, managed_llc_axi
    #[arg(value_name = "UNIT")]
    unit: String,
    /// Parameter set: name, alias, numbers (12x5x24) or KEY=VALUE[,KEY=VALUE]
    #[arg(
        long = "config",
        alias = "set",
        value_name = "CONFIG",
        default_value = "table-1"
    )]
    set: String,
    /// Output format
    #[arg(long, value_enum, default_value = "md")]
    format: Form,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// Markdown table
    Md,
    /// SystemRDL
    Rdl,
    /// Macros for C and C++
    C,
    /// JSON document
    Json,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let set = table::set(&args.unit, &args.set).into_diagnostic()?;
    let map = registers::map(&args.unit, &set).into_diagnostic()?;
    super::print(&registers::text(
        &map,
        match args.format {
            Form::Md => Format::Markdown,
            Form::Rdl => Format::Rdl,
            Form::C => Format::C,
            Form::Json => Format::Json,
        },
    ))?;
    Ok(ExitCode::SUCCESS)
}
