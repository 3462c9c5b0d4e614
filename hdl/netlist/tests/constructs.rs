//! Every construct of the subset, against rust-hdl's own `update()`.
//!
//! Rationale: the elaborator reads an AST that leaves out much of the Rust it
//! stands for; what a construct means is decided by running it. One block a
//! construct, at the widths where representations change (1, 32 and 33, 64
//! and 65, 128 and beyond), with random and extreme inputs; every named signal
//! below the block is compared in each cycle, in each simulator, and every
//! output in Icarus.

#[macro_use]
mod support;

use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;
use support::agree::{agree, Run};
use support::ports::Port;
use support::{exported, lint, Flop, Memory, I, L, O};

const CYCLES: usize = 200;

/// Runs blocks everywhere; each is named after its type.
macro_rules! everywhere {
    ($($block:ident),* $(,)?) => {{
        let runs: Vec<Run> = vec![$(agree(&stringify!($block).to_lowercase(), $block::default(), CYCLES)),*];
        exported::agrees(&runs);
        lint::clean(&runs);
        runs
    }};
}

// ---- widths ----

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

// ---- positions ----

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

// ---- control ----

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Idle,
    Load,
    Run,
    Drain,
    Done,
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Sign {
    Less,
    Equal,
    Greater,
}

block!(Branches { a: I<Bits<4>>, b: I<Bits<4>>, c: I<Bit>; o: O<Bits<4>>, p: O<Bits<4>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = 0.into();
    if self.a.val() == 3 {
        self.o.next = 1.into();
    } else if self.a.val() > 9 {
        if self.c.val() {
            self.o.next = self.b.val();
        }
    } else if self.c.val() {
        self.o.next = self.a.val() + self.b.val();
    } else {
        self.o.next = 15.into();
    }
    if !self.c.val() {
        self.p.next = self.o.val();
    } else {
        self.p.next = !self.o.val();
    }
});
block!(Matching { a: I<Bits<4>>, b: I<Bits<2>>, c: I<Bit>; o: O<Bits<4>>, p: O<Bits<4>>, q: O<Bits<4>>, r: O<Bits<4>>, sign: L<Sign>, s: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.a.val().index() {
        0 => self.o.next = 5.into(),
        7 => { self.o.next = self.a.val() + 1; }
        0xf => self.o.next = 1.into(),
        _ => self.o.next = self.a.val(),
    }
    self.p.next = 0.into();
    match self.b.val().index() {
        1 => {}
        2 => {
            match self.c.val() {
                true => self.p.next = 3.into(),
                false => self.p.next = 4.into(),
            }
        }
        _ => { if self.c.val() { self.p.next = 9.into(); } }
    }
    match self.c.val() {
        false => self.q.next = 6.into(),
        true => self.q.next = self.p.val(),
    }
    if self.a.val() < 5 {
        self.sign.next = Sign::Less;
    } else if self.a.val() == 5 {
        self.sign.next = Sign::Equal;
    } else {
        self.sign.next = Sign::Greater;
    }
    match self.sign.val() {
        Sign::Greater => self.r.next = 1.into(),
        Sign::Less => self.r.next = 2.into(),
        Sign::Equal => self.r.next = 3.into(),
    }
    self.s.next = self.sign.val() == Sign::Equal;
});
block!(Machine { clock: I<Clock>, reset: I<Bit>, go: I<Bit>, n: I<Bits<3>>; state: Flop<State>, count: Flop<Bits<3>>, busy: O<Bit>, code: O<Bits<3>> }
#[hdl_gen] fn update(&mut self) {
    clock!(self, clock, state, count);
    self.state.reset.next = self.reset.val();
    self.count.reset.next = self.reset.val();
    self.state.d.next = self.state.q.val();
    self.count.d.next = self.count.q.val();
    self.busy.next = true;
    match self.state.q.val() {
        State::Idle => {
            self.busy.next = false;
            if self.go.val() {
                self.state.d.next = State::Load;
            }
        }
        State::Load => {
            self.count.d.next = self.n.val();
            self.state.d.next = State::Run;
        }
        State::Run => {
            if self.count.q.val() == 0 {
                self.state.d.next = State::Drain;
            } else {
                self.count.d.next = self.count.q.val() - 1;
            }
        }
        State::Drain => self.state.d.next = State::Done,
        _ => { self.state.d.next = State::Idle; }
    }
    self.code.next = self.state.q.val().into();
});

#[test]
fn control() {
    everywhere!(Branches, Matching, Machine);
}

// ---- loops and arrays ----

