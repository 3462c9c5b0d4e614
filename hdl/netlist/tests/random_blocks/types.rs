//! Types of signals, and signals whose type is known at run time.

use crate::support::ports::Encode;
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

/// Widths that random programs use: 1, the ends of the short form of `Bits`
/// (32 and 33), of a machine word (64 and 65), and some between and beyond.
pub const WIDTHS: [usize; 15] = [1, 2, 3, 4, 5, 8, 13, 16, 31, 32, 33, 40, 64, 65, 100];

/// `$body` with `$N` as a constant of that width.
macro_rules! with_width {
    ($width:expr, $N:ident => $body:expr) => {
        with_width!(@ $width, $N => $body; 1 2 3 4 5 8 13 16 31 32 33 40 64 65 100)
    };
    (@ $width:expr, $N:ident => $body:expr; $($w:literal)*) => {
        match $width {
            $($w => {
                const $N: usize = $w;
                $body
            })*
            other => unreachable!("no width {other}"),
        }
    };
}
pub(crate) use with_width;

/// Five values in three bits.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Mode {
    Off,
    Slow,
    Fast,
    Turbo,
    Broken,
}

/// All of them, by their encoding.
pub const MODES: [(Mode, &str); 5] = [
    (Mode::Off, "Off"),
    (Mode::Slow, "Slow"),
    (Mode::Fast, "Fast"),
    (Mode::Turbo, "Turbo"),
    (Mode::Broken, "Broken"),
];

/// A struct of 8 bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Small {
    pub flag: Bit,
    pub count: Bits<5>,
    pub rest: Bits<2>,
}

/// A struct of 40 bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Large {
    pub word: Bits<32>,
    pub mode: Mode,
    pub tail: Bits<5>,
}

/// Type of a signal or expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Clock,
    Bit,
    Bits(usize),
    Mode,
    Small,
    Large,
}

