//! A flop that a reset no longer reaches, and that nothing is seen of before it holds what it should.
//!
//! Until the reset both designs are in the same state, and behind it all flops are equal but that one.
//! They are followed from there, cycle by cycle: the same inputs, the same words read from RAMs, and
//! the flop holds anything in the faulty one. While outputs and ports of RAMs are equal, so are the
//! RAMs; once all flops are, the fault has changed nothing at an output. RAMs may be of any size, as no
//! word of them is looked at.

use std::collections::BTreeMap;

use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::{Graph, NodeId, Op};
use cotenant_netlist::{Input, Netlist, Output};
use num_bigint::BigUint;

use super::logic::Moment;
use super::observed::observed;
use super::{differences, Never, Proof, Prover};

/// After so many cycles the flop is given up. ASSUMPTION: what a pipeline carries is gone by then; a flop
/// that takes longer stays unproven.
const CYCLES: usize = 6;

/// The flops' values in the sound and in the faulty design.
type State = [Vec<NodeId>; 2];

/// The design, in whose graph its cycles stand one behind the other.
struct Unrolled {
    design: Netlist,
    /// Its own inputs; behind them are those of the cycles.
    ports: usize,
    /// The reset, and its value while it is active.
    reset: (usize, bool),
    observed: Vec<BigUint>,
}

impl Prover<'_> {
    /// A proof of a fault in a reset, or why there is none.
    pub(super) fn settles(&self, fault: &Fault) -> Result<Proof, String> {
        let Fault::MissingReset { reg } = *fault else {
            return Err("it is in no reset".into());
        };
        let mut design = self.netlist.clone();
        let legal = self.terms(&mut design, Moment::Now, &self.assumptions)?;
        let reset = reset_of(&design, reg).ok_or("its reset is no input")?;
        let yes = design.graph.constant(1u8, 1);
        let graph = &mut design.graph;
        let node = legal.into_iter().fold(yes, |all, one| graph.and(all, one));
        let name = "legal".into();
        design.outputs.push(Output { name, node });
        // Names of values that nobody asks for.
        design.signals.clear();
        let mut unrolled = Unrolled {
            ports: design.inputs.len(),
            observed: observed([self.netlist, self.netlist]),
            reset,
            design,
        };
        let mut state = unrolled.behind_reset(reg);
        let (mut so_far, mut differ) = (yes, Vec::new());
        for cycle in 1..=CYCLES {
            (state, so_far) = unrolled.step(&state, so_far, reg, &mut differ);
            let left = unrolled.unequal(&state, so_far);
            let question = [&differ[..], &left[..]].concat();
            match self.never(&unrolled.design, &[], &question, self.patience) {
                Ok(()) => return Ok(Proof::FromReset),
                Err(Never::Unknown(why)) => return Err(why),
                // It may be equal later.
                Err(Never::Shown(shown)) if cycle == CYCLES => return Err(shown),
                Err(Never::Shown(_)) => {}
            }
        }
        Err("no cycle is looked at".into())
    }
}

/// The input that resets a flop, and its value then.
fn reset_of(design: &Netlist, reg: usize) -> Option<(usize, bool)> {
    let graph = &design.graph;
    match *graph.op(design.regs[reg].reset) {
        Op::Input(input) => Some((input as usize, true)),
        Op::Not(inverted) => match *graph.op(inverted) {
            Op::Input(input) => Some((input as usize, false)),
            _ => None,
        },
        _ => None,
    }
}

impl Unrolled {
    /// Any value.
    fn any(&mut self, name: &str, width: usize) -> NodeId {
        let input = self.design.inputs.len() as u32;
        let name = format!("{name}, {input}");
        self.design.inputs.push(Input { name, width });
        self.design.graph.raw(Op::Input(input), width)
    }

