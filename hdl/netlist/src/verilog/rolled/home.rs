//! Where the elements of a family are declared.

use super::family::{Family, Member};
use super::node::{For, Kind, Node};
use super::part::{Affine, Part, Variable};
use crate::verilog::names::{identifier, Scope};
use std::collections::HashMap;

/// Where a family is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Each element by itself: no loop has them.
    Scalars,
    /// An array of the module.
    Array,
    /// In the bodies of loops, nets in one only.
    Loops(Vec<Body>),
}

/// The body of a loop, by the numbers of the statements that lead to it, and the element that is
/// in each iteration.
pub(super) type Body = (Vec<usize>, Vec<Affine>);

/// Homes and names of all families.
pub(super) struct Homes {
    pub homes: Vec<Home>,
    /// Of families that are no scalars.
    pub names: Vec<String>,
    /// Of elements by themselves.
    pub scalars: HashMap<Member, String>,
}

/// Where a family is seen: the path of statements, and the index.
type Seen = Vec<Body>;

impl Homes {
    pub fn find(families: &[Family], nodes: &mut [Node]) -> Homes {
        let mut seen: Vec<Seen> = vec![vec![]; families.len()];
        look(nodes, &mut vec![], &mut seen);
        let homes = families.iter().zip(&seen).map(|(family, seen)| {
            let moves = |index: &[Affine]| index.iter().any(|a| !a.is_constant());
            if !seen.iter().any(|(_, index)| moves(index)) {
                return Home::Scalars;
            }
            let loops: Option<Vec<Body>> = match family.of_nets() {
                true if family.state => None,
                true => at_home(seen, nodes).map(|body| vec![body]),
                // RAMs and instances are named once; those outside of loops have names of their own.
                false => {
                    let moving = seen.iter().filter(|(_, index)| moves(index));
                    moving
                        .map(|one| at_home(std::slice::from_ref(one), nodes))
                        .collect()
                }
            };
            loops.map_or(Home::Array, Home::Loops)
        });
        Homes {
            homes: homes.collect(),
            names: vec![],
            scalars: HashMap::new(),
        }
    }

    /// Gives names: to arrays first.
    pub fn name(
        &mut self,
        families: &[Family],
        scalars: &HashMap<Member, String>,
        scope: &mut Scope,
    ) {
        self.names = vec![String::new(); families.len()];
        for (at, family) in families.iter().enumerate() {
            if self.homes[at] != Home::Scalars {
                self.names[at] = scope.claim(&identifier(&family.name));
            }
        }
        for (at, family) in families.iter().enumerate() {
            let all = self.homes[at] == Home::Scalars;
            for (_, member) in &family.members {
                if all || !family.of_nets() {
                    let name = scope.claim(&plain(&scalars[member]));
                    self.scalars.insert(*member, name);
                }
            }
        }
    }

    pub fn is_array(&self, family: usize) -> bool {
        self.homes[family] == Home::Array
    }

    pub fn is_local(&self, family: usize) -> bool {
        matches!(self.homes[family], Home::Loops(_))
    }
}

/// The name of one use of a signal: `counter_v2` is `counter_2`.
pub(super) fn plain(name: &str) -> String {
    match name.rsplit_once("_v") {
        Some((base, number)) if number.parse::<u32>().is_ok() => format!("{base}_{number}"),
        _ => name.into(),
    }
}

fn look(nodes: &[Node], path: &mut Vec<usize>, seen: &mut [Seen]) {
    for (at, node) in nodes.iter().enumerate() {
        path.push(at);
        match &node.kind {
            Kind::For(one) => look(&one.body, path, seen),
            _ => node.each_line(&mut |parts| {
                for part in parts {
                    if let Part::Element(family, index) = part {
                        seen[*family].push((path.clone(), index.clone()));
                    }
                }
            }),
        }
        path.pop();
    }
}

/// The innermost loop with all of these, if they are one element in each iteration.
fn at_home(seen: &[Body], nodes: &[Node]) -> Option<Body> {
    let mut seen = seen.iter();
    let (path, index) = seen.next()?;
    // The statement itself is not a loop.
    let mut common = path[..path.len() - 1].to_vec();
    for (path, other) in seen {
        if other != index {
            return None;
        }
        let same = common.iter().zip(path).take_while(|(a, b)| a == b).count();
        common.truncate(same.min(path.len() - 1));
    }
    let variables: Vec<Variable> = chain(nodes, &common).iter().map(|f| f.variable).collect();
    let mut used = index.iter().flat_map(|a| &a.terms);
    let known = used.all(|(v, _)| variables.contains(v));
    // Each iteration has an element of its own.
    let own = variables
        .iter()
        .all(|v| index.iter().any(|a| a.terms.iter().any(|t| t.0 == *v)));
    (known && own && !common.is_empty()).then(|| (common, index.clone()))
}

/// The loops of a path.
pub(super) fn chain<'a>(nodes: &'a [Node], path: &[usize]) -> Vec<&'a For> {
    let mut out = vec![];
    let mut nodes = nodes;
    for &at in path {
        if let Kind::For(one) = &nodes[at].kind {
            out.push(one);
            nodes = &one.body;
        }
    }
    out
}
