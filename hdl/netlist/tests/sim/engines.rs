//! Interpreter, native code and the naive evaluator agree, every cycle, on
//! every output, every flop, every RAM word and every signal.
//!
//! The same comparison must also see a difference: one operation of the
//! graph is replaced in the engine's copy, and then some cycle must differ,
//! unless the naive evaluator says that the replacement changes nothing.

use crate::sim::design::{recipe, Recipe};
use crate::sim::naive::Naive;
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::{Engine, Sim, Slot};
use cotenant_netlist::Netlist;
use num_bigint::BigUint;
use proptest::prelude::*;

const CYCLES: usize = 24;

pub fn engines() -> Vec<Engine> {
    vec![
        Engine::Interpreter,
        #[cfg(feature = "jit")]
        Engine::Jit,
    ]
}

pub fn number(words: &[u64]) -> BigUint {
    let digits = words
        .iter()
        .flat_map(|w| [*w as u32, (*w >> 32) as u32])
        .collect();
    BigUint::new(digits)
}

fn read(sim: &Sim, slot: Slot) -> BigUint {
    number(sim.get_words(slot))
}

/// A stream of bits from a seed, plain and the same everywhere.
pub struct Stream(pub u64);

impl Stream {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn value(&mut self, width: usize) -> Vec<u64> {
        // Extremes are where carries and comparisons go wrong.
        let kind = self.word() % 8;
        let word = |s: &mut Stream| match kind {
            0 => 0,
            1 => u64::MAX,
            2 => s.word() & s.word() & s.word(),
            _ => s.word(),
        };
        (0..width.div_ceil(64)).map(|_| word(self)).collect()
    }
}

/// The first difference, if there is one.
fn compare(design: &Netlist, reference: &Netlist, engine: Engine, seed: u64) -> Option<String> {
    let mut sim = Sim::with_engine(design, engine).expect("legal designs compile");
    let mut observer = sim.observer();
    let mut naive = Naive::new(reference);
    let mut stream = Stream(seed | 1);
    for cycle in 0..CYCLES {
        for k in 0..design.inputs.len() {
            let slot = sim.layout().input(&design.inputs[k].name).unwrap();
            let value = stream.value(slot.width());
            sim.set_words(slot, &value);
            naive.inputs[k] = read(&sim, slot);
        }
        let signals: Vec<NodeId> = reference.signals.iter().map(|s| s.node).collect();
        let expected = naive.values(&signals);
        observer.observe(&sim);
        for (k, (name, slot)) in sim.layout().signals().enumerate() {
            let found = number(observer.get(slot));
            if found != expected[k] {
                return Some(format!(
                    "{engine:?}, cycle {cycle}: signal {name}: {found:x}, expected {:x}",
                    expected[k]
                ));
            }
        }
        let outputs = naive.outputs();
        sim.eval();
        for stepped in [false, true] {
            for (k, (name, slot)) in sim.layout().outputs().enumerate() {
                let found = read(&sim, slot);
                if found != outputs[k] {
                    return Some(format!(
                        "{engine:?}, cycle {cycle}, {stepped}: {name}: {found:x}, expected {:x}",
                        outputs[k]
                    ));
                }
            }
            if !stepped {
                sim.step();
            }
        }
        naive.edge();
        let registers = naive.regs.iter().chain(&naive.read_data);
        for ((name, slot), expected) in sim.layout().registers().zip(registers) {
            let found = read(&sim, slot);
            if found != *expected {
                return Some(format!(
                    "{engine:?}, cycle {cycle}: {name}: {found:x}, expected {expected:x}"
                ));
            }
        }
        for (ram, words) in reference.rams.iter().zip(&naive.rams) {
            for (index, expected) in words.iter().enumerate() {
                let slot = sim
                    .layout()
                    .state(&format!("{}[{index}]", ram.name))
                    .unwrap();
                let found = read(&sim, slot);
                if found != *expected {
                    return Some(format!(
                        "{engine:?}, cycle {cycle}: {}[{index}]: {found:x}, expected {expected:x}",
                        ram.name
                    ));
                }
            }
        }
    }
    None
}

