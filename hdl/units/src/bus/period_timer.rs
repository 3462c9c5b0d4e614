//! `period_timer`: says every so many cycles that a period is over.
//!
//! Timing: with `set` at cycle t and N `cycles`, `expires` is high at t + N, t +
//! 2 N and so on, and never if N is 0. What was set before ends with `set`, but
//! for an `expires` in its very cycle.

use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Timer of up to 2^32 - 1 cycles.
///
/// ```
/// let timer = cotenant_units::bus::PeriodTimer::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct PeriodTimer {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: no period.
    pub reset: Signal<In, Bit>,
    /// There is a new period, which begins; active high.
    pub set: Signal<In, Bit>,
    /// Its cycles; 0 is none.
    pub cycles: Signal<In, Bits<32>>,
    /// Cycles of the period; 0 after reset.
    pub period: Signal<Out, Bits<32>>,
    /// It is over in this cycle; active high, 0 after reset.
    pub expires: Signal<Out, Bit>,
    period_register: Reg<Bits<32>>,
    /// Cycles to the next end, the last of them 1; 0 without a period.
    left: Reg<Bits<32>>,
    /// `left` is 1.
    expiring: Reg<Bit>,
    about: About,
}

impl Default for PeriodTimer {
    fn default() -> Self {
        PeriodTimer {
            clock: Default::default(),
            reset: Default::default(),
            set: Default::default(),
            cycles: Default::default(),
            period: Default::default(),
            expires: Default::default(),
            period_register: Default::default(),
            left: Default::default(),
            expiring: Default::default(),
            about: About::new("period_timer").documented_in(include_str!("period_timer.rs")),
        }
    }
}

impl Logic for PeriodTimer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, period_register, left, expiring);
        self.period_register.reset.next = self.reset.val();
        self.left.reset.next = self.reset.val();
        self.expiring.reset.next = self.reset.val();
        self.period_register.d.next = self.period_register.q.val();
        self.left.d.next = self.left.q.val();
        self.expiring.d.next = false;
        if self.set.val() {
            self.period_register.d.next = self.cycles.val();
            self.left.d.next = self.cycles.val();
            self.expiring.d.next = self.cycles.val() == 1;
        } else if self.expiring.q.val() {
            self.left.d.next = self.period_register.q.val();
            self.expiring.d.next = self.period_register.q.val() == 1;
        } else if self.left.q.val().any() {
            self.left.d.next = self.left.q.val() - 1;
            self.expiring.d.next = self.left.q.val() == 2;
        }
        self.period.next = self.period_register.q.val();
        self.expires.next = self.expiring.q.val();
    }
}

unit! {
    []
    PeriodTimer: clock;
    in reset, set, cycles;
    out period, expires
}
