//! Kernels as lists of steps: arithmetic, shared memory, and global memory instructions that each
//! have an index expression of their own, as the kernel's source has it.
//!
//! A warp runs `head`, then `body` so many times, then `tail`. A memory instruction says which
//! element of which array each thread touches; how many lines that is, and which warps meet in a
//! line, comes out of it. Loads are waited for at [`Step::Wait`] only.
//!
//! ASSUMPTION: an instruction that accesses shared memory takes an issue slot and as long as
//! arithmetic does, and nothing of the load/store unit: the model has no shared memory with banks.

use std::ops::Range;

use super::arithmetic::ALIGNMENT;
use super::permutation::hash;
use super::{Addresses, Grid, Instruction, Memory, Place, Program, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// What a thread is and where it is in its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// `threadIdx.x`.
    pub tx: i64,
    /// `threadIdx.y`.
    pub ty: i64,
    /// `threadIdx.z`.
    pub tz: i64,
    /// `blockIdx.x`.
    pub bx: i64,
    /// `blockIdx.y`.
    pub by: i64,
    /// The iteration of the body, from 0 on; in the tail their number.
    pub trip: i64,
    /// How far apart neighbours of an element lie, for indices that are data ([`Numbers::spread`]).
    pub spread: i64,
    /// The number of the thread in its grid.
    pub id: i64,
    seed: u64,
}

impl Thread {
    /// A number from 0 to `below` less 1 that stands for data: drawn from the seed for this thread,
    /// iteration and `what`, the same whenever it is asked for.
    pub fn data(&self, what: u64, below: i64) -> i64 {
        let place = hash(self.id as u64) ^ hash(!(self.trip as u64)) ^ hash(self.seed ^ what);
        (hash(place) % below.max(1) as u64) as i64
    }

    /// An index that is data: an element up to half of [`spread`](Self::spread) away from `at`,
    /// equally far for `group` threads in a row.
    pub fn near(&self, what: u64, at: i64, group: i64) -> i64 {
        let first = Self {
            id: self.id / group,
            ..*self
        };
        at + first.data(what, self.spread) - self.spread / 2
    }
}

/// An element of an array by thread; none if the thread takes no part. Indices below 0 or beyond
/// the end count from the other end.
pub type Index = fn(&Thread) -> Option<i64>;

/// An instruction or several.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// So many arithmetic instructions.
    Compute(u32),
    /// So many accesses of shared memory.
    Shared(u32),
    /// A load of global memory: the array and the element.
    Load(usize, Index),
    /// A store to global memory.
    Store(usize, Index),
    /// The loads before are needed here.
    Wait,
    /// `__syncthreads()`.
    Barrier,
}

/// Bytes of an array's elements and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array {
    /// Bytes of an element: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Elements, at least 1.
    pub elements: u64,
}

/// A kernel's source.
#[derive(Debug, Clone)]
pub struct Source {
    /// `blockDim`: x, y, z. Together at most [`MAX_THREADS`](super::MAX_THREADS); what is missing
    /// to whole warps takes part in nothing.
    pub block: [u32; 3],
    /// `gridDim`: x, y.
    pub grid: [u64; 2],
    /// What it touches.
    pub arrays: Vec<Array>,
    /// Before the loop.
    pub head: Vec<Step>,
    /// In the loop.
    pub body: Vec<Step>,
    /// How often.
    pub trips: u64,
    /// After it.
    pub tail: Vec<Step>,
}

/// What a kernel's source does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Numbers {
    /// Cycles from an instruction that is no access of global memory to the warp's next, 1 to 1024:
    /// the pipeline's depth, what waits for operands or barriers, less what is independent.
    pub latency: u32,
    /// Elements over which indices that are data are spread, 1 to 2^20; 1 where there are none.
    pub spread: u32,
}

/// How many instructions of each kind a warp runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mix {
    /// Arithmetic.
    pub compute: u64,
    /// Shared memory.
    pub shared: u64,
    /// Global memory.
    pub global: u64,
}

impl Mix {
    /// Arithmetic per memory instruction, shared memory's included.
    ///
    /// ASSUMPTION: so does `Cinst/Minst` of table 2: only then backprop's is near the table's.
    pub fn compute_per_memory(&self) -> f64 {
        self.compute as f64 / (self.shared + self.global).max(1) as f64
    }
}

/// A kernel made of a list.
#[derive(Debug, Clone)]
pub struct Listed {
    source: Source,
    grid: Grid,
    numbers: Numbers,
    seed: u64,
    /// By array, the address of its first element.
    bases: Vec<u64>,
    end: u64,
}

