//! `cotenant replay`: replays traces through the golden cache, with hardware in lockstep, or through
//! caches of several policies.

use super::policy_args::PolicyArgs;
use super::wave_args::WaveArgs;
use crate::experiments::replay::{
    compare, comparison, replay, text, CompareRequest, Comparison, Error, Request, Sets,
    WaveRequest,
};
use crate::verify::waves::Span;
use cotenant_golden::addr::mapping::Mapping;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::presets::Preset;
use cotenant_golden::workload::trace::{Format, Source};
use cotenant_netlist::sim::Engine;
use cotenant_waveforms::Window;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Replay traces and attribute the misses in the shared cache to kernels
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant replay --trace examples/traces/four_kernels.csv --sets 16 --ways 16 --kernels 4
  cotenant replay --trace 0=a.traceg.gz --trace 1=b.traceg.gz --preset xavier --json
  cotenant replay --trace examples/traces/four_kernels.csv --sets 16 --policy ucp,opt --period 500
  cotenant replay --trace examples/traces/four_kernels.csv --mapping gtx1080

Formats: CSV `kernel,op,address[,cycle[,sectors]]` (op R or W), Dinero `din`, Accel-Sim
`traceg`; plain, gzip or zstd, recognised by file name or content. An access of
unknown type in a din trace (code 3) counts as a read; a cache flush (code 4) is
skipped and counted.

Policies: kernels are applications, one of them the GPU's (--gpu). The first row of
the table is LRU, the baseline. Memory does not grow with the trace but for opt,
which needs the whole trace beforehand: about 60 bytes per access.

Exit code: 0 the hardware agrees, 1 it does not, 2 could not run, 130 interrupted.")]
pub struct Args {
    /// Trace file, or K=FILE for a trace of kernel K; may be repeated, traces are interleaved
    #[arg(long = "trace", value_name = "[K=]FILE", required = true)]
    traces: Vec<Source>,
    /// Format of the traces: csv, din or traceg [default: by name or content]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Platform whose last-level cache is used; the options below change it
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Cache sets in total, distributed over the banks [default: 256]
    #[arg(long, value_name = "N")]
    sets: Option<usize>,
    /// Number of ways [default: 16]
    #[arg(long, value_name = "N")]
    ways: Option<usize>,
    /// Index the sets by the XOR functions of a mapping: a file, or gtx1080, v100. It gives sets and
    /// line size; waves show tag, set and offset side by side as the address
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["sets", "line"])]
    mapping: Option<String>,
    /// Line size in bytes [default: 128]
    #[arg(long, value_name = "BYTES")]
    line: Option<u64>,
    /// Number of kernels [default: 4]
    #[arg(long, value_name = "N")]
    kernels: Option<usize>,
    /// Number of banks [default: 1]
    #[arg(long, value_name = "N")]
    banks: Option<usize>,
    /// Run only the golden model
    #[arg(long)]
    no_lockstep: bool,
    /// Simulator of the netlist
    #[arg(long, value_name = "ENGINE", value_parser = super::args::engine(), default_value = "jit")]
    engine: Engine,
    /// Print a JSON document instead of tables
    #[arg(long)]
    json: bool,
    /// Write waves to this file, by default of the first 10000 accesses; one cycle per access
    #[arg(
        long,
        visible_alias = "wave",
        value_name = "FILE",
        value_parser = super::args::new_file,
        conflicts_with = "no_lockstep",
        help_heading = "Waves"
    )]
    vcd: Option<PathBuf>,
    #[command(flatten)]
    waves: WaveArgs,
    #[command(flatten)]
    policies: PolicyArgs,
}

/// Accesses shown unless said.
const SHOWN: Window = Window {
    from: 0,
    to: 10_000,
};

impl Args {
    fn wave(&self) -> Result<Option<WaveRequest>> {
        match (&self.vcd, self.waves.given()) {
            (Some(path), _) => {
                let span = self.waves.span().unwrap_or(Span::Window(SHOWN));
                self.waves.request(path, span).map(Some)
            }
            (None, Some(option)) => Err(miette!(
                "{option} selects waves, but there is no file to write: add --vcd FILE"
            )),
            (None, None) => Ok(None),
        }
    }

    fn mapping(&self) -> Result<Option<Mapping>> {
        let mapping = self.mapping.as_deref().map(super::mapped::mapping);
        mapping.transpose()
    }

