//! Loops between signals that are no loops between their bits.
//!
//! A ripple of children through one packed signal (`cell[i].carry_in =
//! carry[i]; carry[i + 1] = cell[i].carry_out`) is no loop, but a tool that looks
//! at whole signals sees one. Its readers then get the bits themselves.

use super::layout::Item;
use super::paths::{cycles, through_children, Node};
use super::value::{Kind, Value};
use crate::ir::{Module, Net, NetId, NetKind};
use std::collections::{HashMap, HashSet};

/// Lets readers of packed signals in circles read the parts.
pub(super) fn open(
    module: &Module,
    items: &mut Vec<Item>,
    tied: &mut HashMap<NetId, Value>,
    nets: &mut Vec<Net>,
) {
    let mut opened = HashSet::new();
    loop {
        let nodes = nodes(module, items, tied);
        let circular: Vec<usize> = cycles(&nodes).into_iter().flatten().collect();
        let packed = circular.into_iter().find_map(|i| match items.get(i) {
            Some(Item::Assign { net, value, .. }) if !opened.contains(net) => match &value.kind {
                Kind::Concat(parts) => Some((i, *net, parts.clone())),
                _ => None,
            },
            _ => None,
        });
        let Some((at, net, parts)) = packed else {
            return;
        };
        opened.insert(net);
        let mut leaves = vec![];
        let mut made = vec![];
        for (k, part) in parts.into_iter().enumerate() {
            if part.is_wiring() {
                leaves.push(part);
                continue;
            }
            let name = format!("{}_part{k}", nets[net.index()].name);
            let width = part.width;
            nets.push(Net {
                name,
                width,
                kind: NetKind::Local,
                clock: false,
                variants: None,
            });
            let id = NetId(nets.len() as u32 - 1);
            made.push(Item::Assign {
                comments: vec![],
                net: id,
                value: part,
            });
            leaves.push(Value::net(id, width));
        }
        let whole = Value::concat(leaves);
        let by = |id: NetId| (id == net).then(|| whole.clone());
        for item in items.iter_mut().chain(&mut made) {
            match item {
                Item::Assign { net: to, value, .. } if *to == net => *value = whole.clone(),
                Item::Assign { value, .. } => *value = value.substituted(&by),
                Item::Block { body, .. } => body.iter_mut().for_each(|c| c.substitute(&by)),
            }
        }
        tied.values_mut().for_each(|v| *v = v.substituted(&by));
        items.splice(at..at, made);
    }
}

fn nodes(module: &Module, items: &[Item], tied: &HashMap<NetId, Value>) -> Vec<Node> {
    let mut nodes: Vec<Node> = items
        .iter()
        .map(|item| {
            let mut node = Node::default();
            let mut read = |id| node.reads.push(id);
            match item {
                Item::Assign { net, value, .. } => {
                    value.nets(&mut read);
                    node.drives.push(*net);
                }
                Item::Block { body, targets, .. } => {
                    body.iter().for_each(|c| c.reads(&mut read));
                    node.drives.extend(targets);
                }
            }
            node
        })
        .collect();
    nodes.extend(through_children(module).into_iter().map(|mut node| {
        let reads = std::mem::take(&mut node.reads);
        for id in reads {
            match tied.get(&id) {
                Some(value) => value.nets(&mut |from| node.reads.push(from)),
                None => node.reads.push(id),
            }
        }
        node
    }));
    nodes
}
