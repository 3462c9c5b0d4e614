//! `llc_registers`: the registers of `llc_monitor`, budgets and the interrupt.
//!
//! Source: crate `cotenant-registers` says what is where; the contention
//! budgets are those of SafeSU's MCCU, taken a victim and aggressor.
//!
//! Timing, with a transfer's first cycle t: counters are addressed at t + 1,
//! other registers are read at t + 3; the answer is at t + 4, and so is
//! `snapshot`, `flush` or `map_valid`; what else is written shows from t + 5 on.
//! A transfer to a limit waits for the sweep of the limits after reset. A pair
//! that is above its limit when its slot in the scan comes is in DEMOTION_OVER
//! or EVICTION_OVER four cycles later; a round is 2 x KERNELS x KERNELS slots,
//! and a slot waits while the bus reads a counter or accesses a limit. `irq` is
//! a cycle behind IRQ_STATUS and IRQ_ENABLE. After a snapshot the scan goes a
//! round over what the period that ended came to, then on with the running one:
//! of a period as long as a round no count above its limit goes unseen, and none
//! is told later than a round after its end.
//!
//! ASSUMPTION: of a period that is shorter than a round, pairs whose slot does
//! not come before the next snapshot are not compared; its matrix has the counts.

mod logic;

use super::{
    lsb_of, pair_width, place_of, BudgetFlags, BudgetScan, PeriodTimer, RegisterPort, ADDRESS_W,
};
use crate::llc::{kid_width, requester_width};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use cotenant_registers::{llc_monitor, LlcParams, LLC_REGISTERS};

