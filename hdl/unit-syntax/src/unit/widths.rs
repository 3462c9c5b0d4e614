//! Widths of a unit's values: each has a parameter of its own, made up where none is written.

use super::{Derived, DerivedValue, Unit, Value};
use crate::formula::{factor, ident_of, normal, substitute, text};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::Expr;

impl Unit {
    /// A formula over the given parameters, as text.
    pub fn canonical(&self, e: &impl ToTokens) -> String {
        text(&self.inlined(e.to_token_stream()))
    }

    /// A formula over the given parameters.
    pub fn inlined(&self, tokens: TokenStream) -> TokenStream {
        normal(substitute(tokens, &|name| {
            let derived = self.derived.iter().find(|d| d.name == *name)?;
            derived.canonical.parse().ok()
        }))
    }

    /// The derived parameter of this formula over the given ones.
    pub fn derived_as(&self, canonical: &str) -> Option<&Ident> {
        let same = self.derived.iter().find(|d| d.canonical == canonical);
        same.map(|d| &d.name)
    }

    /// A width or length as it stands in a type: a name or a number.
    pub fn width(&mut self, e: &Expr) -> TokenStream {
        if is_plain(e) {
            return quote!(#e);
        }
        let canonical = self.canonical(e);
        if let Some(name) = self.derived_as(&canonical) {
            return quote!(#name);
        }
        let words = text(e).to_uppercase();
        let words = words.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let name = Ident::new(&format!("W_{words}"), e.span());
        let value = DerivedValue::Expr(Box::new(e.clone()));
        self.derived.push(Derived {
            name: name.clone(),
            value,
            canonical,
        });
        quote!(#name)
    }

    /// [`Self::width`] of a field that has one already.
    pub fn known_width(&self, e: &Expr) -> TokenStream {
        match self.derived_as(&self.canonical(e)) {
            Some(name) if !is_plain(e) => name.to_token_stream(),
            _ => e.to_token_stream(),
        }
    }

    /// Width of a value, as a formula.
    pub fn bits(&self, value: &Value) -> Expr {
        match value {
            Value::Bit | Value::Clock => syn::parse_quote!(1),
            Value::Bits(e) => e.clone(),
            Value::Packed(element, count) => match &**element {
                Value::Bit => count.clone(),
                element => {
                    let (count, width) = (factor(count), factor(&self.bits(element)));
                    syn::parse_quote!(#count * #width)
                }
            },
        }
    }

    /// The Rust type of a value.
    pub fn value_type(&mut self, value: &Value, span: Span) -> TokenStream {
        match value {
            Value::Bit => quote_spanned!(span=> ::cotenant_netlist::hdl::Bit),
            Value::Clock => quote_spanned!(span=> ::cotenant_netlist::hdl::Clock),
            value => {
                let width = self.bits(value);
                let width = self.width(&width);
                quote_spanned!(span=> ::cotenant_netlist::hdl::Bits<#width>)
            }
        }
    }
}

fn is_plain(e: &Expr) -> bool {
    ident_of(e).is_some() || matches!(e, Expr::Lit(_))
}
