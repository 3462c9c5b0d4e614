//! `#[derive(Parameters)]`: names, ranges and values of a model's parameters.

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{
    Error, Expr, ExprLit, ExprRange, Field, Ident, Lit, RangeLimits, Result, Type, TypeArray,
};

use crate::formula::{mentions_parameters, text};
use crate::structs::{attribute, is_one_of, Struct};

pub fn implement(item: &Struct<'_>) -> Result<TokenStream> {
    let (mut given, mut described) = (Vec::new(), Vec::new());
    // Bounds that depend on other parameters are worked out when those are known to be legal.
    let (mut fixed, mut dependent) = (Vec::new(), Vec::new());
    for &(name, field) in &item.fields {
        given.push(read(name, field)?);
        let range = range(field)?;
        described.push(describe(name, field, range.as_ref())?);
        if let Some(range) = range {
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

/// A field's name and range, as data; of an array those of each element.
fn describe(name: &Ident, field: &Field, range: Option<&ExprRange>) -> Result<TokenStream> {
    let upper = name.to_string().to_uppercase();
    let ports = quote!(::cotenant_golden::ports);
    if let Type::Array(array) = &field.ty {
        let elements = (0..length(array)?).map(|at| {
            let name = format!("{upper}_{at}");
            let range = match range {
                None => quote!(None),
                Some(range) => {
                    let least = bound(numbered(range.start.to_token_stream(), at));
                    let most = bound(numbered(range.end.to_token_stream(), at));
                    quote!(Some((#least, #most)))
                }
            };
            quote!(#ports::Parameter { name: #name, range: #range })
        });
        return Ok(quote!(#(#elements),*));
    }
    let range = match (range, &field.ty) {
        (Some(range), _) => {
            let least = bound(range.start.to_token_stream());
            let most = bound(range.end.to_token_stream());
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
    Ok(quote!(#ports::Parameter { name: #upper, range: #range }))
}

/// A formula with the number of an element in place of `at`.
fn numbered(formula: TokenStream, number: usize) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Ident(name) if name == "at" => Literal::usize_unsuffixed(number).into(),
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), numbered(group.stream(), number)).into()
        }
        other => other,
    };
    formula.into_iter().map(token).collect()
}

/// A bound: its value, or its formula where it depends on other parameters.
fn bound(formula: TokenStream) -> TokenStream {
    let ports = quote!(::cotenant_golden::ports);
    match mentions_parameters(formula.clone()) {
        false => quote!(#ports::Bound::Value((#formula) as u64)),
        true => {
            let text = text(formula);
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
