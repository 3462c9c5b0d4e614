//! `llc_directory`: tags and replacement bits of one bank of a cache, in RAM.
//!
//! Source: GDC, section III: the replacement bits of every set, with the KID of
//! each line's owner. One word of them and one tag per way for each set.
//!
//! The paper stores the ways sorted from MRU to LRU. Here one bit per pair of
//! ways records which of the two was used last (a matrix LRU): the same order
//! in WAYS x (WAYS - 1) / 2 bits instead of WAYS x clog2 WAYS, without a search
//! for the position of a way.
//!
//! Timing: the tags of a request at cycle t are compared with its own at t + 1
//! (COMPARE, in [`llc_tags`](crate::llc::LlcTags)). It hits or misses at t + 2
//! (LOOKUP), changes its set at t + 3 (UPDATE), and is reported at t + 4. One
//! request per cycle, without stall, to any set. A set that is still being
//! updated is forwarded from the write: the value that a RAM returns for a word
//! read during its write is never used.
//!
//! With RAM_STAGES 1 registers hold what the RAMs have read, for RAMs that take long
//! to read, and all this is one cycle later: the RAMs of tags are read at t, a stage
//! READ follows at t + 1, and COMPARE is at t + 2. With 16 ways and 64 sets in block
//! RAM of an ECP5 that brings 121 MHz instead of 75 (docs/fpga.md).
//!
//! RAMs have no reset: after a reset and before the first request, all sets
//! must be cleared.
//!
//! ASSUMPTION: an invalidated way moves to the LRU position. The victim of a
//! miss is therefore always the way at LRU, and an invalid way is filled before
//! a valid line is evicted.
//! ASSUMPTION: a cleared set has all ways invalid, in order, owned by kernel 0.

