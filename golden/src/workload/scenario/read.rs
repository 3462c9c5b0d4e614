//! Reads scenarios; every error names line and key.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::{meant, Paper, Scenario, ScenarioError, Tenant, MAX_KERNELS, MAX_NAME};
use crate::gpu::config::Config;
use crate::gpu::machine::MachineError;
use crate::llc::cache::Geometry;
use crate::presets::{self, Preset, PresetError};
use crate::workload::program::{Spec, SpecError};
use crate::workload::scenario::GpuError;

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
    kernel: Vec<Spanned<Table>>,
    machine: Option<Table>,
    paper: Option<Spanned<Paper>>,
}

/// What serde calls things, and what people do.
const WORDS: [(&str, &str); 10] = [
    ("expected u64", "expected a whole number, 0 or more"),
    ("expected u32", "expected a whole number, 0 or more"),
    ("expected usize", "expected a whole number, 0 or more"),
    ("expected f64", "expected a number"),
    ("expected a string", "expected text in quotes"),
    (
        "expected a sequence",
        "expected a list; kernels are [[kernel]] tables, CPUs [[cpu]]",
    ),
    ("expected a map", "expected a table"),
    ("expected struct Paper", "expected a [paper] table"),
    ("expected struct Reuse", "expected a table"),
    ("wanted string or table", "expected text in quotes"),
];

/// The text, to say where something is.
pub(crate) struct Place<'a>(pub(crate) &'a str);

