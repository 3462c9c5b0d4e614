//! The order of expansion.
//!
//! A unit's types depend on how its parts derive their parameters, which no macro can look up. So
//! the parts are asked one after the other: `Demotion! { @signature STATE }` calls `__unit!` back
//! with its signature in front of the state, and the last step emits the unit. The state is
//! `{attribute} {struct and update} {parts still to ask} {signatures so far}`.
//!
//! [`plain`] expands without the parts, for readers of sources.

use crate::emit;
use crate::parts::{self, Signature};
use crate::unit::{Attributes, Source, Unit};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser;
use syn::{Error, Result, Token};

/// `#[unit(..)]`: the first step.
pub fn attribute(attribute: TokenStream, item: TokenStream) -> TokenStream {
    or_error(start(attribute, item))
}

/// `__unit!`: the next step, after a part has told its signature.
pub fn step(input: TokenStream) -> TokenStream {
    or_error(go_on(input))
}

/// Struct and `update()` without what the parts tell: their types stay as written, and nothing is
/// connected by name. Spans are those of the source.
///
/// # Errors
/// What is refused, at its place; what only the parts' signatures show is not.
pub fn plain(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let (source, arrays) = Source::of_module(item)?;
    let attributes = syn::parse2(arrays.spread(attribute))?;
    emit::plain(Unit::new(attributes, source, None)?)
}

fn or_error(tokens: Result<TokenStream>) -> TokenStream {
    tokens.unwrap_or_else(|e| e.to_compile_error())
}

fn start(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let (source, arrays) = Source::of_module(item)?;
    let attribute = arrays.spread(attribute);
    let attributes: Attributes = syn::parse2(attribute.clone())?;
    let (structure, update) = (&source.structure, &source.update);
    let both = quote!(#structure #update);
    let pending = parts::inside(structure)?;
    let editor = emit::for_editor(Unit::new(attributes, source, None)?);
    let unit = ask(braces(attribute), braces(both), &pending, quote!())?;
    Ok(quote!(#editor #unit))
}

/// Asks the first of the parts that are left, or finishes.
fn ask(
    attribute: TokenStream,
    both: TokenStream,
    pending: &[syn::Path],
    known: TokenStream,
) -> Result<TokenStream> {
    let known = braces(known);
    let Some((first, rest)) = pending.split_first() else {
        return go_on(quote!({} #attribute #both {} #known));
    };
    let rest = braces(quote!(#first #(; #rest)*));
    Ok(quote!(#first! { @signature #attribute #both #rest #known }))
}

/// `{signature} {attribute} {struct and update} {pending, the one that answered first} {known}`.
fn go_on(input: TokenStream) -> Result<TokenStream> {
    let groups = input.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let [signature, attribute, both, pending, known] =
        <[TokenStream; 5]>::try_from(groups.collect::<Vec<_>>()).map_err(|_| no_signature())?;
    let known = match signature.is_empty() {
        true => known,
        false => {
            let signature = braces(signature);
            quote!(#known #signature)
        }
    };
    let paths = syn::punctuated::Punctuated::<syn::Path, Token![;]>::parse_terminated;
    let pending: Vec<syn::Path> = paths.parse2(pending)?.into_iter().collect();
    if pending.len() > 1 {
        return ask(braces(attribute), braces(both), &pending[1..], known);
    }
    let (source, wrong) = Source::of_step(both)?;
    let signatures = Signature::list(known, &parts::inside(&source.structure)?)?;
    let unit = Unit::new(syn::parse2(attribute)?, source, Some(signatures))?;
    let unit = emit::unit(unit)?;
    let wrong = wrong.map(|e| e.to_compile_error());
    Ok(quote!(#wrong #unit))
}

fn no_signature() -> Error {
    Error::new(Span::call_site(), "#[unit]: a part gave no signature")
}

fn braces(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, tokens)).into()
}

/// The same tokens, their names resolved at `here`; their places stay.
///
/// `self`, variables and const parameters are hygienic, and the tokens of a unit come from its
/// source, from the macros of its parts and from here: all are resolved where the struct stands.
pub fn resolved(tokens: TokenStream, here: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(g) = token {
            let mut inner = Group::new(g.delimiter(), resolved(g.stream(), here));
            inner.set_span(g.span());
            token = TokenTree::Group(inner);
        }
        token.set_span(token.span().resolved_at(here));
        token
    });
    tokens.collect()
}
