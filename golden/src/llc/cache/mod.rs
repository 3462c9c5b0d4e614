//! The shared last-level cache for trace replay, with demotions and evictions by kernel.
//!
//! Source: GDC paper, sections II-A (PLOB) and III (GDC), table I.
//!
//! Every access updates three things: the set's LRU stack, `gdc[v][a]` by the number of valid
//! lines of kernel *v* that the access of kernel *a* demotes, and, when a valid line of *v* is
//! evicted, `ike[v][a]` by one. Two implementations do so:
//!
//! | type | is |
//! | --- | --- |
//! | [`Reference`] | the paper in plain data structures, to be read |
//! | [`Fast`] | the same in packed words, to replay long traces; proven equal by tests |
//!
//! ASSUMPTION: a tag hit whose sector is missing is a hit for replacement, PLOB and GDC; the
//! fetch of the sector shows in `sector_misses` only. Reads and writes both allocate.
//!
//! ```
//! use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
//! use cotenant_golden::workload::{Access, Op};
//!
//! let geometry = Geometry { sets: 1, ways: 2, line: 128, kernels: 2, banks: 1 };
//! let mut cache = Fast::new(geometry)?;
//! for (kernel, address) in [(0, 0x000), (1, 0x080), (1, 0x100)] {
//!     cache.access(&Access::at(kernel, Op::Read, address, 128)).unwrap();
//! }
//! let counts = cache.counts();
//! assert_eq!((counts.misses, counts.evictions), (3, 1));
//! assert_eq!(counts.gdc, [[0, 2], [0, 1]]); // kernel 1 demoted kernel 0's line twice
//! assert_eq!(counts.ike, [[0, 1], [0, 0]]); // and evicted it
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

mod fast;
mod general;
mod geometry;
mod packed;
mod reference;

pub use fast::{Fast, Probe, ReplayError};
pub use geometry::{Geometry, MAX_LINE, MAX_LINES, MAX_SETS};
pub use reference::Reference;

use serde::{Deserialize, Serialize};

use super::ByPosition;
use crate::workload::Access;

/// What one access did, in the terms of the hardware units that watch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The set, counted over all banks.
    pub set: u32,
    /// The way that was hit or filled.
    pub way: u8,
    /// The tag was found.
    pub hit: bool,
    /// The stack position hit, or `ways` for a miss.
    pub hit_pos: u8,
    /// The owner of the line in the LRU position before the access.
    pub victim_owner: u8,
    /// The line in the LRU position before the access was valid; on a miss it was evicted.
    pub victim_valid: bool,
    /// A hit that lacks at least one of the sectors asked for.
    pub sector_miss: bool,
}

/// The replacement bits of a set, by position from MRU to LRU, as the ports of the `lru_stack`
/// and `gdcu` units carry them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The way in each position.
    pub way: ByPosition,
    /// The owner of the line in each position; 0 where there never was one.
    pub owner: ByPosition,
    /// The positions that hold a valid line.
    pub valid: u64,
}

/// Hits and misses of one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KernelCounts {
    /// The kernel's id.
    pub kid: u8,
    /// Accesses to lines.
    pub accesses: u64,
    /// Accesses whose tag was found.
    pub hits: u64,
    /// Accesses whose tag was not found.
    pub misses: u64,
}

/// What a cache has counted since it was made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Accesses to lines.
    pub accesses: u64,
    /// Accesses whose tag was found.
    pub hits: u64,
    /// Accesses whose tag was not found.
    pub misses: u64,
    /// Misses that replaced a valid line.
    pub evictions: u64,
    /// Hits that lacked a sector; part of `hits`.
    pub sector_misses: u64,
    /// The same by kernel, in the order of their ids.
    pub kernels: Vec<KernelCounts>,
    /// Demotions, `gdc[victim][aggressor]`.
    pub gdc: Vec<Vec<u64>>,
    /// Evictions, `ike[victim][aggressor]`, a kernel's own on the diagonal.
    pub ike: Vec<Vec<u64>>,
    /// Valid lines that each kernel owns now.
    pub occupancy: Vec<u64>,
}

/// An access that a cache cannot take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize)]
#[non_exhaustive]
pub enum AccessError {
    /// The kernel's id is none of the cache's.
    #[error("kernel is {kernel}, expected 0 to {} (the cache has {kernels} kernels)", .kernels - 1)]
    UnknownKernel {
        /// The id.
        kernel: u8,
        /// Number of kernels of the cache.
        kernels: usize,
    },
}

/// A last-level cache that tells what each access did.
pub trait Cache {
    /// The cache's dimensions.
    fn geometry(&self) -> &Geometry;

    /// One access.
    ///
    /// # Errors
    /// [`AccessError`] when the kernel is unknown; nothing has changed then. Sectors beyond the
    /// line are ignored.
    fn access(&mut self, access: &Access) -> Result<Outcome, AccessError>;

    /// The replacement bits of a set; all sets beyond the last are empty.
    fn stack(&self, set: usize) -> Stack;

    /// What was counted so far.
    fn counts(&self) -> Counts;

    /// Empties the cache and its counts.
    fn reset(&mut self);

    /// One access, together with the replacement bits of its set before it: what a hardware
    /// monitor beside the cache is driven with.
    ///
    /// # Errors
    /// As [`access`](Cache::access).
    fn observe(&mut self, access: &Access) -> Result<(Stack, Outcome), AccessError> {
        let before = self.stack(self.geometry().set_of(access.address));
        Ok((before, self.access(access)?))
    }
}