/// Registers of an [`LlcMonitor`](crate::llc::LlcMonitor) with these parameters.
///
/// Derived: `KID_W`, `REQ_W`, `TOTAL_W` as there; `PAIR_W` = 2 x KID_W + 1.
///
/// ```
/// // Ways, kernels, sets a bank, banks; tag, counter; stages, requesters.
/// let file = <cotenant_units::llc_registers!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcRegisters<
    const WAYS: usize,
    const KERNELS: usize,
    const SET_W: usize,
    const BANKS: usize,
    const TAG_W: usize,
    const CNT_W: usize,
    const STAGES: usize,
    const REQUESTERS: usize,
    const TOTAL_W: usize,
    const KID_W: usize,
    const REQ_W: usize,
    const PAIR_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: all registers to their reset values.
    pub reset: Signal<In, Bit>,
    /// A transfer, with the following until `done`; active high.
    pub select: Signal<In, Bit>,
    /// It is a write.
    pub write: Signal<In, Bit>,
    /// Its byte address.
    pub address: Signal<In, Bits<ADDRESS_W>>,
    /// What to write.
    pub write_data: Signal<In, Bits<32>>,
    /// One bit a byte of it; not looked at by reads.
    pub strobe: Signal<In, Bits<4>>,
    /// The monitor takes requests.
    pub ready: Signal<In, Bit>,
    /// KID of the requester that `map_requester` names.
    pub mapped_kid: Signal<In, Bits<KID_W>>,
    /// The counter addressed two cycles before.
    pub read_count: Signal<In, Bits<TOTAL_W>>,
    /// One bit a victim: a demotion counter saturated in the last period.
    pub overflow_gdc: Signal<In, Bits<KERNELS>>,
    /// One bit a victim: an eviction counter saturated in the last period.
    pub overflow_ike: Signal<In, Bits<KERNELS>>,
    /// Hits (bit 0) or misses (bit 1) saturated in the last period.
    pub overflow_access: Signal<In, Bits<2>>,
    /// Snapshots taken, modulo 256.
    pub sequence_number: Signal<In, Bits<8>>,
    /// The transfer is over; 0 after reset.
    pub done: Signal<Out, Bit>,
    /// It had no effect; 0 without `done`.
    pub error: Signal<Out, Bit>,
    /// What was read; 0 without `done`, with an error and of a write.
    pub read_data: Signal<Out, Bits<32>>,
    /// Invalidate all lines; 0 after reset.
    pub flush: Signal<Out, Bit>,
    /// End the period; 0 after reset.
    pub snapshot: Signal<Out, Bit>,
    /// Give requester `map_requester` the KID `map_kid`; 0 after reset.
    pub map_valid: Signal<Out, Bit>,
    /// The requester to map, or whose KID is asked.
    pub map_requester: Signal<Out, Bits<REQ_W>>,
    /// Its new KID; below KERNELS with `map_valid`.
    pub map_kid: Signal<Out, Bits<KID_W>>,
    /// Which counters to read: 0 GDC, 1 ike, 2 accesses.
    pub read_matrix: Signal<Out, Bits<2>>,
    /// Row to read: the victim, or 0 for hits and 1 for misses.
    pub read_victim: Signal<Out, Bits<KID_W>>,
    /// Kernel to read: the aggressor, or who hit or missed.
    pub read_aggressor: Signal<Out, Bits<KID_W>>,
    /// Read the running period's.
    pub read_live: Signal<Out, Bit>,
    /// An interrupt that is enabled is asked for; active high, 0 after reset.
    pub irq: Signal<Out, Bit>,
    port: RegisterPort<LLC_REGISTERS>,
    timer: PeriodTimer,
    scan: BudgetScan<KERNELS, TOTAL_W, KID_W, PAIR_W>,
    demotions: BudgetFlags<KERNELS, KID_W>,
    evictions: BudgetFlags<KERNELS, KID_W>,
    /// IRQ_STATUS.PERIOD.
    period_passed: Reg<Bit>,
    irq_enable: Reg<Bits<3>>,
    irq_register: Reg<Bit>,
    irq_status: Signal<Local, Bits<3>>,
    row: Signal<Local, Bits<KID_W>>,
    column: Signal<Local, Bits<KID_W>>,
    /// The transfer is to counters of the running period, of evictions, of
    /// accesses, to any counters, to limits.
    to_live: Signal<Local, Bit>,
    to_evictions: Signal<Local, Bit>,
    to_accesses: Signal<Local, Bit>,
    to_misses: Signal<Local, Bit>,
    to_counters: Signal<Local, Bit>,
    to_limits: Signal<Local, Bit>,
    reads_counter: Signal<Local, Bit>,
    writes_limit: Signal<Local, Bit>,
    snapshots: Signal<Local, Bit>,
    status: Signal<Local, Bits<32>>,
    value: Signal<Local, Bits<32>>,
    written_kid: Signal<Local, Bits<8>>,
    kernels: Constant<Bits<8>>,
    // Where registers are in the description, and fields in registers.
    at_status: Constant<Bits<8>>,
    at_control: Constant<Bits<8>>,
    at_period: Constant<Bits<8>>,
    at_irq_status: Constant<Bits<8>>,
    at_irq_enable: Constant<Bits<8>>,
    at_overflow_gdc: Constant<Bits<8>>,
    at_overflow_ike: Constant<Bits<8>>,
    at_overflow_access: Constant<Bits<8>>,
    at_demotion_over: Constant<Bits<8>>,
    at_eviction_over: Constant<Bits<8>>,
    at_demotion_mask: Constant<Bits<8>>,
    at_eviction_mask: Constant<Bits<8>>,
    at_map: Constant<Bits<8>>,
    at_gdc: Constant<Bits<8>>,
    at_ike: Constant<Bits<8>>,
    at_hits: Constant<Bits<8>>,
    at_misses: Constant<Bits<8>>,
    at_gdc_live: Constant<Bits<8>>,
    at_ike_live: Constant<Bits<8>>,
    at_hits_live: Constant<Bits<8>>,
    at_misses_live: Constant<Bits<8>>,
    at_demotion_limit: Constant<Bits<8>>,
    at_eviction_limit: Constant<Bits<8>>,
    ready_lsb: Constant<Bits<8>>,
    sequence_lsb: Constant<Bits<8>>,
    snapshot_lsb: Constant<Bits<8>>,
    flush_lsb: Constant<Bits<8>>,
    demotion_lsb: Constant<Bits<8>>,
    eviction_lsb: Constant<Bits<8>>,
    period_lsb: Constant<Bits<8>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        const TOTAL_W: usize,
        const KID_W: usize,
        const REQ_W: usize,
        const PAIR_W: usize,
    > Default
    for LlcRegisters<
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
    >
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= 16 && REQUESTERS >= 1 && REQUESTERS <= 255,
                "llc_registers: KERNELS is 1 to 16, REQUESTERS 1 to 255"
            );
            assert!(
                WAYS >= 2 && WAYS <= 64 && SET_W >= 1 && SET_W <= 24 && BANKS <= 64,
                "llc_registers: WAYS is 2 to 64, SET_W 1 to 24, BANKS at most 64"
            );
            assert!(
                TAG_W >= 1 && TAG_W <= 64 && CNT_W >= 1 && STAGES <= 2,
                "llc_registers: TAG_W is 1 to 64, CNT_W at least 1, STAGES at most 2"
            );
            assert!(
                TOTAL_W == CNT_W + clog2(BANKS) && TOTAL_W <= 32,
                "llc_registers: TOTAL_W is CNT_W + clog2 BANKS, at most 32"
            );
            assert!(
                KID_W == kid_width(KERNELS)
                    && REQ_W == requester_width(REQUESTERS)
                    && PAIR_W == pair_width(KERNELS),
                "llc_registers: KID_W, REQ_W and PAIR_W follow from KERNELS and REQUESTERS"
            );
        }
        let params = LlcParams {
            ways: WAYS,
            kernels: KERNELS,
            sets: 1 << SET_W,
            banks: BANKS,
            tag_w: TAG_W,
            cnt_w: CNT_W,
            stages: STAGES,
            requesters: REQUESTERS,
        };
        let map = llc_monitor(&params).expect("the space has room: asserted above");
        let about = About::new("llc_registers");
        let about = map
            .parameters
            .iter()
            .fold(about, |about, (name, value)| about.parameter(name, *value));
        LlcRegisters {
            clock: Default::default(),
            reset: Default::default(),
            select: Default::default(),
            write: Default::default(),
            address: Default::default(),
            write_data: Default::default(),
            strobe: Default::default(),
            ready: Default::default(),
            mapped_kid: Default::default(),
            read_count: Default::default(),
            overflow_gdc: Default::default(),
            overflow_ike: Default::default(),
            overflow_access: Default::default(),
            sequence_number: Default::default(),
            done: Default::default(),
            error: Default::default(),
            read_data: Default::default(),
            flush: Default::default(),
            snapshot: Default::default(),
            map_valid: Default::default(),
            map_requester: Default::default(),
            map_kid: Default::default(),
            read_matrix: Default::default(),
            read_victim: Default::default(),
            read_aggressor: Default::default(),
            read_live: Default::default(),
            irq: Default::default(),
            port: RegisterPort::new(&map),
            timer: Default::default(),
            scan: Default::default(),
            demotions: Default::default(),
            evictions: Default::default(),
            period_passed: Default::default(),
            irq_enable: Default::default(),
            irq_register: Default::default(),
            irq_status: Default::default(),
            row: Default::default(),
            column: Default::default(),
            to_live: Default::default(),
            to_evictions: Default::default(),
            to_accesses: Default::default(),
            to_misses: Default::default(),
            to_counters: Default::default(),
            to_limits: Default::default(),
            reads_counter: Default::default(),
            writes_limit: Default::default(),
            snapshots: Default::default(),
            status: Default::default(),
            value: Default::default(),
            written_kid: Default::default(),
            kernels: Constant::new(KERNELS.to_bits()),
            at_status: place_of(&map, "STATUS"),
            at_control: place_of(&map, "CONTROL"),
            at_period: place_of(&map, "PERIOD"),
            at_irq_status: place_of(&map, "IRQ_STATUS"),
            at_irq_enable: place_of(&map, "IRQ_ENABLE"),
            at_overflow_gdc: place_of(&map, "OVERFLOW_GDC"),
            at_overflow_ike: place_of(&map, "OVERFLOW_IKE"),
            at_overflow_access: place_of(&map, "OVERFLOW_ACCESS"),
            at_demotion_over: place_of(&map, "DEMOTION_OVER"),
            at_eviction_over: place_of(&map, "EVICTION_OVER"),
            at_demotion_mask: place_of(&map, "DEMOTION_MASK"),
            at_eviction_mask: place_of(&map, "EVICTION_MASK"),
            at_map: place_of(&map, "MAP"),
            at_gdc: place_of(&map, "GDC"),
            at_ike: place_of(&map, "IKE"),
            at_hits: place_of(&map, "HITS"),
            at_misses: place_of(&map, "MISSES"),
            at_gdc_live: place_of(&map, "GDC_LIVE"),
            at_ike_live: place_of(&map, "IKE_LIVE"),
            at_hits_live: place_of(&map, "HITS_LIVE"),
            at_misses_live: place_of(&map, "MISSES_LIVE"),
            at_demotion_limit: place_of(&map, "DEMOTION_LIMIT"),
            at_eviction_limit: place_of(&map, "EVICTION_LIMIT"),
            ready_lsb: lsb_of(&map, "STATUS", "READY"),
            sequence_lsb: lsb_of(&map, "STATUS", "SEQUENCE"),
            snapshot_lsb: lsb_of(&map, "CONTROL", "SNAPSHOT"),
            flush_lsb: lsb_of(&map, "CONTROL", "FLUSH"),
            demotion_lsb: lsb_of(&map, "IRQ_STATUS", "DEMOTION"),
            eviction_lsb: lsb_of(&map, "IRQ_STATUS", "EVICTION"),
            period_lsb: lsb_of(&map, "IRQ_STATUS", "PERIOD"),
            // The port answers for constants by itself, and is as wide as any map needs.
            about: about
                .documented_in(include_str!("llc_registers.rs"))
                .unused("port.hit")
                .unused("port.row")
                .unused("port.column"),
        }
    }
}

