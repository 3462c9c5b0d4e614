//! `quota_victim`: which line of a set makes room for a miss, so that each application comes to the
//! ways that it has been given.
//!
//! Source: TAP, section 3.3; UCP (Qureshi and Patt) enforces its partition so. A miss of an
//! application that has fewer lines in the set than its quota takes one of another, a miss of one
//! that has as many takes its own least recently used line.
//!
//! The set comes as [`lru_stack`](crate::llc::LruStack) gives it, quotas as
//! [`ucp`](crate::mgmt::Ucp) does. A popcnt block per application counts its lines.
//!
//! Timing: combinational.
//!
//! ASSUMPTION: a quota is a number of owned lines in a set, not a mask of ways, so that a new
//! partition needs no flush: an application above its quota loses lines as others miss.
//! ASSUMPTION: an invalid way is filled first, the lowest in the stack.
//! ASSUMPTION: an application below its quota takes the least recently used line of those that are
//! above theirs, so that none at or below its quota loses a line to another.
//! ASSUMPTION: where quotas do not add up to the ways there may be none above its quota. An
//! application below its own then takes its own least recently used line, and without one that of
//! the set. One that has no line and a quota of 0 takes a line as one below its quota does.

use super::MAX_APPLICATIONS;
use crate::llc::{kid_width, position_width, way_width, Popcnt, MAX_WAYS};
use crate::table::line::{Aliases, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, section 3.3")]
mod quota_victim {
    /// Victim in a set of `WAYS` ways that `APPLICATIONS` applications share.
    pub struct QuotaVictim<
        /// Number of ways.
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        /// Number of applications.
        #[range(2..=MAX_APPLICATIONS)] const APPLICATIONS: usize,
        const WAY_W: usize = { way_width(WAYS) },
        const POS_W: usize = { position_width(WAYS) },
        const APP_W: usize = { kid_width(APPLICATIONS) },
    > {
        /// The application that misses; below APPLICATIONS.
        pub requester: In<Bits<APP_W>>,
        /// The ways in LRU order, WAY_W bits per position, MRU lowest; below WAYS.
        pub stack_way: In<[Bits<WAY_W>; WAYS]>,
        /// The application that owns the line in each, APP_W bits per position, MRU lowest; below
        /// APPLICATIONS, also where it is invalid.
        pub stack_owner: In<[Bits<APP_W>; WAYS]>,
        /// One bit per position, MRU lowest: the line is valid.
        pub stack_valid: In<Bits<WAYS>>,
        /// The ways of each application, POS_W bits per application, application 0 lowest; to add
        /// up to WAYS.
        pub quota: In<[Bits<POS_W>; APPLICATIONS]>,
        /// Position of the line to replace, 0 = MRU to WAYS - 1 = LRU.
        pub victim_position: Out<Bits<WAY_W>>,
        /// Its way.
        pub victim_way: Out<Bits<WAY_W>>,
        /// Its owner.
        pub victim_owner: Out<Bits<APP_W>>,
        /// It holds a valid line, so that replacing it is an eviction; active high.
        pub victim_valid: Out<Bit>,
        /// By position: the valid lines of each application, which are counted.
        lines: [Local<Bits<WAYS>>; APPLICATIONS],
        popcnt: [Popcnt<WAYS>; APPLICATIONS],
        /// By position: the requester's lines, and those of applications above their quotas.
        own: Local<Bits<WAYS>>,
        above: Local<Bits<WAYS>>,
        /// The requester has fewer lines than its quota.
        below: Local<Bit>,
        /// By position: the lines of which the least recently used one is the victim.
        candidates: Local<Bits<WAYS>>,
    }

    fn update(&mut self) {
        comment!("Whose lines they are, and who has how many.");
        for i in 0..APPLICATIONS {
            self.lines[i].next = 0;
            for p in 0..WAYS {
                let owner: Bits<APP_W> = self.stack_owner[p];
                self.lines[i][p].next = self.stack_valid[p] & (owner == i.to_bits::<APP_W>());
            }
            self.popcnt[i].data.next = self.lines[i];
        }

        comment!("The requester's, and those of applications above their quotas.");
        self.own.next = 0;
        self.below.next = false;
        self.above.next = 0;
        for i in 0..APPLICATIONS {
            if self.requester == i.to_bits::<APP_W>() {
                self.own.next = self.lines[i];
                self.below.next = self.popcnt[i].count < self.quota[i];
            }
            if self.popcnt[i].count > self.quota[i] {
                self.above.next = self.above | self.lines[i];
            }
        }

        comment!("An invalid way; else one's own line at the quota, another's below it.");
        let has: Bit = self.own.any();
        self.candidates.next = self.stack_valid;
        if !self.stack_valid.all() {
            self.candidates.next = !self.stack_valid;
        } else if has & !self.below {
            self.candidates.next = self.own;
        } else if self.above.any() {
            self.candidates.next = self.above;
        } else if has {
            self.candidates.next = self.own;
        }

        comment!("The least recently used one.");
        self.victim_position.next = 0;
        self.victim_way.next = 0;
        self.victim_owner.next = 0;
        for p in 0..WAYS {
            if self.candidates[p] {
                self.victim_position.next = p.to_bits::<WAY_W>();
                self.victim_way.next = self.stack_way[p];
                self.victim_owner.next = self.stack_owner[p];
            }
        }
        self.victim_valid.next = self.stack_valid.all();
    }
}

const ALIASES: Aliases = &[
    ("table-1", "32x2"),
    ("three", "4x3"),
    ("small", "2x2"),
    ("large", "32x5"),
];

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<QuotaVictim!(@any)>::DEFINITION,
    ALIASES,
    Sets::Numbers(|| {
        let sets = [
            [32, 2],
            [32, 5],
            [16, 4],
            [8, 3],
            [6, 3],
            [7, 5],
            [4, 3],
            [2, 2],
        ];
        sets.map(|set| set.to_vec()).to_vec()
    }),
);
