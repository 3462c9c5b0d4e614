//! `counter_matrix`: event counters, one a pair of victim and aggressor, read by snapshots.
//!
//! Source: GDC, section III-A, figure 2, the counters `GDC[victim][aggressor]`:
//! one adder a victim, and of a victim's counters only that of the accessing
//! kernel changes. The paper leaves open how software reads them. What a row
//! counts is up to the user; the words here are those of the GDCU, where a row
//! is a victim.
//!
//! Timing: an increment at cycle t is in `count` at t + 1. A snapshot at t
//! copies the counters into the shadow registers and clears them; `overflow`
//! and `sequence_number` follow at t + 1. `read_count` at t + 1 is the shadow
//! register addressed at t, so after a snapshot at t the first address worth
//! giving is that of t + 1. With `read_live` at t it is the counter itself, as
//! of t: without the increment of that cycle.
//!
//! ASSUMPTION: a counter that would pass its limit stays there and marks its
//! victim's row; the next snapshot hands that mark to the reader.
//! ASSUMPTION: an increment that arrives together with a snapshot opens the
//! new period, so that nothing is lost or counted twice.

use super::{kid_width, KidDemux, MAX_KERNELS};
use crate::prim::{Reg, SaturatingAdder};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Counter matrix of `ROWS` x `KERNELS` counters of `CNT_W` bits; `ROWS` is
/// `KERNELS` where a row is a victim.
///
/// Derived: `ROW_W` = max(1, clog2 ROWS) or more, `KID_W` = max(1, clog2 KERNELS),
/// `INCS_W` = ROWS x INC_W, `SUM_W` = CNT_W + 1.
///
/// ```
/// let matrix = <cotenant_units::counter_matrix!(4, 5, 21)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct CounterMatrix<
    const ROWS: usize,
    const KERNELS: usize,
    const INC_W: usize,
    const CNT_W: usize,
    const ROW_W: usize,
    const KID_W: usize,
    const INCS_W: usize,
    const SUM_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: all counters, shadows and flags to zero.
    pub reset: Signal<In, Bit>,
    /// There are increments; active high.
    pub inc_valid: Signal<In, Bit>,
    /// KID of the aggressor that causes them; below KERNELS.
    pub inc_kid: Signal<In, Bits<KID_W>>,
    /// Events that each victim suffers, INC_W bits a victim, victim 0 lowest.
    pub inc: Signal<In, Bits<INCS_W>>,
    /// Ends the period: copies the counters and clears them; active high.
    pub snapshot: Signal<In, Bit>,
    /// Victim of the counter to read; below ROWS, others read 0.
    pub read_victim: Signal<In, Bits<ROW_W>>,
    /// Aggressor of the counter to read; below KERNELS, others read 0.
    pub read_aggressor: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Events in the last period, or with `read_live` in the running one, of
    /// the pair addressed one cycle before;
    /// CNT_W bits, saturating; 0 after reset.
    pub read_count: Signal<Out, Bits<CNT_W>>,
    /// One bit a victim: a counter of its row saturated in the last period;
    /// 0 after reset.
    pub overflow: Signal<Out, Bits<ROWS>>,
    /// Snapshots taken, modulo 256: tells a reader that another one came in
    /// between; 0 after reset.
    pub sequence_number: Signal<Out, Bits<8>>,
    /// The running counters, by victim and aggressor.
    count: [[Reg<Bits<CNT_W>>; KERNELS]; ROWS],
    /// The counters of the last period.
    shadow: [[Reg<Bits<CNT_W>>; KERNELS]; ROWS],
    /// One bit a victim: saturated in the running period.
    live_overflow: Reg<Bits<ROWS>>,
    /// The same of the last period.
    overflow_bits: Reg<Bits<ROWS>>,
    sequence_register: Reg<Bits<8>>,
    read_register: Reg<Bits<CNT_W>>,
    /// Whose counters change: one-hot by aggressor.
    inc_demux: KidDemux<KERNELS, KID_W>,
    /// Which counters are read.
    victim_demux: KidDemux<ROWS, ROW_W>,
    aggressor_demux: KidDemux<KERNELS, KID_W>,
    live_demux: KidDemux<KERNELS, KID_W>,
    /// One a victim.
    adder: [SaturatingAdder<CNT_W, INC_W, SUM_W>; ROWS],
    /// Aggressors whose counters are carried on from the running period.
    carried: Signal<Local, Bits<KERNELS>>,
    /// What each adder adds to.
    base: [Signal<Local, Bits<CNT_W>>; ROWS],
    /// Adders that saturate in this cycle.
    saturated: Signal<Local, Bits<ROWS>>,
    /// What is read of each victim and the aggressor addressed.
    column: [Signal<Local, Bits<CNT_W>>; ROWS],
    read: Signal<Local, Bits<CNT_W>>,
    inc_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const ROWS: usize,
        const KERNELS: usize,
        const INC_W: usize,
        const CNT_W: usize,
        const ROW_W: usize,
        const KID_W: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    > Default for CounterMatrix<ROWS, KERNELS, INC_W, CNT_W, ROW_W, KID_W, INCS_W, SUM_W>
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "counter_matrix: KERNELS is 1 to 64"
            );
            assert!(
                ROWS >= 1 && ROWS <= MAX_KERNELS,
                "counter_matrix: ROWS is 1 to 64"
            );
            assert!(
                ROW_W >= kid_width(ROWS),
                "counter_matrix: ROW_W is at least max(1, clog2 ROWS)"
            );
            assert!(
                INC_W >= 1 && INC_W <= CNT_W,
                "counter_matrix: INC_W is 1 to CNT_W"
            );
            assert!(CNT_W <= 64, "counter_matrix: CNT_W is at most 64");
            assert!(
                KID_W == kid_width(KERNELS),
                "counter_matrix: KID_W is max(1, clog2 KERNELS)"
            );
            assert!(
                INCS_W == ROWS * INC_W,
                "counter_matrix: INCS_W is ROWS x INC_W"
            );
            assert!(SUM_W == CNT_W + 1, "counter_matrix: SUM_W is CNT_W + 1");
        }
        let about = About::new("counter_matrix")
            .parameter("KERNELS", KERNELS)
            .parameter("INC_W", INC_W)
            .parameter("CNT_W", CNT_W)
            .citing("GDC, section III-A, figure 2")
            .documented_in(include_str!("counter_matrix.rs"));
        CounterMatrix {
            clock: Default::default(),
            reset: Default::default(),
            inc_valid: Default::default(),
            inc_kid: Default::default(),
            inc: Default::default(),
            snapshot: Default::default(),
            read_victim: Default::default(),
            read_aggressor: Default::default(),
            read_live: Default::default(),
            read_count: Default::default(),
            overflow: Default::default(),
            sequence_number: Default::default(),
            count: from_fn(|_| from_fn(|_| Reg::default())),
            shadow: from_fn(|_| from_fn(|_| Reg::default())),
            live_overflow: Reg::default(),
            overflow_bits: Reg::default(),
            sequence_register: Reg::default(),
            read_register: Reg::default(),
            inc_demux: Default::default(),
            victim_demux: Default::default(),
            aggressor_demux: Default::default(),
            live_demux: Default::default(),
            adder: from_fn(|_| Default::default()),
            carried: Default::default(),
            base: from_fn(|_| Default::default()),
            saturated: Default::default(),
            column: from_fn(|_| Default::default()),
            read: Default::default(),
            inc_w: Constant::new(INC_W.to_bits()),
            about: if ROWS == KERNELS && ROW_W == KID_W {
                about
            } else {
                about.parameter("ROWS", ROWS).parameter("ROW_W", ROW_W)
            },
        }
    }
}

