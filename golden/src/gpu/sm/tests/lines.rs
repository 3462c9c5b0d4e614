//! Rationale: a line of the L1D that is several of the L2's is one access with one MSHR, and a
//! request for each of the L2's. The requests, the cycles of their replies and the counts are
//! computed by hand; then random accesses ask for the same sectors in shorter lines of the L2.

use super::*;
use crate::workload::program::{Addresses, Memory};
use proptest::prelude::*;

/// A load or store of 128 bytes, from `base` on.
fn whole(op: crate::workload::Op, base: u64) -> Instruction {
    lanes(op, 32, base, 4)
}

/// L1D lines of 128 bytes over lines of 32.
fn quarters(change: impl Fn(&mut Config), programs: &[Arc<dyn Program>]) -> Bench {
    let mut config = config();
    config.l1d.line = Some(128);
    change(&mut config);
    Bench::over(32, &config, programs)
}

/// What was asked of the L2: line, sectors and when.
fn asked(bench: &Bench) -> Vec<(u64, u32, u64)> {
    let taken = bench.port.taken.iter();
    taken.map(|r| (r.line, r.sectors, r.issued)).collect()
}

#[test]
fn a_line_is_four_requests_and_one_mshr() {
    let steps = [whole(Read, 128), Instruction::Wait, whole(Read, 128)];
    let program = same(grid(1, 1), &steps);
    let mut bench = quarters(|config| config.l1d.mshrs = 1, &[program]);
    // Replies in 21 to 24.
    assert_eq!(bench.issues(60), [0, 24]);
    assert_eq!(
        asked(&bench),
        [(128, 1, 1), (160, 1, 2), (192, 1, 3), (224, 1, 4)]
    );
    let stats = bench.sm.stats(0);
    assert_eq!((stats.loads, stats.misses, stats.hits), (2, 1, 1));
    assert_eq!((stats.sent, stats.replies, stats.reply_latency), (4, 4, 80));
    assert_eq!((stats.completed, stats.failures.total()), (2, 0));
}

/// Two sectors are a line of the L2.
#[test]
fn a_request_has_all_sectors_of_its_line() {
    let mut config = config();
    config.l1d.line = Some(256);
    // Sectors 1 to 6 of the L1D's line.
    let program = same(grid(1, 1), &[lanes(Read, 6, 32, 32)]);
    let mut bench = Bench::over(64, &config, &[program]);
    bench.issues(60);
    let expected = [(0, 0b10, 1), (64, 0b11, 2), (128, 0b11, 3), (192, 0b01, 4)];
    assert_eq!(asked(&bench), expected);
    assert_eq!(bench.sm.stats(0).misses, 1);
}

/// Sector 0, then the first two: only 1 is asked for; then all: 2 and 3; then all are on their way.
#[test]
fn only_what_is_missing_is_asked_for() {
    let steps = [
        one(Read, 0),
        lanes(Read, 2, 0, 32),
        whole(Read, 0),
        lanes(Read, 4, 0, 32),
        Instruction::Wait,
        compute(1, 1),
    ];
    let mut bench = quarters(|_| (), &[same(grid(1, 1), &steps)]);
    // The last sector is asked for in 4.
    assert_eq!(bench.issues(60), [0, 1, 2, 3, 24]);
    assert_eq!(
        asked(&bench),
        [(0, 1, 1), (32, 1, 2), (64, 1, 3), (96, 1, 4)]
    );
    let stats = bench.sm.stats(0);
    assert_eq!((stats.loads, stats.misses), (4, 3));
    assert_eq!((stats.sector_misses, stats.merged, stats.hits), (2, 1, 0));
}

