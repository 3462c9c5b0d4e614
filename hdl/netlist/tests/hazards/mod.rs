//! Ordinary Rust that rust-hdl's own Verilog gets wrong.
//!
//! Rationale: rust-hdl prints its AST as Verilog text, operator by operator.
//! Verilog has other precedences, widths that come from the context, and no
//! slices of expressions; so the text often means something else, silently.
//! Each row of the table is one such expression. For each, what rust-hdl
//! prints is shown, and run in Icarus to see that it really is wrong; and
//! every reader of our netlist agrees with the block's own `update()`. Rows
//! where rust-hdl is right are there, too: the harness can tell.
//!
//! What has no exact meaning is refused: see `traps` and refuse.rs. What the
//! AST does not even show is in `hidden`.
// The hazard is in the expression as written.
#![allow(clippy::erasing_op)]

mod hidden;
mod loops;
mod traps;

use crate::support::agree::{agree, Run};
use crate::support::exported;
use crate::support::icarus::{self, Bench, Pin};
use crate::support::ports::Ports;
use crate::support::{I, L, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, Error, Netlist};

/// Vectors per row; more than all values of one byte.
const VECTORS: usize = 400;

/// What rust-hdl's own Verilog does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Theirs {
    /// It means what the Rust means.
    Right,
    /// It compiles, and means something else.
    Wrong,
    /// Icarus refuses it.
    Refused,
}

struct Row {
    run: Run,
    theirs: Theirs,
    /// What rust-hdl prints.
    emitted: &'static str,
    verilog: String,
}

/// A row: name, block, verdict on rust-hdl's Verilog, and what it prints.
fn row<B: Ports + Default>(name: &str, theirs: Theirs, emitted: &'static str) -> Row {
    let mut block = B::default();
    block.connect_all();
    let verilog = generate_verilog_unchecked(&block);
    Row {
        run: agree(name, B::default(), VECTORS),
        theirs,
        emitted,
        verilog,
    }
}

block!(AndThenEqual { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() & self.b.val() == self.c.val();
});
block!(EqualOfOr { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() != self.b.val() | self.c.val();
});
block!(XorThenLess { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() ^ self.b.val() < self.c.val();
});
block!(Parenthesised { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() & self.b.val()) == self.c.val();
});
block!(CarryInCast { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bits<9>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<9, 8>(self.a.val() + self.b.val());
});
block!(BorrowInCast { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bits<16>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<16, 8>(self.a.val() - self.b.val());
});
block!(IncrementIsZero { a: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() + 1 == 0;
});
block!(DecrementIsGreatest { a: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val() - 1 == 255;
});
block!(NotIsLiteral { a: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = !self.a.val() == 255;
});
block!(NotInCast { a: I<Bits<8>>; o: O<Bits<16>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<16, 8>(!self.a.val());
});
block!(SumShifted { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bits<8>>, wide: O<Bits<16>> }
#[hdl_gen] fn update(&mut self) {
    self.wide.next = bit_cast::<16, 8>((self.a.val() + self.b.val()) >> 1);
    self.o.next = self.a.val();
});
block!(ShiftedInCast { a: I<Bits<8>>; o: O<Bits<16>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<16, 8>(self.a.val() << 1);
});
block!(SumShiftedByLiteral { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() + self.b.val()) >> 1 == 200;
});
block!(CastDownCompared { a: I<Bits<8>>, b: I<Bits<4>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<4, 8>(self.a.val()) + self.b.val() == 3;
});
block!(BitOfSum { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() + self.b.val()).get_bit(7);
});
block!(BitsOfXor { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bits<3>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() ^ self.b.val()).get_bits::<3>(4);
});
block!(AnyOfPart { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = (self.a.val() & self.b.val()).any() & self.a.val().get_bits::<4>(2).all();
});
block!(ReductionOfBareAnd { a: I<Bits<8>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = !self.a.val().any();
});
block!(ReplacedBit { a: I<Bits<40>>, s: I<Bits<5>>, v: I<Bit>; o: O<Bits<40>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val().replace_bit(35, self.v.val());
    self.o.next = self.o.val().replace_bit(self.s.val().index(), self.v.val());
});
block!(CarryOutOfLiteralShift { a: I<Bits<8>>; o: O<Bits<16>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<16, 64>(1 << self.a.val());
});
block!(SumPlusBool { a: I<Bits<8>>, c: I<Bit>; o: O<Bits<9>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<9, 8>(self.a.val() + self.c.val());
});
block!(ComparedSums { a: I<Bits<8>>, b: I<Bits<8>>, c: I<Bits<16>>; o: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = bit_cast::<16, 8>(self.a.val() + self.b.val()) < self.c.val();
});

