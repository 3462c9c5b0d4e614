//! Rationale: a request takes other branches for a hit at the top, in the
//! middle and at the bottom, for a miss into an invalid and a valid way, and
//! for the priority of requests. Ways that are no power of two leave codes
//! that name no way. Random sequences cover the states in between.

use crate::bench::{Bench, Seen};
use cotenant_units::llc::LruStack;
use proptest::prelude::*;

fn hit(way: u128, kid: u128) -> Vec<(&'static str, u128)> {
    vec![
        ("access_valid", 1),
        ("access_hit", 1),
        ("access_way", way),
        ("access_kid", kid),
    ]
}

fn miss(kid: u128) -> Vec<(&'static str, u128)> {
    vec![("access_valid", 1), ("access_kid", kid)]
}

/// Ways, owners and valid bits by position, for 4 ways and 4 kernels.
fn stack(seen: &Seen) -> (Vec<u64>, Vec<u64>, u64) {
    (
        seen.unpack("stack_way", 4, 2),
        seen.unpack("stack_owner", 4, 2),
        seen.get("stack_valid"),
    )
}

/// The section III example: MRU is way 2, then 0, 3 and 1.
fn papers_example() -> Bench {
    let mut bench = Bench::new::<LruStack!(4, 4)>();
    for kid in [3, 2, 1, 0] {
        bench.cycle(&miss(kid)); // fills ways 3, 2, 1, 0
    }
    for way in [1, 3, 0, 2] {
        bench.cycle(&hit(way, way));
    }
    bench
}

#[test]
fn the_papers_example() {
    let mut bench = papers_example();
    assert_eq!(
        stack(&bench.cycle(&[])),
        (vec![2, 0, 3, 1], vec![2, 0, 3, 1], 0b1111)
    );
}

#[test]
fn after_reset_ways_are_in_order_and_invalid() {
    for bench in [&mut Bench::new::<LruStack!(4, 4)>(), &mut papers_example()] {
        bench.cycle(&[("reset", 1), ("access_valid", 1), ("access_kid", 3)]);
        let seen = bench.cycle(&[]);
        assert_eq!(stack(&seen), (vec![0, 1, 2, 3], vec![0; 4], 0));
        assert_eq!((seen.get("victim_way"), seen.get("victim_valid")), (3, 0));
    }
}

#[test]
fn a_hit_moves_to_mru_and_changes_the_owner() {
    for (pos, after) in [
        (0, [2, 0, 3, 1]),
        (1, [0, 2, 3, 1]),
        (2, [3, 2, 0, 1]),
        (3, [1, 2, 0, 3]),
    ] {
        let mut bench = papers_example();
        let seen = bench.cycle(&hit(u128::from(after[0]), 1));
        assert_eq!(seen.get("hit_pos"), pos, "in the same cycle");
        let (ways, owners, valid) = stack(&bench.cycle(&[]));
        assert_eq!((&ways[..], valid), (&after[..], 0b1111));
        assert_eq!(owners[0], 1);
        assert_eq!(owners[1..], after[1..], "the others keep theirs");
    }
}

#[test]
fn a_miss_replaces_the_victim() {
    let mut bench = papers_example();
    let seen = bench.cycle(&miss(0));
    assert_eq!(seen.get("hit_pos"), 4, "the code for a miss");
    let victim = ["victim_way", "victim_owner", "victim_valid"].map(|port| seen.get(port));
    assert_eq!(victim, [1, 1, 1]);
    assert_eq!(
        stack(&bench.cycle(&[])),
        (vec![1, 2, 0, 3], vec![0, 2, 0, 3], 0b1111)
    );
}

#[test]
fn hit_pos_is_a_look_up_without_an_access() {
    let mut bench = papers_example();
    let seen = bench.cycle(&[
        ("access_hit", 1),
        ("access_way", 3),
        ("invalidate_valid", 1),
    ]);
    assert_eq!(seen.get("hit_pos"), 2);
}

#[test]
fn an_invalidated_way_becomes_the_victim_and_keeps_its_owner() {
    let mut bench = papers_example();
    bench.cycle(&[("invalidate_valid", 1), ("invalidate_way", 0)]);
    let seen = bench.cycle(&[("invalidate_valid", 1), ("invalidate_way", 2)]);
    assert_eq!(stack(&seen), (vec![2, 3, 1, 0], vec![2, 3, 1, 0], 0b0111));
    let seen = bench.cycle(&[("invalidate_valid", 1), ("invalidate_way", 0)]);
    assert_eq!(stack(&seen), (vec![3, 1, 0, 2], vec![3, 1, 0, 2], 0b0011));
    // Way 0 is already invalid and is treated alike.
    assert_eq!(
        stack(&bench.cycle(&miss(1))),
        (vec![3, 1, 2, 0], vec![3, 1, 2, 0], 0b0011)
    );
    assert_eq!(
        stack(&bench.cycle(&[])),
        (vec![0, 3, 1, 2], vec![1, 3, 1, 2], 0b0111)
    );
}

