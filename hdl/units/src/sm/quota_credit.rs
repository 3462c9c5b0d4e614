//! `quota_credit`: the quota that a kernel has left after a cycle.
//!
//! Source: Dai et al., section 3.2: each memory instruction takes 1 from the
//! quota of its kernel; when a quota reaches zero, a new set is added to all.
//!
//! Both may come in one cycle, and one adder does both:
//!
//! > left + gain - paid = left + (gain - 1) + (1 - paid),
//!
//! where the last term is the carry into the adder, and `gain - 1` is
//! `set_less_1` with a new set and all ones (-1) without. So the set in force is
//! kept less 1. With an adder for the gain and one for the payment the issue
//! path of `qbmi` is 10 % slower (199 instead of 220 MHz, `table-1` on the
//! ECP5), and 25 % slower if the quota is compared with zero in that cycle
//! instead of one cycle ahead, by `empties`.
//!
//! Timing: combinational.
//!
//! ASSUMPTION: an idle kernel accumulates credit: nothing is added to a quota that
//! is greater than any in a set, that is with its highest bit set; with CAP 1 an
//! addition, less the instruction deducted with it, leaves up to twice its quota
//! in the newest set.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.2",
    require(SET_W < QUOTA_W, "SET_W is below QUOTA_W: twice a set fits"),
    unused = ["sum"]
)]
mod quota_credit {
    /// Payment and refill of a quota of `QUOTA_W` bits from sets of `SET_W` bits;
    /// `CAP` is that of `qbmi`.
    pub struct QuotaCredit<
        #[range(1..=64)] const QUOTA_W: usize,
        #[range(1..=64)] const SET_W: usize,
        #[range(0..=1)] const CAP: usize,
        const SUM_W: usize = { QUOTA_W + 1 },
    > {
        /// Quota left before this cycle; QUOTA_W bits.
        pub left: In<Bits<QUOTA_W>>,
        /// An instruction is deducted; active high.
        pub pays: In<Bit>,
        /// The set in force is added; active high.
        pub refill: In<Bit>,
        /// The kernel's quota in the set in force, less 1; SET_W bits.
        pub set_less_1: In<Bits<SET_W>>,
        /// The quota in the set in force is 1; active high.
        pub set_is_1: In<Bit>,
        /// Quota left after this cycle; QUOTA_W bits.
        pub after: Out<Bits<QUOTA_W>>,
        /// With a deduction in this cycle, no quota is left.
        pub empties: Out<Bit>,
        #[value(CAP == 1)]
        caps: Constant<Bit>,
    }

    fn update(&mut self) {
        comment!("Whether a deduction leaves zero: of the quota, or of a set of 1 added to zero.");
        self.empties.next = (!self.refill & (self.left == 1)) | (self.set_is_1 & (self.left == 0));

        comment!("The gain less 1, and the 1 back by the carry unless one is deducted.");
        let less_1: Bits<QUOTA_W> = self.set_less_1.cast::<QUOTA_W>();
        let gains: Bit = self.refill & (self.caps | !self.left[QUOTA_W - 1]);
        let mut gain: Bits<QUOTA_W> = !bits::<QUOTA_W>(0);
        if gains {
            gain = less_1;
        }
        let before: Bits<SUM_W> = (self.left.cast::<SUM_W>() << 1).replace_bit(0, !self.pays);
        let plus: Bits<SUM_W> = (gain.cast::<SUM_W>() << 1) | 1;
        let sum: Bits<SUM_W> = before + plus;
        self.after.next = (sum >> 1).cast::<QUOTA_W>();

        comment!("At most twice the set, with CAP 1.");
        if self.caps
            & gains
            & (self.left > (less_1 + 1))
            & !(self.pays & (self.left == (less_1 + 2)))
        {
            self.after.next = (less_1 + 1) << 1;
        }
    }
}
