//! `mem_issue_apb`: `mem_issue` behind APB4.
//!
//! Source: Dai et al., as `mem_issue`; AMBA APB Protocol Specification (ARM IHI
//! 0024).
//!
//! Timing: the SM's side is that of `mem_issue`. An APB4 transfer has four wait
//! states, in its ACCESS phase: `pready` is high four cycles after the first
//! cycle with `penable`.
//!
//! The registers are those of `cotenant registers mem_issue_apb`.

use super::{Apb4, IssueRegisters, ADDRESS_W};
use crate::sm::MemIssue;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// [`MemIssue`] behind APB4; the parameters are its, and those of [`IssueRegisters`].
///
/// ```
/// // Kernels, MILG, QBMI; failure counter, release, cap; counts, interval, limit.
/// let unit = <cotenant_units::mem_issue_apb!(2, 1, 1, 12, 0, 0, 7, 10, 5)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct MemIssueApb<
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
    const N_HIGH: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the unit, its registers and the bus.
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
    /// This completer is selected; active high, as all of them are.
    pub psel: Signal<In, Bit>,
    /// The ACCESS phase.
    pub penable: Signal<In, Bit>,
    /// The transfer is a write.
    pub pwrite: Signal<In, Bit>,
    /// Byte address.
    pub paddr: Signal<In, Bits<ADDRESS_W>>,
    /// What to write.
    pub pwdata: Signal<In, Bits<32>>,
    /// One bit a byte of it, to be written; not looked at by reads.
    pub pstrb: Signal<In, Bits<4>>,
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
    /// The last cycle of the transfer.
    pub pready: Signal<Out, Bit>,
    /// What was read; 0 but in the last cycle of a read without error.
    pub prdata: Signal<Out, Bits<32>>,
    /// The transfer had no effect: an error; 0 but in its last cycle.
    pub pslverr: Signal<Out, Bit>,
    bus: Apb4,
    registers: IssueRegisters<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        KID_W,
        COUNTS_W,
        QUOTA_W,
        QUOTAS_W,
        N_HIGH,
    >,
    issue: MemIssue<
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
    >,
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
        const N_HIGH: usize,
    > Default
    for MemIssueApb<
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
        N_HIGH,
    >
{
    fn default() -> Self {
        let about = About::new("mem_issue_apb")
            .parameter("KERNELS", KERNELS)
            .parameter("LIMITER", LIMITER)
            .parameter("PRIORITY", PRIORITY)
            .parameter("FAIL_W", FAIL_W)
            .parameter("RELEASE", RELEASE)
            .parameter("CAP", CAP)
            .parameter("COUNT_W", COUNT_W)
            .parameter("INTERVAL_W", INTERVAL_W)
            .parameter("LIMIT_W", LIMIT_W)
            .citing("Dai et al., section 3.4; AMBA APB")
            .documented_in(include_str!("mem_issue_apb.rs"));
        MemIssueApb {
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
            psel: Default::default(),
            penable: Default::default(),
            pwrite: Default::default(),
            paddr: Default::default(),
            pwdata: Default::default(),
            pstrb: Default::default(),
            grant: Default::default(),
            grant_valid: Default::default(),
            grant_kid: Default::default(),
            active: Default::default(),
            allow: Default::default(),
            in_flight: Default::default(),
            limit: Default::default(),
            unlimited: Default::default(),
            quota: Default::default(),
            pready: Default::default(),
            prdata: Default::default(),
            pslverr: Default::default(),
            bus: Default::default(),
            registers: Default::default(),
            issue: Default::default(),
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
        const N_HIGH: usize,
    > Logic
    for MemIssueApb<
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
        N_HIGH,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.clock.next = self.clock.val();
        self.registers.reset.next = self.reset.val();
        self.issue.clock.next = self.clock.val();
        self.issue.reset.next = self.reset.val();

        comment!("The bus.");
        self.bus.psel.next = self.psel.val();
        self.bus.penable.next = self.penable.val();
        self.bus.pwrite.next = self.pwrite.val();
        self.bus.paddr.next = self.paddr.val();
        self.bus.pwdata.next = self.pwdata.val();
        self.bus.pstrb.next = self.pstrb.val();
        self.pready.next = self.bus.pready.val();
        self.prdata.next = self.bus.prdata.val();
        self.pslverr.next = self.bus.pslverr.val();
        self.registers.select.next = self.bus.select.val();
        self.registers.write.next = self.bus.write.val();
        self.registers.address.next = self.bus.address.val();
        self.registers.write_data.next = self.bus.write_data.val();
        self.registers.strobe.next = self.bus.strobe.val();
        self.bus.done.next = self.registers.done.val();
        self.bus.error.next = self.registers.error.val();
        self.bus.read_data.next = self.registers.read_data.val();

        comment!("The registers and the unit.");
        self.issue.set_valid.next = self.registers.set_valid.val();
        self.issue.set_kid.next = self.registers.set_kid.val();
        self.issue.set_limit.next = self.registers.set_limit.val();
        self.issue.set_unlimited.next = self.registers.set_unlimited.val();
        self.registers.active.next = self.issue.active.val();
        self.registers.allow.next = self.issue.allow.val();
        self.registers.in_flight.next = self.issue.in_flight.val();
        self.registers.limit.next = self.issue.limit.val();
        self.registers.unlimited.next = self.issue.unlimited.val();
        self.registers.quota.next = self.issue.quota.val();

        comment!("The SM's side.");
        self.issue.launch.next = self.launch.val();
        self.issue.exit.next = self.exit.val();
        self.issue.want.next = self.want.val();
        self.issue.lsu_ready.next = self.lsu_ready.val();
        self.issue.complete.next = self.complete.val();
        self.issue.request_valid.next = self.request_valid.val();
        self.issue.request_first.next = self.request_first.val();
        self.issue.fail_valid.next = self.fail_valid.val();
        self.issue.lsu_kid.next = self.lsu_kid.val();
        self.grant.next = self.issue.grant.val();
        self.grant_valid.next = self.issue.grant_valid.val();
        self.grant_kid.next = self.issue.grant_kid.val();
        self.active.next = self.issue.active.val();
        self.allow.next = self.issue.allow.val();
        self.in_flight.next = self.issue.in_flight.val();
        self.limit.next = self.issue.limit.val();
        self.unlimited.next = self.issue.unlimited.val();
        self.quota.next = self.issue.quota.val();
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
        const N_HIGH: usize,
    ]
    MemIssueApb<
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
        N_HIGH,
    >: clock;
    in reset, launch, exit, want, lsu_ready, complete, request_valid, request_first, fail_valid, lsu_kid, psel, penable, pwrite, paddr, pwdata, pstrb;
    out grant, grant_valid, grant_kid, active, allow, in_flight, limit, unlimited, quota, pready, prdata, pslverr
}

/// The type of a [`MemIssueApb`](crate::bus::MemIssueApb): as
/// [`mem_issue!`](crate::mem_issue).
#[macro_export]
macro_rules! mem_issue_apb {
    (
        $kernels:expr, $limiter:expr, $priority:expr, $fail_w:expr, $release:expr, $cap:expr,
        $count_w:expr, $interval_w:expr, $limit_w:expr
    ) => {
        $crate::bus::MemIssueApb<
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
            { $crate::bus::high_words($crate::sm::credit_width($kernels, $interval_w)) },
        >
    };
}
