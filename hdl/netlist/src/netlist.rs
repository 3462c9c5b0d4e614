//! The elaborated design, from which simulation, Verilog export and analysis all work.

use crate::error::Warning;
use crate::graph::{Graph, NodeId};
use crate::ir::Module;
use num_bigint::BigUint;
use std::rc::Rc;

/// A data input of the top block; the clock is not among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Port name.
    pub name: String,
    /// Width in bits.
    pub width: usize,
}

/// An output of the top block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Port name.
    pub name: String,
    /// Its value.
    pub node: NodeId,
}

/// A flop, clocked by the rising edge of the one clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reg {
    /// Hierarchical name below the top block: `matrix.count[3][2]`.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// Value at power-up in a simulation, and after reset.
    pub init: BigUint,
    /// Its value.
    pub q: NodeId,
    /// What it takes while reset is low.
    pub d: NodeId,
    /// Synchronous reset, one bit.
    pub reset: NodeId,
    /// What it takes at the next edge: `init` if `reset`, else `d`.
    pub next: NodeId,
}

/// A RAM with one synchronous read and one write port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ram {
    /// Hierarchical name below the top block.
    pub name: String,
    /// Width of the addresses; depth is two to this.
    pub address_width: usize,
    /// Width of a word.
    pub width: usize,
    /// The read data register's value.
    pub data: NodeId,
    /// Address of the word read at the edge.
    pub read_address: NodeId,
    /// One bit: write at the edge.
    pub write_enable: NodeId,
    /// Address of the word written.
    pub write_address: NodeId,
    /// The word written.
    pub write_data: NodeId,
}

/// A named signal anywhere in the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Hierarchical name below the top block.
    pub name: String,
    /// Its value.
    pub node: NodeId,
    /// Names of the values, if it is an enum.
    pub variants: Option<Rc<Vec<String>>>,
}

/// An elaborated design.
#[derive(Clone, Debug)]
pub struct Netlist {
    pub(crate) module: Rc<Module>,
    /// The expressions.
    pub graph: Graph,
    /// Data inputs in the order of the ports; [`crate::graph::Op::Input`] counts them.
    pub inputs: Vec<Input>,
    /// Outputs in the order of the ports.
    pub outputs: Vec<Output>,
    /// Flops; [`crate::graph::Op::Reg`] counts them.
    pub regs: Vec<Reg>,
    /// RAMs; [`crate::graph::Op::RamData`] counts them.
    pub rams: Vec<Ram>,
    /// Every named signal that carries data, by name.
    pub signals: Vec<Signal>,
    /// What is probably not meant.
    pub warnings: Vec<Warning>,
    /// Name of the clock input, if there is one.
    pub clock: Option<String>,
}

impl Netlist {
    /// The top block in its typed form.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Everything that a cycle computes: outputs, next values, RAM ports.
    pub fn roots(&self) -> Vec<NodeId> {
        let mut roots: Vec<NodeId> = self.outputs.iter().map(|o| o.node).collect();
        roots.extend(self.regs.iter().map(|r| r.next));
        for ram in &self.rams {
            roots.extend([
                ram.read_address,
                ram.write_enable,
                ram.write_address,
                ram.write_data,
            ]);
        }
        roots
    }

    /// The nodes that matter, operands first.
    pub fn live(&self) -> Vec<NodeId> {
        self.graph.order(self.roots())
    }

    /// Whether a flop has no reset, and starts at its value instead.
    pub(crate) fn never_resets(&self, reg: &Reg) -> bool {
        let reset = self.graph.op(reg.reset);
        matches!(reset, crate::graph::Op::Const(value) if value == &BigUint::ZERO)
    }

    /// A named signal.
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        let at = self
            .signals
            .binary_search_by(|s| s.name.as_str().cmp(name))
            .ok()?;
        self.signals.get(at)
    }
}
