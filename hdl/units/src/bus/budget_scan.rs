//! `budget_scan`: compares the counters of all pairs with their limits, one a cycle.
//!
//! Source: the contention budgets of SafeSU's MCCU, which are of a core; here
//! there is one a victim and aggressor.
//!
//! Timing: a slot at cycle c gives a pair; its counter comes back as `count` at
//! c + 2, and `exceeded` is high at c + 3 if that was above the pair's limit as
//! of c. With `pause` there is no slot, and the pair is the next cycle's. Pairs
//! go by matrix (demotions, then evictions), victim and aggressor, the last
//! fastest, for ever.
//!
//! A snapshot at cycle c ends a period. The slot at c still finds what the running
//! counter ended with; from c + 1 on that is in the shadow register. So the
//! slots of the round that begins at c + 1 are of the period that ended, `live`
//! is low, and those after it of the running one again. Whatever a pair came to,
//! also in the period's last cycles, is compared with its limit once more. A
//! snapshot during that round begins another, at the pair whose turn it is:
//! only of periods that are as long as a round every pair is compared.
//!
//! The limits are in RAM, which has no reset: after reset a sweep sets one a
//! cycle to all ones, which no counter exceeds; there are no slots meanwhile.
//!
//! ASSUMPTION: limits have 32 bits, whatever the counters have, so that no limit
//! that software may write loses bits and becomes a small one.

use crate::llc::kid_width;
use crate::prim::{Ram, Reg};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Scan of two matrices of `KERNELS` x `KERNELS` counters of `TOTAL_W` bits.
///
/// Derived: `KID_W` = max(1, clog2 KERNELS), `PAIR_W` = 2 x KID_W + 1.
///
/// ```
/// let scan = <cotenant_units::budget_scan!(4, 21)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct BudgetScan<
    const KERNELS: usize,
    const TOTAL_W: usize,
    const KID_W: usize,
    const PAIR_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the sweep begins.
    pub reset: Signal<In, Bit>,
    /// No slot in this cycle; active high.
    pub pause: Signal<In, Bit>,
    /// The period ends; active high.
    pub snapshot: Signal<In, Bit>,
    /// Counter of the pair given two cycles before.
    pub count: Signal<In, Bits<TOTAL_W>>,
    /// Read the limit of the pair below; active high, only with `pause`.
    pub limit_read: Signal<In, Bit>,
    /// Write it; active high, only with `pause` and without `sweeping`.
    pub limit_write: Signal<In, Bit>,
    /// Of demotions (0) or evictions (1).
    pub limit_matrix: Signal<In, Bit>,
    /// Its victim; below KERNELS.
    pub limit_victim: Signal<In, Bits<KID_W>>,
    /// Its aggressor; below KERNELS.
    pub limit_aggressor: Signal<In, Bits<KID_W>>,
    /// The new limit.
    pub limit_data: Signal<In, Bits<32>>,
    /// The limit of the pair given two cycles before.
    pub limit: Signal<Out, Bits<32>>,
    /// Limits are being set to all ones; 1 after reset.
    pub sweeping: Signal<Out, Bit>,
    /// The slot's pair: demotions (0) or evictions (1); 0 after reset.
    pub matrix: Signal<Out, Bit>,
    /// Its victim; 0 after reset.
    pub victim: Signal<Out, Bits<KID_W>>,
    /// Its aggressor; 0 after reset.
    pub aggressor: Signal<Out, Bits<KID_W>>,
    /// It is the running counter's turn (1) or that of the period that ended
    /// last; 1 after reset.
    pub live: Signal<Out, Bit>,
    /// A pair is above its limit; active high, 0 after reset.
    pub exceeded: Signal<Out, Bit>,
    /// Demotions (0) or evictions (1).
    pub exceeded_matrix: Signal<Out, Bit>,
    /// The victim.
    pub exceeded_victim: Signal<Out, Bits<KID_W>>,
    /// The aggressor.
    pub exceeded_aggressor: Signal<Out, Bits<KID_W>>,
    limits: Ram<Bits<32>, PAIR_W>,
    sweep: Reg<Bit>,
    sweep_pair: Reg<Bits<PAIR_W>>,
    /// The pair of the slot, and of those one, two and three cycles before.
    slot_matrix: Reg<Bit>,
    slot_victim: Reg<Bits<KID_W>>,
    slot_aggressor: Reg<Bits<KID_W>>,
    /// The round after a snapshot, and the pair that it began with.
    closing: Reg<Bit>,
    closing_pair: Reg<Bits<PAIR_W>>,
    asked: Reg<Bit>,
    asked_pair: Reg<Bits<PAIR_W>>,
    compared: Reg<Bit>,
    compared_pair: Reg<Bits<PAIR_W>>,
    above: Reg<Bit>,
    above_pair: Reg<Bits<PAIR_W>>,
    limit_register: Reg<Bits<32>>,
    scans: Signal<Local, Bit>,
    slot_pair: Signal<Local, Bits<PAIR_W>>,
    /// The pair after the slot's.
    next_matrix: Signal<Local, Bit>,
    next_victim: Signal<Local, Bits<KID_W>>,
    next_aggressor: Signal<Local, Bits<KID_W>>,
    next_pair: Signal<Local, Bits<PAIR_W>>,
    bus_pair: Signal<Local, Bits<PAIR_W>>,
    last: Constant<Bits<KID_W>>,
    victim_at: Constant<Bits<8>>,
    matrix_at: Constant<Bits<8>>,
    about: About,
}

