//! Replaces net references by what drives them; finds combinational loops.
//!
//! Nets are resolved whole. Where that meets a cycle, the nets on it are cut
//! into bits: a path through one wide signal may be a loop for the signal but
//! not for any of its bits. Only a cycle of bits is an error.

use super::flatten::{FlatId, FlatNet};
use crate::error::Error;
use crate::graph::{Graph, NodeId, Op};
use std::collections::{HashMap, HashSet};

/// What drives each net, in terms of other nets.
pub(super) type Drivers = HashMap<FlatId, NodeId>;

/// A net, or one bit of it.
type Piece = (FlatId, Option<usize>);

enum Stop {
    Loop(Vec<Piece>),
    Undriven(FlatId),
}

/// Resolves every driven net; the graph is returned with the new nodes.
pub(super) fn resolve(
    graph: Graph,
    nets: &[FlatNet],
    drivers: &Drivers,
) -> Result<(Graph, HashMap<FlatId, NodeId>), Error> {
    let mut order: Vec<FlatId> = drivers.keys().copied().collect();
    order.sort_unstable();
    let mut graph = graph;
    let mut split = HashSet::new();
    loop {
        let mut r = Resolver {
            graph: &mut graph,
            nets,
            drivers,
            split: &split,
            pieces: HashMap::new(),
            memo: HashMap::new(),
            bits: HashMap::new(),
            path: vec![],
        };
        let mut values = HashMap::new();
        let mut stop = None;
        for &id in &order {
            match r.net(id) {
                Ok(node) => {
                    values.insert(id, node);
                }
                Err(s) => {
                    stop = Some(s);
                    break;
                }
            }
        }
        match stop {
            None => return Ok((graph, values)),
            Some(Stop::Undriven(id)) => {
                let name = &nets[id as usize].name;
                let (block, signal) = name.rsplit_once('.').unwrap_or(("", name));
                return Err(Error::Undriven { block: block.into(), signal: signal.into() });
            }
            Some(Stop::Loop(cycle)) => {
                let before = split.len();
                split.extend(
                    cycle.iter().filter(|p| nets[p.0 as usize].width > 1).map(|p| p.0),
                );
                if split.len() == before {
                    let cycle = cycle.iter().map(|p| piece_name(nets, *p)).collect();
                    return Err(Error::CombinationalLoop { cycle });
                }
            }
        }
    }
}

fn piece_name(nets: &[FlatNet], (id, bit): Piece) -> String {
    let net = &nets[id as usize];
    match bit {
        Some(bit) if net.width > 1 => format!("{}[{bit}]", net.name),
        _ => net.name.clone(),
    }
}

struct Resolver<'a> {
    graph: &'a mut Graph,
    nets: &'a [FlatNet],
    drivers: &'a Drivers,
    split: &'a HashSet<FlatId>,
    /// `None` while in progress.
    pieces: HashMap<Piece, Option<NodeId>>,
    memo: HashMap<NodeId, NodeId>,
    /// Bits of unresolved nodes.
    bits: HashMap<(NodeId, usize), NodeId>,
    path: Vec<Piece>,
}

