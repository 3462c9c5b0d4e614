//! Values of a unit's parameters, from text.
//!
//! The same text as on the command line: numbers in the order of the parameters (`16x4x21`), behind
//! which those with a letter may follow (`16x4x21s2`), and any as `KEY=VALUE`
//! (`WAYS=12,KERNELS=5,CNT_W=24`, `16x4x21,STAGES=2`). Parameters with a [usual value](Usual) are
//! not among the numbers. Values are decimal, or hexadecimal with `0x` in `KEY=VALUE`.

use std::fmt;

use super::error::Error;
use super::nearest::nearest;
use crate::model::ParamError;

/// The value that a parameter has unless given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usual {
    /// A number.
    Value(usize),
    /// That of another parameter.
    Like(&'static str),
}

/// A parameter with a usual value, and the letter with which it follows the numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Optional {
    pub name: &'static str,
    pub usual: Usual,
    pub letter: Option<char>,
    /// Letters that stand for 1, 2 .., without a number behind them.
    pub flags: &'static str,
}

impl Optional {
    /// A name that ends with `*` is that of all elements of an array.
    pub fn is_of(&self, parameter: &str) -> bool {
        match self.name.strip_suffix('*') {
            None => self.name == parameter,
            Some(begin) => {
                let number = parameter.strip_prefix(begin).unwrap_or_default();
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            }
        }
    }
}

/// Values of a unit's parameters, in their order. Shown as `WAYS=4,KERNELS=4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    values: Vec<(&'static str, usize)>,
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.values.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

impl Settings {
    /// Names and values.
    pub fn values(&self) -> &[(&'static str, usize)] {
        &self.values
    }

    /// The value of a parameter.
    pub(super) fn value(&self, name: &'static str) -> Result<usize, ParamError> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, value)| *value)
            .ok_or_else(|| ParamError::NoRoom {
                why: format!("{name} is not given"),
            })
    }
}

/// What a text is read for.
pub(super) struct Reader<'a> {
    pub unit: &'static str,
    pub names: &'a [&'static str],
    pub optional: &'a [Optional],
    /// Whether numbers in the order of the parameters are taken.
    pub by_numbers: bool,
}

impl Reader<'_> {
    pub fn read(&self, text: &str) -> Result<Settings, Error> {
        let mut values = vec![None; self.names.len()];
        let mut parts = text.split(',').map(str::trim).peekable();
        if let Some(numbers) = parts.next_if(|part| !part.contains('=')) {
            self.numbers(numbers, &mut values)?;
        }
        let mut said = Vec::new();
        for part in parts {
            let (at, value) = self.key_value(part)?;
            if said.contains(&at) {
                return Err(self.wrong(format!("'{part}' gives a parameter twice")));
            }
            said.push(at);
            values[at] = Some(value);
        }
        self.completed(&values)
    }

    fn wrong(&self, what: String) -> Error {
        Error::Text {
            unit: self.unit,
            what,
        }
    }

    fn listed(&self) -> String {
        self.names.join(", ")
    }

    fn optional(&self, name: &str) -> Option<&Optional> {
        self.optional.iter().find(|optional| optional.is_of(name))
    }

    /// The names of those that have to be given.
    fn required(&self) -> impl Iterator<Item = (usize, &'static str)> + '_ {
        let all = self.names.iter().copied().enumerate();
        all.filter(|(_, name)| self.optional(name).is_none())
    }

    /// `16x4x21s2`.
    fn numbers(&self, text: &str, values: &mut [Option<usize>]) -> Result<(), Error> {
        let wrong = || {
            let required: Vec<&str> = self.required().map(|(_, name)| name).collect();
            let form = required.join("x");
            let given = match text {
                "" => "no parameters are given".into(),
                _ => format!("'{text}' are no parameters"),
            };
            let form = match self.by_numbers {
                true => format!("numbers as {form}, or "),
                false => String::new(),
            };
            self.wrong(format!(
                "{given}; expected {form}KEY=VALUE,.. with {}",
                self.listed()
            ))
        };
        if !self.by_numbers {
            return Err(wrong());
        }
        let end = text.find(|c: char| c != 'x' && !c.is_ascii_digit());
        let (numbers, mut letters) = text.split_at(end.unwrap_or(text.len()));
        let mut numbers = numbers.split('x').map(|number| number.parse().ok());
        for (at, _) in self.required() {
            values[at] = Some(numbers.next().flatten().ok_or_else(wrong)?);
        }
        if numbers.next().is_some() {
            return Err(wrong());
        }
        while let Some(first) = letters.chars().next() {
            let rest = &letters[first.len_utf8()..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (digits, rest) = rest.split_at(end.unwrap_or(rest.len()));
            let lettered = self.optional.iter().find_map(|o| {
                let value = match o.flags.find(first) {
                    Some(at) if digits.is_empty() => at + 1,
                    None if o.letter == Some(first) => digits.parse().ok()?,
                    _ => return None,
                };
                Some((o.name, value))
            });
            let (name, value) = lettered.ok_or_else(wrong)?;
            let at = self.place(name).ok_or_else(wrong)?;
            values[at] = Some(value);
            letters = rest;
        }
        Ok(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
    }

    /// `WAYS=12`.
    fn key_value(&self, part: &str) -> Result<(usize, usize), Error> {
        let (key, value) = part.split_once('=').ok_or_else(|| {
            self.wrong(format!(
                "'{part}' is no KEY=VALUE; the parameters are {}",
                self.listed()
            ))
        })?;
        let (key, value) = (key.trim(), value.trim());
        let at = self.place(key).ok_or_else(|| {
            let nearest = nearest(&key.to_uppercase(), self.names.iter().copied());
            self.wrong(format!(
                "there is no parameter '{key}', the nearest is '{nearest}'; the parameters are {}",
                self.listed()
            ))
        })?;
        let number = match value.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16),
            None => value.parse(),
        };
        let number =
            number.map_err(|_| self.wrong(format!("{key} is '{value}', expected a number")))?;
        Ok((at, number))
    }

    /// All values, the usual ones where none is given.
    fn completed(&self, values: &[Option<usize>]) -> Result<Settings, Error> {
        let mut all = Vec::new();
        for (at, name) in self.names.iter().copied().enumerate() {
            let value = match (values[at], self.optional(name).map(|o| o.usual)) {
                (Some(value), _) | (None, Some(Usual::Value(value))) => Some(value),
                (None, Some(Usual::Like(other))) => self.place(other).and_then(|at| values[at]),
                (None, None) => None,
            };
            let value = value
                .ok_or_else(|| self.wrong(format!("{name} is not given; add {name}=VALUE")))?;
            all.push((name, value));
        }
        Ok(Settings { values: all })
    }
}
