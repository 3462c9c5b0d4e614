//! Arranges a module's contents as Verilog items: assignments, `always` blocks, flops, RAMs and
//! instances.

use super::circles;
use super::code::{lower, Code};
use super::flow::{regroup, Flow, Group};
use super::hoist::Hoist;
use super::symbolic::{result, Branches};
use super::value::Value;
use crate::ir::{Body, Module, Net, NetId, NetKind};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Wiring up to this size goes into a port connection as it is.
const CONNECTED: usize = 4;
/// A `?:` up to this size is an assignment rather than a block.
const CHOICE: usize = 14;

/// Combinational logic, in the order of the source.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Assign {
        comments: Vec<String>,
        net: NetId,
        value: Value,
    },
    Block {
        comments: Vec<String>,
        body: Vec<Code>,
        targets: Vec<NetId>,
    },
}

/// A flop.
#[derive(Clone, Debug)]
pub(super) struct Flop {
    pub q: NetId,
    pub init: BigUint,
}

/// Flops that share clock and reset.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub clock: NetId,
    pub reset: Value,
    pub flops: Vec<Flop>,
    /// What they take while reset is low, in terms of their outputs.
    pub updates: Vec<(Vec<String>, Vec<Code>)>,
}

/// A RAM with what its ports are tied to.
#[derive(Clone, Debug)]
pub(super) struct RamUse {
    /// Path of the field.
    pub name: String,
    pub address_width: usize,
    pub width: usize,
    pub clock: NetId,
    pub read_data: NetId,
    pub read_address: Value,
    pub write_enable: Value,
    pub write_address: Value,
    pub write_data: Value,
}

/// An instance of another module.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub comments: Vec<String>,
    pub name: String,
    pub module: Rc<Module>,
    pub connections: Vec<(String, Value)>,
}

/// The parts of a module.
pub(super) struct Layout {
    pub nets: Vec<Net>,
    pub items: Vec<Item>,
    pub domains: Vec<Domain>,
    pub rams: Vec<RamUse>,
    pub instances: Vec<Instance>,
    /// Child outputs that are the very nets they are copied to.
    pub aliases: HashMap<NetId, NetId>,
    /// Comments after the last statement.
    pub closing: Vec<String>,
    /// RAMs are instances of a module of their own.
    pub ram_instances: bool,
}

/// Lays a module out.
pub(super) fn lay_out(module: &Module) -> Layout {
    let body = lower(module, &module.body);
    let Flow {
        nets,
        groups,
        closing,
    } = regroup(module, body);
    let mut work = Work {
        module,
        nets,
        hoist: Hoist::default(),
        items: vec![],
        tied: HashMap::new(),
        flops: HashMap::new(),
        children: HashMap::new(),
        comments: vec![],
        updates: HashMap::new(),
        resets: HashMap::new(),
    };
    work.note_children();
    work.note_resets(&groups);
    for group in groups {
        work.group(group);
    }
    circles::open(module, &mut work.items, &mut work.tied, &mut work.nets);
    let aliases = work.aliases();
    let domains = work.domains();
    let (rams, instances) = work.primitives_and_instances();
    let closing = work.comments.into_iter().chain(closing).collect();
    Layout {
        nets: work.nets,
        items: work.items,
        domains,
        rams,
        instances,
        aliases,
        closing,
        ram_instances: false,
    }
}

struct Work<'a> {
    module: &'a Module,
    nets: Vec<Net>,
    hoist: Hoist,
    items: Vec<Item>,
    /// Child inputs that need no net of their own.
    tied: HashMap<NetId, Value>,
    /// Flops' data inputs: output, and the number of the child.
    flops: HashMap<NetId, (NetId, usize)>,
    /// Inputs of other children, and flops' resets.
    children: HashMap<NetId, usize>,
    /// Comments whose statement has no text of its own.
    comments: Vec<String>,
    /// Resets that only copy something.
    resets: HashMap<NetId, Value>,
    /// Per flop child: updates in place of its data input's net.
    updates: HashMap<usize, (Vec<String>, Vec<Code>)>,
}

