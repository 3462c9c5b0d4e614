//! Constructors of graph nodes, which fold constants and bring expressions into a normal form.

use super::{ones, Graph, NodeId, Op};
use num_bigint::BigUint;
use num_bigint::ToBigUint;
use std::collections::BTreeSet;

/// Selectors up to this width get their case chains turned into mux trees.
const FULL_CASE_WIDTH: usize = 6;

impl Graph {
    fn is_zero(&self, node: NodeId) -> bool {
        self.value(node).is_some_and(|v| v.bits() == 0)
    }

    fn is_ones(&self, node: NodeId) -> bool {
        let width = self.width(node) as u64;
        self.value(node)
            .is_some_and(|v| v.bits() == width && v.count_ones() == width)
    }

    fn is(&self, node: NodeId, value: u32) -> bool {
        self.value(node).is_some_and(|v| *v == BigUint::from(value))
    }

    fn not_of(&self, node: NodeId) -> Option<NodeId> {
        match self.op(node) {
            Op::Not(a) => Some(*a),
            _ => None,
        }
    }

    fn parts(&self, node: NodeId) -> Vec<NodeId> {
        match self.op(node) {
            Op::Cat(parts) => parts.clone(),
            _ => vec![node],
        }
    }

    fn is_cat(&self, node: NodeId) -> bool {
        matches!(self.op(node), Op::Cat(_))
    }

    /// Both cut at the union of their part boundaries, low part first.
    fn aligned(&mut self, a: NodeId, b: NodeId) -> Vec<(NodeId, NodeId)> {
        let mut cuts = BTreeSet::new();
        for node in [a, b] {
            let mut end = 0;
            for part in self.parts(node) {
                end += self.width(part);
                cuts.insert(end);
            }
        }
        let mut low = 0;
        let mut pairs = Vec::new();
        for end in cuts {
            pairs.push((self.slice(a, low, end - low), self.slice(b, low, end - low)));
            low = end;
        }
        pairs
    }

    /// Bitwise not.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        let width = self.width(a);
        if let Some(v) = self.value(a) {
            let flipped = v ^ ones(width);
            return self.constant(flipped, width);
        }
        match self.op(a).clone() {
            Op::Not(inner) => inner,
            _ => self.raw(Op::Not(a), width),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = x & y;
            return self.constant(v, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.is_zero(x) || self.is_ones(y) {
                return x;
            }
        }
        if a == b {
            return a;
        }
        if self.not_of(a) == Some(b) || self.not_of(b) == Some(a) {
            return self.constant(0u8, width);
        }
        self.by_parts(a, b, Graph::and)
            .unwrap_or_else(|| self.raw(Op::And(a, b), width))
    }

