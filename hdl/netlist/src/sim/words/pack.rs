//! Bits that are computed alike, computed side by side in one word.
//!
//! `for i in 0..WAYS { lane[i] = demoted[i] & (owner[i] == k) }` is `WAYS`
//! times the same expression on neighbouring bits: one word operation each
//! does it. Sums of single bits are population counts of such words.

use super::lower::{Lowering, MOST_LEVELS};
use super::{ones, Word};
use crate::graph::{NodeId, Op};
use std::collections::HashMap;

/// Vectors of fewer bits are not worth it.
const FEWEST: usize = 4;
/// Deepest expression that is compared between lanes.
const DEEPEST: usize = 8;
/// Widest comparison that is taken apart.
const WIDEST_EQ: usize = 8;
/// Most single bits of a sum.
const MOST_SUMMANDS: usize = 1024;

/// One bit of a node.
pub(super) type Lane = (NodeId, u32);

/// A vector under construction: new parts, and what they cost.
#[derive(Default)]
struct Attempt {
    made: HashMap<Vec<Lane>, Word>,
    /// Operations that replace one in every lane.
    shared: usize,
    /// Vectors that are put together bit by bit.
    gathered: usize,
}

impl Lowering<'_> {
    pub(super) fn lanes(&self, flags: &[NodeId]) -> Vec<Lane> {
        flags.iter().map(|&node| self.lane(node, 0)).collect()
    }

    /// A bit where it comes from.
    fn lane(&self, mut node: NodeId, mut bit: u32) -> Lane {
        for _ in 0..MOST_LEVELS {
            match self.graph.op(node) {
                Op::Slice(a, low) => (node, bit) = (*a, bit + low),
                Op::Cat(parts) => {
                    for &part in parts {
                        let width = self.graph.width(part) as u32;
                        if bit < width {
                            node = part;
                            break;
                        }
                        bit -= width;
                    }
                }
                _ => break,
            }
        }
        (node, bit)
    }

    /// The lanes as one word, if that is cheaper than one by one.
    pub(super) fn packed(&mut self, lanes: &[Lane]) -> Option<Word> {
        if lanes.len() < FEWEST {
            return None;
        }
        let mut attempt = Attempt::default();
        let vector = self.vector(lanes, 0, &mut attempt);
        if attempt.gathered > 0 && 2 * attempt.gathered > attempt.shared + 1 {
            return None;
        }
        self.vectors.extend(attempt.made);
        Some(vector)
    }

    fn vector(&mut self, lanes: &[Lane], depth: usize, attempt: &mut Attempt) -> Word {
        if let Some(&word) = self.vectors.get(lanes).or_else(|| attempt.made.get(lanes)) {
            return word;
        }
        let word = self
            .of_one_node(lanes)
            .or_else(|| self.decoded(lanes))
            .or_else(|| {
                if depth < DEEPEST {
                    self.alike(lanes, depth, attempt)
                } else {
                    None
                }
            });
        let word = word.unwrap_or_else(|| {
            attempt.gathered += 1;
            let mut all = self.words.constant(0);
            for (i, &(node, bit)) in lanes.iter().enumerate() {
                let flag = self.bits_of_node(node, bit as usize);
                let moved = self.words.shl(flag, i);
                all = self.words.or(all, moved);
            }
            all
        });
        attempt.made.insert(lanes.to_vec(), word);
        word
    }

    fn constant_bit(&self, (node, bit): Lane) -> Option<bool> {
        self.graph.value(node).map(|v| v.bit(bit.into()))
    }

    /// Constants, one bit many times, or bits of one node at equal distances.
    fn of_one_node(&mut self, lanes: &[Lane]) -> Option<Word> {
        let constants: Option<Vec<bool>> = lanes.iter().map(|&l| self.constant_bit(l)).collect();
        if let Some(bits) = constants {
            let value = bits
                .iter()
                .enumerate()
                .fold(0, |v, (i, &b)| v | u64::from(b) << i);
            return Some(self.words.constant(value));
        }
        let (node, first) = lanes[0];
        if lanes.iter().any(|l| l.0 != node) {
            return None;
        }
        let stride = lanes.get(1)?.1.checked_sub(first)?;
        let regular = lanes
            .iter()
            .enumerate()
            .all(|(i, l)| l.1 as usize == first as usize + i * stride as usize);
        if !regular {
            return None;
        }
        if stride == 0 {
            let flag = self.bits_of_node(node, first as usize);
            let zero = self.words.constant(0);
            let all = self.words.sub(zero, flag);
            return Some(self.words.field(all, 0, lanes.len()));
        }
        Some(self.compressed(node, first as usize, stride as usize, lanes.len()))
    }

    /// Every `stride`th bit, moved together.
    fn compressed(&mut self, node: NodeId, first: usize, stride: usize, count: usize) -> Word {
        let mut all = self.words.constant(0);
        let fit = 63 / stride + 1;
        for done in (0..count).step_by(fit) {
            let n = fit.min(count - done);
            let spread = self.bits(node, first + done * stride, (n - 1) * stride + 1);
            let dense = if stride == 1 {
                spread
            } else {
                self.dense(spread, stride, n)
            };
            let moved = self.words.shl(dense, done);
            all = self.words.or(all, moved);
        }
        all
    }

    /// The lowest `count` of every `stride`th bit, side by side.
    fn dense(&mut self, mut word: Word, stride: usize, count: usize) -> Word {
        // Groups of `group` bits, one every `stride * group`; pairs of groups
        // are joined until one is left.
        let mut group = 1;
        loop {
            let distance = stride * group;
            let mask = (0..64usize.div_ceil(distance))
                .map(|i| (i * group, i * distance))
                .filter(|(taken, _)| *taken < count)
                .fold(0, |m, (taken, at)| m | ones(group.min(count - taken)) << at);
            let mask = self.words.constant(mask);
            word = self.words.and(word, mask);
            if group >= count {
                return word;
            }
            let joined = self.words.plain_shr(word, distance - group);
            word = self.words.or(word, joined);
            group *= 2;
        }
    }

    /// Comparisons of one small value with successive constants: `1 << x`
    /// and `(1 << x) - 1`.
    fn decoded(&mut self, lanes: &[Lane]) -> Option<Word> {
        let (x, _) = self.truth(lanes[0].0)?;
        let width = self.graph.width(x);
        let mut truths = Vec::new();
        for &(node, _) in lanes {
            let (same, truth) = self.truth(node)?;
            if same != x {
                return None;
            }
            truths.push(truth);
        }
        let column = |v: usize| {
            truths
                .iter()
                .enumerate()
                .fold(0, |c, (i, truth)| c | (truth >> v & 1) << i)
        };
        let mask = ones(lanes.len());
        let decoder = |v: usize| 1u64 << v;
        let thermometer = |v: usize| ones(v);
        let functions: [(&dyn Fn(usize) -> u64, u64); 2] = [(&decoder, 0), (&thermometer, 1)];
        for (function, less) in functions {
            for (shift, flip) in (0..1 << width).flat_map(|s| [(s, 0), (s, mask)]) {
                let fits = |v| column(v) == (function(v) >> shift ^ flip) & mask;
                if !(0..1 << width).all(fits) {
                    continue;
                }
                let x = self.bits(x, 0, width);
                let w = &mut self.words;
                let (one, less) = (w.constant(1), w.constant(less));
                let power = w.shl_by(one, x);
                let word = w.sub(power, less);
                let word = w.field(word, shift, lanes.len());
                return Some(w.not(word, flip));
            }
        }
        None
    }

    /// A comparison of a value of up to 6 bits with a constant: the value,
    /// and for which of its values it holds.
    fn truth(&self, node: NodeId) -> Option<(NodeId, u64)> {
        let (inner, flip) = match self.graph.op(node) {
            Op::Not(inner) => (*inner, true),
            _ => (node, false),
        };
        let small = |n| {
            let narrow = (2..=6).contains(&self.graph.width(n));
            self.graph
                .value(n)
                .filter(|_| narrow)
                .and_then(|v| u64::try_from(v).ok())
        };
        let (x, truth) = match *self.graph.op(inner) {
            Op::Eq(a, b) => match (small(a), small(b)) {
                (None, Some(k)) => (a, 1 << k),
                (Some(k), None) => (b, 1 << k),
                _ => return None,
            },
            Op::Less(a, b) => match (small(a), small(b)) {
                (None, Some(k)) => (a, ones(k as usize)),
                (Some(k), None) => (b, !ones(k as usize + 1)),
                _ => return None,
            },
            _ => return None,
        };
        Some((x, if flip { !truth } else { truth }))
    }

    /// The same operation in every lane.
    fn alike(&mut self, lanes: &[Lane], depth: usize, attempt: &mut Attempt) -> Option<Word> {
        let (first, _) = lanes[0];
        let kind = std::mem::discriminant(self.graph.op(first));
        if lanes
            .iter()
            .any(|l| std::mem::discriminant(self.graph.op(l.0)) != kind)
        {
            return None;
        }
        let mask = ones(lanes.len());
        match self.graph.op(first).clone() {
            Op::Not(_) => {
                let inner: Vec<Lane> = lanes.iter().map(|&l| self.operand(l, 0)).collect();
                attempt.shared += 1;
                let word = self.vector(&inner, depth + 1, attempt);
                Some(self.words.not(word, mask))
            }
            op @ (Op::And(..) | Op::Or(..) | Op::Xor(..)) => {
                let (left, right) = self.oriented(lanes);
                attempt.shared += 1;
                let a = self.vector(&left, depth + 1, attempt);
                let b = self.vector(&right, depth + 1, attempt);
                Some(match op {
                    Op::And(..) => self.words.and(a, b),
                    Op::Or(..) => self.words.or(a, b),
                    _ => self.words.xor(a, b),
                })
            }
            Op::Mux(c, ..) => {
                if lanes
                    .iter()
                    .any(|l| !matches!(self.graph.op(l.0), Op::Mux(d, ..) if *d == c))
                {
                    return None;
                }
                let then: Vec<Lane> = lanes.iter().map(|&l| self.operand(l, 1)).collect();
                let otherwise: Vec<Lane> = lanes.iter().map(|&l| self.operand(l, 2)).collect();
                attempt.shared += 1;
                let a = self.vector(&then, depth + 1, attempt);
                let b = self.vector(&otherwise, depth + 1, attempt);
                let c = self.bits(c, 0, 1);
                Some(self.words.select(c, a, b))
            }
            Op::Eq(a, _) => self.equal(lanes, self.graph.width(a), depth, attempt),
            _ => None,
        }
    }

    /// A lane's bit of its node's operand.
    fn operand(&self, (node, bit): Lane, k: usize) -> Lane {
        self.lane(self.graph.op(node).operands()[k], bit)
    }

    /// Equality bit by bit.
    fn equal(
        &mut self,
        lanes: &[Lane],
        width: usize,
        depth: usize,
        attempt: &mut Attempt,
    ) -> Option<Word> {
        let pairs: Vec<[NodeId; 2]> = lanes
            .iter()
            .map(|l| match *self.graph.op(l.0) {
                Op::Eq(a, b) if self.graph.width(a) == width => Some([a, b]),
                _ => None,
            })
            .collect::<Option<_>>()?;
        if width > WIDEST_EQ {
            return None;
        }
        // Constants on the same side.
        let pairs: Vec<[NodeId; 2]> = pairs
            .into_iter()
            .map(|[a, b]| {
                if self.graph.value(a).is_some() {
                    [b, a]
                } else {
                    [a, b]
                }
            })
            .collect();
        let mut differ = self.words.constant(0);
        for bit in 0..width as u32 {
            let side = |k: usize| {
                pairs
                    .iter()
                    .map(|p| self.lane(p[k], bit))
                    .collect::<Vec<_>>()
            };
            let (left, right) = (side(0), side(1));
            attempt.shared += 1;
            let a = self.vector(&left, depth + 1, attempt);
            let b = self.vector(&right, depth + 1, attempt);
            let here = self.words.xor(a, b);
            differ = self.words.or(differ, here);
        }
        Some(self.words.not(differ, ones(lanes.len())))
    }

    /// Both operands of each lane, so swapped that each side is most alike.
    fn oriented(&self, lanes: &[Lane]) -> (Vec<Lane>, Vec<Lane>) {
        let (p, q) = (self.operand(lanes[0], 0), self.operand(lanes[0], 1));
        let alike = |a: Lane, b: Lane| {
            if a == b {
                return 3;
            }
            if a.0 == b.0 {
                return 2;
            }
            if let (Some(x), Some(y)) = (self.truth(a.0), self.truth(b.0)) {
                return usize::from(x.0 == y.0);
            }
            let kind = |l: Lane| std::mem::discriminant(self.graph.op(l.0));
            usize::from(kind(a) == kind(b))
        };
        lanes
            .iter()
            .map(|&lane| {
                let (a, b) = (self.operand(lane, 0), self.operand(lane, 1));
                if alike(a, p) + alike(b, q) >= alike(a, q) + alike(b, p) {
                    (a, b)
                } else {
                    (b, a)
                }
            })
            .unzip()
    }

    fn bits_of_node(&mut self, node: NodeId, bit: usize) -> Word {
        self.bits(node, bit, 1)
    }

    /// A sum of single bits as a population count, if `node` is one.
    pub(super) fn counted(&mut self, node: NodeId) -> Option<Vec<Word>> {
        let mut bits = self.summands(node)?;
        if bits.len() < FEWEST - 1 {
            return None;
        }
        bits.sort_unstable();
        let mut parts: Vec<Word> = Vec::new();
        let mut singles: Vec<Lane> = Vec::new();
        let mut rest = &bits[..];
        while let Some(&(node, low)) = rest.first() {
            // Distinct bits of one node within one word.
            let mut mask = 0u64;
            let mut taken = 0;
            for &(same, bit) in rest {
                if same != node || bit - low >= 64 || mask >> (bit - low) & 1 == 1 {
                    break;
                }
                mask |= 1 << (bit - low);
                taken += 1;
            }
            if taken == 1 {
                singles.push((node, low));
            } else {
                let span = 64 - mask.leading_zeros() as usize;
                let word = self.bits(node, low as usize, span);
                let mask = self.words.constant(mask);
                let word = self.words.and(word, mask);
                parts.push(self.words.popcount(word));
            }
            rest = &rest[taken..];
        }
        for chunk in singles.chunks(64) {
            match self.packed(chunk) {
                Some(vector) => parts.push(self.words.popcount(vector)),
                None if parts.is_empty() => return None,
                None => {
                    for &(node, bit) in chunk {
                        let flag = self.bits_of_node(node, bit as usize);
                        parts.push(flag);
                    }
                }
            }
        }
        let width = self.graph.width(node);
        let mut sum = self.words.constant(0);
        for part in parts {
            sum = self.words.add(sum, part);
        }
        let low = self.words.field(sum, 0, width.min(64));
        let zero = self.words.constant(0);
        let mut count = vec![zero; crate::sim::layout::words(width)];
        count[0] = low;
        Some(count)
    }

    /// The single bits that a tree of additions sums up, and nothing else.
    fn summands(&self, root: NodeId) -> Option<Vec<Lane>> {
        let mut open = vec![root];
        let mut bits = Vec::new();
        while let Some(node) = open.pop() {
            if open.len() + bits.len() > MOST_SUMMANDS {
                return None;
            }
            match self.graph.op(node) {
                Op::Add(a, b) => open.extend([*a, *b]),
                Op::Cat(parts) => {
                    let [bit, zeros] = parts[..] else { return None };
                    let zero = self.graph.value(zeros).is_some_and(|v| v.bits() == 0);
                    if self.graph.width(bit) != 1 || !zero {
                        return None;
                    }
                    bits.push(self.lane(bit, 0));
                }
                _ => return None,
            }
        }
        Some(bits)
    }
}
