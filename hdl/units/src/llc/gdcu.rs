//! `gdcu`: counts the demotions that each kernel's accesses cause to each kernel's lines.
//!
//! Source: GDC, section III-A, figure 2, the GDC unit:
//! demotion logic, one demultiplexer an LRU stack position steered by the KID
//! of the line there, one popcnt a kernel, the counter matrix.
//!
//! Timing: one access a cycle, no stall. An access at cycle t reaches the
//! counters' adders at t + STAGES and is in the counters one cycle later;
//! `snapshot` and the read port are not delayed, so an access belongs to the
//! period in which it reaches the adders. STAGES 1 is the figure's latch
//! behind the demultiplexers, STAGES 2 adds one behind popcnt, STAGES 3 one
//! inside popcnt, in front of its last adder; STAGES 0 has none.

use super::{kid_width, position_width, CarryAdd, CounterMatrix, Demotion, KidDemux, PopcntSums};
use super::{MAX_KERNELS, MAX_WAYS};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// GDCU for `WAYS` ways and `KERNELS` kernels, with counters of `CNT_W` bits.
///
/// Derived: `LANE_STAGES`, `COUNT_STAGES` and `SUM_STAGES` are 1 where STAGES is
/// at least 1, 2 and 3, else 0; `KID_W` = max(1, clog2 KERNELS), `POS_W` = clog2(WAYS + 1),
/// `OWNERS_W` = WAYS x KID_W, `GROUPS` as in [`Popcnt`](crate::llc::Popcnt), `INCS_W` = KERNELS x
/// POS_W, `SUM_W` = CNT_W + 1.
///
/// ```
/// let gdcu = <cotenant_units::gdcu!(16, 4, 21, 1)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Gdcu<
    const WAYS: usize,
    const KERNELS: usize,
    const CNT_W: usize,
    const STAGES: usize,
    const LANE_STAGES: usize,
    const COUNT_STAGES: usize,
    const SUM_STAGES: usize,
    const KID_W: usize,
    const POS_W: usize,
    const OWNERS_W: usize,
    const GROUPS: usize,
    const INCS_W: usize,
    const SUM_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: counters, shadows, flags and pipeline to
    /// zero.
    pub reset: Signal<In, Bit>,
    /// There is an access; active high.
    pub access_valid: Signal<In, Bit>,
    /// Position of the line hit, 0 = MRU to WAYS - 1 = LRU; WAYS is a miss.
    /// At most WAYS; a hit names a valid position.
    pub access_pos: Signal<In, Bits<POS_W>>,
    /// KID of the accessing kernel, the aggressor; below KERNELS.
    pub access_kid: Signal<In, Bits<KID_W>>,
    /// KID of the owner of the line at each position, KID_W bits a position,
    /// MRU lowest; the state before the access. Below KERNELS where valid.
    pub stack_owner: Signal<In, Bits<OWNERS_W>>,
    /// One bit a position, MRU lowest: there is a valid line.
    pub stack_valid: Signal<In, Bits<WAYS>>,
    /// Ends the period: copies the counters and clears them; active high.
    pub snapshot: Signal<In, Bit>,
    /// Victim of the counter to read; below KERNELS, others read 0.
    pub read_victim: Signal<In, Bits<KID_W>>,
    /// Aggressor of the counter to read; below KERNELS, others read 0.
    pub read_aggressor: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Demotions in the last period, or with `read_live` in the running one, of
    /// the pair addressed one cycle before;
    /// CNT_W bits, saturating; 0 after reset.
    pub read_count: Signal<Out, Bits<CNT_W>>,
    /// One bit a victim: a counter of its row saturated in the last period;
    /// 0 after reset.
    pub overflow: Signal<Out, Bits<KERNELS>>,
    /// Snapshots taken, modulo 256: tells a reader that another one came in
    /// between; 0 after reset.
    pub sequence_number: Signal<Out, Bits<8>>,
    demotion: Demotion<WAYS, POS_W>,
    /// One a position.
    demux: [KidDemux<KERNELS, KID_W>; WAYS],
    /// A popcnt a victim, in two parts: up to its last adder, and that.
    popcnt: [PopcntSums<WAYS, POS_W, GROUPS>; KERNELS],
    last_adder: [CarryAdd<POS_W>; KERNELS],
    matrix: CounterMatrix<KERNELS, KERNELS, POS_W, CNT_W, KID_W, KID_W, INCS_W, SUM_W>,
    /// The access in each stage, the youngest first.
    valid: [Reg<Bit>; STAGES],
    kid: [Reg<Bits<KID_W>>; STAGES],
    /// The latch behind the demultiplexers, one a victim, one bit a position.
    lane: [[Reg<Bits<WAYS>>; KERNELS]; LANE_STAGES],
    /// The latch inside popcnt, one a victim: what is still to be added.
    sums: [[Reg<Bits<POS_W>>; KERNELS]; SUM_STAGES],
    carries: [[Reg<Bits<POS_W>>; KERNELS]; SUM_STAGES],
    /// The latch behind popcnt, one a victim.
    demotions: [[Reg<Bits<POS_W>>; KERNELS]; COUNT_STAGES],
    arriving_valid: Signal<Local, Bit>,
    arriving_kid: Signal<Local, Bits<KID_W>>,
    /// Demoted positions of each victim.
    demoted_lines: [Signal<Local, Bits<WAYS>>; KERNELS],
    /// How many they are, as two numbers and as their sum; of one victim after the other.
    partial_sums: Signal<Local, Bits<POS_W>>,
    partial_carries: Signal<Local, Bits<POS_W>>,
    demoted_count: Signal<Local, Bits<POS_W>>,
    incs: Signal<Local, Bits<INCS_W>>,
    kid_w: Constant<Bits<8>>,
    pos_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const LANE_STAGES: usize,
        const COUNT_STAGES: usize,
        const SUM_STAGES: usize,
        const KID_W: usize,
        const POS_W: usize,
        const OWNERS_W: usize,
        const GROUPS: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    > Default
    for Gdcu<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        KID_W,
        POS_W,
        OWNERS_W,
        GROUPS,
        INCS_W,
        SUM_W,
    >
{
    fn default() -> Self {
        const {
            assert!(WAYS >= 1 && WAYS <= MAX_WAYS, "gdcu: WAYS is 1 to 64");
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "gdcu: KERNELS is 1 to 64"
            );
            assert!(STAGES <= 3, "gdcu: STAGES is 0 to 3");
            assert!(
                LANE_STAGES <= 1 && COUNT_STAGES <= LANE_STAGES && SUM_STAGES <= COUNT_STAGES,
                "gdcu: the latch behind the demultiplexers comes first, that inside popcnt last"
            );
            assert!(
                LANE_STAGES + COUNT_STAGES + SUM_STAGES == STAGES,
                "gdcu: STAGES is the sum of its parts"
            );
            assert!(
                KID_W == kid_width(KERNELS),
                "gdcu: KID_W is max(1, clog2 KERNELS)"
            );
            assert!(
                POS_W == position_width(WAYS),
                "gdcu: POS_W is clog2(WAYS + 1)"
            );
            assert!(OWNERS_W == WAYS * KID_W, "gdcu: OWNERS_W is WAYS x KID_W");
        }
        Gdcu {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            access_pos: Default::default(),
            access_kid: Default::default(),
            stack_owner: Default::default(),
            stack_valid: Default::default(),
            snapshot: Default::default(),
            read_victim: Default::default(),
            read_aggressor: Default::default(),
            read_live: Default::default(),
            read_count: Default::default(),
            overflow: Default::default(),
            sequence_number: Default::default(),
            demotion: Default::default(),
            demux: from_fn(|_| Default::default()),
            popcnt: from_fn(|_| Default::default()),
            last_adder: from_fn(|_| Default::default()),
            matrix: Default::default(),
            valid: from_fn(|_| Reg::default()),
            kid: from_fn(|_| Reg::default()),
            lane: from_fn(|_| from_fn(|_| Reg::default())),
            sums: from_fn(|_| from_fn(|_| Reg::default())),
            carries: from_fn(|_| from_fn(|_| Reg::default())),
            demotions: from_fn(|_| from_fn(|_| Reg::default())),
            arriving_valid: Default::default(),
            arriving_kid: Default::default(),
            demoted_lines: from_fn(|_| Default::default()),
            partial_sums: Default::default(),
            partial_carries: Default::default(),
            demoted_count: Default::default(),
            incs: Default::default(),
            kid_w: Constant::new(KID_W.to_bits()),
            pos_w: Constant::new(POS_W.to_bits()),
            about: About::new("gdcu")
                .parameter("WAYS", WAYS)
                .parameter("KERNELS", KERNELS)
                .parameter("CNT_W", CNT_W)
                .parameter("STAGES", STAGES)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("gdcu.rs")),
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
        const SUM_STAGES: usize,
        const KID_W: usize,
        const POS_W: usize,
        const OWNERS_W: usize,
        const GROUPS: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    > Logic
    for Gdcu<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        KID_W,
        POS_W,
        OWNERS_W,
        GROUPS,
        INCS_W,
        SUM_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Every demoted line, to the lane of the kernel that owns it.");
        self.demotion.access_valid.next = self.access_valid.val();
        self.demotion.access_pos.next = self.access_pos.val();
        self.demotion.stack_valid.next = self.stack_valid.val();
        for i in 0..WAYS {
            self.demux[i].enable.next = self.demotion.demoted.val().get_bit(i);
            self.demux[i].select.next = self
                .stack_owner
                .val()
                .get_bits::<KID_W>(i * self.kid_w.val().index());
        }

        comment!("The access in the pipeline.");
        self.arriving_valid.next = self.access_valid.val();
        self.arriving_kid.next = self.access_kid.val();
        for stage in 0..STAGES {
            self.valid[stage].clock.next = self.clock.val();
            self.valid[stage].reset.next = self.reset.val();
            self.valid[stage].d.next = self.arriving_valid.val();
            self.arriving_valid.next = self.valid[stage].q.val();
            self.kid[stage].clock.next = self.clock.val();
            self.kid[stage].reset.next = self.reset.val();
            self.kid[stage].d.next = self.arriving_kid.val();
            self.arriving_kid.next = self.kid[stage].q.val();
        }

        comment!("The demotions of each victim.");
        self.incs.next = 0.into();
        for victim in 0..KERNELS {
            self.demoted_lines[victim].next = 0.into();
            for i in 0..WAYS {
                self.demoted_lines[victim].next = self.demoted_lines[victim]
                    .val()
                    .replace_bit(i, self.demux[i].lane.val().get_bit(victim));
            }
            for stage in 0..LANE_STAGES {
                self.lane[stage][victim].clock.next = self.clock.val();
                self.lane[stage][victim].reset.next = self.reset.val();
                self.lane[stage][victim].d.next = self.demoted_lines[victim].val();
                self.demoted_lines[victim].next = self.lane[stage][victim].q.val();
            }
            self.popcnt[victim].data.next = self.demoted_lines[victim].val();
            self.partial_sums.next = self.popcnt[victim].sums.val();
            self.partial_carries.next = self.popcnt[victim].carries.val();
            for stage in 0..SUM_STAGES {
                self.sums[stage][victim].clock.next = self.clock.val();
                self.sums[stage][victim].reset.next = self.reset.val();
                self.sums[stage][victim].d.next = self.partial_sums.val();
                self.partial_sums.next = self.sums[stage][victim].q.val();
                self.carries[stage][victim].clock.next = self.clock.val();
                self.carries[stage][victim].reset.next = self.reset.val();
                self.carries[stage][victim].d.next = self.partial_carries.val();
                self.partial_carries.next = self.carries[stage][victim].q.val();
            }
            self.last_adder[victim].sums.next = self.partial_sums.val();
            self.last_adder[victim].carries.next = self.partial_carries.val();
            self.demoted_count.next = self.last_adder[victim].total.val();
            for stage in 0..COUNT_STAGES {
                self.demotions[stage][victim].clock.next = self.clock.val();
                self.demotions[stage][victim].reset.next = self.reset.val();
                self.demotions[stage][victim].d.next = self.demoted_count.val();
                self.demoted_count.next = self.demotions[stage][victim].q.val();
            }
            self.incs.next = self.incs.val()
                | (bit_cast::<INCS_W, POS_W>(self.demoted_count.val())
                    << (victim * self.pos_w.val().index()).to_bits::<16>());
        }

        comment!("The counters; snapshot and read port are not delayed.");
        self.matrix.clock.next = self.clock.val();
        self.matrix.reset.next = self.reset.val();
        self.matrix.inc_valid.next = self.arriving_valid.val();
        self.matrix.inc_kid.next = self.arriving_kid.val();
        self.matrix.inc.next = self.incs.val();
        self.matrix.snapshot.next = self.snapshot.val();
        self.matrix.read_victim.next = self.read_victim.val();
        self.matrix.read_aggressor.next = self.read_aggressor.val();
        self.matrix.read_live.next = self.read_live.val();
        self.read_count.next = self.matrix.read_count.val();
        self.overflow.next = self.matrix.overflow.val();
        self.sequence_number.next = self.matrix.sequence_number.val();
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
        const SUM_STAGES: usize,
        const KID_W: usize,
        const POS_W: usize,
        const OWNERS_W: usize,
        const GROUPS: usize,
        const INCS_W: usize,
        const SUM_W: usize,
    ]
    Gdcu<
        WAYS,
        KERNELS,
        CNT_W,
        STAGES,
        LANE_STAGES,
        COUNT_STAGES,
        SUM_STAGES,
        KID_W,
        POS_W,
        OWNERS_W,
        GROUPS,
        INCS_W,
        SUM_W,
    >: clock;
    in reset, access_valid, access_pos, access_kid, stack_owner, stack_valid, snapshot, read_victim,
        read_aggressor, read_live;
    out read_count, overflow, sequence_number
}

/// The type of a [`Gdcu`](crate::llc::Gdcu): ways, kernels, width of a counter, stages (0 to 3).
#[macro_export]
macro_rules! gdcu {
    ($ways:expr, $kernels:expr, $cnt_w:expr, $stages:expr) => {
        $crate::llc::Gdcu<
            { $ways },
            { $kernels },
            { $cnt_w },
            { $stages },
            { ($stages > 0) as usize },
            { ($stages > 1) as usize },
            { ($stages > 2) as usize },
            { $crate::llc::kid_width($kernels) },
            { $crate::llc::position_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
            { $crate::llc::count_groups($ways) },
            { $kernels * $crate::llc::position_width($ways) },
            { $cnt_w + 1 },
        >
    };
}
