//! `umon`: UCP's utility monitor, which tells how many hits an application would have with how many
//! ways.
//!
//! Source: TAP, section 3.3, after Qureshi and Patt's UCP: for each application an LRU stack of
//! tags for each sampled set, and a hit counter per way, whose period the partitioning algorithm
//! ends. The stacks are those of a cache that the application has for itself, so the hits that it
//! would have with w ways are the sum of the counters of positions 0 to w - 1.
//!
//! Timing: one access per cycle, no stall. The stack of an access at cycle t is read, compared and
//! written at t + 1, when the access is at the counters' adders; it is in the counters at t + 2.
//! `snapshot` and the read port are not delayed, so an access belongs to the period in which it
//! reaches the adders. After reset the stacks are cleared, one per cycle; `ready` is 0 for these
//! SAMPLED cycles, and accesses are ignored.
//!
//! ASSUMPTION: every (SETS / SAMPLED)-th set is sampled, beginning with set 0, which needs no hash.
//! ASSUMPTION: a snapshot clears the counters, not the stacks, which are warm in the next period.
//! ASSUMPTION: the paper counts hits alone; misses of sampled sets are counted, too, since the
//! detection of streaming applications (section 5.3) needs them.
//! ASSUMPTION: saturation, snapshots and reads as in [`counter_matrix`](crate::llc::CounterMatrix).

