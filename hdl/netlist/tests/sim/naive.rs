//! The obviously correct evaluator: one number per node, no order but the graph's.

use cotenant_netlist::graph::{ones, NodeId, Op};
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

/// A design's state, and how it goes on.
pub struct Naive<'a> {
    netlist: &'a Netlist,
    pub inputs: Vec<BigUint>,
    pub regs: Vec<BigUint>,
    pub read_data: Vec<BigUint>,
    pub rams: Vec<Vec<BigUint>>,
    pending: Vec<BigUint>,
}

impl<'a> Naive<'a> {
    pub fn new(netlist: &'a Netlist) -> Naive<'a> {
        Naive {
            netlist,
            inputs: vec![BigUint::ZERO; netlist.inputs.len()],
            regs: netlist.regs.iter().map(|r| r.init.clone()).collect(),
            read_data: vec![BigUint::ZERO; netlist.rams.len()],
            pending: Vec::new(),
            rams: netlist
                .rams
                .iter()
                .map(|r| vec![BigUint::ZERO; 1 << r.address_width])
                .collect(),
        }
    }

    /// Values of these nodes, and of all that they depend on.
    pub fn values(&self, roots: &[NodeId]) -> Vec<BigUint> {
        let graph = &self.netlist.graph;
        let mut values = vec![BigUint::ZERO; graph.len()];
        for node in graph.order(roots.iter().copied()) {
            values[node.index()] = self.value(node, &values);
        }
        roots.iter().map(|r| values[r.index()].clone()).collect()
    }

    fn value(&self, node: NodeId, values: &[BigUint]) -> BigUint {
        let graph = &self.netlist.graph;
        let width = graph.width(node);
        let of = |n: &NodeId| values[n.index()].clone();
        let flag = |b: bool| BigUint::from(u8::from(b));
        let shift = |n: &NodeId| usize::try_from(of(n)).unwrap_or(usize::MAX);
        let value = match graph.op(node) {
            Op::Const(v) => v.clone(),
            Op::Input(k) => self.inputs[*k as usize].clone(),
            Op::Reg(k) => self.regs[*k as usize].clone(),
            Op::RamData(k) => self.read_data[*k as usize].clone(),
            Op::Not(a) => of(a) ^ ones(width),
            Op::And(a, b) => of(a) & of(b),
            Op::Or(a, b) => of(a) | of(b),
            Op::Xor(a, b) => of(a) ^ of(b),
            Op::Add(a, b) => of(a) + of(b),
            Op::Sub(a, b) => of(a) + (BigUint::from(1u8) << width) - of(b),
            Op::Mul(a, b) => of(a) * of(b),
            Op::Eq(a, b) => flag(of(a) == of(b)),
            Op::Less(a, b) => flag(of(a) < of(b)),
            Op::Shl(a, by) if shift(by) < width => of(a) << shift(by),
            Op::Shr(a, by) if shift(by) < width => of(a) >> shift(by),
            Op::Shl(..) | Op::Shr(..) => BigUint::ZERO,
            Op::Mux(c, a, b) => {
                if of(c) == flag(true) {
                    of(a)
                } else {
                    of(b)
                }
            }
            Op::Slice(a, low) => of(a) >> *low,
            Op::Cat(parts) => parts.iter().rev().fold(BigUint::ZERO, |high, part| {
                (high << graph.width(*part)) | of(part)
            }),
            Op::Parity(a) => flag(of(a).count_ones() % 2 == 1),
            other => panic!("{other:?} in an elaborated design"),
        };
        value & ones(width)
    }

    pub fn outputs(&self) -> Vec<BigUint> {
        let roots: Vec<NodeId> = self.netlist.outputs.iter().map(|o| o.node).collect();
        self.values(&roots)
    }

    /// The clock edge.
    pub fn edge(&mut self) {
        let next: Vec<NodeId> = self.netlist.regs.iter().map(|r| r.next).collect();
        let next = self.values(&next);
        for (k, ram) in self.netlist.rams.iter().enumerate() {
            let ports = [
                ram.read_address,
                ram.write_enable,
                ram.write_address,
                ram.write_data,
            ];
            let ports = self.values(&ports);
            // All ports first: one RAM's data may address the other.
            let read = usize::try_from(&ports[0]).unwrap();
            let write = usize::try_from(&ports[2]).unwrap();
            let old = self.rams[k][read].clone();
            if ports[1] == BigUint::from(1u8) {
                self.rams[k][write] = ports[3].clone();
            }
            self.pending.push(old);
        }
        self.read_data = std::mem::take(&mut self.pending);
        self.regs = next;
    }
}
