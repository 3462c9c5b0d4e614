//! Counterexamples in words: where they show, and the values that bring them about.

use std::collections::BTreeMap;

use cotenant_netlist::blast::Leaf;
use cotenant_netlist::graph::NodeId;
use cotenant_netlist::sim::{Engine, Sim, SimError};
use cotenant_netlist::{Netlist, Output};

/// Values by the names of ports and flops; those that are zero are left out.
pub(super) type Words<'a> = BTreeMap<&'a str, Vec<u64>>;

pub(super) fn words<'a>(netlist: &'a Netlist, values: &[(Leaf, bool)]) -> Words<'a> {
    let mut words = Words::new();
    for &(leaf, _) in values.iter().filter(|(_, value)| *value) {
        let (name, bit) = match leaf {
            Leaf::Input(i, bit) => (&netlist.inputs[i].name, bit),
            Leaf::Reg(i, bit) => (&netlist.regs[i].name, bit),
            Leaf::RamData(i, bit) => (&netlist.rams[i].name, bit),
        };
        let word = words.entry(name).or_default();
        if word.len() <= bit / 64 {
            word.resize(bit / 64 + 1, 0);
        }
        word[bit / 64] |= 1 << (bit % 64);
    }
    words
}

/// The same as text.
pub(super) fn at(words: &Words<'_>) -> String {
    let hex = |word: &[u64]| -> String {
        let (high, rest) = word.split_last().unwrap_or((&0, &[]));
        let rest = rest.iter().rev().map(|word| format!("{word:016x}"));
        format!("{high:#x}") + &rest.collect::<String>()
    };
    let at: Vec<String> = words
        .iter()
        .map(|(name, word)| format!("{name} {}", hex(word)))
        .collect();
    match at.is_empty() {
        true => "all zero".into(),
        false => at.join(", "),
    }
}

/// Where a counterexample shows, and its ports and flops that are not zero.
pub(super) fn shown(
    netlist: &Netlist,
    values: &[(Leaf, bool)],
    bad: &[(String, NodeId)],
) -> String {
    let words = words(netlist, values);
    let places = places(netlist, &words, bad).unwrap_or_default();
    format!("in {} at {}", places.join(", "), at(&words))
}

/// The names of those that are set at these values.
fn places<'a>(
    netlist: &Netlist,
    words: &Words<'_>,
    bad: &'a [(String, NodeId)],
) -> Result<Vec<&'a str>, SimError> {
    let mut netlist = netlist.clone();
    let outputs = bad.iter().enumerate().map(|(i, (_, node))| Output {
        name: i.to_string(),
        node: *node,
    });
    netlist.outputs = outputs.collect();
    let mut sim = Sim::with_engine(&netlist, Engine::Interpreter)?;
    let layout = sim.layout();
    let leaves = layout.inputs().chain(layout.registers());
    let leaves: Vec<_> = leaves.map(|(name, slot)| (words.get(name), slot)).collect();
    for (word, slot) in leaves {
        sim.set_words(slot, word.map_or(&[], |word| word));
    }
    sim.eval();
    let mut places = Vec::new();
    for (i, (name, _)) in bad.iter().enumerate() {
        if sim.output(&i.to_string())? == 1 && !places.contains(&name.as_str()) {
            places.push(name.as_str());
        }
    }
    Ok(places)
}
