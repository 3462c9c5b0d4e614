//! Builds the netlist with a fault.

use super::sliced::Place;
use super::{Fault, NoSuchPlace};
use crate::blast::RamPort;
use crate::graph::{ones, Graph, NodeId, Op};
use crate::Netlist;
use num_bigint::BigUint;

impl Netlist {
    /// The design with one fault. Names, ports and state are the same, and
    /// nodes that the fault does not reach keep their ids.
    ///
    /// # Errors
    /// [`NoSuchPlace`] if the fault is none of the netlist's
    /// [`candidates`](super::candidates) and not [at its outputs](super::at_outputs).
    pub fn with_fault(&self, fault: &Fault) -> Result<Netlist, NoSuchPlace> {
        if !fits(self, fault) {
            return Err(NoSuchPlace(*fault));
        }
        if let Some(node) = changed(self, fault) {
            return Ok(self.rewritten(|graph, old, new| match old == node {
                true => instead(graph, fault, new),
                false => new,
            }));
        }
        let mut faulty = self.clone();
        let by = root_instead(self, &mut faulty.graph, fault).map(|(_, node)| node);
        match *fault {
            Fault::StuckBit { reg, bit, value } => {
                let r = &mut faulty.regs[reg];
                r.init.set_bit(bit as u64, value);
                r.d = forced(&mut faulty.graph, r.d, bit, value);
                r.next = by.unwrap_or(r.next);
            }
            Fault::LostWrite { reg } => {
                let r = &mut faulty.regs[reg];
                r.d = r.q;
                r.next = by.unwrap_or(r.next);
            }
            Fault::MissingReset { reg } => {
                let r = &mut faulty.regs[reg];
                r.next = by.unwrap_or(r.next);
                r.reset = faulty.graph.constant(0u8, 1);
            }
            Fault::StuckRamBit { ram, .. } => {
                let r = &mut faulty.rams[ram];
                r.write_data = by.unwrap_or(r.write_data);
            }
            Fault::LostRamWrite { ram } => {
                let r = &mut faulty.rams[ram];
                r.write_enable = by.unwrap_or(r.write_enable);
            }
            Fault::StuckOutput { output, .. } => {
                let shown = &mut faulty.outputs[output].node;
                *shown = by.unwrap_or(*shown);
            }
            Fault::StuckInput { .. }
            | Fault::StuckNet { .. }
            | Fault::SwappedOperands { .. }
            | Fault::OffByOne { .. }
            | Fault::WrongOperation { .. } => {}
        }
        Ok(faulty)
    }
}

/// The node that a fault changes for all that use it; none of a flop's, a RAM's or an output's, or of
/// an input that nothing reads.
pub(super) fn changed(netlist: &Netlist, fault: &Fault) -> Option<NodeId> {
    match *fault {
        Fault::StuckInput { input, .. } => {
            let width = netlist.inputs[input].width;
            let leaf = Op::Input(input as u32);
            netlist.graph.find(&leaf, width)
        }
        Fault::StuckNet { node, .. }
        | Fault::SwappedOperands { node }
        | Fault::OffByOne { node }
        | Fault::WrongOperation { node } => Some(node),
        _ => None,
    }
}

/// What takes the place of the node that a fault changes.
pub(super) fn instead(graph: &mut Graph, fault: &Fault, node: NodeId) -> NodeId {
    match *fault {
        Fault::StuckInput { bit, value, .. } | Fault::StuckNet { bit, value, .. } => {
            forced(graph, node, bit, value)
        }
        Fault::SwappedOperands { .. } => swapped(graph, node),
        Fault::OffByOne { .. } => off_by_one(graph, node),
        Fault::WrongOperation { .. } => wrong(graph, node),
        _ => node,
    }
}

/// What takes the place of a root whose logic is as it was.
pub(super) fn root_instead(
    netlist: &Netlist,
    graph: &mut Graph,
    fault: &Fault,
) -> Option<(Place, NodeId)> {
    Some(match *fault {
        Fault::StuckBit { reg, bit, value } => {
            let next = netlist.regs[reg].next;
            (Place::Next(reg), forced(graph, next, bit, value))
        }
        Fault::LostWrite { reg } => {
            let r = &netlist.regs[reg];
            let init = graph.constant(r.init.clone(), r.width);
            (Place::Next(reg), graph.mux(r.reset, init, r.q))
        }
        Fault::MissingReset { reg } => (Place::Next(reg), netlist.regs[reg].d),
        Fault::StuckRamBit { ram, bit, value } => {
            let data = netlist.rams[ram].write_data;
            let data = forced(graph, data, bit, value);
            (Place::Ram(ram, RamPort::WriteData), data)
        }
        Fault::LostRamWrite { ram } => {
            let never = graph.constant(0u8, 1);
            (Place::Ram(ram, RamPort::WriteEnable), never)
        }
        Fault::StuckOutput { output, bit, value } => {
            let shown = netlist.outputs[output].node;
            (Place::Output(output), forced(graph, shown, bit, value))
        }
        _ => return None,
    })
}

