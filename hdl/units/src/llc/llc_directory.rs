//! `llc_directory`: tags and replacement bits of one bank of a cache, in RAM.
//!
//! Source: GDC, section III: the replacement bits of every set, with the KID of
//! each line's owner. One word of them and one tag a way for each set.
//!
//! The paper sorts the ways from MRU to LRU. Here a bit for each two ways says
//! which of them was used last: the same order, WAYS x (WAYS - 1) / 2 bits
//! instead of WAYS x clog2 WAYS, without a search for the position of a way.
//!
//! Timing: a request at cycle t is compared with the tags at t + 1 (LOOKUP),
//! hits or misses and changes its set at t + 2 (UPDATE), and is reported at t +
//! 3. One request a cycle, without stall, to any set. A set that is still being
//! changed is taken from where it is being written: the RAMs' value for a word
//! that is read while it is written is never used.
//!
//! RAMs have no reset: after one, and before the first request, all sets are to
//! be cleared.
//!
//! ASSUMPTION: an invalidated way moves to the LRU position. So the victim of a
//! miss is always the way at LRU, and an invalid way is filled before a valid
//! line is evicted.
//! ASSUMPTION: a cleared set has all ways invalid, in order, owned by kernel 0.

use super::{kid_width, order_width, way_width, MAX_KERNELS, MAX_WAYS};
use crate::prim::{Ram, Reg};
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// The lowest so many bits.
fn mask(bits: usize) -> u64 {
    match bits {
        0 => 0,
        bits => u64::MAX >> (64 - bits),
    }
}

