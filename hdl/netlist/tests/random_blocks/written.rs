//! A random program as the AST that `#[hdl_gen]` would have made of it.

use crate::random_blocks::program::*;
use crate::random_blocks::types::MODES;
use cotenant_netlist::hdl::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression as V,
    VerilogLoop, VerilogMatch, VerilogOp, VerilogOpUnary, VerilogStatement as S,
};
use cotenant_netlist::hdl::{Verilog, VerilogLiteral};

/// `hdl()` of a program.
pub fn hdl(program: &Program) -> Verilog {
    Verilog::Combinatorial(statements(program, &program.body))
}

/// A subscript as the macro spells it: the tokens without spaces.
pub fn subscript(index: Index) -> String {
    match index {
        Index::Const(k) => k.to_string(),
        Index::Affine(v, 1, 0) => VARS[v].to_string(),
        Index::Affine(v, 1, offset) => format!("{}+{offset}", VARS[v]),
        Index::Affine(v, factor, 0) => format!("{factor}*{}", VARS[v]),
        Index::Affine(v, factor, offset) => format!("{factor}*{}+{offset}", VARS[v]),
        Index::Reverse(from, v) => format!("{from}-{}", VARS[v]),
        Index::Modulo(v, offset, modulus) => format!("({}+{offset})%{modulus}", VARS[v]),
    }
}

/// A signal as the macro spells it: `self.` dropped, `.` replaced.
fn name(program: &Program, place: &Place) -> String {
    let subscripted = |name: &str, index: Option<Index>| match index {
        Some(index) => format!("{name}[{}]", subscript(index)),
        None => name.to_string(),
    };
    match place.child {
        None => subscripted(&program.decls[place.signal].name, place.index),
        Some((child, index)) => {
            let instance = subscripted(&program.children[child].name, index);
            let port = &program.ports_of(child)[place.signal].name;
            format!("{instance}${}", subscripted(port, place.index))
        }
    }
}

/// An integer literal: an `i32` unless it needs a suffix.
pub fn literal(value: u64) -> V {
    V::Literal(match i32::try_from(value) {
        Ok(small) => small.into(),
        Err(_) => value.into(),
    })
}

fn boxed(v: V) -> Box<V> {
    Box::new(v)
}

/// An operand: in parentheses unless it binds tightest anyway.
fn operand(program: &Program, e: &Expr) -> Box<V> {
    let v = expr(program, e);
    match v {
        V::Binary(..) | V::Unary(VerilogOpUnary::Not, _) => boxed(V::Paren(boxed(v))),
        other => boxed(other),
    }
}

fn position(program: &Program, position: &Position) -> V {
    match position {
        Position::Known(k) => known(*k),
        Position::Computed(e) => expr(program, e),
    }
}

fn known(index: Index) -> V {
    let variable = |v: Var| boxed(V::Signal(VARS[v].into()));
    let number = |n: usize| boxed(literal(n as u64));
    match index {
        Index::Const(k) => literal(k as u64),
        Index::Affine(v, 1, 0) => *variable(v),
        Index::Affine(v, 1, offset) => V::Binary(variable(v), VerilogOp::Add, number(offset)),
        Index::Affine(v, factor, offset) => {
            let product = V::Binary(number(factor), VerilogOp::Mul, variable(v));
            V::Binary(boxed(product), VerilogOp::Add, number(offset))
        }
        Index::Reverse(from, v) => V::Binary(number(from), VerilogOp::Sub, variable(v)),
        // `%` is for subscripts only: the macro refuses it elsewhere.
        Index::Modulo(..) => unreachable!("no remainder in an expression"),
    }
}

fn operator(op: BinaryOp) -> VerilogOp {
    match op {
        BinaryOp::Add => VerilogOp::Add,
        BinaryOp::Sub => VerilogOp::Sub,
        BinaryOp::And => VerilogOp::BitAnd,
        BinaryOp::Or => VerilogOp::BitOr,
        BinaryOp::Xor => VerilogOp::BitXor,
        BinaryOp::Eq => VerilogOp::Eq,
        BinaryOp::Ne => VerilogOp::Ne,
        BinaryOp::Lt => VerilogOp::Lt,
        BinaryOp::Le => VerilogOp::Le,
        BinaryOp::Gt => VerilogOp::Gt,
        BinaryOp::Ge => VerilogOp::Ge,
        BinaryOp::BothTrue => VerilogOp::LogicalAnd,
        BinaryOp::AnyTrue => VerilogOp::LogicalOr,
    }
}

