//! `llc_counters`: counts demotions and evictions in a cache that keeps its own replacement bits.
//!
//! Source: GDC, sections II-A and III, figure 1 and table I: GDC unit and PLOB's monitors beside each
//! bank of the L2, with one read port for software. Beside a cache that gives away only its requests stands
//! [`llc_monitor`](crate::llc::LlcMonitor), which has tags and replacement bits of its own.
//!
//! The cache presents each access with what it finds in the set: the lines that the access moves one
//! step towards eviction, their owners, and the line that is replaced. Under LRU the lines that move
//! are those more recently used than the line hit, or all on a miss; [`demotion`](crate::llc::Demotion)
//! computes them from a position. It stores `access_kid` with the line that is hit or
//! filled: a line's owner is the kernel of the last access to it.
//!
//! Timing: an access at cycle t is in the counters at t + 1 + STAGES. `snapshot` and the read port are
//! not delayed: an access belongs to the period in which it reaches the counters. `read_count` at t + 2
//! is the counter addressed at t, and `read_overflow` says whether it saturated.
//!
//! ASSUMPTION: a requester (an SM) is translated to a KID by a table that software writes; all
//! further requesters share the entry `other`. After reset, requester r has KID min(r, KERNELS - 1),
//! and `other` has KERNELS - 1.
//! ASSUMPTION: one unit per bank; the read port sums banks.

