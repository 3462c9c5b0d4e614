//! Finds loops: statements one after the other that differ only in numbers, by the same step from
//! each to the next.

use super::node::{For, Kind, Node, Slot};
use super::part::{Affine, Part, Variable};
use std::collections::{BTreeMap, HashMap};

/// The longest body that is looked for, in statements.
const LONGEST: usize = 48;
/// Iterations that are a loop whatever is in it.
const ITERATIONS: usize = 3;
/// Lines of a body of which two iterations are a loop.
const LARGE: usize = 4;
/// Lines of a body of which two iterations are a loop whatever the step of its positions: they may
/// be those of rows, as `[0]` and `[4]`.
const LARGER: usize = 8;

/// Gives out loop variables.
#[derive(Default)]
pub(super) struct Variables(usize);

impl Variables {
    fn next(&mut self) -> Variable {
        self.0 += 1;
        self.0 - 1
    }
}

/// Statements with what repeats as loops; their order stays.
pub(super) fn roll(nodes: Vec<Node>, variables: &mut Variables) -> Vec<Node> {
    let nodes: Vec<Node> = nodes
        .into_iter()
        .map(|node| below(node, variables))
        .collect();
    sequence(nodes, variables)
}

/// With loops inside of a statement.
fn below(mut node: Node, variables: &mut Variables) -> Node {
    if let Kind::Block(segments) = &mut node.kind {
        for (head, body) in segments {
            let nodes = std::mem::take(body);
            *body = match takes_no_loops(head) {
                // Arms of a case and ports of an instance; loops inside of arms are good.
                true => nodes.into_iter().map(|n| below(n, variables)).collect(),
                false => roll(nodes, variables),
            };
        }
        numbered(&mut node, INNER);
    }
    node
}

/// Variables of loops inside of statements are numbered by depth from here, so that two statements
/// with equal loops are equal.
const INNER: Variable = 1 << 32;

fn numbered(node: &mut Node, depth: Variable) {
    match &mut node.kind {
        Kind::Line(_) => {}
        Kind::Block(segments) => {
            let nodes = segments.iter_mut().flat_map(|(_, body)| body);
            nodes.for_each(|n| numbered(n, depth));
        }
        Kind::Group(nodes) => nodes.iter_mut().for_each(|n| numbered(n, depth)),
        Kind::For(one) => {
            // Inner ones first: none takes the number of one around it.
            for inside in &mut one.body {
                numbered(inside, depth + 1);
                *inside = inside.renamed(one.variable, depth);
            }
            one.variable = depth;
        }
    }
}

fn takes_no_loops(head: &[Part]) -> bool {
    let first = matches!(head.first(), Some(Part::Text(text)) if text.starts_with("case"));
    first || matches!(head.last(), Some(Part::Text(text)) if text.ends_with('('))
}

struct Run {
    start: usize,
    period: usize,
    count: usize,
    saved: usize,
}

fn sequence(nodes: Vec<Node>, variables: &mut Variables) -> Vec<Node> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let shapes: Vec<usize> = nodes
        .iter()
        .map(|node| {
            let next = known.len();
            *known.entry(node.shape()).or_insert(next)
        })
        .collect();
    let slots: Vec<Vec<Slot>> = nodes.iter().map(Node::slots).collect();
    let lines: Vec<usize> = nodes.iter().map(Node::lines).collect();
    let mut best: Option<Run> = None;
    for start in 0..nodes.len() {
        for period in 1..=LONGEST.min((nodes.len() - start) / 2) {
            let at = |k: usize, m: usize| start + k * period + m;
            let same = |k: usize| {
                at(k, period - 1) < nodes.len()
                    && (0..period).all(|m| {
                        shapes[at(k, m)] == shapes[at(0, m)]
                            && said_again(&nodes[at(0, m)], &nodes[at(k, m)])
                    })
            };
            let most = 1 + (1..).take_while(|&k| same(k)).count();
            if most < 2 {
                continue;
            }
            let body: usize = (0..period).map(|m| lines[at(0, m)]).sum();
            let columns = (0..period).map(|m| (0..most).map(|k| &slots[at(k, m)]).collect());
            let Some(count) = columns
                .map(|rows: Vec<&Vec<Slot>>| regular(&rows, body >= LARGER))
                .min()
                .filter(|&count| count >= 2)
            else {
                continue;
            };
            let enough = count >= ITERATIONS || body >= LARGE;
            let saved = (body * (count - 1)).saturating_sub(2);
            // Of equal ones the shortest body: nested loops follow.
            if enough && saved > best.as_ref().map_or(0, |run| run.saved) {
                best = Some(Run {
                    start,
                    period,
                    count,
                    saved,
                });
            }
        }
    }
    let Some(Run {
        start,
        period,
        count,
        ..
    }) = best
    else {
        return nodes;
    };
    let iterations: Vec<&[Node]> = (0..count)
        .map(|k| &nodes[start + k * period..start + (k + 1) * period])
        .collect();
    let variable = variables.next();
    let (low, mut body) = template(&iterations, variable);
    // What is said once is said of the loop.
    let again = iterations[1][0].comments.len();
    let said = &mut body[0].comments;
    let inside = said.split_off(said.len() - again);
    let comments = std::mem::replace(said, inside);
    let body = sequence(body, variables);
    let one = For {
        variable,
        low,
        count: count as i64,
        body,
    };
    let end = start + period * count;
    let mut nodes = nodes;
    let after = nodes.split_off(end);
    nodes.truncate(start);
    let mut out = sequence(nodes, variables);
    out.push(Node {
        comments,
        kind: Kind::For(one),
    });
    out.extend(sequence(after, variables));
    out
}

