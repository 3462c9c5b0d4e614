//! Arithmetic, comparisons and positions at the widths that matter.

use crate::support::{I, O};
use cotenant_netlist::hdl::*;

block!(Casts { a: I<Bits<8>>, w: I<Bits<40>>, v: I<Bits<100>>;
    up: O<Bits<32>>, over: O<Bits<33>>, far: O<Bits<200>>, down: O<Bits<5>>, into: O<Bits<32>>, same: O<Bits<40>>, low: O<Bits<64>> }
#[hdl_gen] fn update(&mut self) {
    self.up.next = bit_cast::<32, 8>(self.a.val());
    self.over.next = bit_cast::<33, 8>(self.a.val());
    self.far.next = bit_cast::<200, 40>(self.w.val());
    self.down.next = bit_cast::<5, 40>(self.w.val());
    self.into.next = bit_cast::<32, 100>(self.v.val());
    self.same.next = bit_cast::<40, 40>(self.w.val());
    self.low.next = bit_cast::<64, 100>(self.v.val());
});
block!(Sums { a: I<Bits<1>>, b: I<Bits<1>>, c: I<Bits<32>>, d: I<Bits<32>>, e: I<Bits<33>>, f: I<Bits<33>>,
    g: I<Bits<64>>, h: I<Bits<64>>, i: I<Bits<200>>, j: I<Bits<200>>, k: I<Bit>;
    o: O<Bits<1>>, p: O<Bits<32>>, q: O<Bits<33>>, r: O<Bits<64>>, s: O<Bits<200>>, t: O<Bits<200>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() + self.b.val();
    self.p.next = self.c.val() - self.d.val() + 7;
    self.q.next = 3 - self.e.val() + self.f.val();
    self.r.next = self.g.val() + self.h.val() - 1;
    self.s.next = self.i.val() + self.j.val() + self.k.val();
    self.t.next = self.i.val() - self.j.val();
});
block!(Bitwise { a: I<Bits<33>>, b: I<Bits<33>>, c: I<Bits<200>>, d: I<Bits<200>>, e: I<Bit>, f: I<Bit>;
    o: O<Bits<33>>, p: O<Bits<200>>, q: O<Bit>, r: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() & !self.b.val()) | (self.b.val() ^ 0x5a5a5a5a_u64);
    self.p.next = (self.c.val() ^ self.d.val()) & !(self.c.val() | 255);
    self.q.next = self.e.val() && !self.f.val() || self.a.val().any();
    self.r.next = (self.e.val() ^ self.f.val()) | (self.e.val() & self.f.val());
});
block!(Comparisons { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<65>>, d: I<Bits<65>>, e: I<Bits<128>>, f: I<Bits<128>>, g: I<Bit>, h: I<Bit>;
    o: O<Bits<6>>, p: O<Bits<6>>, q: O<Bits<6>>, r: O<Bits<6>>, s: O<Bits<2>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = 0.into();
    self.p.next = 0.into();
    self.q.next = 0.into();
    self.r.next = 0.into();
    self.s.next = 0.into();
    if self.a.val() == self.b.val() { self.o.next = self.o.val() | 1; }
    if self.a.val() != self.b.val() { self.o.next = self.o.val() | 2; }
    if self.a.val() < self.b.val() { self.o.next = self.o.val() | 4; }
    if self.a.val() <= self.b.val() { self.o.next = self.o.val() | 8; }
    if self.a.val() > self.b.val() { self.o.next = self.o.val() | 16; }
    if self.a.val() >= self.b.val() { self.o.next = self.o.val() | 32; }
    if self.c.val() == self.d.val() { self.p.next = self.p.val() | 1; }
    if self.c.val() != self.d.val() { self.p.next = self.p.val() | 2; }
    if self.c.val() < self.d.val() { self.p.next = self.p.val() | 4; }
    if self.c.val() <= self.d.val() { self.p.next = self.p.val() | 8; }
    if self.c.val() > self.d.val() { self.p.next = self.p.val() | 16; }
    if self.c.val() >= self.d.val() { self.p.next = self.p.val() | 32; }
    if self.e.val() == self.f.val() { self.q.next = self.q.val() | 1; }
    if self.e.val() < self.f.val() { self.q.next = self.q.val() | 2; }
    if self.e.val() >= self.f.val() { self.q.next = self.q.val() | 4; }
    if self.e.val() == 0 { self.q.next = self.q.val() | 8; }
    if self.e.val() > 3 { self.q.next = self.q.val() | 16; }
    if 5 < self.e.val() { self.q.next = self.q.val() | 32; }
    if self.a.val() == 255 { self.r.next = self.r.val() | 1; }
    if self.a.val() < 1 { self.r.next = self.r.val() | 2; }
    if self.a.val() <= 0 { self.r.next = self.r.val() | 4; }
    if self.a.val() >= 255 { self.r.next = self.r.val() | 8; }
    if 0 < self.a.val() { self.r.next = self.r.val() | 16; }
    if self.a.val() < 255 { self.r.next = self.r.val() | 32; }
    if self.g.val() == self.h.val() { self.s.next = self.s.val() | 1; }
    if self.g.val() != self.h.val() { self.s.next = self.s.val() | 2; }
});
block!(Reductions { a: I<Bits<1>>, b: I<Bits<5>>, c: I<Bits<32>>, d: I<Bits<33>>, e: I<Bits<200>>; o: O<Bits<15>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = 0.into();
    self.o.next = self.o.val().replace_bit(0, self.a.val().all());
    self.o.next = self.o.val().replace_bit(1, self.a.val().any());
    self.o.next = self.o.val().replace_bit(2, self.a.val().xor());
    self.o.next = self.o.val().replace_bit(3, self.b.val().all());
    self.o.next = self.o.val().replace_bit(4, self.b.val().any());
    self.o.next = self.o.val().replace_bit(5, self.b.val().xor());
    self.o.next = self.o.val().replace_bit(6, self.c.val().all());
    self.o.next = self.o.val().replace_bit(7, self.c.val().any());
    self.o.next = self.o.val().replace_bit(8, self.c.val().xor());
    self.o.next = self.o.val().replace_bit(9, self.d.val().all());
    self.o.next = self.o.val().replace_bit(10, self.d.val().any());
    self.o.next = self.o.val().replace_bit(11, self.d.val().xor());
    self.o.next = self.o.val().replace_bit(12, self.e.val().all());
    self.o.next = self.o.val().replace_bit(13, self.e.val().any());
    self.o.next = self.o.val().replace_bit(14, self.e.val().xor());
});
block!(Product { a: I<Bits<16>>, b: I<Bits<16>>; o: O<Bits<32>>, p: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() * self.b.val();
    self.p.next = (self.a.val() * self.a.val()).get_bits::<8>(12);
});

