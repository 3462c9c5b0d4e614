//! Faulty units in all engines.
//!
//! Rationale: the simulators recognise what designs usually look like, and
//! drop what is needless in it. A fault leaves a design that nobody would
//! write: a masked value where a whole one was, a constant in a chain of
//! choices, one lane of a vector unlike its neighbours. Each engine must
//! still do what the plainest evaluator does, from any state.

use crate::support::naive::Naive;
use crate::support::stimulus::{random, Random};
use cotenant_netlist::fault::{candidates, sample, Described};
use cotenant_netlist::graph::NodeId;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::Netlist;
use cotenant_units::table;
use num_bigint::BigUint;

const CYCLES: usize = 24;

/// Random states and inputs; what each engine makes of them.
fn agree(netlist: &Netlist, seed: u64, what: &dyn Fn() -> String) {
    let mut naive = Naive::new(netlist);
    let mut sims = [Engine::Interpreter, Engine::Jit]
        .map(|engine| (engine, Sim::with_engine(netlist, engine).unwrap()));
    let mut values = Random::new(seed);
    for (cycle, inputs) in random(netlist, CYCLES, seed).into_iter().enumerate() {
        if cycle % 4 == 0 {
            naive.regs = netlist.regs.iter().map(|r| values.value(r.width)).collect();
        }
        for (_, sim) in &mut sims {
            for (r, value) in netlist.regs.iter().zip(&naive.regs) {
                let slot = sim.layout().state(&r.name).unwrap();
                sim.set_words(slot, &value.to_u64_digits());
            }
            for (i, value) in netlist.inputs.iter().zip(&inputs) {
                let slot = sim.layout().input(&i.name).unwrap();
                sim.set_words(slot, &value.to_u64_digits());
            }
            sim.step();
        }
        naive.evaluate(&inputs);
        let after = |node: NodeId| naive.value(node).clone();
        for (engine, sim) in &sims {
            let read = |slot| {
                let words: &[u64] = sim.get_words(slot);
                words
                    .iter()
                    .rev()
                    .fold(BigUint::ZERO, |all, word| (all << 64) + word)
            };
            let at = |name: &str| format!("{}: {engine:?}: cycle {cycle}: {name}", what());
            for o in &netlist.outputs {
                let slot = sim.layout().output(&o.name).unwrap();
                assert_eq!(read(slot), after(o.node), "{}", at(&o.name));
            }
            for r in &netlist.regs {
                let slot = sim.layout().state(&r.name).unwrap();
                assert_eq!(read(slot), after(r.next), "{}", at(&r.name));
            }
        }
        naive.edge();
    }
}

fn faults_agree(unit: &str, set: &str, most: usize) {
    let netlist = table::netlist(unit, &table::set(unit, set).unwrap())
        .unwrap()
        .unwrap();
    let all = candidates(&netlist).len();
    let faults = sample(&netlist, most, 1);
    println!("{unit} {set}: {} of {all} faults", faults.len());
    for (seed, fault) in (1..).zip(faults) {
        let faulty = netlist.with_fault(&fault).unwrap();
        agree(&faulty, seed, &|| {
            format!("{unit} {set}: {}", Described(&netlist, &fault))
        });
    }
}

#[test]
fn combinational_units() {
    for set in ["small", "figure-2", "3"] {
        for unit in ["popcnt", "kid_demux", "demotion"] {
            faults_agree(unit, set, 400);
        }
    }
    faults_agree("popcnt", "24", 200);
}

#[test]
fn lru_stack() {
    faults_agree("lru_stack", "small", 1000);
    faults_agree("lru_stack", "figure-2", 600);
    faults_agree("lru_stack", "6x3", 200);
    faults_agree("lru_stack", "table-1", 40);
}

#[test]
fn counters() {
    faults_agree("counter_matrix", "small", 300);
    faults_agree("counter_matrix", "figure-2", 200);
    faults_agree("gdcu", "3x3x16", 200);
    faults_agree("gdcu", "table-1", 40);
}
