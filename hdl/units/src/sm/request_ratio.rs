//! `request_ratio`: memory requests an instruction of one kernel.
//!
//! Source: Dai et al., section 3.2, figure 7, r_i: measured over the last
//! 2^INTERVAL_W memory requests, by a request counter and an instruction
//! counter; both 10 bits in section 4.4.
//!
//! Timing: an interval that closes at cycle t shows in `ratio` at t + STEPS +
//! 1, STEPS = RATIO_MAX - 1; `updated` is high in the cycle before.
//!
//! The ratio is 1 plus the number of k in 1 to STEPS with n (2 k + 1) <=
//! 2^(INTERVAL_W + 1), for n instructions: that is 2^INTERVAL_W / n, rounded
//! and clamped, with an adder and a bit a cycle: no n (2 k + 1) is a power of
//! two above n, so it is below 2^(INTERVAL_W + 1) or beyond.
//!
//! ASSUMPTION: an instruction counts with its first request, so that there are
//! at most as many as requests, and a counter at 0 at the end of an interval
//! reads as 2^INTERVAL_W.
//! ASSUMPTION: the ratio is clamped to 1 to 32, the most requests that a warp
//! makes; it is 1 until the first interval ends.

use super::{bits_of, ratio_max};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Requests an instruction, over 2^`INTERVAL_W` requests.
///
/// Derived: `RATIO_MAX` = min(32, 2^INTERVAL_W), `RATIO_W` = clog2(RATIO_MAX +
/// 1), `LEFT_W` = clog2 RATIO_MAX, `TOTAL_W` = INTERVAL_W + 1.
///
/// ```
/// let ratio = <cotenant_units::request_ratio!(10)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct RequestRatio<
    const INTERVAL_W: usize,
    const RATIO_W: usize,
    const LEFT_W: usize,
    const TOTAL_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: a new interval, ratio 1.
    pub reset: Signal<In, Bit>,
    /// A new interval, ratio 1; active high. `request` of that cycle does not
    /// count.
    pub clear: Signal<In, Bit>,
    /// A memory request is accepted; active high.
    pub request: Signal<In, Bit>,
    /// It is its instruction's first; looked at only with `request`.
    pub first: Signal<In, Bit>,
    /// Requests an instruction, 1 to RATIO_MAX; 1 after reset.
    pub ratio: Signal<Out, Bits<RATIO_W>>,
    /// `ratio` is measured anew from the next cycle on; active high.
    pub updated: Signal<Out, Bit>,
    /// Requests in the interval.
    requests: Reg<Bits<INTERVAL_W>>,
    /// Instructions in the interval.
    instructions: Reg<Bits<INTERVAL_W>>,
    /// Instructions in the interval that has closed.
    total: Reg<Bits<TOTAL_W>>,
    /// `total` times 2 k + 1 for the k at hand, but for its lowest bit; below
    /// 2^TOTAL_W, since it is at most 3 / 2 `total`, or `total` above one that is
    /// within the bound.
    sum: Reg<Bits<TOTAL_W>>,
    candidate: Reg<Bits<RATIO_W>>,
    /// Values of k still to be tried.
    left: Reg<Bits<LEFT_W>>,
    ratio_register: Reg<Bits<RATIO_W>>,
    counts: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    counted: Signal<Local, Bits<INTERVAL_W>>,
    closed: Signal<Local, Bits<TOTAL_W>>,
    next_candidate: Signal<Local, Bits<RATIO_W>>,
    augend: Signal<Local, Bits<TOTAL_W>>,
    addend: Signal<Local, Bits<TOTAL_W>>,
    next_sum: Signal<Local, Bits<TOTAL_W>>,
    finishes: Signal<Local, Bit>,
    steps: Constant<Bits<LEFT_W>>,
    interval: Constant<Bits<TOTAL_W>>,
    /// The product is below 2^(INTERVAL_W + 1).
    within: Signal<Local, Bit>,
    top: Constant<Bits<8>>,
    about: About,
}

impl<const INTERVAL_W: usize, const RATIO_W: usize, const LEFT_W: usize, const TOTAL_W: usize>
    Default for RequestRatio<INTERVAL_W, RATIO_W, LEFT_W, TOTAL_W>
{
    fn default() -> Self {
        const {
            assert!(
                INTERVAL_W >= 1 && INTERVAL_W <= 16,
                "request_ratio: INTERVAL_W is 1 to 16"
            );
            assert!(
                RATIO_W == bits_of(ratio_max(INTERVAL_W) as u64)
                    && LEFT_W == bits_of(ratio_max(INTERVAL_W) as u64 - 1),
                "request_ratio: RATIO_W and LEFT_W hold RATIO_MAX and RATIO_MAX - 1"
            );
            assert!(
                TOTAL_W == INTERVAL_W + 1,
                "request_ratio: TOTAL_W is INTERVAL_W + 1"
            );
        }
        RequestRatio {
            clock: Default::default(),
            reset: Default::default(),
            clear: Default::default(),
            request: Default::default(),
            first: Default::default(),
            ratio: Default::default(),
            updated: Default::default(),
            requests: Reg::default(),
            instructions: Reg::default(),
            total: Reg::default(),
            sum: Reg::default(),
            candidate: Reg::new(1.into()),
            left: Reg::default(),
            ratio_register: Reg::new(1.into()),
            counts: Default::default(),
            closing: Default::default(),
            counted: Default::default(),
            closed: Default::default(),
            next_candidate: Default::default(),
            augend: Default::default(),
            addend: Default::default(),
            next_sum: Default::default(),
            finishes: Default::default(),
            steps: Constant::new((ratio_max(INTERVAL_W) - 1).to_bits()),
            interval: Constant::new((1usize << INTERVAL_W).to_bits()),
            within: Default::default(),
            top: Constant::new(INTERVAL_W.to_bits()),
            about: About::new("request_ratio")
                .parameter("INTERVAL_W", INTERVAL_W)
                .citing("Dai et al., section 3.2, figure 7")
                .documented_in(include_str!("request_ratio.rs")),
        }
    }
}

