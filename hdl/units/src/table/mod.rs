//! Parameter sets of the units: those that are listed and tested, and any that are legal.
//!
//! A set's name lists its parameters: `16x4` is ways x kernels,
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
//! doubles instead of being dropped, `h` one that stays, `p` one that rises by one; `2x10` is kernels x width of the request
//! counter, `c` capped credit; `2-milg-qbmi` names kernels, limiter and
//! priority.
//!
//! A unit that manages the cache has ways x sets x sampled sets. `table-1` is TAP's platform, and
//! `every-set` samples all sets.
//!
//! A unit that finds the place of an address has the mapping `gtx1080` as `table-1`; `--config
//! mapping=FILE` takes any.
//!
//! Any other legal set is named by its numbers (`12x5x24`), by `KEY=VALUE` pairs
//! (`WAYS=12,KERNELS=5,CNT_W=24`), or by both: `table-1,WAYS=12` is `table-1` with
//! 12 ways. Parameters that are usually the same may be left out.
//!
//! ```
//! use cotenant_units::table;
//!
//! let gdcu = table::netlist("gdcu", &table::set("gdcu", "12x5x24")?)??;
//! let read_count = gdcu.outputs.iter().find(|port| port.name == "read_count");
//! assert_eq!(read_count.map(|port| gdcu.graph.width(port.node)), Some(24));
//! let refused = table::set("gdcu", "table-1,WAYS=65").unwrap_err();
//! assert_eq!(refused.to_string(), "gdcu: WAYS is 1 to 64, not 65");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod bus;
pub(crate) mod line;
pub(crate) mod llc;
pub(crate) mod managed;
mod nearest;
pub(crate) mod sm;

use cotenant_netlist::describe::{Definition, ParameterError};
use cotenant_netlist::Netlist;
use line::Line;
pub use nearest::nearest;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A unit that there is not, or parameters that a unit cannot have.
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
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    /// The text does not say which parameters are meant.
    #[error("{unit}: {what}")]
    Text {
        /// The unit.
        unit: String,
        /// What is wrong, and what is expected.
        what: String,
    },
    /// This is neither a listed set nor numbers for the unit's parameters.
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
    /// The parameters' values, short: `16x4x21`; [`set`] reads it.
    pub name: &'static str,
    /// Names and values in the order of the unit's declaration.
    pub params: Vec<(&'static str, usize)>,
    /// Other names of the set.
    pub aliases: Vec<&'static str>,
}

impl ParameterSet {
    /// The value of a parameter, if there is one of this name.
    pub fn value(&self, name: &str) -> Option<usize> {
        let found = self.params.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    /// The same of this unit under a name of its own, which [`set`] reads from now on, in this process.
    pub fn called(self, unit: &str, name: String) -> Self {
        let named = Self {
            name: kept(name),
            ..self
        };
        let mut all = CALLED.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((unit.into(), named.clone()));
        named
    }

    /// Names and values as people read them: an array as one, in hexadecimal and without
    /// the zeros at its end.
    pub fn shown(&self) -> Vec<(String, String)> {
        let names: Vec<&str> = self.params.iter().map(|(name, _)| *name).collect();
        let value = |range: Range<usize>| match &self.params[range] {
            [(_, one)] => one.to_string(),
            all => {
                let last = all.iter().rposition(|(_, value)| *value != 0).unwrap_or(0);
                let elements = all[..=last].iter();
                let elements: Vec<String> =
                    elements.map(|(_, value)| format!("{value:#x}")).collect();
                elements.join(", ")
            }
        };
        let groups = grouped(&names).into_iter();
        groups.map(|(name, range)| (name, value(range))).collect()
    }

    /// The values in the order of the unit's declaration.
    pub fn values(&self) -> impl Iterator<Item = usize> + '_ {
        self.params.iter().map(|(_, value)| *value)
    }
}

