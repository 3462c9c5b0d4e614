//! `lru_stack`: the replacement bits of one cache set, in LRU order, with the owner of each line.
//!
//! Source: GDC, section III: the ids of the ways sorted from MRU to LRU, each
//! with the KID of the kernel that last accessed the line in that way. The
//! paper prints MRU leftmost; here it is in the low bits.
//!
//! Timing: one request a cycle. `hit_pos` is combinational; an access,
//! invalidation or flush at cycle t shows in `stack_*` and `victim_*` at t + 1.
//! Of requests in the same cycle flush goes before invalidate before access.
//!
//! ASSUMPTION: an invalidated way moves to the LRU position and those below it
//! move up. So invalid ways are always at the bottom, the victim is always the
//! way at LRU, and an invalid way is filled before a valid line is evicted.
//! ASSUMPTION: after reset and flush all ways are invalid, in order, owned by
//! kernel 0.

use super::{kid_width, position_width, way_width, LruUpdate, MAX_KERNELS, MAX_WAYS};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// LRU stack of `WAYS` ways with owners among `KERNELS` kernels.
///
/// Derived: `WAY_W` = max(1, clog2 WAYS), `POS_W` = clog2(WAYS + 1), `KID_W` =
/// max(1, clog2 KERNELS), `STACK_W` = WAYS x WAY_W, `OWNERS_W` = WAYS x KID_W.
///
/// ```
/// let stack = <cotenant_units::lru_stack!(16, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LruStack<
    const WAYS: usize,
    const KERNELS: usize,
    const WAY_W: usize,
    const POS_W: usize,
    const KID_W: usize,
    const STACK_W: usize,
    const OWNERS_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: position i holds way i, owner 0, invalid.
    pub reset: Signal<In, Bit>,
    /// There is an access; active high.
    pub access_valid: Signal<In, Bit>,
    /// It hits; active high. Otherwise the way at LRU is replaced.
    pub access_hit: Signal<In, Bit>,
    /// The way that it hits; below WAYS and valid on a hit, else ignored.
    pub access_way: Signal<In, Bits<WAY_W>>,
    /// KID of the accessing kernel, the line's new owner; below KERNELS.
    pub access_kid: Signal<In, Bits<KID_W>>,
    /// Invalidate `invalidate_way`; active high.
    pub invalidate_valid: Signal<In, Bit>,
    /// The way to invalidate, already invalid or not; below WAYS.
    pub invalidate_way: Signal<In, Bits<WAY_W>>,
    /// Back to the reset state; active high.
    pub flush: Signal<In, Bit>,
    /// Position of `access_way` if `access_hit`, else WAYS, the code for a
    /// miss; combinational, before the access.
    pub hit_pos: Signal<Out, Bits<POS_W>>,
    /// The ways in LRU order, WAY_W bits a position, MRU lowest; 0, 1, 2, ...
    /// after reset.
    pub stack_way: Signal<Out, Bits<STACK_W>>,
    /// KID of their owners, KID_W bits a position, MRU lowest; 0 after reset.
    pub stack_owner: Signal<Out, Bits<OWNERS_W>>,
    /// One bit a position, MRU lowest: the line is valid; 0 after reset.
    pub stack_valid: Signal<Out, Bits<WAYS>>,
    /// The way that a miss replaces; WAYS - 1 after reset.
    pub victim_way: Signal<Out, Bits<WAY_W>>,
    /// KID of its owner; 0 after reset.
    pub victim_owner: Signal<Out, Bits<KID_W>>,
    /// It holds a valid line, so that replacing it is an eviction; 0 after
    /// reset.
    pub victim_valid: Signal<Out, Bit>,
    /// The stack, by position.
    way: [Reg<Bits<WAY_W>>; WAYS],
    owner: [Reg<Bits<KID_W>>; WAYS],
    valid: [Reg<Bit>; WAYS],
    /// What the request makes of it.
    update: LruUpdate<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>,
    /// One-hot by position: where the way hit stands; zero on a miss.
    hit_at: Signal<Local, Bits<WAYS>>,
    /// The stack as it is.
    packed_way: Signal<Local, Bits<STACK_W>>,
    packed_owner: Signal<Local, Bits<OWNERS_W>>,
    packed_valid: Signal<Local, Bits<WAYS>>,
    /// One position's part of the outputs.
    one_way: Signal<Local, Bits<WAY_W>>,
    one_owner: Signal<Local, Bits<KID_W>>,
    way_w: Constant<Bits<8>>,
    kid_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const WAY_W: usize,
        const POS_W: usize,
        const KID_W: usize,
        const STACK_W: usize,
        const OWNERS_W: usize,
    > Default for LruStack<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>
{
    fn default() -> Self {
        const {
            assert!(WAYS >= 2 && WAYS <= MAX_WAYS, "lru_stack: WAYS is 2 to 64");
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "lru_stack: KERNELS is 1 to 64"
            );
            assert!(
                WAY_W == way_width(WAYS),
                "lru_stack: WAY_W is max(1, clog2 WAYS)"
            );
            assert!(
                POS_W == position_width(WAYS),
                "lru_stack: POS_W is clog2(WAYS + 1)"
            );
            assert!(
                KID_W == kid_width(KERNELS),
                "lru_stack: KID_W is max(1, clog2 KERNELS)"
            );
            assert!(
                STACK_W == WAYS * WAY_W,
                "lru_stack: STACK_W is WAYS x WAY_W"
            );
            assert!(
                OWNERS_W == WAYS * KID_W,
                "lru_stack: OWNERS_W is WAYS x KID_W"
            );
        }
        LruStack {
            clock: Default::default(),
            reset: Default::default(),
            access_valid: Default::default(),
            access_hit: Default::default(),
            access_way: Default::default(),
            access_kid: Default::default(),
            invalidate_valid: Default::default(),
            invalidate_way: Default::default(),
            flush: Default::default(),
            hit_pos: Default::default(),
            stack_way: Default::default(),
            stack_owner: Default::default(),
            stack_valid: Default::default(),
            victim_way: Default::default(),
            victim_owner: Default::default(),
            victim_valid: Default::default(),
            way: from_fn(|i| Reg::new(i.to_bits())),
            owner: from_fn(|_| Reg::default()),
            valid: from_fn(|_| Reg::default()),
            update: Default::default(),
            hit_at: Default::default(),
            packed_way: Default::default(),
            packed_owner: Default::default(),
            packed_valid: Default::default(),
            one_way: Default::default(),
            one_owner: Default::default(),
            way_w: Constant::new(WAY_W.to_bits()),
            kid_w: Constant::new(KID_W.to_bits()),
            about: About::new("lru_stack")
                .parameter("WAYS", WAYS)
                .parameter("KERNELS", KERNELS)
                .citing("GDC, section III")
                .documented_in(include_str!("lru_stack.rs")),
        }
    }
}