impl<const INTERVAL_W: usize, const RATIO_W: usize, const LEFT_W: usize, const TOTAL_W: usize> Logic
    for RequestRatio<INTERVAL_W, RATIO_W, LEFT_W, TOTAL_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            requests,
            instructions,
            total,
            sum,
            candidate,
            left,
            ratio_register
        );
        self.requests.reset.next = self.reset.val();
        self.instructions.reset.next = self.reset.val();
        self.total.reset.next = self.reset.val();
        self.sum.reset.next = self.reset.val();
        self.candidate.reset.next = self.reset.val();
        self.left.reset.next = self.reset.val();
        self.ratio_register.reset.next = self.reset.val();
        self.ratio.next = self.ratio_register.q.val();

        comment!("The interval: requests and instructions.");
        self.counts.next = self.request.val() & !self.clear.val();
        self.closing.next = self.counts.val() & self.requests.q.val().all();
        self.counted.next = self.instructions.q.val();
        if self.first.val() {
            self.counted.next = self.instructions.q.val() + 1;
        }
        self.requests.d.next = self.requests.q.val();
        self.instructions.d.next = self.instructions.q.val();
        if self.counts.val() {
            self.requests.d.next = self.requests.q.val() + 1;
            self.instructions.d.next = self.counted.val();
        }
        if self.clear.val() | self.closing.val() {
            self.requests.d.next = 0.into();
            self.instructions.d.next = 0.into();
        }

        comment!("Conversion, one candidate a cycle.");
        self.closed.next = bit_cast::<TOTAL_W, INTERVAL_W>(self.counted.val());
        if !self.counted.val().any() {
            self.closed.next = self.interval.val();
        }
        self.total.d.next = self.total.q.val();
        self.sum.d.next = self.sum.q.val();
        self.candidate.d.next = self.candidate.q.val();
        self.left.d.next = self.left.q.val();
        self.ratio_register.d.next = self.ratio_register.q.val();
        // One adder for the first sum of an interval and those that follow.
        self.augend.next = self.sum.q.val();
        self.addend.next = self.total.q.val();
        if self.closing.val() {
            self.augend.next = self.closed.val() >> 1;
            self.addend.next = self.closed.val();
        }
        self.next_sum.next = self.augend.val() + self.addend.val();
        self.next_candidate.next = self.candidate.q.val();
        // No product is a power of two, so that being below it is one bit.
        self.within.next = !self.sum.q.val().get_bit(self.top.val().index());
        if self.within.val() {
            self.next_candidate.next = self.candidate.q.val() + 1;
        }
        self.finishes.next = (self.left.q.val() == 1) & !self.clear.val();
        self.updated.next = self.finishes.val();
        if self.left.q.val().any() & !self.clear.val() {
            self.candidate.d.next = self.next_candidate.val();
            self.left.d.next = self.left.q.val() - 1;
            if self.within.val() {
                self.sum.d.next = self.next_sum.val();
            }
        }
        if self.finishes.val() {
            self.ratio_register.d.next = self.next_candidate.val();
        }
        if self.closing.val() {
            self.total.d.next = self.closed.val();
            self.sum.d.next = self.next_sum.val();
            self.candidate.d.next = 1.into();
            self.left.d.next = self.steps.val();
        }
        if self.clear.val() {
            self.candidate.d.next = 1.into();
            self.left.d.next = 0.into();
            self.ratio_register.d.next = 1.into();
        }
    }
}

unit! {
    [
        const INTERVAL_W: usize,
        const RATIO_W: usize,
        const LEFT_W: usize,
        const TOTAL_W: usize,
    ]
    RequestRatio<INTERVAL_W, RATIO_W, LEFT_W, TOTAL_W>: clock;
    in reset, clear, request, first;
    out ratio, updated
}

/// The type of a [`RequestRatio`](crate::sm::RequestRatio): width of the request counter.
#[macro_export]
macro_rules! request_ratio {
    ($interval_w:expr) => {
        $crate::sm::RequestRatio<
            { $interval_w },
            { $crate::sm::bits_of($crate::sm::ratio_max($interval_w) as u64) },
            { $crate::sm::bits_of($crate::sm::ratio_max($interval_w) as u64 - 1) },
            { $interval_w + 1 },
        >
    };
}
