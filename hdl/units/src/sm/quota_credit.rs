//! `quota_credit`: the quota that a kernel has left after a cycle.
//!
//! Source: Dai et al., section 3.2: each memory instruction takes 1 from the
//! quota of its kernel; when a quota reaches zero, a new set is added to all.
//!
//! Timing: combinational.
//!
//! ASSUMPTION: an idle kernel accumulates credit; its quota saturates at all ones, with CAP 1 at
//! twice its quota in the newest set.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.2",
    require(SET_W < QUOTA_W, "SET_W is below QUOTA_W: twice a set fits")
)]
mod quota_credit {
    /// Deduction and refill of a quota of `QUOTA_W` bits from sets of `SET_W` bits;
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
        pub deducts: In<Bit>,
        /// The newest set is added; active high.
        pub refill: In<Bit>,
        /// The kernel's quota in the newest set; SET_W bits.
        pub set: In<Bits<SET_W>>,
        /// Quota left after this cycle; QUOTA_W bits.
        pub after: Out<Bits<QUOTA_W>>,
        #[value(CAP == 1)]
        caps: Constant<Bit>,
    }

    fn update(&mut self) {
        comment!("Less the instruction, plus the set, up to the most that the register holds.");
        let mut less: Bits<QUOTA_W> = self.left;
        if self.deducts {
            less = self.left - 1;
        }
        let sum: Bits<SUM_W> = less.cast::<SUM_W>() + self.set.cast::<SUM_W>();
        let mut refilled: Bits<QUOTA_W> = sum.cast::<QUOTA_W>();
        if sum.get_bit(QUOTA_W) {
            refilled = !bits::<QUOTA_W>(0);
        }

        comment!("At most twice the set, with CAP 1.");
        let twice: Bits<QUOTA_W> = self.set.cast::<QUOTA_W>() << 1;
        if self.caps & (less > self.set.cast::<QUOTA_W>()) {
            refilled = twice;
        }

        self.after.next = less;
        if self.refill {
            self.after.next = refilled;
        }
    }
}
