//! The page of a unit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cotenant_netlist::area::{Architecture, Area};
use cotenant_netlist::source::{docs, StructDocs};
use cotenant_netlist::{Netlist, Reg};
use cotenant_units::table::ParameterSet;

use super::mutation::Table;
use super::prose::plain;
use super::status::Status;
use super::{Error, PROOFS};
use crate::registry::AnyUnit;
use crate::scenes::Played;
use crate::verify::coverage::CrossReport;
use crate::verify::interface::{Form, Port};

/// The page of a unit and its line in the table of all; `played` is its scene, `proofs` the text
/// with the table of proofs, `measured` what became of all fault places.
pub(super) fn page(
    unit: &dyn AnyUnit,
    played: &Played,
    proofs: &str,
    measured: &Table,
) -> Result<(String, Status), Error> {
    let name = unit.name();
    let sets = cotenant_units::table::sets(name).map_err(crate::Error::from)?;
    let shown: Vec<&ParameterSet> = sets.iter().filter(|s| !s.aliases.is_empty()).collect();
    // The ports of the set that commands take if none is named.
    let first = shown.first().copied().unwrap_or(&sets[0]);
    let usual = sets.iter().find(|set| set.aliases.contains(&"table-1"));
    let usual = usual.unwrap_or(first);
    let netlist = unit.netlist(usual)?;
    let about = netlist.module().about.clone().unwrap_or_default();
    let documented = docs(&about.documentation, &about.block);

    let mut out = format!("# `{name}`\n\n");
    let _ = writeln!(
        out,
        "<!-- Written by `cotenant pages` from the sources named below; do not edit. -->\n"
    );
    let (title, text) = split(&documented.module);
    let _ = writeln!(out, "{title}\n\n{}\n", text.trim());
    let _ = writeln!(out, "{}\n", links(unit));
    super::wave::wave(&mut out, played);
    parameters(&mut out, &sets, &shown);
    let form = unit.form(usual)?;
    ports(
        &mut out,
        usual,
        &documented.structs,
        &form.inputs,
        &form.outputs,
    );
    let area = area(&mut out, unit, &shown, usual)?;
    let crosses = unit.crosses(usual)?;
    verification(&mut out, (&form, usual), &netlist, &crosses, proofs);
    out += &measured.text()?;
    let proven = proven(name, proofs);
    let mut status = Status::of(unit, &sets, usual, (&netlist, &crosses), area, &proven)?;
    status.measured = measured.summary();
    Ok((out.trim_end().to_string() + "\n", status))
}

/// What a netlist's block cites.
pub(super) fn source(netlist: &Netlist) -> &str {
    let about = netlist.module().about.as_ref();
    about.map_or("", |about| &about.source)
}

/// The first paragraph, which says what the unit is, and the others.
fn split(module: &str) -> (String, String) {
    let text = plain(module);
    match text.split_once("\n\n") {
        Some((title, rest)) => (title.into(), rest.into()),
        None => (text, String::new()),
    }
}

/// Links to the source files of the unit.
fn links(unit: &dyn AnyUnit) -> String {
    // cotenant::unit::SIDE::STEM::TYPE; the same stem stands everywhere.
    let side = unit.path().split("::").nth(2).unwrap_or_default();
    let stem = unit.name();
    // The variants of a unit behind APB4 and AXI4-Lite differ in the RTL only.
    let behind = ["_apb", "_axi"]
        .iter()
        .find_map(|bus| stem.strip_suffix(bus));
    let shared = behind.unwrap_or(stem);
    [
        ("RTL", "hdl/units/src/SIDE/STEM.rs", stem),
        ("golden model", "golden/src/SIDE/STEM.rs", shared),
        ("testbench", "testbench/src/unit/SIDE/STEM.rs", shared),
    ]
    .map(|(name, file, stem)| {
        let file = file.replace("SIDE", side).replace("STEM", stem);
        format!("[{name}](../../{file})")
    })
    .join(", ")
}

