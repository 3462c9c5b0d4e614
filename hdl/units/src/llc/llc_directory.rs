//! `llc_directory`: tags and replacement bits of one bank of a cache, in RAM.
//!
//! Source: GDC, section III: the replacement bits of every set, with the KID of
//! each line's owner. One word of them and one tag a way for each set.
//!
//! Timing: a request at cycle t is compared with the tags at t + 1 (LOOKUP),
//! hits or misses and changes its set at t + 2 (UPDATE), and is reported at t +
//! 3. One request a cycle, without stall, to any set. A set that is still being
//! changed is taken from where it is being written: the RAMs' value for a word
//! that is read while it is written is never used.
//!
//! Of requests in the same cycle clear goes before invalidate before access.
//! RAMs have no reset: after one, and before the first request, all sets are to
//! be cleared.

use super::{kid_width, position_width, way_width, LruUpdate, MAX_KERNELS, MAX_WAYS};
use crate::prim::{Ram, Reg};
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Directory of two to the `SET_W` sets of `WAYS` ways, owned by `KERNELS` kernels.
///
/// Derived: `WAY_W` = max(1, clog2 WAYS), `KID_W` = max(1, clog2 KERNELS),
/// `POS_W` = clog2(WAYS + 1), `STACK_W` = WAYS x WAY_W, `OWNERS_W` = WAYS x
/// KID_W, `WORD_W` = STACK_W + OWNERS_W + WAYS.
///
/// ```
/// let directory = <cotenant_units::llc_directory!(16, 4, 64, 36)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcDirectory<
    const WAYS: usize,
    const KERNELS: usize,
    const SET_W: usize,
    const TAG_W: usize,
    const WAY_W: usize,
    const KID_W: usize,
    const POS_W: usize,
    const STACK_W: usize,
    const OWNERS_W: usize,
    const WORD_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the pipeline to zero; not the RAMs.
    pub reset: Signal<In, Bit>,
    /// Access `request_tag` in `request_set`; active high.
    pub request_access: Signal<In, Bit>,
    /// Invalidate `request_way` of `request_set`; active high.
    pub request_invalidate: Signal<In, Bit>,
    /// Invalidate all ways of `request_set` and put them in order, with
    /// `request_tag` as the tag of all; active high.
    pub request_clear: Signal<In, Bit>,
    /// The set.
    pub request_set: Signal<In, Bits<SET_W>>,
    /// The tag to look up, or to clear with.
    pub request_tag: Signal<In, Bits<TAG_W>>,
    /// KID of the accessing kernel; below KERNELS.
    pub request_kid: Signal<In, Bits<KID_W>>,
    /// The way to invalidate; below WAYS.
    pub request_way: Signal<In, Bits<WAY_W>>,
    /// An access was done; 0 after reset.
    pub done_valid: Signal<Out, Bit>,
    /// It hit; 0 without an access.
    pub done_hit: Signal<Out, Bit>,
    /// The way hit or filled; 0 without an access.
    pub done_way: Signal<Out, Bits<WAY_W>>,
    /// It replaced a valid line.
    pub done_evict: Signal<Out, Bit>,
    /// KID of the kernel that owned the line hit or replaced; 0 if there was
    /// none.
    pub done_owner: Signal<Out, Bits<KID_W>>,
    /// UPDATE is doing an access; the ports below are of that request, before it
    /// takes effect. Active high.
    pub access_valid: Signal<Out, Bit>,
    /// It hits; 0 without an access.
    pub access_hit: Signal<Out, Bit>,
    /// Position of the line hit; WAYS is a miss.
    pub access_pos: Signal<Out, Bits<POS_W>>,
    /// KID of the accessing kernel.
    pub access_kid: Signal<Out, Bits<KID_W>>,
    /// KID of the owners of the set's lines, KID_W bits a position, MRU lowest.
    pub stack_owner: Signal<Out, Bits<OWNERS_W>>,
    /// One bit a position, MRU lowest: the line is valid.
    pub stack_valid: Signal<Out, Bits<WAYS>>,
    /// The line at LRU is valid.
    pub victim_valid: Signal<Out, Bit>,
    /// KID of its owner.
    pub victim_owner: Signal<Out, Bits<KID_W>>,
    /// One a way.
    tags: [Ram<Bits<TAG_W>, SET_W>; WAYS],
    /// A word a set: ways by position, then owners, then valid bits, MRU lowest.
    replacement: Ram<Bits<WORD_W>, SET_W>,
    /// The request whose tag is compared.
    lookup_access: Reg<Bit>,
    lookup_invalidate: Reg<Bit>,
    lookup_clear: Reg<Bit>,
    lookup_set: Reg<Bits<SET_W>>,
    lookup_tag: Reg<Bits<TAG_W>>,
    lookup_kid: Reg<Bits<KID_W>>,
    lookup_way: Reg<Bits<WAY_W>>,
    /// The request that changes its set.
    update_access: Reg<Bit>,
    update_invalidate: Reg<Bit>,
    update_clear: Reg<Bit>,
    update_set: Reg<Bits<SET_W>>,
    update_tag: Reg<Bits<TAG_W>>,
    update_kid: Reg<Bits<KID_W>>,
    update_way: Reg<Bits<WAY_W>>,
    /// One bit a way: its tag is the access's, whether valid or not.
    matching: Reg<Bits<WAYS>>,
    /// The request in LOOKUP reads tags that were written as it read them.
    tag_forward: Reg<Bit>,
    /// The request in UPDATE reads replacement bits that were written as it
    /// read them.
    forward: Reg<Bit>,
    /// Ways whose tags were written in the cycle before, and the tag.
    written_ways: Reg<Bits<WAYS>>,
    written_tag: Reg<Bits<TAG_W>>,
    /// The replacement bits last written, by position.
    written_way: [Reg<Bits<WAY_W>>; WAYS],
    written_owner: [Reg<Bits<KID_W>>; WAYS],
    written_valid: [Reg<Bit>; WAYS],
    done_valid_register: Reg<Bit>,
    done_hit_register: Reg<Bit>,
    done_way_register: Reg<Bits<WAY_W>>,
    done_evict_register: Reg<Bit>,
    done_owner_register: Reg<Bits<KID_W>>,
    lru: LruUpdate<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>,
    /// UPDATE changes its set.
    updates: Signal<Local, Bit>,
    /// Tags that UPDATE writes, one bit a way.
    tag_writes: Signal<Local, Bits<WAYS>>,
    updates_looked_up: Signal<Local, Bit>,
    matches: Signal<Local, Bits<WAYS>>,
    /// The set's replacement bits: forwarded, or from the RAM.
    way: [Signal<Local, Bits<WAY_W>>; WAYS],
    owner: [Signal<Local, Bits<KID_W>>; WAYS],
    ways: Signal<Local, Bits<STACK_W>>,
    owners: Signal<Local, Bits<OWNERS_W>>,
    valid: Signal<Local, Bits<WAYS>>,
    /// One-hot by position: where the line hit stands.
    hit_at: Signal<Local, Bits<WAYS>>,
    hit: Signal<Local, Bit>,
    evicts: Signal<Local, Bit>,
    hit_way: Signal<Local, Bits<WAY_W>>,
    hit_owner: Signal<Local, Bits<KID_W>>,
    /// One position's part of a word.
    one_way: Signal<Local, Bits<WAY_W>>,
    one_owner: Signal<Local, Bits<KID_W>>,
    new_ways: Signal<Local, Bits<STACK_W>>,
    new_owners: Signal<Local, Bits<OWNERS_W>>,
    new_valid: Signal<Local, Bits<WAYS>>,
    way_w: Constant<Bits<8>>,
    kid_w: Constant<Bits<8>>,
    owners_at: Constant<Bits<16>>,
    valid_at: Constant<Bits<16>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const POS_W: usize,
        const STACK_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
    > Default
    for LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, POS_W, STACK_W, OWNERS_W, WORD_W>
{
    fn default() -> Self {
        const {
            assert!(
                WAYS >= 2 && WAYS <= MAX_WAYS,
                "llc_directory: WAYS is 2 to 64"
            );
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "llc_directory: KERNELS is 1 to 64"
            );
            assert!(TAG_W >= 1 && TAG_W <= 64, "llc_directory: TAG_W is 1 to 64");
            assert!(
                WAY_W == way_width(WAYS)
                    && KID_W == kid_width(KERNELS)
                    && POS_W == position_width(WAYS),
                "llc_directory: WAY_W, KID_W and POS_W follow from WAYS and KERNELS"
            );
            assert!(
                WORD_W == STACK_W + OWNERS_W + WAYS,
                "llc_directory: WORD_W is STACK_W + OWNERS_W + WAYS"
            );
        }
        LlcDirectory {
            clock: Default::default(),
            reset: Default::default(),
            request_access: Default::default(),
            request_invalidate: Default::default(),
            request_clear: Default::default(),
            request_set: Default::default(),
            request_tag: Default::default(),
            request_kid: Default::default(),
            request_way: Default::default(),
            done_valid: Default::default(),
            done_hit: Default::default(),
            done_way: Default::default(),
            done_evict: Default::default(),
            done_owner: Default::default(),
            access_valid: Default::default(),
            access_hit: Default::default(),
            access_pos: Default::default(),
            access_kid: Default::default(),
            stack_owner: Default::default(),
            stack_valid: Default::default(),
            victim_valid: Default::default(),
            victim_owner: Default::default(),
            tags: from_fn(|_| Default::default()),
            replacement: Default::default(),
            lookup_access: Default::default(),
            lookup_invalidate: Default::default(),
            lookup_clear: Default::default(),
            lookup_set: Default::default(),
            lookup_tag: Default::default(),
            lookup_kid: Default::default(),
            lookup_way: Default::default(),
            update_access: Default::default(),
            update_invalidate: Default::default(),
            update_clear: Default::default(),
            update_set: Default::default(),
            update_tag: Default::default(),
            update_kid: Default::default(),
            update_way: Default::default(),
            matching: Default::default(),
            tag_forward: Default::default(),
            forward: Default::default(),
            written_ways: Default::default(),
            written_tag: Default::default(),
            written_way: from_fn(|i| Reg::new(i.to_bits())),
            written_owner: from_fn(|_| Reg::default()),
            written_valid: from_fn(|_| Reg::default()),
            done_valid_register: Default::default(),
            done_hit_register: Default::default(),
            done_way_register: Default::default(),
            done_evict_register: Default::default(),
            done_owner_register: Default::default(),
            lru: Default::default(),
            updates: Default::default(),
            tag_writes: Default::default(),
            updates_looked_up: Default::default(),
            matches: Default::default(),
            way: from_fn(|_| Default::default()),
            owner: from_fn(|_| Default::default()),
            ways: Default::default(),
            owners: Default::default(),
            valid: Default::default(),
            hit_at: Default::default(),
            hit: Default::default(),
            evicts: Default::default(),
            hit_way: Default::default(),
            hit_owner: Default::default(),
            one_way: Default::default(),
            one_owner: Default::default(),
            new_ways: Default::default(),
            new_owners: Default::default(),
            new_valid: Default::default(),
            way_w: Constant::new(WAY_W.to_bits()),
            kid_w: Constant::new(KID_W.to_bits()),
            owners_at: Constant::new(STACK_W.to_bits()),
            valid_at: Constant::new((STACK_W + OWNERS_W).to_bits()),
            about: About::new("llc_directory")
                .parameter("WAYS", WAYS)
                .parameter("KERNELS", KERNELS)
                .parameter("SETS", 1 << SET_W)
                .parameter("TAG_W", TAG_W)
                .citing("GDC, section III")
                .documented_in(include_str!("llc_directory.rs")),
        }
    }
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const POS_W: usize,
        const STACK_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
    > Logic
    for LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, POS_W, STACK_W, OWNERS_W, WORD_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("LOOKUP: the request taken in the cycle before.");
        self.lookup_access.clock.next = self.clock.val();
        self.lookup_access.reset.next = self.reset.val();
        self.lookup_access.d.next = self.request_access.val();
        self.lookup_invalidate.clock.next = self.clock.val();
        self.lookup_invalidate.reset.next = self.reset.val();
        self.lookup_invalidate.d.next = self.request_invalidate.val();
        self.lookup_clear.clock.next = self.clock.val();
        self.lookup_clear.reset.next = self.reset.val();
        self.lookup_clear.d.next = self.request_clear.val();
        self.lookup_set.clock.next = self.clock.val();
        self.lookup_set.reset.next = self.reset.val();
        self.lookup_set.d.next = self.request_set.val();
        self.lookup_tag.clock.next = self.clock.val();
        self.lookup_tag.reset.next = self.reset.val();
        self.lookup_tag.d.next = self.request_tag.val();
        self.lookup_kid.clock.next = self.clock.val();
        self.lookup_kid.reset.next = self.reset.val();
        self.lookup_kid.d.next = self.request_kid.val();
        self.lookup_way.clock.next = self.clock.val();
        self.lookup_way.reset.next = self.reset.val();
        self.lookup_way.d.next = self.request_way.val();

        comment!("UPDATE: the request a cycle later.");
        self.update_access.clock.next = self.clock.val();
        self.update_access.reset.next = self.reset.val();
        self.update_access.d.next = self.lookup_access.q.val();
        self.update_invalidate.clock.next = self.clock.val();
        self.update_invalidate.reset.next = self.reset.val();
        self.update_invalidate.d.next = self.lookup_invalidate.q.val();
        self.update_clear.clock.next = self.clock.val();
        self.update_clear.reset.next = self.reset.val();
        self.update_clear.d.next = self.lookup_clear.q.val();
        self.update_set.clock.next = self.clock.val();
        self.update_set.reset.next = self.reset.val();
        self.update_set.d.next = self.lookup_set.q.val();
        self.update_tag.clock.next = self.clock.val();
        self.update_tag.reset.next = self.reset.val();
        self.update_tag.d.next = self.lookup_tag.q.val();
        self.update_kid.clock.next = self.clock.val();
        self.update_kid.reset.next = self.reset.val();
        self.update_kid.d.next = self.lookup_kid.q.val();
        self.update_way.clock.next = self.clock.val();
        self.update_way.reset.next = self.reset.val();
        self.update_way.d.next = self.lookup_way.q.val();
        self.updates.next =
            self.update_access.q.val() | self.update_invalidate.q.val() | self.update_clear.q.val();

        comment!("The set's replacement bits, and where the line hit stands.");
        self.valid.next = self
            .replacement
            .read_data
            .val()
            .get_bits::<WAYS>(self.valid_at.val().index());
        self.ways.next = 0.into();
        self.owners.next = 0.into();
        self.hit_at.next = 0.into();
        self.hit_way.next = 0.into();
        self.hit_owner.next = 0.into();
        for i in 0..WAYS {
            self.way[i].next = self
                .replacement
                .read_data
                .val()
                .get_bits::<WAY_W>(i * self.way_w.val().index());
            self.owner[i].next = self
                .replacement
                .read_data
                .val()
                .get_bits::<KID_W>(self.owners_at.val().index() + i * self.kid_w.val().index());
            if self.forward.q.val() {
                self.way[i].next = self.written_way[i].q.val();
                self.owner[i].next = self.written_owner[i].q.val();
                self.valid.next = self
                    .valid
                    .val()
                    .replace_bit(i, self.written_valid[i].q.val());
            }
            self.one_way.next = self.way[i].val();
            self.ways.next = self.ways.val()
                | (bit_cast::<STACK_W, WAY_W>(self.one_way.val())
                    << (i * self.way_w.val().index()).to_bits::<16>());
            self.one_owner.next = self.owner[i].val();
            self.owners.next = self.owners.val()
                | (bit_cast::<OWNERS_W, KID_W>(self.one_owner.val())
                    << (i * self.kid_w.val().index()).to_bits::<16>());
            // Nothing matches without an access; a simulator with unknown values does not see
            // that while the way is unknown, before the set is cleared.
            self.hit_at.next = self.hit_at.val().replace_bit(
                i,
                self.update_access.q.val()
                    & self.valid.val().get_bit(i)
                    & self.matching.q.val().get_bit(self.way[i].val().index()),
            );
            if self.hit_at.val().get_bit(i) {
                self.hit_way.next = self.hit_way.val() | self.way[i].val();
                self.hit_owner.next = self.hit_owner.val() | self.owner[i].val();
            }
        }
        self.hit.next = self.hit_at.val().any();

        comment!("What the request makes of them.");
        self.lru.stack_way.next = self.ways.val();
        self.lru.stack_owner.next = self.owners.val();
        self.lru.stack_valid.next = self.valid.val();
        self.lru.access_valid.next = self.update_access.q.val();
        self.lru.access_hit.next = self.hit.val();
        self.lru.access_way.next = self.hit_way.val();
        self.lru.access_at.next = self.hit_at.val();
        self.lru.access_kid.next = self.update_kid.q.val();
        self.lru.invalidate_valid.next = self.update_invalidate.q.val();
        self.lru.invalidate_way.next = self.update_way.q.val();
        self.lru.clear.next = self.update_clear.q.val();
        self.evicts.next =
            self.update_access.q.val() & !self.hit.val() & self.lru.victim_valid.val();

        comment!("The RAM of replacement bits: read by LOOKUP, written by UPDATE.");
        self.new_ways.next = self.lru.next_way.val();
        self.new_owners.next = self.lru.next_owner.val();
        self.new_valid.next = self.lru.next_valid.val();
        self.replacement.clock.next = self.clock.val();
        self.replacement.read_address.next = self.lookup_set.q.val();
        self.replacement.write_enable.next = self.updates.val();
        self.replacement.write_address.next = self.update_set.q.val();
        self.replacement.write_data.next = bit_cast::<WORD_W, STACK_W>(self.new_ways.val())
            | (bit_cast::<WORD_W, OWNERS_W>(self.new_owners.val()) << self.owners_at.val())
            | (bit_cast::<WORD_W, WAYS>(self.new_valid.val()) << self.valid_at.val());
        self.updates_looked_up.next = self.update_set.q.val() == self.lookup_set.q.val();
        self.forward.clock.next = self.clock.val();
        self.forward.reset.next = self.reset.val();
        self.forward.d.next = self.updates.val() & self.updates_looked_up.val();
        for i in 0..WAYS {
            self.written_way[i].clock.next = self.clock.val();
            self.written_way[i].reset.next = self.reset.val();
            self.written_way[i].d.next = self.written_way[i].q.val();
            self.written_owner[i].clock.next = self.clock.val();
            self.written_owner[i].reset.next = self.reset.val();
            self.written_owner[i].d.next = self.written_owner[i].q.val();
            self.written_valid[i].clock.next = self.clock.val();
            self.written_valid[i].reset.next = self.reset.val();
            self.written_valid[i].d.next = self.written_valid[i].q.val();
            if self.updates.val() {
                self.written_way[i].d.next = self
                    .new_ways
                    .val()
                    .get_bits::<WAY_W>(i * self.way_w.val().index());
                self.written_owner[i].d.next = self
                    .new_owners
                    .val()
                    .get_bits::<KID_W>(i * self.kid_w.val().index());
                self.written_valid[i].d.next = self.new_valid.val().get_bit(i);
            }
        }

        comment!("The RAMs of tags: read with the request, written by UPDATE.");
        self.tag_writes.next = 0.into();
        self.matches.next = 0.into();
        for w in 0..WAYS {
            self.tag_writes.next = self.tag_writes.val().replace_bit(
                w,
                self.update_clear.q.val()
                    | (self.update_access.q.val()
                        & !self.hit.val()
                        & (self.lru.victim_way.val() == w.to_bits::<WAY_W>())),
            );
            self.tags[w].clock.next = self.clock.val();
            self.tags[w].read_address.next = self.request_set.val();
            self.tags[w].write_enable.next = self.tag_writes.val().get_bit(w);
            self.tags[w].write_address.next = self.update_set.q.val();
            self.tags[w].write_data.next = self.update_tag.q.val();
            self.matches.next = self
                .matches
                .val()
                .replace_bit(w, self.tags[w].read_data.val() == self.lookup_tag.q.val());
            if self.tag_forward.q.val() & self.written_ways.q.val().get_bit(w) {
                self.matches.next = self
                    .matches
                    .val()
                    .replace_bit(w, self.written_tag.q.val() == self.lookup_tag.q.val());
            }
            if self.updates_looked_up.val() & self.tag_writes.val().get_bit(w) {
                self.matches.next = self
                    .matches
                    .val()
                    .replace_bit(w, self.update_tag.q.val() == self.lookup_tag.q.val());
            }
        }
        self.matching.clock.next = self.clock.val();
        self.matching.reset.next = self.reset.val();
        self.matching.d.next = 0.into();
        if self.lookup_access.q.val() {
            self.matching.d.next = self.matches.val();
        }
        self.tag_forward.clock.next = self.clock.val();
        self.tag_forward.reset.next = self.reset.val();
        self.tag_forward.d.next =
            self.tag_writes.val().any() & (self.update_set.q.val() == self.request_set.val());
        self.written_ways.clock.next = self.clock.val();
        self.written_ways.reset.next = self.reset.val();
        self.written_ways.d.next = self.tag_writes.val();
        self.written_tag.clock.next = self.clock.val();
        self.written_tag.reset.next = self.reset.val();
        self.written_tag.d.next = self.update_tag.q.val();

        comment!("What the access did.");
        self.done_valid_register.clock.next = self.clock.val();
        self.done_valid_register.reset.next = self.reset.val();
        self.done_valid_register.d.next = self.update_access.q.val();
        self.done_hit_register.clock.next = self.clock.val();
        self.done_hit_register.reset.next = self.reset.val();
        self.done_hit_register.d.next = self.hit.val();
        self.done_evict_register.clock.next = self.clock.val();
        self.done_evict_register.reset.next = self.reset.val();
        self.done_evict_register.d.next = self.evicts.val();
        self.done_way_register.clock.next = self.clock.val();
        self.done_way_register.reset.next = self.reset.val();
        self.done_way_register.d.next = self.hit_way.val();
        if self.update_access.q.val() & !self.hit.val() {
            self.done_way_register.d.next = self.lru.victim_way.val();
        }
        self.done_owner_register.clock.next = self.clock.val();
        self.done_owner_register.reset.next = self.reset.val();
        self.done_owner_register.d.next = self.hit_owner.val();
        if self.evicts.val() {
            self.done_owner_register.d.next = self.lru.victim_owner.val();
        }
        self.done_valid.next = self.done_valid_register.q.val();
        self.done_hit.next = self.done_hit_register.q.val();
        self.done_evict.next = self.done_evict_register.q.val();
        self.done_way.next = self.done_way_register.q.val();
        self.done_owner.next = self.done_owner_register.q.val();

        comment!("The access in UPDATE, for the counting units.");
        self.access_valid.next = self.update_access.q.val();
        self.access_hit.next = self.hit.val();
        self.access_pos.next = self.lru.hit_pos.val();
        self.access_kid.next = self.update_kid.q.val();
        self.stack_owner.next = self.owners.val();
        self.stack_valid.next = self.valid.val();
        self.victim_valid.next = self.lru.victim_valid.val();
        self.victim_owner.next = self.lru.victim_owner.val();
    }
}

/// The type of an [`LlcDirectory`](crate::llc::LlcDirectory): ways, kernels, sets, width of a tag.
#[macro_export]
macro_rules! llc_directory {
    ($ways:expr, $kernels:expr, $sets:expr, $tag_w:expr) => {
        $crate::llc::LlcDirectory<
            { $ways },
            { $kernels },
            { $crate::llc::set_width($sets) },
            { $tag_w },
            { $crate::llc::way_width($ways) },
            { $crate::llc::kid_width($kernels) },
            { $crate::llc::position_width($ways) },
            { $ways * $crate::llc::way_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
            { $crate::llc::replacement_width($ways, $kernels) },
        >
    };
}
