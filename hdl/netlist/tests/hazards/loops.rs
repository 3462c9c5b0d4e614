//! Combinational loops are those of bits, not of signals.

use crate::hazards::built;
use crate::hazards::traps::Invert;
use crate::hazards::VECTORS;
use crate::support::agree::agree;
use crate::support::{exported, I, L, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::Error;

// A path through one wide signal, across blocks, that is no loop for
// any bit: by shifting, and by halves. One bit further is a loop, and so is
// one by carries: a simulator with X would never leave it.
block!(AcrossBlocks { a: I<Bits<8>>; x: Invert, y: Invert, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = (self.y.o.val() << 1) | bit_cast::<8, 1>(self.a.val().get_bits::<1>(0));
    self.y.a.next = self.x.o.val() ^ self.a.val();
    self.o.next = self.y.o.val();
});
block!(HalfOnHalf { a: I<Bits<8>>; x: Invert, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = (self.x.o.val() << 4) | (self.a.val() & 15);
    self.o.next = self.x.o.val();
});
// Many uses of one signal: each bit is looked at once.
block!(Folded { a: I<Bits<64>>; t: L<Bits<64>>, x: Wide, o: O<Bits<64>> }
#[hdl_gen] fn update(&mut self) {
    self.t.next = (self.x.o.val() << 1) ^ self.a.val();
    for i in 1..40 {
        self.t.next = self.t.val() ^ (self.t.val() << i);
    }
    self.x.a.next = self.t.val();
    self.o.next = self.x.o.val();
});
block!(Carries { a: I<Bits<8>>; x: Invert, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = (self.x.o.val() << 1) + self.a.val();
    self.o.next = self.x.o.val();
});
#[derive(LogicBlock, Default)]
struct Wide {
    a: I<Bits<64>>,
    o: O<Bits<64>>,
}
impl Logic for Wide {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.a.val();
    }
}
block!(Rotated { a: I<Bits<8>>; x: Invert, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = (self.x.o.val() << 1) | (self.x.o.val() >> 7) | self.a.val();
    self.o.next = self.x.o.val();
});

#[test]
fn loops_are_those_of_bits() {
    let runs = [
        agree("across_blocks", AcrossBlocks::default(), VECTORS),
        agree("half_on_half", HalfOnHalf::default(), VECTORS),
        agree("folded", Folded::default(), 50),
    ];
    exported::agrees(&runs);
    for refused in [built::<Rotated>(), built::<Carries>()] {
        let Err(Error::CombinationalLoop { cycle }) = refused else {
            panic!("a loop of bits")
        };
        assert!(cycle.iter().all(|s| s.ends_with(']')), "{cycle:?}");
    }
}
