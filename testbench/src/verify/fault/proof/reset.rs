//! The weakest claim: from power-up, no legal inputs make the fault visible at an output.
//!
//! Nothing is said of single states, so that it needs no invariants, and takes the prover longer. RAMs
//! are left out at first: what they read is anything, but the same in both designs while what is written
//! is. What shows then may still not be so with what RAMs do hold.

use std::collections::BTreeMap;

use cotenant_netlist::blast::{Aig, Leaf};
use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::{Engine, Sim, SimError};
use cotenant_netlist::{Input, Netlist, Output, Ram, Reg};

use super::abc::Steady;
use super::logic::Moment;
use super::shown::{at, words, Words};
use super::{abc, before, contents, differences, Proof, Prover};

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
    pub fn prove_from_reset(&mut self, fault: &Fault) -> Result<Proof, NoProof> {
        if let Ok(proof) = self.settles(fault) {
            return Ok(proof);
        }
        let faulty = self.netlist.with_fault(fault);
        let faulty = faulty.map_err(|error| error.to_string())?;
        let both = self.beside(&faulty);
        let outputs = self.netlist.outputs.len();
        let starts =
            |question: &Netlist, flop: usize, bit: usize| question.regs[flop].init.bit(bit as u64);
        if !self.netlist.rams.is_empty() {
            let (question, known, shown) = self.whatever_rams_hold(both.clone())?;
            let question = self.legally(question, known, shown)?;
            let aig = Aig::new(&question);
            let steady = abc::stays_low(&aig, |f, bit| starts(&question, f, bit), self.patience);
            if steady == Steady::Always {
                return Ok(Proof::FromReset);
            }
        }
        let bits = contents::bits(&self.netlist.rams);
        if bits > MOST_RAM {
            let why = format!("the design has {bits} bits of RAM, more than {MOST_RAM}");
            return Err(NoProof::Unknown(why));
        }
        let question = contents::in_flops(&both, self.netlist.rams.len());
        let question = self.legally(question, Vec::new(), outputs)?;
        let aig = Aig::new(&question);
        match abc::stays_low(&aig, |f, bit| starts(&question, f, bit), self.patience) {
            Steady::Always => Ok(Proof::FromReset),
            Steady::Unknown(reason) => Err(NoProof::Unknown(reason)),
            Steady::Until(mut cycles) => {
                // The inputs behind the ports are what RAMs hold at power-up.
                let ports = self.netlist.inputs.len();
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

    /// Whether one of the first `shown` outputs of two designs is ever high, of which what is `known` is
    /// true in each cycle, while inputs are legal.
    fn legally(
        &self,
        mut question: Netlist,
        known: Vec<NodeId>,
        shown: usize,
    ) -> Result<Netlist, String> {
        let mut remembers = question.clone();
        before::remember(&mut remembers, self.netlist.inputs.len(), shown);
        let protocol = self.terms(&mut remembers, Moment::Now, &self.protocol)?;
        match protocol.is_empty() {
            true => question.outputs.truncate(shown),
            false => question = remembers,
        }
        let mut legal = self.terms(&mut question, Moment::Now, &self.assumptions)?;
        legal.extend(protocol);
        legal.extend(known);
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
        let any = question.outputs.iter().map(|output| output.node);
        let any = any.fold(graph.constant(0u8, 1), |any, one| graph.or(any, one));
        question.outputs = vec![Output {
            name: "shown".into(),
            node: any,
        }];
        Ok(question)
    }

    /// Both designs without RAMs, of whatever size: as long as their ports are equal both read the
    /// same, which is anything that is known to be there. What is known of it, and how many outputs, the
    /// ports of RAMs among them, tell the designs apart.
    fn whatever_rams_hold(
        &mut self,
        mut both: Netlist,
    ) -> Result<(Netlist, Vec<NodeId>, usize), String> {
        let rams = self.netlist.rams.len();
        let known = match self.holds() {
            true => {
                let mut sound = both.clone();
                sound.regs.truncate(self.netlist.regs.len());
                sound.rams.truncate(rams);
                let known = self.known(&mut sound)?;
                both.graph = sound.graph;
                known
            }
            false => Vec::new(),
        };
        let sound = both.outputs.split_off(self.netlist.outputs.len());
        // Of what each design makes of its state the ports of RAMs alone.
        let mut other = self.netlist.clone();
        other.rams = both.rams[rams..].to_vec();
        let ports = differences(
            self.netlist,
            &other.roots(),
            &[],
            &BTreeMap::new(),
            &mut both,
        );
        let ports = ports.into_iter();
        both.outputs
            .extend(ports.map(|(name, node)| Output { name, node }));
        let shown = both.outputs.len();
        both.outputs.extend(sound);
        let ends = both.outputs.len();
        let name = || "known".to_owned();
        both.outputs
            .extend(known.into_iter().map(|node| Output { name: name(), node }));
        let first = both.inputs.len();
        for ram in &self.netlist.rams {
            let name = format!("what {} has read", ram.name);
            both.inputs.push(Input {
                name,
                width: ram.width,
            });
        }
        let mut both = both.rewritten(|graph, old, new| match *graph.op(old) {
            Op::RamData(ram) => {
                let width = graph.width(old);
                graph.raw(Op::Input((first + ram as usize % rams) as u32), width)
            }
            _ => new,
        });
        both.rams.clear();
        let known = both.outputs.split_off(ends);
        let known = known.into_iter().map(|output| output.node).collect();
        Ok((both, known, shown))
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

#[cfg(test)]
mod tests {
    //! Rationale: what is proven without RAMs holds whatever they hold, so that only what they hold can make
    //! a proof of it fail; a port that is left out, or a word that the faulty design reads alone, proves
    //! what is wrong.
    use cotenant_netlist::fault::find;

    use super::super::tests::prover;
    use super::*;
    use crate::unit::mgmt::Umon;

    #[test]
    fn a_unit_is_followed_without_its_rams() {
        prover::<Umon, _>("small", |prover| {
            let netlist = prover.netlist;
            let mut steady = |fault: &str| {
                let faulty = netlist.with_fault(&find(netlist, fault).unwrap()).unwrap();
                let both = prover.beside(&faulty);
                let (question, known, shown) = prover.whatever_rams_hold(both).unwrap();
                assert!(question.rams.is_empty() && !known.is_empty());
                assert!(shown > netlist.outputs.len());
                let question = prover.legally(question, known, shown).unwrap();
                let starts = |flop: usize, bit| question.regs[flop].init.bit(bit as u64);
                abc::stays_low(&Aig::new(&question), starts, prover.patience)
            };
            let looks = "missing reset: lookup_tag";
            assert_eq!(steady(looks), Steady::Always);
            // It writes another tag, which no output shows in that cycle.
            let writes = "stuck bit: bit 0 of lookup_tag at 1";
            assert!(matches!(steady(writes), Steady::Until(_)));
        });
    }
}