impl<const KERNELS: usize, const TOTAL_W: usize, const KID_W: usize, const PAIR_W: usize> Default
    for BudgetScan<KERNELS, TOTAL_W, KID_W, PAIR_W>
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= 16,
                "budget_scan: KERNELS is 1 to 16"
            );
            assert!(
                TOTAL_W >= 1 && TOTAL_W <= 32,
                "budget_scan: TOTAL_W is 1 to 32"
            );
            assert!(
                KID_W == kid_width(KERNELS) && PAIR_W == 2 * KID_W + 1,
                "budget_scan: KID_W is max(1, clog2 KERNELS) and PAIR_W 2 x KID_W + 1"
            );
        }
        BudgetScan {
            clock: Default::default(),
            reset: Default::default(),
            pause: Default::default(),
            snapshot: Default::default(),
            count: Default::default(),
            limit_read: Default::default(),
            limit_write: Default::default(),
            limit_matrix: Default::default(),
            limit_victim: Default::default(),
            limit_aggressor: Default::default(),
            limit_data: Default::default(),
            limit: Default::default(),
            sweeping: Default::default(),
            matrix: Default::default(),
            victim: Default::default(),
            aggressor: Default::default(),
            live: Default::default(),
            exceeded: Default::default(),
            exceeded_matrix: Default::default(),
            exceeded_victim: Default::default(),
            exceeded_aggressor: Default::default(),
            limits: Default::default(),
            sweep: Reg::new(true),
            sweep_pair: Default::default(),
            slot_matrix: Default::default(),
            slot_victim: Default::default(),
            slot_aggressor: Default::default(),
            closing: Default::default(),
            closing_pair: Default::default(),
            asked: Default::default(),
            asked_pair: Default::default(),
            compared: Default::default(),
            compared_pair: Default::default(),
            above: Default::default(),
            above_pair: Default::default(),
            limit_register: Default::default(),
            scans: Default::default(),
            slot_pair: Default::default(),
            next_matrix: Default::default(),
            next_victim: Default::default(),
            next_aggressor: Default::default(),
            next_pair: Default::default(),
            bus_pair: Default::default(),
            last: Constant::new((KERNELS - 1).to_bits()),
            victim_at: Constant::new(KID_W.to_bits()),
            matrix_at: Constant::new((2 * KID_W).to_bits()),
            about: About::new("budget_scan")
                .parameter("KERNELS", KERNELS)
                .parameter("TOTAL_W", TOTAL_W)
                .documented_in(include_str!("budget_scan.rs")),
        }
    }
}

