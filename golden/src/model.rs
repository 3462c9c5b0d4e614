//! The interface of all behavioural models, which lockstep drives.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::Serialize;

use crate::ports::Parameters;
use crate::rules::Rules;

/// A behavioural model of one hardware unit, advanced a clock cycle at a time.
///
/// `In` has the unit's input ports as fields and `Out` its output ports; `State` has its
/// registers. Packed ports become sequences by element (element 0 is the low bits), masks over
/// ways or kernels become `u64` (bit *i* is way or kernel *i*).
///
/// ```
/// use cotenant_golden::llc::popcnt::{In, Params, Popcnt};
/// use cotenant_golden::Model;
///
/// let mut popcnt = Popcnt::new(Params { width: 4 })?;
/// assert_eq!(popcnt.step(&In { data: 0b1011 }).count, 3);
/// # Ok::<(), cotenant_golden::ParamError>(())
/// ```
pub trait Model: Sized {
    /// The unit's parameters, chosen at run time.
    type Params: Plain + Parameters;
    /// The input ports in one cycle. Sequential units carry `reset` among them.
    type In: Plain + Default;
    /// The output ports in one cycle.
    type Out: Plain;
    /// The registers, comparable with those of the hardware after every clock edge.
    type State: Plain;

    /// Whether there is a unit with these parameters; [`new`](Model::new) asks first.
    ///
    /// # Errors
    /// [`ParamError`] with the first that is illegal.
    fn legal(params: &Self::Params) -> Result<(), ParamError> {
        params.check_ranges()
    }

    /// A model in its reset state.
    ///
    /// # Errors
    /// [`ParamError`] when no such unit exists.
    fn new(params: Self::Params) -> Result<Self, ParamError>;

    /// The parameters the model was made with.
    fn params(&self) -> &Self::Params;

    /// Puts every register back to its reset value.
    fn reset(&mut self);

    /// One clock cycle: returns the outputs seen during the cycle, then passes the clock edge.
    ///
    /// Inputs outside [`assume`](Model::assume) never panic, but what they do is unspecified.
    fn step(&mut self, input: &Self::In) -> Self::Out;

    /// The registers as they are now, before the next edge.
    fn state(&self) -> &Self::State;

    /// What inputs are legal beyond fitting their ports, and what the registers hold. Of parts
    /// within the unit [`assume`](Model::assume) and their own rules tell.
    fn rules(params: &Self::Params) -> Rules<Self::In, Self::State>;

    /// Whether the unit may be driven with `input` in the present state.
    ///
    /// # Errors
    /// The first [`Violation`] found.
    fn assume(&self, input: &Self::In) -> Result<(), Violation>;
}

/// A model that larger ones contain: it can work on registers that are kept in theirs.
pub(crate) trait Part: Model {
    /// The registers that the model works on.
    fn registers(&mut self) -> &mut Self::State;

    /// Lets the model `act` on `state` in place of registers of its own.
    fn on<R>(&mut self, state: &mut Self::State, act: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(self.registers(), state);
        let result = act(self);
        std::mem::swap(self.registers(), state);
        result
    }
}

/// What the types of a [`Model`] can do: be compared, shown, stored and read back, by any thread.
pub trait Plain: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send {}
impl<T: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send> Plain for T {}

/// Parameters for which no unit exists.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[non_exhaustive]
pub enum ParamError {
    /// A parameter is outside its range.
    #[error("{name} is {value}, expected {min} to {max}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        value: u64,
        /// The smallest legal value.
        min: u64,
        /// The largest legal value.
        max: u64,
    },
    /// A parameter that must be a power of two is none.
    #[error("{name} is {value}, expected a power of two: the {why}")]
    NotPowerOfTwo {
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        value: u64,
        /// What depends on it.
        why: &'static str,
    },
    /// A parameter must be a multiple of another one.
    #[error("{name} is {value}, expected a multiple of {of}, which is {divisor}")]
    NotMultiple {
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        value: u64,
        /// The parameter that must divide it.
        of: &'static str,
        /// The value of that parameter.
        divisor: u64,
    },
    /// A parameter is none of the values that there are.
    #[error("{name} is {value}, expected one of {}", listed(known))]
    NotOneOf {
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        value: u64,
        /// The legal values.
        known: Vec<u64>,
    },
    /// A parameter with a name is one that does not fit here.
    #[error("{name} is {value}, expected {expected}")]
    Unfit {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: &'static str,
        /// What fits, and why.
        expected: &'static str,
    },
    /// The registers that software sees have no room for it.
    #[error("{why}")]
    NoRoom {
        /// What there is no room for.
        why: String,
    },
}

