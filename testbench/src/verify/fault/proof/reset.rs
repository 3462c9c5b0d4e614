//! The weakest claim: from power-up, no legal inputs make the fault visible at an output.
//!
//! Nothing is said of single states, so that it needs no invariants, and takes the prover longer.

use cotenant_netlist::blast::{Aig, Leaf};
use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::Op;
use cotenant_netlist::sim::{Engine, Sim, SimError};
use cotenant_netlist::{Netlist, Output, Ram, Reg};

use super::abc::Steady;
use super::logic::Moment;
use super::shown::{at, words, Words};
use super::{abc, before, contents, Proof, Prover};

/// Bits of RAM that become flops of the question, in each design. ASSUMPTION: about as many as a
/// question with 4,500 flops has, which abc still answers in half a minute (`llc_monitor` small).
const MOST_RAM: usize = 2048;

/// Why there is no proof from reset on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verify::fault) enum NoProof {
    /// These inputs, cycle by cycle, make the fault visible at this output in the last cycle.
    Shown {
        /// The output.
        output: String,
        /// Inputs that are not zero, by name, in hexadecimal.
        inputs: Vec<String>,
    },
    /// The prover does not say, for this reason.
    Unknown(String),
}

impl From<String> for NoProof {
    fn from(reason: String) -> Self {
        Self::Unknown(reason)
    }
}

impl Prover<'_> {
    /// A proof, or why there is none.
    pub fn prove_from_reset(&self, fault: &Fault) -> Result<Proof, NoProof> {
        let bits = contents::bits(&self.netlist.rams);
        if bits > MOST_RAM {
            let why = format!("the design has {bits} bits of RAM, more than {MOST_RAM}");
            return Err(NoProof::Unknown(why));
        }
        let faulty = self.netlist.with_fault(fault);
        let faulty = faulty.map_err(|error| error.to_string())?;
        let mut question = contents::in_flops(&self.beside(&faulty), self.netlist.rams.len());
        let [ports, outputs] = [self.netlist.inputs.len(), self.netlist.outputs.len()];
        let mut remembers = question.clone();
        before::remember(&mut remembers, ports, outputs);
        let protocol = self.terms(&mut remembers, Moment::Now, &self.protocol)?;
        match protocol.is_empty() {
            true => question.outputs.truncate(outputs),
            false => question = remembers,
        }
        let mut legal = self.terms(&mut question, Moment::Now, &self.assumptions)?;
        legal.extend(protocol);
        let graph = &mut question.graph;
        // Inputs have been legal up to here.
        let so_far = graph.raw(Op::Reg(question.regs.len() as u32), 1);
        let legal = legal
            .into_iter()
            .fold(so_far, |all, one| graph.and(all, one));
        question.regs.push(Reg {
            name: "legal so far".into(),
            width: 1,
            init: 1u8.into(),
            q: so_far,
            d: legal,
            reset: graph.constant(0u8, 1),
            next: legal,
        });
        for output in &mut question.outputs {
            output.node = graph.and(output.node, legal);
        }
        let shown = question.outputs.iter().map(|output| output.node);
        let shown = shown.fold(graph.constant(0u8, 1), |any, one| graph.or(any, one));
        question.outputs = vec![Output {
            name: "shown".into(),
            node: shown,
        }];
        let starts = |flop: usize, bit: usize| question.regs[flop].init.bit(bit as u64);
        match abc::stays_low(&Aig::new(&question), starts, self.patience) {
            Steady::Always => Ok(Proof::FromReset),
            Steady::Unknown(reason) => Err(NoProof::Unknown(reason)),
            Steady::Until(mut cycles) => {
                // The inputs behind the ports are what RAMs hold at power-up.
                let port = |leaf: Leaf| matches!(leaf, Leaf::Input(input, _) if input < ports);
                for cycle in &mut cycles {
                    cycle.retain(|&(leaf, _)| port(leaf));
                }
                let cycles: Vec<_> = cycles.iter().map(|c| words(self.netlist, c)).collect();
                let shown = shown_by(self.netlist, &faulty, &cycles);
                let output = shown.map_err(|error| error.to_string())?;
                let output = output.ok_or("abc's counterexample does not show it".to_owned())?;
                let inputs = cycles.iter().map(at).collect();
                Err(NoProof::Shown { output, inputs })
            }
        }
    }

    /// Both designs on the same inputs, each with flops and RAMs of its own; each output says
    /// whether the two differ there. Behind them are the outputs of the sound one.
    fn beside(&self, faulty: &Netlist) -> Netlist {
        let (own, rams) = (self.netlist.regs.len(), self.netlist.rams.len());
        let moved = faulty.rewritten(|graph, old, new| {
            let width = graph.width(old);
            match *graph.op(old) {
                Op::Reg(flop) => graph.raw(Op::Reg(flop + own as u32), width),
                Op::RamData(ram) => graph.raw(Op::RamData(ram + rams as u32), width),
                _ => new,
            }
        });
        let mut both = self.netlist.clone();
        both.graph = moved.graph.clone();
        for (flop, reg) in moved.regs.iter().enumerate() {
            both.regs.push(Reg {
                name: format!("{} with the fault", reg.name),
                q: both.graph.raw(Op::Reg((own + flop) as u32), reg.width),
                ..reg.clone()
            });
        }
        for (ram, other) in moved.rams.iter().enumerate() {
            both.rams.push(Ram {
                name: format!("{} with the fault", other.name),
                data: (both.graph).raw(Op::RamData((rams + ram) as u32), other.width),
                ..other.clone()
            });
        }
        let sound = both.outputs.clone();
        for (output, other) in both.outputs.iter_mut().zip(&moved.outputs) {
            let same = both.graph.eq(output.node, other.node);
            output.node = both.graph.not(same);
        }
        both.outputs.extend(sound);
        both
    }
}

/// The output that tells two designs apart in the last of these cycles from power-up on.
fn shown_by(
    netlist: &Netlist,
    faulty: &Netlist,
    cycles: &[Words<'_>],
) -> Result<Option<String>, SimError> {
    let build = |design| Sim::with_engine(design, Engine::Interpreter);
    let mut sims = [build(netlist)?, build(faulty)?];
    for (number, cycle) in cycles.iter().enumerate() {
        for sim in &mut sims {
            let inputs = sim.layout().inputs();
            let inputs: Vec<_> = inputs.map(|(name, slot)| (cycle.get(name), slot)).collect();
            for (words, slot) in inputs {
                sim.set_words(slot, words.map_or(&[], |words| words));
            }
            match number + 1 == cycles.len() {
                true => sim.eval(),
                false => sim.step(),
            }
        }
    }
    let [good, bad] = &sims;
    let differs = |name: &&String| match (good.layout().output(name), bad.layout().output(name)) {
        (Ok(a), Ok(b)) => good.get_words(a) != bad.get_words(b),
        _ => false,
    };
    let mut names = netlist.outputs.iter().map(|output| &output.name);
    Ok(names.find(differs).cloned())
}
