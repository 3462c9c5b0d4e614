//! Rationale: the lookahead against its definition, worked out another way (all numbers of ways of
//! all applications over one common denominator), and against examples by hand: utility beyond a
//! plateau, ties, no utility, UCP-Mask, XSRATIO. Then its schedule: the bound, a start that drops
//! another, a reset; and beside monitors.
use super::*;
use crate::mgmt::umon::{self, Umon};
use proptest::prelude::*;

fn params(ways: usize, applications: usize) -> Params {
    Params {
        ways,
        applications,
        cnt_w: 21,
        xs_w: 10,
    }
}

/// A start with these masks and ratios.
fn start(params: &Params, ucp_mask: u64, ratio: &[u64]) -> In {
    let applications = params.applications;
    In {
        start: true,
        ucp_mask,
        xsratio: ByApplication::copied(&ratio[..applications]),
        read_count: ByApplication::from_fn(applications, |_| 0),
        ..In::default()
    }
}

/// Quotas, and cycles from the start to them, with counters that are read like a monitor's.
fn decide(params: &Params, counters: &[Vec<u64>], mask: u64, ratio: &[u64]) -> (Vec<u64>, usize) {
    let mut ucp = Ucp::new(params.clone()).unwrap();
    let start = start(params, mask, ratio);
    ucp.assume(&start).unwrap();
    ucp.step(&start);
    let mut asked = 0;
    for cycle in 1..=params.bound() {
        let out = ucp.step(&In {
            start: false,
            read_count: ByApplication::from_fn(params.applications, |i| {
                *counters[i].get(asked).unwrap_or(&0)
            }),
            ..start
        });
        assert_eq!(out.busy, !out.done, "busy until done");
        asked = usize::from(out.read_position);
        if out.done {
            return (out.quota.to_vec(), cycle);
        }
    }
    panic!("no decision within {} cycles", params.bound());
}

/// The same by definition: the hits of each number of ways over a common denominator of all.
fn defined(params: &Params, counters: &[Vec<u64>], mask: u64, ratio: &[u64]) -> Vec<u64> {
    let applications = params.applications;
    // Divisible by all numbers up to 32.
    let all_ways: u128 = 144_403_552_893_600;
    let mut allocations = vec![1usize; applications];
    while allocations.iter().sum::<usize>() < params.ways {
        let balance = params.ways - allocations.iter().sum::<usize>();
        let utilities = (0..applications)
            .filter(|i| mask >> i & 1 == 0)
            .flat_map(|i| {
                let has = allocations[i];
                (1..=balance).map(move |more| (i, has, more))
            });
        let per_way = |&(i, has, more): &(usize, usize, usize)| {
            let gained: u64 = counters[i][has..has + more].iter().sum();
            let others = (0..applications).filter(|&j| j != i);
            let ratios: u128 = others.map(|j| u128::from(ratio[j])).product();
            u128::from(gained) * (all_ways / more as u128) * ratios
        };
        // The first of the highest.
        let best = utilities.rev().max_by_key(per_way).unwrap();
        allocations[best.0] += best.2;
    }
    allocations.into_iter().map(|ways| ways as u64).collect()
}

/// Counters of one application: as drawn, all alike, or a plateau with hits behind it.
fn counters(ways: usize) -> impl Strategy<Value = Vec<u64>> {
    let limit = (1u64 << 21) - 1;
    prop_oneof![
        prop::collection::vec(0..=limit, ways),
        prop::collection::vec(0u64..4, ways),
        (0..=limit).prop_map(move |hits| vec![hits; ways]),
        (0..ways, 0..=limit).prop_map(move |(knee, hits)| {
            (0..ways)
                .map(|p| if p == knee { hits } else { 0 })
                .collect()
        }),
        (0..=limit).prop_map(move |hits| (0..ways).map(|p| hits >> p).collect()),
    ]
}

proptest! {
    #[test]
    fn lookahead_is_what_it_is_defined_to_be(
        (params, counters, mask, ratio) in (2usize..=5, prop::sample::select(vec![16usize, 32]))
            .prop_flat_map(|(applications, ways)| (
                Just(params(ways, applications)),
                prop::collection::vec(counters(ways), applications),
                0..(1u64 << applications) - 1,
                prop::collection::vec(prop_oneof![Just(1), Just(1), 1u64..1024], applications),
            ))
    ) {
        let (quotas, cycles) = decide(&params, &counters, mask, &ratio);
        prop_assert_eq!(quotas.iter().sum::<u64>(), params.ways as u64);
        prop_assert!(cycles <= params.bound());
        prop_assert_eq!(quotas, defined(&params, &counters, mask, &ratio));
    }
}

/// Two applications of four ways with these counters.
fn two(first: [u64; 4], second: [u64; 4], mask: u64, ratio: [u64; 2]) -> Vec<u64> {
    let counters = [first.to_vec(), second.to_vec()];
    decide(&params(4, 2), &counters, mask, &ratio).0
}

#[test]
fn the_steeper_one_gets_the_ways() {
    assert_eq!(two([9, 5, 4, 0], [9, 3, 2, 1], 0, [1, 1]), [3, 1]);
    assert_eq!(two([9, 5, 1, 0], [9, 3, 2, 1], 0, [1, 1]), [2, 2]);
}

#[test]
fn hits_behind_a_plateau_are_seen() {
    // 8 hits for two ways are 4 per way, more than the 3 for one.
    assert_eq!(two([9, 3, 0, 0], [9, 0, 8, 0], 0, [1, 1]), [1, 3]);
    // Not if the ways go one by one: after 5 for one way only one is left, which gains nobody any.
    assert_eq!(two([9, 5, 0, 0], [9, 0, 8, 0], 0, [1, 1]), [3, 1]);
}

