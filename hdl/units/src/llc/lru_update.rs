//! `lru_update`: what a request makes of the replacement bits of a cache set.
//!
//! Source: GDC, section III: the ids of the ways sorted from MRU to LRU, each
//! with the KID of the kernel that last accessed the line in that way. The
//! logic of [`lru_stack`](crate::llc::LruStack), without its flops.
//!
//! Timing: combinational. Of requests in the same cycle clear goes before
//! invalidate before access; without a request the set stays as it is.
//!
//! ASSUMPTION: an invalidated way moves to the LRU position and those below it
//! move up. So invalid ways are always at the bottom, the victim is always the
//! way at LRU, and an invalid way is filled before a valid line is evicted.
//! ASSUMPTION: a cleared set has all ways invalid, in order, owned by kernel 0.

use super::{kid_width, position_width, way_width, MAX_KERNELS, MAX_WAYS};
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Next replacement bits of a set of `WAYS` ways with owners among `KERNELS` kernels.
///
/// Derived: `WAY_W` = max(1, clog2 WAYS), `POS_W` = clog2(WAYS + 1), `KID_W` =
/// max(1, clog2 KERNELS), `STACK_W` = WAYS x WAY_W, `OWNERS_W` = WAYS x KID_W.
///
/// ```
/// let update = <cotenant_units::lru_update!(16, 4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct LruUpdate<
    const WAYS: usize,
    const KERNELS: usize,
    const WAY_W: usize,
    const POS_W: usize,
    const KID_W: usize,
    const STACK_W: usize,
    const OWNERS_W: usize,
