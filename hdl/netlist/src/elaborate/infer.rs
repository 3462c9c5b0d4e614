//! Expressions: widths inferred in both directions, exactly as Rust has them.
//!
//! Literals and loop variables carry no width in the AST; they take that of
//! their context and must fit. `.index()`, `.into()` and `to_bits()` vanish.

use super::hierarchy::readable;
use super::scope::{Scope, Symbol};
use crate::error::Error;
use crate::hdl::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};
use crate::ir::{BinaryOp, Expr, ExprKind, NetKind, UnaryOp};
use num_bigint::BigUint;

/// Width of `integer << Bits<N>` in rust-hdl: that of its literal type.
const LITERAL_WIDTH: usize = 64;

impl Scope {
    /// Width that an expression has by itself; `None` for an untyped integer.
    fn natural_width(&self, e: &VerilogExpression) -> Result<Option<usize>, Error> {
        use VerilogExpression as V;
        Ok(match e {
            V::Signal(name) => match self.symbol(name)? {
                Symbol::Net(net) => Some(self.module.net(net).width),
                Symbol::Const(width, _) => Some(width),
                Symbol::Loop(_) => None,
            },
            V::Literal(literal) => parse_literal(&format!("{literal:x}"))
                .and_then(|(bits, _)| (bits == 1).then_some(1)),
            V::Cast(_, width) | V::Slice(_, width, _) => Some(*width),
            V::Index(..) => Some(1),
            V::Paren(inner) | V::IndexReplace(inner, ..) => self.natural_width(inner)?,
            V::Unary(VerilogOpUnary::Not, inner) => self.natural_width(inner)?,
            V::Unary(VerilogOpUnary::Neg, _) | V::Signed(_) | V::Unsigned(_) => {
                return self.unsupported("signed arithmetic", "the AST drops its width; use Bits")
            }
            V::Unary(..) => Some(1),
            V::Binary(left, op, right) => match op {
                VerilogOp::Shl | VerilogOp::Shr => match self.natural_width(left)? {
                    Some(width) => Some(width),
                    None => self.integer(e)?.is_none().then_some(LITERAL_WIDTH),
                },
                VerilogOp::Mul => {
                    let sized = self.natural_width(left)?.or(self.natural_width(right)?);
                    sized.map(|width| 2 * width)
                }
                VerilogOp::Add
                | VerilogOp::Sub
                | VerilogOp::BitXor
                | VerilogOp::BitAnd
                | VerilogOp::BitOr => match self.natural_width(left)? {
                    Some(width) => Some(width),
                    None => self.natural_width(right)?,
                },
                _ => Some(1),
            },
        })
    }

    /// Value of an expression of integers, loop variables and constants.
    fn integer(&self, e: &VerilogExpression) -> Result<Option<i128>, Error> {
        use VerilogExpression as V;
        Ok(match e {
            V::Signal(name) => match self.symbol(name)? {
                Symbol::Const(_, value) => i128::try_from(value).ok(),
                Symbol::Loop(value) => Some(value),
                Symbol::Net(_) => None,
            },
            V::Literal(literal) => parse_literal(&format!("{literal:x}"))
                .and_then(|(_, value)| i128::try_from(value).ok()),
            V::Paren(inner) => self.integer(inner)?,
            V::Binary(left, op, right) => {
                let (Some(a), Some(b)) = (self.integer(left)?, self.integer(right)?) else {
                    return Ok(None);
                };
                let shift = u32::try_from(b).ok().filter(|&b| b < 100);
                let value = match op {
                    VerilogOp::Add => a.checked_add(b),
                    VerilogOp::Sub => a.checked_sub(b),
                    VerilogOp::Mul => a.checked_mul(b),
                    VerilogOp::Shl => shift.and_then(|s| a.checked_mul(1i128.checked_shl(s)?)),
                    VerilogOp::Shr => shift.map(|s| a >> s),
                    VerilogOp::BitAnd => Some(a & b),
                    VerilogOp::BitOr => Some(a | b),
                    VerilogOp::BitXor => Some(a ^ b),
                    _ => return Ok(None),
                };
                // Rust's integers here have at most 64 bits, and would wrap.
                let Some(value) = value.filter(|v| u64::try_from(*v).is_ok()) else {
                    return self.unsupported(
                        format!("integer expression '{}'", describe(e)),
                        "it is negative or too large",
                    );
                };
                // `(k.val() + 1).index()` and `k.val().index() + 1` look the
                // same in the AST but wrap differently.
                let sized = match op {
                    // That of the whole asks for this very value.
                    VerilogOp::Shl | VerilogOp::Shr => self.natural_width(left)?,
                    _ => self.natural_width(e)?,
                };
                if let Some(width) = sized {
                    if BigUint::try_from(value).is_ok_and(|v| v.bits() as usize > width) {
                        return self.unsupported(
                            format!("'{}', which leaves the width of its constant", describe(e)),
                            "the AST does not say whether it wraps; widen the Constant",
                        );
                    }
                }
                Some(value)
            }
            _ => None,
        })
    }

