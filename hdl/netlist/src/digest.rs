//! Digest of a netlist: equal for netlists with the same logic, whatever their text and the order
//! in which they were built.

use crate::graph::{NodeId, Op};
use crate::netlist::Netlist;
use sha2::{Digest, Sha256};

impl Netlist {
    /// A digest of inputs, outputs, state and logic: 16 hexadecimal digits, the same on every
    /// machine.
    ///
    /// It does not depend on the order in which blocks were elaborated: flops and RAMs count by
    /// their names, and the two operands of a commutative operation by what they compute. Logic
    /// that moves into a part of its own, with its flops left where they are, keeps its digest.
    pub fn digest(&self) -> String {
        let mut nodes: Vec<[u8; 32]> = vec![[0; 32]; self.graph.len()];
        for node in self.live() {
            nodes[node.index()] = self.node_digest(node, &nodes);
        }
        let of = |node: NodeId| hex(&nodes[node.index()]);
        let mut lines = Vec::new();
        for output in &self.outputs {
            lines.push(format!("out {} {}", output.name, of(output.node)));
        }
        for input in &self.inputs {
            lines.push(format!("in {} {}", input.name, input.width));
        }
        for reg in &self.regs {
            lines.push(format!("reg {} {:x} {}", reg.name, reg.init, of(reg.next)));
        }
        for ram in &self.rams {
            let ports = [
                ram.read_address,
                ram.write_enable,
                ram.write_address,
                ram.write_data,
            ]
            .map(of);
            let (name, address) = (&ram.name, ram.address_width);
            lines.push(format!("ram {name} {address} {}", ports.join(" ")));
        }
        // Ports have an order, flops and RAMs do not.
        lines[self.outputs.len() + self.inputs.len()..].sort();
        let mut hash = Sha256::new();
        lines
            .iter()
            .for_each(|line| hash.update(format!("{line}\n")));
        // Enough to tell all netlists of a project apart, and short enough for a table.
        hex(&hash.finalize()[..8])
    }

    fn node_digest(&self, node: NodeId, nodes: &[[u8; 32]]) -> [u8; 32] {
        let op = self.graph.op(node);
        let label = match op {
            Op::Const(value) => format!("const {value:x}"),
            Op::Input(k) => format!("input {}", self.inputs[*k as usize].name),
            Op::Reg(k) => format!("reg {}", self.regs[*k as usize].name),
            Op::RamData(k) => format!("ram {}", self.rams[*k as usize].name),
            Op::Slice(_, low) => format!("slice {low}"),
            // The name of the variant.
            other => {
                let mut text = format!("{other:?}");
                text.truncate(text.find('(').unwrap_or(text.len()));
                text
            }
        };
        let mut operands: Vec<[u8; 32]> = op.operands().iter().map(|n| nodes[n.index()]).collect();
        let commutative = matches!(
            op,
            Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Add(..) | Op::Mul(..) | Op::Eq(..)
        );
        if commutative {
            operands.sort_unstable();
        }
        let mut hash = Sha256::new();
        hash.update(format!("{label} {}\n", self.graph.width(node)));
        operands.iter().for_each(|operand| hash.update(operand));
        hash.finalize().into()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
