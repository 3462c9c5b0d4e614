//! `blame`: what part of a miss each kernel has caused.
//!
//! Source: the exact attribution of LRU (docs/attribution.md), of which GDC has the weights: how
//! many lines of each kernel are above the line that an access uses again. The victim's lines and
//! those of a coalition of its co-runners come to the ways, or not: seven sums and seven
//! comparisons for three co-runners. If all together come to the ways but the victim alone does
//! not, it is a contention miss, and of the six orders in which the co-runners may join a kernel is
//! to blame for those in which its lines complete the ways: its Shapley-Shubik index, in sixths.
//!
//! Timing: combinational.
//!
//! ASSUMPTION: the unit is a sixth of a miss for any number of kernels, so that counters of
//! different configurations compare; with two co-runners parts are 0, 3 or 6, with one 0 or 6.

use super::{kid_width, position_width, MAX_WAYS};
use crate::table::line::{Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Shapley and Shubik's index for LRU")]
mod blame {
    /// Parts of a miss in a cache of `WAYS` ways that `KERNELS` kernels share.
    pub struct Blame<
        #[range(1..=MAX_WAYS)] const WAYS: usize,
        #[range(2..=4)] const KERNELS: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const SUM_W: usize = { position_width(4 * WAYS) },
        const OTHERS: usize = { KERNELS - 1 },
    > {
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// KID of the accessing kernel, the victim; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// The kernel uses the line again, and has used fewer than WAYS others since; active high.
        pub access_again: In<Bit>,
        /// Lines of each kernel that were used since then, POS_W bits per kernel, kernel 0 lowest;
        /// at most WAYS each.
        pub above: In<[Bits<POS_W>; KERNELS]>,
        /// The access misses; active high.
        pub miss: Out<Bit>,
        /// It misses because of the co-runners; active high.
        pub contention: Out<Bit>,
        /// Each kernel's part of the miss in sixths, 3 bits per kernel, kernel 0 lowest; they add
        /// up to 6, or to 0 if the access hits. Of an own miss all are the victim's.
        pub sixths: Out<[Bits<3>; KERNELS]>,
        /// Lines of each kernel, in as many bits as all of them may need.
        lines: [Local<Bits<SUM_W>>; KERNELS],
        /// The victim's own lines, and those of its co-runners in the order of their KIDs; 0 for
        /// those that there are not.
        own: Local<Bits<SUM_W>>,
        other: [Local<Bits<SUM_W>>; 3],
        /// Lines of the victim and of each co-runner, of the other two, and of all.
        one: [Local<Bits<SUM_W>>; 3],
        others: [Local<Bits<SUM_W>>; 3],
        all: Local<Bits<SUM_W>>,
        /// The lines of the victim come to the ways with those of each co-runner, with those of the
        /// other two, and with those of all.
        with_one: Local<Bits<3>>,
        with_others: Local<Bits<3>>,
        with_all: Local<Bit>,
        own_miss: Local<Bit>,
        /// Each co-runner completes the ways as the second, after the first or the last of the
        /// other two.
        after_first: Local<Bits<3>>,
        after_last: Local<Bits<3>>,
        /// Of the six orders, those in which each co-runner completes the ways.
        orders: [Local<Bits<3>>; 3],
        part: [Local<Bits<3>>; KERNELS],
        #[value(WAYS)]
        ways: Constant<Bits<SUM_W>>,
    }

    fn update(&mut self) {
        comment!("The victim's lines, and those of each co-runner.");
        self.own.next = 0;
        for kernel in 0..KERNELS {
            let its: Bits<POS_W> = self.above[kernel];
            self.lines[kernel].next = its.cast::<SUM_W>();
            if self.access_kid == kernel.to_bits::<KID_W>() {
                self.own.next = self.lines[kernel];
            }
        }
        for missing in OTHERS..3 {
            self.other[missing].next = 0;
        }
        for n in 0..OTHERS {
            self.other[n].next = self.lines[n + 1];
            if self.access_kid > n.to_bits::<KID_W>() {
                self.other[n].next = self.lines[n];
            }
        }

        comment!("Which coalitions bring the ways.");
        for n in 0..3 {
            self.one[n].next = self.own + self.other[n];
        }
        self.others[0].next = self.one[1] + self.other[2];
        self.others[1].next = self.one[0] + self.other[2];
        self.others[2].next = self.one[0] + self.other[1];
        self.all.next = self.others[2] + self.other[2];
        for n in 0..3 {
            self.with_one[n].next = self.one[n] >= self.ways;
            self.with_others[n].next = self.others[n] >= self.ways;
        }
        self.with_all.next = self.all >= self.ways;

        comment!("Whose miss it is.");
        self.own_miss.next = self.access_valid & (!self.access_again | (self.own >= self.ways));
        self.contention.next = self.access_valid & !self.own_miss & self.with_all;
        self.miss.next = self.own_miss | self.contention;

        comment!("In two orders a co-runner is the first, in two the second, in two the last.");
        self.after_first[0].next = self.with_others[2] & !self.with_one[1];
        self.after_first[1].next = self.with_others[2] & !self.with_one[0];
        self.after_first[2].next = self.with_others[1] & !self.with_one[0];
        self.after_last[0].next = self.with_others[1] & !self.with_one[2];
        self.after_last[1].next = self.with_others[0] & !self.with_one[2];
        self.after_last[2].next = self.with_others[0] & !self.with_one[1];
        for n in 0..3 {
            let both: Bit = self.after_first[n] & self.after_last[n];
            let first: Bit = self.with_one[n];
            let last: Bit = self.with_all & !self.with_others[n];
            self.orders[n].next = 0;
            self.orders[n][0].next = self.after_first[n] ^ self.after_last[n];
            self.orders[n][1].next = first ^ last ^ both;
            self.orders[n][2].next = (first & last) | (first & both) | (last & both);
        }

        comment!("Each kernel's part.");
        for kernel in 0..KERNELS {
            self.part[kernel].next = 0;
        }
        for n in 0..OTHERS {
            if self.contention {
                if self.access_kid > n.to_bits::<KID_W>() {
                    self.part[n].next = self.orders[n];
                } else {
                    self.part[n + 1].next = self.orders[n];
                }
            }
        }
        for kernel in 0..KERNELS {
            if self.own_miss & (self.access_kid == kernel.to_bits::<KID_W>()) {
                self.part[kernel].next = 6;
            }
            self.sixths[kernel].next = self.part[kernel];
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Blame!(@any)>::DEFINITION,
    &[
        ("figure-2", "4x4"),
        ("table-1", "16x4"),
        ("small", "2x2"),
        ("large", "16x4"),
    ],
    Sets::Numbers(|| {
        let sets = [[2, 2], [3, 3], [4, 4], [8, 3], [12, 2], [16, 4], [32, 4]];
        sets.map(|set| set.to_vec()).to_vec()
    }),
);
