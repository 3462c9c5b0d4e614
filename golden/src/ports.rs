//! Ports, registers and parameters of a model, described once at its structs.
//!
//! The derives of the same names as the traits make the implementations; their
//! [attributes](cotenant_golden_derive) give the widths.
//!
//! ```
//! use cotenant_golden::llc::{id_w, pos_w};
//! use cotenant_golden::ports::{Parameters, Port, Ports};
//!
//! #[derive(Parameters)]
//! struct Params {
//!     #[range(1..=64)]
//!     ways: usize,
//!     #[range(1..=8)]
//!     kernels: usize,
//! }
//!
//! #[derive(Ports)]
//! struct In {
//!     access_valid: bool,
//!     #[port(pos_w(p.ways))]
//!     access_pos: u8,
//!     #[port([id_w(p.kernels); p.ways])]
//!     stack_owner: Vec<u8>,
//! }
//!
//! let params = Params { ways: 4, kernels: 3 };
//! params.check_ranges()?;
//! assert_eq!(In::ports(&params)[2], Port::packed("stack_owner", 4, 2));
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

use std::fmt;

use crate::model::{ParamError, Violation};

mod unpack;

pub use cotenant_golden_derive::{Parameters, Ports, Registers};
pub use unpack::{Element, Unpacker};

/// An input or output port: `elements` values of `element_width` bits, element 0 in the low bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port {
    /// Its name, in Rust, in Verilog and in the golden model.
    pub name: &'static str,
    /// Number of values packed in it; 1 if it is not packed.
    pub elements: usize,
    /// Width of each in bits, 1 to 64.
    pub element_width: usize,
}

impl Port {
    /// A port that holds one value.
    pub const fn value(name: &'static str, width: usize) -> Self {
        Self::packed(name, 1, width)
    }

    /// A port that holds several values.
    pub const fn packed(name: &'static str, elements: usize, element_width: usize) -> Self {
        Self {
            name,
            elements,
            element_width,
        }
    }

    /// Width in bits.
    pub const fn width(&self) -> usize {
        self.elements * self.element_width
    }

    /// 64-bit words that its value takes.
    pub const fn words(&self) -> usize {
        self.width().div_ceil(64)
    }

    /// How an element is called: `victim_way`, `stack_owner[3]`.
    pub fn element_name(&self, element: usize) -> String {
        match self.elements {
            1 => self.name.into(),
            _ => format!("{}[{element}]", self.name),
        }
    }

    /// An element of the value in `words`.
    pub fn element(&self, words: &[u64], element: usize) -> u64 {
        match self.elements {
            // A port that is not packed is compared whole, whatever is in the word.
            1 => words[0],
            _ => bits(words, element * self.element_width, self.element_width),
        }
    }
}

/// Writes values one after the other into 64-bit words, each port or register from a new word.
#[derive(Debug)]
pub struct Packer<'a> {
    words: &'a mut [u64],
    at: usize,
}

impl<'a> Packer<'a> {
    /// Starts at the first word.
    pub fn new(words: &'a mut [u64]) -> Self {
        Self { words, at: 0 }
    }

    /// A port or register of one value.
    #[inline]
    pub fn value(&mut self, value: impl Into<u64>) {
        self.words[self.at] = value.into();
        self.at += 1;
    }

    /// A port of several values of `width` bits, 1 to 64.
    #[inline]
    pub fn elements<T: Into<u64>>(&mut self, width: usize, values: impl IntoIterator<Item = T>) {
        let (mut word, mut used) = (0, 0);
        for value in values {
            let value = value.into();
            word |= value << used;
            used += width;
            if used >= 64 {
                self.value(word);
                used -= 64;
                // What did not fit; a shift by the whole width is none.
                word = value.checked_shr((width - used) as u32).unwrap_or(0);
            }
        }
        if used > 0 {
            self.value(word);
        }
    }

    /// Each bit of a mask as a register of its own.
    #[inline]
    pub fn bits(&mut self, count: usize, mask: u64) {
        for bit in 0..count {
            self.value(mask >> bit & 1);
        }
    }

    /// Words written.
    pub fn written(&self) -> usize {
        self.at
    }
}

/// Width of a port as formulas over the parameters, which are written as outside (`WAYS`); names of
/// functions and constants are those of Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    /// The port's name.
    pub name: &'static str,
    /// Number of values packed in it: `WAYS`.
    pub elements: &'static str,
    /// Width of each: `id_w(KERNELS)`.
    pub element_width: &'static str,
}

