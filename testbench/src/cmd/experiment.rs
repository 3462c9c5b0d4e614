//! `cotenant experiment`: runs an experiment with the golden models and prints tables.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use clap::builder::NonEmptyStringValueParser;
use cotenant_netlist::sim::Engine;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use super::args::seed;
use crate::experiments::{experiment, list, Experiment, Report, Setting, Watch, EXPERIMENTS};
use crate::whole::{Folder, Kind};

/// The folder of an experiment.
const KIND: Kind = Kind {
    name: "experiment",
    list: "experiment.json",
    also: &[],
    grows: Some(JOURNAL),
};
/// What has been measured so far, in the folder.
const JOURNAL: &str = "measured.jsonl";

/// Run an experiment: repeat a figure of the papers, or measure what they leave open
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant experiment
  cotenant experiment milg-width
  cotenant experiment gdc-4 --out out/gdc-4
  cotenant experiment sm-loop --out out/sm-loop
  cotenant experiment tap-streams --cycles 1M --out out/tap-streams
  cotenant experiment truth --accesses 50k --json
  cotenant experiment sm-pairs --workloads 6 --cycles 200k --out out/sm-pairs

Without NAME, lists the experiments. The same seed gives the same numbers.
With --out, writes a folder with the tables, experiment.json, plots as SVG, and the
workloads (scenarios) and access streams (traces) that belong to them. `truth`,
`sm-limits`, `sm-pairs`, `sm-triples`, `tap-costs`, `tap-speedup` and `tap-streams`
keep what they have measured there, in measured.jsonl: after Ctrl-C the same command
goes on, and with more --workloads it adds to it.

Exit code: 0 shown, 1 hardware and golden models differ, 2 could not run, 130
interrupted (partial results are shown).")]
pub struct Args {
    /// The experiment
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// Seed of all random draws
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    seed: u64,
    /// L2 accesses per workload, instead of the experiment's default
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    accesses: Option<u64>,
    /// Cycles per run, for experiments of fixed duration, instead of the default
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    cycles: Option<u64>,
    /// The first N workloads, for sm-pairs and sm-triples, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    workloads: Option<u64>,
    /// Simulator of the netlist
    #[arg(long, value_name = "ENGINE", value_parser = super::args::engine(), default_value = "jit")]
    engine: Engine,
    /// Output folder
    #[arg(long, value_name = "DIR", requires = "name")]
    out: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Those of `cotenant calibrate`.
    pub(super) fn calibrate(
        seed: u64,
        cycles: Option<u64>,
        out: Option<PathBuf>,
        json: bool,
    ) -> Self {
        Self {
            name: Some("calibrate".into()),
            seed,
            accesses: None,
            cycles,
            workloads: None,
            engine: Engine::default(),
            out,
            json,
        }
    }
}

#[derive(Debug, Serialize)]
struct List {
    schema: u32,
    experiments: &'static [Experiment],
}

/// What `experiment.json` holds.
#[derive(Debug, Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// The files of the folder.
    files: &'a [String],
}

/// A progress bar on the terminal, and Ctrl-C.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Watch for Bar {
    fn expect(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    fn advance(&self, steps: u64) -> bool {
        self.bar.inc(steps);
        !self.stop.load(Ordering::Relaxed)
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        let experiments = EXPERIMENTS;
        super::print(&match args.json {
            true => document(&List {
                schema: 1,
                experiments,
            })?,
            false => list(),
        })?;
        return Ok(ExitCode::SUCCESS);
    };
    let chosen = experiment(name).map_err(|error| miette!("{error}"))?;
    // Before the work: something else may be in its place.
    let folder = args.out.as_deref().map(|out| Folder::new(out, KIND));
    let folder = folder.transpose().into_diagnostic()?;
    let journal = args.out.as_ref().filter(|_| chosen.resumes);
    let journal = journal.map(|out| out.join(JOURNAL));
    // Hidden where stderr is no terminal.
    let style = "{bar:30} {human_pos} of {human_len}, {eta} left";
    let style = ProgressStyle::with_template(style).into_diagnostic()?;
    let watch = Bar {
        bar: ProgressBar::new(0).with_style(style),
        stop: super::interrupted()?,
    };
    let report = (chosen.run)(&Setting {
        seed: args.seed,
        accesses: args.accesses,
        cycles: args.cycles,
        workloads: args.workloads,
        engine: args.engine,
        watch: &watch,
        journal: journal.as_deref(),
    });
    watch.bar.finish_and_clear();
    let report = report.into_diagnostic()?;
    if let (Some(folder), Some(journal)) = (&folder, &journal) {
        let text = std::fs::read_to_string(journal).into_diagnostic()?;
        folder.write(JOURNAL, &text).into_diagnostic()?;
    }
    Ok(conclude(args, &report, folder)?.into())
}

