//! The keys of each kind of kernel and the programs made from them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::SpecError;
use crate::gpu::config::Index;
use crate::llc::cache::Geometry;
use crate::model::ParamError;
use crate::workload::program::arithmetic::{Element, Operation, INTEGER};
use crate::workload::program::chase::{self, Chase, Lines, Order};
use crate::workload::program::elementwise::{self, Elementwise};
use crate::workload::program::matrix::{self, Transpose};
use crate::workload::program::synthetic::{self, Reuse};
use crate::workload::program::table2::Benchmark;
use crate::workload::program::Grid;
use crate::workload::scenario::{meant, Size};

/// A loop over vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Vectors {
    /// Bytes of all vectors together, rounded down to whole warps; `50 %` if neither this nor
    /// `size` is given.
    pub footprint: Option<Size>,
    /// Elements of a vector.
    pub size: Option<u64>,
    /// Their type; without, the one of the kernel's name, and `float` for `vma`.
    pub element: Option<Element>,
    /// Threads of a block.
    pub threads: u32,
    /// Blocks, of which each thread takes several elements; without, one element per thread.
    pub blocks: Option<u64>,
    /// How often the operation is done on an element.
    pub compute: u32,
}

/// What all data of a kernel take if nothing is said.
///
/// ASSUMPTION: half of the cache, as the GDC paper says of DADD.
const FOOTPRINT: Size = Size::Percent(50.0);

impl Default for Vectors {
    fn default() -> Self {
        Self {
            footprint: None,
            size: None,
            element: None,
            threads: 256,
            blocks: None,
            compute: 1,
        }
    }
}

/// Both keys that say how much data there is.
fn one_of(size: Option<u64>, footprint: Option<Size>) -> Result<(), SpecError> {
    match (size, footprint) {
        (Some(_), Some(_)) => Err(SpecError::Both {
            first: "size",
            second: "footprint",
        }),
        _ => Ok(()),
    }
}

/// Refuses a footprint that holds less than the least data that a kernel can have.
fn enough(footprint: u64, least: u64) -> Result<(), ParamError> {
    ParamError::range("footprint", footprint, least, 1 << 40)
}

impl Vectors {
    pub(super) fn build(
        &self,
        operation: Operation,
        element: Element,
        base: u64,
        geometry: &Geometry,
    ) -> Result<Elementwise, SpecError> {
        one_of(self.size, self.footprint)?;
        let element = self.element.unwrap_or(element);
        let elements = match self.size {
            Some(size) => size,
            None => {
                let footprint = self.footprint.unwrap_or(FOOTPRINT);
                let footprint = footprint.bytes(geometry.capacity());
                let warp = u64::from(32 * element.bytes() * (operation.inputs() + 1));
                enough(footprint, warp)?;
                elementwise::Params::elements_of(operation, element, footprint)
            }
        };
        Ok(Elementwise::new(elementwise::Params {
            operation,
            element,
            elements,
            threads: self.threads,
            blocks: self.blocks,
            times: self.compute,
            base,
        })?)
    }
}

/// A loop over matrices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Matrices {
    /// Bytes of all matrices together, rounded down to whole blocks; `50 %` if neither this nor
    /// `size` is given.
    pub footprint: Option<Size>,
    /// Rows and columns, a multiple of the tile.
    pub size: Option<u64>,
    /// The type of elements.
    pub element: Element,
    /// Rows and columns of a tile in shared memory; 1 for none.
    pub tile: u32,
}

impl Default for Matrices {
    fn default() -> Self {
        Self {
            footprint: None,
            size: None,
            element: Element::Float,
            tile: 16,
        }
    }
}

impl Matrices {
    /// Of so many matrices, of which a block takes `side` rows and columns.
    pub(super) fn params(
        &self,
        matrices: u64,
        side: u32,
        base: u64,
        geometry: &Geometry,
    ) -> Result<matrix::Params, SpecError> {
        one_of(self.size, self.footprint)?;
        let rows = match self.size {
            Some(size) => size,
            None => {
                let footprint = self.footprint.unwrap_or(FOOTPRINT);
                let footprint = footprint.bytes(geometry.capacity());
                let side = u64::from(side.max(1));
                enough(
                    footprint,
                    matrices * side * side * u64::from(self.element.bytes()),
                )?;
                matrix::rows_of(matrices, self.element, side as u32, footprint)
            }
        };
        Ok(matrix::Params {
            element: self.element,
            rows,
            tile: self.tile,
            base,
        })
    }

    pub(super) fn transpose(&self, base: u64, geometry: &Geometry) -> Result<Transpose, SpecError> {
        let params = self.params(2, Transpose::side(self.tile), base, geometry)?;
        Ok(Transpose::new(params)?)
    }
}

/// Chains of loads through all sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Chain {
    /// Bytes of all lines.
    pub footprint: Size,
    /// Chains, a warp each.
    pub chains: u64,
    /// Lanes of a load, side by side in its line: 8 for a sector, 32 for a line of 128 bytes.
    pub lanes: u32,
    /// In which order a chain goes through its lines.
    pub order: Order,
    /// Instructions from a load to the next.
    pub compute: u32,
    /// Draws the order.
    pub seed: u64,
}

