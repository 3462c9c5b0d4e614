//! The table of verification status and area of all units.

use std::fmt::Write;

use cotenant_netlist::area::{Architecture, Area};
use cotenant_netlist::fault::candidates;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};

use super::mutation::Summary;
use crate::registry::AnyUnit;
use crate::verify::coverage::CrossReport;

/// A line of the table.
pub(super) struct Status {
    unit: &'static str,
    set: &'static str,
    /// Parameter sets, and those that every test takes.
    sets: (usize, usize),
    /// Bins that stimulus has to reach.
    bins: usize,
    /// Places where a fault can be seeded.
    places: usize,
    /// Properties proven of the exported Verilog, and seeded faults that the proofs find.
    proofs: (usize, usize),
    area: Area,
    /// Of the sets that the tests take, those of the mutation table.
    pub(super) measured: Summary,
}

impl Status {
    /// Of a unit; `set` is the one shown, `proven` the lines of the table of proofs about it.
    pub(super) fn of(
        unit: &dyn AnyUnit,
        sets: &[ParameterSet],
        set: &ParameterSet,
        (netlist, crosses): (&Netlist, &[CrossReport]),
        area: Area,
        proven: &str,
    ) -> Result<Self, crate::Error> {
        Ok(Self {
            unit: unit.name(),
            set: set.name,
            sets: (sets.len(), table::test_sets(unit.name())?.len()),
            bins: crosses.iter().map(|cross| cross.total).sum(),
            places: candidates(netlist).len(),
            proofs: (proven.lines().count(), proven.lines().map(seeded).sum()),
            area,
            measured: Summary::default(),
        })
    }
}

/// Seeded faults in a line of the table of proofs: its last cell, `12, at 5 outputs`.
fn seeded(line: &str) -> usize {
    let last = line.trim_end_matches(['|', ' ']).rsplit(" | ").next();
    let number = last.and_then(|cell| cell.split(',').next()?.parse().ok());
    number.unwrap_or(0)
}

/// The page with the table.
pub(super) fn page(units: &[Status]) -> String {
    let mut out = String::from(
        "# Units\n\n<!-- Written by `cotenant pages` from the units and the table of proofs; do not edit. -->\n\n\
         How each unit is verified, and how large it is. Each link of the chain is described in \
         [verification](../verification.md).\n\n\
         - *parameter sets*: all of them are checked in lockstep with the golden model; *tested*: the number \
         of sets that go through every test: functional coverage, fault injection, Icarus and Verilator on the \
         exported Verilog, equivalence checking by Yosys and abc.\n\
         - *shown*: the parameter set to which the following columns refer.\n\
         - *coverage bins*: bins of functional coverage, all of which the stimulus has to hit.\n\
         - *fault sites*: places at which a fault can be injected. The tests sample them; every sampled fault is \
         detected or proven to have no effect.\n\
         - *measured*: the number of tested parameter sets in which a fault was injected at every site \
         ([mutation table](../verification.md#mutation-table)); *open*: how many of those faults are neither \
         detected nor proven to have no effect.\n\
         - *proofs*: unbounded proofs of properties of the exported Verilog; *seeded faults*: faults of the \
         netlist that the proofs find ([proofs](../../scripts/formal/README.md)).\n\
         - Flops and RAM bits are exact; numbers of look-up tables are estimated from the netlist.\n\n\
         | unit | parameter sets | tested | shown | coverage bins | fault sites | measured | open | proofs | seeded faults | flops | RAM bits | LUT4 | LUT6 |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for status in units {
        let luts = Architecture::ALL.map(|family| {
            let found = status.area.mapping(family);
            found.map_or("-".into(), |found| found.luts.to_string())
        });
        let Summary {
            sets, places, open, ..
        } = status.measured;
        let (sets, open) = match sets {
            0 => ("none".into(), "not measured".into()),
            _ => (sets.to_string(), format!("{open} of {places}")),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| [`{name}`]({name}.md) | {} | {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            status.sets.0,
            status.sets.1,
            status.set,
            status.bins,
            status.places,
            sets,
            open,
            status.proofs.0,
            status.proofs.1,
            status.area.flop_bits,
            status.area.ram_bits,
            luts.join(" | "),
            name = status.unit,
        );
    }
    let all: Summary = units.iter().map(|status| status.measured).sum();
    let tested: usize = units.iter().map(|status| status.sets.1).sum();
    let _ = writeln!(
        out,
        "\nThe mutation table has {} of {tested} tested parameter sets so far: {} fault sites in {} core \
         seconds, on machines that did other work, too; {} of them are open.",
        all.sets, all.places, all.core_seconds, all.open
    );
    out
}

#[cfg(test)]
mod tests {
    //! Rationale: the numbers are counted from texts; a cell that is read wrongly counts wrongly.
    use super::*;

    #[test]
    fn seeded_faults_are_those_of_the_last_cell() {
        let line = "| equal: 3, or 4 | `2x2`, `3x3` | sat | 12, at 5 outputs |";
        assert_eq!(seeded(line), 12);
        assert_eq!(seeded("| equal: a, b | `2` | sat | 7, inside |"), 7);
    }
}
