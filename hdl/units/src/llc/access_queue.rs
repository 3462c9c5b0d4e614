//! `access_queue`: accesses that wait for the shadow stacks, in the order in which they came.
//!
//! Source: docs/attribution.md.
//!
//! A shift register: the oldest access is always in the first place, so that no choice among places
//! is in front of the stacks' RAM.
//!
//! Timing: the oldest access is offered until it is taken, with `next_ready`. If none waits, the
//! access at the port is offered in its own cycle; if it is not taken, it waits from the next cycle
//! on. An access that comes as the oldest is taken finds a place also when all are in use.
//!
//! ASSUMPTION: an access that finds no place is lost; `full` without `next_ready` says so in its
//! cycle.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "the exact attribution of LRU")]
mod access_queue {
    /// Queue of up to `DEPTH` accesses.
    pub struct AccessQueue<
        #[range(1..=64)] const DEPTH: usize,
        const STACK_W: usize,
        const TAG_W: usize,
        const KID_W: usize,
        const LAST: usize = { DEPTH - 1 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: all to zero, no access waits.
        pub reset: In<Bit>,
        /// An access comes; active high.
        pub access_valid: In<Bit>,
        /// Its stack.
        pub access_stack: In<Bits<STACK_W>>,
        /// Its tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel.
        pub access_kid: In<Bits<KID_W>>,
        /// The access that is offered, if there is one, is taken; active high.
        pub next_ready: In<Bit>,
        /// An access is offered: the oldest that waits, or the one that comes; active high.
        pub next_valid: Out<Bit>,
        /// Its stack.
        pub next_stack: Out<Bits<STACK_W>>,
        /// Its tag.
        pub next_tag: Out<Bits<TAG_W>>,
        /// KID of its kernel.
        pub next_kid: Out<Bits<KID_W>>,
        /// All places are in use; active high, 0 after reset.
        pub full: Out<Bit>,
        /// The places, the oldest access first; those in use are the first ones.
        used: [Reg<Bit>; DEPTH],
        stack: [Reg<Bits<STACK_W>>; DEPTH],
        tag: [Reg<Bits<TAG_W>>; DEPTH],
        kid: [Reg<Bits<KID_W>>; DEPTH],
        /// Still in use, with the oldest access gone or not.
        stays: [Local<Bit>; DEPTH],
        /// The place that the access at the port gets.
        gets: [Local<Bit>; DEPTH],
    }

    fn update(&mut self) {
        comment!("What is offered.");
        self.next_valid.next = self.used[0] | self.access_valid;
        self.next_stack.next = self.access_stack;
        self.next_tag.next = self.access_tag;
        self.next_kid.next = self.access_kid;
        if self.used[0] {
            self.next_stack.next = self.stack[0];
            self.next_tag.next = self.tag[0];
            self.next_kid.next = self.kid[0];
        }

        comment!("The oldest goes, and the others move up.");
        let goes: Bit = self.used[0] & self.next_ready;
        for place in 0..DEPTH {
            self.stays[place].next = self.used[place] & !goes;
            self.stack[place].next = self.stack[place];
            self.tag[place].next = self.tag[place];
            self.kid[place].next = self.kid[place];
        }
        for place in 0..LAST {
            if goes {
                self.stays[place].next = self.used[place + 1];
                self.stack[place].next = self.stack[place + 1];
                self.tag[place].next = self.tag[place + 1];
                self.kid[place].next = self.kid[place + 1];
            }
        }

        comment!("Behind them is the place of one that comes and is not taken at once.");
        let waits: Bit = self.access_valid & (self.used[0] | !self.next_ready);
        let mut behind: Bit = true;
        for place in 0..DEPTH {
            self.gets[place].next = waits & behind & !self.stays[place];
            behind = self.stays[place];
            self.used[place].next = self.stays[place] | self.gets[place];
            if self.gets[place] {
                self.stack[place].next = self.access_stack;
                self.tag[place].next = self.access_tag;
                self.kid[place].next = self.access_kid;
            }
        }
        for place in LAST..DEPTH {
            self.full.next = self.used[place];
        }
    }
}
