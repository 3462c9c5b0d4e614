//! `llc_bank`: tags, replacement bits and counters beside one bank of a cache.
//!
//! Source: GDC, section III and figure 1: the GDC unit beside an L2 bank, fed
//! with the lines that each access demotes and their owners; PLOB's monitors of
//! section II-A beside it. The unit has its own copy of tags and replacement
//! bits, so that it needs only the requests of the cache.
//!
//! Timing: a request at cycle t is done at t + 3 and reported at t + 4, see
//! [`llc_directory`](crate::llc::LlcDirectory); an access reaches the counters'
//! adders at t + 3 + STAGES and is in the counters one cycle later. With RAM_STAGES 1
//! all this is one cycle later. One request per cycle, no stall. `snapshot` and the read port are not delayed.
//!
//! With SCE 1 the share at eviction is counted as well, and with SAMPLED sets the exact shares of
//! each kernel's misses in these sets ([`attribution`](crate::llc::Attribution)). That is given the
//! accesses as they are requested, in front of the directory: it does not need to know whether they
//! hit.
//!
//! RAMs have no reset: after a reset and before the first request, all sets
//! must be cleared.

use super::{
    flags_width, kid_width, matrix_width, partial_width, position_width, set_width, share_width,
    sharers, stacks, way_width, AccessCounter, Attribution, Gdcu, LlcDirectory, LlcEvictions, Plob,
    MAX_KERNELS, MAX_WAYS,
};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III, figure 1",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    // Snapshots and sweeps are those of the GDC unit and of the directory; without a sampler there
    // is no share to read.
    unused = match SAMPLERS {
        0 => vec!["plob.sequence_number", "share"],
        _ => vec!["plob.sequence_number", "sampler[0].sequence_number", "sampler[0].ready"],
    }
)]
mod llc_bank {
    /// Monitor of a bank of `SETS` sets of `WAYS` ways.
    pub struct LlcBank<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(2..)] const SETS: usize,
        #[range(1..=64)] const TAG_W: usize,
        #[range(1..=64)] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        /// 1: the share at eviction is counted.
        #[range(0..=1)] const SCE: usize = { 0 },
        /// Number of sets whose misses are attributed; 0 for none.
        #[range(0..=SETS)] const SAMPLED: usize = { 0 },
        /// What becomes of a miss in these sets: 0 it is divided in sixths, 1 charged to one kernel.
        #[range(0..=1)] const MODE: usize = { 0 },
        /// 1: registers hold what the directory's RAMs have read.
        #[range(0..=1)] const RAM_STAGES: usize = { 0 },
        const SET_W: usize = { set_width(SETS) },
        const WAY_W: usize = { way_width(WAYS) },
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const SAMPLERS: usize = { (SAMPLED > 0) as usize },
        const MATRIX_W: usize = { matrix_width(SAMPLED) },
        const FLAGS_W: usize = { flags_width(SCE, SAMPLED) },
        const STACKS: usize = { stacks(SAMPLED) },
        const SHARERS: usize = { sharers(KERNELS, MODE) },
        const SHARER_W: usize = { kid_width(SHARERS) },
        const SHARE_W: usize = { share_width(CNT_W) },
        const PARTIAL_W: usize = { partial_width(TAG_W) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: pipeline and counters to zero; not the RAMs.
        pub reset: In<Bit>,
        /// Access `request_tag` in `request_set`; active high. At most one of the three
        /// requests per cycle.
        pub request_access: In<Bit>,
        /// Invalidate `request_way` of `request_set`; active high.
        pub request_invalidate: In<Bit>,
        /// Invalidate all ways of `request_set` and put them in order, with
        /// `request_tag` as the tag of all; active high.
        pub request_clear: In<Bit>,
        /// The set.
        pub request_set: In<Bits<SET_W>>,
        /// The tag to look up, or to clear with.
        pub request_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel; below KERNELS.
        pub request_kid: In<Bits<KID_W>>,
        /// The way to invalidate; below WAYS.
        pub request_way: In<Bits<WAY_W>>,
        /// Ends the period of all counters; active high.
        pub snapshot: In<Bit>,
        /// Row of the counter to read: the victim, or 0 for hits and 1 for misses.
        pub read_row: In<Bits<KID_W>>,
        /// Kernel of the counter to read: the aggressor, or the kernel that hit or missed.
        pub read_kid: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's, as they are
        /// before that cycle's increment; active high.
        pub read_live: In<Bit>,
        /// Which counters were addressed one cycle before: 0 GDC, 1 ike, 2 accesses, 3 share at
        /// eviction; of the sampled sets 4 shares, accesses 5 taken, 6 dropped, 7 to lines of
        /// others.
        pub read_from: In<Bits<MATRIX_W>>,
        /// Which of the sampled sets' counters are addressed, 4 less.
        pub read_sampled: [In<Bits<2>>; SAMPLERS],
        /// An access was done; 0 after reset.
        pub done_valid: Out<Bit>,
        /// The access hit; 0 without an access.
        pub done_hit: Out<Bit>,
        /// The way hit or filled; 0 without an access.
        pub done_way: Out<Bits<WAY_W>>,
        /// The access replaced a valid line.
        pub done_evict: Out<Bit>,
        /// KID of the previous owner of the line hit or replaced; 0 if there was none.
        pub done_owner: Out<Bits<KID_W>>,
        /// The counter addressed one cycle before, as of the last snapshot or, with
        /// `read_live`, as of that cycle; 0 after reset, and for what is not there.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset, and for what is not there.
        pub read_overflow: Out<Bit>,
        /// One bit per victim: a demotion counter saturated in the last period.
        pub overflow_gdc: Out<Bits<KERNELS>>,
        /// One bit per victim: an eviction counter saturated in the last period.
        pub overflow_ike: Out<Bits<KERNELS>>,
        /// A counter of hits (bit 0), misses (bit 1), share at eviction (bit 2), shares (bit 3) or
        /// accesses to sampled sets (bit 4) saturated in the last period.
        pub overflow_access: Out<Bits<FLAGS_W>>,
        /// Snapshots taken, modulo 256; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        directory: LlcDirectory<WAYS, KERNELS, SETS, TAG_W, SCE, RAM_STAGES>,
        gdcu: Gdcu<WAYS, KERNELS, CNT_W, STAGES>,
        plob: Plob<KERNELS, CNT_W, STAGES>,
        accesses: AccessCounter<KERNELS, CNT_W, STAGES>,
        sce: [LlcEvictions<WAYS, KERNELS, CNT_W, STAGES>; SCE],
        /// A place is looked at per cycle. Eight accesses may wait, so that hardly any is dropped
        /// (docs/attribution.md).
        sampler: [Attribution<WAYS, SHARERS, SETS, STACKS, TAG_W, PARTIAL_W, 1, SHARE_W, 8, MODE>;
            SAMPLERS],
        #[value(WAYS)]
        miss: Constant<Bits<POS_W>>,
    }

    fn update(&mut self) {
        comment!("The request.");
        self.directory.next = LlcDirectory {
            request_access,
            request_invalidate,
            request_clear,
            request_set,
            request_tag,
            request_kid,
            request_way,
        };
        self.done_valid.next = self.directory.done_valid;
        self.done_hit.next = self.directory.done_hit;
        self.done_way.next = self.directory.done_way;
        self.done_evict.next = self.directory.done_evict;
        self.done_owner.next = self.directory.done_owner;

        comment!("Counting: demotions, evictions, hits and misses.");
        self.gdcu.next = Gdcu {
            access_valid: self.directory.access_valid,
            // The directory identifies the lines that move by way, not by position: for the GDC
            // unit the access is a miss in a set that consists of these lines.
            access_pos: self.miss,
            access_kid: self.directory.access_kid,
            stack_owner: self.directory.line_owner,
            stack_valid: self.directory.demoted,
            snapshot,
            read_victim: self.read_row,
            read_aggressor: self.read_kid,
            read_live,
        };
        self.plob.next = Plob {
            access_valid: self.directory.access_valid,
            access_hit: self.directory.access_hit,
            victim_valid: self.directory.victim_valid,
            victim_owner: self.directory.victim_owner,
            access_kid: self.directory.access_kid,
            snapshot,
            read_victim: self.read_row,
            read_aggressor: self.read_kid,
            read_live,
        };
        self.accesses.next = AccessCounter {
            access_valid: self.directory.access_valid,
            access_hit: self.directory.access_hit,
            access_kid: self.directory.access_kid,
            snapshot,
            read_row,
            read_kid,
            read_live,
        };
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

        comment!("Share at eviction.");
        for n in 0..SCE {
            self.sce[n].access_valid.next = self.directory.access_valid;
            self.sce[n].access_hit.next = self.directory.access_hit;
            self.sce[n].access_kid.next = self.directory.access_kid;
            self.sce[n].line_owner.next = self.directory.line_owner;
            self.sce[n].victim_way.next = self.directory.victim_way[n].val();
            self.sce[n].victim_valid.next = self.directory.victim_valid;
            self.sce[n].victim_owner.next = self.directory.victim_owner;
            self.sce[n].snapshot.next = self.snapshot;
            self.sce[n].read_victim.next = self.read_row;
            self.sce[n].read_aggressor.next = self.read_kid;
            self.sce[n].read_live.next = self.read_live;
            if self.read_from == 3 {
                self.read_count.next = self.sce[n].read_count;
                self.read_overflow.next = self.sce[n].read_overflow;
            }
            self.overflow_access[2].next = self.sce[n].overflow.any();
        }

        comment!("Sampled sets.");
        for n in 0..SAMPLERS {
            self.sampler[n].access_valid.next = self.request_access;
            self.sampler[n].access_set.next = self.request_set;
            self.sampler[n].access_tag.next = self.request_tag;
            self.sampler[n].access_kid.next = self.request_kid.cast::<SHARER_W>();
            self.sampler[n].snapshot.next = self.snapshot;
            self.sampler[n].read_from.next = self.read_sampled[n];
            self.sampler[n].read_victim.next = self.read_row.cast::<SHARER_W>();
            self.sampler[n].read_aggressor.next = self.read_kid.cast::<SHARER_W>();
            self.sampler[n].read_live.next = self.read_live;
            let share: Bits<SHARE_W> = self.sampler[n].read_count;
            if self.read_from[2] {
                self.read_count.next = share.cast::<CNT_W>();
                self.read_overflow.next = self.sampler[n].read_overflow;
            }
            self.overflow_access[3].next = self.sampler[n].overflow.any();
            self.overflow_access[4].next = self.sampler[n].overflow_events.any();
        }
        self.sequence_number.next = self.gdcu.sequence_number;
    }
}
