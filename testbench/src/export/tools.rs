//! Running Icarus, Verilator, Yosys and abc on an exported folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cotenant_netlist::equivalence::{self, Verdict as Proof};

use super::design::Exported;
use super::error::{Error, Result};
use super::text::ENTIRE_ARRAY;

/// A simulator of Verilog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Simulator {
    /// Icarus Verilog: four values, an unknown is X.
    Icarus,
    /// Verilator: two values, compiled.
    Verilator,
}

impl Simulator {
    /// The programs it needs, with an option by which each starts and stops at once.
    const fn programs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Icarus => &[("make", "--version"), ("iverilog", "-V"), ("vvp", "-V")],
            Self::Verilator => &[
                ("make", "--version"),
                ("verilator", "--version"),
                ("g++", "--version"),
            ],
        }
    }

    const fn target(self) -> &'static str {
        match self {
            Self::Icarus => "icarus",
            Self::Verilator => "verilator",
        }
    }
}

/// What a testbench says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All outputs were as expected.
    Pass {
        /// Cycles played.
        cycles: u64,
        /// Cycles of these in which all outputs were compared: those after the first of reset, and
        /// in a design with RAM those in which it is ready.
        compared: u64,
    },
    /// Some were not, or not all cycles were played.
    Fail {
        /// What it printed.
        report: String,
    },
}

/// Checks that the programs of a simulator are there.
///
/// # Errors
/// [`Error::Tool`] with the first that is not.
pub fn start_up(simulator: Simulator) -> Result<()> {
    simulator
        .programs()
        .iter()
        .try_for_each(|(tool, option)| run(tool, Command::new(tool).arg(option)).map(|_| ()))
}

/// Plays the vectors of an exported folder: runs the target of its Makefile that a user would.
///
/// `variables` go to make, for instance `VERILATOR_FLAGS=-O0`.
///
/// # Errors
/// [`Error::Tool`], [`Error::Failed`] if there is no verdict, for instance because the text does
/// not compile.
pub fn simulate(folder: &Path, simulator: Simulator, variables: &[&str]) -> Result<Verdict> {
    start_up(simulator)?;
    let target = simulator.target();
    let output = run(
        "make",
        Command::new("make")
            .arg("-C")
            .arg(folder)
            .arg(target)
            .args(variables),
    )?;
    let text = said(&output);
    let mut lines = text.lines().rev();
    let verdict = lines.find(|line| line.starts_with("PASS ") || line.starts_with("FAIL "));
    let pass = verdict.and_then(|line| {
        let (cycles, compared) = line
            .strip_prefix("PASS ")?
            .strip_suffix(" compared")?
            .split_once(" cycles, ")?;
        Some(Verdict::Pass {
            cycles: cycles.parse().ok()?,
            compared: compared.parse().ok().filter(|&compared| compared > 0)?,
        })
    });
    match (output.status.success(), verdict, pass) {
        (true, _, Some(pass)) => Ok(pass),
        (_, Some(_), _) => Ok(Verdict::Fail { report: text }),
        _ => Err(failed(target, &text)),
    }
}

/// Every warning of `verilator --lint-only -Wall`, `iverilog -g2005 -Wall` and `yosys check
/// -assert`, and latches that Yosys infers, each with the tool in front; empty if there is none.
///
/// # Errors
/// [`Error::Tool`].
pub fn lint(exported: &Exported) -> Result<Vec<String>> {
    let Exported {
        folder, manifest, ..
    } = exported;
    lint_sources(
        folder,
        &exported.design.top,
        &manifest.sources,
        manifest.loops,
    )
}

/// [`lint`] of a top module in a folder with a file list `files.f`.
///
/// # Errors
/// [`Error::Tool`].
pub fn lint_sources(
    folder: &Path,
    top: &str,
    sources: &[String],
    loops: bool,
) -> Result<Vec<String>> {
    let sources = sources.join(" ");
    // A variable that some branch does not assign is a latch.
    let yosys = format!(
        "read_verilog {sources}; hierarchy -check -top {top}; proc; check -assert; select -assert-none t:$dlatch"
    );
    let runs: [(&'static str, Vec<&str>); 3] = [
        (
            "verilator",
            vec!["--lint-only", "-Wall", "--top-module", top, "-f", "files.f"],
        ),
        (
            "iverilog",
            icarus(loops, &["-t", "null", "-s", top, "-f", "files.f"]),
        ),
        ("yosys", vec!["-q", "-p", &yosys]),
    ];
    complaints(folder, &runs)
}

/// Icarus with all warnings. That a block which reads an array runs whenever any word of it
/// changes, of which Icarus warns, costs time and nothing else.
fn icarus<'a>(loops: bool, arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["-g2005", "-Wall"];
    if loops {
        all.push(ENTIRE_ARRAY);
    }
    all.extend(arguments);
    all
}