impl Formula {
    /// Of a port.
    pub const fn of(
        name: &'static str,
        elements: &'static str,
        element_width: &'static str,
    ) -> Self {
        Self {
            name,
            elements,
            element_width,
        }
    }
}

/// Inputs or outputs as ports.
pub trait Ports<P>: Sized {
    /// In the order of the fields.
    fn ports(params: &P) -> Vec<Port>;
    /// Their widths as formulas, in the same order.
    fn formulas(params: &P) -> Vec<Formula>;
    /// The ports with the values in `words`, the inverse of [`pack`](Ports::pack).
    ///
    /// # Errors
    /// The first value that does not fit its port.
    fn unpack(params: &P, words: &mut Unpacker<'_>) -> Result<Self, Violation>;
    /// The values, each port from a new word.
    fn pack(&self, params: &P, words: &mut Packer<'_>);
    /// Whether every value fits its port.
    ///
    /// # Errors
    /// The first that does not.
    fn fits(&self, params: &P) -> Result<(), Violation>;
}

/// State as registers.
pub trait Registers<P> {
    /// Name, subscripts and width of each.
    fn registers(params: &P, each: &mut dyn FnMut(&str, &[usize], usize));
    /// Their values in the same order; of a struct in a struct with the inner name only.
    fn each(&self, params: &P, each: &mut impl FnMut(&'static str, &[usize], u64));
}

/// A parameter as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in capitals.
    pub name: &'static str,
    /// The smallest and the largest legal value; `None` where only the model knows.
    pub range: Option<(Bound, Bound)>,
}

/// An end of a parameter's range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// It is the same for all.
    Value(u64),
    /// It depends on other parameters: `pos_w(WAYS)`.
    Formula(&'static str),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => value.fmt(f),
            Self::Formula(formula) => f.write_str(formula),
        }
    }
}

/// The range of a parameter that chooses one of so many.
#[doc(hidden)]
pub fn codes(count: usize) -> (Bound, Bound) {
    (
        Bound::Value(0),
        Bound::Value(count.saturating_sub(1) as u64),
    )
}

/// Parameters by name.
pub trait Parameters: Sized {
    /// Names and ranges, in the order of the fields.
    fn described() -> Vec<Parameter>;

    /// Asks `value` for each by its name in capitals; `refused` tells of a number for which there
    /// is no such parameter.
    ///
    /// # Errors
    /// Those of `value` and `refused`.
    fn named<E>(
        value: impl Fn(&'static str) -> Result<usize, E>,
        refused: impl Fn(ParamError) -> E,
    ) -> Result<Self, E>;

    /// Whether each is in its range.
    ///
    /// # Errors
    /// The first that is not: of those whose range is fixed, then of the others.
    fn check_ranges(&self) -> Result<(), ParamError>;
}

/// A parameter in its range.
///
/// # Errors
/// It is outside.
#[doc(hidden)]
pub fn in_range(name: &'static str, value: u64, min: u64, max: u64) -> Result<(), ParamError> {
    ParamError::range(name, value, min, max)
}

/// The subscripts of a register within a struct, behind those of the struct.
#[doc(hidden)]
pub fn joined(outer: &[usize], inner: &[usize], act: impl FnOnce(&[usize])) {
    let (mut all, mut length) = ([0; 8], 0);
    for &subscript in outer.iter().chain(inner) {
        all[length] = subscript;
        length += 1;
    }
    act(&all[..length]);
}

/// A value in a port.
///
/// # Errors
/// It is too large.
#[doc(hidden)]
pub fn fits(port: &'static str, value: u64, width: usize) -> Result<(), Violation> {
    Violation::fits(port, value, width)
}

/// A mask in a port.
///
/// # Errors
/// It is too large.
#[doc(hidden)]
pub fn fits_mask(port: &'static str, value: u64, width: usize) -> Result<(), Violation> {
    Violation::mask(port, value, width)
}

/// Elements in a port.
///
/// # Errors
/// There are more or less, or one is too large.
#[doc(hidden)]
pub fn fit(
    port: &'static str,
    values: impl ExactSizeIterator<Item = u64>,
    count: usize,
    width: usize,
) -> Result<(), Violation> {
    Violation::length(port, values.len(), count)?;
    for (i, value) in values.enumerate() {
        Violation::fits((port, i), value, width)?;
    }
    Ok(())
}

/// `width` bits, 1 to 64, from bit `low` up.
pub fn bits(words: &[u64], low: usize, width: usize) -> u64 {
    let (word, shift) = (low / 64, low % 64);
    let mut value = words[word] >> shift;
    if shift + width > 64 {
        value |= words[word + 1] << (64 - shift);
    }
    value & (u64::MAX >> (64 - width))
}
