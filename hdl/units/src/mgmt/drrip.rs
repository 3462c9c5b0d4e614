//! `drrip`: which insertion policy an access follows, as a duel between sets decides for each
//! application.
//!
//! Source: TAP, section 3.4 and table 3, after Jaleel et al.'s DRRIP and Qureshi et al.'s set
//! duelling. Few sets are leaders of SRRIP, which inserts lines with a long interval, and as many of
//! BRRIP, which inserts them with a distant one, but with 13 of 256 draws (5 %) with a long one. A
//! saturating counter per application (PSEL) goes up by the application's misses in its leader sets
//! of SRRIP, down by those in its leader sets of BRRIP. In all other sets the application follows the
//! policy that misses less: BRRIP if PSEL's highest bit is set, else SRRIP. A line is inserted, hit and
//! replaced by [`rrip`](crate::mgmt::Rrip) as the outputs say.
//!
//! TAP-RRIP: with its RRIP-Mask set, an application follows BRRIP whatever PSEL says, its hits do not
//! promote, and its lines go before others that can be replaced, too.
//!
//! Timing: policies are combinational; a miss at cycle t is in `psel`, and the next draw is due, at
//! t + 1. A draw is the highest eight bits of a linear feedback shift register, x^31 + x^28 + 1, which
//! moves on by eight bits at each miss that inserts as BRRIP.
//!
//! ASSUMPTION: leader sets are chosen by complement-select, LEADERS for each policy and application.
//! The highest bits of a set's number say in which of LEADERS runs of sets it is, the others where in
//! the run. Where they differ in the bits of an application's number (XOR), the set leads for SRRIP and
//! that application; where they differ in the complement of these bits, for BRRIP. So a set leads for
//! one application and policy at most.
//! ASSUMPTION: an application's misses in leader sets of others do not count; it follows its own PSEL
//! there.
//! ASSUMPTION: PSEL begins with 2^(PSEL_W - 1), in the middle.
//! ASSUMPTION: in leader sets of the application the RRIP-Mask does nothing, neither to insertion nor
//! to promotion nor to replacement. Otherwise PSEL would compare other policies than it decides between.

