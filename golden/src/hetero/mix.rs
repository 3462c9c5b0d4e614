//! Scenarios of CPUs and a GPU in TOML, beside those of a GPU alone
//! ([`workload::scenario`](crate::workload::scenario)).
//!
//! | name | scenario |
//! | --- | --- |
//! | `cpus-beside-gpu` | two applications of CPUs, one of which lives on reuse, beside a GPU's that does not need its hits |
//!
//! ```toml
//! title = "Two CPUs beside a GPU"
//! platform = "tap"
//! accesses = 200_000      # of the L3, in all
//! period = 100_000        # cycles of the L3 between two snapshots of the counters
//! seed = 1                # draws all accesses
//! under-test = "friendly1"
//!
//! [[cpu]]
//! application = "friendly1"   # hetero::workloads::Applications has all names
//!
//! [[cpu]]
//! application = "compute1"
//!
//! [gpu]
//! application = "D1"
//!
//! [l3]                    # sets and ways of the platform's L3 may be changed
//! sets = 1024
//! ```
//!
//! Applications are those that the TAP experiments draw; they have KIDs in the order of their tables,
//! the GPU's is the last. The L3 replaces the least recently used line. What a file leaves out or has
//! too much is named with its line:
//!
//! ```
//! use cotenant_golden::hetero::Mix;
//!
//! let mix = Mix::named("cpus-beside-gpu").expect("it is there")?;
//! assert_eq!(mix.geometry().kernels, 3);
//! let broken = Mix::text("cpus-beside-gpu").unwrap().replace("friendly1", "freindly1");
//! let error = Mix::from_toml(&broken).unwrap_err().to_string();
//! assert!(error.contains("cpu.application is \"freindly1\" (did you mean \"friendly1\"?)"), "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Deserialize;
use toml::Spanned;

use super::application::{Application, Part, Pattern};
use super::config::Config;
use super::machine::Error;
use super::observed::Observed;
use super::workloads::{Applications, Workload, SEED};
use crate::llc::cache::Geometry;
use crate::workload::scenario::read::{quoted, Place};
use crate::workload::scenario::{ScenarioError, MAX_NAME};

/// Name and text of each scenario.
const TEXTS: [(&str, &str); 1] = [(
    "cpus-beside-gpu",
    include_str!("../../scenarios/cpus-beside-gpu.toml"),
)];

/// The names of all scenarios.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    title: String,
    platform: Spanned<String>,
    accesses: Spanned<u64>,
    period: Spanned<u64>,
    #[serde(default)]
    seed: u64,
    under_test: Spanned<String>,
    #[serde(default)]
    cpu: Vec<Runs>,
    gpu: Option<Runs>,
    l3: Option<Spanned<L3>>,
}

/// What is changed of the platform's L3.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct L3 {
    sets: Option<usize>,
    ways: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Runs {
    application: Spanned<String>,
    name: Option<Spanned<String>>,
}

/// A scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix {
    /// What it is, in a line.
    pub title: String,
    /// The platform.
    pub config: Config,
    /// Who runs.
    pub workload: Workload,
    /// What each of them runs, by KID: the name of one of the [`Applications`].
    pub runs: Vec<String>,
    /// Accesses to the L3 after which it ends.
    pub accesses: u64,
    /// Cycles of the L3 between two snapshots.
    pub period: u64,
    /// Draws all accesses.
    pub seed: u64,
    /// The KID of the application under test.
    pub under_test: usize,
}

