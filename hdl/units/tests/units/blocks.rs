//! The units as compiled rust-hdl blocks.
//!
//! Rationale: everything else builds units from their descriptions, for parameters of run time. A
//! description is made by our macro; that it is the hardware that `update()` is, is shown here, for
//! sets that have every choice between circuits: the syntax tree of the compiled block is that of
//! the description, and the netlist does what `update()` does.

use crate::agree::{any_value, compare_block, Restarts};
use crate::compiled::{Compiled, BLOCKS};
use cotenant_netlist::describe::Description;
use cotenant_netlist::same_description;
use cotenant_units::table::{self, ParameterSet};
use std::collections::BTreeSet;
use std::ops::Range;

/// Every value of what chooses between circuits, and a width that is no power of two.
#[test]
fn every_choice_between_circuits_is_compiled() {
    for unit in table::units() {
        let names = table::parameters(unit).unwrap();
        // Of an array, an element is like the others.
        let values = |at: &Range<usize>, sets: &[ParameterSet]| -> BTreeSet<usize> {
            let of = names[at.clone()].iter();
            of.flat_map(|name| sets.iter().filter_map(|set| set.value(name)))
                .collect()
        };
        let listed = table::sets(unit).unwrap();
        let compiled = BLOCKS.iter().filter(|block| block.unit == unit);
        let compiled: Vec<_> = compiled.map(Compiled::set).collect();
        for (name, at) in table::grouped(&names) {
            let (listed, compiled) = (values(&at, &listed), values(&at, &compiled));
            let choice = name == "STAGES" || listed.iter().all(|value| *value <= 1);
            match choice && !behind_bus(unit) {
                true => assert!(listed.is_subset(&compiled), "{unit} {name}: {compiled:?}"),
                false => assert!(compiled.len() > 1 || listed.len() == 1, "{unit} {name}"),
            }
        }
        let odd = |block: &Compiled| {
            block.unit == unit && !block.set().values().all(usize::is_power_of_two)
        };
        assert!(BLOCKS.iter().any(odd), "{unit}");
    }
}

/// Those have no description yet.
fn behind_bus(unit: &str) -> bool {
    unit.ends_with("_apb") || unit.ends_with("_axi")
}

fn description(compiled: &Compiled) -> Description {
    let definition = table::definition(compiled.unit).unwrap();
    let values: Vec<usize> = compiled.set().values().collect();
    definition.describe(compiled.unit, &values).unwrap()
}

#[test]
fn a_description_is_that_of_the_compiled_block() {
    for compiled in BLOCKS {
        let set = compiled.set();
        if behind_bus(compiled.unit) {
            continue;
        }
        let same = same_description(&*compiled.block(), &description(compiled));
        assert_eq!(same, Ok(()), "{} {}", compiled.unit, set.name);
    }
}

#[test]
fn another_sets_description_differs() {
    for pair in BLOCKS
        .windows(2)
        .filter(|pair| pair[0].unit == pair[1].unit)
    {
        if !behind_bus(pair[0].unit) {
            assert!(same_description(&*pair[1].block(), &description(&pair[0])).is_err());
        }
    }
}

/// Cycles on `update()`, which is slow where there is much of it: so that each set takes about as
/// long.
fn cycles(flops: usize) -> usize {
    (100_000 / flops.max(1)).clamp(60, 1000)
}

#[test]
fn the_netlist_does_what_update_does() {
    for compiled in BLOCKS {
        let set = compiled.set();
        let netlist = table::netlist(compiled.unit, &set).unwrap().unwrap();
        let cycles = cycles(netlist.regs.len());
        let block = compiled.block();
        let seen = compare_block(block, &netlist, cycles, Restarts::Now, &any_value);
        assert!(seen.is_ok(), "{} {}: {seen:?}", compiled.unit, set.name);
    }
}