use super::most_applications;
use crate::llc::{kid_width, set_width};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "TAP, section 3.4 and table 3",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(LEADERS.is_power_of_two(), "LEADERS is a power of two")
)]
mod drrip {
    /// Set duelling of `APPLICATIONS` applications in `SETS` sets, of which each leads `LEADERS` for each of
    /// two policies.
    pub struct Drrip<
        /// Number of sets of the cache.
        #[range(2..=1 << 24)] const SETS: usize,
        /// Number of applications.
        #[range(1..=most_applications(SETS / 2))] const APPLICATIONS: usize,
        /// Number of leader sets of each policy and application.
        #[range(1..=SETS / (2 * APPLICATIONS))] const LEADERS: usize,
        /// Bits of a policy selector.
        #[range(2..=16)] const PSEL_W: usize,
        /// What the shift register holds after a reset.
        #[range(1..=(1 << 31) - 1)] const SEED: usize,
        const SET_W: usize = { set_width(SETS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
        const PLACE_W: usize = { set_width(SETS / LEADERS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: selectors to the middle, draws begin with the seed again.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access_valid: In<Bit>,
        /// The access hits; active high.
        pub access_hit: In<Bit>,
        /// Its set.
        pub access_set: In<Bits<SET_W>>,
        /// Number of the accessing application; below APPLICATIONS, also without an access.
        pub access_app: In<Bits<APP_W>>,
        /// One bit per application, application 0 lowest: its RRIP-Mask; 0 but of the GPU's.
        pub rrip_mask: In<Bits<APPLICATIONS>>,
        /// In this set the application inserts as BRRIP, not as SRRIP; active high.
        pub brrip: Out<Bit>,
        /// A miss inserts its line with a distant interval, not with a long one; active high.
        pub insert_distant: Out<Bit>,
        /// A hit sets the RRPV of its line to 0; active high.
        pub promote: Out<Bit>,
        /// One bit per application, application 0 lowest: its lines are preferred as victims in
        /// this set.
        pub preferred: Out<Bits<APPLICATIONS>>,
        /// The policy selectors, PSEL_W bits per application, application 0 lowest;
        /// 2^(PSEL_W - 1) after reset.
        pub psel: Out<[Bits<PSEL_W>; APPLICATIONS]>,
        #[reset(1 << (PSEL_W - 1))]
        selector: [Reg<Bits<PSEL_W>>; APPLICATIONS],
        /// The shift register; bit 30 leaves it first.
        #[reset(SEED)]
        lfsr: Reg<Bits<31>>,
        /// A selector is at its limit, or 0.
        highest: [Local<Bit>; APPLICATIONS],
        lowest: [Local<Bit>; APPLICATIONS],
        /// The set leads for SRRIP, or for BRRIP, and this application; one-hot or zero.
        srrip_leader: Local<Bits<APPLICATIONS>>,
        brrip_leader: Local<Bits<APPLICATIONS>>,
        /// One-hot: the accessing application, and where it leads.
        accessor: Local<Bits<APPLICATIONS>>,
        leads_srrip: Local<Bits<APPLICATIONS>>,
        leads_brrip: Local<Bits<APPLICATIONS>>,
        /// BRRIP wins for the accessing application.
        winner: Local<Bit>,
        /// How many bits a place in a run has.
        #[value(PLACE_W)]
        place_w: Constant<Bits<8>>,
        #[value(13)]
        long_below: Constant<Bits<8>>,
        /// Bits of a draw.
        #[value(8)]
        draw_w: Constant<Bits<8>>,
    }

    fn update(&mut self) {
        comment!("For whom the set leads.");
        let place: Bits<PLACE_W> = self.access_set.cast::<PLACE_W>();
        let run: Bits<PLACE_W> = (self.access_set >> self.place_w).cast::<PLACE_W>();
        let apart: Bits<PLACE_W> = place ^ run;
        for a in 0..APPLICATIONS {
            self.srrip_leader[a].next = apart == a.to_bits::<PLACE_W>();
            self.brrip_leader[a].next = (!apart) == a.to_bits::<PLACE_W>();
        }

        comment!("The accessing application, and the policy that wins for it.");
        self.winner.next = false;
        for a in 0..APPLICATIONS {
            self.psel[a].next = self.selector[a];
            self.accessor[a].next = self.access_app == a.to_bits::<APP_W>();
            if self.accessor[a] {
                self.winner.next = self.selector[a][PSEL_W - 1];
            }
        }
        self.leads_srrip.next = self.accessor & self.srrip_leader;
        self.leads_brrip.next = self.accessor & self.brrip_leader;

        comment!("Leaders keep their policy, followers take that which wins, or BRRIP.");
        let leads: Bit = self.leads_srrip.any() | self.leads_brrip.any();
        let masked: Bit = (self.accessor & self.rrip_mask).any() & !leads;
        self.brrip.next = self.leads_brrip.any() | masked | (self.winner & !self.leads_srrip.any());
        self.promote.next = !masked;
        self.preferred.next = self.rrip_mask & !(self.srrip_leader | self.brrip_leader);

        comment!("BRRIP inserts few lines with a long interval.");
        let draw: Bits<8> = self.lfsr.get_bits::<8>(23);
        self.insert_distant.next = self.brrip & (draw >= self.long_below);

        comment!("Misses of leaders are counted; each miss as BRRIP takes a draw.");
        let miss: Bit = self.access_valid & !self.access_hit;
        for a in 0..APPLICATIONS {
            self.highest[a].next = self.selector[a].all();
            self.lowest[a].next = !self.selector[a].any();
            if miss & self.leads_srrip[a] & !self.highest[a] {
                self.selector[a].next = self.selector[a] + 1;
            }
            if miss & self.leads_brrip[a] & !self.lowest[a] {
                self.selector[a].next = self.selector[a] - 1;
            }
        }
        let entering: Bits<8> = draw ^ self.lfsr.get_bits::<8>(20);
        if miss & self.brrip {
            self.lfsr.next = (self.lfsr << self.draw_w) | entering.cast::<31>();
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Drrip!(@any)>::DEFINITION,
    // The platform of TAP (its table 4): 8 MB in 32 ways of 4096 sets, four CPU cores and a GPU.
    &[
        ("table-1", "4096x5x32"),
        ("three", "64x3x8p4"),
        ("small", "16x2x2"),
        ("large", "4096x16x32"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [4096, 5, 32, 10],
            [4096, 16, 32, 10],
            [4096, 2, 32, 10],
            [1024, 1, 32, 10],
            [64, 3, 8, 4],
            [16, 2, 2, 10],
            [4, 2, 1, 2],
        ];
        sets.map(|[sets, apps, leaders, psel_w]| vec![sets, apps, leaders, psel_w, 0x2545_f491])
            .to_vec()
    }),
)
.usual(&[
    usually("PSEL_W", 10).letter('p'),
    usually("SEED", 0x2545_f491),
]);
