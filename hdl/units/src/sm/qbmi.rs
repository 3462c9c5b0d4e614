//! `qbmi`: quota-based memory instruction issue: whose turn it is on the LSU.
//!
//! Source: Dai et al., section 3.2, figure 7: of the kernels with a memory
//! instruction ready the one with the highest quota left issues it, and its
//! quota goes down by one. When a quota reaches zero, a new set, made of the
//! newest requests per instruction, is added to all.
//!
//! Timing: the grant is combinational and decided by `quota`, where it shows two
//! cycles later. In the cycle in which a quota is zero the set is added; it shows
//! in the next. The ratios and the set follow as in
//! [`request_ratio`](crate::sm::RequestRatio) and
//! [`quota_unit`](crate::sm::QuotaUnit), which starts in the cycle after a ratio
//! is measured, a launch or an exit, unless it is busy; issue never waits for it.
//! A set is in force one cycle after the unit shows it.
//!
//! Two things keep the second cycle, in which a grant is paid for, as short as
//! the first:
//!
//! - One adder both adds the set and takes the payment,
//!   `left + gain - paid = left + (gain - 1) + (1 - paid)`: the last term is the
//!   carry into the adder, and `gain - 1` is `newest`, which is kept less 1, or all
//!   ones (-1) without a refill. With two adders the issue path is 10 % slower (199
//!   instead of 220 MHz, `table-1` on the ECP5).
//! - That a quota runs out is foreseen from who pays, so that `refill` is in a
//!   flop when it is zero. Looking for the zero then is another 17 % slower (164
//!   MHz).
//!
//! ASSUMPTION: a tie goes round-robin from the last winner. After reset kernel
//! 0 is first in line.
//! ASSUMPTION: the set that is added is the newest that is in force in the cycle
//! in which a quota is zero. Each instruction is paid for, also what is issued
//! until the set shows.
//! ASSUMPTION: launch and exit start all quotas afresh and equal, at 1; until
//! the new set is there, the set in force is all 1. What is issued in that cycle
//! costs nothing.
//! ASSUMPTION: an idle kernel piles up credit: nothing is added to a quota that
//! is greater than any in a set, that is with its highest bit set; with CAP 1 an
//! addition, less what is paid with it, leaves up to twice its quota in the
//! newest set.

use super::{
    credit_width, kid_width, quota_width, ratio_max, ratio_width, QuotaUnit, RequestRatio,
    MAX_QUOTA_KERNELS,
};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.2, figure 7",
    unused = ["sum", "unit.done"]
)]
mod qbmi {
    /// Arbiter of `KERNELS` kernels, whose requests are counted in `INTERVAL_W`
    /// bits; `CAP` 1 bounds the credit of an idle kernel.
    ///
    /// ```
    /// use cotenant_units::sm::Qbmi;
    /// let qbmi = <Qbmi!(2, 10, 0)>::default();
    /// ```
    pub struct Qbmi<
        #[range(2..=MAX_QUOTA_KERNELS)] const KERNELS: usize,
        #[range(1..=16)] const INTERVAL_W: usize,
        #[range(0..=1)] const CAP: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const QUOTA_W: usize = { credit_width(KERNELS, INTERVAL_W) },
        const ORDER_W: usize = { QUOTA_W + 1 },
        const RATIO_MAX: usize = { ratio_max(INTERVAL_W) },
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const SET_W: usize = { quota_width(KERNELS, RATIO_MAX) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no kernel is active.
        pub reset: In<Bit>,
        /// One bit per kernel: it starts here; active high, goes before `exit`.
        pub launch: In<Bits<KERNELS>>,
        /// One bit per kernel: it ends here; active high.
        pub exit: In<Bits<KERNELS>>,
        /// One bit per kernel: it has a memory instruction ready.
        pub ready: In<Bits<KERNELS>>,
        /// The LSU takes an instruction in this cycle; active high.
        pub accept: In<Bit>,
        /// A memory request is accepted; active high.
        pub request_valid: In<Bit>,
        /// It is its instruction's first; active high.
        pub request_first: In<Bit>,
        /// KID of its kernel; below KERNELS.
        pub request_kid: In<Bits<KID_W>>,
        /// One-hot by kernel: may issue; zero if there is no grant.
        pub grant: Out<Bits<KERNELS>>,
        /// There is a grant; active high.
        pub grant_valid: Out<Bit>,
        /// KID of the kernel granted; 0 if there is no grant.
        pub grant_kid: Out<Bits<KID_W>>,
        /// One bit per kernel: it runs here; 0 after reset.
        pub active: Out<Bits<KERNELS>>,
        /// Instructions that each kernel has left, QUOTA_W bits per kernel, kernel 0
        /// lowest; 0 of inactive kernels and after reset, of one active kernel at
        /// most while the set is added.
        pub quota: Out<[Bits<QUOTA_W>; KERNELS]>,
        /// Requests per instruction, RATIO_W bits per kernel, kernel 0 lowest; 1
        /// after reset.
        pub ratio: Out<[Bits<RATIO_W>; KERNELS]>,
        meter: [RequestRatio<INTERVAL_W>; KERNELS],
        unit: QuotaUnit<KERNELS, RATIO_MAX>,
        active_register: Reg<Bits<KERNELS>>,
        /// One bit per kernel: it was granted in the cycle before, which its quota
        /// does not know yet.
        pending: Reg<Bits<KERNELS>>,
        /// Quotas left.
        current: [Reg<Bits<QUOTA_W>>; KERNELS],
        /// One less than the set in force.
        newest: [Reg<Bits<SET_W>>; KERNELS],
        /// One bit per kernel whose quota in the set in force is 1.
        #[reset((1u64 << KERNELS) - 1)]
        single: Reg<Bits<KERNELS>>,
        /// The active kernels, if the quota of one is zero; else none.
        refill: Reg<Bits<KERNELS>>,
        /// KID of the kernel granted last.
        #[reset(KERNELS - 1)]
        last: Reg<Bits<KID_W>>,
        /// The set is older than ratios and active kernels.
        dirty: Reg<Bit>,
        /// One bit per kernel: its KID is above `last`.
        later: Local<Bits<KERNELS>>,
        candidates: Local<Bits<KERNELS>>,
        /// One bit per kernel that goes before this one.
        ahead: [Local<Bits<KERNELS>>; KERNELS],
        /// The quotas, with a bit below for who is first among equals.
        order: [Local<Bits<ORDER_W>>; KERNELS],
        wins: Local<Bits<KERNELS>>,
        /// One bit per kernel: its quota reaches zero if it pays.
        spends: Local<Bits<KERNELS>>,
        ones: Local<Bits<KERNELS>>,
        #[value(CAP == 1)]
        caps: Constant<Bit>,
        /// One bit per kernel with a lower KID: a loop's bound is no loop variable.
        #[value(|i| (1u64 << i) - 1)]
        below: [Constant<Bits<KERNELS>>; KERNELS],
    }

