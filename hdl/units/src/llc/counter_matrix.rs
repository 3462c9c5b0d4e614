//! `counter_matrix`: event counters, one a pair of victim and aggressor, read by snapshots.
//!
//! Source: GDC, section III-A, figure 2, the counters `GDC[victim][aggressor]`,
//! of which an access changes those of its kernel only. The paper leaves open
//! how software reads them. What a row counts is up to the user; the words here
//! are those of the GDCU, where a row is a victim.
//!
//! The figure has one adder a victim, with the counters' multiplexer in front
//! of it. Here each counter has its own: in an FPGA it takes no more cells than
//! the multiplexer, and the multiplexer was half of the longest path.
//!
//! Timing: an increment at cycle t is in `count` at t + 1. A snapshot at t
//! copies the counters into the shadow registers and clears them; `overflow`
//! and `sequence_number` follow at t + 1. `read_count` at t + 1 is the shadow
//! register addressed at t, so after a snapshot at t the first address worth
//! giving is that of t + 1. With `read_live` at t it is the counter itself, as
//! of t: without the increment of that cycle.
//!
//! ASSUMPTION: a counter that would pass its limit stays there and marks its
//! victim's row; the next snapshot hands that mark to the reader. What is stored
//! is the count modulo two to the CNT_W, and that it has passed; the reader gets
//! the limit. So no bit of a counter waits for the carry out of all of them.
//! ASSUMPTION: an increment that arrives together with a snapshot opens the
//! new period, so that nothing is lost or counted twice.