use super::{
    flags_width, kid_width, matrix_width, position_width, requester_width, total_width,
    BankCounters, MAX_BANKS, MAX_KERNELS, MAX_REQUESTERS, MAX_WAYS,
};
use crate::table::line::{Line, Sets};
use crate::table::llc::{counters, BANK_ALIASES, BANK_USUAL};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III, figure 1, table I",
    require(BANKS.is_power_of_two(), "BANKS is a power of two"),
    // The snapshot counters of all banks are equal.
    unused = (1..BANKS).map(|b| format!("bank[{b}].sequence_number"))
)]
mod llc_counters {
    /// Counters of `BANKS` banks of sets of `WAYS` ways.
    pub struct LlcCounters<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=MAX_BANKS)] const BANKS: usize,
        #[range(position_width(WAYS)..=64 - clog2(BANKS))] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        #[range(1..=MAX_REQUESTERS)] const REQUESTERS: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const LINES: usize = { WAYS * BANKS },
        const ENTRIES: usize = { REQUESTERS + 1 },
        const REQ_W: usize = { requester_width(REQUESTERS) },
        const TOTAL_W: usize = { total_width(CNT_W, BANKS) },
        const MATRIX_W: usize = { matrix_width(0) },
        const FLAGS_W: usize = { flags_width(0, 0) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters and table to their reset values.
        pub reset: In<Bit>,
        /// One bit per bank: there is an access, presented once, in the cycle in which the cache
        /// looks at its set.
        pub access_valid: In<Bits<BANKS>>,
        /// One bit per bank: the access hits.
        pub access_hit: In<Bits<BANKS>>,
        /// The requester, REQ_W bits per bank; codes from REQUESTERS on are `other`.
        pub access_requester: In<[Bits<REQ_W>; BANKS]>,
        /// The lines that the access moves one step towards eviction: one bit per line of the set,
        /// in any order, bank 0 lowest.
        pub demoted: In<Bits<LINES>>,
        /// KID of the owner of each line, KID_W bits per line, in the order of `demoted`; below
        /// KERNELS where that has a bit.
        pub line_owner: In<[Bits<KID_W>; LINES]>,
        /// One bit per bank: the access replaces a valid line; ignored on a hit.
        pub victim_valid: In<Bits<BANKS>>,
        /// KID of the owner of the line that is replaced, KID_W bits per bank; below KERNELS if it
        /// is valid.
        pub victim_owner: In<[Bits<KID_W>; BANKS]>,
        /// Ends the period of all counters of all banks; active high.
        pub snapshot: In<Bit>,
        /// Give requester `map_requester` the KID `map_kid`; active high.
        pub map_valid: In<Bit>,
        /// The requester; REQUESTERS and above are `other`.
        pub map_requester: In<Bits<REQ_W>>,
        /// Its KID from the next cycle on; below KERNELS.
        pub map_kid: In<Bits<KID_W>>,
        /// Which counters to read: 0 GDC, 1 ike, 2 accesses; 3 reads 0.
        pub read_matrix: In<Bits<MATRIX_W>>,
        /// Row to read: the victim, or 0 for hits and 1 for misses; others read 0.
        pub read_victim: In<Bits<KID_W>>,
        /// Kernel to read: the aggressor, or who hit or missed; below KERNELS, others read 0.
        pub read_aggressor: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's, as they are
        /// before that cycle's increment; active high.
        pub read_live: In<Bit>,
        /// KID of `access_requester` in this cycle, KID_W bits per bank, to be stored with the line
        /// that is hit or filled; not registered.
        pub access_kid: Out<[Bits<KID_W>; BANKS]>,
        /// The counter addressed two cycles before, summed over the banks, as of the
        /// last snapshot or, with `read_live`, as of that cycle; 0 after reset.
        pub read_count: Out<Bits<TOTAL_W>>,
        /// In at least one bank that counter has saturated in its period, so that there
        /// were more events than `read_count`; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per victim: a demotion counter saturated in the last period.
        pub overflow_gdc: Out<Bits<KERNELS>>,
        /// One bit per victim: an eviction counter saturated in the last period.
        pub overflow_ike: Out<Bits<KERNELS>>,
        /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period.
        pub overflow_access: Out<Bits<FLAGS_W>>,
        /// Number of snapshots, modulo 256, so that a reader can detect a snapshot between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// KID that `map_requester` has in this cycle; not registered.
        pub mapped_kid: Out<Bits<KID_W>>,
        bank: [BankCounters<WAYS, KERNELS, CNT_W, STAGES>; BANKS],
        /// KID of each requester; the last entry is `other`.
        #[reset(|r| if r < REQUESTERS { r.min(KERNELS - 1) } else { KERNELS - 1 })]
        kid_of: [Reg<Bits<KID_W>>; ENTRIES],
        /// Which counters the banks' read registers hold.
        read_matrix_register: Reg<Bits<MATRIX_W>>,
        /// Their sum, and whether one of them has saturated.
        read_sum: Reg<Bits<TOTAL_W>>,
        read_overflow_register: Reg<Bit>,
        /// What a bank's access finds in its set.
        moves: [Local<Bits<WAYS>>; BANKS],
        owner: [Local<[Bits<KID_W>; WAYS]>; BANKS],
    }

    fn update(&mut self) {
        comment!("The table of requesters; its last entry is for all others.");
        let mut mapped: Bit = false;
        self.mapped_kid.next = 0;
        for other in REQUESTERS..ENTRIES {
            self.mapped_kid.next = self.kid_of[other];
        }
        for r in 0..REQUESTERS {
            self.kid_of[r].next = self.kid_of[r];
            if self.map_requester == r.to_bits::<REQ_W>() {
                mapped = true;
                self.mapped_kid.next = self.kid_of[r];
                if self.map_valid {
                    self.kid_of[r].next = self.map_kid;
                }
            }
        }
        for other in REQUESTERS..ENTRIES {
            self.kid_of[other].next = self.kid_of[other];
            if self.map_valid & !mapped {
                self.kid_of[other].next = self.map_kid;
            }
        }

        comment!("One access per bank, by the kernel that its requester runs.");
        for b in 0..BANKS {
            let requester: Bits<REQ_W> = self.access_requester[b];
            let mut kid: Bits<KID_W> = 0;
            for other in REQUESTERS..ENTRIES {
                kid = self.kid_of[other];
            }
            for r in 0..REQUESTERS {
                if requester == r.to_bits::<REQ_W>() {
                    kid = self.kid_of[r];
                }
            }
            self.access_kid[b].next = kid;
            for w in 0..WAYS {
                self.moves[b][w].next = self.demoted[b * WAYS + w];
                self.owner[b][w].next = self.line_owner[b * WAYS + w];
            }
            self.bank[b].access_valid.next = self.access_valid[b];
            self.bank[b].access_hit.next = self.access_hit[b];
            self.bank[b].access_kid.next = kid;
            self.bank[b].demoted.next = self.moves[b];
            self.bank[b].line_owner.next = self.owner[b];
            self.bank[b].victim_valid.next = self.victim_valid[b];
            self.bank[b].victim_owner.next = self.victim_owner[b];
        }

        comment!("The counters of all banks, read as one.");
        self.read_matrix_register.next = self.read_matrix;
        let mut total: Bits<TOTAL_W> = 0;
        let mut saturated: Bit = false;
        self.overflow_gdc.next = 0;
        self.overflow_ike.next = 0;
        self.overflow_access.next = 0;
        for b in 0..BANKS {
            self.bank[b].snapshot.next = self.snapshot;
            self.bank[b].read_row.next = self.read_victim;
            self.bank[b].read_kid.next = self.read_aggressor;
            self.bank[b].read_live.next = self.read_live;
            self.bank[b].read_from.next = self.read_matrix_register;
            let count: Bits<CNT_W> = self.bank[b].read_count;
            total = total + count.cast::<TOTAL_W>();
            saturated = saturated | self.bank[b].read_overflow;
            self.overflow_gdc.next = self.overflow_gdc | self.bank[b].overflow_gdc;
            self.overflow_ike.next = self.overflow_ike | self.bank[b].overflow_ike;
            self.overflow_access.next = self.overflow_access | self.bank[b].overflow_access;
        }
        self.sequence_number.next = self.bank[0].sequence_number;
        self.read_sum.next = total;
        self.read_count.next = self.read_sum;
        self.read_overflow_register.next = saturated;
        self.read_overflow.next = self.read_overflow_register;
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<LlcCounters!(@any)>::DEFINITION,
    BANK_ALIASES,
    Sets::Numbers(sets),
)
.usual(BANK_USUAL);

fn sets() -> Vec<Vec<usize>> {
    let usual = [
        [16, 4, 4, 1],
        [4, 4, 1, 1],
        [2, 2, 1, 1],
        [16, 8, 2, 1],
        [16, 4, 1, 0],
        [16, 4, 1, 2],
        [3, 3, 2, 0],
        [5, 3, 1, 2],
    ];
    let narrow = vec![6, 3, 2, 8, 1, 5];
    usual.map(counters).into_iter().chain([narrow]).collect()
}
