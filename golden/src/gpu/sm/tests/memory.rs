//! Rationale: each path through the load/store unit is taken, each reason for a reservation failure
//! is provoked alone and counted, and lanes are coalesced to the right requests.

use super::super::coalesce::Parts;
use super::*;
use crate::workload::program::{Addresses, Memory};
use proptest::prelude::*;

/// One warp of these steps on this SM.
fn on(config: &Config, steps: &[Instruction]) -> Bench {
    Bench::new(config, &[same(grid(1, 1), steps)])
}

fn failures(bench: &Bench) -> Failures {
    bench.sm.stats(0).failures
}

#[test]
fn no_line_slot() {
    let mut config = config();
    (config.l1d.sets, config.l1d.ways) = (1, 1);
    let mut bench = on(&config, &[one(Read, 0), one(Read, 128)]);
    bench.issues(60);
    // The second is tried from 2 on, and accepted in 21, when the first is filled.
    let expected = Failures {
        line_alloc: 19,
        ..Failures::default()
    };
    assert_eq!(failures(&bench), expected);
    assert_eq!(bench.sm.stats(0).misses, 2);
}

#[test]
fn no_mshr() {
    let mut config = config();
    config.l1d.mshrs = 1;
    let mut bench = on(&config, &[one(Read, 0), one(Read, 128)]);
    bench.issues(60);
    let expected = Failures {
        mshr_entry: 19,
        ..Failures::default()
    };
    assert_eq!(failures(&bench), expected);
}

#[test]
fn no_room_in_the_mshr() {
    let mut config = config();
    config.l1d.mshr_merges = 2;
    let mut bench = on(&config, &[one(Read, 0), one(Read, 4), one(Read, 8)]);
    bench.issues(60);
    // Merged in 2, refused from 3 to 20; then a hit.
    let expected = Failures {
        mshr_merge: 18,
        ..Failures::default()
    };
    assert_eq!(failures(&bench), expected);
    let stats = bench.sm.stats(0);
    assert_eq!(
        (stats.loads, stats.misses, stats.merged, stats.hits),
        (3, 1, 1, 1)
    );
}

#[test]
fn no_room_in_the_miss_queue() {
    let mut config = config();
    config.l1d.miss_queue = 1;
    let mut bench = on(&config, &[one(Write, 0), one(Write, 128)]);
    bench.port.open = false;
    bench.issues(10);
    // The first is in the queue in 1, the second is refused from 2 on.
    let expected = |miss_queue| Failures {
        miss_queue,
        ..Failures::default()
    };
    assert_eq!(failures(&bench), expected(8));
    assert_eq!(bench.port.taken, []);
    bench.port.open = true;
    bench.issues(60);
    // Cycle 10 takes the first away after the second has been tried.
    assert_eq!(failures(&bench), expected(9));
    assert_eq!(bench.port.taken.len(), 2);
}

#[test]
fn a_store_to_a_line_on_its_way() {
    let mut bench = bench(&[one(Read, 0), one(Write, 96), one(Read, 0)]);
    bench.issues(60);
    let expected = Failures {
        rw_pending: 19,
        ..Failures::default()
    };
    assert_eq!(failures(&bench), expected);
    let stats = bench.sm.stats(0);
    // The store puts the filled line out, and the load fetches it again.
    assert_eq!(
        (stats.write_evictions, stats.misses, stats.stores),
        (1, 2, 1)
    );
}

/// A load may follow a store to its line: it goes behind it to the L2.
#[test]
fn a_load_behind_a_store() {
    let mut bench = bench(&[one(Write, 0), one(Read, 0)]);
    bench.issues(60);
    assert_eq!(failures(&bench), Failures::default());
    let order: Vec<_> = bench.port.taken.iter().map(|r| (r.op, r.issued)).collect();
    assert_eq!(order, [(Write, 1), (Read, 2)]);
}

