//! `shadow_stack`: how many lines of each kernel have been used since a kernel's last use of a line.
//!
//! Source: docs/attribution.md. One LRU stack over all kernels for each sampled set, with at most
//! WAYS lines of each: a kernel that has used WAYS others since would miss the line even alone. The
//! lines above the one that is used again are what the demotion logic of GDC's figure 2 selects on
//! a longer stack, and they are counted by its demultiplexers and popcnts.
//!
//! The stacks are in RAM, LANES places per word, and are gone through word by word from the first
//! place. The line used goes to the first place; each line moves to the next place until one of
//! them finds its next place free: empty, left by the line used, or left by the last line of a
//! kernel that now has one more than WAYS.
//!
//! Timing: an access at cycle t is taken while `ready`. Its stack is gone through from t + 1 on,
//! LANES places per cycle, until a line of the kernel's own is found or all places have been seen;
//! in the cycle after that `done` is active and the next access may come. Others are ignored. After
//! reset the stacks are cleared, one word per cycle; `ready` is 0 for these 2^ADDRESS_W cycles.
//!
//! ASSUMPTION: a line that another kernel has used last is that kernel's; the access moves it to
//! the accessing kernel, and `done_shared` tells.

use super::{kid_width, position_width, set_width, KidDemux, Popcnt, MAX_KERNELS, MAX_WAYS};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "the exact attribution of LRU, with the parts of GDC's figure 2",
    require(LANES <= 64, "LANES is at most 64"),
    // No more lines of a kernel are seen than it may have.
    unused = ["seen"]
)]
mod shadow_stack {
    /// `STACKS` stacks of `WAYS` lines for each of `KERNELS` kernels.
    pub struct ShadowStack<
        /// Number of ways of the cache.
        #[range(1..=MAX_WAYS)] const WAYS: usize,
        /// Number of kernels.
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        /// Number of stacks, one for each sampled set.
        #[range(2..=1 << 20)] const STACKS: usize,
        /// Bits of a tag.
        #[range(1..=64)] const TAG_W: usize,
        /// Places that are looked at per cycle.
        #[range(1..=WAYS * KERNELS / 2)] const LANES: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const STACK_W: usize = { set_width(STACKS) },
        const ROWS: usize = { (WAYS * KERNELS).div_ceil(LANES) },
        const ROW_W: usize = { set_width(ROWS) },
        const ADDRESS_W: usize = { STACK_W + ROW_W },
        const LINE_W: usize = { TAG_W + KID_W + 1 },
        const SEEN_W: usize = { position_width(LANES) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no access, then the stacks are cleared.
        pub reset: In<Bit>,
        /// Access valid; active high. Ignored while `ready` is 0.
        pub access_valid: In<Bit>,
        /// Its stack; below STACKS.
        pub access_stack: In<Bits<STACK_W>>,
        /// Its tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// An access is taken; active high, 0 after reset until the stacks are cleared.
        pub ready: Out<Bit>,
        /// An access has been looked up; active high, 0 after reset. All below are 0 without it.
        pub done: Out<Bit>,
        /// KID of its kernel.
        pub done_kid: Out<Bits<KID_W>>,
        /// The kernel used the line before, as the last one, and fewer than WAYS others since.
        pub done_again: Out<Bit>,
        /// Another kernel used the line last.
        pub done_shared: Out<Bit>,
        /// Lines of each kernel above it, or in the whole stack if it was not there; POS_W bits per
        /// kernel, kernel 0 lowest, at most WAYS each.
        pub done_above: Out<[Bits<POS_W>; KERNELS]>,
        /// The stacks: tag, KID and valid bit of the line at each place, from the low bits up.
        place: [Ram<Bits<LINE_W>, ADDRESS_W>; LANES],
        /// One per lane, and one popcnt per kernel.
        demux: [KidDemux<KERNELS>; LANES],
        popcnt: [Popcnt<LANES>; KERNELS],
        /// The stacks are being cleared, this word next.
        #[reset(true)]
        sweeping: Reg<Bit>,
        sweep_address: Reg<Bits<ADDRESS_W>>,
        /// The access that is being looked up, and the row of its stack that has been read.
        busy: Reg<Bit>,
        stack: Reg<Bits<STACK_W>>,
        tag: Reg<Bits<TAG_W>>,
        kid: Reg<Bits<KID_W>>,
        row: Reg<Bits<ROW_W>>,
        /// The line of the access has not been found.
        searches: Reg<Bit>,
        /// A line is on its way down, this one.
        carries: Reg<Bit>,
        carried: Reg<Bits<LINE_W>>,
        /// Lines of the accessing kernel above, with that which leaves.
        own_above: Reg<Bits<POS_W>>,
        above: [Reg<Bits<POS_W>>; KERNELS],
        done_register: Reg<Bit>,
        again: Reg<Bit>,
        shared: Reg<Bit>,
        takes: Local<Bit>,
        new_line: Local<Bits<LINE_W>>,
        /// Loop variables: the line in a lane, whether it is that of the access, whether it stays.
        line: Local<Bits<LINE_W>>,
        line_kid: Local<Bits<KID_W>>,
        line_tag: Local<Bits<TAG_W>>,
        line_valid: Local<Bit>,
        matched: Local<Bit>,
        mine: Local<Bit>,
        stays: Local<Bit>,
        written: Local<Bits<LINE_W>>,
        /// One bit per lane and kernel: a line of the kernel above that of the access.
        lanes: [Local<Bits<LANES>>; KERNELS],
        ends: Local<Bit>,
        #[value(TAG_W)]
        kid_at: Constant<Bits<8>>,
        #[value(TAG_W + KID_W)]
        valid_at: Constant<Bits<8>>,
        #[value(ROW_W)]
        stack_at: Constant<Bits<8>>,
        #[value(WAYS - 1)]
        last_way: Constant<Bits<POS_W>>,
        #[value(ROWS - 1)]
        last_row: Constant<Bits<ROW_W>>,
    }

