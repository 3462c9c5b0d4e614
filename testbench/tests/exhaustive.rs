//! Rationale: where a unit is small enough nothing is left to chance. The combinational units see
//! every input; the stack sees every legal input in every state that it can be in, found by
//! breadth-first search over the golden model, with the netlist's flops set by name.

use std::collections::{HashSet, VecDeque};

use cotenant::lockstep::Lockstep;
use cotenant::unit::llc;
use cotenant_golden::llc::{demotion, kid_demux, lru_stack, popcnt};
use cotenant_golden::Model;
use cotenant_units::table;

#[test]
fn popcnt_sees_every_vector_up_to_16_bits() {
    let mut vectors = 0u64;
    for set in table::sets("popcnt").unwrap() {
        let mut lockstep = Lockstep::<llc::Popcnt>::new(&set).unwrap();
        let width = lockstep.params().width;
        if width > 16 {
            continue;
        }
        for data in 0..1u64 << width {
            let found = lockstep.step(&popcnt::In { data }).unwrap();
            assert_eq!(found, None, "popcnt {}: {data:#b}", set.name);
            vectors += 1;
        }
    }
    println!("popcnt: {vectors} vectors");
    assert!(vectors > 1 << 16);
}

#[test]
fn kid_demux_sees_every_input() {
    let mut vectors = 0u64;
    for set in table::sets("kid_demux").unwrap() {
        let mut lockstep = Lockstep::<llc::KidDemux>::new(&set).unwrap();
        for select in 0..lockstep.params().kernels as u8 {
            for enable in [false, true] {
                let found = lockstep.step(&kid_demux::In { enable, select }).unwrap();
                assert_eq!(found, None, "kid_demux {}: {enable} {select}", set.name);
                vectors += 1;
            }
        }
    }
    println!("kid_demux: {vectors} vectors");
}

#[test]
fn demotion_sees_every_input_up_to_16_ways() {
    let mut vectors = 0u64;
    for set in table::sets("demotion").unwrap() {
        let lockstep = Lockstep::<llc::Demotion>::new(&set).unwrap();
        let ways = lockstep.params().ways;
        if ways > 16 {
            continue;
        }
        let mut lockstep = lockstep.check_assumptions(false);
        for stack_valid in 0..1u64 << ways {
            for access_pos in 0..=ways as u8 {
                for access_valid in [false, true] {
                    let input = demotion::In {
                        access_valid,
                        access_pos,
                        stack_valid,
                    };
                    let found = lockstep.step(&input).unwrap();
                    assert_eq!(found, None, "demotion {}: {input:?}", set.name);
                    vectors += 1;
                }
            }
        }
    }
    println!("demotion: {vectors} vectors");
    assert!(vectors > 2 * 17 << 16);
}

/// Every input that the assumptions allow in some state.
fn inputs(params: &lru_stack::Params) -> Vec<lru_stack::In> {
    let (ways, kernels) = (params.ways as u8, params.kernels as u8);
    let mut inputs = Vec::new();
    for flags in 0..32u8 {
        let flag = |bit: u8| flags >> bit & 1 == 1;
        for access_way in 0..ways {
            for access_kid in 0..kernels {
                for invalidate_way in 0..ways {
                    inputs.push(lru_stack::In {
                        reset: flag(0),
                        access_valid: flag(1),
                        access_hit: flag(2),
                        access_way,
                        access_kid,
                        invalidate_valid: flag(3),
                        invalidate_way,
                        flush: flag(4),
                    });
                }
            }
        }
    }
    inputs
}

/// All states of a stack, each with every legal input; returns how many of both.
fn every_state(set: &str) -> (usize, u64) {
    let set = table::set("lru_stack", set).unwrap();
    let lockstep = Lockstep::<llc::LruStack>::new(&set).unwrap();
    let mut lockstep = lockstep.check_assumptions(false);
    let params = lockstep.params().clone();
    let inputs = inputs(&params);
    let first = lru_stack::LruStack::new(params).unwrap();
    let key = |model: &lru_stack::LruStack| {
        let lru_stack::State { way, owner, valid } = model.state().clone();
        (way, owner, valid)
    };
    let mut known = HashSet::from([key(&first)]);
    let mut open = VecDeque::from([first]);
    let mut vectors = 0;
    while let Some(model) = open.pop_front() {
        for input in &inputs {
            if model.assume(input).is_err() {
                continue;
            }
            lockstep.load(model.clone());
            let found = lockstep.step(input).unwrap();
            assert_eq!(found, None, "lru_stack {}: {:?}, {input:?}", set.name, model.state());
            vectors += 1;
            let next = lockstep.model();
            if known.insert(key(next)) {
                open.push_back(next.clone());
            }
        }
    }
    println!("lru_stack {}: {} states, {vectors} vectors", set.name, known.len());
    (known.len(), vectors)
}

#[test]
fn lru_stack_in_every_state() {
    // Ways in any order, invalid ones at the bottom. Owners of invalid ways are kept, so any
    // owner can be anywhere, but of ways that were never accessed.
    assert_eq!(every_state("2x2").0, 2 * 12);
    every_state("3x3");
    every_state("2x4");
    every_state("4x2");
}
