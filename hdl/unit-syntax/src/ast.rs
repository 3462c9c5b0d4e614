//! What rust-hdl's `#[hdl_gen]` makes of `update()`, with widths that are numbers at run time.
//!
//! A copy of its translation but for casts, where it asks the type.

use crate::formula::text;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, Pat, Result, Stmt, UnOp};

/// Code that makes the AST of statements.
pub fn statements(all: &[Stmt]) -> Result<TokenStream> {
    let all = all.iter().map(statement).collect::<Result<Vec<_>>>()?;
    Ok(quote!(vec![#(#all),*]))
}

fn block(block: &syn::Block) -> Result<TokenStream> {
    statements(&block.stmts)
}

fn statement(statement: &Stmt) -> Result<TokenStream> {
    match statement {
        Stmt::Expr(e, _) => inner(e),
        Stmt::Macro(m) => macro_call(&m.mac),
        other => Err(Error::new(other.span(), "no statement of update()")),
    }
}

fn inner(e: &Expr) -> Result<TokenStream> {
    match e {
        Expr::Assign(a) => {
            let target = signal(&a.left);
            let value = compute(&a.right)?;
            Ok(quote!(ast::VerilogStatement::Assignment(#target, #value)))
        }
        Expr::If(i) => {
            let conditional = conditional(i)?;
            Ok(quote!(#conditional))
        }
        Expr::Match(m) => {
            let test = compute(&m.expr)?;
            let mut cases = vec![];
            for arm in &m.arms {
                let condition = match &arm.pat {
                    Pat::Ident(i) => i.ident.to_string(),
                    Pat::Lit(l) => l.to_token_stream().to_string(),
                    Pat::Path(p) => name(p),
                    Pat::Wild(_) => "default".into(),
                    other => return Err(Error::new(other.span(), "no pattern of update()")),
                };
                let body = match &*arm.body {
                    Expr::Block(b) => block(&b.block)?,
                    e => {
                        let e = inner(e)?;
                        quote!(vec![#e])
                    }
                };
                cases.push(
                    quote!(ast::VerilogCase { condition: #condition.to_string(), block: #body }),
                );
            }
            Ok(
                quote!(ast::VerilogStatement::Match(ast::VerilogMatch { test: #test, cases: vec![#(#cases),*] })),
            )
        }
        Expr::ForLoop(l) => {
            let (Pat::Ident(index), Expr::Range(range)) = (&*l.pat, &*l.expr) else {
                return Err(Error::new(l.span(), "for i in FROM..TO"));
            };
            let (Some(from), Some(to)) = (&range.start, &range.end) else {
                return Err(Error::new(l.span(), "for i in FROM..TO"));
            };
            let index = index.ident.to_string();
            let body = block(&l.body)?;
            Ok(
                quote!(ast::VerilogStatement::Loop(ast::VerilogLoop { index: #index.into(), from: (#from).into(), to: (#to).into(), block: #body })),
            )
        }
        Expr::Macro(m) => macro_call(&m.mac),
        other => Err(Error::new(other.span(), "no statement of update()")),
    }
}

fn conditional(i: &syn::ExprIf) -> Result<TokenStream> {
    let test = compute(&i.cond)?;
    let then = block(&i.then_branch)?;
    let otherwise = match &i.else_branch {
        None => quote!(ast::VerilogBlockOrConditional::None),
        Some((_, e)) => match &**e {
            Expr::Block(b) => {
                let body = block(&b.block)?;
                quote!(ast::VerilogBlockOrConditional::Block(#body))
            }
            Expr::If(i) => {
                let inner = conditional(i)?;
                quote!(ast::VerilogBlockOrConditional::Conditional(Box::new(#inner)))
            }
            other => return Err(Error::new(other.span(), "if and else")),
        },
    };
    Ok(
        quote!(ast::VerilogStatement::If(ast::VerilogConditional { test: #test, then: #then, otherwise: #otherwise })),
    )
}

fn macro_call(mac: &syn::Macro) -> Result<TokenStream> {
    match text(&mac.path).as_str() {
        "comment" => {
            let literal: syn::LitStr = mac.parse_body()?;
            let comment = literal.value();
            Ok(quote!(ast::VerilogStatement::Comment(#comment.to_string())))
        }
        "clock" => {
            let arguments = mac.parse_body_with(
                syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated,
            )?;
            let names: Vec<String> = arguments.iter().skip(1).map(name).collect();
            let clock = &names[0];
            let targets = names[1..].iter().map(|n| format!("{n}$clock$next"));
            Ok(quote!(ast::VerilogStatement::Macro(
                vec![#(ast::VerilogStatement::Assignment(
                ast::VerilogExpression::Signal(#targets.to_string()),
                ast::VerilogExpression::Signal(#clock.to_string()),
            )),*]
            )))
        }
        _ => Err(Error::new(mac.path.span(), "only comment! and clock!")),
    }
}

fn name(e: &impl ToTokens) -> String {
    text(e)
        .replace("self.", "")
        .replace('.', "$")
        .replace("::", "$")
        .replace("&mut", "")
}

fn signal(e: &impl ToTokens) -> TokenStream {
    let name = name(e);
    quote!(ast::VerilogExpression::Signal(#name.to_string()))
}

fn compute(e: &Expr) -> Result<TokenStream> {
    match e {
        Expr::Path(p) => Ok(signal(p)),
        Expr::Field(f) => Ok(signal(f)),
        Expr::Index(i) => Ok(signal(i)),
        Expr::Paren(p) => {
            let inner = compute(&p.expr)?;
            Ok(quote!(ast::VerilogExpression::Paren(Box::new(#inner))))
        }
        Expr::Group(g) => compute(&g.expr),
        Expr::Binary(b) => {
            let (left, right) = (compute(&b.left)?, compute(&b.right)?);
            let op = match &b.op {
                BinOp::Sub(_) => quote!(Sub),
                BinOp::Add(_) => quote!(Add),
                BinOp::Mul(_) => quote!(Mul),
                BinOp::And(_) => quote!(LogicalAnd),
                BinOp::Or(_) => quote!(LogicalOr),
                BinOp::BitXor(_) => quote!(BitXor),
                BinOp::BitAnd(_) => quote!(BitAnd),
                BinOp::BitOr(_) => quote!(BitOr),
                BinOp::Shl(_) => quote!(Shl),
                BinOp::Shr(_) => quote!(Shr),
                BinOp::Eq(_) => quote!(Eq),
                BinOp::Lt(_) => quote!(Lt),
                BinOp::Le(_) => quote!(Le),
                BinOp::Ne(_) => quote!(Ne),
                BinOp::Ge(_) => quote!(Ge),
                BinOp::Gt(_) => quote!(Gt),
                other => return Err(Error::new(other.span(), "no operator of update()")),
            };
            Ok(
                quote!(ast::VerilogExpression::Binary(Box::new(#left), ast::VerilogOp::#op, Box::new(#right))),
            )
        }
        Expr::Unary(u) => {
            let inner = compute(&u.expr)?;
            match &u.op {
                UnOp::Not(_) => Ok(
                    quote!(ast::VerilogExpression::Unary(ast::VerilogOpUnary::Not, Box::new(#inner))),
                ),
                other => Err(Error::new(other.span(), "no operator of update()")),
            }
        }
        Expr::Lit(l) => Ok(quote!(ast::VerilogExpression::Literal(#l.into()))),
        Expr::Call(c) => {
            let what = "bit_cast::<TO, FROM>(..) or bits::<W>(..), with the width";
            let Expr::Path(p) = &*c.func else {
                return Err(Error::new(c.span(), what));
            };
            let segment = p.path.segments.last().expect("a path");
            let known = ["bit_cast", "bits", "bit_cast_to"]
                .iter()
                .any(|n| segment.ident == n);
            let width = match &segment.arguments {
                syn::PathArguments::AngleBracketed(a) => a.args.first(),
                _ => None,
            };
            let (true, Some(width), Some(argument)) = (known, width, c.args.first()) else {
                return Err(Error::new(c.span(), what));
            };
            let inner = compute(argument)?;
            Ok(quote!(ast::VerilogExpression::Cast(Box::new(#inner), #width)))
        }
        Expr::MethodCall(m) => method(m),
        other => Err(Error::new(other.span(), "no expression of update()")),
    }
}

fn method(m: &syn::ExprMethodCall) -> Result<TokenStream> {
    let receiver = compute(&m.receiver)?;
    let argument = |i: usize| match m.args.iter().nth(i) {
        Some(e) => compute(e),
        None => Err(Error::new(m.span(), "an argument is missing")),
    };
    match m.method.to_string().as_str() {
        "get_bits" => {
            let Some(width) = m.turbofish.as_ref().and_then(|t| t.args.first()) else {
                return Err(Error::new(m.span(), "get_bits::<WIDTH>(..)"));
            };
            let at = argument(0)?;
            Ok(quote!(ast::VerilogExpression::Slice(Box::new(#receiver), #width, Box::new(#at))))
        }
        "get_bit" => {
            let at = argument(0)?;
            Ok(quote!(ast::VerilogExpression::Index(Box::new(#receiver), Box::new(#at))))
        }
        "replace_bit" => {
            let (at, value) = (argument(0)?, argument(1)?);
            Ok(
                quote!(ast::VerilogExpression::IndexReplace(Box::new(#receiver), Box::new(#at), Box::new(#value))),
            )
        }
        "all" => {
            Ok(quote!(ast::VerilogExpression::Unary(ast::VerilogOpUnary::All, Box::new(#receiver))))
        }
        "any" => {
            Ok(quote!(ast::VerilogExpression::Unary(ast::VerilogOpUnary::Any, Box::new(#receiver))))
        }
        "xor" => {
            Ok(quote!(ast::VerilogExpression::Unary(ast::VerilogOpUnary::Xor, Box::new(#receiver))))
        }
        "val" | "into" | "index" | "to_bits" => Ok(receiver),
        _ => Err(Error::new(m.method.span(), "no method of update()")),
    }
}
