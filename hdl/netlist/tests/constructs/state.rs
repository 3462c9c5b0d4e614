//! Constants, flops with and without reset, RAMs.

use crate::constructs::control::{Sign, State};
use crate::constructs::structs::Entry;
use crate::support::{Flop, Memory, I, L, O};
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

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
