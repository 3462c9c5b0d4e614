//! `xsratio`: how much more often a GPGPU application accesses the last-level cache than CPU
//! applications do.
//!
//! Source: TAP, section 3.2. A counter per application counts its accesses in a period. As the period
//! ends, the most accesses of an application of the GPU are divided by the most of one of a CPU. A
//! ratio above T_XS is kept in the register XSRATIO, else 1 is.
//!
//! The most accesses are known without a comparison of all counters: an access of the application that
//! has most so far, or as many, makes one more of it.
//!
//! Timing: an access at cycle t is counted at t + 1; one in the cycle of `period` belongs to the period
//! that begins, so that none is lost. The division takes one cycle for each bit of a counter, the
//! highest bit of the quotient first: with `period` at t, `busy` is high from t + 1 to t + CNT_W, and
//! `xsratio` and `done` show the ratio at t + CNT_W + 1, 22 cycles after the period's end with 21 bits,
//! of a period of 2^21. Until then `xsratio` is that of the period before.
//!
//! ASSUMPTION: the ratio is compared with T_XS, and then truncated: a quotient of T_XS is above it if
//! something remains.
//! ASSUMPTION: it stops at 2^XS_W - 1. Without an access of a CPU application it is that, as a division
//! by 0 gives it; without any access it is 1.
//! ASSUMPTION: which applications are of the GPU is an input, taken over with `period`, since software
//! gives numbers to applications, and there may be several of the GPU (section 3.1.4). Of several that
//! with most accesses counts, as of those of CPUs. After a reset none is of the GPU.
//! ASSUMPTION: counters stop at their limit; a `period` while `busy` drops the ratio under way.
//! ASSUMPTION: there is one access per cycle at most (table 4).

use super::MAX_APPLICATIONS;
use crate::llc::{kid_width, position_width};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, section 3.2")]
mod xsratio {
    /// The ratio of accesses of `APPLICATIONS` applications, in `XS_W` bits, by counters of `CNT_W`.
    pub struct Xsratio<
        /// Number of applications.
        #[range(2..=MAX_APPLICATIONS)] const APPLICATIONS: usize,
        /// Bits of the ratio.
        #[range(2..=16)] const XS_W: usize,
        /// Bits of a counter.
        #[range(XS_W..=32)] const CNT_W: usize,
        /// The largest ratio that is none.
        #[range(1..=(1 << XS_W) - 2)] const T_XS: usize,
        const APP_W: usize = { kid_width(APPLICATIONS) },
        const LEFT_W: usize = { position_width(CNT_W) },
        const TRIAL_W: usize = { CNT_W + 1 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters 0, ratio 1, idle.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// Number of the accessing application; below APPLICATIONS with an access.
        pub access_app: In<Bits<APP_W>>,
        /// A period ends, and the next one begins with this cycle; active high.
        pub period: In<Bit>,
        /// With `period`: one bit per application, application 0 lowest: it is of the GPU.
        pub gpu: In<Bits<APPLICATIONS>>,
        /// A ratio is being computed; active high, 0 after reset.
        pub busy: Out<Bit>,
        /// A new ratio is in `xsratio` for the first cycle; active high, 0 after reset.
        pub done: Out<Bit>,
        /// XSRATIO, the newest ratio: at least T_XS, or 1; 1 after reset.
        pub xsratio: Out<Bits<XS_W>>,
        /// Accesses in the period so far, CNT_W bits per application, application 0 lowest; 0 after
        /// reset.
        pub accesses: Out<[Bits<CNT_W>; APPLICATIONS]>,
        count: [Reg<Bits<CNT_W>>; APPLICATIONS],
        of_gpu: [Reg<Bit>; APPLICATIONS],
        /// The most accesses of an application of the GPU, and of one of a CPU.
        most_gpu: Reg<Bits<CNT_W>>,
        most_cpu: Reg<Bits<CNT_W>>,
        /// Quotient bits that the divider has still to make.
        left: Reg<Bits<LEFT_W>>,
        divisor: Reg<Bits<CNT_W>>,
        remainder: Reg<Bits<CNT_W>>,
        /// The rest of the dividend, followed by the quotient so far.
        shift: Reg<Bits<CNT_W>>,
        #[reset(1)]
        xsratio_register: Reg<Bits<XS_W>>,
        done_register: Reg<Bit>,
        #[value(CNT_W)]
        steps: Constant<Bits<LEFT_W>>,
        #[value((1u64 << XS_W) - 1)]
        largest: Constant<Bits<CNT_W>>,
        #[value(T_XS)]
        threshold: Constant<Bits<XS_W>>,
    }

