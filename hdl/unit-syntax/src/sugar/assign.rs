//! Assignments: to wires, flops, bits and elements.

use super::place::{end, peel, place, target};
use super::Rewriter;
use crate::formula::{factor, ident_of};
use crate::unit::{Kind, Value};
use proc_macro2::Ident;
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{parse_quote_spanned, Error, Expr, Result};

impl Rewriter<'_> {
    /// `place.next = value` or `wire = value`.
    pub fn assignment(&mut self, a: &syn::ExprAssign) -> Result<Expr> {
        let value = self.assigned(&a.right)?;
        if let Some(name) = ident_of(&a.left).filter(|n| self.local(n).is_some()) {
            let span = name.span();
            return Ok(parse_quote_spanned!(span=> self.#name.next = #value));
        }
        let Some(base) = target(&a.left) else {
            return Err(Error::new(end(&a.left), "assign to `.next`"));
        };
        let Some(p) = place(base) else {
            return Err(Error::new(base.span(), "assign to a field of self"));
        };
        let span = base.span();
        // rustc says it better.
        let Some(field) = self.unit.field(p.name) else {
            return Ok(Expr::Assign(a.clone()));
        };
        let part = p.subscripts.len() == field.lengths.len() + 1;
        let whole = p.subscripts.len() == field.lengths.len();
        match (&field.kind.clone(), p.rest.is_empty()) {
            (Kind::Reg(_), true) if whole => {
                let (mut flop, d) = (base.clone(), Ident::new("d", span));
                self.subscripts_only(&mut flop)?;
                Ok(parse_quote_spanned!(span=> #flop.#d.next = #value))
            }
            (Kind::Signal(_, kind), true) if part => {
                let Expr::Index(i) = peel(base) else {
                    return Err(Error::new(span, "a subscript"));
                };
                self.part(p.name, i, kind, value)
            }
            _ => {
                let mut left = a.left.clone();
                if let Expr::Field(f) = &mut *left {
                    self.subscripts_only(&mut f.base)?;
                }
                Ok(parse_quote_spanned!(span=> #left = #value))
            }
        }
    }

    /// A bit or element of a signal, which is replaced in what the signal has been assigned.
    fn part(
        &mut self,
        name: &Ident,
        place: &syn::ExprIndex,
        kind: &Value,
        value: Expr,
    ) -> Result<Expr> {
        let span = place.span();
        let mut whole = (*place.expr).clone();
        self.subscripts_only(&mut whole)?;
        let at = self.index(&place.index)?;
        let Some(element) = kind.element() else {
            return Ok(parse_quote_spanned!(span=>
                #whole.next = #whole.val().replace_bit(#at, #value)
            ));
        };
        let (width, total) = (self.unit.bits(element), self.unit.bits(kind));
        // The parameter of the element's width comes first.
        self.unit.width(&width);
        let total = self.unit.width(&total);
        let (at, step) = (factor(&at), factor(&self.index(&width)?));
        // rust-hdl evaluates a cast's argument where there are no loop variables.
        let scratch = format_ident!("{}_element", name);
        if self.local(&scratch).is_none() {
            self.kernel.locals.push((scratch.clone(), element.clone()));
        }
        Ok(parse_quote_spanned!(span=> {
            self.#scratch.next = #value;
            #whole.next = #whole.val()
                | (bit_cast_to::<#total>(self.#scratch.val()) << (#at * #step).to_bits::<16>());
        }))
    }

    /// The right side of an assignment.
    pub fn assigned(&mut self, e: &Expr) -> Result<Expr> {
        if let Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(_),
            ..
        }) = e
        {
            let span = e.span();
            return Ok(parse_quote_spanned!(span=> #e.into()));
        }
        self.value(e)
    }
}