/// Numbers with commas between them.
fn listed(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(", ")
}

impl ParamError {
    /// `Ok` when `value` lies in `min..=max`.
    pub(crate) fn range(name: &'static str, value: u64, min: u64, max: u64) -> Result<(), Self> {
        if (min..=max).contains(&value) {
            Ok(())
        } else {
            Err(Self::OutOfRange {
                name,
                value,
                min,
                max,
            })
        }
    }

    /// `Ok` when `value` is a power of two; `why` says what depends on it.
    pub(crate) fn power_of_two(
        name: &'static str,
        value: u64,
        why: &'static str,
    ) -> Result<(), Self> {
        match value.is_power_of_two() {
            true => Ok(()),
            false => Err(Self::NotPowerOfTwo { name, value, why }),
        }
    }

    /// `Ok` when `value` is a multiple of `divisor`, which is what `of` says.
    pub(crate) fn multiple(
        name: &'static str,
        value: u64,
        of: &'static str,
        divisor: u64,
    ) -> Result<(), Self> {
        match value % divisor {
            0 => Ok(()),
            _ => Err(Self::NotMultiple {
                name,
                value,
                of,
                divisor,
            }),
        }
    }
}

/// An input port, or one element of a packed one; shown as `access_pos` or `stack_owner[3]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The port's name.
    pub name: &'static str,
    /// The element within a packed port.
    pub index: Option<usize>,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => f.write_str(self.name),
            Some(index) => write!(f, "{}[{index}]", self.name),
        }
    }
}

impl From<&'static str> for Field {
    fn from(name: &'static str) -> Self {
        Self { name, index: None }
    }
}