#[derive(LogicBlock, Default)]
struct Cells {
    d: [I<Bits<4>>; 3],
    q: [O<Bits<4>>; 3],
}
impl Logic for Cells {
    #[hdl_gen]
    fn update(&mut self) {
        for j in 0..3 {
            self.q[j].next = !self.d[j].val();
        }
    }
}
block!(TwoSubscripts { a: [I<Bits<4>>; 3]; row: [Cells; 2], o: [O<Bits<4>>; 3] }
#[hdl_gen] fn update(&mut self) {
    for i in 0..2 {
        for j in 0..3 {
            self.row[i].d[j].next = self.a[j].val();
        }
    }
    for j in 0..3 {
        self.o[j].next = self.row[0].q[j].val() + self.row[1].q[j].val();
    }
});
block!(Matrix { a: I<Bits<8>>; m: [[L<Bits<8>>; 3]; 2], o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    for i in 0..2 {
        for j in 0..3 {
            self.m[i][j].next = self.a.val() + bits::<8>(1);
        }
    }
    self.o.next = self.a.val();
    for i in 0..2 {
        for j in 0..3 {
            self.o.next = self.o.val() + self.m[i][j].val();
        }
    }
});
block!(OneSubscript { a: [I<Bits<4>>; 3]; o: [O<Bits<4>>; 3] }
#[hdl_gen] fn update(&mut self) {
    for i in 0..3 {
        self.o[i].next = self.a[2 - i].val();
    }
});
block!(SameWidths { a: I<Bits<8>>, b: I<Bits<8>>; o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    if self.a.val() < self.b.val() {
        self.o.next = self.a.val() + self.b.val();
    } else {
        self.o.next = self.a.val() - self.b.val();
    }
});

