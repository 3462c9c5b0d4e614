//! The text that names a fault: its kind and its place in the netlist.

use super::Fault;
use crate::graph::NodeId;
use crate::Netlist;
use std::collections::HashMap;
use std::fmt;

/// A fault with the names of the netlist that it is in.
///
/// `stuck bit: bit 7 of matrix.count[2][1] at 0`; an operation without a name is
/// placed by the nearest signal that depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a>(pub &'a Netlist, pub &'a Fault);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described(netlist, fault) = *self;
        let reg = |i: usize| netlist.regs.get(i).map_or("?", |r| &r.name);
        let ram = |i: usize| netlist.rams.get(i).map_or("?", |r| &r.name);
        let input = |i: usize| netlist.inputs.get(i).map_or("?", |r| &r.name);
        let output = |i: usize| netlist.outputs.get(i).map_or("?", |o| &o.name);
        let mut stuck = |name: &str, bit: usize, value: bool| {
            write!(
                f,
                "{}: bit {bit} of {name} at {}",
                fault.kind(),
                u8::from(value)
            )
        };
        match *fault {
            Fault::StuckBit { reg: i, bit, value } => stuck(reg(i), bit, value),
            Fault::StuckRamBit { ram: i, bit, value } => stuck(ram(i), bit, value),
            Fault::StuckInput {
                input: i,
                bit,
                value,
            } => stuck(input(i), bit, value),
            Fault::StuckOutput {
                output: i,
                bit,
                value,
            } => stuck(output(i), bit, value),
            Fault::StuckNet { node, bit, value } => stuck(&operation(netlist, node), bit, value),
            Fault::LostWrite { reg: i } | Fault::MissingReset { reg: i } => {
                write!(f, "{}: {}", fault.kind(), reg(i))
            }
            Fault::LostRamWrite { ram: i } => write!(f, "{}: {}", fault.kind(), ram(i)),
            Fault::SwappedOperands { node }
            | Fault::OffByOne { node }
            | Fault::WrongOperation { node } => {
                write!(f, "{}: {}", fault.kind(), operation(netlist, node))
            }
        }
    }
}

/// `Add of demotion.sum`, `Eq in gdcu.lane, node 17`.
fn operation(netlist: &Netlist, node: NodeId) -> String {
    if node.index() >= netlist.graph.len() {
        return format!("node {}", node.0);
    }
    let op = format!("{:?}", netlist.graph.op(node));
    let op = op.split('(').next().unwrap_or_default();
    match nearest(netlist, node) {
        Some((name, true)) => format!("{op} of {name}"),
        Some((name, false)) => format!("{op} in {name}, node {}", node.0),
        None => format!("{op}, node {}", node.0),
    }
}

/// The name of a node, or of what is computed from it in the fewest steps.
fn nearest(netlist: &Netlist, node: NodeId) -> Option<(String, bool)> {
    let mut names: HashMap<NodeId, String> = HashMap::new();
    let mut name = |node: NodeId, name: &str| {
        names.entry(node).or_insert_with(|| name.to_owned());
    };
    netlist.signals.iter().for_each(|s| name(s.node, &s.name));
    netlist.outputs.iter().for_each(|o| name(o.node, &o.name));
    netlist.regs.iter().for_each(|r| name(r.next, &r.name));
    if let Some(name) = names.remove(&node) {
        return Some((name, true));
    }
    let live = netlist.live();
    let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for &user in &live {
        for operand in netlist.graph.op(user).operands() {
            users.entry(operand).or_default().push(user);
        }
    }
    let mut seen = vec![false; netlist.graph.len()];
    let mut level = vec![node];
    while !level.is_empty() {
        let all = level.iter().filter_map(|n| users.get(n)).flatten().copied();
        let next: Vec<NodeId> = all
            .filter(|n| !std::mem::replace(&mut seen[n.index()], true))
            .collect();
        if let Some(name) = next.iter().find_map(|n| names.remove(n)) {
            return Some((name, false));
        }
        level = next;
    }
    None
}
