//! `ucp`: which application gets how many ways, by UCP's lookahead as TAP uses it.
//!
//! Source: TAP, section 3.3 and appendix A, algorithm 1, after Qureshi and Patt's UCP. Each round
//! goes through all applications and all numbers of ways that are left, adds up the hits that an
//! application would have more with so many ways more, and keeps those with the highest hits per
//! way. Their application gets their ways, and the next round begins, until no way is left. Hits per
//! way are compared by products, hits of the one times ways of the other; XSRATIO is a factor of
//! the ways. There is no divider.
//!
//! The counters are read where they are, in one [`umon`](crate::mgmt::Umon) for each application,
//! through the read ports of the last period: `read_position` is that of all monitors, their
//! `read_count` are its elements here, their `read_live` is 0, and their `snapshot` may be `start`.
//! They have to stay as they are while `busy`.
//!
//! Timing: off the access path, one counter per cycle through three steps: asked for, added to the
//! sum, compared with the best so far. A round with b ways to give takes APPLICATIONS * b + 3
//! cycles. `start` at cycle t takes `ucp_mask` and `xsratio`; `busy` is high from t + 1 until
//! `quota` and `done` show the decision. With B = WAYS - APPLICATIONS ways to give that is at
//! t + 2 + APPLICATIONS * B * (B + 1) / 2 + 3 * B at the latest, where each round gives one way:
//! 1022 cycles for 32 ways and 2 applications, 1973 for 5, of a period of 2^21.
//!
//! ASSUMPTION: each application begins with one way, and WAYS - APPLICATIONS are given out:
//! algorithm 1 taken literally leaves an application whose UCP-Mask is set without any way, section
//! 3.3 says that it gets one.
//! ASSUMPTION: where no application has any utility, one way is given; of equal utilities the
//! application with the lower id wins, and of one application that with the fewest ways.
//! ASSUMPTION: counters divided by XSRATIO are not truncated. XSRATIO and UCP-Mask are inputs for
//! each application, since there may be several of the GPU (section 3.1.4); 1 and 0 of a CPU's.
//! ASSUMPTION: a start while `busy` drops what is under way. Quotas stay until the next decision;
//! after reset all applications have as many ways, the lower ids those that are left over.

