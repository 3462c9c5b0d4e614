//! Families of signals: the elements of an array of the source, and the uses of a signal that each
//! iteration of a loop assigns anew.

use super::direct::direct;
use crate::ir::{Module, NetId, NetKind};
use crate::verilog::code::Code;
use crate::verilog::layout::{Item, Layout};
use crate::verilog::module::{declared, raw_name};
use crate::verilog::names::identifier;
use crate::verilog::paths::{self, Node};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a family is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Member {
    Net(NetId),
    /// Words of a RAM, by its place in the layout.
    Ram(usize),
    /// An instance, by its place in the layout.
    Instance(usize),
}

/// Signals, RAMs or instances that an index tells apart.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// What tells it from others.
    pub key: String,
    /// The name without an index.
    pub name: String,
    /// One more than the largest index, in each dimension.
    pub size: Vec<i64>,
    pub members: Vec<(Vec<i64>, Member)>,
    /// Flops.
    pub state: bool,
}

impl Family {
    fn new(key: String, members: Vec<(Vec<i64>, Member)>) -> Family {
        let name = key.split(' ').next().unwrap_or_default();
        let dimensions = members[0].0.len();
        let largest = |d: usize| members.iter().map(|m| m.0[d]).max().unwrap_or(0);
        Family {
            name: identifier(name),
            size: (0..dimensions).map(|d| largest(d) + 1).collect(),
            members,
            state: false,
            key,
        }
    }

    /// It can be rows of so many elements.
    pub fn has_rows(&self, columns: i64) -> bool {
        self.size.len() == 1 && self.key.ends_with(USES) && self.size[0] % columns == 0
    }

    /// Only nets are declared as arrays.
    pub fn of_nets(&self) -> bool {
        matches!(self.members[0].1, Member::Net(_))
    }

    /// The number of a word, counted through.
    pub fn flat(&self, index: &[i64]) -> i64 {
        let mut at = 0;
        for (i, size) in index.iter().zip(&self.size) {
            at = at * size + i;
        }
        at
    }
}

/// `count[3][2]` as `count`, `[3, 2]`.
fn split(raw: &str) -> Option<(String, Vec<i64>)> {
    let (mut base, mut index) = (String::new(), vec![]);
    let mut rest = raw;
    while let Some(open) = rest.find('[') {
        let close = open + rest[open..].find(']')?;
        base.push_str(&rest[..open]);
        index.push(rest[open + 1..close].parse().ok()?);
        rest = &rest[close + 1..];
    }
    base.push_str(rest);
    (!index.is_empty()).then_some((base, index))
}

/// `counter_v17` as `counter`, 17.
fn version(raw: &str) -> Option<(&str, i64)> {
    let (base, number) = raw.rsplit_once("_v")?;
    Some((base, number.parse().ok()?))
}

/// Ends the key of a family of uses of one signal.
const USES: &str = " in loops";

type Groups = BTreeMap<String, Vec<(Vec<i64>, Member)>>;

