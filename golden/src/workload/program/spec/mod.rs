//! Kernels as a scenario's `[[kernel]]` tables describe them.
//!
//! | `loop` | keys beside it, all of which may be left out |
//! | --- | --- |
//! | `vma` `ladd` `dadd` `lmul` `dmul` `ldiv` `ddiv` | those of [`Vectors`]: `footprint` or `size`, `element`, `threads`, `blocks`, `compute` |
//! | `mm` `mt` `mmt` | those of [`Matrices`]: `footprint` or `size`, `element`, `tile` |
//! | `agg1` | those of [`Chain`]: `footprint`, `chains`, `lanes`, `order`, `compute`, `seed` |
//! | `agg2` | those of [`FewSets`]: those of `agg1`, `sets`, `index` |
//! | `synthetic` | those of [`Numbers`]: `like` (a benchmark of [`table2`]), `compute`, `latency`, `requests`, `threads`, `registers`, `shared-memory`, `reuse`, `blocks`, `length`, `seed` |
//! | `trace` | `file`: an Accel-Sim `.traceg`, which must be given |
//!
//! ```
//! use cotenant_golden::presets::Preset;
//! use cotenant_golden::workload::program::Spec;
//!
//! let spec: Spec = toml::from_str("loop = 'agg1'\nfootprint = '400 %'\nchains = 8")?;
//! let agg1 = spec.build(1 << 40, &Preset::named("xavier")?.llc)?;
//! assert_eq!((spec.name(), agg1.grid().warps()), ("agg1", 8));
//! assert_eq!(agg1.extent(), 1 << 40..(1 << 40) + (2 << 20));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod tables;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use toml::{Table, Value};

use super::arithmetic::{Element, Operation};
use super::matrix::Multiply;
use super::recorded::{Recorded, Recording};
use super::synthetic::Synthetic;
use super::{table2, Program};
use crate::llc::cache::Geometry;
use crate::model::ParamError;
use crate::workload::scenario::meant;
use crate::workload::trace::TraceError;

pub use tables::{Chain, FewSets, File, Matrices, Numbers, Vectors};

/// A kernel with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "loop", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Spec {
    /// Vector multiply-add.
    Vma(Vectors),
    /// Sum of vectors of longs.
    Ladd(Vectors),
    /// Sum of vectors of doubles.
    Dadd(Vectors),
    /// Product of vectors of longs.
    Lmul(Vectors),
    /// Product of vectors of doubles.
    Dmul(Vectors),
    /// Quotient of vectors of longs.
    Ldiv(Vectors),
    /// Quotient of vectors of doubles.
    Ddiv(Vectors),
    /// Matrix product.
    Mm(Matrices),
    /// Matrix transpose.
    Mt(Matrices),
    /// Product of a matrix with its transpose.
    Mmt(Matrices),
    /// Chains of loads through all sets.
    Agg1(Chain),
    /// Chains of loads through a few sets.
    Agg2(FewSets),
    /// A kernel made from numbers.
    Synthetic(Numbers),
    /// A recorded kernel.
    Trace(File),
}

/// Why there is no such kernel.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No kernel has this name.
    #[error("loop is {found}, expected one of {}", Spec::NAMES.join(", "))]
    Loop {
        /// What was found, perhaps with what was meant.
        found: String,
    },
    /// A key that the kernel has not, or a value of the wrong type.
    #[error("{}{message}", .key.as_ref().map_or(String::new(), |key| format!("{key}: ")))]
    Key {
        /// The key: `reuse.stores`; `None` for one that the kernel has not or that is missing.
        key: Option<String>,
        /// What is wrong.
        message: String,
    },
    /// A parameter is illegal.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Two parameters say the same.
    #[error("{first} and {second} are both given, expected one of them: each says how much data there is")]
    Both {
        /// A parameter.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// No benchmark has this name.
    #[error("like is \"{name}\"{hint}, expected one of {}", benchmarks().join(", "))]
    Benchmark {
        /// The name.
        name: String,
        /// ` (did you mean "x"?)`, or nothing.
        hint: String,
    },
}

/// The names of table 2's benchmarks.
fn benchmarks() -> [&'static str; 13] {
    table2::BENCHMARKS
        .each_ref()
        .map(|benchmark| benchmark.name)
}

impl Spec {
    /// What `loop` may be.
    pub const NAMES: [&'static str; 14] = [
        "vma",
        "ladd",
        "dadd",
        "lmul",
        "dmul",
        "ldiv",
        "ddiv",
        "mm",
        "mt",
        "mmt",
        "agg1",
        "agg2",
        "synthetic",
        "trace",
    ];

