//! `llc_request`: a request to a cache's directory, for a cycle.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: what comes in at cycle t is here at t + 1.

use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Registers of a stage of the directory's pipeline.
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcRequest<
    const SET_W: usize,
    const TAG_W: usize,
    const WAY_W: usize,
    const KID_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: all to zero.
    pub reset: Signal<In, Bit>,
    /// The request of the stage before: an access; active high. At most one of the three.
    pub next_access: Signal<In, Bit>,
    /// An invalidation of a way; active high.
    pub next_invalidate: Signal<In, Bit>,
    /// A clear of the set; active high.
    pub next_clear: Signal<In, Bit>,
    /// Its set.
    pub next_set: Signal<In, Bits<SET_W>>,
    /// Its tag.
    pub next_tag: Signal<In, Bits<TAG_W>>,
    /// KID of the accessing kernel.
    pub next_kid: Signal<In, Bits<KID_W>>,
    /// The way to invalidate.
    pub next_way: Signal<In, Bits<WAY_W>>,
    /// The request here: an access; 0 after reset.
    pub access: Signal<Out, Bit>,
    /// An invalidation; 0 after reset.
    pub invalidate: Signal<Out, Bit>,
    /// A clear; 0 after reset.
    pub clear: Signal<Out, Bit>,
    /// Its set; 0 after reset.
    pub set: Signal<Out, Bits<SET_W>>,
    /// Its tag; 0 after reset.
    pub tag: Signal<Out, Bits<TAG_W>>,
    /// KID of the accessing kernel; 0 after reset.
    pub kid: Signal<Out, Bits<KID_W>>,
    /// The way to invalidate; 0 after reset.
    pub way: Signal<Out, Bits<WAY_W>>,
    access_register: Reg<Bit>,
    invalidate_register: Reg<Bit>,
    clear_register: Reg<Bit>,
    set_register: Reg<Bits<SET_W>>,
    tag_register: Reg<Bits<TAG_W>>,
    kid_register: Reg<Bits<KID_W>>,
    way_register: Reg<Bits<WAY_W>>,
    about: About,
}

impl<const SET_W: usize, const TAG_W: usize, const WAY_W: usize, const KID_W: usize> Default
    for LlcRequest<SET_W, TAG_W, WAY_W, KID_W>
{
    fn default() -> Self {
        // The directory checks the parameters.
        LlcRequest {
            clock: Default::default(),
            reset: Default::default(),
            next_access: Default::default(),
            next_invalidate: Default::default(),
            next_clear: Default::default(),
            next_set: Default::default(),
            next_tag: Default::default(),
            next_kid: Default::default(),
            next_way: Default::default(),
            access: Default::default(),
            invalidate: Default::default(),
            clear: Default::default(),
            set: Default::default(),
            tag: Default::default(),
            kid: Default::default(),
            way: Default::default(),
            access_register: Default::default(),
            invalidate_register: Default::default(),
            clear_register: Default::default(),
            set_register: Default::default(),
            tag_register: Default::default(),
            kid_register: Default::default(),
            way_register: Default::default(),
            about: About::new("llc_request")
                .parameter("SET_W", SET_W)
                .parameter("TAG_W", TAG_W)
                .parameter("WAY_W", WAY_W)
                .parameter("KID_W", KID_W)
                .citing("GDC, section III")
                .documented_in(include_str!("llc_request.rs")),
        }
    }
}

impl<const SET_W: usize, const TAG_W: usize, const WAY_W: usize, const KID_W: usize> Logic
    for LlcRequest<SET_W, TAG_W, WAY_W, KID_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            access_register,
            invalidate_register,
            clear_register,
            set_register,
            tag_register,
            kid_register,
            way_register
        );
        self.access_register.reset.next = self.reset.val();
        self.invalidate_register.reset.next = self.reset.val();
        self.clear_register.reset.next = self.reset.val();
        self.set_register.reset.next = self.reset.val();
        self.tag_register.reset.next = self.reset.val();
        self.kid_register.reset.next = self.reset.val();
        self.way_register.reset.next = self.reset.val();
        self.access_register.d.next = self.next_access.val();
        self.invalidate_register.d.next = self.next_invalidate.val();
        self.clear_register.d.next = self.next_clear.val();
        self.set_register.d.next = self.next_set.val();
        self.tag_register.d.next = self.next_tag.val();
        self.kid_register.d.next = self.next_kid.val();
        self.way_register.d.next = self.next_way.val();
        self.access.next = self.access_register.q.val();
        self.invalidate.next = self.invalidate_register.q.val();
        self.clear.next = self.clear_register.q.val();
        self.set.next = self.set_register.q.val();
        self.tag.next = self.tag_register.q.val();
        self.kid.next = self.kid_register.q.val();
        self.way.next = self.way_register.q.val();
    }
}
