//! The fast cache equals the reference one, access by access.
//!
//! Rationale: `Fast` picks an engine by ways and kernels; the geometries sit on both sides of
//! each border (16 and 17 ways; 4 and 5, 8 and 9, 16 and 17 kernels) and at the ends. Few tags
//! make hits in all positions, many make evictions. Runs longer than the packed counters' spill
//! period show that nothing is lost when they spill.

use cotenant_golden::llc::cache::{Cache, Fast, Geometry, Reference, ReplayError};
use cotenant_golden::llc::{demotion, gdcu, lru_stack};
use cotenant_golden::workload::{Access, Op};
use cotenant_golden::Model;
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let ways = prop::sample::select(vec![1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 24, 48, 64]);
    let kernels = prop::sample::select(vec![1, 2, 3, 4, 5, 8, 9, 16, 17, 64]);
    let line = prop::sample::select(vec![1, 16, 32, 64, 128, 256, 1024]);
    (0u32..4, 0u32..4, ways, kernels, line).prop_map(|(sets, banks, ways, kernels, line)| {
        Geometry {
            sets: 1 << sets,
            ways,
            line,
            kernels,
            banks: 1 << banks.min(sets),
        }
    })
}

fn access(geometry: Geometry, lines: u64) -> impl Strategy<Value = Access> {
    let kernel = 0..geometry.kernels as u8;
    // Now and then an address at the very top: tags are as wide as addresses.
    let line = prop_oneof![20 => 0..lines, 1 => Just(u64::MAX / geometry.line)];
    (kernel, line, 0..geometry.line, any::<u32>(), any::<bool>()).prop_map(
        move |(kernel, line, byte, sectors, write)| Access {
            sectors,
            ..Access::at(
                kernel,
                if write { Op::Write } else { Op::Read },
                line * geometry.line + byte,
                geometry.line,
            )
        },
    )
}

fn run(length: usize) -> impl Strategy<Value = (Geometry, Vec<Access>)> {
    (geometry(), 1u64..4).prop_flat_map(move |(geometry, pressure)| {
        let lines = (geometry.sets * geometry.ways) as u64 * pressure / 2 + 1;
        (
            Just(geometry),
            prop::collection::vec(access(geometry, lines), 1..length),
        )
    })
}

