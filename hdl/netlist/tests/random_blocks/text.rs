//! A random program as Rust text, to read a failure.

use crate::random_blocks::program::*;
use crate::random_blocks::types::MODES;
use crate::random_blocks::written::subscript;
use std::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let array = |what: String, len: Option<usize>| match len {
            Some(n) => format!("[{what}; {n}]"),
            None => what,
        };
        writeln!(f, "struct {{")?;
        for d in &self.decls {
            let ty = match &d.role {
                Role::Constant(v) => format!("Constant<{}> = {v:#x}", d.ty),
                role => array(format!("Signal<{role:?}, {}>", d.ty), d.len),
            };
            writeln!(f, "  {}: {ty},", d.name)?;
        }
        for c in &self.children {
            let made = match &c.made {
                Made::Program(p) => format!("{p}").replace('\n', "\n  ").trim_end().to_string(),
                Made::Brick(b) => format!("{b:?}"),
                Made::Flop(ty, init) => format!("Flop<{ty}> = {init:#x}"),
                Made::Ram(ty, a) => format!("Memory<{ty}, {a}>"),
            };
            writeln!(f, "  {}: {},", c.name, array(made, c.len))?;
        }
        writeln!(f, "}}\nfn update(&mut self) {{")?;
        self.block(f, 1, &self.body)?;
        writeln!(f, "}}")
    }
}

impl Program {
    fn place(&self, place: &Place) -> String {
        let with = |name: &str, index: Option<Index>| match index {
            Some(index) => format!("{name}[{}]", subscript(index)),
            None => name.to_string(),
        };
        match place.child {
            None => with(&self.decls[place.signal].name, place.index),
            Some((child, index)) => {
                let port = self.ports_of(child).swap_remove(place.signal).name;
                format!(
                    "{}.{}",
                    with(&self.children[child].name, index),
                    with(&port, place.index)
                )
            }
        }
    }

    fn position(&self, position: &Position) -> String {
        match position {
            Position::Known(index) => subscript(*index),
            Position::Computed(e) => format!("{}.index()", self.expr(e)),
        }
    }

    fn expr(&self, e: &Expr) -> String {
        let width = e.ty.width();
        let x = |e: &Expr| self.expr(e);
        let sign = |op: BinaryOp| match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::BothTrue => "&&",
            BinaryOp::AnyTrue => "||",
        };
        match &e.kind {
            Kind::Read(p) => self.place(p),
            Kind::Into(p) => format!("{}.into()", self.place(p)),
            Kind::Field(p, field, _) => format!("{}.{field}", self.place(p)),
            Kind::Truth(v) => v.to_string(),
            Kind::Mode(k) => format!("Mode::{}", MODES[*k].1),
            Kind::Sized(v) => format!("bits::<{width}>({v:#x})"),
            Kind::Loop(index) => format!("({}).to_bits::<{width}>()", subscript(*index)),
            Kind::Not(a) => format!("!{}", x(a)),
            Kind::Reduce(r, a) => format!("{}.{}()", x(a), format!("{r:?}").to_lowercase()),
            Kind::Binary(op, a, b) => format!("({} {} {})", x(a), sign(*op), x(b)),
            Kind::WithLiteral(op, a, b) => format!("({} {} {b:#x})", x(a), sign(*op)),
            Kind::LiteralWith(op, a, b) => format!("({a:#x} {} {})", sign(*op), x(b)),
            Kind::AddBit(a, b) => format!("({} + {})", x(a), x(b)),
            Kind::Mul(a, b) => format!("({} * {})", x(a), x(b)),
            Kind::Shift { left, of, by } => {
                let by = match by {
                    Position::Computed(e) => x(e),
                    Position::Known(index) => subscript(*index),
                };
                format!("({} {} ({by}))", x(of), if *left { "<<" } else { ">>" })
            }
            Kind::ShiftLiteral { left, of, by } => {
                format!("({of:#x} {} {})", if *left { "<<" } else { ">>" }, x(by))
            }
            Kind::Cast(a) => format!("bit_cast::<{width}, {}>({})", a.ty.width(), x(a)),
            Kind::GetBit(a, at) => format!("{}.get_bit({})", x(a), self.position(at)),
            Kind::GetBits(a, at) => format!("{}.get_bits::<{width}>({})", x(a), self.position(at)),
            Kind::ReplaceBit(a, at, by) => {
                format!("{}.replace_bit({}, {})", x(a), self.position(at), x(by))
            }
        }
    }

    fn block(&self, f: &mut Formatter<'_>, depth: usize, body: &[Stmt]) -> fmt::Result {
        body.iter().try_for_each(|s| self.statement(f, depth, s))
    }

    fn arm(&self, f: &mut Formatter<'_>, depth: usize, head: String, body: &[Stmt]) -> fmt::Result {
        let pad = "  ".repeat(depth);
        writeln!(f, "{pad}{head} {{")?;
        self.block(f, depth + 1, body)?;
        writeln!(f, "{pad}}}")
    }

    fn statement(&self, f: &mut Formatter<'_>, depth: usize, s: &Stmt) -> fmt::Result {
        let pad = "  ".repeat(depth);
        match s {
            Stmt::Assign(p, e) => writeln!(f, "{pad}{} = {};", self.place(p), self.expr(e)),
            Stmt::AssignLiteral(p, v) => writeln!(f, "{pad}{} = {v:#x}.into();", self.place(p)),
            Stmt::AssignField(p, field, _, _, e) => {
                writeln!(f, "{pad}{}.{field} = {};", self.place(p), self.expr(e))
            }
            Stmt::If(arms, otherwise) => {
                for (k, (test, body)) in arms.iter().enumerate() {
                    let word = if k == 0 { "if" } else { "else if" };
                    self.arm(f, depth, format!("{word} {}", self.expr(test)), body)?;
                }
                otherwise
                    .iter()
                    .try_for_each(|body| self.arm(f, depth, "else".into(), body))
            }
            Stmt::MatchBits(on, arms, default) => {
                writeln!(f, "{pad}match {}.index() {{", self.expr(on))?;
                for (value, body) in arms {
                    self.arm(f, depth + 1, format!("{value} =>"), body)?;
                }
                self.arm(f, depth + 1, "_ =>".into(), default)?;
                writeln!(f, "{pad}}}")
            }
            Stmt::MatchBit(on, arms) => {
                writeln!(f, "{pad}match {} {{", self.expr(on))?;
                for (value, body) in arms {
                    self.arm(f, depth + 1, format!("{value} =>"), body)?;
                }
                writeln!(f, "{pad}}}")
            }
            Stmt::MatchMode(on, arms, default) => {
                writeln!(f, "{pad}match {} {{", self.expr(on))?;
                for (k, body) in arms {
                    self.arm(f, depth + 1, format!("Mode::{} =>", MODES[*k].1), body)?;
                }
                if let Some(body) = default {
                    self.arm(f, depth + 1, "_ =>".into(), body)?;
                }
                writeln!(f, "{pad}}}")
            }
            Stmt::For(var, from, to, body) => self.arm(
                f,
                depth,
                format!("for {} in {from}..{to}", VARS[*var]),
                body,
            ),
        }
    }
}
