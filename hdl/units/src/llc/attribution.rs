//! `attribution`: what part of each kernel's misses each kernel has caused, exactly, in sampled
//! sets.
//!
//! Source: docs/attribution.md. Of an access to a sampled set, [`shadow_stack`](crate::llc::ShadowStack)
//! tells how many lines of each kernel have been used since its kernel's last use of the line;
//! [`blame`](crate::llc::Blame) divides the miss, if it is one; a counter matrix adds the parts up,
//! the victim's own misses on the diagonal. If all sets are sampled the sums are the Shapley shares
//! of each kernel's misses; what is not exact, and how much, is counted as well.
//!
//! With MODE 1 [`pivot`](crate::llc::Pivot) charges the whole miss to one kernel instead, and there may
//! be up to 16: on average the sums are the Shapley shares.
//!
//! Timing: a lookup takes 2 to ROWS + 1 cycles, where ROWS is WAYS x KERNELS / LANES. An access to a
//! sampled set that comes meanwhile waits in a queue of QUEUE places, and
//! is dropped if they are all in use; without a queue it is dropped. Accesses are looked up in the
//! order in which they came; one that finds no other before it is looked up at once, with a queue as
//! without. The parts of a miss are at the counters' adders two cycles after the last row has been
//! looked at. `snapshot` and the read port are not delayed. After reset the stacks are cleared and
//! accesses are ignored; `ready` is 0. It does not say whether there is a place in the queue.
//!
//! An access is counted as taken or dropped in the cycle in which it comes, and its parts are
//! charged in the period in which they reach the counters: after a snapshot in between, in the next
//! one. A reset forgets the accesses that wait.
//!
//! ASSUMPTION: tags are kept in PARTIAL_W bits, the exclusive or of the pieces of the tag.
//! ASSUMPTION: an access to a line that another kernel used last charges nobody and is counted
//! apart.
//! ASSUMPTION: sampled are the sets that come first when all are ordered by a hash of their number.
//! ASSUMPTION: a snapshot ends the period of all counters; the stacks are warm in the next one.