    fn update(&mut self) {
        comment!("The counter of the accessing application, and the most of its kind.");
        let mut number: Bits<CNT_W> = 0;
        let mut by_gpu: Bit = false;
        let mut opens_gpu: Bit = false;
        for i in 0..APPLICATIONS {
            if self.access_app == i.to_bits::<APP_W>() {
                number = self.count[i];
                by_gpu = self.of_gpu[i];
                opens_gpu = self.gpu[i];
            }
        }
        let mut most: Bits<CNT_W> = self.most_cpu;
        if by_gpu {
            most = self.most_gpu;
        }

        comment!("One access more, of the first access of a period the first.");
        let counts: Bit = self.access_valid & !number.all();
        for i in 0..APPLICATIONS {
            self.count[i].next = self.count[i];
            self.of_gpu[i].next = self.of_gpu[i];
            if counts & (self.access_app == i.to_bits::<APP_W>()) {
                self.count[i].next = self.count[i] + 1;
            }
            if self.period {
                self.count[i].next = 0;
                self.of_gpu[i].next = self.gpu[i];
                if self.access_valid & (self.access_app == i.to_bits::<APP_W>()) {
                    self.count[i].next = 1;
                }
            }
            self.accesses[i].next = self.count[i];
        }
        if counts & (number == most) {
            if by_gpu {
                self.most_gpu.next = self.most_gpu + 1;
            } else {
                self.most_cpu.next = self.most_cpu + 1;
            }
        }
        if self.period {
            self.most_gpu.next = 0;
            self.most_cpu.next = 0;
            if self.access_valid {
                if opens_gpu {
                    self.most_gpu.next = 1;
                } else {
                    self.most_cpu.next = 1;
                }
            }
        }

        comment!(
            "The division, one quotient bit per cycle; all of them are 1 if the divisor is 0."
        );
        let trial: Bits<TRIAL_W> =
            (self.remainder.cast::<TRIAL_W>() << 1).replace_bit(0, self.shift[CNT_W - 1]);
        // The remainder is below the divisor, or the trial's top bit is 0: that of the difference is its
        // sign.
        let difference: Bits<TRIAL_W> = trial - self.divisor.cast::<TRIAL_W>();
        let fits: Bit = !difference.get_bit(CNT_W);
        let quotient: Bits<CNT_W> = (self.shift << 1).replace_bit(0, fits);
        self.busy.next = self.left.any();
        let mut remains: Bits<CNT_W> = trial.cast::<CNT_W>();
        if fits {
            remains = difference.cast::<CNT_W>();
        }
        if self.left.any() {
            self.left.next = self.left - 1;
            self.shift.next = quotient;
            self.remainder.next = remains;
        }
        if self.period {
            self.left.next = self.steps;
            self.divisor.next = self.most_cpu;
            self.remainder.next = 0;
            self.shift.next = self.most_gpu;
        }

        comment!("XSRATIO: with a divisor of 0 the remainder is the dividend.");
        let ends: Bit = (self.left == 1) & !self.period;
        let nothing: Bit = !self.divisor.any() & !trial.any();
        let mut ratio: Bits<XS_W> = quotient.cast::<XS_W>();
        if quotient > self.largest {
            ratio = !bits::<XS_W>(0);
        }
        let above: Bit = (ratio > self.threshold) | ((ratio == self.threshold) & remains.any());
        if ends {
            self.xsratio_register.next = 1;
            if above & !nothing {
                self.xsratio_register.next = ratio;
            }
        }
        self.done_register.next = ends;
        self.done.next = self.done_register;
        self.xsratio.next = self.xsratio_register;
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Xsratio!(@any)>::DEFINITION,
    // A CPU application beside one of the GPU, as most workloads of TAP's table 7; four at most.
    &[
        ("table-1", "2"),
        ("three", "3w4c6t2"),
        ("small", "2w3c4t2"),
        ("large", "16"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 10, 21, 10],
            [5, 10, 21, 10],
            [16, 10, 21, 10],
            [7, 5, 5, 29],
            [5, 2, 8, 1],
            [3, 4, 6, 2],
            [2, 3, 4, 2],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
)
.usual(&[
    usually("XS_W", 10).letter('w'),
    usually("CNT_W", 21).letter('c'),
    usually("T_XS", 10).letter('t'),
]);