#[test]
fn widths() {
    everywhere!(Casts, Sums, Bitwise, Comparisons, Reductions, Product);
}

block!(Slices { a: I<Bits<8>>, w: I<Bits<100>>, s: I<Bits<3>>, t: I<Bits<6>>;
    o: O<Bits<3>>, p: O<Bits<8>>, q: O<Bits<40>>, r: O<Bits<8>>, u: O<Bits<4>>, v: O<Bits<33>>, x: O<Bits<1>>, none: O<Bits<2>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val().get_bits::<3>(2);
    // Past the end: zeros.
    self.p.next = self.a.val().get_bits::<8>(5);
    self.none.next = self.a.val().get_bits::<2>(8);
    self.q.next = self.w.val().get_bits::<40>(30);
    self.r.next = self.w.val().get_bits::<8>(self.t.val().index());
    self.u.next = self.a.val().get_bits::<4>(self.s.val().index());
    self.v.next = self.w.val().get_bits::<33>(self.t.val().index());
    self.x.next = self.w.val().get_bits::<1>(99);
});
block!(SingleBits { a: I<Bits<8>>, w: I<Bits<64>>, s: I<Bits<3>>, t: I<Bits<6>>, v: I<Bit>;
    o: O<Bit>, p: O<Bit>, q: O<Bits<8>>, r: O<Bits<64>>, u: O<Bits<8>>, x: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val().get_bit(7) ^ self.w.val().get_bit(63);
    self.p.next = self.a.val().get_bit(self.s.val().index());
    self.q.next = self.a.val().replace_bit(self.s.val().index(), self.v.val());
    self.r.next = self.w.val().replace_bit(self.t.val().index(), !self.v.val()).replace_bit(0, self.v.val());
    self.u.next = (self.a.val() + 1).replace_bit(3, self.a.val().get_bit(self.s.val().index()));
    self.x.next = self.w.val().get_bit(self.t.val().index());
});
block!(Shifts { a: I<Bits<8>>, w: I<Bits<65>>, s: I<Bits<5>>, t: I<Bits<8>>;
    o: O<Bits<8>>, p: O<Bits<8>>, q: O<Bits<65>>, r: O<Bits<65>>, u: O<Bits<8>>, v: O<Bits<65>>, x: O<Bits<64>>, y: O<Bits<8>>, z: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() << 3;
    self.p.next = (self.a.val() >> 3) | (self.a.val() << 8) | (self.a.val() >> 70);
    self.q.next = self.w.val() << self.t.val();
    self.r.next = self.w.val() >> self.s.val();
    self.u.next = self.a.val() << self.s.val();
    self.v.next = (self.w.val() >> 64) | (self.w.val() << 64);
    // A shifted integer has 64 bits.
    self.x.next = 1 << self.t.val();
    self.y.next = bit_cast::<8, 64>(5 << self.s.val());
    self.z.next = bit_cast::<8, 64>(0xff00 >> self.s.val());
});

#[test]
fn positions_and_shifts() {
    everywhere!(Slices, SingleBits, Shifts);
}
