//! `pivot`: which kernel a miss is charged to, as a whole.
//!
//! Source: the exact attribution of LRU (docs/attribution.md). [`blame`](crate::llc::Blame) divides a
//! contention miss over all orders in which the co-runners may join the victim, and is for four
//! kernels; this draws one order for each contention miss, and charges the co-runner whose lines
//! complete the ways in it. On average that is the same, for any number of kernels. An own miss is
//! charged to the victim.
//!
//! A linear feedback shift register, x^31 + x^28 + 1, gives the bits of an order as they leave it
//! one after the other: a key of KEY_W bits per kernel, kernel 0's first and its lowest bit first,
//! and a mask of KID_W bits. Kernels join by their keys, the lowest first; of equal keys by their
//! KIDs XOR mask. All bits of an order, and what the register holds after them, are computed in one
//! cycle: a bit is the XOR of those 28 and 31 before it. Each kernel has the sum of the lines of
//! those that come before it; it is the one if that is below the ways and with its own lines is not.
//!
//! Timing: combinational, but for the register, which moves on in the cycle after a contention
//! miss. Sums are led through all kernels, one after the other.
//!
//! ASSUMPTION: keys have seven bits for up to four kernels, so that an order is at most 30 bits of
//! the register's 31, which are independent of each other; else eight, since a key of seven bits
//! would be made of the one four before it. The order of two equal keys is fair by the mask; three
//! are equal in one of 2^14 draws, or of 2^16, and are then not quite.
//! ASSUMPTION: the victim has a key like all others, which does not count. With two kernels there
//! is but one order, and the register is of no use.

