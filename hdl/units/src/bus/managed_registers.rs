//! `managed_registers`: the registers of `managed_llc`.
//!
//! Source: the address map is that of crate `cotenant-registers`; what is set and shown, TAP, sections 3
//! and 5.3.
//!
//! Timing, with a transfer's first cycle t: registers are read at t + 3, a counter is that of t + 2, the
//! answer is at t + 4. A write shows at the outputs at t + 5, but for `period` of CONTROL, which is high
//! at t + 4. `irq` follows its cause two cycles later.
//!
//! ASSUMPTION: software prepares all quotas, then lets them hold together; quotas that do not add up to
//! the ways, or with a 0, are refused as that is asked.
//! ASSUMPTION: cores that software names become the sampled ones as the period ends. Those that are
//! written in the cycle in which it ends wait for the next end.

use super::{PeriodTimer, RegisterPort, ADDRESS_W};
use crate::llc::{kid_width, position_width};
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::{managed_llc, ManagedParams, MANAGED_REGISTERS, MAX_KERNELS};

#[unit(
    source = "TAP, sections 3 and 5.3; crate cotenant-registers",
    with(map = managed_llc(&ManagedParams {
        ways: WAYS,
        sets: SETS,
        applications: APPLICATIONS,
        leaders: LEADERS,
        sampled: SAMPLED,
        cores: CORES,
        tiles: TILES,
        psel_w: PSEL_W,
        xs_w: XS_W,
        cnt_w: CNT_W,
        t_xs: T_XS,
        rotate: ROTATE,
    }).expect("legal parameters have room")),
    names = map,
    // The port answers for constants by itself, and waits for nothing here.
    unused = ["port.hit", "port.row", "port.column", "port.looks"],
)]
mod managed_registers {
    /// Registers of a [`ManagedLlc`](crate::mgmt::ManagedLlc) with these parameters.
    ///
    /// ```
    /// use cotenant_units::bus::ManagedRegisters;
    /// // Ways, sets, applications, leader sets, monitored sets, cores, tiles; selector, ratio,
    /// // counter, threshold, core's id; sampled cores stay.
    /// let file = <ManagedRegisters!(4, 8, 2, 1, 4, 2, 1, 10, 3, 4, 2, 5, 0)>::default();
    /// ```
    pub struct ManagedRegisters<
        #[range(2..=32)] const WAYS: usize,
        #[range(4..=1 << 24)] const SETS: usize,
        #[range(2..=MAX_KERNELS)] const APPLICATIONS: usize,
        #[range(1..=SETS)] const LEADERS: usize,
        #[range(2..=SETS)] const SAMPLED: usize,
        #[range(2..=32)] const CORES: usize,
        #[range(1..=16)] const TILES: usize,
        #[range(2..=16)] const PSEL_W: usize,
        #[range(2..=16)] const XS_W: usize,
        #[range(XS_W..=32)] const CNT_W: usize,
        #[range(1..=(1 << XS_W) - 2)] const T_XS: usize,
        #[range(kid_width(CORES)..=8)] const ID_W: usize,
        #[range(0..=1)] const ROTATE: usize,
        const POS_W: usize = { position_width(WAYS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: all registers to their reset values.
        pub reset: In<Bit>,
        /// A transfer is requested; held with its address and data until `done`; active high.
        pub select: In<Bit>,
        /// The transfer is a write.
        pub write: In<Bit>,
        /// Byte address of the transfer.
        pub address: In<Bits<ADDRESS_W>>,
        /// Write data.
        pub write_data: In<Bits<32>>,
        /// Write strobes, one bit per byte; ignored by reads.
        pub strobe: In<Bits<4>>,
        /// The cache takes accesses.
        pub ready: In<Bit>,
        /// A period has ended, and its quotas are not there yet.
        pub busy: In<Bit>,
        /// Quotas of a period are new in this cycle.
        pub decided: In<Bit>,
        /// The ways of each application as they hold, application 0 lowest.
        pub quota: In<[Bits<POS_W>; APPLICATIONS]>,
        /// The policy selectors, application 0 lowest.
        pub psel: In<[Bits<PSEL_W>; APPLICATIONS]>,
        /// One bit per application: it gets one way only.
        pub ucp_mask: In<Bits<APPLICATIONS>>,
        /// One bit per application: its RRIP-Mask.
        pub rrip_mask: In<Bits<APPLICATIONS>>,
        /// XSRATIO.
        pub xsratio: In<Bits<XS_W>>,
        /// Caching does not help the GPU.
        pub insensitive: In<Bit>,
        /// One bit per application: it streamed in the last period.
        pub streaming: In<Bits<APPLICATIONS>>,
        /// The counter addressed one cycle before.
        pub read_count: In<Bits<CNT_W>>,
        /// One bit per owner: a counter of evictions saturated in the last period.
        pub overflow_evictions: In<Bits<APPLICATIONS>>,
        /// A counter of hits (bit 0) or misses (bit 1) saturated in the last period.
        pub overflow_accesses: In<Bits<2>>,
        /// Periods ended, modulo 256.
        pub sequence_number: In<Bits<8>>,
        /// The transfer ends in this cycle; 0 after reset.
        pub done: Out<Bit>,
        /// The transfer failed and had no effect; 0 without `done`.
        pub error: Out<Bit>,
        /// Read data; 0 without `done`, after an error and for a write.
        pub read_data: Out<Bits<32>>,
        /// A period ends; active high, 0 after reset.
        pub period: Out<Bit>,
        /// The policy: 0 LRU, 1 quotas, 2 or 3 RRIP; 0 after reset.
        pub policy: Out<Bits<2>>,
        /// Masks and XSRATIO count; 0 after reset.
        pub aware: Out<Bit>,
        /// One bit per application: it is of the GPU; 0 after reset.
        pub gpu: Out<Bits<APPLICATIONS>>,
        /// Periods that begin are sampled; 0 after reset.
        pub sample: Out<Bit>,
        /// The next two become the sampled cores with `period`; 0 after reset.
        pub choose: Out<Bit>,
        /// Id of the new Core-POL1; below CORES; 0 after reset.
        pub choose_pol1: Out<Bits<ID_W>>,
        /// Id of the new Core-POL2; below CORES, with `choose` another one; 0 after reset.
        pub choose_pol2: Out<Bits<ID_W>>,
        /// Streaming applications are detected; 0 after reset.
        pub detect: Out<Bit>,
        /// The fewest accesses of a streaming application, at least 1; 1 after reset.
        pub stream_accesses: Out<Bits<CNT_W>>,
        /// The fewest misses in 256 accesses of a streaming application; 0 after reset.
        pub stream_rate: Out<Bits<8>>,
        /// `quota_given` holds instead of UCP's decision; 0 after reset.
        pub quota_override: Out<Bit>,
        /// The ways of each application then, application 0 lowest, WAYS together with
        /// `quota_override`; 0 after reset.
        pub quota_given: Out<[Bits<POS_W>; APPLICATIONS]>,
        /// `ucp_mask_given` and `rrip_mask_given` hold instead of TAP's masks; 0 after reset.
        pub mask_override: Out<Bit>,
        /// One bit per application: it gets one way only; 0 after reset.
        pub ucp_mask_given: Out<Bits<APPLICATIONS>>,
        /// One bit per application: its RRIP-Mask; 0 after reset.
        pub rrip_mask_given: Out<Bits<APPLICATIONS>>,
        /// Which counters to read: 0 evictions, 1 hits and misses.
        pub read_matrix: Out<Bit>,
        /// Row to read: the owner, or 0 for hits and 1 for misses.
        pub read_row: Out<Bits<APP_W>>,
        /// Application to read: the evictor, or who hit or missed.
        pub read_app: Out<Bits<APP_W>>,
        /// Read the counters of the running period.
        pub read_live: Out<Bit>,
        /// An enabled interrupt is pending; active high, 0 after reset.
        pub irq: Out<Bit>,
        #[given(&map)]
        port: RegisterPort<MANAGED_REGISTERS>,
        timer: PeriodTimer,
        /// POLICY.
        policy_register: Reg<Bits<7>>,
        gpu_register: Reg<Bits<APPLICATIONS>>,
        /// CORES, and whether they wait for the period's end.
        pol1_register: Reg<Bits<ID_W>>,
        pol2_register: Reg<Bits<ID_W>>,
        choosing: Reg<Bit>,
        /// STREAM_ACCESSES and STREAM_RATE.
        #[reset(1)]
        accesses_register: Reg<Bits<CNT_W>>,
        rate_register: Reg<Bits<8>>,
        /// UCP_MASK_GIVEN and RRIP_MASK_GIVEN.
        ucp_mask_register: Reg<Bits<APPLICATIONS>>,
        rrip_mask_register: Reg<Bits<APPLICATIONS>>,
        /// Quotas as software has prepared them, and as it has let them hold.
        prepared: [Reg<Bits<POS_W>>; APPLICATIONS],
        given: [Reg<Bits<POS_W>>; APPLICATIONS],
        /// IRQ_STATUS and IRQ_ENABLE.
        irq_status: Reg<Bits<2>>,
        irq_enable: Reg<Bits<2>>,
        irq_register: Reg<Bit>,
        #[value(CORES)]
        cores: Constant<Bits<8>>,
        #[value(WAYS)]
        ways: Constant<Bits<16>>,
        /// Bits above those of a counter.
        #[value(u64::from(u32::MAX) & !((1u64 << CNT_W) - 1))]
        beyond_counter: Constant<Bits<32>>,
    }

    fn update(&mut self) {
        comment!("Read port of the counters.");
        let to_misses: Bit = self.port.hit["MISSES"] | self.port.hit["MISSES_LIVE"];
        let to_accesses: Bit = to_misses | self.port.hit["HITS"] | self.port.hit["HITS_LIVE"];
        let to_evictions: Bit = self.port.hit["EVICTIONS"] | self.port.hit["EVICTIONS_LIVE"];
        let to_live: Bit = self.port.hit["HITS_LIVE"]
            | self.port.hit["MISSES_LIVE"]
            | self.port.hit["EVICTIONS_LIVE"];
        self.read_matrix.next = to_accesses;
        self.read_row.next = self.port.row.cast::<APP_W>();
        self.read_app.next = self.port.column.cast::<APP_W>();
        if to_accesses {
            self.read_row.next = 0;
            if to_misses {
                self.read_row.next = 1;
            }
            self.read_app.next = self.port.row.cast::<APP_W>();
        }
        self.read_live.next = to_live;

        comment!("Ends of periods, by CONTROL and by the timer.");
        self.timer.set.next = self.port.writes & self.port.hit["PERIOD"];
        self.timer.cycles.next = self.port.data;
        let ends: Bit = self.timer.expires
            | (self.port.writes & self.port.hit["CONTROL"] & self.port.data["CONTROL.PERIOD"]);
        self.period.next = ends;

        comment!("The policy, and the quotas that software gives with it.");
        let sets_policy: Bit = self.port.writes & self.port.hit["POLICY"];
        let gives: Bit = self.port.data["POLICY.QUOTAS"];
        let mut sum: Bits<16> = 0;
        let mut some_none: Bit = false;
        for i in 0..APPLICATIONS {
            let one: Bits<POS_W> = self.prepared[i];
            sum = sum + one.cast::<16>();
            some_none = some_none | !one.any();
            if sets_policy & gives {
                self.given[i].next = self.prepared[i];
            }
            if self.port.writes & self.port.hit["QUOTA_GIVEN"] & (self.port.row == i.to_bits::<8>())
            {
                self.prepared[i].next = self.port.data.cast::<POS_W>();
            }
        }
        for i in 0..APPLICATIONS {
            self.quota_given[i].next = self.given[i];
        }
        if sets_policy {
            self.policy_register.next = self.port.data.cast::<7>();
        }

        comment!("Cores that are to be sampled.");
        let pol1: Bits<8> = self.port.data.get_bits::<8>("CORES.POL1");
        let pol2: Bits<8> = self.port.data.get_bits::<8>("CORES.POL2");
        if ends {
            self.choosing.next = false;
        }
        if self.port.writes & self.port.hit["CORES"] {
            self.choosing.next = true;
            self.pol1_register.next = pol1.cast::<ID_W>();
            self.pol2_register.next = pol2.cast::<ID_W>();
        }

        comment!("What else is set.");
        if self.port.writes & self.port.hit["GPU"] {
            self.gpu_register.next = self.port.data.cast::<APPLICATIONS>();
        }
        if self.port.writes & self.port.hit["STREAM_ACCESSES"] {
            self.accesses_register.next = self.port.data.cast::<CNT_W>();
        }
        if self.port.writes & self.port.hit["STREAM_RATE"] {
            self.rate_register.next = self.port.data.cast::<8>();
        }
        if self.port.writes & self.port.hit["UCP_MASK_GIVEN"] {
            self.ucp_mask_register.next = self.port.data.cast::<APPLICATIONS>();
        }
        if self.port.writes & self.port.hit["RRIP_MASK_GIVEN"] {
            self.rrip_mask_register.next = self.port.data.cast::<APPLICATIONS>();
        }

        comment!("The interrupt: what happens now outlives what is cleared now.");
        let mut happens: Bits<2> = 0;
        happens = happens.replace_bit("IRQ_STATUS.PERIOD", ends);
        happens = happens.replace_bit("IRQ_STATUS.DECIDED", self.decided);
        let mut kept: Bits<2> = self.irq_status;
        if self.port.writes & self.port.hit["IRQ_STATUS"] {
            kept = kept & !self.port.data.cast::<2>();
        }
        self.irq_status.next = kept | happens;
        if self.port.writes & self.port.hit["IRQ_ENABLE"] {
            self.irq_enable.next = self.port.data.cast::<2>();
        }
        self.irq_register.next = (self.irq_status & self.irq_enable).any();
        self.irq.next = self.irq_register;

        comment!("Read data.");
        let mut status: Bits<32> = self.sequence_number.cast::<32>() << "STATUS.SEQUENCE";
        status = status.replace_bit("STATUS.READY", self.ready);
        status = status.replace_bit("STATUS.BUSY", self.busy);
        status = status.replace_bit("STATUS.INSENSITIVE", self.insensitive);
        status = status.replace_bit("STATUS.CHOOSING", self.choosing);
        // Of the row's application: quotas and selector.
        let mut one_prepared: Bits<POS_W> = 0;
        let mut one_quota: Bits<POS_W> = 0;
        let mut one_psel: Bits<PSEL_W> = 0;
        for i in 0..APPLICATIONS {
            if self.port.row == i.to_bits::<8>() {
                one_prepared = self.prepared[i];
                one_quota = self.quota[i];
                one_psel = self.psel[i];
            }
        }
        let mut value: Bits<32> = 0;
        if self.port.hit["STATUS"] {
            value = value | status;
        }
        if self.port.hit["PERIOD"] {
            value = value | self.timer.period;
        }
        if self.port.hit["POLICY"] {
            value = value | self.policy_register.cast::<32>();
        }
        if self.port.hit["GPU"] {
            value = value | self.gpu_register.cast::<32>();
        }
        if self.port.hit["CORES"] {
            value = value
                | (self.pol1_register.cast::<32>() << "CORES.POL1")
                | (self.pol2_register.cast::<32>() << "CORES.POL2");
        }
        if self.port.hit["STREAM_ACCESSES"] {
            value = value | self.accesses_register.cast::<32>();
        }
        if self.port.hit["STREAM_RATE"] {
            value = value | self.rate_register.cast::<32>();
        }
        if self.port.hit["UCP_MASK_GIVEN"] {
            value = value | self.ucp_mask_register.cast::<32>();
        }
        if self.port.hit["RRIP_MASK_GIVEN"] {
            value = value | self.rrip_mask_register.cast::<32>();
        }
        if self.port.hit["QUOTA_GIVEN"] {
            value = value | one_prepared.cast::<32>();
        }
        if self.port.hit["QUOTA"] {
            value = value | one_quota.cast::<32>();
        }
        if self.port.hit["PSEL"] {
            value = value | one_psel.cast::<32>();
        }
        if self.port.hit["UCP_MASK"] {
            value = value | self.ucp_mask.cast::<32>();
        }
        if self.port.hit["RRIP_MASK"] {
            value = value | self.rrip_mask.cast::<32>();
        }
        if self.port.hit["STREAMING"] {
            value = value | self.streaming.cast::<32>();
        }
        if self.port.hit["XSRATIO"] {
            value = value | self.xsratio.cast::<32>();
        }
        if self.port.hit["OVERFLOW_EVICTIONS"] {
            value = value | self.overflow_evictions.cast::<32>();
        }
        if self.port.hit["OVERFLOW_ACCESSES"] {
            value = value | self.overflow_accesses.cast::<32>();
        }
        if self.port.hit["IRQ_STATUS"] {
            value = value | self.irq_status.cast::<32>();
        }
        if self.port.hit["IRQ_ENABLE"] {
            value = value | self.irq_enable.cast::<32>();
        }
        if to_accesses | to_evictions {
            value = value | self.read_count.cast::<32>();
        }

        comment!("The transfer.");
        let refuses_quotas: Bit =
            self.port.hit["POLICY"] & gives & (some_none | (sum != self.ways));
        let refuses_cores: Bit =
            self.port.hit["CORES"] & ((pol1 >= self.cores) | (pol2 >= self.cores) | (pol1 == pol2));
        let refuses_accesses: Bit = self.port.hit["STREAM_ACCESSES"]
            & (!self.port.data.any() | (self.port.data & self.beyond_counter).any());
        self.port.next = RegisterPort {
            hold: false,
            refuse: refuses_quotas | refuses_cores | refuses_accesses,
            value,
            ..self
        };
        self.next = Self {
            policy: self.policy_register.cast::<2>(),
            aware: self.policy_register["POLICY.AWARE"],
            gpu: self.gpu_register,
            sample: self.policy_register["POLICY.SAMPLE"],
            choose: self.choosing,
            choose_pol1: self.pol1_register,
            choose_pol2: self.pol2_register,
            detect: self.policy_register["POLICY.DETECT"],
            stream_accesses: self.accesses_register,
            stream_rate: self.rate_register,
            quota_override: self.policy_register["POLICY.QUOTAS"],
            mask_override: self.policy_register["POLICY.MASKS"],
            ucp_mask_given: self.ucp_mask_register,
            rrip_mask_given: self.rrip_mask_register,
            ..self.port
        };
    }
}
