//! The signals of a dump that a map names.

use std::collections::HashMap;

use wellen::{Hierarchy, SignalRef, Var};

use super::bits::Bits;
use super::map::{nearest, Level, Source};
use super::{Error, Map, Result};
use crate::verify::interface::Port;

/// Bits of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// As the map has it.
    pub name: String,
    /// Which of the signals.
    pub signal: usize,
    /// Lowest bit.
    pub low: usize,
    pub width: usize,
}

impl Part {
    /// Its value, among those of all signals.
    pub fn value(&self, values: &[Bits]) -> Bits {
        let mut out = Bits::zero(self.width);
        out.put(0, &values[self.signal], self.low, self.width);
        out
    }
}

/// Where a port's value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wire {
    /// Bits of signals, the first in the low bits.
    Parts(Vec<Part>),
    /// Always the same.
    Constant(u64),
    /// Not looked at.
    Ignored,
}

impl Wire {
    /// The value of a port of this width; `None` if it is not looked at.
    pub fn value(&self, width: usize, values: &[Bits]) -> Option<Bits> {
        let mut out = Bits::zero(width);
        match self {
            Self::Ignored => return None,
            Self::Constant(value) => out.set(*value),
            Self::Parts(parts) => {
                let mut at = 0;
                for part in parts {
                    out.put(at, &values[part.signal], part.low, part.width);
                    at += part.width;
                }
            }
        }
        Some(out)
    }

    pub fn is_ignored(&self) -> bool {
        *self == Self::Ignored
    }

    /// Names for messages.
    pub fn names(&self) -> String {
        match self {
            Self::Ignored => "nothing".into(),
            Self::Constant(value) => format!("the constant {value}"),
            Self::Parts(parts) => {
                let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
                names.join(", ")
            }
        }
    }
}

/// Everything that a map names, found in a dump.
#[derive(Debug)]
pub(super) struct Wiring {
    /// The signals, each once, and their widths.
    pub signals: Vec<SignalRef>,
    pub widths: Vec<usize>,
    pub clock: Part,
    pub reset: Option<(Part, Level)>,
    pub inputs: Vec<Wire>,
    pub outputs: Vec<Wire>,
}

impl Wiring {
    /// # Errors
    /// [`Error::Map`]: an unknown signal with the nearest, a wrong width, a missing port.
    pub fn new(
        map: &Map,
        hierarchy: &Hierarchy,
        unit: &str,
        inputs: &[Port],
        outputs: &[Port],
    ) -> Result<Self> {
        let mut finder = Finder::new(map, hierarchy);
        let sources = map.sources(unit, inputs, outputs)?;
        let clock = finder.bit("clock.signal", &map.text.clock.signal)?;
        let reset = match &map.text.reset {
            Some(reset) => Some((finder.bit("reset.signal", &reset.signal)?, reset.active)),
            None => None,
        };
        let ports = inputs.iter().chain(outputs);
        let wires = ports.zip(sources).map(|(port, source)| match source {
            Source::Ignored => Ok(Wire::Ignored),
            Source::Constant(value) => Ok(Wire::Constant(value)),
            Source::Signals(names) => finder.port(port, &names),
        });
        let mut wires: Vec<Wire> = wires.collect::<Result<_>>()?;
        let output_wires = wires.split_off(inputs.len());
        if output_wires.iter().all(Wire::is_ignored) {
            return Err(map.wrong("ports", "all outputs are ignored, expected one to compare"));
        }
        Ok(Self {
            signals: finder.signals,
            widths: finder.widths,
            clock,
            reset,
            inputs: wires,
            outputs: output_wires,
        })
    }
}

