//! One unit of the table: its parameters, the names of its parameter sets, and how a text selects
//! one.
//!
//! A set is written as numbers in the order of the parameters that have to be given (`16x4x21`);
//! one that has a letter may follow with it (`16x4x21s2`), and any as `KEY=VALUE`, also alone or
//! behind an alias: `WAYS=12,KERNELS=5,CNT_W=24`, `table-1,WAYS=12`. Values behind `=` may be hexadecimal,
//! with `0x`.

use super::{kept, nearest::nearest, ParameterSet, TableError};
use cotenant_netlist::describe::{Definition, ParameterError};
use cotenant_netlist::Netlist;
use std::fmt::Write;

/// The value that a parameter has unless given.
#[derive(Clone, Copy)]
pub(crate) struct Usual {
    name: &'static str,
    value: UsualValue,
    /// How it follows the numbers where it is not as usual.
    letter: Option<Letter>,
}

#[derive(Clone, Copy)]
enum UsualValue {
    Value(usize),
    /// The value of another one.
    Like(&'static str),
}

impl UsualValue {
    fn is(&self, value: usize) -> bool {
        matches!(self, UsualValue::Value(usual) if *usual == value)
    }
}

#[derive(Clone, Copy)]
enum Letter {
    /// `s2`: the letter and the value.
    Value(char),
    /// `d`: a letter for 1, the next one for 2.
    Flags(&'static str),
}

/// A parameter with a usual value, or all elements of an array of parameters: `MASK_*`.
pub(crate) const fn usually(name: &'static str, value: usize) -> Usual {
    Usual {
        name,
        value: UsualValue::Value(value),
        letter: None,
    }
}

/// One that usually has the value of another.
pub(crate) const fn like(name: &'static str, other: &'static str) -> Usual {
    Usual {
        name,
        value: UsualValue::Like(other),
        letter: None,
    }
}

impl Usual {
    /// With a letter in front of its value.
    pub const fn letter(self, letter: char) -> Self {
        Usual {
            letter: Some(Letter::Value(letter)),
            ..self
        }
    }

    fn is_of(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(begin) => {
                let number = name.strip_prefix(begin).unwrap_or_default();
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            }
            None => self.name == name,
        }
    }

    /// With letters that stand for 1, 2 ..
    pub const fn flags(self, letters: &'static str) -> Self {
        Usual {
            letter: Some(Letter::Flags(letters)),
            ..self
        }
    }
}

/// The parameter sets that are listed, and so tested.
pub(crate) enum Sets {
    /// By their values; the numbers are the names.
    Numbers(fn() -> Vec<Vec<usize>>),
    /// With names of their own. Their parameters are given as KEY=VALUE.
    Named(fn() -> Vec<(String, Vec<usize>)>),
}

/// Pairs of alias and name.
pub(crate) type Aliases = &'static [(&'static str, &'static str)];

/// A unit with its parameter sets.
pub(crate) struct Line {
    pub unit: &'static str,
    /// Its parameters are those without a default of the unit's own, and those with a usual value;
    /// others are for units around.
    pub definition: &'static Definition,
    pub usual: &'static [Usual],
    pub aliases: Aliases,
    /// Aliases of the sets that every test uses; all unless said.
    pub tested: Option<&'static [&'static str]>,
    pub sets: Sets,
}

impl Line {
    /// A unit whose parameters all have to be given.
    pub const fn new(definition: &'static Definition, aliases: Aliases, sets: Sets) -> Self {
        Line {
            unit: definition.name,
            definition,
            usual: &[],
            aliases,
            tested: None,
            sets,
        }
    }

    /// With these values unless given.
    pub const fn usual(self, usual: &'static [Usual]) -> Self {
        Line { usual, ..self }
    }

    /// The same unit behind a bus: of what is tested without one, only some sets are tested again.
    pub const fn behind_bus(self) -> Self {
        Line {
            tested: Some(&["small", "figure-2", "three", "sampled"]),
            ..self
        }
    }