impl Mix {
    /// The TOML text of a scenario, to start one of one's own.
    pub fn text(name: &str) -> Option<&'static str> {
        let found = TEXTS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text)
    }

    /// The scenario of a name, if there is one.
    pub fn named(name: &str) -> Option<Result<Self, ScenarioError>> {
        Self::text(name).map(Self::from_toml)
    }

    /// Whether a text is one of these scenarios: its platform has CPUs.
    pub fn is_meant(text: &str) -> bool {
        let table: Option<toml::Table> = text.parse().ok();
        let platform = table.and_then(|table| Some(table.get("platform")?.as_str()?.to_owned()));
        platform.is_some_and(|platform| platform == Config::tap().name)
    }

    /// The scenario in a TOML text.
    ///
    /// # Errors
    /// [`ScenarioError`] with line and key.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        let place = Place(text);
        let file: File = toml::from_str(text).map_err(|error| place.toml(&error))?;
        let mut config = Config::tap();
        if *file.platform.get_ref() != config.name {
            let found = format!("\"{}\"", file.platform.get_ref());
            return Err(place.value(&file.platform.span(), "platform", found, &config.name));
        }
        if !(1..=config.cpu.cores).contains(&file.cpu.len()) {
            let expected = format!("1 to {} [[cpu]] tables", config.cpu.cores);
            return Err(place.value(&(0..0), "number of CPUs", file.cpu.len(), expected));
        }
        if let Some(l3) = &file.l3 {
            let changed = l3.get_ref();
            config.l3.sets = changed.sets.unwrap_or(config.l3.sets);
            config.l3.ways = changed.ways.unwrap_or(config.l3.ways);
            // The message begins with the key: `l3.ways is 65, ...`.
            config.check().map_err(|why| ScenarioError::Toml {
                line: place.line(&l3.span()),
                key: String::new(),
                message: why.to_string(),
            })?;
        }
        let drawn = Applications::drawn(SEED);
        let (gpus, cpus) = (drawn.gpu.concat(), drawn.cpu.concat());
        let mut names: Vec<String> = vec![];
        let mut name = |key: &str, runs: &Runs| named(&place, key, runs, &mut names);
        let mut chosen = vec![];
        for runs in &file.cpu {
            let mut application = one(&place, "cpu", runs, &cpus)?;
            application.name = name("cpu", runs)?;
            chosen.push(application);
        }
        let gpu = file.gpu.as_ref().map(|runs| {
            let mut application = one(&place, "gpu", runs, &gpus)?;
            application.name = name("gpu", runs)?;
            Ok::<_, ScenarioError>(application)
        });
        let workload = Workload {
            name: file.title.clone(),
            cpus: chosen,
            gpu: gpu.transpose()?,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let under_test = place.under_test(&file.under_test, &names)?;
        let runs = file.cpu.iter().chain(&file.gpu);
        Ok(Self {
            runs: runs.map(|it| it.application.get_ref().clone()).collect(),
            title: file.title,
            config,
            workload,
            accesses: place.range("accesses", &file.accesses, 1..=1 << 40)?,
            period: place.range("period", &file.period, 1..=1 << 32)?,
            seed: file.seed,
            under_test,
        })
    }

    /// The shared cache.
    pub fn geometry(&self) -> Geometry {
        self.config.geometry(self.runs.len())
    }

    /// What an application does: its memory instructions in a thousand, and where their accesses go, by
    /// weight: to lines that are drawn, in a loop over so many lines, or each once.
    pub fn describe(&self, kid: usize) -> String {
        match self.workload.cpus.get(kid) {
            Some(application) => described(application, self.config.l3.line),
            None => {
                let gpu = self.workload.gpu.as_ref();
                gpu.map_or(String::new(), |it| described(it, self.config.l3.line))
            }
        }
    }

    /// The platform with its applications, at cycle 0.
    ///
    /// # Errors
    /// [`Error`] as of [`Observed::new`].
    pub fn platform(&self) -> Result<Observed, Error> {
        Observed::new(&self.config, &self.workload, self.seed)
    }
}

/// The application that a table asks for.
fn one<P: Clone>(
    place: &Place<'_>,
    table: &str,
    runs: &Runs,
    known: &[Application<P>],
) -> Result<Application<P>, ScenarioError> {
    let wanted = runs.application.get_ref();
    let found = known.iter().find(|application| application.name == *wanted);
    found.cloned().ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|it| it.name.as_str()).collect();
        place.value(
            &runs.application.span(),
            &format!("{table}.application"),
            quoted(wanted, names.iter().copied()),
            names.join(", "),
        )
    })
}

/// What it is called: its name, or else that of its application.
fn named(
    place: &Place<'_>,
    table: &str,
    runs: &Runs,
    before: &mut Vec<String>,
) -> Result<String, ScenarioError> {
    let said = runs.name.as_ref().unwrap_or(&runs.application);
    let (name, key) = (said.get_ref(), format!("{table}.name"));
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) || name.chars().any(char::is_control) {
        let expected = format!("1 to {MAX_NAME} printable characters");
        return Err(place.value(&said.span(), &key, format!("{name:?}"), expected));
    }
    if before.contains(name) {
        let expected = "a name that no other application has";
        return Err(place.value(&said.span(), &key, format!("\"{name}\""), expected));
    }
    before.push(name.clone());
    Ok(name.clone())
}

/// Its memory instructions and parts.
fn described<P>(application: &Application<P>, line: u64) -> String {
    let part = |part: &Part| {
        let what = match (part.pattern, part.bytes / line) {
            (Pattern::Loop, _) if part.bytes == super::application::MAX_BYTES => "stream".into(),
            (Pattern::Loop, lines) => format!("loop({lines})"),
            (Pattern::Drawn { .. }, lines) => format!("drawn({lines})"),
        };
        format!("{} {what}", part.weight)
    };
    let parts: Vec<String> = application.parts.iter().map(part).collect();
    format!(
        "memory = {} in 1000, {}",
        application.memory,
        parts.join(", ")
    )
}

#[cfg(test)]
mod tests;
