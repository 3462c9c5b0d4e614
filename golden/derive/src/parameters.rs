//! `#[derive(Parameters)]`: names, ranges and values of a model's parameters.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{
    Error, Expr, ExprLit, ExprRange, Field, Ident, Lit, RangeLimits, Result, Type, TypeArray,
};

use crate::structs::{attribute, is_one_of, Struct};

pub fn implement(item: &Struct<'_>) -> Result<TokenStream> {
    let mut given = Vec::new();
    // Bounds that depend on other parameters are worked out when those are known to be legal.
    let (mut fixed, mut dependent) = (Vec::new(), Vec::new());
    for &(name, field) in &item.fields {
        given.push(read(name, field)?);
        if let Some(range) = range(field)? {
            let check = check(name, &field.ty, &range)?;
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
fn read(name: &Ident, field: &Field) -> Result<TokenStream> {
    let upper = name.to_string().to_uppercase();
    if let Type::Array(array) = &field.ty {
        let elements = (0..length(array)?).map(|i| number(&format!("{upper}_{i}"), &array.elem));
        return Ok(quote!(#name: [#(#elements),*]));
    }
    let value = number(&upper, &field.ty);
    Ok(quote!(#name: #value))
}

/// How many elements there are.
fn length(array: &TypeArray) -> Result<usize> {
    match &array.len {
        Expr::Lit(ExprLit {
            lit: Lit::Int(length),
            ..
        }) => length.base10_parse(),
        other => Err(Error::new(other.span(), "expected a number of elements")),
    }
}

/// The number of a name as a type.
fn number(name: &str, ty: &Type) -> TokenStream {
    let value = quote!(value(#name)?);
    match ty {
        ty if is_one_of(ty, &["usize"]) => value,
        ty if is_one_of(ty, &["u64"]) => quote!(#value as u64),
        ty if is_one_of(ty, &["bool"]) => quote!(#value != 0),
        ty => quote!(<#ty as ::std::convert::TryFrom<usize>>::try_from(#value).map_err(&refused)?),
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

fn check(name: &Ident, ty: &Type, range: &ExprRange) -> Result<TokenStream> {
    let (min, max) = (&range.start, &range.end);
    let in_range = |text: String, value: TokenStream| {
        quote! {
            ::cotenant_golden::ports::in_range(#text, #value as u64, (#min) as u64, (#max) as u64)?;
        }
    };
    Ok(match ty {
        Type::Array(array) => {
            let checks = (0..length(array)?).map(|i| {
                let check = in_range(format!("{name}_{i}"), quote!(p.#name[#i]));
                quote!({ let at: usize = #i; #check })
            });
            quote!(#(#checks)*)
        }
        _ => in_range(name.to_string(), quote!(p.#name)),
    })
}

/// Whether `p` occurs in a formula.
fn mentions_parameters(formula: TokenStream) -> bool {
    formula.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "p",
        TokenTree::Group(group) => mentions_parameters(group.stream()),
        _ => false,
    })
}