/// Parameters as people read them: an array is one, `MASK_0..15`. Each with where it is among the names.
///
/// ```
/// use cotenant_units::table::grouped;
///
/// let of = grouped(&["INDEX_W", "MASK_0", "MASK_1", "MASK_2", "CNT_W"]);
/// assert_eq!(of, [("INDEX_W".into(), 0..1), ("MASK_0..2".into(), 1..4), ("CNT_W".into(), 4..5)]);
/// ```
pub fn grouped(names: &[&str]) -> Vec<(String, Range<usize>)> {
    let element = |name: &str, array: &str, at: usize| {
        let number = name
            .strip_prefix(array)
            .and_then(|rest| rest.strip_prefix('_'));
        number.is_some_and(|number| number == at.to_string())
    };
    let mut groups = vec![];
    let mut at = 0;
    while at < names.len() {
        let array = names[at].strip_suffix("_0");
        let more = array.map_or(0, |array| {
            let rest = names[at..].iter().enumerate();
            rest.take_while(|(n, name)| element(name, array, *n))
                .count()
        });
        match array {
            Some(array) if more > 1 => {
                groups.push((format!("{array}_0..{}", more - 1), at..at + more));
                at += more;
            }
            _ => {
                groups.push((names[at].into(), at..at + 1));
                at += 1;
            }
        }
    }
    groups
}

/// Sets with names that the program was given: units and sets.
static CALLED: Mutex<Vec<(String, ParameterSet)>> = Mutex::new(Vec::new());

/// The newest set of this unit and name that the program was given.
fn called(unit: &str, name: &str) -> Option<ParameterSet> {
    let all = CALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let is = |(of, set): &&(String, ParameterSet)| of == unit && set.name == name;
    all.iter().rfind(is).map(|(_, set)| set.clone())
}

/// The text, which is kept for ever: a program names few sets, and each of them once.
fn kept(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.get(name.as_str()).copied().unwrap_or_else(|| {
        let name: &str = name.leak();
        names.insert(name);
        name
    })
}

macro_rules! lines {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {
        &[$(&crate::$area::$name::LINE),*]
    };
}

static LINES: &[&Line] = units!(lines);

fn lines() -> impl Iterator<Item = &'static Line> {
    LINES.iter().copied()
}

fn line(unit: &str) -> Result<&'static Line, TableError> {
    lines()
        .find(|line| line.unit == unit)
        .ok_or_else(|| TableError::UnknownUnit {
            unit: unit.into(),
            nearest: nearest(unit, units()).into(),
        })
}

/// The names of all units.
pub fn units() -> Vec<&'static str> {
    lines().map(|line| line.unit).collect()
}

/// The names of a unit's parameters, in the order of its declaration.
///
/// # Errors
/// [`TableError::UnknownUnit`].
pub fn parameters(unit: &str) -> Result<Vec<&'static str>, TableError> {
    Ok(line(unit)?.parameters().collect())
}

/// The parameter sets of a unit that are listed.
///
/// # Errors
/// [`TableError::UnknownUnit`].
pub fn sets(unit: &str) -> Result<Vec<ParameterSet>, TableError> {
    Ok(line(unit)?.listed())
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
    let line = line(unit)?;
    let mut sets: Vec<ParameterSet> = Vec::new();
    for (alias, name) in line.aliases {
        let tested = line.tested.is_none_or(|tested| tested.contains(alias));
        if tested && !sets.iter().any(|set| set.name == *name) {
            sets.push(line.read(name)?);
        }
    }
    Ok(sets)
}

/// The parameter set that a text names: by name or alias, by numbers, by `KEY=VALUE`.
///
/// # Errors
/// [`TableError`], with the nearest that there is, or with the parameter that is out of range.
pub fn set(unit: &str, text: &str) -> Result<ParameterSet, TableError> {
    let line = line(unit)?;
    called(unit, text).map_or_else(|| line.read(text), Ok)
}

/// What a unit is for any parameters.
///
/// # Errors
/// [`TableError::UnknownUnit`].
pub fn definition(unit: &str) -> Result<&'static Definition, TableError> {
    Ok(line(unit)?.definition)
}

/// The netlist of a unit with a parameter set.
///
/// # Errors
/// [`TableError`]; the elaborator's.
pub fn netlist(
    unit: &str,
    set: &ParameterSet,
) -> Result<Result<Netlist, cotenant_netlist::Error>, TableError> {
    let values: Vec<usize> = set.values().collect();
    Ok(line(unit)?.netlist(&values)?)
}
