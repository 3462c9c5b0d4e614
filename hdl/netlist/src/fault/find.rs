//! Finds the fault that a text names.

use super::{apply, Described, Fault, UnknownFault};
use crate::graph::NodeId;
use crate::Netlist;

/// The fault that [`Described`] words so.
///
/// # Errors
/// [`UnknownFault`] if there is none in this netlist.
pub fn find(netlist: &Netlist, words: &str) -> Result<Fault, UnknownFault> {
    let candidates = possible(netlist, words).unwrap_or_default();
    let same = |fault: &Fault| {
        apply::fits(netlist, fault) && Described(netlist, fault).to_string() == words
    };
    let found = candidates.into_iter().find(same);
    found.ok_or_else(|| UnknownFault(words.into()))
}

/// Faults of any kind in the place that is named.
fn possible(netlist: &Netlist, words: &str) -> Option<Vec<Fault>> {
    let (_, place) = words.split_once(": ")?;
    let (place, bit, value) = match place.strip_prefix("bit ") {
        None => (place, 0, false),
        Some(stuck) => {
            let (bit, place) = stuck.split_once(" of ")?;
            let (place, value) = place.rsplit_once(" at ")?;
            (place, bit.parse().ok()?, value == "1")
        }
    };
    let mut faults = vec![];
    if let Some(reg) = netlist.regs.iter().position(|r| r.name == place) {
        faults.extend([
            Fault::StuckBit { reg, bit, value },
            Fault::LostWrite { reg },
            Fault::MissingReset { reg },
        ]);
    }
    if let Some(ram) = netlist.rams.iter().position(|r| r.name == place) {
        faults.extend([
            Fault::StuckRamBit { ram, bit, value },
            Fault::LostRamWrite { ram },
        ]);
    }
    if let Some(input) = netlist.inputs.iter().position(|i| i.name == place) {
        faults.push(Fault::StuckInput { input, bit, value });
    }
    if let Some(output) = netlist.outputs.iter().position(|o| o.name == place) {
        faults.push(Fault::StuckOutput { output, bit, value });
    }
    for node in operations(netlist, place) {
        faults.extend([
            Fault::StuckNet { node, bit, value },
            Fault::SwappedOperands { node },
            Fault::OffByOne { node },
            Fault::WrongOperation { node },
        ]);
    }
    Some(faults)
}

/// The operations that `Add of NAME` or `Add in NAME, node 17` can be.
fn operations(netlist: &Netlist, place: &str) -> Vec<NodeId> {
    if let Some((_, number)) = place.rsplit_once(", node ") {
        return number.parse().map(NodeId).into_iter().collect();
    }
    let Some((_, name)) = place.split_once(" of ") else {
        return vec![];
    };
    let signals = netlist.signals.iter().filter(|s| s.name == name);
    let outputs = netlist.outputs.iter().filter(|o| o.name == name);
    let regs = netlist.regs.iter().filter(|r| r.name == name);
    signals
        .map(|s| s.node)
        .chain(outputs.map(|o| o.node))
        .chain(regs.map(|r| r.next))
        .collect()
}
