//! The ports of the cycle before, for what a protocol demands from one cycle to the next.

use cotenant_netlist::graph::Op;
use cotenant_netlist::{Netlist, Output, Reg};

/// Adds a flop for each of the first `inputs` inputs, and for each output from `values` on, which is
/// one no longer: what the port had in the cycle before, and 0 at power-up.
pub(super) fn remember(netlist: &mut Netlist, inputs: usize, values: usize) {
    let values = netlist.outputs.split_off(values);
    let inputs = (0..).zip(netlist.inputs.iter().take(inputs));
    let inputs = inputs.map(|(index, input)| (input.name.clone(), Op::Input(index), input.width));
    for (name, op, width) in inputs.collect::<Vec<_>>() {
        let node = netlist.graph.raw(op, width);
        add(netlist, Output { name, node });
    }
    for value in values {
        add(netlist, value);
    }
}

fn add(netlist: &mut Netlist, Output { name, node }: Output) {
    let width = netlist.graph.width(node);
    let flop = Op::Reg(netlist.regs.len() as u32);
    netlist.regs.push(Reg {
        name: format!("before {name}"),
        width,
        init: 0u8.into(),
        q: netlist.graph.raw(flop, width),
        d: node,
        reset: netlist.graph.constant(0u8, 1),
        next: node,
    });
}

#[cfg(test)]
mod tests {
    //! Rationale: a protocol is no stricter than stimulus, and not empty; a fault that shows to a
    //! master that breaks it, and to no other, is proven with it and shown without.
    use cotenant_golden::Model;
    use cotenant_netlist::fault::find;
    use cotenant_netlist::sim::{Engine, Sim};
    use cotenant_units::table;

    use super::super::logic::over;
    use super::super::reset::NoProof;
    use super::super::tests::{is_high, prover, spoilt};
    use super::super::{Moment, Proof};
    use super::*;
    use crate::unit::bus::{LlcMonitorAxi, ManagedLlcApb, MemIssueApb, MemIssueAxi};
    use crate::verify::facts::Facts;
    use crate::verify::interface::{Packer, Port};
    use crate::verify::stimulus::{stream, Drive, Mix, Random, Source};

    const SEED: u64 = 0x9e37;

    fn stimulus_keeps_to_it<U: Drive + Facts>(set: &str) {
        let set = table::set(U::NAME, set).unwrap();
        let params = U::params(&set).unwrap();
        let mut netlist = U::netlist(&set).unwrap();
        let inputs = netlist.inputs.len();
        remember(&mut netlist, inputs, 0);
        let ports = U::inputs(&params);
        let mut terms = over(&mut netlist, &ports, Moment::Now);
        let formulas = U::protocol(&params, &mut terms);
        let node = terms.all(formulas).into();
        assert_eq!(terms.missing(), [""; 0]);
        let name = "kept".to_owned();
        netlist.outputs = vec![Output { name, node }];
        let mut sim = Sim::with_engine(&netlist, Engine::Interpreter).unwrap();
        let mut model = U::model(&params).unwrap();
        let mut stimulus = stream::<U>(&params, Mix::default(), SEED);
        let mut random = Random::new(SEED);
        let mut input = U::idle(&params);
        let mut words = vec![0; ports.iter().map(Port::words).sum()];
        let mut broken = 0;
        for cycle in 0..5000 {
            assert!(stimulus.input(&params, &model, &mut input));
            U::pack_in(&params, &input, &mut Packer::new(&mut words));
            let kept = |sim: &mut Sim, words: &[u64]| is_high("kept", sim, &ports, words);
            let spoilt = spoilt(&ports, &words, &mut random);
            broken += u32::from(!kept(&mut sim, &spoilt));
            assert!(kept(&mut sim, &words), "{} {cycle}: {input:?}", U::NAME);
            sim.step();
            model.step(&input);
        }
        assert!(broken > 100, "{}: {broken}", U::NAME);
    }

    #[test]
    fn masters_keep_to_it() {
        stimulus_keeps_to_it::<MemIssueApb>("small");
        stimulus_keeps_to_it::<MemIssueAxi>("small");
        stimulus_keeps_to_it::<LlcMonitorAxi>("small");
        stimulus_keeps_to_it::<ManagedLlcApb>("small");
    }

    #[test]
    fn what_another_master_shows_is_no_fault() {
        prover::<MemIssueApb, _>("small", |prover| {
            let name = "swapped operands: Mux of registers.port.hit_register.d";
            let fault = find(prover.netlist, name).unwrap();
            assert_eq!(prover.prove_from_reset(&fault), Ok(Proof::FromReset));
            prover.protocol = Box::new(|_| Vec::new());
            let shown = prover.prove_from_reset(&fault);
            assert!(matches!(shown, Err(NoProof::Shown { .. })), "{shown:?}");
        });
    }
}
