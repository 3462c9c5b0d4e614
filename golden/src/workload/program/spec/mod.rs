//! Kernels as a scenario's `[[kernel]]` tables describe them.
//!
//! | `loop` | keys beside it, all of which may be left out |
//! | --- | --- |
//! | `vma` `ladd` `dadd` `lmul` `dmul` `ldiv` `ddiv` | those of [`Vectors`]: `footprint` or `size`, `element`, `threads`, `blocks`, `compute` |
//! | `mm` `mt` `mmt` | those of [`Matrices`]: `footprint` or `size`, `element`, `tile` |
//! | `agg1` | those of [`Chain`]: `footprint`, `chains`, `lanes`, `order`, `compute`, `seed` |
//! | `agg2` | those of [`FewSets`]: those of `agg1`, `sets`, `index` |
//! | `synthetic` | those of [`Numbers`]: `like` (a benchmark of [`table2`]), `compute`, `requests`, `threads`, `registers`, `shared-memory`, `reuse`, `blocks`, `length`, `seed` |
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

use serde::{Deserialize, Serialize};

use super::arithmetic::{Element, Operation};
use super::matrix::Multiply;
use super::recorded::{Recorded, Recording};
use super::synthetic::Synthetic;
use super::{table2, Program};
use crate::llc::cache::Geometry;
use crate::model::ParamError;
use crate::workload::trace::TraceError;

pub use tables::{Chain, FewSets, File, Matrices, Numbers, Vectors};

/// A kernel with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

#[cfg(test)]
mod tests;
