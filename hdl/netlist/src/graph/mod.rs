//! The flat expression graph of a netlist: hash-consed, folded, bit-exact.
//!
//! Nodes are values of a fixed width. Equal expressions are one node. The
//! constructors simplify: constants fold, slices move to the leaves,
//! concatenations are kept in a normal form.

mod simplify;

use num_bigint::BigUint;
use std::collections::HashMap;

/// Index of a node in a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes; operands have the node's width unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Op {
    /// A constant.
    Const(BigUint),
    /// Value of the input with this index.
    Input(u32),
    /// Value of the flop with this index.
    Reg(u32),
    /// Read data register of the RAM with this index.
    RamData(u32),
    /// A net that is not resolved yet; only during elaboration.
    Leaf(u32),
    /// Bitwise not.
    Not(NodeId),
    /// Bitwise and.
    And(NodeId, NodeId),
    /// Bitwise or.
    Or(NodeId, NodeId),
    /// Bitwise exclusive or.
    Xor(NodeId, NodeId),
    /// Sum modulo two to the width.
    Add(NodeId, NodeId),
    /// Difference modulo two to the width.
    Sub(NodeId, NodeId),
    /// Product modulo two to the width.
    Mul(NodeId, NodeId),
    /// One bit: operands of equal width are equal.
    Eq(NodeId, NodeId),
    /// One bit: the first is less than the second, unsigned.
    Less(NodeId, NodeId),
    /// Shift left by the second operand, of any width; past the width: zero.
    Shl(NodeId, NodeId),
    /// Shift right by the second operand, of any width; past the width: zero.
    Shr(NodeId, NodeId),
    /// The second if the first (one bit) is set, else the third.
    Mux(NodeId, NodeId, NodeId),
    /// Bits of a wider operand from this position.
    Slice(NodeId, u32),
    /// Operands side by side, the first in the low bits.
    Cat(Vec<NodeId>),
    /// One bit: parity of an operand of any width.
    Parity(NodeId),
}

impl Op {
    /// The operands in order.
    pub fn operands(&self) -> Vec<NodeId> {
        use Op::*;
        match self {
            Const(_) | Input(_) | Reg(_) | RamData(_) | Leaf(_) => vec![],
            Not(a) | Slice(a, _) | Parity(a) => vec![*a],
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Eq(a, b)
            | Less(a, b)
            | Shl(a, b)
            | Shr(a, b) => vec![*a, *b],
            Mux(c, a, b) => vec![*c, *a, *b],
            Cat(parts) => parts.clone(),
        }
    }
}

/// Hash-consed nodes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    ops: Vec<Op>,
    widths: Vec<u32>,
    known: HashMap<(Op, u32), NodeId>,
    /// Multiplexers stay as written.
    literal: bool,
}

/// All ones.
pub fn ones(width: usize) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

impl Graph {
    /// A graph that keeps multiplexers as they are written: neither sums nor
    /// trees of them are made of conditions, which pays in a simulator only.
    pub fn literal() -> Graph {
        Graph {
            literal: true,
            ..Graph::default()
        }
    }

    /// Number of nodes, dead ones included.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// No node yet.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// What a node computes.
    pub fn op(&self, node: NodeId) -> &Op {
        &self.ops[node.index()]
    }

    /// Width of a node in bits.
    pub fn width(&self, node: NodeId) -> usize {
        self.widths[node.index()] as usize
    }

    /// The value of a constant node.
    pub fn value(&self, node: NodeId) -> Option<&BigUint> {
        match self.op(node) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The node of this operation, without simplification.
    ///
    /// Operand widths are the caller's duty; faults are injected this way.
    pub fn raw(&mut self, op: Op, width: usize) -> NodeId {
        let key = (op, width as u32);
        if let Some(&node) = self.known.get(&key) {
            return node;
        }
        let node = NodeId(self.ops.len() as u32);
        self.ops.push(key.0.clone());
        self.widths.push(key.1);
        self.known.insert(key, node);
        node
    }

    /// The node of this operation, if there is one.
    pub fn find(&self, op: &Op, width: usize) -> Option<NodeId> {
        self.known.get(&(op.clone(), width as u32)).copied()
    }

    /// A constant; bits beyond the width are dropped.
    pub fn constant(&mut self, value: impl Into<BigUint>, width: usize) -> NodeId {
        let value = value.into();
        let value = if value.bits() as usize > width {
            value & ones(width)
        } else {
            value
        };
        self.raw(Op::Const(value), width)
    }

    /// The nodes that `roots` depend on, operands before their users.
    pub fn order(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        self.ordered(&mut roots.into_iter())
    }

    fn ordered(&self, roots: &mut dyn Iterator<Item = NodeId>) -> Vec<NodeId> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        // Explicit stack: chains can be deeper than the thread's.
        let mut stack: Vec<(NodeId, bool)> = Vec::new();
        for root in roots {
            stack.push((root, false));
            while let Some((node, done)) = stack.pop() {
                if done {
                    order.push(node);
                } else if !std::mem::replace(&mut seen[node.index()], true) {
                    stack.push((node, true));
                    stack.extend(
                        self.op(node)
                            .operands()
                            .into_iter()
                            .rev()
                            .map(|n| (n, false)),
                    );
                }
            }
        }
        order
    }
}
