//! Lowers graph nodes of any width to operations on words of 64 bits.

use super::pack::Lane;
use super::{ones, Word, Words};
use crate::graph::{Graph, NodeId, Op};
use crate::sim::error::SimError;
use crate::sim::layout::{top_mask, words, Layout};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Most slices and concatenations that bits are traced through.
pub(super) const MOST_LEVELS: usize = 16;
/// Most multiplexers that a single bit is traced through.
const MOST_NESTED: usize = 8;

/// The words of every node that some root depends on.
pub(in crate::sim) struct Lowered {
    pub words: Words,
    nodes: Vec<Vec<Word>>,
}

impl Lowered {
    /// A node's words, low word first.
    pub fn of(&self, node: NodeId) -> &[Word] {
        &self.nodes[node.index()]
    }
}

/// Bits of a node, and where they go.
#[derive(Clone, Copy)]
struct Piece {
    /// Position in the result.
    at: usize,
    node: NodeId,
    /// Position in the node.
    low: usize,
    width: usize,
    /// Slices and concatenations on the way here.
    level: usize,
}

pub(super) struct Lowering<'a> {
    pub graph: &'a Graph,
    pub words: Words,
    nodes: Vec<Vec<Word>>,
    /// Vectors made so far: see [`super::pack`].
    pub vectors: HashMap<Vec<Lane>, Word>,
    depth: usize,
}

/// Lowers everything that `roots` depend on.
///
/// # Errors
/// [`SimError::Malformed`] for graphs that elaboration does not produce.
pub(in crate::sim) fn lower(
    graph: &Graph,
    layout: &Layout,
    roots: &[NodeId],
) -> Result<Lowered, SimError> {
    let mut lowering = Lowering {
        graph,
        words: Words::new(layout.masks()),
        nodes: vec![Vec::new(); graph.len()],
        vectors: HashMap::new(),
        depth: 0,
    };
    for node in graph.order(roots.iter().copied()) {
        let malformed = |reason| SimError::Malformed {
            node: node.0,
            reason,
        };
        check_widths(graph, node).map_err(malformed)?;
        let slot = match *graph.op(node) {
            Op::Input(k) => layout
                .input_at(k as usize)
                .ok_or_else(|| malformed("no such input"))?,
            Op::Reg(k) => layout
                .flop_at(k as usize)
                .ok_or_else(|| malformed("no such flop"))?,
            Op::RamData(k) => layout
                .read_data_at(k as usize)
                .ok_or_else(|| malformed("no such RAM"))?,
            Op::Leaf(_) => return Err(malformed("a net that is not resolved")),
            _ => {
                lowering.nodes[node.index()] = lowering.node(node);
                continue;
            }
        };
        if slot.width() != graph.width(node) {
            return Err(malformed("its width is not that of its storage"));
        }
        let loads = slot
            .range()
            .map(|at| lowering.words.load(at as u32))
            .collect();
        lowering.nodes[node.index()] = loads;
    }
    Ok(Lowered {
        words: lowering.words,
        nodes: lowering.nodes,
    })
}

fn check_widths(graph: &Graph, node: NodeId) -> Result<(), &'static str> {
    let width = graph.width(node);
    let of = |n: NodeId| graph.width(n);
    let fine = match graph.op(node) {
        Op::Not(a) => of(*a) == width,
        Op::And(a, b)
        | Op::Or(a, b)
        | Op::Xor(a, b)
        | Op::Add(a, b)
        | Op::Sub(a, b)
        | Op::Mul(a, b) => of(*a) == width && of(*b) == width,
        Op::Eq(a, b) | Op::Less(a, b) => of(*a) == of(*b) && width == 1,
        Op::Shl(a, _) | Op::Shr(a, _) => of(*a) == width,
        Op::Mux(c, a, b) => of(*c) == 1 && of(*a) == width && of(*b) == width,
        Op::Slice(a, low) => *low as usize + width <= of(*a),
        Op::Cat(parts) => parts.iter().map(|&p| of(p)).sum::<usize>() == width,
        Op::Parity(_) => width == 1,
        Op::Const(value) => value.bits() <= width as u64,
        Op::Input(_) | Op::Reg(_) | Op::RamData(_) | Op::Leaf(_) => true,
    };
    match (fine, width) {
        (_, 0) => Err("it has no bits"),
        (true, _) => Ok(()),
        (false, _) => Err("its width does not fit its operands'"),
    }
}

