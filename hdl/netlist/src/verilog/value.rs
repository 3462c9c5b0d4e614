//! Expressions in Verilog's form: exact widths, concatenations, slices of named signals only.
//!
//! What an expression is, what can be said of it, and its slices, which are pushed to the leaves;
//! `operators` makes larger ones of it.

mod operators;

use crate::graph::ones;
use crate::ir::{BinaryOp, NetId, UnaryOp};
use num_bigint::BigUint;

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
