//! Each rule: what breaks it, and what looks like that but is right.
//!
//! Rationale: a check that cries wolf is switched off, so for each rule the
//! nearest clean code stands beside the hazard. A hazard must be found with
//! its own rule and no other, clean code with none. Compiled hazards, where
//! rust-hdl itself shows the difference, are in `hazards`.

use cotenant_netlist::source::{check, check_dir, Rule};
use std::collections::HashSet;
use std::path::Path;

/// A block with this `update()`, and these items around it.
fn block(statements: &str, items: &str) -> String {
    format!(
        "#[derive(LogicBlock)]
        struct Unit<const W: usize> {{
            pub a: Signal<In, Bits<4>>, pub b: Signal<In, Bits<4>>, pub o: Signal<Out, Bits<4>>,
            pub on: Signal<Out, Bit>, row: [Signal<Local, Bits<4>>; W], mode: Signal<Local, Mode>,
            pair: Signal<Local, Pair>, child: Child, myself: [Child; 2],
            width: Constant<Bits<8>>, _depth: usize,
        }}
        {items}
        impl<const W: usize> Logic for Unit<W> {{
            #[hdl_gen]
            fn update(&mut self) {{ {statements} }}
        }}"
    )
}

/// Rule, statements of an `update()` that break it, statements that do not.
const STATEMENTS: &[(Rule, &str, &str)] = &[
    (
        Rule::InclusiveRange,
        "for i in 0..=W { self.row[i].next = self.a.val(); }",
        "for i in 0..W { self.row[i].next = self.a.val(); }",
    ),
    (
        Rule::LoopBound,
        "for i in 0..self._depth { self.row[i].next = 0.into(); }",
        "for i in (W - 1)..clog2(W) { for j in Unit::<3>::MIN..W.min(4) { self.row[i].next = 0.into(); } }",
    ),
    (
        Rule::LoopPattern,
        "for i @ _ in 0..W { self.row[i].next = 0.into(); }",
        "'outer: for i in 0..W { self.row[i].next = 0.into(); }",
    ),
    (
        Rule::ShadowedField,
        "for a in 0..W { self.row[a].next = self.b.val(); }",
        "for a_of in 0..W { self.row[a_of].next = self.a.val(); }",
    ),
    (
        Rule::HiddenCast,
        "self.o.next = Bits::<4>::max(self.a.val(), self.b.val());",
        "self.o.next = Bits::<4>::from(3) + bits::<4>(2) + bit_cast::<4, 8>(self.width.val())
            + bits::bit_cast::<4, 8>(self.width.val());",
    ),
    (Rule::HiddenCast, "self.o.next = bits_of(self.a.val());", "self.o.next = bits(1);"),
    (Rule::HiddenCast, "self.o.next = bits::mine(self.a.val());", "self.o.next = bits::bits::<4>(1);"),
    (
        Rule::Signed,
        "self.on.next = self.a.val().to_signed_bits().get_bit(0);",
        "self.on.next = self.a.val().get_bit(3);",
    ),
    (
        Rule::Signed,
        "self.o.next = unsigned_cast(self.b.val());",
        "// unsigned_cast, Signed\nself.o.next = self.b.val();",
    ),
    (
        Rule::MethodLookalike,
        "self.on.next = self.a.val().all(|x| x);",
        "self.on.next = self.a.val().all() & self.b.val().any() & self.a.val().xor();",
    ),
    (
        Rule::MethodLookalike,
        "self.o.next = self.a.val().index(3).to_bits::<4>();",
        "self.on.next = self.a.val().get_bit(self.b.val().index());",
    ),
    (
        Rule::MethodLookalike,
        "self.on.next = self.a.val().get_bit(0, 1);",
        "self.o.next = self.a.val().replace_bit(0, true).get_bits::<4>(0);",
    ),
    (
        Rule::ValueAccessor,
        "self.o.next = self.pair.val().peek_get_value_low();",
        "self.o.next = self.pair.val().low; self.pair.next.low = self.a.val();",
    ),
    (
        Rule::ValueAccessor,
        "self.pair.next.preset_value_low(1.into());",
        "self.pair.next.low = 1.into();",
    ),
    (
        Rule::MatchGuard,
        "match self.mode.val() { Mode::Idle if self.on.val() => self.on.next = true, _ => {} }",
        "match self.mode.val() { Mode::Idle => if self.on.val() { self.on.next = true; }, _ => {} }",
    ),
    (
        Rule::MatchBinding,
        "match self.mode.val() { Mode::Idle => {} other => self.on.next = true, }",
        "match self.mode.val() { Mode::Idle => {} _ => self.on.next = true, }",
    ),
    (
        Rule::MatchBinding,
        "match self.a.val().index() { x @ 3 => {} _ => {} }",
        "match self.a.val().index() { 3 => {} 0x1F => {} 0b1_0u8 => {} _ => {} }",
    ),
    (
        Rule::MatchBinding,
        "match self.a.val().index() { LIMIT => {} _ => {} }",
        "match self.on.val() { true => {} false => {} }",
    ),
    (
        Rule::WildcardNotLast,
        "match self.mode.val() { _ => {} Mode::Idle => {} }",
        "match self.mode.val() { Mode::Idle => {} _ => {} }",
    ),
    (
        Rule::ConditionalCompilation,
        "#[cfg(test)] if self.on.val() { self.o.next = 0.into(); }",
        "#[allow(clippy::all)] if self.on.val() { self.o.next = 0.into(); }",
    ),
    (
        Rule::ConditionalCompilation,
        "match self.mode.val() { #[cfg(test)] Mode::Idle => {} _ => {} }",
        "match self.mode.val() { #[rustfmt::skip] Mode::Idle => {} _ => {} }",
    ),
    (
        Rule::ConditionalCompilation,
        "#[cfg_attr(all(), cfg(test))] comment!(\"a\");",
        "#[cfg_attr(test, allow(unused))] for i in 0..W { self.row[i].next = 0.into(); }",
    ),
    (
        Rule::MacroEffect,
        "assert!({ if self.on.val() { return; } true });",
        "assert!(self.a.val() == 3, \"a is {:?}\", self.a.val());",
    ),
    (
        Rule::MacroEffect,
        "println!(\"{}\", { self.o.next += 1; 3 });",
        "println!(\"{:?}\", self.o.val()); comment!(\"self.o.next = 3\");",
    ),
    (
        Rule::MacroEffect,
        "println!(\"{:?}\", swap(&mut self.a, self.b.val()));",
        "println!(\"{:?}\", swap(&self.a, self.b.val()));",
    ),
    (
        Rule::MacroLookalike,
        "dff_setup!(other, clock, state);",
        "dff_setup!(self, clock, state); clock!(self, clock, child);",
    ),
    (
        Rule::LinkLookalike,
        "Bus::linkage(&mut self.a, &mut self.b);",
        "Bus::link(&mut self.a, &mut self.b); Bus::join(&mut self.a, &mut self.b);",
    ),
    (
        Rule::LinkLookalike,
        "Bus::link(&mut self.a, &mut self.b, Bus::joined());",
        "bus::Bus::<4>::join(&mut self.a, &mut self.child.data);",
    ),
    (
        Rule::UnknownName,
        "self.on.next = self.a.val() == W;",
        "self.on.next = self.a.val() == self.a.val().get_bits::<W>(0);",
    ),
    (
        Rule::UnknownName,
        "self.o.next = self.row[W - 1].val();",
        "for i in 1..W { self.o.next = self.row[2 * (i - 1)].val(); }",
    ),
    (
        Rule::UnknownName,
        "self.o.next = self.row[LIMIT].val();",
        "self.o.next = self.row[self.width.val().index()].val();",
    ),
    (Rule::UnknownName, "self.mode.next = Idle;", "self.mode.next = Mode::Idle;"),
    (Rule::UnknownName, "self.mode.next = fsm::Mode::Idle;", "self.mode.next = Mode::IDLE;"),
    (
        Rule::UnknownName,
        "for i in 0..W { self.row[i as usize].next = 0.into(); }",
        "for i in 0..W { self.row[(i)].next = i.to_bits::<4>(); }",
    ),
    (Rule::UnknownName, "self.on.next = self.a.val() == Self::LIMIT;", "self.on.next = true;"),
    (
        Rule::UnknownName,
        "self.o.next = self._other.val();",
        "self.o.next = self.width.val().get_bits::<4>(0);",
    ),
    (
        Rule::NestedField,
        "self.pair.next.inner.low = 0.into();",
        "self.child.pair.next.inner = 0.into();",
    ),
    (
        Rule::NestedField,
        "self.o.next = self.pair.val().inner.low;",
        "self.o.next = self.child.deep.pair.val().low;",
    ),
    (Rule::PlainState, "self._depth = 3;", "self.child.next.next = 3.into();"),
    (
        Rule::SelfSuffix,
        "self.o.next = self.oneself.data.val();",
        "self.o.next = self.myself[0].data.val();",
    ),
    (
        Rule::SelfSuffix,
        "self.o.next = self.row[self.itself.val().index()].val();",
        "self.o.next = self.itself.val();",
    ),
    (
        Rule::OverflowingLiteral,
        "self.on.next = self.a.val() == 0x8000_0000;",
        "self.on.next = (self.a.val() == 0x7FFF_FFFF) | (self.a.val() == 0x8000_0000u64);",
    ),
    (
        Rule::IndexArithmetic,
        "self.o.next = self.a.val().get_bits::<4>(2 * self.b.val().index());",
        "for i in 0..W { self.o.next = self.a.val().get_bits::<4>(i * self.width.val().index()); }",
    ),
    (
        Rule::IndexArithmetic,
        "self.on.next = !self.a.val().index() == 3;",
        "self.on.next = !(self.a.val().index() == 3);",
    ),
    (
        Rule::LostWidth,
        "for i in 0..W { self.o.next = (i.to_bits::<4>() << 3) >> 3; }",
        "for i in 0..W { self.o.next = ((i << 3) >> 3).to_bits::<4>(); }",
    ),
    (
        Rule::LostWidth,
        "for i in 0..W { self.o.next = (3 + i.to_bits::<4>()) & 3; }",
        "for i in 0..W { self.o.next = (self.a.val() + i.to_bits::<4>()) & 3; }",
    ),
];