impl<
        const ROWS: usize,
        const KERNELS: usize,
        const INC_W: usize,
        const CNT_W: usize,
        const ROW_W: usize,
        const KID_W: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    > Logic for CounterMatrix<ROWS, KERNELS, INC_W, CNT_W, ROW_W, KID_W, INCS_W, SUM_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Counting: in a snapshot's cycle the adders start from zero.");
        self.inc_demux.enable.next = self.inc_valid.val();
        self.inc_demux.select.next = self.inc_kid.val();
        self.carried.next = self.inc_demux.lane.val();
        if self.snapshot.val() {
            self.carried.next = 0.into();
        }
        self.saturated.next = 0.into();
        for victim in 0..ROWS {
            // An and-or multiplexer, since `carried` is one-hot.
            self.base[victim].next = 0.into();
            for aggressor in 0..KERNELS {
                if self.carried.val().get_bit(aggressor) {
                    self.base[victim].next =
                        self.base[victim].val() | self.count[victim][aggressor].q.val();
                }
            }
            self.adder[victim].value.next = self.base[victim].val();
            self.adder[victim].increment.next = self
                .inc
                .val()
                .get_bits::<INC_W>(victim * self.inc_w.val().index());
            // Without an increment the base is zero, and nothing saturates.
            self.saturated.next = self
                .saturated
                .val()
                .replace_bit(victim, self.adder[victim].overflow.val());
            for aggressor in 0..KERNELS {
                self.count[victim][aggressor].clock.next = self.clock.val();
                self.count[victim][aggressor].reset.next = self.reset.val();
                self.count[victim][aggressor].d.next = self.count[victim][aggressor].q.val();
                // Written so that it becomes the flops' own clear and enable.
                if self.snapshot.val() & !self.inc_demux.lane.val().get_bit(aggressor) {
                    self.count[victim][aggressor].d.next = 0.into();
                } else if self.inc_demux.lane.val().get_bit(aggressor) {
                    self.count[victim][aggressor].d.next = self.adder[victim].sum.val();
                }
            }
        }

        comment!("Snapshot: what the period that ends leaves to the reader.");
        self.live_overflow.clock.next = self.clock.val();
        self.live_overflow.reset.next = self.reset.val();
        self.live_overflow.d.next = self.live_overflow.q.val() | self.saturated.val();
        self.overflow_bits.clock.next = self.clock.val();
        self.overflow_bits.reset.next = self.reset.val();
        self.overflow_bits.d.next = self.overflow_bits.q.val();
        self.sequence_register.clock.next = self.clock.val();
        self.sequence_register.reset.next = self.reset.val();
        self.sequence_register.d.next = self.sequence_register.q.val();
        if self.snapshot.val() {
            // An increment alone cannot saturate: CNT_W is not below INC_W.
            self.live_overflow.d.next = 0.into();
            self.overflow_bits.d.next = self.live_overflow.q.val();
            self.sequence_register.d.next = self.sequence_register.q.val() + 1;
        }
        for victim in 0..ROWS {
            for aggressor in 0..KERNELS {
                self.shadow[victim][aggressor].clock.next = self.clock.val();
                self.shadow[victim][aggressor].reset.next = self.reset.val();
                self.shadow[victim][aggressor].d.next = self.shadow[victim][aggressor].q.val();
                if self.snapshot.val() {
                    self.shadow[victim][aggressor].d.next = self.count[victim][aggressor].q.val();
                }
            }
        }
        self.overflow.next = self.overflow_bits.q.val();
        self.sequence_number.next = self.sequence_register.q.val();

        comment!("Read port.");
        self.aggressor_demux.enable.next = !self.read_live.val();
        self.aggressor_demux.select.next = self.read_aggressor.val();
        self.live_demux.enable.next = self.read_live.val();
        self.live_demux.select.next = self.read_aggressor.val();
        self.victim_demux.enable.next = true;
        self.victim_demux.select.next = self.read_victim.val();
        self.read.next = 0.into();
        for victim in 0..ROWS {
            self.column[victim].next = 0.into();
            for aggressor in 0..KERNELS {
                if self.aggressor_demux.lane.val().get_bit(aggressor) {
                    self.column[victim].next =
                        self.column[victim].val() | self.shadow[victim][aggressor].q.val();
                }
                if self.live_demux.lane.val().get_bit(aggressor) {
                    self.column[victim].next =
                        self.column[victim].val() | self.count[victim][aggressor].q.val();
                }
            }
            if self.victim_demux.lane.val().get_bit(victim) {
                self.read.next = self.read.val() | self.column[victim].val();
            }
        }
        self.read_register.clock.next = self.clock.val();
        self.read_register.reset.next = self.reset.val();
        self.read_register.d.next = self.read.val();
        self.read_count.next = self.read_register.q.val();
    }
}

