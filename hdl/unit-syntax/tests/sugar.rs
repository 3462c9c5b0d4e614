//! What each row of the sugar's table becomes.
//!
//! Rationale: `#[hdl_gen]` and the description are both made of the rewritten text, so neither sees
//! that it is another text than was meant. Each row of the table in `docs/unit-form.md` stands here
//! with the text that rust-hdl gets, and so do forms that must stay as they are. What a text does
//! in hardware is for the tests of units, which run `update()` against the netlist.

use quote::ToTokens;

/// A unit with ports, flops, arrays and packed vectors, and this `update()`.
fn unit(statements: &str) -> String {
    format!(
        "mod sample {{
            pub struct Sample<
                #[range(1..=64)] const W: usize,
                #[range(1..=8)] const N: usize,
            > {{
                pub bit: In<Bit>,
                pub a: In<Bits<W>>,
                pub row: In<[Bits<W>; N]>,
                pub wide: In<[Bits<{{ W + 1 }}>; N]>,
                pub lanes: [In<Bits<W>>; N],
                pub on: Out<Bit>,
                pub o: Out<Bits<W>>,
                pub out: Out<[Bits<W>; N]>,
                r: Reg<Bits<W>>,
                file: [Reg<Bits<W>>; N],
                #[value(3)]
                three: Constant<Bits<8>>,
            }}
            fn update(&mut self) {{ {statements} }}
        }}"
    )
}

/// `update()` as rust-hdl gets it.
fn rewritten(statements: &str) -> String {
    let source = unit(statements).parse().expect("tokens");
    let unit = cotenant_unit_syntax::plain(Default::default(), source);
    let unit = unit.unwrap_or_else(|e| panic!("{statements}: {e}"));
    let file: syn::File = syn::parse2(unit).expect("Rust");
    let update = file.items.iter().find_map(|item| match item {
        syn::Item::Impl(i) => Some(i.items[0].clone()),
        _ => None,
    });
    let Some(syn::ImplItem::Fn(update)) = update else {
        panic!("no update()");
    };
    // Without the clocks of the flops, which have a test of their own.
    let statements = update.block.stmts.iter().skip(2);
    let all: proc_macro2::TokenStream = statements.map(ToTokens::to_token_stream).collect();
    spaceless(&all.to_string())
}

