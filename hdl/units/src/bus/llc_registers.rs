//! `llc_registers`: the registers of `llc_monitor`, budgets and the interrupt.
//!
//! Source: the address map is that of crate `cotenant-registers`; the contention
//! budgets are those of SafeSU's MCCU, here per victim and aggressor.
//!
//! Timing, with a transfer's first cycle t: counters are addressed at t + 1,
//! other registers are read at t + 3; the answer is at t + 4, and so is
//! `snapshot`, `flush` or `map_valid`; other writes take effect at t + 5.
//! A transfer to a limit waits for the sweep of the limits after reset. A pair
//! that is above its limit, or has one and has saturated, when its slot in the scan
//! comes is in DEMOTION_OVER or EVICTION_OVER four cycles later; a round is 2 x
//! KERNELS x KERNELS slots, and a slot waits while the bus reads a counter or
//! accesses a limit. `irq` is one cycle behind IRQ_STATUS and IRQ_ENABLE. After a snapshot the scan compares
//! the counters of the period that ended for one round, then those of the running
//! period again: in a period at least as long as a round, every count above its
//! limit is found, at most one round after the period's end.
//!
//! ASSUMPTION: a limit above what a counter of one bank can hold, other than all ones, is refused:
//! one bank may saturate below it, and then nobody knows whether the sum of the banks
//! exceeds it. Every limit that is taken is exact: a pair is flagged if and only if there
//! were more events.
//! ASSUMPTION: of a period that is shorter than a round, pairs whose slot does
//! not come before the next snapshot are not compared; its matrix has the counts.

use super::{pair_width, BudgetFlags, BudgetScan, PeriodTimer, RegisterPort, ADDRESS_W};
use crate::llc::{flags_width, kid_width, matrix_width, requester_width, total_width};
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::{llc_monitor, llc_registers, LlcParams, MAX_KERNELS, MAX_REQUESTERS};