#[test]
fn flush_goes_before_invalidate_before_access() {
    let mut bench = papers_example();
    let mut both = miss(1);
    both.extend([("invalidate_valid", 1), ("invalidate_way", 0)]);
    bench.cycle(&both);
    both.push(("flush", 1));
    assert_eq!(
        stack(&bench.cycle(&both)),
        (vec![2, 3, 1, 0], vec![2, 3, 1, 0], 0b0111)
    );
    assert_eq!(stack(&bench.cycle(&[])), (vec![0, 1, 2, 3], vec![0; 4], 0));
}

/// What the stack does, as a list of (way, owner, valid).
fn expected(stack: &mut Vec<(u64, u64, bool)>, request: u8, way: u64, kid: u64) {
    let at = |stack: &Vec<(u64, u64, bool)>| stack.iter().position(|e| e.0 == way).unwrap();
    match request {
        0 => stack
            .iter_mut()
            .enumerate()
            .for_each(|(i, e)| *e = (i as u64, 0, false)),
        1 => {
            let gone = stack.remove(at(stack));
            stack.push((gone.0, gone.1, false));
        }
        _ => {
            let index = at(stack);
            let index = if stack[index].2 && request % 2 == 0 {
                index
            } else {
                stack.len() - 1
            };
            let way = stack.remove(index).0;
            stack.insert(0, (way, kid, true));
        }
    }
}

macro_rules! random_requests {
    ($($name:ident: $ways:literal, $kernels:literal, $way_w:literal, $kid_w:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(24))]
            $(#[test]
            fn $name(
                requests in prop::collection::vec((0u8..20, 0u64..$ways, 0u64..$kernels), 1..80)
            ) {
                let mut bench = Bench::new::<LruStack!($ways, $kernels)>();
                let mut list: Vec<_> = (0..$ways as u64).map(|way| (way, 0, false)).collect();
                for (request, way, kid) in requests {
                    let is_hit = request > 1 && request % 2 == 0
                        && list.iter().any(|e| e.0 == way && e.2);
                    let seen = bench.cycle(&[
                        ("flush", u128::from(request == 0)),
                        ("invalidate_valid", u128::from(request == 1)),
                        ("invalidate_way", way.into()),
                        ("access_valid", u128::from(request > 1)),
                        ("access_hit", u128::from(is_hit)),
                        ("access_way", way.into()),
                        ("access_kid", kid.into()),
                    ]);
                    let found = list.iter().position(|e| e.0 == way).unwrap();
                    let pos = if is_hit { found } else { $ways };
                    prop_assert_eq!(seen.get("hit_pos"), pos as u64);
                    let ways: Vec<u64> = list.iter().map(|e| e.0).collect();
                    let owners: Vec<u64> = list.iter().map(|e| e.1).collect();
                    let valid: u64 = list.iter().rev().fold(0, |m, e| m << 1 | u64::from(e.2));
                    prop_assert_eq!(seen.unpack("stack_way", $ways, $way_w), ways);
                    prop_assert_eq!(seen.unpack("stack_owner", $ways, $kid_w), owners);
                    prop_assert_eq!(seen.get("stack_valid"), valid);
                    let last = list[$ways - 1];
                    prop_assert_eq!(seen.get("victim_way"), last.0);
                    prop_assert_eq!(seen.get("victim_owner"), last.1);
                    prop_assert_eq!(seen.get("victim_valid"), u64::from(last.2));
                    expected(&mut list, request, way, kid);
                }
            })*
        }
    };
}

random_requests! {
    random_requests_to_2_ways: 2, 2, 1, 1;
    random_requests_to_3_ways: 3, 3, 2, 2;
    random_requests_to_4_ways: 4, 4, 2, 2;
    random_requests_to_12_ways: 12, 5, 4, 3;
}

#[test]
fn the_largest_ways_and_kernels_fit_the_outputs() {
    let mut bench = Bench::new::<LruStack!(64, 64)>();
    for kid in 0..64 {
        bench.cycle(&miss(kid));
    }
    let seen = bench.cycle(&[]);
    assert_eq!(
        seen.unpack("stack_way", 64, 6),
        (0..64).collect::<Vec<u64>>()
    );
    assert_eq!(
        seen.unpack("stack_owner", 64, 6),
        (0..64).rev().collect::<Vec<u64>>()
    );
}
