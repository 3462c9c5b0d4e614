//! What `#[unit]` expands to.
//!
//! A unit is written once: parameters, ports, what is inside, `update()`. From that come
//! the rust-hdl block (generic, with `Default`, `LogicBlock`, `#[hdl_gen]`), the type macro,
//! and a description for any parameters at run time, which the elaborator takes as it takes the
//! block.
//!
//! The parameters of the blocks inside are asked for first: `Demotion! { @signature .. }` calls
//! back with them. [`plain`] does without, for whoever only reads.

mod ast;
mod emit;
mod kernel;
mod model;
mod parameters;

use model::{Attributes, Item, Signature, Unit};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, Result};

/// `#[unit(..)]`.
pub fn attribute(attribute: TokenStream, item: TokenStream) -> TokenStream {
    or_error(start(attribute, item))
}

/// The next step after a block inside has told its parameters.
pub fn step(input: TokenStream) -> TokenStream {
    or_error(go_on(input))
}

/// The whole expansion without the parameters of the blocks inside: their types stay as written.
/// Spans are those of the source.
pub fn plain(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let attributes: Attributes = syn::parse2(attribute.clone())?;
    match Item::parse(item)? {
        Item::Module(structure, function) => {
            emit::unit(Unit::new(attributes, structure, function, None)?)
        }
        // The struct and the impl meet in `source`, which sees the whole file.
        Item::Struct(item) => Ok(quote!(#item)),
        Item::Impl(_, item) => Ok(quote!(#item)),
    }
}

/// [`plain`] for a struct and its impl.
pub fn plain_pair(
    attribute: TokenStream,
    structure: syn::ItemStruct,
    update: syn::ImplItemFn,
) -> Result<TokenStream> {
    emit::unit(Unit::new(syn::parse2(attribute)?, structure, update, None)?)
}

fn or_error(tokens: Result<TokenStream>) -> TokenStream {
    tokens.unwrap_or_else(|e| e.to_compile_error())
}

/// Names are hygienic (`self`, variables, const parameters), and tokens come from the source,
/// from macros that blocks inside tell their parameters by, and from here: all are resolved where
/// the struct stands. Their places stay.
pub(crate) fn resolved(tokens: TokenStream, here: proc_macro2::Span) -> TokenStream {
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

fn braces(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, tokens)).into()
}

fn start(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let attributes: Attributes = syn::parse2(attribute.clone())?;
    match Item::parse(item)? {
        Item::Module(structure, function) => {
            let both = quote!(#structure #function);
            let inside = model::blocks_inside(&structure)?;
            let editor = emit::for_editor(Unit::new(attributes, structure, function, None)?);
            let unit = next(braces(attribute), braces(both), inside, quote!())?;
            Ok(quote!(#editor #unit))
        }
        Item::Struct(structure) => {
            let hidden = model::hidden_name(&structure.ident);
            Ok(quote! {
                #[allow(unused_macros)]
                macro_rules! #hidden {
                    ($($update:tt)*) => {
                        ::cotenant_netlist::__unit! { @pair { #attribute } { #structure $($update)* } }
                    };
                }
            })
        }
        Item::Impl(name, item) => {
            let hidden = model::hidden_name(&name);
            let update = model::update_of(&item)?;
            Ok(quote!(#hidden! { #update }))
        }
    }
}

/// Asks the first of the blocks inside, or finishes.
fn next(
    attribute: TokenStream,
    both: TokenStream,
    pending: Vec<syn::Path>,
    known: TokenStream,
) -> Result<TokenStream> {
    let known = braces(known);
    let Some((first, rest)) = pending.split_first() else {
        return go_on(quote!({} #attribute #both {} #known));
    };
    let rest = braces(quote!(#first #(; #rest)*));
    Ok(quote!(#first! { @signature #attribute #both #rest #known }))
}

/// `{signature} {attribute} {struct and update} {pending} {known}`.
fn go_on(input: TokenStream) -> Result<TokenStream> {
    let mut tokens = input.into_iter();
    let mut groups = vec![];
    let mut pair = false;
    for token in tokens.by_ref() {
        match token {
            TokenTree::Group(g) => groups.push(g.stream()),
            TokenTree::Ident(i) if i == "pair" => pair = true,
            _ => {}
        }
    }
    if pair {
        let [attribute, both] = <[TokenStream; 2]>::try_from(groups).map_err(|_| internal())?;
        let (structure, function) = model::both(both.clone())?;
        Unit::new(
            syn::parse2(attribute.clone())?,
            structure.clone(),
            function,
            None,
        )?;
        return next(
            braces(attribute),
            braces(both),
            model::blocks_inside(&structure)?,
            quote!(),
        );
    }
    let [signature, attribute, both, pending, known] =
        <[TokenStream; 5]>::try_from(groups).map_err(|_| internal())?;
    let known = if signature.is_empty() {
        known
    } else {
        let signature = braces(signature);
        quote!(#known #signature)
    };
    let pending: Vec<syn::Path> = model::paths(pending)?;
    if pending.len() > 1 {
        return next(
            braces(attribute),
            braces(both),
            pending[1..].to_vec(),
            known,
        );
    }
    let (structure, function, wrong) = model::both_or_less(both)?;
    let signatures = Signature::list(known, &model::blocks_inside(&structure)?)?;
    let unit = emit::unit(Unit::new(
        syn::parse2(attribute)?,
        structure,
        function,
        Some(signatures),
    )?)?;
    let wrong = wrong.map(|e| e.to_compile_error());
    Ok(quote!(#wrong #unit))
}

fn internal() -> Error {
    Error::new(
        proc_macro2::Span::call_site(),
        "#[unit]: a block inside gave no parameters",
    )
}
