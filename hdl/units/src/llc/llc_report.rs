//! `llc_report`: tells what an access to a cache's directory did.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: an access at cycle t is reported at t + 1; the owner of the line at
//! LRU is told at t.

use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Report of accesses to sets of `WAYS` ways.
///
/// Derived: as in [`LlcDirectory`](crate::llc::LlcDirectory).
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcReport<
    const WAYS: usize,
    const WAY_W: usize,
    const KID_W: usize,
    const OWNERS_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: all to zero.
    pub reset: Signal<In, Bit>,
    /// There is an access; active high.
    pub access: Signal<In, Bit>,
    /// It misses; active high, 0 without an access.
    pub missed: Signal<In, Bit>,
    /// The way that it hits, one bit a way.
    pub hits: Signal<In, Bits<WAYS>>,
    /// The way at LRU, one bit a way; invalid ways are below all others.
    pub victim: Signal<In, Bits<WAYS>>,
    /// The lines that are valid, one bit a way.
    pub valid: Signal<In, Bits<WAYS>>,
    /// KID of their owners, KID_W bits a way, way 0 lowest.
    pub line_owner: Signal<In, Bits<OWNERS_W>>,
    /// KID of the owner of the line at LRU, valid or not.
    pub victim_owner: Signal<Out, Bits<KID_W>>,
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
    valid_register: Reg<Bit>,
    hit_register: Reg<Bit>,
    way_register: Reg<Bits<WAY_W>>,
    evict_register: Reg<Bit>,
    owner_register: Reg<Bits<KID_W>>,
    evicts: Signal<Local, Bit>,
    hit_way: Signal<Local, Bits<WAY_W>>,
    hit_owner: Signal<Local, Bits<KID_W>>,
    lru_way: Signal<Local, Bits<WAY_W>>,
    lru_owner: Signal<Local, Bits<KID_W>>,
    kid_w: Constant<Bits<8>>,
    about: About,
}

impl<const WAYS: usize, const WAY_W: usize, const KID_W: usize, const OWNERS_W: usize> Default
    for LlcReport<WAYS, WAY_W, KID_W, OWNERS_W>
{
    fn default() -> Self {
        // The directory checks the parameters.
        LlcReport {
            clock: Default::default(),
            reset: Default::default(),
            access: Default::default(),
            missed: Default::default(),
            hits: Default::default(),
            victim: Default::default(),
            valid: Default::default(),
            line_owner: Default::default(),
            victim_owner: Default::default(),
            done_valid: Default::default(),
            done_hit: Default::default(),
            done_way: Default::default(),
            done_evict: Default::default(),
            done_owner: Default::default(),
            valid_register: Default::default(),
            hit_register: Default::default(),
            way_register: Default::default(),
            evict_register: Default::default(),
            owner_register: Default::default(),
            evicts: Default::default(),
            hit_way: Default::default(),
            hit_owner: Default::default(),
            lru_way: Default::default(),
            lru_owner: Default::default(),
            kid_w: Constant::new(KID_W.to_bits()),
            about: About::new("llc_report")
                .parameter("WAYS", WAYS)
                .parameter("KID_W", KID_W)
                .citing("GDC, section III")
                .documented_in(include_str!("llc_report.rs")),
        }
    }
}

impl<const WAYS: usize, const WAY_W: usize, const KID_W: usize, const OWNERS_W: usize> Logic
    for LlcReport<WAYS, WAY_W, KID_W, OWNERS_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            valid_register,
            hit_register,
            way_register,
            evict_register,
            owner_register
        );
        self.valid_register.reset.next = self.reset.val();
        self.hit_register.reset.next = self.reset.val();
        self.way_register.reset.next = self.reset.val();
        self.evict_register.reset.next = self.reset.val();
        self.owner_register.reset.next = self.reset.val();

        comment!("The lines hit and at LRU.");
        self.hit_way.next = 0.into();
        self.hit_owner.next = 0.into();
        self.lru_way.next = 0.into();
        self.lru_owner.next = 0.into();
        for v in 0..WAYS {
            if self.hits.val().get_bit(v) {
                self.hit_way.next = self.hit_way.val() | v.to_bits::<WAY_W>();
                self.hit_owner.next = self.hit_owner.val()
                    | self
                        .line_owner
                        .val()
                        .get_bits::<KID_W>(v * self.kid_w.val().index());
            }
            if self.victim.val().get_bit(v) {
                self.lru_way.next = self.lru_way.val() | v.to_bits::<WAY_W>();
                self.lru_owner.next = self.lru_owner.val()
                    | self
                        .line_owner
                        .val()
                        .get_bits::<KID_W>(v * self.kid_w.val().index());
            }
        }
        self.victim_owner.next = self.lru_owner.val();

        comment!("What the access did.");
        self.evicts.next = self.missed.val() & self.valid.val().all();
        self.valid_register.d.next = self.access.val();
        self.hit_register.d.next = self.access.val() & !self.missed.val();
        self.evict_register.d.next = self.evicts.val();
        self.way_register.d.next = self.hit_way.val();
        if self.missed.val() {
            self.way_register.d.next = self.lru_way.val();
        }
        self.owner_register.d.next = self.hit_owner.val();
        if self.evicts.val() {
            self.owner_register.d.next = self.lru_owner.val();
        }
        self.done_valid.next = self.valid_register.q.val();
        self.done_hit.next = self.hit_register.q.val();
        self.done_evict.next = self.evict_register.q.val();
        self.done_way.next = self.way_register.q.val();
        self.done_owner.next = self.owner_register.q.val();
    }
}
