//! `in_flight`: counts a kernel's memory instructions in flight.
//!
//! Source: Dai et al., section 3.3.2, figure 10, the in-flight instruction
//! counter; 7 bits in section 4.4.
//!
//! Timing: an issue or completion at cycle t is in `count` at t + 1.
//!
//! ASSUMPTION: an instruction is in flight from its issue to the LSU until its
//! last response: data for loads, acknowledgement for stores.

use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Up-down counter of `COUNT_W` bits; whoever gates the issue keeps it from
/// wrapping.
///
/// ```
/// let in_flight = <cotenant_units::in_flight!(7)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct InFlight<const COUNT_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: nothing in flight.
    pub reset: Signal<In, Bit>,
    /// An instruction is issued; active high.
    pub issue: Signal<In, Bit>,
    /// An instruction has its last response; active high, only if `count` is
    /// above 0.
    pub complete: Signal<In, Bit>,
    /// Instructions in flight; COUNT_W bits, 0 after reset.
    pub count: Signal<Out, Bits<COUNT_W>>,
    value: Reg<Bits<COUNT_W>>,
    more: Signal<Local, Bits<COUNT_W>>,
    less: Signal<Local, Bits<COUNT_W>>,
    changed: Signal<Local, Bits<COUNT_W>>,
    about: About,
}

impl<const COUNT_W: usize> Default for InFlight<COUNT_W> {
    fn default() -> Self {
        const {
            assert!(
                COUNT_W >= 1 && COUNT_W <= 32,
                "in_flight: COUNT_W is 1 to 32"
            )
        };
        InFlight {
            clock: Default::default(),
            reset: Default::default(),
            issue: Default::default(),
            complete: Default::default(),
            count: Default::default(),
            value: Reg::default(),
            more: Default::default(),
            less: Default::default(),
            changed: Default::default(),
            about: About::new("in_flight")
                .parameter("COUNT_W", COUNT_W)
                .citing("Dai et al., section 3.3.2, figure 10")
                .documented_in(include_str!("in_flight.rs")),
        }
    }
}

impl<const COUNT_W: usize> Logic for InFlight<COUNT_W> {
    #[hdl_gen]
    fn update(&mut self) {
        // Both sums are there before it is known which one it is: an issue is
        // granted late in the cycle.
        self.more.next = self.value.q.val() + 1;
        self.less.next = self.value.q.val() - 1;
        self.changed.next = self.value.q.val();
        if self.issue.val() & !self.complete.val() {
            self.changed.next = self.more.val();
        }
        if self.complete.val() & !self.issue.val() {
            self.changed.next = self.less.val();
        }
        self.value.clock.next = self.clock.val();
        self.value.reset.next = self.reset.val();
        self.value.d.next = self.changed.val();
        self.count.next = self.value.q.val();
    }
}

/// The type of an [`InFlight`](crate::sm::InFlight): width of the counter.
#[macro_export]
macro_rules! in_flight {
    ($count_w:expr) => {
        $crate::sm::InFlight<{ $count_w }>
    };
}
