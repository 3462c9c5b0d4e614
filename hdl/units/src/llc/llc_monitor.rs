//! `llc_monitor`: the measuring unit beside a cache: who demotes and evicts whose lines.
//!
//! Source: GDC, sections II-A and III, figure 1 and table I: directory, GDC unit
//! and PLOB's monitors beside each bank of the L2, with one read port for
//! software.
//!
//! Timing: each bank takes a request every cycle, for ever, also back to back to
//! one set. A request at cycle t is reported at t + 4 and is in the counters at
//! t + 4 + STAGES. `snapshot` and the read port are not delayed: an access
//! belongs to the period in which it reaches the counters. `read_count` at t + 2
//! is what was addressed at t.
//!
//! After reset, and after `flush`, a sweep clears one set of every bank a cycle;
//! `ready` is low meanwhile and requests are ignored. With reset low from cycle
//! 0 on, `ready` is high from cycle SETS on. A flush leaves counters alone; one
//! during a sweep starts it over, and so does a reset.
//!
//! ASSUMPTION: a requester (an SM) is translated to a KID by a table that
//! software writes; requesters beyond it share the entry `other`. After reset
//! requester r has KID min(r, KERNELS - 1), as in the paper, where KID and SM id
//! are one, and `other` has KERNELS - 1.
//! ASSUMPTION: one unit a bank; the read port sums banks.

