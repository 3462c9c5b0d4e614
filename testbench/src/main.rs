//! The `cotenant` command.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cotenant::cmd::Cli::parse().run() {
        Ok(code) => code,
        Err(report) => {
            let mut said = report.to_string();
            eprintln!("error: {said}");
            for cause in report.chain().skip(1).map(ToString::to_string) {
                // Most errors of this crate name their cause themselves.
                if !said.ends_with(&cause) {
                    eprintln!("  because {cause}");
                }
                said = cause;
            }
            ExitCode::from(cotenant::cmd::COULD_NOT_RUN)
        }
    }
}