/// Of a line on its way, a load of one sector waits for that sector only, whichever comes first.
#[test]
fn a_merged_load_waits_for_its_sectors() {
    for (own, others) in [(10, 30), (30, 10)] {
        let program = script(grid(1, 2), |place| match place.warp {
            0 => at(&[whole(Read, 0)], place.step),
            _ => at(
                &[one(Read, 64), Instruction::Wait, compute(1, 1)],
                place.step,
            ),
        });
        let mut bench = quarters(|_| (), &[program]);
        bench.issues(6);
        let stats = bench.sm.stats(0);
        assert_eq!((stats.misses, stats.merged), (1, 1));
        let due = |request: &Request| if request.line == 64 { own } else { others };
        let mut coming: Vec<_> = bench.port.taken.iter().map(|r| (due(r), *r)).collect();
        coming.sort_by_key(|(due, _)| *due);
        bench.port.coming = coming.into();
        assert_eq!(bench.issues(40), [own]);
        let stats = bench.sm.stats(0);
        assert_eq!((stats.completed, stats.replies), (2, 4));
    }
}

/// Those that go on leave their places at the MSHR to others.
#[test]
fn an_mshr_is_less_full_with_each_reply() {
    let steps = [whole(Read, 0), one(Read, 0), one(Read, 96)];
    let program = same(grid(1, 1), &steps);
    let mut bench = quarters(|config| config.l1d.mshr_merges = 2, &[program]);
    bench.issues(60);
    // Two wait from 2 on; the second has its sector in 21, while the third's comes in 24.
    let expected = Failures {
        mshr_merge: 18,
        ..Failures::default()
    };
    let stats = bench.sm.stats(0);
    assert_eq!(stats.failures, expected);
    assert_eq!((stats.misses, stats.merged, stats.hits), (1, 2, 0));
}

/// A store is a request for each line, too, and the block waits for all acknowledgements.
#[test]
fn a_store_is_four_requests() {
    let steps = [one(Read, 0), Instruction::Wait, whole(Write, 0)];
    let mut bench = quarters(|_| (), &[same(grid(1, 1), &steps)]);
    // Issued in 21, tried in 22, acknowledged in 42 to 45.
    assert_eq!(bench.cycles(60, |stats| stats.blocks_ended), [45]);
    let ops: Vec<_> = bench.port.taken.iter().map(|r| (r.op, r.line)).collect();
    let lines = [(Write, 0), (Write, 32), (Write, 64), (Write, 96)];
    assert_eq!((ops[0], &ops[1..]), ((Read, 0), &lines[..]));
    let stats = bench.sm.stats(0);
    assert_eq!((stats.stores, stats.write_evictions, stats.sent), (1, 1, 5));
}

/// A store must not pass a load of another sector of its line.
#[test]
fn the_last_sector_lets_a_store_pass() {
    let steps = [whole(Read, 0), one(Write, 0)];
    let mut bench = quarters(|_| (), &[same(grid(1, 1), &steps)]);
    bench.issues(60);
    let expected = Failures {
        rw_pending: 22,
        ..Failures::default()
    };
    // Tried from 2 on; the last sector comes in 24.
    assert_eq!(bench.sm.stats(0).failures, expected);
}

/// A miss of four requests needs four entries of the miss queue; one of a sector needs one.
#[test]
fn all_requests_enter_the_miss_queue_together() {
    let steps = [one(Write, 512), whole(Read, 0), one(Read, 128)];
    let program = same(grid(1, 1), &steps);
    let mut bench = quarters(|config| config.l1d.miss_queue = 4, &[program]);
    bench.port.open = false;
    bench.issues(10);
    let expected = |miss_queue| Failures {
        miss_queue,
        ..Failures::default()
    };
    // The store is in the queue from 1 on.
    assert_eq!(bench.sm.stats(0).failures, expected(8));
    assert_eq!(bench.sm.stats(0).misses, 0);
    bench.port.open = true;
    bench.issues(60);
    // The store leaves in 10, the load enters and sends its first request in 11; the next load is
    // refused by none.
    assert_eq!(bench.sm.stats(0).failures, expected(9));
    let cycles: Vec<_> = bench.port.taken.iter().map(|r| r.issued).collect();
    assert_eq!(cycles, [10, 11, 12, 13, 14, 15]);
    assert_eq!(bench.sm.stats(0).misses, 2);
}

