//! Converts the lines of a trace to a program.

use std::path::PathBuf;

use super::{Access, Recording, Step, Stored, PAGE};
use crate::workload::program::{Grid, MAX_BLOCKS, MAX_THREADS, WARP};
use crate::workload::trace::{decimal, Checked, Fault, Field, Instruction, Sink, Touch, TRUNCATED};
use crate::workload::Op;

const HEADER: &str = "put the trace's header back";
/// Reads as 0, and is no register.
const ZERO: usize = 255;

/// A recording in the making.
#[derive(Debug, Default)]
pub(super) struct Builder {
    // The header, as far as it is known.
    blocks: Option<u64>,
    threads: Option<u32>,
    registers: Option<u32>,
    shared_memory: Option<u32>,
    grid: Option<Grid>,

    warps: Vec<std::ops::Range<u64>>,
    steps: Vec<Step>,
    accesses: Vec<Access>,
    addresses: Vec<u64>,

    // Blocks so far, and the warp that is being read.
    seen: u64,
    warp: Option<usize>,
    // Registers that its loads have yet to write, and whether copies to shared memory are on
    // their way.
    awaited: [u64; 4],
    copies: bool,
    // An exit, which is an instruction like others if more come after it.
    exit: bool,
}

impl Builder {
    /// The recording of a trace that was read to its end.
    pub(super) fn finish(self, name: PathBuf) -> Recording {
        Recording {
            name,
            grid: self.grid.expect("the end was reached after a block"),
            warps: self.warps,
            steps: self.steps,
            accesses: self.accesses,
            addresses: self.addresses,
            extent: 0..0,
        }
    }

    /// The grid, which the header must have given.
    fn known(&self, whole: &Field) -> Checked<Grid> {
        let missing = |name| whole.fault(format!("`{name} =` before it"), HEADER);
        Ok(Grid {
            blocks: self.blocks.ok_or_else(|| missing("-grid dim"))?,
            threads: self.threads.ok_or_else(|| missing("-block dim"))?,
            registers: self.registers.ok_or_else(|| missing("-nregs"))?,
            shared_memory: self.shared_memory.ok_or_else(|| missing("-shmem"))?,
        })
    }

    fn push(&mut self, step: Step) {
        if let Some(warp) = self.warp {
            self.steps.push(step);
            self.warps[warp].end += 1;
        }
    }

    fn compute(&mut self, latency: u8) {
        let begun = self.warp.is_some_and(|warp| !self.warps[warp].is_empty());
        match self.steps.last_mut() {
            Some(Step::Compute { count, latency: l }) if begun && *l == latency => *count += 1,
            _ => self.push(Step::Compute { count: 1, latency }),
        }
    }

    /// Waits for the loads on their way, of which there are some.
    fn wait(&mut self) {
        self.push(Step::Wait);
        self.awaited = [0; 4];
        self.copies = false;
    }

    fn awaits(&self, register: usize) -> bool {
        self.awaited[register / 64] >> (register % 64) & 1 == 1
    }

    fn access(&mut self, touch: &Touch) -> Checked<()> {
        if !matches!(touch.bytes, 1 | 2 | 4 | 8 | 16) {
            let help = "take the instruction out of the trace, or split it";
            return Err(touch.width.fault("1, 2, 4, 8 or 16 bytes per lane", help));
        }
        let number = u32::try_from(self.accesses.len()).map_err(|_| {
            let help = "cut the trace into kernels of fewer blocks";
            let expected = "at most 2^32 memory instructions in a trace";
            touch.width.fault(expected, help)
        })?;
        let addresses = strided(touch).unwrap_or_else(|| {
            let first = self.addresses.len() as u64;
            let lanes = (0..32).filter(|lane| touch.lanes >> lane & 1 == 1);
            let addresses = lanes.map(|lane: usize| touch.addresses[lane]);
            self.addresses.extend(addresses);
            Stored::Each(first)
        });
        self.accesses.push(Access {
            op: touch.op,
            bytes: touch.bytes as u8,
            lanes: touch.lanes,
            addresses,
        });
        self.push(Step::Memory(number));
        Ok(())
    }
}

impl Sink for Builder {
    fn header(&mut self, name: Field, value: Field) -> Checked<()> {
        let number = |expected: &str, least: u64, most: u64| match product(value.text) {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(value.fault(
                format!("{expected}, {least} to {most}"),
                "correct the header",
            )),
        };
        let most = MAX_THREADS.into();
        match name.text {
            b"-grid dim" => self.blocks = Some(number("thread blocks, (x,y,z)", 1, MAX_BLOCKS)?),
            b"-block dim" => {
                let threads = number("threads of a block, (x,y,z)", 1, most)? as u32;
                self.threads = Some(threads.next_multiple_of(WARP));
            }
            b"-nregs" => self.registers = Some(number("registers of a thread", 1, 255)? as u32),
            b"-shmem" => {
                let bytes = number("bytes of shared memory", 0, 1 << 24)?;
                self.shared_memory = Some(bytes as u32);
            }
            _ => {}
        }
        Ok(())
    }

