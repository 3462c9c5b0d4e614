//! Arguments that several subcommands share.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::{self, ParameterSet, TableError};
use miette::{miette, IntoDiagnostic, Result};

use super::mapped::Mapped;
use crate::registry::{find, AnyUnit, UNITS};
use crate::verify::stimulus::Mix;

/// `1000`, `1_000`, `100k`, `10M`.
pub(super) fn cycles(text: &str) -> Result<u64, String> {
    let (digits, scale) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1_000),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1_000_000),
            None => (text, 1),
        },
    };
    let number: Option<u64> = digits.replace('_', "").parse().ok();
    number
        .and_then(|number| number.checked_mul(scale))
        .ok_or_else(|| "expected a number of cycles, as 5000, 100k or 10M".into())
}

/// [`cycles`], at least one.
pub(super) fn some_cycles(text: &str) -> Result<u64, String> {
    match cycles(text)? {
        0 => Err("expected at least one cycle".into()),
        cycles => Ok(cycles),
    }
}

/// A file to be written in a folder that there is: a mistyped folder is not made.
pub(super) fn new_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(format!(
            "there is no folder {}; expected a file in a folder that there is",
            folder.display()
        )),
        _ => Ok(path),
    }
}

/// `7`, `0x9e37`.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "expected a 64-bit number, as 7 or 0x9e37".into())
}

/// What simulates a netlist, by name.
pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(["jit", "interpreter"]).map(|name| match name.as_str() {
        "jit" => Engine::Jit,
        _ => Engine::Interpreter,
    })
}

/// The unit of a name.
pub(super) fn unit(name: &str) -> Result<&'static dyn AnyUnit> {
    find(name).map_err(|error| {
        let known: Vec<&str> = UNITS.iter().map(|unit| unit.name()).collect();
        miette!("{error}; the units are {}", known.join(", "))
    })
}

/// The unit of a name, or `all`.
pub(super) fn units(name: &str) -> Result<Vec<&'static dyn AnyUnit>> {
    match name {
        "all" => Ok(UNITS.to_vec()),
        name => Ok(vec![unit(name)?]),
    }
}

/// The sets of a name, an alias, of numbers or KEY=VALUE, of a mapping, or `all`.
pub(super) fn sets(unit: &dyn AnyUnit, name: &str) -> Result<Vec<ParameterSet>> {
    let all = unit.sets().into_diagnostic()?;
    if name == "all" {
        return Ok(all);
    }
    if let Some(mapped) = Mapped::read(name) {
        return Ok(vec![mapped.set(unit.name())?]);
    }
    let found = table::set(unit.name(), name).map_err(|error| {
        let TableError::UnknownSet { .. } = error else {
            return miette!("{error}");
        };
        let aliases: BTreeSet<&str> = all
            .iter()
            .flat_map(|set| set.aliases.iter().copied())
            .collect();
        let aliases: Vec<&str> = aliases.into_iter().collect();
        miette!(
            "{error}; expected all, {}, one of the {} parameter sets that `cotenant list {}` shows, or any as KEY=VALUE[,KEY=VALUE]",
            aliases.join(", "),
            all.len(),
            unit.name()
        )
    })?;
    Ok(vec![found])
}

/// The profiles of these names, if there are any.
pub(super) fn mix(unit: &dyn AnyUnit, names: &[String]) -> Result<Option<Mix>> {
    let names = names.iter().map(String::as_str);
    Mix::named(unit.name(), unit.profiles(), names).into_diagnostic()
}

#[cfg(test)]
mod tests {
    //! Rationale: numbers are typed by people; every form and what is close to one.
    use super::*;

    #[test]
    fn numbers_of_cycles() {
        assert_eq!(cycles("1_000"), Ok(1000));
        assert_eq!(cycles("100k"), Ok(100_000));
        assert_eq!(cycles("10M"), Ok(10_000_000));
        for wrong in ["", "k", "-1", "1.5M", "10 M", "18446744073709551615k"] {
            assert!(cycles(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds() {
        assert_eq!(seed("7"), Ok(7));
        assert_eq!(seed("0x9e37"), Ok(0x9e37));
        assert_eq!(seed("0xffffffffffffffff"), Ok(u64::MAX));
        for wrong in ["", "0x", "x", "-1", "0x10000000000000000"] {
            assert!(seed(wrong).is_err(), "{wrong}");
        }
    }
}
