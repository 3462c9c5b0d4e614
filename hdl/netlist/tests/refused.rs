//! The table of what is refused.
//!
//! Rationale: a list of what a tool cannot do grows old unseen. Each row is a block that is refused
//! here, and the hint is the one that its user gets.
// A match with an empty arm is what is refused.
#![allow(clippy::single_match)]

use crate::support::{Flop, I, L, O};
use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;

/// A block with two byte inputs, one byte output and the given extra fields.
macro_rules! bytes {
    ($name:ident { $($field:ident : $ty:ty),* } $($update:tt)*) => {
        #[derive(LogicBlock, Default)]
        struct $name { a: I<Bits<8>>, b: I<Bits<8>>, o: O<Bits<8>>, $($field: $ty),* }
        impl Logic for $name {
            $($update)*
        }
    };
}

bytes!(Latch {}
#[hdl_gen] fn update(&mut self) {
    if self.a.val().any() { self.o.next = self.b.val(); }
});
bytes!(Early { t: L<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.t.val();
    self.t.next = self.a.val() & self.b.val();
});

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

bytes!(Loop { x: Invert, y: Invert }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.y.o.val();
    self.y.a.next = self.x.o.val();
    self.o.next = self.y.o.val();
});
bytes!(TwoDrivers {}
#[hdl_gen] fn update(&mut self) {
    self.a.next = self.b.val();
    self.o.next = self.b.val();
});
bytes!(Undriven { x: Invert }
#[hdl_gen] fn update(&mut self) { self.o.next = self.x.o.val(); });
bytes!(ChildInput { x: Invert }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.a.val();
    self.o.next = self.x.a.val() & self.x.o.val();
});

#[derive(LogicBlock, Default)]
struct ConstGeneric<const LIMIT: usize> {
    a: I<Bits<8>>,
    o: O<Bits<4>>,
}
impl<const LIMIT: usize> Logic for ConstGeneric<LIMIT> {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bits::<4>(LIMIT);
    }
}

bytes!(SignalIndex { words: [I<Bits<8>>; 4], at: I<Bits<2>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.words[self.at.val().index()].val();
});
bytes!(IndexArithmetic {}
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val().get_bit(self.b.val().index() + 1) { self.o.next = self.a.val(); }
});
bytes!(PastTheEnd {}
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val().get_bit(8) { self.o.next = self.a.val(); }
});
bytes!(TooLarge {}
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val() == 300 { self.o.next = self.a.val(); }
});
bytes!(LoopWidth { n: L<Bits<3>> }
#[hdl_gen] fn update(&mut self) {
    self.n.next = 0.into();
    self.o.next = self.b.val();
    for n in 0..4 { if self.a.val().get_bit(n) { self.o.next = self.a.val(); } }
});
bytes!(Untyped {}
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.b.val();
    if self.a.val() == !0 { self.o.next = self.a.val(); }
});

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
struct HandWritten {
    part: ByHand,
    o: O<Bit>,
}
impl Logic for HandWritten {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.part.o.val();
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
fn told(construct: &str, mut block: impl Block) -> String {
    block.connect_all();
    let error = elaborate(&block, "top");
    let error = error.expect_err(construct).to_string();
    format!("| {construct} | {} |\n", crate::tables::cell(&error))
}

#[test]
fn the_table_has_what_is_refused() {
    let rows = [
        told("a signal that some path does not assign", Latch::default()),
        told("reading a signal before it is assigned", Early::default()),
        told("a loop without a flop", Loop::default()),
        told(
            "assigning what something else drives",
            TwoDrivers::default(),
        ),
        told(
            "an input of a part that is not assigned",
            Undriven::default(),
        ),
        told("reading a part's input", ChildInput::default()),
        told(
            "a const generic in an expression",
            ConstGeneric::<3>::default(),
        ),
        told(
            "an array of signals, indexed by a signal",
            SignalIndex::default(),
        ),
        told("arithmetic in a position", IndexArithmetic::default()),
        told("a position outside of the signal", PastTheEnd::default()),
        told("an integer that does not fit", TooLarge::default()),
        told("an integer of unknown width", Untyped::default()),
        told("a loop variable named as a field", LoopWidth::default()),
        told("signed values", SignedPort::default()),
        told("bidirectional ports", Bidirectional::default()),
        told("a block without `#[hdl_gen]`", WithoutHdlGen::default()),
        told(
            "a part with Verilog written by hand",
            HandWritten::default(),
        ),
        told("two clocks", TwoClocks::default()),
        told("a gated clock", GatedClock::default()),
    ];
    let head = "| construct | what the error says |\n|---|---|\n".to_string();
    crate::tables::check("refused", &(head + &rows.concat()));
}
