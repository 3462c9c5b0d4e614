//! Expressions in Verilog's form: exact widths, concatenations, slices of named signals only.
//!
//! Constructors fold constants, push slices to the leaves and narrow
//! comparisons, so that no linter finds an operation that is constant.

use crate::graph::ones;
use crate::ir::{BinaryOp, NetId, UnaryOp};
use num_bigint::BigUint;

/// Shift amounts wider than this are split: tools read amounts as integers.
const AMOUNT_WIDTH: usize = 31;

/// An expression of a known width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Value {
    pub width: usize,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Const(BigUint),
    /// Bits of a net from `low`; `of` is the net's width.
    Net {
        id: NetId,
        low: usize,
        of: usize,
    },
    Not(Box<Value>),
    /// `&`, `|` or `^` over all bits.
    Reduce(UnaryOp, Box<Value>),
    Binary(BinaryOp, Box<Value>, Box<Value>),
    /// Bits of an expression that Verilog cannot slice: it needs a name.
    Cut(Box<Value>, usize),
    /// The bit at a position that is always inside and has the index's natural width.
    Bit(Box<Value>, Box<Value>),
    /// Side by side, the first in the low bits.
    Concat(Vec<Value>),
    If(Box<Value>, Box<Value>, Box<Value>),
}

/// Bits that an index into `width` bits has.
pub(super) fn index_width(width: usize) -> usize {
    (usize::BITS - (width - 1).leading_zeros()).max(1) as usize
}

impl Value {
    pub fn new(width: usize, kind: Kind) -> Value {
        Value { width, kind }
    }

    pub fn constant(value: impl Into<BigUint>, width: usize) -> Value {
        let value = value.into();
        let value = if value.bits() as usize > width {
            value & ones(width)
        } else {
            value
        };
        Value::new(width, Kind::Const(value))
    }

    pub fn net(id: NetId, width: usize) -> Value {
        Value::new(
            width,
            Kind::Net {
                id,
                low: 0,
                of: width,
            },
        )
    }

    pub fn as_const(&self) -> Option<&BigUint> {
        match &self.kind {
            Kind::Const(v) => Some(v),
            _ => None,
        }
    }

