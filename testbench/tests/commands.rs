//! Rationale: the help is what people copy from. Every example in it must be taken by the parser,
//! and do what it says, but for those that are named here, with the reason. Completions and
//! manual pages are made from the same description of the command line and must name all of it.
//! Subcommands and examples are found, not listed, so that a new one is under test at once.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use clap::{CommandFactory, Parser};
use cotenant::cmd::Cli;

/// Examples that are parsed only, by how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("area --all", "maps every set of every unit"),
    (
        "area lru_stack --config large",
        "maps for long without optimisation",
    ),
    ("calibrate", "two thousand runs: its own tests are shorter"),
    ("calibrate --out out/calibrate", "the same"),
    (
        "check all --config random",
        "hundreds of sets: check_command.rs has a shorter one",
    ),
    ("check gdcu --config all", "millions of cycles"),
    (
        "check gdcu --config random",
        "a thousand sets: check_command.rs has a shorter one",
    ),
    (
        "check lru_stack --config small --vcd",
        "needs a dump: check_vcd.rs runs it",
    ),
    (
        "experiment gdc-4",
        "an experiment: experiment.rs has a shorter one",
    ),
    (
        "experiment milg-width",
        "an experiment: experiment.rs runs it",
    ),
    (
        "experiment sm-loop",
        "an experiment: its own tests are shorter",
    ),
    (
        "experiment sm-pairs",
        "hundreds of runs: its own tests are shorter",
    ),
    (
        "experiment truth",
        "an experiment: experiment.rs has a shorter one",
    ),
    ("mutate all", "hours: mutation.rs decides some of it again"),
    (
        "mutate sce --config all --undecided",
        "minutes, and some stay open: its own tests are shorter",
    ),
    ("pages", "writes into the repository: pages.rs checks it"),
    (
        "replay --trace 0=a.traceg.gz",
        "needs traces: replay.rs has some",
    ),
    ("run", "a million accesses"),
    ("sweep tap-speedup", "an hour: sweep.rs has a shorter one"),
];

/// The words of a command line; single quotes keep spaces together, as in a shell.
fn words(line: &str) -> Vec<String> {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.map(String::from).collect()
}

/// Arguments and file for the output of each example of a subcommand.
fn examples(command: &clap::Command) -> Vec<(String, Option<String>)> {
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let lines = help.lines().filter_map(|l| l.strip_prefix("  cotenant "));
    lines
        .map(|line| match line.split_once(" > ") {
            Some((arguments, file)) => (arguments.into(), Some(file.trim().into())),
            None => (line.trim().into(), None),
        })
        .collect()
}

fn subcommands() -> Vec<clap::Command> {
    let all: Vec<_> = Cli::command().get_subcommands().cloned().collect();
    assert!(all.len() > 8, "{}", all.len());
    all
}

fn cotenant(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command.args(arguments).current_dir(folder).output();
    output.expect("the program starts")
}