impl<const KERNELS: usize, const TOTAL_W: usize, const KID_W: usize, const PAIR_W: usize> Logic
    for BudgetScan<KERNELS, TOTAL_W, KID_W, PAIR_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            limits,
            sweep,
            sweep_pair,
            slot_matrix,
            slot_victim,
            slot_aggressor
        );
        clock!(
            self,
            clock,
            asked,
            asked_pair,
            compared,
            compared_pair,
            above,
            above_pair
        );
        clock!(self, clock, limit_register, closing, closing_pair);
        self.sweep.reset.next = self.reset.val();
        self.sweep_pair.reset.next = self.reset.val();
        self.slot_matrix.reset.next = self.reset.val();
        self.slot_victim.reset.next = self.reset.val();
        self.slot_aggressor.reset.next = self.reset.val();
        self.closing.reset.next = self.reset.val();
        self.closing_pair.reset.next = self.reset.val();
        self.asked.reset.next = self.reset.val();
        self.asked_pair.reset.next = self.reset.val();
        self.compared.reset.next = self.reset.val();
        self.compared_pair.reset.next = self.reset.val();
        self.above.reset.next = self.reset.val();
        self.above_pair.reset.next = self.reset.val();
        self.limit_register.reset.next = self.reset.val();

        comment!("The sweep.");
        self.sweeping.next = self.sweep.q.val();
        self.sweep.d.next = self.sweep.q.val() & !self.sweep_pair.q.val().all();
        self.sweep_pair.d.next = self.sweep_pair.q.val();
        if self.sweep.q.val() {
            self.sweep_pair.d.next = self.sweep_pair.q.val() + 1;
        }

        comment!("The slots.");
        self.scans.next = !self.sweep.q.val() & !self.pause.val();
        self.matrix.next = self.slot_matrix.q.val();
        self.victim.next = self.slot_victim.q.val();
        self.aggressor.next = self.slot_aggressor.q.val();
        self.next_matrix.next = self.slot_matrix.q.val();
        self.next_victim.next = self.slot_victim.q.val();
        self.next_aggressor.next = self.slot_aggressor.q.val() + 1;
        if self.slot_aggressor.q.val() == self.last.val() {
            self.next_aggressor.next = 0.into();
            self.next_victim.next = self.slot_victim.q.val() + 1;
            if self.slot_victim.q.val() == self.last.val() {
                self.next_victim.next = 0.into();
                self.next_matrix.next = !self.slot_matrix.q.val();
            }
        }
        self.slot_matrix.d.next = self.slot_matrix.q.val();
        self.slot_victim.d.next = self.slot_victim.q.val();
        self.slot_aggressor.d.next = self.slot_aggressor.q.val();
        if self.scans.val() {
            self.slot_matrix.d.next = self.next_matrix.val();
            self.slot_victim.d.next = self.next_victim.val();
            self.slot_aggressor.d.next = self.next_aggressor.val();
        }
        self.slot_pair.next = bit_cast::<PAIR_W, KID_W>(self.slot_aggressor.q.val())
            | (bit_cast::<PAIR_W, KID_W>(self.slot_victim.q.val()) << self.victim_at.val());
        if self.slot_matrix.q.val() {
            self.slot_pair.next = self
                .slot_pair
                .val()
                .replace_bit(self.matrix_at.val().index(), true);
        }
        self.next_pair.next = bit_cast::<PAIR_W, KID_W>(self.next_aggressor.val())
            | (bit_cast::<PAIR_W, KID_W>(self.next_victim.val()) << self.victim_at.val());
        if self.next_matrix.val() {
            self.next_pair.next = self
                .next_pair
                .val()
                .replace_bit(self.matrix_at.val().index(), true);
        }

        comment!("The round of the period that ended.");
        self.live.next = !self.closing.q.val();
        self.closing.d.next = self.closing.q.val();
        self.closing_pair.d.next = self.closing_pair.q.val();
        if self.scans.val() & (self.next_pair.val() == self.closing_pair.q.val()) {
            self.closing.d.next = false;
        }
        if self.snapshot.val() {
            self.closing.d.next = true;
            self.closing_pair.d.next = self.slot_pair.val();
            if self.scans.val() {
                self.closing_pair.d.next = self.next_pair.val();
            }
        }

        comment!("The limits.");
        self.bus_pair.next = bit_cast::<PAIR_W, KID_W>(self.limit_aggressor.val())
            | (bit_cast::<PAIR_W, KID_W>(self.limit_victim.val()) << self.victim_at.val());
        if self.limit_matrix.val() {
            self.bus_pair.next = self
                .bus_pair
                .val()
                .replace_bit(self.matrix_at.val().index(), true);
        }
        self.limits.read_address.next = self.slot_pair.val();
        if self.limit_read.val() {
            self.limits.read_address.next = self.bus_pair.val();
        }
        self.limits.write_enable.next = self.limit_write.val();
        self.limits.write_address.next = self.bus_pair.val();
        self.limits.write_data.next = self.limit_data.val();
        if self.sweep.q.val() {
            self.limits.write_enable.next = true;
            self.limits.write_address.next = self.sweep_pair.q.val();
            self.limits.write_data.next = !bits::<32>(0);
        }
        self.limit_register.d.next = self.limits.read_data.val();
        self.limit.next = self.limit_register.q.val();

        comment!("The comparison.");
        self.asked.d.next = self.scans.val();
        self.asked_pair.d.next = self.slot_pair.val();
        self.compared.d.next = self.asked.q.val();
        self.compared_pair.d.next = self.asked_pair.q.val();
        self.above.d.next = self.compared.q.val()
            & (bit_cast::<32, TOTAL_W>(self.count.val()) > self.limit_register.q.val());
        self.above_pair.d.next = self.compared_pair.q.val();
        self.exceeded.next = self.above.q.val();
        self.exceeded_matrix.next = self
            .above_pair
            .q
            .val()
            .get_bit(self.matrix_at.val().index());
        self.exceeded_victim.next = self
            .above_pair
            .q
            .val()
            .get_bits::<KID_W>(self.victim_at.val().index());
        self.exceeded_aggressor.next = bit_cast::<KID_W, PAIR_W>(self.above_pair.q.val());
    }
}

unit! {
    [
        const KERNELS: usize,
        const TOTAL_W: usize,
        const KID_W: usize,
        const PAIR_W: usize,
    ]
    BudgetScan<KERNELS, TOTAL_W, KID_W, PAIR_W>: clock;
    in reset, pause, snapshot, count, limit_read, limit_write, limit_matrix, limit_victim, limit_aggressor, limit_data;
    out limit, sweeping, matrix, victim, aggressor, live, exceeded, exceeded_matrix, exceeded_victim, exceeded_aggressor
}

/// The type of a [`BudgetScan`](crate::bus::BudgetScan): kernels, width of a counter as read.
#[macro_export]
macro_rules! budget_scan {
    ($kernels:expr, $total_w:expr) => {
        $crate::bus::BudgetScan<
            { $kernels },
            { $total_w },
            { $crate::llc::kid_width($kernels) },
            { 2 * $crate::llc::kid_width($kernels) + 1 },
        >
    };
}
