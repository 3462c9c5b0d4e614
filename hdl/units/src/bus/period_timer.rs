//! `period_timer`: ends a period after a programmed number of cycles.
//!
//! Timing: with `set` at cycle t and N `cycles`, `expires` is high at t + N, t +
//! 2 N and so on, and never if N is 0. `set` replaces the earlier period, except
//! for an `expires` in the same cycle.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit]
mod period_timer {
    /// Timer of up to 2^32 - 1 cycles.
    ///
    /// ```
    /// let timer = cotenant_units::bus::PeriodTimer::default();
    /// ```
    pub struct PeriodTimer {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no period.
        pub reset: In<Bit>,
        /// A new period is set and begins; active high.
        pub set: In<Bit>,
        /// Length of the new period in cycles; 0 for no period.
        pub cycles: In<Bits<32>>,
        /// Length of the period in cycles; 0 after reset.
        pub period: Out<Bits<32>>,
        /// The period ends in this cycle; active high, 0 after reset.
        pub expires: Out<Bit>,
        period_register: Reg<Bits<32>>,
        /// Cycles to the next end, the last of them 1; 0 without a period.
        left: Reg<Bits<32>>,
        /// `left` is 1.
        expiring: Reg<Bit>,
    }

    fn update(&mut self) {
        self.expiring.next = false;
        if self.set {
            self.period_register.next = self.cycles;
            self.left.next = self.cycles;
            self.expiring.next = self.cycles == 1;
        } else if self.expiring {
            self.left.next = self.period_register;
            self.expiring.next = self.period_register == 1;
        } else if self.left.any() {
            self.left.next = self.left - 1;
            self.expiring.next = self.left == 2;
        }
        self.period.next = self.period_register;
        self.expires.next = self.expiring;
    }
}
