//! `mem_issue`: issue of memory instructions to the LSU of one SM, limited and balanced by kernel.
//!
//! Source: Dai et al., section 3.4 and figure 7: limits of instructions in
//! flight (SMIL or DMIL's MILG, one per kernel) decide which kernels may issue, RBMI
//! or QBMI selects one of them.
//!
//! Timing: the grant is combinational from `want`, `lsu_ready` and registers; it
//! is in the counters one cycle later. A launch or exit at cycle t shows in
//! `active` at t + 1.
//!
//! All variants have the same ports; inputs that a variant does not use are
//! ignored: `request_*`, `fail_valid` and `lsu_kid` by SMIL with RBMI, `fail_valid`
//! by SMIL, `request_first` by RBMI, `set_*` by MILG.
//!
//! ASSUMPTION: the schedulers of an SM share one LSU, which takes one memory
//! instruction per cycle.

use super::{
    credit_width, kid_width, prime_powers, quota_cycles, quota_steps, quota_width, ratio_max,
    ratio_width, widest_interval, width_of, Milg, Qbmi, Rbmi, Smil, MAX_KERNELS,
};
use crate::table::line::{Line, Sets};
use crate::table::sm::{issue, small_issue, ISSUE_ALIASES, ISSUE_USUAL};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.4, figure 7",
    unused = ignored(LIMITER, PRIORITY),
    require(
        COUNT_W < 1 << INTERVAL_W,
        "COUNT_W is below 2^INTERVAL_W: a division ends before the next interval"
    )
)]
mod mem_issue {
    /// Issue for `KERNELS` kernels, with `LIMITER` 0 (SMIL) or 1 (MILG) and
    /// `PRIORITY` 0 (RBMI) or 1 (QBMI).
    ///
    /// `FAIL_W` and `RELEASE` are those of [`Milg`], `CAP` and `LAG` those of [`Qbmi`],
    /// `INTERVAL_W` is of both, `LIMIT_W` that of [`Smil`], `COUNT_W` of either.
    ///
    /// ```
    /// use cotenant_units::sm::MemIssue;
    /// // Kernels, MILG, QBMI; failure counter, release, cap, lag; counts, interval, limit.
    /// let mem_issue = <MemIssue!(2, 1, 1, 12, 0, 0, 0, 7, 10, 5)>::default();
    /// ```
    pub struct MemIssue<
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        #[range(0..=1)] const LIMITER: usize,
        #[range(0..=1)] const PRIORITY: usize,
        #[range(2..=32)] const FAIL_W: usize,
        #[range(0..=3)] const RELEASE: usize,
        #[range(0..=1)] const CAP: usize,
        #[range(0..=3)] const LAG: usize,
        #[range(1..=32)] const COUNT_W: usize,
        #[range(1..=widest_interval(FAIL_W))] const INTERVAL_W: usize,
        #[range(1..=COUNT_W)] const LIMIT_W: usize,
        const N_MILG: usize = { LIMITER * KERNELS },
        const N_SMIL: usize = { KERNELS - N_MILG },
        const N_RBMI: usize = { 1 - PRIORITY },
        const N_QBMI: usize = { PRIORITY },
        const KID_W: usize = { kid_width(KERNELS) },
        const COUNTS_W: usize = { KERNELS * COUNT_W },
        const DIV_W: usize = { FAIL_W - INTERVAL_W },
        const TRIAL_W: usize = { FAIL_W - INTERVAL_W + 1 },
        const COUNT_STEP_W: usize = { width_of(COUNT_W) },
        const QUOTA_W: usize = { credit_width(KERNELS, INTERVAL_W) },
        const ORDER_W: usize = { QUOTA_W + 1 },
        const QUOTAS_W: usize = { KERNELS * QUOTA_W },
        const MEASURE_LEFT_W: usize = { width_of(ratio_max(INTERVAL_W) - 1) },
        const TOTAL_W: usize = { INTERVAL_W + 1 },
        const RATIO_MAX: usize = { ratio_max(INTERVAL_W) },
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const RATIOS_W: usize = { KERNELS * RATIO_W },
        const SET_W: usize = { quota_width(KERNELS, RATIO_MAX) },
        const PARTIAL_W: usize = { SET_W - 1 },
        const SETS_W: usize = { KERNELS * SET_W },
        const POWERS: usize = { prime_powers(RATIO_MAX) },
        const STEPS: usize = { quota_steps(RATIO_MAX) + 1 },
        const STEP_W: usize = { width_of(quota_steps(RATIO_MAX)) },
        const LEFT_W: usize = { width_of(quota_cycles(KERNELS, RATIO_MAX)) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no kernel is active, nothing in flight.
        pub reset: In<Bit>,
        /// One bit per kernel: it starts on this SM; active high, has priority over `exit`.
        pub launch: In<Bits<KERNELS>>,
        /// One bit per kernel: it ends on this SM; active high.
        pub exit: In<Bits<KERNELS>>,
        /// One bit per kernel: it has a memory instruction to issue.
        pub want: In<Bits<KERNELS>>,
        /// The LSU accepts an instruction in this cycle; active high.
        pub lsu_ready: In<Bit>,
        /// One bit per kernel: an instruction of it has its last response; only of
        /// kernels with an instruction in flight.
        pub complete: In<Bits<KERNELS>>,
        /// A memory request is accepted; active high.
        pub request_valid: In<Bit>,
        /// The request is the first of its instruction; active high.
        pub request_first: In<Bit>,
        /// A memory request is refused (reservation failure); active high, never
        /// together with `request_valid`.
        pub fail_valid: In<Bit>,
        /// KID of the kernel; below KERNELS.
        pub lsu_kid: In<Bits<KID_W>>,
        /// A new static limit is set; active high.
        pub set_valid: In<Bit>,
        /// KID of the kernel; below KERNELS.
        pub set_kid: In<Bits<KID_W>>,
        /// Memory instructions that may be in flight; LIMIT_W bits, at least 1.
        pub set_limit: In<Bits<LIMIT_W>>,
        /// The kernel is set to have no limit; active high. Then `set_limit` is ignored.
        pub set_unlimited: In<Bit>,
        /// One-hot by kernel: the kernel that may issue; zero without a grant.
        pub grant: Out<Bits<KERNELS>>,
        /// A kernel is granted; active high.
        pub grant_valid: Out<Bit>,
        /// KID of the kernel granted; 0 without a grant.
        pub grant_kid: Out<Bits<KID_W>>,
        /// One bit per kernel: it is active on this SM; 0 after reset.
        pub active: Out<Bits<KERNELS>>,
        /// One bit per kernel: its limit allows it to issue; all 1 after reset.
        pub allow: Out<Bits<KERNELS>>,
        /// Memory instructions in flight, COUNT_W bits per kernel, kernel 0 lowest;
        /// 0 after reset.
        pub in_flight: Out<[Bits<COUNT_W>; KERNELS]>,
        /// Memory instructions that may be in flight, COUNT_W bits per kernel,
        /// kernel 0 lowest; all ones without a limit and after reset.
        pub limit: Out<[Bits<COUNT_W>; KERNELS]>,
        /// One bit per kernel: it has no limit; all 1 after reset.
        pub unlimited: Out<Bits<KERNELS>>,
        /// Instructions that each kernel has left, QUOTA_W bits per kernel, kernel 0
        /// lowest; 0 after reset, and with RBMI.
        pub quota: Out<[Bits<QUOTA_W>; KERNELS]>,
        /// One bit per kernel: it is active on this SM.
        active_register: Reg<Bits<KERNELS>>,
        milg: [Milg<COUNT_W, FAIL_W, INTERVAL_W, RELEASE>; N_MILG],
        smil: [Smil<COUNT_W, LIMIT_W>; N_SMIL],
        rbmi: [Rbmi<KERNELS>; N_RBMI],
        qbmi: [Qbmi<KERNELS, INTERVAL_W, CAP, LAG>; N_QBMI],
        allowed: Local<Bits<KERNELS>>,
        ready: Local<Bits<KERNELS>>,
        granted: Local<Bits<KERNELS>>,
        /// Count and limit of each kernel.
        count: [Local<Bits<COUNT_W>>; KERNELS],
        most: [Local<Bits<COUNT_W>>; KERNELS],
    }