    /// All that is reset together with the flop as the reset leaves it, the rest equal.
    fn behind_reset(&mut self, reg: usize) -> State {
        let reset = self.design.regs[reg].reset;
        let mut sound = Vec::new();
        for flop in self.design.regs.clone() {
            sound.push(match flop.reset == reset {
                true => self.design.graph.constant(flop.init, flop.width),
                false => self.any(&flop.name, flop.width),
            });
        }
        let mut faulty = sound.clone();
        let flop = self.design.regs[reg].clone();
        faulty[reg] = self.any(&flop.name, flop.width);
        [sound, faulty]
    }

    /// The states after a cycle without reset, and whether all inputs were legal so far; to `differ` is
    /// added what may be unequal in it. A reset leads back to where only the flop differs.
    fn step(
        &mut self,
        state: &State,
        so_far: NodeId,
        reg: usize,
        differ: &mut Vec<(String, NodeId)>,
    ) -> (State, NodeId) {
        let inputs = self.design.inputs[..self.ports].to_vec();
        let inputs: Vec<NodeId> = inputs.iter().map(|i| self.any(&i.name, i.width)).collect();
        let rams = self.design.rams.clone();
        let read: Vec<NodeId> = rams.iter().map(|r| self.any(&r.name, r.width)).collect();
        let (input, active) = self.reset;
        let mut cycle = |resets: bool| {
            let mut inputs = inputs.clone();
            inputs[input] = self.design.graph.constant(u8::from(resets == active), 1);
            let [(sound, legal), (mut faulty, _)] =
                [0, 1].map(|which| self.cycle(&state[which], &inputs, &read));
            let next = [&sound, &faulty].map(|it| it.regs.iter().map(|flop| flop.next).collect());
            for (flop, (one, other)) in sound.regs.iter().zip(&mut faulty.regs).enumerate() {
                // Without a reset they are looked at a cycle later.
                if !resets || flop == reg {
                    other.next = one.next;
                }
            }
            let legal = self.design.graph.and(so_far, legal);
            differ.extend(self.differences(&sound, &faulty, legal));
            (next, legal)
        };
        cycle(true);
        cycle(false)
    }

    /// The design in a state, with inputs and words that were read, and whether the inputs are legal.
    fn cycle(&mut self, state: &[NodeId], inputs: &[NodeId], read: &[NodeId]) -> (Netlist, NodeId) {
        let change = |graph: &mut Graph, old, new| match *graph.op(old) {
            Op::Input(input) => inputs[input as usize],
            Op::Reg(flop) => state[flop as usize],
            Op::RamData(ram) => read[ram as usize],
            _ => new,
        };
        let mut it = self.design.rewritten(change);
        self.design.graph = it.graph.clone();
        let legal = it.outputs.pop().expect("what is legal is the last of them");
        (it, legal.node)
    }

    /// Which flops are unequal, if all inputs were legal so far.
    fn unequal(&mut self, state: &State, so_far: NodeId) -> Vec<(String, NodeId)> {
        let [sound, faulty] = [0, 1].map(|which| {
            let mut it = self.design.clone();
            for (flop, &value) in it.regs.iter_mut().zip(&state[which]) {
                flop.next = value;
            }
            it
        });
        self.differences(&sound, &faulty, so_far)
    }

