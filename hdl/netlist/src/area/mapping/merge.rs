//! Merges look-up tables with a single reader into that reader.
//!
//! A chain's sum needs three of an iCE40 LUT's four inputs; what is done to
//! the sum next often fits into the fourth (Yosys: `opt_lut`). The LUT of a
//! chain's bit stays at its carry, so that it keeps the carry's operands.

use super::{Lut, Signal, Table};
use crate::area::network::{Kind, Network};
use std::collections::HashMap;

/// Joins as long as there is a pair.
pub(super) fn merge(network: &Network, luts: &mut Vec<Lut>, most: usize) {
    let mut users: HashMap<usize, usize> = HashMap::new();
    for (sink, lit) in &network.sinks {
        if network.is_lut_only(*sink) {
            continue;
        }
        *users.entry(lit.variable()).or_default() += 1;
    }
    // A chain's operands are needed by the carry, and its LUT reads the same.
    for lut in luts.iter() {
        for input in &lut.inputs {
            if let Signal::Variable(variable) = input {
                *users.entry(*variable).or_default() += 1;
            }
        }
    }
    let mut of: HashMap<usize, usize> = HashMap::new();
    for (at, lut) in luts.iter().enumerate() {
        of.insert(lut.output, at);
    }
    let mut gone = vec![false; luts.len()];
    let mut at = 0;
    while at < luts.len() {
        let joined = (!gone[at]).then(|| {
            let lut = &luts[at];
            lut.inputs.iter().find_map(|input| {
                let Signal::Variable(variable) = *input else {
                    return None;
                };
                let feeder = *of.get(&variable)?;
                let alone = users[&variable] == 1 && !gone[feeder];
                let whole = !(is_chained(network, lut) && is_chained(network, &luts[feeder]));
                let fed = join(&luts[feeder], lut, most)?;
                (alone && whole).then_some((feeder, fed))
            })
        });
        match joined.flatten() {
            Some((feeder, fed)) => {
                // Signals that both read are read once now.
                for input in luts[at].inputs.iter().chain(&luts[feeder].inputs) {
                    if let Signal::Variable(variable) = input {
                        if let Some(users) = users.get_mut(variable) {
                            *users -= 1;
                        }
                    }
                }
                for input in &fed.inputs {
                    if let Signal::Variable(variable) = input {
                        *users.entry(*variable).or_default() += 1;
                    }
                }
                gone[feeder] = true;
                luts[at] = fed;
            }
            None => at += 1,
        }
    }
    let mut keep = gone.iter().map(|gone| !gone);
    luts.retain(|_| keep.next().unwrap_or(true));
}

/// It reads a carry, or is the lowest bit of a chain: its place is fixed.
fn is_chained(network: &Network, lut: &Lut) -> bool {
    matches!(network.kinds[lut.output], Kind::Sum(..))
        || lut
            .inputs
            .iter()
            .any(|input| matches!(input, Signal::Carry(..)))
}

/// `user` with `feeder` inside, if it has few enough inputs.
fn join(feeder: &Lut, user: &Lut, most: usize) -> Option<Lut> {
    let through = Signal::Variable(feeder.output);
    let mut inputs: Vec<Signal> = feeder.inputs.clone();
    inputs.extend(user.inputs.iter().filter(|input| **input != through));
    inputs.sort_unstable();
    inputs.dedup();
    if inputs.len() > most {
        return None;
    }
    let place = |signal: &Signal| inputs.iter().position(|input| input == signal);
    let look = |lut: &Lut, x: usize, middle: usize| {
        let bits = lut.inputs.iter().enumerate().map(|(at, signal)| {
            let bit = place(signal).map_or(middle, |place| x >> place & 1);
            bit << at
        });
        lut.table.get(bits.sum())
    };
    let table = Table::from_fn(|x| {
        let middle = look(feeder, x, 0);
        look(user, x, usize::from(middle))
    });
    let output = user.output;
    Some(
        Lut {
            output,
            inputs,
            table,
        }
        .on_its_support(),
    )
}
