//! Test benches for the exported design, and the vectors that they play.
//!
//! Vectors are two text files with one line a cycle: what goes into the ports
//! and what must come out of them before the rising edge. Both are plain hex
//! for `$readmemh`; [`Packing`] says which port stands where.

mod cpp;
mod vectors;
mod verilog;

pub use vectors::VectorWriter;

use super::{Design, Direction, Port};
use crate::graph::Op;
use crate::Netlist;

/// Ports side by side in one word, the first in the low bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Name in Verilog, position of the lowest bit, width.
    pub fields: Vec<(String, usize, usize)>,
    /// Width of the word, at least 1.
    pub width: usize,
}

impl Packing {
    /// The data ports of one direction, in their order; the clock is none.
    pub fn of(design: &Design, direction: Direction) -> Packing {
        let mut low = 0;
        let mut fields = vec![];
        let mine = |p: &&Port| p.direction == direction && !p.clock;
        for port in design.ports.iter().filter(mine) {
            fields.push((port.verilog.clone(), low, port.width));
            low += port.width;
        }
        Packing {
            fields,
            width: low.max(1),
        }
    }

    /// Hex digits of a line.
    pub fn digits(&self) -> usize {
        self.width.div_ceil(4)
    }
}

/// Why no test bench can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// Until a reset nobody knows what a flop holds.
    #[error("flop '{flop}' is not reset by an input: a test bench cannot tell when its value is defined")]
    NoReset {
        /// Hierarchical name of the flop.
        flop: String,
    },
    /// Until it is written nobody knows what a RAM holds.
    #[error("the design has RAM and no output 'ready' that tells when it is initialised")]
    NoReady,
}

/// When outputs can be compared.
struct Start {
    /// Inputs (names in Verilog) that must be high at a rising edge first.
    resets: Vec<String>,
    /// Output that must be high for the others to count.
    ready: Option<String>,
}

fn start(netlist: &Netlist, design: &Design) -> Result<Start, BenchError> {
    let verilog = |name: &str| {
        design
            .ports
            .iter()
            .find(|p| p.name == name)
            .map(|p| p.verilog.clone())
    };
    let mut resets = vec![];
    for reg in &netlist.regs {
        let port = match netlist.graph.op(reg.reset) {
            Op::Input(i) => netlist
                .inputs
                .get(*i as usize)
                .and_then(|i| verilog(&i.name)),
            _ => None,
        };
        let port = port.ok_or_else(|| BenchError::NoReset {
            flop: reg.name.clone(),
        })?;
        if !resets.contains(&port) {
            resets.push(port);
        }
    }
    let ready = verilog("ready").filter(|_| !netlist.rams.is_empty());
    if ready.is_none() && !netlist.rams.is_empty() {
        return Err(BenchError::NoReady);
    }
    Ok(Start { resets, ready })
}

/// A self-checking test bench in Verilog-2005, module `TOP_tb`.
///
/// It reads `TOP_stimulus.hex` and `TOP_expected.hex` of `cycles` lines, drives
/// at the falling edge of the clock, compares all outputs before the rising
/// edge, X included, and prints `PASS n cycles` or `FAIL`. Comparison starts
/// after the first cycle of reset; in a design with RAM, outputs count while
/// `ready` is high.
///
/// # Errors
/// [`BenchError`] if nobody can tell from which cycle on outputs are defined.
pub fn testbench(netlist: &Netlist, design: &Design, cycles: u64) -> Result<String, BenchError> {
    Ok(verilog::text(design, &start(netlist, design)?, cycles))
}

/// A C++ program that plays the same vectors on Verilator's model.
///
/// It exits with 0 if all outputs are as expected, 1 if not, 2 if it could
/// not run.
///
/// # Errors
/// As [`testbench`].
pub fn verilator_main(netlist: &Netlist, design: &Design) -> Result<String, BenchError> {
    Ok(cpp::text(design, &start(netlist, design)?))
}
