//! The macro of the unit's name: its type for some parameters (`Gdcu!(16, 4, 21, 1)`), and its
//! signature for those whose part it is.

use crate::parameters;
use crate::unit::{Kind, Unit, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub fn of(unit: &Unit) -> TokenStream {
    let (ident, zero, signature) = (&unit.ident, parameters::zero(unit), signature(unit));
    let hidden = format_ident!("__macro_{ident}");
    let total = parameters::all(unit).len();
    let required = unit.given.iter().filter(|g| g.default.is_none()).count();
    let types = (required..=unit.given.len()).map(|count| {
        let names: Vec<Ident> = (0..count).map(|i| format_ident!("p{}", i)).collect();
        let all = (0..total).map(|at| quote!({ #zero::__parameters(&[#($#names),*])[#at] }));
        quote!((#($#names:expr),* $(,)?) => { #ident<#(#all),*> };)
    });
    quote! {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #hidden {
            (@signature $($state:tt)*) => {
                ::cotenant_netlist::__unit! { { #signature } $($state)* }
            };
            (@any) => { #zero };
            (@definition) => { #zero::DEFINITION };
            #(#types)*
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub use #hidden as #ident;
    }
}

/// What [`crate::parts::Signature`] reads.
fn signature(unit: &Unit) -> TokenStream {
    let required = unit
        .given
        .iter()
        .filter(|g| g.default.is_none())
        .map(|g| &g.name);
    let optional = unit.given.iter().filter_map(|g| {
        let (name, default) = (&g.name, g.default.as_ref()?);
        let formula = unit.inlined(quote!(#default));
        Some(quote!(#name { #formula }))
    });
    let derived = unit.derived.iter().map(|d| {
        let name = &d.name;
        let formula: TokenStream = d.canonical.parse().expect("a formula's text");
        quote!(#name { #formula })
    });
    let clocked = unit.clock().is_some();
    let ports = unit.fields.iter().filter_map(|f| match &f.kind {
        Kind::Signal(direction, value) if f.is_port() && !f.is_clock() && f.lengths.is_empty() => {
            let width = match value {
                Value::Bit => None,
                value => Some(unit.known_width(&unit.bits(value))),
            };
            let docs = f.attrs.iter().filter(|a| a.path().is_ident("doc"));
            let name = &f.name;
            Some(quote!(#(#docs)* #direction #name { #width }))
        }
        _ => None,
    });
    quote!([#(#required)*] [#(#optional)*] [#(#derived)*] #clocked [#(#ports)*])
}