unit! {
    [
        const ROWS: usize,
        const KERNELS: usize,
        const INC_W: usize,
        const CNT_W: usize,
        const ROW_W: usize,
        const KID_W: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    ]
    CounterMatrix<ROWS, KERNELS, INC_W, CNT_W, ROW_W, KID_W, INCS_W, SUM_W>: clock;
    in reset, inc_valid, inc_kid, inc, snapshot, read_victim, read_aggressor, read_live;
    out read_count, overflow, sequence_number
}

/// The type of a [`CounterMatrix`](crate::llc::CounterMatrix): rows if they are no victims,
/// kernels, width of an increment, width of a counter.
#[macro_export]
macro_rules! counter_matrix {
    ($kernels:expr, $inc_w:expr, $cnt_w:expr) => {
        $crate::counter_matrix!($kernels, $kernels, $inc_w, $cnt_w)
    };
    ($rows:expr, $kernels:expr, $inc_w:expr, $cnt_w:expr) => {
        $crate::llc::CounterMatrix<
            { $rows },
            { $kernels },
            { $inc_w },
            { $cnt_w },
            { $crate::llc::kid_width($rows) },
            { $crate::llc::kid_width($kernels) },
            { $rows * $inc_w },
            { $cnt_w + 1 },
        >
    };
}
