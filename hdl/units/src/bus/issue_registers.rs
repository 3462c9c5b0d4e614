//! `issue_registers`: the registers of `mem_issue`.
//!
//! Source: crate `cotenant-registers` says what is where.
//!
//! Timing, with a transfer's first cycle t: registers are read at t + 3, the
//! answer is at t + 4, and so is `set_valid`. A snapshot by CONTROL captures its
//! inputs as of t + 4.
//!
//! ASSUMPTION: what a snapshot captures is 0 before the first.

use super::{high_words, lsb_of, place_of, RegisterPort, ADDRESS_W};
use crate::prim::Reg;
use crate::sm::{credit_width, kid_width};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use cotenant_registers::{mem_issue, IssueParams, ISSUE_REGISTERS};
use std::array::from_fn;

/// Registers of a [`MemIssue`](crate::sm::MemIssue) with these parameters.
///
/// Derived: `KID_W`, `COUNTS_W`, `QUOTA_W`, `QUOTAS_W` as there; `N_HIGH` = 1 if a
/// quota has more than 32 bits, else 0.
///
/// ```
/// // Kernels, MILG, QBMI; failure counter, release, cap; counts, interval, limit.
/// let file = <cotenant_units::issue_registers!(2, 1, 1, 12, 0, 0, 7, 10, 5)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct IssueRegisters<
    const KERNELS: usize,
    const LIMITER: usize,
    const PRIORITY: usize,
    const FAIL_W: usize,
    const RELEASE: usize,
    const CAP: usize,
    const COUNT_W: usize,
    const INTERVAL_W: usize,
    const LIMIT_W: usize,
    const KID_W: usize,
    const COUNTS_W: usize,
    const QUOTA_W: usize,
    const QUOTAS_W: usize,
    const N_HIGH: usize,
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
    /// One bit a kernel: it runs here.
    pub active: Signal<In, Bits<KERNELS>>,
    /// One bit a kernel: its limit lets it issue.
    pub allow: Signal<In, Bits<KERNELS>>,
    /// Memory instructions in flight, COUNT_W bits a kernel, kernel 0 lowest.
    pub in_flight: Signal<In, Bits<COUNTS_W>>,
    /// Memory instructions that may be in flight, COUNT_W bits a kernel.
    pub limit: Signal<In, Bits<COUNTS_W>>,
    /// One bit a kernel: it has no limit.
    pub unlimited: Signal<In, Bits<KERNELS>>,
    /// Instructions that each kernel has left, QUOTA_W bits a kernel.
    pub quota: Signal<In, Bits<QUOTAS_W>>,
    /// The transfer is over; 0 after reset.
    pub done: Signal<Out, Bit>,
    /// It had no effect; 0 without `done`.
    pub error: Signal<Out, Bit>,
    /// What was read; 0 without `done`, with an error and of a write.
    pub read_data: Signal<Out, Bits<32>>,
    /// There is a new static limit; 0 after reset.
    pub set_valid: Signal<Out, Bit>,
    /// KID of its kernel; below KERNELS with `set_valid`.
    pub set_kid: Signal<Out, Bits<KID_W>>,
    /// Memory instructions that may be in flight; at least 1 with `set_valid` and without `set_unlimited`.
    pub set_limit: Signal<Out, Bits<LIMIT_W>>,
    /// The new limit is none.
    pub set_unlimited: Signal<Out, Bit>,
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
    snapshots: Signal<Local, Bit>,
    /// Of the row's kernel: counts, quota.
    one_in_flight: Signal<Local, Bits<COUNT_W>>,
    one_limit: Signal<Local, Bits<COUNT_W>>,
    one_limit_now: Signal<Local, Bits<COUNT_W>>,
    one_unlimited_now: Signal<Local, Bit>,
    one_quota: Signal<Local, Bits<QUOTA_W>>,
    /// The limit written; `no_limit` beside it.
    written: Signal<Local, Bits<16>>,
    no_limit: Signal<Local, Bit>,
    value: Signal<Local, Bits<32>>,
    largest: Constant<Bits<16>>,
    count_w: Constant<Bits<8>>,
    quota_w: Constant<Bits<8>>,
    word_w: Constant<Bits<8>>,
    // Where registers are in the description, and fields in registers.
    at_status: Constant<Bits<8>>,
    at_control: Constant<Bits<8>>,
    at_active: Constant<Bits<8>>,
    at_allow: Constant<Bits<8>>,
    at_unlimited: Constant<Bits<8>>,
    at_in_flight: Constant<Bits<8>>,
    at_limit: Constant<Bits<8>>,
    at_quota: Constant<Bits<8>>,
    at_quota_high: Constant<Bits<8>>,
    at_set_limit: Constant<Bits<8>>,
    sequence_lsb: Constant<Bits<8>>,
    snapshot_lsb: Constant<Bits<8>>,
    unlimited_lsb: Constant<Bits<8>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const QUOTA_W: usize,
        const QUOTAS_W: usize,
        const N_HIGH: usize,
    > Default
    for IssueRegisters<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        KID_W,
        COUNTS_W,
        QUOTA_W,
        QUOTAS_W,
        N_HIGH,
    >
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= 16 && COUNT_W >= 1 && COUNT_W <= 16,
                "issue_registers: KERNELS is 1 to 16, COUNT_W 1 to 16"
            );
            assert!(
                LIMIT_W >= 1 && LIMIT_W <= COUNT_W && FAIL_W <= 255 && LIMITER <= 1,
                "issue_registers: LIMIT_W is 1 to COUNT_W, FAIL_W at most 255, LIMITER 0 or 1"
            );
            assert!(
                FAIL_W >= 1 && INTERVAL_W >= 1 && PRIORITY <= 1 && RELEASE <= 1 && CAP <= 1,
                "issue_registers: PRIORITY, RELEASE and CAP are 0 or 1, widths at least 1"
            );
            assert!(
                KID_W == kid_width(KERNELS) && COUNTS_W == KERNELS * COUNT_W,
                "issue_registers: KID_W and COUNTS_W follow from KERNELS and COUNT_W"
            );
            assert!(
                QUOTA_W == credit_width(KERNELS, INTERVAL_W)
                    && QUOTA_W <= 64
                    && QUOTAS_W == KERNELS * QUOTA_W
                    && N_HIGH == high_words(QUOTA_W),
                "issue_registers: QUOTA_W, QUOTAS_W and N_HIGH follow from KERNELS and INTERVAL_W"
            );
        }
        let params = IssueParams {
            kernels: KERNELS,
            limiter: LIMITER,
            priority: PRIORITY,
            fail_w: FAIL_W,
            release: RELEASE,
            cap: CAP,
            count_w: COUNT_W,
            interval_w: INTERVAL_W,
            limit_w: LIMIT_W,
            quota_w: QUOTA_W,
        };
        let map = mem_issue(&params).expect("the space has room: asserted above");
        let about = About::new("issue_registers");
        let about = map
            .parameters
            .iter()
            .fold(about, |about, (name, value)| about.parameter(name, *value));
        IssueRegisters {
            clock: Default::default(),
            reset: Default::default(),
            select: Default::default(),
            write: Default::default(),
            address: Default::default(),
            write_data: Default::default(),
            strobe: Default::default(),
            active: Default::default(),
            allow: Default::default(),
            in_flight: Default::default(),
            limit: Default::default(),
            unlimited: Default::default(),
            quota: Default::default(),
            done: Default::default(),
            error: Default::default(),
            read_data: Default::default(),
            set_valid: Default::default(),
            set_kid: Default::default(),
            set_limit: Default::default(),
            set_unlimited: Default::default(),
            port: RegisterPort::new(&map),
            sequence: Default::default(),
            active_then: Default::default(),
            allow_then: Default::default(),
            unlimited_then: Default::default(),
            in_flight_then: from_fn(|_| Default::default()),
            limit_then: from_fn(|_| Default::default()),
            quota_then: from_fn(|_| Default::default()),
            snapshots: Default::default(),
            one_in_flight: Default::default(),
            one_limit: Default::default(),
            one_limit_now: Default::default(),
            one_unlimited_now: Default::default(),
            one_quota: Default::default(),
            written: Default::default(),
            no_limit: Default::default(),
            value: Default::default(),
            largest: Constant::new(((1u64 << LIMIT_W) - 1).into()),
            count_w: Constant::new(COUNT_W.to_bits()),
            quota_w: Constant::new(QUOTA_W.to_bits()),
            word_w: Constant::new(32.into()),
            at_status: place_of(&map, "STATUS"),
            at_control: place_of(&map, "CONTROL"),
            at_active: place_of(&map, "ACTIVE"),
            at_allow: place_of(&map, "ALLOW"),
            at_unlimited: place_of(&map, "UNLIMITED"),
            at_in_flight: place_of(&map, "IN_FLIGHT"),
            at_limit: place_of(&map, "LIMIT"),
            at_quota: place_of(&map, "QUOTA"),
            at_quota_high: place_of(&map, "QUOTA_HIGH"),
            at_set_limit: place_of(&map, "SET_LIMIT"),
            sequence_lsb: lsb_of(&map, "STATUS", "SEQUENCE"),
            snapshot_lsb: lsb_of(&map, "CONTROL", "SNAPSHOT"),
            unlimited_lsb: lsb_of(&map, "SET_LIMIT", "UNLIMITED"),
            // The port answers for constants by itself, and is made for matrices, too.
            about: about
                .documented_in(include_str!("issue_registers.rs"))
                .unused("port.hit")
                .unused("port.column")
                .unused("port.looks")
                .unused("port.data"),
        }
    }
}