    fn constant(&self, value: i128, width: usize) -> Result<Expr, Error> {
        match BigUint::try_from(value) {
            Ok(v) if v.bits() as usize <= width => Ok(Expr::constant(v, width)),
            _ => Err(Error::DoesNotFit {
                block: self.here(),
                value: value.to_string(),
                width,
            }),
        }
    }

    /// A bit position or shift amount: a constant or a sized value.
    fn position(&self, e: &VerilogExpression) -> Result<Expr, Error> {
        if let Some(value) = self.integer(e)? {
            return self.constant(value, 64);
        }
        if matches!(peel(e), VerilogExpression::Binary(..)) {
            return self.unsupported(
                format!("arithmetic on signals in the position '{}'", describe(e)),
                "`.index()` is invisible in the AST; compute it in a Local first",
            );
        }
        self.expr(e, None)
    }

    /// Types an expression; `want` is the width that its place needs.
    pub fn expr(&self, e: &VerilogExpression, want: Option<usize>) -> Result<Expr, Error> {
        let typed = self.expr_in_context(e, want)?;
        match want {
            Some(expected) if expected != typed.width => Err(Error::Width {
                block: self.here(),
                what: format!("'{}'", describe(e)),
                expected,
                found: typed.width,
            }),
            _ => Ok(typed),
        }
    }

    fn expr_in_context(&self, e: &VerilogExpression, want: Option<usize>) -> Result<Expr, Error> {
        use VerilogExpression as V;
        if self.natural_width(e)?.is_none() {
            if let Some(value) = self.integer(e)? {
                let Some(width) = want else {
                    return self.unsupported(
                        format!("integer '{}' without a width", describe(e)),
                        "write bits::<N>(..) or compare it with a sized value",
                    );
                };
                return self.constant(value, width);
            }
        }
        match e {
            V::Signal(name) => self.read(name),
            V::Literal(literal) => {
                let value = parse_literal(&format!("{literal:x}"))
                    .map(|l| l.1)
                    .unwrap_or_default();
                Ok(Expr::constant(value, 1))
            }
            V::Paren(inner) => self.expr_in_context(inner, want),
            V::Cast(inner, width) => self.cast(inner, *width),
            V::Unary(op, inner) => self.unary(op, inner),
            V::Index(of, at) => self.get_bit(of, at),
            V::Slice(of, width, at) => self.get_bits(of, *width, at),
            V::IndexReplace(of, at, value) => self.replace_bit(of, at, value, want),
            V::Binary(left, op, right) => self.binary(e, left, op, right, want),
            V::Signed(_) | V::Unsigned(_) => {
                self.unsupported("signed arithmetic", "the AST drops its width; use Bits")
            }
        }
    }

    fn read(&self, name: &str) -> Result<Expr, Error> {
        match self.symbol(name)? {
            Symbol::Net(id) => {
                let net = self.module.net(id);
                if net.clock {
                    return self.unsupported(
                        format!("clock '{}' as data", net.name),
                        "clocks may only be copied to clocks",
                    );
                }
                if net.kind == NetKind::ChildInput {
                    return self.unsupported(
                        format!("reading '{}', an input of a child", net.name),
                        "Rust sees its settled value, Verilog the assigned one; read what you assign to it",
                    );
                }
                Ok(Expr::net(id, net.width))
            }
            Symbol::Const(width, value) => Ok(Expr::constant(value, width)),
            Symbol::Loop(value) => self.unsupported(
                format!("loop variable {name} = {value} without a width"),
                "write i.to_bits::<N>() where a sized value is compared or assigned",
            ),
        }
    }

    fn cast(&self, inner: &VerilogExpression, width: usize) -> Result<Expr, Error> {
        if width == 0 {
            return self.unsupported("a value of 0 bits", "give it at least one bit");
        }
        if self.natural_width(inner)?.is_some() {
            return Ok(self.expr(inner, None)?.resized(width));
        }
        match self.integer(inner)? {
            Some(value) => self.constant(value, width),
            None => self.unsupported(format!("cast of '{}'", describe(inner)), "give it a width"),
        }
    }

