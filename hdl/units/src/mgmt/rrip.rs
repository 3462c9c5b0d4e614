//! `rrip`: re-reference interval prediction in one cache set: which line a miss replaces, and the
//! predictions after an access.
//!
//! Source: TAP, section 3.4, after Jaleel et al.'s RRIP: a re-reference prediction value (RRPV) of n
//! bits per line, 0 for a line that is used again soon, 2^n - 1 for one that is not. A hit sets 0.
//! SRRIP inserts a line with 2^n - 2 (a long interval), BRRIP mostly with 2^n - 1 (a distant one).
//! TAP-RRIP lets hits of the GPGPU application have no effect (`promote`), and replaces its lines
//! first where lines of others could be replaced, too (`preferred`).
//!
//! A miss, in this order:
//! 1. The first invalid way is filled, if there is one; other lines stay as they are.
//! 2. Else all lines age by one until a line has 2^n - 1. That is done at once: by `ageings`, which
//!    is 2^n - 1 less the highest RRPV of the set.
//! 3. Of the lines that have 2^n - 1 then, the first preferred one is replaced; without one that is
//!    preferred the first. The first is that of the lowest way.
//! 4. The new line gets 2^n - 2, or with `insert_distant` 2^n - 1.
//!
//! A hit changes its own line alone, and only with `promote`. Without an access nothing changes.
//!
//! Timing: combinational; a directory keeps RRPVs and valid bits. The RRPV of an invalid way does not
//! matter, so invalidating a line is clearing its valid bit.
//!
//! ASSUMPTION, from the literature about RRIP: the victim is the first line with 2^n - 1, and all
//! lines age until there is one. The first is that of the lowest way.
//! ASSUMPTION: an invalid way is filled before a valid line is replaced, preferred or not, and then
//! no line ages.

use crate::llc::{way_width, MAX_WAYS};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, section 3.4")]
mod rrip {
    /// Victim and RRPVs of a set of `WAYS` ways with `RRPV_W` bits each.
    pub struct Rrip<
        /// Number of ways.
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        /// Bits of a re-reference prediction value.
        #[range(1..=8)] const RRPV_W: usize,
        const WAY_W: usize = { way_width(WAYS) },
    > {
        /// RRPV of each way's line, RRPV_W bits per way, way 0 lowest.
        pub rrpv: In<[Bits<RRPV_W>; WAYS]>,
        /// One bit per way, way 0 lowest: it holds a valid line.
        pub valid: In<Bits<WAYS>>,
        /// One bit per way, way 0 lowest: its line is replaced before others with an RRPV of
        /// 2^RRPV_W - 1; ignored for invalid ways.
        pub preferred: In<Bits<WAYS>>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high. Otherwise `victim_way` is filled.
        pub access_hit: In<Bit>,
        /// The way that it hits; below WAYS and valid on a hit, else ignored.
        pub access_way: In<Bits<WAY_W>>,
        /// A hit sets the RRPV of its line to 0; active high. Otherwise the line keeps it.
        pub promote: In<Bit>,
        /// A miss inserts its line with 2^RRPV_W - 1; active high. Otherwise with 2^RRPV_W - 2.
        pub insert_distant: In<Bit>,
        /// The way that a miss fills, whether there is one or not.
        pub victim_way: Out<Bits<WAY_W>>,
        /// It holds a valid line, so that filling it is an eviction; active high.
        pub victim_valid: Out<Bit>,
        /// By how much all lines age at a miss; 0 if there is an invalid way.
        pub ageings: Out<Bits<RRPV_W>>,
        /// RRPV of each way's line after the access, RRPV_W bits per way, way 0 lowest.
        pub next_rrpv: Out<[Bits<RRPV_W>; WAYS]>,
        /// The RRPVs, and bit b of all of them.
        before: [Local<Bits<RRPV_W>>; WAYS],
        column: [Local<Bits<WAYS>>; RRPV_W],
        /// The highest RRPV, and the lines that have it; only if all ways are valid.
        highest: Local<Bits<RRPV_W>>,
        /// The ways of which the first is filled, and that one, one-hot.
        candidates: Local<Bits<WAYS>>,
        victim: Local<Bits<WAYS>>,
        after: [Local<Bits<RRPV_W>>; WAYS],
        inserted: Local<Bits<RRPV_W>>,
        #[value((1 << RRPV_W) - 1)]
        distant: Constant<Bits<RRPV_W>>,
        #[value((1 << RRPV_W) - 2)]
        long: Constant<Bits<RRPV_W>>,
    }

    fn update(&mut self) {
        comment!("The lines with the highest RRPV, from its highest bit down.");
        for b in 0..RRPV_W {
            self.column[b].next = 0;
        }
        for w in 0..WAYS {
            self.before[w].next = self.rrpv[w];
            for b in 0..RRPV_W {
                self.column[b][w].next = self.before[w][b];
            }
        }
        let mut oldest: Bits<WAYS> = self.valid;
        self.highest.next = 0;
        for n in 0..RRPV_W {
            let older: Bits<WAYS> = oldest & self.column[RRPV_W - 1 - n];
            if older.any() {
                oldest = older;
                self.highest[RRPV_W - 1 - n].next = true;
            }
        }

        comment!("All age until these have the highest that there can be.");
        self.victim_valid.next = self.valid.all();
        self.ageings.next = 0;
        if self.victim_valid {
            self.ageings.next = self.distant - self.highest;
        }

        comment!("Invalid ways go first, then preferred lines.");
        let favoured: Bits<WAYS> = oldest & self.preferred;
        self.candidates.next = oldest;
        if favoured.any() {
            self.candidates.next = favoured;
        }
        if !self.victim_valid {
            self.candidates.next = !self.valid;
        }

        comment!("The first of them.");
        let mut none_before: Bit = true;
        self.victim_way.next = 0;
        for w in 0..WAYS {
            self.victim[w].next = self.candidates[w] & none_before;
            none_before = none_before & !self.candidates[w];
            if self.victim[w] {
                self.victim_way.next = self.victim_way | w.to_bits::<WAY_W>();
            }
        }

        comment!("The RRPVs after the access.");
        self.inserted.next = self.long;
        if self.insert_distant {
            self.inserted.next = self.distant;
        }
        for w in 0..WAYS {
            self.after[w].next = self.before[w];
            if self.access_valid & self.access_hit {
                if self.promote & (self.access_way == w.to_bits::<WAY_W>()) {
                    self.after[w].next = 0;
                }
            } else if self.access_valid {
                self.after[w].next = self.before[w] + self.ageings;
                if self.victim[w] {
                    self.after[w].next = self.inserted;
                }
            }
            self.next_rrpv[w].next = self.after[w];
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Rrip!(@any)>::DEFINITION,
    // The platform of TAP (its table 4) has 32 ways.
    &[
        ("table-1", "32"),
        ("nru", "2r1"),
        ("small", "2"),
        ("large", "64r3"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 1],
            [2, 2],
            [3, 3],
            [4, 2],
            [8, 2],
            [16, 2],
            [32, 2],
            [64, 3],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
)
.usual(&[usually("RRPV_W", 2).letter('r')]);