proptest! {
    #[test]
    fn fast_is_reference((geometry, accesses) in run(600)) {
        let mut fast = Fast::new(geometry).unwrap();
        let mut reference = Reference::new(geometry).unwrap();
        for access in &accesses {
            let probe = fast.probe(access.address);
            let seen = fast.observe(access);
            prop_assert_eq!(&seen, &reference.observe(access));
            let (_, outcome) = seen.unwrap();
            prop_assert_eq!(
                (probe.set, probe.way, probe.hit),
                (outcome.set as usize, usize::from(outcome.way), outcome.hit)
            );
        }
        prop_assert_eq!(fast.counts(), reference.counts());
        let mut replayed = Fast::new(geometry).unwrap();
        replayed.replay(accesses.iter().copied().map(Ok::<_, ()>)).unwrap();
        prop_assert_eq!(replayed.counts(), reference.counts());
        fast.reset();
        reference.reset();
        prop_assert_eq!(fast.counts(), reference.counts());
        prop_assert_eq!(fast.stack(0), reference.stack(0));
    }

    #[test]
    fn counts_add_up((geometry, accesses) in run(300)) {
        let mut cache = Reference::new(geometry).unwrap();
        let mut demotions = 0;
        for access in &accesses {
            let (before, outcome) = cache.observe(access).unwrap();
            let mut unit = demotion::Demotion::new(demotion::Params { ways: geometry.ways }).unwrap();
            let input = demotion::In {
                access_valid: true,
                access_pos: outcome.hit_pos,
                stack_valid: before.valid,
            };
            demotions += u64::from(unit.step(&input).demoted.count_ones());
        }
        let counts = cache.counts();
        prop_assert_eq!(counts.accesses, accesses.len() as u64);
        prop_assert_eq!(counts.hits + counts.misses, counts.accesses);
        prop_assert_eq!(counts.gdc.iter().flatten().sum::<u64>(), demotions);
        prop_assert_eq!(counts.ike.iter().flatten().sum::<u64>(), counts.evictions);
        // What came in and did not go out is still there.
        prop_assert_eq!(counts.occupancy.iter().sum::<u64>(), counts.misses - counts.evictions);
        prop_assert!(counts.sector_misses <= counts.hits);
    }

    /// The cache's sets are `lru_stack`s and its demotions a `gdcu`'s: what a monitor beside the
    /// cache is driven with, and must count.
    #[test]
    fn the_units_beside_the_cache_agree_with_it((geometry, accesses) in run(200)) {
        let Geometry { sets, ways, kernels, .. } = geometry;
        let mut cache = Fast::new(geometry).unwrap();
        let stack = lru_stack::LruStack::new(lru_stack::Params { ways, kernels }).unwrap();
        let mut stacks = vec![stack; sets];
        let params = gdcu::Params { ways, kernels, cnt_w: 32, stages: 0 };
        let mut gdcu = gdcu::Gdcu::new(params).unwrap();
        for access in &accesses {
            let (before, outcome) = cache.observe(access).unwrap();
            let stack = &mut stacks[outcome.set as usize];
            let input = lru_stack::In {
                access_valid: true,
                access_hit: outcome.hit,
                access_way: outcome.way,
                access_kid: access.kernel,
                ..lru_stack::In::default()
            };
            prop_assert!(stack.assume(&input).is_ok());
            let out = stack.step(&input);
            prop_assert_eq!(out.hit_pos, outcome.hit_pos);
            prop_assert_eq!((out.stack_way, out.stack_owner, out.stack_valid), (before.way, before.owner, before.valid));
            prop_assert_eq!((out.victim_owner, out.victim_valid), (outcome.victim_owner, outcome.victim_valid));
            if !outcome.hit {
                prop_assert_eq!(out.victim_way, outcome.way);
            }
            let input = gdcu::In {
                access_valid: true,
                access_pos: outcome.hit_pos,
                access_kid: access.kernel,
                stack_owner: before.owner.to_vec(),
                stack_valid: before.valid,
                ..gdcu::In::default()
            };
            prop_assert!(gdcu.assume(&input).is_ok());
            gdcu.step(&input);
        }
        prop_assert_eq!(&gdcu.state().count, &cache.counts().gdc);
    }
}

#[test]
fn nothing_is_lost_when_packed_counters_spill() {
    // All demotions fall on one victim: 16 per access, the fastest way to fill a lane.
    for kernels in [2, 6, 13] {
        let geometry = Geometry {
            sets: 1,
            ways: 16,
            line: 128,
            kernels,
            banks: 1,
        };
        let mut fast = Fast::new(geometry).unwrap();
        let mut reference = Reference::new(geometry).unwrap();
        for n in 0..20_000 {
            let access = Access::at((kernels - 1) as u8, Op::Read, n * 128, 128);
            assert_eq!(fast.access(&access), reference.access(&access));
        }
        assert_eq!(fast.counts(), reference.counts());
    }
}

#[test]
fn a_replay_stops_at_the_first_error() {
    let geometry = Geometry {
        sets: 1,
        ways: 2,
        line: 128,
        kernels: 2,
        banks: 1,
    };
    let good = Access::at(1, Op::Read, 0, 128);
    let mut cache = Fast::new(geometry).unwrap();
    let stopped = cache.replay([Ok(good), Err("unreadable"), Ok(good)]);
    assert_eq!(stopped, Err(ReplayError::Source("unreadable")));
    let unknown = Access { kernel: 2, ..good };
    let stopped = cache.replay([Ok::<_, ()>(good), Ok(unknown)]);
    assert!(matches!(stopped, Err(ReplayError::Access(_))));
    assert_eq!(cache.counts().accesses, 2);
}

#[test]
fn illegal_geometries_are_refused_by_both() {
    let illegal = Geometry {
        sets: 3,
        ways: 16,
        line: 128,
        kernels: 4,
        banks: 1,
    };
    assert_eq!(
        Fast::new(illegal).unwrap_err(),
        Reference::new(illegal).unwrap_err()
    );
}