impl From<(&'static str, usize)> for Field {
    fn from((name, index): (&'static str, usize)) -> Self {
        Self {
            name,
            index: Some(index),
        }
    }
}

/// An input that the unit may not be driven with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[non_exhaustive]
pub enum Violation {
    /// A port carries a value above its legal maximum.
    #[error("{field} is {value}, expected at most {max}")]
    TooLarge {
        /// The port.
        field: Field,
        /// What it carries.
        value: u64,
        /// The largest legal value.
        max: u64,
    },
    /// A mask has bits beyond the port's width.
    #[error("{field} is {value:#x}, expected no bit from {width} up")]
    UnusedBits {
        /// The port.
        field: Field,
        /// What it carries.
        value: u64,
        /// The port's width.
        width: usize,
    },
    /// A packed port has too many or too few elements.
    #[error("{field} has {len} elements, expected {expected}")]
    WrongLength {
        /// The port.
        field: Field,
        /// How many elements it has.
        len: usize,
        /// How many it must have.
        expected: usize,
    },
    /// A port carries a value below its legal minimum.
    #[error("{field} is {value}, expected at least {min}")]
    TooSmall {
        /// The port.
        field: Field,
        /// What it carries.
        value: u64,
        /// The smallest legal value.
        min: u64,
    },
    /// Two inputs that exclude each other are both high.
    #[error("{field} and {other} are both high, expected at most one of them")]
    Exclusive {
        /// The one port.
        field: Field,
        /// The other port.
        other: &'static str,
    },
    /// Something starts or ends that cannot in the present state.
    #[error("{field} is high while {state}, expected it low then")]
    NotNow {
        /// The port.
        field: Field,
        /// What rules it out.
        state: &'static str,
    },
    /// A hit names a way or position that holds no valid line.
    #[error("{field} is {value}, which holds no valid line, expected a hit to name a valid one")]
    HitOnInvalid {
        /// The port.
        field: Field,
        /// The way or position that it names.
        value: u64,
    },
    /// Inputs break a rule that speaks of several.
    #[error("{field} is {value}, which breaks a rule: {rule}")]
    Rule {
        /// The first port that the rule speaks of.
        field: Field,
        /// What it carries.
        value: u64,
        /// The rule.
        rule: &'static str,
    },
}

impl Violation {
    /// The port at fault.
    pub fn field(&self) -> Field {
        match self {
            Self::TooLarge { field, .. }
            | Self::UnusedBits { field, .. }
            | Self::WrongLength { field, .. }
            | Self::TooSmall { field, .. }
            | Self::Exclusive { field, .. }
            | Self::NotNow { field, .. }
            | Self::HitOnInvalid { field, .. }
            | Self::Rule { field, .. } => *field,
        }
    }

    /// `Ok` when `value < bound`.
    pub(crate) fn below(field: impl Into<Field>, value: u64, bound: usize) -> Result<(), Self> {
        if value < bound as u64 {
            Ok(())
        } else {
            Err(Self::TooLarge {
                field: field.into(),
                value,
                max: bound as u64 - 1,
            })
        }
    }

    /// `Ok` when `value >= min`.
    pub(crate) fn at_least(field: impl Into<Field>, value: u64, min: u64) -> Result<(), Self> {
        if value >= min {
            Ok(())
        } else {
            Err(Self::TooSmall {
                field: field.into(),
                value,
                min,
            })
        }
    }

    /// `Ok` unless the port is `high` although the present `state` does not let it.
    pub(crate) fn only_if(
        may: bool,
        field: impl Into<Field>,
        high: bool,
        state: &'static str,
    ) -> Result<(), Self> {
        if high && !may {
            let field = field.into();
            return Err(Self::NotNow { field, state });
        }
        Ok(())
    }

    /// `Ok` when `value` fits a port of `width` bits (at least 1).
    pub(crate) fn fits(field: impl Into<Field>, value: u64, width: usize) -> Result<(), Self> {
        match limit(width) {
            max if value > max => Err(Self::TooLarge {
                field: field.into(),
                value,
                max,
            }),
            _ => Ok(()),
        }
    }

    /// `Ok` when the mask `value` has no bit from `width` up.
    pub(crate) fn mask(field: impl Into<Field>, value: u64, width: usize) -> Result<(), Self> {
        if value <= limit(width) {
            Ok(())
        } else {
            Err(Self::UnusedBits {
                field: field.into(),
                value,
                width,
            })
        }
    }

    /// `Ok` when a packed port has `expected` elements.
    pub(crate) fn length(field: impl Into<Field>, len: usize, expected: usize) -> Result<(), Self> {
        if len == expected {
            Ok(())
        } else {
            Err(Self::WrongLength {
                field: field.into(),
                len,
                expected,
            })
        }
    }
}

/// The largest value of `width` bits, `width` in 1..=64.
pub(crate) const fn limit(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

#[cfg(test)]
mod tests {
    //! Messages are read by people who look for the one wrong value: they must name it.
    use super::*;

    #[test]
    fn messages_name_field_value_and_expectation() {
        let violation = Violation::below(("stack_owner", 3), 9, 4).unwrap_err();
        assert_eq!(
            violation.to_string(),
            "stack_owner[3] is 9, expected at most 3"
        );
        assert_eq!(
            violation.field(),
            Field {
                name: "stack_owner",
                index: Some(3)
            }
        );
        let error = ParamError::range("ways", 0, 1, 64).unwrap_err();
        assert_eq!(error.to_string(), "ways is 0, expected 1 to 64");
    }

    #[test]
    fn limits_at_both_ends_of_the_width_range() {
        assert_eq!((limit(1), limit(8), limit(64)), (1, 255, u64::MAX));
    }
}
