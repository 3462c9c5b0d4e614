//! `llc_monitor_axi`: `llc_monitor` behind AXI4-Lite, with budgets and an interrupt.
//!
//! Source: GDC, as `llc_monitor`; AMBA AXI Protocol Specification (ARM IHI 0022).
//!
//! Timing: the cache's side is that of `llc_monitor`. A response comes six cycles
//! after the cycle in which the address (and data) are taken, if nothing else is
//! under way; accesses to limits wait for their sweep after reset. `irq` is
//! level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers llc_monitor_axi`.

use super::{Axi4Lite, LlcRegisters, ADDRESS_W};
use crate::llc::LlcMonitor;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// [`LlcMonitor`] behind AXI4-Lite; the parameters are its, and those of [`LlcRegisters`].
///
/// ```
/// // Ways, kernels, sets a bank, banks; tag, counter; stages, requesters.
/// let unit = <cotenant_units::llc_monitor_axi!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcMonitorAxi<
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
    /// There is a write address; active high, as all of them are.
    pub awvalid: Signal<In, Bit>,
    /// Byte address to write to.
    pub awaddr: Signal<In, Bits<ADDRESS_W>>,
    /// There are write data.
    pub wvalid: Signal<In, Bit>,
    /// What to write.
    pub wdata: Signal<In, Bits<32>>,
    /// One bit a byte of it, to be written.
    pub wstrb: Signal<In, Bits<4>>,
    /// The write's response is taken.
    pub bready: Signal<In, Bit>,
    /// There is a read address.
    pub arvalid: Signal<In, Bit>,
    /// Byte address to read.
    pub araddr: Signal<In, Bits<ADDRESS_W>>,
    /// The read's response is taken.
    pub rready: Signal<In, Bit>,
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
    /// A write address is taken; 1 after reset.
    pub awready: Signal<Out, Bit>,
    /// Write data are taken; 1 after reset.
    pub wready: Signal<Out, Bit>,
    /// There is a write's response; 0 after reset.
    pub bvalid: Signal<Out, Bit>,
    /// It is OKAY (0) or SLVERR (2); 0 without one.
    pub bresp: Signal<Out, Bits<2>>,
    /// A read address is taken; 1 after reset.
    pub arready: Signal<Out, Bit>,
    /// There is a read's response; 0 after reset.
    pub rvalid: Signal<Out, Bit>,
    /// What was read; 0 without a response, and with an error.
    pub rdata: Signal<Out, Bits<32>>,
    /// It is OKAY (0) or SLVERR (2); 0 without one.
    pub rresp: Signal<Out, Bits<2>>,
    /// An interrupt that is enabled is asked for; active high, level, 0 after reset.
    pub irq: Signal<Out, Bit>,
    bus: Axi4Lite,
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
    for LlcMonitorAxi<
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
        let about = About::new("llc_monitor_axi")
            .parameter("WAYS", WAYS)
            .parameter("KERNELS", KERNELS)
            .parameter("SETS", 1 << SET_W)
            .parameter("BANKS", BANKS)
            .parameter("TAG_W", TAG_W)
            .parameter("CNT_W", CNT_W)
            .parameter("STAGES", STAGES)
            .parameter("REQUESTERS", REQUESTERS)
            .citing("GDC, sections II-A and III; AMBA AXI")
            .documented_in(include_str!("llc_monitor_axi.rs"));
        LlcMonitorAxi {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            invalidate_valid: Default::default(),
            request_set: Default::default(),
            access_tag: Default::default(),
            access_requester: Default::default(),
            invalidate_way: Default::default(),
            awvalid: Default::default(),
            awaddr: Default::default(),
            wvalid: Default::default(),
            wdata: Default::default(),
            wstrb: Default::default(),
            bready: Default::default(),
            arvalid: Default::default(),
            araddr: Default::default(),
            rready: Default::default(),
            ready: Default::default(),
            done_valid: Default::default(),
            done_hit: Default::default(),
            done_way: Default::default(),
            done_evict: Default::default(),
            done_owner: Default::default(),
            awready: Default::default(),
            wready: Default::default(),
            bvalid: Default::default(),
            bresp: Default::default(),
            arready: Default::default(),
            rvalid: Default::default(),
            rdata: Default::default(),
            rresp: Default::default(),
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
    for LlcMonitorAxi<
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
        self.bus.clock.next = self.clock.val();
        self.bus.reset.next = self.reset.val();
        self.registers.clock.next = self.clock.val();
        self.registers.reset.next = self.reset.val();
        self.monitor.clock.next = self.clock.val();
        self.monitor.reset.next = self.reset.val();

        comment!("The bus.");
        self.bus.awvalid.next = self.awvalid.val();
        self.bus.awaddr.next = self.awaddr.val();
        self.bus.wvalid.next = self.wvalid.val();
        self.bus.wdata.next = self.wdata.val();
        self.bus.wstrb.next = self.wstrb.val();
        self.bus.bready.next = self.bready.val();
        self.bus.arvalid.next = self.arvalid.val();
        self.bus.araddr.next = self.araddr.val();
        self.bus.rready.next = self.rready.val();
        self.awready.next = self.bus.awready.val();
        self.wready.next = self.bus.wready.val();
        self.bvalid.next = self.bus.bvalid.val();
        self.bresp.next = self.bus.bresp.val();
        self.arready.next = self.bus.arready.val();
        self.rvalid.next = self.bus.rvalid.val();
        self.rdata.next = self.bus.rdata.val();
        self.rresp.next = self.bus.rresp.val();
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
    LlcMonitorAxi<
        WAYS, KERNELS, SETS, BANKS, TAG_W, CNT_W, STAGES, REQUESTERS, SET_W, WAY_W, KID_W, ENTRIES, REQ_W, TOTAL_W, WAYS_W, KIDS_W, SETS_W, TAGS_W, REQS_W, POS_W, ORDER_W, OWNERS_W, WORD_W, LANE_STAGES, COUNT_STAGES, SUM_STAGES, INCS_W, GROUPS, SUM_W,
        PAIR_W,
    >: clock;
    in reset, access_valid, invalidate_valid, request_set, access_tag, access_requester, invalidate_way, awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready;
    out ready, done_valid, done_hit, done_way, done_evict, done_owner, awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp, irq
}

/// The type of an [`LlcMonitorAxi`](crate::bus::LlcMonitorAxi): as
/// [`LlcMonitor`].
#[macro_export]
macro_rules! llc_monitor_axi {
    (
        $ways:expr, $kernels:expr, $sets:expr, $banks:expr,
        $tag_w:expr, $cnt_w:expr, $stages:expr, $requesters:expr
    ) => {
        $crate::bus::LlcMonitorAxi<
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