    /// The net, if it is one as a whole.
    pub fn as_net(&self) -> Option<NetId> {
        match self.kind {
            Kind::Net { id, low: 0, of } if of == self.width => Some(id),
            _ => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.as_const().is_some_and(|v| v.bits() == 0)
    }

    pub fn is_ones(&self) -> bool {
        self.as_const().is_some_and(|v| *v == ones(self.width))
    }

    fn is_one(&self) -> bool {
        self.as_const().is_some_and(|v| *v == BigUint::from(1u8))
    }

    /// Bits below the leading zeros that are known.
    pub fn significant(&self) -> usize {
        match &self.kind {
            Kind::Const(v) => v.bits() as usize,
            Kind::Concat(parts) => {
                let last = parts.last().expect("concatenations have parts");
                self.width - last.width + last.significant()
            }
            Kind::If(_, a, b) => a.significant().max(b.significant()),
            _ => self.width,
        }
    }

    /// Calls `f` for this expression and everything below it.
    pub fn visit(&self, f: &mut dyn FnMut(&Value)) {
        f(self);
        match &self.kind {
            Kind::Const(_) | Kind::Net { .. } => {}
            Kind::Not(a) | Kind::Reduce(_, a) | Kind::Cut(a, _) => a.visit(f),
            Kind::Binary(_, a, b) | Kind::Bit(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Kind::Concat(parts) => parts.iter().for_each(|p| p.visit(f)),
            Kind::If(c, a, b) => [c, a, b].into_iter().for_each(|v| v.visit(f)),
        }
    }

    /// Calls `f` for each net that is read.
    pub fn nets(&self, f: &mut dyn FnMut(NetId)) {
        self.visit(&mut |v| {
            if let Kind::Net { id, .. } = v.kind {
                f(id);
            }
        });
    }

    pub fn reads(&self, net: NetId) -> bool {
        let mut found = false;
        self.nets(&mut |id| found |= id == net);
        found
    }

    /// How many operators and leaves it has; a repetition counts once.
    pub fn size(&self) -> usize {
        1 + match &self.kind {
            Kind::Const(_) | Kind::Net { .. } => 0,
            Kind::Not(a) | Kind::Reduce(_, a) | Kind::Cut(a, _) => a.size(),
            Kind::Binary(_, a, b) | Kind::Bit(a, b) => a.size() + b.size(),
            Kind::Concat(parts) => {
                let fresh = |i: &usize| *i == 0 || parts[*i] != parts[i - 1];
                (0..parts.len())
                    .filter(fresh)
                    .map(|i| parts[i].size())
                    .sum()
            }
            Kind::If(c, a, b) => c.size() + a.size() + b.size(),
        }
    }

    /// Somewhere a bit is repeated to mask something.
    pub fn has_masks(&self) -> bool {
        let mut found = false;
        self.visit(&mut |v| {
            if let Kind::Binary(BinaryOp::And, mask, _) = &v.kind {
                found |=
                    matches!(&mask.kind, Kind::Concat(p) if p.windows(2).all(|w| w[0] == w[1]));
            }
        });
        found
    }

    /// Verilog can print it without naming a part of it first.
    pub fn is_plain(&self) -> bool {
        let mut plain = true;
        self.visit(&mut |v| match &v.kind {
            Kind::Cut(..) => plain = false,
            Kind::Bit(of, _) => plain &= of.as_net().is_some(),
            _ => {}
        });
        plain
    }

    /// A name, a constant, or these side by side.
    pub fn is_wiring(&self) -> bool {
        match &self.kind {
            Kind::Const(_) | Kind::Net { .. } => true,
            Kind::Concat(parts) => parts.iter().all(Value::is_wiring),
            _ => false,
        }
    }

    /// The same with nets replaced, simplified again.
    pub fn substituted(&self, f: &dyn Fn(NetId) -> Option<Value>) -> Value {
        self.rewritten(&|id, low, width| f(id).map(|v| v.slice(low, width)))
    }

    /// The same with leaves replaced: bits of a net from a position.
    pub fn rewritten(&self, f: &dyn Fn(NetId, usize, usize) -> Option<Value>) -> Value {
        let s = |v: &Value| v.rewritten(f);
        match &self.kind {
            Kind::Const(_) => self.clone(),
            Kind::Net { id, low, .. } => f(*id, *low, self.width).unwrap_or_else(|| self.clone()),
            Kind::Not(a) => s(a).not(),
            Kind::Reduce(op, a) => s(a).reduce(*op),
            Kind::Binary(op, a, b) => Value::binary(*op, s(a), s(b)),
            Kind::Cut(a, low) => s(a).slice(*low, self.width),
            Kind::Bit(a, i) => Value::bit_within(s(a), s(i)),
            Kind::Concat(parts) => Value::concat(parts.iter().map(s).collect()),
            Kind::If(c, a, b) => Value::choose(s(c), s(a), s(b)),
        }
    }

    /// `width` bits from `low`.
    pub fn slice(&self, low: usize, width: usize) -> Value {
        debug_assert!(width > 0 && low + width <= self.width);
        if width == self.width {
            return self.clone();
        }
        let part = |v: &Value| v.slice(low, width);
        match &self.kind {
            Kind::Const(v) => Value::constant(v >> low, width),
            Kind::Net { id, low: l, of } => Value::new(
                width,
                Kind::Net {
                    id: *id,
                    low: l + low,
                    of: *of,
                },
            ),
            Kind::Not(a) => part(a).not(),
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
                Value::binary(*op, part(a), part(b))
            }
            // The low bits of these depend on low bits only.
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
                if low == 0 =>
            {
                Value::binary(*op, part(a), part(b))
            }
            Kind::Binary(BinaryOp::Shl, a, by) if low == 0 => {
                Value::binary(BinaryOp::Shl, part(a), (**by).clone())
            }
            Kind::Cut(a, l) => a.slice(l + low, width),
            Kind::If(c, a, b) => Value::choose((**c).clone(), part(a), part(b)),
            Kind::Concat(parts) => {
                let mut at = 0;
                let mut out = vec![];
                for p in parts {
                    let (from, to) = (low.max(at), (low + width).min(at + p.width));
                    if from < to {
                        out.push(p.slice(from - at, to - from));
                    }
                    at += p.width;
                }
                Value::concat(out)
            }
            _ => Value::new(width, Kind::Cut(self.clone().into(), low)),
        }
    }

    /// Whether these bits are known not to be a constant zero, without making them.
    fn is_never_zero(&self, low: usize, width: usize) -> bool {
        if width == self.width {
            return !self.is_zero();
        }
        let part = |v: &Value| v.is_never_zero(low, width);
        match &self.kind {
            Kind::Const(v) => ((v >> low) & ones(width)).bits() > 0,
            Kind::Net { .. } => true,
            Kind::Binary(BinaryOp::Or, a, b) | Kind::If(_, a, b) => part(a) || part(b),
            Kind::Concat(parts) => {
                let mut at = 0;
                parts.iter().any(|p| {
                    let (from, to) = (low.max(at), (low + width).min(at + p.width));
                    let start = at;
                    at += p.width;
                    from < to && p.is_never_zero(from - start, to - from)
                })
            }
            Kind::Cut(a, l) => a.is_never_zero(l + low, width),
            _ => false,
        }
    }

    /// Side by side, the first in the low bits.
    pub fn concat(parts: Vec<Value>) -> Value {
        let mut out: Vec<Value> = vec![];
        let mut push = |part: Value| {
            let joined = out.last().and_then(|last| last.joined(&part));
            match joined {
                Some(joined) => *out.last_mut().expect("has a last") = joined,
                None => out.push(part),
            }
        };
        for part in parts {
            match part.kind {
                Kind::Concat(inner) => inner.into_iter().for_each(&mut push),
                _ => push(part),
            }
        }
        if out.len() == 1 {
            return out.remove(0);
        }
        Value::new(out.iter().map(|p| p.width).sum(), Kind::Concat(out))
    }

    /// One leaf for this one and its higher neighbour.
    fn joined(&self, high: &Value) -> Option<Value> {
        let width = self.width + high.width;
        match (&self.kind, &high.kind) {
            (Kind::Const(l), Kind::Const(h)) => Some(Value::constant(l | (h << self.width), width)),
            (
                Kind::Net { id, low, of },
                Kind::Net {
                    id: same,
                    low: next,
                    ..
                },
            ) if id == same && low + self.width == *next => Some(Value::new(
                width,
                Kind::Net {
                    id: *id,
                    low: *low,
                    of: *of,
                },
            )),
            _ => None,
        }
    }

    /// Zero extends or truncates.
    pub fn resized(self, width: usize) -> Value {
        if width <= self.width {
            return self.slice(0, width);
        }
        let zeros = Value::constant(0u8, width - self.width);
        Value::concat(vec![self, zeros])
    }

    /// Without known leading zeros, at least one bit wide.
    pub fn trimmed(self) -> Value {
        let width = self.significant().max(1);
        self.slice(0, width)
    }

    // Named after the operator that it makes.
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Value {
        use BinaryOp::*;
        match self.kind {
            Kind::Const(v) => Value::constant(v ^ ones(self.width), self.width),
            Kind::Not(a) => *a,
            Kind::Binary(op @ (Eq | Ne | Lt | Le | Gt | Ge), a, b) => {
                let opposite = match op {
                    Eq => Ne,
                    Ne => Eq,
                    Lt => Ge,
                    Le => Gt,
                    Gt => Le,
                    _ => Lt,
                };
                Value::binary(opposite, *a, *b)
            }
            _ => Value::new(self.width, Kind::Not(self.into())),
        }
    }

    pub fn reduce(self, op: UnaryOp) -> Value {
        if op == UnaryOp::Not {
            return self.not();
        }
        if self.width == 1 {
            return self;
        }
        match &self.kind {
            Kind::Const(v) => {
                let set = v.count_ones();
                let bit = match op {
                    UnaryOp::All => set == self.width as u64,
                    UnaryOp::Any => set > 0,
                    _ => set % 2 == 1,
                };
                Value::constant(u8::from(bit), 1)
            }
            Kind::Concat(parts) if parts.iter().any(|p| p.as_const().is_some()) => {
                let constants: Vec<&Value> =
                    parts.iter().filter(|p| p.as_const().is_some()).collect();
                let odd = constants
                    .iter()
                    .filter_map(|p| p.as_const())
                    .map(|v| v.count_ones())
                    .sum::<u64>()
                    % 2;
                match op {
                    UnaryOp::All if constants.iter().any(|p| !p.is_ones()) => {
                        Value::constant(0u8, 1)
                    }
                    UnaryOp::Any if constants.iter().any(|p| !p.is_zero()) => {
                        Value::constant(1u8, 1)
                    }
                    _ => {
                        let rest = parts
                            .iter()
                            .filter(|p| p.as_const().is_none())
                            .cloned()
                            .collect();
                        let rest = Value::concat(rest).reduce(op);
                        if op == UnaryOp::Parity && odd == 1 {
                            rest.not()
                        } else {
                            rest
                        }
                    }
                }
            }
            _ => Value::new(1, Kind::Reduce(op, self.into())),
        }
    }

    /// `c ? a : b`.
    pub fn choose(c: Value, a: Value, b: Value) -> Value {
        if let Some(v) = c.as_const() {
            return if v.bits() > 0 { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Kind::Not(opposite) = c.kind {
            return Value::choose(*opposite, b, a);
        }
        if a.width == 1 {
            if a.is_one() && b.is_zero() {
                return c;
            }
            if a.is_zero() && b.is_one() {
                return c.not();
            }
        }
        Value::new(a.width, Kind::If(c.into(), a.into(), b.into()))
    }

    /// The bit at a computed position; past the end 0.
    pub fn bit(of: Value, at: Value) -> Value {
        if let Some(k) = at.as_const() {
            return match usize::try_from(k) {
                Ok(k) if k < of.width => of.slice(k, 1),
                _ => Value::constant(0u8, 1),
            };
        }
        let at = at.trimmed();
        let whole = of.width;
        let natural = index_width(whole);
        if whole == 1 {
            let zero = Value::constant(0u8, at.width);
            return Value::binary(BinaryOp::And, Value::binary(BinaryOp::Eq, at, zero), of);
        }
        if at.width < natural || whole == 1 << natural && at.width == natural {
            return Value::new(1, Kind::Bit(of.into(), at.resized(natural).into()));
        }
        let inside = Value::binary(BinaryOp::Lt, at.clone(), Value::constant(whole, at.width));
        let bit = Value::new(1, Kind::Bit(of.into(), at.slice(0, natural).into()));
        Value::choose(inside, bit, Value::constant(0u8, 1))
    }

    /// The bit at a position that is compared with the end elsewhere, if it needs to be.
    fn bit_within(of: Value, at: Value) -> Value {
        match at.as_const() {
            Some(_) => Value::bit(of, at),
            None => Value::new(1, Kind::Bit(of.into(), at.into())),
        }
    }

    /// `of` with the bit at a computed position replaced; past the end unchanged.
    pub fn replace_bit(of: Value, at: Value, by: Value) -> Value {
        let width = of.width;
        if let Some(k) = at.as_const() {
            let Some(k) = usize::try_from(k).ok().filter(|k| *k < width) else {
                return of;
            };
            let mut parts = vec![];
            if k > 0 {
                parts.push(of.slice(0, k));
            }
            parts.push(by);
            if k + 1 < width {
                parts.push(of.slice(k + 1, width - k - 1));
            }
            return Value::concat(parts);
        }
        let one = Value::constant(1u8, width);
        let hole = Value::binary(BinaryOp::Shl, one, at.clone()).not();
        let bit = Value::binary(BinaryOp::Shl, by.resized(width), at);
        Value::binary(BinaryOp::Or, Value::binary(BinaryOp::And, of, hole), bit)
    }

    pub fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
        use BinaryOp::*;
        match op {
            And | Or | Xor => Value::bitwise(op, a, b),
            Add | Sub | Mul => Value::arithmetic(op, a, b),
            Shl | Shr => Value::shift(op, a, b),
            Eq | Ne | Lt | Le | Gt | Ge => Value::comparison(op, a, b),
        }
    }

    fn bitwise(op: BinaryOp, a: Value, b: Value) -> Value {
        let width = a.width;
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            let v = match op {
                BinaryOp::And => x & y,
                BinaryOp::Or => x | y,
                _ => x ^ y,
            };
            return Value::constant(v, width);
        }
        for (constant, other) in [(&a, &b), (&b, &a)] {
            match op {
                BinaryOp::And if constant.is_zero() => return constant.clone(),
                BinaryOp::And if constant.is_ones() => return other.clone(),
                BinaryOp::Or if constant.is_ones() => return constant.clone(),
                BinaryOp::Or | BinaryOp::Xor if constant.is_zero() => return other.clone(),
                BinaryOp::Xor if constant.is_ones() => return other.clone().not(),
                _ => {}
            }
        }
        if a == b {
            return if op == BinaryOp::Xor {
                Value::constant(0u8, width)
            } else {
                a
            };
        }
        if op != BinaryOp::And {
            if let Some(packed) = Value::packed(&a, &b) {
                return packed;
            }
        }
        Value::new(width, Kind::Binary(op, a.into(), b.into()))
    }

    /// `a | b` where one is zero wherever the other is not: a concatenation
    /// written with shifts.
    fn packed(a: &Value, b: &Value) -> Option<Value> {
        let edges = |v: &Value| -> Vec<usize> {
            let mut at = 0;
            let mut edges = vec![];
            match &v.kind {
                Kind::Concat(parts) => parts.iter().for_each(|p| {
                    at += p.width;
                    edges.push(at);
                }),
                _ => edges.push(v.width),
            }
            edges
        };
        let mut cuts = edges(a);
        cuts.extend(edges(b));
        cuts.sort();
        cuts.dedup();
        if cuts.len() == 1 {
            return None;
        }
        // Slices simplify again and come back here: without this look first, deep expressions take
        // exponential time.
        let mut low = 0;
        for &end in &cuts {
            if a.is_never_zero(low, end - low) && b.is_never_zero(low, end - low) {
                return None;
            }
            low = end;
        }
        let mut low = 0;
        let mut parts = vec![];
        for end in cuts {
            let (x, y) = (a.slice(low, end - low), b.slice(low, end - low));
            let part = if x.is_zero() {
                y
            } else if y.is_zero() {
                x
            } else {
                return None;
            };
            if !part.is_plain() {
                return None;
            }
            parts.push(part);
            low = end;
        }
        Some(Value::concat(parts))
    }

    fn arithmetic(op: BinaryOp, a: Value, b: Value) -> Value {
        let width = a.width;
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            return Value::constant(
                match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x + (BigUint::from(1u8) << width) - y,
                    _ => x * y,
                },
                width,
            );
        }
        match op {
            BinaryOp::Mul if a.is_zero() || b.is_zero() => return Value::constant(0u8, width),
            BinaryOp::Add if a.is_zero() => return b,
            BinaryOp::Add | BinaryOp::Sub if b.is_zero() => return a,
            BinaryOp::Add | BinaryOp::Sub if width == 1 => {
                return Value::binary(BinaryOp::Xor, a, b);
            }
            _ => {}
        }
        Value::new(width, Kind::Binary(op, a.into(), b.into()))
    }

    fn shift(op: BinaryOp, a: Value, by: Value) -> Value {
        let width = a.width;
        if a.is_zero() {
            return a;
        }
        let Some(k) = by.as_const() else {
            let by = by.trimmed();
            if by.width <= AMOUNT_WIDTH {
                return Value::new(width, Kind::Binary(op, a.into(), by.into()));
            }
            let far = by
                .slice(AMOUNT_WIDTH, by.width - AMOUNT_WIDTH)
                .reduce(UnaryOp::Any);
            let near = Value::shift(op, a, by.slice(0, AMOUNT_WIDTH));
            return Value::choose(far, Value::constant(0u8, width), near);
        };
        let k = match usize::try_from(k) {
            Ok(0) => return a,
            Ok(k) if k < width => k,
            _ => return Value::constant(0u8, width),
        };
        let zeros = Value::constant(0u8, k);
        let moved = match op {
            BinaryOp::Shl => Value::concat(vec![zeros, a.slice(0, width - k)]),
            _ => Value::concat(vec![a.slice(k, width - k), zeros]),
        };
        if moved.is_plain() || !a.is_plain() {
            return moved;
        }
        let amount = Value::constant(k, index_width(width));
        Value::new(width, Kind::Binary(op, a.into(), amount.into()))
    }

    fn comparison(op: BinaryOp, a: Value, b: Value) -> Value {
        use BinaryOp::*;
        let truth = |v: bool| Value::constant(u8::from(v), 1);
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            return truth(match op {
                Eq => x == y,
                Ne => x != y,
                Lt => x < y,
                Le => x <= y,
                Gt => x > y,
                _ => x >= y,
            });
        }
        if a == b {
            return truth(matches!(op, Eq | Le | Ge));
        }
        // Constants stand on the right.
        if a.as_const().is_some() {
            let mirrored = match op {
                Lt => Gt,
                Gt => Lt,
                Le => Ge,
                Ge => Le,
                same => same,
            };
            return Value::comparison(mirrored, b, a);
        }
        if b.significant() > a.significant() && b.as_const().is_some() {
            return truth(matches!(op, Ne | Lt | Le));
        }
        let width = a.significant().max(b.significant()).max(1);
        let (a, b) = (a.slice(0, width), b.slice(0, width));
        let op = match op {
            Lt if b.is_zero() => return truth(false),
            Ge if b.is_zero() => return truth(true),
            Gt if b.is_ones() => return truth(false),
            Le if b.is_ones() => return truth(true),
            Gt if b.is_zero() => Ne,
            Le if b.is_zero() => Eq,
            Lt if b.is_ones() => Ne,
            Ge if b.is_ones() => Eq,
            other => other,
        };
        if width == 1 {
            match op {
                Eq if b.is_one() => return a,
                Ne if b.is_zero() => return a,
                Eq | Ne if b.as_const().is_some() => return a.not(),
                _ => {}
            }
        }
        Value::new(1, Kind::Binary(op, a.into(), b.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expressions are rewritten by several passes: a position is compared with the end once.
    #[test]
    fn a_bit_past_the_end_is_guarded_once() {
        let (of, at) = (
            Value::net(NetId(0), 41),
            Value::net(NetId(1), index_width(41)),
        );
        let bit = Value::bit(of.clone(), at);
        assert!(matches!(&bit.kind, Kind::If(_, inside, _)
            if matches!(inside.kind, Kind::Bit(..))));
        assert_eq!(bit.rewritten(&|_, _, _| None), bit);
        // A position that turns out to be known.
        for (position, expected) in [(40u8, of.slice(40, 1)), (41, Value::constant(0u8, 1))] {
            let known = |id, _, width| (id == NetId(1)).then(|| Value::constant(position, width));
            assert_eq!(bit.rewritten(&known), expected);
        }
    }
}
