//! `cotenant sweep`: the runs of an experiment, in parts and by several processes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miette::{miette, IntoDiagnostic, Result};

use super::experiment::{no_list, Bar, Values, JOURNAL};
use crate::experiments::{experiment, Part, Setting};
use crate::whole::File;

/// The batch script, in the folder.
const SCRIPT: &str = "sweep.sbatch";

/// Do the runs of a long experiment, on all cores or as a job array of Slurm
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant sweep tap-speedup
  cotenant sweep tap-speedup --part 3/16
  cotenant sweep tap-speedup --from testbench/tests/recorded/tap-speedup.jsonl
  cotenant sweep tap-streams --out out/streams --slurm 16

Does what `cotenant experiment NAME --out DIR` does, without the report: results go
into DIR/measured.jsonl, a line per run, after a manifest: experiment, seed, settings,
number of runs, and a hash of all that decides the results. What is there is not run
again: the same command goes on after Ctrl-C, a kill or a lost job. Any number of
processes may share DIR. Each run is claimed by a lock, which its process loses when
it ends; across machines the file system has to pass locks on, as NFS 4 does.

Each process leaves the results in the order of the runs, so that the same runs give
the same file, however they were divided. It can be kept, also before all are in:
--from begins with it elsewhere. Files of another manifest are refused.
`cotenant experiment NAME --record DIR/measured.jsonl` reports on what is in.

--slurm writes DIR/sweep.sbatch: submit it, with options of your site, and again
should jobs be lost.
  sbatch --time=8:00:00 DIR/sweep.sbatch

Exit code: 0 all runs of the part are in, 1 hardware and golden models differ, 2 could
not run, 3 another process is at the rest of them, 130 interrupted.")]
pub struct Args {
    /// The experiment
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    values: Values,
    /// Folder of the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do every Nth run only, beginning with run K
    #[arg(long, value_name = "K/N", value_parser = part, default_value = "1/1", hide_default_value = true)]
    part: Part,
    /// Begin with the results that this record has
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Run nothing, but write a script for Slurm with an array of N jobs
    #[arg(long, value_name = "N", conflicts_with = "part", value_parser = clap::value_parser!(u32).range(1..))]
    slurm: Option<u32>,
}

/// `3/16`.
fn part(text: &str) -> Result<Part, String> {
    let numbers = text
        .split_once('/')
        .map(|(number, of)| (number.parse(), of.parse()));
    match numbers {
        Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Part { number, of }),
        _ => Err("expected K/N, the Kth of N parts from 1 on, as 3/16".into()),
    }
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let chosen = experiment(&args.name).map_err(|error| miette!("{error}"))?;
    if !chosen.resumes {
        return Err(no_list(chosen));
    }
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| Path::new("out").join(chosen.name));
    if let Some(jobs) = args.slurm {
        let place = out.join(SCRIPT);
        File::write_text(&place, &script(args, jobs, &out)?).into_diagnostic()?;
        super::print(&format!("Written: {0}\nsbatch {0}\n", place.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let journal = out.join(JOURNAL);
    let watch = Bar::new()?;
    let report = (chosen.run)(&Setting {
        journal: Some(&journal),
        from: args.from.as_deref(),
        part: args.part,
        ..args.values.setting(&watch)
    });
    let (stands, interrupted) = watch.finish();
    let report = report.into_diagnostic()?;
    let mut said = format!(
        "{} runs done now, {} of {} are in {}\n",
        stands.here,
        stands.done,
        stands.runs,
        journal.display()
    );
    if stands.elsewhere > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(
            said,
            "another process is at {} of the rest",
            stands.elsewhere
        );
    }
    super::print(&said)?;
    if let Some(mismatch) = report.mismatch() {
        eprintln!("mismatch: {mismatch}");
        return Ok(1.into());
    }
    Ok(match (interrupted, stands.elsewhere) {
        (true, _) => super::INTERRUPTED.into(),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => 3.into(),
    })
}

/// For an array of jobs, each of which is this program with a part of the runs.
fn script(args: &Args, jobs: u32, out: &Path) -> Result<String> {
    let quoted = |path: &Path| -> Result<String> {
        let path = std::path::absolute(path).into_diagnostic()?;
        let text = path
            .to_str()
            .ok_or_else(|| miette!("{}: Slurm's script needs a path in UTF-8", path.display()))?;
        Ok(format!("'{}'", text.replace('\'', r"'\''")))
    };
    let mut options = format!("--seed {:#x}", args.values.seed);
    let values = [
        ("accesses", args.values.accesses),
        ("cycles", args.values.cycles),
        ("workloads", args.values.workloads),
    ];
    for (name, value) in values {
        if let Some(value) = value {
            options += &format!(" --{name} {value}");
        }
    }
    if let Some(from) = &args.from {
        options += &format!(" --from {}", quoted(from)?);
    }
    let program = std::env::current_exe().into_diagnostic()?;
    Ok(format!(
        "\
#!/bin/bash
# Does the runs of {name} in {jobs} parts. If jobs were lost, submit it again: nothing
# is run twice.
#SBATCH --job-name={name}
#SBATCH --array=1-{jobs}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
export RAYON_NUM_THREADS=\"${{SLURM_CPUS_ON_NODE:-1}}\"
exec {program} sweep {name} {options} --out {out} --part \"$SLURM_ARRAY_TASK_ID/{jobs}\"
",
        name = args.name,
        program = quoted(&program)?,
        out = quoted(out)?,
    ))
}
