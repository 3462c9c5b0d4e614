//! The netlist against rust-hdl's own `update()`.
//!
//! Rationale: `update()` is the one description that the elaborator does not
//! make. Every unit of the SM in every set takes random inputs, legal or not,
//! and all outputs must be the same before each clock edge. Rare events are
//! made common by holding each one-bit input at a bias of its own for a while.

use cotenant_netlist::sim::{Engine, Sim};
use cotenant_units::drive::Driver;
use cotenant_units::table;
use num_bigint::BigUint;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Cycles with the same biases.
const SPELL: usize = 40;

fn value(rng: &mut TestRng, width: usize, bias: u32) -> BigUint {
    let bits = (0..width).map(|_| u8::from(rng.next_u32() % 8 < bias));
    bits.fold(BigUint::ZERO, |value, bit| (value << 1u8) + bit)
}

/// Cycle and output in which the two differ first.
fn differs(
    unit: &str,
    set: &str,
    netlist: &cotenant_netlist::Netlist,
    cycles: usize,
) -> Option<(usize, String)> {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut driver = Driver::of(table::build(unit, set).unwrap()).unwrap();
    let mut sim = Sim::with_engine(netlist, Engine::Interpreter).unwrap();
    let inputs: Vec<_> = sim
        .layout()
        .inputs()
        .map(|(n, s)| (n.to_owned(), s))
        .collect();
    let outputs: Vec<_> = sim
        .layout()
        .outputs()
        .map(|(n, s)| (n.to_owned(), s))
        .collect();
    let mut biases = vec![];
    for cycle in 0..cycles {
        if cycle % SPELL == 0 {
            biases = inputs.iter().map(|_| 1 + rng.next_u32() % 8).collect();
        }
        for ((name, slot), bias) in inputs.iter().zip(&biases) {
            // A reset, or a launch, in every cycle hides all else.
            let rare = ["reset", "launch", "exit", "clear", "start"].contains(&name.as_str());
            let value = match rare && rng.next_u32() % 32 != 0 {
                true => BigUint::ZERO,
                false => value(&mut rng, slot.width(), *bias),
            };
            sim.set_words(*slot, &value.to_u64_digits());
            driver.set(name, value).unwrap();
        }
        driver.settle().unwrap();
        sim.eval();
        for (name, slot) in &outputs {
            let words = sim.get_words(*slot).iter().rev();
            let seen = words.fold(BigUint::ZERO, |value, word| (value << 64u8) + word);
            if driver.get(name).unwrap() != seen {
                return Some((cycle, name.clone()));
            }
        }
        driver.edge().unwrap();
        sim.step();
    }
    None
}

#[test]
fn the_netlist_does_what_update_does() {
    for unit in ["milg", "smil", "quota_unit", "rbmi", "qbmi", "mem_issue"] {
        for set in table::sets(unit).unwrap() {
            let block = table::build(unit, set.name).unwrap();
            let netlist = cotenant_netlist::elaborate(&block, unit).unwrap();
            assert_eq!(
                differs(unit, set.name, &netlist, 400),
                None,
                "{unit} {}",
                set.name
            );
        }
    }
}
