//! Loops, arrays of signals, of blocks and of both, long chains.

use crate::support::agree::agree;
use crate::support::{Flop, I, L, O};
use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;

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
        Chain {
            a: Default::default(),
            stage,
            o: Default::default(),
        }
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

// Flops are known by their Rust paths.
#[test]
fn state_has_names() {
    let mut block = Grid::default();
    block.connect_all();
    let netlist = elaborate(&block, "top").expect("is legal");
    let names: Vec<_> = netlist.regs.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names.len(), 12);
    assert!(
        names.contains(&"row[1].cell[2]") && names.contains(&"count[1][0]"),
        "{names:?}"
    );
    assert!(netlist.signal("row[1].q[2]").is_some() && netlist.signal("count[1][0].q").is_some());
}
