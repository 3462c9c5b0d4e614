//! `#[derive(Parameters)]`, `#[derive(Ports)]`, `#[derive(Registers)]` for golden models.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Expr, Field, Result, Type};

/// A field `ways` is the parameter WAYS.
#[proc_macro_derive(Parameters)]
pub fn parameters(input: TokenStream) -> TokenStream {
    derive(input, |item, fields| {
        let ident = &item.ident;
        let names = fields.iter().map(|f| &f.ident);
        let parameters = fields
            .iter()
            .map(|f| f.ident.as_ref().unwrap().to_string().to_uppercase());
        Ok(quote! {
            impl ::cotenant_golden::ports::Parameters for #ident {
                fn named<E>(value: impl Fn(&'static str) -> ::std::result::Result<usize, E>) -> ::std::result::Result<Self, E> {
                    Ok(Self { #(#names: value(#parameters)?),* })
                }
            }
        })
    })
}

/// `#[port(width)]` or `#[port([width; elements])]` over the parameters `p`; a `bool` is one bit.
/// `#[ports(Params)]` names the type of `p`, or several.
#[proc_macro_derive(Ports, attributes(port, ports))]
pub fn ports(input: TokenStream) -> TokenStream {
    derive(input, |item, fields| {
        let ident = &item.ident;
        let mut list = vec![];
        let mut pack = vec![];
        let mut fits = vec![];
        for field in fields {
            let name = field.ident.as_ref().unwrap();
            let text = name.to_string();
            match (width(field, "port")?, is_number(&field.ty)) {
                (Expr::Repeat(r), number) => {
                    let (width, count) = (&r.expr, &r.len);
                    list.push(
                        quote!(::cotenant_golden::ports::Port::packed(#text, #count, #width)),
                    );
                    match number {
                        // A mask, a bit an element.
                        true => {
                            pack.push(quote!(words.value(self.#name);));
                            fits.push(quote!(::cotenant_golden::ports::fits_mask(#text, self.#name.into(), #count)?;));
                        }
                        false => {
                            pack.push(quote!(words.elements(#width, self.#name.iter().copied());));
                            fits.push(quote!(::cotenant_golden::ports::fit(#text, self.#name.iter().map(|&v| u64::from(v)), #count, #width)?;));
                        }
                    }
                }
                (width, _) => {
                    list.push(quote!(::cotenant_golden::ports::Port::value(#text, #width)));
                    pack.push(quote!(words.value(self.#name);));
                    fits.push(
                        quote!(::cotenant_golden::ports::fits(#text, self.#name.into(), #width)?;),
                    );
                }
            }
        }
        let implemented = params(item, "ports")?.into_iter().map(|params| {
            quote! {
                impl ::cotenant_golden::ports::Ports<#params> for #ident {
                    fn ports(p: &#params) -> Vec<::cotenant_golden::ports::Port> { let _ = p; vec![#(#list),*] }
                    #[inline]
                    fn pack(&self, p: &#params, words: &mut ::cotenant_golden::ports::Packer<'_>) { let _ = p; #(#pack)* }
                    fn fits(&self, p: &#params) -> ::std::result::Result<(), ::cotenant_golden::Violation> { let _ = p; #(#fits)* Ok(()) }
                }
            }
        });
        Ok(quote!(#(#implemented)*))
    })
}

/// `#[register(width)]`, `#[register([width; n])]`, `#[register([[width; n]; m])]`,
/// `#[register([nested; n])]` for structs that derive it, `#[register(skip)]`.
#[proc_macro_derive(Registers, attributes(register, registers))]
pub fn registers(input: TokenStream) -> TokenStream {
    derive(input, |item, fields| {
        let ident = &item.ident;
        let mut list = vec![];
        let mut each = vec![];
        for field in fields {
            let name = field.ident.as_ref().unwrap();
            let text = name.to_string();
            let mut shape = width(field, "register")?;
            if matches!(&shape, Expr::Path(p) if p.path.is_ident("skip")) {
                continue;
            }
            let mut lengths = vec![];
            while let Expr::Repeat(r) = shape {
                lengths.push(*r.len);
                shape = *r.expr;
            }
            let nested = matches!(&shape, Expr::Path(p) if p.path.is_ident("nested"));
            let at: Vec<_> = (0..lengths.len())
                .map(|i| format_ident!("at_{i}"))
                .collect();
            let text = text + &"[]".repeat(lengths.len());
            let element = element(&field.ty, lengths.len());
            let (mut describe, mut visit) = if nested {
                (
                    quote!(<#element as ::cotenant_golden::ports::Registers<_>>::registers(p, &mut |f, s, w| {
                        let mut all = vec![#(#at),*]; all.extend_from_slice(s);
                        each(&format!("{}.{}", #text, f), &all, w)
                    });),
                    quote!(value.each(p, &mut |f, s, v| each(f, s, v));),
                )
            } else {
                (
                    quote!(each(#text, &[#(#at),*], #shape);),
                    quote!(each(#text, &[#(#at),*], u64::from(*value));),
                )
            };
            if nested {
                visit = quote!(value.each(p, &mut |f: &'static str, s: &[usize], v| {
                    let mut all = [0; 4];
                    let mut n = 0;
                    for at in [#(#at),*].iter().chain(s) { all[n] = *at; n += 1; }
                    each(f, &all[..n], v)
                }););
            }
            for (i, (at, length)) in at.iter().zip(&lengths).enumerate().rev() {
                let _ = i;
                describe = quote!(for #at in 0..#length { #describe });
                visit = quote!(for (#at, value) in value.iter().enumerate() { #visit });
            }
            list.push(describe);
            each.push(quote!({ let value = &self.#name; #visit }));
        }
        let implemented = params(item, "registers")?.into_iter().map(|params| {
            quote! {
                impl ::cotenant_golden::ports::Registers<#params> for #ident {
                    fn registers(p: &#params, each: &mut dyn FnMut(&str, &[usize], usize)) { let _ = p; #(#list)* }
                    #[inline]
                    fn each(&self, p: &#params, each: &mut impl FnMut(&'static str, &[usize], u64)) { let _ = p; #(#each)* }
                }
            }
        });
        Ok(quote!(#(#implemented)*))
    })
}

fn derive(
    input: TokenStream,
    make: impl Fn(&DeriveInput, Vec<&Field>) -> Result<Tokens>,
) -> TokenStream {
    let made = syn::parse::<DeriveInput>(input).and_then(|item| match &item.data {
        Data::Struct(s) => make(&item, s.fields.iter().collect()),
        _ => Err(Error::new(item.span(), "a struct")),
    });
    made.unwrap_or_else(|e| e.to_compile_error()).into()
}

fn params(item: &DeriveInput, name: &str) -> Result<Vec<syn::Path>> {
    let attribute = item.attrs.iter().find(|a| a.path().is_ident(name));
    let parse = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
    match attribute {
        Some(a) => Ok(a.parse_args_with(parse)?.into_iter().collect()),
        None => Ok(vec![syn::parse_quote!(Params)]),
    }
}

fn width(field: &Field, name: &str) -> Result<Expr> {
    if let Some(a) = field.attrs.iter().find(|a| a.path().is_ident(name)) {
        return a.parse_args();
    }
    match &field.ty {
        Type::Path(t) if t.path.is_ident("bool") => Ok(syn::parse_quote!(1)),
        ty => Err(Error::new(ty.span(), format!("how wide? #[{name}(width)]"))),
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(t) if ["bool", "u8", "u16", "u32", "u64"].iter().any(|n| t.path.is_ident(n)))
}

/// The type inside so many `Vec`s.
fn element(ty: &Type, depth: usize) -> Type {
    match ty {
        Type::Path(t) if depth > 0 => match &t.path.segments.last().unwrap().arguments {
            syn::PathArguments::AngleBracketed(a) => match a.args.first() {
                Some(syn::GenericArgument::Type(inner)) => element(inner, depth - 1),
                _ => ty.clone(),
            },
            _ => ty.clone(),
        },
        _ => ty.clone(),
    }
}