    fn update(&mut self) {
        comment!("Active kernels, and which of them may issue.");
        self.active_register.next = (self.active_register & !self.exit) | self.launch;
        self.active.next = self.active_register;
        self.allowed.next = 0;
        for k in 0..N_MILG {
            self.allowed[k].next = self.milg[k].allow;
        }
        for k in 0..N_SMIL {
            self.allowed[k].next = self.smil[k].allow;
        }
        self.allow.next = self.allowed;
        self.ready.next = self.want & self.active_register & self.allowed;

        comment!("Priority among the kernels.");
        self.granted.next = 0;
        self.grant_valid.next = false;
        self.grant_kid.next = 0;
        self.quota.next = 0;
        for p in 0..N_RBMI {
            self.rbmi[p].next = Rbmi {
                ready,
                accept: self.lsu_ready,
            };
            self.granted.next = self.rbmi[p].grant;
            self.grant_valid.next = self.rbmi[p].grant_valid;
            self.grant_kid.next = self.rbmi[p].grant_kid;
        }
        for p in 0..N_QBMI {
            self.qbmi[p].next = Qbmi {
                launch,
                exit,
                ready,
                accept: self.lsu_ready,
                request_valid,
                request_first,
                request_kid: self.lsu_kid,
            };
            self.granted.next = self.qbmi[p].grant;
            self.grant_valid.next = self.qbmi[p].grant_valid;
            self.grant_kid.next = self.qbmi[p].grant_kid;
            self.quota.next = self.qbmi[p].quota;
        }
        self.grant.next = self.granted;

        comment!("The limits.");
        self.unlimited.next = 0;
        for k in 0..N_MILG {
            self.milg[k].next = Milg {
                launch: self.launch[k],
                issue: self.granted[k],
                complete: self.complete[k],
                request: self.request_valid & (self.lsu_kid == k.to_bits::<KID_W>()),
                fail: self.fail_valid & (self.lsu_kid == k.to_bits::<KID_W>()),
            };
            self.count[k].next = self.milg[k].in_flight;
            self.most[k].next = self.milg[k].limit;
            self.unlimited[k].next = self.milg[k].unlimited;
        }
        for k in 0..N_SMIL {
            self.smil[k].next = Smil {
                set_valid: self.set_valid & (self.set_kid == k.to_bits::<KID_W>()),
                set_limit,
                set_unlimited,
                issue: self.granted[k],
                complete: self.complete[k],
            };
            self.count[k].next = self.smil[k].in_flight;
            self.most[k].next = self.smil[k].limit;
            self.unlimited[k].next = self.smil[k].unlimited;
        }
        for k in 0..KERNELS {
            self.in_flight[k].next = self.count[k];
            self.limit[k].next = self.most[k];
        }
    }
}

