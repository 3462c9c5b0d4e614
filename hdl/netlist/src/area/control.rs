//! Enables and synchronous resets of flops.
//!
//! An FPGA's flop has both, so a multiplexer in front of it that holds its
//! value or sets it to its reset value needs no look-up table. Yosys finds
//! them in the multiplexers of the text (`opt_dff`); this does the same in
//! those of the graph.

use super::sums;
use crate::blast::{Gates, Lit};
use crate::graph::{Graph, NodeId, Op};
use crate::Netlist;
use std::collections::HashMap;

/// A flop's bit with its control inputs; reset has priority over enable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlopBit {
    /// What it takes while enabled and not reset.
    pub d: Lit,
    /// It keeps its value while this is low.
    pub enable: Lit,
    /// It takes `value` while this is high.
    pub reset: Lit,
    /// Reset value.
    pub value: bool,
}

/// One bit of a node.
type Bit = (NodeId, usize);

/// Finds controls; made once per netlist.
pub(crate) struct Controls<'a> {
    graph: &'a Graph,
    uses: Vec<u32>,
    /// How often a node selects in a multiplexer: a conjunction with such a
    /// node was a multiplexer with a constant.
    selects: HashMap<NodeId, usize>,
}

/// What drives a bit.
enum Driver {
    Constant(bool),
    /// Selector, then, else.
    Mux(NodeId, Source, Source),
    Other,
}

/// An input of a multiplexer.
#[derive(Clone, Copy)]
enum Source {
    Constant(bool),
    Bit(Bit),
}

impl<'a> Controls<'a> {
    pub fn new(netlist: &'a Netlist) -> Self {
        let graph = &netlist.graph;
        let mut selects = HashMap::new();
        for node in netlist.live() {
            if let Op::Mux(select, ..) = graph.op(node) {
                *selects.entry(*select).or_default() += 1;
            }
        }
        let uses = sums::uses(netlist);
        Controls {
            graph,
            uses,
            selects,
        }
    }

    /// The bit behind slices and concatenations.
    fn source(&self, (mut node, mut bit): Bit) -> Bit {
        loop {
            match self.graph.op(node) {
                Op::Slice(of, low) => (node, bit) = (*of, *low as usize + bit),
                Op::Cat(parts) => {
                    for &part in parts {
                        node = part;
                        match bit.checked_sub(self.graph.width(part)) {
                            Some(rest) => bit = rest,
                            None => break,
                        }
                    }
                }
                _ => return (node, bit),
            }
        }
    }

    fn driver(&self, bit: Bit) -> Driver {
        let (node, bit) = self.source(bit);
        let at = |n: &NodeId| Source::Bit((*n, bit));
        match self.graph.op(node) {
            Op::Const(value) => Driver::Constant(value.bit(bit as u64)),
            Op::Mux(..) if sums::counted_up(self.graph, &self.uses, node).is_some() => {
                Driver::Other
            }
            Op::Mux(select, then, otherwise) => Driver::Mux(*select, at(then), at(otherwise)),
            Op::And(a, b) => self.gate(*a, *b, false),
            Op::Or(a, b) => self.gate(*a, *b, true),
            _ => Driver::Other,
        }
    }

    /// A conjunction (or disjunction) of which one operand is a selector.
    fn gate(&self, a: NodeId, b: NodeId, or: bool) -> Driver {
        if self.graph.width(a) != 1 {
            return Driver::Other;
        }
        let selector = |n: NodeId| match self.graph.op(n) {
            Op::Not(inner) => (*inner, true),
            _ => (n, false),
        };
        let known = [(a, b), (b, a)].map(|(x, other)| {
            let (select, inverted) = selector(x);
            let uses = self.selects.get(&select).copied().unwrap_or(0);
            (uses, select, inverted, other)
        });
        let best = if known[1].0 > known[0].0 {
            known[1]
        } else {
            known[0]
        };
        let (uses, select, inverted, other) = best;
        if uses == 0 {
            return Driver::Other;
        }
        let (constant, other) = (Source::Constant(or), Source::Bit((other, 0)));
        // The constant is taken where the operand decides alone.
        if inverted == or {
            Driver::Mux(select, other, constant)
        } else {
            Driver::Mux(select, constant, other)
        }
    }

    /// The bit of a flop with what its multiplexers say of enable and reset.
    ///
    /// `bits` are the literals of all nodes.
    pub fn flop(
        &self,
        gates: &mut impl Gates,
        bits: &[Vec<Lit>],
        netlist: &Netlist,
        (index, bit): (usize, usize),
    ) -> FlopBit {
        let reg = &netlist.regs[index];
        let value = reg.init.bit(bit as u64);
        let lit = |n: NodeId| bits[n.index()][0];
        let mut reset = lit(reg.reset);
        let mut d = Source::Bit((reg.d, bit));
        // Multiplexers with the reset value, from the flop backwards.
        while let Source::Bit(at) = d {
            let Driver::Mux(select, then, otherwise) = self.driver(at) else {
                break;
            };
            let select = lit(select);
            if self.is_constant(then, value) {
                reset = gates.or(reset, select);
                d = otherwise;
            } else if self.is_constant(otherwise, value) {
                reset = gates.or(reset, !select);
                d = then;
            } else {
                break;
            }
        }
        let q = bits[reg.q.index()][bit];
        let hold = self.hold(gates, bits, d, q);
        let d = self.without(gates, bits, d, q).unwrap_or(q);
        FlopBit {
            d,
            enable: !hold,
            reset,
            value,
        }
    }

    fn is_constant(&self, source: Source, value: bool) -> bool {
        match source {
            Source::Constant(v) => v == value,
            Source::Bit(bit) => matches!(self.driver(bit), Driver::Constant(v) if v == value),
        }
    }

    fn literal(&self, bits: &[Vec<Lit>], source: Source) -> Lit {
        match source {
            Source::Constant(false) => Lit::FALSE,
            Source::Constant(true) => Lit::TRUE,
            Source::Bit((node, bit)) => bits[node.index()][bit],
        }
    }

    /// When the multiplexers lead back to `q`.
    fn hold(&self, gates: &mut impl Gates, bits: &[Vec<Lit>], source: Source, q: Lit) -> Lit {
        if self.literal(bits, source) == q {
            return Lit::TRUE;
        }
        let Source::Bit(at) = source else {
            return Lit::FALSE;
        };
        let Driver::Mux(select, then, otherwise) = self.driver(at) else {
            return Lit::FALSE;
        };
        let select = bits[select.index()][0];
        let then = self.hold(gates, bits, then, q);
        let otherwise = self.hold(gates, bits, otherwise, q);
        gates.mux(select, then, otherwise)
    }

    /// The value where it does not come from `q`, which may then be any.
    fn without(
        &self,
        gates: &mut impl Gates,
        bits: &[Vec<Lit>],
        source: Source,
        q: Lit,
    ) -> Option<Lit> {
        let whole = self.literal(bits, source);
        if whole == q {
            return None;
        }
        let Source::Bit(at) = source else {
            return Some(whole);
        };
        let Driver::Mux(select, then, otherwise) = self.driver(at) else {
            return Some(whole);
        };
        let select = bits[select.index()][0];
        let then = self.without(gates, bits, then, q);
        let otherwise = self.without(gates, bits, otherwise, q);
        match (then, otherwise) {
            (Some(a), Some(b)) => Some(gates.mux(select, a, b)),
            (one, other) => one.or(other),
        }
    }
}