#[test]
fn write_evict_no_write_allocate() {
    let again = [one(Read, 0), Instruction::Wait];
    let steps = [
        again,
        again,
        [one(Write, 64), Instruction::Wait],
        again,
        again,
    ]
    .concat();
    let mut bench = bench(&steps);
    bench.issues(200);
    let stats = bench.sm.stats(0);
    // Miss, hit, store, miss, hit; had the store allocated, its sector would be a hit.
    assert_eq!((stats.misses, stats.hits, stats.write_evictions), (2, 2, 1));
    assert_eq!(stats.sector_misses, 0);
}

#[test]
fn least_recently_used_line_goes() {
    let load = |line: u64| [one(Read, line * 4 * 128), Instruction::Wait];
    let steps: Vec<_> = [0, 1, 0, 2, 0, 1].into_iter().flat_map(load).collect();
    let mut bench = bench(&steps);
    bench.issues(300);
    // 2 puts 1 out, as 0 was used since.
    let stats = bench.sm.stats(0);
    assert_eq!((stats.misses, stats.hits), (4, 2));
}

/// Sector 0, then sectors 0 and 1: only 1 is fetched.
#[test]
fn a_missing_sector_is_fetched_alone() {
    for wait in [true, false] {
        let mut steps = vec![
            one(Read, 0),
            lanes(Read, 2, 0, 32),
            Instruction::Wait,
            compute(1, 1),
        ];
        if wait {
            steps.insert(1, Instruction::Wait);
        }
        let mut bench = bench(&steps);
        let issues = bench.issues(100);
        let stats = *bench.sm.stats(0);
        assert_eq!((stats.misses, stats.sector_misses, stats.loads), (2, 1, 2));
        let sectors: Vec<_> = bench.port.taken.iter().map(|r| r.sectors).collect();
        assert_eq!(sectors, [0b01, 0b10]);
        // The second load waits for both where the first is still on its way.
        assert_eq!(issues.last(), Some(if wait { &42 } else { &22 }));
    }
}

/// With the second fill first, the load must still wait for the first.
#[test]
fn a_load_waits_for_all_of_its_sectors() {
    let steps = [
        one(Read, 0),
        lanes(Read, 2, 0, 32),
        Instruction::Wait,
        compute(1, 1),
    ];
    let mut bench = bench(&steps);
    bench.issues(5);
    let (first, second) = (bench.port.coming[0].1, bench.port.coming[1].1);
    bench.port.coming = [(10, second), (30, first)].into();
    assert_eq!(bench.issues(40), [30]);
}

/// A load of two sectors that two others fetch waits for both, in whichever order they come.
#[test]
fn a_merged_load_waits_at_several_registers() {
    for first_due in [10, 30] {
        let program = script(grid(1, 2), |place| match place.warp {
            0 => at(&[one(Read, 0), one(Read, 32)], place.step),
            _ => {
                let both = lanes(Read, 2, 0, 32);
                at(&[both, Instruction::Wait, compute(1, 1)], place.step)
            }
        });
        let mut bench = Bench::new(&config(), &[program]);
        bench.issues(5);
        let stats = bench.sm.stats(0);
        assert_eq!((stats.misses, stats.merged), (2, 1));
        let (first, second) = (bench.port.coming[0].1, bench.port.coming[1].1);
        let mut coming = [(first_due, first), (40 - first_due, second)];
        coming.sort_by_key(|(due, _)| *due);
        bench.port.coming = coming.into();
        assert_eq!(bench.issues(40), [30]);
    }
}

#[test]
fn misses_of_a_line_share_a_register() {
    let program = same(
        grid(1, 3),
        &[one(Read, 0), Instruction::Wait, compute(1, 1)],
    );
    let mut bench = Bench::new(&config(), &[program]);
    assert_eq!(bench.issues(30), [0, 1, 2, 21, 22, 23]);
    let stats = bench.sm.stats(0);
    assert_eq!(
        (stats.misses, stats.merged, bench.port.taken.len()),
        (1, 2, 1)
    );
}