    fn unary(&self, op: &VerilogOpUnary, inner: &VerilogExpression) -> Result<Expr, Error> {
        let op = match op {
            VerilogOpUnary::Not => UnaryOp::Not,
            VerilogOpUnary::All => UnaryOp::All,
            VerilogOpUnary::Any => UnaryOp::Any,
            VerilogOpUnary::Xor => UnaryOp::Parity,
            VerilogOpUnary::Neg => {
                return self.unsupported("negation", "the AST drops signed widths; subtract from 0")
            }
        };
        // An untyped integer would be inverted over rust-hdl's 64 literal bits.
        if self.natural_width(inner)?.is_none() {
            return self.unsupported(
                format!("'!' or a reduction of the untyped '{}'", describe(inner)),
                "write !bits::<N>(..)",
            );
        }
        let inner = self.expr(inner, None)?;
        let width = if op == UnaryOp::Not { inner.width } else { 1 };
        Ok(Expr {
            width,
            kind: ExprKind::Unary(op, inner.into()),
        })
    }

    fn out_of_range<T>(
        &self,
        of: &VerilogExpression,
        at: &BigUint,
        width: usize,
    ) -> Result<T, Error> {
        Err(Error::OutOfRange {
            block: self.here(),
            what: format!("'{}'", describe(of)),
            index: at.to_string(),
            width,
        })
    }

    fn get_bit(&self, of: &VerilogExpression, at: &VerilogExpression) -> Result<Expr, Error> {
        let base = self.expr(of, None)?;
        let at = self.position(at)?;
        if let ExprKind::Const(k) = &at.kind {
            return match usize::try_from(k) {
                Ok(k) if k < base.width => Ok(base.slice(k, 1)),
                _ => self.out_of_range(of, k, base.width),
            };
        }
        Ok(Expr {
            width: 1,
            kind: ExprKind::Bit(base.into(), at.into()),
        })
    }

    fn get_bits(
        &self,
        of: &VerilogExpression,
        width: usize,
        at: &VerilogExpression,
    ) -> Result<Expr, Error> {
        if width == 0 {
            return self.unsupported("a slice of 0 bits", "give it at least one bit");
        }
        let base = self.expr(of, None)?;
        let at = self.position(at)?;
        let ExprKind::Const(k) = &at.kind else {
            // Rust shifts, then casts.
            let have = base.width;
            let kind = ExprKind::Binary(BinaryOp::Shr, base.into(), at.into());
            return Ok(Expr { width: have, kind }.resized(width));
        };
        match usize::try_from(k) {
            Ok(low) if low < base.width => {
                let have = (base.width - low).min(width);
                Ok(base.slice(low, have).resized(width))
            }
            Ok(low) if low == base.width => Ok(Expr::constant(0u8, width)),
            _ => self.out_of_range(of, k, base.width),
        }
    }

    fn replace_bit(
        &self,
        of: &VerilogExpression,
        at: &VerilogExpression,
        value: &VerilogExpression,
        want: Option<usize>,
    ) -> Result<Expr, Error> {
        let base = self.expr(of, want)?;
        let at = self.position(at)?;
        let value = self.expr(value, Some(1))?;
        if let ExprKind::Const(k) = &at.kind {
            if usize::try_from(k).map_or(true, |k| k >= base.width) {
                return self.out_of_range(of, k, base.width);
            }
        }
        let width = base.width;
        Ok(Expr {
            width,
            kind: ExprKind::ReplaceBit(base.into(), at.into(), value.into()),
        })
    }

