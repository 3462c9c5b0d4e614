//! Register descriptions of the units behind a bus, in standard formats.

use cotenant_registers::{c_header, markdown, system_rdl, Map, RULES};
use cotenant_units::bus;
use cotenant_units::table::{self, ParameterSet};

use crate::{Error, Result};

/// A form of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// SystemRDL, of one parameter set.
    Rdl,
    /// C macros, the same for all sets of a unit.
    C,
    /// A page with a table, of one parameter set.
    Markdown,
    /// One document with all there is to know, of one parameter set.
    Json,
}

/// The registers of a unit with a parameter set.
///
/// # Errors
/// [`Error::NoRegisters`] if it is behind no bus, [`Error::Registers`].
pub fn map(unit: &str, set: &ParameterSet) -> Result<Map> {
    let map = bus::registers(unit, set).ok_or_else(|| Error::NoRegisters {
        unit: unit.into(),
        units: units(),
    })?;
    Ok(map?)
}

/// The units that have some.
pub fn units() -> Vec<&'static str> {
    let behind_a_bus = |unit: &&str| {
        let sets = table::sets(unit).unwrap_or_default();
        sets.first()
            .is_some_and(|set| bus::registers(unit, set).is_some())
    };
    table::units().into_iter().filter(behind_a_bus).collect()
}

/// The description as text.
pub fn text(map: &Map, format: Format) -> String {
    match format {
        Format::Rdl => system_rdl(map),
        Format::C => c_header(map),
        Format::Markdown => page(map),
        Format::Json => serde_json::to_string_pretty(map).expect("names and numbers") + "\n",
    }
}

/// The files that go with an export; named after the unit without its bus, since they are the same
/// behind any.
pub fn files(map: &Map) -> [(String, String); 3] {
    [
        ("rdl", Format::Rdl),
        ("h", Format::C),
        ("md", Format::Markdown),
    ]
    .map(|(extension, format)| (format!("{}.{extension}", map.unit), text(map, format)))
}

fn page(map: &Map) -> String {
    let parameters = map.parameters.iter();
    let parameters: Vec<String> = parameters
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!(
        "# Registers of {}\n\n{}\n\n{}.\n\n{RULES}\n{}",
        map.unit,
        map.summary,
        parameters.join(", "),
        markdown(map)
    )
}
