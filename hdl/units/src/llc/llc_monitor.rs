//! `llc_monitor`: the monitor beside a cache, which counts demotions and evictions per victim and
//! aggressor.
//!
//! Source: GDC, sections II-A and III, figure 1 and table I: directory, GDC unit
//! and PLOB's monitors beside each bank of the L2, with one read port for
//! software.
//!
//! Timing: each bank accepts a request in every cycle, also back to back to the
//! same set. A request at cycle t is reported at t + 4 and is in the counters
//! at t + 4 + STAGES; with RAM_STAGES 1 both are one cycle later. `snapshot` and the read port are
//! not delayed: an access
//! belongs to the period in which it reaches the counters. `read_count` at t +
//! 2 is the counter addressed at t, and `read_overflow` says whether it saturated.
//!
//! With SCE 1 the share at eviction is counted, and with SAMPLED sets of each bank the exact shares
//! of each kernel's misses in these sets, in sixths of a miss; with MODE 1 in whole misses, each
//! charged to one kernel, for up to 16 kernels. An access to one of these is at the
//! counters WAYS x KERNELS + 2 cycles after its turn at the latest, for which up to eight of a bank
//! wait; its set's number decides alone, so the same sets of each bank are sampled. After reset sampling begins when the stacks
//! are cleared, WAYS x KERNELS x SAMPLED cycles later, each rounded up to a power of two.
//!
//! After reset, and after `flush`, a sweep clears one set of every bank per
//! cycle; `ready` is low meanwhile and requests are ignored. With reset low
//! from cycle 0 on, `ready` is high from cycle SETS on. A flush does not change
//! counters. A flush or a reset during a sweep restarts the sweep.
//!
//! ASSUMPTION: a requester (an SM) is translated to a KID by a table that
//! software writes; all further requesters share the entry `other`. After
//! reset, requester r has KID min(r, KERNELS - 1), as in the paper, where the
//! KID is the SM id, and `other` has KERNELS - 1.
//! ASSUMPTION: one unit per bank; the read port sums banks.
//! ASSUMPTION: a flush or an invalidation does not change the stacks of sampled sets, which tell what
//! would have missed without it.