use super::{kid_width, KidDemux, MAX_KERNELS};
use crate::prim::Reg;
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
    /// The running counters, by victim and aggressor; modulo their range.
    count: [[Reg<Bits<CNT_W>>; KERNELS]; ROWS],
    /// The counters of the last period.
    shadow: [[Reg<Bits<CNT_W>>; KERNELS]; ROWS],
    /// A victim's counters that have passed their limit in the running period,
    /// one bit an aggressor.
    passed: [Reg<Bits<KERNELS>>; ROWS],
    /// The same of the last period.
    last_passed: [Reg<Bits<KERNELS>>; ROWS],
    sequence_register: Reg<Bits<8>>,
    /// The aggressor's counter of each victim as read, above it that it has
    /// passed its limit; half of the read port's multiplexer is before these
    /// registers, the victim's half behind them.
    read_row: [Reg<Bits<SUM_W>>; ROWS],
    read_from: Reg<Bits<ROW_W>>,
    /// Whose counters change: one-hot by aggressor.
    inc_demux: KidDemux<KERNELS, KID_W>,
    /// The increment of one victim after the other, and its counters that have
    /// passed their limit with it.
    events: Signal<Local, Bits<INC_W>>,
    now_passed: Signal<Local, Bits<KERNELS>>,
    /// Of one counter after the other: its value, with the increment, and as read.
    counter: Signal<Local, Bits<CNT_W>>,
    sum: Signal<Local, Bits<SUM_W>>,
    /// With what a new period opens if it does now.
    opening: Signal<Local, Bits<INC_W>>,
    has_passed: Signal<Local, Bit>,
    word: Signal<Local, Bits<SUM_W>>,
    /// A multiplexer over the aggressors, and one over the victims: the words,
    /// then what each pair of them leaves, the root last.
    aggressor_tree: Vec<Signal<Local, Bits<SUM_W>>>,
    victim_tree: Vec<Signal<Local, Bits<SUM_W>>>,
    /// The address bit that each pair looks at.
    aggressor_level: Vec<Constant<Bits<8>>>,
    victim_level: Vec<Constant<Bits<8>>>,
    carry_at: Constant<Bits<8>>,
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
            passed: from_fn(|_| Reg::default()),
            last_passed: from_fn(|_| Reg::default()),
            sequence_register: Reg::default(),
            read_row: from_fn(|_| Reg::default()),
            read_from: Reg::default(),
            inc_demux: Default::default(),
            events: Default::default(),
            now_passed: Default::default(),
            counter: Default::default(),
            sum: Default::default(),
            opening: Default::default(),
            has_passed: Default::default(),
            word: Default::default(),
            aggressor_tree: vec![Default::default(); 2 * (1 << KID_W) - 1],
            victim_tree: vec![Default::default(); 2 * (1 << ROW_W) - 1],
            aggressor_level: levels(KID_W),
            victim_level: levels(ROW_W),
            carry_at: Constant::new(CNT_W.to_bits()),
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
        comment!("Counting.");
        self.inc_demux.enable.next = self.inc_valid.val();
        self.inc_demux.select.next = self.inc_kid.val();
        for victim in 0..ROWS {
            self.events.next = self
                .inc
                .val()
                .get_bits::<INC_W>(victim * self.inc_w.val().index());
            self.passed[victim].clock.next = self.clock.val();
            self.passed[victim].reset.next = self.reset.val();
            self.now_passed.next = self.passed[victim].q.val();
            for aggressor in 0..KERNELS {
                self.counter.next = self.count[victim][aggressor].q.val();
                self.sum.next = bit_cast::<SUM_W, CNT_W>(self.counter.val())
                    + bit_cast::<SUM_W, INC_W>(self.events.val());
                self.count[victim][aggressor].clock.next = self.clock.val();
                self.count[victim][aggressor].reset.next = self.reset.val();
                self.count[victim][aggressor].d.next = self.count[victim][aggressor].q.val();
                self.opening.next = 0.into();
                if self.inc_demux.lane.val().get_bit(aggressor) {
                    self.opening.next = self.events.val();
                }
                // Written so that it becomes the flops' own clear and enable: of most
                // bits a snapshot makes a constant.
                if self.snapshot.val() {
                    self.count[victim][aggressor].d.next =
                        bit_cast::<CNT_W, INC_W>(self.opening.val());
                } else if self.inc_demux.lane.val().get_bit(aggressor) {
                    self.count[victim][aggressor].d.next = bit_cast::<CNT_W, SUM_W>(self.sum.val());
                }
                // Not an OR with what it was, so that the carry goes straight into the flop.
                if self.inc_demux.lane.val().get_bit(aggressor)
                    & !self.passed[victim].q.val().get_bit(aggressor)
                {
                    self.now_passed.next = self.now_passed.val().replace_bit(
                        aggressor,
                        self.sum.val().get_bit(self.carry_at.val().index()),
                    );
                }
            }
            if self.snapshot.val() {
                // An increment alone passes no limit: CNT_W is not below INC_W.
                self.now_passed.next = 0.into();
            }
            self.passed[victim].d.next = self.now_passed.val();
        }

        comment!("Snapshot: what the period that ends leaves to the reader.");
        self.sequence_register.clock.next = self.clock.val();
        self.sequence_register.reset.next = self.reset.val();
        self.sequence_register.d.next = self.sequence_register.q.val();
        if self.snapshot.val() {
            self.sequence_register.d.next = self.sequence_register.q.val() + 1;
        }
        self.overflow.next = 0.into();
        for victim in 0..ROWS {
            self.last_passed[victim].clock.next = self.clock.val();
            self.last_passed[victim].reset.next = self.reset.val();
            self.last_passed[victim].d.next = self.last_passed[victim].q.val();
            if self.snapshot.val() {
                self.last_passed[victim].d.next = self.passed[victim].q.val();
            }
            self.overflow.next = self
                .overflow
                .val()
                .replace_bit(victim, self.last_passed[victim].q.val().any());
            for aggressor in 0..KERNELS {
                self.shadow[victim][aggressor].clock.next = self.clock.val();
                self.shadow[victim][aggressor].reset.next = self.reset.val();
                self.shadow[victim][aggressor].d.next = self.shadow[victim][aggressor].q.val();
                if self.snapshot.val() {
                    self.shadow[victim][aggressor].d.next = self.count[victim][aggressor].q.val();
                }
            }
        }
        self.sequence_number.next = self.sequence_register.q.val();

        comment!("Read port: the aggressor's counter of each victim.");
        for victim in 0..ROWS {
            for aggressor in 0..KERNELS {
                self.counter.next = self.shadow[victim][aggressor].q.val();
                self.has_passed.next = self.last_passed[victim].q.val().get_bit(aggressor);
                if self.read_live.val() {
                    self.counter.next = self.count[victim][aggressor].q.val();
                    self.has_passed.next = self.passed[victim].q.val().get_bit(aggressor);
                }
                self.word.next = bit_cast::<SUM_W, CNT_W>(self.counter.val());
                self.word.next = self
                    .word
                    .val()
                    .replace_bit(self.carry_at.val().index(), self.has_passed.val());
                self.aggressor_tree[aggressor].next = self.word.val();
            }
            for nobody in KERNELS..(1 << KID_W) {
                self.aggressor_tree[nobody].next = 0.into();
            }
            for words in (1 << KID_W)..((1 << KID_W) + 1) {
                for pair in 0..((1 << KID_W) - 1) {
                    self.aggressor_tree[words + pair].next = self.aggressor_tree[2 * pair].val();
                    if self
                        .read_aggressor
                        .val()
                        .get_bit(self.aggressor_level[pair].val().index())
                    {
                        self.aggressor_tree[words + pair].next =
                            self.aggressor_tree[2 * pair + 1].val();
                    }
                }
            }
            self.read_row[victim].clock.next = self.clock.val();
            self.read_row[victim].reset.next = self.reset.val();
            for root in (2 * (1 << KID_W) - 2)..(2 * (1 << KID_W) - 1) {
                self.read_row[victim].d.next = self.aggressor_tree[root].val();
            }
            self.victim_tree[victim].next = self.read_row[victim].q.val();
        }

        comment!("The victim's of these; all ones if it has passed its limit.");
        self.read_from.clock.next = self.clock.val();
        self.read_from.reset.next = self.reset.val();
        self.read_from.d.next = self.read_victim.val();
        for nobody in ROWS..(1 << ROW_W) {
            self.victim_tree[nobody].next = 0.into();
        }
        for words in (1 << ROW_W)..((1 << ROW_W) + 1) {
            for pair in 0..((1 << ROW_W) - 1) {
                self.victim_tree[words + pair].next = self.victim_tree[2 * pair].val();
                if self
                    .read_from
                    .q
                    .val()
                    .get_bit(self.victim_level[pair].val().index())
                {
                    self.victim_tree[words + pair].next = self.victim_tree[2 * pair + 1].val();
                }
            }
        }
        for root in (2 * (1 << ROW_W) - 2)..(2 * (1 << ROW_W) - 1) {
            self.word.next = self.victim_tree[root].val();
        }
        self.read_count.next = bit_cast::<CNT_W, SUM_W>(self.word.val());
        if self.word.val().get_bit(self.carry_at.val().index()) {
            self.read_count.next = !bits::<CNT_W>(0);
        }
    }
}

/// The address bit that each pair of a multiplexer tree over two to the `address_w` words looks
/// at: the lowest for the words themselves, the highest at the root.
fn levels(address_w: usize) -> Vec<Constant<Bits<8>>> {
    let pairs = |level: usize| 1usize << (address_w - 1 - level);
    let levels = (0..address_w).flat_map(|level| std::iter::repeat_n(level, pairs(level)));
    levels.map(|level| Constant::new(level.to_bits())).collect()
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
