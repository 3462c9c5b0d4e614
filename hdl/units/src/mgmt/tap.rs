//! `tap`: what TAP does with what it has found out: the masks and the ratio that UCP and RRIP follow.
//!
//! Source: TAP, sections 3.3, 3.4 and 5.3. Core sampling says of an application of the GPU that caching
//! does not help: its UCP-Mask is set, so that [`ucp`](crate::mgmt::Ucp) gives it one way, and so is its
//! RRIP-Mask, which [`drrip`](crate::mgmt::Drrip) follows. XSRATIO divides its hits in `ucp`, and if it
//! is above 1, the RRIP-Mask is set, too. TAP-S detects applications of CPUs that stream, by a counter
//! of misses beside the counters of accesses that [`xsratio`](crate::mgmt::Xsratio) has: they get one
//! way, and if all stream, the RRIP-Mask is reset.
//!
//! Connected as follows: `period` is that of all units; `accesses`, `xsratio` and `xsratio_done` are
//! `xsratio`'s; bits of `insensitive` are those of one [`core_sampling`](crate::mgmt::CoreSampling) for
//! each application of the GPU; `start`, `ucp_mask` and `ratio` go to `ucp`, whose monitors keep the
//! counters of the period; `rrip_mask` goes to `drrip`.
//!
//! Timing: a miss at cycle t is counted at t + 1; one in the cycle of `period` belongs to the period that
//! begins, so that none is lost. Which applications stream in the period that ends at t is in
//! `streaming` at t + 1. `xsratio_done` comes later; `start` and all masks follow it by one cycle.
//!
//! ASSUMPTION: an application streams if it made at least `stream_accesses` accesses in the period, of
//! which at least `stream_rate` of 256 missed. The product of accesses and rate is compared, so that
//! there is no divider. What an application of the GPU does is not asked.
//! ASSUMPTION: all CPU applications stream if there is one that does, and each other one made no access
//! in the period. Then UCP-Masks of the GPU are reset, too: there is nobody to leave the ways to.
//! ASSUMPTION: where each application would get one way only, none does, since all ways are given out.
//! ASSUMPTION: XSRATIO is that of all applications of the GPU; those of CPUs have 1.
//! ASSUMPTION: masks stay until the next ratio; after a reset there are none, and the ratio is 1.

use super::{Product, MAX_APPLICATIONS};
use crate::llc::kid_width;
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, sections 3.3, 3.4 and 5.3")]
mod tap {
    /// Masks and ratios of `APPLICATIONS` applications.
    pub struct Tap<
        /// Number of applications.
        #[range(2..=MAX_APPLICATIONS)] const APPLICATIONS: usize,
        /// Bits of the ratio.
        #[range(2..=16)] const XS_W: usize,
        /// Bits of a counter.
        #[range(1..=32)] const CNT_W: usize,
        const APP_W: usize = { kid_width(APPLICATIONS) },
        const RATE_W: usize = { 8 },
        const PART_W: usize = { CNT_W + 8 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no masks, the ratio 1, counters 0.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high.
        pub access_hit: In<Bit>,
        /// Number of the accessing application; below APPLICATIONS with an access.
        pub access_app: In<Bits<APP_W>>,
        /// A period ends, and the next one begins with this cycle; active high.
        pub period: In<Bit>,
        /// With `period`: accesses of each application in the period that ends; CNT_W bits per
        /// application, application 0 lowest.
        pub accesses: In<[Bits<CNT_W>; APPLICATIONS]>,
        /// With `period`: streaming applications are detected (TAP-S); active high.
        pub detect: In<Bit>,
        /// With `period`: the fewest accesses of a streaming application; at least 1.
        pub stream_accesses: In<Bits<CNT_W>>,
        /// With `period`: the fewest misses in 256 accesses of a streaming application.
        pub stream_rate: In<Bits<RATE_W>>,
        /// With `xsratio_done`: one bit per application, application 0 lowest: it is of the GPU.
        pub gpu: In<Bits<APPLICATIONS>>,
        /// With `xsratio_done`: one bit per application, application 0 lowest: caching does not help;
        /// of those of CPUs it is not looked at.
        pub insensitive: In<Bits<APPLICATIONS>>,
        /// With `xsratio_done`: the ratio of the period; at least 1.
        pub xsratio: In<Bits<XS_W>>,
        /// The ratio is there; active high.
        pub xsratio_done: In<Bit>,
        /// Masks and ratio are new in this cycle, and a decision of `ucp` begins; active high, 0 after
        /// reset.
        pub start: Out<Bit>,
        /// One bit per application, application 0 lowest: it gets one way only; never all of them, none
        /// after reset.
        pub ucp_mask: Out<Bits<APPLICATIONS>>,
        /// By what the hits of each application are divided; XS_W bits per application, application 0
        /// lowest, at least 1; 1 after reset.
        pub ratio: Out<[Bits<XS_W>; APPLICATIONS]>,
        /// One bit per application, application 0 lowest: its RRIP-Mask; 0 of those of CPUs, 0 after
        /// reset.
        pub rrip_mask: Out<Bits<APPLICATIONS>>,
        /// One bit per application, application 0 lowest: it streamed in the last period; 0 after reset.
        pub streaming: Out<Bits<APPLICATIONS>>,
        misses: [Reg<Bits<CNT_W>>; APPLICATIONS],
        /// Of the last period: who streamed, and who made an access.
        streaming_register: [Reg<Bit>; APPLICATIONS],
        active: [Reg<Bit>; APPLICATIONS],
        /// UCP-Mask, RRIP-Mask and XSRATIO, and whose hits it divides.
        ucp_mask_register: [Reg<Bit>; APPLICATIONS],
        rrip_mask_register: [Reg<Bit>; APPLICATIONS],
        divided: [Reg<Bit>; APPLICATIONS],
        #[reset(1)]
        xsratio_register: Reg<Bits<XS_W>>,
        start_register: Reg<Bit>,
        /// Accesses times the rate.
        enough: [Product<CNT_W, RATE_W>; APPLICATIONS],
        /// Loop variable: misses of an application.
        missed: Local<Bits<CNT_W>>,
        /// Applications of CPUs that stream, and those that do not, but made an access.
        streams: Local<Bits<APPLICATIONS>>,
        reuses: Local<Bits<APPLICATIONS>>,
        /// Who would get one way only.
        masked: Local<Bits<APPLICATIONS>>,
        #[value(8)]
        rate_w: Constant<Bits<8>>,
    }

