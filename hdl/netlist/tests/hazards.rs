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
//! What has no exact meaning is refused: see the second half, and refuse.rs.

#[macro_use]
mod support;

use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, source, Error};
use support::agree::{agree, lockstep, Run};
use support::exported;
use support::icarus::{self, Bench, Pin};
use support::ports::Ports;
use support::{lint, stimulus, Flop, Memory, I, L, O};

/// Vectors a row; more than all values of one byte.
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
    Row { run: agree(name, B::default(), VECTORS), theirs, emitted, verilog }
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
        row::<SumShifted>("sum_shifted", Wrong, "wide = (((a + b) >> 32'h1) & 16'hffff);"),
        row::<ShiftedInCast>("shifted_in_cast", Wrong, "o = ((a << 32'h1) & 16'hffff);"),
        row::<SumShiftedByLiteral>("sum_shifted_by_literal", Wrong, "o = (a + b) >> 32'h1 == 32'hc8;"),
        row::<CastDownCompared>("cast_down_compared", Wrong, "o = ((a) & 4'hf) + b == 32'h3;"),
        row::<BitOfSum>("bit_of_sum", Refused, "o = (a + b)[32'h7];"),
        row::<BitsOfXor>("bits_of_xor", Refused, "o = (a ^ b)[(32'h4)+:(3)];"),
        row::<AnyOfPart>("any_of_part", Right, "o = |(a & b) & &a[(32'h2)+:(4)];"),
        row::<ReductionOfBareAnd>("reduction_of_bare_and", Right, "o = ~|a;"),
        row::<ReplacedBit>("replaced_bit", Right, "o = (a & ~(1 << (32'h23)) | ((v) << (32'h23)));"),
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
    let pin = |name: &str, width| Pin { name: name.replace('[', "$").replace(']', ""), width };
    let outputs = run.netlist.outputs.iter();
    (
        run.netlist.inputs.iter().map(|i| pin(&i.name, i.width)).collect(),
        outputs.map(|o| pin(&o.name, run.netlist.graph.width(o.node))).collect(),
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
        let bench = Bench { module: "top".into(), clock: None, inputs, outputs, vectors, power_up: String::new() };
        let found = match icarus::run(&row.verilog, &[bench]) {
            Err(_) => Theirs::Refused,
            Ok(answers) if answers[0] == expected => Theirs::Right,
            Ok(_) => Theirs::Wrong,
        };
        if found != row.theirs {
            report.push(format!("{}: {found:?}, not {:?}:\n{}", row.run.name, row.theirs, row.verilog));
        }
        if !row.verilog.contains(row.emitted) {
            report.push(format!("{}: no '{}' in:\n{}", row.run.name, row.emitted, row.verilog));
        }
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// Compiles as Rust, but the AST lacks what makes it mean this: each is found
/// by the source check, and by running `update()` beside the netlist.
mod hidden {
    use super::*;

    /// The macro drops the `=`.
    #[derive(LogicBlock, Default)]
    pub struct InclusiveLoop {
        a: I<Bits<8>>,
        o: O<Bits<8>>,
    }
    impl Logic for InclusiveLoop {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            for i in 0..=3 {
                if self.a.val().get_bit(i) {
                    self.o.next = self.o.val() + 1;
                }
            }
        }
    }
    ports!(InclusiveLoop { a });

    fn bits_inverted(x: Bits<8>) -> Bits<8> {
        !x
    }

    /// Anything called `bits..` is taken for a cast.
    #[derive(LogicBlock, Default)]
    pub struct HiddenFunction {
        a: I<Bits<8>>,
        o: O<Bits<8>>,
    }
    impl Logic for HiddenFunction {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bits_inverted(self.a.val());
        }
    }
    ports!(HiddenFunction { a });

    /// `.index()` makes it a sum of 64 bits, and leaves no trace.
    #[derive(LogicBlock, Default)]
    pub struct IndexSum {
        a: I<Bits<4>>,
        o: O<Bit>,
    }
    impl Logic for IndexSum {
        #[hdl_gen]
        fn update(&mut self) {
            match self.a.val().index() + 1 {
                0 => self.o.next = true,
                _ => self.o.next = false,
            }
        }
    }
    ports!(IndexSum { a });

    /// The macro drops the guard.
    #[derive(LogicBlock, Default)]
    pub struct GuardedArm {
        a: I<Bits<4>>,
        b: I<Bit>,
        o: O<Bit>,
    }
    impl Logic for GuardedArm {
        #[hdl_gen]
        fn update(&mut self) {
            match self.a.val().index() {
                3 if self.b.val() => self.o.next = true,
                _ => self.o.next = false,
            }
        }
    }
    ports!(GuardedArm { a, b });
}