/// The families of a module; assignments that a family has to have in blocks become blocks.
///
/// Uses of a signal count on; those named in `rows` are assigned in two nested loops, the inner one
/// of so many iterations.
pub(super) fn families(
    module: &Module,
    layout: &mut Layout,
    driven: &[bool],
    rows: &HashMap<String, i64>,
) -> Vec<Family> {
    let usable = |id: NetId| {
        let net = &layout.nets[id.index()];
        let port = matches!(net.kind, NetKind::Input | NetKind::Output);
        !port && !net.clock && driven[id.index()] && !layout.aliases.contains_key(&id)
    };
    let mut groups = Groups::new();
    let mut versions: BTreeMap<&str, Vec<(i64, NetId)>> = BTreeMap::new();
    let mut made: BTreeMap<&str, Vec<NetId>> = BTreeMap::new();
    let originals: HashMap<&str, NetId> =
        module.ids().map(|(id, n)| (n.name.as_str(), id)).collect();
    for (i, net) in layout.nets.iter().enumerate().skip(module.nets.len()) {
        let id = NetId(i as u32);
        match version(&net.name).filter(|(base, _)| originals.contains_key(base)) {
            Some((base, number)) => versions.entry(base).or_default().push((number, id)),
            None => made.entry(&net.name).or_default().push(id),
        }
    }
    let mut taken: HashSet<NetId> = HashSet::new();
    for (base, uses) in versions {
        let last = uses.iter().map(|u| u.0).max().unwrap_or(0) + 1;
        let uses = uses.into_iter().chain([(last, originals[base])]);
        let uses = uses.filter(|(_, id)| usable(*id)).map(|(_, id)| id);
        let uses: Vec<NetId> = uses.collect();
        taken.extend(uses.iter().copied());
        let members = (0..).zip(uses).map(|(k, id)| (vec![k], Member::Net(id)));
        groups.insert(format!("{base}{USES}"), members.collect());
    }
    for (base, nets) in made {
        let nets = nets.into_iter().filter(|id| usable(*id));
        let members = (0..).zip(nets).map(|(k, id)| (vec![k], Member::Net(id)));
        groups.insert(format!("{base} made"), members.collect());
    }
    for (id, net) in module
        .ids()
        .filter(|(id, _)| usable(*id) && !taken.contains(id))
    {
        if let Some((base, index)) = split(&raw_name(module, id, net)) {
            let key = format!("{base} of {}", index.len());
            groups
                .entry(key)
                .or_default()
                .push((index, Member::Net(id)));
        }
    }
    for (at, ram) in layout.rams.iter().enumerate() {
        if let Some((base, index)) = split(&ram.name) {
            let key = format!("{base} RAM of {}", index.len());
            groups
                .entry(key)
                .or_default()
                .push((index, Member::Ram(at)));
        }
    }
    for (at, instance) in layout.instances.iter().enumerate() {
        if let Some((base, index)) = split(&instance.name) {
            let key = format!("{base} instance of {}", index.len());
            groups
                .entry(key)
                .or_default()
                .push((index, Member::Instance(at)));
        }
    }
    let mut out = vec![];
    for (key, members) in groups {
        let members = alike(layout, members);
        if members.len() > 1 {
            let columns = rows.get(&key).copied();
            let mut family = Family::new(key, members);
            if let Some(columns) = columns.filter(|c| family.has_rows(*c)) {
                for (index, _) in &mut family.members {
                    *index = vec![index[0] / columns, index[0] % columns];
                }
                family.size = vec![family.size[0] / columns, columns];
            }
            family.state = family
                .members
                .iter()
                .any(|(_, member)| matches!(member, Member::Net(id) if layout.is_flop(*id)));
            out.push(family);
        }
    }
    out.iter().for_each(|family| read_apart(layout, family));
    acyclic(layout, &mut out);
    out
}

/// Blocks that assign an element each and read it on the way, without reading it, where all can be
/// written so.
fn read_apart(layout: &mut Layout, family: &Family) {
    if family.state {
        return;
    }
    let member = |id: &NetId| {
        let mut members = family.members.iter();
        members.any(|(_, m)| matches!(m, Member::Net(net) if net == id))
    };
    let mut blocks = vec![];
    for (at, item) in layout.items.iter().enumerate() {
        if let Item::Block { body, targets, .. } = item {
            let of: Vec<NetId> = targets.iter().copied().filter(member).collect();
            match of[..] {
                [] => {}
                [net] => {
                    let mut reads = false;
                    let mut read = |id| reads |= id == net;
                    body.iter().for_each(|code| code.reads(&mut read));
                    let width = layout.nets[net.index()].width;
                    blocks.push(match reads {
                        true => direct(body, net, width).map(|body| (at, Some(body))),
                        false => Some((at, None)),
                    });
                }
                _ => return,
            }
        }
    }
    let Some(blocks) = blocks.into_iter().collect::<Option<Vec<_>>>() else {
        return;
    };
    if blocks.len() < 2 {
        return;
    }
    for (at, rewritten) in blocks {
        if let (Item::Block { body, .. }, Some(rewritten)) = (&mut layout.items[at], rewritten) {
            *body = rewritten;
        }
    }
}

/// Members of one width that one declaration can have.
fn alike(layout: &mut Layout, mut members: Vec<(Vec<i64>, Member)>) -> Vec<(Vec<i64>, Member)> {
    let net = |member: &Member| match member {
        Member::Net(id) => Some(*id),
        _ => None,
    };
    let Some(first) = members.first().and_then(|(_, m)| net(m)) else {
        return members;
    };
    let like = layout.nets[first.index()].clone();
    members.retain(|(_, member)| {
        net(member).is_some_and(|id| {
            let net = &layout.nets[id.index()];
            net.width == like.width && net.variants == like.variants
        })
    });
    let register = |layout: &Layout, member: &Member| {
        net(member).is_some_and(|id| declared(layout, id) == "reg")
    };
    if !members.iter().any(|(_, m)| register(layout, m)) {
        return members;
    }
    members.retain(|(_, member)| register(layout, member) || in_block(layout, net(member)));
    members
}

/// Makes a block of an assignment, unless that would never run, or there is none.
fn in_block(layout: &mut Layout, net: Option<NetId>) -> bool {
    for item in &mut layout.items {
        if let Item::Assign {
            comments,
            net: to,
            value,
        } = item
        {
            let mut reads = false;
            value.nets(&mut |_| reads = true);
            if Some(*to) == net && reads {
                *item = Item::Block {
                    comments: std::mem::take(comments),
                    body: vec![Code::Set {
                        net: *to,
                        low: 0,
                        value: value.clone(),
                    }],
                    targets: vec![*to],
                };
                return true;
            }
        }
    }
    false
}