    fn update(&mut self) {
        comment!("Misses of each application in the period; whether it streamed in the last one.");
        for i in 0..APPLICATIONS {
            let misses_now: Bit =
                self.access_valid & !self.access_hit & (self.access_app == i.to_bits::<APP_W>());
            self.misses[i].next = self.misses[i];
            if misses_now & !self.misses[i].all() {
                self.misses[i].next = self.misses[i] + 1;
            }
            self.enough[i].next = Product {
                a: self.accesses[i],
                b: self.stream_rate,
            };
            self.missed.next = self.misses[i];
            let missed_256: Bits<PART_W> = self.missed.cast::<PART_W>() << self.rate_w;
            self.streaming_register[i].next = self.streaming_register[i];
            self.active[i].next = self.active[i];
            if self.period {
                self.misses[i].next = 0;
                if misses_now {
                    self.misses[i].next = 1;
                }
                self.streaming_register[i].next = self.detect
                    & (self.accesses[i] >= self.stream_accesses)
                    & (missed_256 >= self.enough[i].product);
                self.active[i].next = self.accesses[i].any();
            }
            self.streaming[i].next = self.streaming_register[i];
        }

        comment!("Whether all applications of CPUs stream.");
        for i in 0..APPLICATIONS {
            self.streams[i].next = self.streaming_register[i] & !self.gpu[i];
            self.reuses[i].next = self.active[i] & !self.streaming_register[i] & !self.gpu[i];
        }
        let all_stream: Bit = self.streams.any() & !self.reuses.any();

        comment!("UCP-Mask, RRIP-Mask and XSRATIO.");
        let mut useless: Bits<APPLICATIONS> = self.insensitive & self.gpu;
        if all_stream {
            useless = 0;
        }
        self.masked.next = useless | self.streams;
        let exceeds: Bit = (self.xsratio > 1) & !all_stream;
        let all_masked: Bit = self.masked.all();
        for i in 0..APPLICATIONS {
            self.ucp_mask_register[i].next = self.ucp_mask_register[i];
            self.rrip_mask_register[i].next = self.rrip_mask_register[i];
            self.divided[i].next = self.divided[i];
            if self.xsratio_done {
                self.ucp_mask_register[i].next = self.masked[i] & !all_masked;
                self.rrip_mask_register[i].next = useless.get_bit(i) | (self.gpu[i] & exceeds);
                self.divided[i].next = self.gpu[i];
            }
            self.ucp_mask[i].next = self.ucp_mask_register[i];
            self.rrip_mask[i].next = self.rrip_mask_register[i];
            let mut by: Bits<XS_W> = 1;
            if self.divided[i] {
                by = self.xsratio_register;
            }
            self.ratio[i].next = by;
        }
        if self.xsratio_done {
            self.xsratio_register.next = self.xsratio;
        }
        self.start_register.next = self.xsratio_done;
        self.start.next = self.start_register;
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Tap!(@any)>::DEFINITION,
    // A CPU application beside one of the GPU, as most workloads of TAP's table 7; four at most.
    &[
        ("table-1", "2"),
        ("three", "3w4c6"),
        ("small", "2w3c4"),
        ("large", "16"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 10, 21],
            [5, 10, 21],
            [16, 10, 21],
            [7, 5, 5],
            [5, 2, 8],
            [3, 4, 6],
            [2, 3, 4],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
)
.usual(&[
    usually("XS_W", 10).letter('w'),
    usually("CNT_W", 21).letter('c'),
]);