// What the AST cannot show, two checks find: reading the source names the
// rule, and random inputs show the difference.
#[test]
fn what_the_ast_hides_is_found_by_reading_and_by_running() {
    fn found<B: Ports + Default>() -> bool {
        let mut block = B::default();
        block.connect_all();
        let netlist = elaborate(&block, "top").expect("the AST looks legal");
        let inputs = stimulus::random(&netlist, 200, 1);
        lockstep(&mut block, &netlist, &inputs).is_err()
    }
    assert!(found::<hidden::InclusiveLoop>());
    assert!(found::<hidden::HiddenFunction>());
    assert!(found::<hidden::IndexSum>());
    assert!(found::<hidden::GuardedArm>());
    let findings = source::check(include_str!("hazards.rs"), "hazards.rs");
    let rules: Vec<&str> = findings.iter().map(|f| f.rule.name()).collect();
    // The last two are those of blocks that the elaborator refuses, too.
    let expected = [
        "inclusive-range",
        "hidden-cast",
        "index-arithmetic",
        "match-guard",
        "unknown-name",
        "shadowed-field",
    ];
    assert_eq!(rules, expected, "{findings:#?}");
}

fn built<B: Ports + Default>() -> Result<cotenant_netlist::Netlist, Error> {
    let mut block = B::default();
    block.connect_all();
    elaborate(&block, "top")
}

#[derive(LogicBlock, Default)]
struct GenericValue<const K: usize> {
    a: I<Bits<8>>,
    o: O<Bit>,
}
impl<const K: usize> Logic for GenericValue<K> {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bit(K);
    }
}
ports!(GenericValue<3> { a });

// A const generic as a value: rust-hdl prints a name that nobody declares.
#[test]
fn a_const_generic_is_no_value() {
    let mut block = GenericValue::<3>::default();
    block.connect_all();
    let text = generate_verilog_unchecked(&block);
    assert!(text.contains("o = a[K];"), "{text}");
    let pin = |name: &str, width| vec![Pin { name: name.into(), width }];
    let (inputs, outputs) = (pin("a", 8), pin("o", 1));
    let vectors = vec![vec![1u8.into()]];
    let bench = Bench { module: "top".into(), clock: None, inputs, outputs, vectors, power_up: String::new() };
    assert!(icarus::run(&text, &[bench]).expect_err("K is unknown").contains("K"));
    assert!(matches!(built::<GenericValue<3>>(), Err(Error::UnknownName { name, .. }) if name == "K"));
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

// Trap 2: `val()` of a child's input is the settled value, in Verilog the one
// just assigned. Its output may be read; and a Local and an output read back
// what was assigned last.
block!(ReadsChildInput { a: I<Bits<8>>; x: Invert, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.x.a.next = self.a.val();
    self.o.next = self.x.a.val() ^ self.x.o.val();
});
block!(ReadsBack { a: I<Bits<8>>; x: Invert, t: L<Bits<8>>, o: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.t.next = self.x.o.val() + 1;
    self.x.a.next = self.t.val() & 0;
    self.x.a.next = self.a.val();
    self.o.next = self.t.val();
    self.t.next = self.o.val() + self.o.val();
    self.o.next = self.o.val() ^ self.t.val();
});
#[test]
fn values_are_those_assigned_last() {
    assert!(matches!(built::<ReadsChildInput>(), Err(Error::Unsupported { what, .. }) if what.contains("x.a")));
    exported::agrees(&[agree("reads_back", ReadsBack::default(), VECTORS)]);
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Colour {
    Red,
    Green,
    Blue,
}

// Trap 3: enum values and loop variables are plain names. One that is also a
// constant's is refused.
#[derive(LogicBlock)]
struct LoopNamedAsConstant {
    a: I<Bits<8>>,
    o: O<Bit>,
    k: Constant<Bits<3>>,
}
impl Logic for LoopNamedAsConstant {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bit(self.k.val().index());
        for k in 0..2 {
            if self.a.val().get_bit(k) {
                self.o.next = true;
            }
        }
    }
}
// Trap 4: without `_`, the last arm is also taken for what is no value.
block!(NoDefault { a: I<Bits<2>>; c: L<Colour>, o: O<Bits<4>> }
#[hdl_gen] fn update(&mut self) {
    match self.a.val().index() {
        0 => self.c.next = Colour::Blue,
        1 => self.c.next = Colour::Red,
        _ => self.c.next = Colour::Green,
    }
    match self.c.val() {
        Colour::Green => self.o.next = 1.into(),
        Colour::Red => self.o.next = 2.into(),
        Colour::Blue => self.o.next = 12.into(),
    }
});
#[test]
fn names_and_matches() {
    let block = LoopNamedAsConstant {
        a: Default::default(),
        o: Default::default(),
        k: Constant::new(5.into()),
    };
    let refused = elaborate(&block, "top").expect_err("two meanings of k");
    assert!(refused.to_string().contains("'k' as both loop variable and field"), "{refused}");
    exported::agrees(&[agree("no_default", NoDefault::default(), VECTORS)]);
}

