//! Arrays of parameters: `const MASK: [usize; 4]` stands for `MASK_0` to `MASK_3`. `AT` in the range
//! is the number of the element.
//!
//! They are written out before anything else is read, so that no other part of the macro knows them.
//! `MASK[i]` and `MASK` in a formula become the array of all; `TABLE = MASK` among a part's arguments
//! hands all of them over to the part's `TABLE_0`, `TABLE_1`, ...

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::spanned::Spanned;
use syn::{Error, GenericParam, Result};

/// The arrays among a unit's parameters: name and length.
#[derive(Default)]
pub struct Arrays(Vec<(Ident, usize)>);

impl Arrays {
    /// Writes out the arrays among the parameters of a struct, and their uses in it.
    pub fn expand(structure: &mut syn::ItemStruct) -> Result<Arrays> {
        let mut arrays = Arrays::default();
        let mut parameters = syn::punctuated::Punctuated::new();
        for parameter in std::mem::take(&mut structure.generics.params) {
            let GenericParam::Const(array) = &parameter else {
                parameters.push(parameter);
                continue;
            };
            let syn::Type::Array(ty) = &array.ty else {
                parameters.push(parameter);
                continue;
            };
            let what = "how many: `const MASK: [usize; 4]`";
            let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(length),
                ..
            }) = &ty.len
            else {
                return Err(Error::new(ty.len.span(), what));
            };
            let length = length.base10_parse()?;
            for i in 0..length {
                let mut element = array.clone();
                element.ident = format_ident!("{}_{i}", array.ident);
                element.ty = (*ty.elem).clone();
                element.attrs.push(syn::parse_quote!(#[element]));
                for attribute in &mut element.attrs {
                    if let syn::Meta::List(list) = &mut attribute.meta {
                        list.tokens = numbered(std::mem::take(&mut list.tokens), i);
                    }
                }
                parameters.push(GenericParam::Const(element));
            }
            arrays.0.push((array.ident.clone(), length));
        }
        structure.generics.params = parameters;
        if !arrays.0.is_empty() {
            *structure = syn::parse2(arrays.spread(structure.to_token_stream()))?;
        }
        Ok(arrays)
    }

    /// Writes out their uses.
    pub fn spread(&self, tokens: TokenStream) -> TokenStream {
        if self.0.is_empty() {
            return tokens;
        }
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut spread = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let handed_over = match &tokens[at..] {
                [TokenTree::Ident(to), TokenTree::Punct(is), TokenTree::Ident(array), rest @ ..]
                    if is.as_char() == '=' && ends(rest.first()) =>
                {
                    self.length(array).map(|length| (to, is, array, length))
                }
                _ => None,
            };
            if let Some((to, is, array, length)) = handed_over {
                let pairs = (0..length).map(|i| pair(to, is, array, i));
                spread.extend(quote!(#(#pairs),*));
                at += 3;
                continue;
            }
            match &tokens[at] {
                TokenTree::Ident(name) => match self.length(name) {
                    Some(length) => {
                        let all = (0..length).map(|i| element(name, i));
                        spread.extend(quote!([#(#all),*]));
                    }
                    None => spread.extend([tokens[at].clone()]),
                },
                TokenTree::Group(group) => {
                    let inner = self.spread(group.stream());
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    spread.extend([TokenTree::Group(inner)]);
                }
                other => spread.extend([other.clone()]),
            }
            at += 1;
        }
        spread
    }

    fn length(&self, name: &Ident) -> Option<usize> {
        let found = self.0.iter().find(|(array, _)| array == name);
        found.map(|(_, length)| *length)
    }
}

/// With a number in place of each `AT`.
fn numbered(tokens: TokenStream, number: usize) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "AT" => {
            let mut literal = Literal::usize_unsuffixed(number);
            literal.set_span(name.span());
            TokenTree::Literal(literal)
        }
        TokenTree::Group(group) => {
            let inner = numbered(group.stream(), number);
            let mut inner = Group::new(group.delimiter(), inner);
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    tokens.collect()
}

/// The end of an argument.
fn ends(next: Option<&TokenTree>) -> bool {
    match next {
        None => true,
        Some(TokenTree::Punct(p)) => matches!(p.as_char(), ',' | '>'),
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::None,
        Some(_) => false,
    }
}

fn element(array: &Ident, i: usize) -> Ident {
    Ident::new(&format!("{array}_{i}"), array.span())
}

fn pair(to: &Ident, is: &Punct, array: &Ident, i: usize) -> TokenStream {
    let (to, value) = (element(to, i), element(array, i));
    quote!(#to #is #value)
}
