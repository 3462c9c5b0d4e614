//! Interface of a storage primitive to the elaborator.
//!
//! A flop or a RAM is a rust-hdl block whose `update()` is ordinary Rust and
//! whose `hdl()` returns the text made here. The elaborator knows these two
//! and refuses any other `Verilog::Custom`.

use crate::hdl::{Verilog, VerilogLiteral};
use num_bigint::BigUint;

const REG: &str = "// cotenant:reg ";
const RAM: &str = "// cotenant:ram";

/// A storage primitive, as its block declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Declared {
    /// Flop with synchronous reset to this value.
    Reg(BigUint),
    /// RAM with synchronous read.
    Ram,
}

/// `hdl()` of a flop with the ports `clock`, `reset`, `d` and `q`.
///
/// At each rising edge `q` takes `d`, or `init` while `reset` is high. The
/// block must start with `q` at `init`, too.
pub fn reg(init: VerilogLiteral) -> Verilog {
    Verilog::Custom(format!("{REG}{init:x}"))
}

/// [`reg`] of a width that is known at run time only.
pub fn reg_of(width: usize, init: &BigUint) -> Verilog {
    Verilog::Custom(format!("{REG}{width}'h{init:x}"))
}

/// `hdl()` of a RAM with the ports `clock`, `read_address`, `read_data`,
/// `write_enable`, `write_address` and `write_data`.
///
/// Depth is two to the width of the addresses. At each rising edge
/// `read_data` takes the addressed word and, if `write_enable` is high, the
/// written word is stored. Reading the word that is being written gives an
/// undefined value in hardware; simulators return the old word.
pub fn ram() -> Verilog {
    Verilog::Custom(RAM.into())
}

/// Recognises the text of [`reg`] and [`ram`].
pub(crate) fn declared(custom: &str) -> Option<Declared> {
    if custom == RAM {
        return Some(Declared::Ram);
    }
    let (_, digits) = custom.strip_prefix(REG)?.split_once("'h")?;
    Some(Declared::Reg(BigUint::parse_bytes(digits.as_bytes(), 16)?))
}
