//! Bits of flops that can show.

use std::collections::HashMap;

use cotenant_netlist::blast::{Aig, Leaf, Root};
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

/// Of each flop the bits that an output or a port of a RAM depends on, now or in a later cycle, in
/// one of the netlists at least. Both have the same flops. What a netlist shows does not depend on
/// the other bits: two designs that agree in these bits after each edge show the same.
pub fn observed(netlists: [&Netlist; 2]) -> Vec<BigUint> {
    let mut logic = netlists.map(Logic::new);
    let mut observed = vec![BigUint::default(); netlists[0].regs.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for logic in &mut logic {
        logic.reach(logic.shown.clone(), &mut open);
    }
    while let Some((flop, bit)) = open.pop() {
        if !observed[flop].bit(bit as u64) {
            observed[flop].set_bit(bit as u64, true);
            for logic in &mut logic {
                logic.reach(vec![logic.next[&(flop, bit)]], &mut open);
            }
        }
    }
    observed
}

/// The logic of a netlist, and what was reached of it.
struct Logic {
    aig: Aig,
    /// Variables of outputs and ports of RAMs.
    shown: Vec<usize>,
    /// Of what a bit of a flop takes at the edge.
    next: HashMap<(usize, usize), usize>,
    reached: Vec<bool>,
}

impl Logic {
    fn new(netlist: &Netlist) -> Self {
        let aig = Aig::new(netlist);
        let (mut shown, mut next) = (Vec::new(), HashMap::new());
        for &(root, lit) in &aig.roots {
            match root {
                Root::Next(flop, bit) => {
                    next.insert((flop, bit), lit.variable());
                }
                Root::Output(..) | Root::Ram(..) => shown.push(lit.variable()),
            }
        }
        Self {
            reached: vec![false; 1 + aig.leaves.len() + aig.gates.len()],
            aig,
            shown,
            next,
        }
    }

    /// Adds the flops' bits that these depend on and that were not reached before.
    fn reach(&mut self, mut stack: Vec<usize>, open: &mut Vec<(usize, usize)>) {
        let gates = 1 + self.aig.leaves.len();
        while let Some(variable) = stack.pop() {
            if std::mem::replace(&mut self.reached[variable], true) {
                continue;
            }
            if variable >= gates {
                let operands = self.aig.gates[variable - gates];
                stack.extend(operands.map(|lit| lit.variable()));
            } else if variable > 0 {
                if let Leaf::Reg(flop, bit) = self.aig.leaves[variable - 1] {
                    open.push((flop, bit));
                }
            }
        }
    }
}