use super::{
    kid_width, most_sharers, position_width, sampled_sets, set_width, sharers, AccessQueue, Blame,
    CounterMatrix, Pivot, ShadowStack, MAX_SETS, MAX_WAYS,
};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "the exact attribution of LRU",
    require(SETS.is_power_of_two(), "SETS is a power of two"),
    require(KERNELS <= most_sharers(MODE), "KERNELS is 2 to 4 with MODE 0"),
    with(chosen_sets = sampled_sets::sampled_sets(SETS, CHOSEN)),
    // Both matrices take their snapshots at the same time; of a tag that is shifted the low bits count.
    unused = match MODE {
        0 => vec!["events.sequence_number", "blame[0].contention", "shifted"],
        _ => vec![
            "events.sequence_number",
            "pivot[0].contention",
            "pivot[0].charged_kid",
            "shifted",
            "lines",
            "weights",
            "weights_element",
            "parts",
            "divided",
        ],
    }
)]
mod attribution {
    /// Attribution in `SAMPLED` of `SETS` sets of `WAYS` ways that `KERNELS` kernels share.
    pub struct Attribution<
        /// Number of ways.
        #[range(1..=MAX_WAYS)] const WAYS: usize,
        /// Number of kernels.
        #[range(2..=16)] const KERNELS: usize,
        /// Number of sets of the cache.
        #[range(2..=MAX_SETS)] const SETS: usize,
        /// Number of sets that are sampled.
        #[range(2..=SETS)] const SAMPLED: usize,
        /// Bits of a tag.
        #[range(1..=64)] const TAG_W: usize,
        /// Bits of a tag that are kept.
        #[range(1..=TAG_W)] const PARTIAL_W: usize,
        /// Places of a stack that are looked at per cycle.
        #[range(1..=WAYS * KERNELS / 2)] const LANES: usize,
        /// Bits of a counter.
        #[range(3..=64)] const CNT_W: usize,
        /// Accesses that may wait until the stacks are free.
        #[range(0..=64)] const QUEUE: usize = { 0 },
        /// What becomes of a miss: 0 it is divided in sixths, for up to four kernels; 1 it is charged
        /// to one kernel as a whole.
        #[range(0..=1)] const MODE: usize = { 0 },
        const SET_W: usize = { set_width(SETS) },
        const STACK_W: usize = { set_width(SAMPLED) },
        const KID_W: usize = { kid_width(KERNELS) },
        const POS_W: usize = { position_width(WAYS) },
        const SOME: usize = { (SAMPLED < SETS) as usize },
        const CHOSEN: usize = {
            if SAMPLED < SETS {
                SAMPLED
            } else {
                0
            }
        },
        const PIECES: usize = { TAG_W.div_ceil(PARTIAL_W) },
        const QUEUES: usize = { (QUEUE > 0) as usize },
        const DEPTH: usize = {
            if QUEUE > 0 {
                QUEUE
            } else {
                1
            }
        },
        const SIXTHS: usize = { 1 - MODE },
        const DIVIDED: usize = { (1 - MODE) * KERNELS },
        const SHARERS: usize = { sharers(KERNELS, 0) },
        const SHARER_W: usize = { kid_width(SHARERS) },
        const PART_W: usize = { 3 - 2 * MODE },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: counters, shadows, flags and pipeline to zero, then the stacks
        /// are cleared.
        pub reset: In<Bit>,
        /// Access valid; active high. Ignored while `ready` is 0.
        pub access_valid: In<Bit>,
        /// Its set; an access to a set that is not sampled is ignored.
        pub access_set: In<Bits<SET_W>>,
        /// Its tag.
        pub access_tag: In<Bits<TAG_W>>,
        /// KID of the accessing kernel; below KERNELS.
        pub access_kid: In<Bits<KID_W>>,
        /// Ends the period: copies the counters and clears them; active high.
        pub snapshot: In<Bit>,
        /// What to read: 0 the share of a pair, or the number of accesses to sampled sets that were
        /// 1 taken, 2 dropped, 3 to lines that another kernel had used last.
        pub read_from: In<Bits<2>>,
        /// Victim of the share to read; below KERNELS, others read 0.
        pub read_victim: In<Bits<KID_W>>,
        /// Aggressor of the share to read, the victim for its own misses; below KERNELS, others
        /// read 0.
        pub read_aggressor: In<Bits<KID_W>>,
        /// Read the running counters instead of the last period's, as they are before that cycle's
        /// increment; active high.
        pub read_live: In<Bit>,
        /// Accesses are taken or dropped; active high, 0 after reset until the stacks are cleared.
        pub ready: Out<Bit>,
        /// What was addressed one cycle before, of the last period or with `read_live` of the
        /// running one; shares in sixths of a miss, with MODE 1 in misses. CNT_W bits, saturating; 0
        /// after reset.
        pub read_count: Out<Bits<CNT_W>>,
        /// That counter has saturated in its period; 0 after reset.
        pub read_overflow: Out<Bit>,
        /// One bit per aggressor: one of its shares saturated in the last period; 0 after reset.
        pub overflow: Out<Bits<KERNELS>>,
        /// A counter of accesses taken (bit 0), dropped (bit 1) or to lines of others (bit 2)
        /// saturated in the last period; 0 after reset.
        pub overflow_events: Out<Bits<3>>,
        /// Number of snapshots, modulo 256, so that a reader can detect a snapshot between two
        /// reads; 0 after reset.
        pub sequence_number: Out<Bits<8>>,
        /// In front of the stacks, unless QUEUE is 0.
        queue: [AccessQueue<DEPTH, STACK_W, PARTIAL_W, KID_W>; QUEUES],
        stacks: ShadowStack<WAYS, KERNELS, SAMPLED, PARTIAL_W, LANES>,
        blame: [Blame<WAYS, SHARERS>; SIXTHS],
        pivot: [Pivot<WAYS, KERNELS>; MODE],
        /// One row per aggressor, one column per victim.
        shares: CounterMatrix<KERNELS, PART_W, CNT_W>,
        /// Accesses taken, dropped, and to lines of others.
        events: CounterMatrix<1, 1, CNT_W, 3, 2>,
        /// The stacks have been cleared.
        started: Reg<Bit>,
        /// The miss that goes to the counters, and its victim.
        miss: Reg<Bit>,
        victim: Reg<Bits<KID_W>>,
        sixths: [Reg<Bits<3>>; DIVIDED],
        charged: [Reg<Bits<KERNELS>>; MODE],
        read_from_register: Reg<Bits<2>>,
        /// The access is to a sampled set, of which this is the stack.
        sampled: Local<Bit>,
        index: Local<Bits<STACK_W>>,
        folded: Local<Bits<PARTIAL_W>>,
        lines: Local<[Bits<POS_W>; KERNELS]>,
        weights: Local<[Bits<POS_W>; SHARERS]>,
        parts: Local<[Bits<3>; SHARERS]>,
        inc: Local<[Bits<PART_W>; KERNELS]>,
        happened: Local<Bits<3>>,
        /// The sampled sets, unless they are all.
        #[value(|n| chosen_sets[n])]
        chosen: [Constant<Bits<SET_W>>; CHOSEN],
        #[value(|piece| piece * PARTIAL_W)]
        piece_at: [Constant<Bits<8>>; PIECES],
    }

    fn update(&mut self) {
        comment!("Sampled sets.");
        self.sampled.next = true;
        self.index.next = self.access_set.cast::<STACK_W>();
        for _some in 0..SOME {
            self.sampled.next = false;
            self.index.next = 0;
        }
        for n in 0..CHOSEN {
            if self.access_set == self.chosen[n] {
                self.sampled.next = true;
                self.index.next = n.to_bits::<STACK_W>();
            }
        }

        comment!("The tag in fewer bits.");
        self.folded.next = 0;
        for piece in 0..PIECES {
            let shifted: Bits<TAG_W> = self.access_tag >> self.piece_at[piece];
            self.folded.next = self.folded ^ shifted.cast::<PARTIAL_W>();
        }

        comment!("The lines used since the kernel's last use of the line.");
        self.ready.next = self.started | self.stacks.ready;
        self.started.next = self.started | self.stacks.ready;
        let sampled_access: Bit =
            self.access_valid & self.sampled & (self.started | self.stacks.ready);
        self.stacks.next = ShadowStack {
            access_valid: sampled_access,
            access_stack: self.index,
            access_tag: self.folded,
            access_kid,
        };
        for line in 0..QUEUES {
            self.queue[line].next = AccessQueue {
                access_valid: sampled_access,
                access_stack: self.index,
                access_tag: self.folded,
                access_kid,
                next_ready: self.stacks.ready,
            };
            self.stacks.access_valid.next = self.queue[line].next_valid;
            self.stacks.access_stack.next = self.queue[line].next_stack;
            self.stacks.access_tag.next = self.queue[line].next_tag;
            self.stacks.access_kid.next = self.queue[line].next_kid;
        }

        comment!("Who is to blame, a cycle later at the counters.");
        self.miss.next = false;
        self.victim.next = self.stacks.done_kid;
        self.lines.next = self.stacks.done_above;
        self.parts.next = 0;
        for kernel in 0..DIVIDED {
            self.weights[kernel].next = self.lines[kernel];
        }
        for n in 0..SIXTHS {
            self.blame[n].next = Blame {
                access_valid: self.stacks.done & !self.stacks.done_shared,
                access_kid: self.stacks.done_kid.cast::<SHARER_W>(),
                access_again: self.stacks.done_again,
                above: self.weights,
            };
            self.miss.next = self.blame[n].miss;
            self.parts.next = self.blame[n].sixths;
        }
        for kernel in 0..DIVIDED {
            self.sixths[kernel].next = self.parts[kernel];
        }
        for n in 0..MODE {
            self.pivot[n].next = Pivot {
                access_valid: self.stacks.done & !self.stacks.done_shared,
                access_kid: self.stacks.done_kid,
                access_again: self.stacks.done_again,
                above: self.stacks.done_above,
            };
            self.miss.next = self.pivot[n].miss;
            self.charged[n].next = self.pivot[n].charged;
        }
        for kernel in 0..KERNELS {
            let mut part: Bits<PART_W> = 0;
            for _n in 0..SIXTHS {
                let divided: Bits<3> = self.sixths[kernel];
                part = divided.cast::<PART_W>();
            }
            for n in 0..MODE {
                if self.charged[n][kernel] {
                    part = 1;
                }
            }
            self.inc[kernel].next = part;
        }
        self.shares.next = CounterMatrix {
            inc_valid: self.miss,
            inc_kid: self.victim,
            inc: self.inc,
            snapshot,
            read_victim: self.read_aggressor,
            read_aggressor: self.read_victim,
            read_live,
        };

        comment!("What is not exact, and how much there is.");
        self.happened.next = 0;
        self.happened[0].next = sampled_access & self.stacks.ready;
        self.happened[1].next = sampled_access & !self.stacks.ready;
        for line in 0..QUEUES {
            self.happened[0].next = sampled_access & (self.stacks.ready | !self.queue[line].full);
            self.happened[1].next = sampled_access & !self.stacks.ready & self.queue[line].full;
        }
        self.happened[2].next = self.stacks.done_shared;
        self.events.next = CounterMatrix {
            inc_valid: true,
            inc_kid: 0,
            inc: self.happened,
            snapshot,
            read_victim: self.read_from - 1,
            read_aggressor: 0,
            read_live,
        };

        comment!("The read port.");
        self.read_from_register.next = self.read_from;
        self.read_count.next = self.events.read_count;
        self.read_overflow.next = self.events.read_overflow;
        if self.read_from_register == 0 {
            self.read_count.next = self.shares.read_count;
            self.read_overflow.next = self.shares.read_overflow;
        }
        self.overflow.next = self.shares.overflow;
        self.overflow_events.next = self.events.overflow;
        self.sequence_number.next = self.shares.sequence_number;
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Attribution!(@any)>::DEFINITION,
    &[
        ("figure-2", "4x4x64x8"),
        ("table-1", "16x4x256x16"),
        ("small", "2x2x4x4"),
        ("large", "16x4x64x64l4"),
        ("queue", "3x3x16x4l2q3"),
        ("pivot", "4x6x16x4l3p"),
    ],
    Sets::Numbers(|| {
        let sets = [
            [2, 2, 4, 4, 1, 0, 0],
            [2, 2, 4, 4, 1, 0, 1],
            [3, 3, 16, 4, 2, 0, 0],
            [3, 3, 16, 4, 2, 3, 0],
            [4, 4, 64, 8, 1, 0, 0],
            [4, 4, 64, 64, 8, 0, 0],
            [4, 6, 16, 4, 3, 0, 1],
            [16, 4, 256, 16, 1, 0, 0],
            [16, 4, 256, 16, 4, 0, 0],
            [16, 4, 64, 64, 4, 0, 0],
            [16, 8, 256, 16, 4, 4, 1],
        ];
        sets.map(|[ways, kernels, sets, sampled, lanes, queue, mode]| {
            vec![ways, kernels, sets, sampled, 36, 12, lanes, 24, queue, mode]
        })
        .to_vec()
    }),
)
// Tags as those of the monitor; counters of sixths of a miss, in three bits more than its counters.
.usual(&[
    usually("TAG_W", 36),
    usually("PARTIAL_W", 12),
    usually("LANES", 1).letter('l'),
    usually("CNT_W", 24),
    usually("QUEUE", 0).letter('q'),
    usually("MODE", 0).flags("p"),
]);
