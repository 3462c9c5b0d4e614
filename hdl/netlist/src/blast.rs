//! Bit-blasting: the netlist as an and-inverter graph.
//!
//! Leaves are the bits of inputs, flops and RAM read data; roots are the bits
//! of outputs, next values and RAM ports. Equal gates are one gate. What
//! proves equivalence ([`crate::blif`]) and what estimates area reads this.

use crate::graph::{Graph, NodeId, Op};
use crate::Netlist;
use std::collections::HashMap;

/// A variable of an [`Aig`], inverted or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// Constant 0.
    pub const FALSE: Lit = Lit(0);
    /// Constant 1.
    pub const TRUE: Lit = Lit(1);

    /// A variable as it is.
    pub(crate) fn positive(variable: usize) -> Lit {
        Lit((variable as u32) << 1)
    }

    /// Number of the variable; 0 is the constant.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// It is the variable's inverse.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A bit that comes from outside the combinational logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// Bit of [`Netlist::inputs`].
    Input(usize, usize),
    /// Bit of [`Netlist::regs`].
    Reg(usize, usize),
    /// Read data bit of [`Netlist::rams`].
    RamData(usize, usize),
}

/// Where a port of a RAM goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RamPort {
    /// Address to read.
    ReadAddress,
    /// Write at the edge.
    WriteEnable,
    /// Address to write.
    WriteAddress,
    /// Word to write.
    WriteData,
}

/// A bit that leaves the combinational logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Bit of [`Netlist::outputs`].
    Output(usize, usize),
    /// Bit that a flop takes at the edge, reset included.
    Next(usize, usize),
    /// Bit of a port of [`Netlist::rams`].
    Ram(usize, RamPort, usize),
}

/// An and-inverter graph.
///
/// Variable 0 is constant 0, then come the leaves, then the gates, each after
/// its operands.
#[derive(Clone, Debug, Default)]
pub struct Aig {
    /// The leaves in order: inputs, flops, RAMs.
    pub leaves: Vec<Leaf>,
    /// The gates: conjunctions of two literals.
    pub gates: Vec<[Lit; 2]>,
    /// The roots in order: outputs, flops, RAMs.
    pub roots: Vec<(Root, Lit)>,
    known: HashMap<[Lit; 2], Lit>,
}

impl Aig {
    /// Blasts a netlist; only what its roots need.
    pub fn new(netlist: &Netlist) -> Aig {
        let mut aig = Aig::default();
        let mut first = Vec::new();
        for (i, input) in netlist.inputs.iter().enumerate() {
            first.push(aig.add_leaves(input.width, |bit| Leaf::Input(i, bit)));
        }
        let regs = first.len();
        for (i, reg) in netlist.regs.iter().enumerate() {
            first.push(aig.add_leaves(reg.width, |bit| Leaf::Reg(i, bit)));
        }
        let rams = first.len();
        for (i, ram) in netlist.rams.iter().enumerate() {
            first.push(aig.add_leaves(ram.width, |bit| Leaf::RamData(i, bit)));
        }
        let mut bits: Vec<Vec<Lit>> = vec![vec![]; netlist.graph.len()];
        for node in netlist.live() {
            let leaf = match netlist.graph.op(node) {
                Op::Input(i) => Some(first[*i as usize].clone()),
                Op::Reg(i) => Some(first[regs + *i as usize].clone()),
                Op::RamData(i) => Some(first[rams + *i as usize].clone()),
                _ => None,
            };
            bits[node.index()] = leaf.unwrap_or_else(|| aig.node(&netlist.graph, node, &bits));
        }
        let mut roots = vec![];
        let mut add = |node: NodeId, root: &dyn Fn(usize) -> Root| {
            roots.extend(
                bits[node.index()]
                    .iter()
                    .enumerate()
                    .map(|(bit, lit)| (root(bit), *lit)),
            );
        };
        for (i, output) in netlist.outputs.iter().enumerate() {
            add(output.node, &|bit| Root::Output(i, bit));
        }
        for (i, reg) in netlist.regs.iter().enumerate() {
            add(reg.next, &|bit| Root::Next(i, bit));
        }
        for (i, ram) in netlist.rams.iter().enumerate() {
            add(ram.read_address, &|bit| {
                Root::Ram(i, RamPort::ReadAddress, bit)
            });
            add(ram.write_enable, &|bit| {
                Root::Ram(i, RamPort::WriteEnable, bit)
            });
            add(ram.write_address, &|bit| {
                Root::Ram(i, RamPort::WriteAddress, bit)
            });
            add(ram.write_data, &|bit| Root::Ram(i, RamPort::WriteData, bit));
        }
        aig.roots = roots;
        aig
    }

    pub(crate) fn add_leaves(&mut self, width: usize, leaf: impl Fn(usize) -> Leaf) -> Vec<Lit> {
        let from = self.leaves.len() + 1;
        self.leaves.extend((0..width).map(leaf));
        (from..from + width).map(Lit::positive).collect()
    }

    /// Drops all gates but the first ones.
    pub(crate) fn shorten(&mut self, gates: usize) {
        for pair in self.gates.drain(gates..) {
            self.known.remove(&pair);
        }
    }
}

/// A conjunction that is no gate.
pub(crate) fn trivial_and(a: Lit, b: Lit) -> Option<Lit> {
    match [a.min(b), a.max(b)] {
        [Lit::FALSE, _] => Some(Lit::FALSE),
        [Lit::TRUE, other] => Some(other),
        [x, y] if x == y => Some(x),
        [x, y] if x == !y => Some(Lit::FALSE),
        _ => None,
    }
}