block!(Loops { a: I<Bits<16>>, r: [I<Bits<6>>; 5]; m: [[L<Bits<6>>; 3]; 4], o: [O<Bits<6>>; 4], p: O<Bits<5>>, q: O<Bits<16>>, s: O<Bits<6>> }
#[hdl_gen] fn update(&mut self) {
    // A loop that starts late, with arithmetic in the subscripts.
    self.o[0].next = self.r[4].val();
    for i in 1..4 {
        self.o[i].next = self.r[i - 1].val() + self.r[i + 1].val() + self.o[i - 1].val();
    }
    self.p.next = 0.into();
    for k in 2..14 {
        if self.a.val().get_bit(k) {
            self.p.next = self.p.val() + 1;
        }
    }
    for i in 0..4 {
        for j in 0..3 {
            self.m[i][j].next = self.r[(i + 2 * j) % 5].val() + i.to_bits::<6>();
        }
    }
    self.s.next = 0.into();
    for i in 1..3 {
        for j in 1..3 {
            self.s.next = self.s.val() ^ self.m[i][j].val() ^ self.m[3 - i][2 - j].val();
        }
    }
    self.s.next = self.s.val() ^ self.m[0][0].val() ^ self.m[3][2].val();
    // Reversed bits.
    self.q.next = 0.into();
    for i in 0..16 {
        self.q.next = self.q.val().replace_bit(15 - i, self.a.val().get_bit(i));
    }
    // A loop without turns.
    for i in 3..3_usize {
        self.p.next = i.to_bits::<5>();
    }
});
block!(LoopShifts { a: I<Bits<8>>; o: O<Bits<8>>, p: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = 0.into();
    for i in 0..8 {
        self.o.next = self.o.val() ^ (self.a.val() >> i);
    }
    self.p.next = 0.into();
    for i in 0..7 {
        if self.a.val() > i { self.p.next = self.p.val() + (self.a.val() & (3 << i)); }
    }
});

#[derive(LogicBlock, Default)]
struct Line {
    clock: I<Clock>,
    reset: I<Bit>,
    d: [I<Bits<5>>; 3],
    cell: [Flop<Bits<5>>; 3],
    q: [O<Bits<5>>; 3],
}
impl Logic for Line {
    #[hdl_gen]
    fn update(&mut self) {
        for j in 0..3 {
            self.cell[j].clock.next = self.clock.val();
            self.cell[j].reset.next = self.reset.val();
            self.cell[j].d.next = self.d[j].val() ^ self.cell[(j + 1) % 3].q.val();
            self.q[j].next = self.cell[j].q.val();
        }
    }
}
block!(Grid { clock: I<Clock>, reset: I<Bit>, a: [I<Bits<5>>; 2]; row: [Line; 2], count: [[Flop<Bits<5>>; 3]; 2], o: [O<Bits<5>>; 6] }
#[hdl_gen] fn update(&mut self) {
    for i in 0..2 {
        self.row[i].clock.next = self.clock.val();
        self.row[i].reset.next = self.reset.val();
        for j in 0..3 {
            self.row[i].d[j].next = self.a[i].val() + j.to_bits::<5>();
            self.count[i][j].clock.next = self.clock.val();
            self.count[i][j].reset.next = self.reset.val();
            self.count[i][j].d.next = self.count[1 - i][2 - j].q.val() + self.row[i].q[j].val();
            self.o[3 * i + j].next = self.count[i][j].q.val();
        }
    }
});

#[test]
fn loops_and_arrays() {
    everywhere!(Loops, LoopShifts, Grid);
}

#[derive(LogicBlock, Default)]
struct Stage {
    a: I<Bits<8>>,
    o: O<Bits<8>>,
}
impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val() + 3;
    }
}
/// Longer than the call stack would be deep.
const STAGES: usize = 3000;
#[derive(LogicBlock)]
struct Chain {
    a: I<Bits<8>>,
    stage: Vec<Stage>,
    o: O<Bits<8>>,
}
impl Default for Chain {
    fn default() -> Self {
        let stage = (0..STAGES).map(|_| Stage::default()).collect();
        Chain { a: Default::default(), stage, o: Default::default() }
    }
}
impl Logic for Chain {
    #[hdl_gen]
    fn update(&mut self) {
        self.stage[0].a.next = self.a.val();
        for i in 1..STAGES {
            self.stage[i].a.next = self.stage[i - 1].o.val();
        }
        self.o.next = self.stage[2999].o.val();
    }
}
ports!(Chain { a });

#[test]
fn long_chains_of_blocks() {
    agree("chain", Chain::default(), 2);
}

// ---- structs ----

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct Entry {
    valid: Bit,
    way: Bits<3>,
    tag: Bits<33>,
    kind: Sign,
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

// ---- interfaces ----

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

// ---- constants and state ----

#[derive(LogicBlock)]
struct Constants {
    a: I<Bits<8>>,
    low: Constant<Bits<8>>,
    wide: Constant<Bits<70>>,
    place: Constant<Bits<3>>,
    state: Constant<State>,
    flag: Constant<Bit>,
    o: O<Bits<8>>,
    p: O<Bits<70>>,
    q: O<Bit>,
    r: O<Bits<3>>,
    s: O<Bits<8>>,
}
impl Default for Constants {
    fn default() -> Self {
        Constants {
            a: Default::default(),
            low: Constant::new(0xa5.into()),
            wide: Constant::new(((BigUint::from(1u8) << 69u8) + BigUint::from(77u8)).into()),
            place: Constant::new(6.into()),
            state: Constant::new(State::Done),
            flag: Constant::new(true),
            o: Default::default(),
            p: Default::default(),
            q: Default::default(),
            r: Default::default(),
            s: Default::default(),
        }
    }
}
impl Logic for Constants {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val() ^ self.low.val();
        self.p.next = self.wide.val() + bit_cast::<70, 8>(self.a.val());
        self.q.next = self.a.val().get_bit(self.place.val().index()) & self.flag.val();
        self.r.next = self.state.val().into();
        self.s.next = (self.a.val() >> self.place.val()) | (self.low.val() << 1) | !self.low.val();
    }
}
ports!(Constants { a });

