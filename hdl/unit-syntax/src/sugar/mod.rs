//! `update()` as rust-hdl wants it, from `update()` as it is written.
//!
//! The table of what is written and what it becomes stands in `docs/unit-form.md`; each of its rows
//! has its text in `tests/sugar.rs`.
//!
//! What is rust-hdl's own text stays as it is: `.val()`, `.q.val()`, `.d.next`. The result is one
//! text for `#[hdl_gen]`, which makes rust-hdl's AST and `update()` of it, and for [`crate::ast`].

mod assign;
mod connect;
mod hold;
mod place;
mod survey;
mod value;
mod wiring;

use crate::formula::text;
use crate::unit::{check_name, kind, Kind, Unit, Value};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};
use survey::Survey;
use syn::spanned::Spanned;
use syn::{parse_quote_spanned, Error, Expr, Result, Stmt};

/// `update()` rewritten, and what it adds to the unit.
#[derive(Default)]
pub struct Kernel {
    pub body: Vec<Stmt>,
    /// `let`s in order: name, type.
    pub locals: Vec<(Ident, Value)>,
    /// Parameters that expressions name.
    pub constants: BTreeSet<Ident>,
    /// Strings that expressions name, each with the name of the constant that stands for it.
    pub strings: BTreeMap<String, (Ident, syn::LitStr)>,
}

/// Rewrites the unit's `update()`.
pub fn rewrite(unit: &mut Unit) -> Result<Kernel> {
    let body = unit.update.block.clone();
    let survey = Survey::of(unit, &body)?;
    let mut rewriter = Rewriter {
        wiring: wiring::of(unit, &survey),
        unit,
        loops: vec![],
        held: BTreeSet::new(),
        survey,
        kernel: Kernel::default(),
    };
    let mut statements = std::mem::take(&mut rewriter.wiring);
    statements.extend(rewriter.block(&body, false)?.stmts);
    Ok(Kernel {
        body: statements,
        ..rewriter.kernel
    })
}

struct Rewriter<'a> {
    unit: &'a mut Unit,
    /// Clock and reset of what is inside.
    wiring: Vec<Stmt>,
    /// Variables of the loops around.
    loops: Vec<String>,
    survey: Survey,
    /// Flops that have been told to hold their value.
    held: BTreeSet<String>,
    kernel: Kernel,
}

impl Rewriter<'_> {
    /// The type of a wire, a `let` before.
    fn local(&self, name: &Ident) -> Option<&Value> {
        let local = self.kernel.locals.iter().find(|l| l.0 == *name);
        local.map(|l| &l.1)
    }

    fn block(&mut self, block: &syn::Block, conditional: bool) -> Result<syn::Block> {
        let mut stmts = vec![];
        for statement in &block.stmts {
            self.statement(statement, conditional, &mut stmts)?;
        }
        let brace_token = block.brace_token;
        Ok(syn::Block { brace_token, stmts })
    }

    fn statement(
        &mut self,
        statement: &Stmt,
        conditional: bool,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        match statement {
            Stmt::Expr(Expr::Assign(a), semi) if matches!(&*a.right, Expr::Struct(_)) => {
                self.connect(a, semi, out)?;
            }
            Stmt::Expr(e, semi) => {
                if !conditional {
                    self.zero_parts(e, out);
                    self.hold_flops(e, out)?;
                }
                match self.statement_expr(e, conditional)? {
                    // One statement that became two.
                    Expr::Block(two) => out.extend(two.block.stmts),
                    e => out.push(Stmt::Expr(e, *semi)),
                }
            }
            Stmt::Macro(m) => out.push(Stmt::Macro(m.clone())),
            Stmt::Local(local) => self.wire(local, out)?,
            Stmt::Item(i) => return Err(Error::new(i.span(), "no items in update()")),
        }
        Ok(())
    }

    fn statement_expr(&mut self, e: &Expr, conditional: bool) -> Result<Expr> {
        Ok(match e {
            Expr::Assign(a) => self.assignment(a)?,
            Expr::If(i) => {
                let mut out = i.clone();
                out.cond = Box::new(self.value(&i.cond)?);
                out.then_branch = self.block(&i.then_branch, true)?;
                if let Some((_, otherwise)) = &mut out.else_branch {
                    **otherwise = self.branch(otherwise)?;
                }
                Expr::If(out)
            }
            Expr::Match(m) => {
                let mut out = m.clone();
                out.expr = Box::new(self.value(&m.expr)?);
                for arm in &mut out.arms {
                    if let Some((token, _)) = &arm.guard {
                        let what = "a guard does not become hardware; put an `if` inside";
                        return Err(Error::new(token.span, what));
                    }
                    *arm.body = self.branch(&arm.body)?;
                }
                Expr::Match(out)
            }
            Expr::ForLoop(l) => {
                let mut out = l.clone();
                let syn::Pat::Ident(variable) = &*l.pat else {
                    return Err(Error::new(l.pat.span(), "a loop variable"));
                };
                if let Expr::Range(r) = &*l.expr {
                    if let syn::RangeLimits::Closed(c) = &r.limits {
                        let what = "`0..N`: the range without its end is what becomes hardware";
                        return Err(Error::new(c.spans[0], what));
                    }
                }
                self.loops.push(variable.ident.to_string());
                out.body = self.block(&l.body, conditional)?;
                self.loops.pop();
                Expr::ForLoop(out)
            }
            Expr::Macro(_) => e.clone(),
            other => {
                let what =
                    "update() is made of assignments, `if`, `match`, `for`, `let` and comment!";
                return Err(Error::new(other.span(), what));
            }
        })
    }

    /// What stands behind `else` or `=>`.
    fn branch(&mut self, e: &Expr) -> Result<Expr> {
        match e {
            Expr::Block(b) => {
                let mut b = b.clone();
                b.block = self.block(&b.block, true)?;
                Ok(Expr::Block(b))
            }
            other => self.statement_expr(other, true),
        }
    }

    /// `let w: Bits<W> = e;`
    fn wire(&mut self, local: &syn::Local, out: &mut Vec<Stmt>) -> Result<()> {
        let what = "a wire has a name and a type: `let sum: Bits<W> = ..`";
        let syn::Pat::Type(typed) = &local.pat else {
            return Err(Error::new(local.pat.span(), what));
        };
        let syn::Pat::Ident(name) = &*typed.pat else {
            return Err(Error::new(typed.pat.span(), what));
        };
        let (name, ty) = (&name.ident, &typed.ty);
        check_name(name)?;
        let field: syn::Type = syn::parse_quote!(Local<#ty>);
        let Ok((Kind::Signal(_, value), _)) = kind(&field) else {
            return Err(Error::new(ty.span(), "Bit, Bits<N>, or an array of these"));
        };
        if self.unit.field(name).is_some() || self.unit.is_parameter(name) {
            return Err(Error::new(
                name.span(),
                "a field or parameter has this name",
            ));
        }
        match self.local(name).map(|before| self.unit.bits(before)) {
            Some(before) if text(&before) != text(&self.unit.bits(&value)) => {
                let what = "a wire of this name has another width";
                return Err(Error::new(name.span(), what));
            }
            Some(_) => {}
            None => self.kernel.locals.push((name.clone(), value)),
        }
        if let Some(init) = &local.init {
            let value = self.assigned(&init.expr)?;
            let span = name.span();
            out.push(parse_quote_spanned!(span=> self.#name.next = #value;));
        }
        Ok(())
    }
}