    fn geometry(&self, mapping: Option<&Mapping>) -> Result<Geometry> {
        let mapped = mapping.map(Mapping::table);
        let base = match &self.preset {
            Some(name) => Preset::named(name).into_diagnostic()?.llc,
            None => Geometry {
                sets: 256,
                ways: 16,
                line: 128,
                kernels: 4,
                banks: 1,
            },
        };
        Ok(Geometry {
            sets: mapped.map_or(self.sets.unwrap_or(base.sets), |table| table.sets as usize),
            ways: self.ways.unwrap_or(base.ways),
            line: mapped.map_or(self.line.unwrap_or(base.line), |table| table.line),
            kernels: self.kernels.unwrap_or(base.kernels),
            banks: self.banks.unwrap_or(base.banks),
        })
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mapping = args.mapping()?;
    let geometry = args.geometry(mapping.as_ref())?;
    let sources = args.traces.iter().map(|source| Source {
        format: source.format.or(args.format),
        ..source.clone()
    });
    let sources: Vec<Source> = sources.collect();
    if let Some(request) = args
        .policies
        .request(sources.clone(), geometry, mapping.clone())?
    {
        if let Some(option) = args.waves.given() {
            return Err(miette!(
                "{option} selects waves, which --policy does not have"
            ));
        }
        return policies(args, &request);
    }
    let request = Request {
        sources,
        geometry,
        mapping,
        hardware: (!args.no_lockstep).then_some(args.engine),
        wave: args.wave()?,
    };
    let finished = watched(|watch| replay(&request, watch))?;

    print(args, &finished.report, text)?;
    if let (Err(refused), false) = (Sets::monitor(&geometry), args.no_lockstep) {
        let instead = Sets::of(&geometry).map_or("no hardware", |_| "single units");
        eprintln!("note: {instead} in lockstep: {refused}");
    }
    if let Some(path) = &finished.wave {
        eprintln!("waves: {}", path.display());
    }
    if let Some(mismatch) = &finished.mismatch {
        eprintln!("mismatch: {mismatch}");
        return Ok(ExitCode::from(1));
    }
    Ok(match finished.report.complete {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(130),
    })
}

/// Runs what is told whether to go on, with a progress bar.
fn watched<T>(work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<T, Error>) -> Result<T> {
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let progress = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} {human_pos} accesses, {per_sec}, {elapsed}")
            .into_diagnostic()?,
    );
    progress.enable_steady_tick(Duration::from_millis(200));
    let finished = work(&mut |done| {
        progress.set_position(done);
        !stop.load(Ordering::Relaxed)
    });
    progress.finish_and_clear();
    finished.map_err(|error| miette!("{error}"))
}

/// Prints a report, as a document or as tables.
fn print<T: serde::Serialize>(args: &Args, report: &T, text: fn(&T) -> String) -> Result<()> {
    let out = match args.json {
        true => serde_json::to_string(report).into_diagnostic()? + "\n",
        false => text(report),
    };
    super::print(&out)
}

/// Compares policies.
fn policies(args: &Args, request: &CompareRequest) -> Result<ExitCode> {
    let report = watched(|watch| compare(request, watch))?;
    print(args, &report, comparison)?;
    for note in notes(&report) {
        eprintln!("note: {note}");
    }
    Ok(match report.complete {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(130),
    })
}

/// What a reader of a comparison may not expect.
fn notes(report: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    let joined = |names: Vec<String>| names.join(", ");
    let decide = report.policies.iter().map(|side| side.policy);
    let decide = decide.filter(|policy| policy.has_periods());
    let names = joined(decide.map(|policy| policy.to_string()).collect());
    if report.period.ended == 0 && !names.is_empty() {
        notes.push(format!(
            "the trace ended within the first period, so that {names} never decided: \
             shorten --period"
        ));
    }
    let kernels = report.policies.iter().take(1).flat_map(|lru| &lru.kernels);
    let idle = kernels.filter(|kernel| kernel.accesses == 0);
    let idle = joined(idle.map(|kernel| kernel.kid.to_string()).collect());
    let divided = report
        .policies
        .iter()
        .any(|side| side.decision.quotas.is_some());
    if divided && !idle.is_empty() {
        notes.push(format!(
            "no access is of kernel {idle}, but it takes part in partitions: lower --kernels"
        ));
    }
    notes
}
