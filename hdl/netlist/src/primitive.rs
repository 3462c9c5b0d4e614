//! Interface of a storage primitive to the elaborator.
//!
//! A flop or a RAM is a rust-hdl block whose `update()` is ordinary Rust and
//! whose `hdl()` returns the text made here. The elaborator knows these two,
//! and the flops and the RAM of rust-hdl-widgets by the text of theirs; any
//! other `Verilog::Custom` is refused.

use crate::hdl::{Verilog, VerilogLiteral};
use num_bigint::BigUint;

const REG: &str = "// cotenant:reg ";
const RAM: &str = "// cotenant:ram";

/// A storage primitive, as its block declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Declared {
    /// Flop.
    Reg {
        /// Value at power-up and after reset.
        init: BigUint,
        /// The clock's port.
        clock: &'static str,
        /// Whether there is a synchronous reset; a widget has none.
        resets: bool,
    },
    /// RAM with synchronous read.
    Ram {
        /// The clocks' ports; a widget has one for reading and one for writing.
        clocks: &'static [&'static str],
    },
}

/// What a widget's flop has behind its value at power-up, by the clock's port.
const WIDGET_FLOPS: [(&str, &str); 2] = [
    ("clock", "always @(posedge clock) begin q <= d; end"),
    ("clk", "always @(posedge clk) q <= d;"),
];

/// What the widget's RAM has behind the declaration of its words, if they start with any.
const WIDGET_RAM: &str = "always @(posedge read_clock) begin read_data <= mem[read_address]; end \
    always @(posedge write_clock) begin if (write_enable) begin \
    mem[write_address] <= write_data; end end";

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

/// Recognises the text of [`reg`] and [`ram`], and that of the widgets.
pub(crate) fn declared(custom: &str) -> Option<Declared> {
    if custom == RAM {
        return Some(Declared::Ram { clocks: &["clock"] });
    }
    match custom.strip_prefix(REG) {
        Some(init) => Some(Declared::Reg {
            init: value(init)?,
            clock: "clock",
            resets: true,
        }),
        None => widget(&words(custom)),
    }
}

/// A literal's value.
fn value(literal: &str) -> Option<BigUint> {
    let (_, digits) = literal.split_once("'h")?;
    BigUint::parse_bytes(digits.as_bytes(), 16)
}

/// The text with one space between words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn widget(text: &str) -> Option<Declared> {
    if let Some(declared) = text.strip_prefix("reg[") {
        let (_, behind) = declared.split_once("; ")?;
        let clocks = &["read_clock", "write_clock"];
        return (behind == WIDGET_RAM).then_some(Declared::Ram { clocks });
    }
    let init = text.strip_prefix("initial begin q = ")?;
    let (init, behind) = init.split_once("; end ")?;
    let (clock, _) = WIDGET_FLOPS.iter().find(|(_, text)| *text == behind)?;
    Some(Declared::Reg {
        init: value(init)?,
        clock,
        resets: false,
    })
}

/// What to write instead of this hand-written Verilog.
pub(crate) fn instead(custom: &str) -> &'static str {
    let text = words(custom);
    if text.starts_with("always @* case (address)") {
        return "put the words into an array of Constants and select one in a `for`, with an `if` \
                on the address";
    }
    if text.starts_with("reg[") && text.contains(" initial begin") {
        return "write the words into a Ram after reset; words that never change may be an array of \
                Constants, with a Reg behind it";
    }
    "use the primitives Reg and Ram, or write the block with #[hdl_gen]"
}
