//! `managed_directory`: tags and replacement bits of a cache that applications share, under a policy
//! that can be changed while it runs.
//!
//! Source: TAP, sections 3.1, 3.3 and 3.4: LRU, the paper's baseline; a partition by quotas, as UCP
//! and TAP-UCP keep it; RRIP with set duelling, as DRRIP and, with an RRIP-Mask, TAP-RRIP have it.
//! One word per set has the ways in LRU order, their owners, valid bits and RRPVs; tags are beside it,
//! by way. The policies are those of [`quota_victim`](crate::mgmt::QuotaVictim),
//! [`rrip`](crate::mgmt::Rrip) and [`drrip`](crate::mgmt::Drrip). Whoever accesses a line owns it.
//!
//! The two cores of [`core_sampling`](crate::mgmt::CoreSampling) keep their policies, whatever has
//! been decided (section 3.1.1): a miss of Core-POL1 inserts its line at the LRU position, which is an
//! RRPV of 2^RRPV_W - 1, or bypasses the partitioned cache; one of Core-POL2 inserts at the MRU
//! position, which is an RRPV of 0.
//!
//! Timing: one access per cycle, to any set. The set of an access at cycle t is read; at t + 1 its tags
//! are compared, a miss finds its victim, and the set is written; at t + 2 the report is out. A set
//! that is written as it is read is forwarded. `policy`, `quota` and `rrip_mask` count as they are at
//! t + 1. After reset all sets are cleared, one per cycle; `ready` is 0 for these SETS cycles, and
//! accesses are ignored.
//!
//! ASSUMPTION: a change of the policy moves no line. The LRU order is that of last uses under each
//! policy. Without RRIP an access, hit or not, leaves an RRPV of 0 with its line and others as they
//! are; selectors and draws stand still.
//! ASSUMPTION: an invalid way is filled first: the lowest in the LRU order, under RRIP that with the
//! lowest number.
//! ASSUMPTION: LRU is not a policy of TAP: sampled cores do there as others do. Under RRIP a hit of
//! theirs promotes, and a miss moves a selector as others do.
//! ASSUMPTION: an invalidated way moves to the LRU position. An invalidation is no access: it moves no
//! selector, and nothing is reported.