/// Writes the folder, prints the report, and returns the exit code.
fn conclude(args: &Args, report: &Report, folder: Option<Folder>) -> Result<u8> {
    if let Some(folder) = folder {
        folder
            .write("experiment.md", &report.text())
            .into_diagnostic()?;
        for file in report.attachments().into_diagnostic()? {
            folder.write(&file.name, &file.text).into_diagnostic()?;
        }
        let files = &folder.files().into_diagnostic()?;
        let list = document(&Document { report, files })?;
        folder.write(KIND.list, &list).into_diagnostic()?;
        let out = folder.finish().into_diagnostic()?;
        eprintln!("Written: {}", Path::new(&out).display());
    }
    super::print(&match args.json {
        true => document(report)?,
        false => report.text(),
    })?;
    if let Some(mismatch) = report.mismatch() {
        eprintln!("mismatch: {mismatch}");
        return Ok(1);
    }
    Ok(match report.complete() {
        true => 0,
        false => super::INTERRUPTED,
    })
}

fn document(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value).into_diagnostic()? + "\n")
}

#[cfg(test)]
mod tests {
    //! Rationale: hardware that is wrong must not look like hardware that is right, nor an
    //! experiment that was interrupted like one that was not; neither can be brought about from the
    //! command line.
    use super::*;
    use crate::experiments::{gdc4, sm_loop};
    use clap::Parser;
    use cotenant_netlist::fault::Fault;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// Stops after so many calls.
    #[derive(Debug)]
    struct Impatient(std::sync::atomic::AtomicU64);

    impl Watch for Impatient {
        fn expect(&self, _: u64) {}

        fn advance(&self, _: u64) -> bool {
            let left = self
                .0
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    Some(left.saturating_sub(1))
                });
            left != Ok(0)
        }
    }

    #[test]
    fn faulty_hardware_ends_with_1_and_says_so_at_the_top() {
        let work = tempfile::tempdir().unwrap();
        let out = work.path().join("out");
        let args = Line::parse_from(["experiment", "gdc-4", "--out", out.to_str().unwrap()]).args;
        let setting = Setting {
            accesses: Some(300),
            engine: Engine::Interpreter,
            ..Setting::new(args.seed)
        };
        let faulty = gdc4::run_with(&setting, &|netlist| {
            let mut names = netlist.regs.iter().map(|reg| &reg.name);
            let reg = names.position(|name| name.ends_with("gdcu.matrix.count[0][1]"));
            let fault = Fault::StuckBit {
                reg: reg.unwrap(),
                bit: 0,
                value: true,
            };
            Ok(netlist.with_fault(&fault).unwrap())
        });
        let report = Report::Gdc4(faulty.unwrap());
        let folder = Folder::new(&out, KIND).unwrap();
        assert_eq!(conclude(&args, &report, Some(folder)).unwrap(), 1);
        let text = std::fs::read_to_string(out.join("experiment.md")).unwrap();
        let (said, table) = (
            text.find("MISMATCH").unwrap(),
            text.find("| workload").unwrap(),
        );
        assert!(
            said < table && text.contains("gdcu.count[0][1]: dut 1, golden 0"),
            "{text}"
        );
        let json = std::fs::read_to_string(out.join("experiment.json")).unwrap();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(document["workloads"][0]["lockstep"]["mismatches"], 1);
    }

    #[test]
    fn a_faulty_mem_issue_ends_with_1() {
        let work = tempfile::tempdir().unwrap();
        let out = work.path().join("out");
        let args = Line::parse_from(["experiment", "sm-loop", "--out", out.to_str().unwrap()]).args;
        let setting = Setting {
            cycles: Some(4000),
            ..Setting::new(args.seed)
        };
        let faulty = sm_loop::run_with(&setting, &|netlist| {
            let mut names = netlist.regs.iter().map(|reg| &reg.name);
            let reg = names.position(|name| name == "milg[0].requests").unwrap();
            Ok(netlist.with_fault(&Fault::LostWrite { reg }).unwrap())
        });
        let report = Report::SmLoop(Box::new(faulty.unwrap()));
        let folder = Folder::new(&out, KIND).unwrap();
        assert_eq!(conclude(&args, &report, Some(folder)).unwrap(), 1);
        let text = std::fs::read_to_string(out.join("experiment.md")).unwrap();
        let said = "MISMATCH: bp+sv: SM 0: mem_issue 2-milg-qbmi: cycle ";
        assert!(text.contains(said), "{text}");
        assert!(out.join("sv+ax.svg").exists());
    }

    #[test]
    fn what_is_interrupted_shows_what_was_done() {
        for name in ["gdc-4", "tap-streams", "truth"] {
            let args = Line::parse_from(["experiment", name]).args;
            let watch = Impatient(40.into());
            let setting = Setting {
                accesses: Some(300),
                cycles: Some(4000),
                engine: Engine::Interpreter,
                watch: &watch,
                ..Setting::new(args.seed)
            };
            let report = (experiment(name).unwrap().run)(&setting).unwrap();
            assert_eq!(
                conclude(&args, &report, None).unwrap(),
                crate::cmd::INTERRUPTED
            );
            let json = serde_json::to_value(&report).unwrap();
            let done = json["workloads"].as_array().unwrap().len();
            assert!((1..32).contains(&done), "{done}");
            let said = format!("Interrupted: {done} workloads were done.");
            assert!(report.text().contains(&said), "{}", report.text());
        }
    }
}
