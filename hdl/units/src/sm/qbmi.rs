//! `qbmi`: quota-based memory instruction issue: whose turn it is on the LSU.
//!
//! Source: Dai et al., section 3.2, figure 7: of the kernels with a memory
//! instruction ready the one with the highest quota left issues it, and its
//! quota goes down by one. When a quota reaches zero, a new set, made of the
//! newest requests an instruction, is added to all.
//!
//! Timing: the grant is combinational and decided by `quota`, where it shows two
//! cycles later. In the cycle in which a quota is zero the set is added; it shows
//! in the next. The ratios and the set follow as in
//! [`request_ratio`](crate::sm::RequestRatio) and
//! [`quota_unit`](crate::sm::QuotaUnit), which starts in the cycle after a ratio
//! is measured, a launch or an exit, unless it is busy; issue never waits for it.
//! A set is in force one cycle after the unit shows it.
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
    bits_of, kid_width, largest_quota, ratio_max, QuotaUnit, RequestRatio, MAX_QUOTA_KERNELS,
};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Arbiter of `KERNELS` kernels, whose requests are counted in `INTERVAL_W`
/// bits.
///
/// Derived: `QUOTA_W` = bits of twice [`largest_quota`], `ORDER_W` = QUOTA_W +
/// 1, `QUOTAS_W` = KERNELS x QUOTA_W, `KID_W` = max(1, clog2 KERNELS), and
/// those of [`RequestRatio`] and [`QuotaUnit`].
///
/// ```
/// let qbmi = <cotenant_units::qbmi!(2, 10, 0)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Qbmi<
    const KERNELS: usize,
    const INTERVAL_W: usize,
    const CAP: usize,
    const KID_W: usize,
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
    /// Synchronous, active high: no kernel is active.
    pub reset: Signal<In, Bit>,
    /// One bit a kernel: it starts here; active high, goes before `exit`.
    pub launch: Signal<In, Bits<KERNELS>>,
    /// One bit a kernel: it ends here; active high.
    pub exit: Signal<In, Bits<KERNELS>>,
    /// One bit a kernel: it has a memory instruction ready.
    pub ready: Signal<In, Bits<KERNELS>>,
    /// The LSU takes an instruction in this cycle; active high.
    pub accept: Signal<In, Bit>,
    /// A memory request is accepted; active high.
    pub request_valid: Signal<In, Bit>,
    /// It is its instruction's first; active high.
    pub request_first: Signal<In, Bit>,
    /// KID of its kernel; below KERNELS.
    pub request_kid: Signal<In, Bits<KID_W>>,
    /// One-hot by kernel: may issue; zero if there is no grant.
    pub grant: Signal<Out, Bits<KERNELS>>,
    /// There is a grant; active high.
    pub grant_valid: Signal<Out, Bit>,
    /// KID of the kernel granted; 0 if there is no grant.
    pub grant_kid: Signal<Out, Bits<KID_W>>,
    /// One bit a kernel: it runs here; 0 after reset.
    pub active: Signal<Out, Bits<KERNELS>>,
    /// Instructions that each kernel has left, QUOTA_W bits a kernel, kernel 0
    /// lowest; 0 of inactive kernels and after reset, of one active kernel at most
    /// while the set is added.
    pub quota: Signal<Out, Bits<QUOTAS_W>>,
    /// Requests an instruction, RATIO_W bits a kernel, kernel 0 lowest; 1 after
    /// reset.
    pub ratio: Signal<Out, Bits<RATIOS_W>>,
    meter: [RequestRatio<INTERVAL_W, RATIO_W, MEASURE_LEFT_W, TOTAL_W>; KERNELS],
    unit: QuotaUnit<
        KERNELS,
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
    active_register: Reg<Bits<KERNELS>>,
    /// One bit a kernel: it was granted in the cycle before, which its quota does
    /// not know yet.
    pending: Reg<Bits<KERNELS>>,
    /// Quotas left.
    current: [Reg<Bits<QUOTA_W>>; KERNELS],
    /// One less than the set in force.
    newest: [Reg<Bits<SET_W>>; KERNELS],
    /// One bit a kernel whose quota in the set in force is 1.
    single: Reg<Bits<KERNELS>>,
    /// The active kernels, if the quota of one is zero; else none.
    refill: Reg<Bits<KERNELS>>,
    /// KID of the kernel granted last.
    last: Reg<Bits<KID_W>>,
    /// The set is older than ratios and active kernels.
    dirty: Reg<Bit>,
    next_active: Signal<Local, Bits<KERNELS>>,
    change: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    updates: Signal<Local, Bit>,
    /// One bit a kernel: its KID is above `last`.
    later: Signal<Local, Bits<KERNELS>>,
    candidates: Signal<Local, Bits<KERNELS>>,
    /// One bit a kernel that goes before this one.
    ahead: [Signal<Local, Bits<KERNELS>>; KERNELS],
    /// The quotas, with a bit below for who is first among equals.
    order: [Signal<Local, Bits<ORDER_W>>; KERNELS],
    wins: Signal<Local, Bits<KERNELS>>,
    winner_kid: Signal<Local, Bits<KID_W>>,
    granted: Signal<Local, Bit>,
    /// One bit a kernel: its quota reaches zero if it pays.
    spends: Signal<Local, Bits<KERNELS>>,
    ones: Signal<Local, Bits<KERNELS>>,
    one_quota: Signal<Local, Bits<QUOTA_W>>,
    one_set: Signal<Local, Bits<SET_W>>,
    one_ratio: Signal<Local, Bits<RATIO_W>>,
    /// It is refilled.
    gains: Signal<Local, Bit>,
    /// One less than it gains.
    gain: Signal<Local, Bits<QUOTA_W>>,
    /// Quota and gain with a bit below for the carry.
    before: Signal<Local, Bits<ORDER_W>>,
    plus: Signal<Local, Bits<ORDER_W>>,
    sum: Signal<Local, Bits<ORDER_W>>,
    quota_w: Constant<Bits<8>>,
    set_w: Constant<Bits<8>>,
    ratio_w: Constant<Bits<8>>,
    caps: Constant<Bit>,
    /// One bit a kernel with a lower KID: a loop's bound is no loop variable.
    below: Vec<Constant<Bits<KERNELS>>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const INTERVAL_W: usize,
        const CAP: usize,
        const KID_W: usize,
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
    for Qbmi<
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
    >
{
    fn default() -> Self {
        // The parts check their own parameters.
        const {
            assert!(
                KERNELS >= 2 && KERNELS <= MAX_QUOTA_KERNELS,
                "qbmi: KERNELS is 2 to 8"
            );
            assert!(CAP <= 1, "qbmi: CAP is 0 or 1");
            assert!(
                KID_W == kid_width(KERNELS),
                "qbmi: KID_W is max(1, clog2 KERNELS)"
            );
            assert!(
                RATIO_MAX == ratio_max(INTERVAL_W),
                "qbmi: RATIO_MAX is min(32, 2^INTERVAL_W)"
            );
            assert!(
                QUOTA_W == bits_of(2 * largest_quota(KERNELS, RATIO_MAX))
                    && ORDER_W == QUOTA_W + 1
                    && QUOTAS_W == KERNELS * QUOTA_W,
                "qbmi: QUOTA_W is the bits of twice the largest quota, ORDER_W one more, QUOTAS_W KERNELS times that"
            );
        }
        Qbmi {
            clock: Default::default(),
            reset: Default::default(),
            launch: Default::default(),
            exit: Default::default(),
            ready: Default::default(),
            accept: Default::default(),
            request_valid: Default::default(),
            request_first: Default::default(),
            request_kid: Default::default(),
            grant: Default::default(),
            grant_valid: Default::default(),
            grant_kid: Default::default(),
            active: Default::default(),
            quota: Default::default(),
            ratio: Default::default(),
            meter: from_fn(|_| Default::default()),
            unit: Default::default(),
            active_register: Reg::default(),
            pending: Reg::default(),
            current: from_fn(|_| Reg::default()),
            newest: from_fn(|_| Reg::default()),
            single: Reg::new(((1u64 << KERNELS) - 1).into()),
            refill: Reg::default(),
            last: Reg::new((KERNELS - 1).to_bits()),
            dirty: Reg::default(),
            next_active: Default::default(),
            change: Default::default(),
            starts: Default::default(),
            updates: Default::default(),
            later: Default::default(),
            candidates: Default::default(),
            ahead: from_fn(|_| Default::default()),
            order: from_fn(|_| Default::default()),
            wins: Default::default(),
            winner_kid: Default::default(),
            granted: Default::default(),
            spends: Default::default(),
            ones: Default::default(),
            one_quota: Default::default(),
            one_set: Default::default(),
            one_ratio: Default::default(),
            gains: Default::default(),
            gain: Default::default(),
            before: Default::default(),
            plus: Default::default(),
            sum: Default::default(),
            quota_w: Constant::new(QUOTA_W.to_bits()),
            set_w: Constant::new(SET_W.to_bits()),
            ratio_w: Constant::new(RATIO_W.to_bits()),
            caps: Constant::new(CAP == 1),
            below: (0..KERNELS)
                .map(|i| Constant::new(((1u64 << i) - 1).into()))
                .collect(),
            about: About::new("qbmi")
                .parameter("KERNELS", KERNELS)
                .parameter("INTERVAL_W", INTERVAL_W)
                .parameter("CAP", CAP)
                .citing("Dai et al., section 3.2, figure 7")
                .documented_in(include_str!("qbmi.rs"))
                .unused("sum")
                .unused("unit.done"),
        }
    }
}

