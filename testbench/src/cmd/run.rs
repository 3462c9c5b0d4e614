//! `cotenant run`: a scenario on the golden GPU, hardware in lockstep, and its report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use cotenant_golden::workload::scenario::{names, Scenario};
use cotenant_netlist::sim::Engine;
use cotenant_waveforms::Window;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::area;
use crate::cosim;
use crate::lockstep::Flow;
use crate::replay::Sets;
use crate::run::{html, run as simulate, text, Folder, Report, Request};
use crate::unit::{find, llc, Interface};
use crate::waves::Span;

use super::wave_args::WaveArgs;

/// The scenario that is run without an argument.
const DEFAULT: &str = "gdc-figure-3";
/// Units whose area the report shows: the monitor and what it is made of.
const SHOWN: [&str; 3] = ["gdcu", "plob", "lru_stack"];

/// Run a scenario on the GPU model, units in lockstep, and write its report
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant run
  cotenant run gdc-figure-3 --accesses 100000 --out out/short
  cotenant run my_scenario.toml --window 50000..51000 --json

Writes a folder: report.html, report.json, waves.vcd of cycles 100000 to 101000
unless said (open waves.gtkw in GTKWave), and the Verilog of the hardware that
ran. `--print` shows a scenario's text, to
start one of your own.

Exit code: 0 the hardware agrees, 1 it does not, 2 could not run, 130 interrupted.")]
pub struct Args {
    /// A scenario's name, or a TOML file
    #[arg(value_name = "SCENARIO", default_value = DEFAULT)]
    scenario: String,
    /// Folder to write [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End after so many accesses to the L2, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = super::check::cycles)]
    accesses: Option<u64>,
    /// Another seed than the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run the golden models alone
    #[arg(long)]
    no_lockstep: bool,
    /// What runs the hardware: jit or interpreter
    #[arg(long, value_name = "ENGINE", value_parser = super::engine, default_value = "jit")]
    engine: Engine,
    /// Print the scenario's text and run nothing
    #[arg(long)]
    print: bool,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    waves: WaveArgs,
}

/// Cycles shown unless said.
const WINDOW: Window = Window {
    from: 100_000,
    to: 101_000,
};

/// What `report.json` holds and `--json` prints.
#[derive(Debug, Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    area: &'a [area::Report],
}

impl Args {
    /// Name and text of the scenario.
    fn read(&self) -> Result<(String, String)> {
        if let Some(text) = Scenario::text(&self.scenario) {
            return Ok((self.scenario.clone(), text.into()));
        }
        let path = Path::new(&self.scenario);
        if path.extension().is_none() && !path.exists() {
            let known: Vec<&str> = names().collect();
            return Err(miette!(
                "no scenario \"{}\", expected one of: {}, or a TOML file",
                self.scenario,
                known.join(", ")
            ));
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| miette!("cannot read {}: {error}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok((stem.into(), text))
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (name, toml) = args.read()?;
    if args.print {
        super::print(&toml)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut scenario =
        Scenario::from_toml(&toml).map_err(|error| miette!("{}: {error}", args.scenario))?;
    if let Some(accesses) = args.accesses {
        scenario.accesses = accesses.max(1);
    }
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    let hardware = match Sets::of(&scenario.geometry) {
        Some(Sets::Monitor(set)) if !args.no_lockstep => Some(set),
        _ => None,
    };

    let out = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("out").join(&name));
    let folder = Folder::new(&out).into_diagnostic()?;
    if let (true, Some(option)) = (args.no_lockstep, args.waves.given()) {
        return Err(miette!(
            "{option} and --no-lockstep: waves are of the hardware in lockstep, expected one of them"
        ));
    }
    let wave = folder.path(&format!("waves.{}", args.waves.extension()));
    let span = args.waves.span().unwrap_or(Span::Window(WINDOW));
    let request = Request {
        name: &name,
        scenario: &scenario,
        hardware: hardware.as_ref().map(|_| args.engine),
        wave: match &hardware {
            Some(_) => Some(args.waves.request(&wave, span)?),
            None => None,
        },
    };
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let style = "{bar:30} {human_pos} of {human_len} accesses, {per_sec}, {eta} left";
    let progress = ProgressBar::new(scenario.accesses)
        .with_style(ProgressStyle::with_template(style).into_diagnostic()?);
    let finished = simulate(&request, &mut |done| {
        progress.set_position(done);
        !stop.load(Ordering::Relaxed)
    });
    progress.finish_and_clear();
    let finished = finished.map_err(|error| miette!("{error}"))?;
    let report = &finished.report;

    let mut areas = vec![];
    if let Some(set) = &hardware {
        let verilog = folder.path("verilog");
        cosim::export_named(
            llc::LlcMonitor::NAME,
            set.name,
            &verilog,
            &cosim::Options::default(),
            &mut |_| Flow::Continue,
        )
        .into_diagnostic()?;
        areas = costs(&scenario, set, report.period)?;
    }
    let document = Document {
        report,
        area: &areas,
    };
    let json = serde_json::to_string_pretty(&document).into_diagnostic()? + "\n";
    folder.write("report.json", &json).into_diagnostic()?;
    let page = html(report, &areas).map_err(|error| miette!("report.html: {error}"))?;
    folder.write("report.html", &page).into_diagnostic()?;
    folder.write("scenario.toml", &toml).into_diagnostic()?;
    let out = folder.finish().into_diagnostic()?;

    super::print(&match args.json {
        true => json,
        false => text(report) + &format!("Report: {}\n", out.join("report.html").display()),
    })?;
    if hardware.is_none() && !args.no_lockstep {
        eprintln!(
            "note: no hardware in lockstep: llc_monitor is not built for {} ways and {} kernels (see `cotenant list`)",
            scenario.geometry.ways, scenario.geometry.kernels
        );
    }
    if let Some(mismatch) = &finished.mismatch {
        eprintln!("mismatch: {mismatch}");
        return Ok(ExitCode::from(1));
    }
    Ok(match report.complete {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(super::INTERRUPTED),
    })
}

/// Area of the monitor and its parts, with the counters that the period needs.
fn costs(
    scenario: &Scenario,
    set: &cotenant_units::table::ParameterSet,
    period: u64,
) -> Result<Vec<area::Report>> {
    let request = area::Request {
        period: area::Period {
            cycles: period,
            rate: area::Rate {
                accesses: 1,
                cycles: 1,
            },
        },
        cache: area::Cache {
            geometry: scenario.geometry,
            address_bits: area::ADDRESS_BITS,
        },
        compare: false,
    };
    let value = |name: &str| set.params.iter().find(|(n, _)| *n == name).map(|p| p.1);
    let mut wanted = vec![(llc::LlcMonitor::NAME, set.clone())];
    for unit in SHOWN {
        let sets = cotenant_units::table::sets(unit).into_diagnostic()?;
        let same = sets.into_iter().find(|part| {
            let mut params = part.params.iter();
            params.all(|(name, v)| value(name) == Some(*v))
        });
        wanted.extend(same.map(|part| (unit, part)));
    }
    let mut reports = vec![];
    for (unit, set) in wanted {
        let found = find(unit).into_diagnostic()?;
        let report = area::report(found, &set, &request);
        reports.push(report.map_err(|error| miette!("{unit} {}: {error}", set.name))?);
    }
    Ok(reports)
}
