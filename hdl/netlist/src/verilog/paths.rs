//! Combinational paths from the inputs of a module to its outputs, and combinational cycles.

use crate::ir::{Body, Expr, ExprKind, Module, NetId, NetKind, Stmt};
use std::collections::{BTreeSet, HashMap};

/// Something that computes nets from nets.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub reads: Vec<NetId>,
    pub drives: Vec<NetId>,
}

/// A node for each output of a child that depends on its inputs at once.
pub(super) fn through_children(module: &Module) -> Vec<Node> {
    let mut known = HashMap::new();
    let mut out = vec![];
    for child in &module.children {
        let Body::Module(inner) = &child.body else {
            continue;
        };
        let paths = combinational(inner, &mut known);
        let net = |port: &str| child.ports.iter().find(|p| p.0 == port).map(|p| p.1);
        for (output, inputs) in paths {
            let reads = inputs.iter().filter_map(|i| net(i)).collect();
            out.push(Node {
                reads,
                drives: net(&output).into_iter().collect(),
            });
        }
    }
    out
}

type Paths = Vec<(String, Vec<String>)>;

/// For each output of a module the inputs that it depends on within a cycle.
pub(super) fn combinational_of(module: &Module) -> Paths {
    combinational(module, &mut HashMap::new())
}

/// For each output the inputs that it depends on within a cycle.
fn combinational(module: &Module, known: &mut HashMap<*const Module, Paths>) -> Paths {
    if let Some(paths) = known.get(&std::ptr::from_ref(module)) {
        return paths.clone();
    }
    let mut sources: HashMap<NetId, BTreeSet<NetId>> = HashMap::new();
    depend(&module.body, &mut vec![], &mut sources);
    for child in &module.children {
        let Body::Module(inner) = &child.body else {
            continue;
        };
        let net = |port: &str| child.ports.iter().find(|p| p.0 == port).map(|p| p.1);
        for (output, inputs) in combinational(inner, known) {
            let Some(output) = net(&output) else { continue };
            sources
                .entry(output)
                .or_default()
                .extend(inputs.iter().filter_map(|i| net(i)));
        }
    }
    let mut paths = vec![];
    for (id, output) in module
        .ids()
        .filter(|(_, n)| n.kind == NetKind::Output && !n.clock)
    {
        let mut seen = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(at) = open.pop() {
            for &from in sources.get(&at).into_iter().flatten() {
                if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        let inputs = seen
            .into_iter()
            .filter(|i| module.net(*i).kind == NetKind::Input)
            .map(|i| module.net(i).name.clone())
            .collect();
        paths.push((output.name.clone(), inputs));
    }
    known.insert(std::ptr::from_ref(module), paths.clone());
    paths
}

fn depend(body: &[Stmt], tests: &mut Vec<NetId>, sources: &mut HashMap<NetId, BTreeSet<NetId>>) {
    for stmt in body {
        match stmt {
            Stmt::Comment(_) => {}
            Stmt::Assign(to, value) | Stmt::AssignSlice(to, _, value) => {
                let from = sources.entry(*to).or_default();
                from.extend(tests.iter().copied());
                nets(value, &mut |id| {
                    from.insert(id);
                });
            }
            Stmt::If(test, then, otherwise) => {
                let outer = tests.len();
                nets(test, &mut |id| tests.push(id));
                depend(then, tests, sources);
                depend(otherwise, tests, sources);
                tests.truncate(outer);
            }
            Stmt::Case(on, arms, default) => {
                let outer = tests.len();
                nets(on, &mut |id| tests.push(id));
                arms.iter()
                    .for_each(|arm| depend(&arm.body, tests, sources));
                depend(default, tests, sources);
                tests.truncate(outer);
            }
        }
    }
}

fn nets(e: &Expr, f: &mut dyn FnMut(NetId)) {
    if let ExprKind::Net(id) = e.kind {
        f(id);
    }
    e.operands().into_iter().for_each(|o| nets(o, f));
}

/// Strongly connected nodes, two or more each, in order.
pub(super) fn cycles(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut driver: HashMap<NetId, usize> = HashMap::new();
    for (i, node) in nodes.iter().enumerate() {
        node.drives.iter().for_each(|id| {
            driver.insert(*id, i);
        });
    }
    let needs: Vec<Vec<usize>> = nodes
        .iter()
        .map(|n| {
            n.reads
                .iter()
                .filter_map(|id| driver.get(id).copied())
                .collect()
        })
        .collect();
    let mut users = vec![vec![]; nodes.len()];
    for (i, from) in needs.iter().enumerate() {
        from.iter().for_each(|&j| users[j].push(i));
    }
    // Kosaraju: finishing order one way, components the other way.
    let mut seen = vec![false; nodes.len()];
    let mut order = vec![];
    for i in 0..nodes.len() {
        finish(i, &needs, &mut seen, &mut order);
    }
    seen.fill(false);
    let mut out = vec![];
    for &i in order.iter().rev() {
        let mut component = vec![];
        finish(i, &users, &mut seen, &mut component);
        if component.len() > 1 {
            component.sort();
            out.push(component);
        }
    }
    out.sort();
    out
}

/// Depth first, with an explicit stack.
fn finish(from: usize, next: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut stack = vec![(from, false)];
    while let Some((i, done)) = stack.pop() {
        if done {
            order.push(i);
        } else if !std::mem::replace(&mut seen[i], true) {
            stack.push((i, true));
            stack.extend(next[i].iter().map(|&j| (j, false)));
        }
    }
}
