//! `quota_credit`: what a kernel has left of its quota after a cycle.
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
//! ECP5), and 25 % slower if a quota of zero is looked for when it is there
//! instead of foreseen by `empties`.
//!
//! Timing: combinational.
//!
//! ASSUMPTION: an idle kernel piles up credit: nothing is added to a quota that
//! is greater than any in a set, that is with its highest bit set; with CAP 1 an
//! addition, less what is paid with it, leaves up to twice its quota in the
//! newest set.

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
        /// What the kernel has left; QUOTA_W bits.
        pub left: In<Bits<QUOTA_W>>,
        /// It pays for an instruction; active high.
        pub pays: In<Bit>,
        /// The set in force is added; active high.
        pub refill: In<Bit>,
        /// Its quota in the set in force, less 1; SET_W bits.
        pub set_less_1: In<Bits<SET_W>>,
        /// That quota is 1; active high.
        pub set_is_1: In<Bit>,
        /// What it has left then; QUOTA_W bits.
        pub after: Out<Bits<QUOTA_W>>,
        /// If it pays in this cycle, nothing is left.
        pub empties: Out<Bit>,
        #[value(CAP == 1)]
        caps: Constant<Bit>,
    }

    fn update(&mut self) {
        comment!("Whether a payment takes the last: of the quota, or of a set of 1 added to none.");
        self.empties.next = (!self.refill & (self.left == 1)) | (self.set_is_1 & (self.left == 0));

        comment!("The gain less 1, and the 1 back by the carry unless it pays.");
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

        comment!("At most twice the set, where there is a cap.");
        if self.caps
            & gains
            & (self.left > (less_1 + 1))
            & !(self.pays & (self.left == (less_1 + 2)))
        {
            self.after.next = (less_1 + 1) << 1;
        }
    }
}
