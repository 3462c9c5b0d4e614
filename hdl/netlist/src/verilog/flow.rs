//! Splits a sequence of statements into blocks without combinational loops between them.
//!
//! `update()` is one sequence, and a signal's value can be read half-way. In
//! Verilog each `always @*` block that mixes unrelated signals is a loop that
//! is none, and simulators iterate over it. So: a local that is reused as a
//! temporary gets a name for each use, and the statements are grouped by what
//! really has to stay in sequence.

use super::code::{Code, Effect};
use super::constants::propagate;
use super::paths::{self, Node};
use super::value::{Kind, Value};
use crate::graph::ones;
use crate::ir::{Module, Net, NetId, NetKind};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Wiring up to this size is repeated rather than named.
const REPEATED: usize = 3;

/// A top-level statement with the comments before it.
#[derive(Clone, Debug)]
struct Top {
    comments: Vec<String>,
    code: Code,
}

/// Statements that belong together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Comments before the first statement.
    pub comments: Vec<String>,
    pub body: Vec<Code>,
    pub targets: Vec<NetId>,
}

/// A block's statements, regrouped.
pub(super) struct Flow {
    /// The module's nets, and one for each use of a reused local.
    pub nets: Vec<Net>,
    /// In the order of their first statements.
    pub groups: Vec<Group>,
    /// Comments after the last statement.
    pub closing: Vec<String>,
}

/// Regroups a block's statements.
pub(super) fn regroup(module: &Module, body: Vec<Code>) -> Flow {
    let (tops, closing) = tops(propagate(body));
    let mut work = Work {
        module,
        nets: module.nets.clone(),
        tops,
        closing,
        uses: BTreeMap::new(),
    };
    work.version();
    work.dissolve();
    work.remove_dead();
    let mut groups = work.grouped();
    if work.loops_through_children(&groups) {
        work.split_by_target();
        groups = work.grouped();
    }
    Flow {
        nets: work.nets,
        groups,
        closing: work.closing,
    }
}

fn tops(body: Vec<Code>) -> (Vec<Top>, Vec<String>) {
    let mut comments = vec![];
    let mut out = vec![];
    for code in body {
        match code {
            Code::Comment(text) => comments.push(text),
            code => out.push(Top {
                comments: std::mem::take(&mut comments),
                code,
            }),
        }
    }
    (out, comments)
}

struct Work<'a> {
    module: &'a Module,
    nets: Vec<Net>,
    tops: Vec<Top>,
    closing: Vec<String>,
    /// Reused nets: the names of their uses, the net itself last.
    uses: BTreeMap<NetId, Vec<NetId>>,
}

