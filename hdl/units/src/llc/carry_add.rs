//! `carry_add`: adds two short numbers.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks, of which it is the
//! last addition.
//!
//! Timing: combinational; as gates, because synthesis puts a sum on carry chains,
//! which are slow for so few bits.

use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Adder of `WIDTH` bits, without a carry out.
#[derive(Clone, Debug, LogicBlock)]
pub struct CarryAdd<const WIDTH: usize> {
    /// One number.
    pub sums: Signal<In, Bits<WIDTH>>,
    /// The other one.
    pub carries: Signal<In, Bits<WIDTH>>,
    /// Their sum, modulo two to the WIDTH.
    pub total: Signal<Out, Bits<WIDTH>>,
    /// Into one bit of the result after the other.
    carry: Signal<Local, Bit>,
    /// Of that and the bit of `carries`: their sum, and their carry.
    above: Signal<Local, Bit>,
    both: Signal<Local, Bit>,
    about: About,
}

impl<const WIDTH: usize> Default for CarryAdd<WIDTH> {
    fn default() -> Self {
        const { assert!(WIDTH >= 1, "carry_add: WIDTH is at least 1") };
        CarryAdd {
            sums: Default::default(),
            carries: Default::default(),
            total: Default::default(),
            carry: Default::default(),
            above: Default::default(),
            both: Default::default(),
            about: About::new("carry_add")
                .parameter("WIDTH", WIDTH)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("carry_add.rs")),
        }
    }
}

impl<const WIDTH: usize> Logic for CarryAdd<WIDTH> {
    #[hdl_gen]
    fn update(&mut self) {
        self.carry.next = false;
        self.total.next = 0.into();
        for i in 0..WIDTH {
            // What the lower bits come to meets the carries first: of three groups these are
            // functions of the same few bits.
            self.above.next = self.carries.val().get_bit(i) ^ self.carry.val();
            self.both.next = self.carries.val().get_bit(i) & self.carry.val();
            self.total.next = self
                .total
                .val()
                .replace_bit(i, self.sums.val().get_bit(i) ^ self.above.val());
            self.carry.next = self.both.val() | (self.sums.val().get_bit(i) & self.above.val());
        }
    }
}

unit! {
    [const WIDTH: usize]
    CarryAdd<WIDTH>: ;
    in sums, carries;
    out total
}