impl Work<'_> {
    fn note_children(&mut self) {
        for (i, child) in self.module.children.iter().enumerate() {
            match &child.body {
                Body::Reg { .. } => {
                    self.flops.insert(child.port("d"), (child.port("q"), i));
                    self.children.insert(child.port("reset"), i);
                }
                _ => {
                    for (_, net) in &child.ports {
                        if self.module.net(*net).kind == NetKind::ChildInput {
                            self.children.insert(*net, i);
                        }
                    }
                }
            }
        }
    }

    fn note_resets(&mut self, groups: &[Group]) {
        for group in groups {
            if let ([net], [Code::Set { value, .. }]) = (&group.targets[..], &group.body[..]) {
                if self.children.contains_key(net) && value.is_wiring() {
                    self.resets.insert(*net, value.clone());
                }
            }
        }
    }

    /// What identifies a reset: equal ones reset together.
    fn reset(&self, net: NetId) -> Value {
        self.resets
            .get(&net)
            .cloned()
            .unwrap_or_else(|| Value::net(net, 1))
    }

    fn group(&mut self, group: Group) {
        if self.flop_group(&group) {
            return;
        }
        let Group {
            mut comments,
            body,
            targets,
        } = group;
        // A simulator starts a block when something that it reads changes; a
        // block that reads nothing never runs, so it is worked out here.
        if let Some(values) = constants(&body, &targets, &self.nets) {
            self.comments.append(&mut comments);
            values
                .into_iter()
                .for_each(|(net, value)| self.assign(net, value));
            return;
        }
        if let [net] = targets[..] {
            if let Some(value) = self.as_expression(&body, net) {
                self.comments.append(&mut comments);
                self.comments
                    .extend(body.into_iter().filter_map(|c| match c {
                        Code::Comment(text) => Some(text),
                        _ => None,
                    }));
                return self.assign(net, value);
            }
        }
        let (body, made) = self.hoist.body(body, &targets, &mut self.nets);
        let targets = targets.into_iter().chain(made).collect();
        self.wires();
        let comments = std::mem::take(&mut self.comments)
            .into_iter()
            .chain(comments)
            .collect();
        self.items.push(Item::Block {
            comments,
            body,
            targets,
        });
    }

    fn as_expression(&self, body: &[Code], net: NetId) -> Option<Value> {
        let (mut size, mut branches, mut deep) = (0, 0, false);
        for code in body {
            code.each_value(&mut |v| size += v.size());
            if let Code::If { .. } = code {
                branches += 1;
                deep |= code
                    .bodies()
                    .into_iter()
                    .flatten()
                    .any(|c| !matches!(c, Code::Set { .. }));
            }
            deep |= matches!(code, Code::Case { .. });
        }
        let choice = || {
            let value = result(body, net, &self.nets, Branches::All)?;
            (value.is_plain() && value.size() <= CHOICE).then_some(value)
        };
        let single = matches!(
            body.iter()
                .filter(|c| !matches!(c, Code::Comment(_)))
                .count(),
            1
        );
        if let Some(value) = result(body, net, &self.nets, Branches::Masked) {
            if branches == 1 && value.has_masks() {
                return choice().or(Some(value));
            }
            if single || value.is_plain() && value.size() <= 2 * size + CHOICE {
                return Some(value);
            }
        }
        if branches == 1 && !deep {
            choice()
        } else {
            None
        }
    }

    fn assign(&mut self, net: NetId, value: Value) {
        let wiring = value.is_wiring() && value.size() <= CONNECTED;
        if wiring && self.children.contains_key(&net) {
            self.tied.insert(net, value);
            return;
        }
        let target = self.nets[net.index()].name.clone();
        let value = self.hoist.value(value, &target, &mut self.nets);
        self.wires();
        let comments = std::mem::take(&mut self.comments);
        self.items.push(Item::Assign {
            comments,
            net,
            value,
        });
    }

    /// Names made for parts of expressions come before what uses them.
    fn wires(&mut self) {
        for (net, value) in std::mem::take(&mut self.hoist.wires) {
            let comments = std::mem::take(&mut self.comments);
            self.items.push(Item::Assign {
                comments,
                net,
                value,
            });
        }
    }

    /// Moves what only flops take into the clocked block.
    fn flop_group(&mut self, group: &Group) -> bool {
        let Some(flops) = group
            .targets
            .iter()
            .map(|net| self.flops.get(net).copied())
            .collect::<Option<Vec<(NetId, usize)>>>()
        else {
            return false;
        };
        let Some(&(_, first)) = flops.first() else {
            return false;
        };
        let clocking = |child: usize| {
            let child = &self.module.children[child];
            (
                self.module.clock_root(child.port("clock")),
                self.reset(child.port("reset")),
            )
        };
        if flops
            .iter()
            .any(|(_, child)| clocking(*child) != clocking(first))
        {
            return false;
        }
        let q_of: HashMap<NetId, NetId> = group
            .targets
            .iter()
            .copied()
            .zip(flops.iter().map(|f| f.0))
            .collect();
        let unconditional = group
            .body
            .iter()
            .all(|c| matches!(c, Code::Set { .. } | Code::Comment(_)));
        let mut body = group.body.clone();
        if let ([net], true) = (&group.targets[..], unconditional) {
            if let Some(value) = result(&body, *net, &self.nets, Branches::Masked) {
                let comments = body
                    .iter()
                    .filter(|c| matches!(c, Code::Comment(_)))
                    .cloned();
                body = comments
                    .chain([Code::Set {
                        net: *net,
                        low: 0,
                        value,
                    }])
                    .collect();
            }
        }
        // Holding is what a flop does anyway.
        let mut assigned: HashSet<NetId> = HashSet::new();
        body.retain(|code| {
            if let Code::Set { net, low: 0, value } = code {
                if value.as_net() == q_of.get(net).copied() && !assigned.contains(net) {
                    return false;
                }
            }
            assigned.extend(code.targets());
            true
        });
        let (mut body, made) = self.hoist.body(body, &[], &mut self.nets);
        debug_assert!(made.is_empty(), "flops read settled values only");
        self.wires();
        let widths: Vec<usize> = self.nets.iter().map(|n| n.width).collect();
        body.iter_mut()
            .for_each(|c| c.rename(&|id| q_of.get(&id).copied(), &|id| widths[id.index()]));
        let comments = std::mem::take(&mut self.comments)
            .into_iter()
            .chain(group.comments.clone())
            .collect();
        self.updates.insert(first, (comments, body));
        flops.iter().skip(1).for_each(|(_, child)| {
            self.updates.insert(*child, (vec![], vec![]));
        });
        true
    }

    /// A child's output that is copied once and read nowhere else is the copy.
    fn aliases(&mut self) -> HashMap<NetId, NetId> {
        let mut reads: HashMap<NetId, usize> = HashMap::new();
        let mut count = |id: NetId| *reads.entry(id).or_default() += 1;
        for item in &self.items {
            match item {
                Item::Assign { value, .. } => value.nets(&mut count),
                Item::Block { body, .. } => body.iter().for_each(|c| c.reads(&mut count)),
            }
        }
        self.updates
            .values()
            .for_each(|(_, body)| body.iter().for_each(|c| c.reads(&mut count)));
        self.tied.values().for_each(|v| v.nets(&mut count));
        let outputs: HashSet<NetId> = self
            .module
            .children
            .iter()
            .filter(|c| matches!(c.body, Body::Module(_)))
            .flat_map(|c| c.ports.iter().map(|p| p.1))
            .filter(|id| self.module.net(*id).kind == NetKind::ChildOutput)
            .collect();
        let mut aliases = HashMap::new();
        self.items.retain(|item| {
            let Item::Assign {
                comments,
                net,
                value,
            } = item
            else {
                return true;
            };
            let kind = self.module.nets.get(net.index()).map(|n| n.kind);
            let named = matches!(kind, Some(NetKind::Output | NetKind::Local));
            match value.as_net() {
                Some(from)
                    if named
                        && comments.is_empty()
                        && outputs.contains(&from)
                        && reads[&from] == 1 =>
                {
                    aliases.insert(from, *net);
                    false
                }
                _ => true,
            }
        });
        aliases
    }

    fn tie(&self, net: NetId) -> Value {
        let width = self.nets[net.index()].width;
        self.tied
            .get(&net)
            .cloned()
            .unwrap_or_else(|| Value::net(net, width))
    }

    fn domains(&mut self) -> Vec<Domain> {
        let mut domains: Vec<Domain> = vec![];
        let mut resets: Vec<Value> = vec![];
        for (i, child) in self.module.children.iter().enumerate() {
            let Body::Reg { width, init } = &child.body else {
                continue;
            };
            let clock = self.module.clock_root(child.port("clock"));
            let key = self.reset(child.port("reset"));
            let at = (0..domains.len()).find(|&k| domains[k].clock == clock && resets[k] == key);
            let at = at.unwrap_or_else(|| {
                let reset = self.tie(child.port("reset"));
                resets.push(key);
                domains.push(Domain {
                    clock,
                    reset,
                    flops: vec![],
                    updates: vec![],
                });
                domains.len() - 1
            });
            let q = child.port("q");
            domains[at].flops.push(Flop {
                q,
                init: init.clone(),
            });
            let update = self.updates.remove(&i).unwrap_or_else(|| {
                let value = Value::net(child.port("d"), *width);
                (
                    vec![],
                    vec![Code::Set {
                        net: q,
                        low: 0,
                        value,
                    }],
                )
            });
            if update != (vec![], vec![]) {
                domains[at].updates.push(update);
            }
        }
        // Flops do not see each other's new values: equal conditions can be
        // brought together.
        for domain in &mut domains {
            domain.updates = gathered(std::mem::take(&mut domain.updates));
        }
        domains
    }

    fn primitives_and_instances(&mut self) -> (Vec<RamUse>, Vec<Instance>) {
        let (mut rams, mut instances) = (vec![], vec![]);
        for child in &self.module.children {
            match &child.body {
                Body::Reg { .. } => {}
                Body::Ram {
                    address_width,
                    width,
                } => rams.push(RamUse {
                    name: child.name.clone(),
                    address_width: *address_width,
                    width: *width,
                    clock: self.module.clock_root(child.port("clock")),
                    read_data: child.port("read_data"),
                    read_address: self.tie(child.port("read_address")),
                    write_enable: self.tie(child.port("write_enable")),
                    write_address: self.tie(child.port("write_address")),
                    write_data: self.tie(child.port("write_data")),
                }),
                Body::Module(inner) => {
                    let connection = |(port, net): &(String, NetId)| {
                        let value = match self.nets[net.index()].clock {
                            true => Value::net(self.module.clock_root(*net), 1),
                            false => self.tie(*net),
                        };
                        (port.clone(), value)
                    };
                    instances.push(Instance {
                        comments: vec![],
                        name: child.name.clone(),
                        module: inner.clone(),
                        connections: child.ports.iter().map(connection).collect(),
                    });
                }
            }
        }
        if let Some(first) = instances.first_mut() {
            first.comments = std::mem::take(&mut self.comments);
        }
        (rams, instances)
    }
}

