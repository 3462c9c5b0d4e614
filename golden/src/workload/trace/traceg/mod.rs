//! Accel-Sim's `.traceg`: warp instructions grouped by thread block and warp.
//!
//! Source: Accel-Sim's `tracer_nvbit` and `trace-parser`, tracer versions 3 to 5.
//!
//! ```text
//! -accelsim tracer version = 5
//! -enable lineinfo = 0
//! #BEGIN_TB
//! thread block = 0,0,0
//! warp = 0
//! insts = 1
//! 00a0 ffffffff 1 R4 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0
//! #END_TB
//! ```
//!
//! The file's order is kept: blocks one after another, in each of them warp after warp. What a
//! reader makes of it is up to its [`Sink`].

mod instruction;

use super::error::Fault;
use super::fields::{decimal, hex, Field, Words};

pub(in crate::workload) use instruction::{Instruction, Touch};

/// Tracer versions whose lines are understood.
const VERSIONS: std::ops::RangeInclusive<u64> = 3..=5;

/// What takes in what a trace says, in its order.
pub(in crate::workload) trait Sink {
    /// A line of the header that is not about how the trace is to be read: name and value.
    fn header(&mut self, name: Field, value: Field) -> Checked<()> {
        let _ = (name, value);
        Ok(())
    }

    /// A thread block begins; its line.
    fn block(&mut self, whole: Field) -> Checked<()> {
        let _ = whole;
        Ok(())
    }

    /// A warp of the block begins; its number.
    fn warp(&mut self, number: Field) -> Checked<()> {
        let _ = number;
        Ok(())
    }

    /// An instruction of the warp.
    fn instruction(&mut self, instruction: &Instruction<'_>) -> Checked<()>;

    /// The trace is at its end, which is as it should be.
    fn end(&mut self) -> Checked<()> {
        Ok(())
    }
}

/// Where in the file the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of thread blocks.
    Outside,
    /// In a thread block, before its first warp.
    Block,
    /// After `warp =`, before `insts =`.
    Warp,
    /// Among the instructions of a warp, of which so many are still to come.
    Instructions(u64),
}

/// The parser's state.
#[derive(Debug)]
pub(in crate::workload) struct Traceg<S> {
    version: Option<u64>,
    lineinfo: bool,
    // Of shared and of local memory.
    windows: [Option<u64>; 2],
    place: Place,
    sink: S,
}

pub(in crate::workload) type Checked<T> = Result<T, Box<Fault>>;

pub(in crate::workload) const TRUNCATED: &str =
    "the trace may be truncated; record or copy it again";
const UNGROUPED: &str = "process raw `.trace` files with Accel-Sim's post-traces-processing first";

impl<S: Sink> Traceg<S> {
    pub(in crate::workload) fn new(sink: S) -> Self {
        Self {
            version: None,
            lineinfo: false,
            windows: [None; 2],
            place: Place::Outside,
            sink,
        }
    }

    /// What takes the lines in.
    pub(in crate::workload) fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// The same, at the end.
    pub(in crate::workload) fn into_sink(self) -> S {
        self.sink
    }

    /// Takes a line in.
    pub(in crate::workload) fn line(&mut self, line: &[u8]) -> Checked<()> {
        let whole = Field {
            text: line,
            offset: 0,
        }
        .trimmed();
        match whole.text {
            b"" => Ok(()),
            [b'-', ..] => self.header(whole),
            [b'#', ..] => self.comment(whole),
            text if text.contains(&b'=') => self.assignment(whole),
            _ => self.instruction(line, whole),
        }
    }

    /// Checks that the file may end here.
    pub(in crate::workload) fn end(&mut self) -> Checked<()> {
        let fault = |expected: &'static str| Err(Fault::new(0, b"", expected, TRUNCATED));
        match self.place {
            Place::Outside if self.version.is_none() => {
                fault("`-accelsim tracer version = 3` to 5")
            }
            Place::Outside => self.sink.end(),
            Place::Block | Place::Instructions(0) => fault("#END_TB"),
            Place::Warp => fault("insts ="),
            Place::Instructions(_) => fault("more instructions, as `insts =` says"),
        }
    }

