//! Display of signals in viewers: radix and colours.

use crate::scope::Kind;

/// Digits of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Radix {
    /// Masks.
    Binary,
    /// Counts.
    Decimal,
    /// Numbers in two's complement.
    Signed,
    /// Addresses, tags, packed values.
    Hexadecimal,
    /// Characters of ASCII, the last in the low bits.
    Text,
}

impl Radix {
    /// How GTKWave shows a signal unless told otherwise (tried with 3.3.118): integers and
    /// parameters as signed decimals, others of up to 3 bits in binary, wider ones in hexadecimal.
    pub(crate) fn default_of(kind: Kind, width: u32) -> Self {
        match kind {
            Kind::Integer | Kind::Parameter if width <= 64 => Radix::Signed,
            _ if width <= 3 => Radix::Binary,
            _ => Radix::Hexadecimal,
        }
    }
}

/// Colour of a trace, in GTKWave's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Blue,
    Indigo,
    Violet,
}

impl Colour {
    /// GTKWave's number, 1 to 7.
    pub(crate) fn gtkwave(self) -> u8 {
        self as u8 + 1
    }

    /// Name of the nearest colour that Surfer's themes have.
    pub(crate) fn surfer(self) -> &'static str {
        match self {
            Colour::Red | Colour::Orange => "Red",
            Colour::Yellow => "Yellow",
            Colour::Green => "Green",
            Colour::Blue | Colour::Indigo | Colour::Violet => "Blue",
        }
    }
}
