//! `cotenant probe`: recovers which address bits choose bank and set of a memory, from access times.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use cotenant_golden::addr::gf2;
use cotenant_golden::addr::mapping::{Field, Mapping};
use cotenant_golden::addr::memory::{names, Config, Memory, Noise};
use cotenant_golden::addr::probe::{probe, Comparison, Progress, Report, Settings, Step};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use super::args::seed;
use crate::experiments::table::table;
use crate::whole;

/// Recover which address bits choose bank and set of a memory, from access times alone
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant probe gtx1080
  cotenant probe gtx1080 --noise 20000 --out found.toml
  cotenant probe gtx1080 --json

The memory is a golden model that answers with access times only. The functions are
compared with those it was made with, up to a change of basis, on the address bits
that can be observed. --out writes the mapping that was found as TOML.

Exit code: 0 found and equal, 1 found and different, 2 could not run, or the times
are not those of such a memory.")]
pub struct Args {
    /// Name of a memory, or its TOML file
    #[arg(value_name = "MEMORY", value_parser = NonEmptyStringValueParser::new())]
    memory: String,
    /// Mapping of its addresses, by name or TOML file with rows, instead of its own
    #[arg(long, value_name = "MAPPING", value_parser = NonEmptyStringValueParser::new())]
    mapping: Option<String>,
    /// Seed of the addresses and of the noise
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "0x9e37")]
    seed: u64,
    /// Readings in a million that are slow for another reason, and as many that are fast
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=300_000), default_value_t = 0)]
    noise: u64,
    /// How probable a wrong answer may be
    #[arg(long, value_name = "P", default_value_t = Settings::default().error)]
    error: f64,
    /// Write the mapping that was found to this file
    #[arg(long, value_name = "FILE", value_parser = super::args::new_file)]
    out: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    memory: &'a str,
    mapping: &'a str,
    seed: u64,
    #[serde(flatten)]
    report: &'a Report,
    module: &'a [u64],
    /// Whether it is what the memory was made with.
    equal: Comparison,
}

/// Cycles of a wrong slow reading beyond a right one: far above any threshold.
const SLOW: u64 = 400;

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut config = memory(&args.memory)?;
    if args.noise > 0 {
        config.noise = Noise {
            slow_ppm: args.noise,
            slow_cycles: SLOW,
            fast_ppm: args.noise,
            ..config.noise
        };
    }
    config.noise.seed = args.seed;
    let mapping = super::mapped::mapping(args.mapping.as_deref().unwrap_or(&config.mapping))?;
    let all = 0..1u64 << mapping.table().width.min(63);
    let mut memory = Memory::new(&config, &mapping, all).into_diagnostic()?;
    let settings = Settings {
        seed: args.seed,
        // Of twice the rate a reading in doubt still is the exception.
        flips: Settings::default()
            .flips
            .max(2.0 * args.noise as f64 / 1e6)
            .min(0.39),
        error: args.error,
        ..Settings::default()
    };
    // Hidden where stderr is no terminal.
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").into_diagnostic()?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let found = probe(&mut memory, &settings, &mut |progress| {
        bar.set_message(doing(progress))
    });
    bar.finish_and_clear();
    let found = found.into_diagnostic()?;
    let equal = found.compare(&mapping);
    if let Some(out) = &args.out {
        let title = format!("found by access times of the memory \"{}\"", config.name);
        let table = found.mapping(&file_name(out), &title);
        let table = table.map_err(|fault| miette!("what was found is no mapping: {fault}"))?;
        whole::File::write_text(out, &table.to_toml()).into_diagnostic()?;
        eprintln!("Written: {}", out.display());
    }
    super::print(&match args.json {
        true => {
            let document = Document {
                schema: 1,
                memory: &config.name,
                mapping: &mapping.table().name,
                seed: args.seed,
                report: &found,
                module: &found.module(),
                equal,
            };
            serde_json::to_string_pretty(&document).into_diagnostic()? + "\n"
        }
        false => text(&found, &mapping, equal),
    })?;
    Ok(ExitCode::from(u8::from(!equal.equal())))
}

/// A memory by its name, or from a file.
fn memory(name: &str) -> Result<Config> {
    if names().any(|known| known == name) {
        return Config::named(name).map_err(|error| miette!("{error}"));
    }
    let text = match std::fs::read_to_string(name) {
        Ok(text) => text,
        Err(_) if !Path::new(name).exists() => {
            return Config::named(name).map_err(|error| miette!("{error}"))
        }
        Err(error) => return Err(miette!("{name}: {error}")),
    };
    Config::from_toml(&text).map_err(|error| miette!("{name}: {error}"))
}

/// The name of a file without its extension.
fn file_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn doing(progress: &Progress) -> String {
    let what = match progress.step {
        Step::Threshold => "looking for two modes of access times",
        Step::EvictionSet => "looking for lines that evict one",
        Step::Pairs => "collecting pairs of addresses",
        Step::Check => "checking at other addresses",
    };
    let accesses = progress.cost.accesses;
    format!("{what}: rank {}, {accesses} accesses", progress.rank)
}

/// Address bits of a function, as `7 8 16`.
fn bits(function: u64) -> String {
    let bits = (0..64).filter(|bit| function >> bit & 1 == 1);
    bits.map(|bit| bit.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn text(found: &Report, mapping: &Mapping, equal: Comparison) -> String {
    let answer = |equal| if equal { "equal" } else { "DIFFERENT" };
    let module = found.module();
    let rows = [
        ("module", &module, equal.module),
        ("bank", &found.bank.functions, equal.bank),
        ("set", &found.set.functions, equal.set),
    ];
    let name = &mapping.table().name;
    let mut out = table(
        &format!("Functions beside those of the mapping {name}, up to a change of basis"),
        &["index", "functions found", "comparison"],
        rows.iter().map(|(index, functions, equal)| {
            vec![
                (*index).to_owned(),
                functions.len().to_string(),
                answer(*equal).to_owned(),
            ]
        }),
    );
    out += "\n";
    out += &table(
        "Each function is the XOR of these address bits; those of the module are functions of bank and set, too",
        &["index", "address bits"],
        rows.iter().flat_map(|(index, functions, _)| {
            let shared: &[u64] = if *index == "module" { &[] } else { &module };
            let mut span = gf2::span(shared);
            let own = functions.iter().filter(move |it| span.insert(**it));
            own.map(|it| vec![(*index).to_owned(), bits(*it)])
        }),
    );
    for (index, of, field) in [
        ("bank", &found.bank, Field::Bank),
        ("set", &found.set, Field::Set),
    ] {
        let seen = gf2::rank(mapping.functions(field));
        out += &format!(
            "\n{index}: {} pairs, rank {} of {seen}, threshold {:.1} cycles, {} accesses, wrong with a probability of at most {:.1e}; observed address bits: {}\n",
            of.pairs, of.functions.len(), of.threshold, of.cost.accesses, of.error, bits(of.observable),
        );
    }
    out += &format!("\n{} ways in a set.\n", found.ways);
    out
}
