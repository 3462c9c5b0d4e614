//! The two interferers: the kernel of listing 1 and the copies of listing 2.

use std::ops::Range;

use serde::Serialize;

use crate::gpu::config::Config;
use crate::workload::program::{Addresses, Grid, Instruction, Memory, Place, Program, WARP};
use crate::workload::Op;

/// Threads of the interference kernel's one block ("one CUDA block of 1024 concurrent threads").
pub const THREADS: u64 = 1024;
/// Bytes that a lane of the copy engine's instructions writes.
const WIDE: u64 = 16;

/// By how many elements a thread of the interference kernel goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hop {
    /// By `blockDim.x`, as listing 1 has it: all elements from a thread's first on are visited,
    /// most of them by several threads.
    Block,
    /// By `blockDim.x * stride`, which the text may mean: in it each thread "could potentially
    /// perform a cache miss", and larger strides skip lines.
    BlockStride,
}

/// Who is beside the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interference {
    /// The interference kernel on the other SM.
    Kernel {
        /// Elements from where a thread starts to where the next one does.
        stride: u64,
        /// Bytes of an element: 1, 2, 4, 8 or 16.
        bytes: u32,
        /// How threads go on.
        hop: Hop,
    },
    /// The copy engine, host to device, over and over.
    Copy {
        /// Lines that a copy writes.
        lines: u64,
    },
}

/// Listing 1: each thread begins at element `threadIdx.x * stride` of `n`, copies it from `r` to
/// `w`, and goes on by `blockDim.x` (or what [`Hop`] says); without end.
///
/// ASSUMPTION: two instructions beside load and store for an element: the sum, and the comparison
/// with its branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Listing1 {
    pub stride: u64,
    pub bytes: u32,
    pub hop: Hop,
    /// Elements.
    pub n: u64,
    /// Address of `r`; `w` follows it.
    pub base: u64,
}

impl Listing1 {
    /// An array's bytes, aligned as `cudaMalloc` does.
    fn pitch(&self) -> u64 {
        (self.n * u64::from(self.bytes)).next_multiple_of(256)
    }

    fn access(&self, op: Op, array: u64, first: u64) -> Instruction {
        let lanes = (self.n - first).div_ceil(self.stride).min(WARP.into());
        let bytes = u64::from(self.bytes);
        Instruction::Memory(Memory {
            op,
            bytes: self.bytes,
            lanes: u32::MAX >> (WARP - lanes as u32),
            addresses: Addresses::Strided {
                base: self.base + array * self.pitch() + first * bytes,
                stride: self.stride * bytes,
            },
        })
    }
}

impl Program for Listing1 {
    fn grid(&self) -> Grid {
        Grid {
            blocks: 1,
            threads: THREADS as u32,
            registers: 16,
            shared_memory: 0,
        }
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let start = u64::from(place.warp * WARP) * self.stride;
        if start >= self.n {
            return Instruction::Exit;
        }
        // The warp's lowest thread is the last to leave the loop; then it runs again.
        let hop = match self.hop {
            Hop::Block => THREADS,
            Hop::BlockStride => THREADS * self.stride,
        };
        let iterations = (self.n - start).div_ceil(hop);
        let first = start + place.step / 4 % iterations * hop;
        match place.step % 4 {
            0 => self.access(Op::Read, 0, first),
            1 => Instruction::Wait,
            2 => self.access(Op::Write, 1, first),
            _ => Instruction::Compute {
                count: 2,
                latency: 4,
            },
        }
    }

    fn extent(&self) -> Range<u64> {
        self.base..self.base + self.pitch() + self.n * u64::from(self.bytes)
    }
}

/// Listing 2: copies of so many lines to one place, each begun when the one before has ended.
///
/// ASSUMPTION: the engine moves half of what memory can, since it reads as much as it writes; what
/// it reads of the host's memory is left out. It writes whole lines, which the L2 allocates ("also
/// prefetches the data needed on the GPU LLC").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Copy {
    pub lines: u64,
    /// Bytes of a line.
    pub line: u64,
    /// Cycles from one instruction's lines to the next's.
    pub pace: u32,
    /// Cycles from a copy's end to the next one's beginning.
    pub gap: u32,
    pub base: u64,
}

