//! `milg`: memory instruction limit generator, the dynamic limit of one kernel (DMIL).
//!
//! Source: Dai et al., section 3.3.2, figure 10, widths of section 4.4: every
//! 2^INTERVAL_W memory requests of the kernel its limit becomes the peak of its
//! instructions in flight, divided by its reservation failures a request, at
//! least 1. The shift by INTERVAL_W is wires.
//!
//! Timing: `allow` is combinational from registers. An interval that closes at
//! cycle t shows in `limit` at t + COUNT_W + 2: the divider begins when the peak
//! has seen the closing cycle, and makes one quotient bit a cycle, off the issue
//! path; without failures the limit is released at t + 2. A launch lifts it at
//! t + 1. Of inputs in the same cycle launch goes before all but issue and
//! complete.
//!
//! The peak is followed a cycle late, from the count in its register: whether an
//! issue raises it is kept as one bit, so that no sum is compared or chosen
//! behind the grant.
//!
//! ASSUMPTION: failures saturate, so that with FAIL_W = INTERVAL_W + 2 the
//! divider divides by 1, 2 or 3 only.
//! ASSUMPTION: with less than one failure a request the quotient is undefined.
//! Nothing else can raise a limit, since the peak is at most the old one; so
//! the limit is dropped (RELEASE 0, the formula taken literally), or doubles
//! until it is beyond the counter (RELEASE 1).
//! ASSUMPTION: no limit is a flag of its own; the gate still closes when the
//! counter is full, so that the count stays exact. There is no limit until the
//! first interval ends.
//! ASSUMPTION: a request counts once, when accepted; a failure is each cycle in
//! which the kernel's request at the head of the LSU is refused. The peak
//! includes an issue in the closing cycle.
//! ASSUMPTION: a launch starts the interval and the limit afresh; what is still
//! in flight stays counted. An interval that was closed before sets no limit
//! any more.

use super::{bits_of, InFlight};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Limit generator with an in-flight counter of `COUNT_W` bits, a failure
/// counter of `FAIL_W` and a request counter of `INTERVAL_W`.
///
/// Derived: `DIV_W` = FAIL_W - INTERVAL_W, `TRIAL_W` = DIV_W + 1, `STEP_W` =
/// clog2(COUNT_W + 1).
///
/// ```
/// let milg = <cotenant_units::milg!(7, 12, 10, 0)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Milg<
    const COUNT_W: usize,
    const FAIL_W: usize,
    const INTERVAL_W: usize,
    const RELEASE: usize,
    const DIV_W: usize,
    const TRIAL_W: usize,
    const STEP_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: nothing in flight, no limit, a new interval.
    pub reset: Signal<In, Bit>,
    /// A kernel starts here: no limit, a new interval; active high. `request`
    /// and `fail` of that cycle do not count.
    pub launch: Signal<In, Bit>,
    /// A memory instruction is issued; active high, only if `allow`.
    pub issue: Signal<In, Bit>,
    /// A memory instruction has its last response; active high, only if
    /// `in_flight` is above 0.
    pub complete: Signal<In, Bit>,
    /// A memory request is accepted; active high.
    pub request: Signal<In, Bit>,
    /// A memory request is refused (reservation failure); active high, never
    /// together with `request`.
    pub fail: Signal<In, Bit>,
    /// The kernel may issue a memory instruction; active high, 1 after reset.
    pub allow: Signal<Out, Bit>,
    /// Memory instructions in flight; COUNT_W bits, 0 after reset.
    pub in_flight: Signal<Out, Bits<COUNT_W>>,
    /// Memory instructions that may be in flight; COUNT_W bits, at least 1, all
    /// ones without a limit and after reset.
    pub limit: Signal<Out, Bits<COUNT_W>>,
    /// There is no limit; active high, 1 after reset.
    pub unlimited: Signal<Out, Bit>,
    counter: InFlight<COUNT_W>,
    /// Most instructions in flight in the interval, up to the cycle before.
    peak: Reg<Bits<COUNT_W>>,
    /// The count is above `peak`: an issue raised it in the cycle before.
    grew: Reg<Bit>,
    /// An interval began in the cycle before: its peak is the count.
    began: Reg<Bit>,
    /// An interval was closed in the cycle before: its failures a request are in
    /// `divisor`, its peak is `high`.
    closed: Reg<Bit>,
    /// Reservation failures in the interval, saturating.
    failures: Reg<Bits<FAIL_W>>,
    /// Requests in the interval.
    requests: Reg<Bits<INTERVAL_W>>,
    /// The next request ends the interval: `requests` is all ones.
    last: Reg<Bit>,
    limit_register: Reg<Bits<COUNT_W>>,
    unlimited_register: Reg<Bit>,
    /// Quotient bits that the divider has still to make.
    left: Reg<Bits<STEP_W>>,
    divisor: Reg<Bits<DIV_W>>,
    remainder: Reg<Bits<DIV_W>>,
    /// The rest of the dividend, followed by the quotient so far.
    shift: Reg<Bits<COUNT_W>>,
    /// The count is at its peak.
    at_peak: Signal<Local, Bit>,
    /// The peak, up to this cycle.
    high: Signal<Local, Bits<COUNT_W>>,
    closing: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    /// Failures a request, truncated.
    ratio: Signal<Local, Bits<DIV_W>>,
    trial: Signal<Local, Bits<TRIAL_W>>,
    difference: Signal<Local, Bits<TRIAL_W>>,
    fits: Signal<Local, Bit>,
    quotient: Signal<Local, Bits<COUNT_W>>,
    interval_w: Constant<Bits<8>>,
    last_but_one: Constant<Bits<INTERVAL_W>>,
    top: Constant<Bits<8>>,
    sign: Constant<Bits<8>>,
    steps: Constant<Bits<STEP_W>>,
    doubles: Constant<Bit>,
    about: About,
}