/// Whether the netlist has the place, and the fault makes sense there.
pub(super) fn fits(netlist: &Netlist, fault: &Fault) -> bool {
    let graph = &netlist.graph;
    let op = |node: NodeId| (node.index() < graph.len()).then(|| graph.op(node));
    match *fault {
        Fault::StuckBit { reg, bit, .. } => netlist.regs.get(reg).is_some_and(|r| bit < r.width),
        Fault::StuckRamBit { ram, bit, .. } => netlist.rams.get(ram).is_some_and(|r| bit < r.width),
        Fault::StuckInput { input, bit, .. } => {
            netlist.inputs.get(input).is_some_and(|i| bit < i.width)
        }
        Fault::StuckOutput { output, bit, .. } => netlist
            .outputs
            .get(output)
            .is_some_and(|o| bit < graph.width(o.node)),
        Fault::StuckNet { node, bit, .. } => match op(node) {
            // Leaves have faults of their own, the others are only wires.
            None
            | Some(
                Op::Const(_)
                | Op::Input(_)
                | Op::Reg(_)
                | Op::RamData(_)
                | Op::Leaf(_)
                | Op::Slice(..)
                | Op::Cat(_),
            ) => false,
            Some(_) => bit < graph.width(node),
        },
        Fault::LostWrite { reg } => reg < netlist.regs.len(),
        Fault::LostRamWrite { ram } => ram < netlist.rams.len(),
        Fault::MissingReset { reg } => netlist
            .regs
            .get(reg)
            .is_some_and(|r| graph.value(r.reset).is_none()),
        Fault::SwappedOperands { node } => match op(node) {
            Some(Op::Mux(..) | Op::Less(..) | Op::Sub(..)) => true,
            Some(Op::Shl(a, b) | Op::Shr(a, b)) => graph.width(*a) == graph.width(*b),
            _ => false,
        },
        Fault::OffByOne { node } => match op(node) {
            Some(Op::Add(..) | Op::Sub(..)) => true,
            Some(Op::Eq(a, b)) => graph.value(*a).or(graph.value(*b)).is_some(),
            // Nothing is one larger than the largest.
            Some(Op::Less(a, b)) => {
                let constant = graph.value(*a).or(graph.value(*b));
                constant.is_some_and(|value| *value != ones(graph.width(*a)))
            }
            _ => false,
        },
        Fault::WrongOperation { node } => matches!(
            op(node),
            Some(
                Op::And(..)
                    | Op::Or(..)
                    | Op::Xor(..)
                    | Op::Not(..)
                    | Op::Add(..)
                    | Op::Sub(..)
                    | Op::Eq(..)
                    | Op::Less(..)
            )
        ),
    }
}

fn forced(graph: &mut Graph, node: NodeId, bit: usize, value: bool) -> NodeId {
    let width = graph.width(node);
    let mask = BigUint::from(1u8) << bit;
    if value {
        let mask = graph.constant(mask, width);
        graph.or(node, mask)
    } else {
        let mask = graph.constant(ones(width) ^ mask, width);
        graph.and(node, mask)
    }
}

fn swapped(graph: &mut Graph, node: NodeId) -> NodeId {
    match *graph.op(node) {
        Op::Mux(c, a, b) => graph.mux(c, b, a),
        Op::Less(a, b) => graph.less(b, a),
        Op::Sub(a, b) => graph.sub(b, a),
        Op::Shl(a, b) => graph.shl(b, a),
        Op::Shr(a, b) => graph.shr(b, a),
        _ => node,
    }
}

fn off_by_one(graph: &mut Graph, node: NodeId) -> NodeId {
    let one_more = |graph: &mut Graph, node: NodeId| {
        let one = graph.constant(1u8, graph.width(node));
        graph.add(node, one)
    };
    match *graph.op(node) {
        Op::Eq(a, b) | Op::Less(a, b) => {
            let first = graph.value(a).is_some();
            let more = one_more(graph, if first { a } else { b });
            let (x, y) = if first { (more, b) } else { (a, more) };
            match graph.op(node) {
                Op::Eq(..) => graph.eq(x, y),
                _ => graph.less(x, y),
            }
        }
        _ => one_more(graph, node),
    }
}

fn wrong(graph: &mut Graph, node: NodeId) -> NodeId {
    match *graph.op(node) {
        Op::And(a, b) => graph.or(a, b),
        Op::Or(a, b) => graph.and(a, b),
        Op::Xor(a, b) => graph.or(a, b),
        Op::Add(a, b) => graph.sub(a, b),
        Op::Sub(a, b) => graph.add(a, b),
        Op::Not(a) => a,
        _ => graph.not(node),
    }
}
