//! A unit without the compiled block: what `#[unit]` makes for parameters that are known at run
//! time, as the elaborator reads it.
//!
//! A [`Definition`] names a unit's parameters with their ranges and makes a [`Description`] for
//! any legal ones: the hierarchy of signals, constants, flops, RAMs and parts with the AST of
//! each `update()`.

use crate::hdl::{AtomKind, Verilog};
use crate::primitive;
use crate::About;
use num_bigint::BigUint;
use std::ops::RangeInclusive;

/// A parameter of a unit.
///
/// Range and default may depend on the parameters before it, whose values both functions take.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, as in `WAYS=16`.
    pub name: &'static str,
    /// The first line of its documentation, or nothing.
    pub doc: &'static str,
    /// The values that it may have; up to `usize::MAX` if only the unit's requirements end them.
    pub range: fn(&[usize]) -> RangeInclusive<usize>,
    /// The value that it has unless it is given. Parameters with one come last.
    pub default: Option<fn(&[usize]) -> usize>,
}

/// Why a unit cannot have parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// A value outside of its parameter's range.
    #[error("{unit}: {parameter} is {}, not {value}", show(.range))]
    OutOfRange {
        /// The unit.
        unit: String,
        /// The parameter's name.
        parameter: String,
        /// The value asked for.
        value: usize,
        /// The legal values.
        range: RangeInclusive<usize>,
    },
    /// Values that are each in range but do not go together.
    #[error("{what}")]
    Requirement {
        /// The unit's name, what must hold, and the values of the parameters it names.
        what: String,
    },
    /// Too few or too many values.
    #[error("{unit} takes {expected}, not {found} values")]
    Count {
        /// The unit.
        unit: String,
        /// The parameters' names, those with a default in brackets.
        expected: String,
        /// How many there were.
        found: usize,
    },
    /// A name that no parameter has.
    #[error("{unit} has no parameter {parameter}; it takes {expected}")]
    Unknown {
        /// The unit.
        unit: String,
        /// The name asked for.
        parameter: String,
        /// The parameters' names, those with a default in brackets.
        expected: String,
    },
    /// A parameter without default that is not given.
    #[error("{unit}: {parameter} is not given; it takes {expected}")]
    Missing {
        /// The unit.
        unit: String,
        /// The parameter's name.
        parameter: String,
        /// The parameters' names, those with a default in brackets.
        expected: String,
    },
}

/// A range in words: `1 to 64`, `at least 1`.
fn show(range: &RangeInclusive<usize>) -> String {
    match *range.end() {
        usize::MAX => format!("at least {}", range.start()),
        end => format!("{} to {end}", range.start()),
    }
}

/// The values that all of these ranges have.
pub fn common(ranges: &[RangeInclusive<usize>]) -> RangeInclusive<usize> {
    let start = ranges.iter().map(|r| *r.start()).max().unwrap_or(0);
    let end = ranges.iter().map(|r| *r.end()).min().unwrap_or(usize::MAX);
    start..=end
}

/// What makes a unit's description, under the name of an instance.
pub type Make = fn(&str, &[usize]) -> Result<Description, ParameterError>;

/// A unit for any legal parameters; `#[unit]` makes it as `DEFINITION`.
///
/// A unit that is made from more than parameters, and so as a part only, has a `Definition<()>`.
#[derive(Clone, Copy, Debug)]
pub struct Definition<M = Make> {
    /// The unit's name.
    pub name: &'static str,
    /// Its parameters in order.
    pub parameters: &'static [Parameter],
    /// What must hold among values in range and does not, if anything.
    #[doc(hidden)]
    pub violated: fn(&[usize]) -> Option<&'static str>,
    #[doc(hidden)]
    pub make: M,
}

impl<M> Definition<M> {
    /// All parameters' values from those given, in order; the last may be left to their defaults.
    ///
    /// # Errors
    /// [`ParameterError`], unless the unit can be made with them. (A part may still refuse.)
    pub fn check(&self, given: &[usize]) -> Result<Vec<usize>, ParameterError> {
        let count = || ParameterError::Count {
            unit: self.name.into(),
            expected: self.expected(),
            found: given.len(),
        };
        if given.len() > self.parameters.len() {
            return Err(count());
        }
        self.complete(|at, _| given.get(at).copied(), |_| count())
    }

    /// [`check`](Self::check) for values by name, in any order; of a name given twice the last
    /// value counts.
    ///
    /// # Errors
    /// As [`check`](Self::check), and names that are unknown or missing.
    pub fn named(&self, pairs: &[(&str, usize)]) -> Result<Vec<usize>, ParameterError> {
        let (unit, expected) = (|| self.name.to_owned(), || self.expected());
        let known = |name: &str| self.parameters.iter().any(|p| p.name == name);
        if let Some((name, _)) = pairs.iter().find(|(name, _)| !known(name)) {
            let parameter = (*name).to_owned();
            return Err(ParameterError::Unknown {
                unit: unit(),
                parameter,
                expected: expected(),
            });
        }
        let value = |_, parameter: &Parameter| {
            let pair = pairs.iter().rev().find(|(name, _)| *name == parameter.name);
            pair.map(|(_, value)| *value)
        };
        self.complete(value, |missing| ParameterError::Missing {
            unit: unit(),
            parameter: missing.name.into(),
            expected: expected(),
        })
    }

