//! `llc_tags`: the tags of one bank of a cache, and which of them a request has.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: the tags of a request's set are read at cycle t and compared with its
//! own at t + 1 (COMPARE); the result is there at t + 2. It is of the tags as
//! they are then: what is written at t, as the RAM reads it, or at t + 1 is
//! compared on its own. All comparisons of tags are from flop to flop. One
//! request a cycle, without stall.

use crate::prim::{Ram, Reg};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Tags of two to the `SET_W` sets of `WAYS` ways.
#[derive(Clone, Debug, LogicBlock)]
pub struct LlcTags<const WAYS: usize, const SET_W: usize, const TAG_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the pipeline to zero; not the RAMs.
    pub reset: Signal<In, Bit>,
    /// The set to read.
    pub request_set: Signal<In, Bits<SET_W>>,
    /// The request whose set was read one cycle before is an access; active high.
    pub compare_access: Signal<In, Bit>,
    /// That set.
    pub compare_set: Signal<In, Bits<SET_W>>,
    /// The tag to compare with.
    pub compare_tag: Signal<In, Bits<TAG_W>>,
    /// The ways whose tag is written, one bit a way.
    pub write_ways: Signal<In, Bits<WAYS>>,
    /// The set that is written.
    pub write_set: Signal<In, Bits<SET_W>>,
    /// The tag that is written.
    pub write_tag: Signal<In, Bits<TAG_W>>,
    /// One bit a way: its tag is that of the access compared one cycle before,
    /// whether the line is valid or not; 0 without an access and after reset.
    pub matched: Signal<Out, Bits<WAYS>>,
    /// One a way.
    way: [Ram<Bits<TAG_W>, SET_W>; WAYS],
    /// `write_tag` of the cycle before.
    written_tag: Reg<Bits<TAG_W>>,
    /// One bit a way: its tag was written as the RAM read it.
    stale: Reg<Bits<WAYS>>,
    /// Of the access compared one cycle before, one bit a way: its tag is the one
    /// that the RAM has read, and that has not been written since.
    unwritten: Reg<Bits<WAYS>>,
    /// One bit a way: its tag was written as the RAM read it, and not since.
    early: Reg<Bits<WAYS>>,
    /// What was written then is the tag of the access.
    early_tag: Reg<Bit>,
    /// One bit a way: its tag was written as it was compared.
    late: Reg<Bits<WAYS>>,
    /// What was written then is the tag of the access.
    late_tag: Reg<Bit>,
    /// One bit a way: its tag is being written in the set that is compared.
    fresh: Signal<Local, Bits<WAYS>>,
    /// One bit a way: what the RAM has read is the tag of the request in COMPARE.
    equal: Signal<Local, Bits<WAYS>>,
    /// The ways written early and late that have the access's tag.
    filled_early: Signal<Local, Bits<WAYS>>,
    filled_late: Signal<Local, Bits<WAYS>>,
    about: About,
}

impl<const WAYS: usize, const SET_W: usize, const TAG_W: usize> Default
    for LlcTags<WAYS, SET_W, TAG_W>
{
    fn default() -> Self {
        // The directory checks the parameters.
        LlcTags {
            clock: Default::default(),
            reset: Default::default(),
            request_set: Default::default(),
            compare_access: Default::default(),
            compare_set: Default::default(),
            compare_tag: Default::default(),
            write_ways: Default::default(),
            write_set: Default::default(),
            write_tag: Default::default(),
            matched: Default::default(),
            way: from_fn(|_| Default::default()),
            written_tag: Default::default(),
            stale: Default::default(),
            unwritten: Default::default(),
            early: Default::default(),
            early_tag: Default::default(),
            late: Default::default(),
            late_tag: Default::default(),
            fresh: Default::default(),
            equal: Default::default(),
            filled_early: Default::default(),
            filled_late: Default::default(),
            about: About::new("llc_tags")
                .parameter("WAYS", WAYS)
                .parameter("SETS", 1 << SET_W)
                .parameter("TAG_W", TAG_W)
                .citing("GDC, section III")
                .documented_in(include_str!("llc_tags.rs")),
        }
    }
}

impl<const WAYS: usize, const SET_W: usize, const TAG_W: usize> Logic
    for LlcTags<WAYS, SET_W, TAG_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            written_tag,
            stale,
            unwritten,
            early,
            early_tag,
            late,
            late_tag
        );
        self.written_tag.reset.next = self.reset.val();
        self.stale.reset.next = self.reset.val();
        self.unwritten.reset.next = self.reset.val();
        self.early.reset.next = self.reset.val();
        self.early_tag.reset.next = self.reset.val();
        self.late.reset.next = self.reset.val();
        self.late_tag.reset.next = self.reset.val();

        comment!("The RAMs, and what is written as they read it.");
        self.equal.next = 0.into();
        for w in 0..WAYS {
            self.way[w].clock.next = self.clock.val();
            self.way[w].read_address.next = self.request_set.val();
            self.way[w].write_enable.next = self.write_ways.val().get_bit(w);
            self.way[w].write_address.next = self.write_set.val();
            self.way[w].write_data.next = self.write_tag.val();
            self.equal.next = self
                .equal
                .val()
                .replace_bit(w, self.way[w].read_data.val() == self.compare_tag.val());
        }
        self.written_tag.d.next = self.write_tag.val();
        self.stale.d.next = 0.into();
        if self.write_set.val() == self.request_set.val() {
            self.stale.d.next = self.write_ways.val();
        }

        comment!("COMPARE.");
        self.fresh.next = 0.into();
        if self.write_set.val() == self.compare_set.val() {
            self.fresh.next = self.write_ways.val();
        }
        self.late.d.next = self.fresh.val();
        self.early.d.next = self.stale.q.val() & !self.fresh.val();
        self.late_tag.d.next =
            self.compare_access.val() & (self.write_tag.val() == self.compare_tag.val());
        self.early_tag.d.next =
            self.compare_access.val() & (self.written_tag.q.val() == self.compare_tag.val());
        // Nothing matches without an access; a simulator with unknown values does not see that
        // before the set is cleared.
        self.unwritten.d.next = 0.into();
        if self.compare_access.val() {
            self.unwritten.d.next = self.equal.val() & !self.stale.q.val() & !self.fresh.val();
        }

        comment!("The result: a tag is in one of the three.");
        self.filled_early.next = 0.into();
        if self.early_tag.q.val() {
            self.filled_early.next = self.early.q.val();
        }
        self.filled_late.next = 0.into();
        if self.late_tag.q.val() {
            self.filled_late.next = self.late.q.val();
        }
        self.matched.next =
            self.unwritten.q.val() | self.filled_early.val() | self.filled_late.val();
    }
}

unit! {
    [const WAYS: usize, const SET_W: usize, const TAG_W: usize]
    LlcTags<WAYS, SET_W, TAG_W>: clock;
    in reset, request_set, compare_access, compare_set, compare_tag, write_ways, write_set,
        write_tag;
    out matched
}
