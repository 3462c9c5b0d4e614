//! `cotenant man`: prints manual pages.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;
use miette::{IntoDiagnostic, Result};

use crate::whole::File;

/// Print the manual page, or write one page per subcommand into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cotenant man > cotenant.1
  cotenant man --out share/man/man1

Then `man ./cotenant.1`, or `man -M share/man cotenant-run`.

Exit code: 0 shown or written, 2 could not run.")]
pub struct Args {
    /// Folder for cotenant.1 and cotenant-SUBCOMMAND.1
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut command = super::Cli::command().disable_help_subcommand(true);
    // Gives subcommands the names that their pages have.
    command.build();
    let Some(folder) = &args.out else {
        super::print(&page(command)?.1)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut commands: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    commands.insert(0, command);
    // Nothing is written before all of it is there.
    let pages: Result<Vec<(String, String)>> = commands.into_iter().map(page).collect();
    let mut said = String::new();
    for (name, text) in pages? {
        let place = folder.join(name);
        File::write_text(&place, &text).into_diagnostic()?;
        said += &format!("{}: written\n", place.display());
    }
    super::print(&said)?;
    Ok(ExitCode::SUCCESS)
}

/// File name and text of a page.
fn page(command: clap::Command) -> Result<(String, String)> {
    let man = Man::new(command);
    let mut text = vec![];
    man.render(&mut text).into_diagnostic()?;
    Ok((
        man.get_filename(),
        String::from_utf8(text).into_diagnostic()?,
    ))
}
