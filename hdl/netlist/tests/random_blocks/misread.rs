//! Changes to a program that an elaborator might make by mistake.

use crate::random_blocks::program::*;

/// Turns the first `+` into `-`, `<` into `<=` or `>>` into `<<` in the
/// statements; `false` if there is none.
pub fn misread(body: &mut [Stmt]) -> bool {
    body.iter_mut().any(|s| match s {
        Stmt::Assign(_, e) | Stmt::AssignField(_, _, _, _, e) => expr(e),
        Stmt::AssignLiteral(..) => false,
        Stmt::If(arms, otherwise) => {
            arms.iter_mut()
                .any(|(test, body)| expr(test) || misread(body))
                || otherwise.as_mut().is_some_and(|body| misread(body))
        }
        Stmt::MatchBits(on, arms, default) => {
            expr(on) || arms.iter_mut().any(|arm| misread(&mut arm.1)) || misread(default)
        }
        Stmt::MatchBit(on, arms) => expr(on) || arms.iter_mut().any(|arm| misread(&mut arm.1)),
        Stmt::MatchMode(on, arms, default) => {
            expr(on)
                || arms.iter_mut().any(|arm| misread(&mut arm.1))
                || default.as_mut().is_some_and(|body| misread(body))
        }
        Stmt::For(_, from, to, body) => from < to && misread(body),
    })
}

fn expr(e: &mut Expr) -> bool {
    match &mut e.kind {
        Kind::Binary(op, ..) | Kind::WithLiteral(op, ..) | Kind::LiteralWith(op, ..)
            if matches!(op, BinaryOp::Add | BinaryOp::Lt) =>
        {
            *op = if *op == BinaryOp::Add {
                BinaryOp::Sub
            } else {
                BinaryOp::Le
            };
            true
        }
        Kind::Shift { left, .. } => {
            *left = !*left;
            true
        }
        Kind::Not(a) | Kind::Reduce(_, a) | Kind::Cast(a) => expr(a),
        Kind::Binary(_, a, b) | Kind::AddBit(a, b) | Kind::Mul(a, b) => expr(a) || expr(b),
        Kind::WithLiteral(_, a, _) | Kind::LiteralWith(_, _, a) => expr(a),
        Kind::GetBit(a, _) | Kind::GetBits(a, _) => expr(a),
        Kind::ReplaceBit(a, _, b) => expr(a) || expr(b),
        _ => false,
    }
}
