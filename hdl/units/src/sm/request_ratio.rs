//! `request_ratio`: memory requests per instruction of one kernel.
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
//! and clamped, with an adder and one comparison per cycle: no n (2 k + 1) is a
//! power of two above n, so it is below 2^(INTERVAL_W + 1) or beyond.
//!
//! ASSUMPTION: an instruction counts with its first request, so that there are
//! at most as many as requests; the instruction counter, which wraps to 0 with as many, is
//! read with its carry at the end of an interval.
//! ASSUMPTION: an interval without a first request, which only one of fewer than 32 requests can
//! be, is all of one instruction: the ratio is RATIO_MAX.
//! ASSUMPTION: the ratio is clamped to 1 to 32, the most requests that a warp
//! makes; it is 1 until the first interval ends.

use super::{ratio_max, ratio_width, width_of};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Dai et al., section 3.2, figure 7")]
mod request_ratio {
    /// Requests per instruction, over 2^`INTERVAL_W` requests.
    ///
    /// ```
    /// use cotenant_units::sm::RequestRatio;
    /// let ratio = <RequestRatio!(10)>::default();
    /// ```
    pub struct RequestRatio<
        #[range(1..=16)] const INTERVAL_W: usize,
        const RATIO_MAX: usize = { ratio_max(INTERVAL_W) },
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const LEFT_W: usize = { width_of(RATIO_MAX - 1) },
        const TOTAL_W: usize = { INTERVAL_W + 1 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: a new interval, ratio 1.
        pub reset: In<Bit>,
        /// A new interval, ratio 1; active high. `request` of that cycle does not
        /// count.
        pub clear: In<Bit>,
        /// A memory request is accepted; active high.
        pub request: In<Bit>,
        /// The request is the first of its instruction; sampled with `request`.
        pub first: In<Bit>,
        /// Requests per instruction, 1 to RATIO_MAX; 1 after reset.
        pub ratio: Out<Bits<RATIO_W>>,
        /// A new measurement of `ratio` begins in the next cycle; active high.
        pub updated: Out<Bit>,
        /// Requests in the interval.
        requests: Reg<Bits<INTERVAL_W>>,
        /// Instructions in the interval.
        instructions: Reg<Bits<INTERVAL_W>>,
        /// Instructions in the interval that has closed.
        total: Reg<Bits<TOTAL_W>>,
        /// `total` times 2 k + 1 for the current k, without its lowest bit; below
        /// 2^TOTAL_W, since it is at most 3 / 2 `total`, or `total` above one that
        /// is within the bound.
        sum: Reg<Bits<TOTAL_W>>,
        #[reset(1)]
        candidate: Reg<Bits<RATIO_W>>,
        /// Values of k still to be tried.
        left: Reg<Bits<LEFT_W>>,
        #[reset(1)]
        ratio_register: Reg<Bits<RATIO_W>>,
        #[value(RATIO_MAX - 1)]
        steps: Constant<Bits<LEFT_W>>,
    }

    fn update(&mut self) {
        self.ratio.next = self.ratio_register;

        comment!("The interval: requests and instructions.");
        let counts: Bit = self.request & !self.clear;
        let closing: Bit = counts & self.requests.all();
        let mut counted: Bits<TOTAL_W> = self.instructions.cast::<TOTAL_W>();
        if self.first {
            counted = self.instructions.cast::<TOTAL_W>() + 1;
        }
        if counts {
            self.requests.next = self.requests + 1;
            self.instructions.next = counted.cast::<INTERVAL_W>();
        }
        if self.clear | closing {
            self.requests.next = 0;
            self.instructions.next = 0;
        }

        comment!("Conversion, one candidate per cycle.");
        // One adder for the first sum of an interval and those that follow.
        let mut augend: Bits<TOTAL_W> = self.sum;
        let mut addend: Bits<TOTAL_W> = self.total;
        if closing {
            augend = counted >> 1;
            addend = counted;
        }
        let next_sum: Bits<TOTAL_W> = augend + addend;
        // The product is below 2^(INTERVAL_W + 1): none is a power of two, so one bit says it.
        let within: Bit = !self.sum[INTERVAL_W];
        let mut next_candidate: Bits<RATIO_W> = self.candidate;
        if within {
            next_candidate = self.candidate + 1;
        }
        let finishes: Bit = (self.left == 1) & !self.clear;
        self.updated.next = finishes;
        if self.left.any() & !self.clear {
            self.candidate.next = next_candidate;
            self.left.next = self.left - 1;
            if within {
                self.sum.next = next_sum;
            }
        }
        if finishes {
            self.ratio_register.next = next_candidate;
        }
        if closing {
            self.total.next = counted;
            self.sum.next = next_sum;
            self.candidate.next = 1;
            self.left.next = self.steps;
        }
        if self.clear {
            self.candidate.next = 1;
            self.left.next = 0;
            self.ratio_register.next = 1;
        }
    }
}
