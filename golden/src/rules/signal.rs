//! Ports and registers as operands of formulas.

use std::fmt;

use crate::model::Field;
use crate::Inline;

/// An input port, or an element of a packed one; see [`input!`](crate::input).
pub struct Input<I> {
    /// How it is called.
    pub field: Field,
    /// Its value.
    get: fn(&I, &[usize]) -> u64,
}

/// A register; see [`register!`](crate::register).
pub struct Register<S> {
    /// The golden model's name, with a pair of brackets for each subscript: `count[][]`.
    pub name: &'static str,
    /// The subscripts.
    pub at: Vec<usize>,
    /// The one bit of it that is meant, if not all are.
    pub bit: Option<usize>,
    /// The output port, or the element of one, that shows it in every cycle.
    pub shown: Option<Field>,
    /// Its value.
    get: fn(&S, &[usize]) -> u64,
}

impl<I> Input<I> {
    /// A port, or the element `at` of one; `get` reads it and is given the element's number.
    pub fn new(name: &'static str, at: Option<usize>, get: fn(&I, &[usize]) -> u64) -> Self {
        let field = Field { name, index: at };
        Self { field, get }
    }

    /// Its value.
    pub fn read(&self, input: &I) -> u64 {
        (self.get)(input, self.field.index.as_slice())
    }
}

impl<S> Register<S> {
    /// A register by its name and subscripts; `get` reads it and is given the subscripts.
    pub fn new(name: &'static str, at: Vec<usize>, get: fn(&S, &[usize]) -> u64) -> Self {
        let (bit, shown) = (None, None);
        Self {
            name,
            at,
            bit,
            shown,
            get,
        }
    }

    /// A bit of it.
    #[must_use]
    pub fn bit(self, bit: usize) -> Self {
        let bit = Some(bit);
        Self { bit, ..self }
    }

    /// The same, shown by an output port.
    #[must_use]
    pub fn shown(self, output: impl Into<Field>) -> Self {
        let shown = Some(output.into());
        Self { shown, ..self }
    }

    /// Its value.
    pub fn read(&self, state: &S) -> u64 {
        let value = (self.get)(state, &self.at);
        self.bit.map_or(value, |bit| value.at(&[bit]))
    }
}

impl<I> Clone for Input<I> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<S> Clone for Register<S> {
    fn clone(&self) -> Self {
        Self {
            at: self.at.clone(),
            ..*self
        }
    }
}

impl<I> fmt::Debug for Input<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.field.fmt(f)
    }
}

impl<S> fmt::Debug for Register<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.name, self.at)
    }
}

/// What a port or register holds: a value, bits of it, or values by subscript.
pub trait Word {
    /// The value at these subscripts; without any, or with one of a mask's bits, that of a number.
    fn at(&self, subscripts: &[usize]) -> u64;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Word for $number {
            fn at(&self, subscripts: &[usize]) -> u64 {
                let value = u64::from(*self);
                match subscripts {
                    [] => value,
                    [bit, ..] => value.checked_shr(*bit as u32).unwrap_or(0) & 1,
                }
            }
        })*
    };
}
numbers!(bool, u8, u16, u32, u64);

impl<T: Word> Word for [T] {
    fn at(&self, subscripts: &[usize]) -> u64 {
        let [first, inner @ ..] = subscripts else {
            return 0;
        };
        self.get(*first).map_or(0, |element| element.at(inner))
    }
}

impl<T: Word> Word for Vec<T> {
    fn at(&self, subscripts: &[usize]) -> u64 {
        self[..].at(subscripts)
    }
}

impl<T: Word, const N: usize> Word for Inline<T, N> {
    fn at(&self, subscripts: &[usize]) -> u64 {
        self[..].at(subscripts)
    }
}

/// An input port in a rule: `input!(access_kid)`, an element or bit of it `input!(stack_owner[i])`.
/// The type of the inputs must be in scope as `In`.
#[macro_export]
macro_rules! input {
    ($port:ident) => {
        $crate::rules::Value::Input($crate::rules::Input::new(
            stringify!($port),
            None,
            |input: &In, at| $crate::rules::Word::at(&input.$port, at),
        ))
    };
    ($port:ident[$at:expr]) => {
        $crate::rules::Value::Input($crate::rules::Input::new(
            stringify!($port),
            Some($at),
            |input: &In, at| $crate::rules::Word::at(&input.$port, at),
        ))
    };
}

/// A register in a rule: `register!(last)`, `register!(way[i])`, and which output port shows it, if
/// one does: `register!(way[i] as stack_way)`; of one in a struct `register!(in_flight[i].valid)`;
/// a bit of one `register!(active.bit(i))`. The type of the registers must be in scope as `State`.
#[macro_export]
macro_rules! register {
    ($register:ident) => {
        $crate::rules::Value::Register($crate::rules::Register::new(
            stringify!($register),
            vec![],
            |state: &State, at| $crate::rules::Word::at(&state.$register, at),
        ))
    };
    ($register:ident as $output:ident) => {
        $crate::rules::Value::Register(
            $crate::rules::Register::new(stringify!($register), vec![], |state: &State, at| {
                $crate::rules::Word::at(&state.$register, at)
            })
            .shown(stringify!($output)),
        )
    };
    ($register:ident.bit($bit:expr)) => {
        $crate::rules::Value::Register(
            $crate::rules::Register::new(stringify!($register), vec![], |state: &State, at| {
                $crate::rules::Word::at(&state.$register, at)
            })
            .bit($bit),
        )
    };
    ($register:ident[$at:expr]) => {
        $crate::rules::Value::Register($crate::rules::Register::new(
            concat!(stringify!($register), "[]"),
            vec![$at],
            |state: &State, at| $crate::rules::Word::at(&state.$register, at),
        ))
    };
    ($register:ident[$at:expr] as $output:ident) => {
        $crate::rules::Value::Register(
            $crate::rules::Register::new(
                concat!(stringify!($register), "[]"),
                vec![$at],
                |state: &State, at| $crate::rules::Word::at(&state.$register, at),
            )
            .shown((stringify!($output), $at)),
        )
    };
    ($register:ident[$at:expr].$field:ident) => {
        $crate::rules::Value::Register($crate::rules::Register::new(
            concat!(stringify!($register), "[].", stringify!($field)),
            vec![$at],
            |state: &State, at| {
                let part = state.$register.get(at[0]);
                part.map_or(0, |part| $crate::rules::Word::at(&part.$field, &at[1..]))
            },
        ))
    };
    ($register:ident[$row:expr][$column:expr]) => {
        $crate::rules::Value::Register($crate::rules::Register::new(
            concat!(stringify!($register), "[][]"),
            vec![$row, $column],
            |state: &State, at| $crate::rules::Word::at(&state.$register, at),
        ))
    };
}