#[test]
fn lost_requests_are_found() {
    type Break = fn(&mut Bench);
    let breaks: [(Break, &str); 4] = [
        (|b| b.sm.lsu.lose_request(), "misses and stores are"),
        (|b| b.sm.lsu.lose_sector(), "sectors pending are"),
        (|b| b.sm.stats[0].replies += 1, "requests without reply are"),
        // A reply that brings more than its own sector: the other's request is out still.
        (
            |b| {
                let mut request = b.port.taken[0];
                request.sectors = 0b11;
                b.sm.lsu.reply(&Reply { request }, 3, &mut b.sm.stats);
            },
            "requests without reply are",
        ),
    ];
    let made = || {
        let steps = [whole(Read, 0), whole(Write, 128)];
        let mut bench = quarters(|_| (), &[same(grid(1, 1), &steps)]);
        bench.cycles(4, |_| 0);
        bench
    };
    assert_eq!(made().sm.check(), Ok(()));
    for (break_it, message) in breaks {
        let mut bench = made();
        break_it(&mut bench);
        let (_, sum) = bench.sm.check().unwrap_err();
        assert!(sum.to_string().starts_with(message), "{sum}");
    }
}

/// Sectors by their addresses, in the order in which they were asked for.
fn sectors(bench: &Bench) -> Vec<(crate::workload::Op, u64)> {
    let of = |request: &Request| {
        let Request {
            op, line, sectors, ..
        } = *request;
        let sectors = (0..32).filter(move |bit| sectors >> bit & 1 == 1);
        sectors.map(move |bit| (op, line + 32 * bit))
    };
    bench.port.taken.iter().flat_map(of).collect()
}

proptest! {
    /// Whatever is accessed, one access after the other and none that has to wait for a place: how long the L2's lines are makes no
    /// difference to the L1D, nor to which sectors are asked for.
    #[test]
    fn shorter_lines_ask_for_the_same_sectors(
        accesses in prop::collection::vec(
            (any::<bool>(), 0..4096u64, 0..9u64, 1..=u32::MAX), 1..12),
        line in prop::sample::select(vec![128, 512]),
    ) {
        let steps: Vec<_> = accesses.iter().flat_map(|&(store, base, stride, lanes)| {
            let memory = Memory {
                op: if store { Write } else { Read },
                bytes: 4,
                lanes,
                addresses: Addresses::Strided { base, stride },
            };
            [Instruction::Memory(memory), Instruction::Wait]
        }).collect();
        let ran = |l2_line: u64| {
            let mut config = config();
            (config.l1d.line, config.l1d.miss_queue) = (Some(line), 16);
            let mut bench = Bench::over(l2_line, &config, &[same(grid(1, 1), &steps)]);
            while bench.sm.stats(0).blocks_ended == 0 {
                bench.tick();
                assert!(bench.cycle < 100_000, "hangs");
            }
            bench
        };
        let same_lines = ran(line);
        let expected = *same_lines.sm.stats(0);
        for l2_line in [32, 64, 128] {
            let bench = ran(l2_line);
            prop_assert_eq!(sectors(&bench), sectors(&same_lines));
            prop_assert!(bench.port.taken.iter().all(|r| r.line % l2_line == 0));
            let stats = *bench.sm.stats(0);
            prop_assert_eq!(
                [stats.loads, stats.hits, stats.merged, stats.misses, stats.sector_misses],
                [expected.loads, expected.hits, expected.merged, expected.misses,
                    expected.sector_misses]
            );
            prop_assert_eq!(
                [stats.stores, stats.write_evictions, stats.completed],
                [expected.stores, expected.write_evictions, expected.completed]
            );
            prop_assert_eq!(stats.sent, stats.replies);
        }
    }
}