impl Copy {
    pub(super) fn new(config: &Config, line: u64, lines: u64, gap_ns: u64, base: u64) -> Self {
        // Bytes and cycles that pass in a microsecond.
        let memory = config.l2.partitions as u64 * config.dram.bus * config.dram.clock_mhz / 2;
        let run = u64::from(WARP) * WIDE;
        Self {
            lines,
            line,
            pace: (run * config.clock_mhz)
                .div_ceil(memory.max(1))
                .clamp(1, 1 << 20) as u32,
            gap: (gap_ns * config.clock_mhz / 1000).clamp(1, 1 << 30) as u32,
            base,
        }
    }
}

impl Program for Copy {
    fn grid(&self) -> Grid {
        Grid {
            blocks: 1,
            threads: WARP,
            registers: 1,
            shared_memory: 0,
        }
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let run = u64::from(WARP) * WIDE;
        let bytes = self.lines * self.line;
        let steps = 2 * bytes.div_ceil(run) + 1;
        let step = place.step % steps;
        if step == 0 {
            return Instruction::Compute {
                count: 1,
                latency: self.gap,
            };
        }
        let first = (step - 1) / 2 * run;
        if step % 2 == 0 {
            return Instruction::Compute {
                count: 1,
                latency: self.pace,
            };
        }
        let lanes = ((bytes - first) / WIDE).min(WARP.into());
        Instruction::Memory(Memory {
            op: Op::Write,
            bytes: WIDE as u32,
            lanes: u32::MAX >> (WARP - lanes as u32),
            addresses: Addresses::Strided {
                base: self.base + first,
                stride: WIDE,
            },
        })
    }

    fn extent(&self) -> Range<u64> {
        self.base..self.base + self.lines * self.line
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the listing run by a person for all threads, against the addresses of the
    //! program; strides below, at and above 32, and arrays that end within a warp.
    use std::collections::BTreeMap;

    use super::*;

    /// Elements copied in one run of the program: how often each.
    fn visited(program: &Listing1) -> BTreeMap<u64, u64> {
        let mut seen = BTreeMap::new();
        for warp in 0..THREADS as u32 / WARP {
            let mut before = None;
            for step in 0.. {
                let place = Place {
                    block: 0,
                    warp,
                    step,
                    lap: 0,
                };
                match program.instruction(&place) {
                    Instruction::Exit => break,
                    Instruction::Memory(memory) if memory.op == Op::Read => {
                        let first = memory.touched().next();
                        // The next run begins.
                        if before.is_some() && first <= before {
                            break;
                        }
                        before = first;
                        for address in memory.touched() {
                            let at = (address - program.base) / u64::from(program.bytes);
                            *seen.entry(at).or_default() += 1;
                        }
                    }
                    _ => {}
                }
            }
        }
        seen
    }

    #[test]
    fn listing_1_is_what_it_says() {
        for (stride, n) in [
            (1, 4096),
            (3, 5000),
            (32, 40_000),
            (50, 40_001),
            (256, 100_000),
        ] {
            for (hop, by) in [(Hop::Block, THREADS), (Hop::BlockStride, THREADS * stride)] {
                let program = Listing1 {
                    stride,
                    bytes: 4,
                    hop,
                    n,
                    base: 1 << 20,
                };
                let mut expected = BTreeMap::new();
                for thread in 0..THREADS {
                    let mut idx = thread * stride;
                    while idx < n {
                        *expected.entry(idx).or_default() += 1;
                        idx += by;
                    }
                }
                assert_eq!(visited(&program), expected, "{stride} {n} {hop:?}");
            }
        }
    }

    #[test]
    fn a_copy_writes_its_lines_once() {
        let config = crate::presets::Preset::named("tx2").unwrap().machine;
        for lines in [1, 5, 16, 33] {
            let program = Copy::new(&config, 32, lines, 1000, 0);
            assert_eq!((program.pace, program.gap), (23, 1300));
            let steps = 2 * (lines * 32).div_ceil(512) + 1;
            let mut bytes = vec![];
            for step in 0..steps {
                let place = Place {
                    block: 0,
                    warp: 0,
                    step,
                    lap: 0,
                };
                if let Instruction::Memory(memory) = program.instruction(&place) {
                    bytes.extend(memory.touched());
                }
            }
            let all: Vec<u64> = (0..lines * 32).step_by(16).collect();
            assert_eq!(bytes, all, "{lines}");
            let next = Place {
                block: 0,
                warp: 0,
                step: steps,
                lap: 0,
            };
            assert!(matches!(
                program.instruction(&next),
                Instruction::Compute { latency: 1300, .. }
            ));
        }
    }
}
