//! `llc_evictions`: share at eviction beside a cache directory, which knows its lines by way.
//!
//! Source: docs/attribution.md, as [`sce`](crate::llc::Sce). That needs the line at LRU in the last
//! place; the order of the lines above it does not matter. So the line in the last way changes
//! places with the one at LRU.
//!
//! Timing: as [`sce`](crate::llc::Sce).

use super::{kid_width, position_width, Sce, MAX_KERNELS, MAX_WAYS};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "share at eviction, with the parts of GDC's figure 2",
    unused = ["sce.sequence_number"]
)]
mod llc_evictions {
    /// Share at eviction for `WAYS` ways and `KERNELS` kernels.
    pub struct LlcEvictions<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(position_width(WAYS)..=64)] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        const KID_W: usize = { kid_width(KERNELS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters and pipeline to zero.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high. Otherwise it replaces the line at LRU.
        pub access_hit: In<Bit>,
        /// KID of the accessing kernel; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// KID of the owners of the set's lines, KID_W bits per way, way 0 lowest.
        pub line_owner: In<[Bits<KID_W>; WAYS]>,
        /// One bit per way: it is the one at LRU.
        pub victim_way: In<Bits<WAYS>>,
        /// The line there is valid, and so are all others.
        pub victim_valid: In<Bit>,
        /// KID of its owner.
        pub victim_owner: In<Bits<KID_W>>,
        /// Ends the period; active high.
        pub snapshot: In<Bit>,
        /// Victim of the counter to read; below KERNELS, others read 0.
        pub read_victim: In<Bits<KID_W>>,
        /// Aggressor of the counter to read; below KERNELS, others read 0.
        pub read_aggressor: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's; active high.
        pub read_live: In<Bit>,
        /// The counter addressed one cycle before, CNT_W bits, saturating; 0 after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per aggressor: a counter of its column saturated in the last period;
        /// 0 after reset.
        pub overflow: Out<Bits<KERNELS>>,
        sce: Sce<WAYS, KERNELS, CNT_W, STAGES>,
        /// Owner of the line in the last way; owners with that at LRU in the last place.
        last_owner: Local<Bits<KID_W>>,
        owner: [Local<Bits<KID_W>>; WAYS],
        stack_owner: Local<[Bits<KID_W>; WAYS]>,
        #[value(u64::MAX >> (64 - WAYS))]
        all_ways: Constant<Bits<WAYS>>,
    }

    fn update(&mut self) {
        comment!("The line at LRU goes to the last place, the one there to its.");
        self.last_owner.next = 0;
        for w in (WAYS - 1)..WAYS {
            self.last_owner.next = self.line_owner[w];
        }
        for w in 0..WAYS {
            self.owner[w].next = self.line_owner[w];
            if self.victim_way[w] {
                self.owner[w].next = self.last_owner;
            }
        }
        for w in (WAYS - 1)..WAYS {
            self.owner[w].next = self.victim_owner;
        }
        for w in 0..WAYS {
            self.stack_owner[w].next = self.owner[w];
        }

        comment!("Whose lines are above it, if it is valid: then all are.");
        let evicts: Bit = self.access_valid & !self.access_hit & self.victim_valid;
        self.sce.next = Sce {
            access_valid: evicts,
            access_hit: false,
            access_kid,
            stack_owner: self.stack_owner,
            stack_valid: self.all_ways,
            snapshot,
            read_victim,
            read_aggressor,
            read_live,
        };
        self.read_count.next = self.sce.read_count;
        self.read_overflow.next = self.sce.read_overflow;
        self.overflow.next = self.sce.overflow;
    }
}
