//! `budget_scan`: compares the counters of all pairs with their limits, one per cycle.
//!
//! Source: the contention budgets of SafeSU's MCCU, which are per core; here
//! there is one per victim and aggressor.
//!
//! Timing: a slot at cycle c gives a pair; its counter comes back as `count` at
//! c + 2, with `saturated`, and `exceeded` is high at c + 3 if that was above the
//! pair's limit as of c, or saturated and the limit not all ones. With `pause` there is no slot, and the pair comes in the next cycle. Pairs
//! are ordered by matrix (demotions, then evictions), victim and aggressor, with
//! the aggressor changing fastest, and repeat.
//!
//! A snapshot at cycle c ends a period. The slot at c still finds what the running
//! counter ended with; from c + 1 on that is in the shadow register. So the
//! slots of the round that begins at c + 1 are of the period that ended, `live`
//! is low, and those after it are of the running one again. So the final count of
//! each pair, with the period's last cycles, is compared with its limit once more.
//! A snapshot during that round begins another, at the pair that is next: every
//! pair is compared only in periods at least as long as a round.
//!
//! The limits are in RAM, which has no reset: after reset a sweep sets one per
//! cycle to all ones, which is no limit; there are no slots meanwhile.
//!
//! ASSUMPTION: limits have 32 bits, independent of the counters' width, so that no
//! limit written by software is truncated to a small one; the register file refuses
//! those that a counter cannot hold.
//! ASSUMPTION: a pair is over its budget, too, if a counter that contributes to its
//! count has saturated in the period compared, unless the limit is all ones: the
//! count is then smaller than the number of events, which is above what a counter
//! can hold and so above the limit.

use super::pair_width;
use crate::llc::kid_width;
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::MAX_KERNELS;