impl Default for Chain {
    /// ASSUMPTION: lines of four times the cache, for "sustained misses"; one chain per scheduler.
    fn default() -> Self {
        Self {
            footprint: Size::Percent(400.0),
            chains: 4,
            lanes: 1,
            order: Order::default(),
            compute: 1,
            seed: 1,
        }
    }
}

impl Chain {
    pub(super) fn build(&self, base: u64, geometry: &Geometry) -> Result<Chase, ParamError> {
        let footprint = self.footprint.bytes(geometry.capacity());
        enough(footprint, geometry.line)?;
        self.through(Lines::all(footprint, geometry.line), base)
    }

    fn through(&self, lines: Lines, base: u64) -> Result<Chase, ParamError> {
        Chase::new(chase::Params {
            lines,
            order: self.order,
            seed: self.seed,
            chains: self.chains,
            lanes: self.lanes,
            compute: self.compute,
            base,
        })
    }
}

/// Chains of loads through a few sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FewSets {
    /// Bytes of all lines, which the sets share.
    pub footprint: Size,
    /// Sets, side by side.
    pub sets: u64,
    /// How the cache finds a line's set.
    pub index: Index,
    /// As in [`Chain`].
    pub chains: u64,
    /// As in [`Chain`].
    pub lanes: u32,
    /// As in [`Chain`].
    pub order: Order,
    /// As in [`Chain`].
    pub compute: u32,
    /// As in [`Chain`].
    pub seed: u64,
}

impl Default for FewSets {
    /// As [`Chain`]. ASSUMPTION: "a reduced number of sets" is 16.
    fn default() -> Self {
        let Chain {
            footprint,
            chains,
            lanes,
            order,
            compute,
            seed,
        } = Chain::default();
        Self {
            footprint,
            sets: 16,
            index: Index::Bits,
            chains,
            lanes,
            order,
            compute,
            seed,
        }
    }
}

impl FewSets {
    pub(super) fn build(&self, base: u64, geometry: &Geometry) -> Result<Chase, ParamError> {
        let (line, all) = (geometry.line, geometry.sets as u64);
        ParamError::range("sets", self.sets, 1, all)?;
        let footprint = self.footprint.bytes(geometry.capacity());
        enough(footprint, self.sets * line)?;
        let xor = self.index != Index::Bits;
        let lines = Lines::few_sets(footprint, line, self.sets, all, xor);
        let chain = Chain {
            footprint: self.footprint,
            chains: self.chains,
            lanes: self.lanes,
            order: self.order,
            compute: self.compute,
            seed: self.seed,
        };
        chain.through(lines, base)
    }
}

/// A kernel made from numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Numbers {
    /// A benchmark of table 2, whose numbers are taken where they are left out here.
    pub like: Option<String>,
    /// Compute instructions per memory instruction; 4.
    pub compute: Option<u32>,
    /// Cycles from a compute instruction to the next; 4.
    pub latency: Option<u32>,
    /// Requests per memory instruction; 1.
    pub requests: Option<u32>,
    /// Threads of a block; 256.
    pub threads: Option<u32>,
    /// Registers of a thread; 16.
    pub registers: Option<u32>,
    /// Bytes of shared memory of a block; 0.
    pub shared_memory: Option<u32>,
    /// What it uses again, as a whole; nothing.
    pub reuse: Option<Reuse>,
    /// Blocks.
    pub blocks: u64,
    /// Memory instructions of a warp.
    pub length: u64,
    /// Draws where requests go.
    pub seed: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            like: None,
            compute: None,
            latency: None,
            requests: None,
            threads: None,
            registers: None,
            shared_memory: None,
            reuse: None,
            blocks: 256,
            length: 64,
            seed: 1,
        }
    }
}

impl Numbers {
    pub(super) fn params(&self, base: u64) -> Result<synthetic::Params, SpecError> {
        let like = match &self.like {
            None => None,
            Some(name) => {
                let unknown = || SpecError::Benchmark {
                    name: name.clone(),
                    hint: meant(name, super::benchmarks()),
                };
                Some(Benchmark::named(name).ok_or_else(unknown)?)
            }
        };
        let given = like.map(|like| like.params(self.blocks, self.length, self.seed, base));
        let base = given.unwrap_or(synthetic::Params {
            grid: Grid {
                blocks: self.blocks,
                threads: 256,
                registers: 16,
                shared_memory: 0,
            },
            compute: 4,
            latency: INTEGER,
            requests: 1,
            length: self.length,
            reuse: Reuse::default(),
            line: 128,
            seed: self.seed,
            base,
        });
        Ok(synthetic::Params {
            grid: Grid {
                threads: self.threads.unwrap_or(base.grid.threads),
                registers: self.registers.unwrap_or(base.grid.registers),
                shared_memory: self.shared_memory.unwrap_or(base.grid.shared_memory),
                ..base.grid
            },
            compute: self.compute.unwrap_or(base.compute),
            latency: self.latency.unwrap_or(base.latency),
            requests: self.requests.unwrap_or(base.requests),
            reuse: self.reuse.unwrap_or(base.reuse),
            ..base
        })
    }
}

/// A recorded kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// An Accel-Sim trace, plain or compressed.
    pub file: PathBuf,
}
