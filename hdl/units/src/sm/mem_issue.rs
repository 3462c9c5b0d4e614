//! `mem_issue`: issue of memory instructions to the LSU of one SM, limited and balanced by kernel.
//!
//! Source: Dai et al., section 3.4 and figure 7: limits of instructions in
//! flight (SMIL or DMIL's MILG, one a kernel) decide who may issue, RBMI or QBMI
//! who of them does.
//!
//! Timing: the grant is combinational from `want`, `lsu_ready` and registers; it
//! is in the counters one cycle later. A launch or exit at cycle t shows in
//! `active` at t + 1.
//!
//! All variants have the same ports; inputs that a variant has no use for are
//! ignored: `request_*`, `fail_valid` and `lsu_kid` by SMIL with RBMI, `fail_valid`
//! by SMIL, `request_first` by RBMI, `set_*` by MILG.
//!
//! ASSUMPTION: the schedulers of an SM share one LSU, which takes one memory
//! instruction a cycle.

use super::{bits_of, kid_width, Milg, Qbmi, Rbmi, Smil};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Issue for `KERNELS` kernels, with `LIMITER` 0 (SMIL) or 1 (MILG) and
/// `PRIORITY` 0 (RBMI) or 1 (QBMI).
///
/// `FAIL_W` and `RELEASE` are those of [`Milg`], `CAP` that of [`Qbmi`],
/// `INTERVAL_W` is of both, `LIMIT_W` that of [`Smil`], `COUNT_W` of either.
///
/// Derived: `N_MILG`, `N_SMIL`: KERNELS or 0, `N_RBMI`, `N_QBMI`: 1 or 0,
/// `KID_W` = max(1, clog2 KERNELS), `COUNTS_W` = KERNELS x COUNT_W,
/// `COUNT_STEP_W` = clog2(COUNT_W + 1), and those of [`Milg`] and [`Qbmi`].
///
/// ```
/// // Kernels, MILG, QBMI; failure counter, release, cap; counts, interval, limit.
/// let mem_issue = <cotenant_units::mem_issue!(2, 1, 1, 12, 0, 0, 7, 10, 5)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct MemIssue<
    const KERNELS: usize,
    const LIMITER: usize,
    const PRIORITY: usize,
    const FAIL_W: usize,
    const RELEASE: usize,
    const CAP: usize,
    const COUNT_W: usize,
    const INTERVAL_W: usize,
    const LIMIT_W: usize,
    const N_MILG: usize,
    const N_SMIL: usize,
    const N_RBMI: usize,
    const N_QBMI: usize,
    const KID_W: usize,
    const COUNTS_W: usize,
    const DIV_W: usize,
    const TRIAL_W: usize,
    const COUNT_STEP_W: usize,
    const QUOTA_W: usize,
    const ORDER_W: usize,
    const QUOTAS_W: usize,
    const MEASURE_LEFT_W: usize,
    const TOTAL_W: usize,
    const RATIO_MAX: usize,
    const RATIO_W: usize,
    const RATIOS_W: usize,
    const SET_W: usize,
    const PARTIAL_W: usize,
    const SETS_W: usize,
    const POWERS: usize,
    const STEPS: usize,
    const STEP_W: usize,
    const LEFT_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: no kernel is active, nothing in flight.
    pub reset: Signal<In, Bit>,
    /// One bit a kernel: it starts here; active high, goes before `exit`.
    pub launch: Signal<In, Bits<KERNELS>>,
    /// One bit a kernel: it ends here; active high.
    pub exit: Signal<In, Bits<KERNELS>>,
    /// One bit a kernel: it has a memory instruction to issue.
    pub want: Signal<In, Bits<KERNELS>>,
    /// The LSU takes an instruction in this cycle; active high.
    pub lsu_ready: Signal<In, Bit>,
    /// One bit a kernel: an instruction of it has its last response; only of
    /// kernels with an instruction in flight.
    pub complete: Signal<In, Bits<KERNELS>>,
    /// A memory request is accepted; active high.
    pub request_valid: Signal<In, Bit>,
    /// It is its instruction's first; active high.
    pub request_first: Signal<In, Bit>,
    /// A memory request is refused (reservation failure); active high, never
    /// together with `request_valid`.
    pub fail_valid: Signal<In, Bit>,
    /// KID of its kernel; below KERNELS.
    pub lsu_kid: Signal<In, Bits<KID_W>>,
    /// There is a new static limit; active high.
    pub set_valid: Signal<In, Bit>,
    /// KID of its kernel; below KERNELS.
    pub set_kid: Signal<In, Bits<KID_W>>,
    /// Memory instructions that may be in flight; LIMIT_W bits, at least 1.
    pub set_limit: Signal<In, Bits<LIMIT_W>>,
    /// The new limit is none; active high. Then `set_limit` is ignored.
    pub set_unlimited: Signal<In, Bit>,
    /// One-hot by kernel: may issue; zero if there is no grant.
    pub grant: Signal<Out, Bits<KERNELS>>,
    /// There is a grant; active high.
    pub grant_valid: Signal<Out, Bit>,
    /// KID of the kernel granted; 0 if there is no grant.
    pub grant_kid: Signal<Out, Bits<KID_W>>,
    /// One bit a kernel: it runs here; 0 after reset.
    pub active: Signal<Out, Bits<KERNELS>>,
    /// One bit a kernel: its limit lets it issue; all 1 after reset.
    pub allow: Signal<Out, Bits<KERNELS>>,
    /// Memory instructions in flight, COUNT_W bits a kernel, kernel 0 lowest; 0
    /// after reset.
    pub in_flight: Signal<Out, Bits<COUNTS_W>>,
    /// Memory instructions that may be in flight, COUNT_W bits a kernel, kernel 0
    /// lowest; all ones without a limit and after reset.
    pub limit: Signal<Out, Bits<COUNTS_W>>,
    /// One bit a kernel: it has no limit; all 1 after reset.
    pub unlimited: Signal<Out, Bits<KERNELS>>,
    /// Instructions that each kernel has left, QUOTA_W bits a kernel, kernel 0
    /// lowest; 0 after reset, and with RBMI.
    pub quota: Signal<Out, Bits<QUOTAS_W>>,
    /// One bit a kernel: it runs here.
    active_register: Reg<Bits<KERNELS>>,
    // Vectors, since so many blocks in the struct itself would fill the stack.
    milg: Vec<Milg<COUNT_W, FAIL_W, INTERVAL_W, RELEASE, DIV_W, TRIAL_W, COUNT_STEP_W>>,
    smil: Vec<Smil<COUNT_W, LIMIT_W>>,
    rbmi: Vec<Rbmi<KERNELS, KID_W>>,
    qbmi: Vec<
        Qbmi<
            KERNELS,
            INTERVAL_W,
            CAP,
            KID_W,
            QUOTA_W,
            ORDER_W,
            QUOTAS_W,
            MEASURE_LEFT_W,
            TOTAL_W,
            RATIO_MAX,
            RATIO_W,
            RATIOS_W,
            SET_W,
            PARTIAL_W,
            SETS_W,
            POWERS,
            STEPS,
            STEP_W,
            LEFT_W,
        >,
    >,
    allowed: Signal<Local, Bits<KERNELS>>,
    ready: Signal<Local, Bits<KERNELS>>,
    granted: Signal<Local, Bits<KERNELS>>,
    one_count: Signal<Local, Bits<COUNT_W>>,
    count_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const N_MILG: usize,
        const N_SMIL: usize,
        const N_RBMI: usize,
        const N_QBMI: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const COUNT_STEP_W: usize,
        const QUOTA_W: usize,
        const ORDER_W: usize,
        const QUOTAS_W: usize,
        const MEASURE_LEFT_W: usize,
        const TOTAL_W: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    > Default
    for MemIssue<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        N_MILG,
        N_SMIL,
        N_RBMI,
        N_QBMI,
        KID_W,
        COUNTS_W,
        DIV_W,
        TRIAL_W,
        COUNT_STEP_W,
        QUOTA_W,
        ORDER_W,
        QUOTAS_W,
        MEASURE_LEFT_W,
        TOTAL_W,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >
{
    fn default() -> Self {
        // The parts check their own parameters.
        const {
            assert!(LIMITER <= 1, "mem_issue: LIMITER is 0 (SMIL) or 1 (MILG)");
            assert!(PRIORITY <= 1, "mem_issue: PRIORITY is 0 (RBMI) or 1 (QBMI)");
            assert!(
                N_MILG == LIMITER * KERNELS && N_SMIL == KERNELS - N_MILG,
                "mem_issue: N_MILG and N_SMIL follow from LIMITER"
            );
            assert!(
                N_QBMI == PRIORITY && N_RBMI == 1 - PRIORITY,
                "mem_issue: N_RBMI and N_QBMI follow from PRIORITY"
            );
            assert!(
                KID_W == kid_width(KERNELS)
                    && COUNTS_W == KERNELS * COUNT_W
                    && COUNT_STEP_W == bits_of(COUNT_W as u64),
                "mem_issue: KID_W, COUNTS_W and COUNT_STEP_W follow from KERNELS and COUNT_W"
            );
        }
        let mut about = About::new("mem_issue")
            .parameter("KERNELS", KERNELS)
            .parameter("LIMITER", LIMITER)
            .parameter("PRIORITY", PRIORITY)
            .parameter("FAIL_W", FAIL_W)
            .parameter("RELEASE", RELEASE)
            .parameter("CAP", CAP)
            .parameter("COUNT_W", COUNT_W)
            .parameter("INTERVAL_W", INTERVAL_W)
            .parameter("LIMIT_W", LIMIT_W)
            .citing("Dai et al., section 3.4, figure 7")
            .documented_in(include_str!("mem_issue.rs"));
        // The ports are the same in all variants.
        let ignored: &[&str] = match (LIMITER, PRIORITY) {
            (0, 0) => &["request_valid", "request_first", "fail_valid", "lsu_kid"],
            (0, _) => &["fail_valid"],
            (_, 0) => &[
                "request_first",
                "set_valid",
                "set_kid",
                "set_limit",
                "set_unlimited",
            ],
            _ => &["set_valid", "set_kid", "set_limit", "set_unlimited"],
        };
        for port in ignored {
            about = about.unused(port);
        }
        if PRIORITY == 1 {
            about = about.unused("qbmi[0].active").unused("qbmi[0].ratio");
        }
        MemIssue {
            clock: Default::default(),
            reset: Default::default(),
            launch: Default::default(),
            exit: Default::default(),
            want: Default::default(),
            lsu_ready: Default::default(),
            complete: Default::default(),
            request_valid: Default::default(),
            request_first: Default::default(),
            fail_valid: Default::default(),
            lsu_kid: Default::default(),
            set_valid: Default::default(),
            set_kid: Default::default(),
            set_limit: Default::default(),
            set_unlimited: Default::default(),
            grant: Default::default(),
            grant_valid: Default::default(),
            grant_kid: Default::default(),
            active: Default::default(),
            allow: Default::default(),
            in_flight: Default::default(),
            limit: Default::default(),
            unlimited: Default::default(),
            quota: Default::default(),
            active_register: Reg::default(),
            milg: (0..N_MILG).map(|_| Default::default()).collect(),
            smil: (0..N_SMIL).map(|_| Default::default()).collect(),
            rbmi: (0..N_RBMI).map(|_| Default::default()).collect(),
            qbmi: (0..N_QBMI).map(|_| Default::default()).collect(),
            allowed: Default::default(),
            ready: Default::default(),
            granted: Default::default(),
            one_count: Default::default(),
            count_w: Constant::new(COUNT_W.to_bits()),
            about,
        }
    }
}

