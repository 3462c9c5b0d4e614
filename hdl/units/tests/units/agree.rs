//! The netlist against rust-hdl's own `update()`.
//!
//! Rationale: `update()` is the one description that the elaborator does not
//! make. Every compiled unit takes random inputs, legal or not,
//! and all outputs must be the same before each clock edge. Rare events are
//! made common by keeping each input at a bias of its own for a while. With the
//! widths of section 4.4 an interval takes a thousand requests, so there is a
//! long run without resets and launches for each, too.

use crate::compiled::BLOCKS;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::Netlist;
use cotenant_units::drive::Driver;
use cotenant_units::table;
use cotenant_units::unit::Unit;
use num_bigint::BigUint;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::{BTreeMap, BTreeSet};

/// Cycles with the same biases, in a short run and in one over whole intervals.
const SPELL: usize = 40;
const LONG_SPELL: usize = 800;
/// Cycles of the latter.
const LONG: usize = 16000;

/// How often the inputs that restart everything are high.
#[derive(Clone, Copy, PartialEq)]
pub enum Restarts {
    /// In one cycle of 32.
    Now,
    /// In the first spell.
    First,
}

/// A value of `width` bits for the input of this name; each bit is 1 in `bias` of 8 cases.
pub type Draw<'a> = &'a dyn Fn(&mut TestRng, &str, usize, u32) -> BigUint;

/// Any value, whatever the input.
pub fn any_value(rng: &mut TestRng, _input: &str, width: usize, bias: u32) -> BigUint {
    let bits = (0..width).map(|_| u8::from(rng.next_u32() % 8 < bias));
    bits.fold(BigUint::ZERO, |value, bit| (value << 1u8) + bit)
}

fn netlist(unit: &str, set: &str) -> Netlist {
    let set = table::set(unit, set).unwrap();
    table::netlist(unit, &set).unwrap().unwrap()
}

/// Values that each output took.
pub type Seen = BTreeMap<String, BTreeSet<BigUint>>;

fn compare(
    unit: &str,
    set: &str,
    netlist: &Netlist,
    cycles: usize,
    restarts: Restarts,
) -> Result<Seen, (usize, String)> {
    let compiled = BLOCKS
        .iter()
        .find(|b| b.unit == unit && b.set().name == set);
    let block = compiled.expect("a compiled set").block();
    compare_block(block, netlist, cycles, restarts, &any_value)
}

/// Runs `update()` and a netlist side by side; cycle and output in which they differ first.
pub fn compare_block(
    block: Box<dyn Unit>,
    netlist: &Netlist,
    cycles: usize,
    restarts: Restarts,
    draw: Draw,
) -> Result<Seen, (usize, String)> {
    let mut seen = Seen::new();
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut driver = Driver::of(block).unwrap();
    let mut sim = Sim::with_engine(netlist, Engine::Interpreter).unwrap();
    let slots = |(name, slot): (&str, _)| (name.to_owned(), slot);
    let inputs: Vec<_> = sim.layout().inputs().map(slots).collect();
    let outputs: Vec<_> = sim.layout().outputs().map(slots).collect();
    let mut biases = vec![];
    let spell = match restarts {
        Restarts::Now => SPELL,
        Restarts::First => LONG_SPELL,
    };
    for cycle in 0..cycles {
        if cycle % spell == 0 {
            biases = inputs.iter().map(|_| 1 + rng.next_u32() % 8).collect();
        }
        // A count that wraps is at its peak at once, and then nothing changes any more.
        let unlawful = |driver: &Driver<_>, name: &str| {
            let zero = |output| driver.get(output) == Ok(BigUint::ZERO);
            let held = name == "issue" && zero("allow") || name == "complete" && zero("in_flight");
            restarts == Restarts::First && held
        };
        let restart = match restarts {
            Restarts::Now => rng.next_u32() % 32 == 0,
            Restarts::First => cycle < SPELL,
        };
        for ((name, slot), bias) in inputs.iter().zip(&biases) {
            let restarting = ["reset", "launch", "exit", "clear", "start"].contains(&name.as_str());
            let value = draw(&mut rng, name, slot.width(), *bias);
            let value = match restarting && !restart || unlawful(&driver, name) {
                true => BigUint::ZERO,
                false => value,
            };
            sim.set_words(*slot, &value.to_u64_digits());
            driver.set(name, value).unwrap();
        }
        driver.settle().unwrap();
        sim.eval();
        for (name, slot) in &outputs {
            let words = sim.get_words(*slot).iter().rev();
            let value = words.fold(BigUint::ZERO, |value, word| (value << 64u8) + word);
            if driver.get(name).unwrap() != value {
                return Err((cycle, name.clone()));
            }
            seen.entry(name.clone()).or_default().insert(value);
        }
        driver.edge().unwrap();
        sim.step();
    }
    Ok(seen)
}

#[test]
fn the_netlist_does_what_update_does_over_whole_intervals() {
    for (unit, set, output) in [
        ("milg", "7x12x10", "limit"),
        ("milg", "7x12x10d", "limit"),
        ("qbmi", "2x10c", "ratio"),
    ] {
        let seen = compare(unit, set, &netlist(unit, set), LONG, Restarts::First);
        let seen = seen.unwrap_or_else(|found| panic!("{unit} {set}: {found:?}"));
        // Else no interval was measured.
        assert!(seen[output].len() >= 2, "{unit} {set}: {:?}", seen[output]);
    }
}

#[test]
fn another_sets_netlist_is_found_out() {
    for (unit, set, other, cycles) in [
        ("milg", "2x4x2", "2x4x2d", 3000),
        ("milg", "3x6x3d", "3x6x3", 3000),
        ("milg", "3x6x3h", "3x6x3", 3000),
        ("milg", "3x6x3p", "3x6x3d", 3000),
        // Between two starts there is seldom time to accumulate credit.
        ("qbmi", "2x2", "2x2c", LONG),
        ("qbmi", "3x3cl2", "3x3c", LONG),
    ] {
        let other = netlist(unit, other);
        let seen = compare(unit, set, &other, cycles, Restarts::Now);
        assert!(seen.is_err(), "{unit} {set}");
    }
}