fn spaceless(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What is written, and what it becomes.
const ROWS: &[(&str, &str)] = &[
    // Values are read.
    ("self.o.next = self.a;", "self.o.next = self.a.val();"),
    ("self.o.next = self.r;", "self.o.next = self.r.q.val();"),
    (
        "self.o.next = self.file[2];",
        "self.o.next = self.file[2].q.val();",
    ),
    (
        "self.o.next = !self.a + (self.r);",
        "self.o.next = !self.a.val() + (self.r).q.val();",
    ),
    // What is rust-hdl's own text stays.
    (
        "self.o.next = self.a.val() & self.r.q.val();",
        "self.o.next = self.a.val() & self.r.q.val();",
    ),
    (
        "self.r.d.next = self.a.val();",
        "self.r.d.next = self.a.val();",
    ),
    (
        "self.o.next = bit_cast::<W, 8>(self.three);",
        "self.o.next = bit_cast::<W, 8>(self.three.val());",
    ),
    // Flops.
    ("self.r.next = self.a;", "self.r.d.next = self.a.val();"),
    (
        "for i in 0..N { self.file[i].next = self.lanes[i]; }",
        "for i in 0..N { self.file[i].d.next = self.lanes[i].val(); }",
    ),
    // Bits.
    (
        "self.on.next = self.a[2];",
        "self.on.next = self.a.val().get_bit(2);",
    ),
    (
        "self.on.next = self.r[2];",
        "self.on.next = self.r.q.val().get_bit(2);",
    ),
    (
        "self.on.next = self.lanes[1][2];",
        "self.on.next = self.lanes[1].val().get_bit(2);",
    ),
    (
        "self.on.next = self.a[self.three];",
        "self.on.next = self.a.val().get_bit(self.three.val().index());",
    ),
    (
        "for i in 0..W { self.o[i].next = self.a[i]; }",
        "self.o.next = 0.into();
         for i in 0..W { self.o.next = self.o.val().replace_bit(i, self.a.val().get_bit(i)); }",
    ),
    (
        "self.o.next = self.a; if self.bit { self.o[0].next = true; }",
        "self.o.next = self.a.val();
         if self.bit.val() { self.o.next = self.o.val().replace_bit(0, true); }",
    ),
    // Packed elements; positions and widths that are more than a name keep their value.
    (
        "self.o.next = self.row[2];",
        "self.o.next = self.row.val().get_bits::<W>(2 * W);",
    ),
    (
        "for i in 0..(N - 1) { self.o.next = self.row[i + 1]; }",
        "for i in 0..(N - 1) { self.o.next = self.row.val().get_bits::<W>((i + 1) * W); }",
    ),
    (
        "self.o.next = self.wide[2];",
        "self.o.next = self.wide.val().get_bits::<W_W_1>(2 * (W + 1));",
    ),
    (
        "for i in 0..N { self.out[i].next = self.lanes[i]; }",
        "self.out.next = 0.into();
         for i in 0..N {
            self.out_element.next = self.lanes[i].val();
            self.out.next = self.out.val()
                | (bit_cast_to::<W_N_W>(self.out_element.val()) << (i * W).to_bits::<16>());
         }",
    ),
    // A flop that only conditions assign holds its value.
    (
        "if self.bit { self.r.next = self.a; } else if self.a[0] { self.r.next = 0; }",
        "self.r.d.next = self.r.q.val();
         if self.bit.val() { self.r.d.next = self.a.val(); }
         else if self.a.val().get_bit(0) { self.r.d.next = 0.into(); }",
    ),
    (
        "self.r.next = 1; if self.bit { self.r.next = self.a; }",
        "self.r.d.next = 1.into(); if self.bit.val() { self.r.d.next = self.a.val(); }",
    ),
    (
        "if self.bit { for i in 0..N { self.file[i].next = 0; } }",
        "for i in 0..N { self.file[i].d.next = self.file[i].q.val(); }
         if self.bit.val() { for i in 0..N { self.file[i].d.next = 0.into(); } }",
    ),
    (
        "match self.three { 1 => { self.r.next = 0; } _ => {} }",
        "self.r.d.next = self.r.q.val();
         match self.three.val() { 1 => { self.r.d.next = 0.into(); } _ => {} }",
    ),
    // Numbers, casts, wires, parameters.
    ("self.o.next = 7;", "self.o.next = 7.into();"),
    (
        "self.o.next = self.three.cast::<W>();",
        "self.o.next = bit_cast_to::<W>(self.three.val());",
    ),
    (
        "self.o.next = (self.a + 1).cast::<{ W + 1 }>();",
        "self.o.next = bit_cast_to::<W_W_1>(self.a.val() + 1);",
    ),
    (
        "let mut sum: Bits<W> = self.a + self.r; sum = sum + 1; self.o.next = sum;",
        "self.sum.next = self.a.val() + self.r.q.val(); self.sum.next = self.sum.val() + 1;
         self.o.next = self.sum.val();",
    ),
    (
        "self.on.next = self.a.any() & self.r.all();",
        "self.on.next = self.a.val().any() & self.r.q.val().all();",
    ),
    ("comment!(\"text\");", "comment!(\"text\");"),
];

#[test]
fn each_row_becomes_its_text() {
    let mut wrong = vec![];
    for (written, becomes) in ROWS {
        let found = rewritten(written);
        if found != spaceless(becomes) {
            wrong.push(format!("{written}:\n{found}\n{}", spaceless(becomes)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// Each flop and each array of flops gets the unit's clock; the reset only if the unit has one; and
// neither if update() assigns it, `clock!` included.
#[test]
fn clock_and_reset_are_wired_unless_they_are_assigned() {
    let update = |fields: &str, statements: &str| {
        let source = format!(
            "mod s {{ pub struct S {{ pub clock: In<Clock>, {fields} r: Reg<Bit>, f: [Reg<Bit>; 2] }}
             fn update(&mut self) {{ {statements} }} }}"
        );
        let unit = cotenant_unit_syntax::plain(Default::default(), source.parse().expect("tokens"));
        let file: syn::File = syn::parse2(unit.expect("a unit")).expect("Rust");
        let text = spaceless(&file.items[1].to_token_stream().to_string());
        let (_, body) = text.split_once("update(&mutself)").expect("update()");
        body.trim_end_matches('}')
            .trim_start_matches('{')
            .to_owned()
    };
    let r_clock = "self.r.clock.next=self.clock.val();";
    let r_reset = "self.r.reset.next=self.reset.val();";
    let f = |ports: &str| format!("forat_0in0..(2){{{ports}");
    let f_clock = "self.f[at_0].clock.next=self.clock.val();";
    let f_reset = "self.f[at_0].reset.next=self.reset.val();";
    assert_eq!(update("", ""), format!("{r_clock}{}", f(f_clock)));
    let both = format!("{r_clock}{r_reset}{}", f(&format!("{f_clock}{f_reset}")));
    assert_eq!(update("pub reset: In<Bit>,", ""), both);
    let own = "self.r.clock.next = self.clock.val();";
    assert_eq!(update("", own), format!("{}}}{}", f(f_clock), r_clock));
    assert_eq!(
        update("", "clock!(self, clock, r, f);"),
        "clock!(self,clock,r,f);"
    );
}

// A name of a parameter in an expression is a Constant of 32 bits; a loop's bound is none.
#[test]
fn parameters_in_expressions_are_constants() {
    let declares = |statements: &str| {
        let source = unit(statements).parse().expect("tokens");
        let unit = cotenant_unit_syntax::plain(Default::default(), source).expect("a unit");
        spaceless(&unit.to_string()).contains("N:::cotenant_netlist::hdl::Constant<")
    };
    assert!(declares("self.on.next = self.a < N;"));
    assert!(!declares("for i in 0..N { self.o.next = self.lanes[i]; }"));
}
