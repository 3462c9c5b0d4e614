//! Parameters of a unit: their ranges, what follows from them, and what must hold among them.
//!
//! All of it is emitted twice: as constant expressions that the compiler checks when a block is
//! made, and as a [`Definition`] that checks numbers of run time.
//!
//! [`Definition`]: the type of that name in `cotenant_netlist::describe`

use crate::formula::{ident_of, names, text};
use crate::unit::{DerivedValue, Given, Unit};
use proc_macro2::{Ident, TokenStream};
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

/// `let`s of the derived parameters where the given ones are known; a part is asked for all of its
/// parameters once, or it would take a time that multiplies with the depth of the hierarchy.
pub fn derivation(unit: &Unit) -> TokenStream {
    let mut asked = std::collections::BTreeSet::new();
    let steps = unit.derived.iter().map(|d| {
        let name = &d.name;
        let (ask, value) = match &d.value {
            DerivedValue::Expr(e) => (None, quote!(#e)),
            DerivedValue::Of(at, place) => {
                let part = &unit.uses[*at];
                let (zero, given) = (part.zero(), &part.given);
                let all = quote::format_ident!("__part_{}", at);
                let ask = || quote!(let #all = #zero::__parameters(&[#(#given),*]););
                (asked.insert(*at).then(ask), quote!(#all[#place]))
            }
        };
        quote!(#ask let #name: usize = #value;)
    });
    let steps: Vec<TokenStream> = steps.collect();
    quote!(#(#steps)*)
}

/// An assertion whose message may have braces, as a formula may.
fn assertion(condition: &impl quote::ToTokens, what: &str) -> TokenStream {
    let what = what.replace('{', "{{").replace('}', "}}");
    quote!(assert!(#condition, #what);)
}

/// What the compiler checks before it makes the block.
pub fn constant_checks(unit: &Unit) -> TokenStream {
    let name = &unit.name;
    let ranges = unit.given.iter().filter_map(|g| {
        let what = format!("{name}: {} is {}", g.name, words(g.range.as_ref()?));
        Some(assertion(&condition(g)?, &what))
    });
    let (early, late) = requirements(unit);
    let check = |(condition, what): &Requirement| assertion(condition, what);
    let (early, late) = (early.iter().map(check), late.iter().map(check));
    let same = unit.derived.iter().enumerate().map(|(i, d)| {
        let (derived, at) = (&d.name, unit.given.len() + i);
        let what = format!("{name}: {derived} is {}", d.canonical);
        assertion(&quote!(#derived == __all[#at]), &what)
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

/// A condition and its text.
type Requirement = (Expr, String);

/// What must hold: of given parameters alone, and those that name derived ones,
/// whose formulas may overflow unless the former hold.
fn requirements(unit: &Unit) -> (Vec<Requirement>, Vec<Requirement>) {
    let all = unit.attributes.requires.iter();
    let all = all.map(|(e, what)| (e.clone(), format!("{}: {}", unit.name, what.value())));
    all.partition(|(e, _): &Requirement| !unit.derived.iter().any(|d| names(quote!(#e), &d.name)))
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
    let listed = (0..unit.given.len()).map(|at| parameter(unit, at));
    let (early, late) = requirements(unit);
    let check = |(e, what): &Requirement| quote!(if !(#e) { return Some(#what); });
    let (early, late) = (early.iter().map(check), late.iter().map(check));
    let known = unpacked(&unit.given);
    // A unit that is given more than parameters is only made as a part.
    let (makes, make) = match &unit.attributes.given {
        None => (quote!(), quote!(Self::describe)),
        Some(_) => (quote!(<()>), quote!(())),
    };
    quote! {
        #parameters

        /// The unit for any legal parameters.
        pub const DEFINITION: #definition::Definition #makes = #definition::Definition {
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

/// A `Parameter`; one without range is as the parts know it that it is passed on to.
fn parameter(unit: &Unit, at: usize) -> TokenStream {
    let describe = quote!(::cotenant_netlist::describe);
    let given = &unit.given[at];
    let (name, parts) = (given.name.to_string(), passed_on(unit, at));
    let (doc, range) = match (&given.range, &given.default, &parts[..]) {
        (None, None, [first, ..]) => {
            let ranges = quote!(&[#((#parts.range)(given)),*]);
            (quote!(#first.doc), quote!(#describe::common(#ranges)))
        }
        (range, ..) => {
            let (start, end) = match range {
                Some(range) => (range.start.as_deref(), range.end.as_deref()),
                None => (None, None),
            };
            let start = start.map_or(quote!(0), |e| quote!(#e));
            let end = match (end, range.as_ref().map(|r| &r.limits)) {
                (Some(e), Some(syn::RangeLimits::HalfOpen(_))) => quote!((#e) - 1),
                (Some(e), _) => quote!(#e),
                (None, _) => quote!(usize::MAX),
            };
            let (doc, before) = (summary(given), unpacked(&unit.given[..at]));
            (quote!(#doc), quote!({ #before (#start)..=(#end) }))
        }
    };
    let default = match &given.default {
        Some(e) => {
            let before = unpacked(&unit.given[..at]);
            quote!(Some(|given| { #before #e }))
        }
        None => quote!(None),
    };
    quote! {
        #describe::Parameter { name: #name, doc: #doc, range: |given| #range, default: #default }
    }
}

/// The parameter as the parts know it that are given it, and those before it, in the same order.
fn passed_on(unit: &Unit, at: usize) -> Vec<TokenStream> {
    let own = |i: usize| unit.given.get(i).map(|g| &g.name);
    let takes = unit.uses.iter().filter(|part| {
        part.given.len() > at && (0..=at).all(|i| ident_of(&part.given[i]) == own(i))
    });
    let told = takes.map(|part| {
        let zero = part.zero();
        quote!(#zero::DEFINITION.parameters[#at])
    });
    told.collect()
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