use super::LlcBank;
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Monitor of `BANKS` banks of two to the `SET_W` sets of `WAYS` ways.
///
/// Derived: those of [`LlcBank`], and `ENTRIES` = REQUESTERS + 1, `REQ_W` =
/// clog2(REQUESTERS + 1), `TOTAL_W` = CNT_W + clog2 BANKS, and the packed
/// widths `SETS_W`, `TAGS_W`, `REQS_W`, `WAYS_W`, `KIDS_W`, each BANKS times
/// its element's.
///
/// ```
/// // Ways, kernels, sets a bank, banks; tag, counter; stages, requesters.
/// let monitor = <cotenant_units::llc_monitor!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcMonitor<
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
    const BANKS: usize,
    const REQUESTERS: usize,
    const ENTRIES: usize,
    const REQ_W: usize,
    const TOTAL_W: usize,
    const SETS_W: usize,
    const TAGS_W: usize,
    const REQS_W: usize,
    const WAYS_W: usize,
    const KIDS_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: counters and table to their reset values, then
    /// the initialisation sweep.
    pub reset: Signal<In, Bit>,
    /// One bit a bank: access `access_tag` in `request_set`.
    pub access_valid: Signal<In, Bits<BANKS>>,
    /// One bit a bank: invalidate `invalidate_way` of `request_set`; goes before
    /// an access.
    pub invalidate_valid: Signal<In, Bits<BANKS>>,
    /// The set, SET_W bits a bank, bank 0 lowest.
    pub request_set: Signal<In, Bits<SETS_W>>,
    /// The tag to look up, TAG_W bits a bank.
    pub access_tag: Signal<In, Bits<TAGS_W>>,
    /// Who accesses, REQ_W bits a bank; REQUESTERS and above are `other`.
    pub access_requester: Signal<In, Bits<REQS_W>>,
    /// The way to invalidate, already invalid or not, WAY_W bits a bank; below
    /// WAYS.
    pub invalidate_way: Signal<In, Bits<WAYS_W>>,
    /// Invalidate all lines of all banks by a sweep; active high. No request is
    /// taken in its cycle.
    pub flush: Signal<In, Bit>,
    /// Ends the period of all counters of all banks; active high.
    pub snapshot: Signal<In, Bit>,
    /// Give requester `map_requester` the KID `map_kid`; active high.
    pub map_valid: Signal<In, Bit>,
    /// The requester; REQUESTERS and above are `other`.
    pub map_requester: Signal<In, Bits<REQ_W>>,
    /// Its KID from the next cycle on; below KERNELS.
    pub map_kid: Signal<In, Bits<KID_W>>,
    /// Which counters to read: 0 GDC, 1 ike, 2 accesses, 3 reads 0.
    pub read_matrix: Signal<In, Bits<2>>,
    /// Row to read: the victim, or 0 for hits and 1 for misses; others read 0.
    pub read_victim: Signal<In, Bits<KID_W>>,
    /// Kernel to read: the aggressor, or who hit or missed; below KERNELS,
    /// others read 0.
    pub read_aggressor: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Requests are taken; 0 after reset, while the sweep clears the sets.
    pub ready: Signal<Out, Bit>,
    /// One bit a bank: an access was done; 0 after reset.
    pub done_valid: Signal<Out, Bits<BANKS>>,
    /// One bit a bank: it hit.
    pub done_hit: Signal<Out, Bits<BANKS>>,
    /// The way hit or filled, WAY_W bits a bank; 0 without an access.
    pub done_way: Signal<Out, Bits<WAYS_W>>,
    /// One bit a bank: it replaced a valid line.
    pub done_evict: Signal<Out, Bits<BANKS>>,
    /// KID of the kernel that owned the line hit or replaced, KID_W bits a bank;
    /// 0 if there was none.
    pub done_owner: Signal<Out, Bits<KIDS_W>>,
    /// The counter addressed two cycles before, summed over the banks, as of the
    /// last snapshot or, with `read_live`, as of that cycle; 0 after reset.
    pub read_count: Signal<Out, Bits<TOTAL_W>>,
    /// One bit a victim: a demotion counter saturated in the last period.
    pub overflow_gdc: Signal<Out, Bits<KERNELS>>,
    /// One bit a victim: an eviction counter saturated in the last period.
    pub overflow_ike: Signal<Out, Bits<KERNELS>>,
    /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period.
    pub overflow_access: Signal<Out, Bits<2>>,
    /// Snapshots taken, modulo 256: tells a reader that another one came in
    /// between; 0 after reset.
    pub sequence_number: Signal<Out, Bits<8>>,
    /// KID that `map_requester` has in this cycle; not registered.
    pub mapped_kid: Signal<Out, Bits<KID_W>>,
    /// BANKS of them; on the heap, since a block of them all is too large for a
    /// thread's stack.
    bank: Vec<
        LlcBank<
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
        >,
    >,
    /// The sweep is going on, at this set.
    sweeping: Reg<Bit>,
    sweep_set: Reg<Bits<SET_W>>,
    /// KID of each requester; the last entry is `other`.
    kid_of: [Reg<Bits<KID_W>>; ENTRIES],
    /// Which counters the banks' read registers hold.
    read_matrix_register: Reg<Bits<2>>,
    /// Their sum.
    read_sum: Reg<Bits<TOTAL_W>>,
    takes: Signal<Local, Bit>,
    sweeps: Signal<Local, Bit>,
    one_requester: Signal<Local, Bits<REQ_W>>,
    one_kid: Signal<Local, Bits<KID_W>>,
    one_way: Signal<Local, Bits<WAY_W>>,
    one_count: Signal<Local, Bits<CNT_W>>,
    mapped: Signal<Local, Bit>,
    total: Signal<Local, Bits<TOTAL_W>>,
    set_w: Constant<Bits<8>>,
    tag_w: Constant<Bits<8>>,
    req_w: Constant<Bits<8>>,
    way_w: Constant<Bits<8>>,
    kid_w: Constant<Bits<8>>,
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
        const BANKS: usize,
        const REQUESTERS: usize,
        const ENTRIES: usize,
        const REQ_W: usize,
        const TOTAL_W: usize,
        const SETS_W: usize,
        const TAGS_W: usize,
        const REQS_W: usize,
        const WAYS_W: usize,
        const KIDS_W: usize,
    > Default
    for LlcMonitor<
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
        BANKS,
        REQUESTERS,
        ENTRIES,
        REQ_W,
        TOTAL_W,
        SETS_W,
        TAGS_W,
        REQS_W,
        WAYS_W,
        KIDS_W,
    >
{
    fn default() -> Self {
        const {
            assert!(
                BANKS >= 1 && BANKS <= 64 && BANKS.is_power_of_two(),
                "llc_monitor: BANKS is a power of two, 1 to 64"
            );
            assert!(
                REQUESTERS >= 1 && ENTRIES == REQUESTERS + 1 && REQ_W == clog2(ENTRIES),
                "llc_monitor: ENTRIES is REQUESTERS + 1 and REQ_W its clog2"
            );
            assert!(
                TOTAL_W == CNT_W + clog2(BANKS),
                "llc_monitor: TOTAL_W is CNT_W + clog2 BANKS"
            );
            assert!(
                SETS_W == BANKS * SET_W
                    && TAGS_W == BANKS * TAG_W
                    && REQS_W == BANKS * REQ_W
                    && WAYS_W == BANKS * WAY_W
                    && KIDS_W == BANKS * KID_W,
                "llc_monitor: packed widths are BANKS times their element's"
            );
        }
        let about = About::new("llc_monitor")
            .parameter("WAYS", WAYS)
            .parameter("KERNELS", KERNELS)
            .parameter("SETS", 1 << SET_W)
            .parameter("BANKS", BANKS)
            .parameter("TAG_W", TAG_W)
            .parameter("CNT_W", CNT_W)
            .parameter("STAGES", STAGES)
            .parameter("REQUESTERS", REQUESTERS)
            .citing("GDC, sections II-A and III, figure 1, table I")
            .documented_in(include_str!("llc_monitor.rs"));
        LlcMonitor {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            invalidate_valid: Default::default(),
            request_set: Default::default(),
            access_tag: Default::default(),
            access_requester: Default::default(),
            invalidate_way: Default::default(),
            flush: Default::default(),
            snapshot: Default::default(),
            map_valid: Default::default(),
            map_requester: Default::default(),
            map_kid: Default::default(),
            read_matrix: Default::default(),
            read_victim: Default::default(),
            read_aggressor: Default::default(),
            read_live: Default::default(),
            ready: Default::default(),
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
            mapped_kid: Default::default(),
            bank: (0..BANKS).map(|_| Default::default()).collect(),
            sweeping: Reg::new(true),
            sweep_set: Default::default(),
            kid_of: from_fn(|r| Reg::new(r.min(KERNELS - 1).to_bits())),
            read_matrix_register: Default::default(),
            read_sum: Default::default(),
            takes: Default::default(),
            sweeps: Default::default(),
            one_requester: Default::default(),
            one_kid: Default::default(),
            one_way: Default::default(),
            one_count: Default::default(),
            mapped: Default::default(),
            total: Default::default(),
            set_w: Constant::new(SET_W.to_bits()),
            tag_w: Constant::new(TAG_W.to_bits()),
            req_w: Constant::new(REQ_W.to_bits()),
            way_w: Constant::new(WAY_W.to_bits()),
            kid_w: Constant::new(KID_W.to_bits()),
            // All banks count snapshots alike.
            about: (1..BANKS).fold(about, |about, b| {
                about.unused(&format!("bank[{b}].sequence_number"))
            }),
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
        const BANKS: usize,
        const REQUESTERS: usize,
        const ENTRIES: usize,
        const REQ_W: usize,
        const TOTAL_W: usize,
        const SETS_W: usize,
        const TAGS_W: usize,
        const REQS_W: usize,
        const WAYS_W: usize,
        const KIDS_W: usize,
    > Logic
    for LlcMonitor<
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
        BANKS,
        REQUESTERS,
        ENTRIES,
        REQ_W,
        TOTAL_W,
        SETS_W,
        TAGS_W,
        REQS_W,
        WAYS_W,
        KIDS_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The sweep over the sets.");
        self.ready.next = !self.sweeping.q.val();
        self.takes.next = !self.sweeping.q.val() & !self.flush.val();
        self.sweeps.next = self.sweeping.q.val() & !self.flush.val();
        self.sweeping.clock.next = self.clock.val();
        self.sweeping.reset.next = self.reset.val();
        self.sweeping.d.next = self.sweeping.q.val();
        self.sweep_set.clock.next = self.clock.val();
        self.sweep_set.reset.next = self.reset.val();
        self.sweep_set.d.next = self.sweep_set.q.val();
        if self.flush.val() {
            self.sweeping.d.next = true;
            self.sweep_set.d.next = 0.into();
        } else if self.sweeping.q.val() {
            self.sweep_set.d.next = self.sweep_set.q.val() + 1;
            if self.sweep_set.q.val().all() {
                self.sweeping.d.next = false;
            }
        }

        comment!("The table of requesters; its last entry is for all others.");
        self.mapped.next = false;
        self.mapped_kid.next = 0.into();
        for other in (REQUESTERS)..ENTRIES {
            self.mapped_kid.next = self.kid_of[other].q.val();
        }
        for r in 0..REQUESTERS {
            self.kid_of[r].clock.next = self.clock.val();
            self.kid_of[r].reset.next = self.reset.val();
            self.kid_of[r].d.next = self.kid_of[r].q.val();
            if self.map_requester.val() == r.to_bits::<REQ_W>() {
                self.mapped.next = true;
                self.mapped_kid.next = self.kid_of[r].q.val();
                if self.map_valid.val() {
                    self.kid_of[r].d.next = self.map_kid.val();
                }
            }
        }
        for other in (REQUESTERS)..ENTRIES {
            self.kid_of[other].clock.next = self.clock.val();
            self.kid_of[other].reset.next = self.reset.val();
            self.kid_of[other].d.next = self.kid_of[other].q.val();
            if self.map_valid.val() & !self.mapped.val() {
                self.kid_of[other].d.next = self.map_kid.val();
            }
        }

        comment!("A request a bank.");
        for b in 0..BANKS {
            self.one_requester.next = self
                .access_requester
                .val()
                .get_bits::<REQ_W>(b * self.req_w.val().index());
            for other in (REQUESTERS)..ENTRIES {
                self.one_kid.next = self.kid_of[other].q.val();
            }
            for r in 0..REQUESTERS {
                if self.one_requester.val() == r.to_bits::<REQ_W>() {
                    self.one_kid.next = self.kid_of[r].q.val();
                }
            }
            self.bank[b].clock.next = self.clock.val();
            self.bank[b].reset.next = self.reset.val();
            self.bank[b].request_clear.next = self.sweeps.val();
            self.bank[b].request_invalidate.next =
                self.takes.val() & self.invalidate_valid.val().get_bit(b);
            self.bank[b].request_access.next = self.takes.val()
                & self.access_valid.val().get_bit(b)
                & !self.invalidate_valid.val().get_bit(b);
            self.bank[b].request_set.next = self
                .request_set
                .val()
                .get_bits::<SET_W>(b * self.set_w.val().index());
            self.bank[b].request_tag.next = self
                .access_tag
                .val()
                .get_bits::<TAG_W>(b * self.tag_w.val().index());
            if self.sweeps.val() {
                self.bank[b].request_set.next = self.sweep_set.q.val();
                self.bank[b].request_tag.next = 0.into();
            }
            self.bank[b].request_kid.next = self.one_kid.val();
            self.bank[b].request_way.next = self
                .invalidate_way
                .val()
                .get_bits::<WAY_W>(b * self.way_w.val().index());
        }

        comment!("What became of it.");
        self.done_valid.next = 0.into();
        self.done_hit.next = 0.into();
        self.done_way.next = 0.into();
        self.done_evict.next = 0.into();
        self.done_owner.next = 0.into();
        for b in 0..BANKS {
            self.done_valid.next = self
                .done_valid
                .val()
                .replace_bit(b, self.bank[b].done_valid.val());
            self.done_hit.next = self
                .done_hit
                .val()
                .replace_bit(b, self.bank[b].done_hit.val());
            self.one_way.next = self.bank[b].done_way.val();
            self.done_way.next = self.done_way.val()
                | (bit_cast::<WAYS_W, WAY_W>(self.one_way.val())
                    << (b * self.way_w.val().index()).to_bits::<16>());
            self.done_evict.next = self
                .done_evict
                .val()
                .replace_bit(b, self.bank[b].done_evict.val());
            self.one_kid.next = self.bank[b].done_owner.val();
            self.done_owner.next = self.done_owner.val()
                | (bit_cast::<KIDS_W, KID_W>(self.one_kid.val())
                    << (b * self.kid_w.val().index()).to_bits::<16>());
        }

        comment!("The counters of all banks, read as one.");
        self.read_matrix_register.clock.next = self.clock.val();
        self.read_matrix_register.reset.next = self.reset.val();
        self.read_matrix_register.d.next = self.read_matrix.val();
        self.total.next = 0.into();
        self.overflow_gdc.next = 0.into();
        self.overflow_ike.next = 0.into();
        self.overflow_access.next = 0.into();
        for b in 0..BANKS {
            self.bank[b].snapshot.next = self.snapshot.val();
            self.bank[b].read_row.next = self.read_victim.val();
            self.bank[b].read_kid.next = self.read_aggressor.val();
            self.bank[b].read_live.next = self.read_live.val();
            self.bank[b].read_from.next = self.read_matrix_register.q.val();
            self.one_count.next = self.bank[b].read_count.val();
            self.total.next = self.total.val() + bit_cast::<TOTAL_W, CNT_W>(self.one_count.val());
            self.overflow_gdc.next = self.overflow_gdc.val() | self.bank[b].overflow_gdc.val();
            self.overflow_ike.next = self.overflow_ike.val() | self.bank[b].overflow_ike.val();
            self.overflow_access.next =
                self.overflow_access.val() | self.bank[b].overflow_access.val();
        }
        self.sequence_number.next = self.bank[0].sequence_number.val();
        self.read_sum.clock.next = self.clock.val();
        self.read_sum.reset.next = self.reset.val();
        self.read_sum.d.next = self.total.val();
        self.read_count.next = self.read_sum.q.val();
    }
}

unit! {
    [
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
        const BANKS: usize,
        const REQUESTERS: usize,
        const ENTRIES: usize,
        const REQ_W: usize,
        const TOTAL_W: usize,
        const SETS_W: usize,
        const TAGS_W: usize,
        const REQS_W: usize,
        const WAYS_W: usize,
        const KIDS_W: usize,
    ]
    LlcMonitor<
        WAYS, KERNELS, CNT_W, STAGES, LANE_STAGES, COUNT_STAGES, SET_W, TAG_W, WAY_W, KID_W, POS_W, ORDER_W, OWNERS_W, GROUPS, INCS_W, SUM_W, WORD_W, BANKS, REQUESTERS, ENTRIES, REQ_W, TOTAL_W, SETS_W, TAGS_W, REQS_W, WAYS_W, KIDS_W,
    >: clock;
    in reset, access_valid, invalidate_valid, request_set, access_tag, access_requester, invalidate_way, flush, snapshot, map_valid, map_requester, map_kid, read_matrix, read_victim, read_aggressor, read_live;
    out ready, done_valid, done_hit, done_way, done_evict, done_owner, read_count, overflow_gdc, overflow_ike, overflow_access, sequence_number, mapped_kid
}

/// The type of an [`LlcMonitor`](crate::llc::LlcMonitor): ways, kernels, sets a bank, banks, width
/// of a tag, width of a counter, stages of the counting units (0 to 2), requesters.
#[macro_export]
macro_rules! llc_monitor {
    (
        $ways:expr, $kernels:expr, $sets:expr, $banks:expr,
        $tag_w:expr, $cnt_w:expr, $stages:expr, $requesters:expr
    ) => {
        $crate::llc::LlcMonitor<
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
            { $banks },
            { $requesters },
            { $requesters + 1 },
            { $crate::llc::requester_width($requesters) },
            { $crate::llc::total_width($cnt_w, $banks) },
            { $banks * $crate::llc::set_width($sets) },
            { $banks * $tag_w },
            { $banks * $crate::llc::requester_width($requesters) },
            { $banks * $crate::llc::way_width($ways) },
            { $banks * $crate::llc::kid_width($kernels) },
        >
    };
}
