//! `llc_report`: reports the result of an access to a cache directory.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: an access at cycle t is reported at t + 1; the owner of the line at
//! LRU is output at t.

use super::{way_width, MAX_WAYS};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "GDC, section III")]
mod llc_report {
    /// Report of accesses to sets of `WAYS` ways.
    pub struct LlcReport<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        const KID_W: usize,
        const WAY_W: usize = { way_width(WAYS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: all to zero.
        pub reset: In<Bit>,
        /// Access valid; active high.
        pub access: In<Bit>,
        /// The access misses; active high, 0 without an access.
        pub missed: In<Bit>,
        /// The way that it hits, one bit per way.
        pub hits: In<Bits<WAYS>>,
        /// The way at LRU, one bit per way; invalid ways are below all others.
        pub victim: In<Bits<WAYS>>,
        /// The lines that are valid, one bit per way.
        pub valid: In<Bits<WAYS>>,
        /// KID of their owners, KID_W bits per way, way 0 lowest.
        pub line_owner: In<[Bits<KID_W>; WAYS]>,
        /// KID of the owner of the line at LRU, valid or not.
        pub victim_owner: Out<Bits<KID_W>>,
        /// An access was done; 0 after reset.
        pub done_valid: Out<Bit>,
        /// The access hit; 0 without an access.
        pub done_hit: Out<Bit>,
        /// The way hit or filled; 0 without an access.
        pub done_way: Out<Bits<WAY_W>>,
        /// The access replaced a valid line.
        pub done_evict: Out<Bit>,
        /// KID of the previous owner of the line hit or replaced; 0 if there was none.
        pub done_owner: Out<Bits<KID_W>>,
        valid_register: Reg<Bit>,
        hit_register: Reg<Bit>,
        way_register: Reg<Bits<WAY_W>>,
        evict_register: Reg<Bit>,
        owner_register: Reg<Bits<KID_W>>,
        evicts: Local<Bit>,
        hit_way: Local<Bits<WAY_W>>,
        hit_owner: Local<Bits<KID_W>>,
        lru_way: Local<Bits<WAY_W>>,
        lru_owner: Local<Bits<KID_W>>,
    }

    fn update(&mut self) {
        comment!("The lines hit and at LRU.");
        self.hit_way.next = 0;
        self.hit_owner.next = 0;
        self.lru_way.next = 0;
        self.lru_owner.next = 0;
        for v in 0..WAYS {
            if self.hits[v] {
                self.hit_way.next = self.hit_way | v.to_bits::<WAY_W>();
                self.hit_owner.next = self.hit_owner | self.line_owner[v];
            }
            if self.victim[v] {
                self.lru_way.next = self.lru_way | v.to_bits::<WAY_W>();
                self.lru_owner.next = self.lru_owner | self.line_owner[v];
            }
        }
        self.victim_owner.next = self.lru_owner;

        comment!("What the access did.");
        self.evicts.next = self.missed & self.valid.all();
        self.valid_register.next = self.access;
        self.hit_register.next = self.access & !self.missed;
        self.evict_register.next = self.evicts;
        self.way_register.next = self.hit_way;
        if self.missed {
            self.way_register.next = self.lru_way;
        }
        self.owner_register.next = self.hit_owner;
        if self.evicts {
            self.owner_register.next = self.lru_owner;
        }
        self.done_valid.next = self.valid_register;
        self.done_hit.next = self.hit_register;
        self.done_evict.next = self.evict_register;
        self.done_way.next = self.way_register;
        self.done_owner.next = self.owner_register;
    }
}