impl Resolver<'_> {
    fn net(&mut self, id: FlatId) -> Result<NodeId, Stop> {
        if !self.split.contains(&id) {
            return self.piece((id, None));
        }
        let width = self.nets[id as usize].width;
        let bits = (0..width).map(|b| self.piece((id, Some(b)))).collect::<Result<_, _>>()?;
        Ok(self.graph.cat(bits))
    }

    fn piece(&mut self, piece: Piece) -> Result<NodeId, Stop> {
        match self.pieces.get(&piece) {
            Some(Some(node)) => return Ok(*node),
            Some(None) => {
                let from = self.path.iter().position(|p| *p == piece).unwrap_or(0);
                let mut cycle = self.path[from..].to_vec();
                cycle.push(piece);
                return Err(Stop::Loop(cycle));
            }
            None => {}
        }
        let Some(&driver) = self.drivers.get(&piece.0) else { return Err(Stop::Undriven(piece.0)) };
        self.pieces.insert(piece, None);
        self.path.push(piece);
        let unresolved = match piece.1 {
            None => driver,
            Some(bit) => self.bit_of(driver, bit),
        };
        let node = self.node(unresolved)?;
        self.path.pop();
        self.pieces.insert(piece, Some(node));
        Ok(node)
    }

    /// Bit `at` of an unresolved node, reading only the bits it depends on.
    ///
    /// A sum is taken whole, though its low bits depend on low bits only: a
    /// simulator with X cannot start such a loop, and synthesis warns of it.
    fn bit_of(&mut self, root: NodeId, at: usize) -> NodeId {
        let mut stack = vec![(root, at)];
        while let Some(&(node, at)) = stack.last() {
            if self.bits.contains_key(&(node, at)) {
                stack.pop();
                continue;
            }
            let operands: Vec<(NodeId, usize)> = match self.graph.op(node) {
                Op::Not(a) => vec![(*a, at)],
                Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) => vec![(*a, at), (*b, at)],
                Op::Mux(c, a, b) => vec![(*c, 0), (*a, at), (*b, at)],
                Op::Slice(a, low) => vec![(*a, at + *low as usize)],
                Op::Cat(parts) => vec![self.part_at(parts, at)],
                _ => vec![],
            };
            let before = stack.len();
            stack.extend(operands.iter().filter(|o| !self.bits.contains_key(o)));
            if stack.len() > before {
                continue;
            }
            let of = |k: usize| self.bits[&operands[k]];
            let bit = match *self.graph.op(node) {
                Op::Not(_) => self.graph.not(of(0)),
                Op::And(..) => self.graph.and(of(0), of(1)),
                Op::Or(..) => self.graph.or(of(0), of(1)),
                Op::Xor(..) => self.graph.xor(of(0), of(1)),
                Op::Mux(..) => self.graph.mux(of(0), of(1), of(2)),
                Op::Slice(..) | Op::Cat(_) => of(0),
                _ => self.graph.slice(node, at, 1),
            };
            self.bits.insert((node, at), bit);
            stack.pop();
        }
        self.bits[&(root, at)]
    }

    /// The part of a concatenation that bit `at` is in, and where in it.
    fn part_at(&self, parts: &[NodeId], mut at: usize) -> (NodeId, usize) {
        for &part in parts {
            let width = self.graph.width(part);
            if at < width {
                return (part, at);
            }
            at -= width;
        }
        unreachable!("a bit inside the concatenation")
    }

    /// Resolves a node by an explicit stack; nets recurse.
    fn node(&mut self, root: NodeId) -> Result<NodeId, Stop> {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.memo.contains_key(&node) {
                stack.pop();
                continue;
            }
            let op = self.graph.op(node).clone();
            let resolved = match op {
                Op::Leaf(id) => self.net(id)?,
                Op::Slice(of, low) => match *self.graph.op(of) {
                    Op::Leaf(id) if self.split.contains(&id) => {
                        let width = self.graph.width(node);
                        let low = low as usize;
                        let bits = (low..low + width)
                            .map(|b| self.piece((id, Some(b))))
                            .collect::<Result<_, _>>()?;
                        self.graph.cat(bits)
                    }
                    _ => match self.rebuilt(node, &[of], &mut stack) {
                        Some(resolved) => resolved,
                        None => continue,
                    },
                },
                other => match self.rebuilt(node, &other.operands(), &mut stack) {
                    Some(resolved) => resolved,
                    None => continue,
                },
            };
            self.memo.insert(node, resolved);
            stack.pop();
        }
        Ok(self.memo[&root])
    }

    /// The node on resolved operands, or `None` after queueing those that are
    /// not resolved yet.
    fn rebuilt(&mut self, node: NodeId, operands: &[NodeId], stack: &mut Vec<NodeId>) -> Option<NodeId> {
        let open: Vec<NodeId> =
            operands.iter().copied().filter(|n| !self.memo.contains_key(n)).collect();
        if !open.is_empty() {
            stack.extend(open);
            return None;
        }
        let resolved: Vec<NodeId> = operands.iter().map(|n| self.memo[n]).collect();
        Some(self.graph.rebuilt(node, &resolved))
    }
}
