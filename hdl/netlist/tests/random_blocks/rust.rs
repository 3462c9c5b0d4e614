//! A random program run as Rust: rust-hdl's own `Bits<N>` and signals.
//!
//! Values pass between operations as big integers, together with the type
//! that the program gives them; each operation is done by rust-hdl at the
//! width of that type.

use crate::random_blocks::block::Circuit;
use crate::random_blocks::program::*;
use crate::random_blocks::types::{with_width, Ty};
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

/// `update()` of a random block.
pub fn update(circuit: &mut Circuit) {
    let program = circuit.program.clone();
    let mut run = Run {
        circuit,
        loops: vec![],
    };
    run.block(&program.body);
}

struct Run<'a> {
    circuit: &'a mut Circuit,
    loops: Vec<usize>,
}

fn of<const N: usize>(value: &BigUint) -> Bits<N> {
    value.clone().into()
}

fn big(value: impl Into<BigUint>) -> BigUint {
    value.into()
}

fn truth(value: bool) -> BigUint {
    u8::from(value).into()
}

/// One operator between two operands, each `Bits<N>` or an integer.
macro_rules! operate {
    ($op:expr, $a:expr, $b:expr) => {
        match $op {
            BinaryOp::Add => big($a + $b),
            BinaryOp::Sub => big($a - $b),
            BinaryOp::And => big($a & $b),
            BinaryOp::Or => big($a | $b),
            BinaryOp::Xor => big($a ^ $b),
            BinaryOp::Eq => truth($a == $b),
            BinaryOp::Ne => truth($a != $b),
            BinaryOp::Lt => truth($a < $b),
            BinaryOp::Le => truth($a <= $b),
            BinaryOp::Gt => truth($a > $b),
            BinaryOp::Ge => truth($a >= $b),
            BinaryOp::BothTrue | BinaryOp::AnyTrue => unreachable!("on bits"),
        }
    };
}

fn binary(op: BinaryOp, ty: Ty, a: &BigUint, b: &BigUint) -> BigUint {
    match ty {
        Ty::Bit => {
            let (a, b) = (a.bit(0), b.bit(0));
            truth(match op {
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::BothTrue => a && b,
                BinaryOp::AnyTrue => a || b,
                BinaryOp::Eq => a == b,
                BinaryOp::Ne => a != b,
                #[allow(clippy::bool_comparison)]
                BinaryOp::Lt => a < b,
                BinaryOp::Le => a <= b,
                #[allow(clippy::bool_comparison)]
                BinaryOp::Gt => a > b,
                BinaryOp::Ge => a >= b,
                BinaryOp::Add | BinaryOp::Sub => unreachable!("sum of bools"),
            })
        }
        Ty::Bits(w) => with_width!(w, N => operate!(op, of::<N>(a), of::<N>(b))),
        // Enums and structs are compared as values of their own types.
        _ => truth((a == b) == (op == BinaryOp::Eq)),
    }
}

fn with_literal(op: BinaryOp, w: usize, a: &BigUint, b: u64) -> BigUint {
    with_width!(w, N => operate!(op, of::<N>(a), b))
}

fn literal_with(op: BinaryOp, w: usize, a: u64, b: &BigUint) -> BigUint {
    with_width!(w, N => operate!(op, a, of::<N>(b)))
}

fn shifted(left: bool, w: usize, a: &BigUint, by: u64) -> BigUint {
    with_width!(w, N => if left { big(of::<N>(a) << by) } else { big(of::<N>(a) >> by) })
}

fn shifted_by(left: bool, w: usize, a: &BigUint, by_width: usize, by: &BigUint) -> BigUint {
    with_width!(w, N => with_width!(by_width, M => {
        let (a, by) = (of::<N>(a), of::<M>(by));
        if left { big(a << by) } else { big(a >> by) }
    }))
}

fn shifted_literal(left: bool, a: u64, by_width: usize, by: &BigUint) -> BigUint {
    with_width!(by_width, M => if left { big(a << of::<M>(by)) } else { big(a >> of::<M>(by)) })
}

fn cast(to: usize, from: usize, a: &BigUint) -> BigUint {
    with_width!(to, M => with_width!(from, N => big(bit_cast::<M, N>(of::<N>(a)))))
}

fn get_bits(to: usize, from: usize, a: &BigUint, at: usize) -> BigUint {
    with_width!(to, M => with_width!(from, N => big(of::<N>(a).get_bits::<M>(at))))
}

