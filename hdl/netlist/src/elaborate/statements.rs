//! Types the statements of `update()`: loops are unrolled, interface connections become
//! assignments.

use super::infer::peel;
use super::scope::{Scope, Symbol};
use super::subscript::integer;
use crate::error::Error;
use crate::hdl::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogLoop,
    VerilogMatch, VerilogStatement,
};
use crate::ir::{Arm, Expr, ExprKind, NetId, NetKind, Stmt};
use num_bigint::BigUint;

/// More iterations than any hardware has: a bound that went wrong.
const MAX_ITERATIONS: usize = 1 << 16;

impl Scope {
    /// Types the statements of a block.
    pub fn statements(&mut self, body: &[VerilogStatement]) -> Result<Vec<Stmt>, Error> {
        let mut out = vec![];
        for statement in body {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    fn statement(
        &mut self,
        statement: &VerilogStatement,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Error> {
        match statement {
            VerilogStatement::Assignment(target, value) => self.assign(target, value, out),
            VerilogStatement::SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => self.assign_slice(base, *width, offset, replacement, out),
            VerilogStatement::If(conditional) => {
                out.push(self.conditional(conditional)?);
                Ok(())
            }
            VerilogStatement::Match(m) => {
                out.push(self.case(m)?);
                Ok(())
            }
            VerilogStatement::Loop(l) => self.unroll(l, out),
            VerilogStatement::Comment(text) => {
                out.push(Stmt::Comment(comment_text(text)));
                Ok(())
            }
            VerilogStatement::Macro(body) => {
                out.append(&mut self.statements(body)?);
                Ok(())
            }
            VerilogStatement::Link(links) => links.iter().try_for_each(|l| self.link(l, out)),
        }
    }

    fn target(&self, e: &VerilogExpression) -> Result<NetId, Error> {
        let VerilogExpression::Signal(name) = peel(e) else {
            return self.unsupported("this assignment target", "assign to a signal's `.next`");
        };
        let id = match self.symbol(name)? {
            Symbol::Net(id) => id,
            _ => return self.unsupported(format!("assigning to '{name}'"), "it is no signal"),
        };
        let net = self.module.net(id);
        let drivers = match net.kind {
            NetKind::Input => "the parent, and this block's update()",
            NetKind::ChildOutput => "the child, and this block's update()",
            NetKind::Output | NetKind::Local | NetKind::ChildInput => return Ok(id),
        };
        Err(Error::TwoDrivers {
            block: self.here(),
            signal: net.name.clone(),
            drivers: drivers.into(),
        })
    }

    fn assign(
        &mut self,
        target: &VerilogExpression,
        value: &VerilogExpression,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Error> {
        let id = self.target(target)?;
        if self.module.net(id).clock {
            return self.assign_clock(id, value);
        }
        let width = self.module.net(id).width;
        out.push(Stmt::Assign(id, self.expr(value, Some(width))?));
        Ok(())
    }

    fn assign_clock(&mut self, id: NetId, value: &VerilogExpression) -> Result<(), Error> {
        let source = match peel(value) {
            VerilogExpression::Signal(name) => match self.symbol(name)? {
                Symbol::Net(from) if self.module.net(from).clock => Some(from),
                _ => None,
            },
            _ => None,
        };
        let name = self.module.net(id).name.clone();
        let Some(from) = source.filter(|_| self.depth == 0) else {
            return self.unsupported(
                format!("this assignment to the clock '{name}'"),
                "copy a clock, unconditionally; gate with an enable instead",
            );
        };
        match self.module.clocks.insert(id, from) {
            Some(before) if before != from => Err(Error::TwoDrivers {
                block: self.here(),
                signal: name,
                drivers: format!(
                    "'{}' and '{}'",
                    self.module.net(before).name,
                    self.module.net(from).name
                ),
            }),
            _ => Ok(()),
        }
    }

    fn assign_slice(
        &mut self,
        base: &VerilogExpression,
        width: usize,
        offset: &VerilogExpression,
        value: &VerilogExpression,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Error> {
        let id = self.target(base)?;
        let whole = self.module.net(id).width;
        let low = match offset {
            VerilogExpression::Literal(l) => l.as_usize(),
            _ => {
                return self
                    .unsupported("a computed slice as target", "use replace_bit or a struct")
            }
        };
        let value = self.expr(value, Some(width))?;
        if low + width > whole {
            return Err(Error::OutOfRange {
                block: self.here(),
                what: format!("'{}'", self.module.net(id).name),
                index: (low + width - 1).to_string(),
                width: whole,
            });
        }
        out.push(if width == whole {
            Stmt::Assign(id, value)
        } else {
            Stmt::AssignSlice(id, low, value)
        });
        Ok(())
    }

    fn conditional(&mut self, c: &VerilogConditional) -> Result<Stmt, Error> {
        let test = self.expr(&c.test, Some(1))?;
        self.depth += 1;
        let then = self.statements(&c.then)?;
        let otherwise = match &c.otherwise {
            VerilogBlockOrConditional::Block(body) => self.statements(body)?,
            VerilogBlockOrConditional::Conditional(next) => {
                self.statements(std::slice::from_ref(next))?
            }
            VerilogBlockOrConditional::None => vec![],
        };
        self.depth -= 1;
        Ok(Stmt::If(test, then, otherwise))
    }

    fn case(&mut self, m: &VerilogMatch) -> Result<Stmt, Error> {
        let on = self.expr(&m.test, None)?;
        let mut arms: Vec<Arm> = vec![];
        let mut default = None;
        self.depth += 1;
        for case in &m.cases {
            let body = self.statements(&case.block)?;
            if default.is_some() {
                continue;
            }
            if case.condition == "default" {
                default = Some(body);
                continue;
            }
            let value = self.pattern(&case.condition, on.width)?;
            // As in Rust, the first of equal patterns wins.
            if arms.iter().all(|arm| arm.value != value) {
                let label = case
                    .condition
                    .split_whitespace()
                    .collect::<String>()
                    .replace('$', "::");
                arms.push(Arm { value, label, body });
            }
        }
        self.depth -= 1;
        // Rust has checked that the arms are exhaustive: without a `_`, the
        // last one also covers the encodings that no value has.
        let default = match default {
            Some(body) => body,
            None => arms
                .pop()
                .map(|last| {
                    let mut body = vec![Stmt::Comment(last.label)];
                    body.extend(last.body);
                    body
                })
                .unwrap_or_default(),
        };
        Ok(Stmt::Case(on, arms, default))
    }

    fn pattern(&self, text: &str, width: usize) -> Result<BigUint, Error> {
        let text: &str = &text.split_whitespace().collect::<String>();
        let value = match text {
            "true" => BigUint::from(1u8),
            "false" => BigUint::from(0u8),
            _ => match integer(text) {
                Some(value) => BigUint::try_from(value).unwrap_or_default(),
                None => match self.symbol(text)? {
                    Symbol::Const(w, value) if w == width => value,
                    Symbol::Const(found, _) => {
                        return Err(Error::Width {
                            block: self.here(),
                            what: format!("match pattern '{text}'"),
                            expected: width,
                            found,
                        })
                    }
                    _ => {
                        return self.unsupported(
                            format!("match pattern '{text}'"),
                            "match on integers, bools or enum values",
                        )
                    }
                },
            },
        };
        if value.bits() as usize > width {
            return Err(Error::DoesNotFit {
                block: self.here(),
                value: text.into(),
                width,
            });
        }
        Ok(value)
    }

    fn unroll(&mut self, l: &VerilogLoop, out: &mut Vec<Stmt>) -> Result<(), Error> {
        let (from, to) = (l.from.as_usize(), l.to.as_usize());
        if to.saturating_sub(from) > MAX_ITERATIONS {
            return self.unsupported(
                format!("a loop of {} iterations", to - from),
                "check its bounds",
            );
        }
        if self.names.contains_key(&l.index) {
            return self.unsupported(
                format!("'{}' as both loop variable and field", l.index),
                "`self.` is invisible in the AST; rename the loop variable",
            );
        }
        for i in from..to {
            self.loops.push((l.index.clone(), i as i128));
            let body = self.statements(&l.block);
            self.loops.pop();
            out.append(&mut body?);
        }
        Ok(())
    }

    /// `join` and `link` of interfaces: one assignment a member.
    fn link(&mut self, link: &VerilogLink, out: &mut Vec<Stmt>) -> Result<(), Error> {
        let (details, forward) = match link {
            VerilogLink::Forward(d) => (d, true),
            VerilogLink::Backward(d) => (d, false),
            VerilogLink::Bidirectional(_) => {
                return self.unsupported(
                    "a bidirectional link",
                    "split it into an input and an output",
                )
            }
        };
        let member = |owner: &str| {
            let inner = details.my_name.trim_start_matches('.').replace('.', "$");
            let name = if inner.is_empty() {
                owner.to_string()
            } else {
                format!("{owner}${inner}")
            };
            VerilogExpression::Signal(name)
        };
        let (owner, other) = (member(&details.owner_name), member(&details.other_name));
        if forward {
            self.assign(&other, &owner, out)
        } else {
            self.assign(&owner, &other, out)
        }
    }
}

/// The text of `comment!("..")`: which spaces the macro's invocation keeps, and
/// so whether rust-hdl takes it away, depends on the compiler.
fn comment_text(text: &str) -> String {
    let invoked = ["comment", "println", "assert"].iter().find_map(|name| {
        let rest = text.strip_prefix(name)?.trim_start().strip_prefix('!')?;
        rest.trim_start()
            .strip_prefix('(')?
            .trim_start()
            .strip_prefix('"')
    });
    let inner = invoked.unwrap_or(text).trim_end();
    let inner = inner
        .strip_suffix("\")")
        .or_else(|| inner.strip_suffix('"'))
        .unwrap_or(inner);
    inner.replace("\\\"", "\"").replace("\\n", "\n")
}

/// Bits of each net that the statements read, as masks.
pub(crate) fn read_bits(module: &crate::ir::Module) -> Vec<BigUint> {
    let mut read = vec![BigUint::default(); module.nets.len()];
    demand_of(&module.body, &mut read);
    for child in &module.children {
        for (_, id) in &child.ports {
            if module.net(*id).kind == NetKind::ChildInput {
                read[id.index()] = crate::graph::ones(module.net(*id).width);
            }
        }
    }
    for &from in module.clocks.values() {
        read[from.index()] = BigUint::from(1u8);
    }
    read
}

fn demand_of(body: &[Stmt], read: &mut [BigUint]) {
    for stmt in body {
        match stmt {
            Stmt::Assign(_, value) | Stmt::AssignSlice(_, _, value) => {
                demand(value, crate::graph::ones(value.width), read);
            }
            Stmt::If(test, then, otherwise) => {
                demand(test, BigUint::from(1u8), read);
                demand_of(then, read);
                demand_of(otherwise, read);
            }
            Stmt::Case(on, arms, default) => {
                demand(on, crate::graph::ones(on.width), read);
                arms.iter().for_each(|arm| demand_of(&arm.body, read));
                demand_of(default, read);
            }
            Stmt::Comment(_) => {}
        }
    }
}

/// Marks the bits that `mask` of the result depends on.
fn demand(e: &Expr, mask: BigUint, read: &mut [BigUint]) {
    use crate::ir::{BinaryOp, UnaryOp};
    let all = |e: &Expr| crate::graph::ones(e.width);
    match &e.kind {
        ExprKind::Net(id) => read[id.index()] |= mask,
        ExprKind::Const(_) => {}
        ExprKind::Unary(UnaryOp::Not, a) => demand(a, mask, read),
        ExprKind::Slice(a, low) => demand(a, mask << *low, read),
        ExprKind::Extend(a) => {
            let low = mask & all(a);
            demand(a, low, read);
        }
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
            demand(a, mask.clone(), read);
            demand(b, mask, read);
        }
        ExprKind::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr), a, b) => {
            if let ExprKind::Const(by) = &b.kind {
                let by = usize::try_from(by).unwrap_or(usize::MAX).min(a.width);
                let moved = if *op == BinaryOp::Shl {
                    mask >> by
                } else {
                    (mask << by) & all(a)
                };
                demand(a, moved, read);
            } else {
                demand(a, all(a), read);
                demand(b, all(b), read);
            }
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            let low = crate::graph::ones(mask.bits() as usize);
            demand(a, low.clone(), read);
            demand(b, low, read);
        }
        _ => e
            .operands()
            .into_iter()
            .for_each(|o| demand(o, all(o), read)),
    }
}
