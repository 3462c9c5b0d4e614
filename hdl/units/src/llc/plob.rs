//! `plob`: counts the evictions that each kernel's misses cause to each kernel's lines.
//!
//! Source: GDC, section II-A, PLOB's inter-kernel eviction monitors
//! `ike[victim][aggressor]`: on a miss that evicts a valid line, the counter of
//! the line's owner and the accessor goes up by one.
//!
//! Timing: as [`gdcu`](crate::llc::Gdcu), so that an access counts in the same
//! period in both: an access at cycle t reaches the counters' adders at t +
//! STAGES and is in the counters one cycle later; `snapshot` and the read port
//! are not delayed.
//!
//! ASSUMPTION: an eviction of the accessor's own line is counted, too, on the
//! diagonal; the shares leave it out unless they say "with self". Replacing an
//! invalid way is no eviction.

use super::{kid_width, CounterMatrix, KidDemux, MAX_KERNELS};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// PLOB's monitors for `KERNELS` kernels, with counters of `CNT_W` bits.
///
/// Derived: `KID_W` = max(1, clog2 KERNELS), `SUM_W` = CNT_W + 1.
///
/// ```
/// let plob = <cotenant_units::plob!(4, 21, 1)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Plob<
    const KERNELS: usize,
    const CNT_W: usize,
    const STAGES: usize,
    const KID_W: usize,
    const SUM_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: counters, shadows, flags and pipeline to
    /// zero.
    pub reset: Signal<In, Bit>,
    /// There is an access; active high.
    pub access_valid: Signal<In, Bit>,
    /// It hits; active high. Otherwise it replaces the victim.
    pub access_hit: Signal<In, Bit>,
    /// The victim is a valid line, so that replacing it is an eviction.
    pub victim_valid: Signal<In, Bit>,
    /// KID of the victim's owner; below KERNELS on an eviction, else ignored.
    pub victim_owner: Signal<In, Bits<KID_W>>,
    /// KID of the accessing kernel, the aggressor; below KERNELS.
    pub access_kid: Signal<In, Bits<KID_W>>,
    /// Ends the period: copies the counters and clears them; active high.
    pub snapshot: Signal<In, Bit>,
    /// Victim of the counter to read; below KERNELS, others read 0.
    pub read_victim: Signal<In, Bits<KID_W>>,
    /// Aggressor of the counter to read; below KERNELS, others read 0.
    pub read_aggressor: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Evictions in the last period, or with `read_live` in the running one, of
    /// the pair addressed one cycle before;
    /// CNT_W bits, saturating; 0 after reset.
    pub read_count: Signal<Out, Bits<CNT_W>>,
    /// One bit a victim: a counter of its row saturated in the last period;
    /// 0 after reset.
    pub overflow: Signal<Out, Bits<KERNELS>>,
    /// Snapshots taken, modulo 256: tells a reader that another one came in
    /// between; 0 after reset.
    pub sequence_number: Signal<Out, Bits<8>>,
    demux: KidDemux<KERNELS, KID_W>,
    matrix: CounterMatrix<KERNELS, KERNELS, 1, CNT_W, KID_W, KID_W, KERNELS, SUM_W>,
    /// The eviction in each stage, the youngest first.
    valid: [Reg<Bit>; STAGES],
    kid: [Reg<Bits<KID_W>>; STAGES],
    /// Whose line it was: one-hot by victim, zero without an eviction.
    lane: [Reg<Bits<KERNELS>>; STAGES],
    evicts: Signal<Local, Bit>,
    arriving_valid: Signal<Local, Bit>,
    arriving_kid: Signal<Local, Bits<KID_W>>,
    arriving_lane: Signal<Local, Bits<KERNELS>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const KID_W: usize,
        const SUM_W: usize,
    > Default for Plob<KERNELS, CNT_W, STAGES, KID_W, SUM_W>
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "plob: KERNELS is 1 to 64"
            );
            assert!(STAGES <= 2, "plob: STAGES is 0 to 2");
            assert!(
                KID_W == kid_width(KERNELS),
                "plob: KID_W is max(1, clog2 KERNELS)"
            );
        }
        Plob {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            access_hit: Default::default(),
            victim_valid: Default::default(),
            victim_owner: Default::default(),
            access_kid: Default::default(),
            snapshot: Default::default(),
            read_victim: Default::default(),
            read_aggressor: Default::default(),
            read_live: Default::default(),
            read_count: Default::default(),
            overflow: Default::default(),
            sequence_number: Default::default(),
            demux: Default::default(),
            matrix: Default::default(),
            valid: from_fn(|_| Reg::default()),
            kid: from_fn(|_| Reg::default()),
            lane: from_fn(|_| Reg::default()),
            evicts: Default::default(),
            arriving_valid: Default::default(),
            arriving_kid: Default::default(),
            arriving_lane: Default::default(),
            about: About::new("plob")
                .parameter("KERNELS", KERNELS)
                .parameter("CNT_W", CNT_W)
                .parameter("STAGES", STAGES)
                .citing("GDC, section II-A")
                .documented_in(include_str!("plob.rs")),
        }
    }
}

impl<
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const KID_W: usize,
        const SUM_W: usize,
    > Logic for Plob<KERNELS, CNT_W, STAGES, KID_W, SUM_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A miss that replaces a valid line, to the lane of its owner.");
        self.evicts.next =
            self.access_valid.val() & !self.access_hit.val() & self.victim_valid.val();
        self.demux.enable.next = self.evicts.val();
        self.demux.select.next = self.victim_owner.val();

        comment!("The eviction in the pipeline.");
        self.arriving_valid.next = self.evicts.val();
        self.arriving_kid.next = self.access_kid.val();
        self.arriving_lane.next = self.demux.lane.val();
        for stage in 0..STAGES {
            self.valid[stage].clock.next = self.clock.val();
            self.valid[stage].reset.next = self.reset.val();
            self.valid[stage].d.next = self.arriving_valid.val();
            self.arriving_valid.next = self.valid[stage].q.val();
            self.kid[stage].clock.next = self.clock.val();
            self.kid[stage].reset.next = self.reset.val();
            self.kid[stage].d.next = self.arriving_kid.val();
            self.arriving_kid.next = self.kid[stage].q.val();
            self.lane[stage].clock.next = self.clock.val();
            self.lane[stage].reset.next = self.reset.val();
            self.lane[stage].d.next = self.arriving_lane.val();
            self.arriving_lane.next = self.lane[stage].q.val();
        }

        comment!("The counters; snapshot and read port are not delayed.");
        self.matrix.clock.next = self.clock.val();
        self.matrix.reset.next = self.reset.val();
        self.matrix.inc_valid.next = self.arriving_valid.val();
        self.matrix.inc_kid.next = self.arriving_kid.val();
        self.matrix.inc.next = self.arriving_lane.val();
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
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const KID_W: usize,
        const SUM_W: usize,
    ]
    Plob<KERNELS, CNT_W, STAGES, KID_W, SUM_W>: clock;
    in reset, access_valid, access_hit, victim_valid, victim_owner, access_kid, snapshot,
        read_victim, read_aggressor, read_live;
    out read_count, overflow, sequence_number
}

/// The type of a [`Plob`](crate::llc::Plob): kernels, width of a counter, stages (0 to 2).
#[macro_export]
macro_rules! plob {
    ($kernels:expr, $cnt_w:expr, $stages:expr) => {
        $crate::llc::Plob<
            { $kernels },
            { $cnt_w },
            { $stages },
            { $crate::llc::kid_width($kernels) },
            { $cnt_w + 1 },
        >
    };
}