unit! {
    [
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        const TOTAL_W: usize,
        const KID_W: usize,
        const REQ_W: usize,
        const PAIR_W: usize,
    ]
    LlcRegisters<
        WAYS, KERNELS, SET_W, BANKS, TAG_W, CNT_W, STAGES, REQUESTERS, TOTAL_W, KID_W, REQ_W, PAIR_W,
    >: clock;
    in reset, select, write, address, write_data, strobe, ready, mapped_kid, read_count, overflow_gdc, overflow_ike, overflow_access, sequence_number;
    out done, error, read_data, flush, snapshot, map_valid, map_requester, map_kid, read_matrix, read_victim, read_aggressor, read_live, irq
}

/// The type of an [`LlcRegisters`](crate::bus::LlcRegisters): as
/// [`LlcMonitor`](crate::llc::LlcMonitor).
#[macro_export]
macro_rules! llc_registers {
    (
        $ways:expr, $kernels:expr, $sets:expr, $banks:expr,
        $tag_w:expr, $cnt_w:expr, $stages:expr, $requesters:expr
    ) => {
        $crate::bus::LlcRegisters<
            { $ways },
            { $kernels },
            { $crate::llc::set_width($sets) },
            { $banks },
            { $tag_w },
            { $cnt_w },
            { $stages },
            { $requesters },
            { $crate::llc::total_width($cnt_w, $banks) },
            { $crate::llc::kid_width($kernels) },
            { $crate::llc::requester_width($requesters) },
            { $crate::bus::pair_width($kernels) },
        >
    };
}
