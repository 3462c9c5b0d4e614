//! `quota_unit`: how many memory instructions each kernel may issue, so that all make as many
//! requests.
//!
//! Source: Dai et al., section 3.2, figure 7: quota_i = LCM(r_0 .. r_n) / r_i
//! over the active kernels' requests per instruction. It is not on the critical
//! path (section 4.4), so it is sequential and small: neither a greatest common
//! divisor nor a division, but sets of prime powers. Their union is the least
//! common multiple; the quota is the product of the prime powers that a ratio's
//! own set lacks of it, multiplied with one bit of a prime per cycle.
//!
//! Timing: `start` at cycle t takes `active` and `ratio`; `busy` is high from t + 1 to t + KERNELS
//! (S + 1), and `quota` and `done` follow one cycle later, S being the steps of
//! [`quota_steps`](crate::sm::quota_steps), whatever the ratios are: 83 cycles for 2 kernels, 124
//! for 3, 329 for 8. In the same cycle clear has priority over start, and either aborts a
//! computation in progress.
//!
//! ASSUMPTION: the paper computes quotas of active kernels. A slot without a kernel
//! reads 1, as all do after reset and clear, and does not enter the multiple; a
//! start or clear aborts a computation in progress, so that a set always belongs
//! to one `start`.

use super::factors::powers_up_to;
use super::{
    prime_powers, quota_cycles, quota_steps, quota_width, ratio_width, width_of, Factors,
    MAX_KERNELS, MAX_RATIO,
};
use crate::table::line::{Aliases, Line, Sets};
use crate::table::sm::vectors;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Dai et al., section 3.2, figure 7")]
mod quota_unit {
    /// Quotas of `KERNELS` kernels with ratios of 1 to `RATIO_MAX`.
    ///
    /// ```
    /// use cotenant_units::sm::QuotaUnit;
    /// let quota_unit = <QuotaUnit!(2, 32)>::default();
    /// ```
    pub struct QuotaUnit<
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        #[range(2..=MAX_RATIO)] const RATIO_MAX: usize,
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const SET_W: usize = { quota_width(KERNELS, RATIO_MAX) },
        const PARTIAL_W: usize = { SET_W - 1 },
        const POWERS: usize = { prime_powers(RATIO_MAX) },
        const STEPS: usize = { quota_steps(RATIO_MAX) + 1 },
        const STEP_W: usize = { width_of(quota_steps(RATIO_MAX)) },
        const LEFT_W: usize = { width_of(quota_cycles(KERNELS, RATIO_MAX)) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: idle, all quotas 1.
        pub reset: In<Bit>,
        /// Idle, all quotas 1; active high.
        pub clear: In<Bit>,
        /// Begin a new set from `active` and `ratio`; active high.
        pub start: In<Bit>,
        /// One bit per kernel: it is active.
        pub active: In<Bits<KERNELS>>,
        /// Requests per instruction, RATIO_W bits per kernel, kernel 0 lowest; 1 to
        /// RATIO_MAX of active kernels, others are ignored.
        pub ratio: In<[Bits<RATIO_W>; KERNELS]>,
        /// A set is being computed; active high, 0 after reset.
        pub busy: Out<Bit>,
        /// A new set is in `quota` for the first cycle; active high, 0 after reset.
        pub done: Out<Bit>,
        /// The newest set that is complete: instructions, SET_W bits per kernel,
        /// kernel 0 lowest; 1 in slots without a kernel, all 1 after reset.
        pub quota: Out<[Bits<SET_W>; KERNELS]>,
        factors: [Factors<RATIO_MAX>; KERNELS],
        /// Prime powers of the ratios, the current kernel first; none of an
        /// inactive one.
        powers: [Reg<Bits<POWERS>>; KERNELS],
        /// One bit per kernel, the current kernel lowest: it is active.
        members: Reg<Bits<KERNELS>>,
        /// Cycles still to go; 0 when idle.
        left: Reg<Bits<LEFT_W>>,
        /// 0 begins a kernel, the others multiply.
        step: Reg<Bits<STEP_W>>,
        /// Prime powers still to be multiplied, the current one lowest.
        missing: Reg<Bits<POWERS>>,
        /// Product of the primes so far.
        #[reset(1)]
        product: Reg<Bits<SET_W>>,
        /// The product times the bits of the current prime so far; its top bit would be
        /// shifted out.
        #[reset(1)]
        partial: Reg<Bits<PARTIAL_W>>,
        /// Quotas of this set, the newest last.
        #[reset(1)]
        waiting: [Reg<Bits<SET_W>>; KERNELS - 1],
        #[reset(1)]
        quota_register: [Reg<Bits<SET_W>>; KERNELS],
        done_register: Reg<Bit>,
        /// Prime powers of the least common multiple.
        multiple: Local<Bits<POWERS>>,
        /// The bit of the prime in each step, and whether it is the last.
        #[value(prime_bits(RATIO_MAX, |prime, place| prime >> place & 1 == 1))]
        prime_bit: Constant<Bits<STEPS>>,
        #[value(prime_bits(RATIO_MAX, |_, place| place == 0))]
        prime_end: Constant<Bits<STEPS>>,
        #[value(STEPS - 1)]
        last_step: Constant<Bits<STEP_W>>,
        #[value(quota_cycles(KERNELS, RATIO_MAX))]
        cycles: Constant<Bits<LEFT_W>>,
    }

