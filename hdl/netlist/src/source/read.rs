//! Parses Rust text to a syntax tree, without panics on any input.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::str::FromStr;

/// Stack of the reading thread; `MAX_DEPTH` levels of the parser fit in.
const STACK: usize = 256 << 20;

/// How deep the parser may have to recurse, counted in tokens.
const MAX_DEPTH: usize = 4000;

/// How deep brackets may nest.
const MAX_BRACKETS: usize = 128;

/// Why a text has no syntax tree.
pub(super) struct Unreadable {
    pub span: Span,
    pub message: String,
}

/// Runs `f` with a large stack and its own table of spans, which would grow
/// with every text read; `None` if it panicked.
pub(super) fn apart<T: Send>(f: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, f)
            .ok()?;
        thread.join().ok()
    })
}

/// Parses a whole file.
pub(super) fn parse(text: &str) -> Result<syn::File, Unreadable> {
    let tokens = TokenStream::from_str(without_shebang(text)).map_err(|e| Unreadable {
        span: e.span(),
        message: "no Rust tokens".into(),
    })?;
    parse_tokens(tokens)
}

/// Parses tokens as a file.
pub(super) fn parse_tokens(tokens: TokenStream) -> Result<syn::File, Unreadable> {
    let start = tokens
        .clone()
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |t| t.span());
    if depth(tokens.clone(), 0).is_none_or(|depth| depth > MAX_DEPTH) {
        return Err(Unreadable {
            span: start,
            message: "nested too deeply".into(),
        });
    }
    syn::parse2(tokens).map_err(|e| Unreadable {
        span: e.span(),
        message: e.to_string(),
    })
}

/// The text with spaces in place of a byte order mark and a `#!` line.
fn without_shebang(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => {
            &text[text.find('\n').unwrap_or(text.len())..]
        }
        _ => text,
    }
}

/// Upper bound of the parser's recursion: the longest run of tokens without a
/// separator, plus that of the brackets inside.
fn depth(tokens: TokenStream, brackets: usize) -> Option<usize> {
    if brackets > MAX_BRACKETS {
        return None;
    }
    let (mut run, mut longest, mut inside) = (0, 0, 0);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        run += 1;
        let ends = match &token {
            TokenTree::Punct(p) => matches!(p.as_char(), ';' | ','),
            TokenTree::Group(group) => {
                inside = inside.max(depth(group.stream(), brackets + 1)?);
                let chained = matches!(tokens.peek(), Some(TokenTree::Ident(i)) if *i == "else");
                match group.delimiter() {
                    Delimiter::Brace => !chained,
                    // The brackets of an attribute.
                    Delimiter::Bracket => run <= 3,
                    _ => false,
                }
            }
            _ => false,
        };
        longest = longest.max(run);
        if ends {
            run = 0;
        }
    }
    Some(longest + inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Each shape that makes a recursive parser, visitor or destructor run out
    // of stack: prefix operators, brackets, generics, chains to the left, and
    // both together. Each must be refused, or parsed within the stack.
    #[test]
    fn no_text_exhausts_the_stack() {
        let n = 100_000;
        let texts = [
            format!("const X: u8 = {}1;", "!".repeat(n)),
            format!("const X: u8 = {}1{};", "(".repeat(n), ")".repeat(n)),
            format!("const X: u8 = {}1;", "1 + ".repeat(n)),
            format!("const X: u8 = a{};", ".b".repeat(n)),
            format!("type X = {}u8;", "&".repeat(n)),
            format!("type X = {}u8{};", "A<".repeat(n), ">".repeat(n)),
            format!("fn f() {{ {} }}", "if a {} else ".repeat(n)),
            format!("fn f() {{ {} }}", "|x| ".repeat(n)),
            "#[a] ".repeat(n),
            "//! doc\n".repeat(n),
        ];
        for text in texts {
            let _ = apart(|| parse(&text).map(|_| ()).map_err(|_| ()).is_ok()).unwrap();
        }
    }

    // The deepest texts that are let through, so that the stack is known to
    // be large enough for what `depth` allows.
    #[test]
    fn the_stack_holds_what_is_let_through() {
        let deep = MAX_BRACKETS - 2;
        let run = "!".repeat(MAX_DEPTH / deep - 3);
        let texts = [
            format!("const X: u8 = {}1;", "!".repeat(MAX_DEPTH - 10)),
            format!("const X: u8 = {}1;", "1 + ".repeat(MAX_DEPTH / 2 - 10)),
            format!(
                "type X = {}u8{};",
                "A<".repeat(MAX_DEPTH / 3 - 10),
                ">".repeat(MAX_DEPTH / 3 - 10)
            ),
            format!(
                "const X: u8 = {}1{};",
                format!("{run}(").repeat(deep),
                ")".repeat(deep)
            ),
        ];
        for text in texts {
            assert!(apart(|| parse(&text).is_ok()).unwrap(), "{}", &text[..60]);
        }
    }

    // A shebang and a byte order mark are no tokens; an inner attribute that
    // looks like one is.
    #[test]
    fn what_stands_before_the_first_item() {
        for text in [
            "#!/usr/bin/env run\nfn f() {}",
            "\u{feff}fn f() {}",
            "#![allow(x)] fn f() {}",
        ] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }
}