/// Updates with those under equal conditions in one place, that of the first.
fn gathered(updates: Vec<(Vec<String>, Vec<Code>)>) -> Vec<(Vec<String>, Vec<Code>)> {
    let mut out: Vec<(Vec<String>, Vec<Code>)> = vec![];
    for (comments, body) in updates {
        if let ([], [code @ Code::If { .. }]) = (&comments[..], &body[..]) {
            let same = |u: &&mut (Vec<String>, Vec<Code>)| matches!(&u.1[..], [first] if first.same_test(code));
            if let Some((_, home)) = out.iter_mut().find(same) {
                home[0].absorb(code.clone());
                continue;
            }
        }
        out.push((comments, body));
    }
    out
}

/// The values of statements that read nothing from elsewhere.
fn constants(body: &[Code], targets: &[NetId], nets: &[Net]) -> Option<Vec<(NetId, Value)>> {
    let mut outside = false;
    body.iter()
        .for_each(|c| c.reads(&mut |id| outside |= !targets.contains(&id)));
    let value = |net: &NetId| result(body, *net, nets, Branches::All);
    let constant = |net: &NetId| Some((*net, value(net).filter(|v| v.as_const().is_some())?));
    if outside {
        None
    } else {
        targets.iter().map(constant).collect()
    }
}
