//! `core_sampling`: whether a GPGPU application gains from the last-level cache, told by two of its
//! cores that use it differently.
//!
//! Source: TAP, section 3.1 and figure 4. One core, Core-POL1, inserts its lines at the LRU position,
//! or bypasses the cache where it is partitioned; another one, Core-POL2, inserts at the MRU position;
//! all others follow. A counter per core counts retired instructions. As a period ends the controller
//! compares those of the two cores: if they differ by less than 5 %, caching does not help. Each tile
//! of the cache has two registers with the ids of the two cores, which it compares with that of an
//! access (section 3.1.3).
//!
//! Table 2: 20 bits for each of 6 cores and two registers of 5 bits in each of 4 tiles are the 160
//! bits of the parameter set `table-1`. Two flops are needed besides: the decision, and whether the
//! period is sampled.
//!
//! Timing: an instruction that retires at cycle t is counted at t + 1; one that retires in the cycle
//! of `period` belongs to the period that begins, so that none is lost. The decision about the period
//! that ends at t is in `insensitive` at t + 1: 20 times the difference, against the greater number.
//! `pol1` and `pol2` are combinational.
//!
//! ASSUMPTION: exactly 5 % is friendly; if neither core has retired anything, the decision stays;
//! counters stop at their limit.
//! ASSUMPTION: `sample` and `choose_*` are looked at with `period`, so that a period is sampled as a
//! whole by the same cores or not at all. After a reset it is sampled, by cores 0 and 1. Where cores
//! have barriers across them, software keeps `sample` low: at the end of a period that was not sampled
//! the decision is reset, in one nobody's accesses are those of a sampled core, and cores do not rotate.
//! ASSUMPTION: rotation (ROTATE 1) takes both cores to the next one, from the last to the first, after
//! each period that was sampled. Cores that are assigned take precedence over it.
//! ASSUMPTION: all tiles hold the same ids; the controller uses those of tile 0.
//!
//! Not built: counters for several applications (section 3.1.4). An instance for each does the same,
//! since each core runs one application: cores of others retire nothing there, and the sampled ones
//! are assigned.

use crate::llc::kid_width;
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

/// Maximum number of cores of a GPU.
pub(super) const MAX_CORES: usize = 32;
/// Maximum number of tiles of the cache.
pub(super) const MAX_TILES: usize = 16;

#[unit(source = "TAP, section 3.1 and figure 4")]
mod core_sampling {
    /// Core sampling of `CORES` cores that share `TILES` tiles of the cache.
    pub struct CoreSampling<
        /// Number of GPU cores.
        #[range(2..=MAX_CORES)] const CORES: usize,
        /// Number of tiles of the last-level cache.
        #[range(1..=MAX_TILES)] const TILES: usize,
        /// Bits of a core's id.
        #[range(kid_width(CORES)..=8)] const ID_W: usize,
        /// Bits of the instructions that a core retires in a cycle.
        #[range(1..=8)] const RETIRED_W: usize,
        /// Bits of a counter.
        #[range(RETIRED_W..=32)] const CNT_W: usize,
        /// 1: sampled cores rotate.
        #[range(0..=1)] const ROTATE: usize,
        const SUM_W: usize = { CNT_W + 1 },
        const DELTA_W: usize = { CNT_W + 5 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters and decision 0, cores 0 and 1 are sampled.
        pub reset: In<Bit>,
        /// Instructions that each core retires in this cycle; RETIRED_W bits per core, core 0 lowest.
        pub retired: In<[Bits<RETIRED_W>; CORES]>,
        /// A period ends, and the next one begins with this cycle; active high.
        pub period: In<Bit>,
        /// With `period`: the period that begins is sampled; active high. Low with barriers across
        /// cores.
        pub sample: In<Bit>,
        /// With `period`: the next two become the sampled cores; active high.
        pub choose: In<Bit>,
        /// Id of the new Core-POL1; below CORES.
        pub choose_pol1: In<Bits<ID_W>>,
        /// Id of the new Core-POL2; below CORES, another one.
        pub choose_pol2: In<Bits<ID_W>>,
        /// One bit per tile, tile 0 lowest: the access is of a GPU core.
        pub access_gpu: In<Bits<TILES>>,
        /// Id of the accessing core, ID_W bits per tile, tile 0 lowest.
        pub access_core: In<[Bits<ID_W>; TILES]>,
        /// Caching does not help: UCP-Mask, and RRIP-Mask of core sampling; active high, 0 after reset.
        pub insensitive: Out<Bit>,
        /// One bit per tile, tile 0 lowest: the access is of Core-POL1, and inserts at the LRU position
        /// or bypasses the cache.
        pub pol1: Out<Bits<TILES>>,
        /// One bit per tile, tile 0 lowest: the access is of Core-POL2, and inserts at the MRU position.
        pub pol2: Out<Bits<TILES>>,
        /// Retired instructions of each core.
        count: [Reg<Bits<CNT_W>>; CORES],
        /// The sampled cores, as each tile knows them.
        pol1_id: [Reg<Bits<ID_W>>; TILES],
        #[reset(1)]
        pol2_id: [Reg<Bits<ID_W>>; TILES],
        #[reset(true)]
        sampling: Reg<Bit>,
        insensitive_register: Reg<Bit>,
        /// Loop variables: a counter, the instructions of this cycle, and both together.
        so_far: Local<Bits<CNT_W>>,
        now: Local<Bits<RETIRED_W>>,
        sum: Local<Bits<SUM_W>>,
        #[value(CORES - 1)]
        last_core: Constant<Bits<ID_W>>,
        #[value(ROTATE == 1)]
        rotates: Constant<Bit>,
    }

