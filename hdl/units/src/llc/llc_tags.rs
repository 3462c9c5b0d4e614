//! `llc_tags`: the tags of one bank of a cache, and their comparison with a
//! request.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: the tags of a request's set are read at cycle t and compared with
//! its own at t + 1 (COMPARE); the result is available at t + 2. It accounts
//! for all writes before t + 2: tags written at t, during the read, or at t + 1
//! are compared separately. One request per cycle, no stall.
//!
//! With RAM_STAGES 0 the comparison is between what the RAMs have read and a flop.
//! With RAM_STAGES 1 registers hold what the RAMs have read: the tags are compared at t + 2,
//! and tags written at t, t + 1 or t + 2 are compared separately. Then all
//! comparisons are between flops, which is for RAMs that take long to read.

use super::{set_width, MAX_WAYS};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, section III",
    require(SETS.is_power_of_two(), "SETS is a power of two")
)]
mod llc_tags {
    /// Tags of `SETS` sets of `WAYS` ways.
    pub struct LlcTags<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(2..)] const SETS: usize,
        #[range(1..=64)] const TAG_W: usize,
        /// 1: registers hold what the RAMs have read.
        #[range(0..=1)] const RAM_STAGES: usize = { 0 },
        const SET_W: usize = { set_width(SETS) },
        const HELD: usize = { WAYS * RAM_STAGES },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the pipeline to zero; not the RAMs.
        pub reset: In<Bit>,
        /// The set to read.
        pub request_set: In<Bits<SET_W>>,
        /// The set that was read one cycle before, if registers hold its tags next.
        pub read_set: [In<Bits<SET_W>>; RAM_STAGES],
        /// The request whose set was read one cycle before, or RAM_STAGES more, is an access;
        /// active high.
        pub compare_access: In<Bit>,
        /// That set.
        pub compare_set: In<Bits<SET_W>>,
        /// The tag to compare with.
        pub compare_tag: In<Bits<TAG_W>>,
        /// The ways whose tag is written, one bit per way.
        pub write_ways: In<Bits<WAYS>>,
        /// The set that is written.
        pub write_set: In<Bits<SET_W>>,
        /// The tag that is written.
        pub write_tag: In<Bits<TAG_W>>,
        /// One bit per way: its tag is that of the access compared one cycle before,
        /// whether the line is valid or not; 0 without an access and after reset.
        pub matched: Out<Bits<WAYS>>,
        /// One per way.
        way: [Ram<Bits<TAG_W>, SET_W>; WAYS],
        /// `write_tag` of the cycle before.
        written_tag: Reg<Bits<TAG_W>>,
        /// One bit per way: its tag was written as the RAM read it, or as its register took it.
        stale: Reg<Bits<WAYS>>,
        /// Of the access compared one cycle before, one bit per way: its tag is the one
        /// that the RAM has read, and that has not been written since.
        unwritten: Reg<Bits<WAYS>>,
        /// One bit per way: its tag was written in the cycle before its comparison, and not since.
        early: Reg<Bits<WAYS>>,
        /// What was written then is the tag of the access.
        early_tag: Reg<Bit>,
        /// One bit per way: its tag was written as it was compared.
        late: Reg<Bits<WAYS>>,
        /// What was written then is the tag of the access.
        late_tag: Reg<Bit>,
        /// With RAM_STAGES 1: the tags that the RAMs have read.
        held: [Reg<Bits<TAG_W>>; HELD],
        /// `written_tag` of the cycle before.
        written_before: [Reg<Bits<TAG_W>>; RAM_STAGES],
        /// One bit per way, of the set read: its tag was written as the RAM read it; and not as
        /// its register took it.
        read_stale: [Reg<Bits<WAYS>>; RAM_STAGES],
        held_stale: [Reg<Bits<WAYS>>; RAM_STAGES],
        /// One bit per way: its tag was written as the RAM read it, and not since; what was
        /// written then is the tag of the access.
        earliest: [Reg<Bits<WAYS>>; RAM_STAGES],
        earliest_tag: [Reg<Bit>; RAM_STAGES],
        /// One bit per way: its tag is being written in the set that is compared.
        fresh: Local<Bits<WAYS>>,
        /// One bit per way: what the RAM has read is the tag of the request in COMPARE.
        equal: Local<Bits<WAYS>>,
        /// The ways written early and late that have the access's tag.
        filled_early: Local<Bits<WAYS>>,
        filled_late: Local<Bits<WAYS>>,
    }

    fn update(&mut self) {
        comment!("The RAMs, and what is written as they read it.");
        for w in 0..WAYS {
            self.way[w].read_address.next = self.request_set;
            self.way[w].write_enable.next = self.write_ways[w];
            self.way[w].write_address.next = self.write_set;
            self.way[w].write_data.next = self.write_tag;
            self.equal[w].next = self.way[w].read_data == self.compare_tag;
        }
        self.written_tag.next = self.write_tag;
        self.stale.next = 0;
        if self.write_set == self.request_set {
            self.stale.next = self.write_ways;
        }

        comment!("Registers behind the RAMs, and what is written as they are loaded.");
        for w in 0..HELD {
            self.held[w].next = self.way[w].read_data;
            self.equal[w].next = self.held[w] == self.compare_tag;
        }
        for r in 0..RAM_STAGES {
            self.read_stale[r].next = 0;
            if self.write_set == self.request_set {
                self.read_stale[r].next = self.write_ways;
            }
            self.held_stale[r].next = self.read_stale[r];
            self.stale.next = 0;
            if self.write_set == self.read_set[r] {
                self.held_stale[r].next = self.read_stale[r] & !self.write_ways;
                self.stale.next = self.write_ways;
            }
            self.written_before[r].next = self.written_tag;
        }

        comment!("COMPARE.");
        self.fresh.next = 0;
        if self.write_set == self.compare_set {
            self.fresh.next = self.write_ways;
        }
        self.late.next = self.fresh;
        self.early.next = self.stale & !self.fresh;
        self.late_tag.next = self.compare_access & (self.write_tag == self.compare_tag);
        self.early_tag.next = self.compare_access & (self.written_tag == self.compare_tag);
        // Nothing matches without an access; a simulator with unknown values does not see that
        // before the set is cleared.
        self.unwritten.next = 0;
        if self.compare_access {
            self.unwritten.next = self.equal & !self.stale & !self.fresh;
        }
        for r in 0..RAM_STAGES {
            self.earliest[r].next = self.held_stale[r] & !self.fresh;
            self.earliest_tag[r].next =
                self.compare_access & (self.written_before[r] == self.compare_tag);
            if self.compare_access {
                self.unwritten.next = self.equal & !self.stale & !self.fresh & !self.held_stale[r];
            }
        }

        comment!("The result: a tag is in one of these.");
        self.filled_early.next = 0;
        if self.early_tag {
            self.filled_early.next = self.early;
        }
        self.filled_late.next = 0;
        if self.late_tag {
            self.filled_late.next = self.late;
        }
        self.matched.next = self.unwritten | self.filled_early | self.filled_late;
        for r in 0..RAM_STAGES {
            if self.earliest_tag[r] {
                self.matched.next = self.matched | self.earliest[r];
            }
        }
    }
}