fn expr(program: &Program, e: &Expr) -> V {
    let operand = |e: &Expr| operand(program, e);
    match &e.kind {
        Kind::Read(place) | Kind::Into(place) => V::Signal(name(program, place)),
        Kind::Field(place, _, low) => {
            let whole = boxed(V::Signal(name(program, place)));
            V::Slice(whole, e.ty.width(), boxed(V::Literal((*low).into())))
        }
        Kind::Truth(value) => V::Literal((*value).into()),
        Kind::Mode(k) => V::Signal(format!("Mode${}", MODES[*k].1)),
        Kind::Sized(value) => V::Cast(boxed(literal(*value)), e.ty.width()),
        Kind::Loop(index) => match known(*index) {
            sum @ V::Binary(..) => V::Paren(boxed(sum)),
            other => other,
        },
        Kind::Not(a) => V::Unary(VerilogOpUnary::Not, operand(a)),
        Kind::Reduce(op, a) => {
            let op = match op {
                Reduction::All => VerilogOpUnary::All,
                Reduction::Any => VerilogOpUnary::Any,
                Reduction::Xor => VerilogOpUnary::Xor,
            };
            V::Unary(op, operand(a))
        }
        Kind::Binary(op, a, b) => V::Binary(operand(a), operator(*op), operand(b)),
        Kind::WithLiteral(op, a, b) => V::Binary(operand(a), operator(*op), boxed(literal(*b))),
        Kind::LiteralWith(op, a, b) => V::Binary(boxed(literal(*a)), operator(*op), operand(b)),
        Kind::AddBit(a, b) => V::Binary(operand(a), VerilogOp::Add, operand(b)),
        Kind::Mul(a, b) => V::Binary(operand(a), VerilogOp::Mul, operand(b)),
        Kind::Shift { left, of, by } => {
            let by = match by {
                Position::Computed(e) => operand(e),
                known => match position(program, known) {
                    sum @ V::Binary(..) => boxed(V::Paren(boxed(sum))),
                    other => boxed(other),
                },
            };
            V::Binary(
                operand(of),
                if *left {
                    VerilogOp::Shl
                } else {
                    VerilogOp::Shr
                },
                by,
            )
        }
        Kind::ShiftLiteral { left, of, by } => {
            let op = if *left {
                VerilogOp::Shl
            } else {
                VerilogOp::Shr
            };
            V::Binary(boxed(literal(*of)), op, operand(by))
        }
        Kind::Cast(a) => V::Cast(boxed(expr(program, a)), e.ty.width()),
        Kind::GetBit(a, at) => V::Index(operand(a), boxed(position(program, at))),
        Kind::GetBits(a, at) => V::Slice(operand(a), e.ty.width(), boxed(position(program, at))),
        Kind::ReplaceBit(a, at, by) => V::IndexReplace(
            operand(a),
            boxed(position(program, at)),
            boxed(expr(program, by)),
        ),
    }
}

fn target(program: &Program, place: &Place) -> V {
    V::Signal(format!("{}$next", name(program, place)))
}

fn statements(program: &Program, body: &[Stmt]) -> Vec<S> {
    body.iter().map(|s| statement(program, s)).collect()
}

fn conditional(program: &Program, arms: &[(Expr, Vec<Stmt>)], otherwise: &Option<Vec<Stmt>>) -> S {
    let ((test, then), rest) = arms.split_first().expect("an if has a condition");
    let otherwise = match (rest, otherwise) {
        ([], None) => VerilogBlockOrConditional::None,
        ([], Some(body)) => VerilogBlockOrConditional::Block(statements(program, body)),
        _ => {
            let next = conditional(program, rest, otherwise);
            VerilogBlockOrConditional::Conditional(Box::new(next))
        }
    };
    let then = statements(program, then);
    S::If(VerilogConditional {
        test: expr(program, test),
        then,
        otherwise,
    })
}

fn statement(program: &Program, s: &Stmt) -> S {
    let case = |condition: String, body: &Vec<Stmt>| VerilogCase {
        condition,
        block: statements(program, body),
    };
    match s {
        Stmt::Assign(place, value) => S::Assignment(target(program, place), expr(program, value)),
        Stmt::AssignLiteral(place, value) => S::Assignment(target(program, place), literal(*value)),
        Stmt::AssignField(place, _, ty, low, value) => S::SliceAssignment {
            base: V::Signal(name(program, place)),
            width: ty.width(),
            offset: V::Literal(VerilogLiteral::from(*low)),
            replacement: expr(program, value),
        },
        Stmt::If(arms, otherwise) => conditional(program, arms, otherwise),
        Stmt::MatchBits(on, arms, default) => {
            let arms = arms.iter().map(|(v, body)| case(v.to_string(), body));
            let cases = arms.chain([case("default".into(), default)]).collect();
            S::Match(VerilogMatch {
                test: expr(program, on),
                cases,
            })
        }
        Stmt::MatchBit(on, arms) => {
            let cases = arms
                .iter()
                .map(|(v, body)| case(v.to_string(), body))
                .collect();
            S::Match(VerilogMatch {
                test: expr(program, on),
                cases,
            })
        }
        Stmt::MatchMode(on, arms, default) => {
            let arms = arms
                .iter()
                .map(|(k, body)| case(format!("Mode${}", MODES[*k].1), body));
            let default = default.iter().map(|body| case("default".into(), body));
            let cases = arms.chain(default).collect();
            S::Match(VerilogMatch {
                test: expr(program, on),
                cases,
            })
        }
        Stmt::For(var, from, to, body) => S::Loop(VerilogLoop {
            index: VARS[*var].into(),
            from: VerilogLiteral::from(*from as i32),
            to: VerilogLiteral::from(*to as i32),
            block: statements(program, body),
        }),
    }
}
