//! `cotenant completions`: prints shell completions.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::{generate, Shell};
use miette::{IntoDiagnostic, Result};

/// Print a shell completion script
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
    generate(
        args.shell,
        &mut super::Cli::command(),
        "cotenant",
        &mut script,
    );
    super::print(&String::from_utf8(script).into_diagnostic()?)?;
    Ok(ExitCode::SUCCESS)
}
