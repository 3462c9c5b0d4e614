//! `budget_flags`: which pairs of victim and aggressor exceeded their limits, and which of them matter.
//!
//! Timing: `exceeded`, `clear` and `set_mask` at cycle t show at t + 1. A bit
//! that is set and cleared in one cycle is set. Bits stay over a snapshot.

use crate::llc::kid_width;
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Flags and masks of `KERNELS` x `KERNELS` pairs; `KID_W` = max(1, clog2 KERNELS).
///
/// ```
/// let flags = <cotenant_units::budget_flags!(4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct BudgetFlags<const KERNELS: usize, const KID_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: flags and masks to 0.
    pub reset: Signal<In, Bit>,
    /// This pair is above its limit; active high.
    pub exceeded: Signal<In, Bit>,
    /// Its victim; below KERNELS.
    pub exceeded_victim: Signal<In, Bits<KID_W>>,
    /// Its aggressor; below KERNELS.
    pub exceeded_aggressor: Signal<In, Bits<KID_W>>,
    /// The victim of what follows; KERNELS and above is none.
    pub victim: Signal<In, Bits<KID_W>>,
    /// Clear the flags that `data` has ones for; active high.
    pub clear: Signal<In, Bit>,
    /// Make `data` the mask; active high.
    pub set_mask: Signal<In, Bit>,
    /// One bit an aggressor.
    pub data: Signal<In, Bits<KERNELS>>,
    /// Flags of `victim`; 0 after reset.
    pub over: Signal<Out, Bits<KERNELS>>,
    /// Mask of `victim`; 0 after reset.
    pub mask: Signal<Out, Bits<KERNELS>>,
    /// Some flag is set that its mask lets through; 0 after reset.
    pub raised: Signal<Out, Bit>,
    /// By victim, one bit an aggressor.
    flags: [Reg<Bits<KERNELS>>; KERNELS],
    masks: [Reg<Bits<KERNELS>>; KERNELS],
    /// A victim's flags in the next cycle.
    next_flags: Signal<Local, Bits<KERNELS>>,
    about: About,
}

impl<const KERNELS: usize, const KID_W: usize> Default for BudgetFlags<KERNELS, KID_W> {
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= 16 && KID_W == kid_width(KERNELS),
                "budget_flags: KERNELS is 1 to 16, KID_W max(1, clog2 KERNELS)"
            );
        }
        BudgetFlags {
            clock: Default::default(),
            reset: Default::default(),
            exceeded: Default::default(),
            exceeded_victim: Default::default(),
            exceeded_aggressor: Default::default(),
            victim: Default::default(),
            clear: Default::default(),
            set_mask: Default::default(),
            data: Default::default(),
            over: Default::default(),
            mask: Default::default(),
            raised: Default::default(),
            flags: from_fn(|_| Default::default()),
            masks: from_fn(|_| Default::default()),
            next_flags: Default::default(),
            about: About::new("budget_flags")
                .parameter("KERNELS", KERNELS)
                .documented_in(include_str!("budget_flags.rs")),
        }
    }
}

impl<const KERNELS: usize, const KID_W: usize> Logic for BudgetFlags<KERNELS, KID_W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.over.next = 0.into();
        self.mask.next = 0.into();
        self.raised.next = false;
        for v in 0..KERNELS {
            self.flags[v].clock.next = self.clock.val();
            self.flags[v].reset.next = self.reset.val();
            self.next_flags.next = self.flags[v].q.val();
            self.masks[v].clock.next = self.clock.val();
            self.masks[v].reset.next = self.reset.val();
            self.masks[v].d.next = self.masks[v].q.val();
            if self.victim.val() == v.to_bits::<KID_W>() {
                self.over.next = self.flags[v].q.val();
                self.mask.next = self.masks[v].q.val();
                if self.set_mask.val() {
                    self.masks[v].d.next = self.data.val();
                }
            }
            for a in 0..KERNELS {
                if self.exceeded.val()
                    & (self.exceeded_victim.val() == v.to_bits::<KID_W>())
                    & (self.exceeded_aggressor.val() == a.to_bits::<KID_W>())
                {
                    self.next_flags.next = self.next_flags.val().replace_bit(a, true);
                } else if self.clear.val()
                    & (self.victim.val() == v.to_bits::<KID_W>())
                    & self.data.val().get_bit(a)
                {
                    self.next_flags.next = self.next_flags.val().replace_bit(a, false);
                }
            }
            self.flags[v].d.next = self.next_flags.val();
            if (self.flags[v].q.val() & self.masks[v].q.val()).any() {
                self.raised.next = true;
            }
        }
    }
}

unit! {
    [const KERNELS: usize, const KID_W: usize]
    BudgetFlags<KERNELS, KID_W>: clock;
    in reset, exceeded, exceeded_victim, exceeded_aggressor, victim, clear, set_mask, data;
    out over, mask, raised
}

/// The type of a [`BudgetFlags`](crate::bus::BudgetFlags) of this many kernels.
#[macro_export]
macro_rules! budget_flags {
    ($kernels:expr) => {
        $crate::bus::BudgetFlags<{ $kernels }, { $crate::llc::kid_width($kernels) }>
    };
}
