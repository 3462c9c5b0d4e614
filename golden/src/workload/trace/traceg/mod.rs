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
//! The file's order is kept: blocks one after another, in each of them warp after warp. Shared
//! and local memory, constants and textures are passed over.

use super::coalesce::Coalescer;
use super::error::Fault;
use super::fields::{decimal, hex, signed, Field, Words};
use super::sass::{global_op, width_of, Address, WIDEST};
use super::Scope;

/// Tracer versions whose lines are understood.
const VERSIONS: std::ops::RangeInclusive<u64> = 3..=5;

/// ASSUMPTION: the windows through which generic addresses reach shared and local memory are of
/// 16 MB each, aligned as the header says.
const WINDOW: u64 = 1 << 24;

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
pub(super) struct Traceg {
    version: Option<u64>,
    lineinfo: bool,
    shared_window: Option<u64>,
    local_window: Option<u64>,
    place: Place,
    coalescer: Coalescer,
}

type Checked<T> = Result<T, Box<Fault>>;

const TRUNCATED: &str = "the trace may be truncated; record or copy it again";
const UNGROUPED: &str = "process raw `.trace` files with Accel-Sim's post-traces-processing first";

impl Traceg {
    pub(super) fn new(scope: &Scope) -> Self {
        Self {
            version: None,
            lineinfo: false,
            shared_window: None,
            local_window: None,
            place: Place::Outside,
            coalescer: Coalescer::new(scope.options),
        }
    }

    /// The accesses of the lines so far.
    pub(super) fn accesses(&mut self) -> &mut Coalescer {
        &mut self.coalescer
    }

    /// Takes a line in.
    pub(super) fn line(&mut self, line: &[u8], scope: &Scope) -> Checked<()> {
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
            _ => self.instruction(line, whole, scope),
        }
    }

    /// Checks that the file may end here.
    pub(super) fn end(&self) -> Checked<()> {
        let fault = |expected: &'static str| Err(Fault::new(0, b"", expected, TRUNCATED));
        match self.place {
            Place::Outside if self.version.is_none() => {
                fault("`-accelsim tracer version = 3` to 5")
            }
            Place::Outside => Ok(()),
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
            b"-shmem base_addr" => self.shared_window = base(value)?,
            b"-local mem base_addr" => self.local_window = base(value)?,
            _ => {}
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

    /// `[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width
    /// [address_mode addresses] [immediate]`
    fn instruction(&mut self, line: &[u8], whole: Field, scope: &Scope) -> Checked<()> {
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
        let mut words = Words::new(line);
        if self.lineinfo {
            number(
                words.next(),
                decimal,
                "a source line number, since lineinfo is enabled",
            )?;
        }
        number(words.next(), hex, "a program counter in hexadecimal")?;
        let mask = words.next();
        let mask = match hex(mask.text).map(u32::try_from) {
            Some(Ok(bits)) => bits,
            _ => return Err(mask.fault("a mask of 32 lanes in hexadecimal", CORRECT)),
        };
        registers(&mut words, "a number of destination registers")?;
        let opcode = words.next();
        if !opcode.text.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(opcode.fault("an opcode", CORRECT));
        }
        registers(&mut words, "a number of source registers")?;
        let width = words.next();
        let bytes = number(width, decimal, "the bytes a lane accesses, 0 for no access")?;
        let Some(kind) = global_op(opcode, bytes)? else {
            return Ok(());
        };
        if mask == 0 {
            return Ok(());
        }
        let bytes = width_of(opcode.text).unwrap_or(bytes);
        if !(1..=WIDEST).contains(&bytes) {
            let expected = format!("the bytes a lane accesses, 1 to {WIDEST}");
            return Err(width.fault(expected, CORRECT));
        }
        // A line with a fault must leave no accesses of its lanes before the fault.
        self.coalescer.clear();
        let kernel = scope.kernel.unwrap_or(0);
        let windows = [self.shared_window, self.local_window];
        let coalescer = &mut self.coalescer;
        let result = addresses(&mut words, mask, |address| {
            let within = |base: &u64| (*base..base.saturating_add(WINDOW)).contains(&address);
            let elsewhere =
                kind.address == Address::Generic && windows.iter().flatten().any(within);
            if !elsewhere {
                coalescer.touch(kernel, kind.op, address, bytes);
            }
        });
        if result.is_err() {
            self.coalescer.clear();
        }
        result
    }
}

const CORRECT: &str = "correct the line or record the trace again";

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

fn number(field: Field, parse: fn(&[u8]) -> Option<u64>, expected: &'static str) -> Checked<u64> {
    parse(field.text).ok_or_else(|| field.fault(expected, CORRECT))
}

/// A count of registers and as many names.
fn registers(words: &mut Words, expected: &'static str) -> Checked<()> {
    for _ in 0..number(words.next(), decimal, expected)? {
        let register = words.next();
        if !register.text.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(register.fault("a register", CORRECT));
        }
    }
    Ok(())
}

/// The addresses of the lanes in `mask`, in their order, and what may follow them.
fn addresses(words: &mut Words, mask: u32, mut lane: impl FnMut(u64)) -> Checked<()> {
    let base_of = |words: &mut Words| number(words.next(), hex, "an address in hexadecimal");
    let difference_of = |words: &mut Words, expected: &'static str| {
        let field = words.next();
        signed(field.text).ok_or_else(|| field.fault(expected, CORRECT))
    };
    let lanes = mask.count_ones();
    let mode = words.next();
    match mode.text {
        // All addresses.
        b"0" => {
            for _ in 0..lanes {
                lane(base_of(words)?);
            }
        }
        // The first address and the constant stride of neighbouring lanes.
        b"1" => {
            let run = mask >> mask.trailing_zeros();
            if run & run.wrapping_add(1) != 0 {
                let expected = "address mode 0 or 2, since the active lanes are not contiguous";
                return Err(mode.fault(expected, CORRECT));
            }
            let base = base_of(words)?;
            let stride = difference_of(words, "a stride")?;
            for index in 0..i64::from(lanes) {
                lane(base.wrapping_add_signed(stride.wrapping_mul(index)));
            }
        }
        // The first address and the difference of each to the one before.
        b"2" => {
            let mut address = base_of(words)?;
            lane(address);
            for _ in 1..lanes {
                let delta = difference_of(words, "the address difference of each further lane")?;
                address = address.wrapping_add_signed(delta);
                lane(address);
            }
        }
        _ => return Err(mode.fault("an address mode 0, 1 or 2", CORRECT)),
    }
    // Version 5 writes an immediate, also where there is none.
    words.next();
    let extra = words.next();
    if !extra.text.is_empty() {
        let expected = format!("the end of the line: {lanes} lanes are active");
        return Err(extra.fault(expected, CORRECT));
    }
    Ok(())
}