fn rows() -> Vec<Row> {
    use Theirs::*;
    vec![
        row::<AndThenEqual>("and_then_equal", Wrong, "o = a & b == c;"),
        row::<EqualOfOr>("equal_of_or", Wrong, "o = a != b | c;"),
        row::<XorThenLess>("xor_then_less", Wrong, "o = a ^ b < c;"),
        row::<Parenthesised>("parenthesised", Right, "o = (a & b) == c;"),
        row::<CarryInCast>("carry_in_cast", Wrong, "o = ((a + b) & 9'h1ff);"),
        row::<BorrowInCast>("borrow_in_cast", Wrong, "o = ((a - b) & 16'hffff);"),
        row::<IncrementIsZero>("increment_is_zero", Wrong, "o = a + 32'h1 == 32'h0;"),
        row::<DecrementIsGreatest>("decrement_is_greatest", Wrong, "o = a - 32'h1 == 32'hff;"),
        row::<NotIsLiteral>("not_is_literal", Wrong, "o = ~a == 32'hff;"),
        row::<NotInCast>("not_in_cast", Wrong, "o = ((~a) & 16'hffff);"),
        row::<SumShifted>(
            "sum_shifted",
            Wrong,
            "wide = (((a + b) >> 32'h1) & 16'hffff);",
        ),
        row::<ShiftedInCast>("shifted_in_cast", Wrong, "o = ((a << 32'h1) & 16'hffff);"),
        row::<SumShiftedByLiteral>(
            "sum_shifted_by_literal",
            Wrong,
            "o = (a + b) >> 32'h1 == 32'hc8;",
        ),
        row::<CastDownCompared>(
            "cast_down_compared",
            Wrong,
            "o = ((a) & 4'hf) + b == 32'h3;",
        ),
        row::<BitOfSum>("bit_of_sum", Refused, "o = (a + b)[32'h7];"),
        row::<BitsOfXor>("bits_of_xor", Refused, "o = (a ^ b)[(32'h4)+:(3)];"),
        row::<AnyOfPart>("any_of_part", Right, "o = |(a & b) & &a[(32'h2)+:(4)];"),
        row::<ReductionOfBareAnd>("reduction_of_bare_and", Right, "o = ~|a;"),
        row::<ReplacedBit>(
            "replaced_bit",
            Right,
            "o = (a & ~(1 << (32'h23)) | ((v) << (32'h23)));",
        ),
        row::<CarryOutOfLiteralShift>("literal_shift", Right, "o = ((32'h1 << a) & 16'hffff);"),
        row::<SumPlusBool>("sum_plus_bool", Wrong, "o = ((a + c) & 9'h1ff);"),
        row::<ComparedSums>("compared_sums", Wrong, "o = ((a + b) & 16'hffff) < c;"),
        row::<TwoSubscripts>("two_subscripts", Refused, "row$0$d[j] = a$0;"),
        row::<Matrix>("matrix", Refused, "m$0[j] = "),
        row::<OneSubscript>("one_subscript", Right, "o$0 = a$2;"),
        row::<SameWidths>("same_widths", Right, "o = a + b;"),
    ]
}

fn pins(run: &Run) -> (Vec<Pin>, Vec<Pin>) {
    // rust-hdl and Icarus alike cannot have brackets in a port's name.
    let pin = |name: &str, width| Pin {
        name: name.replace('[', "$").replace(']', ""),
        width,
    };
    let outputs = run.netlist.outputs.iter();
    (
        run.netlist
            .inputs
            .iter()
            .map(|i| pin(&i.name, i.width))
            .collect(),
        outputs
            .map(|o| pin(&o.name, run.netlist.graph.width(o.node)))
            .collect(),
    )
}

// update(), the netlist and its Verilog are one.
#[test]
fn every_row_means_what_the_rust_means() {
    let runs: Vec<Run> = rows().into_iter().map(|r| r.run).collect();
    exported::agrees(&runs);
}

// What the table claims of rust-hdl is so: the text is what it prints, and
// Icarus computes something else from it, or refuses it.
#[test]
fn rust_hdl_verilog_is_as_wrong_as_the_table_says() {
    let mut report = vec![];
    for row in rows() {
        let (inputs, outputs) = pins(&row.run);
        let expected = row.run.printed();
        let vectors = row.run.inputs.clone();
        let bench = Bench {
            module: "top".into(),
            clock: None,
            inputs,
            outputs,
            vectors,
            power_up: String::new(),
        };
        let found = match icarus::run(&row.verilog, &[bench]) {
            Err(_) => Theirs::Refused,
            Ok(answers) if answers[0] == expected => Theirs::Right,
            Ok(_) => Theirs::Wrong,
        };
        if found != row.theirs {
            report.push(format!(
                "{}: {found:?}, not {:?}:\n{}",
                row.run.name, row.theirs, row.verilog
            ));
        }
        if !row.verilog.contains(row.emitted) {
            report.push(format!(
                "{}: no '{}' in:\n{}",
                row.run.name, row.emitted, row.verilog
            ));
        }
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// Elaborates a block.
fn built<B: Ports + Default>() -> Result<Netlist, Error> {
    let mut block = B::default();
    block.connect_all();
    elaborate(&block, "top")
}