#[derive(LogicBlock)]
struct Registers {
    clock: I<Clock>,
    reset: I<Bit>,
    d: I<Bits<33>>,
    wide: Flop<Bits<33>>,
    free: Flop<Bits<4>>,
    state: Flop<State>,
    bit: Flop<Bit>,
    o: O<Bits<33>>,
    p: O<Bits<4>>,
    q: O<Bits<3>>,
    r: O<Bit>,
}
impl Default for Registers {
    fn default() -> Self {
        Registers {
            clock: Default::default(),
            reset: Default::default(),
            d: Default::default(),
            wide: Flop::new(0x1_2345_6789.into()),
            free: Flop::new(9.into()),
            state: Flop::new(State::Run),
            bit: Flop::new(true),
            o: Default::default(),
            p: Default::default(),
            q: Default::default(),
            r: Default::default(),
        }
    }
}
impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, wide, free, state, bit);
        self.wide.reset.next = self.reset.val();
        // Never reset: only the value at power-up counts.
        self.free.reset.next = false;
        self.state.reset.next = self.reset.val() | self.d.val().get_bit(0);
        self.bit.reset.next = self.reset.val();
        self.wide.d.next = self.wide.q.val() + self.d.val();
        self.free.d.next = self.free.q.val() + 1;
        self.state.d.next = State::Load;
        self.bit.d.next = self.d.val().xor();
        self.o.next = self.wide.q.val();
        self.p.next = self.free.q.val();
        self.q.next = self.state.q.val().into();
        self.r.next = self.bit.q.val();
    }
}
ports!(Registers { clock, reset, d });

block!(Storage { clock: I<Clock>, reset: I<Bit>, read: I<Bits<2>>, write: I<Bits<2>>, enable: I<Bit>, data: I<Bits<70>>;
    narrow: Memory<Bits<8>, 1>, wide: Memory<Bits<70>, 2>, table: Memory<Entry, 2>, e: L<Entry>, last: Flop<Bits<70>>,
    o: O<Bits<70>>, p: O<Bits<8>>, q: O<Bits<33>> }
#[hdl_gen] fn update(&mut self) {
    clock!(self, clock, narrow, wide, table, last);
    self.last.reset.next = self.reset.val();
    self.last.d.next = self.wide.read_data.val();
    self.wide.read_address.next = self.read.val();
    self.wide.write_address.next = self.write.val();
    self.wide.write_enable.next = self.enable.val();
    self.wide.write_data.next = self.data.val() ^ self.last.q.val();
    self.narrow.read_address.next = self.read.val().get_bits::<1>(1);
    self.narrow.write_address.next = self.write.val().get_bits::<1>(0);
    self.narrow.write_enable.next = !self.enable.val();
    self.narrow.write_data.next = self.narrow.read_data.val() + self.data.val().get_bits::<8>(3);
    self.e.next.valid = self.enable.val();
    self.e.next.way = self.data.val().get_bits::<3>(7);
    self.e.next.tag = self.data.val().get_bits::<33>(11);
    self.e.next.kind = Sign::Greater;
    self.table.read_address.next = self.write.val();
    self.table.write_address.next = self.read.val();
    self.table.write_enable.next = true;
    self.table.write_data.next = self.e.val();
    self.o.next = self.wide.read_data.val();
    self.p.next = self.narrow.read_data.val();
    self.q.next = self.table.read_data.val().tag;
});

#[test]
fn constants_and_state() {
    everywhere!(Constants, Registers, Storage);
}

// Flops and RAMs are counted by their Rust paths, at the widths of their types.
#[test]
fn state_has_names() {
    let mut block = Structs::default();
    block.connect_all();
    let netlist = elaborate(&block, "top").expect("is legal");
    let names: Vec<_> = netlist.regs.iter().map(|r| (r.name.as_str(), r.width)).collect();
    assert_eq!(names, [("kept", 39)]);
    let mut block = Grid::default();
    block.connect_all();
    let netlist = elaborate(&block, "top").expect("is legal");
    let names: Vec<_> = netlist.regs.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names.len(), 12);
    assert!(names.contains(&"row[1].cell[2]") && names.contains(&"count[1][0]"), "{names:?}");
    assert!(netlist.signal("row[1].q[2]").is_some() && netlist.signal("count[1][0].q").is_some());
}