    fn update(&mut self) {
        comment!("Retired instructions of each core in the period.");
        for c in 0..CORES {
            self.so_far.next = self.count[c];
            self.now.next = self.retired[c];
            self.sum.next = self.so_far.cast::<SUM_W>() + self.now.cast::<SUM_W>();
            self.count[c].next = self.sum.cast::<CNT_W>();
            if self.sum[CNT_W] {
                self.count[c].next = !bits::<CNT_W>(0);
            }
            if self.period {
                self.count[c].next = self.now.cast::<CNT_W>();
            }
        }

        comment!("Those of the two sampled cores.");
        let mut by_pol1: Bits<CNT_W> = 0;
        let mut by_pol2: Bits<CNT_W> = 0;
        for c in 0..CORES {
            if self.pol1_id[0] == c.to_bits::<ID_W>() {
                by_pol1 = self.count[c];
            }
            if self.pol2_id[0] == c.to_bits::<ID_W>() {
                by_pol2 = self.count[c];
            }
        }

        comment!("Their difference, against 5 % of the greater number.");
        let mut most: Bits<CNT_W> = by_pol1;
        let mut delta: Bits<CNT_W> = by_pol1 - by_pol2;
        if by_pol2 > by_pol1 {
            most = by_pol2;
            delta = by_pol2 - by_pol1;
        }
        let twenty: Bits<DELTA_W> = (delta.cast::<DELTA_W>() << 4) + (delta.cast::<DELTA_W>() << 2);
        if self.period {
            if !self.sampling {
                self.insensitive_register.next = false;
            } else if most.any() {
                self.insensitive_register.next = most.cast::<DELTA_W>() > twenty;
            }
            self.sampling.next = self.sample;
        }
        self.insensitive.next = self.insensitive_register;

        comment!("Who is sampled next.");
        let mut next_pol1: Bits<ID_W> = self.pol1_id[0];
        let mut next_pol2: Bits<ID_W> = self.pol2_id[0];
        if self.rotates & self.sampling {
            next_pol1 = self.pol1_id[0] + 1;
            if self.pol1_id[0] == self.last_core {
                next_pol1 = 0;
            }
            next_pol2 = self.pol2_id[0] + 1;
            if self.pol2_id[0] == self.last_core {
                next_pol2 = 0;
            }
        }
        if self.choose {
            next_pol1 = self.choose_pol1;
            next_pol2 = self.choose_pol2;
        }

        comment!("Each tile compares the core of an access with its two registers.");
        for t in 0..TILES {
            self.pol1_id[t].next = self.pol1_id[t];
            self.pol2_id[t].next = self.pol2_id[t];
            if self.period {
                self.pol1_id[t].next = next_pol1;
                self.pol2_id[t].next = next_pol2;
            }
            let sampled: Bit = self.sampling & self.access_gpu[t];
            self.pol1[t].next = sampled & (self.access_core[t] == self.pol1_id[t]);
            self.pol2[t].next = sampled & (self.access_core[t] == self.pol2_id[t]);
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<CoreSampling!(@any)>::DEFINITION,
    // The platform of TAP: 6 GPU cores that issue two instructions, 4 tiles (its tables 2 and 4).
    &[
        ("table-1", "6x4"),
        ("three", "3x2r"),
        ("small", "2x1"),
        ("large", "32x8r"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [6, 4, 5, 2, 20, 0],
            [6, 4, 5, 2, 20, 1],
            [32, 8, 5, 2, 20, 1],
            [5, 3, 3, 1, 7, 1],
            [7, 1, 4, 3, 9, 0],
            [3, 2, 5, 2, 20, 1],
            [2, 1, 5, 2, 20, 0],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
)
.usual(&[
    usually("ID_W", 5).letter('i'),
    usually("RETIRED_W", 2).letter('n'),
    usually("CNT_W", 20).letter('c'),
    usually("ROTATE", 0).flags("r"),
]);