impl<
        const COUNT_W: usize,
        const FAIL_W: usize,
        const INTERVAL_W: usize,
        const RELEASE: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const STEP_W: usize,
    > Default for Milg<COUNT_W, FAIL_W, INTERVAL_W, RELEASE, DIV_W, TRIAL_W, STEP_W>
{
    fn default() -> Self {
        const {
            assert!(
                INTERVAL_W >= 1 && INTERVAL_W <= 16,
                "milg: INTERVAL_W is 1 to 16"
            );
            assert!(
                FAIL_W > INTERVAL_W && FAIL_W <= 32,
                "milg: FAIL_W is above INTERVAL_W, at most 32"
            );
            assert!(
                COUNT_W < 1 << INTERVAL_W,
                "milg: COUNT_W is below 2^INTERVAL_W: a division ends before the next interval"
            );
            assert!(RELEASE <= 1, "milg: RELEASE is 0 or 1");
            assert!(
                DIV_W == FAIL_W - INTERVAL_W && TRIAL_W == DIV_W + 1,
                "milg: DIV_W is FAIL_W - INTERVAL_W, TRIAL_W one more"
            );
            assert!(
                STEP_W == bits_of(COUNT_W as u64),
                "milg: STEP_W is clog2(COUNT_W + 1)"
            );
        }
        Milg {
            clock: Default::default(),
            reset: Default::default(),
            launch: Default::default(),
            issue: Default::default(),
            complete: Default::default(),
            request: Default::default(),
            fail: Default::default(),
            allow: Default::default(),
            in_flight: Default::default(),
            limit: Default::default(),
            unlimited: Default::default(),
            counter: Default::default(),
            peak: Reg::default(),
            grew: Reg::default(),
            began: Reg::default(),
            closed: Reg::default(),
            failures: Reg::default(),
            requests: Reg::default(),
            last: Reg::default(),
            limit_register: Reg::new(!bits::<COUNT_W>(0)),
            unlimited_register: Reg::new(true),
            left: Reg::default(),
            divisor: Reg::default(),
            remainder: Reg::default(),
            shift: Reg::default(),
            at_peak: Default::default(),
            high: Default::default(),
            closing: Default::default(),
            ends: Default::default(),
            ratio: Default::default(),
            trial: Default::default(),
            difference: Default::default(),
            fits: Default::default(),
            quotient: Default::default(),
            interval_w: Constant::new(INTERVAL_W.to_bits()),
            last_but_one: Constant::new(((1usize << INTERVAL_W) - 2).to_bits()),
            top: Constant::new((COUNT_W - 1).to_bits()),
            sign: Constant::new(DIV_W.to_bits()),
            steps: Constant::new(COUNT_W.to_bits()),
            doubles: Constant::new(RELEASE == 1),
            about: About::new("milg")
                .parameter("COUNT_W", COUNT_W)
                .parameter("FAIL_W", FAIL_W)
                .parameter("INTERVAL_W", INTERVAL_W)
                .parameter("RELEASE", RELEASE)
                .citing("Dai et al., section 3.3.2, figure 10")
                .documented_in(include_str!("milg.rs")),
        }
    }
}