impl<
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const N_MILG: usize,
        const N_SMIL: usize,
        const N_RBMI: usize,
        const N_QBMI: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const COUNT_STEP_W: usize,
        const QUOTA_W: usize,
        const ORDER_W: usize,
        const QUOTAS_W: usize,
        const MEASURE_LEFT_W: usize,
        const TOTAL_W: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    > Logic
    for MemIssue<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        N_MILG,
        N_SMIL,
        N_RBMI,
        N_QBMI,
        KID_W,
        COUNTS_W,
        DIV_W,
        TRIAL_W,
        COUNT_STEP_W,
        QUOTA_W,
        ORDER_W,
        QUOTAS_W,
        MEASURE_LEFT_W,
        TOTAL_W,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Which kernels run here, and which of those may issue.");
        self.active_register.clock.next = self.clock.val();
        self.active_register.reset.next = self.reset.val();
        self.active_register.d.next =
            (self.active_register.q.val() & !self.exit.val()) | self.launch.val();
        self.active.next = self.active_register.q.val();
        self.allowed.next = 0.into();
        for k in 0..N_MILG {
            self.allowed.next = self.allowed.val().replace_bit(k, self.milg[k].allow.val());
        }
        for k in 0..N_SMIL {
            self.allowed.next = self.allowed.val().replace_bit(k, self.smil[k].allow.val());
        }
        self.allow.next = self.allowed.val();
        self.ready.next = self.want.val() & self.active_register.q.val() & self.allowed.val();

        comment!("Whose turn it is.");
        self.granted.next = 0.into();
        self.grant_valid.next = false;
        self.grant_kid.next = 0.into();
        self.quota.next = 0.into();
        for p in 0..N_RBMI {
            self.rbmi[p].clock.next = self.clock.val();
            self.rbmi[p].reset.next = self.reset.val();
            self.rbmi[p].ready.next = self.ready.val();
            self.rbmi[p].accept.next = self.lsu_ready.val();
            self.granted.next = self.rbmi[p].grant.val();
            self.grant_valid.next = self.rbmi[p].grant_valid.val();
            self.grant_kid.next = self.rbmi[p].grant_kid.val();
        }
        for p in 0..N_QBMI {
            self.qbmi[p].clock.next = self.clock.val();
            self.qbmi[p].reset.next = self.reset.val();
            self.qbmi[p].launch.next = self.launch.val();
            self.qbmi[p].exit.next = self.exit.val();
            self.qbmi[p].ready.next = self.ready.val();
            self.qbmi[p].accept.next = self.lsu_ready.val();
            self.qbmi[p].request_valid.next = self.request_valid.val();
            self.qbmi[p].request_first.next = self.request_first.val();
            self.qbmi[p].request_kid.next = self.lsu_kid.val();
            self.granted.next = self.qbmi[p].grant.val();
            self.grant_valid.next = self.qbmi[p].grant_valid.val();
            self.grant_kid.next = self.qbmi[p].grant_kid.val();
            self.quota.next = self.qbmi[p].quota.val();
        }
        self.grant.next = self.granted.val();

        comment!("The limits.");
        self.in_flight.next = 0.into();
        self.limit.next = 0.into();
        self.unlimited.next = 0.into();
        for k in 0..N_MILG {
            self.milg[k].clock.next = self.clock.val();
            self.milg[k].reset.next = self.reset.val();
            self.milg[k].launch.next = self.launch.val().get_bit(k);
            self.milg[k].issue.next = self.granted.val().get_bit(k);
            self.milg[k].complete.next = self.complete.val().get_bit(k);
            self.milg[k].request.next =
                self.request_valid.val() & (self.lsu_kid.val() == k.to_bits::<KID_W>());
            self.milg[k].fail.next =
                self.fail_valid.val() & (self.lsu_kid.val() == k.to_bits::<KID_W>());
            self.one_count.next = self.milg[k].in_flight.val();
            self.in_flight.next = self.in_flight.val()
                | (bit_cast::<COUNTS_W, COUNT_W>(self.one_count.val())
                    << (k * self.count_w.val().index()).to_bits::<16>());
            self.one_count.next = self.milg[k].limit.val();
            self.limit.next = self.limit.val()
                | (bit_cast::<COUNTS_W, COUNT_W>(self.one_count.val())
                    << (k * self.count_w.val().index()).to_bits::<16>());
            self.unlimited.next = self
                .unlimited
                .val()
                .replace_bit(k, self.milg[k].unlimited.val());
        }
        for k in 0..N_SMIL {
            self.smil[k].clock.next = self.clock.val();
            self.smil[k].reset.next = self.reset.val();
            self.smil[k].set_valid.next =
                self.set_valid.val() & (self.set_kid.val() == k.to_bits::<KID_W>());
            self.smil[k].set_limit.next = self.set_limit.val();
            self.smil[k].set_unlimited.next = self.set_unlimited.val();
            self.smil[k].issue.next = self.granted.val().get_bit(k);
            self.smil[k].complete.next = self.complete.val().get_bit(k);
            self.one_count.next = self.smil[k].in_flight.val();
            self.in_flight.next = self.in_flight.val()
                | (bit_cast::<COUNTS_W, COUNT_W>(self.one_count.val())
                    << (k * self.count_w.val().index()).to_bits::<16>());
            self.one_count.next = self.smil[k].limit.val();
            self.limit.next = self.limit.val()
                | (bit_cast::<COUNTS_W, COUNT_W>(self.one_count.val())
                    << (k * self.count_w.val().index()).to_bits::<16>());
            self.unlimited.next = self
                .unlimited
                .val()
                .replace_bit(k, self.smil[k].unlimited.val());
        }
    }
}

