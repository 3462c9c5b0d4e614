//! Synthetic kernels from measured properties: compute intensity, coalescing, data reuse.
//!
//! Source: Dai et al., table 2: compute instructions per memory instruction (`Cinst/Minst`),
//! requests per memory instruction (`Req/Minst`), and what a block takes of an SM. A request is one
//! line.
//!
//! A warp repeats: arithmetic, a memory instruction that touches exactly so many lines; after
//! each few of them it waits for its loads. Where a request goes is drawn for each warp, memory
//! instruction and request by a hash, so that nothing is remembered:
//!
//! - to a small set of lines of the warp's own, or one that the block's warps share; or else
//! - to the next line of a stream. The lines of a window of instructions come up so many times in
//!   turn; those of one instruction are neighbours, or each in a row of its own, as when each lane
//!   walks along a row of a matrix whose rows are a power of two apart.
//!
//! Stores go through other lines, each once.
//!
//! ASSUMPTION: everything but the two ratios; the paper gives miss rates and no pattern.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::arithmetic::ALIGNMENT;
use super::permutation::hash;
use super::{Addresses, Grid, Instruction, Memory, Place, Program, WARP};
use crate::model::ParamError;
use crate::workload::Op;

/// Bytes that a lane accesses.
const BYTES: u32 = 4;
/// Shares are of so many.
const WHOLE: u32 = 1000;
/// Most lines: of 128 bytes they stay within a kernel's 2^40 addresses.
const MAX_LINES: u64 = 1 << 32;

/// Lines that are used again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Of 1000 requests of loads, how many go there.
    pub share: u32,
    /// How many lines there are, at least as many as a memory instruction has requests.
    pub lines: u32,
}

/// What a kernel uses again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Reuse {
    /// Lines of each warp.
    pub warp: Set,
    /// Lines that the warps of a block share.
    pub block: Set,
    /// How often the stream's lines come up, at least 1.
    pub touches: u32,
    /// Memory instructions after which they come up again, at least 1.
    pub window: u32,
    /// Whether the stream's lines of a memory instruction are each in a row of its own.
    pub rows: bool,
    /// Of 1000 memory instructions, how many store.
    pub stores: u32,
    /// Memory instructions before the warp waits for its loads, at least 1.
    pub in_flight: u32,
}

impl Default for Reuse {
    /// A stream that nothing is used of again, one load at a time.
    fn default() -> Self {
        Self {
            warp: Set::default(),
            block: Set::default(),
            touches: 1,
            window: 1,
            rows: false,
            stores: 0,
            in_flight: 1,
        }
    }
}

/// A kernel in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Its grid.
    pub grid: Grid,
    /// Compute instructions before each memory instruction, at least 1.
    pub compute: u32,
    /// Cycles from each of them to the next instruction, at least 1.
    pub latency: u32,
    /// Lines that a memory instruction touches, 1 to 32.
    pub requests: u32,
    /// Memory instructions of a warp, at least 1.
    pub length: u64,
    /// What it uses again.
    pub reuse: Reuse,
    /// Bytes of a line, 128 or more: the lanes of a request are neighbours in it.
    pub line: u64,
    /// Draws where requests go.
    pub seed: u64,
    /// Address of the first line, a multiple of [`ALIGNMENT`].
    pub base: u64,
}

/// A kernel made from numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synthetic {
    params: Params,
    // Instructions' worth of lines in a warp's stream, and lines from row to row.
    trips: u64,
    pitch: u64,
    // Lines before those of the blocks, the streams and the stores, and in all.
    blocks: u64,
    streams: u64,
    stores: u64,
    lines: u64,
}