impl Place<'_> {
    pub(crate) fn line(&self, span: &Range<usize>) -> usize {
        let before = self.0.get(..span.start).unwrap_or_default();
        1 + before.matches('\n').count()
    }

    /// The line of a key in the table whose head is on a line, or else that line.
    fn line_of(&self, head: usize, key: &str) -> usize {
        let body = self.0.lines().enumerate().skip(head);
        let mut body = body.take_while(|(_, text)| !text.trim_start().starts_with('['));
        let found = body.find(|(_, text)| {
            let left = text.split_once('=').map(|(left, _)| left.trim());
            left == Some(key)
        });
        found.map_or(head, |(index, _)| index + 1)
    }

    /// The line of the head of a table that there is one of; 1 if it is not there.
    fn head(&self, table: &str) -> usize {
        let head = format!("[{table}]");
        let mut lines = self.0.lines();
        lines
            .position(|text| text.trim_start().starts_with(&head))
            .map_or(1, |index| index + 1)
    }

    pub(crate) fn value(
        &self,
        span: &Range<usize>,
        key: &str,
        value: impl ToString,
        expected: impl ToString,
    ) -> ScenarioError {
        ScenarioError::Value {
            line: self.line(span),
            key: key.into(),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    /// A number within bounds.
    pub(crate) fn range(
        &self,
        key: &str,
        number: &Spanned<u64>,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, ScenarioError> {
        let value = *number.get_ref();
        if bounds.contains(&value) {
            return Ok(value);
        }
        let expected = format!("{} to {}", bounds.start(), bounds.end());
        Err(self.value(&number.span(), key, value, expected))
    }

    /// The place among the names of the one that is under test.
    pub(crate) fn under_test(
        &self,
        wanted: &Spanned<String>,
        names: &[&str],
    ) -> Result<usize, ScenarioError> {
        let found = names.iter().position(|name| name == wanted.get_ref());
        found.ok_or_else(|| {
            let found = quoted(wanted.get_ref(), names.iter().copied());
            self.value(&wanted.span(), "under-test", found, names.join(", "))
        })
    }

    /// The key of a line with the table that it is in: `kernel.footprint: `; none for other lines.
    fn key(&self, line: usize) -> String {
        let lines: Vec<&str> = self.0.lines().take(line).collect();
        let Some((key, _)) = lines.last().and_then(|text| text.split_once('=')) else {
            return String::new();
        };
        let table = lines.iter().rev().find(|text| text.starts_with('['));
        let table = table.and_then(|text| text.trim_start_matches('[').split(']').next());
        let table = table.map_or(String::new(), |table| format!("{}.", table.trim()));
        format!("{table}{}: ", key.trim())
    }

    /// What serde says, with the key of its line, in words of a scenario.
    pub(crate) fn toml(&self, error: &toml::de::Error) -> ScenarioError {
        let line = self.line(&error.span().unwrap_or(0..0));
        ScenarioError::Toml {
            line,
            key: self.key(line),
            message: words(error.message()),
        }
    }
}

/// What serde says, in words of a scenario.
fn words(message: &str) -> String {
    let mut message = message.trim().replace('\n', "; ");
    for (theirs, ours) in WORDS {
        message = message.replace(theirs, ours);
    }
    // `unknown field `x`, expected one of `y`, `z``
    if message.starts_with("unknown ") {
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        if let [wrong, known @ ..] = &names[..] {
            let hint = meant(wrong, known.iter().copied());
            message = message.replacen(&format!("`{wrong}`"), &format!("`{wrong}`{hint}"), 1);
        }
    }
    message
}

/// The name in quotes, and the one that was probably meant.
pub(crate) fn quoted<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    format!("\"{name}\"{}", meant(name, known))
}

pub(super) fn read(text: &str) -> Result<Scenario, ScenarioError> {
    let place = Place(text);
    let file: File = toml::from_str(text).map_err(|error| place.toml(&error))?;
    let platform = file.platform.get_ref();
    let preset = Preset::named(platform).map_err(|error| match error {
        PresetError::Unknown { .. } => {
            let known: Vec<&str> = presets::names().collect();
            let found = quoted(platform, known.iter().copied());
            place.value(&file.platform.span(), "platform", found, known.join(", "))
        }
        other => other.into(),
    })?;
    let kernels = file.kernel.len();
    if !(1..=MAX_KERNELS).contains(&kernels) {
        let expected = format!("1 to {MAX_KERNELS} [[kernel]] tables");
        return Err(place.value(&(0..0), "number of kernels", kernels, expected));
    }
    let geometry = Geometry {
        kernels,
        ..preset.llc
    };
    let machine = match &file.machine {
        Some(changes) => changed(&place, &preset.machine, changes, &geometry)?,
        None => preset.machine,
    };
    let mut tenants: Vec<Tenant> = vec![];
    for table in &file.kernel {
        tenants.push(Kernel::new(&place, table, &machine).tenant(&tenants)?);
    }
    let names: Vec<&str> = tenants.iter().map(|t| t.name.as_str()).collect();
    let under_test = place.under_test(&file.under_test, &names)?;
    if let Some(paper) = &file.paper {
        let lengths = [paper.get_ref().gdc.len(), paper.get_ref().plob.len()];
        if lengths != [kernels; 2] {
            let found = format!("{} and {} shares", lengths[0], lengths[1]);
            let expected = format!("{kernels} by gdc and by plob, one per kernel");
            return Err(place.value(&paper.span(), "paper", found, expected));
        }
        let shares = paper.get_ref().gdc.iter().chain(&paper.get_ref().plob);
        if let Some(share) = shares.copied().find(|s| !(0.0..=100.0).contains(s)) {
            let expected = "shares in percent, 0 to 100";
            return Err(place.value(&paper.span(), "paper", share, expected));
        }
    }
    let scenario = Scenario {
        title: file.title,
        platform: platform.clone(),
        geometry,
        machine,
        accesses: place.range("accesses", &file.accesses, 1..=1 << 40)?,
        period: place.range("period", &file.period, 1..=1 << 32)?,
        seed: file.seed,
        under_test,
        kernels: tenants,
        paper: file.paper.map(Spanned::into_inner),
    };
    // What is left: kernels whose data cannot be, or that do not fit the platform's SMs.
    scenario.gpu().map_err(|error| {
        let kernel = match &error {
            GpuError::Kernel { name, .. } => {
                let kernels = &scenario.kernels;
                kernels.iter().position(|tenant| tenant.name == *name)
            }
            GpuError::Machine(error) => error.kernel().map(usize::from),
        };
        match kernel.and_then(|kid| file.kernel.get(kid)) {
            Some(table) => Kernel::new(&place, table, &scenario.machine).impossible(&error),
            None => ScenarioError::Toml {
                line: place.head("machine"),
                key: "machine.".into(),
                message: error.to_string(),
            },
        }
    })?;
    Ok(scenario)
}

/// The platform's GPU with what a `[machine]` table changes of it.
fn changed(
    place: &Place<'_>,
    machine: &Config,
    changes: &Table,
    geometry: &Geometry,
) -> Result<Config, ScenarioError> {
    let error = |table: &str, key: &str, message: String| {
        let head = place.head(table);
        ScenarioError::Toml {
            line: place.line_of(head, key),
            key: format!("{table}.{key}: "),
            message,
        }
    };
    let mut whole = Table::try_from(machine).map_err(|why| ScenarioError::Toml {
        line: place.head("machine"),
        key: "machine: ".into(),
        message: why.to_string(),
    })?;
    // One at a time, so that the one that is wrong is known.
    let change = |part: Option<&str>, key: &str, value: &Value, whole: &mut Table| {
        let (inner, table) = match part {
            Some(part) => (
                whole.get_mut(part).and_then(Value::as_table_mut),
                format!("machine.{part}"),
            ),
            None => (Some(&mut *whole), "machine".into()),
        };
        if let Some(inner) = inner {
            inner.insert(key.into(), value.clone());
        }
        from::<Config>(whole).map_err(|message| error(&table, key, message))
    };
    let mut config = machine.clone();
    for (key, value) in changes {
        match (value, whole.get(key).is_some_and(Value::is_table)) {
            (Value::Table(part), true) => {
                for (inner, value) in part {
                    config = change(Some(key), inner, value, &mut whole)?;
                }
            }
            _ => config = change(None, key, value, &mut whole)?,
        }
    }
    // The message begins with the key: `l2.mshrs is 0, ...`.
    config.check(geometry).map_err(|why| {
        let message = why.to_string();
        let (path, _) = message.split_once(' ').unwrap_or((&message, ""));
        let (table, key) = match path.split_once('.') {
            Some((part, key)) => (format!("machine.{part}"), key),
            None => ("machine".into(), path),
        };
        ScenarioError::Toml {
            line: place.line_of(place.head(&table), key),
            key: "machine.".into(),
            message,
        }
    })?;
    Ok(config)
}

/// What a table says, or what is wrong with it in words of a scenario.
fn from<T: DeserializeOwned>(table: &Table) -> Result<T, String> {
    let read: Result<T, _> = Value::Table(table.clone()).try_into();
    read.map_err(|error: toml::de::Error| words(error.message()))
}

/// A `[[kernel]]` table.
struct Kernel<'a> {
    place: &'a Place<'a>,
    table: &'a Table,
    /// The line of its head.
    head: usize,
    machine: &'a Config,
}