/// Inputs that a variant does not use; all variants have the same ports.
fn ignored(limiter: usize, priority: usize) -> Vec<&'static str> {
    let mut ports = match (limiter, priority) {
        (0, 0) => vec!["request_valid", "request_first", "fail_valid", "lsu_kid"],
        (0, _) => vec!["fail_valid"],
        (_, 0) => vec!["request_first"],
        _ => vec![],
    };
    if limiter == 1 {
        ports.extend(["set_valid", "set_kid", "set_limit", "set_unlimited"]);
    }
    if priority == 1 {
        ports.extend(["qbmi[0].active", "qbmi[0].ratio"]);
    }
    ports
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<MemIssue!(@any)>::DEFINITION,
    ISSUE_ALIASES,
    Sets::Named(sets),
)
.usual(ISSUE_USUAL);

fn sets() -> Vec<(String, Vec<usize>)> {
    let mut sets = vec![];
    for kernels in [2, 3, 4, 8] {
        for [limiter, priority] in [[1, 1], [1, 0], [0, 1], [0, 0]] {
            sets.push(issue([kernels, limiter, priority], [12, 0, 0, 0]));
        }
    }
    for form in [[12, 1, 1, 0], [17, 0, 0, 0], [12, 0, 0, 1]] {
        for kernels in [2, 3] {
            sets.push(issue([kernels, 1, 1], form));
        }
    }
    sets.extend([0, 2, 3].map(small_issue));
    sets
}