impl Listed {
    /// The kernel, whose arrays follow each other from `base` on, aligned as `cudaMalloc` does.
    /// `registers` of each thread and bytes of `shared_memory` of each block are what the SM must
    /// have room for; `seed` draws what is data.
    ///
    /// # Errors
    /// [`ParamError`] for numbers outside of their ranges, a step with an array that there is not,
    /// a base that is not aligned.
    pub fn new(
        source: Source,
        numbers: Numbers,
        [registers, shared_memory]: [u32; 2],
        seed: u64,
        base: u64,
    ) -> Result<Self, ParamError> {
        let threads: u64 = source.block.iter().map(|&side| u64::from(side)).product();
        ParamError::range("threads", threads, 1, super::MAX_THREADS.into())?;
        let blocks = source.grid[0].saturating_mul(source.grid[1]);
        ParamError::range("blocks", blocks, 1, super::MAX_BLOCKS)?;
        ParamError::range("trips", source.trips, 0, 1 << 32)?;
        ParamError::range("latency", numbers.latency.into(), 1, 1 << 10)?;
        ParamError::range("spread", numbers.spread.into(), 1, 1 << 20)?;
        super::check_base(base)?;
        let (mut bases, mut end) = (vec![], base);
        for array in &source.arrays {
            ParamError::range("elements", array.elements, 1, 1 << 32)?;
            ParamError::range("bytes", array.bytes.into(), 1, 16)?;
            ParamError::power_of_two("bytes", array.bytes.into(), "an element is aligned")?;
            bases.push(end);
            end += (array.elements * u64::from(array.bytes)).next_multiple_of(ALIGNMENT);
        }
        let steps = [&source.head, &source.body, &source.tail];
        for step in steps.into_iter().flatten() {
            match step {
                Step::Load(array, _) | Step::Store(array, _) => {
                    let last = source.arrays.len().saturating_sub(1) as u64;
                    ParamError::range("array", *array as u64, 0, last)?;
                }
                Step::Compute(count) | Step::Shared(count) => {
                    ParamError::range("instructions of a step", (*count).into(), 1, 1 << 20)?;
                }
                Step::Wait | Step::Barrier => {}
            }
        }
        let grid = Grid {
            blocks,
            threads: (threads as u32).next_multiple_of(WARP),
            registers,
            shared_memory,
        };
        Ok(Self {
            source,
            grid,
            numbers,
            seed,
            bases,
            end,
        })
    }

    /// The instructions of a warp.
    pub fn mix(&self) -> Mix {
        let mut mix = Mix::default();
        let Source {
            head,
            body,
            trips,
            tail,
            ..
        } = &self.source;
        for (steps, times) in [(head, 1), (body, *trips), (tail, 1)] {
            for step in steps {
                match step {
                    Step::Compute(count) => mix.compute += u64::from(*count) * times,
                    Step::Shared(count) => mix.shared += u64::from(*count) * times,
                    Step::Load(..) | Step::Store(..) => mix.global += times,
                    Step::Wait | Step::Barrier => {}
                }
            }
        }
        mix
    }

    /// A warp's step, and the iteration that it is in.
    fn step(&self, step: u64) -> Option<(Step, u64)> {
        let Source {
            head,
            body,
            trips,
            tail,
            ..
        } = &self.source;
        if let Some(found) = head.get(step as usize) {
            return Some((*found, 0));
        }
        let (step, length) = (step - head.len() as u64, body.len() as u64);
        if step < length * trips {
            return Some((body[(step % length) as usize], step / length));
        }
        let found = tail.get((step - length * trips) as usize)?;
        Some((*found, *trips))
    }

    /// The memory instruction; none if no thread takes part.
    fn memory(
        &self,
        place: &Place,
        trip: u64,
        op: Op,
        array: usize,
        index: Index,
    ) -> Option<Memory> {
        let Source { block, grid, .. } = &self.source;
        let [x, y, z] = block.map(i64::from);
        let Array { bytes, elements } = self.source.arrays[array];
        let (mut lanes, mut addresses) = (0u32, [0; WARP as usize]);
        let first = i64::from(place.warp * WARP);
        let mut thread = Thread {
            tx: first % x,
            ty: first / x % y,
            tz: first / (x * y),
            bx: (place.block % grid[0]) as i64,
            by: (place.block / grid[0]) as i64,
            trip: trip as i64,
            spread: self.numbers.spread.into(),
            id: place.block as i64 * x * y * z + first,
            seed: self.seed,
        };
        for (lane, address) in addresses.iter_mut().enumerate() {
            if thread.tz >= z {
                break;
            }
            if let Some(element) = index(&thread) {
                lanes |= 1 << lane;
                // Nearly all are: a division for each lane is most of the work.
                let element = match (0..elements as i64).contains(&element) {
                    true => element as u64,
                    false => element.rem_euclid(elements as i64) as u64,
                };
                *address = self.bases[array] + element * u64::from(bytes);
            }
            thread.id += 1;
            thread.tx += 1;
            if thread.tx == x {
                (thread.tx, thread.ty) = (0, thread.ty + 1);
                if thread.ty == y {
                    (thread.ty, thread.tz) = (0, thread.tz + 1);
                }
            }
        }
        // The SM asks again for addresses that have no stride.
        let stride = addresses[1].checked_sub(addresses[0]);
        let addresses = match stride {
            Some(stride)
                if lanes == u32::MAX
                    && addresses
                        .windows(2)
                        .all(|pair| pair[1].wrapping_sub(pair[0]) == stride) =>
            {
                Addresses::Strided {
                    base: addresses[0],
                    stride,
                }
            }
            _ => Addresses::Each(addresses),
        };
        (lanes != 0).then_some(Memory {
            op,
            bytes,
            lanes,
            addresses,
        })
    }
}

impl Program for Listed {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let Some((step, trip)) = self.step(place.step) else {
            return Instruction::Exit;
        };
        let access = |op, array, index| match self.memory(place, trip, op, array, index) {
            Some(memory) => Instruction::Memory(memory),
            // A branch around it.
            None => Instruction::Compute {
                count: 1,
                latency: self.numbers.latency,
            },
        };
        match step {
            Step::Compute(count) | Step::Shared(count) => Instruction::Compute {
                count,
                latency: self.numbers.latency,
            },
            Step::Load(array, index) => access(Op::Read, array, index),
            Step::Store(array, index) => access(Op::Write, array, index),
            Step::Wait => Instruction::Wait,
            Step::Barrier => Instruction::Barrier,
        }
    }

    fn extent(&self) -> Range<u64> {
        self.bases.first().copied().unwrap_or(self.end)..self.end
    }
}

#[cfg(test)]
mod tests;
