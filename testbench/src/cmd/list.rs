//! `cotenant list`: lists units, parameter sets, scenarios and platforms.

use std::process::ExitCode;

use cotenant_golden::hetero::{mix, Mix};
use cotenant_golden::workload::scenario::{names, Scenario};
use cotenant_units::table::grouped;
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::experiments::replay::Sets;
use crate::registry::{AnyUnit, UNITS};
use crate::verify::stimulus::Profile;

/// List the units, their parameter sets and stimulus profiles, and the scenarios
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant list
  cotenant list gdcu
  cotenant list scenarios
  cotenant list --json

Exit code: 0 shown, 2 could not run.")]
pub struct Args {
    /// Only this unit, or `scenarios`
    #[arg(value_name = "UNIT")]
    only: Option<String>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    units: Vec<Unit>,
    profiles: Vec<Purpose>,
    scenarios: Vec<Workload>,
}

/// A scenario, what it runs on and what runs in it.
#[derive(Debug, Serialize)]
struct Workload {
    name: &'static str,
    title: String,
    platform: String,
    accesses: u64,
    kernels: Vec<Tenant>,
    /// The parameter set of the `llc_monitor` beside it; null without one.
    hardware: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Tenant {
    name: String,
    #[serde(rename = "loop")]
    body: String,
    /// What its table says that is not so by itself.
    parameters: String,
}

#[derive(Debug, Serialize)]
struct Unit {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<&'static str>,
    sets: Vec<Set>,
    profiles: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Set {
    name: &'static str,
    aliases: Vec<&'static str>,
    values: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Purpose {
    name: &'static str,
    purpose: &'static str,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (units, scenarios): (Vec<&dyn AnyUnit>, bool) = match args.only.as_deref() {
        None => (UNITS.to_vec(), true),
        Some("scenarios") => (vec![], true),
        Some(name) => (vec![super::args::unit(name)?], false),
    };
    // Profiles are of units.
    let profiles = if units.is_empty() {
        &[][..]
    } else {
        &Profile::ALL
    };
    let units: Result<Vec<Unit>> = units.into_iter().map(describe).collect();
    let document = Document {
        schema: 1,
        units: units?,
        scenarios: match scenarios {
            true => names()
                .map(workload)
                .chain(mix::names().map(mixed))
                .collect::<Result<_>>()?,
            false => vec![],
        },
        profiles: profiles
            .iter()
            .map(|profile| Purpose {
                name: profile.name(),
                purpose: profile.purpose(),
            })
            .collect(),
    };
    super::print(&match args.json {
        true => serde_json::to_string_pretty(&document).into_diagnostic()? + "\n",
        false => text(&document),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn workload(name: &'static str) -> Result<Workload> {
    let scenario = Scenario::named(name).into_diagnostic()?;
    let kernels = scenario.kernels.iter().map(|kernel| Tenant {
        name: kernel.name.clone(),
        body: kernel.spec.name().into(),
        parameters: kernel.parameters(),
    });
    Ok(Workload {
        name,
        kernels: kernels.collect(),
        hardware: Sets::monitor(&scenario.geometry).ok().map(|set| set.name),
        title: scenario.title,
        platform: scenario.platform,
        accesses: scenario.accesses,
    })
}

fn mixed(name: &'static str) -> Result<Workload> {
    let mix = Mix::named(name).ok_or_else(|| miette!("no scenario {name}"))?;
    let mix = mix.into_diagnostic()?;
    let tenants = mix.workload.names().enumerate().map(|(kid, name)| Tenant {
        name: name.into(),
        body: mix.runs[kid].clone(),
        parameters: mix.describe(kid),
    });
    Ok(Workload {
        name,
        kernels: tenants.collect(),
        hardware: Sets::monitor(&mix.geometry()).ok().map(|set| set.name),
        title: mix.title.clone(),
        platform: mix.config.name.clone(),
        accesses: mix.accesses,
    })
}

fn describe(unit: &dyn AnyUnit) -> Result<Unit> {
    let sets = unit.sets().into_diagnostic()?;
    let parameters = sets
        .first()
        .map(|set| set.params.iter().map(|(name, _)| *name));
    Ok(Unit {
        name: unit.name(),
        summary: unit.summary(),
        parameters: parameters.into_iter().flatten().collect(),
        profiles: unit
            .profiles()
            .iter()
            .map(|profile| profile.name())
            .collect(),
        sets: sets
            .into_iter()
            .map(|set| Set {
                name: set.name,
                aliases: set.aliases,
                values: set.params.into_iter().map(|(_, value)| value).collect(),
            })
            .collect(),
    })
}

/// Columns of a line.
const COLUMNS: usize = 80;
/// Columns before what a heading is about.
const INDENT: usize = 16;

fn text(document: &Document) -> String {
    let mut text = String::new();
    for unit in &document.units {
        text += &format!("{}: {}\n", unit.name, unit.summary);
        text += &paragraph(
            "parameters",
            grouped(&unit.parameters).into_iter().map(|(name, _)| name),
        );
        let sets = unit.sets.iter().map(|set| match set.aliases.is_empty() {
            true => set.name.into(),
            false => format!("{} ({})", set.name, set.aliases.join(", ")),
        });
        text += &paragraph("configs", sets);
        text += &paragraph(
            "profiles",
            unit.profiles.iter().map(|name| name.to_string()),
        );
        text += "\n";
    }
    if !document.profiles.is_empty() {
        text += "stimulus profiles, which alternate unless one is chosen\n";
    }
    for profile in &document.profiles {
        text += &paragraph(profile.name, [profile.purpose.to_string()].into_iter());
    }
    if !document.units.is_empty() && !document.scenarios.is_empty() {
        text += "\n";
    }
    if !document.scenarios.is_empty() {
        text += "scenarios for `cotenant run`\n";
    }
    for scenario in &document.scenarios {
        text += &format!("  {}: {}\n", scenario.name, scenario.title);
        let hardware = match scenario.hardware {
            Some(set) => format!("llc_monitor {set} in lockstep"),
            None => "no hardware of this geometry".into(),
        };
        text += &paragraph("  platform", [scenario.platform.clone()].into_iter());
        let kernels = scenario.kernels.iter().map(|kernel| {
            let parameters = match &kernel.parameters {
                none if none.is_empty() => String::new(),
                some => format!(", {some}"),
            };
            format!("{} ({}{parameters})", kernel.name, kernel.body)
        });
        text += &paragraph("  kernels", kernels);
        text += &paragraph("  hardware", [hardware].into_iter());
    }
    text
}

/// A heading and words behind it, over as many lines as they need.
fn paragraph(heading: &str, words: impl Iterator<Item = String>) -> String {
    let mut lines = vec![format!("  {heading:width$}", width = INDENT - 2)];
    for word in words {
        let line = &lines[lines.len() - 1];
        if line.len() > INDENT && line.len() + 1 + word.len() > COLUMNS {
            lines.push(" ".repeat(INDENT));
        }
        let last = lines.len() - 1;
        if lines[last].len() > INDENT {
            lines[last].push(' ');
        }
        lines[last].push_str(&word);
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    //! Rationale: lists of sets are longer than a line; no line may be, and no set may be lost.
    use super::*;

    #[test]
    fn long_lists_are_wrapped_and_whole() {
        let words: Vec<String> = (0..50).map(|word| format!("{word}x{word}")).collect();
        let text = paragraph("sets", words.iter().cloned());
        assert!(text.lines().count() > 3);
        assert!(text.lines().all(|line| line.len() <= COLUMNS));
        let found: Vec<&str> = text.split_whitespace().skip(1).collect();
        assert_eq!(found, words);
    }
}
