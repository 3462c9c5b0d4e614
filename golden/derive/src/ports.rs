//! `#[derive(Ports)]`: names, widths and values of a model's ports.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{Error, Expr, Field, Ident, Result};

use crate::formula;
use crate::shape::{Element, Shape};
use crate::structs::Struct;

pub fn implement(item: &Struct<'_>) -> Result<TokenStream> {
    let (mut list, mut pack, mut fits) = (Vec::new(), Vec::new(), Vec::new());
    let (mut unpack, mut formulas) = (Vec::new(), Vec::new());
    for &(name, field) in &item.fields {
        let port = Port::of(name, field)?;
        list.push(port.list);
        pack.push(port.pack);
        fits.push(port.fits);
        unpack.push(port.unpack);
        formulas.push(port.formula);
    }
    item.implement_for("Ports", "ports", |params| {
        quote! {
            fn ports(p: &#params) -> Vec<::cotenant_golden::ports::Port> {
                let _ = p;
                let mut ports = Vec::new();
                #(#list)*
                ports
            }

            #[inline]
            fn pack(&self, p: &#params, words: &mut ::cotenant_golden::ports::Packer<'_>) {
                let _ = (p, &words);
                #(#pack)*
            }

            fn unpack(
                p: &#params,
                words: &mut ::cotenant_golden::ports::Unpacker<'_>,
            ) -> ::std::result::Result<Self, ::cotenant_golden::Violation> {
                let _ = (p, &words);
                Ok(Self { #(#unpack),* })
            }

            fn formulas(p: &#params) -> Vec<::cotenant_golden::ports::Formula> {
                let _ = p;
                let mut formulas = Vec::new();
                #(#formulas)*
                formulas
            }

            fn fits(
                &self,
                p: &#params,
            ) -> ::std::result::Result<(), ::cotenant_golden::Violation> {
                let _ = p;
                #(#fits)*
                Ok(())
            }
        }
    })
}

/// What a field comes to in each of the trait's functions.
struct Port {
    list: TokenStream,
    pack: TokenStream,
    fits: TokenStream,
    unpack: TokenStream,
    formula: TokenStream,
}

impl Port {
    fn of(name: &Ident, field: &Field) -> Result<Self> {
        let shape = Shape::of(field, "port")?;
        let text = name.to_string();
        if let Some(when) = &shape.when {
            return Err(Error::new(when.span(), "a port is always there"));
        }
        let width = match (&shape.element, &shape.lengths[..]) {
            (Element::Value(width), _) => width,
            (Element::Nested(params), []) => {
                let params = params.as_ref().map_or(quote!(p), |params| quote!(&#params));
                let ty = &field.ty;
                let ports = quote!(::cotenant_golden::ports::Ports);
                return Ok(Self {
                    list: quote!(ports.extend(<#ty as #ports<_>>::ports(#params));),
                    pack: quote!(#ports::pack(&self.#name, #params, words);),
                    fits: quote!(#ports::fits(&self.#name, #params)?;),
                    unpack: quote!(#name: #ports::unpack(#params, words)?),
                    formula: quote!(formulas.extend(<#ty as #ports<_>>::formulas(#params));),
                });
            }
            _ => {
                let problem = "expected a port: `width`, `[width; n]` or `nested`";
                return Err(Error::new(name.span(), problem));
            }
        };
        let ports = quote!(::cotenant_golden::ports);
        let of = |count: &str| {
            let width = formula::text(width.to_token_stream());
            quote!(formulas.push(#ports::Formula::of(#text, #count, #width));)
        };
        let of_each = |count: &Expr| of(&formula::text(count.to_token_stream()));
        Ok(match &shape.lengths[..] {
            [] => Self {
                list: quote!(ports.push(#ports::Port::value(#text, #width));),
                pack: quote!(words.value(self.#name);),
                fits: quote!(#ports::fits(#text, self.#name.into(), #width)?;),
                unpack: quote!(#name: words.value(#text, #width)?),
                formula: of("1"),
            },
            [count] if shape.is_mask(field) => Self {
                list: quote!(ports.push(#ports::Port::packed(#text, #count, #width));),
                pack: quote!(words.value(self.#name);),
                fits: quote!(#ports::fits_mask(#text, self.#name.into(), #count)?;),
                unpack: quote!(#name: words.mask(#text, #count)?),
                formula: of_each(count),
            },
            [count] => Self {
                list: quote!(ports.push(#ports::Port::packed(#text, #count, #width));),
                pack: quote!(words.elements(#width, self.#name.iter().copied());),
                fits: quote! {
                    let elements = self.#name.iter().map(|&value| u64::from(value));
                    #ports::fit(#text, elements, #count, #width)?;
                },
                unpack: quote!(#name: words.elements(#text, #count, #width)?),
                formula: of_each(count),
            },
            [_, inner, ..] => {
                let problem = "a port has elements, but no rows of them";
                return Err(Error::new(inner.span(), problem));
            }
        })
    }
}
