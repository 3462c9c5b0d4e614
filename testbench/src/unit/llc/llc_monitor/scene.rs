//! Example waveform of `llc_monitor`: misses, hits and an eviction in one set, then the read-out;
//! the smallest set.

use cotenant_golden::llc::llc_monitor::{In, Params};

use crate::unit::llc::LlcMonitor;
use crate::unit::prelude::*;

/// The set that is accessed, and the tags of three lines of it.
const SET: u32 = 5;
const A: u64 = 0xa;
const B: u64 = 0xb;
const C: u64 = 0xc;

impl Teach for LlcMonitor {
    const SETS: &'static [&'static str] = &["2x2x16x1"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let access = |requester: u16, tag| In {
            access_valid: 1,
            request_set: vec![SET],
            access_tag: vec![tag],
            access_requester: vec![requester],
            ..idle()
        };
        let read = |read_matrix, read_victim, read_aggressor| In {
            read_matrix,
            read_victim,
            read_aggressor,
            ..idle()
        };
        let reset = Self::cycle(params, |i| i.reset = true);
        let snapshot = Self::cycle(params, |i| i.snapshot = true);
        let sweep = (0..params.sets).map(|_| idle());
        // An access is reported four cycles later, and in the counters another one later.
        let (done, counted) = (4, 5);
        Scene::new("from a request to the counters")
            .rows(
                "request (SM 0 runs K0, SM 1 runs K1)",
                "ready, access_valid, request_set when access_valid, access_tag hex when \
                 access_valid, access_requester when access_valid",
            )
            .rows(
                "result",
                "done_valid, done_hit when done_valid, done_way when done_valid, done_evict when \
                 done_valid, done_owner kernel when done_valid",
            )
            .rows(
                "counters of the bank, of K0 and K1",
                "bank[0].gdcu.count[*][0], bank[0].gdcu.count[*][1], bank[0].plob.count[*][1]",
            )
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("read_matrix").named(&[(0, "gdc"), (1, "ike"), (2, "acc")]),
                    row("read_victim"),
                    row("read_aggressor"),
                    row("read_count"),
                ],
            )
            .cycle("Reset.", reset)
            .then("ready", false)
            .cycles("A sweep clears the 16 sets, one per cycle; requests are ignored.", sweep)
            .folded()
            .sees("ready", false)
            .then("ready", true)
            .cycle("K0 asks for line a of set 5: a miss, which fills way 1.", access(0, A))
            .after(done, "done_hit", false)
            .after(done, "done_way", 1)
            .after(done, "done_evict", false)
            .after(counted, "bank[0].gdcu.count[*][0]", [0, 0])
            .cycle(
                "K1 asks for line b: a miss into way 0, which is invalid, so nothing is evicted; line a is demoted.",
                access(1, B),
            )
            .after(done, "done_hit", false)
            .after(done, "done_way", 0)
            .after(done, "done_evict", false)
            .after(counted, "bank[0].gdcu.count[*][1]", [1, 0])
            .cycle(
                "K0 asks for line a: a hit in position 1, which demotes K1's line b.",
                access(0, A),
            )
            .after(done, "done_hit", true)
            .after(done, "done_way", 1)
            .after(done, "done_owner", 0)
            .after(counted, "bank[0].gdcu.count[*][0]", [0, 1])
            .cycle("K1 asks for line b: a hit, which demotes K0's line a.", access(1, B))
            .after(done, "done_hit", true)
            .after(done, "done_way", 0)
            .after(done, "done_owner", 1)
            .after(counted, "bank[0].gdcu.count[*][1]", [2, 0])
            .cycle(
                "K1 asks for line c: a miss. Both lines are demoted, line a of K0 out of the cache.",
                access(1, C),
            )
            .after(done, "done_hit", false)
            .after(done, "done_way", 1)
            .after(done, "done_evict", true)
            .after(done, "done_owner", 0)
            .after(counted, "bank[0].gdcu.count[*][1]", [3, 1])
            .after(counted, "bank[0].plob.count[*][1]", [1, 0])
            .cycles(
                "The last accesses pass through the pipeline: tags, replacement bits, counters.",
                [idle(), idle(), idle(), idle()],
            )
            .cycle("A snapshot ends the period of all counters at once.", snapshot)
            .then("bank[0].gdcu.count[*][1]", [0, 0])
            .then("sequence_number", 1)
            .cycle(
                "Read, answered two cycles later: K1 has demoted K0's lines three times,",
                read(0, 0, 1),
            )
            .after(2, "read_count", 3)
            .cycle("evicted one line of K0,", read(1, 0, 1))
            .after(2, "read_count", 1)
            .cycle("and missed twice (row 1 of the accesses).", read(2, 1, 1))
            .after(2, "read_count", 2)
            .cycles("The answers arrive.", [idle(), idle()])
    }
}
