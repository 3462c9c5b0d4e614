//! What `#[unit]` refuses, and where it says so.
//!
//! Rationale: an error is of use at the user's line only. In each text `§` stands in front of the
//! token that the error must point at. The source check reports what [`plain`] refuses at the same
//! place (`hdl/netlist/tests/source/units.rs`); what only rustc sees, such as an illegal parameter
//! of a compiled block, is in `hdl/netlist/tests/unit_refused.rs`.
//!
//! [`plain`]: cotenant_unit_syntax::plain

use proc_macro2::{Span, TokenStream, TokenTree};

/// Line and column of `§`, and the text without it.
fn marked(text: &str) -> (String, (usize, usize)) {
    let (before, after) = text.split_once('§').expect("a mark");
    let line = before.lines().count().max(1);
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count();
    (format!("{before}{after}"), (line, column))
}

fn place(span: Span) -> (usize, usize) {
    (span.start().line, span.start().column)
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A text with a mark, and a piece of the error.
type Case = (&'static str, &'static str);

/// Statements of `update()`.
const STATEMENTS: &[Case] = &[
    ("let §x = self.a;", "a wire has a name and a type"),
    (
        "let §(x, y): (Bit, Bit) = self.a;",
        "a wire has a name and a type",
    ),
    ("let x: §u32 = 1;", "Bit, Bits<N>"),
    (
        "let §a: Bit = self.bit;",
        "a field or parameter has this name",
    ),
    (
        "let §itself: Bit = self.bit; self.on.next = itself;",
        "does not end in `self`",
    ),
    (
        "let x: Bits<W> = self.a; let §x: Bits<3> = 0;",
        "has another width",
    ),
    ("§while self.bit { }", "update() is made of"),
    ("§return;", "update() is made of"),
    ("§helper(self.a);", "update() is made of"),
    ("if self.bit { §self.a.any(); }", "update() is made of"),
    ("for i in 0§..=3 { self.o.next = self.a; }", "`0..N`"),
    (
        "for §(i, j) in 0..3 { self.o.next = self.a; }",
        "a loop variable",
    ),
    (
        "match self.three { 1 §if self.bit => { self.o.next = self.a; } _ => {} }",
        "a guard",
    ),
    ("self.§o = self.a;", "assign to `.next`"),
    ("§x.next = self.a;", "assign to a field of self"),
    ("self.o.next = self.bit[0§];", "a Bit has no bits"),
    ("self.o.next = self.§lanes;", "has 1 subscripts"),
    ("self.on.next = self.a[0][1§];", "one subscript too many"),
    (
        "self.on.next = §(self.a + 1)[0];",
        "subscripts are of fields",
    ),
    (
        "self.out[0].next = self.a; §self.out[0].next = self.r;",
        "none is assigned twice",
    ),
    (
        "for i in 0..N { §self.out[0].next = self.a; }",
        "each element of `out` is assigned once",
    ),
    (
        "§self.out[N - 1].next = self.a;",
        "each element of `out` is assigned once",
    ),
    (
        "self.out.next = 0; §self.out[0].next = self.a;",
        "assigned whole elsewhere",
    ),
    (
        "if self.bit { §self.file[0].next = self.a; self.file[1].next = self.a; }",
        "several subscripts",
    ),
    ("self.o.next = §|x| x;", "no expression of update()"),
    ("self.o.next = self.a §/ self.a;", "no operator of update()"),
    (
        "self.o.next = self.a.§count_ones();",
        "no method of update()",
    ),
    ("§vec![self.a];", "only comment! and clock!"),
    ("§fn inner() {}", "no items in update()"),
    ("§self.a.next = Part { a };", "inputs are those of a part"),
    (
        "self.o.next = self.a[§\"NAME\"];",
        "the unit's `names = ..`",
    ),
];

/// A unit with this `update()`, as one module.
fn with_update(statements: &str) -> String {
    format!(
        "mod sample {{
            pub struct Sample<#[range(1..=64)] const W: usize, #[range(1..=8)] const N: usize> {{
                pub bit: In<Bit>,
                pub a: In<Bits<W>>,
                pub lanes: [In<Bits<W>>; N],
                pub on: Out<Bit>,
                pub o: Out<Bits<W>>,
                pub out: Out<[Bits<W>; N]>,
                r: Reg<Bits<W>>,
                file: [Reg<Bits<W>>; N],
                #[value(3)]
                three: Constant<Bits<8>>,
            }}
            fn update(&mut self) {{
                {statements}
            }}
        }}"
    )
}

