//! The prover: abc (Brayton and Mishchenko, CAV 2010), another program.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cotenant_netlist::blast::{Aig, Leaf};

use super::aiger;

/// Names under which abc is installed.
const NAMES: [&str; 2] = ["berkeley-abc", "yosys-abc"];
/// How long it may think about one question, unless said.
pub(in crate::verify::fault) const PATIENCE: Duration = Duration::from_secs(120);

/// Whether the one output of a circuit can be 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// For no input.
    Never,
    /// For these values of the leaves.
    For(Vec<(Leaf, bool)>),
    /// The prover does not say, for this reason.
    Unknown(String),
}

/// Whether the one output of a sequential circuit stays 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Steady {
    /// For all inputs.
    Always,
    /// Not in the last of these cycles, whose inputs have these values.
    Until(Vec<Vec<(Leaf, bool)>>),
    /// The prover does not say, for this reason.
    Unknown(String),
}

/// Asks about the output of a circuit.
pub(super) fn ask(aig: &Aig, patience: Duration) -> Answer {
    let mut outputs = aiger::outputs(aig);
    // A constant needs no prover.
    match outputs.next() {
        Some(lit) if lit.variable() == 0 && outputs.next().is_none() => match lit.is_inverted() {
            false => return Answer::Never,
            true => return Answer::For(Vec::new()),
        },
        _ => {}
    }
    run(aig, patience)
        .unwrap_or_else(|error| Answer::Unknown(format!("abc cannot be run: {error}")))
}

/// What is tried of a sequential circuit, each as long as patience lasts: property directed
/// reachability (Een, Mishchenko and Brayton, FMCAD 2011) once equivalent flops are merged, which
/// finds invariants of what RAMs hold; then abc's own sequence of engines.
const ENGINES: [&str; 2] = ["scorr; pdr", "dprove"];

/// Whether the one output of a sequential circuit is always 0; flops start as `starts` says of a
/// flop's bit. Else the values of the inputs, cycle by cycle, that make it 1 in the last one.
pub(super) fn stays_low(
    aig: &Aig,
    starts: impl Fn(usize, usize) -> bool,
    patience: Duration,
) -> Steady {
    let question = aiger::sequential(aig, starts);
    let mut why = Vec::new();
    for engine in ENGINES {
        match try_engine(engine, aig, &question, patience) {
            Ok(Steady::Unknown(reason)) => why.push(reason),
            Ok(answer) => return answer,
            Err(error) => return Steady::Unknown(format!("abc cannot be run: {error}")),
        }
    }
    why.dedup();
    Steady::Unknown(why.join(", "))
}

fn try_engine(engine: &str, aig: &Aig, question: &[u8], patience: Duration) -> io::Result<Steady> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("question.aig"), question)?;
    let command = format!("read_aiger question.aig; strash; {engine}; write_cex values.txt");
    let Some(text) = execute(folder.path(), &command, patience)? else {
        return Ok(Steady::Unknown(too_long(patience)));
    };
    let proven = ["Property proved", "Networks are equivalent"];
    if proven.iter().any(|words| text.contains(words)) {
        return Ok(Steady::Always);
    }
    let values = fs::read_to_string(folder.path().join("values.txt")).unwrap_or_default();
    Ok(match asserted(&text) {
        Some(frame) => Steady::Until(aiger::read_sequence(aig, frame + 1, &values)),
        None => Steady::Unknown(format!("abc says '{}'", last_line(&text))),
    })
}

/// The cycle that abc found the output to be 1 in.
fn asserted(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("was asserted in frame ")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn last_line(text: &str) -> &str {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or_default().trim()
}

fn too_long(patience: Duration) -> String {
    format!("abc found nothing within {} s", patience.as_secs())
}

fn run(aig: &Aig, patience: Duration) -> io::Result<Answer> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("question.aig"), aiger::write(aig))?;
    let command = "read_aiger question.aig; iprove; write_cex values.txt";
    let Some(printed) = execute(folder.path(), command, patience)? else {
        return Ok(Answer::Unknown(too_long(patience)));
    };
    Ok(if printed.contains("UNSATISFIABLE") {
        Answer::Never
    } else if printed.contains("SATISFIABLE") {
        let values = fs::read_to_string(folder.path().join("values.txt")).unwrap_or_default();
        Answer::For(aiger::read_values(aig, &values))
    } else {
        Answer::Unknown(format!("abc says '{}'", last_line(&printed)))
    })
}

/// What abc prints; nothing if it takes too long.
fn execute(folder: &Path, command: &str, patience: Duration) -> io::Result<Option<String>> {
    let log = folder.join("log.txt");
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for name in NAMES {
        let mut abc = Command::new(name);
        abc.args(["-q", command])
            .current_dir(folder)
            .stdin(Stdio::null());
        let started = abc
            .stdout(File::create(&log)?)
            .stderr(Stdio::null())
            .spawn();
        let mut abc = match started {
            Ok(abc) => abc,
            Err(error) => {
                failed = io::Error::new(error.kind(), format!("{name}: {error}"));
                continue;
            }
        };
        let start = Instant::now();
        while abc.try_wait()?.is_none() {
            if start.elapsed() > patience {
                abc.kill()?;
                abc.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        return fs::read_to_string(&log).map(Some);
    }
    Err(failed)
}