/// Every warning of `iverilog -g2005 -Wall` about the testbench and what goes with it.
///
/// # Errors
/// [`Error::Tool`].
pub fn lint_testbench(exported: &Exported) -> Result<Vec<String>> {
    let top = &exported.design.top;
    let (tb, waves) = (format!("{top}_tb"), format!("{top}_waves"));
    let files = [format!("{tb}.v"), format!("{waves}.v")];
    let arguments = [
        "-t", "null", "-s", &tb, "-s", &waves, "-f", "files.f", &files[0], &files[1],
    ];
    let arguments = icarus(exported.manifest.loops, &arguments);
    complaints(&exported.folder, &[("iverilog", arguments)])
}

fn complaints(folder: &Path, runs: &[(&'static str, Vec<&str>)]) -> Result<Vec<String>> {
    let mut complaints = vec![];
    for (tool, arguments) in runs {
        let output = run(tool, Command::new(tool).current_dir(folder).args(arguments))?;
        let text = said(&output);
        if !output.status.success() || !text.trim().is_empty() {
            complaints.push(format!("{tool}: {text}"));
        }
    }
    Ok(complaints)
}

/// Has Yosys and abc prove the files in the folder equal to the netlist they were made from, for
/// all inputs and states. `work` takes intermediate files.
///
/// # Errors
/// [`Error::Equivalence`].
pub fn prove(exported: &Exported, work: &Path) -> Result<Proof> {
    let sources = exported.manifest.sources.iter();
    let files: Vec<PathBuf> = sources.map(|file| exported.folder.join(file)).collect();
    Ok(equivalence::prove(
        &exported.netlist,
        &exported.design,
        &files,
        work,
    )?)
}

fn run(tool: &'static str, command: &mut Command) -> Result<Output> {
    command
        .output()
        .map_err(|source| Error::Tool { tool, source })
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn failed(tool: &'static str, text: &str) -> Error {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    Error::Failed {
        tool,
        message: lines[lines.len().saturating_sub(20)..].join("\n"),
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: where a tool is missing, nothing is skipped; whoever runs into it is told which
    //! one and what to do. A verdict is taken only from a run that played to its end.
    use super::*;

    #[test]
    fn a_missing_tool_is_named_and_so_is_the_remedy() {
        let missing = "no-such-simulator";
        let error = run(missing, &mut Command::new(missing)).unwrap_err();
        let message = error.to_string();
        assert!(matches!(error, Error::Tool { .. }), "{message}");
        assert!(
            message.contains(missing) && message.contains("scripts/setup"),
            "{message}"
        );
    }

    #[test]
    fn every_program_is_started_first() {
        let names = |simulator: Simulator| simulator.programs().iter().map(|program| program.0);
        assert!(names(Simulator::Icarus).eq(["make", "iverilog", "vvp"]));
        assert!(names(Simulator::Verilator).eq(["make", "verilator", "g++"]));
    }

    #[test]
    fn no_verdict_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let rule = |recipe: &str| {
            let text = format!("icarus:\n\t@{recipe}\n");
            std::fs::write(folder.path().join("Makefile"), text).unwrap();
            simulate(folder.path(), Simulator::Icarus, &[])
        };
        assert_eq!(
            rule("echo PASS 7 cycles, 6 compared").unwrap(),
            Verdict::Pass {
                cycles: 7,
                compared: 6
            }
        );
        // All that was played is right, but the Makefile misses cycles.
        assert!(matches!(
            rule("echo PASS 7 cycles, 6 compared; false"),
            Ok(Verdict::Fail { .. })
        ));
        // Nothing was compared, or nothing says how much.
        for said in ["PASS 7 cycles, 0 compared", "PASS 7 cycles"] {
            let verdict = rule(&format!("echo {said}"));
            assert!(matches!(verdict, Ok(Verdict::Fail { .. })), "{said}");
        }
        assert!(matches!(
            rule("echo FAIL 2 mismatches; false"),
            Ok(Verdict::Fail { .. })
        ));
        assert!(matches!(
            rule("echo FAIL 2 mismatches"),
            Ok(Verdict::Fail { .. })
        ));
        let error = rule("echo syntax error; false").unwrap_err();
        assert!(error.to_string().contains("syntax error"), "{error}");
        assert!(rule("true").is_err());
    }
}
