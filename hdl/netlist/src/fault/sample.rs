//! Enumerates the faults of a netlist, and draws a random sample of each kind.

use std::collections::HashSet;

use super::{apply, Fault, KINDS};
use crate::graph::Op;
use crate::Netlist;

/// Every place that a fault can be in, in a fixed order.
pub fn candidates(netlist: &Netlist) -> Vec<Fault> {
    let mut faults = vec![];
    for (reg, r) in netlist.regs.iter().enumerate() {
        faults.push(Fault::LostWrite { reg });
        // To a flop that never changes a reset is nothing.
        let changes = netlist.graph.value(r.next).is_none();
        if changes && netlist.graph.value(r.reset).is_none() {
            faults.push(Fault::MissingReset { reg });
        }
        for bit in 0..r.width {
            // Nor is being stuck at what it is.
            let same = |value| !changes && r.init.bit(bit as u64) == value;
            let values = [false, true].into_iter().filter(|&value| !same(value));
            faults.extend(values.map(|value| Fault::StuckBit { reg, bit, value }));
        }
    }
    for (ram, r) in netlist.rams.iter().enumerate() {
        faults.push(Fault::LostRamWrite { ram });
        for bit in 0..r.width {
            faults.extend([false, true].map(|value| Fault::StuckRamBit { ram, bit, value }));
        }
    }
    let live = netlist.live();
    let input = |node: &crate::graph::NodeId| match netlist.graph.op(*node) {
        Op::Input(input) => Some(*input as usize),
        _ => None,
    };
    // A port that a variant does not read is no place.
    let read: HashSet<usize> = live.iter().filter_map(input).collect();
    for (input, i) in netlist.inputs.iter().enumerate() {
        if !read.contains(&input) {
            continue;
        }
        for bit in 0..i.width {
            faults.extend([false, true].map(|value| Fault::StuckInput { input, bit, value }));
        }
    }
    for node in live {
        let kinds = [
            Fault::SwappedOperands { node },
            Fault::OffByOne { node },
            Fault::WrongOperation { node },
        ];
        let bits = 0..netlist.graph.width(node);
        let stuck = bits.flat_map(|bit| [(bit, false), (bit, true)]);
        let stuck = stuck.map(|(bit, value)| Fault::StuckNet { node, bit, value });
        faults.extend(
            kinds
                .into_iter()
                .chain(stuck)
                .filter(|fault| apply::fits(netlist, fault)),
        );
    }
    faults
}

/// Every bit of every output, stuck at either value. They are not among the [`candidates`]: what a
/// port shows is all that they change, so that whoever compares it sees them. They tell whether it
/// is compared at all.
pub fn at_outputs(netlist: &Netlist) -> Vec<Fault> {
    let outputs = netlist.outputs.iter().enumerate();
    let bits = outputs
        .flat_map(|(output, o)| (0..netlist.graph.width(o.node)).map(move |bit| (output, bit)));
    bits.flat_map(|(output, bit)| {
        [false, true].map(|value| Fault::StuckOutput { output, bit, value })
    })
    .collect()
}

/// `count` faults, or all if there are fewer: of each kind equally many as
/// far as there are, chosen by `seed`, the same on every machine.
pub fn sample(netlist: &Netlist, count: usize, seed: u64) -> Vec<Fault> {
    let mut by_kind: Vec<Vec<Fault>> = vec![vec![]; KINDS.len()];
    for fault in candidates(netlist) {
        let kind = KINDS.iter().position(|kind| *kind == fault.kind());
        by_kind[kind.unwrap_or_default()].push(fault);
    }
    let mut random = SplitMix(seed);
    for faults in &mut by_kind {
        for last in (1..faults.len()).rev() {
            faults.swap(last, random.below(last + 1));
        }
    }
    let rounds = by_kind.iter().map(Vec::len).max().unwrap_or_default();
    let round = |n: usize| by_kind.iter().filter_map(move |faults| faults.get(n));
    (0..rounds).flat_map(round).take(count).copied().collect()
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
