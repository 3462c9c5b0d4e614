//! Parameters of a unit: their ranges, what follows from them, and what must hold among them.
//!
//! All of it is emitted twice: as constant expressions that the compiler checks when a block is
//! made, and as a [`Definition`] that checks numbers of run time.
//!
//! [`Definition`]: the type of that name in `cotenant_netlist::describe`

use crate::model::{ident_of, text, DerivedValue, Given, Unit};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, Expr, Result};

/// Given parameters, then derived ones.
pub fn all(unit: &Unit) -> Vec<&Ident> {
    let given = unit.given.iter().map(|g| &g.name);
    given.chain(unit.derived.iter().map(|d| &d.name)).collect()
}

/// The unit's type with all parameters zero, where what belongs to no parameters is found.
pub fn zero(unit: &Unit) -> TokenStream {
    let (ident, zeros) = (&unit.ident, all(unit).into_iter().map(|_| quote!(0)));
    match zeros.len() {
        0 => quote!(#ident),
        _ => quote!(#ident::<#(#zeros),*>),
    }
}

/// That values can be checked one after the other: ranges and defaults name only parameters
/// before their own, and those with a default come last.
pub fn check_order(unit: &Unit) -> Result<()> {
    for (at, given) in unit.given.iter().enumerate() {
        if let Some(next) = unit.given.get(at + 1) {
            if given.default.is_some() && next.default.is_none() {
                let what = "a parameter without default stands before those with one";
                return Err(Error::new(next.name.span(), what));
            }
        }
        let later = unit.given[at..].iter().map(|g| &g.name);
        for later in later.chain(unit.derived.iter().map(|d| &d.name)) {
            let (range, default) = (&given.range, &given.default);
            if names(quote!(#range #default), later) {
                let what = format!(
                    "range and default of {} name parameters that are given before it; \
                     #[unit(require(..))] takes any condition",
                    given.name
                );
                return Err(Error::new(given.name.span(), what));
            }
        }
    }
    Ok(())
}

/// `let`s of the given parameters from a slice `given` of all of them.
pub fn unpacked(given: &[Given]) -> TokenStream {
    let (at, names) = (0..given.len(), given.iter().map(|g| &g.name));
    quote!(#(let #names: usize = given[#at];)*)
}

/// `let`s of the derived parameters where the given ones are known.
pub fn derivation(unit: &Unit) -> TokenStream {
    let steps = unit.derived.iter().map(|d| {
        let name = &d.name;
        let value = match &d.value {
            DerivedValue::Expr(e) => quote!(#e),
            DerivedValue::Of(at, place) => {
                let part = &unit.uses[*at];
                let (path, given, zeros) =
                    (&part.path, &part.given, (0..part.total).map(|_| quote!(0)));
                quote!(#path::<#(#zeros),*>::__parameters(&[#(#given),*])[#place])
            }
        };
        quote!(let #name: usize = #value;)
    });
    quote!(#(#steps)*)
}

/// What the compiler checks before it makes the block.
pub fn constant_checks(unit: &Unit) -> TokenStream {
    let name = &unit.name;
    let ranges = unit.given.iter().filter_map(|g| {
        let what = format!("{name}: {} is {}", g.name, words(g.range.as_ref()?));
        let condition = condition(g)?;
        Some(quote!(assert!(#condition, #what);))
    });
    let (early, late) = requirements(unit);
    let check = |(condition, what): &(Expr, String)| quote!(assert!(#condition, #what););
    let (early, late) = (early.iter().map(check), late.iter().map(check));
    let same = unit.derived.iter().enumerate().map(|(i, d)| {
        let (derived, at) = (&d.name, unit.given.len() + i);
        let what = format!("{name}: {derived} is {}", d.canonical);
        quote!(assert!(#derived == __all[#at], #what);)
    });
    let (zero, given) = (zero(unit), unit.given.iter().map(|g| &g.name));
    quote! {
        #(#ranges)*
        #(#early)*
        let __all = #zero::__parameters(&[#(#given),*]);
        #(#late)*
        #(#same)*
    }
}

/// The range as a condition; none if all numbers are in it.
fn condition(given: &Given) -> Option<TokenStream> {
    let (name, range) = (&given.name, given.range.as_ref()?);
    let start = range.start.as_ref().filter(|e| text(e) != "0");
    let low = start.map(|e| quote!(#name >= #e));
    let high = range.end.as_ref().map(|e| match range.limits {
        syn::RangeLimits::Closed(_) => quote!(#name <= #e),
        syn::RangeLimits::HalfOpen(_) => quote!(#name < #e),
    });
    match (low, high) {
        (Some(low), Some(high)) => Some(quote!(#low && #high)),
        (low, high) => low.or(high),
    }
}

/// `1..=64` as `1 to 64`.
fn words(range: &syn::ExprRange) -> String {
    let show = |e: &Option<Box<Expr>>| e.as_ref().map(text).unwrap_or_default();
    match &range.end {
        None => format!("at least {}", show(&range.start)),
        Some(_) => format!("{} to {}", show(&range.start), show(&range.end)),
    }
}

/// Conditions with their texts: of given parameters alone, and those that name derived ones,
/// whose formulas may overflow unless the former hold.
fn requirements(unit: &Unit) -> (Vec<(Expr, String)>, Vec<(Expr, String)>) {
    let all = unit.attributes.requires.iter();
    let all = all.map(|(e, what)| (e.clone(), format!("{}: {}", unit.name, what.value())));
    all.partition(|(e, _): &(Expr, String)| {
        !unit.derived.iter().any(|d| names(quote!(#e), &d.name))
    })
}

/// Whether a formula names a parameter.
fn names(formula: TokenStream, name: &Ident) -> bool {
    formula.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == *name,
        TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}

/// `__parameters`, which derives all parameters from those given, and `DEFINITION`, which names
/// them; items of the `impl` of [`zero`].
pub fn items(unit: &Unit) -> TokenStream {
    let definition = quote!(::cotenant_netlist::describe);
    let (all, name) = (all(unit), &unit.name);
    let total = all.len();
    let derivation = derivation(unit);
    let given = unit.given.iter().enumerate().map(|(at, g)| {
        let name = &g.name;
        match &g.default {
            None => quote!(let #name: usize = given[#at];),
            Some(e) => quote!(let #name: usize = if given.len() > #at { given[#at] } else { #e };),
        }
    });
    let parameters = quote! {
        /// All parameters from those given.
        #[doc(hidden)]
        pub const fn __parameters(given: &[usize]) -> [usize; #total] {
            #(#given)*
            #derivation
            [#(#all),*]
        }
    };
    let listed = unit.given.iter().enumerate().map(|(at, g)| {
        if let (None, None, [first, ..]) = (&g.range, &g.default, &passed_on(unit, at)[..]) {
            let (name, parts) = (g.name.to_string(), passed_on(unit, at));
            return quote! {
                #definition::Parameter {
                    name: #name,
                    doc: #first.doc,
                    range: |given| {
                        let ranges = [#((#parts.range)(given)),*];
                        #definition::common(&ranges)
                    },
                    default: None,
                }
            };
        }
        let (name, doc, before) = (g.name.to_string(), summary(g), unpacked(&unit.given[..at]));
        let low = g.range.as_ref().and_then(|r| r.start.clone());
        let low = low.map_or(quote!(0), |e| quote!(#e));
        let high = g
            .range
            .as_ref()
            .and_then(|r| Some((r.end.clone()?, &r.limits)));
        let high = match high {
            Some((e, syn::RangeLimits::Closed(_))) => quote!(#e),
            Some((e, syn::RangeLimits::HalfOpen(_))) => quote!((#e) - 1),
            None => quote!(usize::MAX),
        };
        let default = match &g.default {
            Some(e) => quote!(Some(|given| { #before #e })),
            None => quote!(None),
        };
        quote! {
            #definition::Parameter {
                name: #name,
                doc: #doc,
                range: |given| { #before (#low)..=(#high) },
                default: #default,
            }
        }
    });
    let (early, late) = requirements(unit);
    let check = |(e, what): &(Expr, String)| quote!(if !(#e) { return Some(#what); });
    let (early, late) = (early.iter().map(check), late.iter().map(check));
    let known = unpacked(&unit.given);
    let make = match &unit.attributes.given {
        None => quote!(Self::describe),
        Some((value, _)) => {
            let what = format!("{name} is a part of a unit that gives it `{value}`");
            quote!(|_, _| Err(#definition::ParameterError::Requirement { what: #what.into() }))
        }
    };
    quote! {
        #parameters

        /// The unit for any legal parameters.
        pub const DEFINITION: #definition::Definition = #definition::Definition {
            name: #name,
            parameters: &[#(#listed),*],
            violated: |given| {
                #known
                #(#early)*
                #derivation
                #(#late)*
                None
            },
            make: #make,
        };
    }
}

/// The parameter as the parts know it that are given it, and those before it, in the same order.
fn passed_on(unit: &Unit, at: usize) -> Vec<TokenStream> {
    let own = |i: usize| unit.given.get(i).map(|g| &g.name);
    let takes = unit.uses.iter().filter(|part| {
        part.given.len() > at && (0..=at).all(|i| ident_of(&part.given[i]) == own(i))
    });
    takes
        .map(|part| {
            let (path, zeros) = (&part.path, (0..part.total).map(|_| quote!(0)));
            quote!(#path::<#(#zeros),*>::DEFINITION.parameters[#at])
        })
        .collect()
}

/// The first line of its documentation.
fn summary(given: &Given) -> String {
    let line = given.attrs.iter().find_map(|a| match &a.meta {
        syn::Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(line),
                ..
            }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    line.map(|l| l.trim().to_owned()).unwrap_or_default()
}