use super::{most_applications, Drrip, QuotaVictim, Rrip};
use crate::llc::{kid_width, position_width, set_width, way_width, LruUpdate, MAX_WAYS};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "TAP, sections 3.1, 3.3 and 3.4",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(LEADERS.is_power_of_two(), "LEADERS is a power of two"),
    // Each policy fills an invalid way if there is one, so that one bit says it for all; whose line
    // is replaced follows from where it is.
    unused = [
        "drrip.brrip",
        "quota_victim.victim_owner",
        "quota_victim.victim_position",
        "quota_victim.victim_valid",
        "rrip.ageings",
        "rrip.victim_valid",
        "update.hit_pos",
        "update.victim_owner",
        "update.victim_valid",
        "update.victim_way"
    ]
)]
mod managed_directory {
    /// Directory of `SETS` sets of `WAYS` ways that `APPLICATIONS` applications share.
    pub struct ManagedDirectory<
        /// Number of ways.
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        /// Number of sets.
        #[range(4..=1 << 24)] const SETS: usize,
        /// Number of applications.
        #[range(2..=most_applications(SETS / 2))] const APPLICATIONS: usize,
        /// Number of leader sets of each policy and application.
        #[range(1..=SETS / (2 * APPLICATIONS))] const LEADERS: usize,
        /// Bits of a tag.
        #[range(1..=64)] const TAG_W: usize,
        /// Bits of a re-reference prediction value.
        #[range(1..=8)] const RRPV_W: usize,
        /// Bits of a policy selector.
        #[range(2..=16)] const PSEL_W: usize,
        /// What the shift register of draws holds after a reset.
        #[range(1..=(1 << 31) - 1)] const SEED: usize,
        const SET_W: usize = { set_width(SETS) },
        const WAY_W: usize = { way_width(WAYS) },
        const POS_W: usize = { position_width(WAYS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
        const WORD_W: usize = { WAYS * (WAY_W + APP_W + RRPV_W + 1) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: pipeline 0, selectors to the middle, draws begin with the seed
        /// again; then the sets are cleared.
        pub reset: In<Bit>,
        /// Access valid; active high. Ignored while `ready` is 0.
        pub access_valid: In<Bit>,
        /// The line of this tag is invalidated if it is there, instead of being accessed; active high.
        pub access_invalidate: In<Bit>,
        /// The set.
        pub access_set: In<Bits<SET_W>>,
        /// The tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// Number of the accessing application; below APPLICATIONS, also without an access.
        pub access_app: In<Bits<APP_W>>,
        /// The access is of Core-POL1; active high.
        pub access_pol1: In<Bit>,
        /// The access is of Core-POL2, and not of Core-POL1; active high.
        pub access_pol2: In<Bit>,
        /// The policy: 0 LRU, 1 quotas, 2 or 3 RRIP.
        pub policy: In<Bits<2>>,
        /// The ways of each application, POS_W bits per application, application 0 lowest; to add
        /// up to WAYS.
        pub quota: In<[Bits<POS_W>; APPLICATIONS]>,
        /// One bit per application, application 0 lowest: its RRIP-Mask.
        pub rrip_mask: In<Bits<APPLICATIONS>>,
        /// Accesses are taken; active high, 0 after reset until the sets are cleared.
        pub ready: Out<Bit>,
        /// An access was done; active high, 0 after reset. The ports below tell of it, and are 0 else.
        pub done_valid: Out<Bit>,
        /// The accessing application; 0 after reset.
        pub done_app: Out<Bits<APP_W>>,
        /// It hit; 0 after reset.
        pub done_hit: Out<Bit>,
        /// It missed, and its line was filled, not passed by; 0 after reset.
        pub done_fill: Out<Bit>,
        /// The way that it hit or filled; 0 if it bypassed the cache and after reset.
        pub done_way: Out<Bits<WAY_W>>,
        /// It replaced a valid line; 0 after reset.
        pub done_evict: Out<Bit>,
        /// The application that owned the line hit or replaced; 0 if there was none and after reset.
        pub done_owner: Out<Bits<APP_W>>,
        /// The policy selectors, PSEL_W bits per application, application 0 lowest;
        /// 2^(PSEL_W - 1) after reset.
        pub psel: Out<[Bits<PSEL_W>; APPLICATIONS]>,
        /// The tags by way.
        tag: [Ram<Bits<TAG_W>, SET_W>; WAYS],
        /// One word per set: by position, MRU lowest, the way and its owner; by way its RRPV; by
        /// position whether the line is valid.
        replacement: Ram<Bits<WORD_W>, SET_W>,
        /// The sets are being cleared, this one next.
        #[reset(true)]
        sweeping: Reg<Bit>,
        sweep_set: Reg<Bits<SET_W>>,
        /// The access whose set has been read.
        lookup_valid: Reg<Bit>,
        lookup_invalidate: Reg<Bit>,
        lookup_set: Reg<Bits<SET_W>>,
        lookup_tag: Reg<Bits<TAG_W>>,
        lookup_app: Reg<Bits<APP_W>>,
        lookup_pol1: Reg<Bit>,
        lookup_pol2: Reg<Bit>,
        /// The word was written as it was read: it is what was written, not what was read.
        forward: Reg<Bit>,
        written_word: Reg<Bits<WORD_W>>,
        /// One bit per way: its tag was written as it was read.
        stale: Reg<Bits<WAYS>>,
        written_tag: Reg<Bits<TAG_W>>,
        /// What the access did.
        valid_register: Reg<Bit>,
        app_register: Reg<Bits<APP_W>>,
        hit_register: Reg<Bit>,
        fill_register: Reg<Bit>,
        way_register: Reg<Bits<WAY_W>>,
        evict_register: Reg<Bit>,
        owner_register: Reg<Bits<APP_W>>,
        /// The policies, and the next LRU order.
        quota_victim: QuotaVictim<WAYS, APPLICATIONS>,
        rrip: Rrip<WAYS, RRPV_W>,
        drrip: Drrip<SETS, APPLICATIONS, LEADERS, PSEL_W, SEED>,
        update: LruUpdate<WAYS, APPLICATIONS>,
        /// The set before the access: ways and owners by position, RRPVs by way.
        word: Local<Bits<WORD_W>>,
        way: [Local<Bits<WAY_W>>; WAYS],
        owner: [Local<Bits<APP_W>>; WAYS],
        stack_valid: Local<Bits<WAYS>>,
        stack_way: Local<[Bits<WAY_W>; WAYS]>,
        stack_owner: Local<[Bits<APP_W>; WAYS]>,
        rrpv: Local<[Bits<RRPV_W>; WAYS]>,
        /// One bit per way: it is in this position; it is valid; its line is preferred as a victim.
        here: [Local<Bits<WAYS>>; WAYS],
        valid: Local<Bits<WAYS>>,
        preferred: Local<Bits<WAYS>>,
        /// One-hot by way: the one hit; zero on a miss.
        hits: Local<Bits<WAYS>>,
        /// The one hit, or else that to fill; one-hot by way and by position.
        used_way: Local<Bits<WAY_W>>,
        used: Local<Bits<WAYS>>,
        used_at: Local<Bits<WAYS>>,
        used_owner: Local<Bits<APP_W>>,
        /// The set after the access.
        next_way: Local<[Bits<WAY_W>; WAYS]>,
        next_owner: Local<[Bits<APP_W>; WAYS]>,
        next_rrpv: Local<[Bits<RRPV_W>; WAYS]>,
        write_word: Local<Bits<WORD_W>>,
        /// Where elements are in a word.
        #[value(|p| p * WAY_W)]
        way_at: [Constant<Bits<16>>; WAYS],
        #[value(|p| WAYS * WAY_W + p * APP_W)]
        owner_at: [Constant<Bits<16>>; WAYS],
        #[value(|w| WAYS * (WAY_W + APP_W) + w * RRPV_W)]
        rrpv_at: [Constant<Bits<16>>; WAYS],
        #[value(WAYS * (WAY_W + APP_W + RRPV_W))]
        valid_at: Constant<Bits<16>>,
    }

    fn update(&mut self) {
        comment!("After reset the sets are cleared.");
        self.ready.next = !self.sweeping;
        if self.sweeping {
            self.sweep_set.next = self.sweep_set + 1;
            if self.sweep_set.all() {
                self.sweeping.next = false;
            }
        }

        comment!("The set of an access is read.");
        self.lookup_valid.next = self.access_valid & !self.sweeping;
        self.lookup_invalidate.next = self.access_invalidate;
        self.lookup_set.next = self.access_set;
        self.lookup_tag.next = self.access_tag;
        self.lookup_app.next = self.access_app;
        self.lookup_pol1.next = self.access_pol1;
        self.lookup_pol2.next = self.access_pol2;
        let access: Bit = self.lookup_valid & !self.lookup_invalidate;
        let by_rrip: Bit = self.policy[1];
        let by_quota: Bit = self.policy[0] & !by_rrip;

        comment!("What it holds.");
        self.word.next = self.replacement.read_data;
        if self.forward {
            self.word.next = self.written_word;
        }
        self.stack_valid.next = self.word.get_bits::<WAYS>(self.valid_at);
        self.valid.next = 0;
        for p in 0..WAYS {
            self.way[p].next = self.word.get_bits::<WAY_W>(self.way_at[p]);
            self.owner[p].next = self.word.get_bits::<APP_W>(self.owner_at[p]);
            self.stack_way[p].next = self.way[p];
            self.stack_owner[p].next = self.owner[p];
            self.rrpv[p].next = self.word.get_bits::<RRPV_W>(self.rrpv_at[p]);
            for w in 0..WAYS {
                self.here[p][w].next = self.way[p] == w.to_bits::<WAY_W>();
            }
            if self.stack_valid[p] {
                self.valid.next = self.valid | self.here[p];
            }
        }

        comment!("The way that it hits.");
        for w in 0..WAYS {
            let mut held: Bits<TAG_W> = self.tag[w].read_data;
            if self.stale[w] {
                held = self.written_tag;
            }
            self.hits[w].next = self.valid[w] & (held == self.lookup_tag);
        }
        let hit: Bit = self.hits.any();

        comment!("How it inserts and promotes, and whose lines go first.");
        self.drrip.next = Drrip {
            access_valid: access & by_rrip,
            access_hit: hit,
            access_set: self.lookup_set,
            access_app: self.lookup_app,
            rrip_mask,
        };
        self.psel.next = self.drrip.psel;
        self.preferred.next = 0;
        for p in 0..WAYS {
            for a in 0..APPLICATIONS {
                if self.drrip.preferred[a] & (self.owner[p] == a.to_bits::<APP_W>()) {
                    self.preferred.next = self.preferred | self.here[p];
                }
            }
        }

        comment!("The line that each policy replaces; the one at LRU without a policy of TAP.");
        self.quota_victim.next = QuotaVictim {
            requester: self.lookup_app,
            stack_way: self.stack_way,
            stack_owner: self.stack_owner,
            stack_valid: self.stack_valid,
            quota,
        };
        let mut victim: Bits<WAY_W> = self.way[WAYS - 1];
        if by_quota {
            victim = self.quota_victim.victim_way;
        }
        if by_rrip {
            victim = self.rrip.victim_way;
        }

        comment!("The line hit, or else the one to fill.");
        self.used_way.next = victim;
        self.used.next = self.hits;
        if hit {
            self.used_way.next = 0;
            for w in 0..WAYS {
                if self.hits[w] {
                    self.used_way.next = self.used_way | w.to_bits::<WAY_W>();
                }
            }
        } else {
            for w in 0..WAYS {
                self.used[w].next = victim == w.to_bits::<WAY_W>();
            }
        }
        self.used_owner.next = 0;
        for p in 0..WAYS {
            self.used_at[p].next = (self.here[p] & self.used).any();
            if self.used_at[p] {
                self.used_owner.next = self.used_owner | self.owner[p];
            }
        }
        let bypasses: Bit = by_quota & self.lookup_pol1 & !hit;
        let takes: Bit = access & !bypasses;
        let fills: Bit = takes & !hit;
        let evicts: Bit = fills & self.stack_valid.all();
        let invalidates: Bit = self.lookup_valid & self.lookup_invalidate & hit;

        comment!("The LRU order after it.");
        self.update.next = LruUpdate {
            stack_way: self.stack_way,
            stack_owner: self.stack_owner,
            stack_valid: self.stack_valid,
            access_valid: takes,
            access_hit: true,
            access_way: self.used_way,
            access_at: self.used_at,
            access_kid: self.lookup_app,
            invalidate_valid: invalidates,
            invalidate_way: self.used_way,
            clear: false,
        };
        self.next_way.next = self.update.next_way;
        self.next_owner.next = self.update.next_owner;

        comment!("The RRPVs after it: sampled cores keep their policies.");
        self.rrip.next = Rrip {
            rrpv: self.rrpv,
            valid: self.valid,
            preferred: self.preferred,
            access_valid: takes & by_rrip,
            access_hit: hit,
            access_way: self.used_way,
            promote: self.drrip.promote | self.lookup_pol1 | self.lookup_pol2,
            insert_distant: self.drrip.insert_distant | self.lookup_pol1,
        };
        self.next_rrpv.next = self.rrip.next_rrpv;
        let near: Bit = takes & (!by_rrip | (self.lookup_pol2 & !hit));

        comment!("The set is written back, or cleared.");
        self.write_word.next = self.update.next_valid.cast::<WORD_W>() << self.valid_at;
        if self.sweeping {
            self.write_word.next = 0;
        }
        for p in 0..WAYS {
            let mut new_way: Bits<WAY_W> = self.next_way[p];
            let mut new_owner: Bits<APP_W> = self.next_owner[p];
            let mut new_rrpv: Bits<RRPV_W> = self.next_rrpv[p];
            if near & self.used[p] {
                new_rrpv = 0;
            }
            if self.sweeping {
                // Its ways are in order.
                new_way = p.to_bits::<WAY_W>();
                new_owner = 0;
                new_rrpv = 0;
            }
            self.write_word.next = self.write_word
                | (new_way.cast::<WORD_W>() << self.way_at[p])
                | (new_owner.cast::<WORD_W>() << self.owner_at[p])
                | (new_rrpv.cast::<WORD_W>() << self.rrpv_at[p]);
        }
        let changes: Bit = takes | invalidates;
        let same_set: Bit = self.lookup_set == self.access_set;
        self.forward.next = changes & same_set;
        self.written_word.next = self.write_word;
        self.written_tag.next = self.lookup_tag;
        self.stale.next = 0;
        if fills & same_set {
            self.stale.next = self.used;
        }
        let mut write_set: Bits<SET_W> = self.lookup_set;
        let mut write_tag: Bits<TAG_W> = self.lookup_tag;
        if self.sweeping {
            write_set = self.sweep_set;
            write_tag = 0;
        }
        self.replacement.write_data.next = self.write_word;
        self.replacement.read_address.next = self.access_set;
        self.replacement.write_enable.next = changes | self.sweeping;
        self.replacement.write_address.next = write_set;
        for w in 0..WAYS {
            self.tag[w].read_address.next = self.access_set;
            self.tag[w].write_enable.next = (fills & self.used[w]) | self.sweeping;
            self.tag[w].write_address.next = write_set;
            self.tag[w].write_data.next = write_tag;
        }

        comment!("What the access did.");
        self.valid_register.next = access;
        self.app_register.next = 0;
        self.hit_register.next = access & hit;
        self.fill_register.next = fills;
        self.way_register.next = 0;
        self.evict_register.next = evicts;
        self.owner_register.next = 0;
        if access {
            self.app_register.next = self.lookup_app;
        }
        if takes {
            self.way_register.next = self.used_way;
            if hit | evicts {
                self.owner_register.next = self.used_owner;
            }
        }
        self.done_valid.next = self.valid_register;
        self.done_app.next = self.app_register;
        self.done_hit.next = self.hit_register;
        self.done_fill.next = self.fill_register;
        self.done_way.next = self.way_register;
        self.done_evict.next = self.evict_register;
        self.done_owner.next = self.owner_register;
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<ManagedDirectory!(@any)>::DEFINITION,
    // The platform of TAP (its table 4): 8 MB in 32 ways of 4096 sets, four tiles, each with a
    // directory of its own; a CPU application beside one of the GPU.
    &[
        ("table-1", "32x1024x2x32"),
        ("three", "4x16x3x2"),
        ("small", "2x4x2x1"),
        ("large", "16x256x4x16"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [32, 1024, 2, 32, 31, 2],
            [32, 1024, 5, 32, 31, 2],
            [16, 256, 4, 16, 31, 2],
            [8, 64, 3, 4, 31, 2],
            [4, 16, 3, 2, 31, 2],
            [3, 32, 5, 1, 31, 3],
            [2, 4, 2, 1, 31, 2],
            [2, 8, 2, 2, 31, 1],
        ];
        sets.map(|[ways, sets, apps, leaders, tag_w, rrpv_w]| {
            vec![ways, sets, apps, leaders, tag_w, rrpv_w, 10, 0x2545_f491]
        })
        .to_vec()
    }),
)
// Tags of addresses of 49 bits, as those of the monitor.
.usual(&[
    usually("TAG_W", 31),
    usually("RRPV_W", 2).letter('r'),
    usually("PSEL_W", 10).letter('p'),
    usually("SEED", 0x2545_f491),
]);