/// Whole modules.
const MODULES: &[Case] = &[
    ("§struct S { pub a: In<Bit> }", "#[unit] stands on a module"),
    ("mod §s { }", "one struct and `fn update(&mut self)`"),
    ("mod §s { struct S { pub a: In<Bit> } }", "one struct and `fn update(&mut self)`"),
    (
        "mod s { struct S { pub a: In<Bit> } fn §step(&mut self) {} }",
        "one struct and `fn update(&mut self)`",
    ),
    (
        "mod s { struct S { pub a: In<Bit> } fn update(&mut self) {} §const X: u8 = 1; }",
        "one struct and `fn update(&mut self)`",
    ),
    ("mod s { struct S<§T> { pub a: In<Bit> } fn update(&mut self) {} }", "parameters are numbers"),
    (
        "mod s { struct S<#[range(§3)] const W: usize> { pub a: In<Bit> } fn update(&mut self) {} }",
        "a range, as 1..=64",
    ),
    (
        "mod s { struct S<#[range(1..=9)] const A: usize = 2, #[range(1..=9)] const §B: usize>
         { pub a: In<Bit> } fn update(&mut self) {} }",
        "a parameter without default",
    ),
    (
        "mod s { struct S<#[range(1..=B)] const §A: usize, #[range(1..=9)] const B: usize>
         { pub a: In<Bit> } fn update(&mut self) {} }",
        "name parameters that are given before it",
    ),
    ("mod s { struct S { pub a: In<§u32> } fn update(&mut self) {} }", "Bit, Clock, Bits<N>"),
    ("mod s { struct S { pub a: §In } fn update(&mut self) {} }", "what type of value?"),
    ("mod s { struct S { m: §Ram<Bit> } fn update(&mut self) {} }", "how many address bits?"),
    ("mod s { struct S { §c: Constant<Bit> } fn update(&mut self) {} }", "has a #[value(..)]"),
    (
        "mod s { struct S { pub §itself: In<Bit> } fn update(&mut self) {} }",
        "does not end in `self`",
    ),
    ("mod s { struct S { a: §(u8, u8) } fn update(&mut self) {} }", "In, Out, Local, Constant"),
];

#[test]
fn each_refusal_is_at_its_place() {
    let statements = STATEMENTS
        .iter()
        .map(|(text, what)| (with_update(text), what));
    let modules = MODULES.iter().map(|(text, what)| (text.to_string(), what));
    let mut wrong = vec![];
    for (text, what) in statements.chain(modules) {
        let (source, at) = marked(&text);
        match cotenant_unit_syntax::plain(TokenStream::new(), tokens(&source)) {
            Err(e) if e.to_string().contains(what) && place(e.span()) == at => {}
            Err(e) => wrong.push(format!("{what}: {at:?}, not {e} {:?}", place(e.span()))),
            Ok(_) => wrong.push(format!("{what}: not refused")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_unknown_argument_is_refused() {
    let (attribute, at) = marked("source = \"a paper\", §sources = 3");
    let module = tokens("mod s { struct S { pub a: In<Bit> } fn update(&mut self) {} }");
    let error = cotenant_unit_syntax::plain(tokens(&attribute), module);
    let error = error.map(|_| ()).expect_err("refused");
    assert!(
        error.to_string().starts_with("source, unused, name"),
        "{error}"
    );
    assert_eq!(place(error.span()), at);
}

/// Units with a part `Adder<WIDTH, DEPTH = 2>` with the inputs `left` and `right` and the output
/// `sum`, in two pieces: what is before `§` in a part's argument list, and in its ports.
const PARTS: &[Case] = &[
    (
        "adder: §Adder, }",
        "Adder needs WIDTH; it takes WIDTH, DEPTH",
    ),
    ("adder: §Adder<DEPTH = 3>, }", "Adder needs WIDTH"),
    (
        "adder: Adder<4, §WAYS = 3>, }",
        "Adder has no parameter WAYS; it has WIDTH, DEPTH",
    ),
    (
        "adder: Adder<4, 2, §7>, }",
        "Adder takes 2 parameters: WIDTH, DEPTH",
    ),
    (
        "adder: Adder<4>, } fn update(&mut self) { self.adder.next = §Other { left: self.a }; }",
        "`adder` is a Adder",
    ),
    (
        "adder: Adder<4>, }
         fn update(&mut self) { self.adder.next = §Adder { left: self.a, ..self }; }",
        "nothing here is called `right`",
    ),
    (
        "adder: Adder<4>, }
         fn update(&mut self) { self.adder.next = Adder { left: self.a, ..§1 }; }",
        "`..self` or `..self.part`",
    ),
    (
        "adder: Adder<4>, } fn update(&mut self) { self.next = §Other { }; }",
        "those of `Self`",
    ),
];

/// The error in the last step's result, and its place.
fn compile_error(all: TokenStream) -> Option<(String, (usize, usize))> {
    let tokens: Vec<TokenTree> = all.into_iter().collect();
    let at = tokens
        .iter()
        .position(|t| matches!(t, TokenTree::Ident(i) if i == "compile_error"));
    at.map(|at| (tokens[at + 2].to_string(), place(tokens[at].span())))
}

// The last step, as it is called once the part has told its signature.
#[test]
fn what_the_parts_tell_is_checked_at_its_place() {
    let signature = "[WIDTH] [DEPTH { 2 }] [SUM_W { WIDTH + 1 }] true
                     [In left { WIDTH } In right { WIDTH } Out sum { SUM_W }]";
    let step = |rest: &str| {
        let nothing = if rest.contains("fn update") {
            ""
        } else {
            "fn update(&mut self) {}"
        };
        let state = format!(
            "{{ {signature} }} {{ }}
             {{ pub struct S {{ pub a: In<Bits<4>>, {rest} {nothing} }} {{ Adder }} {{ }}"
        );
        cotenant_unit_syntax::step(tokens(&state))
    };
    for (text, what) in PARTS {
        let (rest, _) = marked(text);
        let whole = format!(
            "{{ {signature} }} {{ }}
             {{ pub struct S {{ pub a: In<Bits<4>>, {text}"
        );
        let (_, at) = marked(&whole);
        let (found, place) = compile_error(step(&rest)).expect(text);
        assert!(found.contains(what), "{text}: {found}");
        assert_eq!(place, at, "{text}: {found}");
    }
    let fine = "adder: Adder<4>, }
                fn update(&mut self) { self.adder.next = Adder { left: self.a, right: self.a, }; }";
    assert_eq!(compile_error(step(fine)), None);
}