use super::{most_applications, Product};
use crate::llc::{kid_width, position_width, way_width};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, section 3.3 and algorithm 1")]
mod ucp {
    /// Quotas of `APPLICATIONS` applications in `WAYS` ways, by counters of `CNT_W` bits and ratios
    /// of `XS_W`.
    pub struct Ucp<
        /// Number of ways.
        #[range(2..=32)] const WAYS: usize,
        /// Number of applications, at most 16.
        #[range(2..=most_applications(WAYS))] const APPLICATIONS: usize,
        /// Bits of a counter.
        #[range(1..=64)] const CNT_W: usize,
        /// Bits of an XSRATIO.
        #[range(1..=16)] const XS_W: usize,
        const POS_W: usize = { position_width(WAYS) },
        const WAY_W: usize = { way_width(WAYS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
        const SUM_W: usize = { CNT_W + WAY_W },
        const COST_W: usize = { XS_W + WAY_W },
        const PRODUCT_W: usize = { SUM_W + COST_W },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: idle, quotas as equal as can be.
        pub reset: In<Bit>,
        /// Begin a decision; active high. The counters are read from the next cycle on.
        pub start: In<Bit>,
        /// One bit per application, as of `start`: it gets one way only (UCP-Mask of the GPGPU
        /// application); not all of them.
        pub ucp_mask: In<Bits<APPLICATIONS>>,
        /// By what the counters of each application are divided, as of `start`; XS_W bits per
        /// application, application 0 lowest, at least 1.
        pub xsratio: In<[Bits<XS_W>; APPLICATIONS]>,
        /// The counter of each application at the `read_position` of the cycle before; CNT_W bits per
        /// application, application 0 lowest.
        pub read_count: In<[Bits<CNT_W>; APPLICATIONS]>,
        /// The counter to read, of all applications; 0 where none is needed and after reset.
        pub read_position: Out<Bits<POS_W>>,
        /// A decision is under way; active high, 0 after reset.
        pub busy: Out<Bit>,
        /// A new decision is in `quota` for the first cycle; active high, 0 after reset.
        pub done: Out<Bit>,
        /// The newest decision that is complete: ways of each application, POS_W bits per
        /// application, application 0 lowest; at least 1 each, WAYS together; after reset WAYS /
        /// APPLICATIONS each, and one more for the lower ids as far as that leaves any.
        pub quota: Out<[Bits<POS_W>; APPLICATIONS]>,
        mask: [Reg<Bit>; APPLICATIONS],
        #[reset(1)]
        ratio: [Reg<Bits<XS_W>>; APPLICATIONS],
        /// Ways that each application has so far, and those that are left.
        #[reset(1)]
        allocation: [Reg<Bits<POS_W>>; APPLICATIONS],
        #[reset(WAYS - APPLICATIONS)]
        balance: Reg<Bits<POS_W>>,
        /// First step: the counter asked for, by its application and how many ways more than it
        /// has need it.
        asking: Reg<Bit>,
        application: Reg<Bits<APP_W>>,
        #[reset(1)]
        blocks: Reg<Bits<POS_W>>,
        /// Second step: the counter that has been read; the last one of the round.
        answering: Reg<Bit>,
        answering_last: Reg<Bit>,
        answering_application: Reg<Bits<APP_W>>,
        #[reset(1)]
        answering_blocks: Reg<Bits<POS_W>>,
        /// Third step: the hits of so many ways more, and the ways times XSRATIO.
        comparing: Reg<Bit>,
        comparing_last: Reg<Bit>,
        comparing_application: Reg<Bits<APP_W>>,
        #[reset(1)]
        comparing_blocks: Reg<Bits<POS_W>>,
        sum: Reg<Bits<SUM_W>>,
        cost: Reg<Bits<COST_W>>,
        /// The best of the round so far, if there is one.
        found: Reg<Bit>,
        best_application: Reg<Bits<APP_W>>,
        #[reset(1)]
        best_blocks: Reg<Bits<POS_W>>,
        best_sum: Reg<Bits<SUM_W>>,
        best_cost: Reg<Bits<COST_W>>,
        /// The round has compared all.
        deciding: Reg<Bit>,
        done_register: Reg<Bit>,
        #[reset(|i| share(WAYS, APPLICATIONS, i))]
        quota_register: [Reg<Bits<POS_W>>; APPLICATIONS],
        /// Sum times the best cost, best sum times the cost.
        ours: Product<SUM_W, COST_W>,
        theirs: Product<SUM_W, COST_W>,
        #[value(APPLICATIONS - 1)]
        last_application: Constant<Bits<APP_W>>,
        #[value(WAYS - APPLICATIONS)]
        given_out: Constant<Bits<POS_W>>,
    }

    fn update(&mut self) {
        comment!("A counter is asked for: above what its application has, as many as are left.");
        let complete: Bit = self.asking & !self.balance.any();
        let asks: Bit = self.asking & self.balance.any();
        let last_blocks: Bit = self.blocks == self.balance;
        let last: Bit = asks & last_blocks & (self.application == self.last_application);
        let mut has: Bits<POS_W> = 0;
        for i in 0..APPLICATIONS {
            if self.application == i.to_bits::<APP_W>() {
                has = self.allocation[i];
            }
        }
        self.read_position.next = 0;
        if asks {
            self.read_position.next = has + self.blocks - 1;
            self.blocks.next = self.blocks + 1;
            if last_blocks {
                self.blocks.next = 1;
                self.application.next = self.application + 1;
            }
        }

        comment!("It is added to the hits of its application.");
        self.answering.next = asks;
        self.answering_last.next = last;
        self.answering_application.next = self.application;
        self.answering_blocks.next = self.blocks;
        let mut count: Bits<CNT_W> = 0;
        let mut per_way: Bits<XS_W> = 0;
        for i in 0..APPLICATIONS {
            if self.answering_application == i.to_bits::<APP_W>() {
                count = self.read_count[i];
                per_way = self.ratio[i];
            }
        }
        let mut fewer_sum: Bits<SUM_W> = self.sum;
        let mut fewer_cost: Bits<COST_W> = self.cost;
        if self.answering_blocks == 1 {
            fewer_sum = 0;
            fewer_cost = 0;
        }
        self.sum.next = fewer_sum + count.cast::<SUM_W>();
        self.cost.next = fewer_cost + per_way.cast::<COST_W>();

        comment!("The highest hits per way are kept, of equal ones the first.");
        self.comparing.next = self.answering;
        self.comparing_last.next = self.answering_last;
        self.comparing_application.next = self.answering_application;
        self.comparing_blocks.next = self.answering_blocks;
        self.ours.next = Product {
            a: self.sum,
            b: self.best_cost,
        };
        self.theirs.next = Product {
            a: self.best_sum,
            b: self.cost,
        };
        let mut masked: Bit = false;
        for i in 0..APPLICATIONS {
            if self.comparing_application == i.to_bits::<APP_W>() {
                masked = self.mask[i];
            }
        }
        let higher: Bit = self.ours.product > self.theirs.product;
        if self.comparing & !masked & (higher | !self.found) {
            self.found.next = true;
            self.best_application.next = self.comparing_application;
            self.best_blocks.next = self.comparing_blocks;
            self.best_sum.next = self.sum;
            self.best_cost.next = self.cost;
        }

        comment!("The best one gets its ways, and the next round begins.");
        self.deciding.next = self.comparing_last;
        for i in 0..APPLICATIONS {
            self.allocation[i].next = self.allocation[i];
            if self.deciding & (self.best_application == i.to_bits::<APP_W>()) {
                self.allocation[i].next = self.allocation[i] + self.best_blocks;
            }
        }
        if last | complete {
            self.asking.next = false;
        }
        if self.deciding {
            self.balance.next = self.balance - self.best_blocks;
            self.found.next = false;
            self.asking.next = true;
            self.application.next = 0;
        }

        comment!("No way is left: the quotas are new.");
        self.busy.next = self.asking | self.answering | self.comparing | self.deciding;
        self.done_register.next = complete & !self.start;
        self.done.next = self.done_register;
        for i in 0..APPLICATIONS {
            self.quota_register[i].next = self.quota_register[i];
            if complete & !self.start {
                self.quota_register[i].next = self.allocation[i];
            }
            self.quota[i].next = self.quota_register[i];
        }

        comment!("A start drops what is under way.");
        for i in 0..APPLICATIONS {
            self.mask[i].next = self.mask[i];
            self.ratio[i].next = self.ratio[i];
        }
        if self.start {
            self.balance.next = self.given_out;
            self.asking.next = true;
            self.application.next = 0;
            self.blocks.next = 1;
            self.answering.next = false;
            self.answering_last.next = false;
            self.comparing.next = false;
            self.comparing_last.next = false;
            self.deciding.next = false;
            self.found.next = false;
            for i in 0..APPLICATIONS {
                self.mask[i].next = self.ucp_mask[i];
                self.ratio[i].next = self.xsratio[i];
                self.allocation[i].next = 1;
            }
        }
    }
}

/// The ways of an application after reset.
const fn share(ways: usize, applications: usize, application: usize) -> usize {
    let left_over = ways % applications;
    ways / applications + if application < left_over { 1 } else { 0 }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Ucp!(@any)>::DEFINITION,
    // The cache of TAP's table 4, for a CPU application beside one of the GPU; four at most.
    &[
        ("table-1", "32x2"),
        ("three", "5x3"),
        ("small", "4x2"),
        ("large", "32x5"),
    ],
    Sets::Numbers(|| {
        let sets = [[32, 2], [32, 5], [16, 3], [16, 4], [5, 3], [4, 2]];
        sets.map(|[ways, applications]| vec![ways, applications, 21, 10])
            .to_vec()
    }),
)
// Counters as those of the monitor; XSRATIO as in section 3.2.
.usual(&[usually("CNT_W", 21), usually("XS_W", 10)]);
