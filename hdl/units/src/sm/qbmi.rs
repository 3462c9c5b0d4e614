//! `qbmi`: quota-based memory instruction issue: selects the kernel that issues to the LSU.
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
//! The issue path is a pipeline of two cycles: in the first
//! [`highest_quota`](crate::sm::HighestQuota) decides the grant, in the second
//! [`quota_credit`](crate::sm::QuotaCredit) deducts it and computes which quota
//! becomes zero, so that `refill` is registered in that cycle.
//!
//! ASSUMPTION: a tie goes round-robin from the last winner. After reset kernel
//! 0 is first in line.
//! ASSUMPTION: the set added is the one in force in the cycle in which a quota is
//! zero. Every instruction is deducted, also those issued until the set shows.
//! ASSUMPTION: launch and exit restart all quotas at 1; until the new set is
//! computed, the set in force is all 1. An instruction issued in that cycle is not
//! deducted.
//! ASSUMPTION: an idle kernel accumulates credit: nothing is added to a quota that
//! is greater than any in a set, that is with its highest bit set; with CAP 1 an
//! addition, less the instruction deducted with it, leaves up to twice its quota
//! in the newest set.

use super::{
    credit_width, kid_width, quota_width, ratio_max, ratio_width, HighestQuota, QuotaCredit,
    QuotaUnit, RequestRatio, MAX_KERNELS,
};
use crate::table::line::{usually, Aliases, Line, Sets};
use crate::table::sm::both;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.2, figure 7",
    unused = ["unit.done"]
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
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=16)] const INTERVAL_W: usize,
        #[range(0..=1)] const CAP: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const QUOTA_W: usize = { credit_width(KERNELS, INTERVAL_W) },
        const RATIO_MAX: usize = { ratio_max(INTERVAL_W) },
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const SET_W: usize = { quota_width(KERNELS, RATIO_MAX) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no kernel is active.
        pub reset: In<Bit>,
        /// One bit per kernel: it starts on this SM; active high, has priority over `exit`.
        pub launch: In<Bits<KERNELS>>,
        /// One bit per kernel: it ends on this SM; active high.
        pub exit: In<Bits<KERNELS>>,
        /// One bit per kernel: it has a memory instruction ready.
        pub ready: In<Bits<KERNELS>>,
        /// The LSU accepts an instruction in this cycle; active high.
        pub accept: In<Bit>,
        /// A memory request is accepted; active high.
        pub request_valid: In<Bit>,
        /// The request is the first of its instruction; active high.
        pub request_first: In<Bit>,
        /// KID of the kernel; below KERNELS.
        pub request_kid: In<Bits<KID_W>>,
        /// One-hot by kernel: the kernel that may issue; zero without a grant.
        pub grant: Out<Bits<KERNELS>>,
        /// A kernel is granted; active high.
        pub grant_valid: Out<Bit>,
        /// KID of the kernel granted; 0 without a grant.
        pub grant_kid: Out<Bits<KID_W>>,
        /// One bit per kernel: it is active on this SM; 0 after reset.
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
        /// Who issues.
        arbiter: HighestQuota<KERNELS, QUOTA_W>,
        /// What is left to each.
        credit: [QuotaCredit<QUOTA_W, SET_W, CAP>; KERNELS],
        active_register: Reg<Bits<KERNELS>>,
        /// One bit per kernel: it was granted in the cycle before, which is not yet
        /// deducted from its quota.
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
        /// The ratios or the active kernels changed since the set was computed.
        dirty: Reg<Bit>,
        /// One bit per kernel: its quota reaches zero with a grant.
        empties: Local<Bits<KERNELS>>,
        /// One bit per kernel: its quota in the newest set is 1.
        ones: Local<Bits<KERNELS>>,
    }

    fn update(&mut self) {
        comment!("Active kernels.");
        let change: Bit = self.launch.any() | self.exit.any();
        let next_active: Bits<KERNELS> = (self.active_register & !self.exit) | self.launch;
        self.active_register.next = next_active;
        self.active.next = self.active_register;

        comment!("The grant: to the highest quota.");
        for i in 0..KERNELS {
            self.quota[i].next = self.current[i];
        }
        self.arbiter.next = HighestQuota {
            asks: self.ready & self.active_register,
            accept,
            quota: self.quota,
            last: self.last,
        };
        self.grant.next = self.arbiter.winner;
        self.grant_valid.next = self.arbiter.winner_valid;
        self.grant_kid.next = self.arbiter.winner_kid;
        if self.arbiter.winner_valid {
            self.last.next = self.arbiter.winner_kid;
        }

        comment!(
            "It is paid for in the next cycle; what is issued in that of a change costs nothing."
        );
        self.pending.next = self.arbiter.winner;
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
            let set: Bits<SET_W> = self.unit.quota.get_bits::<SET_W>(i * SET_W);
            self.newest[i].next = set - 1;
            self.ones[i].next = set == 1;
            self.credit[i].next = QuotaCredit {
                left: self.current[i],
                pays: self.pending[i],
                refill: self.refill[i],
                set_less_1: self.newest[i],
                set_is_1: self.single[i],
            };
            self.empties[i].next = self.credit[i].empties;
            self.current[i].next = self.credit[i].after;
            if change {
                self.current[i].next = 0;
                if next_active.get_bit(i) {
                    self.current[i].next = 1;
                }
            }
        }
        self.single.next = self.ones;

        comment!("A quota that runs out is foreseen, so that the set is added while it is zero.");
        self.refill.next = 0;
        if (self.pending & self.empties).any() & !change {
            self.refill.next = self.active_register;
        }
    }
}

const ALIASES: Aliases = &[
    ("table-1", "2x10"),
    ("three", "3x10"),
    ("small", "2x2"),
    ("large", "8x10"),
];

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Qbmi!(@any)>::DEFINITION,
    ALIASES,
    Sets::Numbers(|| both(&[[2, 10], [3, 10], [4, 10], [8, 10], [2, 2], [3, 3]])),
)
.usual(&[usually("CAP", 0).flag('c')]);