    /// The names of its parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let usual = |name| self.usual.iter().any(|usual| usual.is_of(name));
        let parameters = self.definition.parameters.iter();
        let ours = parameters.filter(move |p| p.default.is_none() || usual(p.name));
        ours.map(|p| p.name)
    }

    /// Name, and usual value if there is one, of each parameter.
    fn with_usual(&self) -> impl Iterator<Item = (&'static str, Option<&Usual>)> {
        let usual = |name| self.usual.iter().find(|usual| usual.is_of(name));
        self.parameters().map(move |name| (name, usual(name)))
    }

    /// The netlist with these values, under the name of the unit.
    pub fn netlist(
        &self,
        values: &[usize],
    ) -> Result<Result<Netlist, cotenant_netlist::Error>, ParameterError> {
        let description = self.definition.describe(self.unit, values)?;
        Ok(cotenant_netlist::elaborate_description(
            &description,
            self.unit,
        ))
    }

    /// The sets that are listed.
    pub fn listed(&self) -> Vec<ParameterSet> {
        match self.sets {
            Sets::Numbers(sets) => {
                let name = |values: Vec<usize>| (self.numbers(&values), values);
                let named = sets().into_iter().map(name);
                named.map(|(name, values)| self.set(name, values)).collect()
            }
            Sets::Named(sets) => {
                let named = sets().into_iter();
                named.map(|(name, values)| self.set(name, values)).collect()
            }
        }
    }

    fn set(&self, name: String, values: Vec<usize>) -> ParameterSet {
        let name = kept(name);
        let aliases = self.aliases.iter().filter(|(_, of)| *of == name);
        ParameterSet {
            name,
            aliases: aliases.map(|(alias, _)| *alias).collect(),
            params: self.parameters().zip(values).collect(),
        }
    }

    /// What the text names: a listed set, or any that the unit can be built with.
    pub fn read(&self, text: &str) -> Result<ParameterSet, TableError> {
        let listed = self.listed();
        let mut parts = text.split(',').map(str::trim).peekable();
        let base = parts.next_if(|part| !part.contains('='));
        let mut values = match base {
            Some(base) => self.base(base, &listed)?,
            None => vec![None; self.parameters().count()],
        };
        let mut said = vec![];
        for part in parts {
            let (at, value) = self.key_value(part)?;
            if said.contains(&at) {
                return Err(self.wrong(format!("'{part}' gives a parameter twice")));
            }
            said.push(at);
            values[at] = Some(value);
        }
        let values = self.completed(&values)?;
        let known = listed
            .into_iter()
            .find(|set| set.values().eq(values.iter().copied()));
        if let Some(known) = known {
            return Ok(known);
        }
        // Of what parts require the unit does not know before they are described.
        self.definition.describe(self.unit, &values)?;
        Ok(self.set(self.name(&values), values))
    }

    /// The values of an alias, of a listed set, or of numbers.
    fn base(&self, text: &str, listed: &[ParameterSet]) -> Result<Vec<Option<usize>>, TableError> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == text);
        let name = alias.map_or(text, |(_, name)| name);
        if let Some(set) = listed.iter().find(|set| set.name == name) {
            return Ok(self.without_followers(set.values().collect()));
        }
        let numbers = match self.sets {
            Sets::Numbers(_) => self.read_numbers(text),
            Sets::Named(_) => None,
        };
        numbers.ok_or_else(|| {
            // Aliases first: between equally near sets they are the better advice.
            let aliased = self.aliases.iter().flat_map(|&(alias, name)| [name, alias]);
            let names = aliased.chain(listed.iter().map(|set| set.name));
            TableError::UnknownSet {
                unit: self.unit.into(),
                set: text.into(),
                nearest: nearest(text, names).into(),
            }
        })
    }

    /// Values that are like another's are left open, so that they follow where that one changes.
    fn without_followers(&self, values: Vec<usize>) -> Vec<Option<usize>> {
        let follows = |usual: Option<&Usual>, value| match usual.map(|usual| usual.value) {
            Some(UsualValue::Like(other)) => value == values[self.place(other)],
            _ => false,
        };
        let open = self.with_usual().zip(&values);
        open.map(|((_, usual), &value)| (!follows(usual, value)).then_some(value))
            .collect()
    }

    fn place(&self, name: &str) -> usize {
        let place = self.parameters().position(|known| known == name);
        place.expect("a parameter is like one of the same unit")
    }

    /// `16x4x21s2`.
    fn read_numbers(&self, text: &str) -> Option<Vec<Option<usize>>> {
        let end = text.find(|c: char| c != 'x' && !c.is_ascii_digit());
        let (numbers, mut letters) = text.split_at(end.unwrap_or(text.len()));
        let mut numbers = numbers.split('x').map(|number| number.parse().ok());
        let mut values = vec![];
        for (_, usual) in self.with_usual() {
            values.push(match usual {
                None => Some(numbers.next()??),
                Some(_) => None,
            });
        }
        if numbers.next().is_some() {
            return None;
        }
        while let Some(first) = letters.chars().next() {
            let rest = &letters[first.len_utf8()..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (digits, rest) = rest.split_at(end.unwrap_or(rest.len()));
            let (name, value) = self.usual.iter().find_map(|usual| match usual.letter? {
                Letter::Value(letter) if letter == first => {
                    Some((usual.name, digits.parse().ok()?))
                }
                Letter::Flags(letters) if digits.is_empty() => {
                    Some((usual.name, letters.find(first)? + 1))
                }
                _ => None,
            })?;
            values[self.place(name)] = Some(value);
            letters = rest;
        }
        Some(values)
    }

    /// `WAYS=12`.
    fn key_value(&self, part: &str) -> Result<(usize, usize), TableError> {
        let names = || self.parameters().collect::<Vec<_>>().join(", ");
        let (key, value) = part.split_once('=').ok_or_else(|| {
            self.wrong(format!(
                "'{part}' is no KEY=VALUE; the parameters are {}",
                names()
            ))
        })?;
        let at = self
            .parameters()
            .position(|name| name.eq_ignore_ascii_case(key));
        let at = at.ok_or_else(|| {
            self.wrong(format!(
                "there is no parameter '{key}'; the parameters are {}",
                names()
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
    fn completed(&self, values: &[Option<usize>]) -> Result<Vec<usize>, TableError> {
        let value = |(value, (name, usual)): (&Option<usize>, (&'static str, Option<&Usual>))| {
            let usual = usual.map(|usual| usual.value);
            match (*value, usual) {
                (Some(value), _) | (None, Some(UsualValue::Value(value))) => Ok(value),
                (None, Some(UsualValue::Like(other))) => values[self.place(other)].ok_or(other),
                (None, None) => Err(name),
            }
        };
        let all: Result<Vec<usize>, &str> =
            values.iter().zip(self.with_usual()).map(value).collect();
        all.map_err(|missing| {
            let alias = self.aliases.first().map_or("", |(alias, _)| alias);
            self.wrong(format!(
                "{missing} is not given; add {missing}=VALUE, or begin with a parameter set, as '{alias},KEY=VALUE'"
            ))
        })
    }

    /// What a set that is not listed is called, in a form that [`read`](Line::read) takes.
    fn name(&self, values: &[usize]) -> String {
        match self.sets {
            Sets::Numbers(_) => self.numbers(values),
            Sets::Named(_) => {
                let pairs = self.with_usual().zip(values);
                // Of many that are alike only those are named that are not as usual.
                let said = |((_, usual), value): &((&str, Option<&Usual>), &usize)| match usual {
                    Some(usual) if usual.name.ends_with('*') => !usual.value.is(**value),
                    _ => true,
                };
                let pairs = pairs.filter(said);
                let pairs: Vec<String> = pairs
                    .map(|((name, _), value)| format!("{name}={value}"))
                    .collect();
                pairs.join(",")
            }
        }
    }

    /// `16x4x21`, and what is not as usual.
    fn numbers(&self, values: &[usize]) -> String {
        let (mut numbers, mut letters, mut keys) = (vec![], String::new(), String::new());
        for ((name, usual), &value) in self.with_usual().zip(values) {
            let Some(usual) = usual else {
                numbers.push(value.to_string());
                continue;
            };
            let as_usual = match usual.value {
                UsualValue::Value(usual) => value == usual,
                UsualValue::Like(other) => value == values[self.place(other)],
            };
            if as_usual {
                continue;
            }
            // Writing to a String does not fail.
            let _ = match usual.letter {
                Some(Letter::Value(letter)) => write!(letters, "{letter}{value}"),
                Some(Letter::Flags(flags)) if (1..=flags.len()).contains(&value) => {
                    letters.push_str(&flags[value - 1..value]);
                    Ok(())
                }
                _ => write!(keys, ",{name}={value}"),
            };
        }
        numbers.join("x") + &letters + &keys
    }

    fn wrong(&self, what: String) -> TableError {
        TableError::Text {
            unit: self.unit.into(),
            what,
        }
    }
}