impl Lowering<'_> {
    fn of(&self, node: NodeId) -> Vec<Word> {
        self.nodes[node.index()].clone()
    }

    fn node(&mut self, node: NodeId) -> Vec<Word> {
        let width = self.graph.width(node);
        match self.graph.op(node).clone() {
            Op::Const(value) => self.constant(&value, width),
            Op::Not(a) => {
                let mask = |i, n| {
                    if i + 1 == n {
                        top_mask(width)
                    } else {
                        u64::MAX
                    }
                };
                let a = self.of(a);
                let n = a.len();
                a.into_iter()
                    .enumerate()
                    .map(|(i, w)| self.words.not(w, mask(i, n)))
                    .collect()
            }
            Op::And(a, b) => self.each(a, b, Words::and),
            Op::Or(a, b) => self.each(a, b, Words::or),
            Op::Xor(a, b) => self.each(a, b, Words::xor),
            Op::Add(a, b) => match self.counted(node) {
                Some(count) => count,
                None => self.add(a, b, width),
            },
            Op::Sub(a, b) => self.sub(a, b, width),
            Op::Mul(a, b) => self.mul(a, b, width),
            Op::Eq(a, b) => vec![self.eq(a, b)],
            Op::Less(a, b) => vec![self.less(a, b)],
            Op::Shl(a, by) => self.shift(a, by, width, true),
            Op::Shr(a, by) => self.shift(a, by, width, false),
            Op::Mux(c, a, b) => {
                let c = self.of(c)[0];
                self.each(a, b, |words, a, b| words.select(c, a, b))
            }
            Op::Slice(..) | Op::Cat(_) => (0..words(width))
                .map(|i| self.bits(node, i * 64, (width - i * 64).min(64)))
                .collect(),
            Op::Parity(a) => {
                let parts = self.of(a);
                let mut folded = parts[0];
                for &part in &parts[1..] {
                    folded = self.words.xor(folded, part);
                }
                let count = self.words.popcount(folded);
                vec![self.words.field(count, 0, 1)]
            }
            // The caller has taken care of the leaves.
            Op::Input(_) | Op::Reg(_) | Op::RamData(_) | Op::Leaf(_) => Vec::new(),
        }
    }

    fn constant(&mut self, value: &BigUint, width: usize) -> Vec<Word> {
        let mut digits = value.iter_u64_digits();
        (0..words(width))
            .map(|_| self.words.constant(digits.next().unwrap_or(0)))
            .collect()
    }

    fn each(
        &mut self,
        a: NodeId,
        b: NodeId,
        mut op: impl FnMut(&mut Words, Word, Word) -> Word,
    ) -> Vec<Word> {
        let (a, b) = (self.of(a), self.of(b));
        a.into_iter()
            .zip(b)
            .map(|(a, b)| op(&mut self.words, a, b))
            .collect()
    }

    /// Clears what is above the width.
    fn trimmed(&mut self, mut parts: Vec<Word>, width: usize) -> Vec<Word> {
        if let Some(top) = parts.last_mut() {
            let mask = self.words.constant(top_mask(width));
            *top = self.words.and(*top, mask);
        }
        parts
    }

    fn add(&mut self, a: NodeId, b: NodeId, width: usize) -> Vec<Word> {
        let (a, b) = (self.of(a), self.of(b));
        let w = &mut self.words;
        let mut carry = w.constant(0);
        let mut sum = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            let partial = w.add(a, b);
            let total = w.add(partial, carry);
            // At most one of the two sums wraps.
            let (first, second) = (w.less(partial, a), w.less(total, partial));
            carry = w.or(first, second);
            sum.push(total);
        }
        self.trimmed(sum, width)
    }

    fn sub(&mut self, a: NodeId, b: NodeId, width: usize) -> Vec<Word> {
        let (a, b) = (self.of(a), self.of(b));
        let w = &mut self.words;
        let mut borrow = w.constant(0);
        let mut difference = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            let partial = w.sub(a, b);
            let total = w.sub(partial, borrow);
            let (first, second) = (w.less(a, b), w.less(partial, borrow));
            borrow = w.or(first, second);
            difference.push(total);
        }
        self.trimmed(difference, width)
    }

    /// Long multiplication.
    fn mul(&mut self, a: NodeId, b: NodeId, width: usize) -> Vec<Word> {
        let (a, b) = (self.of(a), self.of(b));
        let n = a.len();
        let w = &mut self.words;
        let zero = w.constant(0);
        let mut product = vec![zero; n];
        for i in 0..n {
            let mut carry = zero;
            for j in 0..n - i {
                // The high half is at most 2^64 - 2: both carries fit.
                let (low, mut high) = (w.mul(a[i], b[j]), w.mul_high(a[i], b[j]));
                for term in [low, carry] {
                    let sum = w.add(product[i + j], term);
                    let wrapped = w.less(sum, term);
                    high = w.add(high, wrapped);
                    product[i + j] = sum;
                }
                carry = high;
            }
        }
        self.trimmed(product, width)
    }

    fn eq(&mut self, a: NodeId, b: NodeId) -> Word {
        let (a, b) = (self.of(a), self.of(b));
        let w = &mut self.words;
        if let ([a], [b]) = (&a[..], &b[..]) {
            return w.eq(*a, *b);
        }
        let zero = w.constant(0);
        let mut differ = zero;
        for (a, b) in a.into_iter().zip(b) {
            let part = w.xor(a, b);
            differ = w.or(differ, part);
        }
        w.eq(differ, zero)
    }

    fn less(&mut self, a: NodeId, b: NodeId) -> Word {
        let (a, b) = (self.of(a), self.of(b));
        let w = &mut self.words;
        let mut less = w.constant(0);
        for (a, b) in a.into_iter().zip(b) {
            let (here, same) = (w.less(a, b), w.eq(a, b));
            let below = w.and(same, less);
            less = w.or(here, below);
        }
        less
    }

    /// Shift by a computed amount; the width and more give zero.
    fn shift(&mut self, a: NodeId, by: NodeId, width: usize, left: bool) -> Vec<Word> {
        let (mut parts, by) = (self.of(a), self.of(by));
        let n = parts.len();
        let w = &mut self.words;
        let zero = w.constant(0);
        let last = w.constant(width as u64 - 1);
        let amount = by[0];
        let mut past = w.less(last, amount);
        for &high in &by[1..] {
            let none = w.eq(high, zero);
            let some = w.not(none, 1);
            past = w.or(past, some);
        }
        // Whole words first, by one bit of the amount after the other.
        let mut distance = 1;
        while distance < n {
            let bit = w.field(amount, 6 + distance.trailing_zeros() as usize, 1);
            parts = (0..n)
                .map(|i| {
                    let from = if left {
                        i.checked_sub(distance)
                    } else {
                        Some(i + distance)
                    };
                    let moved = from.and_then(|i| parts.get(i)).copied().unwrap_or(zero);
                    w.select(bit, moved, parts[i])
                })
                .collect();
            distance *= 2;
        }
        let rest = w.constant(63);
        let rest = w.xor(amount, rest);
        let shifted = (0..n)
            .map(|i| {
                let neighbour = if left { i.checked_sub(1) } else { Some(i + 1) };
                let neighbour = neighbour.and_then(|i| parts.get(i)).copied();
                let own = if left {
                    w.shl_by(parts[i], amount)
                } else {
                    w.shr_by(parts[i], amount)
                };
                // By 64 - amount in two steps, which works for an amount of 0.
                let word = match neighbour {
                    None => own,
                    Some(x) if left => {
                        let half = w.shr(x, 1);
                        let carried = w.shr_by(half, rest);
                        w.or(own, carried)
                    }
                    Some(x) => {
                        let half = w.shl(x, 1);
                        let carried = w.shl_by(half, rest);
                        w.or(own, carried)
                    }
                };
                w.select(past, zero, word)
            })
            .collect();
        self.trimmed(shifted, width)
    }

    /// `width` bits, at most 64, from `low`; straight from the parts of
    /// concatenations.
    pub(super) fn bits(&mut self, node: NodeId, low: usize, width: usize) -> Word {
        let mut word = self.words.constant(0);
        let mut open = vec![Piece {
            at: 0,
            node,
            low,
            width,
            level: 0,
        }];
        while let Some(piece) = open.pop() {
            let Piece {
                at,
                node,
                low,
                width,
                level,
            } = piece;
            match self.graph.op(node) {
                // A long way: its own words are there by now.
                Op::Slice(..) | Op::Cat(_) if level > MOST_LEVELS => {
                    word = self.with_piece(word, piece);
                }
                Op::Slice(a, inner) => {
                    let low = *inner as usize + low;
                    open.push(Piece {
                        node: *a,
                        low,
                        level: level + 1,
                        ..piece
                    });
                }
                Op::Cat(parts) => {
                    let mut start = 0;
                    // Neighbouring single bits may be computed as one vector.
                    let (mut flags, mut flags_at) = (Vec::new(), 0);
                    for &part in parts {
                        let end = start + self.graph.width(part);
                        let (from, to) = (low.max(start), (low + width).min(end));
                        if from < to {
                            let at = at + from - low;
                            if end - start == 1 {
                                if flags_at + flags.len() != at {
                                    word =
                                        self.flags(&mut flags, (flags_at, level), word, &mut open);
                                    flags_at = at;
                                }
                                flags.push(part);
                            } else {
                                let (low, width) = (from - start, to - from);
                                open.push(Piece {
                                    at,
                                    node: part,
                                    low,
                                    width,
                                    level: level + 1,
                                });
                            }
                        }
                        start = end;
                    }
                    word = self.flags(&mut flags, (flags_at, level), word, &mut open);
                }
                _ => word = self.with_piece(word, piece),
            }
        }
        word
    }

    /// Adds a piece of a node's own words.
    fn with_piece(&mut self, word: Word, piece: Piece) -> Word {
        let field = self.piece(piece.node, piece.low, piece.width);
        let moved = self.words.shl(field, piece.at);
        self.words.or(word, moved)
    }

    /// Adds one-bit parts of a node at this level from position `at`: as a
    /// vector, or left open.
    fn flags(
        &mut self,
        flags: &mut Vec<NodeId>,
        (at, level): (usize, usize),
        word: Word,
        open: &mut Vec<Piece>,
    ) -> Word {
        let lanes = self.lanes(flags);
        if let Some(vector) = self.packed(&lanes) {
            flags.clear();
            let moved = self.words.shl(vector, at);
            return self.words.or(word, moved);
        }
        let piece = |(i, node)| Piece {
            at: at + i,
            node,
            low: 0,
            width: 1,
            level: level + 1,
        };
        open.extend(flags.drain(..).enumerate().map(piece));
        word
    }

    /// The same from a node's own words.
    fn piece(&mut self, node: NodeId, low: usize, width: usize) -> Word {
        if let (Op::Mux(c, a, b), 1) = (self.graph.op(node).clone(), width) {
            // A bit of a cleared vector: no need to make the vector.
            for (zero, other, kept) in [(a, b, false), (b, a, true)] {
                let is_zero = self.graph.value(zero).is_some_and(|v| v.bits() == 0);
                if is_zero && self.depth < MOST_NESTED && matches!(self.graph.op(other), Op::Cat(_))
                {
                    self.depth += 1;
                    let bit = self.bits(other, low, 1);
                    self.depth -= 1;
                    let c = self.of(c)[0];
                    let c = if kept { c } else { self.words.not(c, 1) };
                    return self.words.and(c, bit);
                }
            }
        }
        let parts = &self.nodes[node.index()];
        let (first, offset) = (low / 64, low % 64);
        let (here, next) = (parts[first], parts.get(first + 1).copied());
        let mut word = self.words.shr(here, offset);
        if let (Some(next), true) = (next, offset + width > 64) {
            let high = self.words.shl(next, 64 - offset);
            word = self.words.or(word, high);
        }
        let mask = self.words.constant(ones(width));
        self.words.and(word, mask)
    }
}
