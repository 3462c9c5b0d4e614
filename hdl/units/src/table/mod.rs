//! The parameter sets that the units are built in.
//!
//! The library is generic; a program that picks parameters at run time picks
//! from here. A set's name lists its parameters: `16x4` is ways x kernels,
//! `16x4x21` adds the width of a counter, and `16x4x21s2` two pipeline stages
//! instead of one. The sets that the papers and the tests use have an alias:
//!
//! | alias | ways | kernels | |
//! |---|---|---|---|
//! | `figure-2` | 4 | 4 | the GDC paper's example |
//! | `table-1` | 16 | 4 | its platform |
//! | `small` | 2 | 2 | |
//! | `large` | 32 | 8 | |
//!
//! With a counter, the aliases mean 21 bits: those that 100,000 accesses in a
//! period can fill at 16 ways.
//!
//! Those are of the shared cache. A unit of the SM has, where its parameters
//! count kernels,
//!
//! | alias | kernels | |
//! |---|---|---|
//! | `table-1` | 2 | the platform of Dai et al., with the widths of their section 4.4 |
//! | `three` | 3 | their mixes of three kernels |
//! | `small` | 2 | the narrowest |
//! | `large` | 8 | |
//!
//! and `wide` instead of `three` where it serves one kernel alone. `7x12x10` is
//! the widths of the in-flight, failure and request counters, `d` a limit that
//! doubles instead of being dropped; `2x10` is kernels x width of the request
//! counter, `c` capped credit; `2-milg-qbmi` names kernels, limiter and
//! priority.
//!
//! ```
//! use cotenant_units::table;
//!
//! let gdcu = table::build("gdcu", "table-1")?;
//! assert_eq!(gdcu.outputs()[0].1.width(), 21);
//! let refused = table::build("gdcu", "20x4x21").map(|_| ()).unwrap_err();
//! assert!(refused.to_string().contains("16x4x21"));
//! # Ok::<(), table::TableError>(())
//! ```

mod bus;
mod llc;
mod nearest;
mod sm;

use crate::unit::Unit;
use cotenant_netlist::describe::{Description, ParameterError};
use nearest::nearest;

/// A unit or parameter set that is not in the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is no unit of this name.
    #[error("there is no unit '{unit}'; the nearest is '{nearest}'")]
    UnknownUnit {
        /// The name asked for.
        unit: String,
        /// The most similar name that there is.
        nearest: String,
    },
    /// The unit cannot have these parameters.
    #[error("{what}")]
    Parameters {
        /// Which not, and what they can be.
        what: String,
    },
    /// The unit is not built with these parameters.
    #[error("{unit} has no parameter set '{set}'; the nearest is '{nearest}'")]
    UnknownSet {
        /// The unit.
        unit: String,
        /// The set asked for.
        set: String,
        /// The name or alias of the set that comes closest.
        nearest: String,
    },
}

/// Parameters that a unit is built with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterSet {
    /// The parameters' values, short: `16x4x21`.
    pub name: &'static str,
    /// Names and values in the order of the unit's declaration.
    pub params: Vec<(&'static str, usize)>,
    /// Other names of the set.
    pub aliases: Vec<&'static str>,
}

/// A unit with its parameter sets.
struct Table {
    unit: &'static str,
    parameters: &'static [&'static str],
    /// Pairs of alias and name.
    aliases: &'static [(&'static str, &'static str)],
    entries: &'static [Entry],
    any: Option<Any>,
}

/// How a unit is described for parameters that are not in the table: what makes it, and the
/// values of the last ones unless they are said.
struct Any {
    describe: fn(&str, &[usize]) -> Result<Description, ParameterError>,
    usual: &'static [usize],
}

/// A parameter set and the unit that it makes.
struct Entry {
    name: &'static str,
    values: &'static [usize],
    make: fn() -> Box<dyn Unit>,
}

/// One line of the table.
macro_rules! entry {
    ($name:expr, [$($value:expr),*], $block:ty) => {
        Entry { name: $name, values: &[$($value),*], make: $crate::table::make::<$block> }
    };
}
use entry;

fn make<U: Unit + Default + 'static>() -> Box<dyn Unit> {
    let mut unit = Box::<U>::default();
    unit.connect_all();
    unit
}

fn tables() -> impl Iterator<Item = &'static Table> {
    llc::TABLES.iter().chain(sm::TABLES).chain(bus::TABLES)
}

/// The names of all units.
pub fn units() -> Vec<&'static str> {
    tables().map(|t| t.unit).collect()
}

/// The parameter sets of a unit.
///
/// # Errors
/// [`TableError::UnknownUnit`].
pub fn sets(unit: &str) -> Result<Vec<ParameterSet>, TableError> {
    let table = table(unit)?;
    Ok(table.entries.iter().map(|e| table.set(e)).collect())
}