/// A later iteration has no comments, or those of the first one.
fn said_again(first: &Node, later: &Node) -> bool {
    later.comments.is_empty() || first.comments.ends_with(&later.comments)
}

/// How many rows, from the first, are the iterations of a loop: each number grows by its step.
///
/// With `any_step`, positions of two iterations may have any step.
fn regular(rows: &[&Vec<Slot>], any_step: bool) -> usize {
    let mut count = rows.len();
    let mut start: Option<i64> = None;
    for at in 0..rows[0].len() {
        let column: Vec<&Slot> = rows.iter().map(|row| &row[at]).collect();
        let Some((slot, fits)) = fitting(&column[..count], any_step) else {
            return 1;
        };
        count = fits;
        // Constants that are the loop variable itself say where it starts.
        let moves = matches!(column, _ if fits > 1 && step(&column, &slot) != Some(0));
        if let (Slot::Sized(_, first), true) = (&slot, moves) {
            if *start.get_or_insert(first.base) != first.base {
                return 1;
            }
        }
        if count < 2 {
            return 1;
        }
    }
    count
}

/// What a slot of the first of these is, read so that the most of them are regular.
fn fitting(column: &[&Slot], any_step: bool) -> Option<(Slot, usize)> {
    readings(column[0])
        .into_iter()
        .map(|slot| {
            let fits = count(column, &slot, any_step);
            (slot, fits)
        })
        // The first of the best.
        .rev()
        .max_by_key(|(_, fits)| *fits)
}

/// A constant may be itself, a mask, or one bit.
fn readings(slot: &Slot) -> Vec<Slot> {
    let mut out = vec![slot.clone()];
    if let Slot::Sized(width, value) = slot {
        out.extend(as_ones(*width, value).map(|n| Slot::Ones(*width, n)));
        out.extend(as_one_hot(*width, value).map(|n| Slot::OneHot(*width, n)));
    }
    out
}

fn as_ones(width: usize, value: &Affine) -> Option<Affine> {
    let v = value.base;
    let ones = value.is_constant() && width > 1 && v > 0 && v & (v + 1) == 0;
    ones.then(|| Affine::constant(i64::from(v.count_ones())))
}

fn as_one_hot(width: usize, value: &Affine) -> Option<Affine> {
    let v = value.base;
    let hot = value.is_constant() && width > 1 && v.count_ones() == 1;
    hot.then(|| Affine::constant(i64::from(v.trailing_zeros())))
}

/// The number of a slot, read as another one is.
fn read_as(slot: &Slot, like: &Slot) -> Option<Affine> {
    match (slot, like) {
        (Slot::Sized(width, value), Slot::Ones(..)) => as_ones(*width, value),
        (Slot::Sized(width, value), Slot::OneHot(..)) => as_one_hot(*width, value),
        _ => Some(slot.value().clone()),
    }
}

fn step(column: &[&Slot], like: &Slot) -> Option<i64> {
    let next = read_as(column.get(1)?, like)?;
    like.value().step_to(&next)
}

fn count(column: &[&Slot], like: &Slot, any_step: bool) -> usize {
    let Some(step) = step(column, like) else {
        return 1;
    };
    // A constant has its bits from the variable's: the variable itself, and no more.
    let allowed = match like {
        Slot::Sized(_, first) => step == 0 || step == 1 && first.is_constant(),
        Slot::Ones(..) | Slot::OneHot(..) => step == 0 || step == 1,
        Slot::Index(_) => any_step || step == 0 || step.abs() == 1 || column.len() >= ITERATIONS,
        Slot::Int(_) => true,
    };
    if !allowed {
        return 1;
    }
    let first = like.value().clone();
    (0..column.len())
        .take_while(|&k| {
            let value = read_as(column[k], like);
            value.and_then(|v| first.step_to(&v)) == Some(step * k as i64)
        })
        .count()
}