// Trap 5: Verilog can slice and index names only.
block!(SlicedExpressions { a: I<Bits<8>>, b: I<Bits<8>>, s: I<Bits<3>>; c: L<Bits<8>>,
    p: O<Bits<3>>, q: O<Bits<4>>, r: O<Bit>, t: O<Bits<8>>, u: O<Bits<12>> }
#[hdl_gen] fn update(&mut self) {
    self.p.next = (!(self.a.val() + self.b.val())).get_bits::<3>(2);
    self.q.next = (self.a.val() - self.b.val()).get_bits::<4>(self.s.val().index());
    self.r.next = ((self.a.val() << 1) ^ (self.b.val() >> 2)).get_bit(self.s.val().index());
    self.c.next = (self.a.val() + self.b.val()).replace_bit(self.s.val().index(), self.r.val());
    self.t.next = self.c.val().get_bits::<8>(0).get_bits::<6>(1).get_bits::<8>(2) ^ self.c.val();
    self.u.next = bit_cast::<12, 3>((self.a.val() & self.b.val()).get_bits::<5>(1).get_bits::<3>(2));
});
// Trap 6: one Local as a temporary in many places.
block!(Temporary { a: I<Bits<8>>, b: I<Bits<8>>; t: L<Bits<8>>, x: Invert, y: Invert, o: O<Bits<8>>, p: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.t.next = self.a.val() + 1;
    self.x.a.next = self.t.val();
    self.t.next = self.x.o.val() ^ self.b.val();
    self.y.a.next = self.t.val();
    self.t.next = self.y.o.val() - 1;
    self.o.next = self.t.val();
    self.t.next = self.b.val();
    self.p.next = self.t.val() & self.x.o.val();
});
// Trap 11: words of Verilog, SystemVerilog and C++ as names.
block!(Reserved { set: I<Bits<4>>, logic: I<Bits<4>>, class: I<Bits<4>>; begin: L<Bits<4>>, int: L<Bits<4>>,
    signed: O<Bits<4>>, bit: O<Bits<4>> }
#[hdl_gen] fn update(&mut self) {
    self.begin.next = self.set.val() + self.logic.val();
    self.int.next = self.begin.val() ^ self.class.val();
    self.signed.next = self.int.val() + 1;
    self.bit.next = self.begin.val() - self.int.val();
});

#[test]
fn slices_temporaries_and_reserved_words() {
    let runs = [
        agree("sliced_expressions", SlicedExpressions::default(), VECTORS),
        agree("temporary", Temporary::default(), VECTORS),
        agree("reserved", Reserved::default(), VECTORS),
    ];
    exported::agrees(&runs);
    lint::clean(&runs);
}

