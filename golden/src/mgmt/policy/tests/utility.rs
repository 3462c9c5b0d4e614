//! Rationale: a monitor's counters have a definition without it: the stack distances of the same
//! accesses in a cache of the same dimensions under LRU. Beside that they are the unit's. The
//! lookahead is compared with the unit's decision; its quotas with what all quotas must be. Then
//! what partitions are for: a loop beside a stream keeps its lines.

use super::super::monitor::Monitor;
use super::super::utility::lookahead;
use super::*;
use crate::llc::cache::{Cache, Reference};
use crate::mgmt::ucp::{self, Ucp};
use crate::mgmt::umon::{self, Umon};
use crate::mgmt::ByApplication;
use crate::model::Model;
use crate::workload::{Access, Op};

proptest! {
    #[test]
    fn counters_are_stack_distances(
        (geometry, stream) in geometries().prop_flat_map(|found| {
            let alone = Geometry { kernels: 1, ..found };
            (Just(alone), streams(alone, 400))
        }),
    ) {
        let mut monitor = Monitor::new(&geometry, geometry.sets).unwrap();
        let mut lru = Reference::new(geometry).unwrap();
        let mut distances = vec![0; geometry.ways + 1];
        for &(_, address) in &stream {
            monitor.access(geometry.set_of(address), geometry.tag_of(address));
            let outcome = lru.access(&Access::at(0, Op::Read, address, LINE)).unwrap();
            distances[usize::from(outcome.hit_pos)] += 1;
        }
        prop_assert_eq!(monitor.hits(), &distances[..geometry.ways]);
        prop_assert_eq!(monitor.misses(), distances[geometry.ways]);
    }

    #[test]
    fn a_monitor_is_the_unit(
        sampled in prop::sample::select(vec![2usize, 4, 8]),
        stream in prop::collection::vec((0usize..8, 0u64..9), 0..300),
    ) {
        let geometry = geometry(8, 4, 1);
        let mut monitor = Monitor::new(&geometry, sampled).unwrap();
        let params = umon::Params { ways: 4, sets: 8, sampled, tag_w: 8, cnt_w: 16 };
        let mut unit = Umon::new(params).unwrap();
        (0..sampled).for_each(|_| _ = unit.step(&umon::In::default()));
        for (set, tag) in stream {
            monitor.access(set, tag);
            unit.step(&umon::In {
                access_valid: true,
                access_set: set as u32,
                access_tag: tag,
                ..umon::In::default()
            });
        }
        unit.step(&umon::In::default());
        let count = &unit.state().count;
        prop_assert_eq!(monitor.hits(), &count[..4]);
        prop_assert_eq!(monitor.misses(), count[4]);
    }

    #[test]
    fn the_lookahead_is_the_unit(
        (ways, hits, mask, ratio) in (prop::sample::select(vec![4usize, 16, 32]), 2usize..=4)
            .prop_flat_map(|(ways, applications)| (
                Just(ways),
                prop::collection::vec(
                    prop::collection::vec(prop_oneof![0u64..4, 0u64..100_000], ways),
                    applications,
                ),
                0..(1u64 << applications) - 1,
                prop::collection::vec(prop_oneof![Just(1), 1u64..1024], applications),
            ))
    ) {
        let applications = hits.len();
        let params = ucp::Params { ways, applications, cnt_w: 21, xs_w: 10 };
        let mut unit = Ucp::new(params.clone()).unwrap();
        let mut input = ucp::In {
            start: true,
            ucp_mask: mask,
            xsratio: ByApplication::copied(&ratio),
            read_count: ByApplication::copied(&vec![0; applications]),
            ..ucp::In::default()
        };
        unit.step(&input);
        input.start = false;
        let decided = (0..params.bound()).find_map(|_| {
            let out = unit.step(&input);
            let position = usize::from(out.read_position);
            input.read_count = ByApplication::from_fn(applications, |app| hits[app][position]);
            out.done.then_some(out.quota.to_vec())
        });
        let hits: Vec<&[u64]> = hits.iter().map(|it| &it[..]).collect();
        prop_assert_eq!(Some(lookahead(ways, &hits, mask, &ratio)), decided);
    }

    #[test]
    fn quotas_are_all_ways_and_at_least_one_each((geometry, stream) in workloads(600)) {
        prop_assume!(geometry.kernels <= geometry.ways);
        let gpu = geometry.kernels - 1;
        for kind in [Kind::Ucp, Kind::TapUcp, Kind::TapUcpS, Kind::Pipp] {
            let mut cache = cache(kind, geometry, &Config::new(gpu), &stream);
            run(&mut cache, &stream, 100).into_iter().for_each(drop);
            let quotas = cache.decision().quotas.unwrap();
            prop_assert_eq!(quotas.iter().sum::<u64>(), geometry.ways as u64, "{}", kind);
            prop_assert!(quotas.iter().all(|&ways| ways > 0), "{}: {:?}", kind, quotas);
        }
    }
}

#[test]
fn without_anybody_to_give_to_the_mask_does_not_hold() {
    let hits: [&[u64]; 2] = [&[9, 1, 0, 0], &[9, 5, 5, 0]];
    assert_eq!(lookahead(4, &hits, 0b11, &[1, 1]), [1, 3]);
    assert_eq!(lookahead(4, &hits[..1], 0b1, &[1]), [4]);
}

#[test]
fn a_partition_by_utility_keeps_a_loop_beside_a_stream() {
    // A loop of three lines per set, beside three times as many accesses of a stream.
    let stream: Vec<Touch> = (0..8000u64)
        .map(|n| match n % 4 {
            0 => (0, n / 4 % 12 * LINE),
            _ => (1, (1 << 32) + (n - n / 4) * LINE),
        })
        .collect();
    let of = |kind| {
        let mut cache = cache(kind, geometry(4, 4, 2), &Config::new(1), &stream);
        let periods = run(&mut cache, &stream, 1000);
        (periods, cache)
    };
    let (_, lru) = of(Kind::Lru);
    assert_eq!(
        lru.counts()[0].hits,
        0,
        "the stream is faster than the loop"
    );
    let (periods, ucp) = of(Kind::Ucp);
    assert_eq!(
        periods[0].decision.quotas,
        Some(vec![2, 2]),
        "before there is a decision"
    );
    assert_eq!(ucp.decision().quotas, Some(vec![3, 1]));
    // In the last seven periods each set has to come from two lines of the loop to three.
    let late = periods[1..]
        .iter()
        .map(|it| it.kernels[0].hits)
        .sum::<u64>();
    assert_eq!(late, 7 * 250 - 4);
}