    fn update(&mut self) {
        comment!("Which kernels run here.");
        let change: Bit = self.launch.any() | self.exit.any();
        let next_active: Bits<KERNELS> = (self.active_register & !self.exit) | self.launch;
        self.active_register.next = next_active;
        self.active.next = self.active_register;

        comment!("The highest quota; among equals the first after the last winner.");
        for i in 0..KERNELS {
            self.later[i].next = i.to_bits::<KID_W>() > self.last;
            self.ahead[i].next = 0;
            let left: Bits<QUOTA_W> = self.current[i];
            self.order[i].next = left.cast::<ORDER_W>() << 1;
        }
        // All pairs at once: no kernel waits for the comparison of others.
        for i in 0..KERNELS {
            for j in 0..KERNELS {
                // Of equals, i is first only if it is later and j, below it, is not.
                if self.below[i][j] {
                    self.ahead[i][j].next = self.order[j]
                        .replace_bit(0, self.later[j] | !self.later[i])
                        > self.order[i];
                    self.ahead[j][i].next = !self.ahead[i][j];
                }
            }
        }
        self.candidates.next = self.ready & self.active_register;
        self.wins.next = 0;
        let mut winner_kid: Bits<KID_W> = 0;
        for i in 0..KERNELS {
            if self.accept & self.candidates[i] & !(self.candidates & self.ahead[i]).any() {
                self.wins[i].next = true;
                winner_kid = winner_kid | i.to_bits::<KID_W>();
            }
        }
        let granted: Bit = self.accept & self.candidates.any();
        self.grant.next = self.wins;
        self.grant_valid.next = granted;
        self.grant_kid.next = winner_kid;
        if granted {
            self.last.next = winner_kid;
        }

        // It is paid for in the next cycle; what is issued in that of a change costs nothing.
        self.pending.next = self.wins;
        if change {
            self.pending.next = 0;
        }

        comment!("Requests per instruction.");
        let mut updates: Bit = false;
        for i in 0..KERNELS {
            self.meter[i].next = RequestRatio {
                clear: self.launch[i],
                request: self.request_valid & (self.request_kid == i.to_bits::<KID_W>()),
                first: self.request_first,
            };
            updates = updates | self.meter[i].updated;
            self.ratio[i].next = self.meter[i].ratio;
        }

        comment!("The next set.");
        let starts: Bit = self.dirty & !self.unit.busy & !change;
        self.dirty.next = change | updates | (self.dirty & !starts);
        self.unit.next = QuotaUnit {
            clear: change,
            start: starts,
            active: self.active_register,
            ratio: self.ratio,
        };

        comment!("Quotas left: less the grant, plus the set in force where one has run out.");
        for i in 0..KERNELS {
            let left: Bits<QUOTA_W> = self.current[i];
            self.quota[i].next = left;
            let set: Bits<SET_W> = self.unit.quota.get_bits::<SET_W>(i * SET_W);
            self.newest[i].next = set - 1;
            self.ones[i].next = set == 1;
            let in_force: Bits<SET_W> = self.newest[i];
            let set_less_1: Bits<QUOTA_W> = in_force.cast::<QUOTA_W>();
            self.spends[i].next = (!self.refill[i] & (left == 1)) | (self.single[i] & (left == 0));
            // It is refilled.
            let gains: Bit = self.refill[i] & (self.caps | !left.get_bit(QUOTA_W - 1));
            let mut gain_less_1: Bits<QUOTA_W> = !bits::<QUOTA_W>(0);
            if gains {
                gain_less_1 = set_less_1;
            }
            // In the lowest bit two ones make the carry, unless it pays.
            let before: Bits<ORDER_W> =
                (left.cast::<ORDER_W>() << 1).replace_bit(0, !self.pending[i]);
            let plus: Bits<ORDER_W> = (gain_less_1.cast::<ORDER_W>() << 1) | 1;
            let sum: Bits<ORDER_W> = before + plus;
            self.current[i].next = (sum >> 1).cast::<QUOTA_W>();
            if self.caps
                & gains
                & (left > (set_less_1 + 1))
                & !(self.pending[i] & (left == (set_less_1 + 2)))
            {
                self.current[i].next = (set_less_1 + 1) << 1;
            }
            if change {
                self.current[i].next = 0;
                if next_active.get_bit(i) {
                    self.current[i].next = 1;
                }
            }
        }
        self.single.next = self.ones;
        self.refill.next = 0;
        if (self.pending & self.spends).any() & !change {
            self.refill.next = self.active_register;
        }
    }
}
