//! Workloads: programs, scenarios, traces and streams of accesses.
//!
//! | module | holds |
//! | --- | --- |
//! | [`program`] | kernels as grids of thread blocks whose warps run instructions |
//! | [`random`] | workloads drawn at random |
//! | [`scenario`] | which kernels run together, as TOML |
//! | [`stream`] | accesses recorded once, replayed with some kernels left out |
//! | [`trace`] | readers of recorded traces: CSV, Dinero, Accel-Sim; a writer |
//!
//! All of them end in [`Access`]: one touch of one cache line by one kernel.

use serde::{Deserialize, Serialize};

#[cfg(feature = "machines")]
pub(crate) mod coalesce;
#[cfg(feature = "machines")]
pub mod program;
#[cfg(feature = "machines")]
pub mod random;
#[cfg(feature = "machines")]
pub mod scenario;
#[cfg(feature = "machines")]
pub mod stream;
#[cfg(feature = "machines")]
pub mod trace;

/// Bytes of a sector, the unit in which lines are fetched (GDC paper, table I).
pub const SECTOR: u64 = 32;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    /// A load or an instruction fetch.
    #[serde(rename = "R")]
    Read,
    /// A store or an atomic.
    #[serde(rename = "W")]
    Write,
}

/// One access of one kernel to one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// The first byte touched.
    pub address: u64,
    /// The sectors of the line that are touched, bit 0 being the lowest address.
    pub sectors: u32,
    /// The accessing kernel's KID.
    pub kernel: u8,
    /// Load or store.
    pub op: Op,
    /// The cycle of the access, where the source knows it.
    pub cycle: Option<u64>,
}

impl Access {
    /// An access to the one sector that holds `address`, in lines of `line` bytes (a power of
    /// two up to [`MAX_LINE`](crate::llc::cache::MAX_LINE)).
    ///
    /// ```
    /// use cotenant_golden::workload::{Access, Op};
    /// assert_eq!(Access::at(1, Op::Read, 0x1068, 128).sectors, 0b1000);
    /// ```
    pub fn at(kernel: u8, op: Op, address: u64, line: u64) -> Self {
        let sector = address % line.max(1) / SECTOR;
        Self {
            address,
            sectors: 1 << (sector % 32),
            kernel,
            op,
            cycle: None,
        }
    }
}
