//! `llc_request`: pipeline register of a cache directory: holds a request for
//! one cycle.
//!
//! Source: GDC, section III, as [`llc_directory`](crate::llc::LlcDirectory).
//!
//! Timing: the inputs at cycle t are the outputs at t + 1.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "GDC, section III")]
mod llc_request {
    /// Registers of a stage of the directory's pipeline.
    pub struct LlcRequest<
        const SET_W: usize,
        const TAG_W: usize,
        const WAY_W: usize,
        const KID_W: usize,
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: all to zero.
        pub reset: In<Bit>,
        /// The request of the stage before: an access; active high. At most one of the three.
        pub next_access: In<Bit>,
        /// An invalidation of a way; active high.
        pub next_invalidate: In<Bit>,
        /// A clear of the set; active high.
        pub next_clear: In<Bit>,
        /// Its set.
        pub next_set: In<Bits<SET_W>>,
        /// Its tag.
        pub next_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel.
        pub next_kid: In<Bits<KID_W>>,
        /// The way to invalidate.
        pub next_way: In<Bits<WAY_W>>,
        /// The request here: an access; 0 after reset.
        pub access: Out<Bit>,
        /// An invalidation; 0 after reset.
        pub invalidate: Out<Bit>,
        /// A clear; 0 after reset.
        pub clear: Out<Bit>,
        /// Its set; 0 after reset.
        pub set: Out<Bits<SET_W>>,
        /// Its tag; 0 after reset.
        pub tag: Out<Bits<TAG_W>>,
        /// KID of the accessing kernel; 0 after reset.
        pub kid: Out<Bits<KID_W>>,
        /// The way to invalidate; 0 after reset.
        pub way: Out<Bits<WAY_W>>,
        access_register: Reg<Bit>,
        invalidate_register: Reg<Bit>,
        clear_register: Reg<Bit>,
        set_register: Reg<Bits<SET_W>>,
        tag_register: Reg<Bits<TAG_W>>,
        kid_register: Reg<Bits<KID_W>>,
        way_register: Reg<Bits<WAY_W>>,
    }

    fn update(&mut self) {
        self.access_register.next = self.next_access;
        self.invalidate_register.next = self.next_invalidate;
        self.clear_register.next = self.next_clear;
        self.set_register.next = self.next_set;
        self.tag_register.next = self.next_tag;
        self.kid_register.next = self.next_kid;
        self.way_register.next = self.next_way;
        self.access.next = self.access_register;
        self.invalidate.next = self.invalidate_register;
        self.clear.next = self.clear_register;
        self.set.next = self.set_register;
        self.tag.next = self.tag_register;
        self.kid.next = self.kid_register;
        self.way.next = self.way_register;
    }
}