    fn binary(
        &self,
        whole: &VerilogExpression,
        left: &VerilogExpression,
        op: &VerilogOp,
        right: &VerilogExpression,
        want: Option<usize>,
    ) -> Result<Expr, Error> {
        let op = binary_op(op);
        let build = |width, a: Expr, b: Expr| Expr {
            width,
            kind: ExprKind::Binary(op, a.into(), b.into()),
        };
        match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = self.natural_width(whole)?.or(want);
                let value = self.expr(left, width)?;
                let amount = match self.integer(right)? {
                    Some(amount) => self.constant(amount, 64)?,
                    None => self.expr(right, None)?,
                };
                Ok(build(value.width, value, amount))
            }
            BinaryOp::Mul => {
                let sized = self.natural_width(left)?.or(self.natural_width(right)?);
                if sized != Some(16) {
                    return self.unsupported(
                        format!("product '{}'", describe(whole)),
                        "rust-hdl multiplies 16 by 16 bits only",
                    );
                }
                Ok(build(32, self.expr(left, sized)?, self.expr(right, sized)?))
            }
            _ => {
                let bitwise_or_sum = matches!(
                    op,
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub
                );
                let (of_left, of_right) = (self.natural_width(left)?, self.natural_width(right)?);
                let Some(width) = of_left.or(of_right) else {
                    return self.unsupported(
                        format!("comparison of integers '{}'", describe(whole)),
                        "compare a signal with an integer",
                    );
                };
                let a = self.expr(left, Some(width))?;
                // The one mixed form that rust-hdl has: Bits<N> + bool.
                let b = if op == BinaryOp::Add && of_right == Some(1) && width != 1 {
                    self.expr(right, Some(1))?.resized(width)
                } else {
                    self.expr(right, Some(width))?
                };
                Ok(build(if bitwise_or_sum { width } else { 1 }, a, b))
            }
        }
    }
}

fn binary_op(op: &VerilogOp) -> BinaryOp {
    match op {
        VerilogOp::Add => BinaryOp::Add,
        VerilogOp::Sub => BinaryOp::Sub,
        VerilogOp::Mul => BinaryOp::Mul,
        VerilogOp::LogicalAnd | VerilogOp::BitAnd => BinaryOp::And,
        VerilogOp::LogicalOr | VerilogOp::BitOr => BinaryOp::Or,
        VerilogOp::BitXor => BinaryOp::Xor,
        VerilogOp::Shl => BinaryOp::Shl,
        VerilogOp::Shr => BinaryOp::Shr,
        VerilogOp::Eq => BinaryOp::Eq,
        VerilogOp::Lt => BinaryOp::Lt,
        VerilogOp::Le => BinaryOp::Le,
        VerilogOp::Ne => BinaryOp::Ne,
        VerilogOp::Ge => BinaryOp::Ge,
        VerilogOp::Gt => BinaryOp::Gt,
    }
}

/// Width and value of a literal as rust-hdl prints it in hex: `16'h1f`.
pub(super) fn parse_literal(text: &str) -> Option<(usize, BigUint)> {
    let (bits, digits) = text.split_once("'h")?;
    Some((
        bits.parse().ok()?,
        BigUint::parse_bytes(digits.as_bytes(), 16)?,
    ))
}

/// The expression without parentheses around it.
pub(super) fn peel(e: &VerilogExpression) -> &VerilogExpression {
    match e {
        VerilogExpression::Paren(inner) => peel(inner),
        _ => e,
    }
}

/// Short text of an expression for error messages.
pub(super) fn describe(e: &VerilogExpression) -> String {
    use VerilogExpression as V;
    match e {
        V::Signal(name) => readable(name),
        V::Literal(l) => {
            parse_literal(&format!("{l:x}")).map_or(format!("{l}"), |l| l.1.to_string())
        }
        V::Cast(a, n) => format!("bit_cast::<{n}>({})", describe(a)),
        V::Paren(a) => format!("({})", describe(a)),
        V::Signed(a) | V::Unsigned(a) => format!("signed({})", describe(a)),
        V::Unary(op, a) => match op {
            VerilogOpUnary::Not => format!("!{}", describe(a)),
            VerilogOpUnary::Neg => format!("-{}", describe(a)),
            VerilogOpUnary::All => format!("{}.all()", describe(a)),
            VerilogOpUnary::Any => format!("{}.any()", describe(a)),
            VerilogOpUnary::Xor => format!("{}.xor()", describe(a)),
        },
        V::Index(a, i) => format!("{}.get_bit({})", describe(a), describe(i)),
        V::Slice(a, n, i) => format!("{}.get_bits::<{n}>({})", describe(a), describe(i)),
        V::IndexReplace(a, i, v) => {
            format!(
                "{}.replace_bit({}, {})",
                describe(a),
                describe(i),
                describe(v)
            )
        }
        V::Binary(a, op, b) => {
            let op = match binary_op(op) {
                BinaryOp::And => "&",
                BinaryOp::Or => "|",
                BinaryOp::Xor => "^",
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Shl => "<<",
                BinaryOp::Shr => ">>",
                BinaryOp::Eq => "==",
                BinaryOp::Ne => "!=",
                BinaryOp::Lt => "<",
                BinaryOp::Le => "<=",
                BinaryOp::Gt => ">",
                BinaryOp::Ge => ">=",
            };
            format!("{} {op} {}", describe(a), describe(b))
        }
    }
}