/// The sets that papers and tests use: those with an alias, in the order of the
/// aliases; a set with two of them comes once. Of a unit behind a bus fewer: the
/// rest of it is tested without a bus.
///
/// ```
/// use cotenant_units::table;
///
/// let names: Vec<&str> = table::test_sets("plob")?.iter().map(|set| set.name).collect();
/// assert_eq!(names, ["4x21", "2x21", "8x21"]); // The first is figure-2 and table-1.
/// # Ok::<(), table::TableError>(())
/// ```
///
/// # Errors
/// [`TableError::UnknownUnit`].
pub fn test_sets(unit: &str) -> Result<Vec<ParameterSet>, TableError> {
    let table = table(unit)?;
    let mut sets: Vec<ParameterSet> = Vec::new();
    let behind_bus = bus::TABLES.iter().any(|t| t.unit == unit);
    for (alias, name) in table.aliases {
        if behind_bus && !bus::TESTED.contains(alias) {
            continue;
        }
        if !sets.iter().any(|set| set.name == *name) {
            sets.push(table.set(table.entry(name)?));
        }
    }
    Ok(sets)
}

/// The parameter set with this name or alias.
///
/// # Errors
/// [`TableError`], with the nearest that there is.
pub fn set(unit: &str, name: &str) -> Result<ParameterSet, TableError> {
    let table = table(unit)?;
    match table.entry(name) {
        Ok(entry) => Ok(table.set(entry)),
        Err(unknown) => table.any_set(name).unwrap_or(Err(unknown)),
    }
}

/// The netlist of a unit with a parameter set, in the table or not.
///
/// # Errors
/// [`TableError`]; the elaborator's.
pub fn netlist(
    unit: &str,
    set: &ParameterSet,
) -> Result<Result<cotenant_netlist::Netlist, cotenant_netlist::Error>, TableError> {
    let table = table(unit)?;
    match &table.any {
        Some(any) => {
            let values: Vec<usize> = set.params.iter().map(|p| p.1).collect();
            let described = (any.describe)(unit, &values);
            let description = described.map_err(|e| TableError::Parameters {
                what: e.to_string(),
            })?;
            Ok(cotenant_netlist::elaborate_description(&description, unit))
        }
        None => Ok(cotenant_netlist::elaborate(&build(unit, set.name)?, unit)),
    }
}

/// A unit with the parameter set of this name or alias, its signals connected.
///
/// # Errors
/// [`TableError`], with the nearest that there is.
pub fn build(unit: &str, set: &str) -> Result<Box<dyn Unit>, TableError> {
    Ok((table(unit)?.entry(set)?.make)())
}

fn table(unit: &str) -> Result<&'static Table, TableError> {
    tables()
        .find(|t| t.unit == unit)
        .ok_or_else(|| TableError::UnknownUnit {
            unit: unit.into(),
            nearest: nearest(unit, units()).into(),
        })
}

impl Table {
    fn entry(&self, name: &str) -> Result<&Entry, TableError> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == name);
        let wanted = alias.map_or(name, |(_, name)| name);
        self.entries
            .iter()
            .find(|e| e.name == wanted)
            .ok_or_else(|| {
                // Aliases first: between equally near sets they are the better advice.
                let aliased = self
                    .aliases
                    .iter()
                    .flat_map(|(alias, name)| [*name, *alias]);
                let names = aliased.chain(self.entries.iter().map(|e| e.name));
                TableError::UnknownSet {
                    unit: self.unit.into(),
                    set: name.into(),
                    nearest: nearest(name, names).into(),
                }
            })
    }

    /// `12x5x24` or `12x5x24s2`: numbers in the order of the parameters.
    fn any_set(&self, name: &str) -> Option<Result<ParameterSet, TableError>> {
        let any = self.any.as_ref()?;
        let mut values: Vec<usize> = name
            .split(['x', 's'])
            .map(|n| n.parse().ok())
            .collect::<Option<_>>()?;
        let missing = self.parameters.len().checked_sub(values.len())?;
        values.extend(&any.usual[any.usual.len().checked_sub(missing)?..]);
        if let Err(e) = (any.describe)(self.unit, &values) {
            let what = e.to_string();
            return Some(Err(TableError::Parameters { what }));
        }
        Some(Ok(ParameterSet {
            name: name.to_string().leak(),
            params: self.parameters.iter().copied().zip(values).collect(),
            aliases: vec![],
        }))
    }

    fn set(&self, entry: &Entry) -> ParameterSet {
        let named = self.aliases.iter().filter(|(_, name)| *name == entry.name);
        ParameterSet {
            name: entry.name,
            params: self
                .parameters
                .iter()
                .copied()
                .zip(entry.values.iter().copied())
                .collect(),
            aliases: named.map(|(alias, _)| *alias).collect(),
        }
    }
}
