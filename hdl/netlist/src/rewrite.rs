//! Builds a netlist from another one with some of its nodes replaced.

use crate::graph::{Graph, NodeId, Op};
use crate::{Netlist, Reg};

impl Netlist {
    /// The same design, in which a word that is read while it is written comes out inverted.
    ///
    /// Hardware gives an undefined word then, and the simulators the old one, which may be the
    /// right one by chance. So a design that agrees with its model in this form, too, never uses
    /// the undefined word. Each RAM gets a flop for it, `tags.collision` beside
    /// `tags.read_data`: high in a cycle whose read data is of a collision. Ports and the other
    /// flops are the same.
    ///
    /// The typed form of the top block, and with it the Verilog, stays as it was.
    #[must_use]
    pub fn with_scrambled_collisions(&self) -> Netlist {
        let first = self.regs.len();
        let mut scrambled = self.rewritten(|graph, old, new| match *graph.op(old) {
            Op::RamData(ram) => {
                let width = graph.width(old);
                let collision = graph.raw(Op::Reg(first as u32 + ram), 1);
                let all = graph.cat(vec![collision; width]);
                graph.xor(new, all)
            }
            _ => new,
        });
        let graph = &mut scrambled.graph;
        for ram in &scrambled.rams {
            let q = graph.raw(Op::Reg(scrambled.regs.len() as u32), 1);
            let same = graph.eq(ram.read_address, ram.write_address);
            let collision = graph.and(ram.write_enable, same);
            scrambled.regs.push(Reg {
                name: format!("{}.{COLLISION}", ram.name),
                width: 1,
                init: 0u8.into(),
                q,
                d: collision,
                reset: graph.constant(0u8, 1),
                next: collision,
            });
        }
        scrambled
    }

    /// The design with some of its nodes replaced, for instance all that read a flop.
    ///
    /// The nodes in use are rebuilt, operands first; `change` gets each with its rebuilt form, in
    /// the graph of the new design, and says what takes its place. What nothing reaches that was
    /// changed keeps its id. The typed form of the top block, and with it the Verilog, stays as
    /// it was.
    pub fn rewritten(
        &self,
        mut change: impl FnMut(&mut Graph, NodeId, NodeId) -> NodeId,
    ) -> Netlist {
        self.rewritten_by(&mut change)
    }

    fn rewritten_by(
        &self,
        change: &mut dyn FnMut(&mut Graph, NodeId, NodeId) -> NodeId,
    ) -> Netlist {
        let mut out = self.clone();
        let mut map: Vec<NodeId> = (0..self.graph.len() as u32).map(NodeId).collect();
        // Everything that keeps a node: roots, names, and a flop's parts.
        let kept = self.signals.iter().map(|s| s.node);
        let kept = kept.chain(self.regs.iter().flat_map(|r| [r.d, r.reset]));
        for node in self.graph.order(self.roots().into_iter().chain(kept)) {
            let operands: Vec<NodeId> = self
                .graph
                .op(node)
                .operands()
                .iter()
                .map(|n| map[n.index()])
                .collect();
            // Untouched parts stay the very same nodes.
            let same = operands == self.graph.op(node).operands();
            let rebuilt = if same {
                node
            } else {
                out.graph.rebuilt(node, &operands)
            };
            map[node.index()] = change(&mut out.graph, node, rebuilt);
        }
        let at = |n: NodeId| map[n.index()];
        out.outputs.iter_mut().for_each(|o| o.node = at(o.node));
        out.signals.iter_mut().for_each(|s| s.node = at(s.node));
        for r in &mut out.regs {
            (r.d, r.reset, r.next) = (at(r.d), at(r.reset), at(r.next));
        }
        for r in &mut out.rams {
            r.read_address = at(r.read_address);
            r.write_enable = at(r.write_enable);
            r.write_address = at(r.write_address);
            r.write_data = at(r.write_data);
        }
        out
    }
}

/// Name of the flop, below a RAM's, that [`Netlist::with_scrambled_collisions`] adds.
const COLLISION: &str = "collision";
