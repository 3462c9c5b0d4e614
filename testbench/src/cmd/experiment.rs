//! `cotenant experiment`: runs an experiment with the golden models and prints tables.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clap::builder::NonEmptyStringValueParser;
use cotenant_netlist::sim::Engine;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use super::args::seed;
use crate::experiments::{
    experiment, list, Experiment, Part, Report, Setting, Standing, Watch, EXPERIMENTS,
};
use crate::whole::{Folder, Journal, Kind};

/// The folder of an experiment.
const KIND: Kind = Kind {
    name: "experiment",
    list: "experiment.json",
    also: &[],
    grows: &[JOURNAL, Journal::CLAIMS],
};
/// What has been measured so far, in the folder.
pub(super) const JOURNAL: &str = "measured.jsonl";

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
  cotenant experiment tap-streams --cycles 1M --record out/tap-streams/measured.jsonl
  cotenant experiment sm-pairs --workloads 6 --cycles 200k --out out/sm-pairs

Without NAME, lists the experiments. The same seed gives the same numbers.
With --out, writes a folder with the tables, experiment.json, plots as SVG, and the
workloads (scenarios) and access streams (traces) that belong to them. `calibrate`,
`truth`, `sm-blocks`, `sm-credits`, `sm-limits`, `sm-lockstep`, `sm-pairs`,
`sm-releases`, `sm-triples`, `tap-costs`, `tap-parts`, `tap-speedup` and
`tap-streams` keep what they have measured there, in measured.jsonl: after Ctrl-C
the same command goes on, and with more --workloads it adds to it.
`cotenant sweep` does their runs in parts, also on several machines; --record reports
on what is in.

Exit code: 0 shown, 1 hardware and golden models differ, 2 could not run, 130
interrupted (partial results are shown).")]
pub struct Args {
    /// The experiment
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    #[command(flatten)]
    values: Values,
    /// Report on what this record has (measured.jsonl of a folder) and run nothing
    #[arg(long, value_name = "FILE", requires = "name")]
    record: Option<PathBuf>,
    /// Output folder
    #[arg(long, value_name = "DIR", requires = "name")]
    out: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// What decides the numbers.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Values {
    /// Seed of all random draws
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    pub seed: u64,
    /// L2 accesses per workload, instead of the experiment's default
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    pub accesses: Option<u64>,
    /// Cycles per run, for experiments of fixed duration, instead of the default
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    pub cycles: Option<u64>,
    /// The first N workloads, for sm-pairs and sm-triples, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub workloads: Option<u64>,
    /// Simulator of the netlist
    #[arg(long, value_name = "ENGINE", value_parser = super::args::engine(), default_value = "jit")]
    pub engine: Engine,
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
            values: Values {
                seed,
                accesses: None,
                cycles,
                workloads: None,
                engine: Engine::default(),
            },
            record: None,
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
pub(super) struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    stands: Mutex<Standing>,
}

impl Bar {
    pub fn new() -> Result<Self> {
        // Hidden where stderr is no terminal.
        let style = "{bar:30} {human_pos} of {human_len}, {eta} left";
        let style = ProgressStyle::with_template(style).into_diagnostic()?;
        Ok(Self {
            bar: ProgressBar::new(0).with_style(style),
            stop: super::interrupted()?,
            stands: Mutex::default(),
        })
    }

    /// Takes it off the terminal, and returns how far the runs are and whether Ctrl-C ended them.
    pub fn finish(&self) -> (Standing, bool) {
        self.bar.finish_and_clear();
        let stands = *self.stands.lock().expect("nobody fails while adding");
        (stands, self.stop.load(Ordering::Relaxed))
    }
}

impl Watch for Bar {
    fn expect(&self, steps: u64) {
        self.bar.inc_length(steps);
    }

    fn advance(&self, steps: u64) -> bool {
        self.bar.inc(steps);
        !self.stop.load(Ordering::Relaxed)
    }

    fn stands(&self, of: Standing) {
        *self.stands.lock().expect("nobody fails while adding") += of;
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
    if args.record.is_some() && !chosen.resumes {
        return Err(no_list(chosen));
    }
    let watch = Bar::new()?;
    let report = (chosen.run)(&Setting {
        journal: journal.as_deref(),
        from: args.record.as_deref(),
        part: match args.record {
            Some(_) => Part::NONE,
            None => Part::WHOLE,
        },
        ..args.values.setting(&watch)
    });
    watch.finish();
    let report = report.into_diagnostic()?;
    if let (Some(folder), Some(journal)) = (&folder, &journal) {
        let text = std::fs::read_to_string(journal).into_diagnostic()?;
        folder.write(JOURNAL, &text).into_diagnostic()?;
    }
    Ok(conclude(args, &report, folder)?.into())
}

impl Values {
    pub fn setting<'a>(&self, watch: &'a Bar) -> Setting<'a> {
        Setting {
            accesses: self.accesses,
            cycles: self.cycles,
            workloads: self.workloads,
            engine: self.engine,
            watch,
            ..Setting::new(self.seed)
        }
    }
}

/// Says of an experiment that it is no list of runs.
pub(super) fn no_list(chosen: &Experiment) -> miette::Report {
    let lists = EXPERIMENTS.iter().filter(|experiment| experiment.resumes);
    let names: Vec<&str> = lists.map(|experiment| experiment.name).collect();
    miette!(
        "{} is no list of runs of which a record is kept, expected one of: {}",
        chosen.name,
        names.join(", ")
    )
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
    // Of a record all that is in it is shown.
    Ok(match report.complete() || args.record.is_some() {
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
            ..Setting::new(args.values.seed)
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
            ..Setting::new(args.values.seed)
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
            let watch = Impatient(60.into());
            let setting = Setting {
                accesses: Some(300),
                cycles: Some(4000),
                engine: Engine::Interpreter,
                watch: &watch,
                ..Setting::new(args.values.seed)
            };
            let report = (experiment(name).unwrap().run)(&setting).unwrap();
            assert_eq!(
                conclude(&args, &report, None).unwrap(),
                crate::cmd::INTERRUPTED
            );
            let json = serde_json::to_value(&report).unwrap();
            let done = json["workloads"].as_array().unwrap().len();
            assert!((1..32).contains(&done), "{done}");
            let said = match name {
                "gdc-4" => format!("Interrupted: {done} workloads were done."),
                _ => format!(
                    "{done} of {} workloads are in.",
                    if name == "truth" { 256 } else { 25 }
                ),
            };
            assert!(report.text().contains(&said), "{}", report.text());
        }
    }
}
