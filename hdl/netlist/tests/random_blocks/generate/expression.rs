//! What can be read, and random expressions of it.

use super::Generator;
use crate::random_blocks::program::*;
use crate::random_blocks::types::{Ty, MODES, WIDTHS};

impl Generator<'_, '_> {
    /// Signals that may be read here, of the types wanted: instance, number,
    /// type.
    pub(super) fn readable(&self, wanted: impl Fn(Ty) -> bool) -> Vec<(Option<usize>, usize, Ty)> {
        let mut out = vec![];
        for (k, decl) in self.program.decls.iter().enumerate() {
            if self.assigned[k] && self.levels[k] <= self.reach && wanted(decl.ty) {
                out.push((None, k, decl.ty));
            }
        }
        for child in 0..self.program.children.len() {
            for (k, port) in self.program.ports_of(child).iter().enumerate() {
                let early = child < self.reach || port.registered;
                if port.output && early && wanted(port.ty) {
                    out.push((Some(child), k, port.ty));
                }
            }
        }
        out.retain(|r| r.2 != Ty::Clock);
        out
    }

    /// One of these signals, with subscripts where they are arrays.
    pub(super) fn pick(&mut self, all: &[(Option<usize>, usize, Ty)], variables: bool) -> Place {
        let (child, signal, _) = self.choices.of(all);
        let (child_len, len) = match child {
            None => (None, self.program.decls[signal].len),
            Some(c) => (
                self.program.children[c].len,
                self.program.ports_of(c)[signal].len,
            ),
        };
        let mut subscript = |len: Option<usize>| {
            len.map(|n| match variables {
                true => self.known(n, true),
                false => Index::Const(self.choices.below(n)),
            })
        };
        let child = child.map(|c| (c, subscript(child_len)));
        Place {
            child,
            signal,
            index: subscript(len),
        }
    }

    /// A known position less than `bound` in every turn of the loops around;
    /// with `%` only in subscripts.
    pub(super) fn known(&mut self, bound: usize, subscript: bool) -> Index {
        if !self.loops.is_empty() {
            let v = self.choices.below(self.loops.len());
            let (from, to) = self.loops[v];
            let index = match self.choices.below(if subscript { 5 } else { 4 }) {
                0 => Index::Affine(v, 1, 0),
                1 => Index::Affine(v, 1, self.choices.below(4)),
                2 => Index::Affine(v, 2 + self.choices.below(2), 1 + self.choices.below(2)),
                3 => Index::Reverse(to + self.choices.below(3), v),
                _ => Index::Modulo(v, self.choices.below(4), bound),
            };
            let mut values = vec![0; self.loops.len()];
            let fits = (from..to).all(|i| {
                values[v] = i;
                index.at(&values) < bound
            });
            if fits {
                return index;
            }
        }
        Index::Const(self.choices.below(bound))
    }

