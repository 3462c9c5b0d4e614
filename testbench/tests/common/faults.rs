//! A fault of each unit that every tool which compares must see.
//!
//! No list of faults is kept. Of a sample of the faults of the unit's netlist, the first is taken
//! that changes an output while the netlist plays the vectors of an export, as this crate's own
//! simulator finds; the tools then have to find it, too. The kind to begin with depends on the
//! unit's name, so that the units' faults are of several kinds.

use std::sync::OnceLock;

use cotenant::registry::find as unit_of;
use cotenant::verify::lockstep::Flow;
use cotenant::verify::vectors::{Place, Vectors};
use cotenant_netlist::fault::{find, sample, Described, Fault};
use cotenant_netlist::sim::{Sim, Slot};
use cotenant_netlist::vectors::{Column, Reader};
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};

/// Faults that are tried: some of each kind.
const SAMPLE: usize = 64;

/// A unit, and a fault of its netlist.
#[derive(Debug)]
pub struct Faulty {
    /// Name of the unit.
    pub unit: &'static str,
    /// The first of its test sets.
    pub set: &'static str,
    /// The fault, as `cotenant export --list-faults` words it.
    pub fault: String,
    /// One of [`cotenant_netlist::fault::KINDS`].
    pub kind: &'static str,
}

/// One of each unit.
pub fn faulty_units() -> &'static [Faulty] {
    static ALL: OnceLock<Vec<Faulty>> = OnceLock::new();
    ALL.get_or_init(|| table::units().into_iter().map(faulty).collect())
}

fn faulty(unit: &'static str) -> Faulty {
    let set = table::test_sets(unit).unwrap().swap_remove(0);
    let netlist = unit_of(unit).unwrap().netlist(&set).unwrap();
    let vectors = exported(unit, &set);
    assert!(!differs(&netlist, &vectors), "{unit} without a fault");
    let number: u64 = unit.bytes().map(u64::from).sum();
    let mut faults = sample(&netlist, SAMPLE, number);
    let first = number as usize % faults.len();
    faults.rotate_left(first);
    let words = |fault: &Fault| Described(&netlist, fault).to_string();
    // A flop without reset is X to Icarus and some value to the others; a test of its own has that.
    faults.retain(|fault| !matches!(fault, Fault::MissingReset { .. }));
    // The words are all that a tool is given.
    faults.retain(|fault| find(&netlist, &words(fault)).as_ref() == Ok(fault));
    let seen = |fault: &&Fault| differs(&netlist.with_fault(fault).unwrap(), &vectors);
    let fault = faults.iter().find(seen);
    let fault = fault.unwrap_or_else(|| panic!("{unit}: no fault of the sample shows"));
    Faulty {
        unit,
        set: set.name,
        fault: words(fault),
        kind: fault.kind(),
    }
}

/// The vectors of an export.
fn exported(unit: &str, set: &ParameterSet) -> Vec<u8> {
    let mut text = vec![];
    let vectors = Vectors::default().cycles(super::fewest_cycles(unit, set));
    let place = Place::Stream(&mut text);
    let unit = unit_of(unit).unwrap();
    unit.write_vectors(set, &vectors, place, &mut |_| Flow::Continue)
        .unwrap();
    text
}

/// Whether a netlist has other outputs than the vectors.
fn differs(netlist: &Netlist, vectors: &[u8]) -> bool {
    first_difference(netlist, vectors, &mut |_| ()).is_some()
}

/// The first cycle in which a netlist has other outputs than the vectors, if `after_edge` does to it
/// after each edge what it does.
pub fn first_difference(
    netlist: &Netlist,
    vectors: &[u8],
    after_edge: &mut dyn FnMut(&mut Sim),
) -> Option<u64> {
    let mut sim = Sim::new(netlist).unwrap();
    let mut vectors = Reader::new(vectors).unwrap();
    let (header, layout) = (vectors.header().clone(), sim.layout());
    let slots = |columns: &[Column], slot: &dyn Fn(&str) -> Slot| -> Vec<Slot> {
        columns.iter().map(|column| slot(&column.name)).collect()
    };
    let inputs = slots(&header.inputs, &|name| layout.input(name).unwrap());
    let outputs = slots(&header.outputs, &|name| layout.output(name).unwrap());
    let ready = header.outputs.iter().position(|port| port.name == "ready");
    let mut cycle = 0;
    while vectors.advance().unwrap() {
        let mut words = vectors.inputs();
        for &slot in &inputs {
            let (own, rest) = words.split_at(slot.words());
            sim.set_words(slot, own);
            words = rest;
        }
        sim.step();
        let (mut words, mut same, mut compared) = (vectors.outputs(), true, true);
        for (at, &slot) in outputs.iter().enumerate() {
            let (own, rest) = words.split_at(slot.words());
            same &= sim.get_words(slot) == own;
            // Before that the outputs are those of a RAM that is not yet written.
            compared &= ready != Some(at) || own == [1];
            words = rest;
        }
        if cycle >= header.compare_from && compared && !same {
            return Some(cycle);
        }
        after_edge(&mut sim);
        cycle += 1;
    }
    assert_eq!(Some(cycle), vectors.trailer().map(|trailer| trailer.cycles));
    None
}