fn parameters(out: &mut String, sets: &[ParameterSet], shown: &[&ParameterSet]) {
    out.push_str("## Parameters\n\n");
    let names: Vec<String> = sets[0].shown().into_iter().map(|(name, _)| name).collect();
    let _ = writeln!(out, "| parameter set | aliases | {} |", names.join(" | "));
    let _ = writeln!(out, "|---|---|{}", "---|".repeat(names.len()));
    for set in shown {
        let values: Vec<String> = set.shown().into_iter().map(|(_, value)| value).collect();
        let aliases: Vec<String> = set.aliases.iter().map(|a| format!("`{a}`")).collect();
        let aliases = aliases.join(", ");
        let _ = writeln!(
            out,
            "| `{}` | {aliases} | {} |",
            set.name,
            values.join(" | ")
        );
    }
    let others: Vec<String> = sets
        .iter()
        .filter(|set| set.aliases.is_empty())
        .map(|set| format!("`{}`", set.name))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(out, "\nFurther parameter sets: {}.", others.join(", "));
    }
    out.push('\n');
}

fn ports(
    out: &mut String,
    set: &ParameterSet,
    docs: &[StructDocs],
    inputs: &[Port],
    outputs: &[Port],
) {
    let _ = writeln!(out, "## Ports\n\nWidths are those of `{}`.\n", set.name);
    out.push_str("| port | direction | bits | |\n|---|---|---|---|\n");
    let doc = |name: &str| {
        // A port that is a part's is documented in another struct than the unit's own.
        let mut docs = docs.iter().filter_map(|docs| docs.field(name));
        let doc = docs.find(|doc| !doc.is_empty()).unwrap_or_default();
        let line: Vec<&str> = doc.split_whitespace().collect();
        plain(&line.join(" ")).trim_end().replace('|', "\\|")
    };
    if docs.iter().any(|docs| docs.field("clock").is_some()) {
        let _ = writeln!(out, "| `clock` | input | 1 | {} |", doc("clock"));
    }
    for (direction, ports) in [("input", inputs), ("output", outputs)] {
        for port in ports {
            let bits = match (port.elements, port.element_width) {
                (1, width) | (width, 1) => width.to_string(),
                (many, width) => format!("{} = {many} x {width}", port.width()),
            };
            let _ = writeln!(
                out,
                "| `{}` | {direction} | {bits} | {} |",
                port.name,
                doc(port.name)
            );
        }
    }
    out.push('\n');
}

/// Writes the area of the parameter sets shown; returns that of the usual one, for the table of
/// all units.
fn area(
    out: &mut String,
    unit: &dyn AnyUnit,
    shown: &[&ParameterSet],
    usual: &ParameterSet,
) -> Result<Area, Error> {
    let estimate = |set: &ParameterSet| {
        Area::of(&unit.netlist(set)?).map_err(|source| Error::Area {
            unit: unit.name(),
            set: set.name,
            source,
        })
    };
    let mut found = None;
    let _ = writeln!(
        out,
        "## Area\n\nFlop and RAM bits are exact; numbers of look-up tables are estimated from the netlist. \
         `cotenant area {} --config CONFIG --compare` compares them with Yosys.\n",
        unit.name()
    );
    out.push_str("| parameter set | flops | RAM bits | LUT4 | SB_CARRY | LUT6 | CARRY4 |\n");
    out.push_str("|---|---|---|---|---|---|---|\n");
    for set in shown {
        let area = estimate(set)?;
        let _ = write!(
            out,
            "| `{}` | {} | {} |",
            set.name, area.flop_bits, area.ram_bits
        );
        for family in Architecture::ALL {
            let found = area.mapping(family);
            let (luts, carries) = found.map_or((0, 0), |found| (found.luts, found.carries));
            let _ = write!(out, " {luts} | {carries} |");
        }
        out.push('\n');
        if set.name == usual.name {
            found = Some(area);
        }
    }
    out.push('\n');
    match found {
        Some(area) => Ok(area),
        None => estimate(usual),
    }
}

