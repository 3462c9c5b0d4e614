//! Expressions: what is read, and positions of bits and elements.

use super::place::{end, peel, place, Place, Step};
use super::Rewriter;
use crate::formula::factor;
use crate::unit::{Kind, Value};
use proc_macro2::Ident;
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{parse_quote, parse_quote_spanned, Error, Expr, Result, Stmt};

/// Methods of rust-hdl whose first argument is a position.
const AT_POSITION: [&str; 3] = ["get_bit", "get_bits", "replace_bit"];

impl Rewriter<'_> {
    /// An expression whose value is needed.
    pub fn value(&mut self, e: &Expr) -> Result<Expr> {
        if let Some(p) = place(e) {
            return self.read(e, &p);
        }
        let span = e.span();
        Ok(match e {
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) => self.name(e, name),
                None => e.clone(),
            },
            Expr::Paren(p) => {
                let inner = self.value(&p.expr)?;
                parse_quote_spanned!(span=> (#inner))
            }
            Expr::Group(g) => self.value(&g.expr)?,
            Expr::Binary(b) => {
                let mut out = b.clone();
                out.left = Box::new(self.value(&b.left)?);
                out.right = Box::new(self.value(&b.right)?);
                Expr::Binary(out)
            }
            Expr::Unary(u) => {
                let mut out = u.clone();
                out.expr = Box::new(self.value(&u.expr)?);
                Expr::Unary(out)
            }
            Expr::Call(c) => {
                let mut out = c.clone();
                for argument in &mut out.args {
                    *argument = self.value(argument)?;
                }
                if let Expr::Path(p) = &mut *out.func {
                    for segment in &mut p.path.segments {
                        if let syn::PathArguments::AngleBracketed(a) = &mut segment.arguments {
                            self.turbofish(a);
                        }
                    }
                }
                Expr::Call(out)
            }
            Expr::MethodCall(m) => self.method(m)?,
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => {
                let name = self.string(text);
                parse_quote_spanned!(span=> self.#name.val())
            }
            Expr::Index(i) => return Err(Error::new(i.span(), "subscripts are of fields")),
            _ => e.clone(),
        })
    }

    /// A loop variable, a wire, a parameter, or what rustc may know.
    fn name(&mut self, e: &Expr, name: &Ident) -> Expr {
        if self.loops.iter().any(|l| name == l) {
            return e.clone();
        }
        if self.local(name).is_some() {
            let span = e.span();
            return parse_quote_spanned!(span=> self.#name.val());
        }
        if self.unit.is_parameter(name) {
            self.kernel.constants.insert(name.clone());
        }
        e.clone()
    }

    /// The constant that stands for a string.
    fn string(&mut self, literal: &syn::LitStr) -> Ident {
        let string = literal.value();
        let plain = string.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let name = format_ident!("at_{}", plain, span = literal.span());
        let constant = (name.clone(), literal.clone());
        self.kernel.strings.insert(string, constant);
        name
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Result<Expr> {
        let mut out = m.clone();
        if m.method == "val" && place(&m.receiver).is_some() {
            self.subscripts_only(&mut out.receiver)?;
            return Ok(Expr::MethodCall(out));
        }
        out.receiver = Box::new(self.value(&m.receiver)?);
        if let Some(turbofish) = &mut out.turbofish {
            self.turbofish(turbofish);
        }
        let at_position = AT_POSITION.iter().any(|n| m.method == n);
        for (i, argument) in out.args.iter_mut().enumerate() {
            let position = i == 0 && at_position && self.is_constant(argument);
            *argument = match position {
                true => self.index(argument)?,
                false => self.value(argument)?,
            };
        }
        if m.method == "cast" {
            let span = m.method.span();
            let (receiver, turbofish) = (peel(&out.receiver), &out.turbofish);
            return Ok(parse_quote_spanned!(span=> bit_cast_to #turbofish(#receiver)));
        }
        Ok(Expr::MethodCall(out))
    }

    /// Whether an expression is a Constant's value.
    fn is_constant(&self, e: &Expr) -> bool {
        let field = place(peel(e)).and_then(|p| self.unit.field(p.name));
        is_string(e) || field.is_some_and(|f| matches!(f.kind, Kind::Constant(_)))
    }

    /// `{ CNT_W + 1 }` as the parameter of that value.
    fn turbofish(&mut self, a: &mut syn::AngleBracketedGenericArguments) {
        for argument in &mut a.args {
            if let syn::GenericArgument::Const(Expr::Block(b)) = argument {
                if let [Stmt::Expr(e, None)] = &b.block.stmts[..] {
                    let width = self.unit.width(e);
                    *argument = parse_quote!(#width);
                }
            }
        }
    }

    /// Rewrites the subscripts of a place, and nothing else of it.
    pub fn subscripts_only(&mut self, e: &mut Expr) -> Result<()> {
        match e {
            Expr::Field(f) => self.subscripts_only(&mut f.base),
            Expr::Paren(p) => self.subscripts_only(&mut p.expr),
            Expr::Index(i) => {
                *i.index = self.index(&i.index)?;
                self.subscripts_only(&mut i.expr)
            }
            _ => Ok(()),
        }
    }

    /// A position: loop variables, numbers, parameters, constants.
    pub fn index(&mut self, e: &Expr) -> Result<Expr> {
        let rewritten = self.value(e)?;
        // A Constant's value as an index.
        Ok(if place(peel(e)).is_some() || is_string(e) {
            let span = e.span();
            parse_quote_spanned!(span=> #rewritten.index())
        } else {
            rewritten
        })
    }

    /// A place where a value is needed.
    fn read(&mut self, e: &Expr, p: &Place) -> Result<Expr> {
        let span = end(e);
        // rustc says it better.
        let Some(field) = self.unit.field(p.name) else {
            return Ok(e.clone());
        };
        let (kind, dims) = (field.kind.clone(), field.lengths.len());
        if p.subscripts.len() < dims {
            let what = format!("`{}` has {dims} subscripts", p.name);
            return Err(Error::new(span, what));
        }
        let val = Ident::new("val", span);
        let value_of = |place: Expr| -> Expr {
            match (&kind, p.rest.is_empty()) {
                (Kind::Reg(_), true) => parse_quote_spanned!(span=> #place.q.#val()),
                _ => parse_quote_spanned!(span=> #place.#val()),
            }
        };
        let more = p.subscripts.len() - dims;
        if more == 0 && !matches!(p.rest.last(), Some(Step::Subscript)) {
            let mut place = e.clone();
            self.subscripts_only(&mut place)?;
            return Ok(value_of(place));
        }
        let Expr::Index(i) = peel(e) else {
            return Err(Error::new(span, "what is behind a subscript?"));
        };
        if more > 1 {
            return Err(Error::new(span, "one subscript too many"));
        }
        let mut whole = (*i.expr).clone();
        self.subscripts_only(&mut whole)?;
        let (at, whole) = (self.index(&i.index)?, value_of(whole));
        let value = match &kind {
            Kind::Signal(_, v) | Kind::Reg(v) | Kind::Constant(v) => Some(v),
            _ => None,
        };
        match value {
            Some(Value::Bit) => Err(Error::new(span, "a Bit has no bits")),
            Some(v) if v.element().is_some() => {
                let width = self.unit.bits(v.element().unwrap_or(v));
                let w = self.unit.width(&width);
                let (at, step) = (factor(&at), factor(&self.index(&width)?));
                Ok(parse_quote_spanned!(span=> #whole.get_bits::<#w>(#at * #step)))
            }
            _ => Ok(parse_quote_spanned!(span=> #whole.get_bit(#at))),
        }
    }
}

fn is_string(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)))
}
