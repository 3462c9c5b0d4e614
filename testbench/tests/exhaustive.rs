//! Rationale: where a unit is small enough nothing is left to chance. The combinational units see
//! every input; the stack sees every legal input in every state that it can be in, found by
//! breadth-first search over the golden model, with the netlist's flops set by name.

use std::collections::{HashSet, VecDeque};

use cotenant::lockstep::Lockstep;
use cotenant::unit::{llc, Interface};
use cotenant_golden::llc::{demotion, kid_demux, lru_stack, popcnt};
use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
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
    assert!(vectors > (2 * 17) << 16);
}

/// Every request, alone and together with every other, for every way and kernel.
///
/// What a request does not look at is not multiplied out where `all` is false: then a port that
/// carries no request carries 0, and a reset or a flush is met by one access of each kind.
fn inputs(params: &lru_stack::Params, all: bool) -> Vec<lru_stack::In> {
    let (ways, kernels) = (params.ways as u8, params.kernels as u8);
    let mut inputs = Vec::new();
    for flags in 0..32u8 {
        let flag = |bit: u8| flags >> bit & 1 == 1;
        let (reset, flush) = (flag(0), flag(4));
        let (access_valid, access_hit, invalidate_valid) = (flag(1), flag(2), flag(3));
        let few = |count: u8, used: bool| if all || used { count } else { 1 };
        let undisturbed = !reset && !flush;
        for access_way in 0..few(ways, access_hit && undisturbed) {
            for access_kid in 0..few(kernels, access_valid && undisturbed) {
                for invalidate_way in 0..few(ways, invalidate_valid && undisturbed) {
                    inputs.push(lru_stack::In {
                        reset,
                        access_valid,
                        access_hit,
                        access_way,
                        access_kid,
                        invalidate_valid,
                        invalidate_way,
                        flush,
                    });
                }
            }
        }
    }
    inputs
}

/// What a search has gone through.
#[derive(Debug, Default, PartialEq)]
struct Searched {
    states: usize,
    vectors: u64,
    mismatch: Option<String>,
}

/// All states of a stack, each with every legal input, up to the first mismatch.
fn search(mut lockstep: Lockstep<llc::LruStack>, all: bool) -> Searched {
    let params = lockstep.params().clone();
    let inputs = inputs(&params, all);
    let first = lru_stack::LruStack::new(params).unwrap();
    let key = |model: &lru_stack::LruStack| {
        let lru_stack::State { way, owner, valid } = model.state().clone();
        (way, owner, valid)
    };
    let mut known = HashSet::from([key(&first)]);
    let mut open = VecDeque::from([first]);
    let mut searched = Searched::default();
    'all: while let Some(model) = open.pop_front() {
        for input in &inputs {
            if model.assume(input).is_err() {
                continue;
            }
            lockstep.load(model.clone());
            searched.vectors += 1;
            if let Some(found) = lockstep.step(input).unwrap() {
                let state = model.state();
                searched.mismatch = Some(format!("{state:?}, {input:?}: {found:?}"));
                break 'all;
            }
            let next = lockstep.model();
            if known.insert(key(next)) {
                open.push_back(next.clone());
            }
        }
    }
    searched.states = known.len();
    searched
}

fn every_state(name: &str, all: bool) -> usize {
    let set = table::set("lru_stack", name).unwrap();
    let lockstep = Lockstep::<llc::LruStack>::new(&set).unwrap();
    let searched = search(lockstep.check_assumptions(false), all);
    assert_eq!(searched.mismatch, None, "lru_stack {name}");
    println!(
        "lru_stack {name}: {} states, {} vectors",
        searched.states, searched.vectors
    );
    searched.states
}

#[test]
fn lru_stack_in_every_state() {
    // By hand: from reset the ways are in order with owner 0; a miss brings way 1 up with any
    // owner, and from there both orders, both owners each, and 0 to 2 valid ways are reached.
    assert_eq!(every_state("2x2", true), 24);
    every_state("3x3", true);
    every_state("2x4", true);
    every_state("4x2", false);
    every_state("4x4", false);
}

#[test]
fn a_search_finds_what_is_wrong_in_one_state_only() {
    let set = table::set("lru_stack", "3x3").unwrap();
    let mut netlist = llc::LruStack::netlist(&set).unwrap();
    let graph = &mut netlist.graph;
    // `victim_valid` is lost when the way at LRU is way 2, owned by kernel 1 of 3.
    let at = |name: &str| netlist.regs.iter().find(|reg| reg.name == name).unwrap().q;
    let (way, owner) = (at("way[2]"), at("owner[2]"));
    let (two, one) = (graph.constant(2u8, 2), graph.constant(1u8, 2));
    let (way, owner) = (graph.eq(way, two), graph.eq(owner, one));
    let wrong = graph.and(way, owner);
    let right = graph.not(wrong);
    let output = netlist
        .outputs
        .iter_mut()
        .find(|output| output.name == "victim_valid")
        .unwrap();
    output.node = graph.and(output.node, right);
    let lockstep = Lockstep::with_netlist(&set, &netlist, Engine::default()).unwrap();
    let searched = search(lockstep.check_assumptions(false), false);
    let mismatch = searched.mismatch.expect("not found");
    assert!(mismatch.contains("victim_valid"), "{mismatch}");
    assert!(mismatch.contains("valid: 7"), "{mismatch}");
}