    fn update(&mut self) {
        comment!("After reset the stacks are cleared.");
        if self.sweeping {
            self.sweep_address.next = self.sweep_address + 1;
            if self.sweep_address.all() {
                self.sweeping.next = false;
            }
        }

        comment!("An access is taken; its line is to go to the first place.");
        self.ready.next = !self.busy & !self.sweeping;
        self.takes.next = self.access_valid & !self.busy & !self.sweeping;

        self.new_line.next =
            self.access_tag.cast::<LINE_W>() | (self.access_kid.cast::<LINE_W>() << self.kid_at);
        self.new_line[self.valid_at].next = true;

        comment!("A row of its stack, place by place.");
        let mut searching: Bit = self.searches;
        let mut found: Bit = false;
        let mut foreign: Bit = self.shared;
        let mut moving: Bit = self.carries;
        let mut moved: Bits<LINE_W> = self.carried;
        let mut own: Bits<POS_W> = self.own_above;
        for lane in 0..LANES {
            self.line.next = self.place[lane].read_data;
            self.line_tag.next = self.line.get_bits::<TAG_W>(0);
            self.line_kid.next = self.line.get_bits::<KID_W>(self.kid_at);
            self.line_valid.next = self.line[self.valid_at];
            self.matched.next = self.line_valid & (self.line_tag == self.tag);
            self.mine.next = self.line_valid & !self.matched & (self.line_kid == self.kid);
            self.stays.next =
                self.line_valid & !self.matched & !(self.mine & (own == self.last_way));

            // What is above that of the access counts for its kernel.
            self.demux[lane].enable.next = self.busy & searching & self.line_valid & !self.matched;
            self.demux[lane].select.next = self.line_kid;
            found = found | (self.busy & self.matched & (self.line_kid == self.kid));
            foreign = foreign | (self.busy & self.matched & (self.line_kid != self.kid));
            searching = searching & !self.matched;
            if self.mine {
                own = own + 1;
            }

            // The line that is on its way down takes the place.
            self.written.next = 0;
            if moving {
                self.written.next = moved;
            } else if self.stays {
                self.written.next = self.line;
            }
            if self.sweeping {
                self.written.next = 0;
            }
            self.place[lane].write_data.next = self.written;
            moved = self.line;
            moving = moving & self.stays;
        }
        self.ends.next = self.busy & (found | (self.row == self.last_row));

        comment!("Lines of each kernel above that of the access.");
        for kernel in 0..KERNELS {
            for lane in 0..LANES {
                self.lanes[kernel][lane].next = self.demux[lane].lane[kernel];
            }
            self.popcnt[kernel].data.next = self.lanes[kernel];
        }

        comment!("The next row, or the answer.");
        self.busy.next = self.busy & !self.ends;
        self.done_register.next = self.ends;
        self.again.next = found;
        self.searches.next = searching;
        self.shared.next = foreign;
        self.row.next = self.row + 1;
        self.carries.next = moving;
        self.carried.next = moved;
        self.own_above.next = own;
        for kernel in 0..KERNELS {
            let seen: Bits<SEEN_W> = self.popcnt[kernel].count;
            self.above[kernel].next = self.above[kernel] + seen.cast::<POS_W>();
        }
        if self.takes {
            self.busy.next = true;
            self.stack.next = self.access_stack;
            self.tag.next = self.access_tag;
            self.kid.next = self.access_kid;
            self.row.next = 0;
            self.searches.next = true;
            self.shared.next = false;
            self.carries.next = true;
            self.carried.next = self.new_line;
            self.own_above.next = 0;
            for kernel in 0..KERNELS {
                self.above[kernel].next = 0;
            }
        }

        comment!("The RAM: read a row ahead, written row by row.");
        let mut read_address: Bits<ADDRESS_W> =
            self.access_stack.cast::<ADDRESS_W>() << self.stack_at;
        let mut write_address: Bits<ADDRESS_W> =
            (self.stack.cast::<ADDRESS_W>() << self.stack_at) | self.row.cast::<ADDRESS_W>();
        if self.busy {
            read_address = write_address + 1;
        }
        if self.sweeping {
            write_address = self.sweep_address;
        }
        for lane in 0..LANES {
            self.place[lane].read_address.next = read_address;
            self.place[lane].write_enable.next = self.busy | self.sweeping;
            self.place[lane].write_address.next = write_address;
        }

        comment!("What was found.");
        self.done.next = self.done_register;
        self.done_again.next = self.done_register & self.again;
        self.done_shared.next = self.done_register & self.shared;
        self.done_kid.next = 0;
        if self.done_register {
            self.done_kid.next = self.kid;
        }
        for kernel in 0..KERNELS {
            let mut told: Bits<POS_W> = 0;
            if self.done_register {
                told = self.above[kernel];
            }
            self.done_above[kernel].next = told;
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<ShadowStack!(@any)>::DEFINITION,
    &[
        ("figure-2", "4x4x4"),
        ("table-1", "16x4x16"),
        ("small", "2x2x2"),
        ("large", "32x8x16l4"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 2, 2, 1],
            [3, 3, 4, 2],
            [4, 4, 4, 1],
            [4, 4, 4, 4],
            [16, 4, 16, 1],
            [16, 4, 16, 4],
            [32, 8, 16, 4],
        ];
        sets.map(|[ways, kernels, stacks, lanes]| vec![ways, kernels, stacks, 12, lanes])
            .to_vec()
    }),
)
.usual(&[usually("TAG_W", 12), usually("LANES", 1).letter('l')]);
