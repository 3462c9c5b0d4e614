//! Rationale: a chain that skips lines or goes elsewhere would miss less or in other sets than it
//! should. Steps by hand; every line once per lap for any number of lines and chains, in both
//! orders; AGG2's lines in its sets alone, with and without xor; what is refused.
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::enumerate;
use super::*;
use crate::llc::cache::Geometry;

const BASE: u64 = 0x4000;

fn params(lines: Lines, chains: u64) -> Params {
    Params {
        lines,
        order: Order::Sequential,
        seed: 1,
        chains,
        lanes: 1,
        compute: 0,
        base: BASE,
    }
}

/// First addresses of the loads of all chains, chain after chain.
fn loads(chase: &Chase) -> Vec<u64> {
    let loads = enumerate::memory(chase);
    loads
        .iter()
        .map(|(_, _, load)| load.addresses.lane(0))
        .collect()
}

#[test]
fn agg1_by_hand() {
    // 5 lines in 2 chains.
    let chase = Params {
        lanes: 8,
        compute: 2,
        ..params(Lines::all(5 * 128 + 127, 128), 2)
    };
    let chase = Chase::new(chase).unwrap();
    assert_eq!((chase.grid().blocks, chase.grid().threads), (1, 64));
    assert_eq!(chase.extent(), BASE..BASE + 5 * 128);
    let load = |line: u64| {
        Instruction::Memory(Memory {
            op: Op::Read,
            bytes: 4,
            lanes: 0xff,
            addresses: Addresses::Strided {
                base: BASE + line * 128,
                stride: 4,
            },
        })
    };
    let compute = Instruction::Compute {
        count: 2,
        latency: 4,
    };
    let trip = |line| [load(line), Instruction::Wait, compute];
    assert_eq!(enumerate::warp(&chase, 0, 0), [trip(0), trip(1)].concat());
    let second = [trip(2), trip(3), trip(4)].concat();
    assert_eq!(enumerate::warp(&chase, 0, 1), second);
}

#[test]
fn agg2_by_hand() {
    // 2 of 8 sets, 3 lines each; a cache's sets span 1 KB.
    let lines = Lines::few_sets(6 * 128, 128, 2, 8, false);
    let chase = Chase::new(params(lines, 1)).unwrap();
    let lines: Vec<u64> = loads(&chase).iter().map(|a| a - BASE).collect();
    assert_eq!(lines, [0, 0x80, 0x400, 0x480, 0x800, 0x880]);
    // With an xored index, 8 times as far apart.
    let lines = Lines::few_sets(6 * 128, 128, 2, 8, true);
    let chase = Chase::new(params(lines, 1)).unwrap();
    let lines: Vec<u64> = loads(&chase).iter().map(|a| a - BASE).collect();
    assert_eq!(lines, [0, 0x80, 0x2000, 0x2080, 0x4000, 0x4080]);
}

#[test]
fn more_chains_than_a_block_has_warps() {
    let chase = Chase::new(params(Lines::all(100 * 128, 128), 40)).unwrap();
    assert_eq!((chase.grid().blocks, chase.grid().threads), (2, 1024));
    // The second block has 8 chains.
    assert_eq!(enumerate::warp(&chase, 1, 7).len(), 2 * 3);
    assert_eq!(enumerate::warp(&chase, 1, 8), []);
    assert_eq!(loads(&chase).len(), 100);
}

#[test]
fn a_lap_is_the_same_as_the_last() {
    let chase = Params {
        order: Order::Random,
        ..params(Lines::all(1 << 16, 128), 3)
    };
    let chase = Chase::new(chase).unwrap();
    let at = |lap| {
        chase.instruction(&Place {
            block: 0,
            warp: 2,
            step: 10,
            lap,
        })
    };
    assert_eq!(at(0), at(5));
}

#[test]
fn what_is_refused() {
    let refused = |change: fn(&mut Params)| {
        let mut params = params(Lines::all(1024, 128), 2);
        change(&mut params);
        Chase::new(params).unwrap_err().to_string()
    };
    let none = refused(|p| p.lines = Lines::all(127, 128));
    assert!(
        none.starts_with("lines of a group is 0, expected 1"),
        "{none}"
    );
    let none = refused(|p| p.lines = Lines::few_sets(255, 128, 2, 8, false));
    assert!(
        none.starts_with("groups of lines is 0, expected 1"),
        "{none}"
    );
    let overlap = refused(|p| p.lines = Lines::few_sets(4096, 128, 9, 8, false));
    assert!(
        overlap.starts_with("stride is 1024, expected 1152"),
        "{overlap}"
    );
    assert_eq!(refused(|p| p.chains = 9), "chains is 9, expected 1 to 8");
    assert_eq!(refused(|p| p.chains = 0), "chains is 0, expected 1 to 8");
    assert_eq!(refused(|p| p.lanes = 33), "lanes is 33, expected 1 to 32");
    assert_eq!(refused(|p| p.lanes = 0), "lanes is 0, expected 1 to 32");
    assert!(refused(|p| p.base = 1).starts_with("base is 1, expected a multiple"));
}

proptest! {
    #[test]
    fn every_line_once_a_lap(
        (groups, group, chains) in (1u64..40, 1u64..40)
            .prop_flat_map(|(a, b)| (Just(a), Just(b), 1..=(a * b).min(80))),
        order in prop::sample::select(vec![Order::Sequential, Order::Random]),
        seed: u64,
    ) {
        let lines = Lines { groups, group, stride: 64 * 128, line: 128 };
        let chase = Chase::new(Params { order, seed, ..params(lines, chains) }).unwrap();
        let mut found = loads(&chase);
        let sorted = found.is_sorted();
        found.sort_unstable();
        let expected: Vec<u64> = (0..groups)
            .flat_map(|g| (0..group).map(move |l| BASE + g * 64 * 128 + l * 128))
            .collect();
        prop_assert_eq!(found, expected);
        prop_assert!(order == Order::Random || sorted);
    }

    #[test]
    fn few_sets_alone(
        sets in 1u64..32,
        lines_per_set in 1u64..50,
        first in 0u64..64,
        order in prop::sample::select(vec![Order::Sequential, Order::Random]),
        xor: bool,
    ) {
        let geometry = Geometry { sets: 64, ways: 16, line: 128, kernels: 1, banks: 4 };
        let lines = Lines::few_sets(lines_per_set * sets * 128, 128, sets, 64, xor);
        let base = first / 2 * 256;
        let chase = Chase::new(Params { order, base, ..params(lines, 1) }).unwrap();
        // What an index of the lowest bits sees, and one xored with the next ones.
        for xored in [false, xor] {
            let mut by_set = BTreeMap::new();
            for address in loads(&chase) {
                let above = if xored { geometry.tag_of(address) % 64 } else { 0 };
                *by_set.entry(geometry.set_of(address) as u64 ^ above).or_insert(0) += 1;
            }
            prop_assert!(by_set.len() as u64 == sets, "{:?}", by_set);
            prop_assert!(by_set.values().all(|count| *count == lines_per_set));
        }
    }
}
