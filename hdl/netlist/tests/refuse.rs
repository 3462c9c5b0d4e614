//! What the elaborator refuses, and that it names block and signal.
//!
//! Rationale: each of these compiles as Rust and either has no hardware
//! meaning or means something else in Verilog. One block per rule, and beside
//! the critical ones a neighbour that is fine and must be accepted. A list of what a tool cannot do
//! grows old unseen: the README's is what these blocks are told.
// A match with an empty arm is what is refused.
#![allow(clippy::single_match)]

use crate::support::{Flop, I, L, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, Error, Netlist, Warning};

fn build<B: Block>(mut block: B) -> Result<Netlist, Error> {
    block.connect_all();
    elaborate(&block, "top")
}

#[track_caller]
fn refused<B: Block>(block: B) -> String {
    build(block).expect_err("must be refused").to_string()
}

/// A block with two byte inputs, one byte output and the given extra fields.
macro_rules! block {
    ($name:ident { $($field:ident : $ty:ty),* } $($update:tt)*) => {
        #[derive(LogicBlock, Default)]
        struct $name { a: I<Bits<8>>, b: I<Bits<8>>, o: O<Bits<8>>, $($field: $ty),* }
        impl Logic for $name {
            $($update)*
        }
    };
}

block!(Latch {} #[hdl_gen] fn update(&mut self) { if self.a.val().any() { self.o.next = self.b.val(); } });
block!(LatchInMatch {} #[hdl_gen] fn update(&mut self) {
    match self.a.val().get_bit(0) {
        true => { self.o.next = self.b.val(); }
        _ => {}
    }
});
block!(NoLatch {} #[hdl_gen] fn update(&mut self) {
    if self.a.val().any() { self.o.next = self.b.val(); } else { self.o.next = self.a.val(); }
});

#[test]
fn a_path_without_assignment_is_a_latch() {
    assert_eq!(
        refused(Latch::default()),
        "top: 'o' is not assigned on every path: it would be a latch; assign a default first"
    );
    assert!(matches!(
        build(LatchInMatch::default()),
        Err(Error::Latch { .. })
    ));
    assert!(build(NoLatch::default()).is_ok());
}

block!(Early { t: L<Bits<8>> } #[hdl_gen] fn update(&mut self) {
    self.o.next = self.t.val();
    self.t.next = self.a.val() & self.b.val();
});

#[test]
fn reading_before_assigning_is_refused() {
    assert_eq!(
        refused(Early::default()),
        "top: 't' is read before it is assigned on every path: assign it first"
    );
}

#[derive(LogicBlock, Default)]
struct Invert {
    a: I<Bits<8>>,
    o: O<Bits<8>>,
}
impl Logic for Invert {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.a.val();
    }
}

block!(Loop { x: Invert, y: Invert } #[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.y.o.val() & self.a.val() & self.b.val();
    self.y.a.next = self.x.o.val();
    self.o.next = self.y.o.val();
});
// Bit i of the chain depends on bit i - 1 only: no loop, though the signal
// passes through the same blocks again.
block!(BitwiseAcyclic { x: Invert } #[hdl_gen] fn update(&mut self) {
    self.x.a.next = (self.x.o.val() << 1) | bit_cast::<8, 1>(self.a.val().get_bits::<1>(0));
    self.o.next = self.x.o.val() ^ self.b.val() ^ self.a.val();
});

#[test]
fn combinational_loops_are_refused_by_bit() {
    let text = refused(Loop::default());
    assert!(text.starts_with("combinational loop: "), "{text}");
    assert!(
        text.contains("top.x.a") && text.contains("top.y.o"),
        "{text}"
    );
    assert!(build(BitwiseAcyclic::default()).is_ok());
}

