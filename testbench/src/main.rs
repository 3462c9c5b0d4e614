//! The `cotenant` command.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cotenant::cmd::Cli::parse().run() {
        Ok(code) => code,
        Err(report) => {
            eprintln!("error: {report}");
            for cause in report.chain().skip(1) {
                eprintln!("  because {cause}");
            }
            ExitCode::from(cotenant::cmd::COULD_NOT_RUN)
        }
    }
}