impl Work<'_> {
    fn width(&self, id: NetId) -> usize {
        self.nets[id.index()].width
    }

    /// Gives each use of a net a name of its own where a statement assigns it
    /// again without reading its old value.
    fn version(&mut self) {
        let mut starts: BTreeMap<NetId, Vec<usize>> = BTreeMap::new();
        for (i, top) in self.tops.iter().enumerate() {
            for net in top.code.targets() {
                let width = self.width(net);
                let effect = Effect::of(std::slice::from_ref(&top.code), net, width);
                let rewritten = effect.assigned == ones(width) && effect.read.bits() == 0;
                let starts = starts.entry(net).or_default();
                if rewritten || starts.is_empty() {
                    starts.push(i);
                }
            }
        }
        let mut renamed: HashMap<(NetId, usize), NetId> = HashMap::new();
        for (net, starts) in &starts {
            let mut names = vec![];
            for (k, &from) in starts.iter().enumerate() {
                let last = k + 1 == starts.len();
                let name = if last {
                    *net
                } else {
                    self.another(*net, k + 1)
                };
                names.push(name);
                let to = if last { self.tops.len() } else { starts[k + 1] };
                if !last {
                    (from..to).for_each(|i| {
                        renamed.insert((*net, i), name);
                    });
                }
            }
            if names.len() > 1 {
                self.uses.insert(*net, names);
            }
        }
        if renamed.is_empty() {
            return;
        }
        let widths: Vec<usize> = self.nets.iter().map(|n| n.width).collect();
        for (i, top) in self.tops.iter_mut().enumerate() {
            top.code
                .rename(&|id| renamed.get(&(id, i)).copied(), &|id| {
                    widths[id.index()]
                });
        }
    }

    fn another(&mut self, net: NetId, number: usize) -> NetId {
        let original = &self.nets[net.index()];
        let copy = Net {
            name: format!("{}_v{number}", original.name),
            kind: NetKind::Local,
            ..original.clone()
        };
        self.nets.push(copy);
        NetId(self.nets.len() as u32 - 1)
    }

    fn writers(&self) -> HashMap<NetId, Vec<usize>> {
        let mut writers: HashMap<NetId, Vec<usize>> = HashMap::new();
        for (i, top) in self.tops.iter().enumerate() {
            for net in top.code.targets() {
                writers.entry(net).or_default().push(i);
            }
        }
        writers
    }

    /// Replaces temporaries that only stand for a few wires by these.
    fn dissolve(&mut self) {
        let writers = self.writers();
        let owner: HashMap<NetId, NetId> = self
            .uses
            .iter()
            .flat_map(|(net, names)| names.iter().map(|n| (*n, *net)))
            .collect();
        let mut known: HashMap<NetId, Value> = HashMap::new();
        for i in 0..self.tops.len() {
            self.tops[i].code.substitute(&|id| known.get(&id).cloned());
            let Code::Set { net, low: 0, value } = &self.tops[i].code else {
                continue;
            };
            let shorthand = owner
                .get(net)
                .is_some_and(|o| self.nets[o.index()].kind == NetKind::Local)
                && value.width == self.width(*net)
                && writers[net] == [i]
                && value.is_wiring()
                && value.size() <= REPEATED;
            let mut settled = true;
            value.nets(&mut |id| {
                settled &= writers.get(&id).is_none_or(|w| *w.last().unwrap_or(&0) < i)
            });
            if shorthand && settled {
                known.insert(*net, value.clone());
            }
        }
        let mut gone: HashSet<NetId> = HashSet::new();
        for names in self.uses.values() {
            gone.extend(names.iter().filter(|n| known.contains_key(n)));
        }
        self.drop_assignments(&|id| gone.contains(&id));
    }

    /// Removes assignments to uses that are never read.
    fn remove_dead(&mut self) {
        loop {
            let mut read = HashSet::new();
            self.tops.iter().for_each(|t| {
                t.code.reads(&mut |id| {
                    read.insert(id);
                })
            });
            let first_use = self.module.nets.len();
            let dead: HashSet<NetId> = self
                .tops
                .iter()
                .flat_map(|t| t.code.targets())
                .filter(|id| id.index() >= first_use && !read.contains(id))
                .collect();
            if dead.is_empty() {
                return;
            }
            self.drop_assignments(&|id| dead.contains(&id));
        }
    }

    /// Comments of what is dropped go to the next statement.
    fn drop_assignments(&mut self, gone: &dyn Fn(NetId) -> bool) {
        let mut comments = vec![];
        let mut kept = vec![];
        for mut top in std::mem::take(&mut self.tops) {
            comments.append(&mut top.comments);
            for code in top.code.without(gone) {
                match code {
                    Code::Comment(text) => comments.push(text),
                    code => kept.push(Top {
                        comments: std::mem::take(&mut comments),
                        code,
                    }),
                }
            }
        }
        comments.append(&mut self.closing);
        self.closing = comments;
        self.tops = kept;
    }

    fn written(&self) -> Vec<HashMap<NetId, BigUint>> {
        self.tops
            .iter()
            .map(|t| t.code.written(&|id| self.width(id)))
            .collect()
    }

    /// Unites what has to stay in sequence: assignments of one net, and
    /// the readers of a value that later statements still change.
    fn sequence(
        &self,
        writers: &HashMap<NetId, Vec<usize>>,
        written: &[HashMap<NetId, BigUint>],
        sets: &mut Sets,
    ) {
        for (i, top) in self.tops.iter().enumerate() {
            for net in top.code.targets() {
                sets.unite(i, writers[&net][0]);
            }
            top.code.each_value(&mut |value| {
                unsettled(value, i, writers, written, &mut |id| {
                    sets.unite(i, writers[&id][0])
                });
            });
        }
    }

    fn grouped(&self) -> Vec<Group> {
        let writers = self.writers();
        let mut sets = Sets::new(self.tops.len());
        self.sequence(&writers, &self.written(), &mut sets);
        // Groups that need each other's values become one: in the original
        // order every value is read after it is assigned.
        for cycle in self.cycles(&self.collect(&mut sets)) {
            if let [first, rest @ ..] = &cycle.groups[..] {
                rest.iter()
                    .filter(|_| !cycle.through_child)
                    .for_each(|g| sets.unite(*first, *g));
            }
        }
        self.collect(&mut sets)
            .into_values()
            .map(|members| {
                let mut group = Group {
                    comments: vec![],
                    body: vec![],
                    targets: vec![],
                };
                for (k, &i) in members.iter().enumerate() {
                    let top = &self.tops[i];
                    if k == 0 {
                        group.comments = top.comments.clone();
                    } else {
                        group
                            .body
                            .extend(top.comments.iter().cloned().map(Code::Comment));
                    }
                    group.body.push(top.code.clone());
                    for net in top.code.targets() {
                        if !group.targets.contains(&net) {
                            group.targets.push(net);
                        }
                    }
                }
                group
            })
            .collect()
    }

    /// Statements by the first of their group.
    fn collect(&self, sets: &mut Sets) -> BTreeMap<usize, Vec<usize>> {
        let mut first: HashMap<usize, usize> = HashMap::new();
        let mut out: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for i in 0..self.tops.len() {
            let at = *first.entry(sets.root(i)).or_insert(i);
            out.entry(at).or_default().push(i);
        }
        out
    }

    /// Circles among groups (named by their first statement) and children.
    fn cycles(&self, groups: &BTreeMap<usize, Vec<usize>>) -> Vec<Cycle> {
        let nodes: Vec<Node> = groups
            .values()
            .map(|members| {
                let mut node = Node::default();
                for &i in members {
                    self.tops[i].code.reads(&mut |id| node.reads.push(id));
                    node.drives.extend(self.tops[i].code.targets());
                }
                node
            })
            .chain(paths::through_children(self.module))
            .collect();
        let names: Vec<usize> = groups.keys().copied().collect();
        paths::cycles(&nodes)
            .into_iter()
            .map(|members| Cycle {
                through_child: members.iter().any(|&m| m >= names.len()),
                groups: members
                    .iter()
                    .filter_map(|&m| names.get(m).copied())
                    .collect(),
            })
            .collect()
    }

    fn loops_through_children(&self, groups: &[Group]) -> bool {
        let nodes: Vec<Node> = groups
            .iter()
            .map(|g| {
                let mut node = Node {
                    drives: g.targets.clone(),
                    reads: vec![],
                };
                g.body
                    .iter()
                    .for_each(|c| c.reads(&mut |id| node.reads.push(id)));
                node
            })
            .chain(paths::through_children(self.module))
            .collect();
        !paths::cycles(&nodes).is_empty()
    }

    /// Computes each net of a group that is in a circle with a child on its
    /// own: only what it needs stays with it, as private copies.
    fn split_by_target(&mut self) {
        let writers = self.writers();
        let written = self.written();
        let mut sets = Sets::new(self.tops.len());
        self.sequence(&writers, &written, &mut sets);
        let groups = self.collect(&mut sets);
        let circular: Vec<usize> = self
            .cycles(&groups)
            .into_iter()
            .filter(|c| c.through_child)
            .flat_map(|c| c.groups)
            .collect();
        let mut pieces: Vec<Vec<Top>> = self.tops.iter().map(|t| vec![t.clone()]).collect();
        for first in circular {
            let members = &groups[&first];
            let mut targets: Vec<NetId> = vec![];
            for &i in members {
                targets.extend(self.tops[i].code.targets());
                pieces[i].clear();
            }
            targets.sort();
            targets.dedup();
            for &target in &targets {
                let needed = self.needed(target, members, &writers, &written);
                let copies: HashMap<NetId, NetId> = needed
                    .into_iter()
                    .map(|id| (id, self.private(target, id)))
                    .collect();
                let widths: Vec<usize> = self.nets.iter().map(|n| n.width).collect();
                for &i in members {
                    let top = self.tops[i].clone();
                    let gone = |id: NetId| id != target && !copies.contains_key(&id);
                    let mut comments = if pieces[i].is_empty() {
                        top.comments
                    } else {
                        vec![]
                    };
                    for mut code in top.code.without(&gone) {
                        code.rename(&|id| copies.get(&id).copied(), &|id| widths[id.index()]);
                        pieces[i].push(Top {
                            comments: std::mem::take(&mut comments),
                            code,
                        });
                    }
                }
            }
        }
        self.tops = pieces.into_iter().flatten().collect();
        self.remove_dead();
    }

    /// Nets of a group whose values in the middle of it `target` depends on.
    fn needed(
        &self,
        target: NetId,
        members: &[usize],
        writers: &HashMap<NetId, Vec<usize>>,
        written: &[HashMap<NetId, BigUint>],
    ) -> Vec<NetId> {
        let mut needed: Vec<NetId> = vec![];
        loop {
            let before = needed.len();
            for &i in members {
                let gone = |id: NetId| id != target && !needed.contains(&id);
                let mut more = vec![];
                for code in self.tops[i].code.clone().without(&gone) {
                    code.each_value(&mut |v| {
                        unsettled(v, i, writers, written, &mut |id| more.push(id))
                    });
                }
                for id in more {
                    if id != target && !needed.contains(&id) {
                        needed.push(id);
                    }
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }

    fn private(&mut self, target: NetId, of: NetId) -> NetId {
        let (owner, original) = (&self.nets[target.index()], &self.nets[of.index()]);
        let copy = Net {
            name: format!("{}_{}", owner.name, original.name),
            kind: NetKind::Local,
            ..original.clone()
        };
        self.nets.push(copy);
        NetId(self.nets.len() as u32 - 1)
    }
}

/// Calls `f` for each net of which the expression in statement `i` reads bits
/// that this or a later statement still changes.
fn unsettled(
    value: &Value,
    i: usize,
    writers: &HashMap<NetId, Vec<usize>>,
    written: &[HashMap<NetId, BigUint>],
    f: &mut dyn FnMut(NetId),
) {
    value.visit(&mut |v| {
        let Kind::Net { id, low, .. } = v.kind else {
            return;
        };
        let Some(w) = writers.get(&id) else { return };
        let bits = ones(v.width) << low;
        if w.iter()
            .any(|j| *j >= i && (&written[*j][&id] & &bits).bits() > 0)
        {
            f(id);
        }
    });
}

struct Cycle {
    /// First statements of its groups.
    groups: Vec<usize>,
    through_child: bool,
}

/// Disjoint sets.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Sets((0..count).collect())
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower one stays: results do not depend on the order of calls.
        self.0[a.max(b)] = a.min(b);
    }
}