impl Synthetic {
    /// The kernel.
    ///
    /// # Errors
    /// [`ParamError`] for numbers outside of their ranges, sets of lines that hold fewer than a
    /// memory instruction has requests, more than 2^32 lines in all.
    pub fn new(params: Params) -> Result<Self, ParamError> {
        let Params { grid, reuse, .. } = params;
        super::check_threads(grid.threads)?;
        ParamError::range("blocks", grid.blocks, 1, super::MAX_BLOCKS)?;
        ParamError::range("compute", params.compute.into(), 1, 1 << 20)?;
        ParamError::range("requests", params.requests.into(), 1, WARP.into())?;
        ParamError::range("length", params.length, 1, 1 << 32)?;
        ParamError::range("line", params.line, (BYTES * WARP).into(), 1024)?;
        ParamError::range("reuse.touches", reuse.touches.into(), 1, 1 << 20)?;
        ParamError::range("reuse.window", reuse.window.into(), 1, 1 << 20)?;
        ParamError::range("latency", params.latency.into(), 1, 1 << 20)?;
        ParamError::range("reuse.in-flight", reuse.in_flight.into(), 1, 1 << 20)?;
        ParamError::range("reuse.stores", reuse.stores.into(), 0, WHOLE.into())?;
        ParamError::range("reuse.warp.share", reuse.warp.share.into(), 0, WHOLE.into())?;
        let left = WHOLE - reuse.warp.share;
        ParamError::range(
            "reuse.block.share",
            reuse.block.share.into(),
            0,
            left.into(),
        )?;
        for (name, set) in [
            ("reuse.warp.lines", reuse.warp),
            ("reuse.block.lines", reuse.block),
        ] {
            let least = if set.share > 0 { params.requests } else { 0 };
            ParamError::range(name, set.lines.into(), least.into(), 1 << 20)?;
        }
        super::check_base(params.base)?;

        let warps = u128::from(grid.blocks) * u128::from(grid.warps());
        let requests = u128::from(params.requests);
        let blocks = warps * u128::from(reuse.warp.lines);
        let streams = blocks + u128::from(grid.blocks) * u128::from(reuse.block.lines);
        let window = u64::from(reuse.window);
        let trips = params.length.div_ceil(u64::from(reuse.touches) * window) * window;
        let pitch = match (warps * u128::from(trips), reuse.rows) {
            (stream, true) => stream.next_power_of_two(),
            (stream, false) => stream,
        };
        let stores = streams + pitch * requests;
        let stored = if reuse.stores > 0 { params.length } else { 0 };
        let lines = stores + warps * u128::from(stored) * requests;
        let small = u64::try_from(lines).unwrap_or(u64::MAX);
        ParamError::range("lines in all", small, 1, MAX_LINES)?;
        Ok(Self {
            params,
            trips,
            pitch: pitch as u64,
            blocks: blocks as u64,
            streams: streams as u64,
            stores: stores as u64,
            lines: small,
        })
    }

    /// What it was made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The n-th memory instruction of a warp.
    fn memory(&self, place: &Place, n: u64) -> Memory {
        let Params {
            grid,
            requests,
            length,
            reuse,
            line,
            ..
        } = self.params;
        let warp = place.block * u64::from(grid.warps()) + u64::from(place.warp);
        let many = u64::from(requests);
        // Drawn for the instruction; from it for each request.
        let drawn = hash(self.params.seed ^ hash(warp * length + n));
        let of_1000 = |draw: u64| (draw % u64::from(WHOLE)) as u32;
        let op = if of_1000(drawn) < reuse.stores {
            Op::Write
        } else {
            Op::Read
        };
        let within = |set: Set, request| (drawn / 1000 + request) % u64::from(set.lines);
        let line_of = |request: u64| {
            if op == Op::Write {
                return self.stores + (warp * length + n) * many + request;
            }
            let draw = of_1000(hash(drawn ^ request));
            if draw < reuse.warp.share {
                return warp * u64::from(reuse.warp.lines) + within(reuse.warp, request);
            }
            if draw - reuse.warp.share < reuse.block.share {
                let first = self.blocks + place.block * u64::from(reuse.block.lines);
                return first + within(reuse.block, request);
            }
            let window = u64::from(reuse.window);
            let trip = n / (window * u64::from(reuse.touches)) * window + n % window;
            let at = warp * self.trips + trip;
            let line = match reuse.rows {
                true => request * self.pitch + at,
                false => at * many + request,
            };
            self.streams + line
        };
        let mut lines = [0; WARP as usize];
        for (request, place) in (0..).zip(&mut lines[..requests as usize]) {
            *place = self.params.base + line_of(request) * line;
        }
        let addresses = if requests == 1 {
            Addresses::Strided {
                base: lines[0],
                stride: BYTES.into(),
            }
        } else {
            // Neighbouring lanes share a line, from its first byte on: a warp that touches a line
            // again touches the same sectors.
            Addresses::Each(std::array::from_fn(|lane| {
                let (lanes, requests) = (WARP as usize, requests as usize);
                let request = lane * requests / lanes;
                let first = (request * lanes).div_ceil(requests);
                lines[request] + (lane - first) as u64 * u64::from(BYTES)
            }))
        };
        Memory {
            op,
            bytes: BYTES,
            lanes: u32::MAX,
            addresses,
        }
    }
}

impl Program for Synthetic {
    fn grid(&self) -> Grid {
        self.params.grid
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let Params { length, reuse, .. } = self.params;
        // Arithmetic and memory instruction in turn, then wait.
        let turn = 2 * u64::from(reuse.in_flight) + 1;
        let (turns, phase) = (place.step / turn, place.step % turn);
        let n = turns * u64::from(reuse.in_flight) + phase / 2;
        if phase == turn - 1 {
            return Instruction::Wait;
        }
        if n >= length {
            return Instruction::Exit;
        }
        if phase % 2 == 1 {
            return Instruction::Memory(self.memory(place, n));
        }
        Instruction::Compute {
            count: self.params.compute,
            latency: self.params.latency,
        }
    }

    fn extent(&self) -> Range<u64> {
        let base = self.params.base;
        base..base + (self.lines * self.params.line).next_multiple_of(ALIGNMENT)
    }
}

#[cfg(test)]
mod tests;
