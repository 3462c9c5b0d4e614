//! Formulas over the parameters, as text.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Whether `p` occurs in a formula.
pub fn mentions_parameters(formula: TokenStream) -> bool {
    formula.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "p",
        TokenTree::Group(group) => mentions_parameters(group.stream()),
        _ => false,
    })
}

/// A formula with a parameter `p.ways` as `WAYS`, as they are called outside, and paths by their
/// last name: `64 - clog2(BANKS)`, `requester_w()`.
pub fn text(formula: TokenStream) -> String {
    let tokens: Vec<TokenTree> = formula.into_iter().collect();
    let mut text = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Ident(name) if name == "p" && is(tokens.get(at), '.') => {
                let field = tokens.get(at + 1).map(ToString::to_string);
                let field = field.unwrap_or_default();
                let called = matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
                text += &match called {
                    true => field,
                    false => field.to_uppercase(),
                };
                at += 2;
            }
            // Of a path only its end matters.
            TokenTree::Ident(_) if is(tokens.get(at), ':') => at += 2,
            TokenTree::Punct(sign) if sign.as_char() == '.' => text.push('.'),
            TokenTree::Punct(sign) if sign.as_char() == ',' => text += ", ",
            TokenTree::Punct(sign) => {
                if !text.ends_with(['<', '>', ' ']) && !text.is_empty() {
                    text.push(' ');
                }
                text.push(sign.as_char());
                if sign.spacing() == Spacing::Alone {
                    text.push(' ');
                }
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                text += &self::text(group.stream());
            }
            TokenTree::Group(group) => {
                text += &format!("({})", self::text(group.stream()));
            }
            // `n as usize` is a matter of Rust.
            TokenTree::Ident(name) if name == "as" => at += 1,
            other => text += &other.to_string(),
        }
    }
    text.trim_end().into()
}

fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}
