//! The plainest evaluator of a netlist there is: one big integer per node.

use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

/// A netlist with its state.
pub struct Naive<'a> {
    netlist: &'a Netlist,
    /// Values of the flops.
    pub regs: Vec<BigUint>,
    words: Vec<Vec<BigUint>>,
    read: Vec<BigUint>,
    values: Vec<BigUint>,
    order: Vec<NodeId>,
}

fn modulo(value: BigUint, width: usize) -> BigUint {
    value % (BigUint::from(1u8) << width)
}

impl<'a> Naive<'a> {
    /// At power-up: flops at their reset values, RAMs zero.
    pub fn new(netlist: &'a Netlist) -> Self {
        let named = netlist.signals.iter().map(|s| s.node);
        Naive {
            netlist,
            regs: netlist.regs.iter().map(|r| r.init.clone()).collect(),
            words: netlist
                .rams
                .iter()
                .map(|r| vec![BigUint::ZERO; 1 << r.address_width])
                .collect(),
            read: netlist.rams.iter().map(|_| BigUint::ZERO).collect(),
            values: vec![BigUint::ZERO; netlist.graph.len()],
            order: netlist.graph.order(named.chain(netlist.roots())),
        }
    }

    /// Computes every node from the inputs and the state.
    pub fn evaluate(&mut self, inputs: &[BigUint]) {
        for i in 0..self.order.len() {
            let node = self.order[i];
            self.values[node.index()] = self.node(node, inputs);
        }
    }

    fn node(&self, node: NodeId, inputs: &[BigUint]) -> BigUint {
        let width = self.netlist.graph.width(node);
        let bit = BigUint::from;
        let v = |n: &NodeId| &self.values[n.index()];
        let amount = |n: &NodeId| usize::try_from(v(n)).unwrap_or(usize::MAX);
        let size = BigUint::from(1u8) << width;
        match self.netlist.graph.op(node) {
            Op::Const(value) => value.clone(),
            Op::Input(k) => inputs[*k as usize].clone(),
            Op::Reg(k) => self.regs[*k as usize].clone(),
            Op::RamData(k) => self.read[*k as usize].clone(),
            Op::Not(a) => size - 1u8 - v(a),
            Op::And(a, b) => v(a) & v(b),
            Op::Or(a, b) => v(a) | v(b),
            Op::Xor(a, b) => v(a) ^ v(b),
            Op::Add(a, b) => modulo(v(a) + v(b), width),
            Op::Sub(a, b) => modulo(v(a) + size - v(b), width),
            Op::Mul(a, b) => modulo(v(a) * v(b), width),
            Op::Eq(a, b) => bit(u8::from(v(a) == v(b))),
            Op::Less(a, b) => bit(u8::from(v(a) < v(b))),
            Op::Shl(a, b) if amount(b) < width => modulo(v(a) << amount(b), width),
            Op::Shr(a, b) if amount(b) < width => v(a) >> amount(b),
            Op::Shl(..) | Op::Shr(..) => BigUint::ZERO,
            Op::Mux(c, a, b) => if v(c) == &bit(1) { v(a) } else { v(b) }.clone(),
            Op::Slice(a, low) => modulo(v(a) >> *low, width),
            Op::Cat(parts) => parts.iter().rev().fold(BigUint::ZERO, |acc, part| {
                (acc << self.netlist.graph.width(*part)) + v(part)
            }),
            Op::Parity(a) => bit((v(a).count_ones() % 2) as u8),
            other => panic!("{other:?} in an elaborated netlist"),
        }
    }

    /// Value of a node as of the last [`Naive::evaluate`].
    pub fn value(&self, node: NodeId) -> &BigUint {
        &self.values[node.index()]
    }

    /// Values of the outputs.
    pub fn outputs(&self) -> Vec<BigUint> {
        self.netlist
            .outputs
            .iter()
            .map(|o| self.value(o.node).clone())
            .collect()
    }

    /// The clock edge.
    pub fn edge(&mut self) {
        self.regs = self
            .netlist
            .regs
            .iter()
            .map(|r| self.value(r.next).clone())
            .collect();
        for (k, ram) in self.netlist.rams.iter().enumerate() {
            let at = |n| usize::try_from(&self.values[NodeId::index(n)]).expect("an address");
            self.read[k] = self.words[k][at(ram.read_address)].clone();
            if self.values[ram.write_enable.index()].bit(0) {
                self.words[k][at(ram.write_address)] = self.values[ram.write_data.index()].clone();
            }
        }
    }
}