/// A field of a struct: name, type, position of its low bit.
pub type FieldOf = (&'static str, Ty, usize);

impl Ty {
    pub fn width(self) -> usize {
        match self {
            Ty::Clock | Ty::Bit => 1,
            Ty::Bits(w) => w,
            Ty::Mode => 3,
            Ty::Small => 8,
            Ty::Large => 40,
        }
    }

    /// Fields, if it is a struct. Positions come from the derive macro.
    pub fn fields(self) -> Vec<FieldOf> {
        let (small, large) = (Small::default(), Large::default());
        match self {
            Ty::Small => vec![
                ("flag", Ty::Bit, small.get_my_offset_flag()),
                ("count", Ty::Bits(5), small.get_my_offset_count()),
                ("rest", Ty::Bits(2), small.get_my_offset_rest()),
            ],
            Ty::Large => vec![
                ("word", Ty::Bits(32), large.get_my_offset_word()),
                ("mode", Ty::Mode, large.get_my_offset_mode()),
                ("tail", Ty::Bits(5), large.get_my_offset_tail()),
            ],
            _ => vec![],
        }
    }

    pub fn is_struct(self) -> bool {
        matches!(self, Ty::Small | Ty::Large)
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::Bits(w) => write!(f, "Bits<{w}>"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// A type that a signal of a random program can have.
pub trait Cell: Encode {
    /// The bits, by rust-hdl's own conversion.
    fn encode(self) -> BigUint;
    /// A field of the struct.
    fn field(self, field: &str) -> BigUint {
        unreachable!("no field {field}")
    }
    /// With a field of the struct replaced.
    fn with_field(self, field: &str, _value: &BigUint) -> Self {
        unreachable!("no field {field}")
    }
}

impl<const N: usize> Cell for Bits<N> {
    fn encode(self) -> BigUint {
        self.into()
    }
}

impl Cell for bool {
    fn encode(self) -> BigUint {
        u8::from(self).into()
    }
}

impl Cell for Clock {
    fn encode(self) -> BigUint {
        u8::from(self.clk).into()
    }
}

impl Encode for Mode {
    fn decode(bits: &BigUint) -> Self {
        MODES[usize::try_from(bits).expect("small")].0
    }
}

impl Cell for Mode {
    fn encode(self) -> BigUint {
        let bits: Bits<3> = self.into();
        bits.into()
    }
}

fn part<const N: usize>(bits: &BigUint, low: usize) -> Bits<N> {
    Bits::from((bits >> low) % (BigUint::from(1u8) << N))
}

impl Encode for Small {
    fn decode(bits: &BigUint) -> Self {
        Small {
            flag: bits.bit(0),
            count: part(bits, 1),
            rest: part(bits, 6),
        }
    }
}

impl Cell for Small {
    fn encode(self) -> BigUint {
        let bits: Bits<8> = self.into();
        bits.into()
    }
    fn field(self, field: &str) -> BigUint {
        match field {
            "flag" => self.flag.encode(),
            "count" => self.count.encode(),
            _ => self.rest.encode(),
        }
    }
    fn with_field(mut self, field: &str, value: &BigUint) -> Self {
        match field {
            "flag" => self.flag = bool::decode(value),
            "count" => self.count = Bits::decode(value),
            "rest" => self.rest = Bits::decode(value),
            other => unreachable!("no field {other}"),
        }
        self
    }
}

impl Encode for Large {
    fn decode(bits: &BigUint) -> Self {
        let mode: Bits<3> = part(bits, 32);
        Large {
            word: part(bits, 0),
            mode: Mode::decode(&mode.into()),
            tail: part(bits, 35),
        }
    }
}

impl Cell for Large {
    fn encode(self) -> BigUint {
        let bits: Bits<40> = self.into();
        bits.into()
    }
    fn field(self, field: &str) -> BigUint {
        match field {
            "word" => self.word.encode(),
            "mode" => self.mode.encode(),
            _ => self.tail.encode(),
        }
    }
    fn with_field(mut self, field: &str, value: &BigUint) -> Self {
        match field {
            "word" => self.word = Bits::decode(value),
            "mode" => self.mode = Mode::decode(value),
            "tail" => self.tail = Bits::decode(value),
            other => unreachable!("no field {other}"),
        }
        self
    }
}

/// `$body` with `$T` as the Rust type of a [`Ty`].
macro_rules! with_type {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            Ty::Clock => {
                type $T = cotenant_netlist::hdl::Clock;
                $body
            }
            Ty::Bit => {
                type $T = bool;
                $body
            }
            Ty::Mode => {
                type $T = crate::random_blocks::types::Mode;
                $body
            }
            Ty::Small => {
                type $T = crate::random_blocks::types::Small;
                $body
            }
            Ty::Large => {
                type $T = crate::random_blocks::types::Large;
                $body
            }
            Ty::Bits(width) => crate::random_blocks::types::with_width!(width, WIDTH => {
                type $T = cotenant_netlist::hdl::Bits<WIDTH>;
                $body
            }),
        }
    };
}
pub(crate) use with_type;

/// A signal or constant of any type.
pub trait Wire: Block {
    /// `val()`.
    fn get(&self) -> BigUint;
    /// `val().field`.
    fn get_field(&self, field: &str) -> BigUint;
    /// `next = value`.
    fn set(&mut self, value: &BigUint);
    /// `next.field = value`.
    fn set_field(&mut self, field: &str, value: &BigUint);
}

macro_rules! wires {
    ($($direction:ty),*) => {
        $(impl<T: Cell> Wire for Signal<$direction, T> {
            fn get(&self) -> BigUint {
                self.val().encode()
            }
            fn get_field(&self, field: &str) -> BigUint {
                self.val().field(field)
            }
            fn set(&mut self, value: &BigUint) {
                self.next = T::decode(value);
            }
            fn set_field(&mut self, field: &str, value: &BigUint) {
                self.next = self.next.with_field(field, value);
            }
        })*
    };
}
wires!(In, Out, Local);

impl<T: Cell> Wire for Constant<T> {
    fn get(&self) -> BigUint {
        self.val().encode()
    }
    fn get_field(&self, field: &str) -> BigUint {
        self.val().field(field)
    }
    fn set(&mut self, _: &BigUint) {
        unreachable!("a constant")
    }
    fn set_field(&mut self, field: &str, _: &BigUint) {
        unreachable!("field {field} of a constant")
    }
}
