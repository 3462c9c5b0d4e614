//! `llc_monitor_apb`: `llc_monitor` behind APB4, with budgets and an interrupt.
//!
//! Source: GDC, as `llc_monitor`; AMBA APB Protocol Specification (ARM IHI 0024).
//!
//! Timing: the cache's side is that of `llc_monitor`. An APB4 transfer has four
//! wait states, in its ACCESS phase: `pready` is high four cycles after the
//! first cycle with `penable`; accesses to limits wait for their sweep after
//! reset. `irq` is level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers llc_monitor_apb`.

use super::{Apb4, LlcRegisters, ADDRESS_W};
use crate::llc::LlcMonitor;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// [`LlcMonitor`] behind APB4; the parameters are its, and those of [`LlcRegisters`].
///
/// ```
/// // Ways, kernels, sets a bank, banks; tag, counter; stages, requesters.
/// let unit = <cotenant_units::llc_monitor_apb!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcMonitorApb<
    const WAYS: usize,
    const KERNELS: usize,
    const SETS: usize,
    const BANKS: usize,
    const TAG_W: usize,
    const CNT_W: usize,
    const STAGES: usize,
    const REQUESTERS: usize,
    const SET_W: usize,
    const WAY_W: usize,
    const KID_W: usize,
    const ENTRIES: usize,
    const REQ_W: usize,
    const TOTAL_W: usize,
    const WAYS_W: usize,
    const KIDS_W: usize,
    const SETS_W: usize,
    const TAGS_W: usize,
    const REQS_W: usize,
    const POS_W: usize,
    const ORDER_W: usize,
    const OWNERS_W: usize,
    const WORD_W: usize,
    const LANE_STAGES: usize,
    const COUNT_STAGES: usize,
    const SUM_STAGES: usize,
    const INCS_W: usize,
    const GROUPS: usize,
    const SUM_W: usize,
    const PAIR_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the unit, its registers and the bus.
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
    /// This completer is selected; active high, as all of them are.
    pub psel: Signal<In, Bit>,
    /// The ACCESS phase.
    pub penable: Signal<In, Bit>,
    /// The transfer is a write.
    pub pwrite: Signal<In, Bit>,
    /// Byte address.
    pub paddr: Signal<In, Bits<ADDRESS_W>>,
    /// What to write.
    pub pwdata: Signal<In, Bits<32>>,
    /// One bit a byte of it, to be written; not looked at by reads.
    pub pstrb: Signal<In, Bits<4>>,
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
    /// The last cycle of the transfer.
    pub pready: Signal<Out, Bit>,
    /// What was read; 0 but in the last cycle of a read without error.
    pub prdata: Signal<Out, Bits<32>>,
    /// The transfer had no effect: an error; 0 but in its last cycle.
    pub pslverr: Signal<Out, Bit>,
    /// An interrupt that is enabled is asked for; active high, level, 0 after reset.
    pub irq: Signal<Out, Bit>,
    bus: Apb4,
    registers: LlcRegisters<
        WAYS,
        KERNELS,
        SET_W,
        BANKS,
        TAG_W,
        CNT_W,
        STAGES,
        REQUESTERS,
        TOTAL_W,
        KID_W,
        REQ_W,
        PAIR_W,
    >,
    monitor: LlcMonitor<
        WAYS,
        KERNELS,
        SETS,
        BANKS,
        TAG_W,
        CNT_W,
        STAGES,
        REQUESTERS,
        SET_W,
        WAY_W,
        KID_W,
        ENTRIES,
        REQ_W,
        TOTAL_W,
        WAYS_W,
        KIDS_W,
        SETS_W,
        TAGS_W,
        REQS_W,
        POS_W,
        ORDER_W,
        OWNERS_W,
        WORD_W,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        INCS_W,
        GROUPS,
        SUM_W,
    >,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SETS: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        const SET_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const ENTRIES: usize,
        const REQ_W: usize,
        const TOTAL_W: usize,
        const WAYS_W: usize,
        const KIDS_W: usize,
        const SETS_W: usize,
        const TAGS_W: usize,
        const REQS_W: usize,
        const POS_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
        const LANE_STAGES: usize,
        const COUNT_STAGES: usize,
        const SUM_STAGES: usize,
        const INCS_W: usize,
        const GROUPS: usize,
        const SUM_W: usize,
        const PAIR_W: usize,
    > Default
    for LlcMonitorApb<
        WAYS,
        KERNELS,
        SETS,
        BANKS,
        TAG_W,
        CNT_W,
        STAGES,
        REQUESTERS,
        SET_W,
        WAY_W,
        KID_W,
        ENTRIES,
        REQ_W,
        TOTAL_W,
        WAYS_W,
        KIDS_W,
        SETS_W,
        TAGS_W,
        REQS_W,
        POS_W,
        ORDER_W,
        OWNERS_W,
        WORD_W,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        INCS_W,
        GROUPS,
        SUM_W,
        PAIR_W,
    >
{
    fn default() -> Self {
        let about = About::new("llc_monitor_apb")
            .parameter("WAYS", WAYS)
            .parameter("KERNELS", KERNELS)
            .parameter("SETS", 1 << SET_W)
            .parameter("BANKS", BANKS)
            .parameter("TAG_W", TAG_W)
            .parameter("CNT_W", CNT_W)
            .parameter("STAGES", STAGES)
            .parameter("REQUESTERS", REQUESTERS)
            .citing("GDC, sections II-A and III; AMBA APB")
            .documented_in(include_str!("llc_monitor_apb.rs"));
        LlcMonitorApb {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            invalidate_valid: Default::default(),
            request_set: Default::default(),
            access_tag: Default::default(),
            access_requester: Default::default(),
            invalidate_way: Default::default(),
            psel: Default::default(),
            penable: Default::default(),
            pwrite: Default::default(),
            paddr: Default::default(),
            pwdata: Default::default(),
            pstrb: Default::default(),
            ready: Default::default(),
            done_valid: Default::default(),
            done_hit: Default::default(),
            done_way: Default::default(),
            done_evict: Default::default(),
            done_owner: Default::default(),
            pready: Default::default(),
            prdata: Default::default(),
            pslverr: Default::default(),
            irq: Default::default(),
            bus: Default::default(),
            registers: Default::default(),
            monitor: Default::default(),
            about,
        }
    }
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SETS: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        const SET_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const ENTRIES: usize,
        const REQ_W: usize,
        const TOTAL_W: usize,
        const WAYS_W: usize,
        const KIDS_W: usize,
        const SETS_W: usize,
        const TAGS_W: usize,
        const REQS_W: usize,
        const POS_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
        const LANE_STAGES: usize,
        const COUNT_STAGES: usize,
        const SUM_STAGES: usize,
        const INCS_W: usize,
        const GROUPS: usize,
        const SUM_W: usize,
        const PAIR_W: usize,
    > Logic
    for LlcMonitorApb<
        WAYS,
        KERNELS,
        SETS,
        BANKS,
        TAG_W,
        CNT_W,
        STAGES,
        REQUESTERS,
        SET_W,
        WAY_W,
        KID_W,
        ENTRIES,
        REQ_W,
        TOTAL_W,
        WAYS_W,
        KIDS_W,
        SETS_W,
        TAGS_W,
        REQS_W,
        POS_W,
        ORDER_W,
        OWNERS_W,
        WORD_W,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        INCS_W,
        GROUPS,
        SUM_W,
        PAIR_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.clock.next = self.clock.val();
        self.registers.reset.next = self.reset.val();
        self.monitor.clock.next = self.clock.val();
        self.monitor.reset.next = self.reset.val();

        comment!("The bus.");
        self.bus.psel.next = self.psel.val();
        self.bus.penable.next = self.penable.val();
        self.bus.pwrite.next = self.pwrite.val();
        self.bus.paddr.next = self.paddr.val();
        self.bus.pwdata.next = self.pwdata.val();
        self.bus.pstrb.next = self.pstrb.val();
        self.pready.next = self.bus.pready.val();
        self.prdata.next = self.bus.prdata.val();
        self.pslverr.next = self.bus.pslverr.val();
        self.registers.select.next = self.bus.select.val();
        self.registers.write.next = self.bus.write.val();
        self.registers.address.next = self.bus.address.val();
        self.registers.write_data.next = self.bus.write_data.val();
        self.registers.strobe.next = self.bus.strobe.val();
        self.bus.done.next = self.registers.done.val();
        self.bus.error.next = self.registers.error.val();
        self.bus.read_data.next = self.registers.read_data.val();

        comment!("The registers and the unit.");
        self.monitor.flush.next = self.registers.flush.val();
        self.monitor.snapshot.next = self.registers.snapshot.val();
        self.monitor.map_valid.next = self.registers.map_valid.val();
        self.monitor.map_requester.next = self.registers.map_requester.val();
        self.monitor.map_kid.next = self.registers.map_kid.val();
        self.monitor.read_matrix.next = self.registers.read_matrix.val();
        self.monitor.read_victim.next = self.registers.read_victim.val();
        self.monitor.read_aggressor.next = self.registers.read_aggressor.val();
        self.monitor.read_live.next = self.registers.read_live.val();
        self.registers.ready.next = self.monitor.ready.val();
        self.registers.mapped_kid.next = self.monitor.mapped_kid.val();
        self.registers.read_count.next = self.monitor.read_count.val();
        self.registers.overflow_gdc.next = self.monitor.overflow_gdc.val();
        self.registers.overflow_ike.next = self.monitor.overflow_ike.val();
        self.registers.overflow_access.next = self.monitor.overflow_access.val();
        self.registers.sequence_number.next = self.monitor.sequence_number.val();
        self.irq.next = self.registers.irq.val();

        comment!("The cache's side.");
        self.monitor.access_valid.next = self.access_valid.val();
        self.monitor.invalidate_valid.next = self.invalidate_valid.val();
        self.monitor.request_set.next = self.request_set.val();
        self.monitor.access_tag.next = self.access_tag.val();
        self.monitor.access_requester.next = self.access_requester.val();
        self.monitor.invalidate_way.next = self.invalidate_way.val();
        self.ready.next = self.monitor.ready.val();
        self.done_valid.next = self.monitor.done_valid.val();
        self.done_hit.next = self.monitor.done_hit.val();
        self.done_way.next = self.monitor.done_way.val();
        self.done_evict.next = self.monitor.done_evict.val();
        self.done_owner.next = self.monitor.done_owner.val();
    }
}