/// Directory of two to the `SET_W` sets of `WAYS` ways, owned by `KERNELS` kernels.
///
/// Derived: `WAY_W` = max(1, clog2 WAYS), `KID_W` = max(1, clog2 KERNELS),
/// `ORDER_W` = WAYS x (WAYS - 1) / 2, `OWNERS_W` = WAYS x KID_W, `WORD_W` =
/// ORDER_W + OWNERS_W + WAYS.
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
    const ORDER_W: usize,
    const OWNERS_W: usize,
    const WORD_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the pipeline to zero; not the RAMs.
    pub reset: Signal<In, Bit>,
    /// Access `request_tag` in `request_set`; active high. At most one of the three
    /// requests a cycle.
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
    /// KID of the accessing kernel.
    pub access_kid: Signal<Out, Bits<KID_W>>,
    /// KID of the owners of the set's lines, KID_W bits a way, way 0 lowest.
    pub line_owner: Signal<Out, Bits<OWNERS_W>>,
    /// One bit a way: its line is valid and moves towards LRU; 0 without an access.
    pub demoted: Signal<Out, Bits<WAYS>>,
    /// The line that a miss replaces is valid.
    pub victim_valid: Signal<Out, Bit>,
    /// KID of its owner.
    pub victim_owner: Signal<Out, Bits<KID_W>>,
    /// One a way.
    tags: [Ram<Bits<TAG_W>, SET_W>; WAYS],
    /// A word a set: the order of its ways, then owners, then valid bits, by way.
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
    /// The set in UPDATE before its request, zeros without one. Bit w of row v, w below v: way w was
    /// used after way v.
    order: [Reg<Bits<WAYS>>; WAYS],
    owner: [Reg<Bits<KID_W>>; WAYS],
    valid: Reg<Bits<WAYS>>,
    /// One bit a way: it is the one at LRU.
    victim: Reg<Bits<WAYS>>,
    /// One bit a way: the access in UPDATE hits it.
    hits: Reg<Bits<WAYS>>,
    /// The request in UPDATE changes the set of the one in LOOKUP; their tags are
    /// equal.
    again: Reg<Bit>,
    same_tag: Reg<Bit>,
    /// The request in LOOKUP read its set as it was written; its tag is that of the
    /// request that wrote it.
    forward: Reg<Bit>,
    forward_tag: Reg<Bit>,
    /// One bit a way: its tag was written as the request in LOOKUP read it.
    stale: Reg<Bits<WAYS>>,
    /// The set last written, in the same form.
    written_order: [Reg<Bits<WAYS>>; WAYS],
    written_owner: [Reg<Bits<KID_W>>; WAYS],
    written_valid: Reg<Bits<WAYS>>,
    done_valid_register: Reg<Bit>,
    done_hit_register: Reg<Bit>,
    done_way_register: Reg<Bits<WAY_W>>,
    done_evict_register: Reg<Bit>,
    done_owner_register: Reg<Bits<KID_W>>,
    /// UPDATE changes its set.
    updates: Signal<Local, Bit>,
    /// There is a request in LOOKUP.
    looks: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    miss: Signal<Local, Bit>,
    evicts: Signal<Local, Bit>,
    /// One-hot: the way that the access in UPDATE makes MRU; also gated by `again`.
    used: Signal<Local, Bits<WAYS>>,
    used_again: Signal<Local, Bits<WAYS>>,
    /// One-hot: the way that is invalidated.
    removed: Signal<Local, Bits<WAYS>>,
    /// Ways that the access in UPDATE moves towards LRU, if valid.
    pushed: Signal<Local, Bits<WAYS>>,
    /// The set in UPDATE after a clear or an invalidation, without what an access uses.
    kept_order: [Signal<Local, Bits<WAYS>>; WAYS],
    kept_owner: [Signal<Local, Bits<KID_W>>; WAYS],
    kept_valid: Signal<Local, Bits<WAYS>>,
    next_valid: Signal<Local, Bits<WAYS>>,
    /// The set that LOOKUP has read: forwarded, or from the RAM.
    read_order: [Signal<Local, Bits<WAYS>>; WAYS],
    read_owner: [Signal<Local, Bits<KID_W>>; WAYS],
    read_valid: Signal<Local, Bits<WAYS>>,
    read_victim: Signal<Local, Bits<WAYS>>,
    /// What LOOKUP goes on with, before what UPDATE uses.
    base_valid: Signal<Local, Bits<WAYS>>,
    base_victim: Signal<Local, Bits<WAYS>>,
    /// The way before that at LRU.
    next_victim: Signal<Local, Bits<WAYS>>,
    /// Bit w of row v: way w was used after way v, for all pairs.
    newer: [Signal<Local, Bits<WAYS>>; WAYS],
    /// One bit a way: its tag is that of the request in LOOKUP, not looking at UPDATE.
    matches: Signal<Local, Bits<WAYS>>,
    /// Tags that UPDATE writes, one bit a way.
    tag_writes: Signal<Local, Bits<WAYS>>,
    read_word: Signal<Local, Bits<WORD_W>>,
    write_word: Signal<Local, Bits<WORD_W>>,
    hit_way: Signal<Local, Bits<WAY_W>>,
    hit_owner: Signal<Local, Bits<KID_W>>,
    lru_way: Signal<Local, Bits<WAY_W>>,
    lru_owner: Signal<Local, Bits<KID_W>>,
    owners: Signal<Local, Bits<OWNERS_W>>,
    /// One way's part of a word.
    one_row: Signal<Local, Bits<WAYS>>,
    one_owner: Signal<Local, Bits<KID_W>>,
    /// Where row v of the order is in a word, and which bits it has.
    order_at: [Constant<Bits<16>>; WAYS],
    below: [Constant<Bits<WAYS>>; WAYS],
    /// The ways above v; all; the last.
    above: [Constant<Bits<WAYS>>; WAYS],
    all_ways: Constant<Bits<WAYS>>,
    last_way: Constant<Bits<WAYS>>,
    owners_at: Constant<Bits<16>>,
    valid_at: Constant<Bits<16>>,
    kid_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
    > Default
    for LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, ORDER_W, OWNERS_W, WORD_W>
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
                    && ORDER_W == order_width(WAYS),
                "llc_directory: WAY_W, KID_W and ORDER_W follow from WAYS and KERNELS"
            );
            assert!(
                WORD_W == ORDER_W + OWNERS_W + WAYS,
                "llc_directory: WORD_W is ORDER_W + OWNERS_W + WAYS"
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
            access_kid: Default::default(),
            line_owner: Default::default(),
            demoted: Default::default(),
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
            order: from_fn(|_| Reg::default()),
            owner: from_fn(|_| Reg::default()),
            valid: Default::default(),
            victim: Default::default(),
            hits: Default::default(),
            again: Default::default(),
            same_tag: Default::default(),
            forward: Default::default(),
            forward_tag: Default::default(),
            stale: Default::default(),
            written_order: from_fn(|_| Reg::default()),
            written_owner: from_fn(|_| Reg::default()),
            written_valid: Default::default(),
            done_valid_register: Default::default(),
            done_hit_register: Default::default(),
            done_way_register: Default::default(),
            done_evict_register: Default::default(),
            done_owner_register: Default::default(),
            updates: Default::default(),
            looks: Default::default(),
            hit: Default::default(),
            miss: Default::default(),
            evicts: Default::default(),
            used: Default::default(),
            used_again: Default::default(),
            removed: Default::default(),
            pushed: Default::default(),
            kept_order: from_fn(|_| Default::default()),
            kept_owner: from_fn(|_| Default::default()),
            kept_valid: Default::default(),
            next_valid: Default::default(),
            read_order: from_fn(|_| Default::default()),
            read_owner: from_fn(|_| Default::default()),
            read_valid: Default::default(),
            read_victim: Default::default(),
            base_valid: Default::default(),
            base_victim: Default::default(),
            next_victim: Default::default(),
            newer: from_fn(|_| Default::default()),
            matches: Default::default(),
            tag_writes: Default::default(),
            read_word: Default::default(),
            write_word: Default::default(),
            hit_way: Default::default(),
            hit_owner: Default::default(),
            lru_way: Default::default(),
            lru_owner: Default::default(),
            owners: Default::default(),
            one_row: Default::default(),
            one_owner: Default::default(),
            order_at: from_fn(|v| Constant::new(order_width(v).to_bits())),
            below: from_fn(|v| Constant::new(mask(v).into())),
            above: from_fn(|v| Constant::new((mask(WAYS) & !mask(v + 1)).into())),
            all_ways: Constant::new(mask(WAYS).into()),
            last_way: Constant::new((mask(WAYS) & !mask(WAYS - 1)).into()),
            owners_at: Constant::new(ORDER_W.to_bits()),
            valid_at: Constant::new((ORDER_W + OWNERS_W).to_bits()),
            kid_w: Constant::new(KID_W.to_bits()),
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
        const ORDER_W: usize,
        const OWNERS_W: usize,
        const WORD_W: usize,
    > Logic for LlcDirectory<WAYS, KERNELS, SET_W, TAG_W, WAY_W, KID_W, ORDER_W, OWNERS_W, WORD_W>
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
        self.looks.next =
            self.lookup_access.q.val() | self.lookup_invalidate.q.val() | self.lookup_clear.q.val();
        self.hit.next = self.hits.q.val().any();
        self.miss.next = self.update_access.q.val() & !self.hit.val();
        self.evicts.next = self.miss.val() & self.valid.q.val().all();

        comment!("The ways that the request uses, and removes.");
        self.used.next = self.hits.q.val();
        self.tag_writes.next = 0.into();
        if self.miss.val() {
            self.used.next = self.victim.q.val();
            self.tag_writes.next = self.victim.q.val();
        }
        if self.update_clear.q.val() {
            self.tag_writes.next = self.all_ways.val();
        }
        self.removed.next = 0.into();
        for w in 0..WAYS {
            self.removed.next = self.removed.val().replace_bit(
                w,
                self.update_invalidate.q.val() & (self.update_way.q.val() == w.to_bits::<WAY_W>()),
            );
        }
        self.used_again.next = 0.into();
        if self.again.q.val() {
            self.used_again.next = self.used.val();
        }

        comment!("The lines that it pushes, and those it finds.");
        self.pushed.next = 0.into();
        self.hit_way.next = 0.into();
        self.hit_owner.next = 0.into();
        self.lru_way.next = 0.into();
        self.lru_owner.next = 0.into();
        self.owners.next = 0.into();
        for v in 0..WAYS {
            self.newer[v].next = 0.into();
            for w in 0..WAYS {
                self.newer[v].next = self.newer[v].val().replace_bit(
                    w,
                    self.order[v].q.val().get_bit(w)
                        | (self.above[v].val().get_bit(w) & !self.order[w].q.val().get_bit(v)),
                );
            }
            if self.hits.q.val().get_bit(v) {
                self.pushed.next = self.pushed.val() | self.newer[v].val();
                self.hit_way.next = self.hit_way.val() | v.to_bits::<WAY_W>();
                self.hit_owner.next = self.hit_owner.val() | self.owner[v].q.val();
            }
            if self.victim.q.val().get_bit(v) {
                self.lru_way.next = self.lru_way.val() | v.to_bits::<WAY_W>();
                self.lru_owner.next = self.lru_owner.val() | self.owner[v].q.val();
            }
            self.one_owner.next = self.owner[v].q.val();
            self.owners.next = self.owners.val()
                | (bit_cast::<OWNERS_W, KID_W>(self.one_owner.val())
                    << (v * self.kid_w.val().index()).to_bits::<16>());
        }
        if self.miss.val() {
            self.pushed.next = self.all_ways.val();
        }

        comment!("The RAM of replacement bits: read with the request, written by UPDATE.");
        self.replacement.clock.next = self.clock.val();
        self.replacement.read_address.next = self.request_set.val();
        self.replacement.write_enable.next = self.updates.val();
        self.replacement.write_address.next = self.update_set.q.val();
        self.forward.clock.next = self.clock.val();
        self.forward.reset.next = self.reset.val();
        self.forward.d.next =
            self.updates.val() & (self.update_set.q.val() == self.request_set.val());
        self.again.clock.next = self.clock.val();
        self.again.reset.next = self.reset.val();
        self.again.d.next = self.looks.val() & (self.lookup_set.q.val() == self.request_set.val());

        self.read_word.next = self.replacement.read_data.val();
        self.read_valid.next = self
            .read_word
            .val()
            .get_bits::<WAYS>(self.valid_at.val().index());
        self.kept_valid.next = self.valid.q.val() & !self.removed.val();
        if self.update_clear.q.val() {
            self.kept_valid.next = 0.into();
        }
        self.next_valid.next = self.kept_valid.val() | self.used.val();
        if self.forward.q.val() {
            self.read_valid.next = self.written_valid.q.val();
        }
        self.base_valid.next = self.read_valid.val();
        if self.again.q.val() {
            self.base_valid.next = self.kept_valid.val();
        }
        self.valid.clock.next = self.clock.val();
        self.valid.reset.next = self.reset.val();
        self.valid.d.next = self.base_valid.val() | self.used_again.val();
        if !self.looks.val() {
            self.valid.d.next = 0.into();
        }
        self.written_valid.clock.next = self.clock.val();
        self.written_valid.reset.next = self.reset.val();
        self.written_valid.d.next = self.written_valid.q.val();
        if self.updates.val() {
            self.written_valid.d.next = self.next_valid.val();
        }
        self.write_word.next =
            bit_cast::<WORD_W, WAYS>(self.next_valid.val()) << self.valid_at.val();
        for v in 0..WAYS {
            self.read_order[v].next = self
                .read_word
                .val()
                .get_bits::<WAYS>(self.order_at[v].val().index())
                & self.below[v].val();
            self.read_owner[v].next = self
                .read_word
                .val()
                .get_bits::<KID_W>(self.owners_at.val().index() + v * self.kid_w.val().index());
            if self.forward.q.val() {
                self.read_order[v].next = self.written_order[v].q.val() & self.below[v].val();
                self.read_owner[v].next = self.written_owner[v].q.val();
            }

            // What is left of the set without the way used.
            self.kept_order[v].next =
                self.order[v].q.val() & self.below[v].val() & !self.removed.val();
            if self.update_clear.q.val() | self.removed.val().get_bit(v) {
                self.kept_order[v].next = self.below[v].val();
            }
            self.kept_owner[v].next = self.owner[v].q.val();
            if self.update_clear.q.val() {
                self.kept_owner[v].next = 0.into();
            }

            // What is written.
            self.one_row.next = self.kept_order[v].val() | (self.used.val() & self.below[v].val());
            self.one_owner.next = self.kept_owner[v].val();
            if self.used.val().get_bit(v) {
                self.one_row.next = 0.into();
                self.one_owner.next = self.update_kid.q.val();
            }
            self.write_word.next = self.write_word.val()
                | (bit_cast::<WORD_W, WAYS>(self.one_row.val()) << self.order_at[v].val())
                | (bit_cast::<WORD_W, KID_W>(self.one_owner.val())
                    << (self.owners_at.val().index() + v * self.kid_w.val().index())
                        .to_bits::<16>());
            self.written_order[v].clock.next = self.clock.val();
            self.written_order[v].reset.next = self.reset.val();
            self.written_order[v].d.next = self.written_order[v].q.val();
            self.written_owner[v].clock.next = self.clock.val();
            self.written_owner[v].reset.next = self.reset.val();
            self.written_owner[v].d.next = self.written_owner[v].q.val();
            if self.updates.val() {
                self.written_order[v].d.next = self.one_row.val();
                self.written_owner[v].d.next = self.one_owner.val();
            }

            // What the request in LOOKUP finds: that, or what was read.
            self.one_row.next = self.read_order[v].val();
            self.one_owner.next = self.read_owner[v].val();
            if self.again.q.val() {
                self.one_row.next = self.kept_order[v].val();
                self.one_owner.next = self.kept_owner[v].val();
            }
            self.one_row.next = self.one_row.val() | (self.used_again.val() & self.below[v].val());
            if self.used_again.val().get_bit(v) {
                self.one_row.next = 0.into();
                self.one_owner.next = self.update_kid.q.val();
            }
            self.order[v].clock.next = self.clock.val();
            self.order[v].reset.next = self.reset.val();
            self.order[v].d.next = self.one_row.val();
            if !self.looks.val() {
                self.order[v].d.next = 0.into();
            }
            self.owner[v].clock.next = self.clock.val();
            self.owner[v].reset.next = self.reset.val();
            self.owner[v].d.next = self.one_owner.val();
            if !self.looks.val() {
                self.owner[v].d.next = 0.into();
            }
        }
        self.replacement.write_data.next = self.write_word.val();

        comment!("The way at LRU, and the one before it, which is next once that is used.");
        self.read_victim.next = 0.into();
        self.next_victim.next = 0.into();
        for v in 0..WAYS {
            self.one_row.next = !(self.below[v].val() | self.above[v].val());
            for w in 0..WAYS {
                self.one_row.next = self.one_row.val().replace_bit(
                    w,
                    self.one_row.val().get_bit(w)
                        | self.read_order[v].val().get_bit(w)
                        | (self.above[v].val().get_bit(w) & !self.read_order[w].val().get_bit(v)),
                );
            }
            self.read_victim.next = self
                .read_victim
                .val()
                .replace_bit(v, self.one_row.val().all());
            self.one_row.next = self.newer[v].val()
                | self.victim.q.val()
                | !(self.below[v].val() | self.above[v].val());
            self.next_victim.next = self.next_victim.val().replace_bit(
                v,
                self.one_row.val().all() & !self.victim.q.val().get_bit(v),
            );
        }
        self.base_victim.next = self.read_victim.val();
        if self.again.q.val() {
            self.base_victim.next = self.victim.q.val();
            if self.update_invalidate.q.val() {
                self.base_victim.next = self.removed.val();
            }
            if self.update_clear.q.val() {
                self.base_victim.next = self.last_way.val();
            }
        }
        self.victim.clock.next = self.clock.val();
        self.victim.reset.next = self.reset.val();
        self.victim.d.next = self.base_victim.val();
        if self.again.q.val()
            & self.update_access.q.val()
            & !(self.hits.q.val() & !self.victim.q.val()).any()
        {
            self.victim.d.next = self.next_victim.val();
        }
        if !self.looks.val() {
            self.victim.d.next = 0.into();
        }

        comment!("The RAMs of tags: read with the request, written by UPDATE.");
        self.matches.next = 0.into();
        for w in 0..WAYS {
            self.tags[w].clock.next = self.clock.val();
            self.tags[w].read_address.next = self.request_set.val();
            self.tags[w].write_enable.next = self.tag_writes.val().get_bit(w);
            self.tags[w].write_address.next = self.update_set.q.val();
            self.tags[w].write_data.next = self.update_tag.q.val();
            self.matches.next = self
                .matches
                .val()
                .replace_bit(w, self.tags[w].read_data.val() == self.lookup_tag.q.val());
            if self.stale.q.val().get_bit(w) {
                self.matches.next = self.matches.val().replace_bit(w, self.forward_tag.q.val());
            }
        }
        self.stale.clock.next = self.clock.val();
        self.stale.reset.next = self.reset.val();
        self.stale.d.next = 0.into();
        if self.update_set.q.val() == self.request_set.val() {
            self.stale.d.next = self.tag_writes.val();
        }
        self.forward_tag.clock.next = self.clock.val();
        self.forward_tag.reset.next = self.reset.val();
        self.forward_tag.d.next = self.update_tag.q.val() == self.request_tag.val();
        self.same_tag.clock.next = self.clock.val();
        self.same_tag.reset.next = self.reset.val();
        self.same_tag.d.next = self.lookup_tag.q.val() == self.request_tag.val();
        // Nothing is hit without an access; a simulator with unknown values does not see that
        // before the set is cleared.
        self.hits.clock.next = self.clock.val();
        self.hits.reset.next = self.reset.val();
        self.hits.d.next = 0.into();
        self.one_row.next = self.base_valid.val() & self.matches.val() & !self.used_again.val();
        if self.same_tag.q.val() {
            self.one_row.next = self.one_row.val() | self.used_again.val();
        }
        if self.lookup_access.q.val() {
            self.hits.d.next = self.one_row.val();
        }

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
        if self.miss.val() {
            self.done_way_register.d.next = self.lru_way.val();
        }
        self.done_owner_register.clock.next = self.clock.val();
        self.done_owner_register.reset.next = self.reset.val();
        self.done_owner_register.d.next = self.hit_owner.val();
        if self.evicts.val() {
            self.done_owner_register.d.next = self.lru_owner.val();
        }
        self.done_valid.next = self.done_valid_register.q.val();
        self.done_hit.next = self.done_hit_register.q.val();
        self.done_evict.next = self.done_evict_register.q.val();
        self.done_way.next = self.done_way_register.q.val();
        self.done_owner.next = self.done_owner_register.q.val();

        comment!("The access in UPDATE, for the counting units.");
        self.access_valid.next = self.update_access.q.val();
        self.access_hit.next = self.hit.val();
        self.access_kid.next = self.update_kid.q.val();
        self.line_owner.next = self.owners.val();
        self.demoted.next = self.valid.q.val() & self.pushed.val();
        // Invalid ways are below all others: that at LRU is valid if all are.
        self.victim_valid.next = self.valid.q.val().all();
        self.victim_owner.next = self.lru_owner.val();
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
            { $crate::llc::order_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
            { $crate::llc::replacement_width($ways, $kernels) },
        >
    };
}
