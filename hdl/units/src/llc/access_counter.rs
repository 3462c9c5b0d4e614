//! `access_counter`: counts the hits and the misses of each kernel.
//!
//! Source: GDC, section II-A: a kernel's misses are what its shares attribute.
//! The paper reads them from the counters that a cache has anyway; a monitor
//! that is to be complete counts them itself.
//!
//! Timing: as [`gdcu`](crate::llc::Gdcu), so that the shares and the misses
//! that they apply to belong to the same period: an access at cycle t reaches
//! the counters' adders at t + STAGES and is in the counters one cycle later;
//! `snapshot` and the read port are not delayed.

use super::{kid_width, CounterMatrix, MAX_KERNELS};
use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Hits and misses of `KERNELS` kernels, in counters of `CNT_W` bits.
///
/// Derived: `KID_W` = max(1, clog2 KERNELS), `SUM_W` = CNT_W + 1.
///
/// ```
/// let counter = <cotenant_units::access_counter!(4, 21, 1)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct AccessCounter<
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
    /// It hits; active high.
    pub access_hit: Signal<In, Bit>,
    /// KID of the accessing kernel; below KERNELS.
    pub access_kid: Signal<In, Bits<KID_W>>,
    /// Ends the period: copies the counters and clears them; active high.
    pub snapshot: Signal<In, Bit>,
    /// What to read: 0 hits, 1 misses, others read 0.
    pub read_row: Signal<In, Bits<KID_W>>,
    /// Kernel to read of; below KERNELS, others read 0.
    pub read_kid: Signal<In, Bits<KID_W>>,
    /// Read the running counters instead of the last period's, as they are
    /// before that cycle's increment; active high.
    pub read_live: Signal<In, Bit>,
    /// Hits or misses in the last period, or with `read_live` in the running
    /// one, as addressed one cycle before; CNT_W bits, saturating; 0 after reset.
    pub read_count: Signal<Out, Bits<CNT_W>>,
    /// A counter of hits (bit 0) or misses (bit 1) saturated in the last
    /// period; 0 after reset.
    pub overflow: Signal<Out, Bits<2>>,
    /// Row 0 hits, row 1 misses.
    matrix: CounterMatrix<2, KERNELS, 1, CNT_W, KID_W, KID_W, 2, SUM_W>,
    /// The access in each stage, the youngest first.
    valid: [Reg<Bit>; STAGES],
    kid: [Reg<Bits<KID_W>>; STAGES],
    hit: [Reg<Bit>; STAGES],
    arriving_valid: Signal<Local, Bit>,
    arriving_kid: Signal<Local, Bits<KID_W>>,
    arriving_hit: Signal<Local, Bit>,
    incs: Signal<Local, Bits<2>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const KID_W: usize,
        const SUM_W: usize,
    > Default for AccessCounter<KERNELS, CNT_W, STAGES, KID_W, SUM_W>
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "access_counter: KERNELS is 1 to 64"
            );
            assert!(STAGES <= 2, "access_counter: STAGES is 0 to 2");
            assert!(
                KID_W == kid_width(KERNELS),
                "access_counter: KID_W is max(1, clog2 KERNELS)"
            );
        }
        AccessCounter {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            access_hit: Default::default(),
            access_kid: Default::default(),
            snapshot: Default::default(),
            read_row: Default::default(),
            read_kid: Default::default(),
            read_live: Default::default(),
            read_count: Default::default(),
            overflow: Default::default(),
            matrix: Default::default(),
            valid: from_fn(|_| Reg::default()),
            kid: from_fn(|_| Reg::default()),
            hit: from_fn(|_| Reg::default()),
            arriving_valid: Default::default(),
            arriving_kid: Default::default(),
            arriving_hit: Default::default(),
            incs: Default::default(),
            about: About::new("access_counter")
                .parameter("KERNELS", KERNELS)
                .parameter("CNT_W", CNT_W)
                .parameter("STAGES", STAGES)
                .citing("GDC, section II-A")
                .documented_in(include_str!("access_counter.rs"))
                .unused("matrix.sequence_number"),
        }
    }
}

impl<
        const KERNELS: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const KID_W: usize,
        const SUM_W: usize,
    > Logic for AccessCounter<KERNELS, CNT_W, STAGES, KID_W, SUM_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The access in the pipeline.");
        self.arriving_valid.next = self.access_valid.val();
        self.arriving_kid.next = self.access_kid.val();
        self.arriving_hit.next = self.access_valid.val() & self.access_hit.val();
        for stage in 0..STAGES {
            self.valid[stage].clock.next = self.clock.val();
            self.valid[stage].reset.next = self.reset.val();
            self.valid[stage].d.next = self.arriving_valid.val();
            self.arriving_valid.next = self.valid[stage].q.val();
            self.kid[stage].clock.next = self.clock.val();
            self.kid[stage].reset.next = self.reset.val();
            self.kid[stage].d.next = self.arriving_kid.val();
            self.arriving_kid.next = self.kid[stage].q.val();
            self.hit[stage].clock.next = self.clock.val();
            self.hit[stage].reset.next = self.reset.val();
            self.hit[stage].d.next = self.arriving_hit.val();
            self.arriving_hit.next = self.hit[stage].q.val();
        }

        comment!("The counters; snapshot and read port are not delayed.");
        self.incs.next = 0.into();
        if self.arriving_valid.val() {
            if self.arriving_hit.val() {
                self.incs.next = 1.into();
            } else {
                self.incs.next = 2.into();
            }
        }
        self.matrix.clock.next = self.clock.val();
        self.matrix.reset.next = self.reset.val();
        self.matrix.inc_valid.next = self.arriving_valid.val();
        self.matrix.inc_kid.next = self.arriving_kid.val();
        self.matrix.inc.next = self.incs.val();
        self.matrix.snapshot.next = self.snapshot.val();
        self.matrix.read_victim.next = self.read_row.val();
        self.matrix.read_aggressor.next = self.read_kid.val();
        self.matrix.read_live.next = self.read_live.val();
        self.read_count.next = self.matrix.read_count.val();
        self.overflow.next = self.matrix.overflow.val();
    }
}

/// The type of an [`AccessCounter`](crate::llc::AccessCounter): kernels, width of a counter,
/// stages (0 to 2).
#[macro_export]
macro_rules! access_counter {
    ($kernels:expr, $cnt_w:expr, $stages:expr) => {
        $crate::llc::AccessCounter<
            { $kernels },
            { $cnt_w },
            { $stages },
            { $crate::llc::kid_width($kernels) },
            { $cnt_w + 1 },
        >
    };
}
