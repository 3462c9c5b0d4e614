//! The weakest claim: from power-up, no legal inputs make the fault visible at an output.
//!
//! Nothing is said of single states, so that it needs no invariants, and takes the prover longer.

use cotenant_netlist::blast::Aig;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::Op;
use cotenant_netlist::{Netlist, Output, Reg};

use super::terms::Moment;
use super::{abc, Proof, Prover};
use crate::verify::fault::Facts;

impl<U: Facts> Prover<'_, U> {
    /// A proof, or why there is none.
    pub fn prove_from_reset(&self, fault: &Fault) -> Result<Proof, String> {
        if !self.netlist.rams.is_empty() {
            return Err("the design has RAM".into());
        }
        let faulty = self.netlist.with_fault(fault);
        let mut question = self.beside(&faulty.map_err(|error| error.to_string())?);
        let legal = self.terms(&mut question, Moment::Now, self.assumptions)?;
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
        abc::stays_low(&Aig::new(&question), starts)?;
        Ok(Proof::FromReset)
    }

    /// Both designs on the same inputs, each with flops of its own; each output says whether the
    /// two differ there.
    fn beside(&self, faulty: &Netlist) -> Netlist {
        let own = self.netlist.regs.len();
        let moved = faulty.rewritten(|graph, old, new| match *graph.op(old) {
            Op::Reg(flop) => {
                let width = graph.width(old);
                graph.raw(Op::Reg(flop + own as u32), width)
            }
            _ => new,
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
        for (output, other) in both.outputs.iter_mut().zip(&moved.outputs) {
            let same = both.graph.eq(output.node, other.node);
            output.node = both.graph.not(same);
        }
        both
    }
}