    /// The kernel of a table: `loop` and the keys of its kind.
    ///
    /// # Errors
    /// [`SpecError::Loop`] and [`SpecError::Key`]; whether such a kernel exists is seen when it is
    /// [built](Self::build).
    pub fn from_table(mut table: Table) -> Result<Self, SpecError> {
        let name = table.remove("loop");
        let name = match &name {
            Some(Value::String(name)) => name.as_str(),
            other => {
                let found = other.as_ref().map_or("missing".into(), Value::to_string);
                return Err(SpecError::Loop { found });
            }
        };
        fn keys<T: DeserializeOwned>(table: Table) -> Result<T, SpecError> {
            table.try_into().map_err(|error: toml::de::Error| {
                // The path of the key is in the last line: in `reuse.stores`
                let text = error.to_string();
                let key = text.lines().find_map(|line| line.strip_prefix("in `"));
                SpecError::Key {
                    key: key.map(|key| key.trim_end_matches('`').to_owned()),
                    message: error.message().to_owned(),
                }
            })
        }
        Ok(match name {
            "vma" => Self::Vma(keys(table)?),
            "ladd" => Self::Ladd(keys(table)?),
            "dadd" => Self::Dadd(keys(table)?),
            "lmul" => Self::Lmul(keys(table)?),
            "dmul" => Self::Dmul(keys(table)?),
            "ldiv" => Self::Ldiv(keys(table)?),
            "ddiv" => Self::Ddiv(keys(table)?),
            "mm" => Self::Mm(keys(table)?),
            "mt" => Self::Mt(keys(table)?),
            "mmt" => Self::Mmt(keys(table)?),
            "agg1" => Self::Agg1(keys(table)?),
            "agg2" => Self::Agg2(keys(table)?),
            "synthetic" => Self::Synthetic(keys(table)?),
            "trace" => Self::Trace(keys(table)?),
            other => {
                let found = format!("\"{other}\"{}", meant(other, Self::NAMES));
                return Err(SpecError::Loop { found });
            }
        })
    }

    /// Its `loop`.
    pub fn name(&self) -> &'static str {
        let index = match self {
            Self::Vma(_) => 0,
            Self::Ladd(_) => 1,
            Self::Dadd(_) => 2,
            Self::Lmul(_) => 3,
            Self::Dmul(_) => 4,
            Self::Ldiv(_) => 5,
            Self::Ddiv(_) => 6,
            Self::Mm(_) => 7,
            Self::Mt(_) => 8,
            Self::Mmt(_) => 9,
            Self::Agg1(_) => 10,
            Self::Agg2(_) => 11,
            Self::Synthetic(_) => 12,
            Self::Trace(_) => 13,
        };
        Self::NAMES[index]
    }

    /// The kernel, its data from `base` on, for a last-level cache of these dimensions: parts of it
    /// are meant by footprints in percent, its lines and sets by `agg1` and `agg2`.
    ///
    /// # Errors
    /// [`SpecError`] with the parameter, or what is wrong with the trace.
    pub fn build(&self, base: u64, geometry: &Geometry) -> Result<Arc<dyn Program>, SpecError> {
        use {Element as E, Operation as O};
        Ok(match self {
            Self::Vma(v) => Arc::new(v.build(O::MultiplyAdd, E::Float, base, geometry)?),
            Self::Ladd(v) => Arc::new(v.build(O::Add, E::Long, base, geometry)?),
            Self::Dadd(v) => Arc::new(v.build(O::Add, E::Double, base, geometry)?),
            Self::Lmul(v) => Arc::new(v.build(O::Multiply, E::Long, base, geometry)?),
            Self::Dmul(v) => Arc::new(v.build(O::Multiply, E::Double, base, geometry)?),
            Self::Ldiv(v) => Arc::new(v.build(O::Divide, E::Long, base, geometry)?),
            Self::Ddiv(v) => Arc::new(v.build(O::Divide, E::Double, base, geometry)?),
            Self::Mm(matrices) => {
                let params = matrices.params(
                    Multiply::matrices(false),
                    Multiply::side(matrices.tile),
                    base,
                    geometry,
                )?;
                Arc::new(Multiply::mm(params)?)
            }
            Self::Mmt(matrices) => {
                let params = matrices.params(
                    Multiply::matrices(true),
                    Multiply::side(matrices.tile),
                    base,
                    geometry,
                )?;
                Arc::new(Multiply::mmt(params)?)
            }
            Self::Mt(matrices) => Arc::new(matrices.transpose(base, geometry)?),
            Self::Agg1(chain) => Arc::new(chain.build(base, geometry)?),
            Self::Agg2(few) => Arc::new(few.build(base, geometry)?),
            Self::Synthetic(numbers) => Arc::new(Synthetic::new(numbers.params(base)?)?),
            Self::Trace(File { file }) => {
                Arc::new(Recorded::new(Arc::new(Recording::open(file)?), base)?)
            }
        })
    }
}

impl<'de> Deserialize<'de> for Spec {
    /// As [`from_table`](Spec::from_table): derived, errors of tagged enums would lack the key.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = Table::deserialize(deserializer)?;
        Self::from_table(table).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