impl<
        const KERNELS: usize,
        const INTERVAL_W: usize,
        const CAP: usize,
        const KID_W: usize,
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
    for Qbmi<
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
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            unit,
            active_register,
            pending,
            single,
            refill,
            last,
            dirty
        );
        self.active_register.reset.next = self.reset.val();
        self.pending.reset.next = self.reset.val();
        self.single.reset.next = self.reset.val();
        self.refill.reset.next = self.reset.val();
        self.last.reset.next = self.reset.val();
        self.dirty.reset.next = self.reset.val();

        comment!("Which kernels run here.");
        self.change.next = self.launch.val().any() | self.exit.val().any();
        self.next_active.next =
            (self.active_register.q.val() & !self.exit.val()) | self.launch.val();
        self.active_register.d.next = self.next_active.val();
        self.active.next = self.active_register.q.val();

        comment!("The highest quota; among equals the first after the last winner.");
        self.later.next = 0.into();
        for i in 0..KERNELS {
            self.later.next = self
                .later
                .val()
                .replace_bit(i, i.to_bits::<KID_W>() > self.last.q.val());
            self.ahead[i].next = 0.into();
            self.one_quota.next = self.current[i].q.val();
            self.order[i].next = bit_cast::<ORDER_W, QUOTA_W>(self.one_quota.val()) << 1;
        }
        // All pairs at once: no kernel waits for the comparison of others.
        for i in 0..KERNELS {
            for j in 0..KERNELS {
                // Of equals, i is first only if it is later and j, below it, is not.
                if self.below[i].val().get_bit(j) {
                    self.ahead[i].next = self.ahead[i].val().replace_bit(
                        j,
                        self.order[j].val().replace_bit(
                            0,
                            self.later.val().get_bit(j) | !self.later.val().get_bit(i),
                        ) > self.order[i].val(),
                    );
                    self.ahead[j].next = self.ahead[j]
                        .val()
                        .replace_bit(i, !self.ahead[i].val().get_bit(j));
                }
            }
        }
        self.candidates.next = self.ready.val() & self.active_register.q.val();
        self.wins.next = 0.into();
        self.winner_kid.next = 0.into();
        for i in 0..KERNELS {
            if self.accept.val()
                & self.candidates.val().get_bit(i)
                & !(self.candidates.val() & self.ahead[i].val()).any()
            {
                self.wins.next = self.wins.val().replace_bit(i, true);
                self.winner_kid.next = self.winner_kid.val() | i.to_bits::<KID_W>();
            }
        }
        self.granted.next = self.accept.val() & self.candidates.val().any();
        self.grant.next = self.wins.val();
        self.grant_valid.next = self.granted.val();
        self.grant_kid.next = self.winner_kid.val();
        self.last.d.next = self.last.q.val();
        if self.granted.val() {
            self.last.d.next = self.winner_kid.val();
        }

        // What is issued in the cycle of a change costs nothing.
        self.pending.d.next = self.wins.val();
        if self.change.val() {
            self.pending.d.next = 0.into();
        }

        comment!("Requests an instruction.");
        self.updates.next = false;
        self.ratio.next = 0.into();
        for i in 0..KERNELS {
            self.meter[i].clock.next = self.clock.val();
            self.meter[i].reset.next = self.reset.val();
            self.meter[i].clear.next = self.launch.val().get_bit(i);
            self.meter[i].request.next =
                self.request_valid.val() & (self.request_kid.val() == i.to_bits::<KID_W>());
            self.meter[i].first.next = self.request_first.val();
            self.updates.next = self.updates.val() | self.meter[i].updated.val();
            self.one_ratio.next = self.meter[i].ratio.val();
            self.ratio.next = self.ratio.val()
                | (bit_cast::<RATIOS_W, RATIO_W>(self.one_ratio.val())
                    << (i * self.ratio_w.val().index()).to_bits::<16>());
        }

        comment!("The next set.");
        self.starts.next = self.dirty.q.val() & !self.unit.busy.val() & !self.change.val();
        self.dirty.d.next =
            self.change.val() | self.updates.val() | (self.dirty.q.val() & !self.starts.val());
        self.unit.reset.next = self.reset.val();
        self.unit.clear.next = self.change.val();
        self.unit.start.next = self.starts.val();
        self.unit.active.next = self.active_register.q.val();
        self.unit.ratio.next = self.ratio.val();

        comment!("Quotas left.");
        self.quota.next = 0.into();
        self.ones.next = 0.into();
        self.spends.next = 0.into();
        for i in 0..KERNELS {
            self.current[i].clock.next = self.clock.val();
            self.current[i].reset.next = self.reset.val();
            self.newest[i].clock.next = self.clock.val();
            self.newest[i].reset.next = self.reset.val();
            self.one_quota.next = self.current[i].q.val();
            self.quota.next = self.quota.val()
                | (bit_cast::<QUOTAS_W, QUOTA_W>(self.one_quota.val())
                    << (i * self.quota_w.val().index()).to_bits::<16>());
            self.one_set.next = self
                .unit
                .quota
                .val()
                .get_bits::<SET_W>(i * self.set_w.val().index());
            self.newest[i].d.next = self.one_set.val() - 1;
            self.ones.next = self.ones.val().replace_bit(i, self.one_set.val() == 1);
            self.one_set.next = self.newest[i].q.val();
            self.spends.next = self.spends.val().replace_bit(
                i,
                (!self.refill.q.val().get_bit(i) & (self.one_quota.val() == 1))
                    | (self.single.q.val().get_bit(i) & (self.one_quota.val() == 0)),
            );
            self.gains.next = self.refill.q.val().get_bit(i)
                & (self.caps.val() | !self.one_quota.val().get_bit(self.quota_w.val().index() - 1));
            self.gain.next = !bits::<QUOTA_W>(0);
            if self.gains.val() {
                self.gain.next = bit_cast::<QUOTA_W, SET_W>(self.one_set.val());
            }
            // One less than it gains, and one more by the carry if it spends none.
            self.before.next = (bit_cast::<ORDER_W, QUOTA_W>(self.one_quota.val()) << 1)
                .replace_bit(0, !self.pending.q.val().get_bit(i));
            self.plus.next = (bit_cast::<ORDER_W, QUOTA_W>(self.gain.val()) << 1) | 1;
            self.sum.next = self.before.val() + self.plus.val();
            self.current[i].d.next = bit_cast::<QUOTA_W, ORDER_W>(self.sum.val() >> 1);
            if self.caps.val()
                & self.gains.val()
                & (self.one_quota.val() > (bit_cast::<QUOTA_W, SET_W>(self.one_set.val()) + 1))
                & !(self.pending.q.val().get_bit(i)
                    & (self.one_quota.val()
                        == (bit_cast::<QUOTA_W, SET_W>(self.one_set.val()) + 2)))
            {
                self.current[i].d.next = (bit_cast::<QUOTA_W, SET_W>(self.one_set.val()) + 1) << 1;
            }
            if self.change.val() {
                self.current[i].d.next = 0.into();
                if self.next_active.val().get_bit(i) {
                    self.current[i].d.next = 1.into();
                }
            }
        }
        self.single.d.next = self.ones.val();
        self.refill.d.next = 0.into();
        if (self.pending.q.val() & self.spends.val()).any() & !self.change.val() {
            self.refill.d.next = self.active_register.q.val();
        }
    }
}

unit! {
    [
        const KERNELS: usize,
        const INTERVAL_W: usize,
        const CAP: usize,
        const KID_W: usize,
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
    >: clock;
    in reset, launch, exit, ready, accept, request_valid, request_first, request_kid;
    out grant, grant_valid, grant_kid, active, quota, ratio
}

/// The type of a [`Qbmi`](crate::sm::Qbmi): kernels, width of the request counters, cap on idle
/// kernels' quotas (0 or 1).
#[macro_export]
macro_rules! qbmi {
    ($kernels:expr, $interval_w:expr, $cap:expr) => {
        $crate::sm::Qbmi<
            { $kernels },
            { $interval_w },
            { $cap },
            { $crate::sm::kid_width($kernels) },
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
