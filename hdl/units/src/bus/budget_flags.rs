//! `budget_flags`: which pairs of victim and aggressor exceeded their limits, and which of them are
//! enabled.
//!
//! Timing: `exceeded`, `clear` and `set_mask` at cycle t show at t + 1. A bit
//! that is set and cleared in one cycle is set. Bits stay over a snapshot.

use crate::llc::kid_width;
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::MAX_KERNELS;

#[unit]
mod budget_flags {
    /// Flags and masks of `KERNELS` x `KERNELS` pairs.
    ///
    /// ```
    /// use cotenant_units::bus::BudgetFlags;
    /// let flags = <BudgetFlags!(4)>::default();
    /// ```
    pub struct BudgetFlags<
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        const KID_W: usize = { kid_width(KERNELS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: flags and masks to 0.
        pub reset: In<Bit>,
        /// This pair is above its limit; active high.
        pub exceeded: In<Bit>,
        /// Victim of the pair; below KERNELS.
        pub exceeded_victim: In<Bits<KID_W>>,
        /// Aggressor of the pair; below KERNELS.
        pub exceeded_aggressor: In<Bits<KID_W>>,
        /// Victim of the accesses below; KERNELS and above selects none.
        pub victim: In<Bits<KID_W>>,
        /// Clear the flags that `data` has ones for; active high.
        pub clear: In<Bit>,
        /// Make `data` the mask; active high.
        pub set_mask: In<Bit>,
        /// One bit per aggressor.
        pub data: In<Bits<KERNELS>>,
        /// Flags of `victim`; 0 after reset.
        pub over: Out<Bits<KERNELS>>,
        /// Mask of `victim`; 0 after reset.
        pub mask: Out<Bits<KERNELS>>,
        /// At least one flag is set and enabled by its mask; 0 after reset.
        pub raised: Out<Bit>,
        /// By victim, one bit per aggressor.
        flags: [Reg<Bits<KERNELS>>; KERNELS],
        masks: [Reg<Bits<KERNELS>>; KERNELS],
    }

    fn update(&mut self) {
        self.over.next = 0;
        self.mask.next = 0;
        self.raised.next = false;
        for v in 0..KERNELS {
            // A victim's flags in the next cycle.
            let mut next_flags: Bits<KERNELS> = self.flags[v];
            if self.victim == v.to_bits::<KID_W>() {
                self.over.next = self.flags[v];
                self.mask.next = self.masks[v];
                if self.set_mask {
                    self.masks[v].next = self.data;
                }
            }
            for a in 0..KERNELS {
                if self.exceeded
                    & (self.exceeded_victim == v.to_bits::<KID_W>())
                    & (self.exceeded_aggressor == a.to_bits::<KID_W>())
                {
                    next_flags = next_flags.replace_bit(a, true);
                } else if self.clear & (self.victim == v.to_bits::<KID_W>()) & self.data[a] {
                    next_flags = next_flags.replace_bit(a, false);
                }
            }
            self.flags[v].next = next_flags;
            if (self.flags[v] & self.masks[v]).any() {
                self.raised.next = true;
            }
        }
    }
}