impl Run<'_> {
    fn position(&self, position: &Position) -> usize {
        match position {
            Position::Known(index) => index.at(&self.loops),
            Position::Computed(e) => {
                let value = self.expr(e);
                with_width!(e.ty.width(), N => of::<N>(&value).index())
            }
        }
    }

    fn expr(&self, e: &Expr) -> BigUint {
        let width = e.ty.width();
        match &e.kind {
            Kind::Read(place) | Kind::Into(place) => self.circuit.seen(place, &self.loops).get(),
            Kind::Field(place, field, _) => self.circuit.seen(place, &self.loops).get_field(field),
            Kind::Truth(value) => truth(*value),
            Kind::Mode(k) => big(*k),
            Kind::Sized(value) => with_width!(width, N => big(bits::<N>(*value))),
            Kind::Loop(index) => {
                with_width!(width, N => big(index.at(&self.loops).to_bits::<N>()))
            }
            Kind::Not(a) => {
                let value = self.expr(a);
                match a.ty {
                    Ty::Bit => truth(!value.bit(0)),
                    ty => with_width!(ty.width(), N => big(!of::<N>(&value))),
                }
            }
            Kind::Reduce(op, a) => {
                let value = self.expr(a);
                with_width!(a.ty.width(), N => truth(match op {
                    Reduction::All => of::<N>(&value).all(),
                    Reduction::Any => of::<N>(&value).any(),
                    Reduction::Xor => of::<N>(&value).xor(),
                }))
            }
            Kind::Binary(op, a, b) => binary(*op, a.ty, &self.expr(a), &self.expr(b)),
            Kind::WithLiteral(op, a, b) => with_literal(*op, a.ty.width(), &self.expr(a), *b),
            Kind::LiteralWith(op, a, b) => literal_with(*op, b.ty.width(), *a, &self.expr(b)),
            Kind::AddBit(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b).bit(0));
                with_width!(width, N => big(of::<N>(&a) + b))
            }
            Kind::Mul(a, b) => big(of::<16>(&self.expr(a)) * of::<16>(&self.expr(b))),
            Kind::Shift { left, of, by } => {
                let value = self.expr(of);
                match by {
                    Position::Known(index) => {
                        shifted(*left, width, &value, index.at(&self.loops) as u64)
                    }
                    Position::Computed(by) => {
                        shifted_by(*left, width, &value, by.ty.width(), &self.expr(by))
                    }
                }
            }
            Kind::ShiftLiteral { left, of, by } => {
                shifted_literal(*left, *of, by.ty.width(), &self.expr(by))
            }
            Kind::Cast(a) => cast(width, a.ty.width(), &self.expr(a)),
            Kind::GetBit(a, at) => {
                let (value, at) = (self.expr(a), self.position(at));
                with_width!(a.ty.width(), N => truth(of::<N>(&value).get_bit(at)))
            }
            Kind::GetBits(a, at) => get_bits(width, a.ty.width(), &self.expr(a), self.position(at)),
            Kind::ReplaceBit(a, at, by) => {
                let (value, at, by) = (self.expr(a), self.position(at), self.expr(by).bit(0));
                with_width!(width, N => big(of::<N>(&value).replace_bit(at, by)))
            }
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        match s {
            Stmt::Assign(place, value) => {
                let value = self.expr(value);
                self.circuit.wire(place, &self.loops).set(&value);
            }
            Stmt::AssignLiteral(place, value) => {
                self.circuit.wire(place, &self.loops).set(&big(*value));
            }
            Stmt::AssignField(place, field, _, _, value) => {
                let value = self.expr(value);
                self.circuit
                    .wire(place, &self.loops)
                    .set_field(field, &value);
            }
            Stmt::If(arms, otherwise) => {
                let taken = arms.iter().find(|(test, _)| self.expr(test).bit(0));
                if let Some(body) = taken.map(|arm| &arm.1).or(otherwise.as_ref()) {
                    self.block(body);
                }
            }
            Stmt::MatchBits(on, arms, default) => {
                let value = self.expr(on);
                let index = with_width!(on.ty.width(), N => of::<N>(&value).index()) as u64;
                let taken = arms.iter().find(|arm| arm.0 == index);
                self.block(taken.map_or(default, |arm| &arm.1));
            }
            Stmt::MatchBit(on, arms) => {
                let value = self.expr(on).bit(0);
                let taken = arms.iter().find(|arm| arm.0 == value);
                self.block(&taken.expect("both are there").1);
            }
            Stmt::MatchMode(on, arms, default) => {
                let value = self.expr(on);
                let taken = arms.iter().find(|arm| value == BigUint::from(arm.0));
                let body = taken.map(|arm| &arm.1).or(default.as_ref());
                self.block(body.expect("all values are there"));
            }
            Stmt::For(var, from, to, body) => {
                assert_eq!(*var, self.loops.len());
                for i in *from..*to {
                    self.loops.push(i);
                    self.block(body);
                    self.loops.pop();
                }
            }
        }
    }
}