fn stdout(output: &Output) -> &str {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What the parser says of an example.
fn parsed(arguments: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(
        std::iter::once("cotenant").chain(words(arguments).iter().map(String::as_str)),
    )
}

#[test]
fn every_subcommand_has_examples_that_the_parser_takes() {
    for command in subcommands() {
        let examples = examples(&command);
        assert!(!examples.is_empty(), "{command} has no example");
        for (arguments, _) in examples {
            assert!(
                arguments.split_whitespace().next() == Some(command.get_name()),
                "{arguments}: in the help of {command}"
            );
            if let Err(error) = parsed(&arguments) {
                panic!("{arguments}: {error}");
            }
        }
    }
}

// Break it: what the test above would say of an option that is gone.
#[test]
fn an_example_with_an_unknown_option_is_seen() {
    for wrong in ["run --scenery x", "runs", "check", "list a b"] {
        assert!(parsed(wrong).is_err(), "{wrong}");
    }
}

/// Runs a subcommand's examples in their order, for one may read what the one before has written.
/// How many were run, and which of [`NOT_RUN`] were met.
#[cfg(unix)]
fn examples_of(command: &clap::Command) -> (usize, BTreeSet<&'static str>) {
    let work = tempfile::tempdir().unwrap();
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let root = root.canonicalize().unwrap();
    std::os::unix::fs::symlink(root.join("examples"), work.path().join("examples")).unwrap();
    let (mut run, mut met) = (0, BTreeSet::new());
    for (arguments, file) in examples(command) {
        // `run` alone, not all that begins so.
        let named = |begin: &str| match begin.contains(' ') {
            true => arguments.starts_with(begin),
            false => arguments == begin || begin == "pages" && arguments.starts_with(begin),
        };
        if let Some((begin, _)) = NOT_RUN.iter().find(|(begin, _)| named(begin)) {
            met.insert(*begin);
            continue;
        }
        let split = words(&arguments);
        let split: Vec<&str> = split.iter().map(String::as_str).collect();
        let output = cotenant(&split, work.path());
        assert!(
            output.status.success(),
            "{arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        if let Some(file) = file {
            std::fs::write(work.path().join(file), &output.stdout).unwrap();
        }
        run += 1;
    }
    (run, met)
}

#[cfg(unix)]
#[test]
fn examples_work() {
    let commands = subcommands();
    let (mut run, mut left) = (0, NOT_RUN.iter().map(|(begin, _)| *begin).collect());
    std::thread::scope(|scope| {
        let workers: Vec<_> = commands
            .iter()
            .map(|command| scope.spawn(|| examples_of(command)))
            .collect();
        for worker in workers {
            let (ran, met) = worker.join().expect("the examples of a subcommand work");
            run += ran;
            left = &left - &met;
        }
    });
    assert!(run > 15, "{run}");
    assert!(
        left.is_empty(),
        "named here, but no example any more: {left:?}"
    );
}

/// Subcommands, and the long options of each.
fn described() -> Vec<(String, Vec<String>)> {
    let options = |command: &clap::Command| {
        let long = command.get_arguments().filter_map(|a| a.get_long());
        long.map(|long| format!("--{long}")).collect()
    };
    let all = subcommands();
    let named = all.iter().map(|c| (c.get_name().to_string(), options(c)));
    named.collect()
}

#[test]
fn completions_name_every_subcommand_and_option() {
    let work = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = cotenant(&["completions", shell], work.path());
        let script = stdout(&output);
        for (name, options) in described() {
            assert!(script.contains(&name), "{shell}: {name}");
            for option in options {
                // fish has options without their dashes.
                let option = match shell {
                    "fish" => format!("-l {}", option.trim_start_matches('-')),
                    _ => option,
                };
                assert!(script.contains(&option), "{shell}: {name} {option}");
            }
        }
    }
    let output = cotenant(&["completions", "cmd.exe"], work.path());
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("possible values: bash"), "{error}");
}

// That a shell takes it is for the shell to say.
#[test]
fn bash_completes_a_subcommand() {
    let work = tempfile::tempdir().unwrap();
    let output = cotenant(&["completions", "bash"], work.path());
    std::fs::write(work.path().join("cotenant.bash"), stdout(&output)).unwrap();
    for (words, last, said) in [
        ("rep", "cotenant", "replay"),
        ("check lru_s", "check", "lru_stack"),
        ("check gdcu --config 16x4x2", "--config", "16x4x21"),
        ("vectors gdcu --profile sat", "--profile", "saturation"),
        ("replay --preset tx", "--preset", "tx2"),
        ("experiment tap-st", "experiment", "tap-streams"),
    ] {
        let current = words.rsplit(' ').next().unwrap();
        let at = words.split(' ').count();
        let ask = format!(
            "source ./cotenant.bash; COMP_WORDS=(cotenant {words}); COMP_CWORD={at}; \
             _cotenant cotenant {current} {last}; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        let output = bash.args(["--norc", "-c", &ask]).current_dir(work.path());
        let output = output.output().expect("bash starts");
        let found = stdout(&output);
        assert!(
            found.split_whitespace().any(|word| word == said),
            "{words}: {found}"
        );
    }
}

/// Text as troff has it, without its escaped dashes.
fn plain(page: &str) -> String {
    page.replace("\\-", "-")
}

#[test]
fn manual_pages_name_every_subcommand_and_option() {
    let work = tempfile::tempdir().unwrap();
    let top = cotenant(&["man"], work.path());
    let top = plain(stdout(&top));
    let written = cotenant(&["man", "--out", "man1"], work.path());
    let said = stdout(&written).to_string();
    let described = described();
    assert_eq!(said.lines().count(), described.len() + 1, "{said}");
    let read = |file: String| {
        let path = work.path().join("man1").join(file);
        plain(&std::fs::read_to_string(path).unwrap())
    };
    assert_eq!(read("cotenant.1".into()), top);
    for (name, options) in described {
        assert!(top.contains(&format!("cotenant-{name}(1)")), "{name}");
        let page = read(format!("cotenant-{name}.1"));
        assert!(page.contains(&format!("cotenant-{name}")), "{page}");
        for option in options {
            assert!(page.contains(&option), "{name}: {option}");
        }
    }
}

/// Some errors name their cause themselves; of others it is printed below.
#[test]
fn an_error_names_its_cause_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("popcnt.json"), r#"{"x": 1}"#).unwrap();
    let output = cotenant(
        &["mutate", "popcnt", "--check", "--record", "."],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("error: cannot read"), "{said}");
    assert_eq!(said.matches("missing field").count(), 1, "{said}");
}
