//! `milg`: memory instruction limit generator, the dynamic limit of one kernel (DMIL).
//!
//! Source: Dai et al., section 3.3.2, figure 10, widths of section 4.4: every
//! 2^INTERVAL_W memory requests of the kernel its limit becomes the peak of its
//! instructions in flight, divided by its reservation failures per request, at
//! least 1. The shift by INTERVAL_W is wires.
//!
//! Timing: `allow` is combinational from registers. An interval that closes at
//! cycle t shows in `limit` at t + COUNT_W + 2: the divider begins when the peak
//! has seen the closing cycle, and makes one quotient bit per cycle, off the issue
//! path; without failures the limit is released at t + 2. A launch lifts it at
//! t + 1. In the same cycle launch has priority over all inputs but issue and
//! complete.
//!
//! Two values are registered to shorten the paths from the grant (`issue`) and from
//! the last request:
//!
//! - The peak follows one cycle late, from the count in its register: it takes over
//!   the count in the cycle after an issue that exceeded it, which `grew`
//!   registers. Comparing count and peak there instead is 4 to 8 % slower on the
//!   ECP5 (206 instead of 214 MHz for `table-1`, 194 instead of 210 for `large`).
//! - `last` says in advance that the next request ends the interval; comparing all
//!   bits of the request counter is another 8 % slower (189 MHz for `table-1`).
//!
//! ASSUMPTION: failures saturate, so that with FAIL_W = INTERVAL_W + 2 the
//! divider divides by 1, 2 or 3 only.
//! ASSUMPTION: with less than one failure per request the quotient is undefined:
//! the limit is dropped (RELEASE 0, the formula taken literally), doubles (1), stays
//! (2), or rises by one (3); one beyond the counter is dropped. A limit also rises where a kernel has more
//! in flight than its new limit, since the next peak starts from that count: with 3
//! in flight a limit of 1 becomes 3 if the next divisor is 1.
//! ASSUMPTION: no limit is a flag of its own; issue is still blocked when the
//! counter is full, so that the count stays exact. There is no limit until the
//! first interval ends.
//! ASSUMPTION: a request counts once, when accepted; a failure is each cycle in
//! which the kernel's request at the head of the LSU is refused. The peak
//! includes an issue in the closing cycle.
//! ASSUMPTION: a launch restarts the interval and removes the limit; what is still
//! in flight stays counted. An interval that was closed before sets no limit
//! any more.

use super::{widest_interval, width_of, InFlight};
use crate::table::line::{usually, Aliases, Line, Sets};
use crate::table::sm::{both, vectors};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.3.2, figure 10",
    require(
        COUNT_W < 1 << INTERVAL_W,
        "COUNT_W is below 2^INTERVAL_W: a division ends before the next interval"
    )
)]
mod milg {
    /// Limit generator with an in-flight counter of `COUNT_W` bits, a failure
    /// counter of `FAIL_W` and a request counter of `INTERVAL_W`; `RELEASE` is 0
    /// (at once), 1 (by doubling), 2 (not at all) or 3 (by one).
    ///
    /// ```
    /// use cotenant_units::sm::Milg;
    /// let milg = <Milg!(7, 12, 10, 0)>::default();
    /// ```
    pub struct Milg<
        #[range(1..=32)] const COUNT_W: usize,
        #[range(2..=32)] const FAIL_W: usize,
        #[range(1..=widest_interval(FAIL_W))] const INTERVAL_W: usize,
        #[range(0..=3)] const RELEASE: usize,
        const DIV_W: usize = { FAIL_W - INTERVAL_W },
        const TRIAL_W: usize = { FAIL_W - INTERVAL_W + 1 },
        const STEP_W: usize = { width_of(COUNT_W) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: nothing in flight, no limit, a new interval.
        pub reset: In<Bit>,
        /// A kernel starts here: no limit, a new interval; active high. `request`
        /// and `fail` of that cycle do not count.
        pub launch: In<Bit>,
        /// A memory instruction is issued; active high, only if `allow`.
        pub issue: In<Bit>,
        /// A memory instruction has its last response; active high, only if
        /// `in_flight` is above 0.
        pub complete: In<Bit>,
        /// A memory request is accepted; active high.
        pub request: In<Bit>,
        /// A memory request is refused (reservation failure); active high, never
        /// together with `request`.
        pub fail: In<Bit>,
        /// The kernel may issue a memory instruction; active high, 1 after reset.
        pub allow: Out<Bit>,
        /// Memory instructions in flight; COUNT_W bits, 0 after reset.
        pub in_flight: Out<Bits<COUNT_W>>,
        /// Memory instructions that may be in flight; COUNT_W bits, at least 1, all
        /// ones without a limit and after reset.
        pub limit: Out<Bits<COUNT_W>>,
        /// There is no limit; active high, 1 after reset.
        pub unlimited: Out<Bit>,
        counter: InFlight<COUNT_W>,
        /// Most instructions in flight in the interval, up to the cycle before: the
        /// peak, a cycle late.
        peak: Reg<Bits<COUNT_W>>,
        /// The count is above `peak`: an issue raised it in the cycle before.
        grew: Reg<Bit>,
        /// An interval began in the cycle before: its peak is the count.
        began: Reg<Bit>,
        /// An interval was closed in the cycle before: its failures per request are
        /// in `divisor`, its peak is `high`.
        closed: Reg<Bit>,
        /// Reservation failures in the interval, saturating.
        failures: Reg<Bits<FAIL_W>>,
        /// Requests in the interval.
        requests: Reg<Bits<INTERVAL_W>>,
        /// The next request ends the interval: `requests` is all ones.
        last: Reg<Bit>,
        #[reset(ones)]
        limit_register: Reg<Bits<COUNT_W>>,
        #[reset(true)]
        unlimited_register: Reg<Bit>,
        /// Quotient bits that the divider has still to make.
        left: Reg<Bits<STEP_W>>,
        divisor: Reg<Bits<DIV_W>>,
        remainder: Reg<Bits<DIV_W>>,
        /// The rest of the dividend, followed by the quotient so far.
        shift: Reg<Bits<COUNT_W>>,
        #[value((1u64 << INTERVAL_W) - 2)]
        last_but_one: Constant<Bits<INTERVAL_W>>,
        #[value(COUNT_W)]
        steps: Constant<Bits<STEP_W>>,
        #[value(RELEASE == 1)]
        doubles: Constant<Bit>,
        #[value(RELEASE == 2)]
        holds: Constant<Bit>,
        #[value(RELEASE == 3)]
        rises: Constant<Bit>,
    }

