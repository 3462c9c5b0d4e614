//! The README's table of units.

use super::page::source;
use super::{Error, FOLDER};
use crate::registry::UNITS;

/// One line per unit: what it does, the number of its parameter sets that are tested, its source.
pub(super) fn table() -> Result<String, Error> {
    let mut out =
        String::from("| unit | what it does | tested sets | source |\n|---|---|---|---|\n");
    for unit in UNITS {
        let sets = unit.sets()?;
        let netlist = unit.netlist(&sets[0])?;
        out += &format!(
            "| [`{name}`]({FOLDER}/{name}.md) | {} | {} | {} |\n",
            unit.summary(),
            sets.len(),
            source(&netlist),
            name = unit.name(),
        );
    }
    Ok(out)
}