/// Removes families whose elements depend on each other: as arrays they would be combinational
/// loops to a simulator that schedules whole variables.
fn acyclic(layout: &Layout, families: &mut Vec<Family>) {
    loop {
        let mut first: HashMap<NetId, NetId> = HashMap::new();
        let mut family_of: HashMap<NetId, usize> = HashMap::new();
        for (at, family) in families.iter().enumerate().filter(|(_, f)| !f.state) {
            let mut nets = family
                .members
                .iter()
                .filter_map(|(_, member)| match member {
                    Member::Net(id) => Some(*id),
                    _ => None,
                });
            let Some(head) = nets.next() else { continue };
            family_of.insert(head, at);
            first.insert(head, head);
            first.extend(nets.map(|id| (id, head)));
        }
        let stands_for = |id: NetId| first.get(&id).copied().unwrap_or(id);
        let mut reads: BTreeMap<NetId, HashSet<NetId>> = BTreeMap::new();
        let mut bad: HashSet<usize> = HashSet::new();
        let items = layout.items.iter().map(|item| {
            let mut node = Node::default();
            match item {
                Item::Assign { net, value, .. } => {
                    node.drives.push(*net);
                    value.nets(&mut |id| node.reads.push(id));
                }
                Item::Block { body, targets, .. } => {
                    node.drives.clone_from(targets);
                    body.iter()
                        .for_each(|c| c.reads(&mut |id| node.reads.push(id)));
                }
            }
            node
        });
        let tied = layout.instances.iter().flat_map(|instance| {
            let of = |name: &str| instance.connections.iter().find(|c| c.0 == name);
            let nodes = paths::combinational_of(&instance.module);
            nodes.into_iter().map(move |(output, inputs)| {
                let mut node = Node::default();
                of(&output).into_iter().for_each(|(_, value)| {
                    value.nets(&mut |id| node.drives.push(id));
                });
                inputs.iter().filter_map(|i| of(i)).for_each(|(_, value)| {
                    value.nets(&mut |id| node.reads.push(id));
                });
                node
            })
        });
        let nodes: Vec<Node> = items.chain(tied).collect();
        // A block that reads what it assigns would start the blocks of other elements for each value
        // on the way, and they it, without an end in a simulator that waits for whole arrays.
        let mut blocks: HashMap<usize, (usize, bool)> = HashMap::new();
        for node in &nodes {
            let of = |id: &NetId| family_of.get(&stands_for(*id)).copied();
            let driven: HashSet<usize> = node.drives.iter().filter_map(of).collect();
            let itself = node.reads.iter().filter(|id| node.drives.contains(id));
            let itself: HashSet<usize> = itself.filter_map(of).collect();
            for family in driven {
                let (count, reads) = blocks.entry(family).or_default();
                *count += 1;
                *reads |= itself.contains(&family);
            }
        }
        let several = blocks
            .into_iter()
            .filter(|(_, (count, reads))| *count > 1 && *reads);
        bad.extend(several.map(|(family, _)| family));
        for node in &nodes {
            for drives in &node.drives {
                let to = stands_for(*drives);
                let from = node.reads.iter().filter(|id| !node.drives.contains(id));
                for id in from.map(|id| stands_for(*id)) {
                    if id == to {
                        bad.extend(family_of.get(&to));
                    } else {
                        reads.entry(to).or_default().insert(id);
                    }
                }
            }
        }
        if bad.is_empty() {
            let nets: Vec<NetId> = reads.keys().copied().collect();
            let nodes: Vec<Node> = reads
                .into_iter()
                .map(|(net, reads)| Node {
                    drives: vec![net],
                    reads: reads.into_iter().collect(),
                })
                .collect();
            let circular = paths::cycles(&nodes).into_iter().flatten();
            bad.extend(circular.filter_map(|at| family_of.get(&nets[at])));
        }
        if bad.is_empty() {
            return;
        }
        let mut at = 0;
        families.retain(|_| {
            at += 1;
            !bad.contains(&(at - 1))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_indices() {
        let none: Option<(String, Vec<i64>)> = None;
        assert_eq!(split("count"), none);
        let (base, index) = split("row[3].count[2]_next").unwrap();
        assert_eq!((base.as_str(), index), ("row.count_next", vec![3, 2]));
        assert_eq!(version("counter_v17"), Some(("counter", 17)));
        assert_eq!(version("counter_vx"), None);
    }
}
