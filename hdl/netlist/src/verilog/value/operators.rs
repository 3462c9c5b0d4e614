//! Operators on expressions: constants are folded and comparisons narrowed, so that no linter finds
//! an operation that is constant.

use super::{index_width, Kind, Value};
use crate::graph::ones;
use crate::ir::{BinaryOp, UnaryOp};
use num_bigint::BigUint;

/// Shift amounts wider than this are split: tools read amounts as integers.
const AMOUNT_WIDTH: usize = 31;

impl Value {
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
    pub(super) fn bit_within(of: Value, at: Value) -> Value {
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
