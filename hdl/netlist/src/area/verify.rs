//! Compares the mapped netlist with the netlist's own gates on random input vectors.

use super::control::FlopBit;
use super::mapping::{Mapped, Places, Values};
use super::network::Sink;
use crate::blast::{Aig, Leaf, Lit, Root};
use std::collections::HashMap;

/// Batches of 64 vectors.
const BATCHES: u64 = 16;

/// A scrambled counter: any bits that are not a pattern will do.
fn scramble(mut x: u64) -> u64 {
    for shift in [30, 27, 31] {
        x = (x ^ x >> shift).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

/// Bits of which, by turns, 1/2, 63/64, 1/64 and 7/8 are set: what needs many
/// bits at once, as a full counter, would hardly come about else.
fn biased(number: u64, batch: u64) -> u64 {
    let more = |count: u64| (1..=count).map(move |at| scramble(number ^ at << 56));
    match batch % 4 {
        0 => scramble(number),
        1 => more(6).fold(0, |all, bits| all | bits),
        2 => more(6).fold(u64::MAX, |all, bits| all & bits),
        _ => more(3).fold(0, |all, bits| all | bits),
    }
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
///
/// `aig` is the netlist's own; a flop's next value is made of data, enable
/// and reset as the architecture's flop does it.
pub(crate) fn verify(aig: &Aig, mapped: &Mapped) -> Option<String> {
    let network = &mapped.network;
    let places = Places::new(mapped);
    let flops = network.flops.iter();
    let flops: HashMap<Leaf, FlopBit> = flops.copied().collect();
    for batch in 0..BATCHES {
        let leaf = |leaf: Leaf| {
            let leaf = match network.replaced.resolve(leaf) {
                Err(constant) => return if constant { u64::MAX } else { 0 },
                Ok(leaf) => leaf,
            };
            let (kind, index, bit) = match leaf {
                Leaf::Input(index, bit) => (0, index, bit),
                Leaf::Reg(index, bit) => (1, index, bit),
                Leaf::RamData(index, bit) => (2, index, bit),
            };
            let number = (kind << 60) | (index as u64) << 40 | (bit as u64) << 20 | batch;
            biased(number, batch)
        };
        let expected = reference(aig, &leaf);
        let mut values = Values::new(&places, &leaf);
        for &(root, lit) in &aig.roots {
            let found = match root {
                Root::Next(index, bit) => {
                    let q = Leaf::Reg(index, bit);
                    // A bit that is replaced has to follow its replacement.
                    let kept = match network.replaced.resolve(q) {
                        Err(constant) => {
                            let held = if constant { u64::MAX } else { 0 };
                            if value(&expected, lit) != held {
                                return Some(format!("{root:?} is not constant"));
                            }
                            continue;
                        }
                        Ok(kept) => kept,
                    };
                    let Some(flop) = flops.get(&kept) else {
                        continue;
                    };
                    let [d, enable, reset] =
                        [flop.d, flop.enable, flop.reset].map(|lit| values.lit(lit));
                    let set = if flop.value { u64::MAX } else { 0 };
                    match mapped.architecture.enable_gates_reset() {
                        true => enable & (reset & set | !reset & d) | !enable & leaf(q),
                        false => reset & set | !reset & (enable & d | !enable & leaf(q)),
                    }
                }
                Root::Ram(index, ..) if !network.rams.contains(&index) => continue,
                // Outputs and ports of RAMs that count are sinks.
                _ => values.sink(Sink::Root(root)),
            };
            if found != value(&expected, lit) {
                return Some(format!("{root:?} differs"));
            }
        }
    }
    None
}
