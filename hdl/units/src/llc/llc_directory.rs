//! `llc_directory`: tags and replacement bits of one bank of a cache, in RAM.
//!
//! Source: GDC, section III: the replacement bits of every set, with the KID of
//! each line's owner. One word of them and one tag a way for each set.
//!
//! The paper sorts the ways from MRU to LRU. Here a bit for each two ways says
//! which of them was used last: the same order, WAYS x (WAYS - 1) / 2 bits
//! instead of WAYS x clog2 WAYS, without a search for the position of a way.
//!
//! Timing: the tags of a request at cycle t are compared with its own at t + 1
//! (COMPARE, in [`llc_tags`](crate::llc::LlcTags)). It hits or misses at t + 2
//! (LOOKUP), changes its set at t + 3 (UPDATE), and is reported at t + 4. One
//! request a cycle, without stall, to any set. A set that is still being
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

mod logic;

use super::{
    kid_width, mask, order_width, way_width, LlcReport, LlcRequest, LlcTags, MAX_KERNELS, MAX_WAYS,
};
use crate::prim::{Ram, Reg};
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

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
    tags: LlcTags<WAYS, SET_W, TAG_W>,
    /// A word a set: the order of its ways, then owners, then valid bits, by way.
    replacement: Ram<Bits<WORD_W>, SET_W>,
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
    /// The set in UPDATE before its request, zeros without one. Bit w of row v, w below v: way w was
    /// used after way v.
    order: [Reg<Bits<WAYS>>; WAYS],
    owner: [Reg<Bits<KID_W>>; WAYS],
    valid: Reg<Bits<WAYS>>,
    /// One bit a way: it is the one at LRU.
    victim: Reg<Bits<WAYS>>,
    /// One bit a way: the access in UPDATE hits it.
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
    report: LlcReport<WAYS, WAY_W, KID_W, OWNERS_W>,
    /// UPDATE changes its set.
    updates: Signal<Local, Bit>,
    /// There is a request in LOOKUP.
    looks: Signal<Local, Bit>,
    /// One-hot: the way that the access in UPDATE makes MRU; also gated by `again`.
    used: Signal<Local, Bits<WAYS>>,
    used_again: Signal<Local, Bits<WAYS>>,
    /// One-hot: the way that the request in LOOKUP invalidates.
    next_removed: Signal<Local, Bits<WAYS>>,
    /// Ways that the access in UPDATE moves towards LRU, if valid.
    pushed: Signal<Local, Bits<WAYS>>,
    /// The set in UPDATE after a clear or an invalidation, without what an access uses.
    kept_order: [Signal<Local, Bits<WAYS>>; WAYS],
    kept_owner: [Signal<Local, Bits<KID_W>>; WAYS],
    kept_valid: Signal<Local, Bits<WAYS>>,
    next_valid: Signal<Local, Bits<WAYS>>,
    /// The set that LOOKUP has read: forwarded, or from the RAM.
    ram_order: [Signal<Local, Bits<WAYS>>; WAYS],
    read_order: [Signal<Local, Bits<WAYS>>; WAYS],
    read_owner: [Signal<Local, Bits<KID_W>>; WAYS],
    read_valid: Signal<Local, Bits<WAYS>>,
    /// What LOOKUP goes on with, before what UPDATE uses.
    base_valid: Signal<Local, Bits<WAYS>>,
    /// The way at LRU in the word that the RAM has read.
    ram_victim: Signal<Local, Bits<WAYS>>,
    /// The way before that at LRU in the set in UPDATE; the one at LRU after UPDATE.
    next_victim: Signal<Local, Bits<WAYS>>,
    left_victim: Signal<Local, Bits<WAYS>>,
    /// Bit w of row v: way w was used after way v, for all pairs.
    newer: [Signal<Local, Bits<WAYS>>; WAYS],
    /// One bit a way: a valid line with the tag of the access in LOOKUP, in the set read, and in
    /// the one in UPDATE, if its request leaves it there.
    read_hits: Signal<Local, Bits<WAYS>>,
    kept_hits: Signal<Local, Bits<WAYS>>,
    /// The access in LOOKUP hits the line that the one in UPDATE brings; it hits any.
    hits_fill: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    /// Tags that UPDATE writes, one bit a way.
    tag_writes: Signal<Local, Bits<WAYS>>,
    read_word: Signal<Local, Bits<WORD_W>>,
    write_word: Signal<Local, Bits<WORD_W>>,
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
    /// Where the owner of way v is among the owners, and in a word.
    kid_at: [Constant<Bits<16>>; WAYS],
    owner_at: [Constant<Bits<16>>; WAYS],
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
            tags: Default::default(),
            replacement: Default::default(),
            compare: Default::default(),
            lookup: Default::default(),
            update_access: Default::default(),
            update_invalidate: Default::default(),
            update_clear: Default::default(),
            update_set: Default::default(),
            update_tag: Default::default(),
            update_kid: Default::default(),
            removed: Default::default(),
            order: from_fn(|_| Reg::default()),
            owner: from_fn(|_| Reg::default()),
            valid: Default::default(),
            victim: Default::default(),
            hits: Default::default(),
            missed: Default::default(),
            again: Default::default(),
            same_tag: Default::default(),
            forward: Default::default(),
            written_order: from_fn(|_| Reg::default()),
            written_owner: from_fn(|_| Reg::default()),
            written_valid: Default::default(),
            written_victim: Default::default(),
            report: Default::default(),
            updates: Default::default(),
            looks: Default::default(),
            used: Default::default(),
            used_again: Default::default(),
            next_removed: Default::default(),
            pushed: Default::default(),
            kept_order: from_fn(|_| Default::default()),
            kept_owner: from_fn(|_| Default::default()),
            kept_valid: Default::default(),
            next_valid: Default::default(),
            ram_order: from_fn(|_| Default::default()),
            read_order: from_fn(|_| Default::default()),
            read_owner: from_fn(|_| Default::default()),
            read_valid: Default::default(),
            base_valid: Default::default(),
            ram_victim: Default::default(),
            next_victim: Default::default(),
            left_victim: Default::default(),
            newer: from_fn(|_| Default::default()),
            read_hits: Default::default(),
            kept_hits: Default::default(),
            hits_fill: Default::default(),
            found: Default::default(),
            tag_writes: Default::default(),
            read_word: Default::default(),
            write_word: Default::default(),
            owners: Default::default(),
            one_row: Default::default(),
            one_owner: Default::default(),
            order_at: from_fn(|v| Constant::new(order_width(v).to_bits())),
            below: from_fn(|v| Constant::new(mask(v).into())),
            above: from_fn(|v| Constant::new((mask(WAYS) & !mask(v + 1)).into())),
            all_ways: Constant::new(mask(WAYS).into()),
            last_way: Constant::new((mask(WAYS) & !mask(WAYS - 1)).into()),
            kid_at: from_fn(|v| Constant::new((v * KID_W).to_bits())),
            owner_at: from_fn(|v| Constant::new((ORDER_W + v * KID_W).to_bits())),
            valid_at: Constant::new((ORDER_W + OWNERS_W).to_bits()),
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