    /// A line `-name = value`.
    fn header(&mut self, whole: Field) -> Checked<()> {
        let Some((name, value)) = split_assignment(whole) else {
            return Ok(());
        };
        let base = |value: Field| {
            let help = "correct the header";
            let base = hex(value.text).ok_or_else(|| value.fault("a hexadecimal address", help))?;
            // The tracer writes 0 where it does not know.
            Ok::<_, Box<Fault>>((base != 0).then_some(base))
        };
        match name.text {
            b"-accelsim tracer version" => match decimal(value.text) {
                Some(version) if VERSIONS.contains(&version) => self.version = Some(version),
                _ => {
                    let help = "record the trace again with a tracer of these versions";
                    return Err(value.fault("a tracer version 3, 4 or 5", help));
                }
            },
            b"-enable lineinfo" => {
                self.lineinfo = match value.text {
                    b"0" => false,
                    b"1" => true,
                    _ => return Err(value.fault("0 or 1", "correct the header")),
                }
            }
            b"-shmem base_addr" => self.windows[0] = base(value)?,
            b"-local mem base_addr" => self.windows[1] = base(value)?,
            _ => self.sink.header(name, value)?,
        }
        Ok(())
    }

    /// A line that starts with `#`.
    fn comment(&mut self, whole: Field) -> Checked<()> {
        match (Words::new(whole.text).next().text, self.place) {
            (b"#BEGIN_TB", Place::Outside) => {
                if self.version.is_none() {
                    let expected = "`-accelsim tracer version = 3` to 5 before it";
                    return Err(whole.fault(expected, "put the trace's header back"));
                }
                self.sink.block(whole)?;
                self.place = Place::Block;
            }
            (b"#BEGIN_TB", _) => {
                let expected = "#END_TB of the thread block before";
                return Err(whole.fault(expected, TRUNCATED));
            }
            (b"#END_TB", Place::Block | Place::Instructions(0)) => self.place = Place::Outside,
            (b"#END_TB", Place::Outside) => {
                return Err(whole.fault("#BEGIN_TB before it", TRUNCATED));
            }
            (b"#END_TB", _) => self.complete(whole)?,
            _ => {}
        }
        Ok(())
    }

    /// Checks that the warp before `whole` has all its instructions.
    fn complete(&self, whole: Field) -> Checked<()> {
        match self.place {
            Place::Warp => Err(whole.fault("`insts =` after `warp =`", TRUNCATED)),
            Place::Instructions(missing @ 1..) => {
                let expected = format!("{missing} more instructions, as `insts =` says");
                Err(whole.fault(expected, TRUNCATED))
            }
            _ => Ok(()),
        }
    }

    /// A line `name = value` of a thread block.
    fn assignment(&mut self, whole: Field) -> Checked<()> {
        if self.place == Place::Outside {
            return Err(whole.fault("#BEGIN_TB before it", UNGROUPED));
        }
        let Some((name, value)) = split_assignment(whole) else {
            return Ok(());
        };
        match name.text {
            b"warp" => {
                self.complete(whole)?;
                self.sink.warp(value)?;
                self.place = Place::Warp;
            }
            b"insts" if self.place == Place::Warp => {
                let help = "correct the number of instructions";
                let count = decimal(value.text)
                    .ok_or_else(|| value.fault("a number of instructions", help))?;
                self.place = Place::Instructions(count);
            }
            b"insts" => return Err(whole.fault("`warp =` before it", TRUNCATED)),
            // The block's and its cluster's coordinates, whatever later versions add.
            _ => {}
        }
        Ok(())
    }

    /// A line of a warp.
    fn instruction(&mut self, line: &[u8], whole: Field) -> Checked<()> {
        match &mut self.place {
            Place::Instructions(0) => {
                let expected =
                    "`warp =` or #END_TB: the warp has all instructions that `insts =` says";
                return Err(whole.fault(expected, "correct the number of instructions"));
            }
            Place::Instructions(missing) => *missing -= 1,
            Place::Outside => return Err(whole.fault("#BEGIN_TB before it", UNGROUPED)),
            _ => return Err(whole.fault("`warp =` and `insts =` before it", TRUNCATED)),
        }
        let instruction = Instruction::parse(line, self.lineinfo, &self.windows)?;
        self.sink.instruction(&instruction)
    }
}

/// `name = value`, both trimmed.
fn split_assignment(whole: Field<'_>) -> Option<(Field<'_>, Field<'_>)> {
    let equals = whole.text.iter().position(|&byte| byte == b'=')?;
    let (name, value) = (&whole.text[..equals], &whole.text[equals + 1..]);
    let value = Field {
        text: value,
        offset: whole.offset + equals + 1,
    };
    Some((
        Field {
            text: name,
            ..whole
        }
        .trimmed(),
        value.trimmed(),
    ))
}