// Trap 7: clocks are copied by assignments; the copies are the clock itself,
// however deep, and data may not overtake it.
#[derive(LogicBlock, Default)]
struct Delayed {
    clock: I<Clock>,
    reset: I<Bit>,
    d: I<Bits<4>>,
    flop: Flop<Bits<4>>,
    q: O<Bits<4>>,
}
impl Logic for Delayed {
    #[hdl_gen]
    fn update(&mut self) {
        self.flop.clock.next = self.clock.val();
        self.flop.reset.next = self.reset.val();
        self.flop.d.next = self.d.val();
        self.q.next = self.flop.q.val();
    }
}
#[derive(LogicBlock, Default)]
struct Deeper {
    clock: I<Clock>,
    reset: I<Bit>,
    d: I<Bits<4>>,
    copy: L<Clock>,
    below: Delayed,
    q: O<Bits<4>>,
}
impl Logic for Deeper {
    #[hdl_gen]
    fn update(&mut self) {
        self.copy.next = self.clock.val();
        self.below.clock.next = self.copy.val();
        self.below.reset.next = self.reset.val();
        self.below.d.next = self.d.val();
        self.q.next = self.below.q.val();
    }
}
block!(ShiftsThroughDepths { clock: I<Clock>, reset: I<Bit>, d: I<Bits<4>>;
    deep: Deeper, flop: Flop<Bits<4>>, shallow: Delayed, q: O<Bits<4>> }
#[hdl_gen] fn update(&mut self) {
    self.deep.clock.next = self.clock.val();
    self.flop.clock.next = self.clock.val();
    self.shallow.clock.next = self.clock.val();
    self.deep.reset.next = self.reset.val();
    self.flop.reset.next = self.reset.val();
    self.shallow.reset.next = self.reset.val();
    self.deep.d.next = self.d.val();
    self.flop.d.next = self.deep.q.val();
    self.shallow.d.next = self.flop.q.val();
    self.q.next = self.shallow.q.val();
});
// Trap 8: the words of a RAM have a value from the start, and a word that is
// read while it is written is the old one.
block!(Storage { clock: I<Clock>, read: I<Bits<3>>, write: I<Bits<3>>, enable: I<Bit>, data: I<Bits<40>>;
    ram: Memory<Bits<40>, 3>, q: O<Bits<40>> }
#[hdl_gen] fn update(&mut self) {
    self.ram.clock.next = self.clock.val();
    self.ram.read_address.next = self.read.val();
    self.ram.write_address.next = self.write.val();
    self.ram.write_enable.next = self.enable.val();
    self.ram.write_data.next = self.data.val();
    self.q.next = self.ram.read_data.val();
});

#[test]
fn clocks_are_aliases_and_rams_have_values() {
    let runs = [
        agree("shifts_through_depths", ShiftsThroughDepths::default(), VECTORS),
        agree("storage", Storage::default(), VECTORS),
    ];
    exported::agrees(&runs);
    lint::clean(&runs);
}

// Trap 10: a path through one wide signal, across blocks, that is no loop for
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
        let Err(Error::CombinationalLoop { cycle }) = refused else { panic!("a loop of bits") };
        assert!(cycle.iter().all(|s| s.ends_with(']')), "{cycle:?}");
    }
}

// A computed position that turns out to be a constant past the end: `update()`
// panics, so there is nothing to agree with, but the elaborator must not.
block!(PastTheEnd { a: I<Bits<5>>, v: I<Bit>; at: L<Bits<3>>, o: O<Bits<5>>, p: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.at.next = 7.into();
    self.o.next = self.a.val().replace_bit(self.at.val().index(), self.v.val());
    self.p.next = self.a.val().get_bit(self.at.val().index());
});

#[test]
fn positions_past_the_end_do_nothing() {
    let netlist = built::<PastTheEnd>().expect("is legal");
    let mut naive = support::naive::Naive::new(&netlist);
    naive.evaluate(&[21u8.into(), 1u8.into()]);
    assert_eq!(naive.outputs(), [21u8.into(), 0u8.into()]);
}