    fn update(&mut self) {
        comment!("The schedule: KERNELS times STEPS cycles.");
        self.busy.next = self.left.any();
        let begins: Bit = !self.step.any();
        let ends: Bit = self.left.any() & (self.step == self.last_step);
        if self.left.any() {
            self.left.next = self.left - 1;
            self.step.next = self.step + 1;
        }
        if ends | self.start | self.clear {
            self.step.next = 0;
        }
        if self.clear {
            self.left.next = 0;
        } else if self.start {
            self.left.next = self.cycles;
        }

        comment!("The ratios as prime powers, rotated after each kernel.");
        self.multiple.next = 0;
        for i in 0..KERNELS {
            self.factors[i].ratio.next = self.ratio[i];
            self.multiple.next = self.multiple | self.powers[i];
            self.powers[i].next = self.powers[i];
        }
        if self.start {
            self.members.next = self.active;
            for i in 0..KERNELS {
                self.powers[i].next = 0;
                if self.active[i] {
                    self.powers[i].next = self.factors[i].divides;
                }
            }
        } else if ends {
            self.members.next = self.members >> 1;
            for i in 1..KERNELS {
                self.powers[i - 1].next = self.powers[i];
            }
            self.powers[KERNELS - 1].next = self.powers[0];
        }

        comment!("The product of the prime powers that the ratio lacks of the multiple.");
        let mut addend: Bits<SET_W> = 0;
        if self.prime_bit[self.step] {
            addend = self.product;
        }
        let next_partial: Bits<SET_W> = (self.partial.cast::<SET_W>() << 1) + addend;
        let mut next_product: Bits<SET_W> = self.product;
        if self.missing[0] {
            next_product = next_partial;
        }
        self.partial.next = next_partial.cast::<PARTIAL_W>();
        if begins {
            self.missing.next = 0;
            if self.members[0] {
                self.missing.next = self.multiple & !self.powers[0];
            }
            self.product.next = 1;
            self.partial.next = 1;
        } else if self.prime_end[self.step] {
            self.missing.next = self.missing >> 1;
            self.product.next = next_product;
            self.partial.next = next_product.cast::<PARTIAL_W>();
        }

        comment!("The set, updated as a whole.");
        for i in 1..KERNELS {
            self.waiting[i - 1].next = self.waiting[i - 1];
        }
        if ends {
            for i in 2..KERNELS {
                self.waiting[i - 2].next = self.waiting[i - 1];
            }
            self.waiting[KERNELS - 2].next = next_product;
        }
        for i in 0..KERNELS {
            self.quota_register[i].next = self.quota_register[i];
        }
        self.done_register.next = false;
        if self.clear {
            for i in 0..KERNELS {
                self.quota_register[i].next = 1;
            }
        } else if (self.left == 1) & !self.start {
            self.done_register.next = true;
            for i in 1..KERNELS {
                self.quota_register[i - 1].next = self.waiting[i - 1];
            }
            self.quota_register[KERNELS - 1].next = next_product;
        }
        self.done.next = self.done_register;
        for i in 0..KERNELS {
            self.quota[i].next = self.quota_register[i];
        }
    }
}

/// One bit per step: whether it holds for the prime and the place of its bit that is multiplied
/// there. Step 0 begins a kernel; then come the bits of each prime, below its leading one.
fn prime_bits(ratio_max: usize, holds: fn(usize, usize) -> bool) -> u64 {
    let bits = powers_up_to(ratio_max).flat_map(|(prime, _)| {
        let places = (0..width_of(prime) - 1).rev();
        places.map(move |place| u64::from(holds(prime, place)))
    });
    bits.zip(1..).fold(0, |all, (bit, step)| all | bit << step)
}

const ALIASES: Aliases = &[
    ("table-1", "2x32"),
    ("three", "3x32"),
    ("small", "2x4"),
    ("large", "8x32"),
];

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<QuotaUnit!(@any)>::DEFINITION,
    ALIASES,
    Sets::Numbers(|| vectors(&[[2, 32], [3, 32], [2, 4], [8, 32], [4, 32], [3, 8], [2, 8]])),
);
