//! Widths and lengths as formulas over the given parameters.
//!
//! rust-hdl needs each width as a const parameter, so two places that mean the same width must
//! name the same parameter. Whether they do is decided by the text of their formulas over the
//! given parameters, with what is worth nothing left out ([`normal`]): `A * B` and `B * A` are
//! two widths, which the compiler then reports as a type error.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, Result};

/// Tokens without spaces.
pub fn text(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect()
}

/// A name that stands alone.
pub fn ident_of(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) => p.path.get_ident(),
        Expr::Paren(p) => ident_of(&p.expr),
        Expr::Group(g) => ident_of(&g.expr),
        _ => None,
    }
}

/// The last name of a path.
pub fn last(path: &syn::Path) -> &Ident {
    &path.segments.last().expect("a path has a name").ident
}

/// The expression in `{ .. }`, or the expression itself.
pub fn unbraced(e: &Expr) -> Result<&Expr> {
    match e {
        Expr::Block(b) => match &b.block.stmts[..] {
            [syn::Stmt::Expr(e, None)] => Ok(e),
            _ => Err(syn::Error::new_spanned(b, "one expression")),
        },
        e => Ok(e),
    }
}

/// In brackets unless that changes nothing, for use as a factor.
pub fn factor(e: &Expr) -> Expr {
    match e {
        Expr::Path(_) | Expr::Lit(_) | Expr::Paren(_) | Expr::Call(_) | Expr::MethodCall(_) => {
            e.clone()
        }
        e => syn::parse_quote!((#e)),
    }
}

/// `LruStack` as `lru_stack`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Whether a formula has this name in it.
pub fn names(formula: TokenStream, name: &Ident) -> bool {
    formula.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == *name,
        TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}

/// Names replaced by values, in brackets where those are more than one token.
pub fn substitute(
    tokens: TokenStream,
    value: &dyn Fn(&Ident) -> Option<TokenStream>,
) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) => match value(&name) {
            Some(value) if value.clone().into_iter().nth(1).is_some() => {
                TokenTree::Group(Group::new(Delimiter::Parenthesis, value))
            }
            Some(value) => value.into_iter().next().unwrap_or(TokenTree::Ident(name)),
            None => TokenTree::Ident(name),
        },
        TokenTree::Group(group) => {
            let inner = substitute(group.stream(), value);
            let mut inner = Group::new(group.delimiter(), inner);
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    tokens.collect()
}

/// A formula without factors of one and needless brackets, sums and products of numbers done.
pub fn normal(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(e) => folded(e).into_token_stream(),
        Err(_) => tokens,
    }
}

fn folded(e: Expr) -> Expr {
    match e {
        Expr::Paren(p) => match folded(*p.expr.clone()) {
            inner @ (Expr::Lit(_) | Expr::Path(_) | Expr::Call(_)) => inner,
            inner => Expr::Paren(syn::ExprParen {
                expr: Box::new(inner),
                ..p
            }),
        },
        Expr::Group(g) => folded(*g.expr),
        Expr::Call(mut c) => {
            c.args = c.args.into_iter().map(folded).collect();
            Expr::Call(c)
        }
        Expr::Binary(mut b) => {
            b.left = Box::new(folded(*b.left));
            b.right = Box::new(folded(*b.right));
            let value = match (&b.op, number(&b.left), number(&b.right)) {
                (BinOp::Mul(_), Some(1), _) => return *b.right,
                (BinOp::Mul(_), _, Some(1)) => return *b.left,
                (BinOp::Mul(_), Some(x), Some(y)) => x.checked_mul(y),
                (BinOp::Add(_), Some(x), Some(y)) => x.checked_add(y),
                _ => None,
            };
            match value.map(Literal::u128_unsuffixed) {
                Some(value) => syn::parse_quote!(#value),
                None => Expr::Binary(b),
            }
        }
        e => e,
    }
}

fn number(e: &Expr) -> Option<u128> {
    match e {
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(i),
            ..
        }) => i.base10_parse().ok(),
        _ => None,
    }
}
