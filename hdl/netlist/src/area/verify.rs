//! The mapped netlist against the netlist's own gates, on random vectors.

use super::mapping::{Mapped, Values};
use super::network::Sink;
use crate::blast::{Aig, Leaf, Lit, RamPort, Root};
use crate::Netlist;

/// Batches of 64 vectors.
const BATCHES: u64 = 16;

/// A scrambled counter: any bits that are not a pattern will do.
fn scramble(mut x: u64) -> u64 {
    for shift in [30, 27, 31] {
        x = (x ^ x >> shift).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

/// Values of the netlist's gates, blasted without any of the mapper's
/// choices.
fn reference(aig: &Aig, leaf: &dyn Fn(Leaf) -> u64) -> Vec<u64> {
    let mut values = vec![0];
    values.extend(aig.leaves.iter().map(|at| leaf(*at)));
    for [a, b] in &aig.gates {
        values.push(value(&values, *a) & value(&values, *b));
    }
    values
}

fn value(values: &[u64], lit: Lit) -> u64 {
    let plain = values[lit.variable()];
    if lit.is_inverted() {
        !plain
    } else {
        plain
    }
}

/// The first bit in which they differ, if there is one.
pub(crate) fn verify(netlist: &Netlist, mapped: &Mapped) -> Option<String> {
    let aig = Aig::new(netlist);
    let network = &mapped.network;
    for batch in 0..BATCHES {
        let leaf = |leaf: Leaf| {
            if let Some(&constant) = network.constants.get(&leaf) {
                return if constant { u64::MAX } else { 0 };
            }
            let (kind, index, bit) = match leaf {
                Leaf::Input(index, bit) => (0, index, bit),
                Leaf::Reg(index, bit) => (1, index, bit),
                Leaf::RamData(index, bit) => (2, index, bit),
            };
            let number = (kind << 60) | (index as u64) << 40 | (bit as u64) << 20 | batch;
            scramble(number)
        };
        let expected = reference(&aig, &leaf);
        let mut values = Values::new(mapped, &leaf);
        let flops = network.flops.iter().enumerate();
        let flops: std::collections::HashMap<Leaf, usize> =
            flops.map(|(at, (leaf, _))| (*leaf, at)).collect();
        for &(root, lit) in &aig.roots {
            let found = match root {
                Root::Next(index, bit) => match flops.get(&Leaf::Reg(index, bit)) {
                    Some(&at) => {
                        let (q, flop) = network.flops[at];
                        let (d, enable, reset) = (
                            values.lit(flop.d),
                            values.lit(flop.enable),
                            values.lit(flop.reset),
                        );
                        let set = if flop.value { u64::MAX } else { 0 };
                        let next = enable & d | !enable & leaf(q);
                        match mapped.architecture.enable_gates_reset() {
                            true => enable & (reset & set | !reset & d) | !enable & leaf(q),
                            false => reset & set | !reset & next,
                        }
                    }
                    None => continue,
                },
                Root::Ram(index, ..) if !network.rams.contains(&index) => continue,
                _ => {
                    let lit = network.sinks.iter().find(|s| s.0 == Sink::Root(root));
                    values.lit(lit.expect("outputs and live RAMs are sinks").1)
                }
            };
            let _ = RamPort::ReadAddress;
            if found != value(&expected, lit) {
                return Some(format!("{root:?} differs in batch {batch}"));
            }
        }
    }
    None
}
