//! `cotenant completions`: prints shell completions.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::{generate, Shell};
use cotenant_golden::presets;
use cotenant_units::table;
use miette::{IntoDiagnostic, Result};

use crate::experiments::EXPERIMENTS;
use crate::verify::stimulus::Profile;

/// Print a shell completion script, which knows units, parameter sets, profiles, presets, experiments
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant completions bash > cotenant.bash
  cotenant completions zsh > _cotenant
  cotenant completions fish > cotenant.fish

bash: source the file, or save it as `cotenant` in
~/.local/share/bash-completion/completions; zsh: in a folder of $fpath; fish: in
~/.config/fish/completions.

Exit code: 0 shown, 2 could not run.")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut script = vec![];
    let mut command = named(super::Cli::command());
    generate(args.shell, &mut command, "cotenant", &mut script);
    super::print(&String::from_utf8(script).into_diagnostic()?)?;
    Ok(ExitCode::SUCCESS)
}

/// The commands with the names that their arguments take: for a script alone, since other values than
/// these are answered by what reads them, with better advice.
fn named(command: Command) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |subcommand| {
            let experiment = subcommand.get_name() == "experiment";
            subcommand.mut_args(|arg| match values(&arg, experiment) {
                Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
                None => arg,
            })
        })
    })
}

fn values(arg: &Arg, of_experiment: bool) -> Option<Vec<&'static str>> {
    let first = arg.get_value_names().and_then(<[_]>::first)?;
    match (arg.get_long(), first.as_str()) {
        (None, "UNIT") => Some(table::units()),
        (None, "NAME") if of_experiment => Some(
            EXPERIMENTS
                .iter()
                .map(|experiment| experiment.name)
                .collect(),
        ),
        (Some("config"), _) => {
            let units = table::units().into_iter();
            let sets = units.filter_map(|unit| table::sets(unit).ok()).flatten();
            let names = sets.flat_map(|set| set.aliases.into_iter().chain([set.name]));
            let names: BTreeSet<&str> = names.chain(["all"]).collect();
            Some(names.into_iter().collect())
        }
        (Some("profile"), _) => Some(Profile::ALL.iter().map(|profile| profile.name()).collect()),
        (Some("preset"), _) => Some(presets::names().collect()),
        _ => None,
    }
}
