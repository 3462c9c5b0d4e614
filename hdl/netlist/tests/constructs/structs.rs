//! Structs: fields read and written, in arrays, flops and each other.

use crate::constructs::control::Sign;
use crate::support::{Flop, I, L, O};
use cotenant_netlist::hdl::*;

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Entry {
    pub valid: Bit,
    pub way: Bits<3>,
    pub tag: Bits<33>,
    pub kind: Sign,
}
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct Pair {
    first: Entry,
    second: Entry,
}

block!(Structs { clock: I<Clock>, reset: I<Bit>, v: I<Bit>, w: I<Bits<3>>, t: I<Bits<33>>;
    e: L<Entry>, line: [L<Entry>; 2], pair: L<Pair>, kept: Flop<Entry>,
    o: O<Bits<39>>, p: O<Bits<78>>, q: O<Bits<33>>, r: O<Bits<3>>, s: O<Bit>, u: O<Bits<3>> }
#[hdl_gen] fn update(&mut self) {
    clock!(self, clock, kept);
    self.kept.reset.next = self.reset.val();
    self.e.next.valid = self.v.val();
    self.e.next.way = self.w.val();
    self.e.next.tag = self.t.val();
    self.e.next.kind = Sign::Equal;
    if self.e.val().valid {
        self.e.next.kind = Sign::Greater;
        self.e.next.way = self.e.val().way + 1;
    }
    for i in 0..2 {
        self.line[i].next = self.e.val();
    }
    self.line[1].next.way = 6.into();
    self.pair.next.first = self.line[0].val();
    self.pair.next.second = self.line[1].val();
    self.kept.d.next = self.e.val();
    self.o.next = self.e.val().into();
    self.p.next = self.pair.val().into();
    self.q.next = self.kept.q.val().tag + 1;
    self.r.next = self.kept.q.val().way;
    self.s.next = self.kept.q.val().valid & (self.kept.q.val() == self.e.val());
    match self.kept.q.val().kind {
        Sign::Less => self.u.next = 4.into(),
        Sign::Equal => self.u.next = 2.into(),
        Sign::Greater => self.u.next = 1.into(),
    }
});

#[test]
fn structs() {
    everywhere!(Structs);
}