use super::{
    kid_width, mask, order_width, set_width, way_width, LlcReport, LlcRequest, LlcTags, LruMatrix,
    MAX_KERNELS, MAX_WAYS,
};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, section III",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    unused = ["ram_lru.newer"]
)]
mod llc_directory {
    /// Directory of `SETS` sets of `WAYS` ways, owned by `KERNELS` kernels.
    pub struct LlcDirectory<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(2..)] const SETS: usize,
        #[range(1..=64)] const TAG_W: usize,
        /// 1: `victim_way` is a port.
        #[range(0..=1)] const SHOWN: usize = { 0 },
        /// 1: registers hold what the RAMs have read.
        #[range(0..=1)] const RAM_STAGES: usize = { 0 },
        const SET_W: usize = { set_width(SETS) },
        const WAY_W: usize = { way_width(WAYS) },
        const KID_W: usize = { kid_width(KERNELS) },
        const ORDER_W: usize = { order_width(WAYS) },
        const OWNERS_W: usize = { WAYS * KID_W },
        const WORD_W: usize = { ORDER_W + OWNERS_W + WAYS },
        const HELD: usize = { WAYS * RAM_STAGES },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the pipeline to zero; not the RAMs.
        pub reset: In<Bit>,
        /// Access `request_tag` in `request_set`; active high. At most one of the three
        /// requests per cycle.
        pub request_access: In<Bit>,
        /// Invalidate `request_way` of `request_set`; active high.
        pub request_invalidate: In<Bit>,
        /// Invalidate all ways of `request_set` and put them in order, with
        /// `request_tag` as the tag of all; active high.
        pub request_clear: In<Bit>,
        /// The set.
        pub request_set: In<Bits<SET_W>>,
        /// The tag to look up, or to clear with.
        pub request_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel; below KERNELS.
        pub request_kid: In<Bits<KID_W>>,
        /// The way to invalidate; below WAYS.
        pub request_way: In<Bits<WAY_W>>,
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
        /// UPDATE is doing an access; the ports below are of that request, before it
        /// takes effect. Active high.
        pub access_valid: Out<Bit>,
        /// The access hits; 0 without an access.
        pub access_hit: Out<Bit>,
        /// KID of the accessing kernel.
        pub access_kid: Out<Bits<KID_W>>,
        /// KID of the owners of the set's lines, KID_W bits per way, way 0 lowest.
        pub line_owner: Out<[Bits<KID_W>; WAYS]>,
        /// One bit per way: its line is valid and moves towards LRU; 0 without an access.
        pub demoted: Out<Bits<WAYS>>,
        /// The line that a miss replaces is valid.
        pub victim_valid: Out<Bit>,
        /// KID of its owner.
        pub victim_owner: Out<Bits<KID_W>>,
        /// One bit per way: it is the one at LRU; zeros without a request.
        pub victim_way: [Out<Bits<WAYS>>; SHOWN],
        tags: LlcTags<WAYS, SETS, TAG_W, RAM_STAGES>,
        /// One word per set: the order of its ways, then owners, then valid bits, by way.
        replacement: Ram<Bits<WORD_W>, SET_W>,
        /// With RAM_STAGES 1: the request whose tags have been read.
        read: [LlcRequest<SET_W, TAG_W, WAY_W, KID_W>; RAM_STAGES],
        /// The set that the RAM had read, in the form of `order`; nothing is between the two, so that
        /// reading may take as long as a cycle.
        held_order: [Reg<Bits<WAYS>>; HELD],
        held_owner: [Reg<Bits<KID_W>>; HELD],
        held_valid: [Reg<Bits<WAYS>>; RAM_STAGES],
        /// The request in COMPARE read its set's replacement bits as they were written; the same of
        /// that in LOOKUP.
        stale: [Reg<Bit>; RAM_STAGES],
        held_stale: [Reg<Bit>; RAM_STAGES],
        /// The set last written before this cycle, as it is below.
        earlier_order: [Reg<Bits<WAYS>>; HELD],
        earlier_owner: [Reg<Bits<KID_W>>; HELD],
        earlier_valid: [Reg<Bits<WAYS>>; RAM_STAGES],
        earlier_victim: [Reg<Bits<WAYS>>; RAM_STAGES],
        /// The request whose tag is compared, and the one that hits or misses.
        compare: LlcRequest<SET_W, TAG_W, WAY_W, KID_W>,
        lookup: LlcRequest<SET_W, TAG_W, WAY_W, KID_W>,
        /// The request that changes its set.
        update_access: Reg<Bit>,
        update_invalidate: Reg<Bit>,
        update_clear: Reg<Bit>,
        update_set: Reg<Bits<SET_W>>,
        update_tag: Reg<Bits<TAG_W>>,
        update_kid: Reg<Bits<KID_W>>,
        /// One-hot: the way that it invalidates.
        removed: Reg<Bits<WAYS>>,
        /// The set in UPDATE before its request, zeros without one. Bit w of row v, w below v: way
        /// w was used after way v.
        order: [Reg<Bits<WAYS>>; WAYS],
        owner: [Reg<Bits<KID_W>>; WAYS],
        valid: Reg<Bits<WAYS>>,
        /// One bit per way: it is the one at LRU.
        victim: Reg<Bits<WAYS>>,
        /// One bit per way: the access in UPDATE hits it.
        hits: Reg<Bits<WAYS>>,
        /// It hits none.
        missed: Reg<Bit>,
        /// The request in UPDATE changes the set of the one in LOOKUP; the latter is
        /// an access, and their tags are equal.
        again: Reg<Bit>,
        same_tag: Reg<Bit>,
        /// The request in LOOKUP read its set's replacement bits as they were written.
        forward: Reg<Bit>,
        /// The set last written, in the same form.
        written_order: [Reg<Bits<WAYS>>; WAYS],
        written_owner: [Reg<Bits<KID_W>>; WAYS],
        written_valid: Reg<Bits<WAYS>>,
        written_victim: Reg<Bits<WAYS>>,
        report: LlcReport<WAYS, KID_W>,
        /// The order that the RAM has read; that of the set in UPDATE, without the way at LRU.
        ram_lru: LruMatrix<WAYS>,
        lru: LruMatrix<WAYS>,
        /// UPDATE changes its set.
        updates: Local<Bit>,
        /// There is a request in LOOKUP.
        looks: Local<Bit>,
        /// One-hot: the way that the access in UPDATE makes MRU; also gated by `again`.
        used: Local<Bits<WAYS>>,
        used_again: Local<Bits<WAYS>>,
        /// One-hot: the way that the request in LOOKUP invalidates.
        next_removed: Local<Bits<WAYS>>,
        /// Ways that the access in UPDATE moves towards LRU, if valid.
        pushed: Local<Bits<WAYS>>,
        /// The set in UPDATE after a clear or an invalidation, without what an access uses.
        kept_order: [Local<Bits<WAYS>>; WAYS],
        kept_owner: [Local<Bits<KID_W>>; WAYS],
        kept_valid: Local<Bits<WAYS>>,
        next_valid: Local<Bits<WAYS>>,
        /// The set that LOOKUP has read: forwarded, or from the RAM.
        ram_order: [Local<Bits<WAYS>>; WAYS],
        read_order: [Local<Bits<WAYS>>; WAYS],
        read_owner: [Local<Bits<KID_W>>; WAYS],
        read_valid: Local<Bits<WAYS>>,
        /// What LOOKUP goes on with, before what UPDATE uses.
        base_valid: Local<Bits<WAYS>>,
        /// The order that the RAM has read, bit by bit; the rows of both orders side by side.
        ram_bits: [Local<Bits<WAYS>>; WAYS],
        ram_rows: Local<[Bits<WAYS>; WAYS]>,
        order_rows: Local<[Bits<WAYS>; WAYS]>,
        /// Bit w of row v: way w was used after way v, for all pairs in UPDATE.
        newer: Local<[Bits<WAYS>; WAYS]>,
        /// The way at LRU after UPDATE.
        left_victim: Local<Bits<WAYS>>,
        /// One bit per way: a valid line with the tag of the access in LOOKUP, in the set read, and
        /// in the one in UPDATE, if its request leaves it there.
        read_hits: Local<Bits<WAYS>>,
        kept_hits: Local<Bits<WAYS>>,
        /// The access in LOOKUP hits the line that the one in UPDATE brings; it hits any.
        hits_fill: Local<Bit>,
        found: Local<Bit>,
        /// Tags that UPDATE writes, one bit per way.
        tag_writes: Local<Bits<WAYS>>,
        read_word: Local<Bits<WORD_W>>,
        write_word: Local<Bits<WORD_W>>,
        /// Where row v of the order is in a word, and which bits it has.
        #[value(|v| order_width(v))]
        order_at: [Constant<Bits<16>>; WAYS],
        #[value(|v| mask(v))]
        below: [Constant<Bits<WAYS>>; WAYS],
        /// The ways above v; all; the last.
        #[value(|v| mask(WAYS) & !mask(v + 1))]
        above: [Constant<Bits<WAYS>>; WAYS],
        #[value(mask(WAYS))]
        all_ways: Constant<Bits<WAYS>>,
        #[value(mask(WAYS) & !mask(WAYS - 1))]
        last_way: Constant<Bits<WAYS>>,
        /// Where the owner of way v is in a word.
        #[value(|v| ORDER_W + v * KID_W)]
        owner_at: [Constant<Bits<16>>; WAYS],
        #[value(ORDER_W + OWNERS_W)]
        valid_at: Constant<Bits<16>>,
    }

    fn update(&mut self) {
        comment!("COMPARE: the request taken in the cycle before; its tag is compared.");
        self.compare.next = LlcRequest {
            next_access: self.request_access,
            next_invalidate: self.request_invalidate,
            next_clear: self.request_clear,
            next_set: self.request_set,
            next_tag: self.request_tag,
            next_kid: self.request_kid,
            next_way: self.request_way,
        };
        for r in 0..RAM_STAGES {
            // READ comes before it.
            self.read[r].next = LlcRequest {
                next_access: self.request_access,
                next_invalidate: self.request_invalidate,
                next_clear: self.request_clear,
                next_set: self.request_set,
                next_tag: self.request_tag,
                next_kid: self.request_kid,
                next_way: self.request_way,
            };
            self.compare.next = LlcRequest {
                next_access: self.read[r].access,
                next_invalidate: self.read[r].invalidate,
                next_clear: self.read[r].clear,
                next_set: self.read[r].set,
                next_tag: self.read[r].tag,
                next_kid: self.read[r].kid,
                next_way: self.read[r].way,
            };
        }

        comment!("LOOKUP: the request a cycle later; its replacement bits have been read.");
        self.lookup.next = LlcRequest {
            next_access: self.compare.access,
            next_invalidate: self.compare.invalidate,
            next_clear: self.compare.clear,
            next_set: self.compare.set,
            next_tag: self.compare.tag,
            next_kid: self.compare.kid,
            next_way: self.compare.way,
        };
        self.looks.next = self.lookup.access | self.lookup.invalidate | self.lookup.clear;

        comment!("UPDATE: the request a cycle later.");
        self.update_access.next = self.lookup.access;
        self.update_invalidate.next = self.lookup.invalidate;
        self.update_clear.next = self.lookup.clear;
        self.update_set.next = self.lookup.set;
        self.update_tag.next = self.lookup.tag;
        self.update_kid.next = self.lookup.kid;
        for w in 0..WAYS {
            self.next_removed[w].next =
                self.lookup.invalidate & (self.lookup.way == w.to_bits::<WAY_W>());
        }
        self.removed.next = self.next_removed;
        self.updates.next = self.update_access | self.update_invalidate | self.update_clear;

        comment!("The ways that the request uses, and whose tags it writes.");
        self.used.next = self.hits;
        self.tag_writes.next = 0;
        if self.missed {
            self.used.next = self.victim;
            self.tag_writes.next = self.victim;
        }
        if self.update_clear {
            self.tag_writes.next = self.all_ways;
        }
        self.tags.next = LlcTags {
            request_set,
            compare_access: self.compare.access,
            compare_set: self.compare.set,
            compare_tag: self.compare.tag,
            write_ways: self.tag_writes,
            write_set: self.update_set,
            write_tag: self.update_tag,
        };
        for r in 0..RAM_STAGES {
            self.tags.read_set[r].next = self.read[r].set;
        }
        self.used_again.next = 0;
        if self.again {
            self.used_again.next = self.used;
        }

        comment!("The lines that it pushes, and the owners of all.");
        for v in 0..WAYS {
            self.order_rows[v].next = self.order[v];
        }
        self.lru.next = LruMatrix {
            order: self.order_rows,
            without: self.victim,
        };
        self.newer.next = self.lru.newer;
        self.pushed.next = 0;
        for v in 0..WAYS {
            if self.hits[v] {
                self.pushed.next = self.pushed | self.newer[v];
            }
            self.line_owner[v].next = self.owner[v];
        }
        if self.missed {
            self.pushed.next = self.all_ways;
        }

        comment!("The RAM of replacement bits: read in COMPARE, written by UPDATE.");
        self.replacement.read_address.next = self.compare.set;
        self.replacement.write_enable.next = self.updates;
        self.replacement.write_address.next = self.update_set;
        self.forward.next = self.updates & (self.update_set == self.compare.set);
        self.again.next = self.looks & (self.lookup.set == self.compare.set);
        self.same_tag.next = self.compare.access & (self.lookup.tag == self.compare.tag);

        self.read_word.next = self.replacement.read_data;
        self.read_valid.next = self.read_word.get_bits::<WAYS>(self.valid_at);
        for r in 0..RAM_STAGES {
            // Read in READ; the registers take it in COMPARE.
            self.replacement.read_address.next = self.read[r].set;
            self.stale[r].next = self.updates & (self.update_set == self.read[r].set);
            self.held_stale[r].next = self.stale[r];
            self.held_valid[r].next = self.read_word.get_bits::<WAYS>(self.valid_at);
            self.earlier_valid[r].next = self.written_valid;
            self.earlier_victim[r].next = self.written_victim;
            for v in 0..WAYS {
                self.held_order[v].next =
                    self.read_word.get_bits::<WAYS>(self.order_at[v]) & self.below[v];
                self.held_owner[v].next = self.read_word.get_bits::<KID_W>(self.owner_at[v]);
                self.earlier_order[v].next = self.written_order[v];
                self.earlier_owner[v].next = self.written_owner[v];
            }
            self.read_valid.next = self.held_valid[r];
            if self.held_stale[r] {
                self.read_valid.next = self.earlier_valid[r];
            }
        }
        self.kept_valid.next = self.valid & !self.removed;
        if self.update_clear {
            self.kept_valid.next = 0;
        }
        self.next_valid.next = self.kept_valid | self.used;
        if self.forward {
            self.read_valid.next = self.written_valid;
        }
        self.base_valid.next = self.read_valid;
        if self.again {
            self.base_valid.next = self.kept_valid;
        }
        self.valid.next = self.base_valid | self.used_again;
        if !self.looks {
            self.valid.next = 0;
        }
        if self.updates {
            self.written_valid.next = self.next_valid;
        }
        self.write_word.next = self.next_valid.cast::<WORD_W>() << self.valid_at;
        for v in 0..WAYS {
            self.ram_order[v].next =
                self.read_word.get_bits::<WAYS>(self.order_at[v]) & self.below[v];
            self.read_owner[v].next = self.read_word.get_bits::<KID_W>(self.owner_at[v]);
            for _stage in 0..RAM_STAGES {
                self.ram_order[v].next = self.held_order[v];
                self.read_owner[v].next = self.held_owner[v];
            }
            self.read_order[v].next = self.ram_order[v];
            for r in 0..RAM_STAGES {
                if self.held_stale[r] {
                    self.read_order[v].next = self.earlier_order[v] & self.below[v];
                    self.read_owner[v].next = self.earlier_owner[v];
                }
            }
            if self.forward {
                self.read_order[v].next = self.written_order[v] & self.below[v];
                self.read_owner[v].next = self.written_owner[v];
            }

            // What is left of the set without the way used.
            self.kept_order[v].next = self.order[v] & self.below[v] & !self.removed;
            if self.update_clear | self.removed[v] {
                self.kept_order[v].next = self.below[v];
            }
            self.kept_owner[v].next = self.owner[v];
            if self.update_clear {
                self.kept_owner[v].next = 0;
            }

            // What is written.
            let mut new_row: Bits<WAYS> = self.kept_order[v] | (self.used & self.below[v]);
            let mut new_owner: Bits<KID_W> = self.kept_owner[v];
            if self.used[v] {
                new_row = 0;
                new_owner = self.update_kid;
            }
            self.write_word.next = self.write_word
                | (new_row.cast::<WORD_W>() << self.order_at[v])
                | (new_owner.cast::<WORD_W>() << self.owner_at[v]);
            if self.updates {
                self.written_order[v].next = new_row;
                self.written_owner[v].next = new_owner;
            }

            // What the request in LOOKUP finds: that, or what was read.
            let mut found_row: Bits<WAYS> = self.read_order[v];
            let mut found_owner: Bits<KID_W> = self.read_owner[v];
            if self.again {
                found_row = self.kept_order[v];
                found_owner = self.kept_owner[v];
            }
            found_row = found_row | (self.used_again & self.below[v]);
            if self.used_again[v] {
                found_row = 0;
                found_owner = self.update_kid;
            }
            self.order[v].next = found_row;
            self.owner[v].next = found_owner;
            if !self.looks {
                self.order[v].next = 0;
                self.owner[v].next = 0;
            }
        }
        self.replacement.write_data.next = self.write_word;

        comment!("The way at LRU, and the one before it, which is next once that is used.");
        for v in 0..WAYS {
            for w in 0..WAYS {
                // A way is in no pair with itself.
                self.ram_bits[v][w].next =
                    (self.below[v][w] | self.above[v][w]) & self.ram_order[v][w];
            }
            self.ram_rows[v].next = self.ram_bits[v];
        }
        self.ram_lru.next = LruMatrix {
            order: self.ram_rows,
            without: 0,
        };
        self.left_victim.next = self.victim;
        if self.missed | (self.hits & self.victim).any() {
            self.left_victim.next = self.lru.last;
        }
        if self.update_invalidate {
            self.left_victim.next = self.removed;
        }
        if self.update_clear {
            self.left_victim.next = self.last_way;
        }
        if self.updates {
            self.written_victim.next = self.left_victim;
        }
        self.victim.next = self.ram_lru.last;
        for r in 0..RAM_STAGES {
            if self.held_stale[r] {
                self.victim.next = self.earlier_victim[r];
            }
        }
        if self.forward {
            self.victim.next = self.written_victim;
        }
        if self.again {
            self.victim.next = self.left_victim;
        }
        if !self.looks {
            self.victim.next = 0;
        }

        comment!("What the access in LOOKUP hits.");
        self.read_hits.next = self.read_valid & self.tags.matched;
        self.kept_hits.next = self.kept_valid & self.tags.matched;
        if self.missed {
            self.kept_hits.next = self.kept_valid & self.tags.matched & !self.victim;
        }
        self.hits_fill.next = self.missed & self.same_tag;
        self.hits.next = self.read_hits;
        self.found.next = self.read_hits.any();
        if self.again {
            self.hits.next = self.kept_hits;
            if self.hits_fill {
                self.hits.next = self.kept_hits | self.victim;
            }
            self.found.next = self.kept_hits.any() | self.hits_fill;
        }
        self.missed.next = self.lookup.access & !self.found;

        comment!("What the access did.");
        self.report.next = LlcReport {
            access: self.update_access,
            missed: self.missed,
            hits: self.hits,
            victim: self.victim,
            valid: self.valid,
            line_owner,
        };
        self.done_valid.next = self.report.done_valid;
        self.done_hit.next = self.report.done_hit;
        self.done_evict.next = self.report.done_evict;
        self.done_way.next = self.report.done_way;
        self.done_owner.next = self.report.done_owner;

        comment!("The access in UPDATE, for the counting units.");
        self.access_valid.next = self.update_access;
        self.access_hit.next = self.update_access & !self.missed;
        self.access_kid.next = self.update_kid;
        self.demoted.next = self.valid & self.pushed;
        // Invalid ways are below all others: that at LRU is valid if all are.
        self.victim_valid.next = self.valid.all();
        self.victim_owner.next = self.report.victim_owner;
        for shown in 0..SHOWN {
            self.victim_way[shown].next = self.victim;
        }
    }
}
