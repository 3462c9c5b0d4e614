//! Derives for a golden model's structs, which are the one description of its parameters, ports
//! and registers: their names and order are those of the fields, their widths stand at the fields.
//!
//! | derive | on | attributes of fields | implements |
//! | --- | --- | --- | --- |
//! | [`Parameters`] | `Params` | `#[range(min..=max)]` | parameters by name, their ranges |
//! | [`Ports`] | `In`, `Out` | `#[port(shape)]` | names and widths, packing, what fits |
//! | [`Registers`] | `State` | `#[register(shape)]` | names, subscripts and widths, values |
//!
//! Formulas are Rust over the parameters, which are `p` in them. A shape is a width in bits, or an
//! array of shapes:
//!
//! | shape | field | what it is |
//! | --- | --- | --- |
//! | none | `bool` | one bit |
//! | `width` | `bool`, `u8` to `u64` | a value of so many bits |
//! | `[width; n]` | a sequence | n values, element 0 lowest in a port |
//! | `[1; n]` | `u8` to `u64` | a mask of n bits |
//! | `[[width; n]; m]` | a sequence of sequences | m times n registers |
//! | `nested` | a struct with the same derive | its ports or registers |
//! | `nested(params)` | likewise | the same, of other parameters |
//! | `[nested; n]` | a sequence of such structs | the registers of n of them |
//! | `skip` | anything | no register of its own |
//!
//! A field that is there for some parameters only is an `Option`: `#[register(shape, when = ..)]`.
//!
//! The type of the parameters is `Params` unless `#[ports(Type)]` or `#[registers(Type)]` names
//! another one, or several; `_` stands for any.
//!
//! Mistakes are told at the field or attribute where they are.

mod formula;
mod parameters;
mod ports;
mod registers;
mod shape;
mod structs;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Parameters by name, a field `ways` as `WAYS`, and their ranges: `#[range(min..=max)]`, where the
/// bounds may depend on other parameters, which are checked first.
///
/// Fields are `usize`, `u64`, `bool` (any number but 0 is true), or types that are made of a
/// number by `TryFrom<usize, Error = ParamError>`.
#[proc_macro_derive(Parameters, attributes(range))]
pub fn parameters(input: TokenStream) -> TokenStream {
    structs::derive(input.into(), parameters::implement).into()
}

/// Ports and their values; see [the shapes](crate).
#[proc_macro_derive(Ports, attributes(port, ports))]
pub fn ports(input: TokenStream) -> TokenStream {
    structs::derive(input.into(), ports::implement).into()
}

/// Registers and their values; see [the shapes](crate).
#[proc_macro_derive(Registers, attributes(register, registers))]
pub fn registers(input: TokenStream) -> TokenStream {
    structs::derive(input.into(), registers::implement).into()
}