block!(DrivesInput {} #[hdl_gen] fn update(&mut self) { self.a.next = self.b.val(); self.o.next = self.b.val(); });
block!(DrivesChild { x: Invert } #[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.a.val();
    self.x.o.next = self.b.val();
    self.o.next = self.x.o.val();
});
block!(Undriven { x: Invert } #[hdl_gen] fn update(&mut self) { self.o.next = self.x.o.val() & self.a.val() & self.b.val(); });
block!(UndrivenOutput { p: O<Bit> } #[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() & self.b.val(); });
block!(UndrivenLocal { t: L<Bits<8>> } #[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() & self.b.val() & self.t.val(); });

#[test]
fn drivers_are_counted() {
    let two = refused(DrivesInput::default());
    assert!(
        two.contains("top: 'a' has two drivers: the parent"),
        "{two}"
    );
    let two = refused(DrivesChild::default());
    assert!(
        two.contains("top: 'x.o' has two drivers: the child"),
        "{two}"
    );
    for (block, signal) in [
        (build(Undriven::default()), "x.a"),
        (build(UndrivenOutput::default()), "p"),
        (build(UndrivenLocal::default()), "t"),
    ] {
        let text = block.expect_err("must be refused").to_string();
        assert!(
            text.contains(&format!("top: '{signal}' is never driven")),
            "{text}"
        );
    }
}

#[derive(LogicBlock, Default)]
struct Generic<const K: usize> {
    a: I<Bits<8>>,
    o: O<Bits<4>>,
}
impl<const K: usize> Logic for Generic<K> {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bits::<4>(K);
    }
}

#[test]
fn unknown_names_say_what_they_may_be() {
    let text = refused(Generic::<3>::default());
    assert!(text.starts_with("top: unknown name 'K'"), "{text}");
    assert!(text.contains("const generics"), "{text}");
}

#[derive(LogicBlock, Default)]
struct Dynamic {
    a: [I<Bits<8>>; 4],
    s: I<Bits<2>>,
    o: O<Bits<8>>,
}
impl Logic for Dynamic {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a[self.s.val().index()].val();
    }
}

#[test]
fn dynamic_array_index_is_refused() {
    assert!(matches!(
        build(Dynamic::default()),
        Err(Error::DynamicArrayIndex { signal, .. }) if signal.contains('a')
    ));
}

block!(Wide {} #[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val() == 300 { self.o.next = self.a.val(); }
});
block!(Shadow { i: L<Bits<3>> } #[hdl_gen] fn update(&mut self) {
    self.i.next = 0.into();
    self.o.next = self.b.val();
    for i in 0..4 { if self.a.val().get_bit(i) { self.o.next = self.a.val(); } }
});
block!(ChildInput { x: Invert } #[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.a.val();
    self.o.next = self.x.a.val() & self.x.o.val() & self.b.val();
});
block!(IndexArithmetic {} #[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val().get_bit(self.b.val().index() + 1) { self.o.next = self.a.val(); }
});
block!(PastTheEnd {} #[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val().get_bit(8) { self.o.next = self.a.val(); }
});
block!(InvertedInteger {} #[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val() == !0 { self.o.next = self.a.val(); }
});

#[test]
fn integers_must_fit_and_positions_exist() {
    assert_eq!(
        refused(Wide::default()),
        "top: 300 does not fit into 8 bits"
    );
    assert!(refused(Shadow::default()).contains("'i' as both loop variable and field"));
    assert!(refused(ChildInput::default()).contains("reading 'x.a', an input of a child"));
    assert!(refused(IndexArithmetic::default()).contains("arithmetic on signals in the position"));
    assert!(refused(PastTheEnd::default()).contains("bit 8 of 'a', which has 8 bits"));
    assert!(refused(InvertedInteger::default()).contains("untyped '0'"));
}

#[derive(LogicBlock, Default)]
struct SignedPort {
    a: I<Signed<8>>,
    o: O<Signed<8>>,
}
impl Logic for SignedPort {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
    }
}

#[derive(LogicBlock, Default)]
struct ByHand {
    o: O<Bit>,
}
impl Logic for ByHand {
    fn update(&mut self) {
        self.o.next = true;
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign o = 1;".into())
    }
}

#[derive(LogicBlock, Default)]
struct HasByHand {
    x: ByHand,
    o: O<Bit>,
}
impl Logic for HasByHand {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.x.o.val();
    }
}

#[derive(LogicBlock, Default)]
struct TwoClocks {
    clock: I<Clock>,
    other: I<Clock>,
    reset: I<Bit>,
    o: O<Bit>,
    x: Flop<Bit>,
}
impl Logic for TwoClocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.clock.next = self.other.val();
        self.x.reset.next = self.reset.val();
        self.x.d.next = !self.x.q.val();
        self.o.next = self.x.q.val();
    }
}

#[test]
fn what_has_no_exact_meaning_is_unsupported() {
    assert!(refused(SignedPort::default()).contains("Signed 'a'"));
    assert!(refused(HasByHand::default()).contains("top.x: hand-written Verilog is not supported"));
    assert!(refused(ByHand::default()).contains("without #[hdl_gen]"));
    assert!(refused(TwoClocks::default()).contains("two clocks, 'clock' and 'other'"));
}

block!(Unread { t: L<Bits<8>> } #[hdl_gen] fn update(&mut self) {
    self.t.next = self.a.val() + self.b.val();
    self.o.next = self.a.val() | bit_cast::<8, 4>(self.b.val().get_bits::<4>(2));
});

#[test]
fn unread_signals_are_warned_about_by_bit() {
    let netlist = build(Unread::default()).expect("is legal");
    let unread = |signal: &str, bits: Option<&str>| Warning::Unread {
        block: "top".into(),
        signal: signal.into(),
        bits: bits.map(String::from),
    };
    assert_eq!(netlist.warnings, [unread("t", None)]);
}