unit! {
    [
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const N_MILG: usize,
        const N_SMIL: usize,
        const N_RBMI: usize,
        const N_QBMI: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const COUNT_STEP_W: usize,
        const QUOTA_W: usize,
        const ORDER_W: usize,
        const QUOTAS_W: usize,
        const MEASURE_LEFT_W: usize,
        const TOTAL_W: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    ]
    MemIssue<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        N_MILG,
        N_SMIL,
        N_RBMI,
        N_QBMI,
        KID_W,
        COUNTS_W,
        DIV_W,
        TRIAL_W,
        COUNT_STEP_W,
        QUOTA_W,
        ORDER_W,
        QUOTAS_W,
        MEASURE_LEFT_W,
        TOTAL_W,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >: clock;
    in reset, launch, exit, want, lsu_ready, complete, request_valid, request_first, fail_valid,
        lsu_kid, set_valid, set_kid, set_limit, set_unlimited;
    out grant, grant_valid, grant_kid, active, allow, in_flight, limit, unlimited, quota
}

/// The type of a [`MemIssue`](crate::sm::MemIssue): kernels, limiter (0 SMIL, 1 MILG), priority (0
/// RBMI, 1 QBMI); MILG's failure counter and release, QBMI's cap; widths of the in-flight counters,
/// of the request counters, of a static limit.
#[macro_export]
macro_rules! mem_issue {
    (
        $kernels:expr, $limiter:expr, $priority:expr, $fail_w:expr, $release:expr, $cap:expr,
        $count_w:expr, $interval_w:expr, $limit_w:expr
    ) => {
        $crate::sm::MemIssue<
            { $kernels },
            { $limiter },
            { $priority },
            { $fail_w },
            { $release },
            { $cap },
            { $count_w },
            { $interval_w },
            { $limit_w },
            { $limiter * $kernels },
            { $kernels - $limiter * $kernels },
            { 1 - $priority },
            { $priority },
            { $crate::sm::kid_width($kernels) },
            { $kernels * $count_w },
            { $fail_w - $interval_w },
            { $fail_w - $interval_w + 1 },
            { $crate::sm::bits_of($count_w as u64) },
            { $crate::sm::credit_width($kernels, $interval_w) },
            { $crate::sm::credit_width($kernels, $interval_w) + 1 },
            { $kernels * $crate::sm::credit_width($kernels, $interval_w) },
            { $crate::sm::bits_of($crate::sm::ratio_max($interval_w) as u64 - 1) },
            { $interval_w + 1 },
            { $crate::sm::ratio_max($interval_w) },
            { $crate::sm::bits_of($crate::sm::ratio_max($interval_w) as u64) },
            { $kernels * $crate::sm::bits_of($crate::sm::ratio_max($interval_w) as u64) },
            { $crate::sm::set_width($kernels, $interval_w) },
            { $crate::sm::set_width($kernels, $interval_w) - 1 },
            { $kernels * $crate::sm::set_width($kernels, $interval_w) },
            { $crate::sm::prime_powers($crate::sm::ratio_max($interval_w)) },
            { $crate::sm::quota_steps($crate::sm::ratio_max($interval_w)) + 1 },
            { $crate::sm::bits_of($crate::sm::quota_steps($crate::sm::ratio_max($interval_w)) as u64) },
            {
                $crate::sm::bits_of(
                    $crate::sm::quota_cycles($kernels, $crate::sm::ratio_max($interval_w)) as u64,
                )
            },
        >
    };
}