    /// What is unequal, if all inputs were legal.
    fn differences(
        &mut self,
        sound: &Netlist,
        faulty: &Netlist,
        legal: NodeId,
    ) -> Vec<(String, NodeId)> {
        let masks = BTreeMap::new();
        let roots = faulty.roots();
        let mut differ = differences(sound, &roots, &self.observed, &masks, &mut self.design);
        for (_, node) in &mut differ {
            *node = self.design.graph.and(*node, legal);
        }
        differ
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what is proven here no run may show, and what a run shows must not be proven. A flop
    //! that counts keeps what it had; one of a pipeline is overwritten before it is looked at.
    use cotenant_golden::Model;
    use cotenant_netlist::fault::{candidates, find, Described};
    use cotenant_netlist::sim::{Engine, Sim};
    use cotenant_units::table;

    use super::super::tests::prover;
    use super::*;
    use crate::unit::llc::{Attribution, Gdcu, Sce};
    use crate::verify::facts::Facts;
    use crate::verify::interface::{unpack_in, Packer, ParamsOf};
    use crate::verify::stimulus::{stream, Drive, Mix, Random, Source};

    /// Inputs of some thousand cycles by port, with a reset in every tenth of them.
    fn resets<U: Drive>(params: &ParamsOf<U>) -> Vec<Vec<(&'static str, Vec<u64>)>> {
        let (form, ports) = (U::form(params), U::inputs(params));
        let mut model = U::model(params).unwrap();
        let mut stimulus = stream::<U>(params, Mix::default(), 1);
        let mut random = Random::new(1);
        let (mut input, mut row) = (U::idle(params), form.input_row());
        let mut cycle = || {
            assert!(stimulus.input(params, &model, &mut input));
            U::pack_in(params, &input, &mut Packer::new(&mut row));
            if random.below(10) == 0 {
                form.reset(&mut row);
            }
            model.step(&unpack_in::<U>(&form.inputs, &row).unwrap());
            let mut rest = &row[..];
            let words = ports.iter().map(|port| {
                let (words, behind) = rest.split_at(port.words());
                rest = behind;
                (port.name, words.to_vec())
            });
            words.collect()
        };
        (0..4000).map(|_| cycle()).collect()
    }

    /// What all outputs show in these cycles.
    fn outputs(netlist: &Netlist, cycles: &[Vec<(&'static str, Vec<u64>)>]) -> Vec<Vec<u64>> {
        let mut sim = Sim::with_engine(netlist, Engine::Interpreter).unwrap();
        let mut shown = Vec::new();
        for cycle in cycles {
            for (name, words) in cycle {
                let slot = sim.layout().input(name).unwrap();
                sim.set_words(slot, words);
            }
            sim.eval();
            for output in &netlist.outputs {
                let slot = sim.layout().output(&output.name).unwrap();
                shown.push(sim.get_words(slot).to_vec());
            }
            sim.step();
        }
        shown
    }

    /// Those proven of all missing resets, none of which a run may show, and those that one shows.
    fn proven<U: Drive + Facts>(set: &str) -> [Vec<String>; 2] {
        let cycles = resets::<U>(&U::params(&table::set(U::NAME, set).unwrap()).unwrap());
        let mut found = [vec![], vec![]];
        prover::<U, _>(set, |prover| {
            let sound = outputs(prover.netlist, &cycles);
            let mut faults = candidates(prover.netlist);
            faults.retain(|fault| matches!(fault, Fault::MissingReset { .. }));
            for fault in faults {
                let name = Described(prover.netlist, &fault).to_string();
                let faulty = prover.netlist.with_fault(&fault).unwrap();
                let shows = outputs(&faulty, &cycles) != sound;
                let proven = prover.settles(&fault) == Ok(Proof::FromReset);
                assert!(!(shows && proven), "{name}");
                if shows || proven {
                    found[usize::from(shows)].push(name);
                }
            }
        });
        found
    }

    #[test]
    fn what_is_overwritten_before_it_is_seen_needs_no_reset() {
        for [proven, shown] in [
            proven::<Gdcu>("small"),
            proven::<Sce>("small"),
            proven::<Attribution>("small"),
        ] {
            assert!(proven.len() > 3 && shown.len() > 3, "{proven:?} {shown:?}");
        }
    }

    #[test]
    fn a_counter_that_is_read_keeps_what_it_had() {
        prover::<Gdcu, _>("small", |prover| {
            let fault = find(prover.netlist, "missing reset: matrix.count[0][0]").unwrap();
            let shown = prover.settles(&fault).unwrap_err();
            assert!(shown.contains("matrix.count[0][0]"), "{shown}");
            // Any other fault is none of a reset.
            let other = find(prover.netlist, "lost write: matrix.count[0][0]").unwrap();
            assert!(prover.settles(&other).is_err());
        });
    }
}
