//! `sce`: share at eviction, which kernels' lines are in the set when a line is evicted.
//!
//! Source: docs/attribution.md. When a line of kernel v is evicted, `SCE[v][j]` goes up by the
//! number of kernel j's lines above it, the new line included: those that have pushed it to the end
//! of the LRU stack. It needs the GDC unit's demultiplexers, popcnts and counters and no state of
//! its own. The GDC unit counts, for an access of kernel a, the lines of every v; here, for an
//! eviction of v, the lines of every j are counted: the same unit with another row select.
//!
//! Timing: as [`gdcu`](crate::llc::Gdcu).
//!
//! It is no share of misses: a line may be evicted that is never used again. Shares of misses are
//! nearer to the truth than GDC's and PLOB's, but not exact.
//!
//! ASSUMPTION: an eviction of the accessor's own line is counted as well, in its row. Replacing an
//! invalid way is not an eviction.

use super::{kid_width, position_width, Gdcu, MAX_KERNELS, MAX_WAYS};
use crate::table::line::{usually, Line, Sets};
use crate::table::llc::COUNTER_ALIASES;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "share at eviction, with the parts of GDC's figure 2")]
mod sce {
    /// Share at eviction for `WAYS` ways and `KERNELS` kernels, with counters of `CNT_W` bits.
    pub struct Sce<
        #[range(1..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(position_width(WAYS)..=64)] const CNT_W: usize,
        #[range(0..=3)] const STAGES: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters, shadows, flags and pipeline to zero.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high. Otherwise it replaces the line at LRU.
        pub access_hit: In<Bit>,
        /// KID of the accessing kernel; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// KID of the owner of the line at each position, KID_W bits per position,
        /// MRU lowest; the state before the access. Below KERNELS where valid.
        pub stack_owner: In<[Bits<KID_W>; WAYS]>,
        /// One bit per position, MRU lowest: there is a valid line.
        pub stack_valid: In<Bits<WAYS>>,
        /// Ends the period: copies the counters and clears them; active high.
        pub snapshot: In<Bit>,
        /// Victim of the counter to read; below KERNELS, others read 0.
        pub read_victim: In<Bits<KID_W>>,
        /// Aggressor of the counter to read; below KERNELS, others read 0.
        pub read_aggressor: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's, as they are
        /// before that cycle's increment; active high.
        pub read_live: In<Bit>,
        /// Lines of the aggressor above evicted lines of the victim, in the last period or with
        /// `read_live` in the running one, of the pair addressed one cycle before;
        /// CNT_W bits, saturating; 0 after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per aggressor: a counter of its column saturated in the last period;
        /// 0 after reset.
        pub overflow: Out<Bits<KERNELS>>,
        /// Number of snapshots, modulo 256, so that a reader can detect a snapshot between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// Counts the lines of each aggressor, one row per aggressor and one column per victim.
        lines: Gdcu<WAYS, KERNELS, CNT_W, STAGES>,
        /// Owners of the lines at each position once the new line has replaced that at LRU.
        owner: [Local<Bits<KID_W>>; WAYS],
        new_owner: Local<[Bits<KID_W>; WAYS]>,
        /// KID of the line at LRU.
        evicted: Local<Bits<KID_W>>,
        #[value(WAYS - 1)]
        lru: Constant<Bits<8>>,
        #[value(WAYS)]
        miss: Constant<Bits<POS_W>>,
    }

    fn update(&mut self) {
        comment!("A miss that replaces a valid line; the new line takes its place.");
        self.evicted.next = 0;
        for i in 0..WAYS {
            self.owner[i].next = self.stack_owner[i];
        }
        for i in (WAYS - 1)..WAYS {
            self.evicted.next = self.owner[i];
            self.owner[i].next = self.access_kid;
        }
        for i in 0..WAYS {
            self.new_owner[i].next = self.owner[i];
        }

        comment!("Every line of the set counts for its owner, in the column of the victim.");
        self.lines.next = Gdcu {
            access_valid: self.access_valid & !self.access_hit & self.stack_valid[self.lru],
            access_pos: self.miss,
            access_kid: self.evicted,
            stack_owner: self.new_owner,
            stack_valid,
            snapshot,
            read_victim: self.read_aggressor,
            read_aggressor: self.read_victim,
            read_live,
        };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Sce!(@any)>::DEFINITION,
    COUNTER_ALIASES,
    Sets::Numbers(|| {
        let sets = [
            [2, 2, 21, 1],
            [3, 3, 16, 0],
            [4, 4, 21, 1],
            [4, 4, 21, 2],
            [6, 3, 21, 3],
            [16, 4, 21, 1],
            [32, 8, 21, 1],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
)
.usual(&[usually("STAGES", 1).letter('s')]);