impl<'a> Kernel<'a> {
    fn new(place: &'a Place<'a>, table: &'a Spanned<Table>, machine: &'a Config) -> Self {
        Self {
            place,
            head: place.line(&table.span()),
            table: table.get_ref(),
            machine,
        }
    }

    fn error(&self, key: &str, message: impl ToString) -> ScenarioError {
        ScenarioError::Toml {
            line: self.place.line_of(self.head, key),
            key: format!("kernel.{key}: "),
            message: message.to_string(),
        }
    }

    fn value(&self, key: &str, value: impl ToString, expected: impl ToString) -> ScenarioError {
        ScenarioError::Value {
            line: self.place.line_of(self.head, key),
            key: format!("kernel.{key}"),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    /// A key that is not there, or is there with a slip.
    fn missing(&self, key: &str, expected: impl ToString) -> ScenarioError {
        let near = |other: &&String| !meant(other, [key]).is_empty();
        match self.table.keys().find(near) {
            Some(slip) => {
                let hint = meant(slip, [key]);
                self.error(slip, format!("unknown field `{slip}`{hint}"))
            }
            None => self.value(key, "not there", expected),
        }
    }

    /// A key of the table.
    fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ScenarioError> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let read: Result<T, toml::de::Error> = value.clone().try_into();
        let read = read.map_err(|error| self.error(key, words(error.message())));
        read.map(Some)
    }

    fn tenant(&self, before: &[Tenant]) -> Result<Tenant, ScenarioError> {
        let printable = format!("1 to {MAX_NAME} printable characters");
        let name: String = self
            .get("name")?
            .ok_or_else(|| self.missing("name", &printable))?;
        let length = name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || name.chars().any(char::is_control) {
            return Err(self.value("name", format!("{name:?}"), printable));
        }
        if before.iter().any(|other| other.name == name) {
            let expected = "a name that no other kernel has";
            return Err(self.value("name", format!("\"{name}\""), expected));
        }
        let blocks_per_sm = self.get("blocks-per-sm")?;
        if blocks_per_sm == Some(0) {
            let expected = "1 or more, or left out for as many as fit";
            return Err(self.value("blocks-per-sm", 0, expected));
        }
        Ok(Tenant {
            name,
            spec: self.spec()?,
            sms: self.sms(before.len())?,
            blocks_per_sm,
        })
    }

    /// The SMs that it may use.
    ///
    /// ASSUMPTION: one kernel per SM, as in the GDC paper; with more kernels than SMs they share.
    fn sms(&self, kid: usize) -> Result<u64, ScenarioError> {
        let count = self.machine.sm.count;
        let Some(list) = self.get::<Vec<usize>>("sms")? else {
            return Ok(1 << (kid % count));
        };
        let expected = format!("a list of SMs, 0 to {}", count - 1);
        if list.is_empty() {
            return Err(self.value("sms", "empty", expected));
        }
        if let Some(wrong) = list.iter().find(|sm| **sm >= count) {
            return Err(self.value("sms", format!("[.., {wrong}, ..]"), expected));
        }
        Ok(list.iter().fold(0, |mask, sm| mask | 1 << sm))
    }

    /// What it does: all other keys.
    fn spec(&self) -> Result<Spec, ScenarioError> {
        let known = Spec::NAMES.join(", ");
        let name: String = self
            .get("loop")?
            .ok_or_else(|| self.missing("loop", &known))?;
        if !Spec::NAMES.contains(&name.as_str()) {
            return Err(self.value("loop", quoted(&name, Spec::NAMES), known));
        }
        let ours = ["name", "sms", "blocks-per-sm"];
        let mut whole = self.table.clone();
        whole.retain(|key, _| !ours.contains(&key));
        from(&whole).map_err(|message| {
            // Serde does not say which key has the wrong value: the one that is wrong by itself.
            for (key, value) in whole.iter().filter(|(key, _)| *key != "loop") {
                let mut alone = Table::new();
                alone.insert("loop".into(), name.as_str().into());
                let needed = whole.get("file").filter(|_| name == "trace");
                if let Some(file) = needed.filter(|file| file.is_str()) {
                    alone.insert("file".into(), file.clone());
                }
                alone.insert(key.clone(), value.clone());
                if let Err(mut message) = from::<Spec>(&alone) {
                    if let Some(rest) = message.strip_prefix(&format!("{key}: ")) {
                        message = rest.into();
                    }
                    // Those of every kernel are allowed, too.
                    if message.starts_with("unknown field") && !message.contains("(did you mean") {
                        let hinted = format!("`{key}`{}", meant(key, ours));
                        message = message.replacen(&format!("`{key}`"), &hinted, 1);
                    }
                    return self.error(key, message);
                }
            }
            ScenarioError::Toml {
                line: self.head,
                key: "kernel: ".into(),
                message,
            }
        })
    }

    /// A kernel that the models refuse; their message begins with the key: `chains is 0, ...`.
    fn impossible(&self, error: &GpuError) -> ScenarioError {
        if let GpuError::Kernel {
            source: SpecError::Trace(source),
            ..
        } = error
        {
            return self.error("file", source);
        }
        let message = match error {
            GpuError::Kernel { source, .. } => source.to_string(),
            GpuError::Machine(MachineError::Param(source)) => source.to_string(),
            GpuError::Machine(source) => source.to_string(),
        };
        let (key, _) = message.split_once(' ').unwrap_or((&message, ""));
        let there = self.table.contains_key(key);
        ScenarioError::Toml {
            line: self.place.line_of(self.head, key),
            key: match there {
                true => "kernel.".into(),
                false => "kernel: ".into(),
            },
            message,
        }
    }
}