    /// An expression of this type.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        let kind = match ty {
            Ty::Bit => self.bit(depth),
            Ty::Bits(w) => self.bits(w, depth),
            Ty::Mode => self.mode(),
            _ => unreachable!("an expression of type {ty}"),
        };
        Expr { ty, kind }
    }

    fn boxed(&mut self, ty: Ty, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth - 1))
    }

    fn mode(&mut self) -> Kind {
        let sources = self.readable(|t| t == Ty::Mode);
        match self.choices.below(5) {
            1 => Kind::Mode(self.choices.below(MODES.len())),
            2 => self.field(Ty::Mode).unwrap_or(Kind::Mode(0)),
            _ if sources.is_empty() => Kind::Mode(self.choices.below(MODES.len())),
            _ => Kind::Read(self.pick(&sources, true)),
        }
    }

    /// A field of this type, of a struct that can be read.
    fn field(&mut self, ty: Ty) -> Option<Kind> {
        let sources = self.readable(|t| t.fields().iter().any(|f| f.1 == ty));
        if sources.is_empty() {
            return None;
        }
        let place = self.pick(&sources, false);
        let fields: Vec<_> = self
            .program
            .ty(&place)
            .fields()
            .into_iter()
            .filter(|f| f.1 == ty)
            .collect();
        let (name, _, low) = self.choices.of(&fields);
        Some(Kind::Field(place, name, low))
    }

    fn bit(&mut self, depth: usize) -> Kind {
        let leaf = |g: &mut Self| {
            let sources = g.readable(|t| t == Ty::Bit);
            match sources.is_empty() {
                true => Kind::Truth(false),
                false => Kind::Read(g.pick(&sources, true)),
            }
        };
        if depth == 0 || self.choices.exhausted() {
            return leaf(self);
        }
        use BinaryOp::*;
        match self.choices.below(11) {
            0 => leaf(self),
            1 => Kind::Not(self.boxed(Ty::Bit, depth)),
            2 | 3 => {
                let ops = [And, Or, Xor, BothTrue, AnyTrue, Eq, Ne, Lt, Le, Gt, Ge];
                let op = self.choices.of(&ops);
                Kind::Binary(op, self.boxed(Ty::Bit, depth), self.boxed(Ty::Bit, depth))
            }
            4 | 5 => {
                let (ty, op) = (
                    Ty::Bits(self.width()),
                    self.choices.of(&[Eq, Ne, Lt, Le, Gt, Ge]),
                );
                Kind::Binary(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
            6 => {
                let (w, op) = (self.width(), self.choices.of(&[Eq, Ne, Lt, Le, Gt, Ge]));
                let integer = self.choices.integer(w);
                let value = self.boxed(Ty::Bits(w), depth);
                match self.choices.one_in(3) {
                    false => Kind::WithLiteral(op, value, integer),
                    true => Kind::LiteralWith(op, integer, value),
                }
            }
            7 => {
                let op = self
                    .choices
                    .of(&[Reduction::Any, Reduction::All, Reduction::Xor]);
                let ty = Ty::Bits(self.width());
                Kind::Reduce(op, self.boxed(ty, depth))
            }
            8 => {
                let w = self.width();
                let value = self.boxed(Ty::Bits(w), depth);
                Kind::GetBit(value, self.position(w, depth))
            }
            9 => {
                let ty = self.choices.of(&[Ty::Mode, Ty::Small, Ty::Large]);
                let sources = self.readable(|t| t == ty);
                if sources.is_empty() {
                    return Kind::Truth(true);
                }
                let read = |g: &mut Self| {
                    Box::new(Expr {
                        ty,
                        kind: Kind::Read(g.pick(&sources, true)),
                    })
                };
                let op = self.choices.of(&[Eq, Ne]);
                let a = read(self);
                let b = if ty == Ty::Mode {
                    Box::new(self.expr(ty, 0))
                } else {
                    read(self)
                };
                Kind::Binary(op, a, b)
            }
            _ => self.field(Ty::Bit).unwrap_or(Kind::Truth(true)),
        }
    }

    /// A bit position inside a value of this width.
    fn position(&mut self, width: usize, depth: usize) -> Position {
        let sizes: Vec<usize> = WIDTHS
            .into_iter()
            .filter(|m| *m < 7 && 1 << m <= width)
            .collect();
        if sizes.is_empty() || self.choices.one_in(2) {
            return Position::Known(self.known(width, false));
        }
        Position::Computed(self.amount(&sizes, depth))
    }

    /// A computed position or amount of one of these widths.
    ///
    /// A sum in a position is refused, as its `.index()` may have been before
    /// or after it; and so is one of constants, for the same reason.
    fn amount(&mut self, sizes: &[usize], depth: usize) -> Box<Expr> {
        let ty = Ty::Bits(self.choices.of(sizes));
        let e = self.boxed(ty, depth);
        match &e.kind {
            Kind::Read(place) if !self.is_constant(place) => e,
            Kind::Into(_) | Kind::Field(..) | Kind::Sized(_) => e,
            Kind::Not(_) | Kind::Cast(_) | Kind::GetBits(..) | Kind::ReplaceBit(..) => e,
            _ => Box::new(Expr {
                ty,
                kind: Kind::Cast(e),
            }),
        }
    }

    fn is_constant(&self, place: &Place) -> bool {
        let role = |k: usize| &self.program.decls[k].role;
        place.child.is_none() && matches!(role(place.signal), Role::Constant(_))
    }

    /// Something of this width without operators.
    fn leaf(&mut self, w: usize) -> Kind {
        let sources = self.readable(|t| t == Ty::Bits(w));
        if !sources.is_empty() {
            return Kind::Read(self.pick(&sources, true));
        }
        let other = self.readable(|t| matches!(t, Ty::Bits(_)));
        if other.is_empty() {
            return Kind::Sized(self.choices.integer(w));
        }
        let place = self.pick(&other, true);
        let ty = self.program.ty(&place);
        Kind::Cast(Box::new(Expr {
            ty,
            kind: Kind::Read(place),
        }))
    }

    fn bits(&mut self, w: usize, depth: usize) -> Kind {
        if depth == 0 || self.choices.exhausted() {
            return self.leaf(w);
        }
        use BinaryOp::*;
        let ty = Ty::Bits(w);
        let arithmetic = [Add, Sub, And, Or, Xor];
        match self.choices.below(16) {
            0 => self.leaf(w),
            1..=3 => {
                let op = self.choices.of(&arithmetic);
                Kind::Binary(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
            4 => {
                let (op, integer) = (self.choices.of(&arithmetic), self.choices.integer(w));
                let value = self.boxed(ty, depth);
                match self.choices.one_in(3) {
                    false => Kind::WithLiteral(op, value, integer),
                    true => Kind::LiteralWith(op, integer, value),
                }
            }
            5 => Kind::Not(self.boxed(ty, depth)),
            6 | 7 => {
                let (left, of) = (self.choices.one_in(2), self.boxed(ty, depth));
                let by = match self.choices.below(3) {
                    0 => Position::Known(self.known(w + 2, false)),
                    _ => Position::Computed(self.amount(&[1, 2, 3, 5, 8], depth)),
                };
                Kind::Shift { left, of, by }
            }
            8 | 9 => {
                let from = Ty::Bits(self.width());
                Kind::Cast(self.boxed(from, depth))
            }
            10 => {
                let from = self.width();
                let value = self.boxed(Ty::Bits(from), depth);
                let at = match self.choices.one_in(2) {
                    true => self.position(from, depth),
                    // One past the end is legal.
                    false => Position::Known(self.known(from + 1, false)),
                };
                Kind::GetBits(value, at)
            }
            11 => {
                let value = self.boxed(ty, depth);
                let at = self.position(w, depth);
                Kind::ReplaceBit(value, at, self.boxed(Ty::Bit, depth))
            }
            12 => Kind::AddBit(self.boxed(ty, depth), self.boxed(Ty::Bit, depth)),
            13 => Kind::Sized(self.choices.integer(w)),
            14 if w >= 5 && !self.loops.is_empty() => {
                let op = self.choices.of(&arithmetic);
                let index = Expr {
                    ty,
                    kind: Kind::Loop(self.known(1 << 5, false)),
                };
                Kind::Binary(op, self.boxed(ty, depth), Box::new(index))
            }
            _ => self.special(w, depth),
        }
    }

    /// What exists at one width only.
    fn special(&mut self, w: usize, depth: usize) -> Kind {
        let whole = match w {
            3 => Some(Ty::Mode),
            8 => Some(Ty::Small),
            40 => Some(Ty::Large),
            _ => None,
        };
        if let Some(ty) = whole {
            let sources = self.readable(|t| t == ty);
            if !sources.is_empty() {
                return Kind::Into(self.pick(&sources, true));
            }
        }
        match w {
            32 if self.choices.one_in(2) => Kind::Mul(
                self.boxed(Ty::Bits(16), depth),
                self.boxed(Ty::Bits(16), depth),
            ),
            64 => {
                let (left, of) = (!self.choices.one_in(3), self.choices.integer(20));
                Kind::ShiftLiteral {
                    left,
                    of,
                    by: self.amount(&[1, 2, 3, 5, 8], depth),
                }
            }
            _ => self.field(Ty::Bits(w)).unwrap_or_else(|| self.leaf(w)),
        }
    }
}
