//! Parses the struct that a derive is applied to.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, Ident, Result, Token, Type};

/// A struct with named fields.
pub struct Struct<'a> {
    item: &'a DeriveInput,
    /// Its fields.
    pub fields: Vec<(&'a Ident, &'a Field)>,
}

/// What `implement` makes of the struct, or the compiler's error at the place of the mistake.
pub fn derive(
    input: TokenStream,
    implement: impl Fn(&Struct<'_>) -> Result<TokenStream>,
) -> TokenStream {
    let made = syn::parse2::<DeriveInput>(input).and_then(|item| implement(&Struct::new(&item)?));
    made.unwrap_or_else(|error| error.to_compile_error())
}

impl<'a> Struct<'a> {
    pub fn new(item: &'a DeriveInput) -> Result<Self> {
        let fields = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(named) => &named.named,
                other => return Err(Error::new(other.span(), "expected fields with names")),
            },
            _ => return Err(Error::new(item.ident.span(), "expected a struct")),
        };
        let named = |field: &'a Field| field.ident.as_ref().map(|name| (name, field));
        let fields = fields.iter().filter_map(named).collect();
        Ok(Self { item, fields })
    }

    /// The implementation of a trait of `cotenant_golden::ports` without parameters of its own.
    pub fn implement(&self, name: &str, body: &TokenStream) -> TokenStream {
        let (name, ident) = (Ident::new(name, self.item.ident.span()), &self.item.ident);
        let (generics, arguments, bounds) = self.item.generics.split_for_impl();
        quote! {
            impl #generics ::cotenant_golden::ports::#name for #ident #arguments #bounds { #body }
        }
    }

    /// The implementations of a trait for each type of parameters that the attribute `named` lists,
    /// in which the parameters are `P`.
    pub fn implement_for(
        &self,
        name: &str,
        named: &str,
        body: impl Fn(&TokenStream) -> TokenStream,
    ) -> Result<TokenStream> {
        let (name, ident) = (Ident::new(name, self.item.ident.span()), &self.item.ident);
        let mut all = TokenStream::new();
        for params in self.params(named)? {
            let mut generics = self.item.generics.clone();
            let params = match params {
                Type::Infer(any) => {
                    let any = Ident::new("AnyParams", any.span());
                    generics.params.push(syn::parse_quote!(#any));
                    any.to_token_stream()
                }
                params => params.to_token_stream(),
            };
            for parameter in self.item.generics.type_params() {
                let parameter = &parameter.ident;
                let bound = syn::parse_quote!(#parameter: ::cotenant_golden::ports::#name<#params>);
                generics.make_where_clause().predicates.push(bound);
            }
            let (generics, _, bounds) = generics.split_for_impl();
            let (_, arguments, _) = self.item.generics.split_for_impl();
            let body = body(&params);
            all.extend(quote! {
                impl #generics ::cotenant_golden::ports::#name<#params> for #ident #arguments #bounds
                { #body }
            });
        }
        Ok(all)
    }

    fn params(&self, named: &str) -> Result<Vec<Type>> {
        let parse = Punctuated::<Type, Token![,]>::parse_terminated;
        match attribute(&self.item.attrs, named)? {
            Some(attribute) => {
                let listed = attribute.parse_args_with(parse)?;
                match listed.is_empty() {
                    true => Err(Error::new(
                        attribute.span(),
                        "expected a type of parameters",
                    )),
                    false => Ok(listed.into_iter().collect()),
                }
            }
            None => Ok(parse.parse2(quote!(Params))?.into_iter().collect()),
        }
    }
}

/// The attribute of this name, of which there is one at most.
pub fn attribute<'a>(attributes: &'a [Attribute], name: &str) -> Result<Option<&'a Attribute>> {
    let mut named = attributes.iter().filter(|a| a.path().is_ident(name));
    let first = named.next();
    match named.next() {
        Some(second) => Err(Error::new(
            second.span(),
            format!("there is a #[{name}] already"),
        )),
        None => Ok(first),
    }
}

/// Whether a type is one of these, by its name.
pub fn is_one_of(ty: &Type, names: &[&str]) -> bool {
    matches!(ty, Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}
