//! Interfaces: joined, linked, in arrays, through a wrapper.

use crate::support::ports::Port;
use crate::support::{I, O};
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

#[derive(LogicInterface, Default)]
#[join = "Sink"]
struct Source {
    data: O<Bits<8>>,
    valid: O<Bit>,
    ready: I<Bit>,
}
#[derive(LogicInterface, Default)]
#[join = "Source"]
struct Sink {
    data: I<Bits<8>>,
    valid: I<Bit>,
    ready: O<Bit>,
}
impl Port for Sink {
    fn poke(&mut self, rest: &str, value: &BigUint) -> bool {
        match rest {
            "data" => self.data.poke("", value),
            "valid" => self.valid.poke("", value),
            _ => false,
        }
    }
}
#[derive(LogicBlock, Default)]
struct Producer {
    a: I<Bits<8>>,
    bus: Source,
    taken: O<Bits<8>>,
}
impl Logic for Producer {
    #[hdl_gen]
    fn update(&mut self) {
        self.bus.data.next = self.a.val() + 1;
        self.bus.valid.next = self.a.val().get_bit(0);
        self.taken.next = 0.into();
        if self.bus.ready.val() {
            self.taken.next = self.a.val();
        }
    }
}
#[derive(LogicBlock, Default)]
struct Consumer {
    b: I<Bits<8>>,
    bus: Sink,
    got: O<Bits<8>>,
}
impl Logic for Consumer {
    #[hdl_gen]
    fn update(&mut self) {
        self.bus.ready.next = self.b.val().get_bit(1);
        self.got.next = self.b.val();
        if self.bus.valid.val() {
            self.got.next = self.bus.data.val();
        }
    }
}
#[derive(LogicBlock, Default)]
struct Wrapped {
    a: I<Bits<8>>,
    bus: Source,
    inner: Producer,
    taken: O<Bits<8>>,
}
impl Logic for Wrapped {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.a.next = self.a.val();
        Source::link(&mut self.bus, &mut self.inner.bus);
        self.taken.next = self.inner.taken.val();
    }
}
block!(Joined { a: I<Bits<8>>, b: I<Bits<8>>, from: Sink; from_wrapped: Wrapped, from_plain: [Producer; 2], to: [Consumer; 3],
    last: Consumer, got: [O<Bits<8>>; 4], taken: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    Source::join(&mut self.from_wrapped.bus, &mut self.to[0].bus);
    for i in 0..2 {
        Source::join(&mut self.from_plain[i].bus, &mut self.to[i + 1].bus);
        self.from_plain[i].a.next = self.a.val() + i.to_bits::<8>();
    }
    self.from_wrapped.a.next = self.a.val();
    Sink::link(&mut self.from, &mut self.last.bus);
    self.last.b.next = self.b.val();
    for i in 0..3 {
        self.to[i].b.next = self.b.val();
        self.got[i].next = self.to[i].got.val();
    }
    self.got[3].next = self.last.got.val();
    self.taken.next = self.from_wrapped.taken.val() ^ self.from_plain[0].taken.val() ^ self.from_plain[1].taken.val();
});

#[test]
fn interfaces() {
    everywhere!(Joined);
}
