//! `cotenant area`: estimates the area of a unit.

use std::process::ExitCode;

use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::presets::Preset;
use cotenant_units::table::{self, ParameterSet};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::export::area;
use crate::export::area::{Cache, Period, Rate, Report, Request, ADDRESS_BITS};
use crate::registry::{find, AnyUnit, UNITS};

/// Estimate a unit's area: flops, RAM, look-up tables, counter widths
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant area gdcu
  cotenant area gdcu --config 16x4x16 --period 12000 --rate 0.5
  cotenant area lru_stack --config large --sets 1024 --line 64 --json
  cotenant area --all

Flop and RAM bits are exact: they exclude bits that synthesis removes because
they are unused, constant or equal to another. Look-up tables are mapped
without other tools and checked against the netlist on random vectors;
--compare synthesises the exported Verilog with Yosys (synth_ice40;
synth_xilinx -family xc7 -noiopad; flattened) and shows the deviation of the
estimate.

Exit code: 0 shown, 2 could not run.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`
    #[arg(value_name = "UNIT", required_unless_present = "all")]
    unit: Option<String>,
    /// Parameter set: name, alias, numbers (12x5x24), KEY=VALUE[,KEY=VALUE], or `all`
    #[arg(
        long = "config",
        alias = "set",
        value_name = "CONFIG",
        default_value = "table-1",
        conflicts_with = "all"
    )]
    set: String,
    /// All units, or UNIT, in every parameter set that has an alias
    #[arg(long)]
    all: bool,
    /// Also run Yosys and show the deviation
    #[arg(long)]
    compare: bool,
    /// Cycles between two reads of the counters
    #[arg(long, value_name = "N", value_parser = super::args::cycles, default_value = "100k")]
    period: u64,
    /// Accesses per cycle at one bank, as 1, 0.25 or 1/4
    #[arg(long, value_name = "RATE", default_value = "1")]
    rate: Rate,
    /// Platform whose last-level cache is used; the options below change it
    #[arg(long, value_name = "NAME", default_value = "xavier")]
    preset: String,
    /// Cache sets in total, distributed over the banks
    #[arg(long, value_name = "N")]
    sets: Option<usize>,
    /// Number of ways
    #[arg(long, value_name = "N")]
    ways: Option<usize>,
    /// Line size in bytes
    #[arg(long, value_name = "BYTES")]
    line: Option<u64>,
    /// Number of banks
    #[arg(long, value_name = "N")]
    banks: Option<usize>,
    /// Address width in bits; the tag is the address without offset and set index
    #[arg(long, value_name = "N", default_value_t = ADDRESS_BITS)]
    address_bits: u32,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    period: Period,
    cache: &'a Cache,
    tag_width: u32,
    units: &'a [Report],
}

impl Args {
    fn request(&self) -> Result<Request> {
        let base = Preset::named(&self.preset).into_diagnostic()?.llc;
        let cache = Cache {
            geometry: Geometry {
                sets: self.sets.unwrap_or(base.sets),
                ways: self.ways.unwrap_or(base.ways),
                line: self.line.unwrap_or(base.line),
                banks: self.banks.unwrap_or(base.banks),
                ..base
            },
            address_bits: self.address_bits,
        };
        // Before anything is built.
        cache.tag_width().into_diagnostic()?;
        if self.period == 0 {
            return Err(miette!(
                "period is 0, expected at least one cycle between two reads"
            ));
        }
        Ok(Request {
            period: Period {
                cycles: self.period,
                rate: self.rate,
            },
            cache,
            compare: self.compare,
        })
    }

    /// Units, and their sets.
    fn sets(&self) -> Result<Vec<(&'static dyn AnyUnit, ParameterSet)>> {
        let units = match &self.unit {
            None => UNITS.to_vec(),
            Some(name) => vec![find(name).map_err(|error| {
                let known: Vec<&str> = UNITS.iter().map(|unit| unit.name()).collect();
                miette!("{error}; the units are {}", known.join(", "))
            })?],
        };
        let mut wanted = vec![];
        for unit in units {
            let sets = match self.all {
                true => table::test_sets(unit.name()).into_diagnostic()?,
                false => super::args::sets(unit, &self.set)?,
            };
            wanted.extend(sets.into_iter().map(|set| (unit, set)));
        }
        Ok(wanted)
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let request = args.request()?;
    let wanted = args.sets()?;
    // Hidden where stderr is no terminal.
    let style = ProgressStyle::with_template("{msg} {bar:20} {pos} of {len}").into_diagnostic()?;
    let progress = ProgressBar::new(wanted.len() as u64).with_style(style);
    let mut reports = vec![];
    for (unit, set) in &wanted {
        progress.set_message(format!("{} {}", unit.name(), set.name));
        let report = area::report(*unit, set, &request);
        reports.push(report.map_err(|error| miette!("{} {}: {error}", unit.name(), set.name))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let out = match (args.json, reports.as_slice()) {
        (true, _) => {
            let document = Document {
                schema: 1,
                period: request.period,
                tag_width: request.cache.tag_width().into_diagnostic()?,
                cache: &request.cache,
                units: &reports,
            };
            serde_json::to_string_pretty(&document).into_diagnostic()? + "\n"
        }
        (false, [one]) => area::text(one, &request),
        (false, many) => area::table(many),
    };
    super::print(&out)?;
    Ok(ExitCode::SUCCESS)
}