    fn block(&mut self, whole: Field) -> Checked<()> {
        let grid = self.known(&whole)?;
        self.grid = Some(grid);
        if self.seen == grid.blocks {
            let expected = format!("no more than {} blocks, as `-grid dim =` says", self.seen);
            return Err(whole.fault(expected, "correct the header"));
        }
        self.seen += 1;
        self.warp = None;
        // A warp that the trace leaves out ends at once.
        let end = self.steps.len() as u64;
        let warps = self.warps.len() + grid.warps() as usize;
        self.warps.resize(warps, end..end);
        Ok(())
    }

    fn warp(&mut self, number: Field) -> Checked<()> {
        let warps = self.grid.map_or(0, |grid| u64::from(grid.warps()));
        let help = "correct the number of the warp or the header's `-block dim =`";
        let warp = decimal(number.text).filter(|warp| *warp < warps);
        let Some(warp) = warp else {
            let expected = format!("a warp from 0 to {}", warps.saturating_sub(1));
            return Err(number.fault(expected, help));
        };
        let at = self.warps.len() - (warps - warp) as usize;
        if !self.warps[at].is_empty() {
            return Err(number.fault("a warp that the block has not had", help));
        }
        let begin = self.steps.len() as u64;
        self.warps[at] = begin..begin;
        self.warp = Some(at);
        self.awaited = [0; 4];
        (self.copies, self.exit) = (false, false);
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction<'_>) -> Checked<()> {
        if std::mem::take(&mut self.exit) {
            self.compute(latency(b"EXIT"));
        }
        let opcode = instruction.opcode.text;
        let mut parts = opcode.split(|byte| *byte == b'.');
        let (name, modifier) = (parts.next().unwrap_or_default(), parts.next());
        let registers = instruction.sources.clone();
        let registers = registers.chain(instruction.destinations.clone());
        let reads = registers.filter_map(register).any(|r| self.awaits(r));
        if reads || (self.copies && matches!(name, b"DEPBAR" | b"BAR")) {
            self.wait();
        }
        match &instruction.touch {
            Some(touch) => {
                self.access(touch)?;
                if touch.op == Op::Read {
                    self.copies |= name == b"LDGSTS";
                    // Only the first of neighbouring registers is named.
                    let wide = touch.bytes.div_ceil(4) as usize;
                    let first = instruction.destinations.clone().filter_map(register);
                    for register in first.flat_map(|first| first..(first + wide).min(ZERO)) {
                        self.awaited[register / 64] |= 1 << (register % 64);
                    }
                }
            }
            None if name == b"EXIT" => self.exit = true,
            // Others than BAR.ARV wait.
            None if name == b"BAR" && modifier != Some(b"ARV") && instruction.mask != 0 => {
                self.push(Step::Barrier);
            }
            None => self.compute(latency(name)),
        }
        Ok(())
    }

    fn end(&mut self) -> Checked<()> {
        let missing = match self.grid {
            Some(grid) => grid.blocks - self.seen,
            None => self.blocks.unwrap_or(1),
        };
        if missing == 0 {
            return Ok(());
        }
        let expected = format!("{missing} more thread blocks, as `-grid dim =` says");
        Err(Fault::new(0, b"", expected, TRUNCATED))
    }
}

/// The product of `(x,y,z)`, or a number.
fn product(text: &[u8]) -> Option<u64> {
    let inner = text.strip_prefix(b"(").and_then(|t| t.strip_suffix(b")"));
    let mut factors = inner.unwrap_or(text).split(|byte| *byte == b',');
    factors.try_fold(1u64, |product, factor| {
        product.checked_mul(decimal(factor.trim_ascii())?)
    })
}

/// The number of a general register; others carry no loads.
fn register(name: &[u8]) -> Option<usize> {
    let number = decimal(name.strip_prefix(b"R")?)? as usize;
    (number < ZERO).then_some(number)
}

/// Cycles to the next instruction.
fn latency(name: &[u8]) -> u8 {
    match name {
        b"DADD" | b"DMUL" | b"DFMA" | b"DSETP" | b"DMNMX" => 8,
        b"IMAD" => 5,
        b"LDS" | b"LDSM" | b"STS" | b"ATOMS" => 19,
        _ => 4,
    }
}

/// The common stride of all lanes, if there is one and even idle lanes would stay in the page.
fn strided(touch: &Touch) -> Option<Stored> {
    let first = touch.lanes.trailing_zeros();
    let address = |lane: u32| touch.addresses[lane as usize];
    let rest = touch.lanes & (touch.lanes - 1);
    let stride = match rest {
        0 => 0,
        rest => {
            let (second, lanes) = (rest.trailing_zeros(), rest.trailing_zeros() - first);
            let apart = address(second).checked_sub(address(first))?;
            let even = apart % u64::from(lanes) == 0;
            even.then_some(apart / u64::from(lanes))?
        }
    };
    let base = address(first).checked_sub(u64::from(first) * stride)?;
    let at = |lane: u32| u64::from(lane).checked_mul(stride)?.checked_add(base);
    let mut lanes = (0..WARP).filter(|lane| touch.lanes >> lane & 1 == 1);
    let common = lanes.all(|lane| at(lane) == Some(address(lane)));
    let end = at(WARP - 1)?.checked_add(touch.bytes - 1)?;
    (common && base / PAGE == end / PAGE).then_some(Stored::Strided {
        base,
        stride: stride as u32,
    })
}