use crate::llc::{position_width, set_width, CounterMatrix};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "TAP, section 3.3",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(SAMPLED.is_power_of_two(), "SAMPLED is a power of two"),
    // `overflow` tells of all counters.
    unused = ["matrix.read_overflow"]
)]
mod umon {
    /// Stacks of `WAYS` tags of `TAG_W` bits for `SAMPLED` of `SETS` sets, and counters of `CNT_W`
    /// bits.
    pub struct Umon<
        /// Number of ways.
        #[range(2..=32)] const WAYS: usize,
        /// Number of sets of the cache.
        #[range(2..=1 << 24)] const SETS: usize,
        /// Number of sets that are sampled.
        #[range(2..=SETS)] const SAMPLED: usize,
        /// Bits of a tag.
        #[range(1..=64)] const TAG_W: usize,
        /// Bits of a counter.
        #[range(1..=64)] const CNT_W: usize,
        const SET_W: usize = { set_width(SETS) },
        const INDEX_W: usize = { set_width(SAMPLED) },
        const COUNTERS: usize = { counters(WAYS) },
        const POS_W: usize = { position_width(WAYS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters, shadows, flags and pipeline to zero, then the stacks
        /// are cleared.
        pub reset: In<Bit>,
        /// Access valid; active high. Ignored while `ready` is 0.
        pub access_valid: In<Bit>,
        /// Its set; an access to a set that is not sampled is ignored.
        pub access_set: In<Bits<SET_W>>,
        /// Its tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// Ends the period: copies the counters and clears them; active high.
        pub snapshot: In<Bit>,
        /// The counter to read: hits at this position, 0 = MRU to WAYS - 1 = LRU, or misses at
        /// WAYS; others read 0.
        pub read_position: In<Bits<POS_W>>,
        /// Read the running counters instead of the last period's, as they are before that cycle's
        /// increment; active high.
        pub read_live: In<Bit>,
        /// Accesses are taken; active high, 0 after reset until the stacks are cleared.
        pub ready: Out<Bit>,
        /// Accesses in the last period, or with `read_live` in the running one, that were at the
        /// position addressed one cycle before; CNT_W bits, saturating; 0 after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// One bit per counter, position 0 lowest: it saturated in the last period; 0 after reset.
        pub overflow: Out<Bits<COUNTERS>>,
        /// Number of snapshots, modulo 256, so that a reader can detect a snapshot between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// The stacks by sampled set: the tags at each position, and which positions have one.
        tag: [Ram<Bits<TAG_W>, INDEX_W>; WAYS],
        valid: Ram<Bits<WAYS>, INDEX_W>,
        /// One row per position, and one for misses.
        matrix: CounterMatrix<1, 1, CNT_W, COUNTERS, POS_W>,
        /// The stacks are being cleared, this one next.
        #[reset(true)]
        sweeping: Reg<Bit>,
        sweep_index: Reg<Bits<INDEX_W>>,
        /// The access whose stack has been read.
        lookup_valid: Reg<Bit>,
        lookup_index: Reg<Bits<INDEX_W>>,
        lookup_tag: Reg<Bits<TAG_W>>,
        /// The stack was written as it was read: it is what was written, not what was read.
        forward: Reg<Bit>,
        written_tag: [Reg<Bits<TAG_W>>; WAYS],
        written_valid: Reg<Bits<WAYS>>,
        /// The stack before the access, and after it.
        old_tag: [Local<Bits<TAG_W>>; WAYS],
        old_valid: Local<Bits<WAYS>>,
        new_tag: [Local<Bits<TAG_W>>; WAYS],
        new_valid: Local<Bits<WAYS>>,
        /// One-hot: the position hit; zero on a miss.
        hits: Local<Bits<WAYS>>,
        /// One-hot: the counter that it increments, the last one on a miss.
        incs: Local<Bits<COUNTERS>>,
        /// Bits of the number of a set that are 0 if it is sampled, and how many they are.
        #[value(SETS / SAMPLED - 1)]
        between: Constant<Bits<SET_W>>,
        #[value(SET_W - INDEX_W)]
        stride_w: Constant<Bits<8>>,
    }

    fn update(&mut self) {
        comment!("After reset the stacks are cleared.");
        self.ready.next = !self.sweeping;
        if self.sweeping {
            self.sweep_index.next = self.sweep_index + 1;
            if self.sweep_index.all() {
                self.sweeping.next = false;
            }
        }

        comment!("The stack of an access to a sampled set is read.");
        let sampled: Bit = (self.access_set & self.between) == 0;
        let index: Bits<INDEX_W> = (self.access_set >> self.stride_w).cast::<INDEX_W>();
        self.lookup_valid.next = self.access_valid & sampled & !self.sweeping;
        self.lookup_index.next = index;
        self.lookup_tag.next = self.access_tag;

        comment!("The position that it hits.");
        self.old_valid.next = self.valid.read_data;
        if self.forward {
            self.old_valid.next = self.written_valid;
        }
        for p in 0..WAYS {
            self.old_tag[p].next = self.tag[p].read_data;
            if self.forward {
                self.old_tag[p].next = self.written_tag[p];
            }
            self.hits[p].next = self.old_valid[p] & (self.old_tag[p] == self.lookup_tag);
        }

        comment!("Its tag goes to the top; those that were above it move down by one.");
        let mut moves: Bit = true;
        self.new_valid.next = self.old_valid;
        self.new_tag[0].next = self.lookup_tag;
        self.new_valid[0].next = true;
        for p in 1..WAYS {
            moves = moves & !self.hits[p - 1];
            self.new_tag[p].next = self.old_tag[p];
            if moves {
                self.new_tag[p].next = self.old_tag[p - 1];
                self.new_valid[p].next = self.old_valid[p - 1];
            }
        }

        comment!("The stack is written back, or cleared.");
        self.forward.next = self.lookup_valid & (self.lookup_index == index);
        self.written_valid.next = self.new_valid;
        let writes: Bit = self.lookup_valid | self.sweeping;
        let mut write_index: Bits<INDEX_W> = self.lookup_index;
        if self.sweeping {
            write_index = self.sweep_index;
        }
        self.valid.read_address.next = index;
        self.valid.write_enable.next = writes;
        self.valid.write_address.next = write_index;
        self.valid.write_data.next = self.new_valid;
        if self.sweeping {
            self.valid.write_data.next = 0;
        }
        for p in 0..WAYS {
            self.written_tag[p].next = self.new_tag[p];
            self.tag[p].read_address.next = index;
            self.tag[p].write_enable.next = writes;
            self.tag[p].write_address.next = write_index;
            self.tag[p].write_data.next = self.new_tag[p];
            if self.sweeping {
                self.tag[p].write_data.next = 0;
            }
        }

        comment!("The counters; snapshot and read port are not delayed.");
        self.incs.next = self.hits.cast::<COUNTERS>();
        self.incs[WAYS].next = !self.hits.any();
        self.matrix.next = CounterMatrix {
            inc_valid: self.lookup_valid,
            inc_kid: 0,
            inc: self.incs,
            snapshot,
            read_victim: self.read_position,
            read_aggressor: 0,
            read_live,
        };
        self.read_count.next = self.matrix.read_count;
        self.overflow.next = self.matrix.overflow;
        self.sequence_number.next = self.matrix.sequence_number;
    }
}

/// One counter per position, and one for misses.
const fn counters(ways: usize) -> usize {
    ways + 1
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Umon!(@any)>::DEFINITION,
    // The platform of TAP (its table 4) is called as those of the other papers: 8 MB in 32 ways of
    // 4096 sets.
    &[
        ("table-1", "32x4096x32"),
        ("every-set", "3x32x32"),
        ("small", "2x128x64"),
        ("large", "32x4096x32"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [32, 4096, 32],
            [16, 1024, 32],
            [4, 16, 4],
            [3, 32, 32],
            [2, 128, 64],
        ];
        sets.map(|[ways, sets, sampled]| vec![ways, sets, sampled, 31, 21])
            .to_vec()
    }),
)
// Tags of addresses of 49 bits, as those of the monitor; counters that a period of two to the 21
// cycles cannot fill.
.usual(&[usually("TAG_W", 31), usually("CNT_W", 21)]);