/// The same with the unread local declared.
#[derive(LogicBlock)]
struct Declared {
    a: I<Bits<8>>,
    o: O<Bits<4>>,
    about: cotenant_netlist::About,
}
impl Logic for Declared {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bits::<4>(2);
    }
}

#[test]
fn a_declared_unread_signal_is_no_warning() {
    let declared = |about| Declared {
        a: Default::default(),
        o: Default::default(),
        about,
    };
    let silent = build(declared(
        cotenant_netlist::About::new("declared").unused("a"),
    ));
    assert_eq!(silent.expect("is legal").warnings, []);
    let loud = build(declared(cotenant_netlist::About::new("declared"))).expect("is legal");
    assert_eq!(
        loud.warnings
            .iter()
            .map(|w| w.to_string())
            .collect::<Vec<_>>(),
        ["top: 'a'[7:6][1:0] is never read: use it, drop it, or say About::unused(\"a\")"]
    );
}

#[derive(LogicBlock, Default)]
struct LongNames {
    an_array_of_signals_whose_name_alone_takes_most_of_a_line_of_source_text: [I<Bits<8>>; 4],
    another_one_that_makes_the_expression_too_long_for_any_one_line_of_text: O<Bits<8>>,
}
impl Logic for LongNames {
    #[hdl_gen]
    fn update(&mut self) {
        self.another_one_that_makes_the_expression_too_long_for_any_one_line_of_text
            .next = 0.into();
        for an_index_with_a_long_name in 0..2 {
            self.another_one_that_makes_the_expression_too_long_for_any_one_line_of_text
                .next = self
                .another_one_that_makes_the_expression_too_long_for_any_one_line_of_text
                .val()
                ^ self.an_array_of_signals_whose_name_alone_takes_most_of_a_line_of_source_text
                    [an_index_with_a_long_name
                        + an_index_with_a_long_name
                        + an_index_with_a_long_name
                        - an_index_with_a_long_name]
                    .val();
        }
    }
}

// rustc breaks the text of long token sequences over lines; the AST has it so.
#[test]
fn names_broken_over_lines_are_known() {
    let netlist = build(LongNames::default()).expect("is legal");
    assert_eq!(netlist.warnings.len(), 2, "{:?}", netlist.warnings);
}

#[derive(LogicBlock, Default)]
struct Bidirectional {
    pin: Signal<InOut, Bit>,
    o: O<Bit>,
}
impl Logic for Bidirectional {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.pin.val();
    }
}

#[derive(LogicBlock, Default)]
struct WithoutHdlGen {
    o: O<Bit>,
}
impl Logic for WithoutHdlGen {
    fn update(&mut self) {
        self.o.next = true;
    }
}

#[derive(LogicBlock, Default)]
struct GatedClock {
    clock: I<Clock>,
    reset: I<Bit>,
    enable: I<Bit>,
    o: O<Bit>,
    x: Flop<Bit>,
}
impl Logic for GatedClock {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.reset.next = self.reset.val();
        self.x.d.next = !self.x.q.val();
        self.o.next = self.x.q.val();
        if self.enable.val() {
            self.x.clock.next = self.clock.val();
        }
    }
}

/// What the user of a block is told.
fn told(construct: &str, block: impl Block) -> String {
    format!(
        "| {construct} | {} |
",
        crate::tables::cell(&refused(block))
    )
}

#[test]
fn the_table_has_what_is_refused() {
    let rows = [
        told("a signal that some path does not assign", Latch::default()),
        told("reading a signal before it is assigned", Early::default()),
        told("a loop without a flop", Loop::default()),
        told(
            "assigning what something else drives",
            DrivesInput::default(),
        ),
        told(
            "an input of a part that is not assigned",
            Undriven::default(),
        ),
        told("reading a part's input", ChildInput::default()),
        told("a const generic in an expression", Generic::<3>::default()),
        told(
            "an array of signals, indexed by a signal",
            Dynamic::default(),
        ),
        told("arithmetic in a position", IndexArithmetic::default()),
        told("a position outside of the signal", PastTheEnd::default()),
        told("an integer that does not fit", Wide::default()),
        told("an integer of unknown width", InvertedInteger::default()),
        told("a loop variable named as a field", Shadow::default()),
        told("signed values", SignedPort::default()),
        told("bidirectional ports", Bidirectional::default()),
        told("a block without `#[hdl_gen]`", WithoutHdlGen::default()),
        told("a part with Verilog written by hand", HasByHand::default()),
        told("two clocks", TwoClocks::default()),
        told("a gated clock", GatedClock::default()),
    ];
    let head = "| construct | what the error says |\n|---|---|\n".to_string();
    crate::tables::check("refused", &(head + &rows.concat()));
}
