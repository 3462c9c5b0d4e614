//! No text makes the check or the extraction panic.
//!
//! Rationale: both read files that people are editing. Random text exercises
//! the tokeniser, random Rust words the parser, and mutated blocks what comes
//! behind it, which random text never reaches.

use cotenant_netlist::source::{check, docs, Rule};
use proptest::prelude::*;

const SOURCES: [&str; 4] = [
    include_str!("hazards/loops_and_calls.rs"),
    include_str!("hazards/statements.rs"),
    include_str!("hazards/values.rs"),
    include_str!("hazards/around.rs"),
];

const WORDS: [&str; 60] = [
    "#[hdl_gen]",
    "fn update(&mut self)",
    "impl Logic for U",
    "#[derive(LogicBlock)]",
    "struct U",
    "macro_rules! m",
    "$",
    "$x",
    "$(",
    "),*",
    "=>",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "for i in",
    "0..=3",
    "match",
    "if",
    "else",
    "_",
    "@",
    "self",
    ".",
    "next",
    ".val()",
    ".into()",
    "=",
    "==",
    "+",
    "-",
    "!",
    "&",
    "|",
    "bits",
    "Bits::<4>::",
    "bit_cast",
    "::join",
    "assert!",
    "comment!",
    "\"",
    "'a",
    "'a'",
    "//! x\n",
    "/// y\n",
    "/*",
    "*/",
    "0x",
    "1e",
    "r#",
    "#",
    "u64",
    "é",
    "\u{0}",
    "const",
    "mod a",
];

/// Both, as they must agree on whether a text is Rust.
fn read(text: &str) {
    let findings = check(text, "x.rs");
    let lines = text.lines().count().max(1) + 1;
    for finding in &findings {
        assert!(
            (1..=lines).contains(&finding.line) && finding.column >= 1,
            "{finding}"
        );
        assert!(finding.to_string().contains(finding.rule.name()));
        assert_ne!(finding.found, "the parser gave up", "{text}");
    }
    docs(text, "unit");
}

/// A source, and three positions in it, where characters begin.
fn places() -> impl Strategy<Value = (&'static str, usize, usize, usize)> {
    (0..SOURCES.len(), any::<[u32; 3]>()).prop_map(|(source, at)| {
        let text = SOURCES[source];
        let place = |n: u32| {
            let mut at = n as usize % (text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        (text, place(at[0]), place(at[1]), place(at[2]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_text(text in any::<String>()) {
        read(&text);
    }

    #[test]
    fn random_words(words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..60)) {
        read(&words.join(" "));
    }

    // A piece is cut out, and pasted elsewhere.
    #[test]
    fn moved_pieces((text, a, b, c) in places()) {
        let (a, b) = (a.min(b), a.max(b));
        read(&format!("{}{}", &text[..a], &text[b..]));
        read(&format!("{}{}{}", &text[..c], &text[a..b], &text[c..]));
    }

    // A word is put in, where it more often still parses.
    #[test]
    fn added_words((text, a, ..) in places(), word in proptest::sample::select(&WORDS[..])) {
        read(&format!("{} {word} {}", &text[..a], &text[a..]));
    }
}

// The same for a text that is Rust but for one token, each in turn.
#[test]
fn each_token_missing() {
    let text = "#[derive(LogicBlock)] struct U { /** In. */ pub a: Signal<In, Bits<4>>, }
        macro_rules! m { ($n:ident) => { impl Logic for $n { #[hdl_gen] fn update(&mut self) {
        match self.a.val() { x @ 3 if y => {} _ => {} } } } } }";
    let words: Vec<&str> = text
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    for skip in 0..words.len() {
        let rest: String = words
            .iter()
            .enumerate()
            .filter(|w| w.0 != skip)
            .map(|w| *w.1)
            .collect();
        read(&rest);
    }
    assert!(check(text, "x.rs")
        .iter()
        .any(|f| f.rule == Rule::MatchGuard));
}
