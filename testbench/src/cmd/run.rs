//! `cotenant run`: runs a scenario on a golden GPU, or one beside CPUs, with hardware in lockstep, and writes its
//! report.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use cotenant_golden::hetero::Mix;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::workload::scenario::{Scenario, ScenarioError};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::Window;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::experiments::replay::Sets;
use crate::experiments::run::{html, run as simulate, text, Finished, Report, Request, Subject};
use crate::export;
use crate::export::area;
use crate::registry::find;
use crate::unit::llc;
use crate::verify::interface::Interface;
use crate::verify::lockstep::Flow;
use crate::verify::waves::Span;
use crate::whole::{Folder, Kind};

use super::wave_args::{say_if_late, WaveArgs};

/// The scenario that is run without an argument.
const DEFAULT: &str = "gdc-figure-3";
/// The folder of a run.
const KIND: Kind = Kind {
    name: "run",
    list: "report.json",
    also: &[],
    grows: &[],
};
/// Units whose area the report shows: the monitor and what it is made of.
const SHOWN: [&str; 3] = ["gdcu", "plob", "lru_stack"];

/// Run a scenario on the model of a GPU, or of CPUs and a GPU, with units in lockstep, and write a report
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant run
  cotenant run vma-alone
  cotenant run cpus-beside-gpu
  cotenant run gdc-figure-3 --accesses 20k --seed 7 --out out/short
  cotenant run small-cache --print > my_scenario.toml
  cotenant run my_scenario.toml --window 5000..6000 --json
  cotenant run small-cache --record small-cache.csv

Writes a folder with report.html, report.json, waves.vcd (by default of cycles
100000 to 101000; open waves.gtkw in GTKWave), and the Verilog of the hardware
that ran. An earlier run at the same place is replaced; a folder with any other
content is not touched. The trace of --record begins with the options with which
`cotenant replay` counts the same. `cotenant list scenarios` lists the scenarios; --print
prints one, as a starting point for your own.

Exit code: 0 the hardware agrees, 1 it does not, 2 could not run, 130 interrupted.")]
pub struct Args {
    /// Name of a scenario, or a TOML file
    #[arg(value_name = "SCENARIO", default_value = DEFAULT)]
    scenario: String,
    /// Output folder [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of L2 accesses after which the run ends [default: the scenario's]
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    accesses: Option<u64>,
    /// Seed [default: the scenario's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the L2 accesses of all kernels as a trace (CSV) for `cotenant replay`
    #[arg(long, value_name = "FILE", value_parser = super::args::new_file)]
    record: Option<PathBuf>,
    /// Run only the golden models
    #[arg(long)]
    no_lockstep: bool,
    /// Simulator of the netlist
    #[arg(long, value_name = "ENGINE", value_parser = super::args::engine(), default_value = "jit")]
    engine: Engine,
    /// Print the scenario file and exit
    #[arg(long)]
    print: bool,
    /// Print a JSON document instead of tables
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
    /// What is in the folder.
    files: &'a [String],
}

impl Args {
    /// What the waves show.
    fn span(&self) -> Span {
        self.waves.span().unwrap_or(Span::Window(WINDOW))
    }