use super::{
    flags_width, kid_width, matrix_width, most_sharers, position_width, requester_width, set_width,
    total_width, way_width, LlcBank, MAX_BANKS, MAX_KERNELS, MAX_LINES, MAX_REQUESTERS, MAX_SETS,
    MAX_WAYS,
};
use crate::table::line::{Line, Sets};
use crate::table::llc::{monitor, registered, sampling, MONITOR_ALIASES, MONITOR_USUAL};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III, figure 1, table I",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(BANKS.is_power_of_two(), "BANKS is a power of two"),
    require(BANKS * SETS * WAYS <= MAX_LINES, "BANKS * SETS * WAYS is at most 2^24"),
    require(SAMPLED != 1, "SAMPLED is 0 or at least 2"),
    require(
        SAMPLED == 0 || KERNELS >= 2 && KERNELS <= most_sharers(MODE),
        "KERNELS is 2 to 4 with sampled sets, 2 to 16 with MODE 1"
    ),
    require(SAMPLED > 0 || MODE == 0, "MODE is 0 without sampled sets"),
    require(SAMPLED == 0 || CNT_W >= 3, "CNT_W is at least 3 with sampled sets"),
    // The snapshot counters of all banks are equal.
    unused = (1..BANKS).map(|b| format!("bank[{b}].sequence_number"))
)]
mod llc_monitor {
    /// Monitor of `BANKS` banks of `SETS` sets of `WAYS` ways.
    pub struct LlcMonitor<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(2..=MAX_SETS)] const SETS: usize,
        #[range(1..=MAX_BANKS)] const BANKS: usize,
        #[range(1..=64)] const TAG_W: usize,
        #[range(position_width(WAYS)..=64 - clog2(BANKS))] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        #[range(1..=MAX_REQUESTERS)] const REQUESTERS: usize,
        /// 1: the share at eviction is counted.
        #[range(0..=1)] const SCE: usize = { 0 },
        /// Number of sets of each bank whose misses are attributed; 0 for none.
        #[range(0..=SETS)] const SAMPLED: usize = { 0 },
        /// What becomes of a miss in these sets: 0 it is divided in sixths, for up to four kernels; 1
        /// it is charged to one kernel as a whole.
        #[range(0..=1)] const MODE: usize = { 0 },
        /// 1: registers hold what the directory's RAMs have read, for RAMs that take long to read;
        /// requests are reported and counted one cycle later.
        #[range(0..=1)] const RAM_STAGES: usize = { 0 },
        const SET_W: usize = { set_width(SETS) },
        const WAY_W: usize = { way_width(WAYS) },
        const KID_W: usize = { kid_width(KERNELS) },
        const ENTRIES: usize = { REQUESTERS + 1 },
        const REQ_W: usize = { requester_width(REQUESTERS) },
        const TOTAL_W: usize = { total_width(CNT_W, BANKS) },
        const SAMPLERS: usize = { (SAMPLED > 0) as usize },
        const MATRIX_W: usize = { matrix_width(SAMPLED) },
        const FLAGS_W: usize = { flags_width(SCE, SAMPLED) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters and table to their reset values, then
        /// the initialisation sweep.
        pub reset: In<Bit>,
        /// One bit per bank: access `access_tag` in `request_set`.
        pub access_valid: In<Bits<BANKS>>,
        /// One bit per bank: invalidate `invalidate_way` of `request_set`; has priority over
        /// an access.
        pub invalidate_valid: In<Bits<BANKS>>,
        /// The set, SET_W bits per bank, bank 0 lowest.
        pub request_set: In<[Bits<SET_W>; BANKS]>,
        /// The tag to look up, TAG_W bits per bank.
        pub access_tag: In<[Bits<TAG_W>; BANKS]>,
        /// The requester, REQ_W bits per bank; codes from REQUESTERS on are `other`.
        pub access_requester: In<[Bits<REQ_W>; BANKS]>,
        /// The way to invalidate, already invalid or not, WAY_W bits per bank; below
        /// WAYS.
        pub invalidate_way: In<[Bits<WAY_W>; BANKS]>,
        /// Invalidate all lines of all banks by a sweep; active high. Requests in the same cycle
        /// are ignored.
        pub flush: In<Bit>,
        /// Ends the period of all counters of all banks; active high.
        pub snapshot: In<Bit>,
        /// Give requester `map_requester` the KID `map_kid`; active high.
        pub map_valid: In<Bit>,
        /// The requester; REQUESTERS and above are `other`.
        pub map_requester: In<Bits<REQ_W>>,
        /// Its KID from the next cycle on; below KERNELS.
        pub map_kid: In<Bits<KID_W>>,
        /// Which counters to read: 0 GDC, 1 ike, 2 accesses, 3 share at eviction; of the sampled
        /// sets 4 shares, accesses 5 taken, 6 dropped, 7 to lines of others. What is not there
        /// reads 0.
        pub read_matrix: In<Bits<MATRIX_W>>,
        /// Row to read: the victim, or 0 for hits and 1 for misses; others read 0. Accesses to
        /// sampled sets have no rows and kernels.
        pub read_victim: In<Bits<KID_W>>,
        /// Kernel to read: the aggressor, or who hit or missed; below KERNELS,
        /// others read 0.
        pub read_aggressor: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's, as they are
        /// before that cycle's increment; active high.
        pub read_live: In<Bit>,
        /// Requests are accepted; 0 after reset, while the sweep clears the sets.
        pub ready: Out<Bit>,
        /// One bit per bank: an access was done; 0 after reset.
        pub done_valid: Out<Bits<BANKS>>,
        /// One bit per bank: the access hit.
        pub done_hit: Out<Bits<BANKS>>,
        /// The way hit or filled, WAY_W bits per bank; 0 without an access.
        pub done_way: Out<[Bits<WAY_W>; BANKS]>,
        /// One bit per bank: the access replaced a valid line.
        pub done_evict: Out<Bits<BANKS>>,
        /// KID of the kernel that owned the line hit or replaced, KID_W bits per bank;
        /// 0 if there was none.
        pub done_owner: Out<[Bits<KID_W>; BANKS]>,
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
        /// A counter of hits (bit 0), misses (bit 1), share at eviction (bit 2), shares (bit 3) or
        /// accesses to sampled sets (bit 4) saturated in the last period.
        pub overflow_access: Out<Bits<FLAGS_W>>,
        /// Number of snapshots, modulo 256, so that a reader can detect a snapshot between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// KID that `map_requester` has in this cycle; not registered.
        pub mapped_kid: Out<Bits<KID_W>>,
        bank: [LlcBank<WAYS, KERNELS, SETS, TAG_W, CNT_W, STAGES, SCE, SAMPLED, MODE, RAM_STAGES>;
            BANKS],
        /// The sweep is active, at this set.
        #[reset(true)]
        sweeping: Reg<Bit>,
        sweep_set: Reg<Bits<SET_W>>,
        /// KID of each requester; the last entry is `other`.
        #[reset(|r| if r < REQUESTERS { r.min(KERNELS - 1) } else { KERNELS - 1 })]
        kid_of: [Reg<Bits<KID_W>>; ENTRIES],
        /// Which counters the banks' read registers hold.
        read_matrix_register: Reg<Bits<MATRIX_W>>,
        /// Their sum, and whether one of them has saturated.
        read_sum: Reg<Bits<TOTAL_W>>,
        read_overflow_register: Reg<Bit>,
        takes: Local<Bit>,
        sweeps: Local<Bit>,
    }

    fn update(&mut self) {
        comment!("The sweep over the sets.");
        self.ready.next = !self.sweeping;
        self.takes.next = !self.sweeping & !self.flush;
        self.sweeps.next = self.sweeping & !self.flush;
        if self.flush {
            self.sweeping.next = true;
            self.sweep_set.next = 0;
        } else if self.sweeping {
            self.sweep_set.next = self.sweep_set + 1;
            if self.sweep_set.all() {
                self.sweeping.next = false;
            }
        }

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

        comment!("One request per bank.");
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
            self.bank[b].request_clear.next = self.sweeps;
            self.bank[b].request_invalidate.next = self.takes & self.invalidate_valid[b];
            self.bank[b].request_access.next =
                self.takes & self.access_valid[b] & !self.invalidate_valid[b];
            self.bank[b].request_set.next = self.request_set[b];
            self.bank[b].request_tag.next = self.access_tag[b];
            if self.sweeps {
                self.bank[b].request_set.next = self.sweep_set;
                self.bank[b].request_tag.next = 0;
            }
            self.bank[b].request_kid.next = kid;
            self.bank[b].request_way.next = self.invalidate_way[b];
        }

        comment!("Results of the requests.");
        for b in 0..BANKS {
            self.done_valid[b].next = self.bank[b].done_valid;
            self.done_hit[b].next = self.bank[b].done_hit;
            self.done_way[b].next = self.bank[b].done_way;
            self.done_evict[b].next = self.bank[b].done_evict;
            self.done_owner[b].next = self.bank[b].done_owner;
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
            for n in 0..SAMPLERS {
                self.bank[b].read_sampled[n].next = self.read_matrix.cast::<2>();
            }
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
    &<LlcMonitor!(@any)>::DEFINITION,
    MONITOR_ALIASES,
    Sets::Numbers(sets),
)
.usual(MONITOR_USUAL);

fn sets() -> Vec<Vec<usize>> {
    let sets = [
        [16, 4, 64, 4, 1],
        [4, 4, 64, 1, 1],
        [8, 4, 64, 1, 1],
        [16, 4, 256, 1, 1],
        [16, 8, 64, 2, 1],
        [2, 2, 16, 1, 1],
        [16, 4, 16, 1, 1],
        [16, 4, 64, 1, 1],
        [16, 4, 64, 1, 2],
        [16, 4, 16, 1, 2],
    ];
    let with = [
        ([2, 2, 16, 1, 1], [1, 4]),
        ([4, 4, 64, 1, 1], [1, 0]),
        ([4, 3, 64, 2, 2], [0, 8]),
    ];
    let with = with.map(|(shape, [sce, sampled])| sampling(shape, [sce, sampled, 0]));
    let whole = sampling([4, 6, 16, 1, 1], [0, 4, 1]);
    let registers = [[2, 2, 16, 1, 1], [16, 4, 64, 1, 2]].map(registered);
    let sets = sets.map(monitor).into_iter().chain(with);
    sets.chain([whole]).chain(registers).collect()
}
