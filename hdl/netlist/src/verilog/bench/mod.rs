//! Testbenches for the exported design, which play [`vectors`](crate::vectors).

mod cpp;
mod verilog;

use super::{Design, Direction, Port};
use crate::graph::Op;
use crate::ir::{assigned, Body, Expr, ExprKind, Module, NetId, Stmt};
use crate::vectors::{Column, Header};
use crate::Netlist;
use num_bigint::BigUint;
use std::collections::HashSet;

/// Why no test bench can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// Before a reset the value of a flop is unknown.
    #[error("flop '{flop}' is not reset by an input: a test bench cannot tell when its value is defined")]
    NoReset {
        /// Hierarchical name of the flop.
        flop: String,
    },
    /// Before it is written the contents of a RAM are unknown.
    #[error("the design has RAM and no output 'ready' that tells when it is initialised")]
    NoReady,
    /// Vectors of another design.
    #[error("{kind} '{name}' is not {width} bits wide in both design and vectors")]
    Column {
        /// `input` or `output`.
        kind: &'static str,
        /// The port.
        name: String,
        /// Its width where it was found, in the vectors or else in the design.
        width: usize,
    },
}

/// Names of the flops that have no reset: their module gives them a value at the start. One whose
/// reset is 0 only in this design has none in its module's text.
fn self_started(module: &Module, path: &str, names: &mut HashSet<String>) {
    let zero = |reset: NetId| {
        let mut times = 0;
        assigned(&module.body, &mut |net| times += usize::from(net == reset));
        let tied = |stmt: &Stmt| {
            let Stmt::Assign(net, Expr { kind, .. }) = stmt else {
                return false;
            };
            *net == reset && *kind == ExprKind::Const(BigUint::ZERO)
        };
        times == 1 && module.body.iter().any(tied)
    };
    for child in &module.children {
        let dot = if path.is_empty() { "" } else { "." };
        let name = format!("{path}{dot}{}", child.name);
        match &child.body {
            Body::Module(inner) => self_started(inner, &name, names),
            Body::Reg { .. } if zero(child.port("reset")) => {
                names.insert(name);
            }
            _ => {}
        }
    }
}

/// When outputs can be compared.
struct Start {
    /// Inputs that must reset at a rising edge first.
    resets: Vec<String>,
    /// Output that must be high for the others to count.
    ready: Option<String>,
}

fn start(netlist: &Netlist, design: &Design) -> Result<Start, BenchError> {
    let verilog = |name: &str| {
        let port = design.ports.iter().find(|p| p.name == name);
        port.map(|p| signal(p).to_string())
    };
    let mut resets = vec![];
    let mut started = HashSet::new();
    self_started(netlist.module(), "", &mut started);
    for reg in &netlist.regs {
        if started.contains(&reg.name) {
            continue;
        }
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

/// What a testbench calls what it connects to a port: a port that is active low gets the inverse.
fn signal(port: &Port) -> &str {
    match port.active_low {
        true => &port.name,
        false => &port.verilog,
    }
}

/// A column of the vectors, and the port that it belongs to.
struct Value<'a> {
    port: &'a Port,
    /// What the testbench calls it.
    name: &'a str,
    width: usize,
    digits: usize,
}

/// The columns of one direction in their order; the clock has none.
fn values<'a>(
    design: &'a Design,
    columns: &[Column],
    direction: Direction,
) -> Result<Vec<Value<'a>>, BenchError> {
    let kind = match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    };
    let wrong = |name: &str, width| BenchError::Column {
        kind,
        name: name.into(),
        width,
    };
    let mine = |port: &&Port| port.direction == direction && !port.clock;
    let same =
        |port: &Port, column: &Column| port.name == column.name && port.width == column.width;
    let ports = || design.ports.iter().filter(mine);
    if let Some(port) = ports().find(|port| !columns.iter().any(|column| same(port, column))) {
        return Err(wrong(&port.name, port.width));
    }
    let values = columns.iter().map(|column| {
        let port = ports().find(|port| same(port, column));
        let port = port.ok_or_else(|| wrong(&column.name, column.width))?;
        Ok(Value {
            port,
            name: signal(port),
            width: column.width,
            digits: column.digits(),
        })
    });
    values.collect()
}

/// What both test benches are made of.
struct Bench<'a> {
    design: &'a Design,
    start: Start,
    inputs: Vec<Value<'a>>,
    outputs: Vec<Value<'a>>,
}

impl<'a> Bench<'a> {
    fn new(netlist: &Netlist, design: &'a Design, vectors: &Header) -> Result<Self, BenchError> {
        Ok(Self {
            design,
            start: start(netlist, design)?,
            inputs: values(design, &vectors.inputs, Direction::Input)?,
            outputs: values(design, &vectors.outputs, Direction::Output)?,
        })
    }

    /// Why a run that compared nothing did not.
    fn nothing(&self) -> String {
        match &self.start.ready {
            Some(ready) => format!("the vectors never reset, or {ready} never rose"),
            None => "the vectors never reset".into(),
        }
    }

    /// Resets during which outputs are not compared: they show an asynchronous one earlier than the
    /// vectors, which are of a reset at the clock's edge.
    fn not_compared(&self) -> &[String] {
        match self.design.asynchronous {
            true => &self.start.resets,
            false => &[],
        }
    }
}

/// A self-checking test bench in Verilog-2005, module `TOP_tb`.
///
/// It reads `TOP.vec`, whose columns `vectors` describes, drives at the falling edge of the clock,
/// compares all outputs before the rising edge, X included, and prints `PASS n cycles, m compared`
/// or `FAIL`. Comparison starts after the first cycle of reset; in a design with RAM, outputs count
/// while `ready` is high. A run that compared nothing fails.
///
/// # Errors
/// [`BenchError`] if it is unknown from which cycle on outputs are defined, or the vectors are
/// not this design's.
pub fn testbench(
    netlist: &Netlist,
    design: &Design,
    vectors: &Header,
) -> Result<String, BenchError> {
    Ok(verilog::text(&Bench::new(netlist, design, vectors)?))
}

/// A C++ program that plays the same vectors on Verilator's model.
///
/// It exits with 0 if all outputs are as expected, 1 if not, 2 if it could
/// not run.
///
/// # Errors
/// As [`testbench`].
pub fn verilator_main(
    netlist: &Netlist,
    design: &Design,
    vectors: &Header,
) -> Result<String, BenchError> {
    Ok(cpp::text(&Bench::new(netlist, design, vectors)?))
}