/// 32 lines of one instruction: one request per cycle, and the next instruction after them.
#[test]
fn a_request_a_cycle() {
    let mut bench = bench(&[lanes(Write, 32, 0, 128), one(Write, 0)]);
    bench.issues(80);
    let cycles: Vec<_> = bench.port.taken.iter().map(|r| r.issued).collect();
    assert_eq!(cycles, (1..=33).collect::<Vec<_>>());
}

#[test]
fn the_queue_is_as_long_as_told() {
    let mut config = config();
    (config.sm.lsu_queue, config.l1d.miss_queue) = (2, 1);
    let steps: Vec<_> = (0..6).map(|n| one(Write, 128 * n)).collect();
    let mut bench = on(&config, &steps);
    bench.port.open = false;
    // The first leaves for the miss queue in 1, so that three issue.
    assert_eq!(bench.issues(30), [0, 1, 2]);
    assert_eq!(bench.sm.slots().refused, 27);
}

#[test]
fn an_instruction_without_lanes_is_done_at_once() {
    let none = Instruction::Memory(Memory {
        op: Read,
        bytes: 4,
        lanes: 0,
        addresses: Addresses::Strided { base: 0, stride: 4 },
    });
    let mut bench = bench(&[none, Instruction::Wait, compute(1, 1)]);
    assert_eq!(bench.issues(10), [0, 1]);
}

/// The set is that which the memory system's index function gives.
#[test]
fn the_index_is_that_of_the_l2() {
    use super::super::l1d::L1d;
    use crate::gpu::config::Index;
    use crate::llc::cache::Geometry;
    let geometry = Geometry {
        sets: 4,
        ways: 2,
        line: 128,
        kernels: 1,
        banks: 1,
    };
    for index in [Index::Bits, Index::Xor] {
        let l1d = L1d::new(
            &config::L1d {
                index,
                ..config().l1d
            },
            128,
        );
        for line in 0..256 {
            let address = line * 128;
            let set = geometry.set_of(index.permuted(address, &geometry));
            assert_eq!(l1d.victim(address), Some(2 * set), "{index:?} {address:#x}");
        }
    }
}

/// Lines and their sectors, by the definition: byte by byte.
fn plain(memory: &Memory, line: u64) -> Vec<(u64, u32)> {
    let mut parts: Vec<(u64, u32)> = vec![];
    for lane in (0..32).filter(|lane| memory.lanes >> lane & 1 == 1) {
        let first = match memory.addresses {
            Addresses::Strided { base, stride } => base + lane * stride,
            Addresses::Each(addresses) => addresses[lane as usize],
        };
        for byte in first..first + u64::from(memory.bytes) {
            let (start, sector) = (byte / line * line, 1 << (byte % line / 32));
            match parts.iter_mut().find(|(line, _)| *line == start) {
                Some((_, sectors)) => *sectors |= sector,
                None => parts.push((start, sector)),
            }
        }
    }
    parts
}

proptest! {
    #[test]
    fn coalescing_is_what_bytes_say(
        each in prop::option::of(prop::array::uniform32(0..4096u64)),
        (base, stride) in (0..4096u64, prop_oneof![0..40u64, 0..300u64]),
        bytes in prop::sample::select(vec![1, 2, 4, 8, 16]),
        lanes in prop_oneof![Just(u32::MAX), any::<u32>()],
        line in prop::sample::select(vec![32, 64, 128, 1024]),
    ) {
        let addresses = each.map_or(Addresses::Strided { base, stride }, Addresses::Each);
        let memory = Memory { op: Read, bytes, lanes, addresses };
        let mut parts = Parts::NONE;
        // What was there before is gone.
        for _ in 0..2 {
            parts.coalesce(&memory, line);
        }
        let found: Vec<_> = parts.as_slice().iter().map(|p| (p.line, p.sectors)).collect();
        prop_assert_eq!(found, plain(&memory, line));
    }
}
