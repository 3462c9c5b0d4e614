//! `managed_llc`: TAP's management of a cache that a GPU and CPUs share, as one piece of hardware.
//!
//! Source: TAP, sections 3 and 5.3, tables 2 and 4. The lines are in a
//! [`managed_directory`](crate::mgmt::ManagedDirectory), under the policy of a register: LRU, quotas, or
//! RRIP. As a period ends, [`xsratio`](crate::mgmt::Xsratio) divides the accesses of the applications,
//! [`core_sampling`](crate::mgmt::CoreSampling) compares its two cores, [`tap`](crate::mgmt::Tap) makes
//! masks of both, and [`ucp`](crate::mgmt::Ucp) gives out the ways by what one
//! [`umon`](crate::mgmt::Umon) per application has counted. With `aware` the policies are TAP-UCP and
//! TAP-RRIP, without it UCP and DRRIP. Software may give quotas and masks itself. Two
//! [`counter_matrix`](crate::llc::CounterMatrix) count hits, misses and evictions by owner and evictor.
//!
//! Timing: one access per cycle, no stall. An access at cycle t is reported at t + 2, and belongs to the
//! period in which it is reported; one that is reported in the cycle of `period` belongs to the period
//! that begins, as do instructions that retire in that cycle, so that none is lost. With `period` at t
//! the ratio is there at t + CNT_W + 1 and the masks at t + CNT_W + 2, where UCP starts; it takes
//! 2 + APPLICATIONS * B * (B + 1) / 2 + 3 * B cycles at most, with B = WAYS - APPLICATIONS: for 32 ways
//! and 2 applications quotas are new 1045 cycles after the period's end, of 2^21. `busy` is high until
//! `decided` shows them, and the old ones hold. `read_count` at t + 1 is the counter addressed at t.
//! After reset all sets are cleared, one per cycle; `ready` is 0 for these SETS cycles.
//!
//! ASSUMPTION: the monitors' periods end as UCP starts, CNT_W + 2 cycles later than that of the other
//! counters: what a decision reads does not change under it, and no access is lost.
//! ASSUMPTION: a `period` before the last one's ratio is there drops that ratio; a later one leaves a
//! decision to go on until the next one starts.
//! ASSUMPTION: one core sampling for all applications of the GPU. `gpu` says in the cycle of an access
//! whether its core is of the GPU.
//! ASSUMPTION: a tile has every TILES-th set. All of them are behind the one port, since there is one
//! access per cycle at most (table 4).
//! ASSUMPTION: UCP-Masks given by software that would leave each application one way leave all unmasked;
//! quotas given by software hold as they are.
//! ASSUMPTION: without `aware` hits are not divided, and there are no masks but those given by software.
//! Sampled cores keep their policies.
//! ASSUMPTION: an invalidation is no access to monitors and counters.

