//! Every evaluator of a netlist, behind one interface.

use super::naive::Naive;
use cotenant_netlist::sim::{Engine, Observer, Sim, Slot};
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

/// The evaluators of one design, in step.
pub struct Engines<'a> {
    netlist: &'a Netlist,
    naive: Naive<'a>,
    nodes: Vec<cotenant_netlist::graph::NodeId>,
    sims: Vec<Simulated>,
}

struct Simulated {
    name: &'static str,
    sim: Sim,
    observer: Observer,
    signals: Vec<Slot>,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
}

fn words(value: &BigUint) -> Vec<u64> {
    value.to_u64_digits()
}

fn integer(words: &[u64]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |acc, w| (acc << 64) + w)
}

impl<'a> Engines<'a> {
    /// All of them at power-up; they will be asked for these signals.
    pub fn new(netlist: &'a Netlist, names: &[String]) -> Self {
        let signal = |name: &String| {
            netlist
                .signal(name)
                .unwrap_or_else(|| panic!("no signal '{name}'"))
        };
        let engines = [
            ("interpreter", Engine::Interpreter),
            ("native code", Engine::Jit),
        ];
        let sims = engines.map(|(name, engine)| {
            let sim = Sim::with_engine(netlist, engine).unwrap_or_else(|e| panic!("{name}: {e}"));
            let layout = sim.layout();
            let find = |n: &String| layout.signal(n).unwrap_or_else(|e| panic!("{name}: {e}"));
            Simulated {
                signals: names.iter().map(find).collect(),
                inputs: layout.inputs().map(|i| i.1).collect(),
                outputs: layout.outputs().map(|o| o.1).collect(),
                observer: sim.observer(),
                sim,
                name,
            }
        });
        Engines {
            netlist,
            naive: Naive::new(netlist),
            nodes: names.iter().map(|n| signal(n).node).collect(),
            sims: sims.into(),
        }
    }

    /// Computes everything; the first of the named signals, outputs and flops
    /// whose value somewhere is not the expected one: name, engine, value.
    pub fn evaluate(
        &mut self,
        inputs: &[BigUint],
        names: &[String],
        expected: &[BigUint],
    ) -> Result<(), (usize, &'static str, BigUint)> {
        debug_assert_eq!(names.len(), expected.len());
        self.naive.evaluate(inputs);
        for (k, (node, expected)) in self.nodes.iter().zip(expected).enumerate() {
            if self.naive.value(*node) != expected {
                return Err((k, "naive evaluator", self.naive.value(*node).clone()));
            }
        }
        for s in &mut self.sims {
            for (slot, value) in s.inputs.iter().zip(inputs) {
                s.sim.set_words(*slot, &words(value));
            }
            s.sim.eval();
            s.observer.observe(&s.sim);
            for (k, (slot, expected)) in s.signals.iter().zip(expected).enumerate() {
                let seen = integer(s.observer.get(*slot));
                if seen != *expected {
                    return Err((k, s.name, seen));
                }
            }
            // What users read: the outputs themselves, not the observer's.
            for (slot, output) in s.outputs.iter().zip(&self.netlist.outputs) {
                let seen = integer(s.sim.get_words(*slot));
                if seen != *self.naive.value(output.node) {
                    let k = names
                        .iter()
                        .position(|n| *n == output.name)
                        .expect("a signal");
                    return Err((k, s.name, seen));
                }
            }
        }
        Ok(())
    }

    /// The clock edge.
    pub fn edge(&mut self) {
        self.naive.edge();
        self.sims.iter_mut().for_each(|s| s.sim.step());
    }
}
