//! Kernels read from a trace of Accel-Sim.
//!
//! A [`Recording`] is what a `.traceg` file says of thread blocks, warps and instructions: loads,
//! stores and atomics of global memory with their lanes' addresses, barriers, and everything else
//! as arithmetic. It is the [`Program`] of any number of co-runners, each with addresses of its
//! own.
//!
//! A warp waits for its loads before the first instruction that reads or overwrites a register that
//! one of them loads: the trace has the registers of each instruction.
//!
//! Memory: a recording is kept as a whole, at 8 bytes per step (neighbouring arithmetic is one), 32
//! more a memory instruction and 8 more a lane where lanes have no common stride.
//!
//! ASSUMPTION: the trace has no times. An instruction that is no memory access takes the next one
//! as long as its latency: 4 cycles, 5 for an integer multiply-add, 8 for doubles
//! ([`arithmetic`](super::arithmetic)'s sources), 19 for shared memory (Jia et al., Volta).
//! ASSUMPTION: blocks run in the file's order. ASSUMPTION: nothing waits for an atomic's result,
//! since it is a store here. ASSUMPTION: a wait for asynchronous copies (`DEPBAR`) is one for all
//! loads.
//!
//! ```
//! use std::sync::Arc;
//! use cotenant_golden::workload::program::recorded::{Recorded, Recording};
//! use cotenant_golden::workload::program::Program;
//!
//! let text = "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 12\n\
//!     -accelsim tracer version = 5\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n\
//!     0000 ffffffff 1 R4 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0\n0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n";
//! let recording = Arc::new(Recording::read("k.traceg", text.as_bytes())?);
//! let first = Recorded::new(Arc::clone(&recording), 0)?;
//! let second = Recorded::new(recording, 1 << 40)?;
//! assert_eq!(first.extent(), 0x30e00..0x30e80);
//! assert_eq!(second.extent().start, (1 << 40) + 0x30e00);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod relocate;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Addresses, Grid, Instruction, Memory, Place, Program};
use crate::model::ParamError;
use crate::workload::trace::{read_traceg, TraceError};
use crate::workload::Op;

pub use relocate::PAGE;

/// A step of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Compute {
        count: u32,
        latency: u8,
    },
    /// The access of a number.
    Memory(u32),
    Wait,
    Barrier,
}

/// A memory instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    op: Op,
    bytes: u8,
    lanes: u32,
    addresses: Stored,
}

/// Addresses of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    /// As [`Addresses::Strided`].
    Strided { base: u64, stride: u32 },
    /// Those of active lanes, from this one of all on.
    Each(u64),
}

/// A kernel's trace.
#[derive(Clone, PartialEq, Eq)]
pub struct Recording {
    name: PathBuf,
    grid: Grid,
    /// The steps of each warp, block after block.
    warps: Vec<Range<u64>>,
    steps: Vec<Step>,
    accesses: Vec<Access>,
    /// Lanes without common stride.
    addresses: Vec<u64>,
    extent: Range<u64>,
}

impl Recording {
    /// A trace in a file, plain or compressed.
    ///
    /// # Errors
    /// [`TraceError`] when the file cannot be opened, or as [`read`](Self::read).
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let file = File::open(path).map_err(|source| TraceError::Open {
            file: path.to_owned(),
            source,
        })?;
        Self::read(path, file)
    }

    /// A trace, which messages call `name`.
    ///
    /// # Errors
    /// [`TraceError`] with file, line and column, what was expected there, and what to do.
    pub fn read(
        name: impl Into<PathBuf>,
        input: impl Read + Send + 'static,
    ) -> Result<Self, TraceError> {
        let name = name.into();
        let builder = read_traceg(name.clone(), input, read::Builder::default())?;
        let mut recording = builder.finish(name);
        relocate::close_gaps(&mut recording);
        Ok(recording)
    }

    /// The kernel's grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Memory instructions of all warps.
    pub fn accesses(&self) -> usize {
        self.accesses.len()
    }

    /// The addresses of an access, each moved by `base`.
    fn addresses(&self, access: &Access, base: u64) -> Addresses {
        match access.addresses {
            Stored::Strided {
                base: first,
                stride,
            } => Addresses::Strided {
                base: base + first,
                stride: stride.into(),
            },
            Stored::Each(first) => {
                let count = access.lanes.count_ones() as usize;
                let mut stored = self.addresses[first as usize..][..count].iter();
                Addresses::Each(std::array::from_fn(|lane| {
                    let active = access.lanes >> lane & 1 == 1;
                    let address = active.then(|| stored.next()).flatten();
                    base + address.unwrap_or(&0)
                }))
            }
        }
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the millions of steps.
        f.debug_struct("Recording")
            .field("name", &self.name)
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// A recording that runs at addresses of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    recording: Arc<Recording>,
    base: u64,
}

impl Recorded {
    /// A kernel whose lowest [`PAGE`] is moved to `base`. The pages that it touches keep their
    /// order; gaps between them are closed. Within a page, addresses are the trace's.
    ///
    /// # Errors
    /// [`ParamError`] for a base that is not aligned as arrays are.
    pub fn new(recording: Arc<Recording>, base: u64) -> Result<Self, ParamError> {
        super::check_base(base)?;
        Ok(Self { recording, base })
    }
}

impl Program for Recorded {
    fn grid(&self) -> Grid {
        self.recording.grid
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let recording = &*self.recording;
        let warp = place.block * u64::from(recording.grid.warps()) + u64::from(place.warp);
        let steps = &recording.warps[warp as usize];
        if place.step >= steps.end - steps.start {
            return Instruction::Exit;
        }
        match recording.steps[(steps.start + place.step) as usize] {
            Step::Compute { count, latency } => Instruction::Compute {
                count,
                latency: latency.into(),
            },
            Step::Memory(number) => {
                let access = &recording.accesses[number as usize];
                Instruction::Memory(Memory {
                    op: access.op,
                    bytes: access.bytes.into(),
                    lanes: access.lanes,
                    addresses: recording.addresses(access, self.base),
                })
            }
            Step::Wait => Instruction::Wait,
            Step::Barrier => Instruction::Barrier,
        }
    }

    fn extent(&self) -> Range<u64> {
        let Range { start, end } = self.recording.extent;
        self.base + start..self.base + end
    }
}

#[cfg(test)]
mod tests;