impl<
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const QUOTA_W: usize,
        const QUOTAS_W: usize,
        const N_HIGH: usize,
    > Logic
    for IssueRegisters<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        KID_W,
        COUNTS_W,
        QUOTA_W,
        QUOTAS_W,
        N_HIGH,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            port,
            sequence,
            active_then,
            allow_then,
            unlimited_then
        );
        self.port.reset.next = self.reset.val();
        self.sequence.reset.next = self.reset.val();
        self.active_then.reset.next = self.reset.val();
        self.allow_then.reset.next = self.reset.val();
        self.unlimited_then.reset.next = self.reset.val();

        comment!("The transfer.");
        self.port.select.next = self.select.val();
        self.port.write.next = self.write.val();
        self.port.address.next = self.address.val();
        self.port.write_data.next = self.write_data.val();
        self.port.strobe.next = self.strobe.val();
        self.port.hold.next = false;
        self.done.next = self.port.done.val();
        self.error.next = self.port.error.val();
        self.read_data.next = self.port.read_data.val();

        comment!("The snapshot.");
        self.snapshots.next = self.port.writes.val()
            & self.port.hit.val().get_bit(self.at_control.val().index())
            & self
                .port
                .data
                .val()
                .get_bit(self.snapshot_lsb.val().index());
        self.sequence.d.next = self.sequence.q.val();
        self.active_then.d.next = self.active_then.q.val();
        self.allow_then.d.next = self.allow_then.q.val();
        self.unlimited_then.d.next = self.unlimited_then.q.val();
        if self.snapshots.val() {
            self.sequence.d.next = self.sequence.q.val() + 1;
            self.active_then.d.next = self.active.val();
            self.allow_then.d.next = self.allow.val();
            self.unlimited_then.d.next = self.unlimited.val();
        }
        for k in 0..KERNELS {
            self.in_flight_then[k].clock.next = self.clock.val();
            self.in_flight_then[k].reset.next = self.reset.val();
            self.in_flight_then[k].d.next = self.in_flight_then[k].q.val();
            self.limit_then[k].clock.next = self.clock.val();
            self.limit_then[k].reset.next = self.reset.val();
            self.limit_then[k].d.next = self.limit_then[k].q.val();
            self.quota_then[k].clock.next = self.clock.val();
            self.quota_then[k].reset.next = self.reset.val();
            self.quota_then[k].d.next = self.quota_then[k].q.val();
            if self.snapshots.val() {
                self.in_flight_then[k].d.next = self
                    .in_flight
                    .val()
                    .get_bits::<COUNT_W>(k * self.count_w.val().index());
                self.limit_then[k].d.next = self
                    .limit
                    .val()
                    .get_bits::<COUNT_W>(k * self.count_w.val().index());
                self.quota_then[k].d.next = self
                    .quota
                    .val()
                    .get_bits::<QUOTA_W>(k * self.quota_w.val().index());
            }
        }

        comment!("A limit that software sets.");
        self.written.next = bit_cast::<16, 32>(self.port.data.val());
        self.no_limit.next = self
            .port
            .data
            .val()
            .get_bit(self.unlimited_lsb.val().index());
        self.port.refuse.next = self.port.hit.val().get_bit(self.at_set_limit.val().index())
            & !self.no_limit.val()
            & (!self.written.val().any() | (self.written.val() > self.largest.val()));
        self.set_valid.next =
            self.port.writes.val() & self.port.hit.val().get_bit(self.at_set_limit.val().index());
        self.set_kid.next = bit_cast::<KID_W, 8>(self.port.row.val());
        self.set_limit.next = bit_cast::<LIMIT_W, 16>(self.written.val());
        self.set_unlimited.next = self.no_limit.val();

        comment!("What is read.");
        self.one_in_flight.next = 0.into();
        self.one_limit.next = 0.into();
        self.one_limit_now.next = 0.into();
        self.one_unlimited_now.next = false;
        self.one_quota.next = 0.into();
        for k in 0..KERNELS {
            if self.port.row.val() == k.to_bits::<8>() {
                self.one_in_flight.next = self.in_flight_then[k].q.val();
                self.one_limit.next = self.limit_then[k].q.val();
                self.one_limit_now.next = self
                    .limit
                    .val()
                    .get_bits::<COUNT_W>(k * self.count_w.val().index());
                self.one_unlimited_now.next = self.unlimited.val().get_bit(k);
                self.one_quota.next = self.quota_then[k].q.val();
            }
        }
        self.value.next = 0.into();
        if self.port.hit.val().get_bit(self.at_status.val().index()) {
            self.value.next = self.value.val()
                | (bit_cast::<32, 8>(self.sequence.q.val()) << self.sequence_lsb.val());
        }
        if self.port.hit.val().get_bit(self.at_active.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.active_then.q.val());
        }
        if self.port.hit.val().get_bit(self.at_allow.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, KERNELS>(self.allow_then.q.val());
        }
        if self.port.hit.val().get_bit(self.at_unlimited.val().index()) {
            self.value.next =
                self.value.val() | bit_cast::<32, KERNELS>(self.unlimited_then.q.val());
        }
        if self.port.hit.val().get_bit(self.at_in_flight.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, COUNT_W>(self.one_in_flight.val());
        }
        if self.port.hit.val().get_bit(self.at_limit.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, COUNT_W>(self.one_limit.val());
        }
        if self.port.hit.val().get_bit(self.at_quota.val().index()) {
            self.value.next = self.value.val() | bit_cast::<32, QUOTA_W>(self.one_quota.val());
        }
        for _high in 0..N_HIGH {
            if self
                .port
                .hit
                .val()
                .get_bit(self.at_quota_high.val().index())
            {
                self.value.next = self.value.val()
                    | bit_cast::<32, QUOTA_W>(self.one_quota.val() >> self.word_w.val());
            }
        }
        if self.port.hit.val().get_bit(self.at_set_limit.val().index()) {
            self.value.next =
                (self.value.val() | bit_cast::<32, COUNT_W>(self.one_limit_now.val())).replace_bit(
                    self.unlimited_lsb.val().index(),
                    self.one_unlimited_now.val(),
                );
        }
        self.port.value.next = self.value.val();
    }
}