    /// Each parameter's value or default, checked before the next one's range asks for it.
    fn complete(
        &self,
        given: impl Fn(usize, &Parameter) -> Option<usize>,
        missing: impl Fn(&Parameter) -> ParameterError,
    ) -> Result<Vec<usize>, ParameterError> {
        let mut values = Vec::with_capacity(self.parameters.len());
        for (at, parameter) in self.parameters.iter().enumerate() {
            let value = given(at, parameter)
                .or_else(|| Some(parameter.default?(&values)))
                .ok_or_else(|| missing(parameter))?;
            let range = (parameter.range)(&values);
            if !range.contains(&value) {
                let (unit, parameter) = (self.name.into(), parameter.name.into());
                return Err(ParameterError::OutOfRange {
                    unit,
                    parameter,
                    value,
                    range,
                });
            }
            values.push(value);
        }
        match (self.violated)(&values) {
            Some(what) => Err(ParameterError::Requirement {
                what: format!("{what}{}", self.named_in(what, &values)),
            }),
            None => Ok(values),
        }
    }

    /// The values of the parameters that a requirement names: `, but SETS=63`.
    fn named_in(&self, what: &str, values: &[usize]) -> String {
        let words: Vec<&str> = what
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let named = self.parameters.iter().zip(values);
        let named: Vec<String> = named
            .filter(|(parameter, _)| words.contains(&parameter.name))
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        match &named[..] {
            [] => String::new(),
            _ => format!(", but {}", named.join(", ")),
        }
    }

    /// The parameters' names in order, those with a default in brackets.
    fn expected(&self) -> String {
        let names = self.parameters.iter().map(|p| match p.default {
            None => p.name.to_owned(),
            Some(_) => format!("[{}]", p.name),
        });
        match self.parameters {
            [] => "no parameters".into(),
            _ => names.collect::<Vec<_>>().join(", "),
        }
    }
}

impl Definition {
    /// The unit with these parameters, under the name of an instance.
    ///
    /// # Errors
    /// As [`check`](Self::check), also of the parts.
    pub fn describe(&self, name: &str, given: &[usize]) -> Result<Description, ParameterError> {
        (self.make)(name, given)
    }
}

/// A signal or constant.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; elements of arrays end in `$0`, `$1`, ...
    pub name: String,
    /// What it is.
    pub kind: AtomKind,
    /// Width in bits.
    pub width: usize,
    /// It is a clock.
    pub clock: bool,
    /// A constant's value.
    pub value: BigUint,
}

/// A block with its fields and children.
#[derive(Clone, Debug)]
pub struct Description {
    /// Name of the instance.
    pub name: String,
    /// Signals and constants in order.
    pub fields: Vec<Field>,
    /// What it does.
    pub hdl: Verilog,
    /// The blocks inside, in order.
    pub children: Vec<Description>,
}

impl Description {
    /// Without fields.
    pub fn new(name: impl Into<String>, hdl: Verilog) -> Self {
        Description {
            name: name.into(),
            fields: vec![],
            hdl,
            children: vec![],
        }
    }

    /// Adds a signal.
    pub fn signal(&mut self, name: impl Into<String>, kind: AtomKind, width: usize, clock: bool) {
        self.fields.push(Field {
            name: name.into(),
            kind,
            width,
            clock,
            value: BigUint::ZERO,
        });
    }

    /// Adds a constant.
    pub fn constant(&mut self, name: impl Into<String>, width: usize, value: BigUint) {
        self.fields.push(Field {
            name: name.into(),
            kind: AtomKind::Constant,
            width,
            clock: false,
            value,
        });
    }

    /// Adds a flop.
    pub fn reg(&mut self, name: impl Into<String>, width: usize, init: BigUint) {
        let mut reg = Description::new(name, primitive::reg_of(width, &init));
        reg.signal("clock", AtomKind::InputParameter, 1, true);
        reg.signal("reset", AtomKind::InputParameter, 1, false);
        reg.signal("d", AtomKind::InputParameter, width, false);
        reg.signal("q", AtomKind::OutputParameter, width, false);
        self.children.push(reg);
    }

    /// Adds a RAM.
    pub fn ram(&mut self, name: impl Into<String>, width: usize, address: usize) {
        let mut ram = Description::new(name, primitive::ram());
        ram.signal("clock", AtomKind::InputParameter, 1, true);
        ram.signal("read_address", AtomKind::InputParameter, address, false);
        ram.signal("read_data", AtomKind::OutputParameter, width, false);
        ram.signal("write_enable", AtomKind::InputParameter, 1, false);
        ram.signal("write_address", AtomKind::InputParameter, address, false);
        ram.signal("write_data", AtomKind::InputParameter, width, false);
        self.children.push(ram);
    }

    /// Adds a block inside.
    pub fn child(&mut self, child: Description) {
        self.children.push(child);
    }

    /// Says who it is.
    pub fn about(&mut self, about: About) {
        use crate::hdl::Logic;
        self.children.push(Description::new("about", about.hdl()));
    }
}

/// As many ones.
pub fn ones(width: usize) -> BigUint {
    crate::graph::ones(width)
}
