//! The mapping of a unit's ports to a dump's signals: `MAP.toml`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use cotenant_units::table::ParameterSet;
use serde::Deserialize;
use toml::Value;

use super::{Error, Result};
use crate::verify::interface::{Form, Interface, Port};

/// A map, read from a file; `docs/check-vcd.md` describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    pub(super) path: PathBuf,
    pub(super) text: Text,
}

/// What stands in the file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    /// The unit and the set that it is for, if it says so.
    pub unit: Option<String>,
    pub set: Option<String>,
    pub clock: Clock,
    pub reset: Option<Reset>,
    #[serde(default)]
    pub sample: Sample,
    #[serde(default)]
    pub time: Window,
    pub ports: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Clock {
    pub signal: String,
    #[serde(default)]
    pub edge: Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Edge {
    #[default]
    Rising,
    Falling,
}

impl Edge {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rising => "rising",
            Self::Falling => "falling",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reset {
    pub signal: String,
    pub active: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    High,
    Low,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
        }
    }
}

/// When to look, in the dump's time units, relative to just before the clock's edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Sample {
    pub inputs: i64,
    pub outputs: i64,
}

/// Clock edges to look at, in the dump's time units, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Window {
    pub start: Option<u64>,
    pub end: Option<u64>,
}

impl Window {
    /// For messages.
    pub fn text(self) -> String {
        match (self.start, self.end) {
            (None, None) => String::new(),
            (Some(start), None) => format!(" from #{start} on"),
            (None, Some(end)) => format!(" until #{end}"),
            (Some(start), Some(end)) => format!(" from #{start} until #{end}"),
        }
    }
}