impl<
        const WAYS: usize,
        const KERNELS: usize,
        const WAY_W: usize,
        const POS_W: usize,
        const KID_W: usize,
        const STACK_W: usize,
        const OWNERS_W: usize,
    > Logic for LruStack<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The stack as it is, and where the way hit stands.");
        self.packed_way.next = 0.into();
        self.packed_owner.next = 0.into();
        self.packed_valid.next = 0.into();
        self.hit_at.next = 0.into();
        for i in 0..WAYS {
            self.one_way.next = self.way[i].q.val();
            self.packed_way.next = self.packed_way.val()
                | (bit_cast::<STACK_W, WAY_W>(self.one_way.val())
                    << (i * self.way_w.val().index()).to_bits::<16>());
            self.one_owner.next = self.owner[i].q.val();
            self.packed_owner.next = self.packed_owner.val()
                | (bit_cast::<OWNERS_W, KID_W>(self.one_owner.val())
                    << (i * self.kid_w.val().index()).to_bits::<16>());
            self.packed_valid.next = self
                .packed_valid
                .val()
                .replace_bit(i, self.valid[i].q.val());
            self.hit_at.next = self.hit_at.val().replace_bit(
                i,
                self.access_hit.val() & (self.way[i].q.val() == self.access_way.val()),
            );
        }
        self.stack_way.next = self.packed_way.val();
        self.stack_owner.next = self.packed_owner.val();
        self.stack_valid.next = self.packed_valid.val();

        comment!("The request.");
        self.update.stack_way.next = self.packed_way.val();
        self.update.stack_owner.next = self.packed_owner.val();
        self.update.stack_valid.next = self.packed_valid.val();
        self.update.access_valid.next = self.access_valid.val();
        self.update.access_hit.next = self.access_hit.val();
        self.update.access_way.next = self.access_way.val();
        self.update.access_at.next = self.hit_at.val();
        self.update.access_kid.next = self.access_kid.val();
        self.update.invalidate_valid.next = self.invalidate_valid.val();
        self.update.invalidate_way.next = self.invalidate_way.val();
        self.update.clear.next = self.flush.val();
        self.hit_pos.next = self.update.hit_pos.val();
        self.victim_way.next = self.update.victim_way.val();
        self.victim_owner.next = self.update.victim_owner.val();
        self.victim_valid.next = self.update.victim_valid.val();

        comment!("The next stack.");
        for i in 0..WAYS {
            self.way[i].clock.next = self.clock.val();
            self.way[i].reset.next = self.reset.val();
            self.way[i].d.next = self
                .update
                .next_way
                .val()
                .get_bits::<WAY_W>(i * self.way_w.val().index());
            self.owner[i].clock.next = self.clock.val();
            self.owner[i].reset.next = self.reset.val();
            self.owner[i].d.next = self
                .update
                .next_owner
                .val()
                .get_bits::<KID_W>(i * self.kid_w.val().index());
            self.valid[i].clock.next = self.clock.val();
            self.valid[i].reset.next = self.reset.val();
            self.valid[i].d.next = self.update.next_valid.val().get_bit(i);
        }
    }
}

unit! {
    [
        const WAYS: usize,
        const KERNELS: usize,
        const WAY_W: usize,
        const POS_W: usize,
        const KID_W: usize,
        const STACK_W: usize,
        const OWNERS_W: usize,
    ]
    LruStack<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>: clock;
    in reset, access_valid, access_hit, access_way, access_kid, invalidate_valid, invalidate_way,
        flush;
    out hit_pos, stack_way, stack_owner, stack_valid, victim_way, victim_owner, victim_valid
}

/// The type of an [`LruStack`](crate::llc::LruStack): ways, kernels.
#[macro_export]
macro_rules! lru_stack {
    ($ways:expr, $kernels:expr) => {
        $crate::llc::LruStack<
            { $ways },
            { $kernels },
            { $crate::llc::way_width($ways) },
            { $crate::llc::position_width($ways) },
            { $crate::llc::kid_width($kernels) },
            { $ways * $crate::llc::way_width($ways) },
            { $ways * $crate::llc::kid_width($kernels) },
        >
    };
}
