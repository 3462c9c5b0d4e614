//! `bank_counters`: the counters beside one bank of a cache.
//!
//! Source: GDC, section III and figure 1: the GDC unit beside an L2 bank; PLOB's monitors of section
//! II-A, and counters of hits and misses, beside it.
//!
//! Timing: as [`gdcu`](crate::llc::Gdcu): an access at cycle t reaches the counters' adders at t +
//! STAGES and is in the counters one cycle later; `snapshot` and the read port are not delayed.

use super::{
    flags_width, kid_width, matrix_width, position_width, AccessCounter, Gdcu, Plob, MAX_KERNELS,
    MAX_WAYS,
};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III, figure 1",
    // Snapshots are those of the GDC unit.
    unused = ["plob.sequence_number"]
)]
mod bank_counters {
    /// Counters of a bank of sets of `WAYS` ways.
    pub struct BankCounters<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(position_width(WAYS)..=64)] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const MATRIX_W: usize = { matrix_width(0) },
        const FLAGS_W: usize = { flags_width(0, 0) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters and pipeline to zero.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high.
        pub access_hit: In<Bit>,
        /// KID of the accessing kernel; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// The lines that it moves one step towards eviction, one bit per line.
        pub demoted: In<Bits<WAYS>>,
        /// KID of their owners, KID_W bits per line, in the order of `demoted`.
        pub line_owner: In<[Bits<KID_W>; WAYS]>,
        /// The access replaces a valid line; ignored on a hit.
        pub victim_valid: In<Bit>,
        /// KID of the owner of that line.
        pub victim_owner: In<Bits<KID_W>>,
        /// Ends the period of all counters; active high.
        pub snapshot: In<Bit>,
        /// Row of the counter to read: the victim, or 0 for hits and 1 for misses.
        pub read_row: In<Bits<KID_W>>,
        /// Kernel of the counter to read: the aggressor, or the kernel that hit or missed.
        pub read_kid: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's; active high.
        pub read_live: In<Bit>,
        /// Which counters were addressed one cycle before: 0 GDC, 1 ike, 2 accesses, 3 none.
        pub read_from: In<Bits<MATRIX_W>>,
        /// The counter addressed one cycle before, as of the last snapshot or, with
        /// `read_live`, as of that cycle; 0 after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per victim: a demotion counter saturated in the last period.
        pub overflow_gdc: Out<Bits<KERNELS>>,
        /// One bit per victim: an eviction counter saturated in the last period.
        pub overflow_ike: Out<Bits<KERNELS>>,
        /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period.
        pub overflow_access: Out<Bits<FLAGS_W>>,
        /// Snapshots taken, modulo 256; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        gdcu: Gdcu<WAYS, KERNELS, CNT_W, STAGES>,
        plob: Plob<KERNELS, CNT_W, STAGES>,
        accesses: AccessCounter<KERNELS, CNT_W, STAGES>,
        #[value(WAYS)]
        miss: Constant<Bits<POS_W>>,
    }

    fn update(&mut self) {
        comment!("Demotions, evictions, hits and misses.");
        self.gdcu.next = Gdcu {
            access_valid,
            // The cache says which lines move, in any order: for the GDC unit the access is a miss
            // in a set that consists of these lines.
            access_pos: self.miss,
            access_kid,
            stack_owner: self.line_owner,
            stack_valid: self.demoted,
            snapshot,
            read_victim: self.read_row,
            read_aggressor: self.read_kid,
            read_live,
        };
        self.plob.next = Plob {
            read_victim: self.read_row,
            read_aggressor: self.read_kid,
            ..self
        };
        self.accesses.next = AccessCounter { ..self };

        comment!("What is read.");
        self.read_count.next = 0;
        self.read_overflow.next = false;
        if self.read_from == 0 {
            self.read_count.next = self.gdcu.read_count;
            self.read_overflow.next = self.gdcu.read_overflow;
        } else if self.read_from == 1 {
            self.read_count.next = self.plob.read_count;
            self.read_overflow.next = self.plob.read_overflow;
        } else if self.read_from == 2 {
            self.read_count.next = self.accesses.read_count;
            self.read_overflow.next = self.accesses.read_overflow;
        }
        self.overflow_gdc.next = self.gdcu.overflow;
        self.overflow_ike.next = self.plob.overflow;
        self.overflow_access.next = self.accesses.overflow.cast::<FLAGS_W>();
        self.sequence_number.next = self.gdcu.sequence_number;
    }
}
