//! Places: `self.name[..][..].port`, which a value is read from or assigned to.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Stmt};

/// `self.name[..][..].rest`.
pub struct Place<'e> {
    pub name: &'e Ident,
    /// Subscripts directly behind the name.
    pub subscripts: Vec<&'e Expr>,
    /// Then `.port`, and subscripts of that.
    pub rest: Vec<Step<'e>>,
}

pub enum Step<'e> {
    Member(&'e Ident),
    Subscript,
}

/// The place that an expression is, if it is one.
pub fn place(e: &Expr) -> Option<Place<'_>> {
    match e {
        Expr::Field(f) => {
            let syn::Member::Named(member) = &f.member else {
                return None;
            };
            if matches!(&*f.base, Expr::Path(p) if p.path.is_ident("self")) {
                let (subscripts, rest) = (vec![], vec![]);
                return Some(Place {
                    name: member,
                    subscripts,
                    rest,
                });
            }
            let mut inner = place(&f.base)?;
            inner.rest.push(Step::Member(member));
            Some(inner)
        }
        Expr::Index(i) => {
            let mut inner = place(&i.expr)?;
            if inner.rest.is_empty() {
                inner.subscripts.push(&i.index);
            } else {
                inner.rest.push(Step::Subscript);
            }
            Some(inner)
        }
        Expr::Paren(p) => place(&p.expr),
        _ => None,
    }
}

impl Place<'_> {
    /// `self.r[..].d` of a flop.
    pub fn is_d(&self) -> bool {
        matches!(&self.rest[..], [Step::Member(d)] if *d == "d")
    }
}

/// What stands before `.next`.
pub fn target(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Field(f) if matches!(&f.member, syn::Member::Named(n) if n == "next") => {
            Some(&f.base)
        }
        _ => None,
    }
}

/// Without `.d`.
pub fn without_d(e: &Expr) -> &Expr {
    match e {
        Expr::Field(f) if matches!(&f.member, syn::Member::Named(n) if n == "d") => &f.base,
        e => e,
    }
}

/// The span of an expression's last name; of a whole one only its first token's is known.
pub fn end(e: &Expr) -> Span {
    match e {
        Expr::Field(f) => f.member.span(),
        Expr::Index(i) => i.bracket_token.span.close(),
        Expr::Paren(p) => p.paren_token.span.close(),
        Expr::MethodCall(m) => m.paren_token.span.close(),
        e => e.span(),
    }
}

/// Without brackets around it.
pub fn peel(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => peel(&p.expr),
        Expr::Group(g) => peel(&g.expr),
        e => e,
    }
}

/// What stands before `.next` of an assignment, with the loops around it.
pub struct Assigned {
    pub target: Expr,
    pub loops: Vec<syn::ExprForLoop>,
}

/// All assignments in a statement.
pub fn assignments(e: &Expr) -> Vec<Assigned> {
    let mut found = vec![];
    collect(e, &mut vec![], &mut found);
    found
}

fn collect(e: &Expr, loops: &mut Vec<syn::ExprForLoop>, out: &mut Vec<Assigned>) {
    let block = |b: &syn::Block, loops: &mut Vec<_>, out: &mut Vec<_>| {
        for statement in &b.stmts {
            if let Stmt::Expr(e, _) = statement {
                collect(e, loops, out);
            }
        }
    };
    match e {
        Expr::Assign(a) => out.extend(target(&a.left).map(|target| Assigned {
            target: target.clone(),
            loops: loops.clone(),
        })),
        Expr::If(i) => {
            block(&i.then_branch, loops, out);
            if let Some((_, e)) = &i.else_branch {
                collect(e, loops, out);
            }
        }
        Expr::Block(b) => block(&b.block, loops, out),
        Expr::Match(m) => m.arms.iter().for_each(|a| collect(&a.body, loops, out)),
        Expr::ForLoop(l) => {
            loops.push(l.clone());
            block(&l.body, loops, out);
            loops.pop();
        }
        _ => {}
    }
}