#[test]
fn of_equal_utilities_the_lower_id_wins() {
    assert_eq!(two([0, 4, 0, 0], [0, 4, 4, 0], 0, [1, 1]), [2, 2]);
    // 2 per way for both, by one way or two: one way to the lower id, then 2 against 0.
    assert_eq!(two([0, 2, 2, 0], [0, 0, 4, 0], 0, [1, 1]), [3, 1]);
    assert_eq!(two([0, 4, 4, 0], [0, 4, 4, 0], 0, [1, 1]), [3, 1]);
}

#[test]
fn without_utility_ways_are_given_one_by_one() {
    assert_eq!(two([9, 0, 0, 9], [9, 0, 0, 9], 0, [1, 1]), [3, 1]);
    assert_eq!(two([9, 0, 0, 9], [9, 0, 0, 9], 1, [1, 1]), [1, 3]);
}

#[test]
fn a_masked_application_gets_one_way() {
    assert_eq!(two([9, 9, 9, 9], [0, 0, 1, 0], 0b01, [1, 1]), [1, 3]);
    assert_eq!(two([0, 0, 0, 0], [9, 9, 9, 9], 0b10, [1, 1]), [3, 1]);
}

#[test]
fn counters_are_divided_by_the_ratio() {
    let of = |ratio| two([0, 10, 10, 0], [0, 99, 99, 0], 0, [1, ratio]);
    assert_eq!(of(9), [1, 3], "11 each");
    assert_eq!(of(10), [3, 1], "9.9, not truncated to 9, is still below 10");
    assert_eq!(two([0, 9, 9, 0], [0, 99, 99, 0], 0, [1, 10]), [1, 3], "9.9");
}

#[test]
fn the_bound_is_reached_by_single_ways() {
    for (ways, applications, bound) in [(16, 2, 254), (32, 2, 1022), (32, 5, 1973), (4, 4, 2)] {
        let params = params(ways, applications);
        let nothing = vec![vec![0; ways]; applications];
        let (_, cycles) = decide(&params, &nothing, 0, &vec![1; applications]);
        assert_eq!((params.bound(), cycles), (bound, bound));
    }
}

#[test]
fn a_start_drops_what_is_under_way_in_its_last_cycle_too() {
    let params = params(4, 3);
    let ratio = [1; 3];
    let idle = In {
        start: false,
        ..start(&params, 0, &ratio)
    };
    // One round of 3 + 3 cycles, and one to take the quotas over.
    for wait in 0..7 {
        let mut ucp = Ucp::new(params.clone()).unwrap();
        ucp.step(&start(&params, 0, &ratio));
        for _ in 0..wait {
            assert!(ucp.step(&idle).busy);
        }
        ucp.step(&start(&params, 0b001, &ratio));
        for _ in 0..7 {
            let out = ucp.step(&idle);
            assert!(out.busy && !out.done);
            assert_eq!(out.quota, [2, 1, 1], "as after reset");
        }
        let out = ucp.step(&idle);
        assert!(out.done && !out.busy);
        assert_eq!(out.quota, [1, 2, 1]);
        assert!(!ucp.step(&idle).done);
    }
}

#[test]
fn quotas_after_a_reset_are_equal() {
    for (ways, quotas) in [(3, [1, 1, 1]), (4, [2, 1, 1]), (32, [11, 11, 10])] {
        let mut ucp = Ucp::new(params(ways, 3)).unwrap();
        ucp.step(&start(&params(ways, 3), 0b11, &[1; 3]));
        ucp.reset();
        let idle = In {
            start: false,
            ..start(&params(ways, 3), 0, &[1; 3])
        };
        let out = ucp.step(&idle);
        assert_eq!((&out.quota[..], out.busy), (&quotas[..], false));
    }
}

#[test]
fn it_reads_monitors() {
    // The first application uses three lines by turns, the second one; both are sampled.
    let shape = umon::Params {
        ways: 4,
        sets: 2,
        sampled: 2,
        tag_w: 8,
        cnt_w: 21,
    };
    let mut monitors = [0; 2].map(|_| Umon::new(shape.clone()).unwrap());
    let mut ucp = Ucp::new(params(4, 2)).unwrap();
    let none = umon::In::default();
    for now in 0..40u64 {
        for (monitor, lines) in monitors.iter_mut().zip([3, 1]) {
            monitor.step(&umon::In {
                access_valid: true,
                access_tag: now % lines,
                ..none.clone()
            });
        }
    }
    let mut input = start(&params(4, 2), 0, &[1; 2]);
    let mut answers = [0, 0];
    for cycle in 0..100 {
        input.start = cycle == 0;
        input.read_count = ByApplication::copied(&answers);
        let out = ucp.step(&input);
        if out.done {
            assert_eq!(out.quota, [3, 1]);
            return;
        }
        for (monitor, answer) in monitors.iter_mut().zip(&mut answers) {
            monitor.step(&umon::In {
                snapshot: cycle == 0,
                read_position: out.read_position,
                ..none.clone()
            });
            // What it shows in the next cycle.
            *answer = monitor.clone().step(&none).read_count;
        }
    }
    panic!("no decision");
}

#[test]
fn illegal_parameters_and_starts_are_named() {
    for (ways, applications) in [(1, 2), (33, 2), (4, 1), (4, 5), (32, 17)] {
        assert!(Ucp::new(params(ways, applications)).is_err());
    }
    let params = params(4, 2);
    let ucp = Ucp::new(params.clone()).unwrap();
    assert!(ucp.assume(&start(&params, 0b11, &[1, 1])).is_err());
    assert!(ucp.assume(&start(&params, 0, &[1, 0])).is_err());
}