fn verification(
    out: &mut String,
    (form, set): (&Form, &ParameterSet),
    netlist: &Netlist,
    crosses: &[CrossReport],
    proofs: &str,
) {
    let _ = writeln!(
        out,
        "## Verification\n\n`cotenant check {} --config {}` runs netlist and golden model in lockstep and \
         compares every output and every register of the golden model in every cycle, and the words of RAMs \
         as they are written.\n",
        form.unit, set.name
    );
    not_compared(out, form, set, netlist);
    let _ = writeln!(
        out,
        "Functional coverage that the default stimulus has to close, for `{}`:\n\n\
         | cross | legal bins | excluded bins |\n|---|---|---|",
        set.name
    );
    for cross in crosses {
        let excluded: Vec<String> = cross
            .excluded
            .iter()
            .filter(|excluded| excluded.bins > 0)
            .map(|excluded| format!("{} ({})", excluded.bins, excluded.reason))
            .collect();
        let _ = writeln!(
            out,
            "| {}: {} | {} | {} |",
            cross.name,
            cross.axes.join(", "),
            cross.total,
            excluded.join("; ")
        );
    }
    let proven = proven(form.unit, proofs);
    if !proven.is_empty() {
        let _ = writeln!(
            out,
            "\nProperties proven of the exported Verilog ([proofs](../../{PROOFS})):\n\n\
             | property | parameter sets | engine | seeded faults found |\n|---|---|---|---|\n{proven}"
        );
    }
}

/// The flops that lockstep does not compare.
fn not_compared(out: &mut String, form: &Form, set: &ParameterSet, netlist: &Netlist) {
    let flops = unmatched(form, netlist);
    if flops.is_empty() {
        return;
    }
    // Those of an array, and of several instances, in a line.
    let mut bits: BTreeMap<String, usize> = BTreeMap::new();
    for flop in &flops {
        *bits.entry(without_subscripts(&flop.name)).or_default() += flop.width;
    }
    let all: usize = netlist.regs.iter().map(|reg| reg.width).sum();
    let _ = writeln!(
        out,
        "Of the {all} flop bits of `{}` outside RAMs {} are not compared, because the golden model has the \
         latency that comes of them as a number, or their result alone; what they do shows at outputs, \
         in registers and in RAMs:\n\n| flops | bits |\n|---|---|",
        set.name,
        bits.values().sum::<usize>()
    );
    for (name, bits) in bits {
        let _ = writeln!(out, "| `{name}` | {bits} |");
    }
    out.push('\n');
}

/// `count[2][1]` as `count[*][*]`.
fn without_subscripts(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, part| {
        let rest = part.split_once(']').map_or("", |(_, rest)| rest);
        name + "[*]" + rest
    })
}

/// The lines of the table of proofs that are about the unit, without its name.
fn proven(unit: &str, proofs: &str) -> String {
    let mut out = String::new();
    for line in proofs.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if let [name, what, rest @ ..] = cells.as_slice() {
            let mine = name.strip_prefix(&format!("`{unit}` "));
            if let (Some(property), 3) = (mine, rest.len()) {
                let _ = writeln!(out, "| {property}: {what} | {} |", rest.join(" | "));
            }
        }
    }
    out
}

/// The flops of a netlist, without those of its RAMs, that no register of the golden model is
/// compared with; of a RAM only the words are.
fn unmatched<'a>(form: &Form, netlist: &'a Netlist) -> Vec<&'a Reg> {
    let compared: BTreeSet<&str> = form.state.iter().flat_map(|f| f.probe.flops()).collect();
    let flops = netlist.regs.iter();
    flops
        .filter(|reg| !compared.contains(reg.name.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: a proof of `gdcu` is none of `plob`, and a name that begins like another is
    //! another unit.
    use super::*;

    #[test]
    fn proofs_are_those_of_the_unit() {
        let table = "| `gdcu` equal | outputs equal | `2x2` | sat | a fault |\n\
                     | `gdcu2` equal | no | no | no | no |\n| gdcu | no |\ntext `gdcu` text\n";
        assert_eq!(
            proven("gdcu", table),
            "| equal: outputs equal | `2x2` | sat | a fault |\n"
        );
        assert_eq!(proven("plob", table), "");
    }
}