    /// Name and text of the scenario.
    fn read(&self) -> Result<(String, String)> {
        let text = Scenario::text(&self.scenario).or_else(|| Mix::text(&self.scenario));
        if let Some(text) = text {
            return Ok((self.scenario.clone(), text.into()));
        }
        let path = Path::new(&self.scenario);
        if path.extension().is_none() && !path.exists() {
            let name = self.scenario.clone();
            let unknown = ScenarioError::Unknown { name };
            return Err(miette!("{unknown}, or a TOML file"));
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| miette!("cannot read {}: {error}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok((stem.into(), text))
    }
}

/// The scenario, with what the arguments change.
enum Read {
    Gpu(Scenario),
    Mix(Mix),
}

impl Read {
    fn new(args: &Args, toml: &str) -> std::result::Result<Self, ScenarioError> {
        let mut read = match Mix::is_meant(toml) {
            true => Self::Mix(Mix::from_toml(toml)?),
            false => Self::Gpu(Scenario::from_toml(toml)?),
        };
        let (accesses, seed) = match &mut read {
            Self::Gpu(scenario) => (&mut scenario.accesses, &mut scenario.seed),
            Self::Mix(mix) => (&mut mix.accesses, &mut mix.seed),
        };
        *accesses = args.accesses.map_or(*accesses, |wanted| wanted.max(1));
        *seed = args.seed.unwrap_or(*seed);
        Ok(read)
    }

    fn subject(&self) -> Subject<'_> {
        match self {
            Self::Gpu(scenario) => scenario.into(),
            Self::Mix(mix) => mix.into(),
        }
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
    let read = Read::new(args, &toml).map_err(|error| miette!("{}: {error}", args.scenario))?;
    let subject = read.subject();
    let hardware = match Sets::monitor(&subject.geometry()) {
        Ok(set) if !args.no_lockstep => Some(set),
        _ => None,
    };

    let out = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("out").join(&name));
    let folder = Folder::new(&out, KIND).into_diagnostic()?;
    if let Some(record) = &args.record {
        recordable(record, &out)?;
    }
    if let (true, Some(option)) = (args.no_lockstep, args.waves.given()) {
        return Err(miette!(
            "{option} needs the hardware in lockstep and cannot be combined with --no-lockstep"
        ));
    }
    let wave = folder
        .path()
        .join(format!("waves.{}", args.waves.extension()));
    let span = args.span();
    let request = Request {
        name: &name,
        subject,
        hardware: hardware.as_ref().map(|_| args.engine),
        wave: match &hardware {
            Some(_) => Some(args.waves.request(&wave, span)?),
            None => None,
        },
        record: args.record.clone(),
    };
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let style = "{bar:30} {human_pos} of {human_len} accesses, {rate}, {eta} left";
    let style = ProgressStyle::with_template(style).into_diagnostic()?;
    let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        // A rate that cannot be shown is no reason to stop.
        let _ = write!(out, "{:.0} k/s", state.per_sec() / 1e3);
    });
    let progress = ProgressBar::new(subject.accesses()).with_style(style);
    let finished = simulate(&request, &mut |done| {
        progress.set_position(done);
        !stop.load(Ordering::Relaxed)
    });
    progress.finish_and_clear();
    let finished = finished.map_err(|error| miette!("{error}"))?;
    let text = (subject, &toml[..]);
    Ok(conclude(args, text, hardware.as_ref(), folder, &finished)?.into())
}

/// Whether a trace may be written there: the output folder is replaced as a whole.
fn recordable(record: &Path, out: &Path) -> Result<()> {
    let [file, folder] = [record, out].map(std::path::absolute);
    let (file, folder) = (file.into_diagnostic()?, folder.into_diagnostic()?);
    if file.starts_with(&folder) {
        return Err(miette!(
            "--record is {}, expected a file outside the output folder {}",
            record.display(),
            out.display()
        ));
    }
    if record.is_dir() || record.file_name().is_none() {
        return Err(miette!(
            "--record is {}, which is a folder, expected a file",
            record.display()
        ));
    }
    Ok(())
}