/// What a port is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// Signals or bits of them, the first in the low bits.
    Signals(Vec<String>),
    /// An input that the RTL does not have.
    Constant(u64),
    /// An output that is not compared.
    Ignored,
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Toml`] with line and column.
    pub fn read(path: &Path) -> Result<Self> {
        let io = |source| Error::Io {
            path: path.into(),
            source,
        };
        Self::parse(path, &std::fs::read_to_string(path).map_err(io)?)
    }

    /// A map from its text; `path` is its name in messages.
    ///
    /// # Errors
    /// [`Error::Toml`] with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let text = toml::from_str(text).map_err(|error| Error::Toml {
            path: path.into(),
            message: error.to_string(),
        })?;
        Ok(Self {
            path: path.into(),
            text,
        })
    }

    /// The parameter set that it is for, if it says so.
    pub fn set(&self) -> Option<&str> {
        self.text.set.as_deref()
    }

    /// An error about a key.
    pub(super) fn wrong(&self, place: impl Into<String>, problem: impl Into<String>) -> Error {
        Error::Map {
            path: self.path.clone(),
            place: place.into(),
            problem: problem.into(),
        }
    }

    /// That it is for this unit and set.
    pub(super) fn is_for(&self, unit: &str, set: &str) -> Result<()> {
        for (key, said, asked) in [
            ("unit", &self.text.unit, unit),
            ("set", &self.text.set, set),
        ] {
            if let Some(said) = said.as_deref().filter(|said| *said != asked) {
                return Err(self.wrong(key, format!("the map is for {said}, expected {asked}")));
            }
        }
        Ok(())
    }

    /// The source of each port, in their order. `reset` has a section of its own.
    pub(super) fn sources(
        &self,
        unit: &str,
        inputs: &[Port],
        outputs: &[Port],
    ) -> Result<Vec<Source>> {
        let known = || inputs.iter().chain(outputs);
        let resets = inputs.iter().any(|port| port.name == "reset");
        match (&self.text.reset, resets) {
            (None, true) => {
                let problem =
                    format!("expected [reset] with signal and active: {unit} has a reset");
                return Err(self.wrong("reset", problem));
            }
            (Some(_), false) => {
                let problem = format!("{unit} has no reset: remove the section");
                return Err(self.wrong("reset", problem));
            }
            _ => {}
        }
        for name in self.text.ports.keys() {
            let place = format!("ports.{name}");
            if name == "reset" && resets {
                return Err(self.wrong(place, "expected the reset in [reset], not here"));
            }
            if !known().any(|port| port.name == name) {
                let names = known().map(|port| port.name);
                let nearest = nearest(name, names).unwrap_or_default();
                let problem = format!("{unit} has no such port; the nearest is '{nearest}'");
                return Err(self.wrong(place, problem));
            }
        }
        let source = |port: &Port, input: bool| match self.text.ports.get(port.name) {
            _ if port.name == "reset" => Ok(Source::Ignored),
            Some(value) => self.source(port, input, value),
            None => {
                let instead = if input {
                    "{ constant = 0 } if your RTL has none"
                } else {
                    "{ ignore = true } if it is not to be compared"
                };
                let problem = format!(
                    "missing: expected the signal of this {} bit port, or {instead}",
                    port.width()
                );
                Err(self.wrong(format!("ports.{}", port.name), problem))
            }
        };
        let inputs = inputs.iter().map(|port| source(port, true));
        let outputs = outputs.iter().map(|port| source(port, false));
        inputs.chain(outputs).collect()
    }

    fn source(&self, port: &Port, input: bool, value: &Value) -> Result<Source> {
        let place = format!("ports.{}", port.name);
        match value {
            Value::String(name) => Ok(Source::Signals(vec![name.clone()])),
            Value::Array(list) if !list.is_empty() => {
                let names = list.iter().enumerate().map(|(i, value)| match value {
                    Value::String(name) => Ok(name.clone()),
                    _ => Err(self.wrong(format!("{place}[{i}]"), "expected the name of a signal")),
                });
                Ok(Source::Signals(names.collect::<Result<_>>()?))
            }
            Value::Table(table) if table.len() == 1 => match table.iter().next() {
                Some((key, Value::Boolean(true))) if key == "ignore" && !input => {
                    Ok(Source::Ignored)
                }
                Some((key, _)) if key == "ignore" && input => {
                    let problem = "an input cannot be ignored, expected its signal or a constant";
                    Err(self.wrong(place, problem))
                }
                Some((key, Value::Integer(value))) if key == "constant" && input => {
                    let fits = u64::try_from(*value)
                        .ok()
                        .filter(|value| port.width() >= 64 || *value < 1 << port.width());
                    fits.map(Source::Constant).ok_or_else(|| {
                        let width = port.width();
                        self.wrong(place, format!("expected a constant of {width} bits"))
                    })
                }
                _ => Err(self.wrong(place, FORMS)),
            },
            _ => Err(self.wrong(place, FORMS)),
        }
    }
}

const FORMS: &str =
    "expected \"SIGNAL\", \"SIGNAL[MSB:LSB]\", a list of such from the low bits up, \
                     { constant = N } for an input, or { ignore = true } for an output";

/// The name that was probably meant.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let last = |name: &str| name.rsplit('.').next().map(str::to_owned);
    // The signal's own name counts more than the scopes around it.
    let distance = |candidate: &str| {
        let own = strsim::levenshtein(
            &last(name).unwrap_or_default(),
            &last(candidate).unwrap_or_default(),
        );
        4 * own + strsim::levenshtein(name, candidate)
    };
    known.min_by_key(|candidate| distance(candidate))
}

/// Where a template has the unit unless said.
pub const TOP: &str = "tb.dut";

/// A map of a unit to be filled in, whose instance is `top` in the dump.
///
/// # Errors
/// [`Error::Unit`] for another unit's set.
pub fn template<U: Interface>(set: &ParameterSet, top: &str) -> Result<String> {
    Ok(template_of(&U::form(&U::params(set)?), set, top))
}

fn template_of(form: &Form, set: &ParameterSet, top: &str) -> String {
    let (name, set_name) = (form.unit, set.name);
    let (inputs, outputs) = (&form.inputs, &form.outputs);
    let resets = form.has_reset();
    let mut text = format!(
        "\
# Where the ports of {name} {set_name} are in a value change dump, for
#   cotenant check {name} --config {set_name} --vcd FILE --map THIS_FILE
#
# Signals have hierarchical names; \"NAME[3]\" and \"NAME[7:4]\" are bits of one.
# A list of signals fills a port from its low bits up, element 0 first. What
# your RTL lacks: {{ constant = 0 }} for an input, {{ ignore = true }} for an output.
unit = \"{name}\"
set = \"{set_name}\"

[clock]
"
    );
    if !resets {
        text += "# Combinational: any clock at whose edges inputs and outputs have settled.\n";
    }
    // The clock of what has none is beside the instance.
    let beside = match top.rsplit_once('.') {
        Some((scope, _)) => format!("{scope}.clock"),
        None => "clock".into(),
    };
    let clock = if resets {
        format!("{top}.clock")
    } else {
        beside
    };
    text += &format!("signal = \"{clock}\"\n");
    text += "edge = \"rising\" # or \"falling\"\n";
    if resets {
        text += &format!("\n[reset]\nsignal = \"{top}.reset\"\nactive = \"high\" # or \"low\"\n");
    }
    text += "
# Values are taken just before the edge. Time units of the dump to move that by:
# with 1, changes at the very time of the edge count.
[sample]
inputs = 0
outputs = 0

# Only edges between these times, in time units of the dump.
#[time]
#start = 0
#end = 1000

[ports]
";
    let rows = inputs.iter().map(|port| (port, "input"));
    let rows = rows.chain(outputs.iter().map(|port| (port, "output")));
    for (port, direction) in rows.filter(|(port, _)| port.name != "reset") {
        let shape = match port.elements {
            1 if port.width() == 1 => "1 bit".into(),
            1 => format!("{} bits", port.width()),
            n => format!("{n} x {} bit", port.element_width),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} = \"{top}.{}\" # {direction}, {shape}",
            port.name, port.name
        );
    }
    text
}
