//! Helpers for token streams: attributes and macro bodies.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use std::collections::HashSet;

/// Whether an attribute's path ends in `name`.
pub(super) fn has_attribute(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|a| last(a.path()).is_some_and(|i| i == name))
}

/// The last name of a path.
pub(super) fn last(path: &syn::Path) -> Option<&Ident> {
    path.segments.last().map(|s| &s.ident)
}

/// Whether a struct or enum derives `name`.
pub(super) fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes
        .iter()
        .filter(|a| a.path().is_ident("derive"))
        .any(|a| match &a.meta {
            syn::Meta::List(list) => mentions(&list.tokens, &[name]),
            _ => false,
        })
}

/// Whether one of the words stands anywhere in the tokens.
pub(super) fn mentions(stream: &TokenStream, words: &[&str]) -> bool {
    stream.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.iter().any(|w| ident == w),
        TokenTree::Group(group) => mentions(&group.stream(), words),
        _ => false,
    })
}

/// The contents of the brackets at the top.
pub(super) fn groups(stream: &TokenStream) -> Vec<TokenStream> {
    let group = |token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    };
    stream.clone().into_iter().filter_map(group).collect()
}

/// A macro body as plain Rust: `$name` as `name`, repetitions once. Also the
/// names so replaced.
pub(super) fn substitute(stream: TokenStream) -> (TokenStream, HashSet<String>) {
    let mut names = HashSet::new();
    let plain = substitute_into(stream, &mut names);
    (plain, names)
}

fn substitute_into(stream: TokenStream, names: &mut HashSet<String>) -> TokenStream {
    let mut out: Vec<TokenTree> = vec![];
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Ident(name)) => {
                    names.insert(name.to_string());
                    out.push(name.into());
                }
                Some(TokenTree::Group(group)) => {
                    out.extend(substitute_into(group.stream(), names));
                    // Up to the repetition operator, past a separator.
                    for _ in 0..3 {
                        match tokens.next() {
                            Some(TokenTree::Punct(p)) if "*+?".contains(p.as_char()) => break,
                            Some(_) => {}
                            None => break,
                        }
                    }
                }
                Some(other) => out.push(other),
                None => {}
            },
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), substitute_into(group.stream(), names));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Each `#[hdl_gen]` at the top with the tokens up to the end of its
/// function, if there is one.
pub(super) fn functions_with_hdl_gen(stream: &TokenStream) -> Vec<(Span, Option<TokenStream>)> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = vec![];
    for at in 0..tokens.len().saturating_sub(1) {
        let (TokenTree::Punct(hash), TokenTree::Group(group)) = (&tokens[at], &tokens[at + 1])
        else {
            continue;
        };
        let attribute = hash.as_char() == '#'
            && group.delimiter() == Delimiter::Bracket
            && mentions(&group.stream(), &["hdl_gen"]);
        if !attribute {
            continue;
        }
        let body = tokens[at..]
            .iter()
            .position(|t| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace));
        let function = body.map(|end| tokens[at..=at + end].iter().cloned().collect());
        found.push((group.span_open(), function));
    }
    found
}