impl Gates for Aig {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(lit) = trivial_and(a, b) {
            return lit;
        }
        let pair = [a.min(b), a.max(b)];
        if let Some(&lit) = self.known.get(&pair) {
            return lit;
        }
        let lit = Lit::positive(self.leaves.len() + 1 + self.gates.len());
        self.gates.push(pair);
        self.known.insert(pair, lit);
        lit
    }
}

/// What builds gates: all operations follow from the conjunction.
pub(crate) trait Gates {
    /// `a & b`.
    fn and(&mut self, a: Lit, b: Lit) -> Lit;

    /// `a | b`.
    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ^ b`.
    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (neither, both) = (self.and(!a, !b), self.and(a, b));
        self.and(!neither, !both)
    }

    /// `a` if `c`, else `b`.
    fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let (x, y) = (self.and(c, a), self.and(!c, b));
        self.or(x, y)
    }

    /// Conjunction of all, balanced.
    fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            let pairs: Vec<Vec<Lit>> = lits.chunks(2).map(<[Lit]>::to_vec).collect();
            lits = pairs
                .into_iter()
                .map(|p| p.iter().skip(1).fold(p[0], |a, b| self.and(a, *b)))
                .collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    /// Sum and carries of `a + b + carry`.
    fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut out = vec![];
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            out.push(self.xor(half, carry));
            let (generated, passed) = (self.and(x, y), self.and(half, carry));
            carry = self.or(generated, passed);
        }
        (out, carry)
    }

    /// Product modulo two to the width.
    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut total = vec![Lit::FALSE; a.len()];
        for (i, &bit) in b.iter().enumerate() {
            let mut row = vec![Lit::FALSE; i];
            row.extend(a[..a.len() - i].iter().map(|&x| self.and(x, bit)));
            total = self.sum(&total, &row, Lit::FALSE).0;
        }
        total
    }

    /// Barrel shifter; `left` towards the high bits.
    fn shifted(&mut self, a: &[Lit], by: &[Lit], left: bool) -> Vec<Lit> {
        let width = a.len();
        let mut out = a.to_vec();
        let mut far = vec![];
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            if stage >= usize::BITS as usize || distance >= width {
                far.push(!bit);
                continue;
            }
            out = (0..width)
                .map(|i| {
                    let from = if left {
                        i.checked_sub(distance)
                    } else {
                        Some(i + distance)
                    };
                    let moved = from.and_then(|k| out.get(k)).copied().unwrap_or(Lit::FALSE);
                    self.mux(bit, moved, out[i])
                })
                .collect();
        }
        let near = self.all(far);
        out.into_iter().map(|lit| self.and(lit, near)).collect()
    }

    /// The bits of a node, from those of its operands.
    fn node(&mut self, graph: &Graph, node: NodeId, bits: &[Vec<Lit>]) -> Vec<Lit> {
        let of = |n: &NodeId| -> &[Lit] { &bits[n.index()] };
        let width = graph.width(node);
        match graph.op(node) {
            Op::Const(v) => (0..width)
                .map(|i| {
                    if v.bit(i as u64) {
                        Lit::TRUE
                    } else {
                        Lit::FALSE
                    }
                })
                .collect(),
            Op::Not(a) => of(a).iter().map(|&x| !x).collect(),
            Op::And(a, b) => of(a)
                .iter()
                .zip(of(b))
                .map(|(&x, &y)| self.and(x, y))
                .collect(),
            Op::Or(a, b) => of(a)
                .iter()
                .zip(of(b))
                .map(|(&x, &y)| self.or(x, y))
                .collect(),
            Op::Xor(a, b) => of(a)
                .iter()
                .zip(of(b))
                .map(|(&x, &y)| self.xor(x, y))
                .collect(),
            Op::Add(a, b) => self.sum(of(a), of(b), Lit::FALSE).0,
            Op::Sub(a, b) => {
                let inverse: Vec<Lit> = of(b).iter().map(|&x| !x).collect();
                self.sum(of(a), &inverse, Lit::TRUE).0
            }
            Op::Mul(a, b) => self.product(of(a), of(b)),
            Op::Eq(a, b) => {
                let same: Vec<Lit> = of(a)
                    .iter()
                    .zip(of(b))
                    .map(|(&x, &y)| !self.xor(x, y))
                    .collect();
                vec![self.all(same)]
            }
            Op::Less(a, b) => {
                // a < b where a - b borrows.
                let inverse: Vec<Lit> = of(b).iter().map(|&x| !x).collect();
                vec![!self.sum(of(a), &inverse, Lit::TRUE).1]
            }
            Op::Shl(a, by) => self.shifted(of(a), of(by), true),
            Op::Shr(a, by) => self.shifted(of(a), of(by), false),
            Op::Mux(c, a, b) => {
                let c = of(c)[0];
                of(a)
                    .iter()
                    .zip(of(b))
                    .map(|(&x, &y)| self.mux(c, x, y))
                    .collect()
            }
            Op::Slice(a, low) => of(a)[*low as usize..*low as usize + width].to_vec(),
            Op::Cat(parts) => parts.iter().flat_map(|p| of(p).to_vec()).collect(),
            Op::Parity(a) => {
                vec![of(a).iter().fold(Lit::FALSE, |odd, &x| self.xor(odd, x))]
            }
            // Leaves of a finished netlist were handled before.
            Op::Input(_) | Op::Reg(_) | Op::RamData(_) | Op::Leaf(_) => vec![Lit::FALSE; width],
        }
    }
}
