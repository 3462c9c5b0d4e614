//! `llc_bank`: tags, replacement bits and counters beside one bank of a cache.
//!
//! Source: GDC, section III and figure 1: the GDC unit beside an L2 bank, fed
//! with the lines that each access demotes and their owners; PLOB's monitors of
//! section II-A beside it. The unit keeps tags and replacement bits
//! of its own, so that all it needs of the cache is its requests.
//!
//! Timing: a request at cycle t is done at t + 3 and reported at t + 4, see
//! [`llc_directory`](crate::llc::LlcDirectory); an access reaches the counters'
//! adders at t + 3 + STAGES and is in the counters one cycle later. One request
//! a cycle, without stall. `snapshot` and the read port are not delayed.
//!
//! RAMs have no reset: after one, and before the first request, all sets are to
//! be cleared.

use super::{AccessCounter, Gdcu, LlcDirectory, Plob};
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Monitor of a bank of two to the `SET_W` sets of `WAYS` ways.
///
/// Derived: `LANE_STAGES` and `COUNT_STAGES` as in [`Gdcu`], `WAY_W` = max(1,
/// clog2 WAYS), `KID_W` = max(1, clog2 KERNELS), `POS_W` = clog2(WAYS + 1),
/// `ORDER_W` = WAYS x (WAYS - 1) / 2, `OWNERS_W` = WAYS x KID_W, `GROUPS` as in
/// [`Popcnt`](crate::llc::Popcnt), `INCS_W` = KERNELS x POS_W, `SUM_W` = CNT_W + 1, `WORD_W` = ORDER_W +
/// OWNERS_W + WAYS.
///
/// ```
/// let bank = <cotenant_units::llc_bank!(16, 4, 64, 36, 21, 1)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcBank<
    const WAYS: usize,
    const KERNELS: usize,
    const CNT_W: usize,
    const STAGES: usize,
    const LANE_STAGES: usize,
    const COUNT_STAGES: usize,
    const SET_W: usize,
    const TAG_W: usize,
    const WAY_W: usize,
    const KID_W: usize,
    const POS_W: usize,
    const ORDER_W: usize,
    const OWNERS_W: usize,
    const GROUPS: usize,
    const INCS_W: usize,
    const SUM_W: usize,
    const WORD_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: pipeline and counters to zero; not the RAMs.
    pub reset: Signal<In, Bit>,
    /// Access `request_tag` in `request_set`; active high. At most one of the three
    /// requests a cycle.
    pub request_access: Signal<In, Bit>,
    /// Invalidate `request_way` of `request_set`; active high.
    pub request_invalidate: Signal<In, Bit>,
    /// Invalidate all ways of `request_set` and put them in order, with
    /// `request_tag` as the tag of all; active high.
    pub request_clear: Signal<In, Bit>,
    /// The set.
    pub request_set: Signal<In, Bits<SET_W>>,
    /// The tag to look up, or to clear with.
    pub request_tag: Signal<In, Bits<TAG_W>>,
    /// KID of the accessing kernel; below KERNELS.
    pub request_kid: Signal<In, Bits<KID_W>>,
    /// The way to invalidate; below WAYS.
    pub request_way: Signal<In, Bits<WAY_W>>,
    /// Ends the period of all counters; active high.
    pub snapshot: Signal<In, Bit>,
    /// Row of the counter to read: the victim, or 0 for hits and 1 for misses.
    pub read_row: Signal<In, Bits<KID_W>>,
    /// Kernel of the counter to read: the aggressor, or who hit or missed.
    pub read_kid: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Which counters were addressed one cycle before: 0 GDC, 1 ike, 2 accesses.
    pub read_from: Signal<In, Bits<2>>,
    /// An access was done; 0 after reset.
    pub done_valid: Signal<Out, Bit>,
    /// It hit; 0 without an access.
    pub done_hit: Signal<Out, Bit>,
    /// The way hit or filled; 0 without an access.
    pub done_way: Signal<Out, Bits<WAY_W>>,
    /// It replaced a valid line.
    pub done_evict: Signal<Out, Bit>,
    /// KID of the kernel that owned the line hit or replaced; 0 if there was
    /// none.
    pub done_owner: Signal<Out, Bits<KID_W>>,
    /// The counter addressed one cycle before, as of the last snapshot or, with
    /// `read_live`, as of that cycle; 0 after reset, and for what is not there.
    pub read_count: Signal<Out, Bits<CNT_W>>,
    /// One bit a victim: a demotion counter saturated in the last period.
    pub overflow_gdc: Signal<Out, Bits<KERNELS>>,
    /// One bit a victim: an eviction counter saturated in the last period.
    pub overflow_ike: Signal<Out, Bits<KERNELS>>,
    /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period.
    pub overflow_access: Signal<Out, Bits<2>>,
    /// Snapshots taken, modulo 256; 0 after reset.
    pub sequence_number: Signal<Out, Bits<8>>,
    directory: LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, ORDER_W, OWNERS_W, WORD_W>,
    gdcu: Gdcu<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        0,
        KID_W,
        POS_W,
        INCS_W,
        OWNERS_W,
        GROUPS,
        SUM_W,
    >,
    plob: Plob<KERNELS, CNT_W, STAGES, KID_W, SUM_W>,
    accesses: AccessCounter<KERNELS, CNT_W, STAGES, KID_W, SUM_W>,
    miss: Constant<Bits<POS_W>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const LANE_STAGES: usize,
        const COUNT_STAGES: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const POS_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const GROUPS: usize,
        const INCS_W: usize,
        const SUM_W: usize,
        const WORD_W: usize,
    > Default
    for LlcBank<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        SET_W,
        TAG_W,
        WAY_W,
        KID_W,
        POS_W,
        ORDER_W,
        OWNERS_W,
        GROUPS,
        INCS_W,
        SUM_W,
        WORD_W,
    >
{
    fn default() -> Self {
        // The parts check the parameters.
        LlcBank {
            clock: Default::default(),
            reset: Default::default(),
            request_access: Default::default(),
            request_invalidate: Default::default(),
            request_clear: Default::default(),
            request_set: Default::default(),
            request_tag: Default::default(),
            request_kid: Default::default(),
            request_way: Default::default(),
            snapshot: Default::default(),
            read_row: Default::default(),
            read_kid: Default::default(),
            read_live: Default::default(),
            read_from: Default::default(),
            done_valid: Default::default(),
            done_hit: Default::default(),
            done_way: Default::default(),
            done_evict: Default::default(),
            done_owner: Default::default(),
            read_count: Default::default(),
            overflow_gdc: Default::default(),
            overflow_ike: Default::default(),
            overflow_access: Default::default(),
            sequence_number: Default::default(),
            directory: Default::default(),
            gdcu: Default::default(),
            plob: Default::default(),
            accesses: Default::default(),
            miss: Constant::new(WAYS.to_bits()),
            about: About::new("llc_bank")
                .parameter("WAYS", WAYS)
                .parameter("KERNELS", KERNELS)
                .parameter("SETS", 1 << SET_W)
                .parameter("TAG_W", TAG_W)
                .parameter("CNT_W", CNT_W)
                .parameter("STAGES", STAGES)
                .citing("GDC, sections II-A and III, figure 1")
                .documented_in(include_str!("llc_bank.rs"))
                .unused("plob.sequence_number"),
        }
    }
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const LANE_STAGES: usize,
        const COUNT_STAGES: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const POS_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const GROUPS: usize,
        const INCS_W: usize,
        const SUM_W: usize,
        const WORD_W: usize,
    > Logic
    for LlcBank<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        SET_W,
        TAG_W,
        WAY_W,
        KID_W,
        POS_W,
        ORDER_W,
        OWNERS_W,
        GROUPS,
        INCS_W,
        SUM_W,
        WORD_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The request.");
        self.directory.clock.next = self.clock.val();
        self.directory.reset.next = self.reset.val();
        self.directory.request_access.next = self.request_access.val();
        self.directory.request_invalidate.next = self.request_invalidate.val();
        self.directory.request_clear.next = self.request_clear.val();
        self.directory.request_set.next = self.request_set.val();
        self.directory.request_tag.next = self.request_tag.val();
        self.directory.request_kid.next = self.request_kid.val();
        self.directory.request_way.next = self.request_way.val();
        self.done_valid.next = self.directory.done_valid.val();
        self.done_hit.next = self.directory.done_hit.val();
        self.done_way.next = self.directory.done_way.val();
        self.done_evict.next = self.directory.done_evict.val();
        self.done_owner.next = self.directory.done_owner.val();

        comment!("Counting: demotions, evictions, hits and misses.");
        self.gdcu.clock.next = self.clock.val();
        self.gdcu.reset.next = self.reset.val();
        self.gdcu.access_valid.next = self.directory.access_valid.val();
        // The directory knows by way, not by position, which lines move: to the unit the access
        // is a miss in a set of these lines.
        self.gdcu.access_pos.next = self.miss.val();
        self.gdcu.access_kid.next = self.directory.access_kid.val();
        self.gdcu.stack_owner.next = self.directory.line_owner.val();
        self.gdcu.stack_valid.next = self.directory.demoted.val();
        self.gdcu.snapshot.next = self.snapshot.val();
        self.gdcu.read_victim.next = self.read_row.val();
        self.gdcu.read_aggressor.next = self.read_kid.val();
        self.gdcu.read_live.next = self.read_live.val();
        self.plob.clock.next = self.clock.val();
        self.plob.reset.next = self.reset.val();
        self.plob.access_valid.next = self.directory.access_valid.val();
        self.plob.access_hit.next = self.directory.access_hit.val();
        self.plob.victim_valid.next = self.directory.victim_valid.val();
        self.plob.victim_owner.next = self.directory.victim_owner.val();
        self.plob.access_kid.next = self.directory.access_kid.val();
        self.plob.snapshot.next = self.snapshot.val();
        self.plob.read_victim.next = self.read_row.val();
        self.plob.read_aggressor.next = self.read_kid.val();
        self.plob.read_live.next = self.read_live.val();
        self.accesses.clock.next = self.clock.val();
        self.accesses.reset.next = self.reset.val();
        self.accesses.access_valid.next = self.directory.access_valid.val();
        self.accesses.access_hit.next = self.directory.access_hit.val();
        self.accesses.access_kid.next = self.directory.access_kid.val();
        self.accesses.snapshot.next = self.snapshot.val();
        self.accesses.read_row.next = self.read_row.val();
        self.accesses.read_kid.next = self.read_kid.val();
        self.accesses.read_live.next = self.read_live.val();
        self.read_count.next = 0.into();
        if self.read_from.val() == 0 {
            self.read_count.next = self.gdcu.read_count.val();
        } else if self.read_from.val() == 1 {
            self.read_count.next = self.plob.read_count.val();
        } else if self.read_from.val() == 2 {
            self.read_count.next = self.accesses.read_count.val();
        }
        self.overflow_gdc.next = self.gdcu.overflow.val();
        self.overflow_ike.next = self.plob.overflow.val();
        self.overflow_access.next = self.accesses.overflow.val();
        self.sequence_number.next = self.gdcu.sequence_number.val();
    }
}

/// The type of an [`LlcBank`](crate::llc::LlcBank): ways, kernels, sets, width of a tag, width of
/// a counter, stages of the counting units (0 to 2).
#[macro_export]
macro_rules! llc_bank {
    ($ways:expr, $kernels:expr, $sets:expr, $tag_w:expr, $cnt_w:expr, $stages:expr) => {
        $crate::llc::LlcBank<
            { $ways },
            { $kernels },
            { $cnt_w },
            { $stages },
            { ($stages > 0) as usize },
            { $stages - ($stages > 0) as usize },
            { $crate::llc::set_width($sets) },
            { $tag_w },
            { $crate::llc::way_width($ways) },
            { $crate::llc::kid_width($kernels) },
            { $crate::llc::position_width($ways) },
            { $crate::llc::order_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
            { $crate::llc::count_groups($ways) },
            { $kernels * $crate::llc::position_width($ways) },
            { $cnt_w + 1 },
            { $crate::llc::replacement_width($ways, $kernels) },
        >
    };
}
