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
                return Err(Error::Undriven {
                    block: block.into(),
                    signal: signal.into(),
                });
            }
            Some(Stop::Loop(cycle)) => {
                let before = split.len();
                split.extend(
                    cycle
                        .iter()
                        .filter(|p| nets[p.0 as usize].width > 1)
                        .map(|p| p.0),
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
    pieces: HashMap<Piece, State>,
    /// Resolved nodes.
    memo: HashMap<NodeId, NodeId>,
    /// Bits of unresolved nodes.
    bits: HashMap<(NodeId, usize), NodeId>,
    /// The pieces in progress, each needed by the one before.
    path: Vec<Piece>,
}

/// How far a piece is.
#[derive(Clone, Copy)]
enum State {
    /// In progress; its unresolved node.
    Open(NodeId),
    Done(NodeId),
}

/// What is left to do. An explicit stack: chains of blocks can be longer than
/// the thread's is deep.
enum Task {
    Piece(Piece),
    Node(NodeId),
}

impl Resolver<'_> {
    /// The resolved value of a whole net.
    fn net(&mut self, id: FlatId) -> Result<NodeId, Stop> {
        let pieces = self.pieces_of(id, 0, self.nets[id as usize].width);
        self.run(pieces.iter().map(|p| Task::Piece(*p)).collect())?;
        Ok(self
            .joined(&pieces)
            .unwrap_or_else(|_| unreachable!("all pieces are done")))
    }

    /// The pieces that make up `width` bits of a net from `low`; all of an
    /// undivided net.
    fn pieces_of(&self, id: FlatId, low: usize, width: usize) -> Vec<Piece> {
        match self.split.contains(&id) {
            true => (low..low + width).map(|bit| (id, Some(bit))).collect(),
            false => vec![(id, None)],
        }
    }

    /// Pieces side by side, or those that are not done.
    fn joined(&mut self, pieces: &[Piece]) -> Result<NodeId, Vec<Task>> {
        let done = |p: &Piece| match self.pieces.get(p) {
            Some(State::Done(node)) => Ok(*node),
            _ => Err(*p),
        };
        let open: Vec<Task> = pieces
            .iter()
            .filter_map(|p| done(p).err())
            .map(Task::Piece)
            .collect();
        if !open.is_empty() {
            return Err(open);
        }
        let parts = pieces.iter().filter_map(|p| done(p).ok()).collect();
        Ok(self.graph.cat(parts))
    }

    fn run(&mut self, mut tasks: Vec<Task>) -> Result<(), Stop> {
        while let Some(task) = tasks.last() {
            let first = match *task {
                Task::Piece(piece) => self.piece(piece)?,
                Task::Node(node) => self.node(node),
            };
            if first.is_empty() {
                tasks.pop();
            }
            tasks.extend(first);
        }
        Ok(())
    }

    /// Finishes a piece, or says what comes first.
    fn piece(&mut self, piece: Piece) -> Result<Vec<Task>, Stop> {
        match self.pieces.get(&piece) {
            Some(State::Done(_)) => Ok(vec![]),
            Some(State::Open(unresolved)) => match self.memo.get(unresolved) {
                Some(&node) => {
                    self.pieces.insert(piece, State::Done(node));
                    self.path.pop();
                    Ok(vec![])
                }
                None => {
                    let from = self.path.iter().position(|p| *p == piece).unwrap_or(0);
                    let mut cycle = self.path[from..].to_vec();
                    cycle.push(piece);
                    Err(Stop::Loop(cycle))
                }
            },
            None => {
                let Some(&driver) = self.drivers.get(&piece.0) else {
                    return Err(Stop::Undriven(piece.0));
                };
                let unresolved = match piece.1 {
                    None => driver,
                    Some(bit) => self.bit_of(driver, bit),
                };
                self.pieces.insert(piece, State::Open(unresolved));
                self.path.push(piece);
                Ok(vec![Task::Node(unresolved)])
            }
        }
    }

    /// Resolves a node, or says what comes first.
    fn node(&mut self, node: NodeId) -> Vec<Task> {
        if self.memo.contains_key(&node) {
            return vec![];
        }
        let op = self.graph.op(node).clone();
        let width = self.graph.width(node);
        let bits_of_net = match op {
            Op::Leaf(id) => Some(self.pieces_of(id, 0, width)),
            Op::Slice(of, low) => match *self.graph.op(of) {
                Op::Leaf(id) if self.split.contains(&id) => {
                    Some(self.pieces_of(id, low as usize, width))
                }
                _ => None,
            },
            _ => None,
        };
        let resolved = match bits_of_net {
            Some(pieces) => match self.joined(&pieces) {
                Ok(resolved) => resolved,
                Err(first) => return first,
            },
            None => {
                let operands = op.operands();
                let open = operands.iter().filter(|n| !self.memo.contains_key(n));
                let open: Vec<Task> = open.map(|n| Task::Node(*n)).collect();
                if !open.is_empty() {
                    return open;
                }
                let resolved: Vec<NodeId> = operands.iter().map(|n| self.memo[n]).collect();
                self.graph.rebuilt(node, &resolved)
            }
        };
        self.memo.insert(node, resolved);
        vec![]
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
}