#[unit(
    source = "crate cotenant-registers",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(BANKS.is_power_of_two(), "BANKS is a power of two"),
    with(map = llc_monitor(&LlcParams {
        ways: WAYS,
        kernels: KERNELS,
        sets: SETS,
        banks: BANKS,
        tag_w: TAG_W,
        cnt_w: CNT_W,
        stages: STAGES,
        requesters: REQUESTERS,
        sce: SCE,
        sampled: SAMPLED,
        mode: MODE,
    }).expect("legal parameters have room")),
    names = map,
    // The port answers for constants by itself, and is as wide as any map needs.
    unused = ["port.hit", "port.row", "port.column"],
)]
mod llc_registers {
    /// Registers of an [`LlcMonitor`](crate::llc::LlcMonitor) with these parameters, or of an
    /// [`LlcCounters`](crate::llc::LlcCounters).
    ///
    /// ```
    /// use cotenant_units::bus::LlcRegisters;
    /// // Ways, kernels, sets per bank, banks; tag, counter; stages, requesters.
    /// let file = <LlcRegisters!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
    /// ```
    pub struct LlcRegisters<
        #[range(2..=64)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        /// 1 in front of [`LlcCounters`](crate::llc::LlcCounters), which has no directory.
        #[range(1..=1 << 24)] const SETS: usize,
        #[range(1..=64)] const BANKS: usize,
        /// 0 in front of it.
        #[range(0..=64)] const TAG_W: usize,
        #[range(1..=32 - clog2(BANKS))] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        #[range(1..=MAX_REQUESTERS)] const REQUESTERS: usize,
        #[range(0..=1)] const SCE: usize = { 0 },
        #[range(0..=SETS)] const SAMPLED: usize = { 0 },
        #[range(0..=1)] const MODE: usize = { 0 },
        const TOTAL_W: usize = { total_width(CNT_W, BANKS) },
        const KID_W: usize = { kid_width(KERNELS) },
        const REQ_W: usize = { requester_width(REQUESTERS) },
        const PAIR_W: usize = { pair_width(KERNELS) },
        const SAMPLERS: usize = { (SAMPLED > 0) as usize },
        const MATRIX_W: usize = { matrix_width(SAMPLED) },
        const FLAGS_W: usize = { flags_width(SCE, SAMPLED) },
        const REGISTERS: usize = { llc_registers(SCE, SAMPLED) },
        const ALONE: usize = { (TAG_W == 0) as usize },
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
        /// The monitor accepts requests.
        pub ready: In<Bit>,
        /// KID of the requester that `map_requester` names.
        pub mapped_kid: In<Bits<KID_W>>,
        /// The counter addressed two cycles before.
        pub read_count: In<Bits<TOTAL_W>>,
        /// That counter has saturated in its period.
        pub read_overflow: In<Bit>,
        /// One bit per victim: a demotion counter saturated in the last period.
        pub overflow_gdc: In<Bits<KERNELS>>,
        /// One bit per victim: an eviction counter saturated in the last period.
        pub overflow_ike: In<Bits<KERNELS>>,
        /// Hits (bit 0), misses (bit 1), share at eviction (bit 2), shares (bit 3) or accesses to
        /// sampled sets (bit 4) saturated in the last period.
        pub overflow_access: In<Bits<FLAGS_W>>,
        /// Snapshots taken, modulo 256.
        pub sequence_number: In<Bits<8>>,
        /// The transfer ends in this cycle; 0 after reset.
        pub done: Out<Bit>,
        /// The transfer failed and had no effect; 0 without `done`.
        pub error: Out<Bit>,
        /// Read data; 0 without `done`, after an error and for a write.
        pub read_data: Out<Bits<32>>,
        /// Invalidate all lines; 0 after reset.
        pub flush: Out<Bit>,
        /// End the period; 0 after reset.
        pub snapshot: Out<Bit>,
        /// Give requester `map_requester` the KID `map_kid`; 0 after reset.
        pub map_valid: Out<Bit>,
        /// The requester to map, or whose KID is read.
        pub map_requester: Out<Bits<REQ_W>>,
        /// Its new KID; below KERNELS with `map_valid`.
        pub map_kid: Out<Bits<KID_W>>,
        /// Which counters to read: 0 GDC, 1 ike, 2 accesses, 3 share at eviction; of the sampled
        /// sets 4 shares, accesses 5 taken, 6 dropped, 7 to lines of others.
        pub read_matrix: Out<Bits<MATRIX_W>>,
        /// Row to read: the victim, or 0 for hits and 1 for misses.
        pub read_victim: Out<Bits<KID_W>>,
        /// Kernel to read: the aggressor, or the kernel that hit or missed.
        pub read_aggressor: Out<Bits<KID_W>>,
        /// Read the counters of the running period.
        pub read_live: Out<Bit>,
        /// An enabled interrupt is pending; active high, 0 after reset.
        pub irq: Out<Bit>,
        /// Without a directory: limits are in force; 0 after reset, while they are set.
        pub limits_ready: [Out<Bit>; ALONE],
        #[given(&map)]
        port: RegisterPort<REGISTERS>,
        timer: PeriodTimer,
        scan: BudgetScan<KERNELS, TOTAL_W>,
        demotions: BudgetFlags<KERNELS>,
        evictions: BudgetFlags<KERNELS>,
        /// IRQ_STATUS.PERIOD.
        period_passed: Reg<Bit>,
        irq_enable: Reg<Bits<3>>,
        irq_register: Reg<Bit>,
        #[value(KERNELS)]
        kernels: Constant<Bits<8>>,
        /// Bits that only a limit has that is above what a counter of one bank can hold.
        #[value(u64::from(u32::MAX) & !((1u64 << CNT_W) - 1))]
        beyond_counter: Constant<Bits<32>>,
    }

    fn update(&mut self) {
        comment!("Address decoding.");
        let row: Bits<KID_W> = self.port.row.cast::<KID_W>();
        let column: Bits<KID_W> = self.port.column.cast::<KID_W>();
        let to_misses: Bit = self.port.hit["MISSES"] | self.port.hit["MISSES_LIVE"];
        let to_accesses: Bit = to_misses | self.port.hit["HITS"] | self.port.hit["HITS_LIVE"];
        let to_evictions: Bit = self.port.hit["IKE"] | self.port.hit["IKE_LIVE"];
        // Counters of the running period, any counters, limits.
        let mut to_live: Bit = self.port.hit["GDC_LIVE"]
            | self.port.hit["IKE_LIVE"]
            | self.port.hit["HITS_LIVE"]
            | self.port.hit["MISSES_LIVE"];
        let mut to_counters: Bit = to_live | to_accesses | to_evictions | self.port.hit["GDC"];
        for _sce in 0..SCE {
            to_live = to_live | self.port.hit["SCE_LIVE"];
            to_counters = to_counters | self.port.hit["SCE_LIVE"] | self.port.hit["SCE"];
        }
        for _sampler in 0..SAMPLERS {
            to_live = to_live
                | self.port.hit["SHARES_LIVE"]
                | self.port.hit["SAMPLED_TAKEN_LIVE"]
                | self.port.hit["SAMPLED_DROPPED_LIVE"]
                | self.port.hit["SAMPLED_SHARED_LIVE"];
            to_counters = to_counters
                | to_live
                | self.port.hit["SHARES"]
                | self.port.hit["SAMPLED_TAKEN"]
                | self.port.hit["SAMPLED_DROPPED"]
                | self.port.hit["SAMPLED_SHARED"];
        }
        let to_limits: Bit = self.port.hit["DEMOTION_LIMIT"] | self.port.hit["EVICTION_LIMIT"];

        comment!("Read port of the counters: the bus has priority over the scan.");
        let reads_counter: Bit = self.port.looks & to_counters;
        self.read_matrix.next = 0;
        self.read_victim.next = self.scan.victim;
        self.read_aggressor.next = self.scan.aggressor;
        self.read_live.next = self.scan.live;
        if self.scan.matrix {
            self.read_matrix.next = 1;
        }
        if reads_counter {
            self.read_matrix.next = 0;
            self.read_victim.next = row;
            self.read_aggressor.next = column;
            self.read_live.next = to_live;
            if to_evictions {
                self.read_matrix.next = 1;
            }
            if to_accesses {
                self.read_matrix.next = 2;
                self.read_victim.next = 0;
                self.read_aggressor.next = row;
                if to_misses {
                    self.read_victim.next = 1;
                }
            }
            for _sce in 0..SCE {
                if self.port.hit["SCE"] | self.port.hit["SCE_LIVE"] {
                    self.read_matrix.next = 3;
                }
            }
            for _sampler in 0..SAMPLERS {
                if self.port.hit["SHARES"] | self.port.hit["SHARES_LIVE"] {
                    self.read_matrix.next = 4;
                }
                if self.port.hit["SAMPLED_TAKEN"] | self.port.hit["SAMPLED_TAKEN_LIVE"] {
                    self.read_matrix.next = 5;
                }
                if self.port.hit["SAMPLED_DROPPED"] | self.port.hit["SAMPLED_DROPPED_LIVE"] {
                    self.read_matrix.next = 6;
                }
                if self.port.hit["SAMPLED_SHARED"] | self.port.hit["SAMPLED_SHARED_LIVE"] {
                    self.read_matrix.next = 7;
                }
            }
        }

        comment!("Snapshots, by CONTROL and by the timer.");
        self.timer.set.next = self.port.writes & self.port.hit["PERIOD"];
        self.timer.cycles.next = self.port.data;
        let controls: Bit = self.port.writes & self.port.hit["CONTROL"];
        let ends: Bit = (controls & self.port.data["CONTROL.SNAPSHOT"]) | self.timer.expires;
        self.snapshot.next = ends;
        self.flush.next = controls & self.port.data["CONTROL.FLUSH"];

        comment!("The scan and the flags of exceeded budgets.");
        let reads_limit: Bit = self.port.looks & to_limits;
        let writes_limit: Bit = self.port.writes & to_limits;
        self.scan.next = BudgetScan {
            pause: reads_counter | reads_limit | writes_limit,
            snapshot: ends,
            count: self.read_count,
            saturated: self.read_overflow,
            limit_read: reads_limit,
            limit_write: writes_limit,
            limit_matrix: self.port.hit["EVICTION_LIMIT"],
            limit_victim: row,
            limit_aggressor: column,
            limit_data: self.port.data,
        };
        self.demotions.next = BudgetFlags {
            exceeded: self.scan.exceeded & !self.scan.exceeded_matrix,
            victim: row,
            clear: self.port.writes & self.port.hit["DEMOTION_OVER"],
            set_mask: self.port.writes & self.port.hit["DEMOTION_MASK"],
            data: self.port.data.cast::<KERNELS>(),
            ..self.scan
        };
        self.evictions.next = BudgetFlags {
            exceeded: self.scan.exceeded & self.scan.exceeded_matrix,
            victim: row,
            clear: self.port.writes & self.port.hit["EVICTION_OVER"],
            set_mask: self.port.writes & self.port.hit["EVICTION_MASK"],
            data: self.port.data.cast::<KERNELS>(),
            ..self.scan
        };

        for n in 0..ALONE {
            self.limits_ready[n].next = !self.scan.sweeping;
        }

        comment!("The table of requesters.");
        let written_kid: Bits<8> = self.port.data.cast::<8>();
        self.map_valid.next = self.port.writes & self.port.hit["MAP"];
        self.map_requester.next = self.port.row.cast::<REQ_W>();
        self.map_kid.next = written_kid.cast::<KID_W>();

        comment!("The interrupt.");
        let mut irq_status: Bits<3> = 0;
        irq_status = irq_status.replace_bit("IRQ_STATUS.DEMOTION", self.demotions.raised);
        irq_status = irq_status.replace_bit("IRQ_STATUS.EVICTION", self.evictions.raised);
        irq_status = irq_status.replace_bit("IRQ_STATUS.PERIOD", self.period_passed);
        self.period_passed.next = self.timer.expires
            | (self.period_passed
                & !(self.port.writes
                    & self.port.hit["IRQ_STATUS"]
                    & self.port.data["IRQ_STATUS.PERIOD"]));
        if self.port.writes & self.port.hit["IRQ_ENABLE"] {
            self.irq_enable.next = self.port.data.cast::<3>();
        }
        self.irq_register.next = (irq_status & self.irq_enable).any();
        self.irq.next = self.irq_register;

        comment!("Read data.");
        let mut status: Bits<32> = self.sequence_number.cast::<32>() << "STATUS.SEQUENCE";
        status = status.replace_bit("STATUS.READY", self.ready & !self.scan.sweeping);
        let mut value: Bits<32> = 0;
        if self.port.hit["STATUS"] {
            value = value | status;
        }
        if self.port.hit["PERIOD"] {
            value = value | self.timer.period;
        }
        if self.port.hit["IRQ_STATUS"] {
            value = value | irq_status.cast::<32>();
        }
        if self.port.hit["IRQ_ENABLE"] {
            value = value | self.irq_enable.cast::<32>();
        }
        if self.port.hit["OVERFLOW_GDC"] {
            value = value | self.overflow_gdc.cast::<32>();
        }
        if self.port.hit["OVERFLOW_IKE"] {
            value = value | self.overflow_ike.cast::<32>();
        }
        if self.port.hit["OVERFLOW_ACCESS"] {
            value = value | self.overflow_access.cast::<32>();
        }
        if self.port.hit["DEMOTION_OVER"] {
            value = value | self.demotions.over.cast::<32>();
        }
        if self.port.hit["EVICTION_OVER"] {
            value = value | self.evictions.over.cast::<32>();
        }
        if self.port.hit["DEMOTION_MASK"] {
            value = value | self.demotions.mask.cast::<32>();
        }
        if self.port.hit["EVICTION_MASK"] {
            value = value | self.evictions.mask.cast::<32>();
        }
        if self.port.hit["MAP"] {
            value = value | self.mapped_kid.cast::<32>();
        }
        if to_counters {
            value = value | self.read_count.cast::<32>();
        }
        if to_limits {
            value = value | self.scan.limit;
        }

        comment!("The transfer.");
        let refuses_kid: Bit = self.port.hit["MAP"] & (written_kid >= self.kernels);
        // All ones stand for no limit.
        let refuses_limit: Bit =
            to_limits & (self.port.data & self.beyond_counter).any() & !self.port.data.all();
        self.port.next = RegisterPort {
            hold: to_limits & self.scan.sweeping,
            refuse: refuses_kid | refuses_limit,
            value,
            ..self
        };
        self.next = Self { ..self.port };
    }
}
