//! `issue_registers`: the registers of `mem_issue`.
//!
//! Source: the address map is that of crate `cotenant-registers`.
//!
//! Timing, with a transfer's first cycle t: registers are read at t + 3, the
//! answer is at t + 4, and so is `set_valid`. A snapshot by CONTROL captures its
//! inputs as of t + 4.
//!
//! ASSUMPTION: what a snapshot captures is 0 before the first.

use super::{RegisterPort, ADDRESS_W};
use crate::sm::{credit_width, kid_width, MAX_KERNELS};
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::{mem_issue, IssueParams, ISSUE_REGISTERS};

#[unit(
    source = "crate cotenant-registers",
    with(map = mem_issue(&IssueParams {
        kernels: KERNELS,
        limiter: LIMITER,
        priority: PRIORITY,
        fail_w: FAIL_W,
        release: RELEASE,
        cap: CAP,
        lag: LAG,
        count_w: COUNT_W,
        interval_w: INTERVAL_W,
        limit_w: LIMIT_W,
        quota_w: QUOTA_W,
    }).expect("legal parameters have room")),
    names = map,
    // The port answers for constants by itself, and is made for matrices, too.
    unused = ["port.hit", "port.column", "port.looks", "port.data"],
)]
mod issue_registers {
    /// Registers of a [`MemIssue`](crate::sm::MemIssue) with these parameters.
    ///
    /// `N_HIGH` is 1 if a quota has more than 32 bits, else 0.
    ///
    /// ```
    /// use cotenant_units::bus::IssueRegisters;
    /// // Kernels, MILG, QBMI; failure counter, release, cap, lag; counts, interval, limit.
    /// let file = <IssueRegisters!(2, 1, 1, 12, 0, 0, 0, 7, 10, 5)>::default();
    /// ```
    pub struct IssueRegisters<
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(0..=1)] const LIMITER: usize,
        #[range(0..=1)] const PRIORITY: usize,
        #[range(1..=255)] const FAIL_W: usize,
        #[range(0..=3)] const RELEASE: usize,
        #[range(0..=1)] const CAP: usize,
        #[range(0..=3)] const LAG: usize,
        #[range(1..=16)] const COUNT_W: usize,
        #[range(1..=255)] const INTERVAL_W: usize,
        #[range(1..=COUNT_W)] const LIMIT_W: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const COUNTS_W: usize = { KERNELS * COUNT_W },
        const QUOTA_W: usize = { credit_width(KERNELS, INTERVAL_W) },
        const QUOTAS_W: usize = { KERNELS * QUOTA_W },
        const N_HIGH: usize = { (QUOTA_W > 32) as usize },
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
        /// One bit per kernel: it is active on this SM.
        pub active: In<Bits<KERNELS>>,
        /// One bit per kernel: its limit allows it to issue.
        pub allow: In<Bits<KERNELS>>,
        /// Memory instructions in flight; kernel 0 lowest.
        pub in_flight: In<[Bits<COUNT_W>; KERNELS]>,
        /// Memory instructions that may be in flight; kernel 0 lowest.
        pub limit: In<[Bits<COUNT_W>; KERNELS]>,
        /// One bit per kernel: it has no limit.
        pub unlimited: In<Bits<KERNELS>>,
        /// Instructions that each kernel has left; kernel 0 lowest.
        pub quota: In<[Bits<QUOTA_W>; KERNELS]>,
        /// The transfer ends in this cycle; 0 after reset.
        pub done: Out<Bit>,
        /// The transfer failed and had no effect; 0 without `done`.
        pub error: Out<Bit>,
        /// Read data; 0 without `done`, after an error and for a write.
        pub read_data: Out<Bits<32>>,
        /// A new static limit is set; 0 after reset.
        pub set_valid: Out<Bit>,
        /// Kernel of the new limit; below KERNELS with `set_valid`.
        pub set_kid: Out<Bits<KID_W>>,
        /// Memory instructions that may be in flight; at least 1 with `set_valid` and without
        /// `set_unlimited`.
        pub set_limit: Out<Bits<LIMIT_W>>,
        /// The kernel is set to have no limit.
        pub set_unlimited: Out<Bit>,
        #[given(&map)]
        port: RegisterPort<ISSUE_REGISTERS>,
        /// Snapshots taken, modulo 256.
        sequence: Reg<Bits<8>>,
        /// What the last snapshot captured.
        active_then: Reg<Bits<KERNELS>>,
        allow_then: Reg<Bits<KERNELS>>,
        unlimited_then: Reg<Bits<KERNELS>>,
        in_flight_then: [Reg<Bits<COUNT_W>>; KERNELS],
        limit_then: [Reg<Bits<COUNT_W>>; KERNELS],
        quota_then: [Reg<Bits<QUOTA_W>>; KERNELS],
        #[value((1u64 << LIMIT_W) - 1)]
        largest: Constant<Bits<16>>,
    }

    fn update(&mut self) {
        comment!("The snapshot.");
        let snapshots: Bit =
            self.port.writes & self.port.hit["CONTROL"] & self.port.data["CONTROL.SNAPSHOT"];
        if snapshots {
            self.sequence.next = self.sequence + 1;
            self.active_then.next = self.active;
            self.allow_then.next = self.allow;
            self.unlimited_then.next = self.unlimited;
        }
        for k in 0..KERNELS {
            if snapshots {
                self.in_flight_then[k].next = self.in_flight[k];
                self.limit_then[k].next = self.limit[k];
                self.quota_then[k].next = self.quota[k];
            }
        }

        comment!("A limit written by software.");
        // The limit written; `no_limit` beside it.
        let written: Bits<16> = self.port.data.cast::<16>();
        let no_limit: Bit = self.port.data["SET_LIMIT.UNLIMITED"];
        let refuse: Bit =
            self.port.hit["SET_LIMIT"] & !no_limit & (!written.any() | (written > self.largest));
        self.set_valid.next = self.port.writes & self.port.hit["SET_LIMIT"];
        self.set_kid.next = self.port.row.cast::<KID_W>();
        self.set_limit.next = written.cast::<LIMIT_W>();
        self.set_unlimited.next = no_limit;

        comment!("Read data.");
        // Of the row's kernel: counts, quota.
        let mut one_in_flight: Bits<COUNT_W> = 0;
        let mut one_limit: Bits<COUNT_W> = 0;
        let mut one_limit_now: Bits<COUNT_W> = 0;
        let mut one_unlimited_now: Bit = false;
        let mut one_quota: Bits<QUOTA_W> = 0;
        for k in 0..KERNELS {
            if self.port.row == k.to_bits::<8>() {
                one_in_flight = self.in_flight_then[k];
                one_limit = self.limit_then[k];
                one_limit_now = self.limit[k];
                one_unlimited_now = self.unlimited[k];
                one_quota = self.quota_then[k];
            }
        }
        let mut value: Bits<32> = 0;
        if self.port.hit["STATUS"] {
            value = value | (self.sequence.cast::<32>() << "STATUS.SEQUENCE");
        }
        if self.port.hit["ACTIVE"] {
            value = value | self.active_then.cast::<32>();
        }
        if self.port.hit["ALLOW"] {
            value = value | self.allow_then.cast::<32>();
        }
        if self.port.hit["UNLIMITED"] {
            value = value | self.unlimited_then.cast::<32>();
        }
        if self.port.hit["IN_FLIGHT"] {
            value = value | one_in_flight.cast::<32>();
        }
        if self.port.hit["LIMIT"] {
            value = value | one_limit.cast::<32>();
        }
        if self.port.hit["QUOTA"] {
            value = value | one_quota.cast::<32>();
        }
        for _high in 0..N_HIGH {
            if self.port.hit["QUOTA_HIGH"] {
                value = value | (one_quota >> bits::<8>(32)).cast::<32>();
            }
        }
        if self.port.hit["SET_LIMIT"] {
            value = (value | one_limit_now.cast::<32>())
                .replace_bit("SET_LIMIT.UNLIMITED", one_unlimited_now);
        }

        comment!("The transfer.");
        self.port.next = RegisterPort {
            hold: false,
            refuse,
            value,
            ..self
        };
        self.next = Self { ..self.port };
    }
}