/// Rule, items beside a block that break it, items that do not; the block's
/// `update()` uses `val`, `any`, `.into()`, `comment!` and `bits`.
const ITEMS: &[(Rule, &str, &str)] = &[
    (
        Rule::HiddenCast,
        "fn bits<const N: usize>(x: u64) -> Bits<N> { Bits::from(x + 1) }",
        "fn bits_wanted(x: u64) -> u64 { x }",
    ),
    (
        Rule::Signed,
        "#[derive(LogicBlock)] struct S { a: [Signal<In, Signed<4>>; 2] }
         impl Logic for S { #[hdl_gen] fn update(&mut self) {} }",
        "struct Model { a: Signed<4> }",
    ),
    (
        Rule::MethodLookalike,
        "impl<const N: usize> Count for Bits<N> { fn any(self) -> bool { false } }",
        "impl Model { fn any(&self) -> bool { false } } impl Count for Model { fn val(&self) {} }",
    ),
    (
        Rule::MethodLookalike,
        "#[derive(LogicStruct)] struct P { a: Bits<4> } impl P { fn val(self) -> Self { self } }",
        "#[derive(LogicStruct)] struct P { a: Bits<4> } impl P { fn val() -> Self { P::default() } }",
    ),
    (
        Rule::MethodLookalike,
        "impl<T: Synth> Count for T { fn any(self) -> bool { false } }",
        "impl<const N: usize> Count for Bits<N> {
            fn all(self) -> bool { false }
            fn any(&self) -> bool { false }
        }",
    ),
    (
        Rule::MacroEffect,
        "impl Logic for V { #[hdl_gen] fn update(&mut self) { assert!(self.change()); } }
         impl V { fn change(&mut self) -> bool { true } }",
        "impl Logic for V { #[hdl_gen] fn update(&mut self) { assert!(self.looks()); } }
         impl V { fn looks(&self) -> bool { true } }",
    ),
    (
        Rule::LoopBound,
        "fn turns() -> usize { random() }
         impl Logic for V { #[hdl_gen] fn update(&mut self) { for i in 0..turns() {} } }",
        "const fn turns() -> usize { 3 }
         impl Logic for V { #[hdl_gen] fn update(&mut self) { for i in 0..turns() {} } }",
    ),
    (
        Rule::ForeignAttribute,
        "impl Logic for V { #[hdl_gen] #[traced] fn update(&mut self) {} }",
        "impl Logic for V { #[traced] #[hdl_gen] #[inline] #[clippy::x] /** y */ fn update(&mut self) {} }",
    ),
    (
        Rule::MacroLookalike,
        "macro_rules! comment { ($t:literal) => { self.x() }; }",
        "macro_rules! comment { ($t:literal) => {}; } macro_rules! println { () => { 3 }; }",
    ),
    (
        Rule::UnknownName,
        "use fsm::Mode as M;
         impl Logic for V { #[hdl_gen] fn update(&mut self) { self.m.next = M::Idle; } }",
        "use fsm::Mode;
         impl Logic for V { #[hdl_gen] fn update(&mut self) { self.m.next = Mode::Idle; } }",
    ),
    (
        Rule::MissingHdlGen,
        "impl Logic for V { fn update(&mut self) { self.o.next = self.a.val(); } }",
        "impl Logic for V { fn update(&mut self) {} }",
    ),
    (
        Rule::OutsideLogic,
        "impl V { #[hdl_gen] fn update(&mut self) {} }",
        "impl V { fn refresh(&mut self) { self.x = 3; } }",
    ),
    (
        Rule::HandWrittenHdl,
        "impl Logic for V {
            fn update(&mut self) { self.o.next = self.a.val(); }
            fn hdl(&self) -> Verilog { Verilog::Custom(text()) }
        }",
        "impl Logic for V {
            fn update(&mut self) { self.o.next = self.a.val(); }
            fn hdl(&self) -> Verilog { primitive::reg(self._init.verilog()) }
        }
        impl Logic for About { fn update(&mut self) {} fn hdl(&self) -> Verilog { Verilog::Custom(text()) } }
        impl Logic for Box<dyn Any> {
            fn update(&mut self) { (**self).update(); }
            fn hdl(&self) -> Verilog { (**self).hdl() }
        }",
    ),
    (
        Rule::HandWrittenHdl,
        "impl Logic for V {
            fn update(&mut self) {}
            fn hdl(&self) -> Verilog { Verilog::Combinatorial(vec![]) }
        }",
        "impl Logic for V { fn update(&mut self) {} fn hdl(&self) -> Verilog { Verilog::Empty } }",
    ),
    (
        Rule::HandWrittenBlock,
        "impl Block for V {} impl Logic for V { #[hdl_gen] fn update(&mut self) {} }",
        "impl Block for V {} impl Logic for V { fn update(&mut self) {} }",
    ),
    (
        Rule::HiddenField,
        "#[derive(LogicStruct)] struct P { a: Bits<4>, _spare: Bits<2> }",
        "#[derive(LogicBlock)] struct V { pub q: Signal<Out, T>, _init: T, _words: Vec<T> }",
    ),
    (
        Rule::HiddenField,
        "#[derive(LogicBlock)] struct V { _q: Signal<Local, Bits<4>> }",
        "#[derive(LogicBlock)] struct V { q_: Signal<Local, Bits<4>> }",
    ),
    (
        Rule::UnknownName,
        "impl<T: Size> Logic for V<T> { #[hdl_gen] fn update(&mut self) { self.o.next = self.row[T::LAST].val(); } }",
        "impl<T: Synth> Logic for V<T> { #[hdl_gen] fn update(&mut self) { self.o.next = self.a.val(); } }",
    ),
    (Rule::HandWrittenSynth, "impl Synth for V {}", "#[derive(LogicState)] enum V { A, B }"),
    (
        Rule::InherentShadow,
        "#[derive(LogicBlock)] struct V {} impl V { fn update_all(&mut self) {} }",
        "#[derive(LogicBlock)] struct V {} impl V { fn new() -> V { V {} } fn reset(&mut self) {} }
         struct Model; impl Model { fn update(&mut self) {} }",
    ),
    (
        Rule::OperatorOverload,
        "#[derive(LogicStruct)] struct P { a: Bits<4> } impl std::ops::Add for P {}",
        "#[derive(LogicStruct, PartialEq)] struct P { a: Bits<4> } impl std::ops::Add for Model {}
         #[derive(LogicBlock)] struct V {} impl PartialEq for V {}",
    ),
    (
        Rule::OperatorOverload,
        "#[derive(LogicStruct)] struct P { a: Bits<4> } impl Shl<P> for Bits<4> {}",
        "impl Shl<Model> for Other {}",
    ),
    (
        Rule::Conversion,
        "#[derive(LogicState)] enum M { A } impl From<M> for Other {}",
        "impl From<Model> for Other {} #[derive(LogicBlock)] struct V {} impl From<u64> for V {}",
    ),
    (
        Rule::Conversion,
        "impl Into<Bits<3>> for Model {}",
        "impl TryFrom<Bits<3>> for Model {}",
    ),
    (
        Rule::RefusedUnit,
        "#[unit] mod u { struct U { pub a: In<Bit> } fn update(&mut self) { let x = self.a; } }",
        "#[unit] mod u { struct U { pub a: In<Bit> } fn update(&mut self) { let x: Bit = self.a; } }",
    ),
    (
        Rule::RefusedUnit,
        "#[unit] mod u { struct U { pub a: In<u32> } fn update(&mut self) {} }",
        "#[unit(name = \"v\")] mod u { struct U { pub a: In<Bits<4>> } fn update(&mut self) {} }",
    ),
    (
        Rule::Unreadable,
        "macro_rules! m { ($($t:tt)*) => { impl Logic for V { #[hdl_gen] $($t)* fn } }; }",
        "macro_rules! m { ($t:ty) => { impl Logic for $t { #[hdl_gen] fn update(&mut self) {} } }; }",
    ),
];

fn rules(source: &str) -> Vec<Rule> {
    check(source, "unit.rs").iter().map(|f| f.rule).collect()
}

#[test]
fn statements() {
    for (rule, broken, clean) in STATEMENTS {
        assert_eq!(rules(&block(broken, "")), [*rule], "{broken}");
        assert_eq!(rules(&block(clean, "")), [], "{clean}");
    }
}

#[test]
fn items() {
    let update = "comment!(\"a\"); self.on.next = self.a.val().any();
        self.o.next = self.a.val().into(); self.o.next = bits::<4>(3);";
    for (rule, broken, clean) in ITEMS {
        assert_eq!(rules(&block(update, broken)), [*rule], "{broken}");
        assert_eq!(rules(&block(update, clean)), [], "{clean}");
    }
}

// Lookalikes matter only where an update() uses them; models and testbenches
// beside a block have such methods and conversions, too.
#[test]
fn lookalikes_that_nobody_uses() {
    for (rule, items, _) in ITEMS {
        let unused = matches!(
            rule,
            Rule::MethodLookalike | Rule::Conversion | Rule::MacroLookalike
        );
        if unused {
            assert_eq!(
                rules(&block("self.o.next = 0.into();", items)),
                [],
                "{items}"
            );
        }
    }
}

// Every rule has a case here, and a row in the table of the documentation.
#[test]
fn no_rule_without_case_and_row() {
    let tried: HashSet<Rule> = STATEMENTS
        .iter()
        .map(|c| c.0)
        .chain(ITEMS.iter().map(|c| c.0))
        .collect();
    let documentation = include_str!("../../src/source/mod.rs");
    for rule in Rule::ALL {
        assert!(tried.contains(rule), "{rule} has no case");
        assert!(
            documentation.contains(&format!("//! | `{rule}` |")),
            "{rule} has no row"
        );
        assert!(!rule.why().is_empty() && !rule.instead().is_empty());
    }
    let rows = documentation
        .lines()
        .filter(|l| l.starts_with("//! | `"))
        .count();
    assert_eq!(rows, Rule::ALL.len());
}

// The blocks that are in use, and this crate, are clean.
#[test]
fn the_units_are_clean() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [here.join("../units/src"), here.join("src")] {
        let findings = check_dir(&folder).unwrap();
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}
