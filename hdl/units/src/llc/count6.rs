//! `count6`: counts the set bits of six.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks, of which it is the
//! first level.
//!
//! Timing: combinational. Each output is a function of the six inputs, which is
//! one table where tables have six inputs; written as gates, because synthesis
//! puts a sum of single bits on carry chains.

use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Population count of six bits: two full adders, and one for their carries.
#[derive(Clone, Debug, LogicBlock)]
pub struct Count6 {
    /// The bits to count.
    pub data: Signal<In, Bits<6>>,
    /// How many of them are 1; 0 to 6.
    pub count: Signal<Out, Bits<3>>,
    /// Sums of the lower and the upper three.
    sum: [Signal<Local, Bit>; 2],
    /// Carries of the lower and the upper three, and of their sums.
    carry: [Signal<Local, Bit>; 3],
    about: About,
}

impl Default for Count6 {
    fn default() -> Self {
        Count6 {
            data: Default::default(),
            count: Default::default(),
            sum: Default::default(),
            carry: Default::default(),
            about: About::new("count6")
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("count6.rs")),
        }
    }
}

impl Logic for Count6 {
    #[hdl_gen]
    fn update(&mut self) {
        for half in 0..2 {
            self.sum[half].next = self.data.val().get_bit(3 * half)
                ^ self.data.val().get_bit(3 * half + 1)
                ^ self.data.val().get_bit(3 * half + 2);
            self.carry[half].next = (self.data.val().get_bit(3 * half)
                & self.data.val().get_bit(3 * half + 1))
                | (self.data.val().get_bit(3 * half) & self.data.val().get_bit(3 * half + 2))
                | (self.data.val().get_bit(3 * half + 1) & self.data.val().get_bit(3 * half + 2));
        }
        self.carry[2].next = self.sum[0].val() & self.sum[1].val();
        self.count.next = 0.into();
        self.count.next = self
            .count
            .val()
            .replace_bit(0, self.sum[0].val() ^ self.sum[1].val());
        self.count.next = self.count.val().replace_bit(
            1,
            self.carry[0].val() ^ self.carry[1].val() ^ self.carry[2].val(),
        );
        self.count.next = self.count.val().replace_bit(
            2,
            (self.carry[0].val() & self.carry[1].val())
                | (self.carry[0].val() & self.carry[2].val())
                | (self.carry[1].val() & self.carry[2].val()),
        );
    }
}

unit! {
    []
    Count6: ;
    in data;
    out count
}