/// Finds signals by name.
struct Finder<'a> {
    map: &'a Map,
    hierarchy: &'a Hierarchy,
    by_name: HashMap<String, Vec<&'a Var>>,
    signals: Vec<SignalRef>,
    widths: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn new(map: &'a Map, hierarchy: &'a Hierarchy) -> Self {
        let mut by_name: HashMap<String, Vec<&Var>> = HashMap::new();
        for var in hierarchy.all_vars() {
            let var = &hierarchy[var];
            by_name
                .entry(var.full_name(hierarchy))
                .or_default()
                .push(var);
        }
        Self {
            map,
            hierarchy,
            by_name,
            signals: vec![],
            widths: vec![],
        }
    }

    fn bit(&mut self, place: &str, name: &str) -> Result<Part> {
        let part = self.part(place, name)?;
        match part.width {
            1 => Ok(part),
            width => {
                let problem = format!("{name} has {width} bits, expected 1");
                Err(self.map.wrong(place, problem))
            }
        }
    }

    fn port(&mut self, port: &Port, names: &[String]) -> Result<Wire> {
        let place = format!("ports.{}", port.name);
        let parts = names.iter().enumerate().map(|(i, name)| {
            let place = match names.len() {
                1 => place.clone(),
                _ => format!("{place}[{i}]"),
            };
            self.part(&place, name)
        });
        let parts: Vec<Part> = parts.collect::<Result<_>>()?;
        let width: usize = parts.iter().map(|part| part.width).sum();
        if width == port.width() {
            return Ok(Wire::Parts(parts));
        }
        let wire = Wire::Parts(parts);
        let shape = match port.elements {
            1 => String::new(),
            n => format!(" ({n} x {}, element 0 in the low bits)", port.element_width),
        };
        let problem = format!(
            "{} has {width} bits, expected {}{shape}",
            wire.names(),
            port.width()
        );
        Err(self.map.wrong(place, problem))
    }

    /// `NAME`, `NAME[5]` or `NAME[7:4]`.
    fn part(&mut self, place: &str, name: &str) -> Result<Part> {
        if let Some(vars) = self.by_name.get(name).cloned() {
            let var = self.only(place, name, &vars)?;
            let width = self.width(place, name, var)?;
            return Ok(self.add(name, var, 0, width));
        }
        let bits = name
            .strip_suffix(']')
            .and_then(|name| name.rsplit_once('['));
        let Some((base, range)) = bits else {
            return Err(self.unknown(place, name));
        };
        let Some(vars) = self.by_name.get(base).cloned() else {
            return Err(self.unknown(place, name));
        };
        let ends = range.split_once(':').unwrap_or((range, range));
        let (Ok(msb), Ok(lsb)) = (ends.0.trim().parse::<i64>(), ends.1.trim().parse::<i64>())
        else {
            let problem = format!("'{name}': expected NAME[BIT] or NAME[MSB:LSB]");
            return Err(self.map.wrong(place, problem));
        };
        let mut ranges = vec![];
        for var in vars {
            let width = self.width(place, name, var)?;
            let (first, last) = match var.index() {
                Some(index) => (index.msb(), index.lsb()),
                None => (width as i64 - 1, 0),
            };
            // From the low end, whichever way it is declared.
            let position = |bit: i64| match first >= last {
                true => bit - last,
                false => last - bit,
            };
            let (high, low) = (position(msb), position(lsb));
            if 0 <= low && low <= high && high < width as i64 {
                return Ok(self.add(name, var, low as usize, (high - low) as usize + 1));
            }
            ranges.push(format!("[{first}:{last}]"));
        }
        let problem = format!("'{name}': expected bits of {base}{}", ranges.join(" or "));
        Err(self.map.wrong(place, problem))
    }

    /// The one signal of a name: a dump may have its bits one by one.
    fn only(&self, place: &str, name: &str, vars: &[&'a Var]) -> Result<&'a Var> {
        let first = vars[0];
        if vars
            .iter()
            .all(|var| var.signal_ref() == first.signal_ref())
        {
            return Ok(first);
        }
        let index = |var: &&Var| match var.index() {
            Some(index) if index.msb() == index.lsb() => format!("{name}[{}]", index.lsb()),
            Some(index) => format!("{name}[{}:{}]", index.msb(), index.lsb()),
            None => name.to_owned(),
        };
        let names: Vec<String> = vars.iter().map(index).collect();
        let problem = format!(
            "'{name}' is several signals in the dump: expected one of {}, or a list of them",
            names.join(", ")
        );
        Err(self.map.wrong(place, problem))
    }

    fn width(&self, place: &str, name: &str, var: &Var) -> Result<usize> {
        let length = var.length(self.hierarchy).filter(|&length| length > 0);
        length.map(|length| length as usize).ok_or_else(|| {
            let problem = format!("'{name}' is no signal of bits, expected one");
            self.map.wrong(place, problem)
        })
    }

    fn unknown(&self, place: &str, name: &str) -> Error {
        let known = self.by_name.keys().map(String::as_str);
        // The same one in every run.
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        let problem = match nearest(name, known.into_iter()) {
            Some(nearest) => {
                format!("the dump has no signal '{name}'; the nearest is '{nearest}'")
            }
            None => "the dump has no signal at all".into(),
        };
        self.map.wrong(place, problem)
    }

    fn add(&mut self, name: &str, var: &Var, low: usize, width: usize) -> Part {
        let signal = var.signal_ref();
        let known = self.signals.iter().position(|&known| known == signal);
        let signal = known.unwrap_or_else(|| {
            self.signals.push(signal);
            let length = var.length(self.hierarchy).unwrap_or(0);
            self.widths.push(length as usize);
            self.signals.len() - 1
        });
        Part {
            name: name.into(),
            signal,
            low,
            width,
        }
    }
}