    fn update(&mut self) {
        comment!("Permission to issue.");
        self.counter.issue.next = self.issue;
        self.counter.complete.next = self.complete;
        self.allow.next = self.counter.count < self.limit_register;
        self.in_flight.next = self.counter.count;
        self.limit.next = self.limit_register;
        self.unlimited.next = self.unlimited_register;

        comment!("The peak in flight, a cycle late; an interval begins with the count.");
        // Only an issue at the peak goes beyond it, and by one.
        let at_peak: Bit = self.grew | self.began | (self.counter.count == self.peak);
        self.grew.next = at_peak & self.issue & !self.complete;
        // The peak up to this cycle.
        let mut high: Bits<COUNT_W> = self.peak;
        if self.grew {
            high = self.counter.count;
        }
        self.peak.next = high;
        if self.began {
            self.peak.next = self.counter.count;
        }

        comment!("The interval: requests and failures.");
        let closing: Bit = self.request & self.last;
        let ends: Bit = closing & !self.launch;
        self.began.next = self.launch | closing;
        self.closed.next = ends;
        if self.request {
            self.requests.next = self.requests + 1;
            self.last.next = self.requests == self.last_but_one;
        }
        if self.fail & !self.failures.all() {
            self.failures.next = self.failures + 1;
        }
        if self.launch | closing {
            self.requests.next = 0;
            self.last.next = false;
            self.failures.next = 0;
        }

        comment!("The division, one quotient bit per cycle.");
        let trial: Bits<TRIAL_W> =
            (self.remainder.cast::<TRIAL_W>() << 1).replace_bit(0, self.shift[COUNT_W - 1]);
        // The remainder is below the divisor, so the difference's top bit is its sign.
        let difference: Bits<TRIAL_W> = trial - self.divisor.cast::<TRIAL_W>();
        let fits: Bit = !difference.get_bit(DIV_W);
        let quotient: Bits<COUNT_W> = (self.shift << 1).replace_bit(0, fits);
        if self.left.any() & !self.launch {
            self.left.next = self.left - 1;
            self.shift.next = quotient;
            self.remainder.next = trial.cast::<DIV_W>();
            if fits {
                self.remainder.next = difference.cast::<DIV_W>();
            }
            if self.left == 1 {
                self.limit_register.next = quotient;
                if !quotient.any() {
                    self.limit_register.next = 1;
                }
                self.unlimited_register.next = false;
            }
        }

        comment!("The end of an interval.");
        if ends {
            // Failures per request, truncated.
            self.divisor.next = self.failures.get_bits::<DIV_W>(INTERVAL_W);
        }
        if self.closed & !self.launch {
            self.remainder.next = 0;
            self.shift.next = high;
            if self.divisor.any() {
                self.left.next = self.steps;
            } else if self.doubles & !self.limit_register[COUNT_W - 1] {
                self.limit_register.next = self.limit_register << 1;
            } else if self.rises & !self.limit_register.all() {
                self.limit_register.next = self.limit_register + 1;
            } else if !self.holds {
                self.limit_register.next = !bits::<COUNT_W>(0);
                self.unlimited_register.next = true;
            }
        }
        if self.launch {
            self.left.next = 0;
            self.limit_register.next = !bits::<COUNT_W>(0);
            self.unlimited_register.next = true;
        }
    }
}

const ALIASES: Aliases = &[
    ("table-1", "7x12x10"),
    ("wide", "7x17x10"),
    ("small", "2x4x2"),
    ("large", "7x20x10"),
];

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Milg!(@any)>::DEFINITION,
    ALIASES,
    Sets::Numbers(|| {
        let mut sets = both(&[
            [7, 12, 10],
            [7, 14, 10],
            [7, 17, 10],
            [7, 20, 10],
            [2, 4, 2],
            [3, 6, 3],
        ]);
        let others = [[2, 4, 2, 2], [2, 4, 2, 3], [3, 6, 3, 2], [3, 6, 3, 3]];
        sets.extend(vectors(&others));
        sets
    }),
)
.usual(&[usually("RELEASE", 0).flags("dhp")]);