impl<
        const COUNT_W: usize,
        const FAIL_W: usize,
        const INTERVAL_W: usize,
        const RELEASE: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const STEP_W: usize,
    > Logic for Milg<COUNT_W, FAIL_W, INTERVAL_W, RELEASE, DIV_W, TRIAL_W, STEP_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            counter,
            peak,
            grew,
            began,
            closed,
            failures,
            requests,
            last,
            limit_register,
            unlimited_register,
            left,
            divisor,
            remainder,
            shift
        );
        self.counter.reset.next = self.reset.val();
        self.peak.reset.next = self.reset.val();
        self.grew.reset.next = self.reset.val();
        self.began.reset.next = self.reset.val();
        self.closed.reset.next = self.reset.val();
        self.failures.reset.next = self.reset.val();
        self.requests.reset.next = self.reset.val();
        self.last.reset.next = self.reset.val();
        self.limit_register.reset.next = self.reset.val();
        self.unlimited_register.reset.next = self.reset.val();
        self.left.reset.next = self.reset.val();
        self.divisor.reset.next = self.reset.val();
        self.remainder.reset.next = self.reset.val();
        self.shift.reset.next = self.reset.val();

        comment!("The gate.");
        self.counter.issue.next = self.issue.val();
        self.counter.complete.next = self.complete.val();
        self.allow.next = self.counter.count.val() < self.limit_register.q.val();
        self.in_flight.next = self.counter.count.val();
        self.limit.next = self.limit_register.q.val();
        self.unlimited.next = self.unlimited_register.q.val();

        comment!("The interval: peak in flight, failures, requests.");
        // The count is above the peak, or as high, after an issue at the peak alone.
        self.at_peak.next = self.grew.q.val()
            | self.began.q.val()
            | (self.counter.count.val() == self.peak.q.val());
        self.grew.d.next = self.at_peak.val() & self.issue.val() & !self.complete.val();
        self.high.next = self.peak.q.val();
        if self.grew.q.val() {
            self.high.next = self.counter.count.val();
        }
        self.peak.d.next = self.high.val();
        if self.began.q.val() {
            self.peak.d.next = self.counter.count.val();
        }
        self.closing.next = self.request.val() & self.last.q.val();
        self.ends.next = self.closing.val() & !self.launch.val();
        self.began.d.next = self.launch.val() | self.closing.val();
        self.closed.d.next = self.ends.val();
        self.ratio.next = self
            .failures
            .q
            .val()
            .get_bits::<DIV_W>(self.interval_w.val().index());
        self.requests.d.next = self.requests.q.val();
        self.last.d.next = self.last.q.val();
        if self.request.val() {
            self.requests.d.next = self.requests.q.val() + 1;
            // Before the flop, since so much waits for it behind.
            self.last.d.next = self.requests.q.val() == self.last_but_one.val();
        }
        self.failures.d.next = self.failures.q.val();
        if self.fail.val() & !self.failures.q.val().all() {
            self.failures.d.next = self.failures.q.val() + 1;
        }
        if self.launch.val() | self.closing.val() {
            self.requests.d.next = 0.into();
            self.last.d.next = false;
            self.failures.d.next = 0.into();
        }

        comment!("The division, one quotient bit a cycle.");
        self.trial.next = (bit_cast::<TRIAL_W, DIV_W>(self.remainder.q.val()) << 1)
            .replace_bit(0, self.shift.q.val().get_bit(self.top.val().index()));
        // The remainder is below the divisor, so the difference's top bit is its sign.
        self.difference.next = self.trial.val() - bit_cast::<TRIAL_W, DIV_W>(self.divisor.q.val());
        self.fits.next = !self.difference.val().get_bit(self.sign.val().index());
        self.quotient.next = (self.shift.q.val() << 1).replace_bit(0, self.fits.val());
        self.left.d.next = self.left.q.val();
        self.divisor.d.next = self.divisor.q.val();
        self.remainder.d.next = self.remainder.q.val();
        self.shift.d.next = self.shift.q.val();
        self.limit_register.d.next = self.limit_register.q.val();
        self.unlimited_register.d.next = self.unlimited_register.q.val();
        if self.left.q.val().any() & !self.launch.val() {
            self.left.d.next = self.left.q.val() - 1;
            self.shift.d.next = self.quotient.val();
            self.remainder.d.next = bit_cast::<DIV_W, TRIAL_W>(self.trial.val());
            if self.fits.val() {
                self.remainder.d.next = bit_cast::<DIV_W, TRIAL_W>(self.difference.val());
            }
            if self.left.q.val() == 1 {
                self.limit_register.d.next = self.quotient.val();
                if !self.quotient.val().any() {
                    self.limit_register.d.next = 1.into();
                }
                self.unlimited_register.d.next = false;
            }
        }

        comment!("The end of an interval.");
        if self.ends.val() {
            self.divisor.d.next = self.ratio.val();
        }
        if self.closed.q.val() & !self.launch.val() {
            self.remainder.d.next = 0.into();
            self.shift.d.next = self.high.val();
            if self.divisor.q.val().any() {
                self.left.d.next = self.steps.val();
            } else if self.doubles.val()
                & !self.limit_register.q.val().get_bit(self.top.val().index())
            {
                self.limit_register.d.next = self.limit_register.q.val() << 1;
            } else {
                self.limit_register.d.next = !bits::<COUNT_W>(0);
                self.unlimited_register.d.next = true;
            }
        }
        if self.launch.val() {
            self.left.d.next = 0.into();
            self.limit_register.d.next = !bits::<COUNT_W>(0);
            self.unlimited_register.d.next = true;
        }
    }
}

unit! {
    [
        const COUNT_W: usize,
        const FAIL_W: usize,
        const INTERVAL_W: usize,
        const RELEASE: usize,
        const DIV_W: usize,
        const TRIAL_W: usize,
        const STEP_W: usize,
    ]
    Milg<COUNT_W, FAIL_W, INTERVAL_W, RELEASE, DIV_W, TRIAL_W, STEP_W>: clock;
    in reset, launch, issue, complete, request, fail;
    out allow, in_flight, limit, unlimited
}

/// The type of a [`Milg`](crate::sm::Milg): widths of the in-flight, failure and request counters,
/// release (0 at once, 1 by doubling).
#[macro_export]
macro_rules! milg {
    ($count_w:expr, $fail_w:expr, $interval_w:expr, $release:expr) => {
        $crate::sm::Milg<
            { $count_w },
            { $fail_w },
            { $interval_w },
            { $release },
            { $fail_w - $interval_w },
            { $fail_w - $interval_w + 1 },
            { $crate::sm::bits_of($count_w as u64) },
        >
    };
}
