//! `qbmi`: quota-based memory instruction issue: selects the kernel that issues to the LSU.
//!
//! Source: Dai et al., section 3.2, figure 7: of the kernels with a memory
//! instruction ready the one with the highest quota left issues it, and its
//! quota goes down by one. When a quota reaches zero, a new set, made of the
//! newest requests per instruction, is added to all.
//!
//! Timing: the grant is combinational; it is deducted in its cycle, and the set is added in the
//! very cycle in which a quota reaches zero: `quota` shows both one cycle later. The ratios and the
//! set follow as in [`request_ratio`](crate::sm::RequestRatio) and
//! [`quota_unit`](crate::sm::QuotaUnit), which starts in the cycle after a ratio
//! is measured, a launch or an exit, unless it is busy; issue never waits for it.
//!
//! LAG departs from that for speed: with LAG 1 a grant is deducted one cycle later, so that
//! selection and deduction have a clock cycle each. The grant of the next cycle is then decided by
//! quotas that do not know of it: kernels of equal ratios are granted 0 1 1 0 0 1 1 0 back to back
//! where the rule alternates. How much faster that is says docs/fpga.md, rows `2x10` and `2x10l1`.
//!
//! ASSUMPTION: a tie goes round-robin from the last winner. After reset kernel
//! 0 is first in line.
//! ASSUMPTION: the set added is the newest that is complete. Every instruction is deducted.
//! ASSUMPTION: launch and exit restart all quotas at 1; until the new set is
//! computed, the set in force is all 1. An instruction issued in that cycle, or one that is not
//! yet deducted, is not deducted.
//! ASSUMPTION: an idle kernel accumulates credit; its quota saturates at all ones, with CAP 1 at
//! twice its quota in the newest set.

use super::{
    credit_width, kid_width, quota_width, ratio_max, ratio_width, HighestQuota, QuotaCredit,
    QuotaUnit, RequestRatio, MAX_KERNELS,
};
use crate::table::line::{usually, Aliases, Line, Sets};
use crate::table::sm::{both, vectors};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.2, figure 7",
    unused = ["unit.done"]
)]
mod qbmi {
    /// Arbiter of `KERNELS` kernels, whose requests are counted in `INTERVAL_W`
    /// bits; `CAP` 1 bounds the credit of an idle kernel; a grant is deducted `LAG` cycles late.
    ///
    /// ```
    /// use cotenant_units::sm::Qbmi;
    /// let qbmi = <Qbmi!(2, 10, 0, 0)>::default();
    /// ```
    pub struct Qbmi<
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=16)] const INTERVAL_W: usize,
        #[range(0..=1)] const CAP: usize,
        #[range(0..=3)] const LAG: usize,
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
        /// lowest; at least 1 of active kernels, 0 of others and after reset.
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
        /// One bit per kernel: it was granted, which is not yet deducted from its quota; the newest
        /// first.
        undeducted: [Reg<Bits<KERNELS>>; LAG],
        /// Quotas left.
        current: [Reg<Bits<QUOTA_W>>; KERNELS],
        /// KID of the kernel granted last.
        #[reset(KERNELS - 1)]
        last: Reg<Bits<KID_W>>,
        /// The ratios or the active kernels changed since the set was computed.
        dirty: Reg<Bit>,
        /// One bit per kernel: its quota reaches zero.
        emptied: Local<Bits<KERNELS>>,
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

        comment!(
            "Which kernel's quota is deducted from: that of the grant, or of one LAG cycles ago."
        );
        let mut deducts: Bits<KERNELS> = self.arbiter.winner;
        for i in 0..LAG {
            self.undeducted[i].next = deducts;
            if change {
                self.undeducted[i].next = 0;
            }
            deducts = self.undeducted[i];
        }

        comment!("Quotas left: less the instruction, plus the newest set where one reaches zero.");
        for i in 0..KERNELS {
            self.emptied[i].next = deducts.get_bit(i) & (self.current[i] == 1);
        }
        let refill: Bit = self.emptied.any();
        for i in 0..KERNELS {
            self.credit[i].next = QuotaCredit {
                left: self.current[i],
                deducts: deducts.get_bit(i),
                refill: refill & self.active_register[i],
                set: self.unit.quota.get_bits::<SET_W>(i * SET_W),
            };
            self.current[i].next = self.credit[i].after;
            if change {
                self.current[i].next = 0;
                if next_active.get_bit(i) {
                    self.current[i].next = 1;
                }
            }
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
    Sets::Numbers(|| {
        let lags = [[2, 10, 0, 1], [2, 2, 0, 1], [8, 10, 0, 1], [3, 3, 1, 2]];
        let literal = both(&[[2, 10], [3, 10], [4, 10], [8, 10], [2, 2], [3, 3]]);
        let literal = literal.into_iter().map(|set| [set, vec![0]].concat());
        literal.chain(vectors(&lags)).collect()
    }),
)
.usual(&[usually("CAP", 0).flags("c"), usually("LAG", 0).letter('l')]);