unit! {
    [
        const WAYS: usize, const KERNELS: usize, const SETS: usize, const BANKS: usize, const TAG_W: usize, const CNT_W: usize, const STAGES: usize, const REQUESTERS: usize, const SET_W: usize, const WAY_W: usize, const KID_W: usize, const ENTRIES: usize, const REQ_W: usize, const TOTAL_W: usize, const WAYS_W: usize, const KIDS_W: usize, const SETS_W: usize, const TAGS_W: usize, const REQS_W: usize, const POS_W: usize, const ORDER_W: usize, const OWNERS_W: usize, const WORD_W: usize, const LANE_STAGES: usize, const COUNT_STAGES: usize, const SUM_STAGES: usize, const INCS_W: usize, const GROUPS: usize, const SUM_W: usize,
        const PAIR_W: usize,
    ]
    LlcMonitorApb<
        WAYS, KERNELS, SETS, BANKS, TAG_W, CNT_W, STAGES, REQUESTERS, SET_W, WAY_W, KID_W, ENTRIES, REQ_W, TOTAL_W, WAYS_W, KIDS_W, SETS_W, TAGS_W, REQS_W, POS_W, ORDER_W, OWNERS_W, WORD_W, LANE_STAGES, COUNT_STAGES, SUM_STAGES, INCS_W, GROUPS, SUM_W,
        PAIR_W,
    >: clock;
    in reset, access_valid, invalidate_valid, request_set, access_tag, access_requester, invalidate_way, psel, penable, pwrite, paddr, pwdata, pstrb;
    out ready, done_valid, done_hit, done_way, done_evict, done_owner, pready, prdata, pslverr, irq
}