/// The design with one live operation replaced by another of the same shape.
fn mutated(recipe: &Recipe, pick: usize) -> Option<Netlist> {
    let mut netlist = recipe.netlist();
    let candidates: Vec<NodeId> = netlist
        .live()
        .into_iter()
        .filter(|&n| {
            use Op::*;
            matches!(
                netlist.graph.op(n),
                And(..) | Or(..) | Xor(..) | Add(..) | Sub(..) | Mux(..) | Less(..)
            )
        })
        .collect();
    let victim = *candidates.get(pick % candidates.len().max(1))?;
    let width = netlist.graph.width(victim);
    let replaced = match *netlist.graph.op(victim) {
        Op::And(a, b) => Op::Or(a, b),
        Op::Or(a, b) => Op::Xor(a, b),
        Op::Xor(a, b) => Op::And(a, b),
        Op::Add(a, b) => Op::Sub(a, b),
        Op::Sub(a, b) => Op::Add(a, b),
        Op::Mux(c, a, b) => Op::Mux(c, b, a),
        Op::Less(a, b) => Op::Less(b, a),
        _ => return None,
    };
    let new = netlist.graph.raw(replaced, width);
    // Everything that depends on it, again.
    let mut to: std::collections::HashMap<NodeId, NodeId> = [(victim, new)].into();
    for node in netlist.live() {
        if to.contains_key(&node) {
            continue;
        }
        let operands = netlist.graph.op(node).operands();
        let moved: Vec<NodeId> = operands.iter().map(|o| *to.get(o).unwrap_or(o)).collect();
        if moved != operands {
            let again = netlist.graph.rebuilt(node, &moved);
            to.insert(node, again);
        }
    }
    let at = |n: NodeId| *to.get(&n).unwrap_or(&n);
    netlist.outputs.iter_mut().for_each(|o| o.node = at(o.node));
    netlist
        .regs
        .iter_mut()
        .for_each(|r| (r.d, r.next) = (at(r.d), at(r.next)));
    for ram in &mut netlist.rams {
        ram.read_address = at(ram.read_address);
        ram.write_enable = at(ram.write_enable);
        ram.write_address = at(ram.write_address);
        ram.write_data = at(ram.write_data);
    }
    Some(netlist)
}

/// Whether two designs differ within the cycles that [`compare`] runs.
fn differ(a: &Netlist, b: &Netlist, seed: u64) -> bool {
    let (mut x, mut y) = (Naive::new(a), Naive::new(b));
    let mut stream = Stream(seed | 1);
    for _ in 0..CYCLES {
        for k in 0..a.inputs.len() {
            let width = a.inputs[k].width;
            let value = number(&stream.value(width)) & cotenant_netlist::graph::ones(width);
            (x.inputs[k], y.inputs[k]) = (value.clone(), value);
        }
        if x.outputs() != y.outputs() {
            return true;
        }
        x.edge();
        y.edge();
        if (&x.regs, &x.read_data, &x.rams) != (&y.regs, &y.read_data, &y.rams) {
            return true;
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn agree_with_the_naive_evaluator(recipe in recipe(), seed in any::<u64>()) {
        let netlist = recipe.netlist();
        for engine in engines() {
            prop_assert_eq!(compare(&netlist, &netlist, engine, seed), None);
        }
    }

    #[test]
    fn a_changed_operation_is_seen(recipe in recipe(), pick in any::<usize>(), seed in any::<u64>()) {
        let netlist = recipe.netlist();
        let Some(mut mutant) = mutated(&recipe, pick) else { return Ok(()) };
        mutant.signals.clear();
        let mut reference = netlist;
        reference.signals.clear();
        let expected = differ(&mutant, &reference, seed);
        for engine in engines() {
            prop_assert_eq!(compare(&mutant, &reference, engine, seed).is_some(), expected);
        }
    }
}
