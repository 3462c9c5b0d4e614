//! `#[derive(Parameters)]`: names, ranges and values of a model's parameters.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprRange, Field, Ident, RangeLimits, Result};

use crate::formula::{mentions_parameters, text};
use crate::structs::{attribute, is_one_of, Struct};

pub fn implement(item: &Struct<'_>) -> Result<TokenStream> {
    let (mut given, mut described) = (Vec::new(), Vec::new());
    // Bounds that depend on other parameters are worked out when those are known to be legal.
    let (mut fixed, mut dependent) = (Vec::new(), Vec::new());
    for &(name, field) in &item.fields {
        given.push(read(name, field));
        let range = range(field)?;
        described.push(describe(name, field, range.as_ref()));
        if let Some(range) = range {
            let check = check(name, &range);
            match mentions_parameters(range.to_token_stream()) {
                false => fixed.push(check),
                true => dependent.push(check),
            }
        }
    }
    Ok(item.implement(
        "Parameters",
        &quote! {
            fn named<E>(
                value: impl Fn(&'static str) -> ::std::result::Result<usize, E>,
                refused: impl Fn(::cotenant_golden::ParamError) -> E,
            ) -> ::std::result::Result<Self, E> {
                let _ = &refused;
                Ok(Self { #(#given),* })
            }

            fn described() -> Vec<::cotenant_golden::ports::Parameter> {
                vec![#(#described),*]
            }

            fn check_ranges(&self) -> ::std::result::Result<(), ::cotenant_golden::ParamError> {
                let p = self;
                #(#fixed)*
                #(#dependent)*
                Ok(())
            }
        },
    ))
}

/// A field from the number of its name.
fn read(name: &Ident, field: &Field) -> TokenStream {
    let upper = name.to_string().to_uppercase();
    let value = quote!(value(#upper)?);
    let value = match &field.ty {
        ty if is_one_of(ty, &["usize"]) => value,
        ty if is_one_of(ty, &["u64"]) => quote!(#value as u64),
        ty if is_one_of(ty, &["bool"]) => quote!(#value != 0),
        ty => quote!(<#ty as ::std::convert::TryFrom<usize>>::try_from(#value).map_err(&refused)?),
    };
    quote!(#name: #value)
}

/// A field's name and range, as data.
fn describe(name: &Ident, field: &Field, range: Option<&ExprRange>) -> TokenStream {
    let upper = name.to_string().to_uppercase();
    let ports = quote!(::cotenant_golden::ports);
    let range = match (range, &field.ty) {
        (Some(range), _) => {
            let (least, most) = (bound(&range.start), bound(&range.end));
            quote!(Some((#least, #most)))
        }
        (None, ty) if is_one_of(ty, &["bool"]) => quote!(Some(#ports::codes(2))),
        (None, ty) if is_one_of(ty, &["usize", "u64"]) => quote!(None),
        (None, ty) => quote! {
            Some(#ports::codes((0..).take_while(|&code| {
                <#ty as ::std::convert::TryFrom<usize>>::try_from(code).is_ok()
            }).count()))
        },
    };
    quote!(#ports::Parameter { name: #upper, range: #range })
}

/// A bound: its value, or its formula where it depends on other parameters.
fn bound(formula: &Option<Box<Expr>>) -> TokenStream {
    let ports = quote!(::cotenant_golden::ports);
    match mentions_parameters(formula.to_token_stream()) {
        false => quote!(#ports::Bound::Value((#formula) as u64)),
        true => {
            let text = text(formula.to_token_stream());
            quote!(#ports::Bound::Formula(#text))
        }
    }
}

/// What `#[range(min..=max)]` says.
fn range(field: &Field) -> Result<Option<ExprRange>> {
    let Some(attribute) = attribute(&field.attrs, "range")? else {
        return Ok(None);
    };
    let wrong = |at: &dyn ToTokens| Error::new(at.span(), "expected #[range(min..=max)]");
    match attribute.parse_args::<Expr>()? {
        Expr::Range(range)
            if range.start.is_some()
                && range.end.is_some()
                && matches!(range.limits, RangeLimits::Closed(_)) =>
        {
            Ok(Some(range))
        }
        other => Err(wrong(&other)),
    }
}

fn check(name: &Ident, range: &ExprRange) -> TokenStream {
    let text = name.to_string();
    let (min, max) = (&range.start, &range.end);
    quote! {
        ::cotenant_golden::ports::in_range(#text, p.#name as u64, (#min) as u64, (#max) as u64)?;
    }
}
