//! What an elaborator or an exporter stumbles over: accepted and exact, or
//! refused with the reason.

use crate::hazards::{built, VECTORS};
use crate::support::agree::agree;
use crate::support::icarus::{self, Bench, Pin};
use crate::support::{exported, lint, Flop, Memory, I, L, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, Error};

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
    let pin = |name: &str, width| {
        vec![Pin {
            name: name.into(),
            width,
        }]
    };
    let (inputs, outputs) = (pin("a", 8), pin("o", 1));
    let vectors = vec![vec![1u8.into()]];
    let bench = Bench {
        module: "top".into(),
        clock: None,
        inputs,
        outputs,
        vectors,
        power_up: String::new(),
    };
    assert!(icarus::run(&text, &[bench])
        .expect_err("K is unknown")
        .contains("K"));
    assert!(
        matches!(built::<GenericValue<3>>(), Err(Error::UnknownName { name, .. }) if name == "K")
    );
}

#[derive(LogicBlock, Default)]
pub struct Invert {
    pub a: I<Bits<8>>,
    pub o: O<Bits<8>>,
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
    assert!(
        matches!(built::<ReadsChildInput>(), Err(Error::Unsupported { what, .. }) if what.contains("x.a"))
    );
    exported::agrees(&[agree("reads_back", ReadsBack::default(), VECTORS)]);
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Colour {
    Red,
    Green,
    Blue,
}

// Enum values and loop variables are plain names. One that is also a
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
// Without `_`, the last arm is also taken for what is no value.
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
    assert!(
        refused
            .to_string()
            .contains("'k' as both loop variable and field"),
        "{refused}"
    );
    exported::agrees(&[agree("no_default", NoDefault::default(), VECTORS)]);
}

// Verilog can slice and index names only.
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
// One Local as a temporary in many places.
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
// Words of Verilog, SystemVerilog and C++ as names.
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

// Clocks are copied by assignments; the copies are the clock itself,
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
// The words of a RAM have a value from the start, and a word that is
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
        agree(
            "shifts_through_depths",
            ShiftsThroughDepths::default(),
            VECTORS,
        ),
        agree("storage", Storage::default(), VECTORS),
    ];
    exported::agrees(&runs);
    lint::clean(&runs);
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
    let mut naive = crate::support::naive::Naive::new(&netlist);
    naive.evaluate(&[21u8.into(), 1u8.into()]);
    assert_eq!(naive.outputs(), [21u8.into(), 0u8.into()]);
}
