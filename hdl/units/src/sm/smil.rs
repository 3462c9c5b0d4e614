//! `smil`: static memory instruction limit of one kernel.
//!
//! Source: Dai et al., section 3.3.1: as [`milg`](crate::sm::Milg), with the
//! limit from a register that software writes; the paper varies it from 1 to
//! 24.
//!
//! Timing: `allow` is combinational from registers; a limit set at cycle t
//! counts from t + 1.
//!
//! ASSUMPTION: no limit is a flag of its own; the gate still closes when the
//! counter is full, so that the count stays exact. There is no limit after
//! reset.

use super::InFlight;
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Limit of `LIMIT_W` bits on an in-flight counter of `COUNT_W` bits.
///
/// ```
/// let smil = <cotenant_units::smil!(7, 5)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Smil<const COUNT_W: usize, const LIMIT_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: nothing in flight, no limit.
    pub reset: Signal<In, Bit>,
    /// There is a new limit; active high.
    pub set_valid: Signal<In, Bit>,
    /// Memory instructions that may be in flight; LIMIT_W bits, at least 1.
    pub set_limit: Signal<In, Bits<LIMIT_W>>,
    /// The new limit is none; active high. Then `set_limit` is ignored.
    pub set_unlimited: Signal<In, Bit>,
    /// A memory instruction is issued; active high, only if `allow`.
    pub issue: Signal<In, Bit>,
    /// A memory instruction has its last response; active high, only if
    /// `in_flight` is above 0.
    pub complete: Signal<In, Bit>,
    /// The kernel may issue a memory instruction; active high, 1 after reset.
    pub allow: Signal<Out, Bit>,
    /// Memory instructions in flight; COUNT_W bits, 0 after reset.
    pub in_flight: Signal<Out, Bits<COUNT_W>>,
    /// Memory instructions that may be in flight; COUNT_W bits, all ones
    /// without a limit and after reset.
    pub limit: Signal<Out, Bits<COUNT_W>>,
    /// There is no limit; active high, 1 after reset.
    pub unlimited: Signal<Out, Bit>,
    counter: InFlight<COUNT_W>,
    limit_register: Reg<Bits<COUNT_W>>,
    unlimited_register: Reg<Bit>,
    about: About,
}

impl<const COUNT_W: usize, const LIMIT_W: usize> Default for Smil<COUNT_W, LIMIT_W> {
    fn default() -> Self {
        const {
            assert!(
                LIMIT_W >= 1 && LIMIT_W <= COUNT_W,
                "smil: LIMIT_W is 1 to COUNT_W"
            )
        };
        Smil {
            clock: Default::default(),
            reset: Default::default(),
            set_valid: Default::default(),
            set_limit: Default::default(),
            set_unlimited: Default::default(),
            issue: Default::default(),
            complete: Default::default(),
            allow: Default::default(),
            in_flight: Default::default(),
            limit: Default::default(),
            unlimited: Default::default(),
            counter: Default::default(),
            limit_register: Reg::new(!bits::<COUNT_W>(0)),
            unlimited_register: Reg::new(true),
            about: About::new("smil")
                .parameter("COUNT_W", COUNT_W)
                .parameter("LIMIT_W", LIMIT_W)
                .citing("Dai et al., section 3.3.1")
                .documented_in(include_str!("smil.rs")),
        }
    }
}

impl<const COUNT_W: usize, const LIMIT_W: usize> Logic for Smil<COUNT_W, LIMIT_W> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, counter, limit_register, unlimited_register);
        self.counter.reset.next = self.reset.val();
        self.limit_register.reset.next = self.reset.val();
        self.unlimited_register.reset.next = self.reset.val();

        comment!("The gate.");
        self.counter.issue.next = self.issue.val();
        self.counter.complete.next = self.complete.val();
        self.allow.next = self.counter.count.val() < self.limit_register.q.val();
        self.in_flight.next = self.counter.count.val();
        self.limit.next = self.limit_register.q.val();
        self.unlimited.next = self.unlimited_register.q.val();

        comment!("The limit.");
        self.limit_register.d.next = self.limit_register.q.val();
        self.unlimited_register.d.next = self.unlimited_register.q.val();
        if self.set_valid.val() {
            self.limit_register.d.next = bit_cast::<COUNT_W, LIMIT_W>(self.set_limit.val());
            if self.set_unlimited.val() {
                self.limit_register.d.next = !bits::<COUNT_W>(0);
            }
            self.unlimited_register.d.next = self.set_unlimited.val();
        }
    }
}

unit! {
    [const COUNT_W: usize, const LIMIT_W: usize]
    Smil<COUNT_W, LIMIT_W>: clock;
    in reset, set_valid, set_limit, set_unlimited, issue, complete;
    out allow, in_flight, limit, unlimited
}

/// The type of a [`Smil`](crate::sm::Smil): width of the in-flight counter, width of a limit.
#[macro_export]
macro_rules! smil {
    ($count_w:expr, $limit_w:expr) => {
        $crate::sm::Smil<{ $count_w }, { $limit_w }>
    };
}