    /// Bitwise or.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = x | y;
            return self.constant(v, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.is_ones(x) || self.is_zero(y) {
                return x;
            }
        }
        if a == b {
            return a;
        }
        if self.not_of(a) == Some(b) || self.not_of(b) == Some(a) {
            return self.constant(ones(width), width);
        }
        self.by_parts(a, b, Graph::or)
            .unwrap_or_else(|| self.raw(Op::Or(a, b), width))
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = x ^ y;
            return self.constant(v, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.is_zero(x) {
                return y;
            }
            if self.is_ones(x) {
                return self.not(y);
            }
        }
        if a == b {
            return self.constant(0u8, width);
        }
        self.by_parts(a, b, Graph::xor)
            .unwrap_or_else(|| self.raw(Op::Xor(a, b), width))
    }

    /// Splits a bitwise operation where an operand has constant parts, which
    /// then fold away.
    fn by_parts(
        &mut self,
        a: NodeId,
        b: NodeId,
        op: fn(&mut Graph, NodeId, NodeId) -> NodeId,
    ) -> Option<NodeId> {
        let constant_part =
            |g: &Graph, n| g.is_cat(n) && g.parts(n).iter().any(|&p| g.is_zero(p) || g.is_ones(p));
        if !constant_part(self, a) && !constant_part(self, b) {
            return None;
        }
        let pairs = self.aligned(a, b);
        let parts = pairs.into_iter().map(|(x, y)| op(self, x, y)).collect();
        Some(self.cat(parts))
    }

    /// `width` bits from position `low`.
    ///
    /// # Panics
    /// If the slice leaves the node or is empty; elaboration has checked it.
    pub fn slice(&mut self, a: NodeId, low: usize, width: usize) -> NodeId {
        assert!(
            width > 0 && low + width <= self.width(a),
            "slice outside its operand"
        );
        if low == 0 && width == self.width(a) {
            return a;
        }
        match self.op(a).clone() {
            Op::Const(v) => self.constant(v >> low, width),
            Op::Slice(inner, l) => self.slice(inner, l as usize + low, width),
            Op::Cat(parts) => {
                let mut at = 0;
                let mut out = Vec::new();
                for part in parts {
                    let end = at + self.width(part);
                    let (from, to) = (low.max(at), (low + width).min(end));
                    if from < to {
                        out.push(self.slice(part, from - at, to - from));
                    }
                    at = end;
                }
                self.cat(out)
            }
            _ => self.raw(Op::Slice(a, low as u32), width),
        }
    }

    /// Side by side, the first in the low bits.
    pub fn cat(&mut self, parts: Vec<NodeId>) -> NodeId {
        let mut out: Vec<NodeId> = Vec::new();
        for part in parts
            .into_iter()
            .flat_map(|p| self.parts(p))
            .collect::<Vec<_>>()
        {
            if let Some(&last) = out.last() {
                if let Some(joined) = self.joined(last, part) {
                    *out.last_mut().expect("not empty") = joined;
                    continue;
                }
            }
            out.push(part);
        }
        if let [only] = out[..] {
            return only;
        }
        let width = out.iter().map(|&p| self.width(p)).sum();
        self.raw(Op::Cat(out), width)
    }

    /// One node for two neighbours: constants, or adjacent slices of one node.
    fn joined(&mut self, low: NodeId, high: NodeId) -> Option<NodeId> {
        let (wl, wh) = (self.width(low), self.width(high));
        if let (Some(x), Some(y)) = (self.value(low), self.value(high)) {
            let v = x | (y << wl);
            return Some(self.constant(v, wl + wh));
        }
        let (Op::Slice(of, at), Op::Slice(of_high, at_high)) = (self.op(low), self.op(high)) else {
            return None;
        };
        let (of, at) = (*of, *at as usize);
        (of == *of_high && at + wl == *at_high as usize).then(|| self.slice(of, at, wl + wh))
    }

    /// Zero extends or truncates.
    pub fn resize(&mut self, a: NodeId, width: usize) -> NodeId {
        let have = self.width(a);
        if width <= have {
            return self.slice(a, 0, width);
        }
        let zero = self.constant(0u8, width - have);
        self.cat(vec![a, zero])
    }

    /// One bit: equal.
    pub fn eq(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = u8::from(x == y);
            return self.constant(v, 1);
        }
        if a == b {
            return self.constant(1u8, 1);
        }
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        self.raw(Op::Eq(a, b), 1)
    }

    /// One bit: unsigned less.
    pub fn less(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = u8::from(x < y);
            return self.constant(v, 1);
        }
        if a == b || self.is_zero(b) || self.is_ones(a) {
            return self.constant(0u8, 1);
        }
        if self.is_zero(a) || self.is_ones(b) {
            let equal = self.eq(a, b);
            return self.not(equal);
        }
        if self.is(b, 1) {
            let zero = self.constant(0u8, self.width(a));
            return self.eq(a, zero);
        }
        if self.width(a) == 1 {
            let not_a = self.not(a);
            return self.and(not_a, b);
        }
        self.raw(Op::Less(a, b), 1)
    }

    /// `a` if `c`, else `b`.
    pub fn mux(&mut self, c: NodeId, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return a;
        }
        if self.value(c).is_some() {
            return if self.is_zero(c) { b } else { a };
        }
        if let Op::Not(inner) = *self.op(c) {
            return self.mux(inner, b, a);
        }
        let width = self.width(a);
        if width == 1 {
            if let Some(node) = self.mux_of_bits(c, a, b) {
                return node;
            }
        }
        if let Op::Mux(same, _, other) = *self.op(b) {
            if same == c {
                return self.mux(c, a, other);
            }
        }
        if let Op::Mux(same, other, _) = *self.op(a) {
            if same == c {
                return self.mux(c, other, b);
            }
        }
        if let Some(node) = self.conditional_increment(c, a, b) {
            return node;
        }
        if self.is_cat(a) || self.is_cat(b) {
            let pairs = self.aligned(a, b);
            if pairs.iter().any(|(x, y)| x == y) {
                let parts = pairs.into_iter().map(|(x, y)| self.mux(c, x, y)).collect();
                return self.cat(parts);
            }
        }
        if let Some(node) = self.full_case(c, a, b) {
            return node;
        }
        self.raw(Op::Mux(c, a, b), width)
    }

    fn mux_of_bits(&mut self, c: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
        let bit = |g: &Graph, n| g.value(n).map(|v| v.bits() == 1);
        Some(match (bit(self, a), bit(self, b)) {
            (Some(true), Some(false)) => c,
            (Some(false), Some(true)) => self.not(c),
            (Some(true), None) => self.or(c, b),
            (Some(false), None) => {
                let n = self.not(c);
                self.and(n, b)
            }
            (None, Some(true)) => {
                let n = self.not(c);
                self.or(n, a)
            }
            (None, Some(false)) => self.and(c, a),
            _ => return None,
        })
    }

    /// `if c { x + 1 } else { x }` is `x + c`: population counts become sums.
    fn conditional_increment(&mut self, c: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
        if self.literal {
            return None;
        }
        for (sum, base, inverted) in [(a, b, false), (b, a, true)] {
            let Op::Add(x, y) = *self.op(sum) else {
                continue;
            };
            for (x, one) in [(x, y), (y, x)] {
                if x == base && self.is(one, 1) {
                    let bit = if inverted { self.not(c) } else { c };
                    let wide = self.resize(bit, self.width(base));
                    return Some(self.add(base, wide));
                }
            }
        }
        None
    }

    /// A chain of muxes on `selector == constant` that covers every value
    /// becomes a tree on the selector's bits.
    fn full_case(&mut self, c: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
        if self.literal {
            return None;
        }
        let (selector, first) = self.compared_to_constant(c)?;
        let bits = self.width(selector);
        if bits > FULL_CASE_WIDTH {
            return None;
        }
        let mut table: Vec<Option<NodeId>> = vec![None; 1 << bits];
        table[first] = Some(a);
        let mut missing = table.len() - 1;
        let mut rest = b;
        while missing > 0 {
            let Op::Mux(c, then, otherwise) = *self.op(rest) else {
                return None;
            };
            let (same, value) = self.compared_to_constant(c)?;
            if same != selector {
                return None;
            }
            if table[value].is_none() {
                table[value] = Some(then);
                missing -= 1;
            }
            rest = otherwise;
        }
        let mut level: Vec<NodeId> = table.into_iter().map(|n| n.unwrap_or(rest)).collect();
        for bit in 0..bits {
            let select = self.slice(selector, bit, 1);
            level = level
                .chunks(2)
                .map(|p| (p[0], p[1]))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(zero, one)| self.mux(select, one, zero))
                .collect();
        }
        Some(level[0])
    }

    fn compared_to_constant(&self, c: NodeId) -> Option<(NodeId, usize)> {
        let Op::Eq(x, y) = *self.op(c) else {
            return None;
        };
        let small = |v: &BigUint| u32::try_from(v).ok().map(|v| v as usize);
        match (self.value(x), self.value(y)) {
            (Some(v), None) => Some((y, small(v)?)),
            (None, Some(v)) => Some((x, small(v)?)),
            _ => None,
        }
    }

    /// Sum without carry.
    pub fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = x + y;
            return self.constant(v, width);
        }
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if width == 1 {
            return self.xor(a, b);
        }
        self.raw(Op::Add(a, b), width)
    }

    /// Difference without borrow.
    pub fn sub(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = (x + (BigUint::from(1u8) << width)) - y;
            return self.constant(v, width);
        }
        if self.is_zero(b) {
            return a;
        }
        if a == b {
            return self.constant(0u8, width);
        }
        if width == 1 {
            return self.xor(a, b);
        }
        self.raw(Op::Sub(a, b), width)
    }

    /// Product of operands that already have the result's width.
    pub fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let v = x * y;
            return self.constant(v, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.is_zero(x) || self.is(y, 1) {
                return x;
            }
        }
        self.raw(Op::Mul(a, b), width)
    }

    /// Shift left; amounts of the width and more give zero.
    pub fn shl(&mut self, a: NodeId, amount: NodeId) -> NodeId {
        let width = self.width(a);
        let Some(by) = self.value(amount) else {
            return self.raw(Op::Shl(a, amount), width);
        };
        let by = usize::try_from(by).unwrap_or(usize::MAX);
        if by == 0 {
            return a;
        }
        let zero = self.constant(0u8, by.min(width));
        if by >= width {
            return zero;
        }
        let kept = self.slice(a, 0, width - by);
        self.cat(vec![zero, kept])
    }

    /// Shift right; amounts of the width and more give zero.
    pub fn shr(&mut self, a: NodeId, amount: NodeId) -> NodeId {
        let width = self.width(a);
        let Some(by) = self.value(amount) else {
            return self.raw(Op::Shr(a, amount), width);
        };
        let by = usize::try_from(by).unwrap_or(usize::MAX);
        if by >= width {
            return self.constant(0u8, width);
        }
        let kept = self.slice(a, by, width - by);
        self.resize(kept, width)
    }

    /// One bit: parity.
    pub fn parity(&mut self, a: NodeId) -> NodeId {
        if let Some(v) = self.value(a) {
            let odd = (v.count_ones() & 1).to_biguint().expect("unsigned");
            return self.constant(odd, 1);
        }
        if self.width(a) == 1 {
            return a;
        }
        self.raw(Op::Parity(a), 1)
    }

    /// The same operation on other operands, simplified.
    pub fn rebuilt(&mut self, node: NodeId, operands: &[NodeId]) -> NodeId {
        use Op::*;
        let width = self.width(node);
        match self.op(node).clone() {
            leaf @ (Const(_) | Input(_) | Reg(_) | RamData(_) | Leaf(_)) => self.raw(leaf, width),
            Not(_) => self.not(operands[0]),
            And(..) => self.and(operands[0], operands[1]),
            Or(..) => self.or(operands[0], operands[1]),
            Xor(..) => self.xor(operands[0], operands[1]),
            Add(..) => self.add(operands[0], operands[1]),
            Sub(..) => self.sub(operands[0], operands[1]),
            Mul(..) => self.mul(operands[0], operands[1]),
            Eq(..) => self.eq(operands[0], operands[1]),
            Less(..) => self.less(operands[0], operands[1]),
            Shl(..) => self.shl(operands[0], operands[1]),
            Shr(..) => self.shr(operands[0], operands[1]),
            Mux(..) => self.mux(operands[0], operands[1], operands[2]),
            Slice(_, low) => self.slice(operands[0], low as usize, width),
            Cat(_) => self.cat(operands.to_vec()),
            Parity(_) => self.parity(operands[0]),
        }
    }
}