use super::{kid_width, mask, position_width, MAX_WAYS};
use crate::table::line::{Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Shapley and Shubik's index for LRU, by orders drawn")]
mod pivot {
    /// Who is charged for a miss in a cache of `WAYS` ways that `KERNELS` kernels share.
    pub struct Pivot<
        #[range(1..=MAX_WAYS)] const WAYS: usize,
        #[range(2..=16)] const KERNELS: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const SUM_W: usize = { position_width(KERNELS * WAYS) },
        const KEY_W: usize = { key_width(KERNELS) },
        const PLACE_W: usize = { key_width(KERNELS) + kid_width(KERNELS) },
        const DRAW: usize = { draw_width(KERNELS) },
        const BITS: usize = { LFSR_W + draw_width(KERNELS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: orders are those that follow the first one again.
        pub reset: In<Bit>,
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
        /// One-hot by kernel: the kernel that is charged; zero if the access hits.
        pub charged: Out<Bits<KERNELS>>,
        /// KID of that kernel; 0 if the access hits.
        pub charged_kid: Out<Bits<KID_W>>,
        /// The shift register; bit 30 leaves it first.
        #[reset(SEED)]
        lfsr: Reg<Bits<31>>,
        /// What leaves it, the first bit first, as far as an order needs it, and what it then holds.
        bits: [Local<Bit>; BITS],
        drawn: Local<Bits<31>>,
        mask: Local<Bits<KID_W>>,
        /// A kernel's key, and below it its KID XOR mask: no two are equal.
        place: [Local<Bits<PLACE_W>>; KERNELS],
        /// Bit w of row v: kernel w joins before kernel v; only for w below v, and for all.
        lower_before: [Local<Bits<KERNELS>>; KERNELS],
        before: [Local<Bits<KERNELS>>; KERNELS],
        /// The victim's own lines, and those with which each other kernel joins.
        own: Local<Bits<SUM_W>>,
        joins: [Local<Bits<SUM_W>>; KERNELS],
        /// One-hot: the co-runner that completes the ways; zero if all do not, or the victim does.
        completes: Local<Bits<KERNELS>>,
        own_miss: Local<Bit>,
        /// The kernels below v, and those above.
        #[value(|v| mask(v))]
        below: [Constant<Bits<KERNELS>>; KERNELS],
        #[value(|v| mask(KERNELS) & !mask(v + 1))]
        higher: [Constant<Bits<KERNELS>>; KERNELS],
        #[value(WAYS)]
        ways: Constant<Bits<SUM_W>>,
    }

    fn update(&mut self) {
        comment!("The bits that leave the shift register, and those that it holds after an order.");
        for n in 0..31 {
            self.bits[n].next = self.lfsr[30 - n];
        }
        for n in 0..DRAW {
            self.bits[31 + n].next = self.bits[n] ^ self.bits[n + 3];
        }
        self.drawn.next = 0;
        for n in 0..31 {
            self.drawn[30 - n].next = self.bits[DRAW + n];
        }

        comment!("The order: by keys, and of equal ones by KID XOR mask.");
        self.mask.next = 0;
        for n in 0..KID_W {
            self.mask[n].next = self.bits[KEY_W * KERNELS + n];
        }
        for v in 0..KERNELS {
            let among_equals: Bits<KID_W> = v.to_bits::<KID_W>() ^ self.mask;
            self.place[v].next = among_equals.cast::<PLACE_W>();
            for n in 0..KEY_W {
                self.place[v][KID_W + n].next = self.bits[KEY_W * v + n];
            }
        }
        for v in 0..KERNELS {
            self.lower_before[v].next = 0;
            for w in 0..KERNELS {
                self.lower_before[v][w].next = self.below[v][w] & (self.place[w] < self.place[v]);
            }
        }
        for v in 0..KERNELS {
            self.before[v].next = 0;
            for w in 0..KERNELS {
                self.before[v][w].next =
                    self.lower_before[v][w] | (self.higher[v][w] & !self.lower_before[w][v]);
            }
        }

        comment!("The victim's lines, and those of its co-runners.");
        self.own.next = 0;
        for v in 0..KERNELS {
            let its: Bits<POS_W> = self.above[v];
            self.joins[v].next = its.cast::<SUM_W>();
            if self.access_kid == v.to_bits::<KID_W>() {
                self.own.next = its.cast::<SUM_W>();
                self.joins[v].next = 0;
            }
        }

        comment!("Who completes the ways.");
        self.completes.next = 0;
        for v in 0..KERNELS {
            let mut sum: Bits<SUM_W> = self.own;
            for w in 0..KERNELS {
                let mut joined: Bits<SUM_W> = 0;
                if self.before[v][w] {
                    joined = self.joins[w];
                }
                sum = sum + joined;
            }
            let with_it: Bits<SUM_W> = sum + self.joins[v];
            self.completes[v].next = (sum < self.ways) & (with_it >= self.ways);
        }

        comment!("Whose miss it is, and who is charged.");
        self.own_miss.next = self.access_valid & (!self.access_again | (self.own >= self.ways));
        self.contention.next = self.access_valid & self.access_again & self.completes.any();
        self.miss.next = self.own_miss | self.contention;
        self.charged.next = 0;
        self.charged_kid.next = 0;
        if self.contention {
            self.charged.next = self.completes;
        }
        if self.own_miss {
            self.charged_kid.next = self.access_kid;
        }
        for v in 0..KERNELS {
            if self.own_miss & (self.access_kid == v.to_bits::<KID_W>()) {
                self.charged[v].next = true;
            }
            if self.contention & self.completes[v] {
                self.charged_kid.next = v.to_bits::<KID_W>();
            }
        }

        comment!("Each contention miss takes an order.");
        if self.contention {
            self.lfsr.next = self.drawn;
        }
    }
}

/// Bits of the shift register, and what it holds after a reset.
const LFSR_W: usize = 31;
const SEED: u64 = 0x2545_f491;

/// KEY_W: bits of a key.
const fn key_width(kernels: usize) -> usize {
    if kernels > 4 {
        8
    } else {
        7
    }
}

/// DRAW: bits of an order.
const fn draw_width(kernels: usize) -> usize {
    key_width(kernels) * kernels + kid_width(kernels)
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Pivot!(@any)>::DEFINITION,
    &[
        ("figure-2", "4x4"),
        ("table-1", "16x4"),
        ("small", "2x2"),
        ("large", "16x8"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 2],
            [3, 3],
            [4, 4],
            [12, 2],
            [8, 5],
            [16, 4],
            [16, 8],
            [32, 16],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
);