use super::core_sampling::{MAX_CORES, MAX_TILES};
use super::{most_applications, CoreSampling, ManagedDirectory, Tap, Ucp, Umon, Xsratio};
use crate::llc::{kid_width, position_width, set_width, way_width, CounterMatrix};
use crate::table::line::{Line, Sets};
use crate::table::managed;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "TAP, sections 3 and 5.3, tables 2 and 4",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(LEADERS.is_power_of_two(), "LEADERS is a power of two"),
    require(SAMPLED.is_power_of_two(), "SAMPLED is a power of two"),
    require(TILES.is_power_of_two(), "TILES is a power of two"),
    // Monitors are cleared before the directory is; their counters are read by UCP alone.
    unused = (0..APPLICATIONS)
        .flat_map(|i| ["ready", "overflow", "sequence_number"].map(|it| format!("monitor[{i}].{it}")))
        .chain(["accesses.sequence_number".to_string()])
)]
mod managed_llc {
    /// Cache of `SETS` sets of `WAYS` ways that `APPLICATIONS` applications share, managed as in TAP.
    pub struct ManagedLlc<
        /// Number of ways.
        #[range(2..=32)] const WAYS: usize,
        /// Number of sets.
        #[range(4..=1 << 24)] const SETS: usize,
        /// Number of applications, at most 16.
        #[range(2..=most_applications(least(WAYS, SETS / 2)))] const APPLICATIONS: usize,
        /// Number of leader sets of each policy and application.
        #[range(1..=SETS / (2 * APPLICATIONS))] const LEADERS: usize,
        /// Number of sets that are monitored.
        #[range(2..=SETS)] const SAMPLED: usize,
        /// Number of GPU cores.
        #[range(2..=MAX_CORES)] const CORES: usize,
        /// Number of tiles of the cache.
        #[range(1..=least(MAX_TILES, SETS))] const TILES: usize,
        /// Bits of a tag.
        #[range(1..=64)] const TAG_W: usize,
        /// Bits of a re-reference prediction value.
        #[range(1..=8)] const RRPV_W: usize,
        /// Bits of a policy selector.
        #[range(2..=16)] const PSEL_W: usize,
        /// What the shift register of draws holds after a reset.
        #[range(1..=(1 << 31) - 1)] const SEED: usize,
        /// Bits of XSRATIO.
        #[range(2..=16)] const XS_W: usize,
        /// Bits of a counter of accesses.
        #[range(XS_W..=32)] const CNT_W: usize,
        /// The largest ratio that is none.
        #[range(1..=(1 << XS_W) - 2)] const T_XS: usize,
        /// Bits of a core's id.
        #[range(kid_width(CORES)..=8)] const ID_W: usize,
        /// Bits of the instructions that a core retires in a cycle.
        #[range(1..=8)] const RETIRED_W: usize,
        /// Bits of a counter of instructions.
        #[range(RETIRED_W..=32)] const INSTR_W: usize,
        /// 1: sampled cores rotate.
        #[range(0..=1)] const ROTATE: usize,
        const SET_W: usize = { set_width(SETS) },
        const WAY_W: usize = { way_width(WAYS) },
        const POS_W: usize = { position_width(WAYS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: pipelines, counters and masks 0, the ratio 1, quotas as equal as
        /// can be, selectors to the middle; then the sets are cleared.
        pub reset: In<Bit>,
        /// Access valid; active high. Ignored while `ready` is 0.
        pub access_valid: In<Bit>,
        /// The line of this tag is invalidated if it is there, instead of being accessed; active high.
        pub access_invalidate: In<Bit>,
        /// The set.
        pub access_set: In<Bits<SET_W>>,
        /// The tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// Number of the accessing application; below APPLICATIONS, also without an access.
        pub access_app: In<Bits<APP_W>>,
        /// Id of the accessing core; of an application that is not of the GPU it is not looked at.
        pub access_core: In<Bits<ID_W>>,
        /// Instructions that each core of the GPU retires in this cycle; RETIRED_W bits per core, core 0
        /// lowest.
        pub retired: In<[Bits<RETIRED_W>; CORES]>,
        /// A period ends, and the next one begins with this cycle; active high.
        pub period: In<Bit>,
        /// The policy: 0 LRU, 1 quotas, 2 or 3 RRIP.
        pub policy: In<Bits<2>>,
        /// Masks and XSRATIO count: TAP-UCP and TAP-RRIP; else UCP and DRRIP.
        pub aware: In<Bit>,
        /// One bit per application, application 0 lowest: it is of the GPU.
        pub gpu: In<Bits<APPLICATIONS>>,
        /// With `period`: the period that begins is sampled; active high. Low with barriers across
        /// cores.
        pub sample: In<Bit>,
        /// With `period`: the next two become the sampled cores; active high.
        pub choose: In<Bit>,
        /// Id of the new Core-POL1; below CORES.
        pub choose_pol1: In<Bits<ID_W>>,
        /// Id of the new Core-POL2; below CORES, another one.
        pub choose_pol2: In<Bits<ID_W>>,
        /// With `period`: streaming applications are detected (TAP-S); active high.
        pub detect: In<Bit>,
        /// With `period`: the fewest accesses of a streaming application; at least 1.
        pub stream_accesses: In<Bits<CNT_W>>,
        /// With `period`: the fewest misses in 256 accesses of a streaming application.
        pub stream_rate: In<Bits<8>>,
        /// `quota_given` holds instead of UCP's decision; active high.
        pub quota_override: In<Bit>,
        /// The ways of each application then, POS_W bits per application, application 0 lowest; to add
        /// up to WAYS.
        pub quota_given: In<[Bits<POS_W>; APPLICATIONS]>,
        /// `ucp_mask_given` and `rrip_mask_given` hold instead of TAP's masks; active high.
        pub mask_override: In<Bit>,
        /// Then one bit per application, application 0 lowest: it gets one way only.
        pub ucp_mask_given: In<Bits<APPLICATIONS>>,
        /// Then one bit per application, application 0 lowest: its RRIP-Mask.
        pub rrip_mask_given: In<Bits<APPLICATIONS>>,
        /// Which counters to read: 0 evictions, 1 hits and misses.
        pub read_matrix: In<Bit>,
        /// Row to read: the owner of evicted lines; of accesses 0 hits, 1 misses; others read 0.
        pub read_row: In<Bits<APP_W>>,
        /// Application to read: the evictor, or who hit or missed; others read 0.
        pub read_app: In<Bits<APP_W>>,
        /// Read the running counters instead of the last period's, as they are before that cycle's
        /// increment; active high.
        pub read_live: In<Bit>,
        /// Accesses are taken; active high, 0 after reset until the sets are cleared.
        pub ready: Out<Bit>,
        /// An access was done; active high, 0 after reset. The ports below tell of it, and are 0 else.
        pub done_valid: Out<Bit>,
        /// The accessing application; 0 after reset.
        pub done_app: Out<Bits<APP_W>>,
        /// It hit; 0 after reset.
        pub done_hit: Out<Bit>,
        /// It missed, and its line was filled, not passed by; 0 after reset.
        pub done_fill: Out<Bit>,
        /// The way that it hit or filled; 0 if it bypassed the cache and after reset.
        pub done_way: Out<Bits<WAY_W>>,
        /// It replaced a valid line; 0 after reset.
        pub done_evict: Out<Bit>,
        /// The application that owned the line hit or replaced; 0 if there was none and after reset.
        pub done_owner: Out<Bits<APP_W>>,
        /// The policy selectors, PSEL_W bits per application, application 0 lowest;
        /// 2^(PSEL_W - 1) after reset.
        pub psel: Out<[Bits<PSEL_W>; APPLICATIONS]>,
        /// A period has ended, and its quotas are not there yet; active high, 0 after reset.
        pub busy: Out<Bit>,
        /// Quotas of a period are new in this cycle; active high, 0 after reset.
        pub decided: Out<Bit>,
        /// The ways of each application as they hold, POS_W bits per application, application 0 lowest:
        /// those given, or at least 1 each, WAYS together; after reset WAYS / APPLICATIONS each, and one
        /// more for the lower ids as far as that leaves any. Follows `quota_override` in the same cycle.
        pub quota: Out<[Bits<POS_W>; APPLICATIONS]>,
        /// One bit per application, application 0 lowest: it gets one way only in a decision that starts
        /// now; never all of them. Follows `mask_override` and `aware` in the same cycle; of TAP none
        /// after reset.
        pub ucp_mask: Out<Bits<APPLICATIONS>>,
        /// One bit per application, application 0 lowest: its RRIP-Mask as it holds. Follows likewise; of
        /// TAP none after reset.
        pub rrip_mask: Out<Bits<APPLICATIONS>>,
        /// XSRATIO, the newest ratio: at least T_XS, or 1; 1 after reset.
        pub xsratio: Out<Bits<XS_W>>,
        /// Caching does not help the GPU, by core sampling; active high, 0 after reset.
        pub insensitive: Out<Bit>,
        /// One bit per application, application 0 lowest: it streamed in the last period; 0 after reset.
        pub streaming: Out<Bits<APPLICATIONS>>,
        /// The counter addressed one cycle before, as of the last period or, with `read_live`, as of that
        /// cycle; CNT_W bits, saturating; 0 after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per owner: a counter of evictions saturated in the last period; 0 after reset.
        pub overflow_evictions: Out<Bits<APPLICATIONS>>,
        /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period; 0 after reset.
        pub overflow_accesses: Out<Bits<2>>,
        /// Number of periods that have ended, modulo 256, so that a reader can detect an end between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// The lines.
        directory: ManagedDirectory<WAYS, SETS, APPLICATIONS, LEADERS, TAG_W, RRPV_W, PSEL_W, SEED>,
        /// What each application would hit by itself.
        monitor: [Umon<WAYS, SETS, SAMPLED, TAG_W, CNT_W>; APPLICATIONS],
        /// From a period's accesses and instructions to masks and quotas.
        gpu_ratio: Xsratio<APPLICATIONS, XS_W, CNT_W, T_XS>,
        sampler: CoreSampling<CORES, TILES, ID_W, RETIRED_W, INSTR_W, ROTATE>,
        masks: Tap<APPLICATIONS, XS_W, CNT_W>,
        shares: Ucp<WAYS, APPLICATIONS, CNT_W, XS_W>,
        /// Evictions by owner and evictor; hits and misses by application.
        evictions: CounterMatrix<APPLICATIONS, 1, CNT_W>,
        accesses: CounterMatrix<APPLICATIONS, 1, CNT_W, 2, APP_W>,
        /// Which counters the read registers hold.
        read_from: Reg<Bit>,
        /// The core of an access, at the tile that has its set.
        of_gpu: Local<Bit>,
        at_tile: Local<Bits<TILES>>,
        core_at: Local<[Bits<ID_W>; TILES]>,
        /// Masks, divisors and quotas as they hold.
        ucp_masked: Local<Bits<APPLICATIONS>>,
        rrip_masked: Local<Bits<APPLICATIONS>>,
        tap_divisor: Local<[Bits<XS_W>; APPLICATIONS]>,
        divisor: Local<[Bits<XS_W>; APPLICATIONS]>,
        held_quota: Local<[Bits<POS_W>; APPLICATIONS]>,
        /// The counter of each monitor that UCP has asked for.
        hits: Local<[Bits<CNT_W>; APPLICATIONS]>,
        /// One-hot: the owner of an evicted line.
        evicted: Local<Bits<APPLICATIONS>>,
        #[value(TILES - 1)]
        tile_mask: Constant<Bits<SET_W>>,
    }

    fn update(&mut self) {
        comment!("Who accesses: a core of the GPU is looked up at the tile that has the set.");
        self.of_gpu.next = false;
        for i in 0..APPLICATIONS {
            if self.access_app == i.to_bits::<APP_W>() {
                self.of_gpu.next = self.gpu[i];
            }
        }
        for t in 0..TILES {
            let here: Bit = (self.access_set & self.tile_mask) == t.to_bits::<SET_W>();
            self.at_tile[t].next = self.of_gpu & here;
            self.core_at[t].next = self.access_core;
        }
        self.sampler.next = CoreSampling {
            access_gpu: self.at_tile,
            access_core: self.core_at,
            ..self
        };

        comment!("Masks and quotas: those of TAP, none, or those that software gives.");
        self.ucp_masked.next = 0;
        self.rrip_masked.next = 0;
        if self.aware {
            self.ucp_masked.next = self.masks.ucp_mask;
            self.rrip_masked.next = self.masks.rrip_mask;
        }
        if self.mask_override {
            self.ucp_masked.next = self.ucp_mask_given;
            self.rrip_masked.next = self.rrip_mask_given;
            if self.ucp_mask_given.all() {
                self.ucp_masked.next = 0;
            }
        }
        self.held_quota.next = self.shares.quota;
        if self.quota_override {
            self.held_quota.next = self.quota_given;
        }

        comment!("The lines.");
        self.directory.next = ManagedDirectory {
            access_pol1: self.sampler.pol1.any(),
            access_pol2: self.sampler.pol2.any(),
            quota: self.held_quota,
            rrip_mask: self.rrip_masked,
            ..self
        };

        comment!("Accesses of a period, and their ratio.");
        self.gpu_ratio.next = Xsratio {
            access_valid: self.directory.done_valid,
            access_app: self.directory.done_app,
            period,
            gpu,
        };

        comment!("The masks that follow from it, and from what the sampled cores have retired.");
        let mut insensitive_ones: Bits<APPLICATIONS> = 0;
        if self.sampler.insensitive {
            insensitive_ones = self.gpu;
        }
        self.masks.next = Tap {
            access_valid: self.directory.done_valid,
            access_hit: self.directory.done_hit,
            access_app: self.directory.done_app,
            period,
            accesses: self.gpu_ratio.accesses,
            detect,
            stream_accesses,
            stream_rate,
            gpu,
            insensitive: insensitive_ones,
            xsratio: self.gpu_ratio.xsratio,
            xsratio_done: self.gpu_ratio.done,
        };

        comment!("What each application would hit, from one start of UCP to the next.");
        let taken: Bit = self.access_valid & !self.access_invalidate & self.directory.ready;
        for i in 0..APPLICATIONS {
            self.monitor[i].next = Umon {
                access_valid: taken & (self.access_app == i.to_bits::<APP_W>()),
                access_set,
                access_tag,
                snapshot: self.masks.start,
                read_position: self.shares.read_position,
                read_live: false,
            };
            self.hits[i].next = self.monitor[i].read_count;
        }

        comment!("The ways that each application gets for it.");
        self.tap_divisor.next = self.masks.ratio;
        for i in 0..APPLICATIONS {
            let mut by: Bits<XS_W> = 1;
            if self.aware {
                by = self.tap_divisor[i];
            }
            self.divisor[i].next = by;
        }
        self.shares.next = Ucp {
            start: self.masks.start,
            ucp_mask: self.ucp_masked,
            xsratio: self.divisor,
            read_count: self.hits,
        };

        comment!("Evictions by owner and evictor; hits and misses.");
        for i in 0..APPLICATIONS {
            self.evicted[i].next = self.directory.done_owner == i.to_bits::<APP_W>();
        }
        let mut outcome: Bits<2> = 2;
        if self.directory.done_hit {
            outcome = 1;
        }
        self.evictions.next = CounterMatrix {
            inc_valid: self.directory.done_evict,
            inc_kid: self.directory.done_app,
            inc: self.evicted,
            snapshot: self.period,
            read_victim: self.read_row,
            read_aggressor: self.read_app,
            read_live,
        };
        self.accesses.next = CounterMatrix {
            inc_valid: self.directory.done_valid,
            inc_kid: self.directory.done_app,
            inc: outcome,
            snapshot: self.period,
            read_victim: self.read_row,
            read_aggressor: self.read_app,
            read_live,
        };
        self.read_from.next = self.read_matrix;
        let mut count: Bits<CNT_W> = self.evictions.read_count;
        let mut overflow: Bit = self.evictions.read_overflow;
        if self.read_from {
            count = self.accesses.read_count;
            overflow = self.accesses.read_overflow;
        }

        comment!("What is told.");
        self.next = Self {
            ready: self.directory.ready,
            busy: self.gpu_ratio.busy | self.gpu_ratio.done | self.masks.start | self.shares.busy,
            decided: self.shares.done,
            quota: self.held_quota,
            ucp_mask: self.ucp_masked,
            rrip_mask: self.rrip_masked,
            read_count: count,
            read_overflow: overflow,
            overflow_evictions: self.evictions.overflow,
            overflow_accesses: self.accesses.overflow,
            sequence_number: self.evictions.sequence_number,
            ..self
        };
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b {
        a
    } else {
        b
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<ManagedLlc!(@any)>::DEFINITION,
    managed::ALIASES,
    Sets::Numbers(|| {
        let between = managed::set([5, 32, 3, 4, 8, 7], managed::with(1, managed::PAPER, 1));
        let mut sets = managed::sets();
        sets.insert(2, between);
        sets
    }),
)
.usual(managed::USUAL);