> {
    /// The ways in LRU order, WAY_W bits a position, MRU lowest.
    pub stack_way: Signal<In, Bits<STACK_W>>,
    /// KID of their owners, KID_W bits a position, MRU lowest.
    pub stack_owner: Signal<In, Bits<OWNERS_W>>,
    /// One bit a position, MRU lowest: the line is valid.
    pub stack_valid: Signal<In, Bits<WAYS>>,
    /// There is an access; active high.
    pub access_valid: Signal<In, Bit>,
    /// It hits; active high. Otherwise the way at LRU is replaced.
    pub access_hit: Signal<In, Bit>,
    /// The way that it hits; looked at only on a hit.
    pub access_way: Signal<In, Bits<WAY_W>>,
    /// One-hot by position, MRU lowest: where that way stands; zero without a
    /// hit.
    pub access_at: Signal<In, Bits<WAYS>>,
    /// KID of the accessing kernel, the line's new owner; below KERNELS.
    pub access_kid: Signal<In, Bits<KID_W>>,
    /// Invalidate `invalidate_way`; active high.
    pub invalidate_valid: Signal<In, Bit>,
    /// The way to invalidate, already invalid or not; below WAYS.
    pub invalidate_way: Signal<In, Bits<WAY_W>>,
    /// Invalidate all ways and put them in order; active high.
    pub clear: Signal<In, Bit>,
    /// Position of the line hit, 0 = MRU to WAYS - 1 = LRU; WAYS is a miss.
    pub hit_pos: Signal<Out, Bits<POS_W>>,
    /// The way that a miss replaces.
    pub victim_way: Signal<Out, Bits<WAY_W>>,
    /// KID of its owner.
    pub victim_owner: Signal<Out, Bits<KID_W>>,
    /// It holds a valid line, so that replacing it is an eviction.
    pub victim_valid: Signal<Out, Bit>,
    /// The ways in the new order.
    pub next_way: Signal<Out, Bits<STACK_W>>,
    /// KID of their owners.
    pub next_owner: Signal<Out, Bits<OWNERS_W>>,
    /// Which are valid.
    pub next_valid: Signal<Out, Bits<WAYS>>,
    /// The stack by position, before and after.
    way: [Signal<Local, Bits<WAY_W>>; WAYS],
    owner: [Signal<Local, Bits<KID_W>>; WAYS],
    new_way: [Signal<Local, Bits<WAY_W>>; WAYS],
    new_owner: [Signal<Local, Bits<KID_W>>; WAYS],
    /// One-hot by position: where the way to invalidate stands.
    invalidate_at: Signal<Local, Bits<WAYS>>,
    /// Going down the stack: the named way has been passed.
    passed: Signal<Local, Bit>,
    /// What an access brings to MRU.
    filled_way: Signal<Local, Bits<WAY_W>>,
    /// Owner of the line to invalidate.
    invalidated_owner: Signal<Local, Bits<KID_W>>,
    /// One position's part of the outputs.
    one_way: Signal<Local, Bits<WAY_W>>,
    one_owner: Signal<Local, Bits<KID_W>>,
    miss: Constant<Bits<POS_W>>,
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
    > Default for LruUpdate<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>
{
    fn default() -> Self {
        const {
            assert!(WAYS >= 2 && WAYS <= MAX_WAYS, "lru_update: WAYS is 2 to 64");
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "lru_update: KERNELS is 1 to 64"
            );
            assert!(
                WAY_W == way_width(WAYS),
                "lru_update: WAY_W is max(1, clog2 WAYS)"
            );
            assert!(
                POS_W == position_width(WAYS),
                "lru_update: POS_W is clog2(WAYS + 1)"
            );
            assert!(
                KID_W == kid_width(KERNELS),
                "lru_update: KID_W is max(1, clog2 KERNELS)"
            );
            assert!(
                STACK_W == WAYS * WAY_W,
                "lru_update: STACK_W is WAYS x WAY_W"
            );
            assert!(
                OWNERS_W == WAYS * KID_W,
                "lru_update: OWNERS_W is WAYS x KID_W"
            );
        }
        LruUpdate {
            stack_way: Default::default(),
            stack_owner: Default::default(),
            stack_valid: Default::default(),
            access_valid: Default::default(),
            access_hit: Default::default(),
            access_way: Default::default(),
            access_at: Default::default(),
            access_kid: Default::default(),
            invalidate_valid: Default::default(),
            invalidate_way: Default::default(),
            clear: Default::default(),
            hit_pos: Default::default(),
            victim_way: Default::default(),
            victim_owner: Default::default(),
            victim_valid: Default::default(),
            next_way: Default::default(),
            next_owner: Default::default(),
            next_valid: Default::default(),
            way: from_fn(|_| Default::default()),
            owner: from_fn(|_| Default::default()),
            new_way: from_fn(|_| Default::default()),
            new_owner: from_fn(|_| Default::default()),
            invalidate_at: Default::default(),
            passed: Default::default(),
            filled_way: Default::default(),
            invalidated_owner: Default::default(),
            one_way: Default::default(),
            one_owner: Default::default(),
            miss: Constant::new(WAYS.to_bits()),
            way_w: Constant::new(WAY_W.to_bits()),
            kid_w: Constant::new(KID_W.to_bits()),
            about: About::new("lru_update")
                .parameter("WAYS", WAYS)
                .parameter("KERNELS", KERNELS)
                .citing("GDC, section III")
                .documented_in(include_str!("lru_update.rs")),
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
    > Logic for LruUpdate<WAYS, KERNELS, WAY_W, POS_W, KID_W, STACK_W, OWNERS_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Where the named ways stand.");
        self.invalidate_at.next = 0.into();
        self.hit_pos.next = 0.into();
        self.invalidated_owner.next = 0.into();
        for i in 0..WAYS {
            self.way[i].next = self
                .stack_way
                .val()
                .get_bits::<WAY_W>(i * self.way_w.val().index());
            self.owner[i].next = self
                .stack_owner
                .val()
                .get_bits::<KID_W>(i * self.kid_w.val().index());
            if self.access_at.val().get_bit(i) {
                self.hit_pos.next = self.hit_pos.val() | i.to_bits::<POS_W>();
            }
            self.invalidate_at.next = self
                .invalidate_at
                .val()
                .replace_bit(i, self.way[i].val() == self.invalidate_way.val());
            if self.invalidate_at.val().get_bit(i) {
                self.invalidated_owner.next = self.invalidated_owner.val() | self.owner[i].val();
            }
        }
        if !self.access_hit.val() {
            self.hit_pos.next = self.miss.val();
        }

        comment!("The lowest position is the victim's.");
        // One turn: a loop variable is how a parameter becomes an index.
        self.filled_way.next = self.access_way.val();
        for lru in (WAYS - 1)..WAYS {
            self.victim_way.next = self.way[lru].val();
            self.victim_owner.next = self.owner[lru].val();
            self.victim_valid.next = self.stack_valid.val().get_bit(lru);
            if !self.access_hit.val() {
                self.filled_way.next = self.way[lru].val();
            }
        }

        comment!("The next stack.");
        self.next_valid.next = self.stack_valid.val();
        for i in 0..WAYS {
            self.new_way[i].next = self.way[i].val();
            self.new_owner[i].next = self.owner[i].val();
        }
        self.passed.next = false;
        if self.clear.val() {
            for i in 0..WAYS {
                self.new_way[i].next = i.to_bits::<WAY_W>();
                self.new_owner[i].next = 0.into();
            }
            self.next_valid.next = 0.into();
        } else if self.invalidate_valid.val() {
            for i in 1..WAYS {
                self.passed.next = self.passed.val() | self.invalidate_at.val().get_bit(i - 1);
                if self.passed.val() {
                    self.new_way[i - 1].next = self.way[i].val();
                    self.new_owner[i - 1].next = self.owner[i].val();
                    self.next_valid.next = self
                        .next_valid
                        .val()
                        .replace_bit(i - 1, self.stack_valid.val().get_bit(i));
                }
            }
            for lru in (WAYS - 1)..WAYS {
                self.new_way[lru].next = self.invalidate_way.val();
                self.new_owner[lru].next = self.invalidated_owner.val();
                self.next_valid.next = self.next_valid.val().replace_bit(lru, false);
            }
        } else if self.access_valid.val() {
            for i in 1..WAYS {
                self.passed.next = self.passed.val() | self.access_at.val().get_bit(i - 1);
                if !self.passed.val() {
                    self.new_way[i].next = self.way[i - 1].val();
                    self.new_owner[i].next = self.owner[i - 1].val();
                    self.next_valid.next = self
                        .next_valid
                        .val()
                        .replace_bit(i, self.stack_valid.val().get_bit(i - 1));
                }
            }
            self.new_way[0].next = self.filled_way.val();
            self.new_owner[0].next = self.access_kid.val();
            self.next_valid.next = self.next_valid.val().replace_bit(0, true);
        }

        comment!("One position after the other, MRU lowest.");
        self.next_way.next = 0.into();
        self.next_owner.next = 0.into();
        for i in 0..WAYS {
            self.one_way.next = self.new_way[i].val();
            self.next_way.next = self.next_way.val()
                | (bit_cast::<STACK_W, WAY_W>(self.one_way.val())
                    << (i * self.way_w.val().index()).to_bits::<16>());
            self.one_owner.next = self.new_owner[i].val();
            self.next_owner.next = self.next_owner.val()
                | (bit_cast::<OWNERS_W, KID_W>(self.one_owner.val())
                    << (i * self.kid_w.val().index()).to_bits::<16>());
        }
    }
}

/// The type of an [`LruUpdate`](crate::llc::LruUpdate): ways, kernels.
#[macro_export]
macro_rules! lru_update {
    ($ways:expr, $kernels:expr) => {
        $crate::llc::LruUpdate<
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