#[unit]
mod budget_scan {
    /// Scan of two matrices of `KERNELS` x `KERNELS` counters of `TOTAL_W` bits.
    ///
    /// ```
    /// use cotenant_units::bus::BudgetScan;
    /// let scan = <BudgetScan!(4, 21)>::default();
    /// ```
    pub struct BudgetScan<
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=32)] const TOTAL_W: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const PAIR_W: usize = { pair_width(KERNELS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the sweep begins.
        pub reset: In<Bit>,
        /// The scan pauses in this cycle; active high.
        pub pause: In<Bit>,
        /// The period ends; active high.
        pub snapshot: In<Bit>,
        /// Counter of the pair given two cycles before.
        pub count: In<Bits<TOTAL_W>>,
        /// That counter has saturated in its period; active high.
        pub saturated: In<Bit>,
        /// Read the limit of the pair given below; active high, only with `pause`.
        pub limit_read: In<Bit>,
        /// Write that limit; active high, only with `pause` and without `sweeping`.
        pub limit_write: In<Bit>,
        /// Matrix of the pair: demotions (0) or evictions (1).
        pub limit_matrix: In<Bit>,
        /// Victim of the pair; below KERNELS.
        pub limit_victim: In<Bits<KID_W>>,
        /// Aggressor of the pair; below KERNELS.
        pub limit_aggressor: In<Bits<KID_W>>,
        /// The new limit.
        pub limit_data: In<Bits<32>>,
        /// The limit of the pair given two cycles before.
        pub limit: Out<Bits<32>>,
        /// Limits are being set to all ones; 1 after reset.
        pub sweeping: Out<Bit>,
        /// The slot's pair: demotions (0) or evictions (1); 0 after reset.
        pub matrix: Out<Bit>,
        /// Victim of the slot's pair; 0 after reset.
        pub victim: Out<Bits<KID_W>>,
        /// Aggressor of the slot's pair; 0 after reset.
        pub aggressor: Out<Bits<KID_W>>,
        /// The slot compares the running counter (1) or that of the period that ended
        /// last (0); 1 after reset.
        pub live: Out<Bit>,
        /// A pair is above its limit; active high, 0 after reset.
        pub exceeded: Out<Bit>,
        /// Demotions (0) or evictions (1).
        pub exceeded_matrix: Out<Bit>,
        /// The victim.
        pub exceeded_victim: Out<Bits<KID_W>>,
        /// The aggressor.
        pub exceeded_aggressor: Out<Bits<KID_W>>,
        limits: Ram<Bits<32>, PAIR_W>,
        #[reset(true)]
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
        #[value(KERNELS - 1)]
        last: Constant<Bits<KID_W>>,
        /// The matrix is a pair's highest bit.
        #[value(2 * KID_W)]
        matrix_at: Constant<Bits<8>>,
    }

    fn update(&mut self) {
        comment!("The sweep.");
        self.sweeping.next = self.sweep;
        self.sweep.next = self.sweep & !self.sweep_pair.all();
        if self.sweep {
            self.sweep_pair.next = self.sweep_pair + 1;
        }

        comment!("The slots.");
        let scans: Bit = !self.sweep & !self.pause;
        self.matrix.next = self.slot_matrix;
        self.victim.next = self.slot_victim;
        self.aggressor.next = self.slot_aggressor;
        // The pair after the slot's.
        let mut next_matrix: Bit = self.slot_matrix;
        let mut next_victim: Bits<KID_W> = self.slot_victim;
        let mut next_aggressor: Bits<KID_W> = self.slot_aggressor + 1;
        if self.slot_aggressor == self.last {
            next_aggressor = 0;
            next_victim = self.slot_victim + 1;
            if self.slot_victim == self.last {
                next_victim = 0;
                next_matrix = !self.slot_matrix;
            }
        }
        if scans {
            self.slot_matrix.next = next_matrix;
            self.slot_victim.next = next_victim;
            self.slot_aggressor.next = next_aggressor;
        }
        let mut slot_pair: Bits<PAIR_W> = self.slot_aggressor.cast::<PAIR_W>()
            | (self.slot_victim.cast::<PAIR_W>() << KID_W.to_bits::<8>());
        if self.slot_matrix {
            slot_pair = slot_pair.replace_bit(self.matrix_at, true);
        }
        let mut next_pair: Bits<PAIR_W> = next_aggressor.cast::<PAIR_W>()
            | (next_victim.cast::<PAIR_W>() << KID_W.to_bits::<8>());
        if next_matrix {
            next_pair = next_pair.replace_bit(self.matrix_at, true);
        }

        comment!("The round of the period that ended.");
        self.live.next = !self.closing;
        if scans & (next_pair == self.closing_pair) {
            self.closing.next = false;
        }
        if self.snapshot {
            self.closing.next = true;
            self.closing_pair.next = slot_pair;
            if scans {
                self.closing_pair.next = next_pair;
            }
        }

        comment!("The limits.");
        let mut bus_pair: Bits<PAIR_W> = self.limit_aggressor.cast::<PAIR_W>()
            | (self.limit_victim.cast::<PAIR_W>() << KID_W.to_bits::<8>());
        if self.limit_matrix {
            bus_pair = bus_pair.replace_bit(self.matrix_at, true);
        }
        self.limits.read_address.next = slot_pair;
        if self.limit_read {
            self.limits.read_address.next = bus_pair;
        }
        self.limits.write_enable.next = self.limit_write;
        self.limits.write_address.next = bus_pair;
        self.limits.write_data.next = self.limit_data;
        if self.sweep {
            self.limits.write_enable.next = true;
            self.limits.write_address.next = self.sweep_pair;
            self.limits.write_data.next = !bits::<32>(0);
        }
        self.limit_register.next = self.limits.read_data;
        self.limit.next = self.limit_register;

        comment!("The comparison.");
        self.asked.next = scans;
        self.asked_pair.next = slot_pair;
        self.compared.next = self.asked;
        self.compared_pair.next = self.asked_pair;
        // Of a saturated counter it is unknown by how much it is below the number of events.
        let unlimited: Bit = self.limit_register.all();
        let over: Bit =
            (self.count.cast::<32>() > self.limit_register) | (self.saturated & !unlimited);
        self.above.next = self.compared & over;
        self.above_pair.next = self.compared_pair;
        self.exceeded.next = self.above;
        self.exceeded_matrix.next = self.above_pair.get_bit(self.matrix_at);
        self.exceeded_victim.next = self.above_pair.get_bits::<KID_W>(KID_W);
        self.exceeded_aggressor.next = self.above_pair.cast::<KID_W>();
    }
}