unit! {
    [
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
        const KID_W: usize,
        const COUNTS_W: usize,
        const QUOTA_W: usize,
        const QUOTAS_W: usize,
        const N_HIGH: usize,
    ]
    IssueRegisters<
        KERNELS,
        LIMITER,
        PRIORITY,
        FAIL_W,
        RELEASE,
        CAP,
        COUNT_W,
        INTERVAL_W,
        LIMIT_W,
        KID_W,
        COUNTS_W,
        QUOTA_W,
        QUOTAS_W,
        N_HIGH,
    >: clock;
    in reset, select, write, address, write_data, strobe, active, allow, in_flight, limit, unlimited, quota;
    out done, error, read_data, set_valid, set_kid, set_limit, set_unlimited
}

/// The type of an [`IssueRegisters`](crate::bus::IssueRegisters): as
/// [`mem_issue!`](crate::mem_issue).
#[macro_export]
macro_rules! issue_registers {
    (
        $kernels:expr, $limiter:expr, $priority:expr, $fail_w:expr, $release:expr, $cap:expr,
        $count_w:expr, $interval_w:expr, $limit_w:expr
    ) => {
        $crate::bus::IssueRegisters<
            { $kernels },
            { $limiter },
            { $priority },
            { $fail_w },
            { $release },
            { $cap },
            { $count_w },
            { $interval_w },
            { $limit_w },
            { $crate::sm::kid_width($kernels) },
            { $kernels * $count_w },
            { $crate::sm::credit_width($kernels, $interval_w) },
            { $kernels * $crate::sm::credit_width($kernels, $interval_w) },
            { $crate::bus::high_words($crate::sm::credit_width($kernels, $interval_w)) },
        >
    };
}