/// The body of a loop that has these iterations, and the first value of its variable.
fn template(iterations: &[&[Node]], variable: Variable) -> (i64, Vec<Node>) {
    let read = |m: usize| -> Vec<(Slot, i64)> {
        let rows: Vec<Vec<Slot>> = iterations.iter().map(|nodes| nodes[m].slots()).collect();
        (0..rows[0].len())
            .map(|at| {
                let column: Vec<&Slot> = rows.iter().map(|row| &row[at]).collect();
                let (slot, _) = fitting(&column, true).expect("regular");
                let step = step(&column, &slot).expect("regular");
                (slot, step)
            })
            .collect()
    };
    let read: Vec<Vec<(Slot, i64)>> = (0..iterations[0].len()).map(read).collect();
    let moving = || read.iter().flatten().filter(|(_, step)| *step == 1);
    let base = |slot: &Slot| slot.value().is_constant().then(|| slot.value().base);
    let constants = moving().filter(|(slot, _)| matches!(slot, Slot::Sized(..)));
    let fixed = constants.filter_map(|(slot, _)| base(slot)).next();
    // Else where most positions are the variable itself; of equal ones the lowest.
    let mut wanted: BTreeMap<i64, usize> = BTreeMap::new();
    for base in moving()
        .filter_map(|(slot, _)| base(slot))
        .filter(|base| *base >= 0)
    {
        *wanted.entry(base).or_default() += 1;
    }
    let most = wanted.iter().rev().max_by_key(|(_, times)| **times);
    let low = fixed.or(most.map(|(base, _)| *base)).unwrap_or(0);
    let body = iterations[0].iter().zip(read).map(|(node, slots)| {
        let mut slots = slots.into_iter().map(|(slot, step)| {
            let value = slot.value().plus(step, variable, low);
            match slot {
                Slot::Int(_) => Slot::Int(value),
                Slot::Index(_) => Slot::Index(value),
                Slot::Sized(w, first) if step == 0 => Slot::Sized(w, first),
                Slot::Sized(w, _) => Slot::Sized(w, value),
                // Read as a mask only where it changes.
                Slot::Ones(w, _) => Slot::Ones(w, value),
                Slot::OneHot(w, _) => Slot::OneHot(w, value),
            }
        });
        node.with(&mut slots)
    });
    (low, body.collect())
}

/// Items of a module, which have no order: those of one shape are gathered before loops are looked
/// for, and loops over the same range become one. New comments stay where they are.
pub(super) fn roll_items(nodes: Vec<Node>, variables: &mut Variables) -> Vec<Node> {
    let nodes: Vec<Node> = nodes
        .into_iter()
        .map(|node| below(node, variables))
        .collect();
    let mut heard: Vec<Vec<String>> = vec![];
    let mut sections: Vec<Vec<Node>> = vec![vec![]];
    for node in nodes {
        if !node.comments.is_empty() && !heard.contains(&node.comments) {
            heard.push(node.comments.clone());
            sections.push(vec![]);
        }
        sections.last_mut().expect("has one").push(node);
    }
    let mut out = vec![];
    for section in sections {
        let mut classes: Vec<(String, Vec<(usize, Node)>)> = vec![];
        for (at, node) in section.into_iter().enumerate() {
            let shape = node.shape();
            match classes.iter_mut().find(|class| class.0 == shape) {
                Some((_, members)) => members.push((at, node)),
                None => classes.push((shape, vec![(at, node)])),
            }
        }
        let mut placed: Vec<(usize, Node)> = vec![];
        for (_, members) in classes {
            let places: Vec<usize> = members.iter().map(|m| m.0).collect();
            let nodes = members.into_iter().map(|m| m.1).collect();
            let mut at = 0;
            for node in sequence(nodes, variables) {
                placed.push((places[at], node.clone()));
                at += iterations(&node);
            }
        }
        placed.sort_by_key(|(at, _)| *at);
        let nodes = placed.into_iter().map(|(_, node)| node).collect();
        out.extend(fused(nodes, &|_, _| true));
    }
    out
}

/// How many statements of the class a node stands for.
fn iterations(node: &Node) -> usize {
    match &node.kind {
        Kind::For(For { count, body, .. }) => {
            let inside: usize = body.iter().map(iterations).sum();
            usize::try_from(*count).unwrap_or(1) * inside
        }
        _ => 1,
    }
}

/// Loops over the same range one after the other as one.
pub(super) fn fused(nodes: Vec<Node>, may: &dyn Fn(&Node, &Node) -> bool) -> Vec<Node> {
    let mut out: Vec<Node> = vec![];
    for node in nodes {
        let joins = out
            .last()
            .is_some_and(|last| match (&last.kind, &node.kind) {
                (Kind::For(a), Kind::For(b)) => {
                    a.low == b.low && a.count == b.count && may(last, &node)
                }
                _ => false,
            });
        match (out.last_mut().map(|last| &mut last.kind), node.kind) {
            (Some(Kind::For(a)), Kind::For(b)) if joins => {
                let mut body = b.body.iter().map(|n| n.renamed(b.variable, a.variable));
                let first = body.next().map(|mut first| {
                    first.comments.splice(0..0, node.comments);
                    first
                });
                a.body.extend(first.into_iter().chain(body));
            }
            (_, kind) => out.push(Node {
                comments: node.comments,
                kind,
            }),
        }
    }
    for node in &mut out {
        if let Kind::For(one) = &mut node.kind {
            one.body = fused(std::mem::take(&mut one.body), may);
        }
    }
    out
}