/// Writes the folder, says what came out, and gives the exit code.
fn conclude(
    args: &Args,
    (subject, toml): (Subject<'_>, &str),
    hardware: Option<&ParameterSet>,
    folder: Folder,
    finished: &Finished,
) -> Result<u8> {
    let report = &finished.report;

    let mut areas = vec![];
    if let Some(set) = hardware {
        let verilog = folder.path().join("verilog");
        export::export_named(
            llc::LlcMonitor::NAME,
            set.name,
            &verilog,
            &export::Options::default(),
            &mut |_| Flow::Continue,
        )
        .into_diagnostic()?;
        areas = costs(&subject.geometry(), set, report.period)?;
    }
    let page = html(report, &areas).map_err(|error| miette!("report.html: {error}"))?;
    folder.write("report.html", &page).into_diagnostic()?;
    folder.write("scenario.toml", toml).into_diagnostic()?;
    let document = Document {
        report,
        area: &areas,
        files: &folder.files().into_diagnostic()?,
    };
    let json = serde_json::to_string_pretty(&document).into_diagnostic()? + "\n";
    folder.write(KIND.list, &json).into_diagnostic()?;
    let out = folder.finish().into_diagnostic()?;

    let mut places = format!("Report: {}\n", out.join("report.html").display());
    if let Some(record) = &args.record {
        let _ = writeln!(places, "Trace: {}", record.display());
    }
    super::print(&match args.json {
        true => json,
        false => text(report) + &places,
    })?;
    if let (Err(refused), false) = (Sets::monitor(&subject.geometry()), args.no_lockstep) {
        eprintln!("note: no hardware in lockstep: {refused}");
    }
    if let (Some(_), Span::Window(Window { from, .. })) = (hardware, args.span()) {
        say_if_late(from, report.cycles);
    }
    if let Some(mismatch) = &finished.mismatch {
        eprintln!("mismatch: {mismatch}");
        return Ok(1);
    }
    Ok(match report.complete {
        true => 0,
        false => super::INTERRUPTED,
    })
}

/// Area of the monitor and its parts, with the counters that the period needs.
fn costs(geometry: &Geometry, set: &ParameterSet, period: u64) -> Result<Vec<area::Report>> {
    let request = area::Request {
        period: area::Period {
            cycles: period,
            rate: area::Rate {
                accesses: 1,
                cycles: 1,
            },
        },
        cache: area::Cache {
            geometry: *geometry,
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

#[cfg(test)]
mod tests {
    //! Rationale: a run whose hardware is wrong must not look like one whose hardware is right:
    //! exit code, the top of the page, the document and the waves all say so. Right hardware cannot
    //! be made to fail from the command line, so a faulty one is put in here.
    use super::*;
    use crate::experiments::replay::Hardware;
    use crate::experiments::run::run_beside;
    use crate::verify::waves;
    use clap::Parser;
    use cotenant_netlist::fault::Fault;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn faulty_hardware_ends_with_1_and_says_so_at_the_top() {
        let work = tempfile::tempdir().unwrap();
        let out = work.path().join("out");
        let line = ["run", "small-cache", "--out", out.to_str().unwrap()];
        let args = Line::parse_from(line).args;
        let (name, toml) = args.read().unwrap();
        let mut scenario = Scenario::from_toml(&toml).unwrap();
        scenario.accesses = 4_000;
        let set = Sets::monitor(&scenario.geometry).unwrap();
        let good = llc::LlcMonitor::netlist(&set).unwrap();
        let stuck = good
            .regs
            .iter()
            .position(|reg| reg.name.ends_with("gdcu.matrix.count[0][1]"));
        let fault = Fault::StuckBit {
            reg: stuck.unwrap(),
            bit: 0,
            value: true,
        };
        let netlist = good.with_fault(&fault).unwrap();
        let hardware = Hardware::monitor(&scenario.geometry, &set, &netlist, args.engine, true);
        let folder = Folder::new(&out, KIND).unwrap();
        let request = Request {
            wave: Some(waves::Request::window(
                folder.path().join("waves.vcd"),
                Window { from: 0, to: 100 },
            )),
            ..Request::new(&name, &scenario)
        };
        let finished = run_beside(&request, Some(hardware.unwrap()), &mut |_| true).unwrap();
        let code = conclude(
            &args,
            ((&scenario).into(), &toml),
            Some(&set),
            folder,
            &finished,
        );
        assert_eq!(code.unwrap(), 1);
        let read = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
        let page = read("report.html");
        let (failed, answer) = (page.find("FAILED").unwrap(), page.find("<table").unwrap());
        assert!(
            failed < answer && page.contains("gdcu.count[0][1]"),
            "{page}"
        );
        let document: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
        assert_eq!(document["lockstep"]["mismatches"], 1);
        let said = document["mismatch"].as_str().unwrap();
        assert!(said.contains("count[0][1]: dut 1, golden 0"), "{said}");
        assert!(wellen::simple::read(out.join("waves.vcd")).is_ok());
    }
}