/// The type of an [`LlcMonitorApb`](crate::bus::LlcMonitorApb): as
/// [`LlcMonitor`].
#[macro_export]
macro_rules! llc_monitor_apb {
    (
        $ways:expr, $kernels:expr, $sets:expr, $banks:expr,
        $tag_w:expr, $cnt_w:expr, $stages:expr, $requesters:expr
    ) => {
        $crate::bus::LlcMonitorApb<
            { $ways },
            { $kernels },
            { $sets },
            { $banks },
            { $tag_w },
            { $cnt_w },
            { $stages },
            { $requesters },
            { $crate::llc::set_width($sets) },
            { $crate::llc::way_width($ways) },
            { $crate::llc::kid_width($kernels) },
            { $requesters + 1 },
            { $crate::llc::requester_width($requesters) },
            { $crate::llc::total_width($cnt_w, $banks) },
            { $banks * $crate::llc::way_width($ways) },
            { $banks * $crate::llc::kid_width($kernels) },
            { $banks * $crate::llc::set_width($sets) },
            { $banks * $tag_w },
            { $banks * $crate::llc::requester_width($requesters) },
            { $crate::llc::position_width($ways) },
            { $crate::llc::order_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
            { $crate::llc::replacement_width($ways, $kernels) },
            { ($stages > 0) as usize },
            { ($stages > 1) as usize },
            { ($stages > 2) as usize },
            { $kernels * $crate::llc::position_width($ways) },
            { $crate::llc::count_groups($ways) },
            { $cnt_w + 1 },
            { $crate::bus::pair_width($kernels) },
        >
    };
}
