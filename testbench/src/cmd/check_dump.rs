//! `cotenant check --vcd`: compares a waveform dump with the golden model.

use std::path::Path;
use std::process::ExitCode;

use cotenant_units::table::ParameterSet;
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::registry::AnyUnit;
use crate::verify::dump::{Error, Map, Options, Report};
use crate::verify::waves::Span;

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    passed: bool,
    #[serde(flatten)]
    report: &'a Report,
}

/// Prints a map to be filled in.
///
/// # Errors
/// What keeps it from being made.
pub(super) fn print_template(
    unit: &dyn AnyUnit,
    set: &ParameterSet,
    top: &str,
) -> Result<ExitCode> {
    super::print(&unit.dump_template(set, top).into_diagnostic()?)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares a dump with a unit's golden model.
///
/// # Errors
/// What keeps it from being compared; the caller prints it and exits with 2.
pub(super) fn run(
    unit: &dyn AnyUnit,
    set: &ParameterSet,
    vcd: &Path,
    map: &Map,
    options: &Options,
    json: bool,
) -> Result<ExitCode> {
    if let Some(request) = &options.wave {
        let same = |path: &Path| path.canonicalize().ok();
        if same(vcd).is_some_and(|vcd| same(&request.path) == Some(vcd)) {
            return Err(miette!(
                "{}: the waves would overwrite the dump, expected another name",
                vcd.display()
            ));
        }
    }
    let stop = super::interrupted()?;
    // Hidden where stderr is no terminal.
    let progress = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} {human_pos} cycles").into_diagnostic()?,
    );
    let held = unit.check_dump(set, map, vcd, options, &mut |cycle| {
        progress.set_position(cycle);
        super::flow(&stop)
    });
    progress.finish_and_clear();
    let report = match held {
        Ok(report) => report,
        Err(Error::Interrupted) => {
            eprintln!("interrupted");
            return Ok(ExitCode::from(super::INTERRUPTED));
        }
        Err(error) => return Err(miette!("{error}")),
    };
    if let Some(Span::Window(window)) = options.wave.as_ref().map(|it| it.span) {
        super::wave_args::say_if_late(window.from, report.cycles);
        super::wave_args::say_if_cut(window, report.cycles);
    }
    let document = Document {
        schema: 1,
        passed: report.passed(),
        report: &report,
    };
    super::print(&match json {
        true => serde_json::to_string_pretty(&document).into_diagnostic()? + "\n",
        false => format!("{report}\n"),
    })?;
    Ok(match report.passed() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
